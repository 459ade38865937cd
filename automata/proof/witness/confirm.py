"""From a model to a finding: it is replayed on the machine and told with threads, cell and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from automata.arithmetic import Value
from automata.logic import terms as T
from automata.logic.smt import Answer, Sat
from automata.logic.terms import Role, Term
from automata.machine.running.run import Program
from automata.machine.state.outcome import Outcome, same_value
from automata.machine.state.schedule import Schedule
from automata.proof.evidence import BEYOND_LIMIT
from automata.proof.known.context import FIRST, SAME_BLOCK, SECOND
from automata.proof.known.footprint import Access
from automata.proof.obligations.bounds import Reach
from automata.proof.obligations.claims import Held
from automata.proof.obligations.convergence import Obligation
from automata.proof.obligations.initialised import Doubt
from automata.proof.obligations.interference import Judged
from automata.proof.obligations.order import Unordered
from automata.proof.obligations.overflows import Overflow
from automata.proof.symbolic.recurrence import is_undefined
from automata.proof.witness.analysis import Analysis, Model
from automata.proof.witness.caution import alike
from automata.proof.witness.hanging import LANES
from automata.proof.witness.observed import LANDED, MAY_NOT_LAND, UNWAITED, conflict_finding, divergence_finding
from automata.proof.witness.replay import Stage, find_conflict, find_divergence, find_event, is_meaningful, run_stage, stages
from automata.verdict import Exactness, Finding, Spot, Status

NOT_REPLAYED = "its witness did not replay on the machine"
SAME_EACH_TIME = "in every replay both wrote the same value"
POISONS = (1, 77, -1)
MOST_RUNS = 8
"""In which an uninitialised read is looked for in an output, each with all poisons."""
MOST_SEEN = 3
"""Runs that show what a model says, but may only do so as the machine rounds."""
NO_MODEL = "the solver gave no witness"


def told(analysis: Analysis, item: Model, *, strict: bool = False) -> Finding:
    """The finding that a model comes to: confirmed by a run of its launch, else potential."""
    match item:
        case Judged():
            return _race(analysis, item, strict)
        case Obligation():
            return _divergence(analysis, item)
        case Reach():
            return _out_of_bounds(analysis, item)
        case Overflow():
            return _overflow(analysis, item)
        case Doubt():
            return _undefined(analysis, item)
        case Held() if item.claimed.claim.kind == "aligned":
            return _misaligned(analysis, item)
        case Held():
            return _failed_claim(analysis, item)


def _runs(analysis: Analysis, answer: Answer, blocks: tuple[str, ...],
          apart: bool = False) -> Iterator[tuple[Stage, Schedule, Outcome]]:
    """Runs of the launches that realise a model, in which nothing overflows that is assumed not to. `apart`: with locals that
    nobody set as unlike as threads."""
    for stage, schedule, outcome in _scheduled(analysis, answer, blocks, apart, begun=True):
        if not _breaks_assumptions(analysis, outcome):
            yield stage, schedule, outcome


def _breaks_assumptions(analysis: Analysis, outcome: Outcome) -> bool:
    lines = analysis.unwrapped
    return any((event.place.file, event.place.line) in lines for event in outcome.overflows)


def _scheduled(analysis: Analysis, answer: Answer, blocks: tuple[str, ...], apart: bool = False,
               program: Program | None = None, *, begun: bool = False) -> Iterator[tuple[Stage, Schedule, Outcome]]:
    """Runs of the launches that realise a model, under several schedules each, while there is time. `begun`: also those that do
    not end, as far as they go."""
    if not isinstance(answer, Sat):
        return
    for stage in stages(analysis.context, analysis.encoder, answer.model, blocks):
        for schedule in stage.schedules():
            if analysis.context.is_late():
                return
            outcome = run_stage(program or analysis.programs.plain, stage, schedule, budget=analysis.context.budget, apart=apart,
                                begun=begun)
            if outcome is None:
                return
            if not any(event.what == "assume" for event in outcome.failed):
                yield stage, schedule, outcome


def _race(analysis: Analysis, item: Judged, strict: bool) -> Finding:
    pair = item.pair
    blocks = (FIRST, SECOND) if pair.across_blocks else (SAME_BLOCK,)
    apart = any(is_undefined(set(T.subterms(access.value))) for access in (pair.first, pair.second))
    note = NOT_REPLAYED

    def see(stage: Stage, outcome: Outcome) -> Finding | None:
        nonlocal note
        conflict = find_conflict(outcome, pair.first.array, True, frozenset((pair.first.place, pair.second.place)))
        if conflict is None:
            return None
        if conflict.same_value and not item.same_value:
            note = SAME_EACH_TIME
            return None
        places = {conflict.first.place, conflict.second.place}
        met = [access for access in analysis.footprint.accesses if access.array == conflict.array and access.place in places]
        return conflict_finding(conflict, _exactness(*met), stage.sizes(analysis.context), strict=strict)

    for finding, doubt in _seen(analysis, _runs(analysis, item.answer, blocks, apart), see, apart):
        if not doubt:
            return finding
        note = doubt
    rule = "same-value-write" if item.same_value else "race"
    spots = tuple(Spot(access.place, access.kind) for access in (pair.first, pair.second))
    status = Status.BENIGN if item.same_value and not strict else Status.POTENTIAL
    return Finding(rule, status, f"two threads may access the same cell of '{pair.first.array}'", spots,
                   pair.first.array, _exactness(pair.first, pair.second), {}, note)


def _exactness(*accesses: Access) -> Exactness:
    """How exact what is said of these accesses is."""
    return _of_terms((access.guard for access in accesses), (part for access in accesses for part in access.index))


def _of_terms(guards: Iterable[Term], values: Iterable[Term]) -> Exactness:
    """Whether guards (C) or values (D) depend on data read from memory."""
    return Exactness.of(any(term.roles & Role.DATA for term in guards), any(term.roles & Role.DATA for term in values))


def _told(analysis: Analysis, answer: Answer, see: Callable[[Stage, Outcome], Finding | None], otherwise: Finding) -> Finding:
    """What the first run of a model's launches shows, or else what the model says, potential."""
    note = otherwise.note
    for finding, doubt in _seen(analysis, _runs(analysis, answer, (SAME_BLOCK,)), see):
        if not doubt:
            return finding
        note = doubt
    return replace(otherwise, note=note)


def _seen(analysis: Analysis, runs: Iterable[tuple[Stage, Schedule, Outcome]], see: Callable[[Stage, Outcome], Finding | None],
          apart: bool = False) -> Iterator[tuple[Finding, str]]:
    """What runs show, each with why it is not confirmed after all: it hangs on what the machine does in its own way."""
    seen = ((stage, schedule, see(stage, outcome)) for stage, schedule, outcome in runs)
    for stage, schedule, finding in islice((item for item in seen if item[2] is not None), MOST_SEEN):
        if finding is not None:
            analysis.witnesses.append((finding, stage.setting, stage.blocks))
            again = partial(_shows, analysis, stage, schedule, see, apart, finding)
            yield finding, analysis.programs.caution.doubt(finding, again)


def _shows(analysis: Analysis, stage: Stage, schedule: Schedule, see: Callable[[Stage, Outcome], Finding | None], apart: bool,
           finding: Finding, program: Program) -> bool:
    """Whether a run of another program of the same kernel shows the same."""
    outcome = run_stage(program, stage, schedule, budget=analysis.context.budget, apart=apart, begun=True)
    return outcome is not None and alike(finding, see(stage, outcome))


def _divergence(analysis: Analysis, item: Obligation) -> Finding:
    exactness = Exactness.CDDI if item.guard.roles & Role.DATA else Exactness.CIDI

    def see(stage: Stage, outcome: Outcome) -> Finding | None:
        met = find_divergence(outcome)
        return None if met is None else divergence_finding(met, exactness, stage.sizes(analysis.context))

    return _told(analysis, item.answer, see, Finding(
        "barrier-divergence", Status.POTENTIAL, "threads of one block may not all reach this barrier",
        (Spot(item.place, "barrier"),), None, exactness, {}, NOT_REPLAYED))


def _out_of_bounds(analysis: Analysis, reach: Reach) -> Finding:
    access, exactness = reach.access, _exactness(reach.access)
    array = analysis.context.kernel.array(access.array)
    rule = "null-pointer" if 0 in array.dims else "const-write" if array.const and access.is_write else "out-of-bounds"

    def see(stage: Stage, outcome: Outcome) -> Finding | None:
        event = find_event(outcome.out_of_bounds, access.place.line, access.array)
        if event is None:
            return None
        cell = access.array + "".join(f"[{part}]" for part in event.index)
        message = {"null-pointer": "an access through a pointer that is null",
                   "const-write": f"'{access.array}' is in constant memory"}.get(rule, f"{cell} lies outside the array")
        return Finding(rule, Status.CONFIRMED, message,
                       (Spot(event.place, event.what, event.actor, event.index),), access.array, exactness,
                       stage.sizes(analysis.context))

    return _told(analysis, reach.answer, see, Finding(
        rule, Status.POTENTIAL, f"'{access.array}' is in constant memory, and may be written" if rule == "const-write" else
        f"an access of '{access.array}' may lie outside it",
        (Spot(access.place, access.kind),), access.array, exactness, {}, NOT_REPLAYED))


def _overflow(analysis: Analysis, item: Overflow) -> Finding:
    message = f"`{T.show(item.term)}` leaves the range of {item.term.type}"
    note = BEYOND_LIMIT if item.is_limit else NOT_REPLAYED

    program = analysis.programs.wrapping if item.is_limit else analysis.programs.plain
    runs = _scheduled(analysis, Sat(item.model), (SAME_BLOCK,), program=program) if item.is_plain else ()
    for stage, _, outcome in runs:
        deciding = [event for event in outcome.overflows if event.place in analysis.programs.deciding]
        event = find_event(deciding, item.place.line)
        if event is None and not _breaks_assumptions(analysis, outcome):
            event = find_event(deciding, 0)
        if event is not None:
            return Finding("index-overflow", Status.CONFIRMED, f"{message}: {event.what}",
                           (Spot(event.place, "overflow", event.actor),), None, Exactness.CIDI, stage.sizes(analysis.context))
    return Finding(
        "index-overflow", Status.POTENTIAL, message, (Spot(item.place, "overflow"),), None, Exactness.CIDI, {}, note)


def _failed_claim(analysis: Analysis, item: Held) -> Finding:
    claim = item.claimed.claim
    rule, fails, may_fail = (UNWAITED, LANDED, MAY_NOT_LAND) if item.is_of_copies else (
        "assertion", f"the {claim.kind} does not hold", f"the {claim.kind} may not hold")
    exactness = _of_terms((item.claimed.guard,), (item.claimed.test,))

    def see(stage: Stage, outcome: Outcome) -> Finding | None:
        event = next((event for event in outcome.failed if event.place == claim.place and event.what == claim.kind), None)
        if event is None or not is_meaningful(outcome, event.actor):
            return None
        spot = Spot(event.place, "here", event.actor)
        return Finding(rule, Status.CONFIRMED, fails, (spot,), None, exactness, stage.sizes(analysis.context))

    return _told(analysis, item.answer, see, Finding(
        rule, Status.POTENTIAL, may_fail, (Spot(claim.place, "here"),), None, exactness, {},
        NOT_REPLAYED))


def _misaligned(analysis: Analysis, item: Held) -> Finding:
    claim, exactness = item.claimed.claim, _of_terms((item.claimed.guard,), (item.claimed.test,))
    message = (f"an access that wants a multiple of {claim.unit} bytes, and '{claim.of}' need not begin at one"
               if claim.begins and claim.begins % claim.unit else
               "a wide access at an address that is not a multiple of its width")

    def see(stage: Stage, outcome: Outcome) -> Finding | None:
        event = next((event for event in outcome.failed if event.place == claim.place and event.what == claim.kind), None)
        if event is None or claim.place in analysis.aligned.assumed:
            return None
        return Finding("misaligned", Status.CONFIRMED, message, (Spot(event.place, "here", event.actor),), None, exactness,
                       stage.sizes(analysis.context))

    return _told(analysis, item.answer, see, Finding(
        "misaligned", Status.POTENTIAL, "a wide access may not be aligned", (Spot(claim.place, "here"),), None, exactness, {},
        NOT_REPLAYED))


def _undefined(analysis: Analysis, doubt: Doubt) -> Finding:
    """Confirmed when two poisons give two outputs, else potential."""
    what = f"'{doubt.array}'" if doubt.array else "a local"
    finding = Finding("uninitialised-read", Status.POTENTIAL, f"{what} may be read before it is written",
                      (Spot(doubt.place, "read"),), doubt.array, Exactness.CIDI, {},
                      NOT_REPLAYED if isinstance(doubt.answer, Sat) else getattr(doubt.answer, "reason", NO_MODEL))
    runs = () if doubt.is_left else _scheduled(analysis, doubt.answer, (SAME_BLOCK,))
    for stage, schedule, outcome in islice(runs, MOST_RUNS):
        reached = _reaches_output(analysis, stage, schedule, outcome)
        seen = [event for event in outcome.uninitialised if event.place == doubt.place]
        if reached or seen:
            actor = seen[0].actor if seen else None
            status = Status.CONFIRMED if reached else Status.POTENTIAL
            suffix = ", and an output depends on it" if reached else ""
            finding = Finding("uninitialised-read", status, f"{what} is read before it is written{suffix}",
                              (Spot(doubt.place, "read", actor, seen[0].index if seen else None),), doubt.array,
                              Exactness.CIDI, stage.sizes(analysis.context), "" if reached else
                              "it did not reach an output in the runs tried")
        if reached:
            break
    return finding


def absent_lane(analysis: Analysis, item: Unordered, finding: Finding) -> Finding:
    """Confirmed where what a lane gets that asks for one which is not there changes an output; asked where nothing else may be
    without a value."""
    for stage, schedule, outcome in islice(_scheduled(analysis, item.answer, (SAME_BLOCK,)) if item.answer else (), MOST_RUNS):
        event = next((event for event in outcome.undefined if event.place == item.place), None)
        before = _written(outcome)
        for absent in POISONS if event is not None and not outcome.out_of_bounds else ():
            again = run_stage(analysis.programs.plain, stage, schedule, 0, analysis.context.budget, absent=absent)
            if event is not None and again is not None and _differs(before, _written(again)):
                return replace(finding, status=Status.CONFIRMED, message=item.shown, sizes=stage.sizes(analysis.context), note="",
                               spots=(Spot(item.place, LANES, event.actor),))
    return finding


def _differs(before: dict[tuple[str, int], Value], after: dict[tuple[str, int], Value]) -> bool:
    """Whether two runs left other contents."""
    return before.keys() != after.keys() or any(not same_value(value, after[cell]) for cell, value in before.items())


def _reaches_output(analysis: Analysis, stage: Stage, schedule: Schedule, outcome: Outcome) -> bool:
    """Whether another poison changes what is left in global memory, or one that is not the same everywhere."""
    before = _written(outcome)
    for poison, apart in ((*((poison, False) for poison in POISONS), (POISONS[1], True))):
        again = run_stage(analysis.programs.plain, stage, schedule, poison, analysis.context.budget, apart=apart)
        if again is None:
            continue
        if _differs(before, _written(again)):
            return True
    return False


def _written(outcome: Outcome) -> dict[tuple[str, int], Value]:
    """The cells of global memory that a run wrote, with what it left there."""
    return {(name, index): value for name in outcome.written for index, value in outcome.contents(name).items()}
