"""Kernels of OpenCL that functions are given: what these do with them is read, and where it may be anything else nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run
from test_host_opencl import GO, HOST, KERNEL, SET, launches

from automata.lang.preprocess import preprocess

SIZES = "size_t g = 256, l = 64; "
WHOLE = ((4, 1, 1), (64, 1, 1), (None, 5))
ONE = GO.replace("2, NULL, global, local", "1, NULL, &g, &l")
ASKS = ("size_t room(cl_context &c, cl_kernel &a) { size_t most = 0; clGetKernelWorkGroupInfo(a, 0, CL_KERNEL_WORK_GROUP_SIZE, "
        "sizeof(size_t), &most, 0); return most; } size_t room(int device) { return device; }")
SETS = "void fix(cl_kernel a, int m) { clSetKernelArg(a, 1, sizeof(int), &m); }"
GIVES = "void go(cl_kernel a, int n) { cl_int err; " + (SIZES + SET + ONE).replace("(k,", "(a,").replace("q, k", "q, a") + " }"
WRAPS = ("cl_int put(cl_kernel a, cl_uint d, const size_t *w, size_t const *p) { clRetainKernel(a); %s "
         "cl_int e = clEnqueueNDRangeKernel(q, a, d, NULL, w, p, 0, NULL, NULL); clFinish(q); return e; }")
PUT = "err = put(k, 1, &g, (&l));"
MAKES = ('() { cl_kernel k; cl_int err; int n = 5; k = clCreateKernel(program, "fill", &err); ' + SIZES + SET + PUT + " } ")
METHOD = " struct One %s {%s void go" + MAKES + "};"
OTHER = "cl_int put(cl_kernel, cl_uint, const size_t *, size_t const *); "
READ = {
    "a function that asks": (ASKS, SIZES + "if (room(context, k) < 64) return 1; " + SET + ONE),
    "a function that asks between": (ASKS, SIZES + SET + "room(context, (k)); " + ONE),
    "a function that sets before": (SETS, SIZES + "fix(k, 9); " + SET + ONE),
    "a parameter": (GIVES, "go(k, 5);"),
    "a parameter that all calls give one kernel": (GIVES, "go(k, 5); if (argc) go((k), 5);"),
    "a reference": (GIVES.replace("cl_kernel a", "cl_kernel &a"), "go(k, 5);"),
    "a parameter of a parameter": (GIVES + " void more(int n, cl_kernel b) { go(b, n); }", "more(5, k);"),
    "a function that enqueues": (WRAPS % "", SIZES + SET + PUT),
    "a function that enqueues and asks": (ASKS + WRAPS % "room(context, a);", SIZES + SET + PUT),
    "two kernels of one function": (
        WRAPS % "", SIZES + 'cl_kernel b = clCreateKernel(program, "other", 0); put(b, 1, &l, &l);' + SET + PUT),
    "a function that is declared before": (
        "cl_int put(cl_kernel, cl_uint, const size_t *, size_t const *); cl_int put(cl_kernel, int);" + WRAPS % "",
        SIZES + SET + PUT),
    "a function of a namespace that calls it": ("namespace one { " + WRAPS % "" + " void go" + MAKES + "}", "one::go();"),
    "a macro": ("#define PUT(k, g, l) clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, NULL, NULL)",
                SIZES + SET + "PUT(k, g, l);"),
}
NO_LAUNCH = {
    "a function that makes it another": (ASKS.replace("size_t most = 0;", "size_t most = 0; a = other;"),
                                         SIZES + "room(context, k);" + SET + ONE),
    "a function that keeps it": ("cl_kernel kept; " + SETS.replace("{ ", "{ kept = a; "), SIZES + "fix(k, 9); " + SET + ONE),
    "a function that takes its address": (SETS.replace("{ ", "{ change(&a); "), SIZES + "fix(k, 9); " + SET + ONE),
    "a function that one nobody knows is given it by": (SETS.replace("{ ", "{ change(a); "), SIZES + "fix(k, 9); " + SET + ONE),
    "a method": (ASKS + " struct One { void room(int, cl_kernel); } one;", SIZES + "one.room(3, k);" + SET + ONE),
    "a pointer to a function": (GIVES + " auto f = &go;", "go(k, 5);"),
    "another kernel": (GIVES, 'go(k, 5); cl_kernel b = clCreateKernel(program, "other", 0); go(b, 5);'),
    "a kernel that is made": ("cl_kernel made(); " + GIVES, "go(k, 5); go(made(), 5);"),
    "a parameter that is set": (GIVES.replace("cl_int err;", "cl_int err; if (n > 5) a = other;"), "go(k, 5);"),
    "a function that calls itself with another": (
        GIVES.replace("cl_int err;", "cl_int err; if (n > 5) go(other, 3);"), "go(k, 5);"),
    "a size that is changed": (WRAPS % "w = other;", SIZES + SET + PUT),
    "a size of which an element is changed": ((WRAPS % "w[0] = 8;").replace("const size_t *w", "size_t *w"), SIZES + SET + PUT),
    "a call that a condition may pass by": (WRAPS % "if (d > 1)", SIZES + SET + PUT),
    "a return before": (WRAPS % "if (d > 1) return 0;", SIZES + SET + PUT),
    "sizes of 32 bits": ((WRAPS % "").replace("const size_t *w", "const int *w"), SIZES + SET + PUT),
    "sizes in place of each other": (WRAPS.replace("w, p, 0", "p, w, 0") % "", SIZES + SET + PUT),
    "axes as a truth": ((WRAPS % "").replace("cl_uint d", "bool d"),
                        "size_t g[2] = {256, 1}, l[2] = {64, 1}; " + SET + "put(k, 2, g, l);"),
    "sizes in a class of that name": ((WRAPS % "").replace("const size_t *w", "span<size_t *> w"), SIZES + SET + PUT),
    "an array of kernels": ((WRAPS % "").replace("cl_kernel a", "cl_kernel a[]"), SIZES + SET + PUT),
    "a type that is asked for": (WRAPS % "", SIZES + SET + "sizeof(put(k, 1, &g, &l));"),
    "another function of its name for other types": (
        "cl_int put(cl_kernel a, int d, const size_t *w, const size_t *p); " + WRAPS % "", SIZES + SET + PUT),
    "another function of its name in a namespace": (
        f"namespace two {{ {OTHER} }} " + WRAPS % "" + " using two::put;", SIZES + SET + PUT),
    "another one in a block": ("namespace two { " + WRAPS % "" + "}", OTHER + SIZES + SET + PUT),
    "a closure of its name": (
        WRAPS % "", SIZES + "auto put = [&](cl_kernel a, int, const size_t *, const size_t *) { more(a); }; " + SET + PUT),
    "a pointer of its name": (
        WRAPS % "", SIZES + OTHER.replace("put", "(*put)").replace(";", " = more;") + SET + PUT),
    "an object of its name": (WRAPS % "", SIZES + "Putter put(3); " + SET + PUT),
    "an object of its name in a list": (WRAPS % "", SIZES + "Putter get, put(3); " + SET + PUT),
    "a parameter of its name": (
        WRAPS % "" + " template <class F> void go" + MAKES.replace("()", "(F put)", 1), "go(other);"),
    "a method of its name": (WRAPS % "" + METHOD % ("", " " + OTHER), "One one; one.go();"),
    "a method of a base, perhaps": (WRAPS % "" + METHOD % (": Base", ""), "One one; one.go();"),
    "a method of its name elsewhere": (WRAPS % "" + " void One::go" + MAKES, "One one; one.go();"),
    "a parameter that a base's method may be given": (
        GIVES + " struct One : Base { void run(cl_kernel k) { go(k, 5); } };", "One one; one.run(k);"),
    "two enqueued": (WRAPS % "clEnqueueNDRangeKernel(q, a, d, NULL, p, p, 0, NULL, NULL);", SIZES + SET + PUT),
}
NOT_BELIEVED = {
    "a function that sets between": (SETS, SIZES + SET + "fix(k, 9); " + ONE),
    "a function that sets later in the round": (SETS, SIZES + SET + "for (int i = 0; i < 3; i++) { " + ONE + " fix(k, 9); }"),
    "a function that sets what it is given by one that does": (SETS + " void more(cl_kernel b) { fix(b, 9); }",
                                                              SIZES + SET + "more(k); " + ONE),
    "a function that enqueues and sets": ((WRAPS % "").replace("clFinish(q);", "clSetKernelArg(a, 1, 4, &d);"),
                                          SIZES + SET + "put(k, 1, &l, &l); " + ONE),
    "a parameter whose caller sets": (GIVES.replace("clSetKernelArg(a, 1", "clSetKernelArg(a, 2"),
                                      "clSetKernelArg(k, 1, sizeof(int), &n); go(k, 7);"),
    "a parameter that another function sets": (
        "static cl_kernel all; void make() { all = clCreateKernel(program, \"fill\", 0); } void other(int m) { "
        "clSetKernelArg(all, 1, sizeof(int), &m); } " + GIVES.replace("err = clEnq", "other(9); err = clEnq"), "go(all, 5);"),
}


@pytest.mark.parametrize("name", READ)
def test_what_a_function_does_is_read(tmp_path: Path, name: str) -> None:
    found = launches(tmp_path, *READ[name])
    assert (4, 1, 1) in {each.grid for each in found if each.grid[0] is not None}
    known = [(each.grid, each.block, each.args) for each in found if each.grid[0] is not None]
    assert set(known) == {WHOLE}


@pytest.mark.parametrize("name", NO_LAUNCH)
def test_what_may_be_another_kernel_or_size_is_not_read(tmp_path: Path, name: str) -> None:
    assert all((each.grid, each.block) != WHOLE[:2] for each in launches(tmp_path, *NO_LAUNCH[name]))


@pytest.mark.parametrize("name", NOT_BELIEVED)
def test_what_may_be_set_between_is_not_believed(tmp_path: Path, name: str) -> None:
    found = launches(tmp_path, *NOT_BELIEVED[name])
    assert found and not any(isinstance(value, int) for each in found for value in each.args[:2])


@pytest.mark.parametrize("body, is_read", [
    ("return clEnqueueNDRangeKernel(q, k, d, o, g, l, n, w, e);", True),
    ("cl_int r = (clEnqueueNDRangeKernel)(q, k, d, o, g, l, n, w, e); return r;", False),
    ("return clEnqueueNDRangeKernel(q, k, d, o, l, g, n, w, e);", False),
    ("return clEnqueueNDRangeKernel(q, k, d, o, g, NULL, n, w, e);", False)])
def test_a_macro_of_the_librarys_name_stands_for_a_function_of_another_text(
        run: Run, tmp_path: Path, body: str, is_read: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL % "barrier(CLK_LOCAL_MEM_FENCE);")
    head = ("(cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g, const size_t *l, cl_uint n, "
            "const cl_event *w, cl_event *e)")
    (tmp_path / "timed.h").write_text(
        "#include <CL/cl.h>\n#if _POSIX_VERSION >= 200112L\ntypedef long ticks;\n#else\n#error \"no clock\"\n#endif\n"
        "#define clEnqueueNDRangeKernel(q, k, d, o, g, l, n, w, e) \\\n"
        "  timed_clEnqueueNDRangeKernel((q), (k), (d), (o), (g), (l), (n), (w), (e))\n"
        f"cl_int timed_clEnqueueNDRangeKernel{head};\n")
    (tmp_path / "timed.c").write_text(
        f"#include \"timed.h\"\n#undef clEnqueueNDRangeKernel\ncl_int timed_clEnqueueNDRangeKernel{head} {{ {body} }}\n")
    (tmp_path / "host.cpp").write_text('#include "timed.h"\n' + HOST % (
        "void load(const char *);", f'load("fill.cl"); {SIZES}{SET}{ONE}'))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert ((record["launch"] or {}).get("block") == [64, 1, 1]) is is_read
    assert record["verdict"] == "proved" or not is_read


@pytest.mark.parametrize("condition, says", [("_POSIX_VERSION >= 200112L", False), ("defined OWN_CONFIG", True)])
def test_an_error_that_the_platform_decides_says_nothing_of_headers(tmp_path: Path, condition: str, says: bool) -> None:
    path = tmp_path / "host.c"
    path.write_text(f"#if {condition}\ntypedef long ticks;\n#else\n#error \"none\"\n#endif\nint main(void) {{ return 0; }}\n")
    text = preprocess(str(path), "c", side="host")
    assert ("#error" in text.missing) is says and (says or text.doubts)


def test_a_header_enqueues(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fill.cl").write_text(KERNEL % "barrier(CLK_LOCAL_MEM_FENCE);")
    (tmp_path / "short.h").write_text("#define RUN(k) { err = clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, NULL, NULL); }\n")
    (tmp_path / "host.cpp").write_text('#include "short.h"\n' + HOST % (
        "void load(const char *);", f'load("fill.cl"); {SIZES}{SET} RUN(k)'))
    (record,) = run("check", tmp_path / "fill.cl", "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["launch"]["block"] == [64, 1, 1]
