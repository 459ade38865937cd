"""Both front ends give the same Core for every kernel that both read."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

from automata.lang.core import Kernel
from automata.lang.read import Frontend, find_kernels
from automata.place import InputError

FILES = sorted([*(ROOT / "tests" / "kernels").glob("**/*.c[ul]"), *(ROOT / "tests" / "pairs").glob("**/*.cu"),
                *(ROOT / "case_studies").glob("**/*.cu")])


def kernels(path: Path, frontend: Frontend) -> dict[str, Kernel]:
    """The kernels of a file that a front end reads."""
    try:
        found = find_kernels(str(path), frontend=frontend)
    except InputError:
        return {}
    read = {}
    for item in found:
        try:
            read[item.name] = item.read()
        except InputError:
            continue
    return read


@pytest.mark.sliced(4)
@pytest.mark.parametrize("part", range(12))
def test_both_front_ends_read_the_same(part: int) -> None:
    compared = 0
    for path in FILES[part::12]:
        from_c, from_clang = kernels(path, "c"), kernels(path, "clang")
        for name in sorted(from_c.keys() & from_clang.keys()):
            compared += 1
            assert from_c[name] == from_clang[name], f"{path}: {name}"
    assert compared > 20


def test_opencl_is_read_the_same_by_both() -> None:
    compared = 0
    for path in sorted((ROOT / "tests" / "opencl").glob("*.cl")):
        from_c, from_clang = kernels(path, "c"), kernels(path, "clang")
        for name in sorted(from_c.keys() & from_clang.keys()):
            compared += 1
            assert from_c[name] == from_clang[name], f"{path}: {name}"
        assert from_c.keys() >= from_clang.keys(), path
    assert compared > 80


def test_opencl_is_read_by_both() -> None:
    for path in (path for path in FILES if path.suffix == ".cl"):
        assert kernels(path, "c").keys() == kernels(path, "clang").keys(), path
