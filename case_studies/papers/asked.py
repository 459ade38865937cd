"""The rows of a page: a command, what it must answer, what the paper says, and what it answered.

    cases.toml ─▶ rows ─▶ the command, run in the page's folder ─▶ answers.json ─▶ the page

A row states its answer before it is asked (`verdict` in cases.toml). The program that makes a page asks every row; the tests ask
a slice. Nothing of an answer is typed into a page: pages are made from answers.json, which holds what the commands printed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import statistics
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

HERE = Path(__file__).resolve().parent
STEPS = 3
"""Digits of seconds that are kept."""


@dataclass(frozen=True)
class Row:
    """One question of a page. `command`: `spmd` with these words, run in the page's folder; `verdict`: what it must answer;
    `rules`: findings that it must have, at least; `paper`: what the paper says, with where that was read, or nothing;
    `more`: what else the page prints beside it."""

    page: str
    name: str
    command: str
    verdict: str
    rules: tuple[str, ...] = ()
    paper: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.page}/{self.name}"


def rows_of(page: str) -> list[Row]:
    """The rows of a page, as cases.toml states them."""
    known = {"name", "command", "verdict", "rules", "paper"}
    return [Row(page, each["name"], each["command"], each["verdict"], tuple(each.get("rules", ())), each.get("paper", ""),
                {key: value for key, value in each.items() if key not in known})
            for each in stated(page).get("row", [])]


def stated(page: str) -> dict[str, Any]:
    """All that cases.toml of a page states."""
    return tomllib.loads((HERE / page / "cases.toml").read_text(encoding="utf-8"))


def run(folder: Path, command: str) -> tuple[int, str]:
    """`spmd` with the words of a command, in a folder and without kept answers: its exit status and what it printed."""
    from spmd.cli import app

    with _inside(folder):
        done = CliRunner().invoke(app, shlex.split(command))
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    kept = os.environ.get("SPMD_NO_CACHE")
    os.environ["SPMD_NO_CACHE"] = "1"
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        if kept is None:
            del os.environ["SPMD_NO_CACHE"]


def ask(row: Row) -> dict[str, Any]:
    """What a row's command answers: its verdict, the rules of its findings, what pages print of its records, and seconds of the
    processor, so that other work on the machine does not count. A command with several records has the verdicts of all of them,
    in order, with spaces between."""
    began = time.process_time()
    _, printed = run(HERE / row.page, f"{row.command} --format jsonl")
    taken = time.process_time() - began
    records = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    found = [finding for record in records for finding in record.get("findings", [])]
    return {"verdict": " ".join(record["verdict"] for record in records),
            "rules": sorted({finding["rule"] for finding in found if finding["status"] == "confirmed"}),
            "seconds": round(taken, STEPS),
            "records": [brief(record) for record in records]}


def typical(folder: Path, command: str, repeat: int) -> float:
    """The median seconds of the processor that a check takes which proves its kernel."""
    tell(f"{folder.name}: {repeat} times spmd {command}")
    taken = []
    for _ in range(repeat):
        began = time.process_time()
        _, printed = run(folder, f"{command} --format jsonl")
        taken.append(time.process_time() - began)
        assert json.loads(printed)["verdict"] == "proved", command
    return round(statistics.median(taken), STEPS)


KEPT = ("kernel", "verdict", "class", "scope", "assurance", "bound", "evidence", "reason", "exactness", "invariant", "integrity",
        "lines")


def brief(record: dict[str, Any]) -> dict[str, Any]:
    """Of a record what pages print."""
    kept = {key: record[key] for key in KEPT if record.get(key) is not None}
    for side in ("a", "b"):
        if side in record:
            kept[side] = {"kernel": record[side]["kernel"], "launch": _launch(record[side]["launch"])}
    if "launch" in record:
        kept["launch"] = _launch(record["launch"])
    if record.get("findings"):
        kept["findings"] = [_finding(each) for each in record["findings"]]
    if record.get("counterexample"):
        kept["differs"] = {key: record["counterexample"][key] for key in ("array", "cell", "a", "b", "sizes")
                           if key in record["counterexample"]}
    return kept


def _launch(launch: dict[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (launch or {}).items() if value and key in ("grid", "block", "args", "requires")}


def _finding(found: dict[str, Any]) -> dict[str, Any]:
    places = [{"line": each["line"], "access": each.get("access"),
               **({"block": each["thread"]["block"], "thread": each["thread"]["thread"]} if each.get("thread") else {})}
              for each in found.get("places", [])]
    return {"rule": found["rule"], "status": found["status"], "exactness": found.get("exactness"), "message": found["message"],
            "places": places}


def disagreement(row: Row, answer: dict[str, Any]) -> str:
    """How an answer is not the stated one; empty where it is."""
    if answer["verdict"] != row.verdict:
        return f"{row.id}: {answer['verdict']}, not {row.verdict}: spmd {row.command}"
    missing = set(row.rules) - set(answer["rules"])
    return f"{row.id}: no finding {', '.join(sorted(missing))}" if missing else ""


FIXED = ("kernel", "verdict", "class", "scope", "invariant", "integrity")


def settled(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Of an answer what must be the same each time. Which threads a solver finds for a witness is its choice."""
    return [{key: record[key] for key in FIXED if key in record} for record in answer["records"]]


def asked_all(rows: list[Row]) -> dict[str, dict[str, Any]]:
    """The answers of rows by name, with progress on stderr. SystemExit where one is not as stated."""
    answers, wrong = {}, []
    for number, row in enumerate(rows, 1):
        tell(f"{row.page} {number}/{len(rows)}: spmd {row.command}")
        answers[row.name] = ask(row)
        if why := disagreement(row, answers[row.name]):
            wrong.append(why)
            tell(f"  not as stated: {why}")
    if wrong:
        sys.exit("not as stated:\n" + "\n".join(wrong))
    return answers


def tell(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)


def read_answers(page: str) -> dict[str, Any]:
    """What the last run of a page's program measured."""
    found: dict[str, Any] = json.loads((HERE / page / "answers.json").read_text(encoding="utf-8"))
    return found


def write_answers(page: str, answers: dict[str, Any]) -> None:
    """Keep what was measured beside the page."""
    (HERE / page / "answers.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
