"""What is in work, on one line of a terminal that is rewritten, or on lines that stay.

A line appears when a piece of work has taken a second. On a terminal it counts the seconds and goes away when the piece is done,
so that results stand alone; elsewhere it is written once.
"""

from __future__ import annotations

import shutil
import threading
import time
from typing import TextIO

FIRST, AGAIN = 1.0, 0.5
"""Seconds until a line appears, and between two looks at it."""
CLEAR = "\r\x1b[K"


class Line:
    """The line of one call."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.lives = stream, stream.isatty()
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
                self.stream.write(f"{piece} …\n")
            else:
                text = f"{piece} … {time.monotonic() - began:.0f} s"
                self.stream.write(CLEAR + text[:max(shutil.get_terminal_size().columns - 1, 20)])
                self._later(AGAIN)
            self.stream.flush()
