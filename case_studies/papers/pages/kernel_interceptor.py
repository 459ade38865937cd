"""KernelInterceptor (Bardsley, Donaldson, Wickerson; IWOCL 2014): launches of an application recorded, checked, generalised."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from case_studies.papers.asked import HERE, run, stated, tell
from case_studies.papers.page import Page, bars, seconds

NAME = "kernel_interceptor"
FOLDER = HERE / NAME
HEADERS = HERE.parent.parent / "tests" / "recording"
VERSIONS = ("pipeline", "mended", "faster")
FRAMES, WIDTHS = 25, 10
REPEAT = 3


def compiler() -> str | None:
    return next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)


@contextlib.contextmanager
def application() -> Iterator[Path]:
    """A scratch folder with the application, built as it is, and the driver that stands in. SystemExit without a C compiler."""
    cc = compiler()
    if cc is None:
        sys.exit(f"{NAME}: no C compiler (cc, gcc, clang) in the path")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        library = folder / "libOpenCL.so"
        common = [cc, "-g", "-std=gnu11", "-I", str(HEADERS), "-o"]
        subprocess.run([*common, str(library), "-shared", "-fPIC", str(FOLDER / "stand_in.c")], check=True)
        program = [str(folder / "pipeline"), str(FOLDER / "pipeline.c"), str(library), f"-Wl,-rpath,{folder}"]
        subprocess.run([*common, *program], check=True)
        yield folder


def record(folder: Path, version: str, frames: int = FRAMES, widths: int = WIDTHS) -> tuple[Path, float]:
    """A recording of the application with the kernels of a version, at its first `widths`, and the seconds that it took."""
    target = folder / f"{version}.d"
    command = [str(Path(sys.executable).parent / "spmd"), "record", "-o", str(target), "--", str(folder / "pipeline"),
               str(FOLDER / f"{version}.cl"), str(frames), str(widths)]
    shutil.rmtree(target, ignore_errors=True)
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "SPMD_CACHE_DIR": str(folder / "cache")})
    return target, time.perf_counter() - began


def measure() -> dict[str, Any]:
    """Recordings of all versions: launches, verdicts, what generalising saves, the comparison of two, what recording costs."""
    with application() as folder:
        found: dict[str, Any] = {"rows": {}, "versions": {}}
        recordings = {}
        for version in VERSIONS:
            tell(f"{NAME}: spmd record -- pipeline {version}.cl {FRAMES}; spmd check")
            recordings[version], _ = record(folder, version)
            found["versions"][version] = checked(recordings[version])
        tell(f"{NAME}: spmd check --generalise")
        found["general"] = generalised(recordings["mended"])
        tell(f"{NAME}: spmd equiv --launches mended faster")
        found["equal"] = compared(recordings["mended"], recordings["faster"])
        found["cost"] = cost(folder)
    for version, wanted in stated(NAME)["verdicts"].items():
        said = {kernel: each["verdicts"] for kernel, each in found["versions"][version]["kernels"].items()}
        if said != wanted:
            sys.exit(f"{NAME}: {version}: {said}, not {wanted}")
    return found


def checked(recording: Path) -> dict[str, Any]:
    """The verdicts of a recording's distinct launches, by kernel."""
    records = _records(f"check {recording}")
    kernels: dict[str, dict[str, Any]] = {}
    for each in records:
        empty = {"times": 0, "distinct": 0, "verdicts": Counter(), "rules": set(), "refuted": []}
        kernel = kernels.setdefault(each["kernel"], empty)
        kernel["times"] += each["launched"]["times"]
        kernel["distinct"] += 1
        kernel["verdicts"][each["verdict"]] += 1
        kernel["rules"] |= {finding["rule"] for finding in each["findings"] if finding["status"] == "confirmed"}
        if each["verdict"] == "refuted":
            kernel["refuted"].append(each["launch"]["args"].get("cells"))
        kernel["line"] = each["launched"]["at"][0].rpartition("/")[2]
    for kernel in kernels.values():
        kernel["verdicts"], kernel["rules"] = dict(kernel["verdicts"]), sorted(kernel["rules"])
    return {"kernels": kernels, "seconds": _seconds(records)}


def _records(command: str) -> list[dict[str, Any]]:
    _, printed = run(FOLDER, f"{command} --format jsonl")
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def _seconds(records: list[dict[str, Any]]) -> float:
    return round(sum(each["seconds"] for each in records), 3)


def generalised(recording: Path) -> dict[str, Any]:
    """How many launches were asked about, and under which requirements the others are covered."""
    records = _records(f"check {recording} --generalise")
    covered = Counter(each["kernel"] for each in records if "covered" in each)
    requires = [[each["kernel"], each["generalised"]["text"]] for each in records if each.get("generalised")]
    return {"launches": len(records), "covered": dict(covered), "requires": requires,
            "seconds": _seconds(records)}


def compared(old: Path, new: Path) -> dict[str, Any]:
    """The comparison of two recordings by kernel: pairs, verdicts, classes."""
    records, kernels = _records(f"equiv --launches {old} {new}"), dict[str, Counter[str]]()
    for each in records:
        kernels.setdefault(each["a"]["kernel"], Counter())[f"{each['verdict']}, {each.get('class', '')}"] += 1
    return {"kernels": {kernel: dict(found) for kernel, found in kernels.items()},
            "seconds": _seconds(records)}


def cost(folder: Path) -> dict[str, Any]:
    """Seconds of the application by itself and recorded, best of several."""
    tell(f"{NAME}: {REPEAT} times the application by itself and recorded")
    plain = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        subprocess.run([str(folder / "pipeline"), str(FOLDER / "mended.cl"), str(FRAMES)], check=True, capture_output=True)
        plain.append(time.perf_counter() - began)
    kept = [record(folder, "mended")[1] for _ in range(REPEAT)]
    return {"plain_seconds": round(min(plain), 4), "recorded_seconds": round(min(kept), 4)}


def draw(answers: dict[str, Any]) -> None:
    """Launches, distinct ones, those asked about."""
    kernels = answers["versions"]["mended"]["kernels"]
    covered = answers["general"]["covered"]
    series = {"launches": [each["times"] for each in kernels.values()],
              "distinct": [each["distinct"] for each in kernels.values()],
              "asked about": [each["distinct"] - covered.get(name, 0) for name, each in kernels.items()]}
    bars(FOLDER / "launches.svg", list(kernels), series, "launches", logarithmic=True)


def render(answers: dict[str, Any]) -> str:
    """The page."""
    told = stated(NAME)
    text = told["text"]
    page = Page(NAME, "KernelInterceptor")
    for part in ("work", "read", "application"):
        page.say(text[part])
    page.listing(text["commands"], "sh")
    page.say(text["stand_in"])
    page.head("Each distinct launch, checked")
    page.say(text["checked"])
    for version in VERSIONS[:2]:
        _checked(page, version, answers["versions"][version])
    page.say(text["bugs"])
    page.source("pipeline.cl")
    _general(page, text, answers)
    page.head("Before and after a change")
    page.say(text["equal"])
    page.table(["kernel", "pairs of launches", "answer"],
               [[kernel, sum(found.values()), "; ".join(f"{count} {answer}" for answer, count in found.items())]
                for kernel, found in answers["equal"]["kernels"].items()])
    page.say(f"Seconds of the comparisons together: {seconds(answers['equal']['seconds'])}.")
    page.head("What recording costs")
    launches = sum(each["times"] for each in answers["versions"]["mended"]["kernels"].values())
    page.say(f"The application with {launches} launches takes {seconds(answers['cost']['plain_seconds'])} by itself and "
             f"{seconds(answers['cost']['recorded_seconds'])} recorded, the start of `spmd` included.")
    page.head("What is as in the paper, and what is not")
    page.points(told["differences"])
    return page.text


def _checked(page: Page, version: str, found: dict[str, Any]) -> None:
    page.table([f"`{version}.cl`", "launched at", "launches", "distinct", "verdicts", "findings", "cells of the refuted ones"],
               [[name, each["line"], each["times"], each["distinct"],
                 ", ".join(f"{count} {verdict}" for verdict, count in each["verdicts"].items()), ", ".join(each["rules"]),
                 "all" if 0 < each["distinct"] == len(each["refuted"]) else ", ".join(f"{cells:,}" for cells in each["refuted"])]
                for name, each in found["kernels"].items()])
    page.say(f"Seconds of the checks together: {seconds(found['seconds'])}.")


def _general(page: Page, text: dict[str, str], answers: dict[str, Any]) -> None:
    page.head("Generalised")
    page.say(text["general"])
    page.table(["kernel", "holds for every launch with"],
               [[kernel, f"`{said}`"] for kernel, said in answers["general"]["requires"]])
    kernels, covered = answers["versions"]["mended"]["kernels"], answers["general"]["covered"]
    page.table(["kernel", "launches", "distinct", "covered", "asked about"],
               [[name, each["times"], each["distinct"], covered.get(name, 0), each["distinct"] - covered.get(name, 0)]
                for name, each in kernels.items()])
    page.picture("launches.svg", "Launches, distinct ones, and those that were asked about")
