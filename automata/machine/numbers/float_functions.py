"""Float functions on NumPy arrays, with the special cases of C (C99 Annex F), CUDA's Math API and OpenCL C 6.12.2.

`REAL` holds functions from doubles to doubles: arguments of a narrower type are exact in double, and the result is
rounded to its type once. The others (`FLOAT`) depend on the type itself, or round more than once or in a direction.
Results of transcendental functions are those of NumPy and SciPy, which are within a few units in the last place of a
double (gamma and Bessel functions within some 1e-14, near their zeros in absolute terms).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from automata.machine.numbers.rounding import (
    DTYPES,
    MODES,
    Array,
    Meaning,
    Pair,
    exact_integer,
    exact_product,
    exact_quotient,
    exact_sum,
    fused,
    narrow,
    rounded,
    signed_zero,
    special,
    step,
    to_integer,
)
from automata.scalar import BF16, F16, F32, F64, Scalar, nan_as


def real(function: Callable[..., Array]) -> Meaning:
    """A function on doubles, rounded once to the type of the result."""
    return lambda args, result, kinds: narrow(function(*_doubles(args)), result)


def predicate(function: Callable[[Array], Array]) -> Meaning:
    """A predicate on doubles, as 1 or 0 of an integer type."""
    return lambda args, result, kinds: function(*_doubles(args)).astype(DTYPES[result])


def integral(function: Callable[[Array], Array], mode: str = "rn") -> Meaning:
    """A function on doubles, rounded to an integer type; NaN gives 0, what lies outside the nearest end."""
    return lambda args, result, kinds: to_integer(function(*_doubles(args)), result, mode)


def _nearest_whole(function: Callable[[Array], Array]) -> Meaning:
    """The same, but NaN gives what conversions give (seen on a GPU)."""
    return lambda args, result, kinds: to_integer(function(*_doubles(args)), result, "rn", nan_as(kinds[0], result))


def _doubles(args: Sequence[Array]) -> list[Array]:
    return [arg.astype(np.float64) for arg in args]


# -- exponentials, roots, trigonometry ----------------------------------------------------------------


def _sinpi(x: Array) -> Array:
    turn = np.fmod(np.abs(x), 2.0)
    half = np.where(turn > 1, turn - 1, turn)
    quarter = np.where(half > 0.5, 1 - half, half)
    size = np.where(quarter <= 0.25, np.sin(np.pi * quarter), np.cos(np.pi * (0.5 - quarter)))
    return np.copysign(1.0, x) * np.where(turn > 1, -size, size)


def _cospi(x: Array) -> Array:
    turn = np.fmod(np.abs(x), 2.0)
    half = np.where(turn > 1, 2 - turn, turn)
    quarter = np.where(half > 0.5, 1 - half, half)
    size = np.where(quarter <= 0.25, np.cos(np.pi * quarter), np.sin(np.pi * (0.5 - quarter)))
    return np.where(half > 0.5, -size, size)


def _powr(x: Array, y: Array) -> Array:
    """2^(y·log2(x)): no number where the logarithm is none, or the product."""
    open_ = (x < 0) | np.isnan(x) | np.isnan(y) | ((y == 0) & ((x == 0) | np.isinf(x))) | ((x == 1) & np.isinf(y))
    return np.where(open_, np.nan, np.power(np.abs(x), y))


def _norm3d(x: Array, y: Array, z: Array) -> Array:
    return np.hypot(np.hypot(x, y), z)


# -- special functions --------------------------------------------------------------------------------


def _erfc(x: Array) -> Array:
    return np.where(x > 26, special().erfcx(x) * np.exp(-x * x), special().erfc(x))


def _lgamma(x: Array) -> Array:
    near = np.where(np.abs(x) < 2.0**-70, -np.log(np.abs(x)), special().gammaln(x))
    return np.where(np.isinf(x), np.inf, near)


def _j0(x: Array) -> Array:
    return np.where(np.isinf(x), 0.0, special().j0(x))


def _j1(x: Array) -> Array:
    return np.where(np.isinf(x) | (x == 0), np.copysign(0.0, x), special().j1(x))


# -- parts, neighbours, comparisons -------------------------------------------------------------------


def _fmin(x: Array, y: Array) -> Array:
    """A NaN is no value; -0 is below +0, so that the order of the arguments does not matter."""
    both = (x == 0) & (y == 0)
    return np.where(both, np.where(np.signbit(x) | np.signbit(y), -0.0, 0.0), np.fmin(x, y))


def _fmax(x: Array, y: Array) -> Array:
    return -_fmin(-x, -y)


def _maxmag(x: Array, y: Array) -> Array:
    return np.where(np.abs(x) > np.abs(y), x, np.where(np.abs(y) > np.abs(x), y, _fmax(x, y)))


def _round(x: Array) -> Array:
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)


def _logb(x: Array) -> Array:
    """The exponent of a number whose significand is in [1, 2)."""
    _, exponent = np.frexp(x)
    found = np.where(x == 0, -np.inf, exponent - 1.0)
    return np.where(np.isinf(x), np.inf, np.where(np.isnan(x), x, found))


def _ilogb(x: Array) -> Array:
    """As `_logb`; 0 and NaN give the smallest integer, infinity the largest (CUDA Math API)."""
    found = _logb(x)
    return np.where(np.isnan(found), -np.inf, found)


def _remainder(x: Array, y: Array) -> Array:
    """x - n·y for the integer n nearest to x/y, ties to even; exact (the algorithm of FreeBSD's msun)."""
    size, by = np.abs(x), np.abs(y)
    size = np.where(by <= np.finfo(np.float64).max / 2, np.fmod(size, by + by), size)
    small = by < 2.0**-1000
    first = np.where(small, size + size > by, size > 0.5 * by)
    less = size - by
    second = first & np.where(small, less + less >= by, less >= 0.5 * by)
    size = np.where(second, less - by, np.where(first, less, size))
    return np.where(np.isinf(x) | np.isnan(y), np.nan, np.where(np.signbit(x), -size, size))


def _fdim(x: Array, y: Array) -> Array:
    return np.where(x <= y, 0.0, x - y)


def _fdividef(x: Array, y: Array) -> Array:
    """A quotient by a reciprocal, which is 0 of a divisor above 2^126 (CUDA C++ Programming Guide, intrinsic functions)."""
    return np.where(np.abs(y) > 2.0**126, np.where(np.isinf(x) | np.isnan(x), np.nan, 0.0), x / y)


def _sign(x: Array) -> Array:
    return np.where(np.isnan(x), 0.0, np.where(x == 0, x, np.sign(x)))


def _smoothstep(low: Array, high: Array, x: Array) -> Array:
    at = _fmin(_fmax((x - low) / (high - low), np.zeros_like(x)), np.ones_like(x))
    return at * at * (3 - 2 * at)


def _dot(*parts: Array) -> Array:
    half = len(parts) // 2
    return np.sum([one * two for one, two in zip(parts[:half], parts[half:], strict=True)], axis=0)


def _length(*parts: Array) -> Array:
    return reduce(np.hypot, parts, np.zeros_like(parts[0]))


def _distance(*parts: Array) -> Array:
    half = len(parts) // 2
    return _length(*(one - two for one, two in zip(parts[:half], parts[half:], strict=True)))


def _normalize(own: Array, *parts: Array) -> Array:
    """A component of a vector of length one in the same direction; that of no length stays."""
    length = _length(*parts)
    return np.where(length == 0, own, own / length)


def _normalize_all(own: Array, *parts: Array) -> Array:
    """The same where components are infinite: they stand for one then, and others for zero (OpenCL C, 7.5.1)."""
    is_infinite = reduce(np.logical_or, [np.isinf(part) for part in parts])
    own, *others = [np.where(is_infinite, np.where(np.isinf(part), np.copysign(1.0, part), part * 0.0), part)
                   for part in (own, *parts)]
    return _normalize(own, *others)


REAL: dict[str, Callable[..., Array]] = {
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "rcbrt": lambda x: 1 / np.cbrt(x),
    "exp": np.exp, "exp2": np.exp2, "exp10": lambda x: np.power(10.0, x), "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "pow": np.power, "powi": np.power, "powr": _powr,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinpi": _sinpi, "cospi": _cospi,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "hypot": np.hypot, "rhypot": lambda x, y: 1 / np.hypot(x, y),
    "norm3d": _norm3d, "rnorm3d": lambda x, y, z: 1 / _norm3d(x, y, z),
    "norm4d": lambda x, y, z, w: np.hypot(_norm3d(x, y, z), w), "rnorm4d": lambda x, y, z, w: 1 / np.hypot(_norm3d(x, y, z), w),
    "erf": lambda x: special().erf(x), "erfc": _erfc, "erfinv": lambda x: np.where(x == 0, x, special().erfinv(x)),
    "erfcinv": lambda x: special().erfcinv(x) + 0.0, "normcdf": lambda x: special().ndtr(x),
    "tgamma": lambda x: special().gamma(x), "lgamma": _lgamma,
    "j0": _j0, "j1": _j1,
    "fabs": np.abs, "copysign": np.copysign, "fmin": _fmin, "fmax": _fmax, "maxmag": _maxmag,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": _round, "rint": np.rint, "nearbyint": np.rint,
    "fmod": np.fmod, "remainder": _remainder, "fdim": _fdim, "logb": _logb,
    "in_any_order": lambda x, way: x,
    "ldexp": lambda x, n: np.ldexp(x, n.astype(np.int32)), "recip": lambda x: 1 / x, "divide": np.divide,
    "__fdividef": _fdividef,
    "saturate": lambda x: np.where(x > 0, np.minimum(x, 1.0), 0.0),
    "sign": _sign, "step": lambda edge, x: np.where(x < edge, 0.0, 1.0), "smoothstep": _smoothstep,
    "dot": _dot, "cross": lambda a, b, c, d: a * b - c * d,
    **{f"{prefix}{name}": made for prefix in ("", "fast_")
       for name, made in (("length", _length), ("distance", _distance), ("normalize", _normalize))},
    "normalize": _normalize_all,
    "mix": lambda x, y, part: x + (y - x) * part, "degrees": np.degrees, "radians": np.radians,
}


# -- functions that depend on the type, or round otherwise --------------------------------------------

_NORMAL = {F16: 2.0**-14, BF16: 2.0**-126, F32: 2.0**-126, F64: 2.0**-1022}
"""The smallest normal number of a float type."""


def _isnormal(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    return predicate(lambda x: np.isfinite(x) & (np.abs(x) >= _NORMAL[kinds[0]]))(args, result, kinds)


def _nextafter(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    value, target = args
    return step(value.astype(DTYPES[result]), target.astype(np.float64), result)


def _mad(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """a·b + c with the product rounded, as it is where the device fuses nothing."""
    x, y, z = _doubles(args)
    return narrow(narrow(x * y, result).astype(np.float64) + z, result)


def _fma(mode: str) -> Meaning:
    def run(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        x, y, z = _doubles(args)
        return fused(x, y, z, result, mode)

    return run


def _directed_sum(mode: str, sign: float) -> Meaning:
    def run(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
        x, y = _doubles(args)
        return rounded(signed_zero(exact_sum(x, sign * y), x, sign * y, mode), result, mode)

    return run


def _exact_reciprocal(x: Array) -> Pair:
    return exact_quotient(np.ones_like(x), x)


def _directed(function: Callable[..., Pair], mode: str) -> Meaning:
    return lambda args, result, kinds: rounded(function(*_doubles(args)), result, mode)


def _from_integer(mode: str) -> Meaning:
    return lambda args, result, kinds: rounded(exact_integer(args[0]), result, mode)


def _between_floats(mode: str) -> Meaning:
    return lambda args, result, kinds: narrow(args[0].astype(np.float64), result, mode)


def _to_integer(mode: str) -> Meaning:
    return lambda args, result, kinds: to_integer(_doubles(args)[0], result, mode, nan_as(kinds[0], result))


def _directed_rows(mode: str) -> dict[str, Meaning]:
    """CUDA's functions that name a rounding: arithmetic, and conversions from and to integers."""
    rows = {f"__fmaf_{mode}": _fma(mode), f"double2float_{mode}": _between_floats(mode)}
    for letter in "fd":
        rows |= {f"__{letter}add_{mode}": _directed_sum(mode, 1.0), f"__{letter}sub_{mode}": _directed_sum(mode, -1.0),
                 f"__{letter}mul_{mode}": _directed(exact_product, mode),
                 f"__{letter}div_{mode}": _directed(exact_quotient, mode),
                 f"__{letter}rcp_{mode}": _directed(_exact_reciprocal, mode)}
    for word in ("float", "double"):
        for integer in ("int", "uint", "ll", "ull"):
            rows[f"{word}2{integer}_{mode}"] = _to_integer(mode)
            rows[f"{integer}2{word}_{mode}"] = _from_integer(mode)
    for short in ("half", "bfloat16"):
        rows[f"float2{short}_{mode}"] = _between_floats(mode)
        rows |= {f"{integer}2{short}_{mode}": _from_integer(mode) for integer in ("short", "ushort", "int", "uint", "ll", "ull")}
    return rows


FLOAT: dict[str, Meaning] = {
    **{name: real(function) for name, function in REAL.items()},
    **{name: row for mode in MODES for name, row in _directed_rows(mode).items()},
    "isnan": predicate(np.isnan), "isinf": predicate(np.isinf), "isfinite": predicate(np.isfinite),
    "signbit": predicate(np.signbit), "isnormal": _isnormal, "nextafter": _nextafter, "mad": _mad, "fma": _fma("rn"),
    "saturated": integral(np.trunc), "lrint": _nearest_whole(np.rint), "lround": _nearest_whole(_round),
    "ilogb": integral(_ilogb),
}
