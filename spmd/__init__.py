"""spmd: is a GPU kernel deterministic, and does its optimised version compute the same output?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

__version__ = "0.1.0"


def record(folder: str = "recording", *, add: bool = False, sources: Iterable[str] = ()) -> AbstractContextManager[str]:
    """Record every kernel that this process launches in a `with` block, into a folder, as the command `spmd record` does:

        with spmd.record("run1"):
            program.scale(queue, (1024,), (64,), buffer, numpy.float32(2))

    `add`: to the recording that is there; `sources`: .cu files, or folders of them, for kernels whose text the process does not
    tell. InputError (of spmd.api) where the folder holds something else, or this process cannot be recorded."""
    from spmd.recording.within import recording

    return recording(folder, is_adding=add, sources=tuple(sources))
