"""Host templates with bodies of their own for some arguments, and those that a header declares with defaults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = """template <typename T> __global__ void k(T *p, int n) {}
template <typename T> void go(T *p, int n) { k<T><<<n, 64>>>(p, n); }
"""
SPECIAL = "template <> void go<double>(double *p, int n) { k<double><<<n, 32>>>(p, n); }\n"
FLOAT, DOUBLE = "template void go<float>(float *, int);\n", "template void go<double>(double *, int);\n"
FOUND = {
    "one is specialised": (SPECIAL + FLOAT, {("float", 64), ("double", 32)}),
    "both are instantiated": (SPECIAL + FLOAT + DOUBLE, {("float", 64), ("double", 32)}),
    "the body of its own comes later": (FLOAT + SPECIAL, {("float", 64), ("double", 32)}),
    "none is": (FLOAT + DOUBLE, {("float", 64), ("double", 64)}),
    "a call may mean either": (SPECIAL + "void f(float *p) { go(p, 3); }", {(None, 64), ("double", 32)}),
    "its address is taken": (SPECIAL + FLOAT + "void (*held)(float *, int) = go;", {(None, 64), ("double", 32)}),
    "a number": ("template <int N> void run(float *p) { k<float><<<1, N>>>(p, 3); }\n"
                 "template <> void run<8>(float *p) { k<float><<<1, 16>>>(p, 3); }\n"
                 "template void run<32>(float *);\ntemplate void run<8>(float *);\n", {(None, 64), ("float", 32), ("float", 16)}),
}


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text + "\n")), "cuda", side="host"))


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_a_template_with_a_body_of_its_own_for_some_arguments(text: str, expected: set[tuple[str | None, int]],
                                                              kernel_file: Write) -> None:
    found = {((launch.template_args or (None,))[0], launch.block[0]) for launch in launches(HEAD + text, kernel_file)}
    assert found == expected


DECLARED = {
    "with a default": ("static void run(float *p, int n = 3);", "run(p, 7);", 7),
    "with a default that is taken": ("static void run(float *p, int n = 3);", "run(p);", None),
    "with a default of a name": ("int m = 5; static void run(float *p, int n = m);", "run(p, m);", None),
    "before that, a function whose parameter is a class": (
        "struct S {}; static int size(S *s); static void run(float *p, int n);", "run(p, 7); size(nullptr);", 7),
    "with no default": ("static void run(float *p, int n);", "run(p, 7);", 7),
}


@pytest.mark.parametrize(("declared", "call", "size"), DECLARED.values(), ids=DECLARED)
def test_a_function_that_is_declared_with_a_default(declared: str, call: str, size: int | None, kernel_file: Write) -> None:
    body = "static void run(float *p, int n) { k<float><<<n, 64>>>(p, n); }"
    found = launches(f"{HEAD}{declared}\n{body}\nint main() {{ float *p; {call} }}", kernel_file)
    sizes = [launch.grid[0] for launch in found if launch.template_args == ("float",)]
    assert [each if isinstance(each, int) else None for each in sizes] == [size]


TAKING = {
    "a class": ("struct S {}; float run(S &s, float *p);", 7), "a pointer to one": ("struct S {}; float run(S *s, float *p);", 7),
    "an expression": ("int S = 3, s = 4, q; float run(S * s, q * s);", None)}


@pytest.mark.parametrize(("declared", "size"), TAKING.values(), ids=TAKING)
def test_a_declaration_that_may_be_a_function_is_one(declared: str, size: int | None, kernel_file: Write) -> None:
    """[dcl.ambig.res]: where both are possible, a function is declared; a kernel of its name is another one."""
    kernel = "__global__ void run(float *p, int n) {}"
    found = launches(f"{declared}\n{kernel}\n"
                     "void go(float *p) { run<<<7, 64>>>(p, 3); }", kernel_file)
    assert [launch.grid[0] for launch in found] == ([size] if size else [])
