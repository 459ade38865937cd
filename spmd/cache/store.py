"""The table of answers, in one file.

In: keys and bytes. SQLite makes a write whole or not at all, whoever is killed when, and lets processes wait for each other. A
connection lives for one operation, so that none is carried into a forked process. Every row has a checksum: bytes that are not
what was written are as good as none.

`seconds`: an answer that a time limit may have cut short (a refutation with properties left open) is kept with the limit it was
found under, and is good for no longer one. A file that is damaged, or whose format is a later one, is put aside under another
name, and told; what cannot be written is told once, and nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
NAME = "answers.sqlite"
VERSION = 1
MOST_BYTES = 256_000_000
KEPT_SHARE = 0.75
"""What is left of the most after old answers were dropped."""
WAIT = 10.0
DAY = 86_400.0
TABLE = """create table if not exists answers (key text primary key, kind text not null, seconds real, body blob not null,
           checksum blob not null, used real not null)"""


@dataclass(frozen=True, slots=True)
class Stats:
    """What a store holds."""

    path: str
    answers: dict[str, int]
    bytes: int
    most: int


class Store:
    """Answers in a folder. `say` hears of what is wrong with it."""

    def __init__(self, folder: str, say: Callable[[str], None], most: int = MOST_BYTES) -> None:
        self.folder, self.say, self.most = folder, say, most
        self.path = os.path.join(folder, NAME)
        self.is_off = False

    def get(self, key: str, seconds: float) -> bytes | None:
        """The bytes kept for a key that are good for a time limit; None without."""
        def look(table: sqlite3.Connection) -> bytes | None:
            row = table.execute("select body, checksum, seconds, used from answers where key = ?", (key,)).fetchone()
            if row is None or (row[2] is not None and row[2] < seconds):
                return None
            if _checksum(key, row[0]) != row[1]:
                table.execute("delete from answers where key = ?", (key,))
                return None
            if time.time() - row[3] > DAY:
                table.execute("update answers set used = ? where key = ?", (time.time(), key))
            return bytes(row[0])
        return self._done(look)

    def put(self, key: str, kind: str, body: bytes, seconds: float) -> None:
        """Keep bytes for a key. `seconds`: the limit that they are good for, infinite for any."""
        limit = None if math.isinf(seconds) else seconds
        row = key, kind, limit, body, _checksum(key, body), time.time()

        def write(table: sqlite3.Connection) -> None:
            table.execute("insert or replace into answers values (?, ?, ?, ?, ?, ?)", row)
            self._shrink(table)
        self._done(write)

    def drop(self, key: str) -> None:
        """Forget one answer."""
        self._done(lambda table: table.execute("delete from answers where key = ?", (key,)))

    def clear(self) -> None:
        """Forget everything."""
        for name in (self.path, f"{self.path}-journal"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(name)

    def stats(self) -> Stats:
        def count(table: sqlite3.Connection) -> list[tuple[str, int, int]]:
            return table.execute("select kind, count(*), sum(length(body)) from answers group by kind").fetchall()
        rows = self._done(count) or []
        return Stats(self.path, {kind: number for kind, number, _ in rows}, sum(size for _, _, size in rows), self.most)

    def _shrink(self, table: sqlite3.Connection) -> None:
        """Drop what was used longest ago, where there is too much."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (table.execute(f"pragma {name}").fetchone()[0] for name in names)
        left = (pages - free) * size - self.most * KEPT_SHARE
        if (pages - free) * size <= self.most:
            return
        for key, length in table.execute("select key, length(body) from answers order by used").fetchall():
            if left <= 0:
                break
            table.execute("delete from answers where key = ?", (key,))
            left -= length

    def _done(self, what: Callable[[sqlite3.Connection], T]) -> T | None:
        """What an operation gives; None where the file is of no use."""
        if self.is_off:
            return None
        try:
            with self._opened() as table:
                return what(table)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                self._give_up(str(error))
        except sqlite3.DatabaseError as error:
            self._put_aside("broken", f"is damaged ({error})")
        except OSError as error:
            self._give_up(error.strerror or str(error))
        return None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        table = sqlite3.connect(self.path, timeout=WAIT)
        try:
            version = table.execute("pragma user_version").fetchone()[0]
            if version > VERSION:
                table.close()
                self._put_aside("newer", f"is of a later version ({version})")
                table = sqlite3.connect(self.path, timeout=WAIT)
            with table:
                if table.execute("pragma user_version").fetchone()[0] != VERSION:
                    table.execute("drop table if exists answers")
                    table.execute(f"pragma user_version = {VERSION}")
                table.execute(TABLE)
                yield table
        finally:
            table.close()

    def _put_aside(self, word: str, why: str) -> None:
        aside = f"{self.path}.{word}"
        with contextlib.suppress(OSError):
            os.replace(self.path, aside)
            self.say(f"the cache {why}: it was put aside as {aside}, and a new one is begun")

    def _give_up(self, why: str) -> None:
        self.is_off = True
        self.say(f"no answers are kept: {self.path}: {why} (SPMD_CACHE_DIR names another folder, --no-cache does without)")


def _checksum(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + body).digest()
