"""The cells of a run as tables of a page: a cell holds the number of the thread that touches it.

A colour for each thread is a help for the eye and nothing more: the number says which thread, a full cell is written, a framed
one read, a double frame is touched by several threads, and the cell of a conflict is hatched and names both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

GOLDEN = 137.5
"""Degrees between the hues of neighbouring threads, so that neighbours are unlike."""
KINDS = {"r": "reads", "w": "writes", "u": "updates it atomically"}
UPDATED = "∗"
HINT = "Point at a cell, or focus one and use the arrow keys."


def memory_html(memory: dict[str, Any], about: str, mark: str = "✕", widest: int = 16) -> str:
    """All arrays in all segments. `about`: what is marked, and with which sign; `widest`: cells of a row, where none is given."""
    segments = memory["segments"]
    if not segments:
        return f"<p>{escape(_launch(memory))} No thread touches memory in it.</p>"
    parts = [_legend(memory, about, mark), f'<p class="scope">{escape(_launch(memory))}</p>']
    for number in segments:
        met = [array for array in memory["arrays"] if _is_met(array, number, segments)]
        arrays = [array for array in memory["arrays"] if array["segments"].get(str(number)) or array in met]
        title = f"segment {number} of the run" + (": up to the first barrier" if number == 1 and len(segments) > 1 else "")
        parts.append(f'<section class="segment{" about" if met else ""}"><h4>{title}</h4><div class="arrays">')
        parts += [_array(_Drawn(memory, array, number, segments, mark), widest)
                  for array in (*met, *(array for array in arrays if array not in met))]
        parts.append(f'</div><p class="told" aria-live="polite" data-hint="{HINT}"></p></section>')
    if memory["more_segments"]:
        parts.append("<p>Further segments of this run are not shown.</p>")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One array in one segment."""

    memory: dict[str, Any]
    array: dict[str, Any]
    number: int
    segments: list[int]
    mark: str

    @property
    def touched(self) -> dict[str, Any]:
        found: dict[str, Any] = self.array["segments"][str(self.number)]
        return found

    def short(self, each: list[Any]) -> str:
        """The thread in a cell: its number, with its block where several ran."""
        number = str(_flat(each[1], self.memory["block"]))
        has_blocks = len(self.memory["ran"]) > 1 and not self.array["block"]
        return f"{_flat(each[0], self.memory['grid'])}.{number}" if has_blocks else number

    def is_missing(self, index: int) -> bool:
        """Whether a cell that this is about is touched in no segment."""
        return index in self.array["about"] and not any(str(index) in part for part in self.array["segments"].values())


def _is_met(array: dict[str, Any], number: int, segments: list[int]) -> bool:
    """Whether the cell that this is about is touched here, or in no segment at all: then the first is marked."""
    here = any(cell.get("conflict") for cell in array["segments"][str(number)].values())
    missing = [index for index in array["about"] if not any(str(index) in part for part in array["segments"].values())]
    return here or (bool(missing) and number == segments[0])


def _launch(memory: dict[str, Any]) -> str:
    sizes = [f"{name} {', '.join(map(str, memory[name]))}" for name in ("block", "grid")]
    sizes += [f"{name} = {value}" for name, value in memory["scalars"].items()]
    blocks = len(memory["ran"])
    all_blocks = memory["grid"][0] * memory["grid"][1] * memory["grid"][2]
    ran = "" if blocks == all_blocks else f"; run here: {blocks} of {all_blocks} blocks"
    return f"A run on the machine at {' · '.join(sizes)}{ran}."


def _legend(memory: dict[str, Any], about: str, mark: str) -> str:
    def sample(kind: str, text: str, said: str) -> str:
        cell = f'<td class="{kind}" style="--hue:210">{text}</td>'
        return f'<li><table class="cells" aria-hidden="true"><tr>{cell}</tr></table>{said}</li>'

    cells = [cell for array in memory["arrays"] for part in array["segments"].values() for cell in part.values()]
    is_about = any(array["about"] for array in memory["arrays"])
    parts = [sample("w", "3", "written by thread 3"), sample("r", "3", "read by it")]
    parts += [sample("r", "1.3", "by thread 3 of block 1")] if len(memory["ran"]) > 1 else []
    is_updated = any("u" in kind for cell in cells for *_, kind in cell["by"])
    parts += [sample("w", f"3{UPDATED}", "updated by it, atomically")] if is_updated else []
    parts += [sample("w many", "3+", "touched by several threads")] if any(len(cell["by"]) > 1 for cell in cells) else []
    parts += [sample("met", f"3{mark}4" if mark == "✕" else f"3{mark}", about)] if is_about else []
    return f'<ul class="legend">{"".join(parts)}{sample("none", "·", "not touched in this segment")}</ul>'


def _array(drawn: _Drawn, widest: int) -> str:
    array = drawn.array
    row, indices = min(array["row"], widest) if array["is_flat"] else array["row"], array["indices"]
    block = f" of block ({', '.join(map(str, array['block']))})" if array["block"] else ""
    hidden = f"; {array['hidden']} more cells are touched" if array["hidden"] else ""
    head = f"<figcaption><code>{escape(array['name'])}</code>, {array['space']} memory{block}{hidden}</figcaption>"
    body = "".join(f"<tr>{''.join(_row(drawn, at, row))}</tr>" for at in range(0, len(indices), row))
    return f'<figure data-cells data-row="{row}">{head}<table class="cells">{body}</table></figure>'


def _row(drawn: _Drawn, at: int, row: int) -> Iterator[str]:
    names, indices = drawn.array["names"], drawn.array["indices"]
    yield f'<th scope="row">{escape(names[at])}</th>'
    for index, name in zip(indices[at:at + row], names[at:at + row], strict=True):
        touch = drawn.touched.get(str(index))
        whole = drawn.array["name"] + name
        yield _untouched(drawn, index, whole) if touch is None else _cell(drawn, whole, touch)


def _untouched(drawn: _Drawn, index: int, name: str) -> str:
    if drawn.is_missing(index):
        return f'<td class="none met" aria-label="{escape(name)}: no thread touches it">{drawn.mark}</td>'
    return f'<td class="none" aria-label="{escape(name)}: not touched in this segment">·</td>'


def _cell(drawn: _Drawn, name: str, touch: dict[str, Any]) -> str:
    by = touch["by"]
    shown = next((each for each in by if each[2] != "r"), by[0])
    signs = "".join(each[2] for each in by).replace("u", "w")
    kind = "rw" if {"r", "w"} <= set(signs) else signs[0]
    many = len(by) + touch["more"] > 1
    others = [each for each in by if each is not shown]
    label = drawn.short(shown) + (UPDATED if "u" in shown[2] else "") + ("+" if many else "")
    if touch.get("conflict"):
        label = f"{drawn.short(shown)}{drawn.mark}{drawn.short(others[0]) if others else ''}"
    classes = [kind, *(["many"] if many else []), *(["met"] if touch.get("conflict") else [])]
    return (f'<td class="{" ".join(classes)}" style="--hue:{_flat(shown[1], drawn.memory["block"]) * GOLDEN % 360:.0f}" '
            f'aria-label="{escape(name)}: {escape(_told(drawn.memory, touch))}">{label}</td>')


def _flat(at: list[int], size: list[int]) -> int:
    return at[0] + size[0] * (at[1] + size[1] * at[2])


def _told(memory: dict[str, Any], touch: dict[str, Any]) -> str:
    who = []
    for block, thread, kind in touch["by"]:
        of = f"block ({', '.join(map(str, block))}) " if len(memory["ran"]) > 1 else ""
        name = str(thread[0]) if memory["block"][1:] == [1, 1] else f"({', '.join(map(str, thread))})"
        who.append(f"{of}thread {name} {' and '.join(KINDS[sign] for sign in kind)}")
    more = f", and {touch['more']} more threads" if touch["more"] else ""
    return f"{'here they meet: ' if touch.get('conflict') and len(who) > 1 else ''}{'; '.join(who)}{more}"
