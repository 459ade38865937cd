"""Pictures of automata: of every kernel of the tests no two boxes, labels or locations overlap, and arrows lead on."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Run

from automata.place import InputError, UndecidedError
from spmd.asked import Question, Source
from spmd.pipeline import automata_of
from spmd.report.draw import Drawing, Edge, drawing, drawing_of, drawing_record
from spmd.report.layout import RADIUS, Layout, layout, text_width
from spmd.report.svg import svg

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.c[ul]"))
Rectangle = tuple[float, float, float, float]


def drawings(path: Path) -> list[Drawing]:
    try:
        return [drawing(automaton) for automaton in automata_of(Question(Source(str(path))))]
    except (InputError, UndecidedError):
        return []


def labels(found: Layout) -> list[Rectangle]:
    return [(path.label[0], path.label[1] - 6, path.label[0] + text_width(path.edge.label), path.label[1] + 6)
            for path in found.paths if path.label]


def meet(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def check(picture: Drawing) -> None:
    found = layout(picture)
    boxes = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in found.boxes]
    circles = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in found.points.values()]
    texts = labels(found)
    for rectangles in (boxes, [*texts, *circles]):
        for one, other in combinations(sorted(rectangles, key=lambda each: each[1]), 2):
            assert not meet(one, other), (picture.title, one, other)
    assert set(found.points) == {location for _, inside in picture.boxes for location in inside}
    for box, (_, inside) in zip(found.boxes, [item for item in picture.boxes if item[1]], strict=True):
        for x, y in (found.points[location] for location in inside):
            assert box.x < x - RADIUS and x + RADIUS < box.x + box.width
            assert box.y < y - RADIUS and y + RADIUS < box.y + box.height
    assert all(min(x0, y0) >= 0 and x1 <= found.width and y1 <= found.height for x0, y0, x1, y1 in [*boxes, *texts, *circles])
    assert len(found.paths) == len(picture.edges)
    for path in found.paths:
        arrives(found, path.edge, path.points)


def arrives(found: Layout, edge: Edge, points: tuple[tuple[float, float], ...]) -> None:
    """An arrow touches its source and its target, and never passes through another location."""
    for end, location in ((points[0], edge.source), (points[-1], edge.target)):
        assert math.dist(end, found.points[location]) < RADIUS * 1.1
    downs = [two[1] - one[1] for one, two in pairwise(points)]
    if edge.source != edge.target:
        assert all(step > 0 for step in downs) or all(step < 0 for step in downs)
    for point in points[1:-1]:
        assert all(math.dist(point, centre) > RADIUS for centre in found.points.values())


@pytest.mark.sliced(24)
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_nothing_overlaps(path: Path) -> None:
    for picture in drawings(path) or pytest.skip("not read"):
        check(picture)


@pytest.mark.parametrize("name", ["loop_nested_x.cu", "loop_matrix_tiles_ok.cu", "loop_early_exit_x.cu"])
def test_kernels_with_loops_are_drawn_with_their_way_back(name: str) -> None:
    (picture,) = drawings(KERNELS[0].parent / name)
    check(picture)
    found = layout(picture)
    assert any(path.points[0][1] > path.points[-1][1] for path in found.paths)
    root = ElementTree.fromstring(svg(picture))
    assert len([element for element in root.iter() if element.get("marker-end")]) == len(picture.edges)


@pytest.mark.parametrize("edges", [
    [(0, 0)], [(0, 1), (1, 0)], [(0, 1), (0, 1), (0, 1)], [(0, 1), (1, 2), (2, 0), (2, 2), (0, 2)],
    [(0, at) for at in range(1, 20)] + [(at, 20) for at in range(1, 20)],
    [(at, (at * 7 + 3) % 23) for at in range(23)] + [(at, (at * 5 + 1) % 23) for at in range(23)],
    [(one, two) for one in range(7) for two in range(7)]], ids=range(7))
def test_any_graph_is_laid_out(edges: list[tuple[int, int]]) -> None:
    """Also circles, arrows to oneself, many between the same two, in one segment and over several."""
    locations = sorted({end for edge in edges for end in edge})
    drawn = tuple(Edge(one, two, f"label {at}" * (at % 4), at % 3 == 0) for at, (one, two) in enumerate(edges))
    for boxes in (((0, tuple(locations)),), tuple((at, tuple(locations[at::3])) for at in range(3) if locations[at::3])):
        picture = Drawing("graph", boxes, drawn, locations[0], locations[-1])
        check(picture)
        assert drawing_of(drawing_record(picture)) == picture


def test_names_of_markers_can_be_told_apart(run: Run) -> None:
    (picture,) = drawings(KERNELS[0])
    assert not set(re.findall(r'id="(\w+)"', svg(picture, mark="1"))) & set(re.findall(r'id="(\w+)"', svg(picture, mark="2")))
    assert "<style" not in svg(picture, is_alone=False)
    assert run("draw", KERNELS[0], "--format", "svg").out == svg(picture)
