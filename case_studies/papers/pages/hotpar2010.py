"""Checking Non-Interference in SPMD Programs (Tripakis, Stergiou, Lublinerman; HotPar 2010): automata, segments, formulas."""

from __future__ import annotations

import contextlib
import shlex
from typing import Any

from case_studies.papers.asked import HERE, asked_all, rows_of, run, stated, typical
from case_studies.papers.page import Page, curves, launch_of, seconds

NAME = "hotpar2010"
FOLDER = HERE / NAME
SHOWN = ("direct", "staged", "unsynchronised")
"""The three versions whose automata and formulas are printed in full."""
BLOCKS = (2, 8, 32, 128, 512, 1024)
GRID = 1024
REPEAT = 3


def measure() -> dict[str, Any]:
    """Answers of all rows, what each segment by itself says, the printed formulas, seconds against threads."""
    rows = rows_of(NAME)
    answers = asked_all(rows)
    for row in rows:
        if "segments" in row.more:
            answers[row.name]["segments"] = said = segment_by_segment(row.command)
            if said != row.more["segments"]:
                raise SystemExit(f"{row.id}: each segment by itself: {said}, not {row.more['segments']}")
    formulas = {name: run(FOLDER, f"check {name}.cu --show-formulas")[1] for name in (*SHOWN, "in_place")}
    return {"rows": answers, "formulas": formulas, "threads": against_threads()}


def segment_by_segment(command: str) -> str:
    """What the formulas of one segment at a time come to: those pairs alone whose two accesses lie in one segment."""
    from spmd.api import check

    words = shlex.split(command)
    require = [words[at + 1] for at, word in enumerate(words) if word == "--require"]
    with contextlib.chdir(FOLDER):
        (answer,) = check(words[1], require=require)
    assert answer.analysis is not None
    meet = [item for group in answer.analysis.interference for item in group.suspects
            if item.pair.first.interval.segment == item.pair.second.interval.segment]
    return "interfering" if meet else "non-interfering"


def against_threads() -> list[dict[str, Any]]:
    """Median seconds of a check of the staged reversal: at launches of more threads, and for all sizes (`block` None)."""
    found = []
    for block in (None, *BLOCKS):
        command = "check staged.cu" + ("" if block is None else f" --block {block} --grid {GRID}")
        found.append({"block": block, "grid": None if block is None else GRID, "seconds": typical(FOLDER, command, REPEAT)})
    return found


def draw(answers: dict[str, Any]) -> None:
    """The thread automata, and seconds against threads."""
    for name in (*SHOWN, "in_place"):
        run(FOLDER, f"draw {name}.cu --format svg --output-file {name}.svg")
    points = [(each["block"] * each["grid"], each["seconds"]) for each in answers["threads"] if each["block"]]
    free = next(each["seconds"] for each in answers["threads"] if each["block"] is None)
    curves(FOLDER / "threads.svg", {"at a launch": points, "all sizes": [(points[0][0], free), (points[-1][0], free)]},
           "threads of the launch", "seconds of a check")


def render(answers: dict[str, Any]) -> str:
    """The page."""
    text = stated(NAME)["text"]
    page = Page(NAME, "Checking Non-Interference in SPMD Programs")
    page.say(text["work"])
    page.say(text["read"])
    _method(page, answers)
    _segments(page, answers)
    _equivalence(page, answers)
    _threads(page, answers)
    return page.text


def _method(page: Page, answers: dict[str, Any]) -> None:
    text = stated(NAME)["text"]
    page.head("Automata, segments, LHS and RHS, formulas")
    page.say(text["method"])
    titles = {"direct": "First version: straight through global memory", "staged": "Second version: through shared memory",
              "unsynchronised": "Third version: the barrier is lost"}
    for name in SHOWN:
        page.head(titles[name])
        page.source(f"{name}.cu")
        page.picture(f"{name}.svg", f"The thread automaton of {name}.cu")
        page.listing(answers["formulas"][name].partition("\n\nkernel ")[2].partition("\n")[2].lstrip("\n"))
        page.say(f"`spmd check {name}.cu --show-formulas`: **{answers['rows'][name]['verdict']}**.")


def _segments(page: Page, answers: dict[str, Any]) -> None:
    text = stated(NAME)["text"]
    page.head("Each segment by itself, and what that misses")
    page.say(text["segments"])
    rows = [row for row in rows_of(NAME) if "segments" in row.more]
    page.table(["kernel", "sizes", "each segment by itself", "this project", "findings, each seen in a run"],
               [[row.name.partition(",")[0], _scope(answers["rows"][row.name]), answers["rows"][row.name]["segments"],
                 answers["rows"][row.name]["verdict"], ", ".join(answers["rows"][row.name]["rules"])] for row in rows])
    page.points([f"`{row.name}.cu`: {row.more['why']}" for row in rows if "why" in row.more])
    page.say("The kernel that shows the first of these, its automaton and its formulas:")
    page.source("in_place.cu")
    page.picture("in_place.svg", "The thread automaton of in_place.cu")
    page.listing(answers["formulas"]["in_place"].partition("\n\nkernel ")[2].partition("\n")[2].lstrip("\n"))


def _scope(answer: dict[str, Any]) -> str:
    requires = (answer["records"][0].get("launch") or {}).get("requires") or []
    return "all sizes" + (" under " + ", ".join(requires) if requires else "")


def _equivalence(page: Page, answers: dict[str, Any]) -> None:
    text = stated(NAME)["text"]
    page.head("Two deterministic versions: do they compute the same?")
    page.say(text["equivalence"])
    rows = [row for row in rows_of(NAME) if row.command.startswith("equiv")]
    found = {row.name: answers["rows"][row.name] for row in rows}
    page.table(["first", "second", "verdict", "class", "for, or shown by"],
               [[*name.split(", "), answer["verdict"], answer["records"][0].get("class") or "", _where(answer)]
                for name, answer in found.items()])
    page.say(text["launches"])


def _where(answer: dict[str, Any]) -> str:
    record = answer["records"][0]
    if "differs" in record:
        found = record["differs"]
        sizes = ", ".join(f"{name} = {value}" for name, value in found["sizes"].items())
        return f"{found['array']}[{found['cell']}] is {found['a']} against {found['b']} at {sizes}"
    if record["verdict"] == "nondeterministic":
        return str(record.get("reason", ""))
    scope = str(record["scope"])
    return " against ".join(launch_of(record[side]) for side in "ab") if scope == "this launch" else scope


def _threads(page: Page, answers: dict[str, Any]) -> None:
    text = stated(NAME)["text"]
    page.head("Time against threads")
    page.say(text["threads"])
    page.table(["grid", "block", "seconds"], [[each["grid"] or "any", each["block"] or "any", seconds(each["seconds"])]
                                              for each in answers["threads"]])
    page.picture("threads.svg", "Seconds of a check against threads of the launch")
    page.head("What is as in the paper, and what is not")
    page.points(stated(NAME)["differences"])
