"""Launches of OpenCL programs in host code: what is certain is read, and what may be another kernel, size or argument is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

HOST = """#include <CL/cl.h>
#include <stdio.h>
cl_context context; cl_command_queue q; cl_program program; cl_mem buffer;
%s
int main(int argc, char **argv) {
  cl_int err; cl_kernel k; size_t global[2] = {256, 4}, local[2] = {64, 2}; int n = 5;
  k = clCreateKernel(program, "fill", &err);
  %s
  return 0;
}
"""
SET = "err = clSetKernelArg(k, 0, sizeof(cl_mem), (void *)&buffer); err |= clSetKernelArg(k, 1, sizeof(cl_int), (void *)&n);"
GO = "err = clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL);"
WHOLE = ((4, 2, 1), (64, 2, 1), (None, 5))
READ: dict[str, tuple[str, str, Any]] = {
    "arrays": ("", SET + GO, WHOLE),
    "one size by its address": ("", "size_t g = 128, l = 32; " + SET + GO.replace("2, NULL, global, local", "1, 0, &g, &l"),
                                ((4, 1, 1), (32, 1, 1), (None, 5))),
    "elements that are set": ("", SET + "global[0] = 512; local[0] = 128; " + GO, ((4, 2, 1), (128, 2, 1), (None, 5))),
    "elements that are set in each round": (
        "", "for (int i = 0; i < argc; i++) { global[0] = 512; " + SET + GO + " }", ((8, 2, 1), (64, 2, 1), (None, 5))),
    "an argument that is changed behind its copy": ("", SET + "n = 7;" + GO, WHOLE),
    "an argument that is set twice": ("", SET + "n = 7; clSetKernelArg(k, 1, sizeof(int), &n);" + GO, (*WHOLE[:2], (None, 7))),
    "a check of each call": (
        "", "if (clSetKernelArg(k, 1, sizeof(cl_int), &n) != CL_SUCCESS) { return 1; }" + GO, WHOLE),
    "a kernel in a condition": ("", "if (!k || err != CL_SUCCESS) return 1; " + SET + GO + "clReleaseKernel(k);", WHOLE),
    "a name in a variable": ("", 'const char *name = "fill"; k = clCreateKernel(program, name, &err); ' + SET + GO, WHOLE),
    "a kernel of the file": ("static cl_kernel all; void make() { all = clCreateKernel(program, \"fill\", 0); }",
                             SET.replace("(k,", "(all,") + GO.replace("q, k", "q, all"), WHOLE),
    "of two launches each has its own arguments": ("", SET + GO + "n = 7; clSetKernelArg(k, 1, sizeof(int), &n);" + GO, WHOLE),
}
NO_LAUNCH = {
    "another kernel": ("", "if (argc) k = clCreateKernel(program, \"other\", &err);" + SET + GO),
    "a name that is chosen": ("", "k = clCreateKernel(program, argc ? \"fill\" : \"other\", &err);" + SET + GO),
    "a name in a variable that is set": (
        "", 'const char *name = "fill"; name = argv[1]; k = clCreateKernel(program, name, 0);' + SET + GO),
    "a kernel that something else makes": ("cl_kernel made(void);", "k = made();" + SET + GO),
    "a kernel whose address is taken": ("void change(cl_kernel *);", "change(&k);" + SET + GO),
    "a kernel that is passed on": ("void change(cl_kernel);", "change(k);" + SET + GO),
    "a kernel of the file beside one of a function": (
        "static cl_kernel all; void make() { cl_kernel all = clCreateKernel(program, \"fill\", 0); }",
        GO.replace("q, k", "q, all")),
    "a kernel that a condition sets": ("", "if (argc && (k = made())) return 1; " + SET + GO),
    "an offset": ("", SET + GO.replace("2, NULL", "2, global")),
    "axes that are computed": ("", SET + GO.replace("k, 2", "k, argc")),
    "a group that the implementation chooses": ("", SET + GO.replace("local", "NULL")),
    "a function of that name": (
        "cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, int, void *, size_t *g, size_t *, int, void *, void *) "
        "{ g[0] = 1; return 0; }", SET + GO),
    "groups that do not divide the whole": ("", "global[0] = 100;" + SET + GO),
}
NOT_BELIEVED = {
    "an element that is changed": ("", SET + "global[argc] = 32;" + GO, "grid"),
    "sizes that something may change": ("void change(size_t *);", "change(local);" + SET + GO, "block"),
    "an element that a pointer changes": ("", SET + "size_t *p = &local[0]; *p = 32;" + GO, "block"),
    "an argument that is set behind the launch": ("", GO + SET, "args"),
    "an argument that is set in a branch": ("", "if (argc) { " + SET + " } " + GO, "args"),
    "an argument that is set in a branch without braces": ("", "if (argc) clSetKernelArg(k, 1, sizeof(int), &n);" + GO, "args"),
    "an argument that is set on one side": ("", "argc && clSetKernelArg(k, 1, sizeof(int), &n);" + GO, "args"),
    "an argument that is set again later in the round": (
        "", SET + "for (int i = 0; i < argc; i++) { " + GO + " n = 7; clSetKernelArg(k, 1, sizeof(int), &n); }", "args"),
    "an argument that is set again between": ("", SET + "n = 7; if (argc) clSetKernelArg(k, 1, sizeof(int), &n);" + GO, "args"),
    "an argument whose number is computed": ("", SET + "clSetKernelArg(k, argc, sizeof(int), &err);" + GO, "args"),
    "an argument that another function sets": (
        "static cl_kernel all; void make() { all = clCreateKernel(program, \"fill\", 0); } "
        "void set(int n) { clSetKernelArg(all, 1, 4, &n); }",
        SET.replace("(k,", "(all,") + "set(3);" + GO.replace("q, k", "q, all"), "args"),
    "an argument from a pointer": ("", "int *p = &n; clSetKernelArg(k, 1, sizeof(int), p);" + GO, "args"),
    "an argument that a jump passes by": ("", "if (argc) goto go; " + SET + " go: " + GO, "args"),
    "an argument that a label passes by": (
        "", "switch (argc) { case 1: clSetKernelArg(k, 1, sizeof(int), &n); default: " + GO + " }", "args"),
    "an argument that is changed before its copy": ("void change(int *);", "change(&n);" + SET + GO, "args"),
}


def launches(folder: Path, before: str, body: str) -> list[HostLaunch]:
    path = folder / "host.cpp"
    path.write_text(HOST % (before, body))
    return [each for each in find_launches(preprocess(str(path), "c++", side="host")) if each.kernel == "fill"]


@pytest.mark.parametrize("name", READ)
def test_what_is_certain_is_read(tmp_path: Path, name: str) -> None:
    before, body, wanted = READ[name]
    found = launches(tmp_path, before, body)
    assert (found[0].grid, found[0].block, found[0].args) == wanted


@pytest.mark.parametrize("name", NO_LAUNCH)
def test_what_may_be_another_launch_is_none(tmp_path: Path, name: str) -> None:
    assert launches(tmp_path, *NO_LAUNCH[name]) == []


@pytest.mark.parametrize("name", NOT_BELIEVED)
def test_what_may_be_another_value_is_not_believed(tmp_path: Path, name: str) -> None:
    before, body, what = NOT_BELIEVED[name]
    found = launches(tmp_path, before, body)
    held = [getattr(each, what) for each in found]
    known = {"grid": WHOLE[0], "block": WHOLE[1], "args": WHOLE[2]}[what]
    assert found and all(each != known for each in held)
    assert what != "args" or not any(isinstance(value, int) for each in held for value in each)


KERNEL = """__kernel void fill(__global int *a, int n) {
  __local int s[64];
  s[get_local_id(0)] = get_global_id(0);
  %s
  if (get_global_id(0) < n) a[get_global_id(0)] = s[63 - get_local_id(0)];
}
"""


@pytest.mark.parametrize("between, block, verdict", [("barrier(CLK_LOCAL_MEM_FENCE);", 64, "proved"), ("", 64, "refuted"),
                                                     ("barrier(CLK_LOCAL_MEM_FENCE);", 32, "refuted")])
def test_a_kernel_is_asked_about_at_the_launch_of_its_host(
        run: Run, tmp_path: Path, between: str, block: int, verdict: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL % between)
    body = f'load("fill.cl"); size_t g = 256, l = {block}; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
    (tmp_path / "host.cpp").write_text(HOST % ("void load(const char *);", body))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert record["verdict"] == verdict
    assert record["launch"]["source"].startswith("host code") and record["launch"]["block"] == [block, 1, 1]


def test_a_host_of_another_program_says_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("fill.cl", "other.cl"):
        (tmp_path / name).write_text(KERNEL % "")
    body = f'size_t g = 256, l = 64; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
    for text, is_told in (("", False), ('load("other.cl");', False), ('load("fill.cl");', True)):
        (tmp_path / "host.cpp").write_text(HOST % ("void load(const char *);", text + body))
        (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
        assert ("source" in (record["launch"] or {})) is is_told


def test_each_program_has_the_host_beside_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for folder, local in (("one", 64), ("two", 32)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "fill.cl").write_text(KERNEL % "")
        body = f'load("fill.cl"); size_t g = 256, l = {local}; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
        (tmp_path / folder / "host.cpp").write_text(HOST % ("void load(const char *);", body))
    for folder, local in (("one", 64), ("two", 32)):
        (record,) = run("check", tmp_path / folder / "fill.cl", "--format", "jsonl").records
        assert record["launch"]["block"] == [local, 1, 1]
    (tmp_path / "two/host.cpp").unlink()
    (record,) = run("check", tmp_path / "two/fill.cl", "--format", "jsonl").records
    assert "source" not in (record["launch"] or {})


@pytest.mark.parametrize("written, is_read", [
    ("#ifdef __cplusplus\nextern \"C\" {\n#endif\n#include \"../sizes.h\"\n#ifdef __cplusplus\n}\n#endif\n", True),
    ("#ifdef _WIN32\n#define LANES 32\n#else\n#define LANES 64\n#endif\n", True),
    ('#include "../missing.h"\n', False)])
def test_a_host_in_c(run: Run, tmp_path: Path, written: str, is_read: bool) -> None:
    for name, text in (("sizes.h", "#define LANES 64\n"), ("kernel/fill.cl", KERNEL % "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    body = f'load("fill.cl"); size_t g = 256, l = LANES; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
    (tmp_path / "kernel/host.c").write_text(written + HOST % ("void load(const char *);", body))
    (record,) = run("check", tmp_path / "kernel/fill.cl", "--format", "jsonl").records
    assert ((record["launch"] or {}).get("block") == [64, 1, 1]) is is_read


def test_a_kernel_of_the_file_that_another_text_sets(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL % "")
    before = 'void load(const char *); cl_kernel all; void make() { all = clCreateKernel(program, "fill", 0); }'
    body = f'load("fill.cl"); size_t g = 256, l = 64; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
    (tmp_path / "host.cpp").write_text(HOST % (before, body.replace("(k,", "(all,").replace("q, k", "q, all")))
    for other, is_told in (("int all(int);", False), ("int some(int);", True)):
        (tmp_path / "other.cpp").write_text(other)
        (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
        assert ("source" in (record["launch"] or {})) is is_told
