"""A GPU of NVIDIA's by its driver's library: modules, memory, launches. Nothing but NumPy is needed beside the driver.

A launch is data: `Step`. A fault of the device ends the context, and all that comes after it fails: whoever runs many launches
runs them in processes that may die (`running.py`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gpu.modules import Compiler, symbol

PAD = 16384
"""Bytes before and behind each array, which nobody may write."""
BYTE = 0xA5
_DYNAMIC, _MAJOR, _MINOR = 8, 75, 76
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…"""
Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class NoGPU(Exception):
    """There is no driver, or no GPU."""


class Fault(Exception):
    """The driver refused something, or the device faulted."""


@dataclass(frozen=True)
class Step:
    """One launch. `args`: for each parameter `["array", name]` or `["bytes", hex]`; `shared`: dynamic shared memory, bytes."""

    module: str
    kernel: str
    grid: Sequence[int]
    block: Sequence[int]
    args: Sequence[Sequence[str]]
    shared: int = 0
    meets: bool = False


def architecture() -> str:
    """That of the first GPU, as nvcc names it. NoGPU where there is none."""
    driver, found = _driver(), []
    for attribute in (_MAJOR, _MINOR):
        number = ctypes.c_int()
        driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, 0)
        found.append(number.value)
    return f"sm_{found[0]}{found[1]}"


def _driver() -> ctypes.CDLL:
    """The driver with a GPU. NoGPU where one is missing."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise NoGPU(f"there is no driver of NVIDIA's here ({error}): run this on a machine with a GPU") from None
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(ctypes.c_int()), 0):
        raise NoGPU("the driver sees no GPU: run this on a machine with one")
    return driver


@dataclass
class Device:
    """The first GPU, with its modules loaded once."""

    compiler: Compiler
    modules: dict[str, ctypes.c_void_p] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.driver, self.number, context = _driver(), ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(self.number), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.number)
        self.call("cuCtxSetCurrent", context)

    def call(self, name: str, *args: Any) -> None:
        code = getattr(self.driver, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(code, ctypes.byref(text))
            raise Fault(f"{name}: {(text.value or b'?').decode()}")

    def name(self) -> str:
        text = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", text, 100, self.number)
        name: str = text.value.decode()
        return name

    def version(self) -> int:
        """The driver's version of CUDA: 13000 is 13.0."""
        found = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(found))
        return found.value

    def function(self, step: Step) -> ctypes.c_void_p:
        if step.module not in self.modules:
            module = ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), self.compiler.path(step.module).read_bytes())
            self.modules[step.module] = module
        found = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(found), self.modules[step.module], self.symbol(step).encode())
        return found

    def symbol(self, step: Step) -> str:
        try:
            return symbol(self.compiler.path(step.module), step.kernel)
        except LookupError as error:
            raise Fault(str(error)) from None

    def forget(self) -> None:
        for module in self.modules.values():
            self.call("cuModuleUnload", module)
        self.modules.clear()

    def run(self, steps: Sequence[Step], arrays: dict[str, Bytes]) -> dict[str, Bytes]:
        """What the arrays hold after some launches, each on what the one before left. Fault where anything is written outside."""
        for name, content in arrays.items():
            self.put(name, content)
        for step in steps:
            if all(step.grid) and all(step.block):
                self.launch(step)
        self.call("cuCtxSynchronize")
        return {name: self.get(name) for name in arrays}

    def put(self, name: str, content: Bytes) -> None:
        whole = np.full(content.size + 2 * PAD, BYTE, np.uint8)
        whole[PAD:PAD + content.size] = content
        place, size = self.places.get(name, (0, 0))
        if size < whole.size:
            if place:
                self.call("cuMemFree_v2", ctypes.c_uint64(place))
            found = ctypes.c_uint64()
            size = 2 * whole.size
            self.call("cuMemAlloc_v2", ctypes.byref(found), ctypes.c_size_t(size))
            place = found.value
        self.places[name] = place, size
        self.held[name] = content.size
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(place), ctypes.c_void_p(whole.ctypes.data), ctypes.c_size_t(whole.size))

    def get(self, name: str) -> Bytes:
        size = self.held[name]
        whole = np.empty(size + 2 * PAD, np.uint8)
        place = ctypes.c_uint64(self.places[name][0])
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(whole.ctypes.data), place, ctypes.c_size_t(whole.size))
        if (whole[:PAD] != BYTE).any() or (whole[PAD + size:] != BYTE).any():
            raise Fault(f"{name} is written outside of its {size} bytes")
        return whole[PAD:PAD + size].copy()

    def launch(self, step: Step) -> None:
        function = self.function(step)
        if step.shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, _DYNAMIC, step.shared)
        kept = [ctypes.create_string_buffer(self._passed(kind, value)) for kind, value in step.args]
        pointers = (ctypes.c_void_p * max(1, len(kept)))(*(ctypes.addressof(each) for each in kept))
        sizes = [ctypes.c_uint(size) for size in (*step.grid, *step.block, step.shared)]
        how = "cuLaunchCooperativeKernel" if step.meets else "cuLaunchKernel"
        self.call(how, function, *sizes, None, pointers, *(() if step.meets else (None,)))

    def _passed(self, kind: str, value: str) -> bytes:
        return (self.places[value][0] + PAD).to_bytes(8, "little") if kind == "array" else bytes.fromhex(value)
