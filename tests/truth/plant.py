#!/usr/bin/env python3
"""Writes a source file with a mistake in it: plant.py SOURCE MISTAKE OUT.  Fails where the right text is no
longer there: a mistake that is not planted would prove nothing."""
import sys
from pathlib import Path

MISTAKES = {
    'counted_once': ('bench/memory.c', 't->work.bytes = (double)stream_arrays(operation) * (double)bytes;',
                     't->work.bytes = (double)bytes;'),
    'timed_early': ('harness/device/cuda_run.c', '''        code = execute(j, times);
    if (!code)
        code = join_streams(j);
    if (!code)
        code = cudaEventRecord(c->ended, stream);
''', '''        code = cudaEventRecord(c->ended, stream);
    if (!code)
        code = execute(j, times);
    if (!code)
        code = join_streams(j);
'''),
    'deviation': ('harness/report/samples.c', '''        s.ci_low = sorted[rank - 1];
        s.ci_high = sorted[s.n - rank];
''', '''        double mean = 0, square = 0;

        for (size_t i = 0; i < s.n; i++) {
            mean += sorted[i] / (double)s.n;
            square += sorted[i] * sorted[i] / (double)s.n;
        }
        s.ci_low = mean - sqrt(fmax(0, square - mean * mean));
        s.ci_high = mean + sqrt(fmax(0, square - mean * mean));
'''),
}

source, mistake, out = sys.argv[1:]
path, right, wrong = MISTAKES[mistake]
text = (Path(source) / path).read_text()
if text.count(right) != 1:
    sys.exit(f'{path} no longer holds the text that {mistake} changes:\n{right}')
Path(out).write_text(text.replace(right, wrong))
