"""A part of a running Python process recorded: `with spmd.record("run1"): …`.

In: a folder. Out: a recording in it, of every launch that this process makes in between, as `spmd record` writes it. The library
that records is loaded into the process, and takes the place of the functions that loaded libraries call (`native/within.c`). It
stays loaded, and lets everything pass, when the recording has ended.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from automata.place import InputError
from spmd.cache.recall import folder as cache_folder
from spmd.recording.application import UNCACHED, ended, new_recording
from spmd.recording.library import library

EARLY = {"cupy": "CuPy", "numba.cuda": "Numba", "cuda.bindings": "cuda-python", "torch": "PyTorch"}
"""Packages that look the driver's functions up themselves, when they are loaded or first used."""
PYOPENCL_FLAG = "_PYOPENCL_NO_CACHE"


@contextmanager
def recording(folder: str, *, is_adding: bool, sources: tuple[str, ...]) -> Iterator[str]:
    """Record what this process launches. InputError where it cannot be recorded, or is already."""
    if os.environ.get("SPMD_RECORDING"):
        raise InputError("this process runs under 'spmd record', which records all of it")
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise InputError("a part of a process is recorded on Linux on x86-64; 'spmd record -- python SCRIPT' records all of it")
    early = [name for module, name in EARLY.items() if module in sys.modules]
    if early:
        warnings.warn(f"{', '.join(early)} was imported before the recording begins: launches through functions of CUDA that are "
                      "looked up by now are not seen; import it inside, or run 'spmd record -- python SCRIPT'", stacklevel=4)
    recorder = ctypes.CDLL(str(library(cache_folder())))
    target = new_recording(folder, sys.argv, is_adding=is_adding)
    if sources:
        from spmd.recording.given import add_sources

        add_sources(str(target), sources)
    if not recorder.spmd_recording_begin(os.fsencode(target)):
        raise InputError(f"'{folder}' cannot be recorded into: this process is recorded already, or the name is too long")
    try:
        with _uncached():
            yield str(target)
    finally:
        recorder.spmd_recording_end()
        ended(target, 0)


@contextmanager
def _uncached() -> Iterator[None]:
    """PyOpenCL and CuPy keep no binaries in between, for those have no text; PyOpenCL asks for its variable when it is loaded."""
    stated = {name for name in UNCACHED if name in os.environ}
    os.environ.update({name: value for name, value in UNCACHED.items() if name not in stated})
    loaded = sys.modules.get("pyopencl")
    before = getattr(loaded, PYOPENCL_FLAG, None)
    if before is not None:
        setattr(loaded, PYOPENCL_FLAG, True)
    try:
        yield
    finally:
        if before is not None:
            setattr(loaded, PYOPENCL_FLAG, before)
        for name in UNCACHED.keys() - stated:
            os.environ.pop(name, None)
