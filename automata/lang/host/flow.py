"""In which order a function's statements run, as far as that is certain of texts.

What is asked: does a variable have, where a kernel is launched, the value that it had where something was computed from it? A
function is a tree of *structures* (bodies, loops, branches, lambdas). A statement runs after those before it in the text, but for
loops, which come back: what stands in one may have run since. Labels and lambdas make order unknown.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from automata.lang.host.declarations import Variable
from automata.lang.host.syntax import Node

Kind = Literal["block", "loop", "branch", "lambda", "try", "switch", "case"]


@dataclass(eq=False, slots=True)
class Structure:
    """A part of a function, tokens [begin, end). `test`: of a branch, what was tested before it, and whether it `holds` in it.
    A `case` is what stands behind a label of a `switch` that is come to by this label alone, up to the next label.
    `guards`: tests that are false behind a token, for where they are true the structure is left. `is_jumped`: a label of a
    `switch` stands in it. Of a loop, `step`: the tokens of what is done behind its body; `round`: where what is done in each
    round begins; of a `for`, `head`: its test and its step; of a `do`, `is_passed`: whether each way through it makes a whole
    round. Of a `switch`, `labels`: the tokens of its labels; `has_default`: one of them takes what is left."""

    kind: Kind
    begin: int
    end: int
    outer: Structure | None
    test: Node | None = None
    holds: bool = True
    guards: list[tuple[int, Node]] = field(default_factory=list)
    is_jumped: bool = False
    step: tuple[int, int] = (0, 0)
    round: int = 0
    head: tuple[Node | None, Node | None] = (None, None)
    is_passed: bool = False
    labels: list[int] = field(default_factory=list)
    has_default: bool = False

    def has(self, at: int) -> bool:
        return self.begin <= at < self.end

    def comes_back(self, at: int) -> bool:
        """Whether it is a loop that may have gone round since a token ran."""
        return self.kind == "loop" and not (self.has(at) and self.round <= at)


@dataclass(frozen=True, slots=True)
class Test:
    """A test and what came of it."""

    node: Node
    holds: bool


class Flow:
    """The structures of a file."""

    def __init__(self) -> None:
        self.structures: list[Structure] = []
        self._begins: list[int] = []

    def open(self, kind: Kind, begin: int, end: int, outer: Structure | None) -> Structure:
        """A structure inside another one."""
        made = Structure(kind, begin, end, outer, round=begin)
        self.structures.append(made)
        return made

    def settle(self) -> None:
        """All structures are known."""
        self.structures.sort(key=lambda each: (each.begin, -each.end))
        self._begins = [each.begin for each in self.structures]

    def around(self, at: int) -> Iterator[Structure]:
        """The structures that hold a token, the innermost first."""
        index = bisect.bisect_right(self._begins, at) - 1
        found = self.structures[index] if index >= 0 else None
        while found is not None:
            if found.has(at):
                yield found
            found = found.outer

    def function(self, at: int) -> Structure | None:
        """The lambda that a token stands in, if it is one."""
        return next((each for each in self.around(at) if each.kind == "lambda"), None)

    def _runs_at(self, at: int) -> int:
        """The place in the text of what runs when a token does: the step of a `for` runs behind its body."""
        for each in self.around(at):
            if each.kind == "loop" and each.step[0] <= at < each.step[1]:
                return each.end - 1
        return at

    def is_same(self, variable: Variable, at: int, goal: int, anchor: int, begin: int) -> bool:
        """Whether a variable that all changes are known of has at `goal` the value that it had when `at` ran last, in an
        expression that begins at `begin`. From there to `goal` the control stays in the loops around `anchor`, in one round of
        theirs."""
        if not variable.settings:
            return True
        home = self.function(variable.at)
        if any(self.function(place) is not home for place, _ in variable.settings):
            return False
        if self.function(at) is not home or self.function(goal) is not home:
            return self._is_final(variable, at) and self._place_in(home, at) <= self._place_in(home, goal)
        first = self._runs_at(min(begin, at))
        return not any(self._is_between(place, first, goal, anchor, at) for place, _ in variable.settings)

    def _place_in(self, home: Structure | None, at: int) -> int:
        """Where a token stands in a function or lambda: where the lambda begins that holds it, if one does."""
        inner = [each.begin for each in self.around(at) if each.kind == "lambda" and each is not home and (
            home is None or home.begin < each.begin)]
        return min(inner, default=at)

    def _is_final(self, variable: Variable, at: int) -> bool:
        """Whether a variable has where a token runs the value that it keeps: nothing sets it behind the token or in a loop around
        it. So it has that value in lambdas behind the token, too, whenever they are called."""
        place = self._place_in(self.function(variable.at), at)
        if "static" in variable.type.words:
            return False
        return not any(change >= place or any(each.kind == "loop" and each.has(place) for each in self.around(change))
                       for change, _ in variable.settings)

    def _is_between(self, change: int, first: int, goal: int, anchor: int, at: int) -> bool:
        """Whether a change may run behind the last run of `at` and before `goal`."""
        if first <= self._runs_at(change) <= goal:
            return True
        return any(each.comes_back(anchor) and (each.has(at) or each.has(goal)) for each in self.around(change))

    def reaching(self, variable: Variable, at: int) -> list[int] | None:
        """Which settings of a variable (by their number) may have run, at most once each in order, when a token runs; None where
        that cannot be told."""
        home = self.function(variable.at)
        if self.function(at) is not home:
            return None
        found: list[int] = []
        for number, (place, _) in enumerate(variable.settings):
            if self.function(place) is not home:
                return None
            if any(each.comes_back(variable.at) and each.has(at) for each in self.around(place)):
                return None
            if self._runs_at(place) < at:
                found.append(number)
        return found

    def since(self, variable: Variable, at: int) -> list[int] | None:
        """The settings of a variable that may have run last when a token runs, by their number: first one that every way to the
        token passes, in the same round of the loops around both, then those behind it. None where there is no such one."""
        home = self.function(variable.at)
        places = [place for place, _ in variable.settings]
        if any(self.function(place) is not home for place in (at, *places)):
            return None
        first = next((place for place in reversed(places) if place < at and self._comes_before(place, at)), None)
        if first is None:
            return None
        for place in places:
            if any(each.kind == "loop" and each.has(at) and (not each.has(first) or each.comes_back(first))
                   for each in self.around(place)):
                return None
        return [number for number, place in enumerate(places) if first <= place and self._runs_at(place) < at]

    def _comes_before(self, place: int, at: int) -> bool:
        """Whether each way to a token passes a statement before it in the text, in the same round of the loops around both."""
        return self._runs_at(place) == place and self._runs_at(at) == at and all(
            each.has(at) and each.kind not in ("switch", "case") and not each.is_jumped and not each.comes_back(place)
            for each in self.around(place))

    def is_left(self, at: int, goal: int) -> bool:
        """Whether a token stands in a loop that a later one does not: what is declared there is a new variable each round."""
        return any(each.kind == "loop" and not each.has(goal) for each in self.around(at))

    def counting(self, variable: Variable, at: int) -> Structure | None:
        """The `for` that counts with a variable: its head declares it and its step alone changes it. None if a token stands
        elsewhere."""
        loop = next((each for each in self.around(variable.at) if each.kind == "loop"), None)
        if loop is None or not loop.comes_back(variable.at) or not loop.has(at):
            return None
        if self.function(at) is not self.function(loop.begin):
            return None
        only = len(variable.settings) == 1 and loop.step[0] <= variable.settings[0][0] < loop.step[1]
        return loop if only and at >= loop.step[1] else None

    def tests(self, at: int, within: int) -> list[Test] | None:
        """What was tested on the way from one token to another that follows; None where it cannot be told whether that is passed
        by though all tests are met."""
        return self._tests(self.around(at), within)

    def tests_before(self, structure: Structure, within: int) -> list[Test] | None:
        """Likewise on the way to a structure."""
        return self._tests(self.around(structure.begin), within, structure)

    def _tests(self, around: Iterator[Structure], within: int, behind: Structure | None = None) -> list[Test] | None:
        found: list[Test] = []
        for each in around:
            if behind is not None:
                behind = None if each is behind else behind
                continue
            if each.has(within) and not each.comes_back(within):
                break
            if each.is_passed and not each.is_jumped:
                continue
            if each.kind in ("loop", "try", "switch", "lambda") or each.is_jumped:
                return None
            if each.kind == "branch":
                if each.test is None:
                    return None
                found.append(Test(each.test, each.holds))
        return found

    def choosing(self, at: int) -> Structure | None:
        """The `switch` that a token stands in by itself, or in blocks alone, behind one of its labels."""
        for each in self.around(at):
            if each.kind == "switch":
                return each
            if each.kind not in ("case", "block"):
                return None
        return None

    def known(self, at: int) -> Iterator[Test]:
        """What was tested on the way to a token: the branches around it, and those that left a block around it before."""
        for each in self.around(at):
            if each.kind == "lambda":
                return
            if each.is_jumped:
                continue
            if each.test is not None:
                yield Test(each.test, each.holds)
            for place, test in each.guards:
                if place <= at:
                    yield Test(test, False)
