"""Texts of a program that its host's compiler reads: `__CUDACC__` is not defined there, nor in C what C++ defines."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """#include "run.h"
__global__ void k(float *p, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 64) p[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
%svoid run(float *p, int b) { k<<<2, b>>>(p, 0); }
"""
HEADER = "void run(float *p, int b);\n"
FOR_C = '#ifdef __cplusplus\nextern "C"\n#endif\n' + HEADER
ASKED = '#include "run.h"\nint main() { float *p = 0;\n#ifdef %s\nrun(p, 64);\n#else\nrun(p, 32);\n#endif\n}\n'


def sizes(run: Run, folder: Path, files: dict[str, str]) -> set[object]:
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    records = run("check", folder / "k.cu", "--format", "jsonl").records
    return {each["launch"]["block"][0] if each["launch"]["source"].startswith("host") else None for each in records}


@pytest.mark.parametrize(("name", "asked", "known"), [
    ("main.cpp", "__CUDACC__", {32}), ("main.cpp", "__NVCC__", {32}), ("main.cu", "__CUDACC__", {64}), ("main.cpp",
                                                                                                        "__cplusplus", {64}),
    ("main.c", "__cplusplus", {32}), ("main.c", "__CUDACC__", {32}),
])
def test_a_text_is_read_as_its_compiler_reads_it(name: str, asked: str, known: set[object], run: Run, tmp_path: Path) -> None:
    is_c = name.endswith(".c")
    files = {"k.cu": KERNEL % ('extern "C" ' if is_c else ""), "run.h": FOR_C if is_c else HEADER, name: ASKED % asked}
    assert sizes(run, tmp_path, files) == known


def test_where_a_build_compiles_it_as_cuda_nobody_knows(run: Run, tmp_path: Path) -> None:
    files = {"k.cu": KERNEL % "", "run.h": HEADER, "main.cpp": ASKED % "__CUDACC__",
             "Makefile": "main.o: main.cpp\n\tnvcc -x cu -c main.cpp\n"}
    assert 64 not in sizes(run, tmp_path, files)


def test_a_text_that_launches_is_one_of_cuda(run: Run, tmp_path: Path) -> None:
    files = {"k.cu": KERNEL % "", "run.h": HEADER,
             "main.cpp": ASKED % "__CUDACC__" + "__global__ void other() {}\nvoid g() { other<<<1, 1>>>(); }\n"}
    assert sizes(run, tmp_path, files) == {64}
