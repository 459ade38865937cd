"""Applications under `spmd record`, as a process of its own: it runs them in its own terminal, group and descriptors."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from conftest import Run
from test_formats import RECORDS

from spmd.recording.launches import Reader
from spmd.recording.read import Recording

SPMD = Path(sys.executable).parent / "spmd"


def record(cache: Path, target: Path, *command: object, env: dict[str, str] | None = None,
           options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(SPMD), "record", "-o", str(target), *options, "--", *map(str, command)], capture_output=True,
                          text=True, check=False, timeout=120, env={**os.environ, "SPMD_CACHE_DIR": str(cache), **(env or {})})


def told(recording: Recording) -> list[tuple[Any, ...]]:
    """Each distinct launch: kernel, how often, global and local size, scalars."""
    reader = Reader(recording)
    return [(launch.shape.kernel, launch.count, launch.shape.total, launch.shape.block, reader.values(launch))
            for launch in recording.launches]


def checks(run: Run, *args: object) -> list[dict[str, Any]]:
    """The records of `spmd check` of a recording, each as the schema says, with no field beside it."""
    found = run("check", *args, "--format", "jsonl").records
    for record in found:
        RECORDS.evolve(schema=RECORDS.schema | {"anyOf": [{"$ref": "#/$defs/check"}]}).validate(record)
    return found


def spent() -> tuple[float, float]:
    """Seconds on the clock, and of children's processor time: the less is what a call costs on a machine that others use too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime
