"""Tests of which at most one holds: that a value is this number, or that one.

Input: tests of a form, by the numbers of their factors. Output: groups of them. Of `v == 0`, `v == 8`, `v == 16` for one value v
at most one holds, so they are k + 1 cases and not 2^k. Tests of other kinds are groups by themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from automata.logic.poly import Rel


def groups_of(tests: Mapping[int, object]) -> list[list[int]]:
    """The tests, each with what it says, in groups in their order."""
    found: dict[Hashable, list[int]] = {}
    for number, formula in tests.items():
        key: Hashable = number
        if isinstance(formula, Rel) and formula.sign == "==":
            key = formula.poly.plus(-formula.poly.terms.get((), 0))
        found.setdefault(key, []).append(number)
    return [*found.values()]


def cases_of(group: Iterable[int]) -> list[dict[int, bool]]:
    """What holds of a group in each case; that none does is the last."""
    numbers = list(group)
    return [*({number: number == chosen for number in numbers} for chosen in numbers), dict.fromkeys(numbers, False)]
