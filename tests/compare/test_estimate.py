"""What `ridge estimate` answers: numbers, formulas, mistakes.  test_estimate.py RIDGE FIXTURES"""
import json
import re

from program import CARD, HOST, expect, expect_mistake, finish, ridge


def estimates(*arguments):
    status, out, err = ridge('estimate', '-f', 'json', *arguments)
    expect(status == 0 and err == '', f'{arguments}: {status} {err}')
    return {e['name']: e for e in json.loads(out)['estimates']}


def test_numbers():
    by_name = estimates('card:a100-sxm4-80gb', '--model', '7b', '--users', '8', '--context', '4096')
    by_shape = estimates('card:a100-sxm4-80gb', '--parameters', '7e9', '--layers', '32', '--kv-heads', '32',
                         '--head-size', '128', '--precision', 'fp16', '--users', '8')
    expect(by_name == by_shape, 'a model by name and by its numbers')
    expect(by_name['weights']['value'] == 14e9 and by_name['cache of keys and values']['value'] == 16 * 2**30,
           '14 GB and 16 GiB')
    expect(estimates('card:l40s', '--model', '7b', '--train')['weights, gradients, Adam']['value'] == 112e9, '112 GB')
    fewer = estimates('card:l40s', '--model', '8x7b', '--active-parameters', '6.45B')
    usual = estimates('card:l40s', '--model', '8x7b')
    expect(abs(fewer['prefill, at most']['value'] / usual['prefill, at most']['value'] - 2) < 1e-9, 'half as active')
    measured = estimates(CARD, '--payload', '10GB', '--items', '10000', '--host', HOST)
    expect(abs(measured['one pinned copy']['value'] - (9e-6 + 10e9 / 25.67e9)) < 0.001, 'the measured link')
    expect(0.9 < measured['share of the time on the link']['value'] < 1, 'a share of one')
    for name, e in measured.items():
        expect(e['low'] <= e['value'] <= e['high'], f'{name}: the band is round the value')


def test_text():
    for form in ('text', 'markdown'):
        status, out, _ = ridge('estimate', CARD, '--model', '7b', '--users', '8', '--host', HOST, '-f', form)
        said = ' '.join(out.split())
        expect(status == 0, form)
        for words in ('7.00 billion parameters x 2.00 B', '512 KiB a token', '16 GiB', 'simulated', 'N of the N x N'):
            expect(words in said, f'{form}: {words}')


def test_a_share_lies_in_its_band():
    """The digits that are shown do not put it outside."""
    _, out, _ = ridge('estimate', CARD, '--payload', '10GB')
    line = next(line for line in out.splitlines() if 'share of the time' in line)
    share, low, high = (float(n) for n in re.findall(r'([\d.]+)(?: %| to|$)', line))
    expect(low <= share <= high, line)


def test_mistakes():
    expect_mistake('needs a result file', 'estimate')
    expect_mistake('say what to estimate', 'estimate', 'card:l40s')
    expect_mistake('one result or card', 'estimate', 'card:l40s', CARD, '--model', '7b')
    expect_mistake('known are 7b', 'estimate', 'card:l40s', '--model', '9b')
    expect_mistake('known are fp32', 'estimate', 'card:l40s', '--model', '7b', '-p', 'fp12')
    expect_mistake('more than there are', 'estimate', 'card:l40s', '--model', '7b', '--active-parameters', '9B')
    expect_mistake('--train needs', 'estimate', 'card:l40s', '--train', '--payload', '1GB')
    expect_mistake('--items needs --payload', 'estimate', 'card:l40s', '--items', '3', '--model', '7b')
    expect_mistake('10GB or 64MiB', 'estimate', 'card:l40s', '--payload', '10 parsecs')
    expect_mistake('above 0', 'estimate', 'card:l40s', '--payload', '-1GB')
    expect_mistake('whole number', 'estimate', 'card:l40s', '--model', '7b', '--users', '1.5')
    expect_mistake('expected a result file', 'estimate', 'card:l40s', '--host', 'card:tesla-t4')
    expect_mistake("no device 'host'", 'estimate', 'card:l40s', '--host', CARD)
    expect_mistake('link of Fixture CPU is not known', 'estimate', HOST, '--payload', '1GB')
    expect_mistake('cannot be read', 'estimate', 'card:l40', '--model', '7b', '--cards', '/none.csv')


test_numbers()
test_text()
test_a_share_lies_in_its_band()
test_mistakes()
finish()
