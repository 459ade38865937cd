"""PoCL as an oracle: OpenCL kernels compiled by a real compiler and run on this machine's processor.

A kernel is handed over as its source text, so everything from the preprocessor on is the other side's own. Only
where arguments lie in memory is worked out here: each parameter is an image of bytes that Core's arrays and
scalars, whole or split into fields, are views of.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from automata.lang.core import Kernel, Space
from automata.lang.read import Found
from automata.lang.types import ArrayOf, Pointer, Record, Type, Vector, offset_of, size_of
from automata.scalar import BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

PLATFORM = "Portable Computing Language"
PREAMBLE = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n#line 1\n"
OPTIONS = ("-w", "-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt")
DTYPES: dict[Scalar, np.dtype[Any]] = {kind: np.dtype(name) for kind, name in (
    (BOOL, "bool"), (I8, "i1"), (U8, "u1"), (I16, "i2"), (U16, "u2"), (I32, "i4"), (U32, "u4"), (I64, "i8"), (U64, "u8"),
    (F16, "f2"), (F32, "f4"), (F64, "f8"))}
Triple = tuple[int, int, int]


@cache
def missing() -> str:
    """Why there is no PoCL here; empty when it compiles and runs a kernel.

    Tried in a process of its own: a PoCL without its linker or for another processor ends the process.
    """
    if shutil.which("ld") is None:
        return "no 'ld', which PoCL links kernels with (apt package binutils)"
    if "POCL_CACHE_DIR" not in os.environ:
        os.environ["POCL_CACHE_DIR"] = tempfile.mkdtemp(prefix="pocl-")
        atexit.register(shutil.rmtree, os.environ["POCL_CACHE_DIR"], ignore_errors=True)
    said = _tried()
    return said if not said or not _told_processor() else _tried()


def _tried() -> str:
    """What goes wrong when a process of its own runs a kernel; empty where nothing does."""
    code = "import pocl; pocl.probe()"
    try:
        tried = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True,
                               check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return "PoCL does not come to an end"
    lines = tried.stderr.strip().splitlines()
    last = next((line for line in lines if line.startswith("error:")), lines[-1] if lines else "nothing said")
    return "" if tried.returncode == 0 else f"PoCL does not run a kernel: {last}"


def libraries() -> list[Path]:
    """PoCL, as PyOpenCL's package brings it or as the system has it."""
    import pyopencl

    package = Path(pyopencl.__file__).parent
    return [*package.glob(".libs/libpocl*.so*"), *package.parent.glob("pocl_binary_distribution/.libs/libpocl*.so*"),
            *Path("/usr/lib").glob("*/libpocl.so*")]


def _told_processor() -> bool:
    """Put a library before PoCL that names a processor it knows (`pocl.c`), for this process and those that it starts.

    False where that is not possible: no PoCL, no C compiler, or the caller has chosen the implementations."""
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if compiler is None or not libraries() or "OCL_ICD_VENDORS" in os.environ:
        return False
    folder = Path(tempfile.mkdtemp(prefix="pocl-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    front = folder / "pocl.so"
    source = Path(__file__).parent / "pocl.c"
    if subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", front, source, "-ldl"], check=False).returncode:
        return False
    (folder / "pocl.icd").write_text(f"{front}\n")
    os.environ.update(OCL_ICD_VENDORS=f"{folder}/", POCL_LIBRARY=str(libraries()[0]))
    return True


def driver() -> str:
    """The library that a loader may load for PoCL: the one before it, where there is one; empty where there is none."""
    front = Path(os.environ.get("OCL_ICD_VENDORS", ""), "pocl.so")
    return str(front if front.is_file() else next(iter(libraries()), ""))


def probe() -> None:
    """Compile and run one kernel."""
    import pyopencl

    context, queue = _device()
    program = pyopencl.Program(context, "__kernel void k(__global int *o) { o[get_global_id(0)] = 7; }").build()
    result = np.zeros(4, np.int32)
    buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=result)
    program.k(queue, (4,), (2,), buffer)
    pyopencl.enqueue_copy(queue, result, buffer)
    assert result.tolist() == [7] * 4


@cache
def _device() -> tuple[Any, Any]:
    """A context and queue on PoCL's processor device."""
    import pyopencl

    found = [platform for platform in pyopencl.get_platforms() if platform.name == PLATFORM]
    if not found:
        raise LookupError(f"no OpenCL platform called '{PLATFORM}'")
    context = pyopencl.Context(max(found, key=lambda platform: platform.version).get_devices())
    return context, pyopencl.CommandQueue(context)


@cache
def _compiled(source: str, folder: str) -> Any:
    import pyopencl

    return pyopencl.Program(_device()[0], PREAMBLE + source).build([*OPTIONS, "-I", folder], cache_dir=False)


def run(found: Found, kernel: Kernel, grid: Triple, block: Triple, scalars: Mapping[str, int | float],
        arrays: Mapping[str, np.ndarray], extents: Mapping[str, int]) -> dict[str, np.ndarray]:
    """The contents of the arrays after a launch; `extents`: elements of the local arrays that are parameters."""
    import pyopencl

    context, queue = _device()
    code = pyopencl.Kernel(_compiled(found.original, str(Path(found.path).resolve().parent)), found.name)
    images, buffers = {}, {}
    for number, variable in enumerate(found.program().kernel.params):
        name, kind = variable.name, variable.type
        if not isinstance(kind, Pointer):
            code.set_arg(number, value_image(name, kind, kernel, scalars).tobytes())
        elif kind.space is Space.SHARED:
            code.set_arg(number, pyopencl.LocalMemory(extents[name] * kernel.array(name).element.bytes))
        else:
            images[name] = memory_image(name, kind.to, arrays)
            flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
            buffers[name] = pyopencl.Buffer(context, flags, hostbuf=images[name])
            code.set_arg(number, buffers[name])
    pyopencl.enqueue_nd_range_kernel(queue, code, tuple(a * b for a, b in zip(grid, block, strict=True)), block)
    after = {}
    for name, variable in ((variable.name, variable) for variable in found.program().kernel.params if variable.name in images):
        pyopencl.enqueue_copy(queue, images[name], buffers[name])
        assert isinstance(variable.type, Pointer)
        after.update(contents(name, variable.type.to, images[name], arrays))
    return after


def memory_image(name: str, kind: Type, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The bytes behind a pointer parameter: its array, or records whose fields are arrays `name.field`."""
    if name in arrays:
        return arrays[name].view(np.uint8).copy()
    fields = {key: array for key, array in arrays.items() if key.startswith(f"{name}.")}
    shapes = {key: _leaf(kind, key.removeprefix(f"{name}."))[2] for key in fields}
    records = max((len(fields[key]) // prod(shapes[key]) for key in fields), default=16)
    image = np.zeros(records * size_of(kind), np.uint8)
    for key, array in fields.items():
        view = _view(image, kind, key.removeprefix(f"{name}."), array.dtype)
        view[...] = array.reshape(view.shape)
    return image


def contents(name: str, kind: Type, image: np.ndarray, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What `memory_image` put together, taken apart again."""
    if name in arrays:
        return {name: image.view(arrays[name].dtype)}
    return {key: _view(image, kind, key.removeprefix(f"{name}."), array.dtype).copy().reshape(-1)
            for key, array in arrays.items() if key.startswith(f"{name}.")}


def value_image(name: str, kind: Type, kernel: Kernel, scalars: Mapping[str, int | float]) -> np.ndarray:
    """The bytes of a parameter passed by value: the scalar, or a record or vector whose parts are scalars `name.part`."""
    image = np.zeros(size_of(kind), np.uint8)
    for param in kernel.params:
        if param.name == name:
            image.view(DTYPES[param.type])[0] = scalars[name]
        elif param.name.startswith(f"{name}."):
            _view(image, kind, param.name.removeprefix(f"{name}."), DTYPES[param.type])[...] = scalars[param.name]
    return image


def _view(image: np.ndarray, kind: Type, path: str, dtype: np.dtype[Any]) -> np.ndarray:
    """One field of all records of an image; the arrays on its path are dimensions."""
    offset, strides, shape = _leaf(kind, path)
    size = size_of(kind)
    return np.ndarray((len(image) // size, *shape), dtype, image, offset, (size, *strides))


def _leaf(kind: Type, path: str) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Where a path of fields and components lies in a type: offset in bytes, strides and counts of arrays on the way."""
    offset, strides, shape = 0, [], []
    for part in path.split("."):
        if isinstance(kind, Record):
            offset += offset_of(kind, part)
            field = kind.field(part)
            assert field is not None
            kind = field.type
        else:
            assert isinstance(kind, Vector), (kind, part)
            offset += kind.element.bytes * ("xyzw".index(part) if part in "xyzw" else int(part.removeprefix("s"), 16))
            kind = kind.element
        while isinstance(kind, ArrayOf):
            assert kind.count is not None
            kind, count = kind.element, kind.count
            strides.append(size_of(kind))
            shape.append(count)
    return offset, tuple(strides), tuple(shape)
