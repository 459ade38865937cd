"""States of the symbolic thread: the path that led there and what locals are, and what becomes of them where paths meet.

A path is a list of conjuncts. States that meet keep what they have in common; the rest becomes a choice, which is none where the
two sides of one decision meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from automata.logic import terms as T
from automata.logic.terms import Term

ONLY_KNOWN: tuple[Literal["round"], Literal["past"]] = ("round", "past")
"""The kinds of conjuncts that decide nothing."""


class Conjunct(NamedTuple):
    """A part of a path condition: a decision that led here, or something only known here.

    `round`: it holds in the round of a loop that a thread is in, if it comes to that; `past`: it holds of every thread that made
    the decisions, for the rounds in which it left the loops before (that they end is assumed), or is assumed by the source.
    """

    term: Term
    kind: Literal["decision", "round", "past"] = "decision"


Conjuncts = tuple[Conjunct, ...]


def whole(path: Conjuncts) -> Term:
    """All of a path condition."""
    return T.all_of(tuple(part.term for part in path))


def decisions(path: Conjuncts) -> Term:
    """The decisions of a path condition."""
    return T.all_of(tuple(part.term for part in path if part.kind == "decision"))


@dataclass(frozen=True, slots=True)
class State:
    """Path condition as a list of conjuncts, and the values of locals."""

    path: Conjuncts
    values: Mapping[str, Term]

    @property
    def condition(self) -> Term:
        """When a thread is in this state."""
        return whole(self.path)

    def knowing(self, *terms: Term, kind: Literal["round", "past"] = "round") -> State:
        """The state in which besides these are known."""
        return State((*self.path, *(Conjunct(term, kind) for term in terms if term is not T.TRUE)), self.values)

    def with_values(self, values: Mapping[str, Term]) -> State:
        """The state in which some locals have other values."""
        return State(self.path, {**self.values, **values})


def met(states: list[State]) -> State:
    """All states that meet, those first whose paths parted last: what is left of two sides of one decision is no decision."""
    left = list(states)
    common = [_shared(one, two) for one, two in pairwise(left)]
    while common:
        at = common.index(max(common))
        left[at:at + 2] = [merge(left[at], left[at + 1])]
        common[at:at + 1] = []
        for side in (at - 1, at):
            if 0 <= side < len(common):
                common[side] = _shared(left[side], left[side + 1])
    return left[0]


def _shared(left: State, right: State) -> int:
    """How much of their paths two states have in common."""
    shared = 0
    while shared < min(len(left.path), len(right.path)) and left.path[shared] == right.path[shared]:
        shared += 1
    return shared


def merge(left: State, right: State) -> State:
    """Two states that meet: the common path stays, the rest becomes a choice."""
    shared = _shared(left, right)
    one, two = left.path[shared:], right.path[shared:]
    first = whole(one)
    by_one, by_two = decisions(one), decisions(two)
    chosen = T.disjunction(by_one, by_two)
    rest = [Conjunct(chosen)] if chosen is not T.TRUE else []
    for kind in ONLY_KNOWN:
        mine, yours = (T.all_of(tuple(part.term for part in path if part.kind == kind)) for path in (one, two))
        either = T.disjunction(T.conjunction(by_one, mine), T.conjunction(by_two, yours))
        if either is not chosen and either is not T.TRUE:
            rest.append(Conjunct(T.disjunction(T.negate(chosen), either), kind))
    values = {name: T.select(first, left.values[name], right.values[name])
              for name in left.values if name in right.values}
    return State((*left.path[:shared], *rest), values)
