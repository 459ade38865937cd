"""What CUDA devices start at most (CUDA C++ Programming Guide, technical specifications per compute capability)."""

from __future__ import annotations

from math import prod

from automata.lang.core import AXES, Kernel, Quantity
from automata.lang.launch import Launch
from automata.place import InputError

MAX_BLOCK = {"x": 1024, "y": 1024, "z": 64}
MAX_GRID = {"x": 2**31 - 1, "y": 65535, "z": 65535}
MAX_THREADS = 1024
LARGEST_BLOCK = 1 << 16
"""`LARGEST_BLOCK`: how much of a block that no device starts is looked at all the same."""


def check_limit(kernel: Kernel, size: Quantity, axis: str, given: int, limit: int) -> None:
    """A grid beyond the limits is refused; of blocks see `beyond_limits`."""
    most = LARGEST_BLOCK if size is Quantity.BLOCK_DIM else limit
    if kernel.dialect == "cuda" and given > most:
        raise InputError(f"{size.value}.{axis} = {given} is beyond the launch limit of {limit}")


def beyond_limits(kernel: Kernel, launch: Launch) -> str:
    """How a stated block is larger than CUDA devices take, else nothing. Such a launch fails before a thread runs; what the
    kernel would do is answered all the same, for the text may be for other devices."""
    if kernel.dialect != "cuda" or launch.block is None:
        return ""
    known = [(axis, size) for axis, size in zip(AXES, launch.block, strict=False) if isinstance(size, int)]
    for axis, size in known:
        if size > MAX_BLOCK[axis]:
            return f"blockDim.{axis} = {size} is beyond the launch limit of {MAX_BLOCK[axis]}"
    threads = prod(size for _, size in known)
    return f"the block has {threads} threads, beyond the launch limit of {MAX_THREADS}" if threads > MAX_THREADS else ""
