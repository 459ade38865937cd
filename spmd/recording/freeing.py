"""Arguments of a recorded launch set free: `spmd check --launches DIR --launch N --arg n=*`, with requirements in their place.

In: a job, the names, requirements. Out: the same job, with a record that says nothing of those arguments. A name is a scalar, a
structure (all its fields), or an array (whose length is free then).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from automata.place import InputError
from spmd.batch import Job


def freed(job: Job, args: Mapping[str, str], requires: Sequence[str]) -> Job:
    """The job with some arguments free. InputError for a name that the launch does not state."""
    for name, value in args.items():
        if value != "*":
            raise InputError(f"--arg {name}={value}: a launch record states its arguments; '--arg {name}=*' sets one free")
    if not (args or requires) or not isinstance(job.record, dict):
        return job
    record = {**job.record, "requires": [*(job.record.get("requires") or ()), *requires]}
    for name in args:
        record |= _without(record, name)
    return replace(job, record=record)


def _without(record: dict[str, Any], name: str) -> dict[str, Any]:
    """The scalars and extents of a record without those of a name."""
    stated = {field: record.get(field) or {} for field in ("args", "extents")}
    kept = {field: {key: value for key, value in given.items() if name not in (key, key.partition(".")[0])}
            for field, given in stated.items()}
    if kept == stated:
        there = ", ".join(key for given in stated.values() for key in given) or "none"
        raise InputError(f"--arg {name}=*: launch {record.get('id', '')} states no such argument; there is: {there}")
    return kept
