"""GPUVerify's tutorial and manual (Betts et al., OOPSLA 2012, and later): each lesson with a kernel of ours."""

from __future__ import annotations

import shlex
from typing import Any

from case_studies.papers.asked import HERE, Row, asked_all, rows_of, stated, typical
from case_studies.papers.page import Page, curves, seconds

NAME = "gpuverify"
FOLDER = HERE / NAME
BLOCKS = (2, 8, 32, 128, 512, 1024)
GRID = 1024
REPEAT = 3


def measure() -> dict[str, Any]:
    """Answers of all rows, and seconds of the tree against threads."""
    return {"rows": asked_all(rows_of(NAME)), "threads": [_tree(block) for block in (*BLOCKS, None)]}


def _tree(block: int | None) -> dict[str, Any]:
    command = "check tree.cu" + ("" if block is None else f" --block {block} --grid {GRID}")
    return {"block": block, "grid": None if block is None else GRID, "seconds": typical(FOLDER, command, REPEAT)}


def draw(answers: dict[str, Any]) -> None:
    """Seconds against threads."""
    points = [(each["block"], each["seconds"]) for each in answers["threads"] if each["block"]]
    free = answers["threads"][-1]["seconds"]
    curves(FOLDER / "threads.svg", {"at a launch": points, "all sizes": [(points[0][0], free), (points[-1][0], free)]},
           "threads of a block", "seconds of a check")


def render(answers: dict[str, Any]) -> str:
    """The page."""
    told = stated(NAME)
    text, rows = told["text"], rows_of(NAME)
    page = Page(NAME, "GPUVerify, lesson by lesson")
    for part in ("work", "read", "method"):
        page.say(text[part])
    for lesson in told["lesson"]:
        page.head(lesson["title"])
        page.say(lesson["text"])
        own = [row for row in rows if row.more["lesson"] == lesson["id"]]
        page.table(["question", "GPUVerify", "here", "findings, each seen in a run", "seconds, here", "`spmd …`"],
                   [_line(row, answers["rows"][row.name]) for row in own])
        for name in dict.fromkeys(word for row in own for word in shlex.split(row.command) if word.endswith((".cu", ".cl"))):
            page.source(name)
    page.head("Time against threads")
    page.say(text["time"])
    page.table(["grid", "block", "seconds"], [[each["grid"] or "any", each["block"] or "any", seconds(each["seconds"])]
                                              for each in answers["threads"]])
    page.picture("threads.svg", "Seconds of a check against threads of a block")
    page.head("What differs in meaning, and why")
    page.points(told["differences"])
    page.head("In numbers")
    page.say(_count(rows, answers))
    page.say(text["whole"])
    return page.text


def _line(row: Row, answer: dict[str, Any]) -> list[str]:
    says = f"{row.paper} ({row.more['read']})" if row.paper else ""
    return [row.name, says, answer["verdict"], ", ".join(answer["rules"]), seconds(answer["seconds"]), f"`{row.command}`"]


def _count(rows: list[Row], answers: dict[str, Any]) -> str:
    found = [answers["rows"][row.name]["verdict"] for row in rows]
    parts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in dict.fromkeys(found))
    slowest = max(answers["rows"][row.name]["seconds"] for row in rows)
    lessons = len(stated(NAME)["lesson"])
    return (f"{len(rows)} questions in {lessons} lessons: {parts}. Each answer was written down before it was asked. The "
            f"slowest took {seconds(slowest)}.")
