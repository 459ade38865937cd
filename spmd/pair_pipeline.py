"""The pipeline of one comparison: a pair of questions to its answer.

The kernels and launches of both sides are found as a check finds them (`spmd/pipeline.py`); `equivalence` compares them. It is
a module of its own so that a check does not load what compares.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from automata.budget import Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.lang.read import Found
from automata.logic import smt
from automata.place import InputError, Place, UndecidedError, UnsupportedError
from automata.proof.context import TIME_IS_UP
from automata.proof.launch_limits import beyond_limits
from automata.scope import THIS_LAUNCH
from equivalence.alike import matched_parameters, told
from equivalence.compare import compare
from equivalence.pairing import Pair, pair_up
from equivalence.relation import parse_relation
from equivalence.result import EquivReport, EquivVerdict
from equivalence.sequence import compare_sequences
from equivalence.suggested import suggestion
from spmd.asked import PairAnswer, PairQuestion, Question
from spmd.cache import questions
from spmd.cache.recall import Asked, answered
from spmd.deadline import TooLateError, enforced
from spmd.host_values import shared_values
from spmd.pair_launches import Launched, combined, has_loops, matched, scope_of
from spmd.pipeline import SEARCH, choose_launch, forget, launches_in_host, only, with_extents
from spmd.settings.apply import for_kernel, for_pair

OF_LAUNCHES = 0.75
"""Of the time there is, for the launches of the program; the rest for all sizes, where those leave it open."""


def run_equiv(question: PairQuestion) -> PairAnswer:
    """The record of one comparison."""
    began = time.monotonic()
    forget()
    launches = [Launch(), Launch()]
    places: list[Place | None] = [None, None]
    names: list[str | None] = [question.a.source.kernel, question.b.source.kernel]
    side = "a"
    try:
        sides: list[list[Launched]] = [[], []]
        wide: list[list[Launched]] = [[], []]
        alone: list[_Part] = []
        for number, parts in enumerate(((question.a, *question.after_a), (question.b, *question.after_b))):
            side = "ab"[number]
            found: list[str] = []
            for part in parts:
                item = only(part.source.kernels(), part.source)
                part = for_kernel(part, item)[0]
                question = for_pair(replace(question, a=part), item) if not (number or found) else question
                found.append(item.name)
                names[number] = "; ".join(found)
                places[number] = places[number] or item.place
                kernel, launch = _launched(part, item)
                sides[number].append((kernel, launch))
                wide[number].append((kernel, _widened(part, item, kernel, launch)))
                alone.append(_Part(part, item, kernel, launch))
            launches[number] = sides[number][0][1]
        likened: dict[str, str] = {}
        if len(alone) == 2:
            likened = matched_parameters(alone[0].kernel, alone[1].kernel, question.names)
            question = replace(question, names={**likened, **question.names})
        pairs = _of_program(question, alone) if len(alone) == 2 else []
        side = ""
        report, launches = _at_program(question, sides, pairs) if pairs else (_at(question, sides), launches)
        report.assumptions = [*told(likened), *report.assumptions, *dict.fromkeys((*question.a.assumes, *question.b.assumes))]
        if question.all_sizes and report.verdict is EquivVerdict.EQUAL and (wide != sides or pairs):
            launches = [wide[0][0][1], wide[1][0][1]]
            report = _at_all_sizes(question, wide, report)
    except (UndecidedError, RecursionError, MemoryError, InputError) as error:
        report = _not_compared(error, side)
    return PairAnswer(question, names[0], names[1], launches[0], launches[1], report, time.monotonic() - began,
                      (places[0], places[1]))


@dataclass(frozen=True, slots=True)
class _Part:
    """A kernel of a pair: what is asked, where it was found, as it was read, and the launch that is asked for."""

    question: Question
    item: Found
    kernel: Kernel
    launch: Launch


def _of_program(question: PairQuestion, parts: list[_Part]) -> list[tuple[Launched, Launched]]:
    """The launches that the program makes of both kernels, where nothing else says how they are launched."""
    if any(part.launch.is_stated for part in parts):
        return []
    known = set(parts[0].kernel.order)
    in_b = {name: other for name, other in question.names.items() if name in known}
    ones, twos = ([], []) if question.relations else (_launches_of(parts[0], {}), _launches_of(parts[1], in_b))
    if not ones and not twos:
        return []
    own = [[(part.kernel, part.launch)] for part in parts]
    return matched(ones or own[0], twos or own[1], question.names)


def _launches_of(part: _Part, names: Mapping[str, str]) -> list[Launched]:
    """A kernel at each launch of the program that its text tells. `names`: as the command calls its parameters."""
    asked = replace(part.launch, args={names.get(name, name): value for name, value in part.launch.args.items()})
    stated = [each for each in launches_in_host(part.item, part.kernel, part.question.source.project) if not each.is_vague]
    found = list[Launched]()
    for launch in combined(asked, stated):
        kernel = replace(part.kernel, params=(*part.kernel.params, *launch.of_host))
        if not beyond_limits(kernel, launch):
            found.append((kernel, with_extents(part.question, kernel, launch)))
    return found


def _at_program(question: PairQuestion, sides: list[list[Launched]],
                pairs: list[tuple[Launched, Launched]]) -> tuple[EquivReport, list[Launch]]:
    """The answer at the launches of the program, and the launches of which it speaks: the first that is not equal decides. All
    sizes are asked about first where no loop hangs on them, and last where the launches leave it open."""
    seconds = question.a.seconds
    wider = replace(question, a=replace(question.a, seconds=seconds and seconds * (1 - OF_LAUNCHES)))
    at_first = _at(wider, sides) if not any(has_loops(side[0][0]) for side in sides) else None
    if at_first is not None and at_first.verdict is EquivVerdict.EQUAL:
        return at_first, [sides[0][0][1], sides[1][0][1]]
    share = None if seconds is None else seconds * OF_LAUNCHES / len(pairs)
    limited = replace(question, a=replace(question.a, seconds=share))
    found, refused = list[tuple[EquivReport, list[Launch]]](), list[InputError]()
    for one, two in pairs:
        try:
            report = _at(limited, [[one], [two]])
        except InputError as error:
            refused.append(error)
            continue
        scope = scope_of(report.scope or THIS_LAUNCH, one[1], two[1])
        report.scope = scope if report.scope is not None else None
        report.notes += [] if report.verdict is EquivVerdict.EQUAL else [str(scope)]
        found.append((report, [one[1], two[1]]))
        if report.verdict not in (EquivVerdict.EQUAL, EquivVerdict.UNKNOWN):
            return found[-1]
    if not found:
        raise refused[0]
    unknown = [each for each in found if each[0].verdict is EquivVerdict.UNKNOWN]
    if unknown:
        at_last = at_first or _at(wider, sides)
        return (at_last, [sides[0][0][1], sides[1][0][1]]) if at_last.verdict is EquivVerdict.EQUAL else unknown[0]
    report, launches = max(found, key=lambda each: each[0].equality.rank if each[0].equality else 0)
    others = [str(each.scope) for each, _ in found if each is not report]
    report.notes += [f"equal too {other}" for other in others]
    return report, launches


def _at(question: PairQuestion, sides: list[list[Launched]]) -> EquivReport:
    """The answer at one launch of each side, or wherever sizes are left open, in the time there is."""
    assumed = shared_values(*sides)
    try:
        with enforced(Budget.of(question.a.seconds)):
            report = answered(_comparison(question, sides), lambda: _compared(question, sides))
    except TooLateError:
        smt.reset()
        return EquivReport(EquivVerdict.UNKNOWN, reason=TIME_IS_UP)
    report.assumptions = [*report.assumptions, *assumed]
    return report


def _not_compared(error: Exception, side: str) -> EquivReport:
    """The answer where comparing ended early. `side`: the one that was being read, if any."""
    match error:
        case UndecidedError():
            told = f"side {error.side}: " if error.side else ""
            return EquivReport(EquivVerdict.UNKNOWN, reason=f"{told}the proofs do not cover {error.message} yet",
                               side=error.side or None, reason_place=error.place if error.place.file else None)
        case InputError():
            verdict = EquivVerdict.UNSUPPORTED if isinstance(error, UnsupportedError) else EquivVerdict.INVALID
            told = f"side {side}: {error.message}" if side else error.message
            return EquivReport(verdict, reason=told, reason_place=error.place if error.place.file else None, side=side or None)
        case RecursionError():
            return EquivReport(EquivVerdict.UNKNOWN, reason="expressions or conditions nested too deeply for the proofs")
    return EquivReport(EquivVerdict.UNKNOWN, reason="comparing takes more memory than there is: a smaller launch may do")


def _launched(part: Question, item: Found) -> tuple[Kernel, Launch]:
    """A kernel of a pair, and the launch that is asked for."""
    kernel = item.read()
    launch = choose_launch(part, item, kernel)
    kernel = replace(kernel, params=(*kernel.params, *launch.of_host))
    if beyond := beyond_limits(kernel, launch):
        raise InputError(f"{beyond}: no CUDA device starts this launch")
    return kernel, launch


def _widened(part: Question, item: Found, kernel: Kernel, launch: Launch) -> Launch:
    """The launch that the file states, in the place of one that is given; where it states none, that one. Arguments are left
    open."""
    stated = launch if part.launch is None else choose_launch(replace(part, launch=None, scalars=()), item, kernel)
    return replace(stated if stated.is_stated else launch, args={})


def _at_all_sizes(question: PairQuestion, sides: list[list[Launched]], at: EquivReport) -> EquivReport:
    """What holds beyond a launch at which two kernels are equal; that they are is evidence where this is not decided."""
    report = _at(question, sides)
    if report.verdict is EquivVerdict.UNKNOWN and at.equality is not None:
        report.evidence = f"equal, {at.equality.value}, at the launch that was stated ({at.scope})"
    return report


def _comparison(question: PairQuestion, sides: list[list[Launched]]) -> Asked[EquivReport]:
    """A comparison, as what its answer hangs on."""
    sources = [part.source for part in (question.a, *question.after_a, question.b, *question.after_b)]
    parts = (sides, [source.file for source in sources], question.names, question.outputs, question.mode, question.relations,
             question.certify, question.suggest, question.shows_proof)
    return questions.equiv(parts, tuple(source.root() for source in sources), question.a.seconds)


def _compared(question: PairQuestion, sides: list[list[Launched]]) -> EquivReport:
    """Two kernels as a pair, anything more at concrete launches."""
    budget = Budget.of(question.a.seconds)
    if len(sides[0]) + len(sides[1]) > 2 or question.relations:
        relations = [parse_relation(text) for text in question.relations]
        files = [[part.source.file for part in parts] for parts in ((question.a, *question.after_a),
                                                                    (question.b, *question.after_b))]
        first, second = ([(kernel, launch, file) for (kernel, launch), file in zip(*both, strict=True)]
                         for both in zip(sides, files, strict=True))
        return compare_sequences(first, second, question.names, question.outputs, question.mode, budget, relations,
                                 certify=question.certify)
    (a, launch_a), (b, launch_b) = sides[0][0], sides[1][0]
    pair = pair_up(a, b, launch_a, launch_b, question.names, question.outputs)
    report = compare(pair, question.mode, budget, certify=question.certify)
    if question.suggest and report.counterexample is not None:
        found = suggestion(pair, report.counterexample, partial(_under, question), SEARCH)
        if found is not None:
            report.suggested, report.suggested_at = found.text, found.at or None
    return report


def _under(question: PairQuestion, pair: Pair, budget: Budget) -> EquivReport:
    """A pair under one more requirement."""
    return compare(pair, question.mode, budget, certify=question.certify)
