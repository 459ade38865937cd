"""What Core's pure functions compute: every opaque function of the device library, on NumPy arrays.

One idea: a table from the canonical name of a function to its meaning on whole arrays, so that all threads of a
launch are computed at once. Images and textures, whose contents no argument holds, have no row, nor have functions
of the launch. Adding a function is adding a row to `REAL`, `FLOAT` or `INTEGER`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.builtins import BY_NAME
from automata.machine.numbers.float_functions import FLOAT
from automata.machine.numbers.integer_functions import INTEGER
from automata.machine.numbers.packed import PACKED
from automata.machine.numbers.rounding import Meaning
from automata.scalar import Scalar

SAME = {"__fdividef": "divide", "__tan": "tan", "__exp10": "exp10", "__log2": "log2", "__log10": "log10", "__frsqrt_rn": "rsqrt",
        "__powf": "powr", "native_powr": "powr", "half_powr": "powr", "min": "fmin", "max": "fmax",
        **{f"both_{name}": name for name in ("sin", "cos", "sinpi", "cospi")},
        **{f"h{name}": name for name in ("exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sin", "cos", "tanh")},
        **{f"native_{name}": name for name in ("recip", "divide", "sqrt", "rsqrt", "exp2", "log2")},
        **{f"{name}_approx{ftz}": exact for ftz in ("", "_ftz") for name, exact in (
            ("ex2", "exp2"), ("lg2", "log2"), ("rcp", "recip"), ("rsqrt", "rsqrt"), ("sqrt", "sqrt"), ("sin", "sin"),
            ("cos", "cos"), ("tanh", "tanh"))},
        **{f"half_{name}": name for name in ("sqrt", "rsqrt", "exp", "log", "sin", "cos", "recip")}}
"""Functions that a device may compute in a way of their own, and whose values they are near to: here the exact function, but for
what is known of them to be otherwise (`FLOAT`). A power
by logarithms is none of a negative number; `min` and `max` of floats are those of OpenCL, which leaves NaN open; `both_` are
the functions of sincos, `h` those of half precision."""


def _table() -> dict[str, Meaning]:
    table = {**FLOAT, **INTEGER, **PACKED}
    for function in BY_NAME:
        stem = function.removeprefix("__").removeprefix("native_")
        table[function] = table[stem if stem in table else stem.removesuffix("f")]
    for name, exact in SAME.items():
        table[name] = FLOAT.get(name, table[exact])
    return table


_TABLE = _table()


def is_known(function: str) -> bool:
    """Whether `evaluate` gives a function of this canonical name a value."""
    return function in _TABLE


def evaluate(function: str, args: Sequence[npt.NDArray[Any] | np.generic], result: Scalar,
             kinds: Sequence[Scalar]) -> npt.NDArray[Any] | np.generic:
    """The values of a function for arguments of types `kinds`, in the array type of `result` (`rounding.DTYPES`).

    Arguments are arrays of one shape or single values, which are the same for all; single values alone give one.
    """
    with np.errstate(all="ignore"):
        arrays = [np.ascontiguousarray(arg) for arg in np.broadcast_arrays(*(np.atleast_1d(arg) for arg in args))]
        value = _TABLE[function](arrays, result, kinds)
    if any(np.ndim(arg) for arg in args):
        return value
    single: np.generic = value[0]
    return single
