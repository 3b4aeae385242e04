"""Reads NVIDIA's disassembly: kernels by architecture, their instructions and their loops."""
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Optional

INSTRUCTION = re.compile(r'/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][A-Z0-9_.]*)([^;]*);')
TARGET = re.compile(r'0x([0-9a-f]+)')


class Instruction(NamedTuple):
    address: int
    predicate: Optional[str]
    opcode: str
    operands: str


class Kernel(NamedTuple):
    name: str
    architecture: str  # "90"
    code: list  # of Instruction

    def loops(self):
        """(first, last) address of every backward branch, the branch to itself at the end apart."""
        for i in self.code:
            if i.opcode.startswith('BRA') and (found := TARGET.search(i.operands)):
                to = int(found[1], 16)
                if to < i.address:
                    yield to, i.address

    def hot_loop(self):
        """Instructions of the longest loop that holds no other loop; empty where there is none."""
        spans = sorted(set(self.loops()))
        inner = [s for s in spans if not any(o != s and s[0] <= o[0] and o[1] <= s[1] for o in spans)]
        if not inner:
            return []
        first, last = max(inner, key=lambda s: s[1] - s[0])
        return [i for i in self.code if first <= i.address <= last]


def parse(text):
    """Every kernel in the output of cuobjdump -sass."""
    kernels, architecture = [], None
    for line in text.splitlines():
        if found := re.search(r'code for sm_(\d+)', line):
            architecture = found[1]
        elif found := re.search(r'Function : (\w+)', line):
            kernels.append(Kernel(found[1], architecture, []))
        elif (found := INSTRUCTION.search(line)) and kernels:
            kernels[-1].code.append(Instruction(int(found[1], 16), found[2], found[3], found[4]))
    return kernels


def tools(root):
    """The folder that holds cuobjdump and nvdisasm: what scripts/setup brought, or PATH; or None."""
    brought = root / 'build/tools.sass/nvidia/cu13/bin'
    if (brought / 'cuobjdump').exists() and (brought / 'nvdisasm').exists():
        return brought
    found = shutil.which('cuobjdump')
    return Path(found).parent if found and shutil.which('nvdisasm') else None


def disassemble(objects, folder):
    """All kernels of the object files."""
    def one(path):
        done = subprocess.run([folder / 'cuobjdump', '-sass', path], capture_output=True, text=True,
                              env={'PATH': f'{folder}:/usr/bin:/bin'})
        if done.returncode:
            raise SystemExit(f'cuobjdump could not read {path.name}: {done.stderr.strip()}')
        return parse(done.stdout)
    with ThreadPoolExecutor(2) as pool:
        return [k for kernels in pool.map(one, objects) for k in kernels]
