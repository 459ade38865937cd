"""Made-up contents of memory that meet what is required of them.

Input: the requirements on contents, sizes and parameters as numbers, and a filling that knows of none. Output: for each array
that is spoken of, other numbers: out of those that a test of one element admits, in order, or no two alike; as near to what a
model says as that can be. It is a guess that is checked: when a run has ended, `meets` looks at all that the run has touched, and
a run on data that do not meet the requirements proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from automata.lang.contents import Contents
from automata.logic import terms as T
from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Reals
from automata.machine.state.memory import MOST_CELLS as MOST_KEPT
from automata.machine.state.memory import Cells, Dense, Paged
from automata.proof.known.contents import Facts
from automata.proof.known.evaluation import Evaluation

NEAR, MOST_VALUES = 64, 1 << 12
FAR = MOST_KEPT + 1
"""Elements of an array whose length follows from nothing: so many that it is not kept whole."""
Rule = tuple[Contents, list[int], Evaluation, list[str]]


@dataclass
class Filling:
    """The requirements at some sizes. `rules`: each with the offsets of its elements, its test, and their names in it."""

    numbers: Mapping[str, int]
    rules: list[Rule] = field(default_factory=list)
    arrays: dict[str, _Kept] = field(default_factory=dict)

    @property
    def lengths(self) -> dict[str, int]:
        """How many elements each array has at most, so that the requirements can be met."""
        return {name: kept.length for name, kept in self.arrays.items()}

    def values(self, array: str, index: Numbers, made_up: Reals, said: Mapping[int, int]) -> Reals:
        """Other numbers in the place of made-up ones. `said`: what a model says of some elements."""
        kept = self.arrays.get(array)
        return made_up if kept is None else kept.values(index, made_up, said)

    def meets(self, buffers: Mapping[str, Dense | Paged], written: Iterable[str]) -> bool:
        """Whether all elements that a run has touched, of arrays that it does not write, are as required."""
        contents = {name: _contents(buffers[name]) for name in self.arrays if name in buffers and name not in written}
        return all(self.holds(rule, contents) for rule in self.rules if rule[0].arrays <= contents.keys())

    def holds(self, rule: Rule, contents: Mapping[str, Mapping[int, int]]) -> bool:
        each, offsets, test, slots = rule
        if each.kind != "each":
            values = list(contents[each.elements[0].array].values())
            return values == sorted(values) if each.kind == "sorted" else len(set(values)) == len(values)
        moving = [(element.array, offset) for element, offset in zip(each.elements, offsets, strict=True) if element.is_moving]
        starts = {index - moving[0][1] for index in contents[moving[0][0]]} if moving else {0}
        for start in starts:
            found = [contents[element.array].get(offset + start * element.is_moving)
                     for element, offset in zip(each.elements, offsets, strict=True)]
            if None not in found and not test.at({**self.numbers, **dict(zip(slots, found, strict=True))}):  # type: ignore[arg-type]
                return False
        return True


@dataclass
class _Kept:
    """What is required of one array alone. `allowed`: some numbers that its elements may be, `admits`: whether they may be one;
    `length`: of the array at most, none where no number is admitted; `fixed`: what single elements may be."""

    allowed: list[int]
    admits: Callable[[int], bool]
    length: int = FAR
    fixed: dict[int, list[int]] = field(default_factory=dict)
    is_sorted: bool = False
    is_distinct: bool = False

    def values(self, index: Numbers, made_up: Reals, said: Mapping[int, int]) -> Reals:
        allowed = np.array(self.allowed, np.float64)
        known = {at: value for at, value in said.items() if 0 <= at < self.length and self.admits(value)}
        known |= {at: values[0] for at, values in self.fixed.items() if values and known.get(at) not in values}
        if not self.allowed:
            return made_up
        if self.is_sorted:
            return self.in_order(index, known)
        if self.is_distinct:
            return self.unlike(index, known)
        whole = np.where(np.isfinite(made_up), made_up, 0.0).astype(np.int64)
        found = allowed[whole % allowed.size]
        for at, value in known.items():
            found[index == at] = value
        return found

    def in_order(self, index: Numbers, known: Mapping[int, int]) -> Reals:
        """Each element at least as large as the one before, or larger by one at least."""
        low, high = self.allowed[0], self.allowed[-1]
        anchors: list[tuple[int, int]] = []
        for at, value in sorted(known.items()):
            if not anchors or value - anchors[-1][1] >= (at - anchors[-1][0] if self.is_distinct else 0):
                anchors.append((at, value))
        if not anchors:
            anchors = [(0, low)]
        where, what = (np.array(part, np.int64) for part in zip(*anchors, strict=True))
        place = np.searchsorted(where, index, "right") - 1
        inside = np.maximum(place, 0)
        found = what[inside] + (index - where[inside] if self.is_distinct else 0)
        if not self.is_distinct:
            found = np.where(place < 0, low, found)
        return np.asarray(np.clip(found, low, high) if not self.is_distinct else found, np.float64)

    def unlike(self, index: Numbers, known: Mapping[int, int]) -> Reals:
        """No two elements alike: one after the other, and changed about where a model says so."""
        low = self.allowed[0]
        changed: dict[int, int] = {}
        for at, value in known.items():
            holder = next((other for other, held in changed.items() if held == value), value - low)
            mine = changed.get(at, low + at)
            changed[holder], changed[at] = mine, value
        found = (index + low).astype(np.float64)
        for at, value in changed.items():
            found[index == at] = value
        return found


def never(buffers: Mapping[str, Dense | Paged], written: Iterable[str]) -> bool:
    """That contents are as required, where none were found that are."""
    return False


def filling(facts: Facts, numbers: Mapping[str, int]) -> Filling | None:
    """How memory is filled at some sizes and parameters; None where no contents are seen to meet the requirements."""
    rules: list[Rule] = []
    for each, offsets, test, slots in facts.rules:
        found = [Evaluation(offset).at(numbers) for offset in offsets]
        if None in found:
            return None
        rules.append((each, [int(offset or 0) for offset in found], Evaluation(test), [T.symbol_of(slot).name for slot in slots]))
    result = Filling(numbers, rules)
    for name in sorted({name for each, *_ in rules for name in each.arrays}):
        kept = _kept(name, rules, numbers)
        if any(not values for values in kept.fixed.values()):
            return None
        result.arrays[name] = kept
    return result


def _kept(name: str, rules: list[Rule], numbers: Mapping[str, int]) -> _Kept:
    alone = [rule for rule in rules if rule[0].kind == "each" and [element.array for element in rule[0].elements] == [name]]
    moving = [rule for rule in alone if rule[0].elements[0].is_moving]
    candidates = sorted({*range(-4, NEAR), *(value + by for value in numbers.values() for by in (-1, 0, 1))})

    def admits(value: int) -> bool:
        return _admit(moving, numbers, value)

    kept = _Kept(_from_zero([value for value in candidates if admits(value)]), admits)
    for rule in alone:
        at = rule[1][0]
        if not rule[0].elements[0].is_moving:
            kept.fixed[at] = [value for value in kept.fixed.get(at, kept.allowed) if _admit([rule], numbers, value)]
    for each, offsets, test, slots in rules:
        if each.kind != "each" and each.elements[0].array == name:
            kept.is_sorted |= each.kind == "sorted"
            kept.is_distinct |= each.kind == "distinct"
        elif [element.array for element in each.elements] == [name, name] and abs(offsets[0] - offsets[1]) == 1:
            pair = slots if offsets[0] < offsets[1] else slots[::-1]
            up, down, level = (test.at({**numbers, **dict(zip(pair, both, strict=True))}) for both in ((0, 1), (1, 0), (0, 0)))
            if up and not down:
                kept.is_sorted, kept.is_distinct = True, kept.is_distinct or not level
    if not kept.allowed:
        kept.length = 0
    elif kept.is_distinct:
        run = list(takewhile(admits, range(kept.allowed[0], kept.allowed[0] + MOST_VALUES)))
        kept.allowed = run
        kept.length = len(run) if len(run) < MOST_VALUES else FAR
    return kept


def _admit(rules: list[Rule], numbers: Mapping[str, int], value: int) -> bool:
    """Whether tests of one element admit a value."""
    return all(test.at({**numbers, slots[0]: value}) for _, _, test, slots in rules)


def _from_zero(allowed: list[int]) -> list[int]:
    """The numbers from 0 on, and then those below it: what is made up is small and positive."""
    return [value for value in allowed if value >= 0] or allowed


def _contents(buffer: Dense | Paged) -> dict[int, int]:
    """The elements that there are, by index."""
    if isinstance(buffer, Dense):
        return dict(enumerate(map(int, buffer.cells[:buffer.size].tolist())))
    index = buffer.touched()
    cells: Cells = buffer.cells[buffer.positions(index)] if index.size else buffer.cells[:0]
    return {int(at): int(value) for at, value in zip(index, cells, strict=True) if at >= 0}
