"""What in a kernel is more than a function of the reals: quotients, and what shows how a float is represented.

Input: a kernel with the names that hold data, branches on data made into values: what only counts where data say so is data, too.
Output: the places of divisions by data, which are
none where the divisor is zero, and whether data are also compared or bent: then a divisor may be zero for many inputs at once (a
mask that is empty, a sum of what is left of negative numbers), not only for a few; the places of functions that are not defined
everywhere (a root or logarithm of a negative number), and of those that only come near to what they stand for; the places
where bits or signs of floats are looked at, which tell zeros and rounded values apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from automata.lang.core import Binary, Bits, Call, Cast, Expr, If, Kernel, Select
from automata.lang.traverse import expressions, walk, within
from automata.place import Place
from automata.rewriting.partition import Partition, partition
from automata.rewriting.predication import CannotPredicate, predicate
from equivalence.domains.functions import is_near, stem

_DIVIDES = re.compile(r"__[dfh]div_r[nzud]$")
_INVERTS = re.compile(r"__[df]rcp_r[nzud]$")
_SHOWN = frozenset({"signbit", "copysign", "atan2", "nextafter", "logb", "ilogb", "double2hiint", "double2loint"})
_BENDS = frozenset({"fmax", "fmin", "fabs", "fdim", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "copysign", "isnan",
                    "saturated"})

_PARTIAL = frozenset({"sqrt", "rsqrt", "log", "log2", "log10", "log1p", "asin", "acos", "acosh", "atanh", "pow", "powr", "powi",
                      "fmod", "remainder", "lgamma", "tgamma", "erfinv", "erfcinv", "logb", "ilogb", "rcbrt", "rhypot",
                      "rnorm3d", "rnorm4d", "normalize", "fast_normalize"})


def flow(kernel: Kernel, free: frozenset[str]) -> Partition:
    """What data decide in every reading."""
    return partition(kernel, free, exact=False)


def predicated(kernel: Kernel, free: frozenset[str]) -> tuple[Kernel, Partition]:
    """A kernel with its branches on data made into values, as far as they can be, and what data decide then in every reading."""
    try:
        return predicate(kernel, free, exact=False)
    except CannotPredicate:
        return kernel, flow(kernel, free)


def divisions(kernel: Kernel, found: Partition) -> list[Place]:
    """The places where floats are divided by data, each once."""
    return list(dict.fromkeys(expr.place for expr in _all(kernel) if any(map(found.is_data, _divisors(expr)))))


def representations(kernel: Kernel, found: Partition) -> list[Place]:
    """The places where bits or signs of floats that data decide are looked at, each once."""
    return list(dict.fromkeys(expr.place for expr in _all(kernel) if found.is_data(expr) and (
        (isinstance(expr, Bits) and expr.arg.type.is_float) or (isinstance(expr, Call) and stem(expr.function) in _SHOWN))))


def partial_calls(kernel: Kernel, found: Partition) -> list[Place]:
    """The places where data are given to functions that are not defined for all real numbers, each once."""
    return _called(kernel, found, lambda function: stem(function) in _PARTIAL)


def approximations(kernel: Kernel, found: Partition) -> list[Place]:
    """The places where data are given to functions that are only near to what they stand for, each once."""
    return _called(kernel, found, is_near)


def _called(kernel: Kernel, found: Partition, is_meant: Callable[[str], bool]) -> list[Place]:
    """The places of calls with data of some functions."""
    return list(dict.fromkeys(expr.place for expr in _all(kernel) if isinstance(expr, Call) and is_meant(expr.function)
                              and any(map(found.is_data, expr.args))))


def bends(kernel: Kernel, found: Partition) -> bool:
    """Whether data are compared, clipped or rounded anywhere."""
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
        case Call(function=function, args=args) if _INVERTS.match(function) or stem(function) in ("recip", "rsqrt"):
            return (args[0],)
    return ()


def _all(kernel: Kernel) -> Iterator[Expr]:
    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            yield from within(expr)
