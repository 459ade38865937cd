"""The one door to kept answers: ask here, and what was found before need not be found again.

In: a kind of question, its parts, and how to answer it. Out: the answer, and whether it is one from before. Nothing is kept
unless someone turned it on for this process (`keeping`), as the commands do. `--recheck N` answers N in a hundred again
although they are kept, and compares: verdicts that differ are told, and the new one counts.

Definite answers are kept as they are. One that leaves something open is kept as what it is, that all there is to try up to this
limit settles nothing, and only if neither the clock nor a lack of memory had a part in that: whatever a question may cost besides
the user's limit is counted in work, so one that ended long before the limit comes out the same on any machine. It is no answer
for a longer limit.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Generic, TypeVar

from automata.budget import METER
from spmd.cache.key import Folders, key_of
from spmd.cache.packing import UnreadableError, packed, unpacked
from spmd.cache.store import Store

T = TypeVar("T")
_RANDOM = random.SystemRandom()
FOLDER, HOME, OFF = "SPMD_CACHE_DIR", "XDG_CACHE_HOME", "SPMD_NO_CACHE"


CALM = 0.5
"""The part of its time limit within which an open answer ended because it had nothing left to try."""


class Worth(IntEnum):
    """What an answer is good for, the least first."""

    NOTHING = 0
    """A fault, or one that something outside cut short."""
    OPEN = 1
    """Undecided: good for limits up to its own, if the clock had no part in it."""
    PARTLY_OPEN = 2
    """Definite, with something left open: good for limits up to its own."""
    WHOLE = 3
    """Good for any limit."""


@dataclass
class _State:
    """`share`: of kept answers that are found again, from 0 to 1; `is_asked_alone`: nothing is solved."""

    store: Store | None = None
    share: float = 0.0
    is_asked_alone: bool = False


class NotKeptError(BaseException):
    """There is no kept answer where nothing else was asked for. No handler of errors takes it for one of them."""


class Rows(Store):
    """Answers to be kept somewhere else: `rows` holds what was put."""

    def __init__(self) -> None:
        super().__init__("", lambda what: None)
        self.rows: list[tuple[str, str, bytes, float]] = []

    def get(self, key: str, seconds: float) -> bytes | None:
        return None

    def put(self, key: str, kind: str, body: bytes, seconds: float) -> None:
        self.rows.append((key, kind, body, seconds))

    def taken(self) -> list[tuple[str, str, bytes, float]]:
        """What was put since it was last taken."""
        found, self.rows = self.rows, []
        return found


_STATE = _State()


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """A question. `parts`: all that its answer hangs on; `roots`: the projects' folders; `seconds`: its limit; `word`: an
    answer's verdict in a word; `worth`: what an answer is good for."""

    kind: str
    parts: tuple[object, ...]
    roots: tuple[str, ...]
    seconds: float | None
    word: Callable[[T], str]
    worth: Callable[[T], Worth]


def folder() -> str:
    """Where answers are kept: as the environment says, else with the user's other caches."""
    if stated := os.environ.get(FOLDER):
        return stated
    return os.path.join(os.environ.get(HOME) or os.path.join(Path.home(), ".cache"), "spmd")


def store(say: Callable[[str], None]) -> Store:
    return Store(folder(), say)


@contextmanager
def keeping(is_on: bool, share: float, say: Callable[[str], None]) -> Iterator[None]:
    """Answers are kept and recalled in here, unless the environment says not to."""
    before = _STATE.store, _STATE.share
    with contextlib.suppress(RuntimeError):  # no home folder
        _STATE.store = store(say) if is_on and not os.environ.get(OFF) else None
    _STATE.share = share
    try:
        yield
    finally:
        _STATE.store, _STATE.share = before


def keep_elsewhere() -> Rows:
    """From now on this process keeps its answers as rows, for whoever asked for them (`take_over`)."""
    _STATE.store = rows = Rows()
    return rows


def take_over(rows: Iterable[tuple[str, str, bytes, float]]) -> None:
    """Keep answers that another process has found."""
    if _STATE.store is None:
        return
    for key, kind, body, seconds in rows:
        _STATE.store.put(key, kind, body, seconds)


def ask_alone() -> None:
    """From now on this process solves nothing: NotKeptError in the place of an answer that is not kept."""
    _STATE.is_asked_alone = True


def is_keeping() -> bool:
    return _STATE.store is not None


def is_rechecking() -> bool:
    return _STATE.share > 0


def recalled(asked: Asked[T]) -> T | None:
    """A kept answer, if there is one that is good."""
    if _STATE.store is None or _RANDOM.random() < _STATE.share:
        return None
    return _kept(_STATE.store, asked)


def is_calm(took: float, limit: float | None) -> bool:
    """Whether a time limit had no part in an answer that took so many seconds."""
    return limit is None or took < CALM * limit


def least(worths: Iterable[Worth]) -> Worth:
    """What an answer of several parts is good for; of none, nothing."""
    return min(worths, default=Worth.NOTHING)


def keep(asked: Asked[T], answer: T, took: float, lacked: int) -> None:
    """Keep an answer that is worth it. `took`: seconds, of its parts the longest; `lacked`: how often memory had run out before
    (`METER`). One that a kept one contradicts is told."""
    if _STATE.store is None:
        return
    worth = asked.worth(answer)
    is_cut = METER.lacked != lacked or not is_calm(took, asked.seconds)
    if worth is Worth.NOTHING or (worth is Worth.OPEN and is_cut):
        return
    folders, key = Folders(asked.roots), _key(asked)
    if key is None:
        return
    if _STATE.share and (before := _kept(_STATE.store, asked)) is not None and asked.word(before) != asked.word(answer):
        words = f"a kept answer was {asked.word(before)}, and is {asked.word(answer)} now"
        _STATE.store.say(f"{words} ({asked.kind} {key[:10]}): please report this")
    body = packed(answer, folders)
    if body is not None:
        _STATE.store.put(key, asked.kind, body, math.inf if worth is Worth.WHOLE or asked.seconds is None else asked.seconds)


def answered(asked: Asked[T], make: Callable[[], T]) -> T:
    """The answer from before, else a new one, which is kept if it is worth it."""
    found = recalled(asked)
    if found is None and _STATE.is_asked_alone:
        raise NotKeptError
    if found is None:
        began, lacked = time.monotonic(), METER.lacked
        found = make()
        keep(asked, found, time.monotonic() - began, lacked)
    return found


def _kept(store: Store, asked: Asked[T]) -> T | None:
    key = _key(asked)
    body = store.get(key, math.inf if asked.seconds is None else asked.seconds) if key is not None else None
    if key is None or body is None:
        return None
    try:
        found: T = unpacked(body, Folders(asked.roots))
    except UnreadableError:
        store.drop(key)
        return None
    return found


def _key(asked: Asked[T]) -> str | None:
    """None for a question that has none."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 8_000))
        return key_of(asked.kind, asked.parts, Folders(asked.roots))
    except (RecursionError, TypeError):
        return None
    finally:
        sys.setrecursionlimit(limit)
