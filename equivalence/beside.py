"""Two computations at once, the second in a process of its own: threads of Python share one lock, and symbolic runs are
many short operations that wait for it.

The process is forked, so that it has everything at hand; what it makes comes back by a pipe. Where systems do not
fork, or their libraries do not bear it, both run here, one after the other.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, TypeVar, cast

First = TypeVar("First")
Second = TypeVar("Second")


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """The values of two functions. An error of the first is raised, else one of the second; what `second` gives or raises must be
    possible to pickle, and what else it changes stays in its process."""
    if sys.platform != "linux":
        return first(), second()
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        _tell(second, ear, mouth)
    os.close(mouth)
    is_done = False
    try:
        with os.fdopen(ear, "rb") as pipe:
            mine = first()
            other = _heard(pipe)
        is_done = True
    finally:
        if not is_done:
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if isinstance(other, Raised):
        raise other.error()
    return mine, cast(Second, other)


@dataclass(frozen=True)
class Raised:
    """An error of the other process, in parts: what it is made with says nothing of how it was made."""

    kind: type[BaseException]
    args: tuple[object, ...]
    held: dict[str, object]

    def error(self) -> BaseException:
        made = self.kind.__new__(self.kind)
        made.args = self.args
        made.__dict__.update(self.held)
        return made


def _heard(pipe: BinaryIO) -> object:
    try:
        return pickle.load(pipe)
    except EOFError:
        return Raised(MemoryError, ("the process of one side ended early",), {})


def _tell(function: Callable[[], object], ear: int, mouth: int) -> None:
    """The life of the other process."""
    status = 1
    try:
        os.close(ear)
        try:
            made = function()
        except Exception as error:
            made = Raised(type(error), error.args, dict(error.__dict__))
        with os.fdopen(mouth, "wb") as pipe:
            pickle.dump(made, pipe, protocol=pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)
