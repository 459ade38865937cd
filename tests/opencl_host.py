"""Host programs in C on OpenCL for processors: built with a loader and a header of the tests' own, so that only a C compiler is
needed."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pocl
import pytest

HERE = Path(__file__).parent / "recording"


def compiler() -> str | None:
    return next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)


@cache
def driver() -> str:
    """An implementation of OpenCL as a library that a loader may load: PoCL, or where that builds no kernel for this processor,
    Intel's for processors (packages intel-opencl-rt and intel-cmplr-lib-rt); empty where there is none that runs a kernel."""
    if not pocl.missing():
        return pocl.driver()
    intel = Path(sys.prefix) / "lib" / "libintelocl.so"
    return str(intel) if intel.exists() and _runs(intel) else ""


def _runs(library: Path) -> bool:
    """Whether an implementation runs a kernel; from then on PyOpenCL finds it first."""
    _first(library)
    code = "import pocl, pyopencl; pocl.PLATFORM = pyopencl.get_platforms()[0].name; pocl.probe()"
    tried = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, check=False)
    return tried.returncode == 0


def _first(library: Path) -> None:
    """Let the loaders that packages bring along find an implementation, and no other."""
    folder = Path(tempfile.mkdtemp(prefix="icd-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "one.icd").write_text(f"{library}\n")
    os.environ["OCL_ICD_VENDORS"] = f"{folder}/"


def needs_opencl() -> None:
    """Skip where there is no OpenCL that runs a kernel, no C compiler, or no library of it that a loader of ours finds."""
    if compiler() is None or not driver():
        pytest.skip(f"no host programs of OpenCL: {pocl.missing() or 'no C compiler, or no driver'}")
    os.environ["OPENCL_DRIVER"] = driver()
    if "OCL_ICD_VENDORS" not in os.environ:
        _first(Path(driver()))


def built(folder: Path, *sources: Path) -> Path:
    """An executable of some sources, with debug information."""
    target, loader = folder / sources[0].stem, folder / "libOpenCL.so"
    command = [compiler() or "cc", "-g", "-std=gnu11", "-I", str(HERE)]
    if not loader.exists():
        subprocess.run([*command, "-shared", "-fPIC", "-o", str(loader), str(HERE / "loader.c"), "-ldl"], check=True)
    libraries = [str(loader), f"-Wl,-rpath,{folder}", "-lpthread", "-lm"]
    subprocess.run([*command, "-o", str(target), *map(str, sources), *libraries], check=True)
    return target
