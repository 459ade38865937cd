"""Host programs of CUDA on a stand-in driver of the tests' own, which accepts launches and writes down what they were."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from opencl_host import HERE, compiler

WORK = ("-g", "-std=gnu11", "-Wno-unused-parameter")


@cache
def nvcc() -> str:
    """NVIDIA's compiler, if there is one."""
    return shutil.which("nvcc") or next((str(path) for path in Path("/usr/local").glob("cuda*/bin/nvcc")), "")


def needs_nvcc() -> None:
    if not nvcc():
        pytest.skip("no programs of CUDA's runtime: there is no nvcc")


def nvrtc() -> str:
    """NVIDIA's library that compiles while a program runs (package nvidia-cuda-nvrtc), if it is installed."""
    import site

    found = [path for folder in site.getsitepackages() for path in Path(folder).glob("nvidia/*/lib/libnvrtc.so.*")]
    return str(found[0]) if found else ""


def has_gpu() -> bool:
    """Whether there is a GPU of NVIDIA's, with its driver."""
    tool = shutil.which("nvidia-smi")
    return tool is not None and not subprocess.run([tool, "-L"], capture_output=True, check=False).returncode


def built(folder: Path) -> Path:
    """The driver, a library in place of NVRTC, and an application of the driver's interface."""
    if compiler() is None:
        pytest.skip("no C compiler")
    for target, source, *options in (("libcuda.so.1", "cuda_driver.c", "-shared", "-fPIC", "-Wl,-Bsymbolic", "-ldl"),
                                     ("libnvrtc.so", "cuda_nvrtc.c", "-shared", "-fPIC"),
                                     ("host", "cuda_host.c", str(folder / "libcuda.so.1"), "-ldl")):
        subprocess.run([compiler() or "cc", *WORK, "-o", str(folder / target), str(HERE / source), *options], check=True)
    return folder / "host"


def built_for(folder: Path, package: str, pattern: str) -> None:
    """The driver with what a package asks of it; functions that the package names besides say "not supported"."""
    import importlib.util

    found = importlib.util.find_spec(package)
    (library,) = Path(str(found and found.origin)).parent.glob(pattern)
    target, sources = folder / "libcuda.so.1", [str(HERE / "cuda_driver.c"), str(HERE / "cuda_device.c")]
    command = [compiler() or "cc", *WORK, "-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", str(target), *sources, "-ldl"]
    subprocess.run(command, check=True)
    missing = _names(library, "U") - _names(target, "T")
    (folder / "none.c").write_text("".join(f"int {name}(void) {{ return 801; }}\n" for name in sorted(missing)))
    subprocess.run([*command, str(folder / "none.c")], check=True)


def _names(library: Path, kind: str) -> set[str]:
    """The driver's functions that a library has (T) or is in want of (U)."""
    listed = subprocess.run(["nm", "-D", str(library)], capture_output=True, text=True, check=True).stdout
    return {words[-1] for line in listed.splitlines() if (words := line.split())[-2] == kind and words[-1].startswith("cu")}


def with_runtime(folder: Path, *, is_static: bool, real: bool = False, packed: str = "none") -> Path:
    """An application of the runtime, compiled by nvcc, with the stand-in runtime in it or beside it, or NVIDIA's own in it.
    `packed`: how its device code is compressed; nvcc's `speed` is LZ4."""
    built(folder)
    source, target = str(HERE / "cuda_runtime.c"), folder / "app"
    options = ["-gencode", "arch=compute_75,code=compute_75", f"--compress-mode={packed}"]
    options += ["-cudart", "static" if real else "none"]
    if is_static and not real:
        subprocess.run([compiler() or "cc", "-c", "-fPIC", "-o", str(folder / "runtime.o"), source], check=True)
        options.append(str(folder / "runtime.o"))
    elif not real:
        library = str(folder / "libcudart.so.13")
        shared = ("-shared", "-fPIC", "-Wl,-soname,libcudart.so.13")
        subprocess.run([compiler() or "cc", *shared, "-o", library, source, "-ldl"], check=True)
        options += ["-Xlinker", library]
    subprocess.run([nvcc(), "-g", "-o", str(target), str(HERE / "cuda_app.cu"), *options, "-lpthread", "-ldl"], check=True)
    return target


def around(folder: Path, **more: str) -> dict[str, str]:
    """The environment in which an application finds the stand-ins of a folder."""
    own = {"LD_LIBRARY_PATH": str(folder), "NVRTC": str(folder / "libnvrtc.so"), "STANDIN_LOG": str(folder / "log")}
    return {**own, "PATH": os.environ["PATH"], **more}


def launched(folder: Path) -> list[tuple[str, tuple[int, ...]]]:
    """What the driver accepted: symbols with grid, block and shared memory."""
    lines = (folder / "log").read_text().splitlines() if (folder / "log").exists() else []
    return [(name, tuple(map(int, sizes))) for name, *sizes in (line.split() for line in lines)]
