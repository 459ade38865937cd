"""What an equality over the reals leaves unsaid about floats: where two kernels may round apart, told from their text.

Input: the kernels of both sides and the weakest class among their outputs. Output: notes, none for bitwise or integer equality.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from automata.lang.core import Binary, Bits, Call, Cast, Expr, Kernel
from automata.lang.traverse import children, expressions, walk
from equivalence.domains.functions import stem
from equivalence.result import EqualityClass

OVER_REALS = frozenset({EqualityClass.REAL, EqualityClass.REAL_EXP_MAX})
EXPONENTIALS = frozenset({"exp", "exp2", "exp10"})


@dataclass
class Traits:
    """What one side does with floats: types it computes in, functions it calls, whether integers come of floats."""

    kinds: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    makes_integers: bool = False

    def look(self, expr: Expr) -> None:
        match expr:
            case Binary(op="+" | "-" | "*" | "/", type=kind) if kind.is_float:
                self.kinds.add(kind.name)
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
            for expr in expressions(stmt):
                found.look(expr)
    return found


def notes(sides: Sequence[Sequence[Kernel]], weakest: EqualityClass | None) -> list[str]:
    """The notes on a pair."""
    if weakest not in OVER_REALS:
        return []
    a, b = map(traits, sides)
    found = ["equal over the reals only: floats are added, multiplied or divided in another order or form, and round apart"]
    for name, mine, other in (("a", a, b), ("b", b, a)):
        if mine.calls & EXPONENTIALS and "fmax" in other.calls and "fmax" not in mine.calls:
            found.append(f"{name} takes exponentials of values that the other side shifts by their maximum: they overflow sooner")
    if a.kinds and b.kinds and a.kinds != b.kinds:
        computes = [", ".join(sorted(side.kinds)) for side in (a, b)]
        found.append(f"a computes in {computes[0]}, b in {computes[1]}")
    if a.makes_integers or b.makes_integers:
        found.append("integers computed from floats are those of the reals: rounding and the sign of zero may change them")
    return found
