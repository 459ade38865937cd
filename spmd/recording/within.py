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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from automata.place import InputError
from spmd.cache.recall import folder as cache_folder
from spmd.recording.application import UNCACHED, ended, new_recording
from spmd.recording.library import library

EARLY = {"cupy": "CuPy", "numba.cuda": "Numba", "cuda.bindings": "cuda-python", "torch": "PyTorch"}
"""Packages that look the driver's functions up themselves, when they are loaded or first used."""
ASKS_THE_PROCESS = {"CLESPERANTO_NO_CACHE": "pyclesperanto"}
"""Variables that a package reads beside Python."""
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
    """PyOpenCL and CuPy keep no binaries in between, for those have no text; PyOpenCL asks for its variable when it is loaded.

    They ask Python, so Python alone is told (`_told`). clEsperanto asks the process, whose environment is changed where it is
    installed.
    """
    new = UNCACHED.keys() - os.environ.keys()
    is_told = _told(new)
    loaded = sys.modules.get("pyopencl")
    before = getattr(loaded, PYOPENCL_FLAG, None)
    if before is not None:
        setattr(loaded, PYOPENCL_FLAG, True)
    try:
        yield
    finally:
        if before is not None:
            setattr(loaded, PYOPENCL_FLAG, before)
        for name in new:
            if name in is_told:
                is_told[name].pop(os.fsencode(name), b"")
            else:
                os.environ.pop(name, None)


def _told(names: Iterable[str]) -> dict[str, dict[bytes, bytes]]:
    """Set variables for what Python says of the environment; those of them that the process knows nothing of, with where they
    stand. Another thread, one of the driver's, may read the process's environment at any moment, to start a linker, say: where
    that is changed meanwhile it reads memory that is given back."""
    own = getattr(os.environ, "_data", None)
    found: dict[str, dict[bytes, bytes]] = {}
    for name in names:
        if own is None or (name in ASKS_THE_PROCESS and find_spec(ASKS_THE_PROCESS[name]) is not None):
            os.environ[name] = UNCACHED[name]
        else:
            own[os.fsencode(name)] = os.fsencode(UNCACHED[name])
            found[name] = own
    return found
