"""What a branch sets goes together, whether or not its test is understood; elements of arrays in products; products of sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import find_launches
from automata.lang.preprocess import preprocess

Write = Callable[[str], Path]
KERNEL = "__global__ void k(float *a) {}\nint get(); void read(int *); void set(unsigned long *);\n"
GO = "k<<<g, b>>>(p);"
BOTH = [(1, 64), (8, 32)]
TOGETHER = {
    "two values of one branch": "int g = 1, b = 64; if (get()) { g = 8; b = 32; }",
    "values of both branches": "int g, b; if (get()) { g = 1; b = 64; } else { g = 8; b = 32; }",
    "the test is of a value that is read": "int n, g = 1, b = 64; read(&n); if (n > 512) { g = 8; b = 32; }",
    "a loop behind": "int g = 1, b = 64; if (get()) { g = 8; b = 32; } for (int i = 0; i < 9; i++)",
}
APART = {
    "two tests that look alike": ("int g = 1, b = 64; if (get()) g = 8; if (get()) b = 32;",
                                  {(1, 64), (8, 64), (1, 32), (8, 32)}),
    "rounds of a loop": ("int g = 1, b = 64; for (int i = 0; i < 2; i++) { if (get()) g = 8; else b = 32; }",
                         {(8, 64), (1, 32), (8, 32)}),
    "set again behind the branch": (
        "int g = 1, b = 64; if (get()) { g = 8; } else { b = 32; } if (get()) { g = 1; b = 32; }", {(8, 64), (1, 32)}),
    "a branch inside of another": (
        "int g = 1, b = 64; if (get()) { g = 2; if (get()) { g = 8; b = 32; } }", {(1, 64), (2, 64), (8, 32)}),
    "a branch that is left": ("int g = 1, b = 64; if (get()) { do { g = 8; if (get()) break; b = 32; } while (0); }",
                              {(1, 64), (8, 64), (8, 32)}),
    "a function that jumps": ("int g = 1, b = 64; again: if (get()) { g = 8; } else { b = 32; goto again; }",
                              {(8, 64), (8, 32)}),
    "a closure that is called twice": (
        "int g = 1, b = 64; auto f = [&] { if (get()) g = 8; else b = 32; }; f(); f();", {(8, 64), (1, 32), (8, 32)}),
}


def sizes(code: str, write: Write) -> list[tuple[object, object]]:
    found = find_launches(preprocess(str(write(f"{KERNEL}int main() {{ float *p; {code} }}\n")), "cuda", side="host"))
    return sorted(((launch.grid[0], launch.block[0]) for launch in found), key=str)


@pytest.mark.parametrize("code", TOGETHER.values(), ids=TOGETHER)
def test_what_one_branch_sets_goes_together(code: str, kernel_file: Write) -> None:
    assert sizes(code + GO, kernel_file) == BOTH


@pytest.mark.parametrize(("code", "made"), APART.values(), ids=APART)
def test_what_other_tests_decide_is_not_tied(code: str, made: set[tuple[int, int]], kernel_file: Write) -> None:
    """All sizes that the program makes are among those that are read, or one is not known."""
    found = sizes(code + GO, kernel_file)
    assert made <= set(found) or not all(isinstance(part, int) for each in found for part in each)


def test_a_call_in_each_round_makes_its_test_anew(kernel_file: Write) -> None:
    text = "int g = 1, b = 64; while (get()) { int c = 1; if (get()) c = 8; " + GO.replace("b", "c") + " g = c; }"
    found = sizes(text, kernel_file)
    assert {(1, 8), (8, 1)} <= set(found) or not all(isinstance(part, int) for each in found for part in each)


ONCE = "int m = get(), g = 2, b; if (m > 1) b = 64; else b = get(); "
ASKED_TWICE = {
    "one test": ONCE + "if (m > 1) ",
    "the other way round": ONCE.replace("m > 1", "!(m > 1)").replace("64; else b = get()", "get(); else b = 64") + "if (m > 1) ",
    "one that leaves": ONCE + "if (!(m > 1)) return 1; ",
    "with more behind": ONCE.replace("else", "else if (m == 0) b = 7; else") + "if (m > 1) ",
    "of a sum": ONCE.replace("m > 1", "m + 3 > 1 + 2") + "if (m + 3 > 1 + 2) ",
    "a loop behind": ONCE + "if (m > 1) for (int i = 0; i < 9; i++) ",
}
ASKED_ANEW = {
    "set between": ONCE + "m = get(); if (m > 1) ",
    "set through a pointer": "int *q; " + ONCE + "q = &m; *q = get(); if (m > 1) ",
    "set through a reference": ONCE + "int &r = m; r = get(); if (m > 1) ",
    "set by a closure": ONCE + "auto f = [&] { m = get(); }; f(); if (m > 1) ",
    "set by a function": ONCE + "read(&m); if (m > 1) ",
    "another variable of its name": ONCE + "{ int m = get(); if (m > 1) ",
    "another number": ONCE + "if (m > 0) ",
    "no test": ONCE,
    "a class of its own": ONCE.replace("int m = get(), ", "Odd m; int ") + "if (m > 1) ",
    "a variable of the file": ONCE.replace("int m = get(), ", "int ").replace("m >", "all >") + "get(); if (all > 1) ",
    "in rounds of a loop": "int g = 2, b = 3; for (int i = 0; i < 9; i++) { int m = get(); if (m > 1) b = 64; else b = get(); } "
                           "int m = get(); if (m > 1) ",
    "a setting in a loop": "int g = 2, b = 64; while (get()) b = get(); ",
    "one setting that is not known": "int g = 2, b = 64; if (get()) b = get(); ",
}


@pytest.mark.parametrize("code", ASKED_TWICE.values(), ids=ASKED_TWICE)
def test_what_a_test_came_to_it_comes_to_again(code: str, kernel_file: Write) -> None:
    assert sizes(code + GO, kernel_file) == [(2, 64)]


@pytest.mark.parametrize("code", ASKED_ANEW.values(), ids=ASKED_ANEW)
def test_a_test_may_come_out_otherwise(code: str, kernel_file: Write) -> None:
    write = f"struct Odd {{ bool operator>(int); }}; extern int all;\n{KERNEL}int main() {{ float *p; {code}{GO} "
    path = kernel_file(write + "}" * (write.count("{") - write.count("}")) + "\n")
    found = find_launches(preprocess(str(path), "cuda", side="host"))
    assert not found or any(not isinstance(launch.block[0], int) for launch in found)


def test_only_the_setting_that_is_not_known_is_left_open(kernel_file: Write) -> None:
    found = sizes("int g = 2, b = 64; if (get()) b = get();" + GO, kernel_file)
    assert [each for each in found if isinstance(each[1], int)] == [(2, 64)] and len(found) == 2


@pytest.mark.parametrize(("code", "known"), [
    ("if (m < 9) { m = 2 * m; k<<<1, m>>>(p); }", "(2 * {h0})"), ("switch (m) { case 64: m++; k<<<1, m>>>(p); }", "({h0} + 1)"),
])
def test_what_was_tested_of_a_variable_is_not_said_of_what_it_is_set_to(code: str, known: str, kernel_file: Write) -> None:
    path = kernel_file(f"{KERNEL}void host(float *p, int m) {{ {code} }}\n")
    found = find_launches(preprocess(str(path), "cuda", side="host"))
    assert {launch.block[0] for launch in found} <= {known, "{h0}"}
    assert not any("< 9" in fact or "== 64" in fact for launch in found for fact in launch.facts)


@pytest.mark.parametrize(("test", "made"), [("flag", {128}), ("!flag", {0}), ("n > 3", {0, 128, None})])
def test_what_leads_to_a_launch_counts_beside_many_arguments(test: str, made: set[int | None], kernel_file: Write) -> None:
    """With more combinations of arguments than are looked at, those of sizes alone still agree with the tests on the way."""
    others = "".join(f"int {name} = 1; if (get()) {name} = 2; " for name in "cdef")
    body = ("int n = get(), flag = 0, s = 0; if (n != 512) { flag = 1; s = 128; } "
            f"{others} if ({test}) k<<<2, 64, s>>>(p, c, d, e, f);")
    path = kernel_file("__global__ void k(float *a, int c, int d, int e, int f) {}\nint get();\n"
                       f"int main() {{ float *p; {body} }}\n")
    found = find_launches(preprocess(str(path), "cuda", side="host"))
    assert found and {launch.shared_bytes for launch in found} <= made


FACTORS = {
    "behind a bracket": ("(1 + 7) * a[0]", "", 64),
    "of a cast": ("(int) 8 * a[0]", "", 64),
    "behind a call's bracket": ("sizeof(double) * a[0]", "", 64),
    "changed as a factor": ("(1 + 7) * a[0]", "a[0]++;", None),
    "changed by its address": ("(1 + 7) * a[0]", "set(a);", None),
    "changed through a cast": ("(1 + 7) * a[0]", "*(unsigned long *) a = 9;", None),
}


@pytest.mark.parametrize(("grid", "change", "known"), FACTORS.values(), ids=FACTORS)
def test_an_element_is_a_factor(grid: str, change: str, known: int | None, kernel_file: Write) -> None:
    code = f"unsigned long a[1] = {{8}}; {change} unsigned long g[1] = {{{grid}}}; k<<<g[0], 32>>>(p);"
    found = sizes(code, kernel_file)
    assert found[0][0] == known if known else not isinstance(found[0][0], int) or found[0][0] == 72


def test_a_row_of_rows_is_pointed_through(kernel_file: Write) -> None:
    """`(…) * a[0]` may be a cast of what a row begins with."""
    code = "unsigned long a[2][2] = {{8, 8}, {8, 8}}; typedef unsigned long &R; (R) *a[0] = 9; k<<<a[0][0], 32>>>(p);"
    assert not any(isinstance(grid, int) for grid, _ in sizes(code, kernel_file))


def test_a_product_of_large_sizes_is_required_to_be_one(kernel_file: Write) -> None:
    """Rounded up to blocks of which nothing is known: the factors are required to be such that 64 bits hold the product."""
    text = f"{KERNEL}void f(unsigned n, unsigned long *most) {{ float *p; unsigned long b = most[0]; " \
           "unsigned long g = ((n + b - 1) / b) * b; k<<<g / b, b>>>(p); }\n"
    launch, = find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))
    assert isinstance(launch.grid[0], str) and launch.grid[0].count(str(launch.block[0])) == 4
    needs = dict(launch.needs)[launch.grid[0]]
    assert any("<= 2147483648" in need for need in needs)


def test_references_to_one_variable_are_not_values(kernel_file: Write) -> None:
    text = "__global__ void k(float *a, int ld) {}\nvoid read(int *); void set(int &);\n" \
           "static void go(float *p, int &m, int &ld) { int g = m / 32; set(ld); k<<<g, 32>>>(p, ld); }\n" \
           "int main() { float *p; int n; read(&n); go(p, n, n); }\n"
    launch, = find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))
    assert "{1}" not in str(launch.grid[0])


TWICE = {
    "one variable for both": ("int n; read(&n); go(p, n, n);", "", {("{1} / 32",)}),
    "in a call of another function": (
        "int n; read(&n); mid(p, n); } void mid(float *p, int n) { go(p, n, n);", "", {("{1} / 32",)}),
    "two variables": ("int n, m; read(&n); read(&m); go(p, n, m);", "", None),
    "changed in the call": ("int n; read(&n); go(p, n, n++);", "", None),
    "changed by a call in it": ("int n; read(&n); go(p, n, next(n));", "", None),
    "changed between by a call in it": ("int n; read(&n); go(next(&n) ? p : p, n, n);", "", None),
    "two calls": ("int n, m; read(&n); read(&m); go(p, n, n); go(p, n, m);", "", None),
    "changed in the function": ("int n; read(&n); go(p, n, n);", "ld++;", None),
    "changed in the function by reference": ("int n; read(&n); go(p, n, n);", "read(&ld);", None),
}


@pytest.mark.parametrize(("code", "change", "tied"), TWICE.values(), ids=TWICE)
def test_one_variable_that_a_call_passes_twice(code: str, change: str, tied: set[tuple[str]] | None, kernel_file: Write) -> None:
    """The rows that blocks are counted of are as long as an argument says only where one value is passed for both."""
    text = f"__global__ void k(float *a, int ld) {{}}\nvoid read(int *); int next(int &); int next(int *);\n" \
           f"static void go(float *p, int m, int ld) {{ {change} k<<<m / 32, 32>>>(p, ld); }}\nvoid mid(float *p, int n);\n" \
           f"int main() {{ float *p; {code} }}\n"
    found = find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))
    grids = {(each.grid[0],) for each in found}
    assert grids == tied if tied else any("{1}" not in str(grid) for grid, in grids)


CHAINS = {
    "members of a dim3": ("dim3 g, b; g.x = 2; b.x = b.y = 8; b.z = g.y = g.z = 1; k<<<g, b>>>(p, 0);", ((2, 1, 1), (8, 8, 1))),
    "variables": ("int g, b; g = b = 8; k<<<g, b>>>(p, 0);", ((8, 1, 1), (8, 1, 1))),
    "of what one was": ("int g, b = 8; g = b = b * 2; k<<<g, b>>>(p, 0);", ((16, 1, 1), (16, 1, 1))),
    "one is set again": ("int g, b; g = b = 8; b = 4; k<<<g, b>>>(p, 0);", ((8, 1, 1), (4, 1, 1))),
    "another type between": ("int g; unsigned char b; g = b = 264; k<<<g, b>>>(p, 0);", None),
    "another sum": ("int g = 1, b; g += b = 8; k<<<g, b>>>(p, 0);", None),
    "in a branch": ("int g = 1, b = 1; if (p) g = b = 8; k<<<g, b>>>(p, 0);", None),
    "an element that counts": ("int i = 8, g, b; g = b = i++; k<<<i, b>>>(p, 0);", None),
    "of a reference": ("int b = 1; int &r = b; int g; g = r = 8; k<<<g, b>>>(p, 0);", None),
}


@pytest.mark.parametrize(("code", "sizes"), CHAINS.values(), ids=CHAINS)
def test_numbers_that_are_set_one_behind_the_other(code: str, sizes: object, kernel_file: Write) -> None:
    text = f"__global__ void k(float *a, int ld) {{}}\nint main() {{ float *p; {code} }}\n"
    found = [(each.grid, each.block) for each in find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))]
    if sizes is not None:
        assert found == [sizes]
    elif "if" in code:
        assert set(found) == {((1, 1, 1), (1, 1, 1)), ((8, 1, 1), (8, 1, 1))}
    else:
        assert not any(isinstance(grid[0], int) and isinstance(block[0], int) for grid, block in found)


@pytest.mark.parametrize(("declared", "field", "is_number"), [
    ("", "maxThreadsPerBlock", True), ("", "multiProcessorCount", True), ("", "name", False),
    ("struct cudaDeviceProp { dim3 maxThreadsPerBlock; };", "maxThreadsPerBlock", False),
])
def test_numbers_that_a_device_tells(declared: str, field: str, is_number: bool, kernel_file: Write) -> None:
    """Nobody knows them, but a block of so many threads has one axis."""
    text = f"{declared}\n__global__ void k(float *a) {{}}\nint main() {{ float *p; cudaDeviceProp d; " \
           f"cudaGetDeviceProperties(&d, 0); k<<<2, d.{field}>>>(p); }}\n"
    launch, = find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))
    assert launch.block == (("{h0}", 1, 1) if is_number else (None, None, None))
