"""What the device library means: one entry per function, constant and type name.

A float function is opaque to the proofs (equal arguments, equal value); `evaluate` gives the machine
a value for it. Integer min, max and abs are lowered to comparisons, so they are exact everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from automata.scalar import BOOL, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

TYPE_NAMES: dict[str, Scalar] = {
    "uchar": U8, "ushort": U16, "uint": U32, "ulong": U64, "size_t": U64, "ptrdiff_t": I64,
    "int8_t": I8, "int16_t": I16, "int32_t": I32, "int64_t": I64,
    "uint8_t": U8, "uint16_t": U16, "uint32_t": U32, "uint64_t": U64, "intptr_t": I64, "uintptr_t": U64,
}

C_TYPES: dict[tuple[str, ...], Scalar] = {
    ("bool",): BOOL, ("_Bool",): BOOL, ("char",): I8, ("char", "signed"): I8, ("char", "unsigned"): U8,
    ("short",): I16, ("short", "signed"): I16, ("int", "short"): I16, ("int", "short", "signed"): I16,
    ("short", "unsigned"): U16, ("int", "short", "unsigned"): U16,
    ("int",): I32, ("signed",): I32, ("int", "signed"): I32, ("unsigned",): U32, ("int", "unsigned"): U32,
    ("long",): I64, ("int", "long"): I64, ("long", "signed"): I64, ("int", "long", "signed"): I64,
    ("long", "unsigned"): U64, ("int", "long", "unsigned"): U64,
    ("long", "long"): I64, ("int", "long", "long"): I64, ("long", "long", "unsigned"): U64,
    ("int", "long", "long", "unsigned"): U64, ("long", "long", "signed"): I64,
    ("float",): F32, ("double",): F64,
}

UNREAD_TYPES = frozenset(
    [f"{base}{count}" for base in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
     for count in (1, 2, 3, 4, 8, 16)] + ["half", "half2", "__half", "__half2", "__nv_bfloat16", "dim3", "cudaTextureObject_t",
                                          "image2d_t", "image3d_t", "sampler_t", "event_t"])

CONSTANTS: dict[str, tuple[int | float, Scalar]] = {
    "warpSize": (32, I32), "INT_MAX": (I32.high, I32), "INT_MIN": (I32.low, I32), "UINT_MAX": (U32.high, U32),
    "FLT_MAX": (3.4028234663852886e38, F32), "FLT_MIN": (1.1754943508222875e-38, F32),
    "FLT_EPSILON": (1.1920928955078125e-07, F32), "INFINITY": (math.inf, F32), "NAN": (math.nan, F32),
    "M_PI": (math.pi, F64),
}


@dataclass(frozen=True, slots=True)
class Function:
    """A pure float function: canonical name, number of arguments, fixed type (None: its arguments')."""

    name: str
    arity: int
    type: Scalar | None
    evaluate: Callable[..., float]


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    """Python's math raises where IEEE functions return NaN or infinity."""

    def safe(*args: float) -> float:
        try:
            return float(function(*args))
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return safe


def _rsqrt(x: float) -> float:
    return math.inf if x == 0 else 1.0 / math.sqrt(x)


def _log(x: float) -> float:
    return -math.inf if x == 0 else math.log(x)


def _fmin(x: float, y: float) -> float:
    return y if x != x else x if y != y else min(x, y)


def _fmax(x: float, y: float) -> float:
    return y if x != x else x if y != y else max(x, y)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    def rounded(x: float) -> float:
        return float(function(x)) if math.isfinite(x) else x

    return rounded


_PURE: dict[str, tuple[int, Callable[..., Any]]] = {
    "sqrt": (1, math.sqrt), "rsqrt": (1, _rsqrt), "cbrt": (1, math.cbrt), "exp": (1, math.exp), "exp2": (1, math.exp2),
    "expm1": (1, math.expm1), "log": (1, _log), "log2": (1, math.log2), "log10": (1, math.log10),
    "log1p": (1, math.log1p), "sin": (1, math.sin), "cos": (1, math.cos), "tan": (1, math.tan),
    "asin": (1, math.asin), "acos": (1, math.acos), "atan": (1, math.atan), "atan2": (2, math.atan2),
    "sinh": (1, math.sinh), "cosh": (1, math.cosh), "tanh": (1, math.tanh), "erf": (1, math.erf),
    "pow": (2, math.pow), "hypot": (2, math.hypot), "fmod": (2, math.fmod), "copysign": (2, math.copysign),
    "fabs": (1, math.fabs), "floor": (1, _whole(math.floor)), "ceil": (1, _whole(math.ceil)),
    "trunc": (1, _whole(math.trunc)), "rint": (1, _whole(round)), "fmin": (2, _fmin), "fmax": (2, _fmax),
}


def _functions() -> dict[str, Function]:
    table = {}
    for name, (arity, evaluate) in _PURE.items():
        table[name] = Function(name, arity, None, _guarded(evaluate))
        table[name + "f"] = Function(name, arity, F32, _guarded(evaluate))
    for name in ("exp", "log", "sin", "cos", "tan", "pow"):
        arity, evaluate = _PURE[name]
        table[f"__{name}f"] = Function(f"__{name}f", arity, F32, _guarded(evaluate))
        table[f"native_{name}"] = Function(f"native_{name}", arity, F32, _guarded(evaluate))
    return table


FUNCTIONS: dict[str, Function] = _functions()
INTEGER_FUNCTIONS: dict[str, int] = {"min": 2, "max": 2, "abs": 1, "umin": 2, "umax": 2}
BY_NAME: dict[str, Function] = {function.name: function for function in FUNCTIONS.values()}

QUERIES_OPENCL = frozenset({"get_global_id", "get_local_id", "get_group_id", "get_local_size", "get_global_size",
                            "get_num_groups", "get_global_offset"})
