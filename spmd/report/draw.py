"""The thread automaton as a picture: mermaid, dot, or an SVG that needs no installed program.

Sync-segments are boxes, locations circles, transitions arrows; barriers are the arrows from box to box.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import Any

from automata.lang.show import show_action, show_expr
from automata.thread.automaton import Action, Automaton, Condition, Sync, Transition
from automata.thread.segments import Segment, segments

MAX_LABEL = 60


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow with its text; `sync` marks a barrier."""

    source: int
    target: int
    label: str
    sync: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """What every format draws: boxes of locations, and arrows."""

    title: str
    boxes: tuple[tuple[int, tuple[int, ...]], ...]
    edges: tuple[Edge, ...]
    entry: int
    exit: int


def drawing(automaton: Automaton) -> Drawing:
    """The drawing of an automaton; a location that several segments share stands in the first."""
    cut = segments(automaton)
    edges = {(edge.source, edge.target, edge.label): edge for part in cut for edge in map(_edge, part.edges)}
    placed: set[int] = set()
    boxes = []
    for part in cut:
        inside = _locations(part) - placed
        placed |= inside
        boxes.append((part.number, tuple(sorted(inside))))
    return Drawing(automaton.kernel.name, tuple(boxes), tuple(edges.values()), automaton.entry, automaton.exit)


def drawing_record(picture: Drawing) -> dict[str, Any]:
    """A drawing as a record keeps it."""
    return {"title": picture.title, "entry": picture.entry, "exit": picture.exit,
            "boxes": [{"segment": number, "locations": list(inside)} for number, inside in picture.boxes],
            "edges": [{"source": edge.source, "target": edge.target, "label": edge.label, "sync": edge.sync}
                      for edge in picture.edges]}


def drawing_of(record: dict[str, Any]) -> Drawing:
    """The drawing that a record keeps."""
    return Drawing(record["title"], tuple((box["segment"], tuple(box["locations"])) for box in record["boxes"]),
                   tuple(Edge(**edge) for edge in record["edges"]), record["entry"], record["exit"])


def _locations(part: Segment) -> set[int]:
    found = {part.start}
    for source, target, transition in part.edges:
        found.add(source)
        if not isinstance(transition, Sync):
            found.add(target)
    return found


def _edge(edge: tuple[int, int, Transition]) -> Edge:
    source, target, transition = edge
    label = transition_text(transition)
    return Edge(source, target, label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1] + "…",
                isinstance(transition, Sync))


def transition_text(transition: Transition) -> str:
    """The text of a transition, in C."""
    match transition:
        case Sync(barrier=barrier):
            return "barrier " + "+".join(sorted(space.value for space in barrier.fences))
        case Action(stmt=stmt):
            return show_action(stmt)
        case Condition(test=test, positive=positive):
            return "" if not test.place.file else f"[{show_expr(test)}]" if positive else f"[!({show_expr(test)})]"


def mermaid(picture: Drawing) -> str:
    """A mermaid flowchart."""
    lines = ["flowchart TD"]
    for number, inside in picture.boxes:
        lines.append(f'  subgraph segment{number}["segment {number}"]')
        lines += [f'    l{location}(("{_name(picture, location)}"))' for location in inside]
        lines.append("  end")
    for edge in picture.edges:
        label = f'|"{_mermaid_text(edge.label)}"|' if edge.label else ""
        lines.append(f"  l{edge.source} {'==>' if edge.sync else '-->'}{label} l{edge.target}")
    return "\n".join(lines) + "\n"


def _mermaid_text(text: str) -> str:
    return text.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;").replace("|", "#124;")


def dot(picture: Drawing) -> str:
    """A Graphviz digraph."""
    lines = [f"digraph {_quoted(picture.title)} {{", "  node [shape=circle, fontname=monospace];",
             "  edge [fontname=monospace];"]
    for number, inside in picture.boxes:
        lines.append(f"  subgraph cluster_{number} {{ label={_quoted(f'segment {number}')}; style=rounded;")
        lines += [f"    l{location} [label={_quoted(_name(picture, location))}];" for location in inside]
        lines.append("  }")
    for edge in picture.edges:
        style = ", style=bold, color=firebrick" if edge.sync else ""
        lines.append(f"  l{edge.source} -> l{edge.target} [label={_quoted(edge.label)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _name(picture: Drawing, location: int) -> str:
    return "start" if location == picture.entry else "end" if location == picture.exit else str(location)


# -- SVG ----------------------------------------------------------------------------------------

ROW, COLUMN, LEFT, TOP, RADIUS = 56, 330, 60, 70, 13


def svg(picture: Drawing) -> str:
    """An SVG: rows by longest path from the start, a branch's second side in a column of its own."""
    rows, columns = _grid(picture)
    width = LEFT + COLUMN * (max(columns.values()) + 1) + 140
    height = TOP + ROW * (max(rows.values()) + 1) + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
             f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, monospace" font-size="11">',
             '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
             'orient="auto"><path d="M0 0L8 4L0 8z" fill="#444"/></marker></defs>',
             f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>',
             f'<text x="16" y="26" font-size="15" font-weight="bold">{escape(picture.title)}</text>']
    parts += [_box(number, inside, rows, columns, width) for number, inside in picture.boxes if inside]
    parts += [_arrow(edge, rows, columns) for edge in picture.edges]
    for location in rows:
        x, y = _point(location, rows, columns)
        fill = "#d7ecd9" if location == picture.entry else "#f3d9d6" if location == picture.exit else "white"
        parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}" fill="{fill}" stroke="#444"/>')
        parts.append(f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle" font-size="9">{_name(picture, location)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _grid(picture: Drawing) -> tuple[dict[int, int], dict[int, int]]:
    """Row and column of every location; locations are numbered in topological order."""
    rows, columns = {picture.entry: 0}, {picture.entry: 0}
    outgoing: dict[int, list[Edge]] = {}
    for edge in picture.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    arriving = Counter(edge.target for edge in picture.edges)
    for location in sorted({picture.entry, *(edge.target for edge in picture.edges)}):
        for side, edge in enumerate(outgoing.get(location, [])):
            rows[edge.target] = max(rows.get(edge.target, 0), rows[location] + 1)
            aside = side > 0 and arriving[edge.target] == 1
            column = max(columns.values()) + 1 if aside else columns[location]
            columns[edge.target] = min(columns.get(edge.target, column), column)
    return rows, columns


def _point(location: int, rows: dict[int, int], columns: dict[int, int]) -> tuple[float, float]:
    return LEFT + columns[location] * COLUMN, TOP + rows[location] * ROW


def _box(number: int, inside: tuple[int, ...], rows: dict[int, int], columns: dict[int, int], width: float) -> str:
    top = min(_point(location, rows, columns)[1] for location in inside) - 24
    bottom = max(_point(location, rows, columns)[1] for location in inside) + 22
    return (f'<rect x="14" y="{top:.0f}" width="{width - 28:.0f}" height="{bottom - top:.0f}" rx="8" fill="#f4f7fb" '
            f'stroke="#b9c7da"/><text x="{width - 24:.0f}" y="{top + 15:.0f}" text-anchor="end" '
            f'fill="#5b7290">segment {number}</text>')


def _arrow(edge: Edge, rows: dict[int, int], columns: dict[int, int]) -> str:
    (x1, y1), (x2, y2) = _point(edge.source, rows, columns), _point(edge.target, rows, columns)
    y1, y2 = y1 + RADIUS, y2 - RADIUS
    style = 'stroke="#b3403a" stroke-width="2.2"' if edge.sync else 'stroke="#444"'
    bend = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 + 24:.0f} {x2:.0f} {y2 - 24:.0f} {x2:.0f} {y2:.0f}"
    label_x, label_y = (x1 + 10, (y1 + y2) / 2 + 3) if x1 == x2 else (max(x1, x2) + 10, y2 - 6 if x2 > x1 else y1 + 12)
    text = "" if not edge.label else (
        f'<text x="{label_x:.0f}" y="{label_y:.0f}" fill="{"#b3403a" if edge.sync else "#222"}">{escape(edge.label)}</text>')
    return f'<path d="{bend}" fill="none" {style} marker-end="url(#tip)"/>{text}'
