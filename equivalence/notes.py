"""What an equality over the reals leaves unsaid about floats: where two kernels may round apart, told from their text.

Input: the kernels of both sides and the weakest class among their outputs. Output: notes, none for bitwise or integer equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from automata.lang.core import Assign, Atomic, Binary, Bits, Call, Cast, Expr, Kernel, Load, Stmt, Store, Var
from automata.lang.traverse import children, expressions, walk
from equivalence.domains.functions import stem
from equivalence.result import EqualityClass

OVER_REALS = frozenset({EqualityClass.REAL, EqualityClass.REAL_EXP_MAX})
MOST_LINES = 6
EXTREMES = frozenset({"fmin", "fmax", "fabs"})
EXPONENTIALS = frozenset({"exp", "exp2", "exp10"})


@dataclass
class Traits:
    """What one side does with floats: types it computes in, functions it calls, whether integers come of floats; where it adds
    up, and into what; where it takes a square from something."""

    kinds: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    makes_integers: bool = False
    sums: dict[str, None] = field(default_factory=dict)
    squares: dict[int, None] = field(default_factory=dict)

    def take(self, stmt: Stmt) -> None:
        """A statement that adds to what it writes."""
        match stmt:
            case Assign(name=name, value=value) if value.type.is_float and _adds(value, lambda part: isinstance(part, Var)
                                                                                 and part.name == name):
                self.sums[f"line {stmt.place.line} ({name})"] = None
            case Store(array=array, value=value) if value.type.is_float and _adds(value, lambda part: isinstance(part, Load)
                                                                                  and part.array == array):
                self.sums[f"line {stmt.place.line} ({array.removeprefix('b.')}[])"] = None
            case Atomic(op="add", array=array, args=args) if args[0].type.is_float:
                self.sums[f"line {stmt.place.line} ({array.removeprefix('b.')}[], atomically)"] = None

    def look(self, expr: Expr) -> None:
        match expr:
            case Binary(op="+" | "-" | "*" | "/", type=kind) if kind.is_float:
                self.kinds.add(kind.name)
                if expr.op == "-" and isinstance(expr.right, Binary) and expr.right.op == "*" and (
                        expr.right.left == expr.right.right):
                    self.squares[expr.place.line] = None
            case Call(function=function):
                self.calls.add(stem(function))
            case Cast(arg=arg) | Bits(arg=arg):
                self.makes_integers |= arg.type.is_float and expr.type.is_int
        for part in children(expr):
            self.look(part)


def traits(kernels: Iterable[Kernel]) -> Traits:
    found = Traits()
    for kernel in kernels:
        for stmt in walk(kernel.body):
            found.take(stmt)
            for expr in expressions(stmt):
                found.look(expr)
    return found


def _adds(value: Expr, is_own: Callable[[Expr], bool]) -> bool:
    """Whether a value is a sum with what is overwritten in it."""
    match value:
        case Binary(op="+" | "-", left=left, right=right):
            return is_own(left) or is_own(right) or _adds(left, is_own) or _adds(right, is_own)
        case Call(function=function, args=(_, _, more)) if stem(function) in ("fma", "mad"):
            return is_own(more)
    return False


def notes(sides: Sequence[Sequence[Kernel]], weakest: EqualityClass | None) -> list[str]:
    """The notes on a pair."""
    if weakest not in OVER_REALS:
        return []
    a, b = map(traits, sides)
    computes = any(side.kinds or side.calls - EXTREMES for side in (a, b))
    found = ["equal over the reals only: " + (
        "floats are added, multiplied or divided in another order or form, and round apart" if computes else
        "NaN and the sign of zero may come out otherwise")]
    if a.sums and b.sums:
        found.append("they add up at " + "; ".join(f"{name}: {', '.join(list(side.sums)[:MOST_LINES])}"
                                                   for name, side in (("a", a), ("b", b))))
    for name, mine, other in (("a", a, b), ("b", b, a)):
        if mine.squares and not other.squares:
            lines = ", ".join(map(str, mine.squares))
            found.append(f"{name} takes a square from another value (line {lines}): digits cancel where both are large, "
                         "as in E[x²] - E[x]²")
        if mine.calls & EXPONENTIALS and "fmax" in other.calls and "fmax" not in mine.calls:
            found.append(f"{name} takes exponentials of values that the other side shifts by their maximum: they overflow sooner")
    if a.kinds and b.kinds and a.kinds != b.kinds:
        kinds = [", ".join(sorted(side.kinds)) for side in (a, b)]
        found.append(f"a computes in {kinds[0]}, b in {kinds[1]}")
    if a.makes_integers or b.makes_integers:
        found.append("integers computed from floats are those of the reals: rounding and the sign of zero may change them")
    return found
