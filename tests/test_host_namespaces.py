"""Names of namespaces that are opened more than once: what one stretch declares is known in the others, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
KERNEL = "__global__ void k(float *p, int n) {}"
GO = f"{KERNEL} void go(float *p) {{ k<<<2, N>>>(p, 5); }}"


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text + "\n")), "cuda", side="host"))


OPENED_AGAIN = {
    "a namespace": ("namespace a { const int N = 64; }", "namespace a {", "}", 64),
    "one in it": ("namespace a { namespace b { const int N = 64; } }", "namespace a { namespace b {", "} }", 64),
    "one in it, in one word": ("namespace a { namespace b { const int N = 64; } }", "namespace a::b {", "}", 64),
    "one around it": ("namespace a { const int N = 64; }", "namespace a { namespace b {", "} }", 64),
    "one without a name": ("namespace { const int N = 64; }", "namespace {", "}", 64),
    "one without a name, from outside": ("namespace { const int N = 64; }", "", "", 64),
    "one without a name in one": ("namespace a { namespace { const int N = 64; } }", "namespace a {", "}", 64),
    "one without a name in one, from outside": ("namespace a { namespace { const int N = 64; } }", "", "", None),
    "one without a name behind it": ("", "", "namespace { const int N = 64; }", None),
    "two without a name": (
        "namespace { const int N = 64; } namespace a { namespace { const int N = 32; } }", "namespace a {", "}", None),
    "no constant without a name": ("namespace { int N = 64; void set() { N = 32; } }", "", "", None),
    "an enumerator": ("namespace a { enum { M = 2, N = 64 }; }", "namespace a {", "}", 64),
    "no constant": ("namespace a { int N = 64; }", "namespace a {", "}", None),
    "before it": ("namespace a {}", "namespace a {", "} namespace a { const int N = 64; }", None),
    "another one": ("namespace a { const int N = 64; }", "namespace b {", "}", None),
    "another one of that name": ("namespace a { const int N = 64; }", "namespace b { namespace a {", "} }", None),
    "one inside": ("namespace a { namespace b { const int N = 64; } }", "namespace a {", "}", None),
    "none": ("namespace a { const int N = 64; }", "", "", None),
    "a nearer one": ("namespace a { const int N = 64; } namespace a { namespace b { const int N = 32; } }",
                     "namespace a { namespace b {", "} }", None),
    "a class of that name": ("struct a { static const int N = 64; };", "namespace a {", "}", None),
    "a member of a class in it": ("namespace a { struct C { static const int N = 64; }; }", "namespace a {", "}", None),
}


@pytest.mark.parametrize(("before", "opening", "close", "size"), OPENED_AGAIN.values(), ids=OPENED_AGAIN)
def test_what_a_namespace_holds_is_known_where_it_is_opened_again(before: str, opening: str, close: str, size: int | None,
                                                                  kernel_file: Write) -> None:
    found = launches(f"{before}\n{opening} {GO} {close}", kernel_file)
    assert [launch.block[0] if isinstance(launch.block[0], int) else None for launch in found] == [size]


DECLARED = {
    "in the same namespace": ("namespace a { %s; }", "namespace a { %s }", True),
    "in the same one, without a name": ("namespace { %s; }", "namespace { %s }", True),
    "in another": ("namespace b { %s; }", "namespace a { %s }", False),
    "in none": ("%s;", "namespace a { %s }", False),
    "in two classes": ("struct A { static %s; };", "namespace a { %s }", False),
}


@pytest.mark.parametrize(("before", "after", "is_one"), DECLARED.values(), ids=DECLARED)
def test_a_kernel_that_a_header_declares_is_one(before: str, after: str, is_one: bool, kernel_file: Write) -> None:
    text = after % (KERNEL + " void go(float *p) { k<<<2, 64>>>(p, 5); }")
    found = launches(before % KERNEL.removesuffix(" {}") + "\n" + text, kernel_file)
    assert [launch.block[0] for launch in found] == ([64] if is_one else [])
