"""How a page is written: Markdown, made of sentences, tables, listings and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from case_studies.papers.asked import HERE

MADE = "<!-- made by `python -m case_studies.papers {page}`; change that program, not this page -->"


class Page:
    """A page that grows from top to bottom."""

    def __init__(self, page: str, title: str) -> None:
        self.folder = HERE / page
        self.parts = [f"# {title}", MADE.format(page=page)]

    def head(self, text: str) -> None:
        self.parts.append(f"## {text}")

    def say(self, text: str) -> None:
        """A paragraph; lines may be broken anywhere."""
        self.parts.append(wrapped(" ".join(text.split())))

    def points(self, items: Iterable[str]) -> None:
        self.parts += ["\n".join(lines)] if (lines := [wrapped(" ".join(item.split()), "- ", "  ") for item in items]) else []

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table; an empty cell is a figure that could not be had."""
        lines = [titles, ["---"] * len(titles), *rows]
        self.parts.append("\n".join("| " + " | ".join(cell(each) for each in line) + " |" for line in lines))

    def listing(self, text: str, language: str = "text") -> None:
        self.parts.append(f"```{language}\n{text.rstrip()}\n```")

    def source(self, name: str) -> None:
        """A kernel's file."""
        self.listing((self.folder / name).read_text(encoding="utf-8"), "c")

    def picture(self, name: str, what: str) -> None:
        self.parts.append(f"![{what}]({name})")

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts) + "\n"


def cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def wrapped(text: str, first: str = "", later: str = "", width: int = 130) -> str:
    """Words in lines of at most a width; code between backticks stays on one line."""
    lines, line = [], first
    for word in re.findall(r"(?:`[^`]*`|[^\s`])+", text):
        if line.strip(" -") and len(line) + len(word) > width:
            lines.append(line.rstrip())
            line = later
        line += word + " "
    return "\n".join([*lines, line.rstrip()])


def seconds(value: float) -> str:
    """Seconds, as pages print them."""
    if value < 0.0005:
        return "under 1 ms"
    if value < 0.1:
        return f"{1000 * value:.0f} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def launch_of(record: dict[str, Any]) -> str:
    """The launch of a record in a few characters, or that all sizes are meant."""
    launch = record.get("launch") or {}
    said = [f"{name} {'×'.join(str(size) for size in trimmed(launch[key]))}"
            for name, key in (("grid", "grid"), ("block", "block")) if launch.get(key)]
    said += [f"{name} = {value}" for name, value in (launch.get("args") or {}).items()]
    return ", ".join(said) or "all sizes"


def trimmed(sizes: Sequence[object]) -> list[object]:
    """Sizes without the axes at the end that are 1."""
    found = list(sizes)
    while len(found) > 1 and found[-1] in (1, "1"):
        found.pop()
    return found


def bars(target: Path, labels: Sequence[str], series: dict[str, Sequence[float]], title: str, logarithmic: bool = False) -> None:
    """Bars of several series beside each other, lying: one group a label. Left as it is where matplotlib is missing."""
    plt = _plot()
    if plt is None:
        return
    figure, axis = plt.subplots(figsize=(7.5, 0.6 + 0.32 * len(labels) * max(1, len(series) / 2)), constrained_layout=True)
    height = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        axis.barh([place + number * height for place in range(len(labels))], values, height, label=name)
    axis.set_yticks([place + 0.4 - height / 2 for place in range(len(labels))], labels)
    axis.invert_yaxis()
    axis.set_xlabel(title)
    if logarithmic:
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.xaxis.set_minor_formatter(lambda *_: "")
    axis.grid(axis="x", alpha=0.3)
    if len(series) > 1:
        axis.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series))
    _save(plt, figure, target)


def curves(target: Path, lines: dict[str, Sequence[tuple[float, float]]], across: str, up: str) -> None:
    """Curves over a logarithmic axis. Left as it is where matplotlib is missing."""
    plt = _plot()
    if plt is None:
        return
    figure, axis = plt.subplots(figsize=(6, 2.8), constrained_layout=True)
    for name, points in lines.items():
        axis.plot([x for x, _ in points], [y for _, y in points], marker="o", markersize=4, label=name)
    axis.set_xscale("log", base=2)
    axis.set_ylim(0, 1.1 * max(y for points in lines.values() for _, y in points))
    axis.set_xlabel(across)
    axis.set_ylabel(up)
    axis.grid(alpha=0.3)
    axis.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(lines))
    _save(plt, figure, target)


def _plot() -> Any:
    try:
        import matplotlib
    except ModuleNotFoundError:
        return None
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "papers", "svg.fonttype": "none", "font.size": 9,
                         "axes.prop_cycle": plt.cycler(color=["#4c78a8", "#b3403a", "#72a276"])})
    return plt


def _save(plt: Any, figure: Any, target: Path) -> None:
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)
