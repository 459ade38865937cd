"""What kernels mean against a C++ compiler: those in tests/closures and tests/reading, compiled as C++ and run on the machine."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from automata.lang.read import Found, find_kernels
from automata.machine.running.run import Program
from automata.machine.state.outcome import Setting
from automata.rewriting.lower import lower
from automata.thread.build import build

FILES = [path for folder in ("closures", "reading") for path in sorted((Path(__file__).parent / folder).glob("*.cu"))]
KERNEL = re.compile(r"__global__ void (\w+)\(int\* ?out\)")
CASES = [(path, name) for path in FILES for name in KERNEL.findall(path.read_text())]
THREADS, CELLS = 4, 16
UNSET = -123456789
SHIM = "#include <cstdio>\n#define __device__\n#define __global__\nstruct { unsigned x, y, z; } threadIdx;\n"


def program(path: Path) -> str:
    """A C++ program that runs every kernel of a file, thread by thread, and prints its cells."""
    calls = "\n".join(
        f"""  for (int& cell : out) cell = {UNSET};
  for (unsigned t = 0; t < {THREADS}; t++) {{ threadIdx.x = t; {name}(out); }}
  for (int cell : out) std::printf("%d ", cell);
  std::puts("");""" for name in KERNEL.findall(path.read_text()))
    return f'{SHIM}#include "{path}"\nint main() {{\n  int out[{THREADS * CELLS}];\n{calls}\n}}\n'


@cache
def wanted(path: Path) -> dict[str, list[int]]:
    """What each kernel of a file leaves in its cells as g++ compiles it, which takes operands in the order of the text here."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "main.cpp", Path(folder) / "main"
        source.write_text(program(path))
        subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-o", made, source], check=True)
        printed = subprocess.run([made], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: [int(word) for word in line.split()]
            for name, line in zip(KERNEL.findall(path.read_text()), printed, strict=True)}


@cache
def kernels(path: Path) -> dict[str, Found]:
    return {kernel.name: kernel for kernel in find_kernels(str(path))}


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ to compare with")
@pytest.mark.parametrize(("path", "name"), CASES, ids=[name for _, name in CASES])
def test_a_kernel_is_that_of_a_compiler(path: Path, name: str) -> None:
    kernel = kernels(path)[name].read()
    starts = {param.name: 4096 * number for number, param in enumerate(kernel.params, 1)}
    outcome = Program(build(lower(kernel, {}))).run(Setting((1, 1, 1), (THREADS, 1, 1), starts))
    cells = {at: value for at, value in enumerate(wanted(path)[name]) if value != UNSET}
    assert cells and cells == dict(sorted(outcome.contents("out").items()))
