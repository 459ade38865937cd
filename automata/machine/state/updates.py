"""Updates of cells, one after another: what an atomic operation does to numbers."""

from __future__ import annotations

import numpy as np

from automata.machine.numbers.values import Numbers
from automata.machine.state.memory import Cells

_AT: dict[str, np.ufunc] = {"add": np.add, "sub": np.subtract, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
                            "or": np.bitwise_or, "xor": np.bitwise_xor}


def update(cells: Cells, op: str, slots: Numbers, args: list[Cells], used: bool) -> tuple[Cells, int]:
    """Carry out updates in the order given; the old values, where they are used, and how many turns that took."""
    if not used and op in _AT:
        _AT[op].at(cells, slots, args[0])
        return np.zeros(slots.size, cells.dtype), 1
    old = np.empty(slots.size, cells.dtype)
    turns = in_turns(slots)
    for turn in turns:
        where = slots[turn]
        before = cells[where]
        old[turn] = before
        cells[where] = _updated(op, before, [arg[turn] for arg in args])
    return old, len(turns)


def in_turns(slots: Numbers) -> list[Numbers]:
    """Entries in groups without a repeated slot, in an order that keeps each slot's own."""
    order = np.argsort(slots, kind="stable")
    ordered = slots[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if slots.size else np.zeros(0, np.bool_)
    if first.all():
        return [np.arange(slots.size)]
    starts = np.flatnonzero(first)
    rank = np.arange(slots.size) - np.repeat(starts, np.diff(np.append(starts, slots.size)))
    by_rank = np.argsort(rank, kind="stable")
    bounds = np.flatnonzero(np.diff(rank[by_rank])) + 1
    return [np.sort(part) for part in np.split(order[by_rank], bounds)]


def _updated(op: str, old: Cells, args: list[Cells]) -> Cells:
    """CUDA C++ Programming Guide, atomic functions: inc and dec wrap at their operand."""
    if op in _AT:
        return _AT[op](old, args[0])
    one, zero = old.dtype.type(1), old.dtype.type(0)
    match op:
        case "load":
            return old
        case "exch":
            return args[0]
        case "cas":
            return np.where(old == args[0], args[1], old)
        case "inc":
            return np.where(old >= args[0], zero, old + one)
        case "dec":
            return np.where((old == zero) | (old > args[0]), args[0], old - one)
    raise AssertionError(op)
