"""What in a kernel is more than a function of the reals: quotients, and what shows how a float is represented.

Input: the kernels of a side with their scalar parameters without a value. Output: the places of divisions by data, which are
none where the divisor is zero, and whether data are also compared or bent: then a divisor may be zero for many inputs at once (a
mask that is empty, a sum of what is left of negative numbers), not only for a few; the places where bits or signs of floats are
looked at, which tell zeros and rounded values apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from automata.lang.core import Binary, Bits, Call, Cast, Expr, If, Kernel, Select
from automata.lang.exactness import is_exact
from automata.lang.traverse import children, expressions, walk
from automata.machine.partition import Partition, partition
from automata.place import Place
from equivalence.domains.functions import stem

_DIVIDES = re.compile(r"__[dfh]div_r[nzud]$")
_SHOWN = frozenset({"signbit", "copysign", "nextafter", "logb", "ilogb", "double2hiint", "double2loint"})
_BENDS = frozenset({"fmax", "fmin", "fabs", "fdim", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "copysign", "isnan"})


def flow(kernel: Kernel, free: frozenset[str]) -> Partition:
    """What data decide in every reading."""
    return partition(kernel, free, exact=False, inexact=lambda call: not is_exact(call.function))


def divisions(kernel: Kernel, free: frozenset[str]) -> list[Place]:
    """The places where floats are divided by data, each once."""
    found = flow(kernel, free)
    return list(dict.fromkeys(expr.place for expr in _all(kernel) if any(map(found.is_data, _divisors(expr)))))


def representations(kernel: Kernel, free: frozenset[str]) -> list[Place]:
    """The places where bits or signs of floats that data decide are looked at, each once."""
    found = flow(kernel, free)
    return list(dict.fromkeys(expr.place for expr in _all(kernel) if found.is_data(expr) and (
        (isinstance(expr, Bits) and expr.arg.type.is_float) or (isinstance(expr, Call) and stem(expr.function) in _SHOWN))))


def bends(kernel: Kernel, free: frozenset[str]) -> bool:
    """Whether data are compared, clipped or rounded anywhere."""
    found = flow(kernel, free)
    if any(isinstance(stmt, If) and found.is_data(stmt.test) for stmt in walk(kernel.body)):
        return True
    return any(found.is_data(expr) for expr in _all(kernel) if isinstance(expr, Select)
               or (isinstance(expr, Binary) and expr.op in ("<", "<=", "==", "!="))
               or (isinstance(expr, Cast) and expr.type.is_float != expr.arg.type.is_float)
               or (isinstance(expr, Call) and stem(expr.function) in _BENDS))


def _divisors(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Binary(op="/", right=right, type=kind) if kind.is_float:
            return (right,)
        case Call(function=function, args=args) if _DIVIDES.match(function) or stem(function) == "divide":
            return (args[1],)
        case Call(function=function, args=args) if stem(function) in ("recip", "rsqrt"):
            return (args[0],)
    return ()


def _all(kernel: Kernel) -> Iterator[Expr]:
    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            yield from _within(expr)


def _within(expr: Expr) -> Iterator[Expr]:
    yield expr
    for part in children(expr):
        yield from _within(part)
