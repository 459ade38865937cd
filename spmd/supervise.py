"""An interrupt ends a call at once, and never turns an answer.

The work is done in a child process. Solvers put handlers of their own in the place of Python's while they run: one of them takes
an interrupt for "give up this query", and a check would go on with an `unknown` in its place. So the child never sees an
interrupt: it has a process group of its own. The parent loads nothing, waits, and on an interrupt kills the whole group, workers
too. A child that has something decided to write says so, hears of the interrupt through a pipe, and has a moment to write it.
What the child died of is told, so that a crash of native code is a fault of ours and not silence.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from spmd import interruption
from spmd.exit_status import ExitStatus
from spmd.interruption import INTERRUPTED

PR_SET_PDEATHSIG = 1
SAID = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: 143, signal.SIGHUP: 129}
"""By shells' custom: 128 and the number of the signal."""
MOMENT = 0.8
"""Seconds that the child has to write what is decided."""


def supervised(work: Callable[[], None]) -> None:
    """Do `work`, which ends the process that it is in; end with its status. Without `fork` it is done right here."""
    if not hasattr(os, "fork"):
        work()
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, SAID)
    (notice, tell), (heard, ready) = os.pipe(), os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.close(tell)
        os.close(heard)
        interruption.connect(notice, ready)
        _stay_out_of_reach(parent)
        work()
        return
    with contextlib.suppress(OSError):  # the child does the same: whoever comes first
        os.setpgid(child, child)
    os.close(notice)
    os.close(ready)
    for number in SAID:
        signal.signal(number, lambda got, frame: _end(child, got, tell, heard))
    signal.signal(signal.SIGTSTP, lambda got, frame: _pause(child))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SAID)
    _, status = os.waitpid(child, 0)
    _leave(status)


def _stay_out_of_reach(parent: int) -> None:
    """The child's part: a group of its own, in which no interrupt comes; hang-up and the request to end do as ever. On Linux it
    also ends when its parent is killed."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, set(SAID) - {signal.SIGINT})
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:
            os._exit(ExitStatus.FAULT)


def _end(child: int, got: int, tell: int, heard: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever asks twice does not wait
    has_told = got == signal.SIGINT and _has_told(child, tell, heard)
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    if got == signal.SIGINT and not has_told:
        os.write(2, b"\nspmd: interrupted; nothing is said of what was not finished\n")
    os._exit(SAID[signal.Signals(got)])


def _has_told(child: int, tell: int, heard: int) -> bool:
    """Whether the child, if it listens, has written what is decided."""
    if not select.select([heard], [], [], 0)[0] or os.read(heard, 1) != b"l":
        return False
    end = time.monotonic() + MOMENT
    with contextlib.suppress(OSError):
        os.write(tell, b"i")
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.WIFEXITED(status) and os.WEXITSTATUS(status) == INTERRUPTED
            time.sleep(0.01)
    return False


def _pause(child: int) -> None:
    """Ctrl-Z stops the child too; `fg` and `bg` let both go on."""
    os.killpg(child, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    os.killpg(child, signal.SIGCONT)


def _leave(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        why = f"its process was killed (signal {number}{', perhaps for memory' if number == signal.SIGKILL else ''})"
        sys.stderr.write(f"spmd: fault of spmd itself: {why}\n")
        sys.exit(ExitStatus.FAULT)
    sys.exit(os.waitstatus_to_exitcode(status))
