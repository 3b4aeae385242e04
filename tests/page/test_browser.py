"""What a browser makes of the page.  test_browser.py RIDGE FIXTURES; exits 77 where there is no Chromium.

A script put behind the page's own points at marks, presses legends and keys, and measures; what it
saw comes back in the document that the browser prints.  Where scripts/setup has brought axe-core, it
judges every page that is opened, in light, dark and on a phone.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

RIDGE, FIXTURES = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
CARD, HOST = FIXTURES / 'virtual_card.json', FIXTURES / 'virtual_host.json'
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
PROBE = (Path(__file__).parent / 'probe.js').read_text()
AXE = sorted((FIXTURES.parent.parent / 'build/tools.axe').glob('*/axe.min.js'))
AXE_RULES_LEAST = 15  # so many rules at least have something to judge on such a page
CONTRAST_LEAST = 4.5
# Browsers without a head have no window as narrow as a phone: the page is opened in a frame of that width.
PHONE = '''<!DOCTYPE html><title>phone</title><style>body {{ margin: 0 }}</style>
<script>addEventListener("message", (event) => {{
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = event.data;
  document.body.append(out);
}});</script><body><iframe src="{}" style="border: 0; width: 375px; height: 800px"></iframe></body>'''
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def browse(page, *options):
    return subprocess.run(
        [CHROMIUM, '--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--hide-scrollbars',
         '--host-resolver-rules=MAP * ~NOTFOUND', '--window-size=1200,900',
         f'--user-data-dir={page.parent / "profile"}', *options, page.as_uri()],
        capture_output=True, text=True, timeout=120)


def seen(page, *options):
    """What the probe reports, and the browser's complaints about the page."""
    run = browse(page, '--virtual-time-budget=20000', '--dump-dom', *options)
    found = re.search(r'<pre id="probe">(.*?)</pre>', run.stdout, re.S)
    console = [line for line in run.stderr.splitlines() if 'CONSOLE' in line]
    expect(found, f'the probe did not come back: {run.stderr[-300:]}')
    return json.loads(unescape(found[1])) if found else None, console


def page_of(folder, name, *paths):
    page = Path(folder) / f'{name}.html'
    command = 'compare' if name == 'compared' else 'report'
    subprocess.run([RIDGE, command, '-o', page, *paths], check=True, timeout=60)
    return page, probed_of(page)


def probed_of(page):
    probed = page.with_suffix('.probed.html')
    scripts = [path.read_text() for path in AXE[:1]] + [PROBE]
    added = ''.join(f'<script>{script}</script>' for script in scripts)
    probed.write_text(page.read_text().replace('</body>', added + '</body>'))
    return probed


def phone_of(probed):
    phone = probed.with_suffix('.phone.html')
    phone.write_text(PHONE.format(probed.name))
    return phone


def check(report, console, what):
    expect(console == [], f'{what}: {console[:2]}')
    if report is None:
        return
    expect(report['errors'] == [], f'{what}: {report["errors"]}')
    expect(report['requests'] == [], f'{what}: asks for {report["requests"]}')
    expect(report['overflow'] <= 0, f'{what}: {report["overflow"]} pixels too wide, {report["tooWide"]}')
    expect(report['unseen'] == 0, f'{what}: {report["unseen"]} marks without an extent')
    expect(report['unnamed'] == [], f'{what}: without a name: {report["unnamed"]}')
    dim = [c for c in report['contrasts'] if c['ratio'] < CONTRAST_LEAST]
    expect(dim == [], f'{what}: too little contrast: {dim[:4]}')
    if AXE:
        expect(report.get('violations') == [], f'{what}: axe-core: {report.get("violations")}')
        expect(report.get('audited', 0) >= AXE_RULES_LEAST, f'{what}: axe-core judged {report.get("audited")} rules')


def check_answers(report, path):
    """Hover, focus, arrows and legends."""
    medians = [m for m in json.loads(path.read_text())['measurements'] if m['status'] == 'ok']
    expect(report['marks'] > 50, f'{report["marks"]} marks are drawn')
    for name in ('hovered', 'focused', 'next'):
        expect(', ok' in report[name] and 'sample' in report[name], f'{name}: the tip says {report[name]!r}')
    expect(report['focused'] != report['next'], 'the arrow key leads nowhere')
    number = float(re.search(r': ([\d.]+) GB/s', report['hovered'])[1]) * 1e9
    expect(any(abs(m['value']['median'] / number - 1) < 0.006 for m in medians if m['role'] == 'host_to_device'),
           f'{report["hovered"]}: not in the file')
    expect(report['tipInside'], 'the tip leaves the window')
    expect(report['picked'] and report['released'], 'pointing at a name does not pick its series out')
    expect(report['hidden'] > 0 and report['shownAgain'], f'the legend hides {report["hidden"]} groups')


def check_print(page, folder):
    pdf = Path(folder) / 'page.pdf'
    browse(page, f'--print-to-pdf={pdf}', '--no-pdf-header-footer')
    boxes = set(re.findall(rb'/MediaBox \[([\d. ]+)\]', pdf.read_bytes() if pdf.exists() else b''))
    expect(boxes and all([round(float(n)) for n in b.split()] in ([0, 0, 595, 842], [0, 0, 594, 842], [0, 0, 596, 842])
                         for b in boxes), f'printed on {boxes}')


def main():
    if CHROMIUM is None:
        print('no Chromium here: the page was not opened (Debian: apt-get install chromium)')
        return 77
    if shutil.which('gnuplot') is None:
        print('no gnuplot here: the page has no charts')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        page, probed = page_of(folder, 'card', CARD)
        report, console = seen(probed)
        check(report, console, 'wide')
        if report:
            check_answers(report, CARD)
        report, console = seen(phone_of(probed))
        check(report, console, 'phone')
        expect(report and report['width'] == 375, f'the phone is {report and report["width"]} wide')
        report, console = seen(probed, '--blink-settings=preferredColorScheme=0')
        check(report, console, 'dark')
        expect(report and report['dark'], 'the dark page is not dark')
        _, both = page_of(folder, 'both', CARD, HOST)
        check(*seen(phone_of(both)), 'two results')
        check(*seen(phone_of(both), '--blink-settings=preferredColorScheme=0'), 'two results, dark')
        _, compared = page_of(folder, 'compared', CARD, HOST, 'card:l40s')
        check(*seen(compared), 'a comparison')
        check_print(page, folder)
    if not AXE:
        print('no axe-core here: the page was judged by our own checks alone (scripts/setup test brings it)')
    print('\n'.join(failures[:40]) or 'all as promised')
    return 1 if failures else 0


sys.exit(main())
