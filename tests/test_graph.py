"""Graphs of our own against networkx, and distinct numbers against numpy, on random ones."""

from __future__ import annotations

import random

import networkx
import numpy as np
import pytest

from automata.graph import Graph, components, dominators, order, postorder
from automata.machine.numbers.ascending import ascending, without


def drawn(seed: int) -> tuple[Graph[int], networkx.DiGraph]:
    rng = random.Random(seed)
    size = rng.randint(1, 9)
    edges = [(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(0, 2 * size))]
    if rng.random() < 0.5:  # no cycles
        edges = [(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]]
    ours, theirs = Graph[int](), networkx.DiGraph()
    for node in rng.sample(range(size), size):
        ours.add_node(node)
        theirs.add_node(node)
    for edge in edges:
        ours.add_edge(*edge)
        theirs.add_edge(*edge)
    return ours, theirs


@pytest.mark.parametrize("seed", range(200))
def test_as_networkx(seed: int) -> None:
    ours, theirs = drawn(seed)
    assert list(ours.edges()) == list(theirs.edges) and list(ours) == list(theirs) and len(ours) == len(theirs)
    assert {node: set(others) for node, others in ours.before.items()} == {node: set(theirs.pred[node]) for node in theirs}
    assert sorted(map(sorted, components(ours))) == sorted(map(sorted, networkx.strongly_connected_components(theirs)))
    is_acyclic = networkx.is_directed_acyclic_graph(theirs)
    for key in (None, lambda node: (node % 3, -node)):
        assert order(ours, key) == (list(networkx.lexicographical_topological_sort(theirs, key)) if is_acyclic else None)
    for start in ours:
        assert postorder(ours, start) == list(networkx.dfs_postorder_nodes(theirs, start))
        above = dict(networkx.immediate_dominators(theirs, start))
        above.pop(start, None)
        assert dominators(ours, start) == above


@pytest.mark.parametrize("seed", range(40))
def test_as_numpy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = rng.choice([np.int64, np.uint64, np.uint8])
    one, two = (rng.integers(0, 20, rng.integers(0, 40)).astype(kind) for _ in range(2))
    assert np.array_equal(ascending(one), np.unique(one)) and ascending(one).dtype == np.unique(one).dtype
    assert np.array_equal(ascending(one, two), np.union1d(one, two))
    assert np.array_equal(without(one, np.unique(two)), np.setdiff1d(one, two))
