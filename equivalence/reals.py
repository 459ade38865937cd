"""Real numbers, as exact as can be: rational while they are, else to 1,200 bits, and the infinities and NaN.

A number is a `Fraction`, a float of mpmath, or a Python float that is infinite or NaN (a zero divisor makes those, by the rules
of IEEE 754; zero has no sign here, and nothing overflows). Tests that 1,200 bits do not settle raise `Unsettled`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

BITS = 1200
MOST_BITS = 1 << 13
"""Of a fraction; longer ones are rounded to `BITS`."""

NEAR, APART = 600, 64
"""Values closer than 2 to the minus the first, relatively, may be the same; those farther than the second are not."""

Number = Any


@cache
def _context() -> Any:
    """mpmath, imported when a number first is no fraction."""
    import mpmath

    found = mpmath.MPContext()
    found.prec = BITS
    return found


class _Late:
    """What mpmath computes, to `BITS`."""

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(_context(), name)
        return found


_MP = _Late()


class Unsettled(Exception):
    """A test between numbers too near to each other."""


class Uncovered(Exception):
    """A function whose value is not known here."""


def is_beyond(number: Number) -> bool:
    """Whether it is an infinity or NaN."""
    return isinstance(number, float)


def settled(number: Number) -> Number:
    """A number in its form: fractions that are not too long, special values of mpmath as floats."""
    if isinstance(number, Fraction):
        if max(number.numerator.bit_length(), number.denominator.bit_length()) <= MOST_BITS:
            return number
        return wide(number)
    if isinstance(number, float | int):
        return Fraction(number) if math.isfinite(number) else float(number)
    return number if _MP.isfinite(number) else float(number)


def wide(number: Number) -> Any:
    """As a float of mpmath."""
    if isinstance(number, Fraction):
        return _MP.mpf(number.numerator) / number.denominator
    return _MP.mpf(number) if isinstance(number, float) else number


def add(one: Number, two: Number) -> Number:
    if is_beyond(one) or is_beyond(two):
        return _rough(one) + _rough(two)
    if _are_fractions(one, two):
        return settled(one + two)
    first, second = wide(one), wide(two)
    found = first + second
    if abs(found) <= _MP.ldexp(max(abs(first), abs(second)), -NEAR):
        raise Unsettled
    return settled(found)


def negative(one: Number) -> Number:
    return -one


def subtract(one: Number, two: Number) -> Number:
    if one is two and not is_beyond(one):
        return Fraction(0)
    return add(one, negative(two))


def multiply(one: Number, two: Number) -> Number:
    if is_beyond(one) or is_beyond(two):
        return _rough(one) * _rough(two)
    return settled(one * two if _are_fractions(one, two) else wide(one) * wide(two))


def divide(one: Number, two: Number) -> Number:
    if is_beyond(two):
        return math.nan if is_beyond(one) or math.isnan(two) else Fraction(0)
    if two == 0:
        return math.nan if one == 0 or (is_beyond(one) and math.isnan(one)) else math.copysign(math.inf, _rough(one))
    if is_beyond(one):
        return one * _rough(two)
    return settled(one / two if _are_fractions(one, two) else wide(one) / wide(two))


def order(one: Number, two: Number) -> int | None:
    """-1, 0 or 1 as the first is smaller, the same or larger; None where one is NaN."""
    if is_beyond(one) or is_beyond(two):
        first, second = _rough(one), _rough(two)
        return None if math.isnan(first) or math.isnan(second) else (first > second) - (first < second)
    if not _are_fractions(one, two):
        one, two = wide(one), wide(two)
        if abs(one - two) <= _MP.ldexp(max(abs(one), abs(two)), -NEAR):
            raise Unsettled
    return int(one > two) - int(one < two)


def are_apart(one: Number, two: Number) -> bool:
    """Whether two numbers differ: for certain, if both are fractions; a number differs from what is none."""
    if is_beyond(one) or is_beyond(two):
        return is_beyond(one) != is_beyond(two)
    if _are_fractions(one, two):
        return bool(one != two)
    one, two = wide(one), wide(two)
    return bool(abs(one - two) > _MP.ldexp(max(1, abs(one), abs(two)), -APART))


def truncated(number: Number) -> int:
    """Towards zero."""
    return int(_away_from_steps(number, 0))


def _away_from_steps(number: Number, start: float) -> Number:
    """A number that is for certain on one side of all whole numbers plus `start`."""
    if not isinstance(number, Fraction):
        nearest = _MP.nint(number - start) + start
        if abs(number - nearest) <= _MP.ldexp(max(1, abs(number)), -NEAR):
            raise Unsettled
    return number


def told(one: Number, two: Number) -> tuple[str, str]:
    """Two numbers as text, with as many digits as tell them apart."""
    for digits in (9, 17, 40):
        found = _text(one, digits), _text(two, digits)
        if found[0] != found[1]:
            break
    return found


def _text(number: Number, digits: int) -> str:
    if isinstance(number, Fraction) and max(abs(number.numerator), number.denominator) < 10**6:
        return str(number)
    return str(number) if is_beyond(number) else str(_MP.nstr(wide(number), digits))


def _rough(number: Number) -> float:
    """An infinity or NaN as it is, else the sign."""
    return number if isinstance(number, float) else float((number > 0) - (number < 0))


def _are_fractions(one: Number, two: Number) -> bool:
    return isinstance(one, Fraction) and isinstance(two, Fraction)


# -- functions ----------------------------------------------------------------------------------------------


def _root(number: Number) -> Number:
    if is_beyond(number):
        return math.sqrt(number) if not number < 0 else math.nan
    if number < 0:
        return math.nan
    if isinstance(number, Fraction):
        top, bottom = math.isqrt(number.numerator), math.isqrt(number.denominator)
        if top * top == number.numerator and bottom * bottom == number.denominator:
            return Fraction(top, bottom)
    return settled(_MP.sqrt(wide(number)))


def _smooth(name: str, whole: tuple[int, ...] = (), low: float = -math.inf, high: float = math.inf) -> Callable[[Number], Number]:
    """A function of mpmath between two ends (NaN outside; beyond numbers: as that of Python). `whole`: where a whole argument has
    a whole value."""
    rough = getattr(math, name, None)

    def found(number: Number) -> Number:
        function = getattr(_MP, name)
        if is_beyond(number):
            return _at_infinity(rough, number)
        if any(math.isfinite(end) and order(number, Fraction(end)) == way for end, way in ((low, -1), (high, 1))):
            return math.nan
        if number in whole:
            return Fraction(round(function(wide(number))))
        return settled(function(wide(number)))
    return found


def _at_infinity(function: Callable[[float], float] | None, number: float) -> Number:
    if function is None:
        raise Uncovered
    try:
        value = function(number)
    except (ValueError, OverflowError):
        return math.nan
    if math.isfinite(value) and value not in (-1.0, 0.0, 1.0):
        raise Uncovered
    return settled(value)


def _power_of(base: int) -> Callable[[Number], Number]:
    def found(number: Number) -> Number:
        if is_beyond(number):
            return _at_infinity(math.exp, number)
        if isinstance(number, Fraction) and number.denominator == 1 and abs(number) < MOST_BITS:
            return settled(Fraction(base) ** number)
        return settled(_MP.power(base, wide(number)))
    return found


def _logarithm(base: int) -> Callable[[Number], Number]:
    def found(number: Number) -> Number:
        if is_beyond(number):
            return number if number > 0 else math.nan
        if number <= 0:
            return -math.inf if number == 0 else math.nan
        return Fraction(0) if number == 1 else settled(_MP.log(wide(number)) / _MP.log(base) if base else _MP.log(wide(number)))
    return found


def _rounded(function: Callable[[Number], int]) -> Callable[[Number], Number]:
    return lambda number: number if is_beyond(number) else Fraction(function(number))


def _floor(number: Number) -> int:
    return _whole(_away_from_steps(number, 0))


def _whole(number: Number) -> int:
    """The largest whole number that is not above another."""
    return math.floor(number) if isinstance(number, Fraction) else int(_MP.floor(number))


def _half_away(number: Number) -> int:
    number = _away_from_steps(number, 0.5)
    size = _whole(abs(number) + (Fraction(1, 2) if isinstance(number, Fraction) else _MP.mpf(0.5)))
    return size if number >= 0 else -size


def _half_even(number: Number) -> int:
    return round(number) if isinstance(number, Fraction) else _half_away(number)


def _extreme(sign: int) -> Callable[[Number, Number], Number]:
    def found(one: Number, two: Number) -> Number:
        way = order(one, two)
        if way is None:
            return two if is_beyond(one) and math.isnan(one) else one
        return one if way * sign >= 0 else two
    return found


def _size(number: Number) -> Number:
    return abs(number)


def _power(base: Number, exponent: Number) -> Number:
    if is_beyond(base) or is_beyond(exponent):
        raise Uncovered
    if isinstance(exponent, Fraction) and exponent.denominator == 1 and abs(exponent) <= 64:
        if base == 0 and exponent < 0:
            return math.inf
        return settled(base ** int(exponent))
    if base == 0 and exponent > 0:
        return Fraction(0)
    if base <= 0:
        raise Uncovered
    return settled(_MP.power(wide(base), wide(exponent)))


def _power_by_logarithm(base: Number, exponent: Number) -> Number:
    """None of a negative base, nor 0^0."""
    if is_beyond(base) or is_beyond(exponent):
        raise Uncovered
    return math.nan if base < 0 or (base == 0 and exponent == 0) else _power(base, exponent)


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "sqrt": _root, "rsqrt": lambda number: divide(Fraction(1), _root(number)), "fabs": _size, "fmax": _extreme(1),
    "fmin": _extreme(-1), "fma": lambda one, two, more: add(multiply(one, two), more),
    "mad": lambda one, two, more: add(multiply(one, two), more), "divide": divide,
    "recip": lambda number: divide(Fraction(1), number), "fdim": lambda one, two: _extreme(1)(subtract(one, two), Fraction(0)),
    "mix": lambda one, two, by: add(one, multiply(subtract(two, one), by)), "pow": _power, "powr": _power_by_logarithm,
    "exp": _smooth("exp", (0,)), "expm1": _smooth("expm1", (0,)), "exp2": _power_of(2), "exp10": _power_of(10),
    "log": _logarithm(0), "log2": _logarithm(2), "log10": _logarithm(10),
    "log1p": lambda number: _logarithm(0)(add(Fraction(1), number)),
    "sin": _smooth("sin", (0,)), "cos": _smooth("cos", (0,)), "tan": _smooth("tan", (0,)), "atan": _smooth("atan", (0,)),
    "asin": _smooth("asin", (0,), -1, 1), "acos": _smooth("acos", (1,), -1, 1), "sinh": _smooth("sinh", (0,)),
    "cosh": _smooth("cosh", (0,)), "tanh": _smooth("tanh", (0,)), "erf": _smooth("erf", (0,)), "erfc": _smooth("erfc", (0,)),
    "floor": _rounded(_floor), "ceil": _rounded(lambda number: -_floor(-number)), "trunc": _rounded(truncated),
    "round": _rounded(_half_away), "rint": _rounded(_half_even), "nearbyint": _rounded(_half_even),
}
"""What the device library computes, by the names that approximate functions and suffixes are taken off (`functions.stem`)."""
