"""Headers and braces behind conditions of the platform in a text that launches: what brings nothing new is passed by."""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

LOG = "#ifndef LOG_H\n#define LOG_H\nvoid tell(int n);\n#endif\n"
WRAPPED = """#ifdef _OPENMP
#include "log.h"
#include <omp.h>
#else
#ifdef __cplusplus
extern "C" {
#endif
inline int threads() { return 1; }
#ifdef __cplusplus
}
#endif
#endif
"""
PROGRAM = """%s
__global__ void k(float *p) {}
int main() { float *p = 0; int b = 64; %s k<<<1, b>>>(p); }
"""
FIRST = '#include "log.h"\n'
KNOWN = {
    "a header that was read": (LOG, FIRST + WRAPPED, ""),
    "one that says it once": ("#pragma once\nvoid tell(int n);\n", FIRST + WRAPPED, ""),
    "an ordinary name that is an attribute, too": (LOG, FIRST, "int alias = 3; alias = alias + 1;"),
    "a header of a compiler": (LOG, "#ifdef _OPENMP\n#include <mm_malloc.h>\n#endif\n", ""),
}
OPEN = {
    "a header that was not read": (LOG, WRAPPED, ""),
    "one that is read again": ("void tell(int n);\n", FIRST + WRAPPED, ""),
    "one whose guard the platform may set": (LOG, "#ifdef _LARGE\n#define LOG_H\n#endif\n" + FIRST + WRAPPED, ""),
    "a brace that the platform opens": (LOG, FIRST + WRAPPED.replace("__cplusplus", "_LARGE", 1), ""),
    "a brace with another branch": (LOG, FIRST + WRAPPED.replace('"C" {\n', '"C" {\n#else\n{\n', 1), ""),
    "another name of a variable": (LOG, FIRST, 'extern int c __attribute__((alias("b"))); c = 32;'),
    "another spelling of that": (LOG, FIRST, 'extern int c __attribute__((__alias__("b"))); c = 32;'),
}


def read(folder: Path, header: str, before: str, body: str) -> list[HostLaunch]:
    (folder / "log.h").write_text(header)
    (folder / "k.cu").write_text(PROGRAM % (before, body))
    return find_launches(preprocess(str(folder / "k.cu"), "cuda", side="host"))


@pytest.mark.parametrize("name", KNOWN)
def test_what_brings_nothing_new(name: str, tmp_path: Path) -> None:
    (launch,) = read(tmp_path, *KNOWN[name])
    assert launch.block == (64, 1, 1)


@pytest.mark.parametrize("name", OPEN)
def test_what_may_bring_anything(name: str, tmp_path: Path) -> None:
    assert all(launch.block != (64, 1, 1) for launch in read(tmp_path, *OPEN[name]))
