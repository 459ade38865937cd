"""An automaton as an SVG that needs no installed program: the places of `layout`, as circles, boxes and curves.

Colours are classes, so that a page which holds the picture can choose them (dark, light); a file of its own brings its style.
"""

from __future__ import annotations

from html import escape

from spmd.report.draw import Drawing, location_name
from spmd.report.layout import RADIUS, Box, Path, layout

STYLE = """<style>
.paper{fill:#fff}.title{font-weight:bold;font-size:15px;fill:#222}.box{fill:#f4f7fb;stroke:#b9c7da}.segment{fill:#5b7290}
.arrow{fill:none;stroke:#444}.tip{fill:#444}.label{fill:#222}.barrier{stroke:#b3403a;stroke-width:2.2}.barrier-tip{fill:#b3403a}
.barrier-label{fill:#b3403a}.location{fill:#fff;stroke:#444}.start{fill:#d7ecd9}.end{fill:#f3d9d6}.name{font-size:9px;fill:#222}
</style>"""


def svg(picture: Drawing, *, is_alone: bool = True, mark: str = "") -> str:
    """The picture. `is_alone`: with its own style and background; `mark`: makes the names inside it unlike those of others."""
    found = layout(picture)
    width, height = f"{found.width:.0f}", f"{found.height:.0f}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             f'font-family="ui-monospace, monospace" font-size="11" role="img" '
             f'aria-label="thread automaton of {escape(picture.title)}">',
             f"<defs>{_tip(f'tip{mark}', 'tip')}{_tip(f'barrier{mark}', 'barrier-tip')}</defs>"]
    if is_alone:
        parts += [STYLE, f'<rect class="paper" width="{width}" height="{height}"/>']
    parts.append(f'<text class="title" x="16" y="26">{escape(picture.title)}</text>')
    parts += [_box(box) for box in found.boxes]
    parts += [_arrow(path, mark) for path in found.paths]
    parts += [_label(path) for path in found.paths if path.label]
    for location, (x, y) in found.points.items():
        kind = " start" if location == picture.entry else " end" if location == picture.exit else ""
        name = location_name(picture, location)
        parts.append(f'<circle class="location{kind}" cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS:.0f}"/>'
                     f'<text class="name" x="{x:.0f}" y="{y + 3:.0f}" text-anchor="middle">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _tip(name: str, kind: str) -> str:
    return (f'<marker id="{name}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
            f'markerUnits="userSpaceOnUse"><path class="{kind}" d="M0 0L8 4L0 8z"/></marker>')


def _box(box: Box) -> str:
    return (f'<rect class="box" x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="8"/>'
            f'<text class="segment" x="{box.x + box.width - 8:.0f}" y="{box.y + 13:.0f}" text-anchor="end">'
            f'segment {box.number}</text>')


def _arrow(path: Path, mark: str) -> str:
    """A smooth curve through the points of a path."""
    points = path.points
    leans = [0.0, *(_lean(*three) for three in zip(points, points[1:], points[2:], strict=False)), 0.0]
    drawn = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (to_x, to_y), lean, to_lean in zip(points, points[1:], leans, leans[1:], strict=False):
        if abs(to_x - x) < 0.5:
            drawn += f"L{to_x:.1f} {to_y:.1f}"
        else:
            bend = (to_y - y) / 2
            drawn += (f"C{x + lean * bend:.1f} {y + bend:.1f} {to_x - to_lean * bend:.1f} {to_y - bend:.1f} "
                      f"{to_x:.1f} {to_y:.1f}")
    kind, tip = ("arrow barrier", f"barrier{mark}") if path.edge.sync else ("arrow", f"tip{mark}")
    return f'<path class="{kind}" d="{drawn}" marker-end="url(#{tip})"/>'


def _lean(before: tuple[float, float], here: tuple[float, float], after: tuple[float, float]) -> float:
    """How far a curve goes aside for each pixel down where it passes a point: not at all where it turns or was upright."""
    one, two = here[0] - before[0], after[0] - here[0]
    if one * two <= 0 or min(abs(one), abs(two)) < 0.5:
        return 0.0
    return (after[0] - before[0]) / (after[1] - before[1]) if after[1] != before[1] else 0.0


def _label(path: Path) -> str:
    assert path.label is not None
    x, y = path.label
    kind = "barrier-label" if path.edge.sync else "label"
    return f'<text class="{kind}" x="{x:.0f}" y="{y + 4:.0f}">{escape(path.edge.label)}</text>'
