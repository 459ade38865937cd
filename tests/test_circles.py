"""Which of some terms that rest on each other in a circle is decided first."""

from __future__ import annotations

import random
import time
from typing import Any

import networkx
import pytest

from automata.proof.symbolic.observed_terms import _of_a_circle


def reference(left: dict[int, Any], inside: dict[int, set[int]], around: dict[int, set[int]]) -> int:
    """By the components of the whole graph that nothing leads out of."""
    graph = networkx.DiGraph((term, other) for term in left for other in inside[term] | around[term])
    last = [found for found in networkx.strongly_connected_components(graph)
            if all(other in found for term in found for other in graph.successors(term))]
    return next(term for term in left if any(term in found for found in last) and not inside[term])


@pytest.mark.parametrize("seed", range(20))
def test_the_first_of_a_circle_that_rests_on_nothing_else(seed: int) -> None:
    chance, tried = random.Random(seed), 0
    while tried < 40:
        count = chance.randint(2, 9)
        left: Any = dict.fromkeys(chance.sample(range(count), count), ())
        inside = {term: {other for other in range(term) if chance.random() < 0.15} for term in left}
        share = chance.choice([0.1, 0.25, 0.5])
        around: Any = {term: {other for other in left if other != term and chance.random() < share} - below
                       for term, below in inside.items()}
        if all(inside[term] or around[term] for term in left):
            tried += 1
            assert _of_a_circle(left, inside, around) == reference(left, inside, around)


def test_many_terms() -> None:
    """Each rests on those before it, and the first on the last."""
    left: Any = dict.fromkeys(range(1500), ())
    inside: Any = {term: set() for term in left}
    around: Any = {term: set(range(term)) or {len(left) - 1} for term in left}
    began = time.monotonic()
    assert _of_a_circle(left, inside, around) == 0
    assert time.monotonic() - began < 20
