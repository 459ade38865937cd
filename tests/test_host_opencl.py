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
    "a kernel that is none at first": (
        "static cl_kernel all = 0, other = NULL; void make() { all = clCreateKernel(program, \"fill\", 0); other = NULL; }",
        SET.replace("(k,", "(all,") + GO.replace("q, k", "q, all"), WHOLE),
    "a kernel that is none behind": ("", SET + GO + "clReleaseKernel(k); k = NULL;", WHOLE),
    "a check of each call": (
        "", "if (clSetKernelArg(k, 1, sizeof(cl_int), &n) != CL_SUCCESS) { return 1; }" + GO, WHOLE),
    "a kernel in a condition": ("", "if (!k || err != CL_SUCCESS) return 1; " + SET + GO + "clReleaseKernel(k);", WHOLE),
    "a name in a variable": ("", 'const char *name = "fill"; k = clCreateKernel(program, name, &err); ' + SET + GO, WHOLE),
    "a kernel of the file": ("static cl_kernel all; void make() { all = clCreateKernel(program, \"fill\", 0); }",
                             SET.replace("(k,", "(all,") + GO.replace("q, k", "q, all"), WHOLE),
    "a kernel of the file, functions between that do not come back": (
        "static cl_kernel all; void make() { all = clCreateKernel(program, \"fill\", 0); } void check(int e) { if (e) exit(1); }",
        (SET + "check(err);" + GO + "check(err);").replace("(k,", "(all,").replace("q, k", "q, all"), WHOLE),
    "a check that is a function": (
        "void check(int, const char *);", "check(clSetKernelArg(k, 1, sizeof n, &n), \"n\"); if (0 != clSetKernelArg(k, 0, "
        "sizeof(buffer), &buffer)) return 1; " + GO, WHOLE),
    "a queue that a function gives": ("cl_command_queue made();", SET + GO.replace("(q,", "(made(),"), WHOLE),
    "a name of the file for two kernels": (
        'static const char *const name = "fill";', "cl_kernel other = clCreateKernel(program, name, 0); k = clCreateKernel("
        "program, name, &err); n = 7; clSetKernelArg(other, 1, sizeof(n), &n); n = 5;" + SET + GO, WHOLE),
    "a loop in which nothing is set": ("", SET + "for (int i = 0; i < argc; i++) { if (i) n = 7; else " + GO + " }", WHOLE),
    "a set size in words": ("", "unsigned long g = 128, l = 32; " + SET + GO.replace("2, NULL, global, local",
                                                                                  "1, 0, (size_t *)&g, (size_t *)&l"),
                            ((4, 1, 1), (32, 1, 1), (None, 5))),
    "of two launches each has its own arguments": ("", SET + GO + "n = 7; clSetKernelArg(k, 1, sizeof(int), &n);" + GO, WHOLE),
}
NO_LAUNCH = {
    "another kernel": ("", "if (argc) k = clCreateKernel(program, \"other\", &err);" + SET + GO),
    "a name that is chosen": ("", "k = clCreateKernel(program, argc ? \"fill\" : \"other\", &err);" + SET + GO),
    "a name in a variable that is set": (
        "", 'const char *name = "fill"; name = argv[1]; k = clCreateKernel(program, name, 0);' + SET + GO),
    "a kernel that is another at first": (
        "static cl_kernel all = made(); void make() { all = clCreateKernel(program, \"fill\", 0); }",
        SET.replace("(k,", "(all,") + GO.replace("q, k", "q, all")),
    "a kernel of which none is asked for": (
        "static cl_kernel all = NULL, *one = &all; void make() { all = clCreateKernel(program, \"fill\", 0); *one = made(); }",
        SET.replace("(k,", "(all,") + GO.replace("q, k", "q, all")),
    "a kernel that is none, or another": ("cl_kernel made();", "k = 0 ? k : made();" + SET + GO),
    "a kernel that something else makes": ("cl_kernel made(void);", "k = made();" + SET + GO),
    "a kernel whose address is taken": ("void change(cl_kernel *);", "change(&k);" + SET + GO),
    "a kernel that is passed on": ("void change(cl_kernel);", "change(k);" + SET + GO),
    "a function that is named like the library's": (
        "void clChange(cl_kernel &k) { k = clCreateKernel(program, \"other\", 0); }", SET + "clChange(k);" + GO),
    "a kernel that a lambda is given": (
        "", SET + "auto go = [&](cl_kernel k, int e) { " + GO + " }; go(made(), 3);"),
    "a kernel of a class": (
        "", "struct One { cl_kernel k; void go(cl_command_queue q) { " + GO.replace("err = ", "") + " } }; One{made()}.go(q);"),
    "a kernel that another function sets": (
        "cl_kernel all; void other() { all = clCreateKernel(program, \"other\", 0); }",
        "extern cl_kernel all; all = clCreateKernel(program, \"fill\", 0); other();" + GO.replace("q, k", "q, all")),
    "a name that is a parameter": (
        'static const char *name = "fill"; size_t g = 64; '
        "void f(const char *name) { cl_kernel l = clCreateKernel(program, name, 0); "
        "clEnqueueNDRangeKernel(q, l, 1, NULL, &g, &g, 0, NULL, NULL); }", 'f("other");'),
    "a name that a reference changes": (
        'static const char *name = "fill"; void change(const char *&);',
        "change(name); k = clCreateKernel(program, name, 0);" + SET + GO),
    "a name in brackets that is set": (
        'static const char *name = "fill";', '(name) = "other"; k = clCreateKernel(program, name, 0);' + SET + GO),
    "a name that is a member": (
        'size_t g = 64; struct One { const char *name = "fill"; void go() { cl_kernel l = clCreateKernel(program, name, 0); '
        "clEnqueueNDRangeKernel(q, l, 1, NULL, &g, &g, 0, NULL, NULL); } };", 'One{"other"}.go();'),
    "a kernel of the file beside one of a function": (
        "static cl_kernel all; void make() { cl_kernel all = clCreateKernel(program, \"fill\", 0); }",
        GO.replace("q, k", "q, all")),
    "a kernel that a condition sets": ("", "if (argc && (k = made())) return 1; " + SET + GO),
    "an offset": ("", SET + GO.replace("2, NULL", "2, global")),
    "axes that are computed": ("", SET + GO.replace("k, 2", "k, argc")),
    "a function of that name": (
        "cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, int, void *, size_t *g, size_t *, int, void *, void *) "
        "{ g[0] = 1; return 0; }", SET + GO),
    "groups that do not divide the whole": ("", "global[0] = 100;" + SET + GO),
}
ALL = 'static cl_kernel all; void make() { all = clCreateKernel(program, "fill", 0); } size_t global[2], local[2]; cl_int err; '
AGAIN = (SET + "%s" + GO).replace("(k,", "(all,").replace("q, k", "q, all")
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
    "an argument that a comma changes": ("", "n = 7, clSetKernelArg(k, 1, sizeof(int), &n);" + GO, "args"),
    "an argument that a condition changes": ("", "if (n = 7, clSetKernelArg(k, 1, sizeof(int), &n)) return 1;" + GO, "args"),
    "an argument that a declaration hides": ("", "{ int n = 7, e = clSetKernelArg(k, 1, sizeof(int), &n);" + GO + "}", "args"),
    "an argument that a constructor changes": (
        "int m = 5; struct One { One() { m = 7; } };", "One(), clSetKernelArg(k, 1, sizeof(int), &m);" + GO, "args"),
    "an argument that an operator in another changes": (
        "", "int m = 5; clSetKernelArg(k, 0, sizeof(int), &global[m *= 2]); clSetKernelArg(k, 1, sizeof(int), &m);" + GO, "args"),
    "an argument that a lambda sets": (
        "", "auto set = [&](int n) { clSetKernelArg(k, 1, sizeof(int), &n); }; " + SET + "set(9);" + GO, "args"),
    "an argument that is set in a condition behind": (
        "", SET + "do { " + GO + " n++; } while (clSetKernelArg(k, 1, sizeof(int), &n) == 0);", "args"),
    "an argument that is set in a loop without braces": (
        "", SET + "for (int i = 0; i < 3; i++) " + GO[:-1] + ", n = i, clSetKernelArg(k, 1, sizeof(int), &n);", "args"),
    "an argument that is set in a loop whose head launches": (
        "", SET + "while (!" + GO[6:-1] + ") { n++; clSetKernelArg(k, 1, sizeof(int), &n); }", "args"),
    "an argument that nothing sets": ("", SET + "err = sizeof(clSetKernelArg(k, 1, sizeof(int), &n));" + GO, "args"),
    "a word of which half is set": ("", "long m = 4294967301; clSetKernelArg(k, 1, sizeof(int), &m);" + GO, "args"),
    "a float that is set as an int": ("", "const float m = 5; clSetKernelArg(k, 1, sizeof(int), &m);" + GO, "args"),
    "a function that calls itself between": (
        ALL + "void go(int n) { if (n < 7) n = 7; " + AGAIN % "if (n > 7) go(n - 1);" + " }", "go(9);", "args"),
    "a function that another calls between": (
        ALL + "void go(int); void other(int n) { go(n); } void go(int n) { n = 7; " + AGAIN % "other(n);" + " }",
        "go(9);", "args"),
    "functions whose types stand behind": (
        ALL + "auto set(int n) -> void { clSetKernelArg(all, 1, sizeof(int), &n); } auto go() -> void { int n = 5; "
        + AGAIN % "set(9);" + " }", "go();", "args"),
    "sizes of another type": ("", SET + "int g[2] = {256, 4}; " + GO.replace("global", "(size_t *)g"), "grid"),
    "sizes that an argument of the launch changes": (
        "int change(size_t *);", SET + GO.replace("0, NULL, NULL", "change(global), NULL, NULL"), "grid"),
    "sizes that an argument that is set changes": (
        "size_t change(size_t *);", "clSetKernelArg(k, 0, change(global), &n);" + GO, "grid"),
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


@pytest.mark.parametrize("local", ["NULL", "0", "nullptr", "(void *)0"])
def test_a_group_that_the_implementation_chooses_divides_the_whole(run: Run, tmp_path: Path, local: str) -> None:
    (tmp_path / ".git").mkdir()
    body = f'load("fill.cl"); size_t g = 256; {SET}' + GO.replace("2, NULL, global, local", f"1, NULL, &g, {local}")
    (tmp_path / "host.cpp").write_text(HOST % ("void load(const char *);", body))
    for text, verdict in (("a[get_global_id(0)] = n;", "proved"),
                          ("if (get_local_id(0) == 0) a[get_group_id(0)] = n;", "proved"),
                          ("a[get_local_id(0)] = get_group_id(0);", "unknown"),
                          ("a[get_global_id(0) / 64] = get_local_id(0);", "unknown"),
                          ("__local int s[64]; s[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE); "
                           "a[get_global_id(0)] = s[63 - get_local_id(0)];", "unknown")):
        (tmp_path / "fill.cl").write_text(f"__kernel void fill(__global int *a, int n) {{ {text} }}\n")
        (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
        assert record["verdict"] in (verdict, "refuted" if verdict == "unknown" else verdict), text
        assert record["launch"] is None or "source" not in record["launch"] or (
            record["launch"]["block"][0] == "chosen_group_0" and "256 % chosen_group_0 == 0" in str(record["launch"]["requires"]))


CHOICES = {
    "another name of that": "size_t chosen_group_0 = 4; ",
    "a pointer that may be none": "size_t *l = argc ? local : NULL; ",
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_group_that_may_be_chosen_by_either_is_not_believed(tmp_path: Path, name: str) -> None:
    local = "l" if "*l" in CHOICES[name] else "NULL"
    assert all(each.block[0] is None or not each.has_sizes or (isinstance(each.block[0], str) and "64" not in each.block[0])
               for each in launches(tmp_path, "", CHOICES[name] + SET + GO.replace("local", local)))


ELEMENTS = [
    "change(g[0]);", "size_t &r = g[0]; r = 7;", 'scanf("%zu", &g[0]);', "g[0]++;", "for (auto &x : g) x = 3;",
    "auto *p = &g[0]; *p = 3;", "std::fill(g, g + 2, 7);", "(g)[0] = 7;", "0[g] = 7;", "*g = 7;", "*(g + 1) = 3;",
    "auto f = [&] { g[0] = argc; }; f();", "S s(g[0]);", "S s{g[0]};", "std::cin >> g[0];", "(argc ? g[0] : g[1]) = 3;",
    "size_t *const x = g; x[0] = 4;", "auto &[a, b] = g; a = 3;", "auto [a, b] = g;", "memcpy(g, argv, 16);",
    "auto &&z = g[0]; z = 5;", "g[0] |= 7;", "int h = (g[0] = 9);", "h: g[0] -= 1; if (argc) goto h;"]


@pytest.mark.parametrize("change", ELEMENTS)
def test_elements_that_something_may_change(tmp_path: Path, change: str) -> None:
    go = "int m = atoi(argv[1]); size_t l[2] = {32, 32}, g[2] = {m / 32 * l[0], 2}; " + change + SET + GO.replace(
        "global, local", "g, l")
    found = launches(tmp_path, "void change(size_t &); struct S { S(size_t &x) { x = 3; } };", go)
    assert all("* 32" not in str(each.grid[0]) for each in found)


@pytest.mark.parametrize("body, is_read", [
    ("size_t l[2] = {64, 2}, g[2] = {m / 64 * l[0], 2}; ", True), ("size_t l[2] = {64, 2}, g[2] = {m, l[1]}; ", True),
    ("size_t l[2] = {64, 2}, g[2] = {m / 64 * l[0], 2}; g[0] *= 2; ", False),
    ("size_t l[2] = {64, 2}; l[0] = argc; size_t g[2] = {m / 64 * l[0], 2}; ", False),
    ("size_t l[2] = {64, 2}, g[2] = {m, 2}; size_t *p = g; *p = 7; ", False),
    ("size_t l[2] = {64, 2}, g[2] = {m, 2}; change(g); ", False), ("size_t l[2] = {64, 2}, g[2] = {m, 2}; g[argc] = 7; ", False),
    ("size_t l[2] = {64, 2}, g[2] = {(m = argc), 2}; ", False), ("size_t l[2] = {64, 2}, g[2] = {7 / m, 2}; ", False)])
def test_sizes_that_braces_compute(tmp_path: Path, body: str, is_read: bool) -> None:
    go = "int m = atoi(argv[1]); " + body + SET + GO.replace("global, local", "g, l")
    (found,) = launches(tmp_path, "void change(size_t *);", go)
    wanted = (("({h0} / 64 * 64) / 64", "{h0} / 64"), (64, 2, 1))
    assert ((found.grid[0] in wanted[0]) and found.block == wanted[1] and "argv_1" in dict(found.leaves)) is is_read


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


@pytest.mark.parametrize(("file", "other", "is_told"), [
    ("own/other.cpp", "int all(int);", False), ("own/other.cpp", "int some(int);", True),
    ("beside/other.cpp", 'extern "C" void g(int /* of all */); int all;', True),
    ("beside/other.cpp", "extern cl_kernel all;", False),
])
def test_a_kernel_of_the_file_that_another_text_sets(run: Run, tmp_path: Path, file: str, other: str, is_told: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "beside").mkdir()
    (tmp_path / "own" / "fill.cl").write_text(KERNEL % "")
    before = 'void load(const char *); cl_kernel all; void make() { all = clCreateKernel(program, "fill", 0); }'
    body = f'load("fill.cl"); size_t g = 256, l = 64; {SET}' + GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
    (tmp_path / "own" / "host.cpp").write_text(HOST % (before, body.replace("(k,", "(all,").replace("q, k", "q, all")))
    (tmp_path / file).write_text(other)
    (record,) = run("check", tmp_path / "own" / "fill.cl", "--format", "jsonl").records
    assert ("source" in (record["launch"] or {})) is is_told
