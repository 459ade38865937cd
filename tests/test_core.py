"""Core is well-formed after the front end and after lowering, for every kernel the tests have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT

from automata.lang import core
from automata.lang.read import find_kernels
from automata.lang.spec import violations
from automata.place import InputError
from automata.rewriting.lower import lower
from automata.scalar import F32, I32

FILES = sorted([*(ROOT / "tests" / "kernels").glob("**/*.c[ul]"), *(ROOT / "tests" / "pairs").glob("**/*.cu"),
                *(ROOT / "case_studies").glob("**/*.cu")])


def kernels(path: Path) -> list[core.Kernel]:
    """The kernels that can be read; refusals are tested elsewhere."""
    try:
        return [found.read() for found in find_kernels(str(path))]
    except InputError:
        return []


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=lambda path: str(path.relative_to(ROOT)))
def test_core_keeps_its_rules(folder: Path) -> None:
    for path in (path for path in FILES if path.parent == folder):
        for kernel in kernels(path):
            assert violations(kernel) == [], path
            assert violations(lower(kernel, {})) == [], path


def test_the_rules_can_be_broken() -> None:
    array = core.Array("a", I32, core.Space.GLOBAL, (None,))
    store = core.Store("a", (core.Const(0, I32),), core.Const(1, I32))
    good = core.Kernel("k", "cuda", ("a",), (), (array,), (store,))
    assert violations(good) == []
    for body in (replace(store, value=core.Const(1.0, F32)), replace(store, index=()), replace(store, array="b"),
                 replace(store, value=core.Var("x", I32)), core.If(core.Const(1, I32), (), ()),
                 core.Assign("y", core.Const(1, I32)), replace(store, value=core.Cast(core.Const(1, I32), I32)),
                 replace(store, value=core.Binary("+", core.Const(1, I32), core.Const(1.0, F32), I32))):
        assert violations(replace(good, body=(body,)))
