"""Headers of host code: those of the text that launches, and those that a build writes from a template."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """__kernel void fill(__global int *a) {
  __local int s[64];
  s[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = s[63 - get_local_id(0)];
}
"""
HOST = """#include <CL/cl.h>
#include "config.h"
%s
cl_command_queue q; cl_program program; cl_mem buffer; void load(const char *);
int main(void) {
  cl_int err; cl_kernel k = clCreateKernel(program, "fill", &err); load("fill.cl");
  size_t l = 64; %s
  size_t g = 256;
  clSetKernelArg(k, 0, sizeof(cl_mem), &buffer);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, NULL, NULL);
  return wait(3);
}
"""
TEMPLATE = """/* config.h.in.  Generated from configure.ac by autoheader.  */

/* Define to 1 if you have the <time.h> header file. */
#undef HAVE_TIME_H

/* Version number of package */
#undef VERSION

#ifndef __cplusplus
#undef inline
#endif
/* Define to `unsigned int' if <sys/types.h> does not define. */
#undef size_t
"""
CMAKE = "#cmakedefine HAVE_TIME_H\n#cmakedefine01 VERSION\n"
READ = {
    "a template": (TEMPLATE, "", ""),
    "a template of CMake": (CMAKE, "", ""),
    "what says nothing of the launch": (TEMPLATE, "", "\n#ifdef HAVE_TIME_H\n  tick();\n#endif\n"),
    "a condition on a header": (TEMPLATE, "#ifdef HAVE_TIME_H\n#include <time.h>\n#endif", ""),
}
NOT_READ = {
    "no template": ("", "", ""),
    "code in a template": (TEMPLATE + "static int width = 3;\n", "", ""),
    "a size that the build chooses": (TEMPLATE, "", "\n#ifdef HAVE_TIME_H\n  l = 32;\n#endif\n"),
    "a size that the build names": (TEMPLATE, "", "l = VERSION;"),
    "a call that the build may name": (TEMPLATE, "", "VERSION;"),
    "a macro that the build chooses": (
        TEMPLATE, "#ifdef HAVE_TIME_H\n#define LANES 64\n#else\n#define LANES 32\n#endif", "l = LANES;"),
    "a macro of the template's own": (TEMPLATE + "#define LANES 64\n", "", "l = LANES;"),
}


def asked(run: Run, folder: Path, template: str, before: str, body: str) -> tuple[str, object]:
    (folder / ".git").mkdir()
    (folder / "src").mkdir()
    (folder / "src/fill.cl").write_text(KERNEL)
    (folder / "src/host.cpp").write_text(HOST % (before, body))
    if template:
        (folder / "config").mkdir()
        (folder / "config/config.h.in").write_text(template)
    (record,) = run("check", folder / "src/fill.cl", "--format", "jsonl").records
    return record["verdict"], (record["launch"] or {}).get("block")


@pytest.mark.parametrize("name", READ)
def test_a_header_that_a_build_writes_from_a_template(run: Run, tmp_path: Path, name: str) -> None:
    assert asked(run, tmp_path, *READ[name]) == ("proved", [64, 1, 1])


@pytest.mark.parametrize("name", NOT_READ)
def test_what_the_build_may_choose_is_not_believed(run: Run, tmp_path: Path, name: str) -> None:
    verdict, block = asked(run, tmp_path, *NOT_READ[name])
    assert verdict != "proved" and block != [64, 1, 1]


def test_of_two_templates_none_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/config.h.in").write_text(TEMPLATE)
    assert asked(run, tmp_path, *READ["a template"])[1] is None


PARTED = {
    "a word that lines part": ("", "size_t width = 64; l = wid\\\nth;", True),
    "a word that lines part twice": ("", "size_t width = 64; l = wi\\\nd\\\nth;", False),
    "a number that lines part": ("", "l = 6\\\n4;", True),
    "another number": ("", "l = 3\\\n2;", False),
    "a comment with a backslash": ("/* A header \\ \n * of ours */", "", True),
    "a comment whose end lines part": ("/* A header *\\\n/\n#define l 32\n/* more */", "", False),
    "a line that a blank follows": ("", "// all \\ \n l = 32;\n", False),
    "a comment in a string": ("const char *s = \"/*\"; int m = 3\\ \n; const char *t = \"*/\";", "", False),
}


@pytest.mark.parametrize("name", PARTED)
def test_words_that_lines_part(run: Run, tmp_path: Path, name: str) -> None:
    before, body, is_read = PARTED[name]
    verdict, block = asked(run, tmp_path, TEMPLATE, before, body + "\n#ifdef HAVE_TIME_H\n  tick();\n#endif\n")
    assert (block == [64, 1, 1]) is is_read and (verdict == "proved") is is_read


@pytest.mark.parametrize("where, is_read", [("common/include/timing.h", True), ("", False)])
def test_a_text_that_launches_has_the_headers_that_it_asks_for(run: Run, tmp_path: Path, where: str, is_read: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    if where:
        (tmp_path / where).parent.mkdir(parents=True)
        (tmp_path / where).write_text("typedef struct { int now; } timer; void start(timer *);\n")
    (tmp_path / "src/fill.cu").write_text("""__global__ void fill(int *a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = n;
  __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
""")
    (tmp_path / "src/main.cu").write_text("""#include <timing.h>
__global__ void fill(int *a, int n);
int main(int argc, char **argv) {
  timer t; int *a; int n = argc, l = 64; start(&t);
  fill<<<4, l>>>(a, n);
}
""")
    (record,) = run("check", tmp_path / "src/fill.cu", "--format", "jsonl").records
    assert ((record["launch"] or {}).get("block") == [64, 1, 1]) is is_read
