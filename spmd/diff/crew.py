"""Pieces of work in processes of their own, a few at a time; one that fails costs that piece alone.

Each piece is a function that gives results one by one. A piece that says nothing for too long is ended, one that dies is
noticed, and both leave a failure in the place of their next result. An interrupt, or the end of what all may take together, does
the same to every piece that is not done. Processes are forked when a piece begins, so pieces need
not be sent, and what one leaves in memory ends with it.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from spmd.interruption import is_noticed, notice

T = TypeVar("T")
GRACE = 2.0
BUDGET_SPENT = "the budget of the whole call was spent before this was decided; give a larger --budget"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a piece gave no further result: its time was up, or a fault of ours."""

    verdict: str
    reason: str


Result: TypeAlias = "T | Failure | None"


@dataclass
class _Worker(Generic[T]):
    number: int
    process: BaseProcess
    pipe: Connection
    heard: float


def processors() -> int:
    """How many processes may run at once on this machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work(pieces: list[Callable[[], Iterable[T]]], *, jobs: int, silence: float | None,
         until: float | None = None) -> Iterator[tuple[int, Result[T]]]:
    """The results of all pieces as they come, each with the number of its piece; None: that piece is done. `silence`: seconds
    that a piece may take for one result; `until`: when all have to be done, by the monotonic clock."""
    waiting, crew = list(range(len(pieces)))[::-1], list[_Worker[T]]()
    interrupt = notice()
    pipes = [interrupt] if interrupt is not None else []
    try:
        while waiting or crew:
            while waiting and len(crew) < jobs:
                crew.append(_start(waiting.pop(), pieces))
            wait([*(worker.pipe for worker in crew), *pipes], timeout=_until(crew, silence, until))
            if why := _why_to_stop(until):
                for number in [*(worker.number for worker in crew), *reversed(waiting)]:
                    yield from ((number, why), (number, None))
                return
            for worker in list(crew):
                for result in _heard(worker, silence):
                    yield worker.number, result
                    if result is None:
                        crew.remove(worker)
    finally:
        for worker in crew:
            worker.process.kill()


def _start(number: int, pieces: list[Callable[[], Iterable[T]]]) -> _Worker[T]:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, pieces[number]), daemon=True)
    process.start()
    theirs.close()
    return _Worker(number, process, ours, time.monotonic())


def _serve(pipe: Connection, piece: Callable[[], Iterable[T]]) -> None:
    try:
        for result in piece():
            pipe.send(result)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        pipe.send(Failure("fault", f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"))
    pipe.send(None)


def _until(crew: list[_Worker[T]], silence: float | None, until: float | None) -> float | None:
    """Seconds until there is something to look at, whatever comes."""
    ends = [] if silence is None else [min(worker.heard for worker in crew) + silence + GRACE]
    ends += [] if until is None else [until]
    return max(0.0, min(ends) - time.monotonic()) if ends else None


def _why_to_stop(until: float | None) -> Failure | None:
    """Why no piece goes on."""
    if is_noticed():
        return Failure("unknown", "the call was interrupted before this was decided")
    if until is not None and time.monotonic() >= until:
        return Failure("unknown", BUDGET_SPENT)
    return None


def _heard(worker: _Worker[T], silence: float | None) -> Iterator[Result[T]]:
    """What a piece has given since; its end last."""
    try:
        while worker.pipe.poll():
            result = worker.pipe.recv()
            worker.heard = time.monotonic()
            yield result
            if result is None:
                worker.process.join(GRACE)
                return
    except (EOFError, OSError):
        worker.process.join(GRACE)
        yield Failure("fault", f"its process died (exit status {worker.process.exitcode})")
        yield None
        return
    if silence is not None and time.monotonic() - worker.heard > silence + GRACE:
        worker.process.kill()
        worker.process.join(GRACE)
        yield Failure("unknown", f"its time is up: no answer in {silence:g} s")
        yield None
