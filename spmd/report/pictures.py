"""What few formats draw, added to a record on request: automata, the cells of a run, the source.

It goes into the record as data, not as a drawing, so that formats need nothing but records, and so that it can be made where the
kernel is and drawn elsewhere. What cannot be made (a kernel that cannot be read, a run that is too large) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import log2
from typing import Any

from automata.machine.running.run import Program
from automata.machine.state.fill import drawn_from
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Setting, Triple
from automata.place import NOWHERE, InputError, UndecidedError
from automata.proof.known.concrete import admitted
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.witness.pixels import values_of
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower, lower_for_runs
from automata.rewriting.one_buffer import at_launch
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.verdict import Finding, Spot, Status
from equivalence.result import Counterexample, Launched
from spmd.asked import Answer, PairAnswer, Question
from spmd.pipeline import choose_launch
from spmd.records.alerts import Record, alerts
from spmd.records.excerpt import place_record
from spmd.report.draw import drawing, drawing_record
from spmd.report.memory import memory_of, run_of
from spmd.report.sources import sources_of

SIZES, NUMBERS = (8, 2, 4, 16, 1, 32), (32, 16, 8, 64, 4, 5, 1, 2, 100)
"""Of a run that shows a kernel in which nothing is wrong."""
MOST_TRIED, MOST_SEEN = 2_000, 60
THREADS, BLOCKS = 8, 2
"""Of such a run, as nearly as may be."""
PLAIN = drawn_from(tuple(map(float, range(1, 9))))


def with_pictures(record: Record, answer: Answer | PairAnswer) -> Record:
    """The record with what can be drawn of it."""
    made = _of_check(record, answer) if isinstance(answer, Answer) else _of_pair(record, answer)
    return {**record, "pictures": made}


def _of_check(record: Record, answer: Answer) -> dict[str, Any]:
    places = [place for alert in alerts(record) for place in alert.places]
    sources = sources_of([record["at"]] if "at" in record else [], places)
    try:
        made = _made(answer)
        return {"automata": _drawn({"": made.automaton} if made else {}), "sources": sources,
                "memory": _memory(answer, made) if made else None}
    except (InputError, UndecidedError, RecursionError, MemoryError):
        return {"automata": {}, "sources": sources, "memory": None}


@dataclass(frozen=True, slots=True)
class _Made:
    """A kernel ready to be drawn and run; `witnesses` as in `Analysis`."""

    context: Context
    automaton: Automaton
    program: Program
    witnesses: Sequence[tuple[Finding, Setting, tuple[Triple, ...]]] = ()


def _made(answer: Answer) -> _Made | None:
    """What the proofs of an answer were about; of one that was kept from an earlier call, or that has none, made anew."""
    if (analysis := answer.analysis) is not None:
        return _Made(analysis.context, analysis.automaton, analysis.programs.plain, analysis.witnesses)
    item = next((item for item in answer.question.source.kernels() if item.name == answer.kernel), None)
    if item is None:
        return None
    kernel = at_launch(item.read(), answer.launch, strict=answer.question.strict)
    context = prepare(kernel, answer.launch)
    known = known_numbers(context)
    runs = build(lower_for_runs(kernel, known))
    return _Made(context, build(lower(kernel, known)), Program(runs, values_of(runs)))


def _memory(answer: Answer, made: _Made) -> dict[str, Any] | None:
    """The run at the witness of the first finding that is about cells; else a small one."""
    about = next((finding for finding in answer.report.findings if finding.status is Status.CONFIRMED and finding.array), None)
    for finding, setting, blocks in made.witnesses:
        if about is not None and _is_same(finding, about):
            return memory_of(made.program, setting, blocks, about)
    found = _setting(made.context, about)
    return memory_of(made.program, found, None, about) if found is not None else None


def _is_same(one: Finding, other: Finding) -> bool:
    return one.rule == other.rule and one.spots == other.spots


def _setting(context: Context, about: Finding | None) -> Setting | None:
    """A launch: that of the finding, the one that is asked about, or a small one that is admitted."""
    if about is not None and (about.sizes or not context.symbols()):
        return setting_at(context, dict(about.sizes), PLAIN)
    seen = islice(admitted((context,), NUMBERS, SIZES, MOST_TRIED), MOST_SEEN)
    settings = (setting_at(context, sizes, PLAIN) for sizes in seen)
    return min(settings, key=_unlike, default=None)


def _unlike(setting: Setting) -> float:
    """How far a launch is from one that is easily looked at: a few threads in a few blocks."""
    return abs(log2(setting.threads / THREADS)) + abs(log2(setting.blocks / BLOCKS))


def _of_pair(record: Record, answer: PairAnswer) -> dict[str, Any]:
    question, found = answer.question, answer.report.counterexample
    parts = {"a": (question.a, *question.after_a), "b": (question.b, *question.after_b)}
    automata = {name: item for side, asked in parts.items() for at, one in enumerate(asked)
                for name, item in _automaton(f"{side}{at + 1 if len(asked) > 1 else ''}", one).items()}
    heads = {side: [place_record(item.kernel.place) for name, item in automata.items() if name[0] == side] for side in "ab"}
    about = record.get("counterexample", {})
    places = {side: [about[name][side] for name in ("owners", "partings") if side in about.get(name, {})] for side in "ab"}
    sources = {side: sources_of(heads[side], places[side]) for side in "ab"}
    runs = {side: _last_run(found, side) for side in "ab"} if found is not None and found.memory and not found.relation else {}
    return {"automata": _drawn(automata), "sides": sources, "runs": runs}


def _last_run(found: Counterexample, side: str) -> dict[str, Any] | None:
    """The cells of the last kernel of a side, run at the counterexample after those before it."""
    held = {name: cells for name, (_, cells) in found.memory.items()}
    owner = found.a_owner if side == "a" else found.b_owner
    spot = Spot(owner.place, "write", owner.actor, (found.cell,)) if owner else Spot(NOWHERE, "", None, (found.cell,))
    about = Finding("different", Status.CONFIRMED, "", (spot,), found.array)
    stages = found.launches["ab".index(side)]
    try:
        for launched in stages[:-1]:
            outcome, ran = run_of(*_staged(launched, held), None, None)
            if outcome is None or len(ran) < len(range(launched.grid[0] * launched.grid[1] * launched.grid[2])):
                return None
            held |= outcome.arrays
        return memory_of(*_staged(stages[-1], held), None, about)
    except (InputError, UndecidedError, MemoryError):
        return None


def _staged(launched: Launched, held: dict[str, Cells]) -> tuple[Program, Setting]:
    kernel = launched.core
    own = {name: cells for name, cells in held.items() if any(array.name == name for array in kernel.arrays)}
    scalars = {name: value for name, (value, _) in launched.scalars.items()}
    program = Program(build(lower_for_runs(kernel, {})))
    return program, Setting(launched.grid, launched.block, scalars, own, None, launched.extents)


def _drawn(automata: dict[str, Automaton]) -> dict[str, Any]:
    return {name: drawing_record(drawing(item)) for name, item in automata.items()}


def _automaton(name: str, question: Question) -> dict[str, Automaton]:
    """The automaton of the one kernel that a question is about; none where it is not one, or cannot be read."""
    try:
        items = question.source.kernels()
        if len(items) != 1:
            return {}
        kernel = items[0].read()
        launch = choose_launch(question, items[0], kernel)
        kernel = at_launch(kernel, launch, strict=question.strict)
        context = prepare(kernel, launch)
        return {name: build(lower(kernel, known_numbers(context)))}
    except (InputError, UndecidedError, RecursionError):
        return {}
