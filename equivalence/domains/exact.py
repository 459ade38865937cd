"""Exact symbols: terms in normal form, each with a number, so that equal numbers mean equal values without any probability.

The readings and what they understand are those of `Symbols`; only what a symbol is differs: the number of a term in `Terms`,
which both sides share, as a row of four equal words (0 and 1 are the terms 0 and 1; infinities and NaN are marked as there).
Terms are quotients of polynomials over atoms (`polynomials`). Laws: exponentials multiply by adding exponents, maxima
are sets of operands up to a common summand. Equal values may still have different terms: that is no difference, only
no proof. Costs grow with the terms, so it is for small launches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Expr
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.memory import Cells
from automata.machine.symbols.domain import ATOM, Compared, Degree
from automata.scalar import BOOL, Scalar
from equivalence.domains.field import INF, MINUS_INF, NAN, Reading, Value, rows
from equivalence.domains.polynomials import ONE, Arithmetic, Quotient
from equivalence.domains.symbols import Symbols

Tag = tuple[Any, ...]
_TESTS = frozenset({"==", "<", "<=", "0"})
"""How the names of atoms begin that are 0 or 1."""


class Terms:
    """All terms of one comparison in one reading, numbered."""

    def __init__(self) -> None:
        self.numbers: dict[Quotient, int] = {}
        self.terms: list[Quotient] = []
        self.atoms: dict[Tag, int] = {}
        self.memo: dict[Tag, int] = {}
        self.maxima: dict[int, frozenset[int]] = {}
        self.arithmetic = Arithmetic(self.exponential)
        for value in (0, 1):
            self.constant(value)

    def numbered(self, term: Quotient) -> int:
        number = self.numbers.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number

    def atom(self, tag: Tag) -> int:
        """The term that an atom is."""
        atom = self.atoms.setdefault(tag, len(self.atoms))
        if isinstance(tag[0], str) and tag[0].split()[0] in _TESTS:
            self.arithmetic.tests.add(atom)
        return self.numbered(self.arithmetic.atom(atom))

    def constant(self, value: Fraction | int) -> int:
        return self.numbered(self.arithmetic.number(int(value) if Fraction(value).denominator == 1 else value))

    def exponential(self, exponent: Quotient) -> int | None:
        """The atom of an exponential, as polynomials ask for it."""
        if exponent.constant == 0:
            return None
        atom = self.atoms.setdefault(("exponential", exponent), len(self.atoms))
        self.arithmetic.exponents[atom] = exponent
        return atom

    # -- operations on numbers of terms -----------------------------------------------------------

    def ring(self, op: str, one: int, two: int) -> int:
        first, second = self.terms[one], self.terms[two]
        if op == "*":
            return self.numbered(self.arithmetic.multiply(first, second))
        return self.numbered(self.arithmetic.add(first, second, 1 if op == "+" else -1))

    def total(self, start: int, numbers: Iterable[int], factor: int) -> int:
        """start + factor · the sum of the others."""
        terms = [self.terms[number] for number in numbers]
        whole = [term.top for term in terms if term.bottom == ONE]
        added = self.arithmetic.total(whole)
        found = reduce(self.arithmetic.add, (term for term in terms if term.bottom != ONE), added)
        return self.numbered(self.arithmetic.add(self.terms[start], found, factor))

    def inverse(self, number: int) -> int:
        """1/x; an atom where tests stand in x, which may vanish for some of their values."""
        term = self.terms[number]
        if any(atom in self.arithmetic.tests for part in term for monomial, _ in part for atom, _ in monomial):
            return self.atom(("1 /", number))
        return self.numbered(self.arithmetic.divide(self.arithmetic.number(1), term))

    def power(self, base: str, number: int) -> int:
        """An exponential to some base."""
        exponent = self.terms[number]
        if base != "e":
            exponent = self.arithmetic.multiply(exponent, self.terms[self.atom(("logarithm", base))])
        atom = self.exponential(exponent)
        return self.constant(1) if atom is None else self.numbered(self.arithmetic.atom(atom))

    def maximum(self, one: int, two: int) -> int:
        """Of two operands that are no maxima: x + max(y - x, 0), either way round; of more: the set, but for what all share."""
        sets = [self.maxima.get(number, frozenset({number})) for number in (one, two)]
        operands = sets[0] | sets[1]
        if len(operands) == 1:
            return one
        if len(operands) == 2:
            first, second = sorted(operands)
            way, back = self.ring("-", second, first), self.ring("-", first, second)
            base, gap = (first, way) if way < back else (second, back)
            found = self.ring("+", base, self.atom(("relu", gap)))
        else:
            found = self.largest(operands)
        self.maxima[found] = operands
        return found

    def largest(self, operands: frozenset[int]) -> int:
        terms = [self.terms[number] for number in operands]
        is_whole = all(term.bottom == ONE for term in terms)
        shared = frozenset.intersection(*(term.top for term in terms)) if is_whole else frozenset()
        common = self.numbered(Quotient(shared, ONE))
        rest = frozenset(self.ring("-", number, common) for number in operands)
        return self.ring("+", common, self.atom(("max", rest)))

    def same(self, one: int, two: int) -> bool:
        return one == two or self.arithmetic.same(self.terms[one], self.terms[two])


def finite(function: Callable[..., int]) -> Callable[..., int]:
    """A function where no operand is a mark: what it is there, the caller says."""
    return lambda *numbers: 0 if max(numbers) >= INF else function(*numbers)


class Exact(Symbols):
    """The domain of one reading, exactly. `terms`: those of both sides."""

    def __init__(self, reading: Reading, side: str, terms: Terms) -> None:
        super().__init__(reading, side, 1)
        self.terms = terms
        self.in_field, self.width = True, 4
        self.dtype = np.dtype("V16")

    def each(self, tag: Tag, function: Callable[..., int], *operands: Value) -> Value:
        """A function of numbers of terms, or marks, on rows of words, once for each combination."""
        count = max(len(words) for words in operands)
        columns = [rows(words, count)[:, 0] for words in operands]
        found = np.empty(count, np.uint32)
        memo = self.terms.memo
        for at, numbers in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            key = (*tag, *numbers)
            number = memo.get(key)
            if number is None:
                number = memo[key] = function(*numbers)
            found[at] = number
        return self.repeated(found)

    def repeated(self, numbers: npt.NDArray[Any]) -> Value:
        return np.repeat(numbers.astype(np.uint32)[:, None], 4, axis=1)

    # -- what Field computes on residues ----------------------------------------------------------

    def lift(self, number: Lanes, kind: Scalar) -> Lanes:
        flat = np.ascontiguousarray(number).reshape(-1)
        if kind != BOOL and not self.rings(kind):
            return super().lift(number, kind)
        made = np.empty(flat.size, np.uint32)
        for at, value in enumerate(flat.tolist()):
            if kind.is_float and not np.isfinite(value):
                self.special = True
                made[at] = NAN if np.isnan(value) else INF if value > 0 else MINUS_INF
            else:
                made[at] = self.terms.constant(Fraction(value) if kind.is_float else int(value))
        return self.value(self.repeated(made), number)

    def named(self, what: str, numbers: Numbers) -> Value:
        flat = np.ascontiguousarray(numbers).reshape(-1).tolist()
        return self.repeated(np.array([self.terms.atom((what, number)) for number in flat], np.uint32))

    def atom(self, tag: str, *operands: Value) -> Value:
        return self.without(self.each((tag,), lambda *numbers: self.terms.atom((tag, *numbers)), *operands), *operands)

    def symmetric(self, tag: str, one: Value, two: Value) -> Value:
        def made(first: int, second: int) -> int:
            return self.terms.atom((tag, *sorted((first, second))))
        return self.without(self.each((tag,), made, one, two), one, two)

    def number(self, value: int) -> Value:
        return self.repeated(np.array([self.terms.constant(value)]))

    def residues(self, op: str, one: Value, two: Value) -> Value:
        return self.each((op,), finite(lambda first, second: self.terms.ring(op, first, second)), one, two)

    def inverse(self, words: Value) -> Value:
        return self.each(("inverse",), finite(self.terms.inverse), words)

    def oriented(self, words: Value) -> tuple[Value, npt.NDArray[np.bool_]]:
        back = self.minus(self.number(0), words)
        turned = back[:, 0] < words[:, 0]
        return np.where(turned[:, None], back, words), turned

    # -- what Symbols knows of residues -----------------------------------------------------------

    def power(self, base: str, words: Value) -> Value:
        made = self.each((f"power of {base}",), finite(lambda number: self.terms.power(base, number)), words)
        return self.limits(words, made)

    def maximum(self, one: Value, two: Value) -> Value:
        made = self.each(("maximum",), finite(self.terms.maximum), one, two)
        return self.bounded(rows(one, len(made)), rows(two, len(made)), made)

    def bend(self, made: Value, one: Value, two: Value, compared: Compared, open_: npt.NDArray[np.bool_]) -> None:
        """Choices of the larger or the smaller of two values."""
        left, right = (rows(self.words(side), len(made)) for side in compared[1:3])
        for first, second, join in ((right, left, self.maximum), (left, right, self.minimum)):
            which = open_ & (one == first).all(axis=1) & (two == second).all(axis=1)
            if which.any():
                made[which] = join(left[which], right[which])

    def update(self, op: str, cells: Cells, slots: Numbers, args: list[Cells], kind: Scalar) -> bool:
        if op not in ("add", "sub") or not self.rings(kind):
            return False
        values = rows(self.words(args[0]), len(slots))[:, 0]
        if max(values.max(initial=0), self.words(cells[slots])[:, 0].max(initial=0)) >= INF:
            return False
        for slot in ascending(slots).tolist():
            before = int(self.words(cells[slot:slot + 1])[0, 0])
            found = self.terms.total(before, values[slots == slot].tolist(), 1 if op == "add" else -1)
            cells[slot:slot + 1] = self.value(self.repeated(np.array([found])), slots)
        return True

    def sums(self, kind: Scalar) -> bool:
        return False

    def degree(self, expr: Expr, parts: Sequence[Degree]) -> Degree:
        return ATOM

    def same(self, one: Value, two: Value) -> npt.NDArray[np.bool_]:
        """Where words are the same, or quotients of which the cross products are."""
        found: npt.NDArray[np.bool_] = one[:, 0] == two[:, 0]
        for at in np.flatnonzero(~found):
            first, second = int(one[at, 0]), int(two[at, 0])
            found[at] = max(first, second) < INF and self.terms.same(first, second)
        return found
