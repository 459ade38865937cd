"""The algorithms on graphs against networkx, on random graphs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import networkx as nx
import pytest

from automata.digraph import Digraph


def _graphs() -> Iterator[tuple[Digraph[int], nx.DiGraph]]:
    """Sparse ones and dense ones, with and without cycles, with nodes that nothing reaches; both with the same order of edges."""
    chance = random.Random(7)
    for _ in range(600):
        count, is_acyclic = chance.randint(1, 12), chance.random() < 0.4
        edges = [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randint(0, 3 * count))]
        if is_acyclic:
            edges = [(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]]
        names = chance.sample(range(100), count)
        own, other = Digraph[int](), nx.DiGraph()
        own.add_nodes(names)
        other.add_nodes_from(names)
        own.add_edges((names[one], names[two]) for one, two in edges)
        other.add_edges_from((names[one], names[two]) for one, two in edges)
        yield own, other


def test_nodes_and_edges_keep_their_order() -> None:
    for own, other in _graphs():
        assert (list(own), len(own), list(own.edges())) == (list(other), len(other), list(other.edges))
        for node in own:
            assert list(own.successors(node)) == list(other.successors(node))
            assert list(own.predecessors(node)) == list(other.predecessors(node))
            assert all(own.has_edge(node, target) == other.has_edge(node, target) for target in own)
    assert 1 not in Digraph[int]() and not Digraph[int]().has_edge(1, 1)


def test_postorder() -> None:
    for own, other in _graphs():
        for node in own:
            assert own.postorder(node) == list(nx.dfs_postorder_nodes(other, node))


def test_dominators() -> None:
    for own, other in _graphs():
        for node in own:
            found = nx.immediate_dominators(other, node)
            found.pop(node, None)
            assert own.dominators(node) == found


def test_components() -> None:
    for own, other in _graphs():
        parts = own.components()
        assert sorted(map(sorted, parts)) == sorted(map(sorted, nx.strongly_connected_components(other)))
        at = {node: position for position, part in enumerate(parts) for node in part}
        assert all(at[target] <= at[source] for source, target in own.edges())


def test_order() -> None:
    cycles = 0
    for own, other in _graphs():
        assert own.is_acyclic() == nx.is_directed_acyclic_graph(other)
        if own.is_acyclic():
            assert own.order(key=lambda node: node) == list(nx.lexicographical_topological_sort(other))
            assert own.order(key=lambda node: -node) == list(nx.lexicographical_topological_sort(other, key=lambda node: -node))
        else:
            cycles += 1
            with pytest.raises(ValueError, match="cycle"):
                own.order(key=lambda node: node)
    assert 100 < cycles < 500


def test_long_paths_are_no_deep_recursion() -> None:
    chain = Digraph((node, node + 1) for node in range(5000))
    assert chain.postorder(0)[0] == 5000 and len(chain.components()) == 5001
    assert chain.dominators(0)[5000] == 4999 and chain.order(key=lambda node: node)[-1] == 5000
