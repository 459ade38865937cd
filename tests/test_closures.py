"""Closures and function values against a C++ compiler: the kernels of closures.cu, compiled as C++ and run on the machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from automata.lang.lower import lower
from automata.lang.read import find_kernels
from automata.machine.outcome import Setting
from automata.machine.run import Program
from automata.thread.build import build

FILE = Path(__file__).parent / "closures.cu"
NAMES = re.findall(r"__global__ void (\w+)\(int\* out\)", FILE.read_text())
THREADS, CELLS = 4, 16
UNSET = -123456789
SHIM = "#include <cstdio>\n#define __device__\n#define __global__\nstruct { unsigned x, y, z; } threadIdx;\n"


def program() -> str:
    """A C++ program that runs every kernel, thread by thread, and prints its cells."""
    calls = "\n".join(
        f"""  for (int& cell : out) cell = {UNSET};
  for (unsigned t = 0; t < {THREADS}; t++) {{ threadIdx.x = t; {name}(out); }}
  for (int cell : out) std::printf("%d ", cell);
  std::puts("");""" for name in NAMES)
    return f'{SHIM}#include "{FILE}"\nint main() {{\n  int out[{THREADS * CELLS}];\n{calls}\n}}\n'


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """What each kernel leaves in its cells as g++ compiles it."""
    if not shutil.which("g++"):
        pytest.skip("no g++ to compare with")
    folder = tmp_path_factory.mktemp("closures")
    (folder / "main.cpp").write_text(program())
    # Arguments, operands and initialisers in the order of the text, as the tool takes them.
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-o", folder / "main", folder / "main.cpp"], check=True)
    printed = subprocess.run([folder / "main"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: [int(word) for word in line.split()] for name, line in zip(NAMES, printed, strict=True)}


@pytest.mark.parametrize("name", NAMES)
def test_a_closure_is_that_of_a_compiler(name: str, wanted: dict[str, list[int]]) -> None:
    found = next(kernel for kernel in find_kernels(str(FILE)) if kernel.name == name)
    outcome = Program(build(lower(found.read(), {}))).run(Setting((1, 1, 1), (THREADS, 1, 1), {}))
    cells = outcome.contents("out")
    assert {at: value for at, value in enumerate(wanted[name]) if value != UNSET} == dict(sorted(cells.items()))
