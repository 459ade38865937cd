"""The thread automaton as a picture, and as text for programs that draw: mermaid and dot (`svg` draws one itself).

Sync-segments are boxes, locations circles, transitions arrows; barriers are the arrows from box to box.
"""

from __future__ import annotations

from dataclasses import dataclass
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
        lines += [f'    l{location}(("{location_name(picture, location)}"))' for location in inside]
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
        lines += [f"    l{location} [label={_quoted(location_name(picture, location))}];" for location in inside]
        lines.append("  }")
    for edge in picture.edges:
        style = ", style=bold, color=firebrick" if edge.sync else ""
        lines.append(f"  l{edge.source} -> l{edge.target} [label={_quoted(edge.label)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def location_name(picture: Drawing, location: int) -> str:
    """What stands in its circle."""
    return "start" if location == picture.entry else "end" if location == picture.exit else str(location)
