"""An interrupt ends a call within a second, with status 130 and no verdict; no process is left behind; a crash is told."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

from spmd import supervise
from spmd.exit_status import ExitStatus

LONG = """__global__ void k(int *a, int n, int m) {
  for (int i = 0; i < 2000000000; i++) { a[threadIdx.x] = a[threadIdx.x] * 3 + i; __syncthreads(); }
}"""
RUN = ("run", "{}", "--kernel", "k", "--block", "32", "--grid", "1", "--arg", "n=1", "--arg", "m=1")
MOMENTS = [round(random.Random(7).uniform(0.0, 2.5), 2) for _ in range(10)]


def _start(args: tuple[str, ...], path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "spmd", *(arg.format(path) for arg in args)], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _is_over(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def _child_of(process: subprocess.Popen[str]) -> int:
    for _ in range(2000):
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if listed:
            return int(listed[0])
        time.sleep(0.01)
    raise AssertionError("no child")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_ends_it(kernel_file, moment: float) -> None:  # type: ignore[no-untyped-def]
    """While it imports, while it works. Patience is for busy machines; what is asked for is that it ends."""
    with _start(RUN, kernel_file(LONG)) as process:
        _child_of(process)
        time.sleep(moment)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert not out and "Traceback" not in err and process.returncode == supervise.INTERRUPTED


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_nothing_is_left_behind(kernel_file, number: signal.Signals) -> None:  # type: ignore[no-untyped-def]
    with _start(RUN, kernel_file(LONG)) as process:
        child = _child_of(process)
        time.sleep(0.3)
        process.send_signal(number)
        process.communicate(timeout=30)
    assert process.returncode == supervise.SAID.get(number, -number)
    for _ in range(1000):
        if _is_over(child):
            return
        time.sleep(0.01)
    raise AssertionError("the child goes on")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_crash_is_a_fault(kernel_file) -> None:  # type: ignore[no-untyped-def]
    with _start(RUN, kernel_file(LONG)) as process:
        child = _child_of(process)
        time.sleep(0.3)
        os.kill(child, signal.SIGSEGV)
        out, err = process.communicate(timeout=30)
    assert process.returncode == ExitStatus.FAULT and not out and "fault of spmd itself" in err and "signal 11" in err


def test_status_passes_through() -> None:
    command = [sys.executable, "-m", "spmd", "explain", "no-such-rule"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no rule" in done.stderr
