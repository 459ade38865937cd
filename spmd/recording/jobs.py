"""A recording as jobs of a batch: each distinct launch is one, and is asked about once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spmd.batch import Job
from spmd.recording.launches import Reader
from spmd.recording.read import Recorded, read_recording


def jobs_of(path: str, only: int | None, say: Callable[[str], None]) -> list[Job]:
    """The jobs, in the order in which launches were first made. `only`: the launch with this number."""
    return [job for _, job in read_jobs(path, only, say)[1]]


def read_jobs(path: str, only: int | None, say: Callable[[str], None]) -> tuple[Reader, list[tuple[Recorded, Job]]]:
    """The same, each with its launch, and what has read them."""
    recording = read_recording(path)
    for note in recording.notes:
        say(f"{path}: {note}")
    reader = Reader(recording)
    return reader, [(launch, Job(launch.number, record, recording.folder, about=_about(reader, launch)))
                    for launch, record in reader.records() if only in (None, launch.number)]


def _about(reader: Reader, launch: Recorded) -> dict[str, Any]:
    """What a record says of a launch beside its answer."""
    head = reader.head(launch)
    return {"id": head["id"], "kernel": launch.shape.kernel, "launched": {"times": launch.count, "at": head["sites"]}}
