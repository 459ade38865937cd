"""What is data is asked twice, of names (`partition`) and of paths (`flow`): names may not call numbers what paths call data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from automata.lang.core import Expr, Kernel, Load, Space, Store
from automata.lang.read import find_kernels
from automata.lang.traverse import expressions, walk, within
from automata.place import InputError, UndecidedError
from automata.rewriting.lower import lower
from automata.rewriting.partition import Partition
from automata.rewriting.predication import CannotPredicate, predicate
from automata.thread.build import build
from automata.thread.flow import flow

FILES = sorted(path for path in (Path(__file__).parent / "kernels").iterdir() if path.suffix in (".cu", ".cl"))
Spots = dict[tuple[str, str, str], bool]
"""What is accessed, where, and whether it is the index or the value that is stored; whether that is data."""


def kernels(path: Path) -> Iterator[tuple[Kernel, Partition]]:
    """The kernels of a file that can be predicated: branches on data are values."""
    with suppress(InputError):
        for item in find_kernels(str(path), None, None, {}, (), "auto", None):
            with suppress(CannotPredicate, InputError, UndecidedError):
                yield predicate(lower(item.read(), {}), frozenset(), exact=False)


def by_names(kernel: Kernel, partition: Partition) -> Spots:
    """What the names say of each access."""
    found: Spots = defaultdict(bool)

    def index(array: str, at: object, indices: tuple[Expr, ...]) -> None:
        found[array, str(at), "index"] |= any(map(partition.is_data, indices))
    for stmt in walk(kernel.body):
        if isinstance(stmt, Store):
            index(stmt.array, stmt.place, stmt.index)
            found[stmt.array, str(stmt.place), "value"] |= partition.is_data(stmt.value)
        for part in (part for expr in expressions(stmt) for part in within(expr)):
            if isinstance(part, Load):
                index(part.array, part.place, part.index)
    return found


def by_paths(kernel: Kernel) -> Iterator[tuple[tuple[str, str, str], bool]]:
    """What the paths say of each access: whether the contents of a global array may influence it."""
    contents = {array.name for array in kernel.arrays if array.space is Space.GLOBAL and array.content is None}
    for sink in flow(build(kernel)).sinks:
        if sink.what in ("read", "write", "value"):
            asked = "value" if sink.what == "value" else "index"
            yield (sink.array, str(sink.place), asked), any(source.kind == "array" and source.name in contents
                                                            for source in sink.index)


def unlike(kernel: Kernel, partition: Partition) -> list[tuple[str, str, str]]:
    """Accesses that hang on data by their paths and on numbers alone by their names."""
    named = by_names(kernel, partition)
    return [spot for spot, is_data in by_paths(kernel) if is_data and spot in named and not named[spot]]


@pytest.mark.sliced(12)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_names_call_numbers_hangs_on_no_data_by_paths(path: Path) -> None:
    for kernel, partition in kernels(path):
        assert unlike(kernel, partition) == [], kernel.name


def test_an_array_that_is_forgotten_is_noticed() -> None:
    noticed = 0
    for path in FILES[::6]:
        for kernel, partition in kernels(path):
            forgetful = replace(partition, arrays=set(), locals=set())
            noticed += bool(unlike(kernel, forgetful))
    assert noticed > 10
