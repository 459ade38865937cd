"""What is left to say when a call is interrupted: what is decided is written, and what is not is named.

The process that works never sees the interrupt itself (`supervise`). It hears of it through a pipe, and has a moment before it
is killed. Where solvers run in this process, a thread waits for the notice and writes what is decided, so that no solver has to
be stopped in the middle (`telling`). Where processes of ours do the work, whoever waits for them waits for the notice too
(`notice`), ends them, and goes on with what there is.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

INTERRUPTED = 130
"""By shells' custom: 128 and the number of the signal."""


class Interrupted(Exception):
    """There is nothing to go on with."""


@dataclass
class _Pipes:
    """`notice`: becomes readable with an interrupt; `ready`: where the supervisor is told that someone listens."""

    notice: int | None = None
    ready: int | None = None


_PIPES = _Pipes()
_WRITING = threading.RLock()


def connect(notice: int, ready: int) -> None:
    """The supervisor's part: the ends of its pipes that belong to this process."""
    _PIPES.notice, _PIPES.ready = notice, ready


def notice() -> int | None:
    """What becomes readable with an interrupt; the supervisor grants a moment from now on. None where nobody supervises."""
    if _PIPES.ready is not None:
        os.write(_PIPES.ready, b"l")
        _PIPES.ready = None
    return _PIPES.notice


def is_noticed() -> bool:
    """Whether there was an interrupt."""
    return _PIPES.notice is not None and bool(select.select([_PIPES.notice], [], [], 0)[0])


@contextmanager
def writing() -> Iterator[None]:
    """What is written in here is written whole, or not at all, whenever an interrupt comes."""
    with _WRITING:
        yield


@contextmanager
def telling(finish: Callable[[], None]) -> Iterator[None]:
    """Work in this process; an interrupt in the meantime lets a thread write what is decided, and ends the process."""
    end = notice()
    if end is None:
        yield
        return
    is_over = threading.Event()

    def wait() -> None:
        while not select.select([end], [], [], 0.05)[0]:
            if is_over.is_set():
                return
        with _WRITING:
            if is_over.is_set():
                return
            finish()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    try:
        yield
    finally:
        with _WRITING:
            is_over.set()


def undecided(names: list[str], decided: int) -> str:
    """The line that an interrupted call ends with."""
    most = 8
    told = ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
    return f"interrupted: {decided} decided{f'; not decided: {told}' if names else ''}"
