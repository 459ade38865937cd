"""Where the locations, labels and arrows of an automaton stand, in layers (Sugiyama, Tagawa and Toda 1981).

In: a `Drawing`. Out: a point for each location, a path for each arrow, a box for each sync-segment; nothing overlaps.

The one idea: everything that takes room is a node of a layer, and the nodes of a layer keep their distance. A label is a node on
the way of its arrow, and an arrow that passes a layer is a node there too. Segments are bands of layers one below the other, so
that their boxes cannot meet. An arrow that leads back up is laid out as one that leads down and drawn the other way round.

    turn arrows down ─▶ layers ─▶ nodes on the way ─▶ order in each layer (medians) ─▶ places (least squares with distances)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from spmd.report.draw import Drawing, Edge

RADIUS, GAP, CHARACTER = 13.0, 14.0, 6.7
"""Of a location; between nodes of a layer; the width of a character."""
LOCATIONS, LABELS, PASSING = 30.0, 24.0, 12.0
"""Heights of layers: with locations, with labels, with neither."""
LEFT, TOP, PAD = 34.0, 52.0, 16.0
SWEEPS, TURNS, SETTLES = 12, 6, 20
"""Of the order; of places, first by the neighbours on one side, then by all."""
SLOPE, MOST_SLOPE = 0.11, 40.0
"""Room between two layers for each pixel that an arrow goes aside there, and at most."""
UPRIGHT = 8.0
"""How far an arrow goes straight on both sides of its label."""


@dataclass(slots=True)
class Node:
    """Something in a layer. It reaches `left` and `right` of the point where its arrow passes, or of its centre."""

    layer: int
    left: float
    right: float
    location: int | None = None
    x: float = 0.0
    up: list[Node] = field(default_factory=list, repr=False)
    down: list[Node] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class Path:
    """An arrow: the points it passes from its source to its target, and where its label begins (its middle line)."""

    edge: Edge
    points: tuple[tuple[float, float], ...]
    label: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle. `number`: of the segment."""

    number: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """All places, in pixels from the top left."""

    width: float
    height: float
    points: Mapping[int, tuple[float, float]]
    paths: tuple[Path, ...]
    boxes: tuple[Box, ...]


def text_width(text: str) -> float:
    """Of a text in the monospaced font of pictures."""
    return CHARACTER * sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def layout(picture: Drawing) -> Layout:
    """The places of everything in a drawing."""
    bands = [(number, inside) for number, inside in picture.boxes if inside]
    layers = _layers(picture.edges, bands)
    nodes = {location: Node(layer, RADIUS, RADIUS, location) for location, layer in layers.items()}
    chains = [_chain(edge, nodes) for edge in picture.edges]
    rows = _rows([*nodes.values(), *(node for chain in chains for node in chain)])
    _order(rows)
    _settle(rows)
    heights = _heights(rows, layers, bands)
    right = max((node.x + node.right for row in rows for node in row), default=0.0)
    left = min((node.x - node.left for row in rows for node in row), default=0.0)
    shift = LEFT - left
    points = {location: (node.x + shift, heights[node.layer]) for location, node in nodes.items()}
    width = max(right + shift + LEFT, text_width(picture.title) * 1.4 + 2 * LEFT, 120.0)
    paths = tuple(_path(edge, chain, nodes, heights, shift) for edge, chain in zip(picture.edges, chains, strict=True))
    boxes = tuple(_box(number, [layers[location] for location in inside], heights, width) for number, inside in bands)
    return Layout(width, max(heights, default=TOP) + RADIUS + 2 * PAD, points, paths, boxes)


# -- layers ----------------------------------------------------------------------------------------


def _layers(edges: Sequence[Edge], bands: Sequence[tuple[int, tuple[int, ...]]]) -> dict[int, int]:
    """The layer of each location: even ones; labels stand in the odd ones between. The bands follow each other."""
    found: dict[int, int] = {}
    base = 0
    for _, inside in bands:
        own = set(inside)
        inner = [(edge.source, edge.target) for edge in edges if {edge.source, edge.target} <= own and edge.source != edge.target]
        ranks = _ranks(sorted(inside), inner)
        found |= {location: base + 2 * rank for location, rank in ranks.items()}
        base += 2 * max(ranks.values()) + 2
    return found


def _ranks(locations: Sequence[int], edges: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The longest way down to each location, without the arrows that close a circle."""
    following: dict[int, list[int]] = {location: [] for location in locations}
    for source, target in edges:
        following[source].append(target)
    entered = {target for _, target in edges}
    finished, back = _walked(sorted(locations, key=lambda location: (location in entered, location)), following)
    ranks = dict.fromkeys(locations, 0)
    for here in reversed(finished):
        for target in following[here]:
            if (here, target) not in back:
                ranks[target] = max(ranks[target], ranks[here] + 1)
    return ranks


def _walked(starts: Iterable[int], following: Mapping[int, list[int]]) -> tuple[list[int], set[tuple[int, int]]]:
    """Locations in the order in which a walk in depth leaves them, and the arrows to one that it is still in."""
    finished, back = list[int](), set[tuple[int, int]]()
    inside: dict[int, bool] = {}
    for start in starts:
        stack = [] if start in inside else [(start, iter(following[start]))]
        inside.setdefault(start, True)
        while stack:
            here, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                inside[here] = False
                finished.append(here)
                stack.pop()
            elif step not in inside:
                inside[step] = True
                stack.append((step, iter(following[step])))
            elif inside[step]:
                back.add((here, step))
    return finished, back


def _chain(edge: Edge, nodes: Mapping[int, Node]) -> list[Node]:
    """The nodes on the way of an arrow, from top to bottom; its label stands next to its source."""
    source, target = nodes[edge.source], nodes[edge.target]
    upper, lower = (source, target) if source.layer <= target.layer else (target, source)
    top, bottom = upper.layer + 1, max(lower.layer - 1, upper.layer + 1)
    labelled = bottom if source is lower and source is not upper else top
    chain = []
    for layer in range(top, bottom + 1):
        room = text_width(edge.label) + 10 if edge.label and layer == labelled else 3.0
        chain.append(Node(layer, 3.0, room))
    ends = [upper, *chain] if upper is lower or upper.layer == lower.layer else [upper, *chain, lower]
    for one, two in pairwise(ends):
        one.down.append(two)
        two.up.append(one)
    return chain


def _rows(nodes: Iterable[Node]) -> list[list[Node]]:
    rows: dict[int, list[Node]] = {}
    for node in nodes:
        rows.setdefault(node.layer, []).append(node)
    return [rows.get(layer, []) for layer in range(max(rows, default=-1) + 1)]


# -- order ----------------------------------------------------------------------------------------


def _order(rows: list[list[Node]]) -> None:
    """Few crossings: each layer by the medians of its neighbours, down and up in turn; the best order seen is kept."""
    _first_order(rows)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        is_down = sweep % 2 == 0
        place = {id(node): at for row in rows for at, node in enumerate(row)}
        for row in rows if is_down else reversed(rows):
            keys = {id(node): _median([place[id(other)] for other in (node.up if is_down else node.down)], place[id(node)])
                    for node in row}
            row.sort(key=lambda node: keys[id(node)])
            place.update((id(node), at) for at, node in enumerate(row))
        found = _crossings(rows)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept


def _first_order(rows: list[list[Node]]) -> None:
    """As a walk from the top meets them."""
    met: dict[int, int] = {}
    for row in rows:
        for first in row:
            todo = [first]
            while todo:
                node = todo.pop()
                if id(node) not in met:
                    met[id(node)] = len(met)
                    todo += reversed(node.down)
    for row in rows:
        row.sort(key=lambda node: met[id(node)])


def _median(places: list[int], own: int) -> float:
    places.sort()
    middle = len(places) // 2
    if not places:
        return float(own)
    return float(places[middle]) if len(places) % 2 else (places[middle - 1] + places[middle]) / 2


def _crossings(rows: list[list[Node]]) -> int:
    """Pairs of lines between neighbouring layers that cross."""
    total = 0
    for upper, lower in pairwise(rows):
        place = {id(node): at for at, node in enumerate(lower)}
        ends = [at for node in upper for at in sorted(place[id(other)] for other in node.down if id(other) in place)]
        total += _inversions(ends)
    return total


def _inversions(ends: list[int]) -> int:
    """Pairs that stand the wrong way round, counted in a tree of sums."""
    size = max(ends, default=0) + 1
    sums, total = [0] * (size + 1), 0
    for seen, end in enumerate(ends):
        at, below = end + 1, 0
        while at:
            below += sums[at]
            at -= at & -at
        total += seen - below
        at = end + 1
        while at <= size:
            sums[at] += 1
            at += at & -at
    return total


# -- places ---------------------------------------------------------------------------------------


def _settle(rows: list[list[Node]]) -> None:
    """Each node near its neighbours, layer by layer, down and up in turn."""
    for row in rows:
        at = 0.0
        for node in row:
            node.x = at + node.left
            at = node.x + node.right + GAP
    for sweep in range(SETTLES):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            near = [[*node.up, *node.down] if sweep >= TURNS else node.up if sweep % 2 == 0 else node.down for node in row]
            wanted = [sum(other.x for other in others) / len(others) if others else node.x
                      for node, others in zip(row, near, strict=True)]
            weights = [4.0 if node.location is None else 1.0 for node in row]
            for node, x in zip(row, _apart(row, wanted, weights), strict=True):
                node.x = x


def _apart(row: list[Node], wanted: list[float], weights: list[float]) -> list[float]:
    """The places nearest to those that are wanted (least squares) at which neighbours keep their distance: without the distances
    that is a monotone fit, found by pooling neighbours that stand the wrong way round."""
    offsets = [0.0]
    for one, two in pairwise(row):
        offsets.append(offsets[-1] + one.right + GAP + two.left)
    pools: list[tuple[float, float, int]] = []
    for x, offset, weight in zip(wanted, offsets, weights, strict=True):
        value, mass, count = x - offset, weight, 1
        while pools and pools[-1][0] > value:
            before, other, number = pools.pop()
            value, mass, count = (value * mass + before * other) / (mass + other), mass + other, count + number
        pools.append((value, mass, count))
    flat = [value for value, _, count in pools for _ in range(count)]
    return [value + offset for value, offset in zip(flat, offsets, strict=True)]


def _heights(rows: list[list[Node]], layers: Mapping[int, int], bands: Sequence[tuple[int, tuple[int, ...]]]) -> list[float]:
    """The middle line of each layer. Between two segments there is room for the edges of their boxes."""
    firsts = {min(layers[location] for location in inside) for _, inside in bands[1:]}
    found: list[float] = []
    y = TOP + PAD
    for layer, row in enumerate(rows):
        has_label = any(node.location is None and node.right > node.left for node in row)
        height = LOCATIONS if layer % 2 == 0 else LABELS if has_label else PASSING
        y += PAD if layer in firsts or layer + 1 in firsts else 0.0
        found.append(y + height / 2)
        aside = max((abs(node.x - other.x) for node in row for other in node.down), default=0.0)
        y += height + min(MOST_SLOPE, SLOPE * aside)
    return found


def _box(number: int, layers: list[int], heights: list[float], width: float) -> Box:
    top, bottom = heights[min(layers)] - RADIUS - PAD, heights[max(layers)] + RADIUS + PAD
    return Box(number, 10.0, top, width - 20.0, bottom - top)


def _path(edge: Edge, chain: list[Node], nodes: Mapping[int, Node], heights: list[float], shift: float) -> Path:
    """The points of an arrow. One that leads up leaves and arrives beside the arrows that lead down."""
    source, target = nodes[edge.source], nodes[edge.target]
    inner = [(node.x + shift, heights[node.layer]) for node in chain]
    label = next(((x + 7, y) for node, (x, y) in zip(chain, inner, strict=True) if node.right > node.left), None)
    way = [(x, y + aside) for node, (x, y) in zip(chain, inner, strict=True)
           for aside in ((-UPRIGHT, UPRIGHT) if node.right > node.left else (0.0,))]
    begin, end = ((node.x + shift, heights[node.layer]) for node in (source, target))
    if source.layer < target.layer:
        return Path(edge, ((begin[0], begin[1] + RADIUS), *way, (end[0], end[1] - RADIUS)), label)
    way.reverse()
    diagonal = RADIUS * 0.72
    leaves = begin[0] + (diagonal if way[0][0] >= begin[0] else -diagonal)
    arrives = end[0] + (diagonal if way[-1][0] >= end[0] else -diagonal)
    rises = diagonal if source is target else -diagonal
    return Path(edge, ((leaves, begin[1] + rises), *way, (arrives, end[1] + diagonal)), label)
