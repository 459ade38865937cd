"""Launches in methods: fields that they name, bases, classes that are instantiated, methods that change nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
KERNEL = "__global__ void k(float *p, int n) {}\n"
GO = "k<<<(n + 63) / 64, 64>>>(p, n);"


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text + "\n")), "cuda", side="host"))


def is_tied(text: str, write: Write) -> bool:
    """Whether the grid is told by what the launch passes."""
    return [each.grid[0] for each in launches(KERNEL + text, write)] == ["({1} + 63) / 64"]


FIELDS = {
    "its own": ("struct C { float *p; int n; void go(); }; void C::go() { %s }", True),
    "its own, beside another's": ("struct D { int n; }; struct C { float *p; int n; void go(); }; void C::go() { %s }", True),
    "its own, in its body": ("struct D { int n; }; struct C { float *p; int n; void go() { %s } };", True),
    "its own, with a base": ("struct B { int m; }; struct C : B { float *p; int n; void go(); }; void C::go() { %s }", True),
    "its own, with a base that is not seen": ("struct C : public B { float *p; int n; void go(); }; void C::go() { %s }", True),
    "its own, with an instance as base": ("template <typename T> struct B { T n; }; struct C : B<int> { float *p; int n; "
                                          "void go(); }; void C::go() { %s }", True),
    "a base's": ("struct B { int n; }; struct C : B { float *p; void go(); }; void C::go() { %s }", True),
    "a base's, beside another's": ("struct D { int n; }; struct B { int n; }; struct C : B { float *p; void go(); };"
                                   "void C::go() { %s }", True),
    "of two bases": ("struct D { int n; }; struct B { int n; }; struct C : B, D { float *p; void go(); };"
                     "void C::go() { %s }", False),
    "a base's that is not seen": ("int n; struct C : B { float *p; void go(); }; void C::go() { %s }", False),
    "of one of two classes of the name": ("namespace a { struct C { float *p; char n; void go(); }; } struct C { float *p; int n;"
                                          "void go(); }; void C::go() { %s }", False),
    "changed while arguments are computed": ("struct C { float *p; int n; int next() { return n++; } void go(); };"
                                             "void C::go() { k<<<(n + 63) / 64, next()>>>(p, n); }", False),
}


@pytest.mark.parametrize(("text", "tied"), FIELDS.values(), ids=FIELDS)
def test_a_field_that_a_method_names(text: str, tied: bool, kernel_file: Write) -> None:
    assert is_tied(text.replace("%s", GO), kernel_file) is tied


OWNER = "struct V { float *p_; int s_; %s }; struct C { V v; int n; void go(); };\n"
CALLS = "void C::go() { k<<<(n + 63) / 64, 64>>>(v.data(), n); }"
GIVERS = {
    "it gives what it holds": (OWNER % "float *data() { return p_; }" + CALLS, True),
    "both of two do": (OWNER % "float *data() { return p_; } const float *data() const { return p_; }" + CALLS, True),
    "the library's": ("#include <vector>\nstruct C { std::vector<float> v; int n; void go(); };\n" + CALLS, True),
    "it calls another": (OWNER % "float *data() { grow(); return p_; }" + CALLS, False),
    "it sets something": ("int *count;\n" + OWNER % "float *data() { *count = 3; return p_; }" + CALLS, False),
    "one of two does": (OWNER % "float *data() { return p_; } float *data(int m) { s_ = m; return p_; }" + CALLS, False),
    "its body is not seen": (OWNER % "float *data();" + CALLS, False),
    "another may stand in its place": (OWNER % "virtual float *data() { return p_; }" + CALLS, False),
    "a header is missing": ('#include "mine.h"\n' + OWNER % "float *data() { return p_; }" + CALLS, False),
    "nobody knows whose": ('#include "mine.h"\nstruct C { V v; int n; void go(); };\n' + CALLS, False),
    "another name": ("struct C { V v; int n; void go(); };\n" + CALLS.replace("data", "next"), False),
}


@pytest.mark.parametrize(("text", "tied"), GIVERS.values(), ids=GIVERS)
def test_a_method_that_changes_nothing(text: str, tied: bool, kernel_file: Write) -> None:
    assert is_tied(text, kernel_file) is tied


TEMPLATE = "template <typename T> __global__ void k(T *p, int n) {}\n"
LAYER = "template <typename T> struct L { void f(T *p, int n); void g(T *p, int n); };\n"
BODY = "template <typename T> void L<T>::f(T *p, int n) { k<T><<<n, 64>>>(p, n); }\n"
MADE = {
    "a method": (LAYER + BODY + "template void L<float>::f(float *p, int n);", [("float",)]),
    "two of them": (LAYER + BODY + "template void L<float>::f(float *, int); template void L<double>::f(double *, int);",
                    [("double",), ("float",)]),
    "a class": (LAYER + BODY + "template class L<float>;", [("float",)]),
    "a class with its namespace": ("namespace a { " + LAYER + BODY + "}\ntemplate struct a::L<float>;", [("float",)]),
    "one that is derived": ("template <typename T> struct B { T x; };\n" + LAYER.replace("struct L", "struct L : B<T>") + BODY
                            + "template class L<float>;", [("float",)]),
    "by a macro": ("#define MAKE(c) template void c<float>::f(float *, int);\n" + LAYER + BODY + "MAKE(L);", [("float",)]),
    "another method": (LAYER + BODY + "template void L<float>::g(float *, int);", [None]),
    "another class": (LAYER + BODY + "template class M<float>;", [None]),
    "two of the name": (LAYER.replace("void g", "void f(T *p); void g") + BODY + BODY.replace(", int n", "").replace("n", "2")
                        + "template void L<float>::f(float *, int);", [None, None]),
    "a body of its own": (LAYER + BODY + "template <> void L<float>::f(float *p, int n) { k<float><<<n, 32>>>(p, n); }\n"
                          "template class L<float>;", [None, ("float",)]),
    "none": (LAYER + BODY, [None]),
}


@pytest.mark.parametrize(("text", "args"), MADE.values(), ids=MADE)
def test_a_method_of_a_class_that_is_instantiated(text: str, args: list[tuple[str, ...] | None], kernel_file: Write) -> None:
    found = [launch.template_args for launch in launches(TEMPLATE + text, kernel_file)]
    assert sorted(found, key=str) == sorted(args, key=str)


OVERLOADS = "__global__ void k(float *p) {}\n__global__ void k(float *p, int n) {}\n"
NAMED = {
    "by its arguments": ("struct C { float *p; void go(); }; void C::go() { k<<<1, 64>>>(p, 3); }", 1),
    "a method has the name": ("struct C { float *p; void k(float *, int); void go(); }; void C::go() { k<<<1, 64>>>(p, 3); }", 0),
    "a base is not seen": ("struct C : B { float *p; void go(); }; void C::go() { k<<<1, 64>>>(p, 3); }", 0),
}


@pytest.mark.parametrize(("text", "count"), NAMED.values(), ids=NAMED)
def test_a_kernel_that_a_method_names(text: str, count: int, kernel_file: Write) -> None:
    assert len(launches(OVERLOADS + text, kernel_file)) == count


HEADERS = {
    "glog/logging.h": 64, "boost/shared_ptr.hpp": 64, "gtest/gtest.h": 64, "cblas.h": 64, "proto/net.pb.h": 64,
    "Eigen/Dense": 64, "unsupported/Eigen/FFT": 64, "mine/Eigen/Dense": None,
    "boost/archive/text_iarchive.hpp": None, "mine/logging.h": None}


@pytest.mark.parametrize(("header", "size"), HEADERS.items())
def test_headers_of_known_libraries_change_no_names(header: str, size: int | None, kernel_file: Write) -> None:
    """What another header may define decides about conditions, and what a check that nobody declares does."""
    body = "{ int b = 64; CHECK_EQ(b, 64) << b; k<<<1, b>>>(p, 3); }"
    text = f"#include <{header}>\n{KERNEL}#ifndef CPU_ONLY\nvoid go(float *p) {body}\n#endif"
    found = [launch.block[0] for launch in launches(text, kernel_file)]
    assert found == [size] or (size is None and not any(isinstance(each, int) for each in found))
