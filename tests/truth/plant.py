#!/usr/bin/env python3
"""Writes a source file with a mistake in it: plant.py SOURCE MISTAKE OUT.  Fails where the right text is no
longer there: a mistake that is not planted would prove nothing."""
import sys
from pathlib import Path

MISTAKES = {
    'counted_once': ('bench/memory.c', 't->work.bytes = (double)stream_arrays(operation) * (double)bytes;',
                     't->work.bytes = (double)bytes;'),
    'declared_bytes': ('kernels/stream.h', 'operation <= STREAM_SCALE ? 2 : 3', 'operation <= STREAM_SCALE ? 1 : 3'),
    'declared_flops': ('kernels/hide.h', 'HIDE_FMA_TRIP = 64', 'HIDE_FMA_TRIP = 32'),
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
    # Nobody needs what the loop adds up.
    'loop_removed': ('kernels/stream.cu', '''        sum += sum4(in[i]);
    if (keep || sum == never)
        sums[grid_thread()] = sum;
}

STREAM_KERNEL stream_write''', '''        sum += sum4(in[i]);
    if (keep)
        sums[grid_thread()] = never;
}

STREAM_KERNEL stream_write'''),
    'branch_predicated': ('kernels/branch.cu', 'arms<64, 64>(in', 'arms<4, 4>(in'),
}

source, mistake, out = sys.argv[1:]
path, right, wrong = MISTAKES[mistake]
text = (Path(source) / path).read_text()
if text.count(right) != 1:
    sys.exit(f'{path} no longer holds the text that {mistake} changes:\n{right}')
Path(out).parent.mkdir(parents=True, exist_ok=True)
Path(out).write_text(text.replace(right, wrong))
