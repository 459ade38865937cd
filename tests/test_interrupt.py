"""An interrupt ends a call within a second, with status 130 and no verdict; no process is left behind; a crash is told."""

from __future__ import annotations

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT
from sample_repository import git
from test_diff import ADD, commit

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


# -- what is decided is written --------------------------------------------------------------------

QUICK = ADD.replace("add", "quick")
HARD = """
__global__ void hard(int *a, const int *b, int n, int m) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 2000000000; i++) {
        int k = i & 1023;
        if (n > 1 && m > 1 && n < 1000 && m < 1000) a[at * (n * m + 1) + (k * k * n + m * i) % (n * m + 1)] = b[k * n % m] + i;
        __syncthreads();
    }
}"""
"""No conflict and no proof: products of sizes, and a remainder by one."""


def _interrupted(args: list[object], folder: Path, seen: str, env: dict[str, str] | None = None,
                 later: float = 0.0) -> tuple[int, str, str, float]:
    """Run a command, interrupt it `later` seconds after `seen` stands on stderr; status, output, the seconds until it ended."""
    command = [sys.executable, "-m", "spmd", *map(str, args)]
    with subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}) as process:
        assert process.stderr is not None
        told = ""
        while seen not in told:
            line = process.stderr.readline()
            assert line, told
            told += line
        time.sleep(later)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, err = process.communicate(timeout=30)
    return process.returncode, out, told + err, time.monotonic() - began


def test_what_is_decided_is_written_and_kept(tmp_path: Path) -> None:
    """One kernel is decided, one is in work, and one file is not begun."""
    (tmp_path / "k.cu").write_text(QUICK + HARD)
    (tmp_path / "later.cu").write_text(ADD)
    kept = {"SPMD_NO_CACHE": "", "SPMD_CACHE_DIR": str(tmp_path / "kept")}
    asked: list[object] = ["check", "k.cu", "later.cu", "--format", "json", "--timeout", "500"]
    status, out, err, seconds = _interrupted(asked, tmp_path, "checking hard", kept)
    assert status == supervise.INTERRUPTED and seconds < 10
    assert json.loads(out)["kernel"] == "quick" and json.loads(out)["verdict"] == "proved"
    assert "interrupted: 1 decided; not decided: hard (k.cu), later.cu" in err and "Traceback" not in err
    stats = subprocess.run([sys.executable, "-m", "spmd", "cache", "stats", "--format", "json"], cwd=ROOT, text=True,
                           capture_output=True, check=True, env={**os.environ, **kept})
    assert json.loads(stats.stdout)["answers"]["check"] >= 1


def test_a_batch_that_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(QUICK + "".join(HARD.replace("hard", f"hard{at}") for at in range(12)))
    names = ["quick", *(f"hard{at}" for at in range(12))]
    (tmp_path / "launches.jsonl").write_text("".join(
        json.dumps({"id": name, "file": "k.cu", "kernel": name}) + "\n" for name in names))
    asked: list[object] = ["check", "--launches", "launches.jsonl", "--format", "json", "--timeout", "500"]
    status, out, err, _ = _interrupted(asked, tmp_path, "records of 13", later=6)
    assert err.count("records of 13") == 1
    records = found if isinstance(found := json.loads(out), list) else [found]
    assert status == supervise.INTERRUPTED and (records[0]["kernel"], records[0]["verdict"]) == ("quick", "proved")
    left = names[len(records):]
    assert left and f"interrupted: {len(records)} decided; not decided: {', '.join(left[:8])}" in err


def test_a_page_that_is_interrupted(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    (tmp_path / "k.cu").write_text(QUICK + HARD)
    commit(tmp_path)
    asked: list[object] = ["diff", "HEAD~1", "--jobs", "1", "--timeout", "500"]
    status, out, err, _ = _interrupted(asked, tmp_path, "checking quick")
    assert status == supervise.INTERRUPTED, err
    assert "1 unknown, 1 proved" in out and "interrupted before this was decided" in out
    assert "interrupted: 1 decided; not decided: hard" in err


@pytest.mark.sliced(2)
def test_a_budget_decides_the_smallest_first(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    (tmp_path / "k.cu").write_text(HARD + QUICK)
    commit(tmp_path)
    for asked in (["diff", "HEAD~1", "--jobs", "1"], ["check", "k.cu"]):
        command = [sys.executable, "-m", "spmd", *asked, "--budget", "4", "--format", "jsonl"]
        done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False, timeout=100,
                              env={**os.environ, "PYTHONPATH": str(ROOT)})
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found = {row.get("new", row)["kernel"]: row["verdict"] for row in rows if "verdict" in row}
        assert found == {"quick": "proved", "hard": "unknown"} and done.returncode == ExitStatus.UNKNOWN, done


@pytest.mark.skipif(sys.platform != "linux", reason="needs a pseudo-terminal")
def test_the_line_of_a_terminal(tmp_path: Path) -> None:
    """It counts the seconds, and goes away."""
    (tmp_path / "k.cu").write_text(HARD)
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "spmd", "check", "k.cu", "--timeout", "4"], cwd=tmp_path, stdout=subprocess.PIPE,
                          stderr=theirs, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        process.communicate(timeout=100)
    os.close(theirs)
    told = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "\r\x1b[Kchecking hard of k.cu … 2 s" in told and told.endswith("\r\x1b[K"), told
