"""What the device library means: one entry per function, constant and type name.

A float function is opaque to the proofs (equal arguments, equal value); `evaluate` gives the machine
a value for it. Integer min, max and abs are lowered to comparisons, so they are exact everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from automata.scalar import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

TYPE_NAMES: dict[str, Scalar] = {
    "uchar": U8, "ushort": U16, "uint": U32, "ulong": U64, "size_t": U64, "ptrdiff_t": I64,
    "int8_t": I8, "int16_t": I16, "int32_t": I32, "int64_t": I64,
    "half": F16, "__half": F16, "__nv_bfloat16": BF16, "__int32_t": I32, "uchar1": U8,
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

OPAQUE_TYPES = frozenset({"image1d_t", "image2d_t", "image3d_t", "image2d_array_t", "image1d_array_t", "image1d_buffer_t",
                          "sampler_t", "event_t", "cudaTextureObject_t", "cudaSurfaceObject_t", "cudaStream_t"})

CONSTANTS: dict[str, tuple[int | float, Scalar]] = {
    "warpSize": (32, I32), "INT_MAX": (I32.high, I32), "INT_MIN": (I32.low, I32), "UINT_MAX": (U32.high, U32),
    "FLT_MAX": (3.4028234663852886e38, F32), "FLT_MIN": (1.1754943508222875e-38, F32),
    "FLT_EPSILON": (1.1920928955078125e-07, F32), "INFINITY": (math.inf, F32), "NAN": (math.nan, F32),
    "M_PI": (math.pi, F64), "M_PI_F": (3.1415927410125732, F32), "DBL_MAX": (1.7976931348623157e308, F64),
    "DBL_MIN": (2.2250738585072014e-308, F64), "DBL_EPSILON": (2.220446049250313e-16, F64),
    "HUGE_VALF": (math.inf, F32), "HUGE_VAL": (math.inf, F64), "MAXFLOAT": (3.4028234663852886e38, F32),
    "CHAR_BIT": (8, I32), "SHRT_MAX": (I16.high, I32), "SHRT_MIN": (I16.low, I32), "USHRT_MAX": (U16.high, I32),
    "CHAR_MAX": (127, I32), "CHAR_MIN": (-128, I32), "UCHAR_MAX": (255, I32), "LONG_MAX": (I64.high, I64),
    "LONG_MIN": (I64.low, I64), "ULONG_MAX": (U64.high, U64), "LLONG_MAX": (I64.high, I64), "NULL": (0, I32),
    "CLK_LOCAL_MEM_FENCE": (1, U32), "CLK_GLOBAL_MEM_FENCE": (2, U32), "CLK_IMAGE_MEM_FENCE": (4, U32),
    "CLK_NORMALIZED_COORDS_FALSE": (0, I32), "CLK_NORMALIZED_COORDS_TRUE": (1, I32), "CLK_ADDRESS_NONE": (0, I32),
    "CLK_ADDRESS_CLAMP": (4, I32), "CLK_ADDRESS_CLAMP_TO_EDGE": (2, I32), "CLK_ADDRESS_REPEAT": (6, I32),
    "CLK_FILTER_NEAREST": (16, I32), "CLK_FILTER_LINEAR": (32, I32), "FLT_DIG": (6, I32), "INT64_MAX": (I64.high, I64),
    "INT32_MAX": (I32.high, I32), "INT32_MIN": (I32.low, I32), "UINT32_MAX": (U32.high, U32), "UINT64_MAX": (U64.high, U64),
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
BY_NAME: dict[str, Function] = {function.name: function for function in FUNCTIONS.values()}
