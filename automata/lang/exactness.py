"""What every device computes alike, and what it may give in its own way.

Input: the canonical name of a function of the device library. Output: whether IEEE 754 or integer arithmetic fixes its result to
the bit; and if not, whether the machine at least comes near it (`rounded`), makes its value up (`made-up`), or chooses as a
device may (`chosen`).
"""

from __future__ import annotations

import re
from typing import Literal

from automata.lang.core import Binary, Call, Expr, Kernel
from automata.lang.traverse import calls
from automata.scalar import F32, Scalar

Manner = Literal["rounded", "made-up", "chosen"]

ROUNDED = re.compile(r"__[dfh](add|sub|mul|div)_r[nzud]$")
FUSED = re.compile(r"__fmaf?_r[nzud]$")
_CONVERSION = re.compile(r"(float|double|int|uint|ll|ull)2(float|double|int|uint|ll|ull)_r[nzud]$")
_INVENTED = re.compile(r"(random_\w+|address|tile_(?:mix|lane|out))$")
_CHOSEN = frozenset({"tile_owner"})
"""What each device chooses, and the machine as one may."""

_EXACT = """sqrt fabs copysign fmin fmax min max saturated floor ceil trunc round rint nearbyint fmod remainder fdim fma isnan
isinf isfinite signbit isnormal ldexp logb ilogb nextafter lrint lround maxmag sign step popcount clz ffs brev rotate byte_perm
funnelshift_l funnelshift_r hadd rhadd sad usad dp4a mulhi mad_hi add_sat sub_sat mad_sat hiloint2double double2hiint
double2loint"""
PLACE, TIMES = "a register of the device that says where a thread runs, or when", frozenset({"clock()", "clock64()"})
"""What is read of a device that differs from run to run; of a register all threads may read one number."""
EXACT = frozenset(_EXACT.split())
"""Functions whose results IEEE 754 or integer arithmetic fixes to the bit, on every device."""


def is_exact(function: str) -> bool:
    """Whether a number stands for a function's value at numbers, whatever the device."""
    return (function in EXACT or function.removesuffix("f") in EXACT
            or any(pattern.match(function) for pattern in (ROUNDED, FUSED, _CONVERSION)))


def manner(expr: Expr, dialect: str) -> Manner | None:
    """In which way a device may compute this operation otherwise than the machine; None: all compute it alike."""
    match expr:
        case Call(source="", function=function, type=kind):
            return manner_of_call(function, kind, dialect)
        case Binary(op="/", type=kind):
            return manner_of_quotient(kind, dialect)
    return None


def spoken(function: str) -> str:
    """A function whose value is made up, in words; others by their names."""
    return ("random numbers" if function.startswith("random_") else "where objects stand" if function == "address" else
            "products of matrices" if _INVENTED.match(function) else "how tiles are spread over lanes" if function in _CHOSEN else
            function)


def manner_of_call(function: str, kind: Scalar, dialect: str) -> Manner | None:
    """The same of a call, by its function and the type of its result."""
    if function in ("sqrt", "sqrtf"):
        return manner_of_quotient(kind, dialect)
    if is_exact(function):
        return None
    return "chosen" if function in _CHOSEN else "made-up" if _INVENTED.match(function) else "rounded"


def manner_of_quotient(kind: Scalar, dialect: str) -> Manner | None:
    """The same of a quotient or a square root: those of OpenCL's single precision are within some units in the last place (OpenCL
    C 7.4), all others are exact."""
    return "rounded" if kind == F32 and dialect == "opencl" else None


def stands_in(kernel: Kernel) -> bool:
    """Whether the machine computes something else in the place of what a kernel computes: products of matrices."""
    return any(call.function != "address" and not call.function.startswith("random_") and bool(_INVENTED.match(call.function))
               for call in calls(kernel))


def own_ways(kernel: Kernel) -> frozenset[str]:
    """The functions a kernel calls whose values a device may round in its own way."""
    return frozenset(call.function for call in calls(kernel)
                     if not call.source and manner_of_call(call.function, call.type, kernel.dialect) == "rounded")
