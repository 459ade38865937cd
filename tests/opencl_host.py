"""Host programs in C on PoCL: built with a loader and a header of the tests' own, so that only a C compiler is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pocl
import pytest

HERE = Path(__file__).parent / "recording"


def compiler() -> str | None:
    return next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)


@cache
def driver() -> str:
    """PoCL as a library that a loader may load."""
    import pyopencl

    found = [*Path(pyopencl.__file__).parent.glob(".libs/libpocl*.so*"),
             *Path(pyopencl.__file__).parent.parent.glob("pocl_binary_distribution/.libs/libpocl*.so*"),
             *Path("/usr/lib").glob("*/libpocl.so*")]
    return str(found[0]) if found else ""


def needs_pocl() -> None:
    """Skip where there is no PoCL, no C compiler, or PoCL is not a library that a loader of ours finds."""
    if pocl.missing() or compiler() is None or not driver():
        pytest.skip(f"no host programs on PoCL: {pocl.missing() or 'no C compiler, or no driver'}")
    os.environ["OPENCL_DRIVER"] = driver()


def built(folder: Path, *sources: Path) -> Path:
    """An executable of some sources, with debug information."""
    target, loader = folder / sources[0].stem, folder / "libOpenCL.so"
    command = [compiler() or "cc", "-g", "-std=gnu11", "-I", str(HERE)]
    if not loader.exists():
        subprocess.run([*command, "-shared", "-fPIC", "-o", str(loader), str(HERE / "loader.c"), "-ldl"], check=True)
    libraries = [str(loader), f"-Wl,-rpath,{folder}", "-lpthread", "-lm"]
    subprocess.run([*command, "-o", str(target), *map(str, sources), *libraries], check=True)
    return target
