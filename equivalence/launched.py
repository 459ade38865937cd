"""The story of one comparison at concrete launches: gate, symbolic runs, then numbers where symbols differ.

A side is a kernel or a sequence of kernels. Each is checked for itself: by the proofs, for a short time; by runs of
the launch, amplified to all data, if it is small; then by the proofs for as long as there is. Only sides that are
deterministic are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from automata.budget import Budget
from automata.lang.effects import stored_arrays
from automata.place import InputError, UndecidedError, on_side
from automata.scope import THIS_LAUNCH
from automata.verdict import Report, Verdict
from equivalence.agreeing import agreeing, told
from equivalence.at_launch import Answer, compare_at_launch
from equivalence.chain import Chain
from equivalence.counterexample import Search, Trials
from equivalence.divisors import bends, divisions, partial_calls
from equivalence.evidence import (
    Asked,
    Barred,
    Besides,
    Caveats,
    Differs,
    Left,
    Looked,
    Said,
    Shown,
    conclude,
    shown,
    still_open,
    weakest,
)
from equivalence.gate import MODES, compiled, doubted, gate, ground, refuted, stops
from equivalence.goals import Goal, Related, SameArray
from equivalence.notes import OVER_REALS
from equivalence.over_reals import caveats
from equivalence.related_runs import RelatedSearch, extent_at, kind_of, parameters_at
from equivalence.relation import Relation
from equivalence.result import EquivReport
from equivalence.step import Step

MOST_TRIED = 1 << 18
"""Threads of a launch at which it is tried on numbers whether divisors are zero and functions are defined."""

WHERE_DEFINED = "as functions of the reals they are equal wherever no divisor is zero and functions are defined"
UNTRIED = "whether divisors are zero, and functions defined, for many inputs was not tried on numbers"

LOOK = Trials(threads=1 << 20, work=1 << 21, seconds=60.0)
Fallback = Callable[[tuple[str, ...]], list[Said]]
"""Another way to decide outputs that the runs leave open: evidence on them."""

NOTHING_WRITTEN = "neither kernel writes any of the outputs"


def compare_launched(a: Sequence[Step], b: Sequence[Step], outputs: tuple[str, ...], stated: Sequence[str], mode: str,
                     budget: Budget, fallback: Fallback | None, relations: Sequence[Relation] = (), *,
                     certify: bool = False) -> EquivReport:
    """The report on two sides at concrete launches. `stated`: assumptions that pairing them made; `relations`: asked for
    instead of equal arrays; `certify`: without any probability."""
    reports = _checked(a, b, budget, is_quick=True)
    agreed = _agreed(a, b, reports, budget)
    more = compiled(*([step.kernel for step in side] for side in (a, b)))
    said: list[Said] = [ground(stated, reports, THIS_LAUNCH, more), *gate(reports, at_launch=True)]
    if stops(said):
        return conclude(said)
    said += agreed
    goals = _goals(a, b, outputs, relations)
    if not goals:
        return conclude([*said, Left((), NOTHING_WRITTEN)])
    parts = [[step.part(budget, doubted(report)) for step, report in zip(steps, group, strict=True)]
             for steps, group in zip((a, b), reports, strict=True)]
    answer = compare_at_launch(parts[0], parts[1], goals, MODES[mode], budget, is_exact=certify)
    if answer.broken is not None:
        side, told = answer.broken
        return conclude([*said, Barred(side, f"side {side}: {told}", is_refuted=True)])
    said += _of_runs(answer, mode)
    if not still_open(said):
        return conclude([*said, *_unsaid(a, b, said, budget, is_tried=not relations)])
    if bar := refuted(_checked(a, b, budget, is_quick=False)):
        return conclude([*said, bar])
    return conclude([*said, *_open(a, b, said, relations, mode, None if certify and answer.reason else fallback, budget)])


def _unsaid(a: Sequence[Step], b: Sequence[Step], said: Sequence[Said], budget: Budget, *, is_tried: bool) -> list[Said]:
    """What an equality at a launch leaves unsaid. Over the reals it holds where no divisor is zero and functions are defined:
    that is stated, and tried (`is_tried`) where many inputs may leave it."""
    kind = weakest(said)
    if kind not in OVER_REALS:
        return []
    steps = (*a, *b)
    found: list[Said] = [caveats([[step.kernel for step in group] for group in (a, b)],
                                 [[step.predicated for step in group] for group in (a, b)], kind)]
    divides = any(divisions(*step.predicated) for step in steps)
    is_partial = any(partial_calls(*step.predicated) for step in steps)
    if is_tried and (is_partial or (divides and any(bends(*step.predicated) for step in steps))):
        found.append(_tried(a, b, said, budget))
    return found


def _tried(a: Sequence[Step], b: Sequence[Step], said: Sequence[Said], budget: Budget) -> Said:
    """A difference, on numbers, of what is equal over the reals where everything is defined; what cannot be tried is noted."""
    names = tuple(name for name, kind in shown(said).items() if kind in OVER_REALS)
    if max(step.threads for step in (*a, *b)) > MOST_TRIED:
        return Caveats(notes=(f"{UNTRIED}: there are too many threads",))
    try:
        search = _search(a, b, names, (), budget, is_bitwise=False)
    except UndecidedError as error:
        return Caveats(notes=(f"{UNTRIED}: {error.message} ({error.place})",))
    found = search.generic()
    if found is not None:
        return Differs(found, notes=(WHERE_DEFINED,))
    return Caveats(notes=(f"{UNTRIED}: runs are too long",) if search.given_up else ())


def _search(a: Sequence[Step], b: Sequence[Step], names: tuple[str, ...], relations: Sequence[Relation], budget: Budget, *,
            is_bitwise: bool) -> Search:
    first, second = (Chain([step.stage() for step in steps]) for steps in (a, b))
    if relations:
        return RelatedSearch(first, second, relations, bits=is_bitwise, budget=budget)
    return Search(first, second, names, bits=is_bitwise, numbers=True, budget=budget)


def _of_runs(answer: Answer, mode: str) -> list[Said]:
    """What symbolic runs say of the outputs."""
    classes = {name: kind for name, kind in answer.outputs.items() if kind is not None}
    said: list[Said] = [Asked(tuple(answer.outputs))]
    if classes:
        conditions = ((answer.conditional, "exponentials of different exponents are independent (a conjecture)"),
                      (answer.by_order, "floats that are compared are numbers (no NaN), and -0 is 0"),
                      (answer.keeps_rows, "each subscript that data decide stays inside its own dimension"))
        bound = None if answer.is_exact else f"2^-{answer.bound:.0f}, seed {answer.seed}"
        said.append(Shown(classes, bound, tuple(text for holds, text in conditions if holds), by_runs=not answer.reason,
                          is_exact=answer.is_exact))
    told = answer.reason or f"the symbols differ in every class that --mode {mode} accepts"
    if open_ := still_open(said):
        cells = {name: cell for name, (_, cell) in answer.unlike.items() if name in open_}
        said += [Left(open_, told), *(Besides(f"as symbols they differ in {cell}, say", name) for name, cell in cells.items())]
    return said


def _goals(a: Sequence[Step], b: Sequence[Step], outputs: tuple[str, ...], relations: Sequence[Relation]) -> list[Goal]:
    """What is asked: relations, or that the outputs which some kernel writes are the same."""
    if relations:
        return [_related(a, b, relation) for relation in relations]
    touched = {name for step in (*a, *b) for name in stored_arrays(step.kernel.body)}
    return [SameArray(name) for name in outputs if name in touched]


def _related(a: Sequence[Step], b: Sequence[Step], relation: Relation) -> Goal:
    """A relation with all that it is about; InputError where arrays, extents or indices do not fit."""
    contexts = [[step.context for step in steps] for steps in (a, b)]
    kind = kind_of(relation, contexts)
    sizes = [extent_at(item, contexts, {}) for item in relation.elements()]
    for item, size in zip(relation.elements(), sizes, strict=True):
        if size is None:
            raise InputError(f"--relate '{relation.text}': state how many elements {item.side}.{item.array} has, "
                             f"as in '// spmd: {item.array}[16]'")
    points = relation.points(sizes[0] or 0, parameters_at(relation, contexts, {}))
    if not points.count:
        raise InputError(f"--relate '{relation.text}': it names no element at this launch")
    for item, size in zip(relation.elements(), sizes, strict=True):
        indices = points.index(item.index)
        if not (indices.min() >= 0 and indices.max() < (size or 0)):
            raise InputError(f"--relate '{relation.text}': an index of {item.side}.{item.array} lies outside its {size} "
                             "elements")
    return Related(relation, points, kind)


def _open(a: Sequence[Step], b: Sequence[Step], said: Sequence[Said], relations: Sequence[Relation], mode: str,
          fallback: Fallback | None, budget: Budget) -> list[Said]:
    """What symbolic runs leave open: a difference in numbers, or the proofs for all sizes."""
    names = still_open(said)
    try:
        search = _search(a, b, names, relations, budget, is_bitwise=mode == "bitwise")
    except UndecidedError as error:
        return [Looked(f"not run on numbers: {error.message} ({error.place})")]
    found = search.at({}) if relations else search.smallest(LOOK)
    if found is not None:
        return [Differs(found, found.relation or "")]
    looked: list[Said] = [Looked(search.evidence if search.tried else None)]
    if fallback is None:
        return looked
    made = fallback(names)
    return [*looked, *made, *_unsaid(a, b, [*said, *made], budget, is_tried=False)]


def _checked(a: Sequence[Step], b: Sequence[Step], budget: Budget, *, is_quick: bool) -> list[list[Report]]:
    """The reports on all kernels of both sides. `is_quick`: what the runs on symbols see is left to them."""
    found = []
    for name, steps in (("a", a), ("b", b)):
        with on_side(name):
            found.append([step.checked(budget, step.data_arrays() if is_quick else frozenset()) for step in steps])
    return found


def _agreed(a: Sequence[Step], b: Sequence[Step], reports: list[list[Report]], budget: Budget) -> list[Said]:
    """Reports that leave open only whether threads store one value to a cell are replaced where they do; a note says so."""
    notes: list[str] = []
    for name, steps, group in zip("ab", (a, b), reports, strict=True):
        for at, (step, report) in enumerate(zip(steps, group, strict=True)):
            found = agreeing(step, report, budget) if report.verdict is Verdict.UNKNOWN else None
            if found is not None:
                notes.append(f"{name}: {told(report)}")
                group[at] = found
    return [Caveats(notes=tuple(notes))] if notes else []
