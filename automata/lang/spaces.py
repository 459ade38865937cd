"""Where memory lies, who meets whom, and the coordinates of a launch: the words of Core that are no statements."""

from __future__ import annotations

from enum import Enum
from typing import Literal


class Space(Enum):
    """An address space; barriers fence the first two, the third is each thread's own."""

    GLOBAL = "global"
    SHARED = "shared"
    PRIVATE = "private"


FENCED = frozenset({Space.GLOBAL, Space.SHARED})


class Quantity(Enum):
    """A coordinate or size of the launch; the value is its CUDA name."""

    THREAD = "threadIdx"
    BLOCK = "blockIdx"
    BLOCK_DIM = "blockDim"
    GRID_DIM = "gridDim"


Axis = Literal["x", "y", "z"]
AXES: tuple[Axis, Axis, Axis] = ("x", "y", "z")
Scope = Literal["warp", "block", "grid", "device", "system"]

WARP = 32
"""Threads of a warp."""
WIDTHS = (1, 2, 4, 8, 16, 32)
"""Lanes of the parts of a warp that a shuffle may stay within."""
