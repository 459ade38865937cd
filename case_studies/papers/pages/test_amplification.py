"""Verifying GPU Kernels by Test Amplification (Leung et al., PLDI 2012): what one run says of all data."""

from __future__ import annotations

import contextlib
import json
import shlex
import time
from collections.abc import Callable
from typing import Any

from case_studies.papers.asked import HERE, Row, asked_all, rows_of, run, stated, tell
from case_studies.papers.page import Page, bars, launch_of, seconds

NAME = "test_amplification"
FOLDER = HERE / NAME
SCENES = "../../../tests/scenes"
REPEAT = 3


def measure() -> dict[str, Any]:
    """Answers of all rows, what a check without a launch says, and seconds of runs at larger launches."""
    rows = rows_of(NAME)
    answers = asked_all(rows)
    for row in rows:
        found = answers[row.name]["records"][0]
        for key in ("invariant", "integrity"):
            wanted = sorted(row.more[key]) if key == "integrity" else row.more[key]
            if found[key] != wanted:
                raise SystemExit(f"{row.id}: {key} {found[key]}, not {wanted}")
    sizes = {row.name: all_sizes(row) for row in rows}
    return {"rows": answers, "sizes": sizes, "times": [times(row) for row in rows if "larger" in row.more]}


def all_sizes(row: Row) -> dict[str, str]:
    """Verdict and scope of a check of the row's kernel at the block and under the requirements of the comment above it, with the
    grid and all arguments open."""
    _, file, *_ = shlex.split(row.command)
    tell(f"{NAME}: {row.name}, all grids and arguments")
    text = (FOLDER / file).read_text(encoding="utf-8")
    head = next(line for line in text.splitlines() if line.startswith("// spmd:"))
    block = next(word for word in head.split() if word.startswith("block="))
    require = head.partition(" require ")[2]
    target = FOLDER / "open.cu"
    target.write_text(text.replace(head, f"// spmd: {block}" + (f" require {require}" if require else "")), encoding="utf-8")
    try:
        record = json.loads(run(FOLDER, f"check open.cu --kernel {row.name} --timeout 20 --format jsonl")[1])
    finally:
        target.unlink()
    return {"verdict": record["verdict"], "scope": record["scope"]}


def times(row: Row) -> dict[str, Any]:
    """Best seconds of a larger launch: the machine alone, watched, and amplified."""
    from automata.machine.running.run import Options, Program
    from automata.proof.known.context import prepare
    from automata.proof.runs.amplify import amplify
    from automata.thread.build import build
    from spmd.api import launch
    from spmd.execute import RunQuestion, launch_of, settle
    from spmd.pipeline import Question, Source, only

    tell(f"{NAME}: {REPEAT} times three runs of {row.name} {row.more['larger']}")
    words = shlex.split(row.more["larger"])
    options = {name: [words[at + 1] for at, word in enumerate(words) if word == name] for name in ("--block", "--grid", "--arg")}
    args = dict(part.split("=") for part in options["--arg"])
    with contextlib.chdir(FOLDER):
        source = Source(shlex.split(row.command)[1], row.name)
        asked = RunQuestion(Question(source, launch((options["--block"] or [None])[0], options["--grid"][0], args)))
        item = only(source.kernels(), source)
        kernel = item.read()
        context = prepare(kernel, launch_of(asked, item, kernel))
        setting, _ = settle(context, asked)
        program = Program(build(kernel))
        free = frozenset(param.name for param in kernel.params if param.type.is_float and param.name not in context.launch.args)
        best = [_best(what) for what in (lambda: program.run(setting, Options(shadow=False)), lambda: program.run(setting),
                                         lambda: _amplified(program, setting, lambda: amplify(kernel, setting, free)))]
    return {"name": row.name, "threads": setting.threads * setting.blocks, "seconds": [round(each, 4) for each in best],
            "launch": {"grid": list(setting.grid), "block": list(setting.block)}}


def _amplified(program: Any, setting: Any, amplify: Callable[[], Any]) -> None:
    """The watched run and what amplifies it."""
    program.run(setting)
    if not amplify().holds:
        raise SystemExit("not proved at the larger launch")


def _best(what: Callable[[], Any]) -> float:
    found = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        what()
        found.append(time.perf_counter() - began)
    return min(found)


def draw(answers: dict[str, Any]) -> None:
    """Seconds of the three runs."""
    found = answers["times"]
    series = {name: [each["seconds"][number] for each in found]
              for number, name in enumerate(("machine alone", "watched", "amplified"))}
    bars(FOLDER / "times.svg", [each["name"] for each in found], series, "seconds", logarithmic=True)


def render(answers: dict[str, Any]) -> str:
    """The page."""
    told = stated(NAME)
    text, rows = told["text"], rows_of(NAME)
    page = Page(NAME, "Verifying GPU Kernels by Test Amplification")
    page.say(text["work"])
    page.say(text["read"])
    page.head("The benchmarks")
    page.say(text["table"])
    titles = ["algorithm", "kernel", "lines", "invariant", "depends on", "verdict", "bugs found", "seconds",
              "all grids and arguments"]
    page.table(titles, [_line(row, answers) for row in rows])
    page.say(_count(rows, answers))
    page.points([f"`{row.name}`: {row.more['why']}." for row in rows if "why" in row.more])
    page.head("The missing barrier")
    page.say(text["barrier"])
    page.source(f"{SCENES}/scalar_product_missing_barrier.cu")
    finding = next(each for each in answers["rows"]["scalar_product_missing_barrier"]["records"][0]["findings"])
    page.say(f"{finding['message'].capitalize()}: " + ", ".join(
        f"line {place['line']}, thread {place['thread'][0]} of block {place['block'][0]} ({place['access']})"
        for place in finding["places"]) + ".")
    page.head("Bitonic sort without its rewriting")
    page.say(text["bitonic"])
    page.source(f"{SCENES}/bitonic_sort.cu")
    page.head("Time against plain runs")
    page.say(text["time"])
    page.table(["kernel", "launch", "threads", "machine alone", "watched", "amplified", "amplified / alone"],
               [[each["name"], launch_of(each), each["threads"], *map(seconds, each["seconds"]),
                 f"{each['seconds'][2] / each['seconds'][0]:.1f}"] for each in answers["times"]])
    page.picture("times.svg", "Seconds of a run alone, watched and amplified")
    page.head("What is as in the paper, and what is not")
    page.points(told["differences"])
    return page.text


def _line(row: Row, answers: dict[str, Any]) -> list[object]:
    answer = answers["rows"][row.name]
    record, sizes = answer["records"][0], answers["sizes"][row.name]
    return [row.more["about"], f"`{row.name}`", record["lines"], "yes" if record["invariant"] else "no",
            ", ".join(record["integrity"]), answer["verdict"], ", ".join(answer["rules"]), seconds(answer["seconds"]),
            sizes["verdict"]]


def _count(rows: list[Row], answers: dict[str, Any]) -> str:
    found = [answers["rows"][row.name] for row in rows]
    invariant = sum(bool(each["records"][0]["invariant"]) for each in found)
    proved, refuted = (sum(each["verdict"] == verdict for each in found) for verdict in ("proved", "refuted"))
    free = sum(each["verdict"] == "proved" for each in answers["sizes"].values())
    left = len(rows) - proved - refuted
    return (f"Of {len(rows)} kernels {invariant} are invariant; {proved} are proved for all data at their launch by one run, "
            f"{refuted} are refuted by it, {left} are left open. `spmd check` proves {free} for all grids and arguments at once, "
            "without a run.")
