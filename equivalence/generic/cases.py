"""Forms taken apart by their tests.

Input: a form, and which of its tests are meant. Output: its terms without these tests, each with the literals under which it
counts. A term that stands in the form without a test too is looked at in both cases of it; others are as they are in each. So
cases are doubled by each test, and there are not more of them than can be gone through (`MOST_PARTED`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from automata.logic import poly as P
from automata.logic.poly import Formula
from equivalence.generic.form import Factor, Form, Laws, Mono, Number
from equivalence.generic.integers import CannotFollow, Integers
from equivalence.generic.nests import Nests

MOST_PARTED = 1 << 12
"""Cases into which a form is taken apart."""


class Cases(Nests):
    """Forms whose tests are looked at in both cases."""

    def __init__(self, integers: Integers, laws: Laws) -> None:
        super().__init__(integers, laws)
        self._bases: dict[tuple[Form, int], set[Mono]] = {}

    def by_cases(self, form: Form, is_meant: Callable[[Factor], bool]) -> Iterator[tuple[Number, Mono, tuple[Formula, ...]]]:
        """The terms of a form without certain tests, and when each is taken: of two cases of a test, both by themselves.
        CannotFollow of more cases than can be gone through: they are doubled by each test."""
        return self._by_cases(form, is_meant, iter(range(MOST_PARTED)))

    def _by_cases(self, form: Form, is_meant: Callable[[Factor], bool],
                  left: Iterator[int]) -> Iterator[tuple[Number, Mono, tuple[Formula, ...]]]:
        if next(left, None) is None:
            raise CannotFollow("too many tests of one value")
        tests = sorted({number for mono in form.terms for number, _ in mono
                        if self.factors[number].kind == "test" and is_meant(self.factors[number])})
        if not tests:
            yield from ((coef, mono, ()) for mono, coef in form.terms.items())
            return
        first = self.factors[tests[0]]
        untouched = Form({mono: coef for mono, coef in form.terms.items() if not self._shares_base(mono, form, first.number)})
        yield from self._by_cases(untouched, is_meant, left)
        touched = self.minus(form, untouched)
        for holds in (True, False):
            literal = first.data if holds else P.neg(first.data)
            for coef, mono, others in self._by_cases(self.decided(touched, {first.number: holds}), is_meant, left):
                yield coef, mono, (literal, *others)

    def _shares_base(self, mono: Mono, form: Form, test: int) -> bool:
        """Whether a term stands in a form once with a test and once without, or with it alone: up to other tests."""
        def base(each: Mono) -> Mono:
            return tuple(item for item in each if self.factors[item[0]].kind != "test")
        key = (form, test)
        known = self._bases.get(key)
        if known is None:
            known = self._bases[key] = {base(each) for each in form.terms if any(number == test for number, _ in each)}
        return base(mono) in known
