"""The user's time limit, held from outside of whatever runs.

Every long pass looks at the budget by itself and ends with what it has found. Where one does not in time, an alarm of the process
ends the work on this kernel a moment after the limit, so that `--timeout` is kept within a second. It never turns an answer: what
was under way is dropped as a whole.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from automata.budget import Budget

PATIENCE, AGAIN = 0.8, 0.1
"""Seconds after the limit at which the alarm comes, and comes again: where an exception cannot pass, it is lost."""
IMPORTING = "<frozen importlib._bootstrap>"


class TooLateError(BaseException):
    """The time limit was up long ago. No handler of other errors takes it for one of them."""


@contextmanager
def enforced(budget: Budget) -> Iterator[None]:
    """What is done in here ends with TooLateError soon after the user's limit, if there is one and the system has alarms."""
    left = budget.seconds
    if left is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    loads = _loads(sys._getframe())

    def ring(number: int, frame: FrameType | None) -> None:
        """A module that is being loaded is not cut off, for NumPy cannot be loaded again then; the alarm comes again soon."""
        if _loads(frame) == loads:
            raise TooLateError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, left + PATIENCE, AGAIN)
    try:
        yield
    except Exception as error:
        if type(error).__name__ == "ArgumentError" and TooLateError.__name__ in str(error):
            raise TooLateError from error  # ctypes makes an error of its own of one that comes while it looks at arguments
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _loads(frame: FrameType | None) -> int:
    """How many modules are being loaded."""
    count = 0
    while frame is not None:
        count += frame.f_code.co_filename == IMPORTING
        frame = frame.f_back
    return count
