"""One kernel at one launch: is it deterministic? The order of the proofs, and what they add up to.

wrap-around decides how terms are read, convergence licenses the cut into segments, interference looks
at every pair, bounds and initialisation at every access. Every model that a proof leaves is replayed;
what replays is confirmed, the rest potential.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from automata.budget import UNLIMITED, Budget
from automata.lang.brackets import fewest
from automata.lang.core import Claim, Kernel, Loop, Space
from automata.lang.launch import Launch
from automata.lang.traverse import count_statements, walk
from automata.logic.ladder import CANDIDATE, Limits
from automata.logic.smt import Unknown, Unsat
from automata.logic.terms import Term
from automata.place import TIME_IS_UP, UndecidedError, told_lines
from automata.proof.evidence import Answered, Formulas, conclude
from automata.proof.known.contents import read_guards
from automata.proof.known.context import ONE, Context, check_satisfiable, known_numbers, prepare
from automata.proof.obligations.alignment import ALIGNED, check_alignment
from automata.proof.obligations.bounds import check_bounds
from automata.proof.obligations.claims import check_claims
from automata.proof.obligations.convergence import check_convergence, through_memory
from automata.proof.obligations.divisors import NOT_ZERO, always_zero, divisors_that_may_be_zero
from automata.proof.obligations.initialised import check_initialised
from automata.proof.obligations.interference import check_interference
from automata.proof.obligations.limits import broken_limits
from automata.proof.obligations.memory import traceable, tracer_of
from automata.proof.obligations.order import check_order
from automata.proof.obligations.trace import CannotTrace
from automata.proof.obligations.wraps import decide_wraps
from automata.proof.runs import counted
from automata.proof.runs.effort import Effort
from automata.proof.runs.first import FirstRun
from automata.proof.symbolic.coverage import require_covered
from automata.proof.symbolic.loops import footprint
from automata.proof.witness import models
from automata.proof.witness.analysis import Analysis
from automata.proof.witness.besides import besides
from automata.rewriting.lower import lower, lower_whole
from automata.scope import THIS_LAUNCH, Scope
from automata.thread.build import build
from automata.verdict import Finding, Outcome, Property, Report, Verdict

MANY_STATEMENTS, FEW_STATEMENTS = 400, 200
SHARE_OF_LOOPS = 0.4
"""Of the work there is, for a proof that keeps loops before they are unrolled. A first look takes all of it, and unrolls
nothing if that was cut short: the longer look begins with kept loops, too."""
MEETING, RACING, REST = 0.3, 0.6, 0.5
"""Of the work that is left, for whether barriers are met, for pairs of accesses, and for each of the other properties: models
that they find are replayed in what they leave."""
SOON = Limits(linear=30, linearised=30)
"""What a loop keeps is shown in a third of that at most; what it does not keep takes as long as it may."""
PATIENCE = 12
SMALL = Effort(MANY_STATEMENTS, 1 << 20)
"""Of a launch that is run before formulas are asked; those decide whatever such a run leaves."""


@dataclass(frozen=True, slots=True)
class Side:
    """How one kernel of a pair is kept apart: its mark, the prefix of its sizes, further sizes that are open.

    `budget`: after this reading of the monotonic clock every open query is unknown. `is_paired`: outputs are to be
    compared, which loops that stay cannot be yet. `unrolled`: how many statements unrolling may make, if
    fewer than the limit. `left`: arrays of which somebody else sees whether a cell is read before it is set: their reads stay
    potential findings. `agreed`: arrays of which somebody else sees that no cell is given two values. `run`: what one run may
    take that proves barriers and races before any formula is asked about them (`amplify`); None: formulas alone.
    """

    mark: str = ""
    prefix: str = ""
    sizes: frozenset[str] = frozenset()
    budget: Budget = UNLIMITED
    is_paired: bool = False
    unrolled: int | None = None
    left: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()
    run: Effort | None = SMALL


ALONE = Side()


def _begin(kernel: Kernel, launch: Launch, side: Side) -> Context:
    """What is known of a launch, and the lowered kernel."""
    context = _prepared(kernel, launch, side)
    context.kernel = lower(kernel, known_numbers(context), side.unrolled)
    return context


def _prepared(kernel: Kernel, launch: Launch, side: Side) -> Context:
    context = prepare(kernel, launch, prefix=side.prefix, sizes=side.sizes)
    context.budget = side.budget
    check_satisfiable(context)
    return context


def _understood(context: Context, side: Side) -> Analysis:
    """Everything before the proofs: automaton, footprint, and how terms are read."""
    require_covered(context.kernel, paired=side.is_paired)
    automaton = build(context.kernel)
    found = footprint(automaton, context.values, context.ranges, _Refuter(context), side.mark)
    if context.facts is not None:
        context.facts.guards = read_guards(found)
    wraps = decide_wraps(context, found)
    if not side.is_paired:
        wraps.overflows += broken_limits(context, wraps, side.mark, _Refuter, side.unrolled)
    return Analysis(context, automaton, found, context.proving_encoder(), wraps)


class _Refuter:
    """Whether terms are never true together, for one thread; what wraps is read so. Answers that are long in coming are of no
    use here, and after a few of them there is no asking any more."""

    def __init__(self, context: Context) -> None:
        self.context, self.encoder = context, context.encoder()
        self.patience = PATIENCE

    def __call__(self, terms: list[Term]) -> bool:
        if self.context.is_late():
            raise UndecidedError(TIME_IS_UP, self.context.kernel.place)
        if not self.patience:
            return False
        answer = self.context.ask([self.encoder.truth(term, ONE) for term in terms], self.encoder, model=False, limits=SOON)
        self.patience -= isinstance(answer, Unknown) and answer.reason != CANDIDATE
        return isinstance(answer, Unsat)


def check(kernel: Kernel, launch: Launch, *, strict: bool = False, side: Side = ALONE) -> tuple[Report, Analysis]:
    """The report on one kernel at one launch, by proofs alone. `strict`: same-value writes count as races."""
    formulas, analysis = prove(kernel, launch, strict=strict, side=side)
    return conclude(kernel.name, [formulas]), analysis


def prove(kernel: Kernel, launch: Launch, *, strict: bool = False, side: Side = ALONE) -> tuple[Formulas, Analysis]:
    """What proofs say of one kernel at one launch. UndecidedError where they do not cover it.

    Where unrolling makes many statements, loops are kept first, in part of the time: their proof does not grow with the rounds.
    """
    found: tuple[Formulas, Analysis] | None = None
    gave_up: UndecidedError | None = None
    run = FirstRun(kernel, side.run)
    is_settled = False
    for context, how in _attempts(kernel, launch, side):
        try:
            if is_settled and found is not None:
                found = _completed(found[0], said(_values_set(_understood(context, how), how), strict=strict)), found[1]
                break
            analysis = _proved(_understood(context, how), run, how)
        except UndecidedError as error:
            gave_up = error
            continue
        found = said(analysis, strict=strict), analysis
        report = conclude(kernel.name, found[:1])
        is_settled = run.of_block is None and _is_settled(report)
        if report.verdict is not Verdict.UNKNOWN or (is_settled and not _hangs_on_locals(analysis)):
            break
    if found is None:
        assert gave_up is not None
        raise gave_up
    return found


def _attempts(kernel: Kernel, launch: Launch, side: Side) -> Iterator[tuple[Context, Side]]:
    """The ways to look at loops, each with what is known of the launch."""
    context = _prepared(kernel, launch, side)
    known = known_numbers(context)
    whole = lower_whole(kernel, known, side.unrolled)
    if not side.is_paired and (whole is None or _grew_large(kernel, whole)):
        share = SHARE_OF_LOOPS if side.budget.haste is None else 1.0
        kept = replace(side, unrolled=FEW_STATEMENTS, budget=side.budget.share(share))
        yield _begin(kernel, launch, kept), kept
        if not side.budget.was_enough:
            return
    context.kernel = lower(kernel, known, side.unrolled)
    yield context, side


def _proved(analysis: Analysis, run: FirstRun, how: Side) -> Analysis:
    """Run all proofs of one kernel at one launch, but for what is left to others of some arrays."""
    context, found, encoder = analysis.context, analysis.footprint, analysis.encoder
    analysis.loops_end = run.settles(context)
    block = None if analysis.loops_end else run.of_a_block(context)
    inside = frozenset(array.name for array in context.kernel.arrays if array.space is Space.SHARED) if block else frozenset()
    if not analysis.loops_end:
        with context.sharing(MEETING):
            analysis.convergence = [] if block else check_convergence(context, found, encoder)
        with context.sharing(RACING):
            analysis.interference = check_interference(context, found, encoder, analysis.counters, inside, how.agreed)
        if not block and not how.agreed:
            with context.sharing(REST):
                _followed(analysis)
    with context.sharing(REST):
        analysis.reaches, analysis.unknown_extents = check_bounds(context, found, encoder, inside)
    if not run.is_order_free:
        with context.sharing(REST):
            analysis.doubts = check_initialised(context, found, context.encoder(), how.left,
                                                inside if block and block.fills else frozenset())
        if not block and not analysis.loops_end:
            with context.sharing(REST):
                _set_through_memory(analysis, how)
        with context.sharing(REST):
            analysis.unordered = check_order(context, analysis.automaton, found, encoder, analysis.counters)
    with context.sharing(REST):
        analysis.claims = check_claims(context, found, encoder)
    with context.sharing(REST):
        analysis.aligned = check_alignment(context, found)
    analysis.divided = divisors_that_may_be_zero(context, found, analysis.interference)
    return analysis


def _is_apart(analysis: Analysis) -> bool:
    """Whether no two accesses are left that may race, not even writes of one value."""
    return all(isinstance(item.answer, Unsat) for group in analysis.interference for item in group.judged)


def _set_through_memory(analysis: Analysis, how: Side) -> None:
    """Where all barriers are met and nothing races: who writes before a read may hang on what memory holds, which is followed."""
    arrays = traceable(analysis.context, analysis.footprint)
    is_met = all(isinstance(item.answer, Unsat) for item in analysis.convergence)
    if how.agreed or not arrays or not is_met or not _is_apart(analysis) or all(doubt.harmless for doubt in analysis.doubts):
        return
    with suppress(CannotTrace):
        encoder = tracer_of(analysis.context, analysis.footprint, arrays).encoder
        again = check_initialised(analysis.context, analysis.footprint, encoder, how.left)
        if all(doubt.harmless for doubt in again):
            analysis.doubts = again


def _followed(analysis: Analysis) -> None:
    """Where nothing races, what threads read that decides whether they come to a barrier is followed to who has written it."""
    if _is_apart(analysis) and any(not isinstance(item.answer, Unsat) for item in analysis.convergence):
        analysis.convergence = through_memory(analysis.context, analysis.footprint, analysis.convergence)


def _values_set(analysis: Analysis, how: Side) -> Analysis:
    """Ask alone whether values are set before they are used, and whether the order of updates shows."""
    context, found = analysis.context, analysis.footprint
    with context.sharing(REST):
        analysis.doubts = check_initialised(context, found, context.encoder(), how.left)
    with context.sharing(REST):
        analysis.unordered = check_order(context, analysis.automaton, found, context.encoder(), analysis.counters)
    analysis.divided = divisors_that_may_be_zero(context, found)
    return analysis


def _completed(first: Formulas, second: Formulas) -> Formulas:
    """What was said first, with what was then found of the values alone, if that is settled."""
    order = second.answers[Property.ORDER_FREE]
    if order.outcome is Outcome.UNKNOWN or second.answers[Property.NO_WRAP].outcome is not Outcome.PROVED:
        return first
    return replace(first, answers={**first.answers, Property.ORDER_FREE: order},
                   assumptions=tuple(dict.fromkeys((*first.assumptions, *second.assumptions))))


def _hangs_on_locals(analysis: Analysis) -> bool:
    """Whether values are in doubt that a thread keeps for itself: where loops are unrolled, each of them has a name."""
    private = {array.name for array in analysis.context.kernel.arrays if array.space is Space.PRIVATE}
    return any(not doubt.harmless and (doubt.array is None or doubt.array in private) for doubt in analysis.doubts)


def _is_settled(report: Report) -> bool:
    """Whether another way to look at the loops would be of little use for how threads meet."""
    wanted = (report.properties[name] for name in (Property.RACE_FREE, Property.BARRIERS))
    return all(outcome is Outcome.PROVED for outcome in wanted)


def _grew_large(kernel: Kernel, lowered: Kernel) -> bool:
    """Whether unrolling all loops that can be made a long kernel."""
    return any(isinstance(stmt, Loop) for stmt in walk(kernel.body)) and count_statements(lowered.body) > MANY_STATEMENTS


def said(analysis: Analysis, *, strict: bool = False) -> Formulas:
    """What the proofs of one kernel say of every property; each model that they left is replayed."""
    misaligned = models.misaligned(analysis)
    assumed = assumptions(analysis)
    diverging = models.divergences(analysis)
    races = models.races(analysis, strict=strict)
    own = [item for item in analysis.claims if item.is_of_copies]
    stated = [item for item in analysis.claims if not item.is_of_copies]
    meeting = [item.answer for group in analysis.interference for item in group.judged if strict or not item.same_value]
    bounds = [*(reach.answer for reach in analysis.reaches), *(item.answer for item in analysis.aligned.held)]
    answers = {
        Property.BARRIERS: _answered((item.answer for item in analysis.convergence), diverging),
        Property.RACE_FREE: _answered((*meeting, *(item.answer for item in own)), races + models.failed_claims(analysis, own)),
        Property.BOUNDS: _answered(bounds, models.out_of_bounds(analysis) + misaligned,
                                   is_asked=bool(_has_extents(analysis) or misaligned or analysis.aligned.held)),
        Property.ORDER_FREE: _answered((doubt.answer for doubt in analysis.doubts if doubt.is_late),
                                       models.undefined_values(analysis) + models.orders(analysis)),
        Property.ASSERTIONS: _answered((item.answer for item in stated), models.failed_claims(analysis, stated),
                                       is_asked=bool(stated)),
        Property.NO_WRAP: _answered(map(Unknown, (*analysis.wraps.unclear, *map(always_zero, analysis.divided.zero))),
                                    models.overflows(analysis)),
    }
    told = [finding for answer in answers.values() for finding in answer.findings]
    return Formulas(answers, tuple(assumed), scope(analysis.context), len(analysis.footprint.writes), _is_private(analysis),
                    tuple(besides(analysis, told, strict=strict)))


def _answered(answers: Iterable[object], findings: list[Finding], *, is_asked: bool = True) -> Answered:
    return Answered(tuple(findings), tuple(answer.reason for answer in answers if isinstance(answer, Unknown)), is_asked)


def _has_extents(analysis: Analysis) -> bool:
    return len(analysis.unknown_extents) < len({access.array for access in analysis.footprint.accesses})


def _is_private(analysis: Analysis) -> bool:
    """Whether what may race is in shared arrays that nobody reads."""
    read = {access.array for access in analysis.footprint.accesses if not access.is_write}
    suspects = {group.array for group in analysis.interference if group.suspects}
    kernel = analysis.context.kernel
    return bool(suspects) and all(kernel.array(name).space is Space.SHARED and name not in read for name in suspects)


def scope(context: Context) -> Scope:
    """Which launches the verdict speaks of."""
    launch, is_open = context.launch, bool(context.symbols())
    if not is_open:
        return Scope("one thread") if context.is_single else THIS_LAUNCH
    under = list(context.statements)
    for name, sizes in (("blockDim", launch.block), ("gridDim", launch.grid)):
        for axis, size in zip("xyz", sizes or (), strict=False):
            if isinstance(size, int) and (size != 1 or axis == "x"):
                under.append(fewest(f"{name}.{axis} == {size}"))
    under += [f"{name} == {value}" for name, value in launch.args.items() if not isinstance(value, str)]
    return Scope("one thread" if context.is_single else "all sizes", tuple(dict.fromkeys(under)), sizes_open=context.is_single)


def assumptions(analysis: Analysis) -> list[str]:
    """Everything the verdict rests on, in the order a reader wants it."""
    context = analysis.context
    found = [f"required: {text}" for text in context.statements]
    found += context.kernel.assumptions
    found += context.assumptions
    for text, places in analysis.wraps.assumed.items():
        found.append(f"{text} ({told_lines(places)})")
    found += counted.assumed(context.kernel)
    claims = [stmt for stmt in walk(context.kernel.body) if isinstance(stmt, Claim)]
    for text, places in (("what the source assumes holds", [claim.place for claim in claims if claim.kind == "assume"]),
                         (NOT_ZERO, analysis.divided.assumed), (ALIGNED, analysis.aligned.assumed)):
        if places:
            found.append(f"{text} ({told_lines(places)})")
    found += [f"the counter '{name}' does not wrap" for name in sorted(analysis.counters)]
    pointers = [array.name for array in context.kernel.arrays if array.space is Space.GLOBAL and 0 not in array.dims]
    if len(pointers) > 1:
        found.append(f"{', '.join(pointers)} do not overlap")
    if analysis.unknown_extents:
        found.append(f"accesses stay inside {', '.join(analysis.unknown_extents)} (no extent is known)")
    return found
