"""Exchanges among lanes: shuffles, votes, matches and reductions of a warp, votes of a block.

Lanes of a group (same warp and mask, or same block) exchange the values they bring. A shuffle that asks for a lane which
does not take part has no value in CUDA; it gives the lane's own here, and is noted.
CUDA C++ Programming Guide, warp shuffle, vote, match and reduce functions.
"""

from __future__ import annotations

import numpy as np

from automata.lang.core import Collective
from automata.lang.spaces import WARP, WIDTHS
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.memory import Cells
from automata.machine.symbols.domain import Data, combined


def exchange(stmt: Collective, frame: Frame, groups: Numbers, args: list[Cells]) -> Cells:
    """The result for each lane of a frame. `groups`: a number for each lane's group; `args`: as the lanes bring them."""
    if stmt.op == "activemask" or stmt.op == "ballot":
        return _ballot(frame, groups, args[0] != 0 if args else np.ones(frame.count, np.bool_))
    if stmt.op.startswith("shfl"):
        return _shuffle(stmt, frame, groups, args)
    if stmt.op == "match_any":
        same = np.unique(np.stack([groups, _bits(args[0])]), axis=1, return_inverse=True)[1]
        return _ballot(frame, same.ravel(), np.ones(frame.count, np.bool_))
    return _reduced(stmt.op, groups, args[0])


def exchange_data(data: Data, stmt: Collective, frame: Frame, groups: Numbers, args: list[Cells]) -> Cells:
    """The same where lanes bring data: passed on as they are, or combined as the domain does."""
    if stmt.op.startswith("shfl"):
        return _shuffle(stmt, frame, groups, args)
    return combined(data, stmt, groups, args[0])


def _ballot(frame: Frame, groups: Numbers, votes: Lanes) -> Cells:
    bit = np.left_shift(np.uint32(1), frame.batch.lane_in_warp(frame).astype(np.uint32))
    mine = np.where(votes, bit, np.uint32(0))
    return _by_group(np.bitwise_or, groups, mine)


def _reduced(op: str, groups: Numbers, value: Cells) -> Cells:
    name = op.removeprefix("reduce_")
    if op in ("all", "and"):
        return _by_group(np.logical_and, groups, value != 0).astype(np.int32)
    if op in ("any", "or"):
        return _by_group(np.logical_or, groups, value != 0).astype(np.int32)
    if op == "count":
        return _by_group(np.add, groups, (value != 0).astype(np.int32))
    return _by_group(_REDUCTIONS[name], groups, value)


_REDUCTIONS: dict[str, np.ufunc] = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
                                                "or": np.bitwise_or, "xor": np.bitwise_xor}


def _by_group(function: np.ufunc, groups: Numbers, values: Cells) -> Cells:
    """A reduction within each group, in the order of lanes, given to all of it."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    reduced = function.reduceat(values[order], starts)
    found = np.empty(values.size, reduced.dtype)
    found[order] = np.repeat(reduced, np.diff(np.append(starts, groups.size)))
    return found


def _shuffle(stmt: Collective, frame: Frame, groups: Numbers, args: list[Cells]) -> Cells:
    value, by = args[0], args[1].astype(np.int64)
    width = args[2].astype(np.int64) if len(args) > 2 else np.full(frame.count, WARP)
    senseless = ~np.isin(width, WIDTHS)
    if senseless.any():
        frame.batch.note_undefined(frame, senseless, f"a shuffle whose width is not a power of two up to {WARP}", stmt.place)
    width = np.clip(width, 1, WARP)
    lane = frame.batch.lane_in_warp(frame)
    first = lane // width * width
    match stmt.op:
        case "shfl":
            source = first + by % width
        case "shfl_up":
            source = np.where(lane - by < first, lane, lane - by)
        case "shfl_down":
            source = np.where(lane + by >= first + width, lane, lane + by)
        case _:
            source = np.where((lane ^ by) // width > lane // width, lane, lane ^ by)
    number = frame.numbers()
    wanted = number - lane + source
    here = np.full(frame.batch.lanes + WARP, -1)
    here[number] = np.arange(frame.count)
    at = here[np.clip(wanted, 0, here.size - 1)]
    absent = (at < 0) | (groups[np.maximum(at, 0)] != groups)
    if absent.any():
        frame.batch.note_undefined(frame, absent, "a shuffle from a lane that does not take part", stmt.place)
    anything = value + np.int64(frame.batch.absent).astype(value.dtype) if frame.batch.absent else value
    return np.where(absent, anything, value[np.maximum(at, 0)])


def _bits(value: Cells) -> Numbers:
    if value.dtype.kind == "f":
        return value.astype(np.float64).view(np.int64)
    return value.astype(np.int64)
