"""Includes that name a macro: all the files that it is defined as are looked at before clang sees the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

MAIN = """#include "generic/rows.cu"
#include "for_all_types.h"
#define GENERIC "generic/{other}"
#define real float
#include GENERIC
"""
TYPES = """#define real int
#define NAME rows_of_int
#include GENERIC
#undef real
#undef NAME
#undef GENERIC
#define NAME rows_of_float
"""
ROWS = """#ifndef GENERIC
#define GENERIC "generic/rows.cu"
#else
// spmd: block=64 grid=1
__global__ void NAME(real *x) { x[threadIdx.x INDEX] = threadIdx.x; }
#endif
"""


def _write(folder: Path, main: str, index: str = "") -> Path:
    (folder / "generic").mkdir()
    (folder / "generic" / "rows.cu").write_text(ROWS.replace("INDEX", index))
    (folder / "for_all_types.h").write_text(TYPES)
    file = folder / "main.cu"
    file.write_text(main)
    return file


@pytest.mark.parametrize(("index", "verdict"), [("", "proved"), ("/ 2", "refuted")])
def test_a_text_that_is_read_for_each_type(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """The macro is defined in the text that the header includes by it, which is read last."""
    file = _write(tmp_path, MAIN.replace("{other}", "rows.cu"), index)
    records = run("check", file, "--format", "jsonl").records
    assert {record["kernel"]: record["verdict"] for record in records} == dict.fromkeys(("rows_of_int", "rows_of_float"), verdict)


@pytest.mark.parametrize(("main", "said"), [
    ('#define WHICH(x) "generic/rows.cu"\n#include WHICH(1)\n', "a macro makes"),
    ('#define NAMED "generic/rows.cu"\n#define GENERIC NAMED\n#include GENERIC\n', "a macro makes"),
    ("#include GENERIC\n__global__ void k(int *x) {}\n", "a macro makes"),
    ('#define Q(x) #x\n#define MORE /etc/hostname\n#include Q(MORE)\n', "a macro makes"),
    ('#define Q(x) </etc/x>\n#ifdef MORE\n#include Q(MORE)\n#endif\n', "a macro makes"),
    ('#define Q(x) R(x)\n#define R(x) "/etc/" #x\n#ifdef MORE\n#include Q(MORE)\n#endif\n', "a macro makes"),
    ('#ifdef A\n#define GENERIC "/etc/hostname"\n#else\n#define GENERIC "a.cu"\n#endif\n#include GENERIC\n', "outside"),
])
def test_what_is_no_file_of_the_program_is_refused(main: str, said: str, run: Run, tmp_path: Path) -> None:
    (record,) = run("check", _write(tmp_path, main), "--format", "jsonl").records
    assert record["verdict"] in ("unsupported", "invalid") and said in str(record["reason"]), record


OPTIONAL = """#define QUOTED(x) #x
#define FILE_OF(x) QUOTED(x)
#ifdef MORE
#include FILE_OF(MORE)
#endif
// spmd: block=64 grid=1
__global__ void k(int *x) { x[threadIdx.x INDEX] = threadIdx.x; }
"""


@pytest.mark.parametrize(("index", "verdict"), [("", "proved"), ("/ 2", "refuted")])
def test_an_include_of_a_name_that_nothing_defines(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    file = _write(tmp_path, OPTIONAL.replace("INDEX", index))
    (record,) = run("check", file, "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def test_an_include_of_a_name_that_is_given_outside(run: Run, tmp_path: Path) -> None:
    """What it then names was not looked at."""
    file = _write(tmp_path, OPTIONAL.replace("INDEX", ""))
    (record,) = run("check", file, "-D", "MORE=/etc/hostname", "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "a macro makes" in str(record["reason"]), record


LIBRARY = """#ifndef __CUDACC__
#include <boost/preprocessor/iteration/iterate.hpp>
#define BOOST_PP_FILENAME_1 "rows.h"
#include BOOST_PP_ITERATE()
#endif
__global__ void k(int *x) { x[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
"""


@pytest.mark.parametrize(("text", "is_asked"), [
    (LIBRARY + "int main() { k<<<4, 64>>>(0); }\n", False),
    (LIBRARY.replace("ifndef", "ifdef"), True),
    (LIBRARY.replace("#ifndef __CUDACC__\n", "").replace("#endif\n", ""), True),
], ids=["the host's", "read", "always"])
def test_an_include_that_a_library_which_is_not_here_makes(text: str, is_asked: bool, run: Run, tmp_path: Path) -> None:
    """What conditions leave out asks for no file; what is read does, and is missing like any other header."""
    (tmp_path / "k.cu").write_text(text)
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert any("BOOST_PP_ITERATE" in str(each) for each in record["assumptions"]) == is_asked, record["assumptions"]
