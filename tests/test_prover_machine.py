"""The prover against the machine: what is proved shows no conflict in any run, what is confirmed shows one.

Generated kernels at their launches, others with loops for all sizes, and every kernel of the tests.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import prod
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from fuzz import loops
from fuzz.kernels import kernel

from automata.budget import UNLIMITED
from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import drawn_from
from automata.machine.state.outcome import Conflict
from automata.machine.state.outcome import Outcome as RunOutcome
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.place import EndlessError, InputError, UndecidedError
from automata.proof.determinism import Side, check
from automata.proof.known.concrete import admitted
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower
from automata.rewriting.validated import ASSUMED
from automata.thread.build import build
from automata.verdict import Exactness, Finding, Outcome, Property, Report, Status
from spmd.asked import Answer, Question, Source
from spmd.pipeline import choose_launch, run_check

HERE = Path(__file__).parent
KERNELS = sorted(path for folder in ("kernels", "scenes", "opencl") for path in (HERE / folder).glob("*.c[ul]")
                 if not path.name.startswith(("invalid_", "refused_")))
FILLS = [drawn_from(tuple(map(float, range(low, low + 12))), str(low)) for low in (-6, 0, 1)] + [drawn_from((0.0, 1.0), "bits")]
SCHEDULES = (CANONICAL, Schedule("sequential"), Schedule("warps", 1))
SIZES, DIMENSIONS = (5, 16, 32, 1, 8, 64, 33, 2), (4, 2, 8, 32, 1, 64)


def launches(context: Context, most: int = 3) -> Iterator[dict[str, int]]:
    """A few small launches that meet the requirements."""
    for turn in range(most if context.symbols() else 1):
        sizes, dimensions = _turned(SIZES, turn), _turned(DIMENSIONS, turn + turn // len(DIMENSIONS))
        for found in islice(admitted((context,), sizes, dimensions), 1):
            setting = setting_at(context, found, FILLS[0])
            if prod(setting.grid) * setting.threads <= 4096:
                yield found


def _turned(values: tuple[int, ...], turn: int) -> tuple[int, ...]:
    at = turn % len(values)
    return values[at:] + values[:at]


def runs(answer: Answer, path: Path, most: int = 3, each: int = 4) -> Iterator[RunOutcome]:
    """The kernel of an answer, run at small launches with several data and schedules, `each` of them in turn."""
    (item,) = [item for item in Source(str(path)).kernels() if item.name == answer.kernel]
    read = item.read()
    context = prepare(read, choose_launch(answer.question, item, read))
    program = Program(build(lower(read, known_numbers(context))))
    ways = list(zip(FILLS, (*SCHEDULES, CANONICAL), strict=True))
    for turn, sizes in enumerate(launches(context, most)):
        for fill, schedule in (ways * 2)[turn % len(ways):][:each]:
            try:
                outcome = program.run(setting_at(context, sizes, fill), Options(schedule, max_rounds=5_000))
            except (EndlessError, InputError):
                continue
            if not any(event.what == "assume" for event in outcome.failed):
                yield outcome


def differs(answer: Answer, path: Path) -> Iterator[str]:
    """Outputs of a kernel that is called free of the order of threads, which two orders, or two values for what nobody has
    written, leave with different contents."""
    (item,) = [item for item in Source(str(path)).kernels() if item.name == answer.kernel]
    read = item.read()
    context = prepare(read, choose_launch(answer.question, item, read))
    program = Program(build(lower(read, known_numbers(context))))
    for sizes in launches(context):
        seen = []
        for schedule, poison in ((CANONICAL, 0), (CANONICAL, 77), (Schedule("reversed"), 0), (Schedule("threads", 3), -1)):
            try:
                outcome = program.run(setting_at(context, sizes, FILLS[0]), Options(schedule, poison=poison, max_rounds=5_000))
            except (EndlessError, InputError):
                break
            if any(event.what == "assume" for event in outcome.failed):
                break
            seen.append({(name, at): str(value) for name in outcome.written for at, value in outcome.contents(name).items()})
        if any(found != seen[0] for found in seen):
            yield f"{answer.kernel}: order-free is proved, and yet runs of {sizes} leave different outputs"


def contradictions(path: Path, seconds: float = 20) -> Iterator[str]:
    """Where the verdicts of a file's kernels and their runs do not go together; and what was seen, for the count."""
    for answer in run_check(Question(Source(str(path)), seconds=seconds)):
        report = answer.report
        try:
            outcomes = list(runs(answer, path)) if report.properties else []
        except (UndecidedError, InputError):
            continue
        yield from _proved_wrongly(report, outcomes)
        yield from _confirmed_wrongly(report, outcomes)
        if all(report.properties.get(name) is Outcome.PROVED for name in (
                Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE)) and not any(
                item.same_value or item.rule == "race" for outcome in outcomes for item in outcome.conflicts):
            yield from differs(answer, path)
        SEEN[report.verdict.value] += 1


SEEN: Counter[str] = Counter()


def _proved_wrongly(report: Report, outcomes: list[RunOutcome]) -> Iterator[str]:
    proved = {name for name, outcome in report.properties.items() if outcome is Outcome.PROVED}
    for outcome in outcomes:
        races = [item for item in outcome.conflicts
                 if item.rule == "race" and not item.same_value and not _is_excused(item, report)]
        if races and Property.RACE_FREE in proved:
            yield f"{report.kernel}: race-free is proved, and yet {races[0]}"
        failed = [event for event in outcome.failed if event.what == "assert"]
        if failed and Property.ASSERTIONS in proved:
            yield f"{report.kernel}: assertions are proved, and yet {failed[0]}"
        if outcome.divergences and Property.BARRIERS in proved:
            yield f"{report.kernel}: barriers are proved, and yet {outcome.divergences[0]}"
        if outcome.conflicts and Property.ORDER_FREE in proved and outcome.conflicts[0].rule == "atomic-order" and any(
                item.rule == "atomic-order" and item.array in outcome.written for item in outcome.conflicts):
            yield f"{report.kernel}: order-free is proved, and yet {outcome.conflicts[0]}"


def _is_excused(race: Conflict, report: Report) -> bool:
    """Whether a run leaves open that a race is one: it sees no chain of fences and atomic updates, whose order may be enough, or
    the report assumes of the line of the read that it is one access of a word that a compare-and-swap validates."""
    told = [said.removeprefix(ASSUMED) for said in report.assumptions if said.startswith(ASSUMED)]
    lines = {int(number) for said in told for number in re.findall(r"\d+", said)}
    return race.perhaps_ordered or any(not touch.is_write and touch.place.line in lines for touch in (race.first, race.second))


def _confirmed_wrongly(report: Report, outcomes: list[RunOutcome]) -> Iterator[str]:
    """A confirmed finding that depends on no data shows in every run of its launch."""
    if report.scope != "this launch":
        return
    for finding in report.findings:
        if finding.status is Status.CONFIRMED and finding.exactness is Exactness.CIDI and outcomes and not any(
                _shows(finding, outcome) for outcome in outcomes):
            yield f"{report.kernel}: confirmed without a run that shows it: {finding.rule} {finding.message}"


def _shows(finding: Finding, outcome: RunOutcome) -> bool:
    match finding.rule:
        case "race":
            return any(item.array == finding.array and item.rule == "race" for item in outcome.conflicts)
        case "barrier-divergence":
            return bool(outcome.divergences)
        case "out-of-bounds":
            return bool(outcome.out_of_bounds)
    return True


def of_text(text: str, seconds: float = 20) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(text)
        return list(contradictions(path, seconds))


@pytest.mark.sliced(200)
@pytest.mark.drawn(2000)
def test_generated_kernels(seed: int) -> None:
    assert not of_text(kernel(seed)), f"seed {seed}"


@pytest.mark.sliced(400)
@pytest.mark.drawn(1000)
def test_generated_loops(seed: int) -> None:
    assert not of_text(loops.kernel(seed), 10), f"seed {seed}"


@pytest.mark.sliced(60)
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_kernels_of_the_tests(path: Path) -> None:
    assert not list(contradictions(path))


def disagreements(path: Path, seconds: float = 5) -> Iterator[str]:
    """Where one run of a small launch settles barriers and races otherwise than the formulas do."""
    for item in Source(str(path)).kernels():
        try:
            read = item.read()
            launch = choose_launch(Question(Source(str(path))), item, read)
            context = prepare(read, launch)
            for sizes in launches(context, 1):
                yield from _settled_otherwise(read, _at(launch, context, sizes), seconds)
        except (UndecidedError, InputError):
            continue


def _at(launch: Launch, context: Context, sizes: dict[str, int]) -> Launch:
    """The launch with all its sizes and integer arguments."""
    setting = setting_at(context, sizes, FILLS[0])
    integers = {param.name: int(setting.scalars[param.name]) for param in context.kernel.params if param.type.is_int}
    return replace(launch, block=setting.block, grid=setting.grid, args={**launch.args, **integers})


def _settled_otherwise(kernel: Kernel, launch: Launch, seconds: float) -> Iterator[str]:
    reports = []
    for run in (None, Side().run):
        found, analysis = check(kernel, launch, side=Side(budget=UNLIMITED.within(seconds), run=run))
        reports.append(found)
        if run and not analysis.convergence and not analysis.interference:
            SEEN["settled by a run"] += 1
    for name in (Property.RACE_FREE, Property.BARRIERS):
        formulas, run = (report.properties[name] for report in reports)
        if {formulas, run} == {Outcome.PROVED, Outcome.REFUTED} or (formulas, run) == (Outcome.PROVED, Outcome.UNKNOWN):
            yield f"{kernel.name}: {name.value} is {formulas.value} by formulas, {run.value} by a run"


@pytest.mark.sliced(60)
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_runs_settle_what_formulas_do(path: Path) -> None:
    assert not list(disagreements(path))


@pytest.mark.sliced(50)
@pytest.mark.drawn(500)
def test_runs_settle_what_formulas_do_of_generated_kernels(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"k{seed}.cu"
    path.write_text(kernel(seed))
    assert not list(disagreements(path)), f"seed {seed}"
