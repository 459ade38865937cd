"""That no infinity cancels: over the reals every operation of a kernel has at most one operand that may be infinite.

A maximum begins at -infinity, so what a loop carries may be infinite in its first rounds, and forms take it for a number:
`m - m` would be 0, where the kernel leaves NaN. Each operation is therefore noted with its operands as it is evaluated
(`Operations.computes_with`), a hole in the place of what a loop carries. What may be infinite among these is the least set that
holds the infinities that loops begin with, and what their rounds make of them. -infinity + x, 2·(-infinity) and
e^(-infinity) = 0 are as real numbers are; whatever else an infinity gets into is refused (`refused`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from equivalence.generic.algebra import Algebra
from equivalence.generic.form import Factor, Form, Mono, Number
from equivalence.generic.inside import inner_forms


class Signs(NamedTuple):
    """Which infinities a value may be."""

    minus: bool = False
    plus: bool = False


NONE, BOTH = Signs(), Signs(True, True)
NOT_PLAIN = frozenset({"infinity", "hole", "after"})
Noted = tuple[str, tuple[Form, ...]]
"""An operation, and its operands."""


class Source(Protocol):
    """Where values come from. `carried_by`: what a loop begins with, and what a round leaves, in the place of a hole."""

    noted: dict[Noted, None]

    @property
    def algebra(self) -> Algebra: ...

    def carried_by(self, hole: Factor) -> tuple[Form, Form]: ...


class Infinities:
    """What may be infinite among the values of one side. `holes`: of what loops carry, as far as it is known; `kept`: the
    operations on such."""

    def __init__(self, source: Source) -> None:
        self.source, self.factors = source, source.algebra.factors
        self.holes: dict[int, Signs] = {}
        self.kept: list[Noted] = []
        self.reason: str | None = None
        self._plain: dict[int, bool] = {}
        self._signs: dict[tuple[int, bool], Signs] = {}

    def refused(self) -> str | None:
        """The first operation that an infinity gets into where it may cancel or make NaN, None if there is none."""
        while self.source.noted and self.reason is None:
            new = [each for each in self.source.noted if not all(map(self.is_plain, each[1]))]
            self.source.noted.clear()
            self.kept += new
            asked = self.kept if self.settle(new) else new
            wrong = next((op for op, values in asked if self.is_wrong(op, values)), None)
            if wrong is not None:
                self.reason = f"an infinity may be an operand of '{wrong}', and is no number"
        return self.reason

    def settle(self, new: list[Noted]) -> bool:
        """Find which holes may be infinite, those of new operations included; whether more is known than before."""
        looked_at = len(self.holes)
        for _, values in new:
            for value in values:
                self.of(value)
        has_changed = False
        while looked_at < len(self.holes):
            number = list(self.holes)[looked_at]
            looked_at += 1
            if self.is_more(number):
                has_changed, looked_at = True, 0
        return has_changed

    def is_more(self, number: int) -> bool:
        """Whether a hole may be infinite in a way that was not known. CannotFollow where the budget is spent."""
        self.source.algebra.integers.mind_budget()
        known = self.holes[number]
        found = _either([known, *map(self.of, self.source.carried_by(self.factors[number]))])
        if found != known:
            self.holes[number] = found
            self._signs.clear()
        return found != known

    def is_plain(self, form: Form) -> bool:
        """Whether neither an infinity nor a hole stands anywhere in a form."""
        if self.source.algebra.kinds.keys().isdisjoint(NOT_PLAIN):
            return True
        return all(self._is_plain(number) for mono in form.terms for number, _ in mono)

    def _is_plain(self, number: int) -> bool:
        known = self._plain.get(number)
        if known is None:
            factor = self.factors[number]
            known = self._plain[number] = factor.kind not in NOT_PLAIN and all(
                map(self.is_plain, inner_forms(factor)))
        return known

    def is_wrong(self, op: str, values: tuple[Form, ...]) -> bool:
        infinite = [self.of(value) != NONE for value in values]
        match op:
            case "+" | "-":
                return all(infinite)
            case "*":
                return any(infinite) and not any(value.constant for value in values)
            case "/":
                return not self.is_firm(values[1]) or (infinite[0] and not values[1].constant)
            case "exp":
                return self.of(values[0]).plus
            case "call":
                return False
        return any(infinite)

    def is_firm(self, form: Form) -> bool:
        """Whether no infinity stands anywhere in a form, not even as e^(-infinity)."""
        if self.of(form) != NONE:
            return False
        for mono in form.terms:
            for number, _ in mono:
                factor = self.factors[number]
                if factor.kind in ("exp", "poly", "sum") and not all(map(self.is_firm, inner_forms(factor))):
                    return False
        return True

    # -- signs ---------------------------------------------------------------------------------------------

    def of(self, form: Form) -> Signs:
        """Which infinities a form may be."""
        return _either(self._of_mono(mono, coef) for mono, coef in form.terms.items())

    def _of_mono(self, mono: Mono, coef: Number) -> Signs:
        found = [(number, power, signs) for number, power in mono
                 if (signs := self._of_factor(self.factors[number], power)) != NONE]
        if not found:
            return NONE
        (_, power, signs), alone = found[0], len(mono) == 1
        if not alone or power != 1 or len(found) > 1:
            return BOTH
        return signs if coef > 0 else Signs(signs.plus, signs.minus)

    def _of_factor(self, factor: Factor, power: Number) -> Signs:
        if self._is_plain(factor.number):
            return NONE
        key = factor.number, power > 0
        known = self._signs.get(key)
        if known is None:
            known = self._signs[key] = self._signs_of(factor, power)
        return known

    def _signs_of(self, factor: Factor, power: Number) -> Signs:
        match factor.kind:
            case "infinity":
                return Signs(plus=True)
            case "hole" | "after" if factor.data[0] != "carried":
                return self.holes.setdefault(factor.number, NONE)
            case "max" | "min":
                return _extreme(factor.kind, [self.of(each.body) for each in factor.data[1]])
            case "call" if factor.data[0].startswith(("fmax ", "fmin ")):
                return _extreme(factor.data[0][1:4], [self.of(each) for each in factor.data[1]])
            case "exp":
                inner = self.of(Form({factor.data[1]: 1}))
                return Signs(plus=inner.plus if power > 0 else inner.minus)
            case "fold":
                return BOTH if any(self.of(form) != NONE for part in factor.data[1] for form in part) else NONE
            case "poly" if power < 0:
                return NONE if self.is_firm(factor.data) else BOTH
            case "poly" | "sum" | "call" | "power":
                return BOTH if any(self.of(part) != NONE for part in inner_forms(factor)) else NONE
        return NONE


def _either(signs: Iterable[Signs]) -> Signs:
    found = list(signs)
    return Signs(any(each.minus for each in found), any(each.plus for each in found))


def _extreme(kind: str, parts: list[Signs]) -> Signs:
    if kind == "max":
        return Signs(all(each.minus for each in parts), any(each.plus for each in parts))
    return Signs(any(each.minus for each in parts), all(each.plus for each in parts))
