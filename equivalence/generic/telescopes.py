"""Values that a loop multiplies by what another carried value makes of itself: the online softmax.

h' = a·h + b with a = f(m)/f(m'), where m is another carried value before a round and m' behind it, and f a product of powers of
e: then f(m)·h grows by f(m')·b in each round, and is a sum.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from automata.logic.poly import Formula
from equivalence.generic.first_pairs import Pairs
from equivalence.generic.form import ONE, ZERO, Factor, Form, Mono, Number
from equivalence.generic.lanes import Position
from equivalence.generic.values import CarriedKey, LoopRun


@dataclass(frozen=True, slots=True)
class Carried:
    """One carried value of a loop, of a thread: its first value, and its value at the end of a round."""

    first: Form
    end: Form


class Telescopes:
    """The forms of such values."""

    algebra: Pairs

    @abstractmethod
    def marker(self, kind: str, loop: LoopRun, name: CarriedKey, at: Position) -> Form: ...

    @abstractmethod
    def left_by(self, loop: LoopRun, name: CarriedKey, at: Position) -> Form: ...

    @abstractmethod
    def computes_with(self, op: str, *values: Form) -> None: ...

    @abstractmethod
    def carried(self, loop: LoopRun, name: CarriedKey, at: Position, *, marked: CarriedKey | None = None) -> Carried: ...

    @abstractmethod
    def own_hole(self, loop: LoopRun, name: CarriedKey, at: Position) -> Factor: ...

    @abstractmethod
    def holes_in(self, form: Form, loop: LoopRun) -> set[int]: ...

    def telescoped(self, loop: LoopRun, name: CarriedKey, other: CarriedKey, at: Position, where: Formula) -> Form | None:
        """h' = a·h + b with a = f(m)/f(m'): then f(m)·h grows by f(m')·b."""
        algebra = self.algebra
        if not algebra.laws.exp_max or not isinstance(name, str):
            return None
        each = self.carried(loop, name, at, marked=other)
        mine = self.own_hole(loop, name, at)
        before, after = (self.single(self.marker(kind, loop, other, at)) for kind in ("hole", "after"))
        slope, rest = self.linear(self.with_extreme_marked(each.end, loop, other, at), mine)
        if slope is None or self.holes_in(slope, loop) - {before, after} or self.holes_in(rest, loop) - {before, after}:
            return None
        ratio = slope.only()
        if ratio is None or ratio[1] != 1:
            return None
        weight = {number: power for number, power in ratio[0] if self._mentions(number, before)}
        inverse = {number: power for number, power in ratio[0] if self._mentions(number, after)}
        if len(weight) + len(inverse) != len(ratio[0]) or any(
                each != before and loop.number in algebra.factors[each].atoms
                for number in weight for each, _ in algebra.factors[number].data[1]):
            return None
        of_after = self.swapped(Form({tuple(sorted(weight.items())): 1}), before, algebra.factors[after])
        if algebra.times(of_after, Form({tuple(sorted(inverse.items())): 1})) != ONE:
            return None
        grows = algebra.settled(algebra.times(of_after, rest))
        if self.holes_in(grows, loop):
            return None
        total = algebra.total(grows, loop.number, where)
        beside = self.carried(loop, other, at)
        begun, first = beside.first, each.first
        if (self.has_infinity(begun) and first.terms) or self.has_infinity(beside.end):
            return None
        if first.terms:
            first = algebra.times(self.swapped_form(Form({tuple(sorted(weight.items())): 1}), before, begun), first)
        ended = self.left_by(loop, other, at)
        self.computes_with("call", ended)
        scale = self.swapped_form(Form({tuple(sorted((n, -p) for n, p in weight.items())): 1}), before, ended)
        return algebra.times(scale, algebra.plus(first, total))

    def with_extreme_marked(self, form: Form, loop: LoopRun, other: CarriedKey, at: Position) -> Form:
        """A form in which a maximum or minimum that is another carried value at the end of a round is called that."""
        only = self.carried(loop, other, at).end.only()
        if only is None or only[1] != 1 or len(only[0]) != 1 or only[0][0][1] != 1:
            return form
        number = only[0][0][0]
        is_extreme = self.algebra.factors[number].kind in ("max", "min")
        return self.algebra.renamed(form, {number: self.marker("after", loop, other, at)}) if is_extreme else form

    def has_infinity(self, form: Form) -> bool:
        """Whether an infinity stands anywhere in a form."""
        return any(self.algebra.factors[number].kind == "infinity" for number in self.algebra.all_inside(form))

    def single(self, form: Form) -> int:
        (mono,) = form.terms
        return mono[0][0]

    def _mentions(self, number: int, marker: int) -> bool:
        factor = self.algebra.factors[number]
        return factor.kind == "exp" and any(each == marker for each, _ in factor.data[1])

    def linear(self, form: Form, hole: Factor) -> tuple[Form | None, Form]:
        """a and b of a·h + b."""
        slope: dict[Mono, Number] = {}
        rest: dict[Mono, Number] = {}
        for mono, coef in form.terms.items():
            power = dict(mono).get(hole.number, 0)
            if power == 1:
                slope[tuple(item for item in mono if item[0] != hole.number)] = coef
            elif power:
                return None, form
            else:
                rest[mono] = coef
        return Form(slope), Form(rest)

    def swapped(self, form: Form, marker: int, other: Factor) -> Form:
        return self.swapped_form(form, marker, self.algebra.of(other))

    def swapped_form(self, form: Form, marker: int, value: Form) -> Form:
        """Powers of e to something that a marker stands for, with a value in its place."""
        algebra = self.algebra
        result = ZERO
        for mono, coef in form.terms.items():
            made = algebra.number(coef)
            for number, power in mono:
                factor = algebra.factors[number]
                if factor.kind == "exp" and any(each == marker for each, _ in factor.data[1]):
                    exponent = algebra.number(power)
                    for each, times in factor.data[1]:
                        part = value if each == marker else algebra.of(algebra.factors[each])
                        exponent = algebra.times(exponent, algebra.power(part, times))
                    made = algebra.times(made, algebra.exponential(factor.data[0], exponent))
                else:
                    made = algebra.times(made, algebra.of(factor, power))
            result = algebra.plus(result, made)
        return result
