"""A small SIMT machine on NumPy scalars: the part that every replay script has. Its text goes into the scripts as it stands.

Kernels are generators, one for each thread: a thread runs until it yields a meeting (`Meeting`), and goes on when all have come
that it waits for. Threads run one after another, which is as good an order as any where nothing races.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

WARP = 32


@dataclass
class Meeting:
    """What a thread waits for: all threads of its warp, block or grid. `op`: how values are exchanged on the way; `place`: in the
    source."""

    scope: str
    op: str = ""
    place: str = ""
    args: tuple[Any, ...] = ()


Thread = Generator[Meeting, Any, None]


def launch(kernel: Callable[..., Thread], grid: tuple[int, int, int], block: tuple[int, int, int], shared: Callable[[], Any],
           *args: Any) -> None:
    """Run all threads of a launch. `shared`: makes the shared memory of a block."""
    running: dict[tuple[int, int], Thread] = {}
    waiting: dict[tuple[int, int], Meeting] = {}
    for number, (bz, by, bx) in enumerate(product(*map(range, reversed(grid)))):
        memory = shared()
        for at, (tz, ty, tx) in enumerate(product(*map(range, reversed(block)))):
            running[number, at] = kernel((tx, ty, tz), (bx, by, bz), block, grid, memory, *args)
    for thread in list(running):
        advance(thread, None, running, waiting)
    while running:
        for group in ready(running, waiting):
            answers = exchanged({thread[1] % WARP: waiting[thread] for thread in group})
            for thread in group:
                advance(thread, answers[thread[1] % WARP], running, waiting)


def advance(thread: tuple[int, int], answer: Any, running: dict[tuple[int, int], Thread],
            waiting: dict[tuple[int, int], Meeting]) -> None:
    """Run one thread to its next meeting, or its end."""
    try:
        waiting[thread] = running[thread].send(answer)
    except StopIteration:
        del running[thread]
        waiting.pop(thread, None)


def ready(running: dict[tuple[int, int], Thread], waiting: dict[tuple[int, int], Meeting]) -> Iterator[list[tuple[int, int]]]:
    """Groups of threads that have all come to a meeting: lanes of a warp first, then blocks, then the grid."""
    warps: dict[tuple[int, int], dict[str, list[tuple[int, int]]]] = {}
    for thread in running:
        if waiting[thread].scope == "warp":
            warps.setdefault((thread[0], thread[1] // WARP), {}).setdefault(waiting[thread].place, []).append(thread)
    if warps:
        yield from (group for places in warps.values() for group in places.values())
        return
    blocks: dict[int, list[tuple[int, int]]] = {}
    for thread in running:
        blocks.setdefault(thread[0], []).append(thread)
    whole = [group for group in blocks.values() if all(waiting[thread].scope == "block" for thread in group)]
    yield from whole or [list(running)]


def exchanged(lanes: dict[int, Meeting]) -> dict[int, Any]:
    """What each lane of a group is given."""
    first = next(iter(lanes.values()))
    op, values = first.op, {lane: meeting.args[0] for lane, meeting in lanes.items() if meeting.args}
    if not op:
        return dict.fromkeys(range(WARP))
    if op.startswith("shfl"):
        return {lane: values[source] if (source := source_of(op, lane, meeting.args)) in values else values[lane]
                for lane, meeting in lanes.items()}
    if op in ("ballot", "activemask"):
        mask = np.uint32(sum(1 << lane for lane in lanes if not values or values[lane] != 0))
        return dict.fromkeys(lanes, mask)
    if op == "match_any":
        return {lane: np.uint32(sum(1 << other for other in lanes if values[other] == values[lane])) for lane in lanes}
    return dict.fromkeys(lanes, reduced(op, list(values.values())))


def source_of(op: str, lane: int, args: tuple[Any, ...]) -> int:
    """The lane that a lane of a shuffle reads."""
    by, width = int(args[1]), min(max(int(args[2]), 1), WARP) if len(args) > 2 else WARP
    first = lane // width * width
    if op == "shfl":
        return first + by % width
    if op == "shfl_up":
        return lane if lane - by < first else lane - by
    if op == "shfl_down":
        return lane if lane + by >= first + width else lane + by
    return lane if (lane ^ by) // width > lane // width else lane ^ by


def reduced(op: str, values: list[Any]) -> Any:
    """A vote, or a reduction lane after lane."""
    votes = [bool(value != 0) for value in values]
    if op in ("all", "any", "and", "or", "count"):
        return np.int32(sum(votes) if op == "count" else all(votes) if op in ("all", "and") else any(votes))
    functions: dict[str, Any] = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
                                 "xor": np.bitwise_xor}
    return functions[op.removeprefix("reduce_")].reduce(values)


def cast(kind: Any, value: Any) -> Any:
    """A conversion of C: floats become integers towards zero, NaN gives 0, what lies outside the nearest end."""
    if kind is np.bool_ or not np.issubdtype(kind, np.integer) or np.issubdtype(type(value), np.integer):
        return np.asarray(value).astype(kind)[()]
    if np.issubdtype(type(value), np.bool_):
        return kind(bool(value))
    if np.isnan(value):
        return kind(0)
    ends = np.iinfo(kind)
    return kind(ends.max if value >= ends.max else ends.min if value <= ends.min else int(value))


def quotient(one: Any, two: Any) -> Any:
    """Of integers, towards zero."""
    whole = abs(int(one)) // abs(int(two))
    return np.asarray(whole if (one < 0) == (two < 0) else -whole).astype(type(one))[()]


def remainder(one: Any, two: Any) -> Any:
    return np.fmod(one, two)


def at(array: Any, *index: Any) -> Any:
    """Where C finds an element: rows lie one behind the other, so an index past the end of its row is in the next."""
    flat = 0
    for size, step in zip(array.shape, index, strict=True):
        flat = flat * size + int(step)
    return np.unravel_index(flat, array.shape)


def atomic(op: str, array: Any, index: Any, *args: Any) -> Any:
    """Update an element; what it was."""
    old = array[index]
    if op in ("add", "sub", "min", "max", "and", "or", "xor"):
        function: Any = {"add": np.add, "sub": np.subtract, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
                         "or": np.bitwise_or, "xor": np.bitwise_xor}[op]
        array[index] = function(old, args[0])
    elif op == "cas":
        array[index] = args[1] if old == args[0] else old
    elif op == "inc":
        array[index] = 0 if old >= args[0] else old + type(old)(1)
    elif op == "dec":
        array[index] = args[0] if old == 0 or old > args[0] else old - type(old)(1)
    else:
        array[index] = args[0]
    return old
