"""A batch of checks in parallel processes; one kernel's trouble costs that kernel alone.

Each worker process takes one record at a time and says which kernel of it comes next. A worker that overruns its time with one is
killed and the kernel is `unknown`; one that dies is a `fault` of that kernel; other kernels of the record are asked for again.
Records come out as soon as they are done. The processes are warm: they load the engines once.
"""

from __future__ import annotations

import multiprocessing
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Protocol

from automata.place import InputError, UnsupportedError
from automata.verdict import Verdict
from spmd.asked import Answer, Question
from spmd.checked import load
from spmd.interruption import Interrupted, is_noticed, notice, undecided
from spmd.pipeline import run_check
from spmd.records.launch import read_record
from spmd.records.result import SCHEMA, check_record

GRACE = 2.0
SEARCH = 10.0
"""Seconds to look for what a launch is proved under."""


@dataclass(frozen=True, slots=True)
class Job:
    """One line of a launches file, or one file of a folder. `record`: the launch record, the InputError that reading it gave, or
    a question that is asked as it is. `skip`: kernels of it that are done;
    `about`: what the records say of a launch beside its answer; `generalises`: threads along each axis, as far as the launch
    leaves open how they are grouped, where the weakest requirement under which it is proved is looked for; `folder`: where
    `base` starts from, if not where the process stands."""

    line: int
    record: Any
    base: Path
    skip: int = 0
    about: dict[str, Any] = field(default_factory=dict)
    generalises: tuple[int, ...] | None = None
    folder: str = ""

    @property
    def id(self) -> str:
        given = self.record.get("id") if isinstance(self.record, dict) else self.about.get("id")
        return str(given) if given is not None else f"line {self.line}"


class Process(Protocol):
    """A process that works."""

    @property
    def exitcode(self) -> int | None: ...
    def is_alive(self) -> bool: ...
    def kill(self) -> None: ...
    def join(self, timeout: float | None = None) -> None: ...


@dataclass
class Worker:
    """A process, the pipe to it, and what it is at."""

    process: Process
    pipe: Connection
    job: Job | None = None
    began: float = 0.0
    kernels: list[str] = field(default_factory=list)

    def take(self, job: Job) -> None:
        self.job, self.began, self.kernels = job, time.monotonic(), []
        self.pipe.send(job)

    def rest(self) -> Job | None:
        """What is left of the job after the kernel that it is at."""
        return replace(self.job, skip=self.job.skip + len(self.kernels)) if self.job and self.kernels else None


def failed_record(job: Job, verdict: str, reason: str, seconds: float = 0.0, kernel: str | None = None) -> dict[str, Any]:
    """A record for a job that gave none of its own."""
    given = job.record if isinstance(job.record, dict) else job.about
    file, named = (value if isinstance(value := given.get(name), str) else None for name in ("file", "kernel"))
    return {**job.about, "schema": SCHEMA, "id": job.id, "file": file, "kernel": kernel or named, "launch": {},
            "verdict": verdict, "reason": reason, "properties": {}, "findings": [], "assumptions": [], "scope": "",
            "writes": 0, "seconds": round(seconds, 4)}


def check_job(job: Job, *, strict: bool, seconds: float | None,
              tell: Callable[[str], None] = lambda kernel: None) -> Iterator[dict[str, Any]]:
    """All records of one job, in this process. Faults of the tool become `fault`. `tell` hears of each kernel that is begun."""
    begun: list[str] = []

    def note(kernel: str) -> None:
        begun.append(kernel)
        tell(kernel)

    try:
        if isinstance(job.record, InputError):
            raise job.record
        is_asked = isinstance(job.record, Question)
        question = job.record if is_asked else read_record(job.record, job.base, strict=strict, seconds=seconds)
        for answer in run_check(question, skip=job.skip, tell=note):
            yield {**job.about, **check_record(answer), "id": job.id, **_generalised(job, answer, strict)}
    except InputError as error:
        yield failed_record(job, "unsupported" if isinstance(error, UnsupportedError) else "invalid", str(error))
    except RecursionError:
        yield failed_record(job, "unsupported", "expressions nested too deeply")
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        yield failed_record(job, "fault", reason, kernel=begun[-1] if begun else None)
        if begun:
            yield from check_job(replace(job, skip=job.skip + len(begun)), strict=strict, seconds=seconds, tell=tell)


def _generalised(job: Job, answer: Answer, strict: bool) -> dict[str, Any]:
    """What a launch was proved under, if that is asked for; in the time that the kernel has left."""
    if job.generalises is None or answer.report.verdict is not Verdict.PROVED:
        return {}
    from automata.budget import Budget
    from automata.rewriting.one_buffer import at_launch
    from spmd.recording.general import generalise
    from spmd.recording.points import points_of

    kernel = at_launch(answer.question.source.kernels()[0].read(), answer.launch, strict=strict)
    limit = answer.question.limit()
    seconds = SEARCH if limit is None else min(SEARCH, limit - answer.seconds - GRACE)
    points = points_of(answer.launch, job.generalises)
    if seconds < 1 or not points:
        return {}
    found = generalise(kernel, answer.launch, answer.report, points, strict=strict, budget=Budget.of(seconds))
    return {} if found is None else {"generalised": {"requires": list(found.requires), "limits": list(found.limits),
                                                     "extents": dict(found.extents), "text": str(found)}}


def serve(pipe: Connection, strict: bool, seconds: float | None) -> None:
    """A worker's life: jobs in, records out (before each the kernel's name), None after each job."""
    while (job := pipe.recv()) is not None:
        for record in check_job(job, strict=strict, seconds=seconds, tell=pipe.send):
            pipe.send(record)
        pipe.send(None)


Serve = Callable[[Connection, bool, "float | None"], None]
Start = Callable[[bool, "float | None"], Worker]


def forked(strict: bool, seconds: float | None, life: Serve = serve) -> Worker:
    """A worker forked from this process."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=life, args=(theirs, strict, seconds), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours)


def run_batch(jobs: list[Job], *, workers: int, seconds: float | None, strict: bool) -> Iterator[dict[str, Any]]:
    """Records of all jobs, in order of completion. `seconds`: time limit per kernel. Interrupted, which names what is left."""
    crew = Crew(max(1, min(workers, len(jobs))), seconds, strict)
    try:
        for said in crew.run(jobs):
            if isinstance(said, dict):
                yield said
    finally:
        crew.close()


class Crew:
    """Some workers, which stay when their jobs are done."""

    def __init__(self, count: int, seconds: float | None, strict: bool, start: Start = forked) -> None:
        self.seconds, self.strict, self.start = seconds, strict, start
        load()
        self.workers = [start(strict, seconds) for _ in range(count)]

    def run(self, jobs: list[Job]) -> Iterator[Any]:
        """What workers say of jobs, records above all, as it comes. Interrupted, which names what is left."""
        waiting = list(reversed(jobs))
        interrupt, count = notice(), 0
        pipes = [interrupt] if interrupt is not None else []
        while waiting or any(worker.job for worker in self.workers):
            for worker in self.workers:
                if worker.job is None and waiting:
                    worker.take(waiting.pop())
            busy = [worker.pipe for worker in self.workers if worker.job]
            wait([*busy, *pipes], timeout=_until_next_deadline(self.workers, self.seconds))
            if is_noticed():
                left = [*(worker.job for worker in self.workers), *reversed(waiting)]
                raise Interrupted(undecided([job.id for job in left if job], count))
            for number, worker in enumerate(self.workers):
                for said in _collect(worker, self.seconds, waiting):
                    count += isinstance(said, dict)
                    yield said
                if not worker.process.is_alive() or worker.process.exitcode is not None:
                    self.workers[number] = self.start(self.strict, self.seconds)

    def close(self) -> None:
        """End them all."""
        for worker in self.workers:
            worker.process.kill()


def _until_next_deadline(crew: list[Worker], seconds: float | None) -> float | None:
    if seconds is None:
        return None
    ends = [worker.began + seconds + GRACE for worker in crew if worker.job]
    return max(0.0, min(ends) - time.monotonic()) if ends else 0.0


def _collect(worker: Worker, seconds: float | None, waiting: list[Job]) -> Iterator[Any]:
    """What a busy worker has to give: records, its end, or its failure; then the rest of its job waits for another."""
    job = worker.job
    if job is None:
        return
    passed = time.monotonic() - worker.began
    try:
        while worker.pipe.poll():
            record = worker.pipe.recv()
            if record is None:
                worker.job = None
                return
            if isinstance(record, str):
                worker.kernels.append(record)
                worker.began, passed = time.monotonic(), 0.0
            else:
                yield record
    except (EOFError, OSError):
        worker.process.join(GRACE)
        yield _given_up(worker, job, "fault", f"the worker process died (exit status {worker.process.exitcode})", passed, waiting)
        return
    if seconds is not None and passed > seconds + GRACE:
        worker.process.kill()
        worker.process.join(GRACE)
        yield _given_up(worker, job, "unknown", f"its time is up: no answer in {seconds:g} s", passed, waiting)


def _given_up(worker: Worker, job: Job, verdict: str, reason: str, passed: float, waiting: list[Job]) -> dict[str, Any]:
    """The record of a kernel whose worker has ended with it."""
    rest = worker.rest()
    if rest is not None:
        waiting.append(rest)
    worker.job = None
    return failed_record(job, verdict, reason, passed, worker.kernels[-1] if worker.kernels else None)
