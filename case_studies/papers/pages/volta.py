"""Equivalence Checking of ML GPU Kernels (Dubey et al., 2025): its pairs on source, at its sizes and for all sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import prod
from typing import Any

from case_studies.papers.asked import HERE, Row, asked_all, rows_of, stated
from case_studies.papers.page import Page, bars, seconds

NAME = "volta"
FOLDER = HERE / NAME
TITLES = {"reductions": "Reductions", "races": "Lanes in step", "products": "Products", "attention": "Attention",
          "causal": "Causal attention", "slips": "Slips"}
SHOWN = ("sgemm_1.cu", "sgemm_7.cu", "fa1.cu", "fa2.cu")
"""The kernels that are printed."""


def measure() -> dict[str, Any]:
    """Answers of all rows."""
    return {"rows": asked_all(rows_of(NAME))}


def threads_of(row: Row) -> int | None:
    """Threads of a block of the second side, as its launch record or the comment above it states them; of rows at the paper's
    sizes alone."""
    if row.more["size"] == "all":
        return None
    found = re.search(r"--launch-b (\S+)", row.command)
    if found is not None:
        return prod(json.loads((FOLDER / found.group(1)).read_text(encoding="utf-8"))["block"])
    first, *_ = (FOLDER / row.more["b"]).read_text(encoding="utf-8").splitlines()
    stated = re.search(r"block=(\d+)", first)
    return int(stated.group(1)) if stated else None


def draw(answers: dict[str, Any]) -> None:
    """Seconds of the pairs that are equal, at the paper's sizes and for all sizes, and of the tool as it was rebuilt; of several
    of one second side those of the first."""
    rows = [row for row in rows_of(NAME) if row.verdict == "equal"]
    names = list(dict.fromkeys(row.more["b"].removesuffix(".cu") for row in rows))
    def first(name: str, whole: bool, of: Callable[[Row], float]) -> float:
        return next((of(row) for row in rows if row.more["b"] == f"{name}.cu" and (row.more["size"] == "all") is whole), 0)

    here = {title: [first(name, whole, lambda row: float(answers["rows"][row.name]["seconds"])) for name in names]
            for title, whole in (("here, at the paper's size", False), ("here, all sizes", True))}
    rebuilt = [first(name, False, lambda row: float(sum(row.more.get("rebuilt", ())))) for name in names]
    series = {**here, "VOLTA, rebuilt, at the paper's size": rebuilt}
    bars(FOLDER / "seconds.svg", names, series, "seconds", logarithmic=True)


def render(answers: dict[str, Any]) -> str:
    """The page."""
    told = stated(NAME)
    text, rows = told["text"], rows_of(NAME)
    page = Page(NAME, "Equivalence Checking of ML GPU Kernels")
    for part in ("work", "read", "compare"):
        page.say(text[part])
    page.say(_count(rows, answers))
    for group, title in TITLES.items():
        page.head(title)
        page.say(text[group])
        _table(page, [row for row in rows if row.more["group"] == group], answers)
    page.picture("seconds.svg", "Seconds: here at the paper's size and for all sizes, and those of the rebuilt tool")
    page.head("Some of the kernels")
    page.say("All others stand beside this page.")
    for name in SHOWN:
        page.source(name)
    page.head("What is as in the paper, and what is not")
    page.points(told["differences"])
    return page.text


def _table(page: Page, rows: list[Row], answers: dict[str, Any]) -> None:
    titles = ["pair", "second side", "sizes", "threads, VOLTA", "threads, here", "VOLTA", "VOLTA, rebuilt: run + solve",
              "seconds, here", "verdict", "class or finding"]
    page.table(titles, [_line(row, answers["rows"][row.name]) for row in rows])
    page.points([f"{row.more['pair']}, {row.more['size']} sizes: {row.more['why']}." for row in rows if "why" in row.more])


def _line(row: Row, answer: dict[str, Any]) -> list[object]:
    record = answer["records"][0]
    shown = record.get("class") or ", ".join(answer["rules"]) or row.more.get("slip", "")
    return [row.more["pair"], f"`{row.more['b']}`", "all" if row.more["size"] == "all" else row.more["size"],
            row.more.get("threads", ""), threads_of(row) or "", row.paper, " + ".join(map(seconds, row.more.get("rebuilt", ()))),
            seconds(answer["seconds"]), answer["verdict"], shown]


def _count(rows: list[Row], answers: dict[str, Any]) -> str:
    pairs = [row for row in rows if row.command.startswith("equiv") and row.more["group"] != "slips"]
    equal = [row for row in pairs if answers["rows"][row.name]["verdict"] == "equal"]
    whole = [row for row in equal if row.more["size"] == "all"]
    slowest = max(answers["rows"][row.name]["seconds"] for row in equal)
    return (f"Of {len(pairs)} comparisons {len(equal)} are equal, {len(whole)} of them for all sizes, by proof; the slowest "
            f"takes {seconds(slowest)} of the processor.")
