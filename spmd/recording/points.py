"""The numbers of a launch, and what holds of them.

A launch as it was made is one point: a number for each size and each scalar. Where the implementation chose the local size it is
one of several, and what is said of the launch has to hold of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from automata.lang.core import AXES, Expr, Kernel, Quantity
from automata.lang.launch import Launch, read_requirement, read_size
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.place import InputError, UnsupportedError
from automata.proof.known.launch_limits import MAX_BLOCK, MAX_THREADS
from automata.proof.known.launching import evaluate
from automata.scalar import I64, U64

Point = Mapping[str, int | float]
MOST = 512
SIZES = tuple(f"{quantity.value}.{axis}" for quantity in (Quantity.BLOCK_DIM, Quantity.GRID_DIM) for axis in AXES)


def points_of(launch: Launch, total: tuple[int, ...] | None) -> list[Point]:
    """All that a launch may have been; none where that cannot be told. `total`: threads along each axis, where the implementation
    chose how they are grouped: within the limits of devices, as the proofs have it."""
    args = {name: value for name, value in launch.args.items() if not isinstance(value, str)}
    if len(args) != len(launch.args):
        return []
    stated = [*(launch.block or (None,) * 3), *(launch.grid or (None,) * 3)]
    if all(isinstance(size, int) for size in stated):
        return [{**args, **{name: size for name, size in zip(SIZES, stated, strict=True) if isinstance(size, int)}}]
    if total is None:
        return []
    whole = [*total, 1, 1][:3]
    divisors = [[size for size in range(1, threads + 1) if threads % size == 0] for threads in whole]
    if prod(map(len, divisors)) > MOST:
        return []
    choices = [block for block in product(*divisors) if prod(block) <= MAX_THREADS and block[2] <= MAX_BLOCK["z"]]
    grids = [tuple(threads // size for threads, size in zip(whole, block, strict=True)) for block in choices]
    return [{**args, **dict(zip(SIZES, (*block, *grid), strict=True))} for block, grid in zip(choices, grids, strict=True)]


def _values(kernel: Kernel, point: Point) -> dict[str, Term]:
    """Terms for the parameters and sizes that have a number."""
    values = {name: T.const(int(point[name]), U64) for name in SIZES if name in point}
    return values | {param.name: T.const(point[param.name], param.type) for param in kernel.params if param.name in point}


def holds(text: str, kernel: Kernel, point: Point) -> bool:
    """Whether a requirement certainly holds at a point."""
    try:
        return evaluate(read_requirement(text, kernel), _values(kernel, point)) is T.TRUE
    except (InputError, UnsupportedError):
        return False


def meets(test: Expr, kernel: Kernel, point: Point) -> bool:
    """Whether something that the kernel's source demands certainly holds at a point."""
    try:
        return evaluate(test, _values(kernel, point)) is T.TRUE
    except InputError:
        return False


def number_of(size: int | str, kernel: Kernel, point: Point) -> int | None:
    """What an expression over sizes and parameters comes to at a point."""
    try:
        value = T.constant_value(T.cast(evaluate(read_size(size, kernel, "size"), _values(kernel, point)), I64))
    except (InputError, UnsupportedError):
        return None
    return None if value is None else int(value)
