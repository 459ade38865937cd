"""Exact and approximate alarms (Liew, Cogumbreiro, Lange: Faial and FaialAA): each alarm by control and data independence."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from case_studies.papers.asked import HERE, asked_all, rows_of, stated, tell
from case_studies.papers.page import Page, bars

NAME = "faial"
FOLDER = HERE / NAME
ROOT = HERE.parent.parent
WHOLE = ("tests/kernels/open", "tests/programs", "tests/scenes", "case_studies/*")
HALF = "tests/kernels"
"""Of this folder every second file, by a checksum of its name, so that a page is a matter of minutes."""
SECONDS = 10.0
"""The limit of a kernel."""
CLASSES = ("CIDI", "CIDD", "CDDI", "CDDD")
ALARM = "race"


def files() -> list[str]:
    """The kernel files that are looked at."""
    found = [path for folder in WHOLE for path in ROOT.glob(f"{folder}/*.c[ul]") if path.parent.parent.name != "papers"]
    found += [path for path in ROOT.glob(f"{HALF}/*.c[ul]") if zlib.crc32(path.name.encode()) % 2 == 0]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def measure() -> dict[str, Any]:
    """The alarms of every kernel, and of the rows."""
    names = files()
    kernels = []
    for number, name in enumerate(names, 1):
        if number % 25 == 1:
            tell(f"{NAME}: {number} of {len(names)} files")
        kernels += list(look(name))
    return {"rows": asked_all(rows_of(NAME)), "kernels": kernels}


def look(name: str) -> Iterator[dict[str, Any]]:
    """Of each kernel of a file: what is stated of it, its verdict, whether its accesses hang on data, its race alarms."""
    from spmd.api import check

    first, *_ = (ROOT / name).read_text(encoding="utf-8").splitlines()
    truth = re.search(r"race-free=(\w+)", first.partition("message=")[0])
    for at, answer in enumerate(check(str(ROOT / name), timeout=SECONDS)):
        alarms = [{"class": found.exactness.value, "status": found.status.value} for found in answer.report.findings
                  if found.rule == ALARM]
        yield {"file": name, "kernel": answer.kernel, "verdict": answer.verdict, "accesses": _accesses(answer),
               "truth": truth.group(1) if truth and at == 0 else "", "alarms": alarms}


def _accesses(answer: Any) -> str:
    """The class of all accesses of a kernel together; empty where the kernel was not read so far."""
    from automata.logic.terms import Role
    from automata.verdict import Exactness

    if answer.analysis is None:
        return ""
    accesses = answer.analysis.footprint.accesses
    control = any(access.guard.roles & Role.DATA for access in accesses)
    data = any(part.roles & Role.DATA for access in accesses for part in access.index)
    return Exactness.of(control, data).value


def draw(answers: dict[str, Any]) -> None:
    """Alarms by class."""
    found = [_of_class(answers["kernels"], name) for name in CLASSES]
    series = {"confirmed by a run": [each["confirmed"] for each in found],
              "not confirmed": [each["alarms"] - each["confirmed"] for each in found]}
    bars(FOLDER / "classes.svg", CLASSES, series, "race alarms")


def _of_class(kernels: Iterable[dict[str, Any]], name: str) -> Counter[str]:
    """What is counted of the race alarms of a class. A kernel counts once a class."""
    found: Counter[str] = Counter()
    for kernel in kernels:
        own = [alarm for alarm in kernel["alarms"] if alarm["class"] == name and alarm["status"] != "benign"]
        confirmed = [alarm for alarm in own if alarm["status"] == "confirmed"]
        left = len(own) - len(confirmed)
        found["alarms"] += len(own)
        found["confirmed"] += len(confirmed)
        found["kernels"] += bool(own)
        found["true"] += len(own) if kernel["truth"] == "refuted" else len(confirmed)
        found["false"] += left if kernel["truth"] == "proved" else 0
        found["open"] += left if kernel["truth"] not in ("proved", "refuted") else 0
        found["wrong"] += len(confirmed) if kernel["truth"] == "proved" else 0
    return found


def render(answers: dict[str, Any]) -> str:
    """The page."""
    told = stated(NAME)
    text, kernels = told["text"], answers["kernels"]
    page = Page(NAME, "Exact and approximate alarms")
    for part in ("work", "read"):
        page.say(text[part])
    page.head("The four classes")
    page.say(text["classes"])
    rows = rows_of(NAME)
    page.table(["kernel", "class of the alarm", "verdict", "alarm", "why"],
               [[row.name, *_first(answers["rows"][row.name]), row.more["why"]] for row in rows])
    for name in dict.fromkeys(row.command.split()[1] for row in rows):
        page.source(name)
    _alarms(page, text, kernels)
    _exact(page, text, kernels)
    page.head("What is as in the paper, and what is not")
    page.points(told["differences"])
    return page.text


def _first(answer: dict[str, Any]) -> list[str]:
    record = answer["records"][0]
    races = [each for each in record.get("findings", []) if each["rule"] == ALARM]
    if not races:
        return ["", record["verdict"], "none"]
    return [races[0]["exactness"], record["verdict"], races[0]["status"]]


def _alarms(page: Page, text: dict[str, str], kernels: list[dict[str, Any]]) -> None:
    page.head("The alarms of this project's kernels")
    alarmed = sum(any(alarm["status"] != "benign" for alarm in kernel["alarms"]) for kernel in kernels)
    many = len({kernel["file"] for kernel in kernels})
    page.say(f"{len(kernels)} kernels of {many} files, {alarmed} of them with a race alarm. " + text["alarms"])
    page.table(["class", "kernels", "alarms", "confirmed by a run", "true", "true, of all", "false", "not known"],
               [_line(name, _of_class(kernels, name)) for name in CLASSES] + [_line("all", _sum(kernels))])
    page.picture("classes.svg", "Race alarms by class: confirmed by a run, and not confirmed")
    page.say(text["found"])
    left = [(kernel["file"], kernel["kernel"], alarm["class"], kernel["truth"]) for kernel in kernels
            for alarm in kernel["alarms"] if alarm["status"] == "potential"]
    says = {"proved": "false: the kernel is free of races", "refuted": "true"}
    page.table(["alarm that no run confirmed", "kernel", "class", "as the file states"],
               [[f"`{name}`", kernel, kind, says.get(truth, "not known")] for name, kernel, kind, truth in dict.fromkeys(left)])


def _sum(kernels: list[dict[str, Any]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for name in CLASSES:
        total.update(_of_class(kernels, name))
    return total


def _line(name: str, found: Counter[str]) -> list[object]:
    share = f"{100 * found['true'] / found['alarms']:.1f} %" if found["alarms"] else ""
    return [name, found["kernels"], found["alarms"], found["confirmed"], found["true"], share, found["false"], found["open"]]


def _exact(page: Page, text: dict[str, str], kernels: list[dict[str, Any]]) -> None:
    page.head("How many kernels are exact at all")
    page.say(text["exact"])
    known = Counter(kernel["accesses"] for kernel in kernels if kernel["accesses"])
    total = sum(known.values())
    page.table(["", "programs", "CI and DI", "source"],
               [["FaialAA", stated(NAME)["paper"]["programs"], stated(NAME)["paper"]["exact"], stated(NAME)["paper"]["read"]],
                ["this project", total, f"{100 * known['CIDI'] / total:.1f} %", "this page"]])
    page.table(["class of all accesses of a kernel", *CLASSES], [["kernels", *(known[name] for name in CLASSES)]])
