"""What is in work, on one line of a terminal that is rewritten, or on lines that stay.

A line appears when a piece of work has taken a second. On a terminal it counts the seconds and goes away when the piece is done,
so that results stand alone; elsewhere it is written once, and one that only counts not more often than every half minute.
"""

from __future__ import annotations

import shutil
import threading
import time
from typing import TextIO

FIRST, AGAIN = 1.0, 0.5
"""Seconds until a line appears, and between two looks at it."""
SELDOM = 30.0
"""Seconds between two lines that stay and only count."""
CLEAR = "\r\x1b[K"


class Line:
    """The line of one call."""

    def __init__(self, stream: TextIO, *, counts: bool = False) -> None:
        """`counts`: the pieces differ in a number alone."""
        self.stream, self.lives, self.counts = stream, stream.isatty(), counts
        self.last = float("-inf")
        self.piece, self.began, self.is_shown = "", 0.0, False
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None

    def begin(self, piece: str) -> None:
        """Another piece of work is begun; "": all is done."""
        with self.lock:
            if piece == self.piece and piece:
                return
            self._stop()
            self.piece, self.began = piece, time.monotonic()
            if piece:
                self._later(FIRST)

    def _stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.is_shown and self.lives:
            self.stream.write(CLEAR)
            self.stream.flush()
        self.timer, self.is_shown = None, False

    def _later(self, seconds: float) -> None:
        self.timer = threading.Timer(seconds, self._show, [self.piece, self.began])
        self.timer.daemon = True
        self.timer.start()

    def _show(self, piece: str, began: float) -> None:
        with self.lock:
            if (piece, began) != (self.piece, self.began):
                return
            self.is_shown = True
            if not self.lives:
                if self.counts and time.monotonic() - self.last < SELDOM:
                    return
                self.last = time.monotonic()
                self.stream.write(f"{piece} …\n")
            else:
                text = f"{piece} … {time.monotonic() - began:.0f} s"
                self.stream.write(CLEAR + text[:max(shutil.get_terminal_size().columns - 1, 20)])
                self._later(AGAIN)
            self.stream.flush()
