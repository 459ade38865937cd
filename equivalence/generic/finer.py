"""Digits of a thread's number that are fine enough for what lanes get from each other.

A lane of a tiled product reads what lane 8·row + l has stored; which that is follows the lane's own digits by a sum of products
only if those are taken apart far enough (`threadIdx.x` as 4, 2 and 8). Input: the values that a block stores. Output: the fewest
such digits, and those of them that decide which store a lane reads from: of these each value is looked at by itself, while the
others stay symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.logic.poly import Poly
from equivalence.generic.integers import Integers
from equivalence.generic.lanes import Position, Row, Shape, fit_all, prime_factors
from equivalence.generic.values import Cell, Node, Write

Lanes = NDArray[np.int64]
MOST_MAPS = 600
"""Exchanges between lanes that are looked at."""


@dataclass(frozen=True, slots=True)
class Finer:
    """Digits, the one that runs fastest first. `coarse`: how many of them each digit of the shape is made of; `deciding`: the
    axes that decide which store a lane reads from."""

    digits: tuple[int, ...]
    coarse: tuple[int, ...]
    deciding: tuple[int, ...]

    def taken_apart(self, position: Position, integers: Integers) -> Position:
        """A position in these digits."""
        found = []
        digits = iter(self.digits)
        for value, count in zip(position, self.coarse, strict=True):
            for at in range(count):
                size = next(digits)
                whole = integers.floor(value, Poly.number(size)) if at + 1 < count else None
                found.append(value if whole is None else value - whole.scale(size))
                value = value if whole is None else whole
        return tuple(found)


def finer(shape: Shape, writes: Iterable[Write]) -> Finer | None:
    """The digits for some stores; None where none are fine enough, or where those of the shape are."""
    if shape.extents is None:
        return None
    nodes = list(_nodes(writes))
    maps = list(dict.fromkeys(_map(each.data) for each in nodes if each.op == "gather"))
    if not maps or len(maps) > MOST_MAPS:
        return None
    groups = [prime_factors(extent) or [1] for extent in shape.digits]
    held = [(np.array(nodes), np.array(lanes)) for nodes, lanes in maps]
    deciding = [any(_differs_along(nodes, _flat(groups), axis) for nodes, _ in held) for axis in range(len(_flat(groups)))]
    if not all(_is_affine(lanes, _flat(groups), deciding) for _, lanes in held):
        return None
    rows: dict[tuple[Poly, ...], Row[Poly]] = {each.data[1].values: each.data[1] for each in nodes if each.op == "load"}
    open_rows = [each for each in rows.values() if not each.is_one and not fit_all(shape.digits, [each])
                 and fit_all(_flat(groups), [each])]
    at = 0
    for group in groups:
        inside = 0
        while inside + 1 < len(group):
            kept = list(group)
            group[inside:inside + 2] = [kept[inside] * kept[inside + 1]]
            merged = [*deciding[:at + inside], *deciding[at + inside + 1:]]
            if deciding[at + inside] != deciding[at + inside + 1] or not all(
                    _is_affine(lanes, _flat(groups), merged) for _, lanes in held) or not fit_all(_flat(groups), open_rows):
                group[:] = kept
                inside += 1
            else:
                deciding = merged
        at += len(group)
    return Finer(tuple(_flat(groups)), tuple(map(len, groups)), tuple(axis for axis, decides in enumerate(deciding) if decides))


def _flat(groups: Sequence[Sequence[int]]) -> list[int]:
    return [part for group in groups for part in group]


def _differs_along(values: Lanes, digits: Sequence[int], axis: int) -> bool:
    """Whether something of each lane hangs on a digit."""
    grid = np.moveaxis(values.reshape(digits[::-1]), len(digits) - 1 - axis, 0)
    return bool((grid != grid[0]).any())


def _is_affine(lanes: Lanes, digits: Sequence[int], deciding: Sequence[bool]) -> bool:
    """Whether each digit of the lane that a lane reads is a sum of products of digits, where those that decide are known."""
    stride = 1
    for size in digits:
        if not _is_sum(lanes // stride % size, digits, deciding):
            return False
        stride *= size
    return True


def _is_sum(values: Lanes, digits: Sequence[int], deciding: Sequence[bool]) -> bool:
    grid = values.reshape(digits[::-1])
    first = grid
    for axis, decides in enumerate(deciding):
        if not decides:
            first = np.take(first, [0], len(digits) - 1 - axis)
    made = np.broadcast_to(first, grid.shape).copy()
    for axis, decides in enumerate(deciding):
        if decides or digits[axis] == 1:
            continue
        place = len(digits) - 1 - axis
        one = grid
        for other, known in enumerate(deciding):
            if not known and other != axis:
                one = np.take(one, [0], len(digits) - 1 - other)
        slope = np.take(one, [1], place) - np.take(one, [0], place)
        shape = [1] * len(digits)
        shape[place] = digits[axis]
        made += slope * np.arange(digits[axis]).reshape(shape)
    return bool((made == grid).all())


def _map(cells: tuple[Cell | None, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which node and which lane each lane reads in an exchange."""
    numbers = {node: at for at, node in enumerate(dict.fromkeys(id(cell.node) if cell is not None else None for cell in cells))}
    return (tuple(numbers[id(cell.node) if cell is not None else None] for cell in cells),
            tuple(cell.lane if cell is not None else 0 for cell in cells))


def _nodes(writes: Iterable[Write]) -> Iterator[Node]:
    """The nodes of which the values of stores are made."""
    todo: list[object] = [part for write in writes for part in (write.value, *(test for test, _ in write.tests))]
    seen: set[int] = set()
    while todo:
        each = todo.pop()
        if isinstance(each, Cell):
            each = each.node
        if isinstance(each, Node) and id(each) not in seen:
            seen.add(id(each))
            todo += [*each.args, *_inside(each)]
            yield each


def _inside(node: Node) -> list[object]:
    """The cells and nodes in what a node holds besides its operands."""
    match node.op:
        case "gather":
            return list({id(cell.node): cell for cell in node.data if cell is not None}.values())
        case "pick":
            return [node.data.then, node.data.other, *([] if isinstance(node.data.test, Row) else [node.data.test])]
        case "hole" | "out":
            loop, _ = node.data
            return [] if loop is None else [*loop.first.values(), *loop.end.values()]
        case "made":
            return [node.data.value]
    return []
