"""Distinct launches of a recording, solved or covered: one that meets what an earlier one was proved under is not asked about.

In: a recording. Out: a record for each distinct launch, as they are settled. The launches of one kernel are asked about one after
the other, those of several kernels beside each other. What was proved is generalised in the worker that proved it (`general.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.lang.read import Found
from automata.place import InputError
from spmd.batch import Job, run_batch
from spmd.pipeline import choose_launch
from spmd.recording.general import General
from spmd.recording.jobs import read_jobs
from spmd.recording.points import Point, points_of
from spmd.recording.read import Recorded
from spmd.records.launch import read_record
from spmd.records.result import SCHEMA, launch_record

Record = dict[str, Any]
MOST = 3
"""Launches of one kernel that are generalised."""
KEPT = ("file", "kernel", "at", "properties", "assumptions", "writes", "determinism")
"""What a launch that is covered has from the one that covers it."""


@dataclass
class _Group:
    """The launches of one kernel that are left, and what was proved: a requirement with the record of the launch it is from."""

    waiting: list[Job] = field(default_factory=list)
    proved: list[tuple[General, Record]] = field(default_factory=list)


_Key = tuple[object, str]


def _key(job: Job, launch: Recorded) -> _Key:
    """What launches have in common of which one may cover another: the code, and which buffers are one."""
    return launch.shape.code, str(job.record.get("aliases")) if isinstance(job.record, dict) else ""


class Covering:
    """A recording's launches, solved or covered."""

    def __init__(self, path: str, only: int | None, say: Callable[[str], None]) -> None:
        self.reader, found = read_jobs(path, only, say)
        self.launches = {launch.number: launch for launch, _ in found}
        self.keys = {launch.number: _key(job, launch) for launch, job in found}
        self.groups: dict[_Key, _Group] = {}
        for launch, asked in found:
            shape = launch.shape
            job = asked if shape.smaller else replace(asked, generalises=() if shape.total is None else shape.total)
            self.groups.setdefault(self.keys[launch.number], _Group()).waiting.append(job)

    def jobs(self) -> list[Job]:
        """All that there is to settle."""
        return [job for group in self.groups.values() for job in group.waiting]

    def run(self, workers: int, seconds: float | None, strict: bool) -> Iterator[Record]:
        """All records. Of each kernel the first launch that nothing covers is asked about, until none is left."""
        while True:
            wave: list[Job] = []
            for group in self.groups.values():
                yield from self._covered(group)
                for job in group.waiting[:1]:
                    wave.append(job if len(group.proved) < MOST else replace(job, generalises=None))
                del group.waiting[:1]
            if not wave:
                return
            for record in run_batch(wave, workers=workers, seconds=seconds, strict=strict):
                launch = self.launches[int(record["id"])]
                if found := record.get("generalised"):
                    general = General(tuple(found["requires"]), tuple(found["limits"]), found["extents"])
                    self.groups[self.keys[launch.number]].proved.append((general, record))
                yield record

    def _covered(self, group: _Group) -> Iterator[Record]:
        """Records of the launches that are covered; those are taken out."""
        left = []
        for job in group.waiting:
            found = self._cover(job, group) if group.proved else None
            if found is None:
                left.append(job)
            else:
                yield found
        group.waiting = left

    def _cover(self, job: Job, group: _Group) -> Record | None:
        if isinstance(job.record, InputError):
            return None
        launch = self.launches[job.line]
        kernel, at, points = self._points(job, launch)
        for general, record in group.proved:
            if general.covers(kernel, at.extents, points):
                text = f"launch {record['id']} was proved under what this one meets: {general}"
                kept: Record = {key: record[key] for key in KEPT if key in record}
                return {**job.about, "schema": SCHEMA, "id": job.id, **kept, "launch": launch_record(at), "verdict": "proved",
                        "findings": [], "scope": f"all launches that meet: {general}", "evidence": text,
                        "covered": {"by": record["id"], "requirement": str(general)}, "seconds": 0.0}
        return None

    def _points(self, job: Job, launch: Recorded) -> tuple[Kernel, Launch, list[Point]]:
        read = self.reader.read(launch.shape)
        return read.kernel, *points_at(job, read.item, read.kernel, launch.shape.total)


def points_at(job: Job, item: Found, kernel: Kernel, total: tuple[int, ...] | None) -> tuple[Launch, list[Point]]:
    """The launch of a job with extents in Core's elements, and what it may have been."""
    launch = choose_launch(read_record(job.record, job.base), item, kernel)
    return launch, points_of(launch, total)


def counts_told(records: list[Record]) -> str:
    """How many launches were solved, and how many covered."""
    covered = sum("covered" in record for record in records)
    verdicts: dict[str, int] = {}
    for record in records:
        name = "covered" if "covered" in record else record["verdict"]
        verdicts[name] = verdicts.get(name, 0) + 1
    told = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items(), key=lambda pair: -pair[1]))
    return f"{len(records)} launch{'es' * (len(records) != 1)}: {told}; {len(records) - covered} were asked about"
