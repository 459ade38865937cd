"""A batch on executors: threads, processes, a Dask cluster of which a worker is killed; and what workers must not be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from test_diff import ADD

import spmd.cluster
from automata.place import InputError
from spmd.api import batch
from spmd.batch import Job
from spmd.cache.recall import keeping

RACY = "__global__ void racy(int *x, int n) { x[n] = threadIdx.x; }\n"


@pytest.fixture
def records(tmp_path: Path) -> list[dict[str, Any]]:
    """Launches of two kernels, and one of a file that is not there."""
    (tmp_path / "k.cu").write_text(ADD + RACY)
    made = [{"id": f"{name} {at}", "file": "k.cu", "kernel": name, "block": 32 * at, "grid": 2}
            for at in range(1, 4) for name in ("add", "racy")]
    return [*made, {"id": "none", "file": "none.cu"}, {"id": "both", "file": "k.cu"}]


WANTED = {**{f"{name} {at}": verdict for at in range(1, 4) for name, verdict in (("add", "proved"), ("racy", "refuted"))},
          "none": "invalid"}


def found(said: Iterator[dict[str, Any]]) -> dict[str, str]:
    rows = list(said)
    assert sorted(row["verdict"] for row in rows if row["id"] == "both") == ["proved", "refuted"]
    assert len(rows) == len(WANTED) + 2
    return {row["id"]: row["verdict"] for row in rows if row["id"] != "both"}


def test_threads(records: list[dict[str, Any]], tmp_path: Path) -> None:
    """The engines are not made for threads; a warm process of each does the work."""
    with ThreadPoolExecutor(2) as executor:
        assert found(batch(records, folder=str(tmp_path), executor=executor)) == WANTED


@pytest.mark.sliced(2)
def test_processes(records: list[dict[str, Any]], tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as executor:
        assert found(batch(records, folder=str(tmp_path), executor=executor)) == WANTED
    assert found(batch(records, folder=str(tmp_path), jobs=2)) == WANTED


class Counting(Executor):
    """Counts what is sent; of some jobs the machine is lost."""

    def __init__(self, inner: Executor, lost: tuple[str, ...] = (), times: int = 0) -> None:
        self.inner, self.lost, self.times, self.sent = inner, lost, times, list[str]()

    def submit(self, work: Any, /, *args: Any, **options: Any) -> Future[Any]:
        name = args[0].job.id
        self.sent.append(name)
        if name in self.lost and self.sent.count(name) <= self.times:
            future: Future[Any] = Future()
            future.set_exception(ConnectionError("gone"))
            return future
        return self.inner.submit(work, *args, **options)


def test_a_lost_machine_costs_a_retry(records: list[dict[str, Any]], tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as inner:
        executor = Counting(inner, ("add 1", "none"), 2)
        assert found(batch(records, folder=str(tmp_path), executor=executor)) == WANTED
        assert executor.sent.count("add 1") == 3 and executor.sent.count("add 2") == 1
        executor = Counting(inner, ("add 1",), 3)
        lost = found(batch(records, folder=str(tmp_path), executor=executor))
    assert lost == {**WANTED, "add 1": "fault"} and executor.sent.count("add 1") == 3


def test_the_cache_is_asked_before_anything_is_sent(records: list[dict[str, Any]], tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPMD_NO_CACHE")
    monkeypatch.setenv("SPMD_CACHE_DIR", str(tmp_path / "kept"))
    with keeping(True, 0.0, pytest.fail), ThreadPoolExecutor(1) as inner:
        first, second = Counting(inner), Counting(inner)
        assert found(batch(records, folder=str(tmp_path), executor=first)) == WANTED
        assert sorted(first.sent) == sorted({*WANTED, "both"} - {"none"})
        assert found(batch(records, folder=str(tmp_path), executor=second)) == WANTED
        assert second.sent == []
        (tmp_path / "k.cu").write_text(ADD + RACY.replace("x[n]", "x[n + 1]"))
        assert found(batch(records, folder=str(tmp_path), executor=second)) == WANTED
        assert set(second.sent) == {"racy 1", "racy 2", "racy 3", "both"}


def test_a_worker_that_sees_another_file_is_refused(records: list[dict[str, Any]], tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    for name, what, told in (("digest_of", lambda job: "other", "sees another 'k.cu'"),
                             ("tool", lambda: "other", "another version")):
        asked = iter([getattr(spmd.cluster, name)(*([Job(1, records[0], tmp_path)] if name == "digest_of" else []))])
        monkeypatch.setattr(spmd.cluster, name, lambda *args, asked=asked, what=what: next(asked, None) or what(*args))
        with ThreadPoolExecutor(1) as executor, pytest.raises(InputError, match=told):
            list(batch(records[:1], folder=str(tmp_path), executor=executor))
        monkeypatch.undo()


def test_what_a_kernel_does_to_its_process_is_that_kernels_trouble(tmp_path: Path) -> None:
    """One overruns its time, far from this process; the others have their answers."""
    hard = ("__global__ void hard(int *a, long long p, long long q) "  # a race if the number has factors: it has, far from both
            "{ if (p > 1 && q > 1 && p * q == 4611685975477714963LL) a[0] = threadIdx.x; }\n")
    (tmp_path / "k.cu").write_text(hard + ADD)
    with ThreadPoolExecutor(1) as executor:
        rows = list(batch([{"file": "k.cu"}], folder=str(tmp_path), executor=executor, timeout=2))
    assert {row["kernel"]: row["verdict"] for row in rows} == {"hard": "unknown", "add": "proved"}


def test_no_scheduler_and_no_batch(run: Run, tmp_path: Path, records: list[dict[str, Any]]) -> None:
    pytest.importorskip("distributed")
    path = tmp_path / "launches.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    ran = run("check", tmp_path / "k.cu", "--scheduler", "tcp://127.0.0.1:9")
    assert ran.status == 2 and "--launches" in ran.err
    monkey = pytest.MonkeyPatch()
    monkey.setitem(sys.modules, "distributed", None)
    try:
        ran = run("check", "--launches", path, "--scheduler", "tcp://127.0.0.1:9")
    finally:
        monkey.undo()
    assert ran.status == 2 and "spmd-equivalence[dask]" in ran.err


def test_a_cluster_of_which_a_worker_is_killed(tmp_path: Path) -> None:
    """Two workers in processes of their own; one is killed while the batch is under way."""
    pytest.importorskip("distributed")
    (tmp_path / "k.cu").write_text(ADD + RACY)
    lines = [{"id": f"{at}", "file": "k.cu", "kernel": ("add", "racy")[at % 2], "block": 32 + at, "grid": 2} for at in range(24)]
    (tmp_path / "launches.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "SPMD_NO_CACHE": "", "SPMD_CACHE_DIR": str(tmp_path / "kept"),
           "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "20s"}
    address = tmp_path / "address"
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                                  "--no-dashboard", "--scheduler-file", str(address)], env=env, stderr=subprocess.DEVNULL)
    workers = []
    try:
        until(address.exists)
        where = json.loads(address.read_text())["address"]
        workers = [subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", where, "--no-nanny", "--nthreads", "1",
                                     "--no-dashboard", "--local-directory", str(tmp_path / f"worker{at}")], env=env,
                                    stderr=subprocess.DEVNULL, start_new_session=True) for at in range(2)]
        asked = [sys.executable, "-m", "spmd", "check", "--launches", "launches.jsonl", "--scheduler", where, "--format", "jsonl"]
        with subprocess.Popen(asked, cwd=tmp_path, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            first = [process.stdout.readline() for _ in range(3)]  # results stream back while others are open
            assert all(first), process.communicate()
            os.killpg(workers[0].pid, signal.SIGKILL)
            out, err = process.communicate(timeout=200)
        rows = [json.loads(line) for line in [*first, *out.splitlines()]]
        assert {row["id"]: row["verdict"] for row in rows} == {line["id"]: ("proved", "refuted")[int(str(line["id"])) % 2]
                                                               for line in lines}, err
        assert len(rows) == len(lines) and process.returncode == 1
        os.killpg(workers[1].pid, signal.SIGKILL)
        again = subprocess.run(asked, cwd=tmp_path, env=env, text=True, capture_output=True, check=False, timeout=200)
        assert len(again.stdout.splitlines()) == len(lines), again  # kept here: no worker is left
    finally:
        for process in (scheduler, *workers):
            process.kill()
            process.wait()


def until(is_there: Any) -> None:
    for _ in range(600):
        if is_there():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
