"""A batch on any `concurrent.futures.Executor`: threads, processes, or the machines of a Dask cluster.

    jobs ─▶ kept already? (here, in warm processes) ─▶ executor ─▶ records, as they are done; answers kept here

Each job is one call. Wherever it lands, a warm process beside the executor's own does the work: the engines are not made for
threads, and a kernel that overruns its time or brings its process down costs that kernel alone (`spmd.batch`). What is lost with
a machine is sent again, a few times. Workers have to see the same files under the same paths and run the same version of this
tool; the version and each job's file are compared, for an answer about another text would be a wrong one.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from automata.place import InputError
from spmd.batch import GRACE, Crew, Job, Worker, check_job, failed_record, forked
from spmd.cache.key import tool
from spmd.cache.recall import NotKeptError, ask_alone, is_keeping, keep_elsewhere, take_over
from spmd.diff.crew import processors
from spmd.interruption import Interrupted, is_noticed, notice, undecided

Record = dict[str, Any]
Rows = list[tuple[str, str, bytes, float]]
TRIES = 3
"""How often a job is sent before it counts as one that brings machines down."""
MOST_SENT = 2_000
"""Jobs under way at once."""
LOOK = 0.2
"""Seconds between two looks at whether the user has interrupted."""
UNKEPT = "not kept"


@dataclass(frozen=True, slots=True)
class Sent:
    """A job as a worker gets it. `text`: the digest of its file; `tool`: that of the tool that asks."""

    job: Job
    strict: bool
    seconds: float | None
    text: str
    tool: str


class OtherWorkerError(Exception):
    """A worker that would answer about something else."""


def run_on(executor: Executor, jobs: list[Job], *, seconds: float | None, strict: bool) -> Iterator[Record]:
    """Records of all jobs, in order of completion. `seconds`: time limit per kernel. InputError where workers see other files or
    run another version; Interrupted, which names what is left."""
    interrupt_heard, left, count = notice(), {job.line: job.id for job in jobs}, 0
    under_way: dict[Future[tuple[list[Record], Rows]], tuple[Sent, int]] = {}
    source = _not_kept(jobs, seconds, strict)
    is_more = True
    while is_more or under_way:
        while is_more and len(under_way) < MOST_SENT and not any(future.done() for future in under_way):
            try:
                said = next(source, None)
            except Interrupted:
                break
            is_more = said is not None
            if isinstance(said, dict):
                count += 1
                left.pop(said.pop("line"), None)
                yield said
            elif said is not None:
                said = replace(said, folder=os.getcwd())
                sent = Sent(said, strict, seconds, digest_of(said), tool())
                under_way[executor.submit(answer, sent)] = sent, 1
        is_idle = not is_more or len(under_way) >= MOST_SENT
        done, _ = wait(under_way, timeout=LOOK if under_way and is_idle else 0, return_when=FIRST_COMPLETED)
        if interrupt_heard is not None and is_noticed():
            for future in under_way:
                future.cancel()
            raise Interrupted(undecided(list(left.values()), count))
        for future in done:
            sent, tries = under_way.pop(future)
            again, records = _heard(future, sent, tries)
            if again:
                under_way[executor.submit(answer, sent)] = sent, tries + 1
                continue
            left.pop(sent.job.line, None)
            count += len(records)
            yield from records


def _heard(future: Future[tuple[list[Record], Rows]], sent: Sent, tries: int) -> tuple[bool, list[Record]]:
    """Whether a job has to be sent again, else its records."""
    try:
        records, rows = future.result()
    except OtherWorkerError as error:
        raise InputError(str(error)) from error
    except Exception as error:
        if tries < TRIES:
            return True, []
        why = f"the machine that worked on it was lost, {tries} times ({type(error).__name__})"
        return False, [failed_record(sent.job, "fault", why)]
    take_over(rows)
    return False, records


def digest_of(job: Job) -> str:
    """The digest of a job's file; "" where it has none that can be read."""
    name = job.record.get("file") if isinstance(job.record, dict) else None
    try:
        return hashlib.sha256(Path(job.folder, job.base, name).read_bytes()).hexdigest() if isinstance(name, str) else ""
    except OSError:
        return ""


def _not_kept(jobs: list[Job], seconds: float | None, strict: bool) -> Iterator[Record | Job]:
    """The jobs that have to be sent, and of the others the records that are kept, each with the `line` of its job."""
    if not is_keeping():
        yield from jobs
        return
    by_line, lines = {job.line: job for job in jobs}, {job.id: job.line for job in reversed(jobs)}
    crew = Crew(max(1, min(processors(), len(jobs))), seconds, strict, partial(forked, life=_recall))
    try:
        for said in crew.run(jobs):
            if isinstance(said, dict):
                yield said if "line" in said else {**said, "line": lines.get(said["id"], -1)}
            elif isinstance(said, tuple):
                yield replace(by_line[said[1]], skip=said[2])
    finally:
        crew.close()


def _recall(pipe: Connection, strict: bool, seconds: float | None) -> None:
    """The life of a worker that solves nothing: of a job all records that are kept, or that it is not."""
    ask_alone()
    while (job := pipe.recv()) is not None:
        try:
            for record in list(check_job(job, strict=strict, seconds=seconds, tell=pipe.send)):
                pipe.send({**record, "line": job.line})
        except NotKeptError:
            pipe.send((UNKEPT, job.line, job.skip))
        pipe.send(None)


# -- where the work is done ------------------------------------------------------------------------

_OWN = threading.local()


def answer(sent: Sent) -> tuple[list[Record], Rows]:
    """All records of a job and the answers to keep, from a warm process that belongs to this thread."""
    where = platform.node()
    if sent.tool != tool():
        raise OtherWorkerError(f"the worker on {where} runs another version of spmd, or of what it rests on: install the same")
    if sent.text != digest_of(sent.job):
        raise OtherWorkerError(f"the worker on {where} sees another '{sent.job.record['file']}' in "
                               f"{os.path.normpath(os.path.join(sent.job.folder, sent.job.base))}, or none: "
                               "workers need the same files under the same paths")
    key = sent.strict, sent.seconds
    crew: Crew | None = getattr(_OWN, "crew", None)
    if crew is None or _OWN.key != key:
        if crew is not None:
            crew.close()
        crew = Crew(1, sent.seconds, sent.strict, _apart)
        _OWN.crew, _OWN.key = crew, key
        atexit.register(crew.close)
    records, rows = list[Record](), Rows()
    for said in crew.run([sent.job]):
        if isinstance(said, dict):
            records.append(said)
        else:
            rows += said
    return records, rows


class _Apart:
    """A process that is no child of `multiprocessing`: some executors' workers may have none of those."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    @property
    def exitcode(self) -> int | None:
        return self.process.poll()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(GRACE)

    def join(self, timeout: float | None = None) -> None:
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            return


def _apart(strict: bool, seconds: float | None) -> Worker:
    """A worker in a new process, which ends with this one: its pipe ends."""
    ours, theirs = Pipe()
    code = "import sys; from spmd.cluster import work; work(int(sys.argv[1]))"
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen([sys.executable, "-c", code, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                               stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path})
    theirs.close()
    ours.send((strict, seconds))
    ours.recv()  # what it takes to begin is no kernel's time
    return Worker(_Apart(process), ours)


def work(handle: int) -> None:
    """The life of such a worker: as `spmd.batch.serve`, and before each job is done the answers to keep."""
    pipe = Connection(handle)
    rows = keep_elsewhere()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        strict, seconds = pipe.recv()
        pipe.send(None)
        while (job := pipe.recv()) is not None:
            os.chdir(job.folder)
            for record in check_job(job, strict=strict, seconds=seconds, tell=pipe.send):
                pipe.send(record)
            pipe.send(rows.taken())
            pipe.send(None)
    except (EOFError, OSError):
        return


def _end_with(parent: int) -> None:
    """End this process soon after the one that began it, whatever it is at."""
    while os.getppid() == parent:
        threading.Event().wait(GRACE)
    os._exit(0)


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """The executor of a Dask cluster. InputError where there is none, or where the extra is not installed."""
    try:
        import distributed
    except ImportError as error:
        raise InputError("--scheduler needs Dask: pip install 'spmd-equivalence[dask]'") from error
    try:
        client: Any = distributed.Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(f"--scheduler {address}: no scheduler answers there ({error})") from error
    try:
        executor: Executor = client.get_executor(pure=False)
        yield executor
    finally:
        client.close(timeout=2)
