"""Launches whose last work-groups are smaller than the others (OpenCL 2.0, 5.8).

In: a kernel, and how many work-items a launch has along the axes where that is no multiple of the groups' size. Out: the kernel
as threads of full groups run it: those that the launch does not have do nothing. What a kernel reads of sizes, its text has to
say (`spmd/recording/sources.py`). A thread that is not there does not keep others from meeting, and one that does nothing would:
kernels whose threads meet are refused.
"""

from __future__ import annotations

from dataclasses import replace

from automata.lang.core import (
    AsyncCopy,
    AsyncWait,
    Axis,
    Barrier,
    Binary,
    Collective,
    Const,
    Expr,
    If,
    Kernel,
    Quantity,
    Special,
)
from automata.lang.traverse import walk
from automata.place import UnsupportedError
from automata.scalar import BOOL, U64

MEETINGS = (Barrier, Collective, AsyncCopy, AsyncWait)


def with_present(kernel: Kernel, present: tuple[tuple[Axis, int], ...]) -> Kernel:
    """The kernel, run by the first so many threads along each of some axes alone. UnsupportedError where threads meet in it."""
    if not present:
        return kernel
    meeting = next((stmt for stmt in walk(kernel.body) if isinstance(stmt, MEETINGS)), None)
    if meeting is not None:
        raise UnsupportedError("a meeting of threads in a launch whose last work-groups are smaller", meeting.place)
    body = kernel.body
    for axis, count in present:
        body = (If(_is_there(axis, count), body, ()),)
    return replace(kernel, body=body)


def _is_there(axis: Axis, count: int) -> Expr:
    """Whether a thread's number along an axis is one of the launch."""
    block, size, thread = (Special(each, axis, U64) for each in (Quantity.BLOCK, Quantity.BLOCK_DIM, Quantity.THREAD))
    number = Binary("+", Binary("*", block, size, U64), thread, U64)
    return Binary("<", number, Const(count, U64), BOOL)
