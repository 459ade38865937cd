"""The pipeline of one comparison: a pair of questions to its answer.

The kernels and launches of both sides are found as a check finds them (`spmd/pipeline.py`); `equivalence` compares them. It is
a module of its own so that a check does not load what compares.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from automata.budget import Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.lang.read import Found
from automata.place import InputError, Place, UndecidedError, UnsupportedError
from automata.proof.launch_limits import beyond_limits
from equivalence.compare import compare
from equivalence.pairing import Pair, pair_up
from equivalence.relation import parse_relation
from equivalence.result import EquivReport, EquivVerdict
from equivalence.sequence import compare_sequences
from equivalence.suggested import suggestion
from spmd.asked import PairAnswer, PairQuestion, Question
from spmd.cache import questions
from spmd.cache.recall import Asked, answered
from spmd.host_values import shared_values
from spmd.pipeline import SEARCH, choose_launch, forget, only
from spmd.settings.apply import for_kernel, for_pair


def run_equiv(question: PairQuestion) -> PairAnswer:
    """The record of one comparison."""
    began = time.monotonic()
    forget()
    launches = [Launch(), Launch()]
    places: list[Place | None] = [None, None]
    names: list[str | None] = [question.a.source.kernel, question.b.source.kernel]
    side = "a"
    try:
        sides: list[list[tuple[Kernel, Launch]]] = [[], []]
        wide: list[list[tuple[Kernel, Launch]]] = [[], []]
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
            launches[number] = sides[number][0][1]
        side = ""
        assumed = shared_values(*sides)
        report = answered(_comparison(question, sides), lambda: _compared(question, sides, began))
        report.assumptions = [*report.assumptions, *assumed, *dict.fromkeys((*question.a.assumes, *question.b.assumes))]
        if question.all_sizes and report.verdict is EquivVerdict.EQUAL and wide != sides:
            launches = [wide[0][0][1], wide[1][0][1]]
            report = _at_all_sizes(question, wide, report, began)
    except (UndecidedError, RecursionError, MemoryError, InputError) as error:
        report = _not_compared(error, side)
    return PairAnswer(question, names[0], names[1], launches[0], launches[1], report, time.monotonic() - began,
                      (places[0], places[1]))


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


def _at_all_sizes(question: PairQuestion, sides: list[list[tuple[Kernel, Launch]]], at: EquivReport, began: float) -> EquivReport:
    """What holds beyond a launch at which two kernels are equal; that they are is evidence where this is not decided."""
    report = answered(_comparison(question, sides), lambda: _compared(question, sides, began))
    if report.verdict is EquivVerdict.UNKNOWN and at.equality is not None:
        report.evidence = f"equal, {at.equality.value}, at the launch that was stated ({at.scope})"
    return report


def _comparison(question: PairQuestion, sides: list[list[tuple[Kernel, Launch]]]) -> Asked[EquivReport]:
    """A comparison, as what its answer hangs on."""
    sources = [part.source for part in (question.a, *question.after_a, question.b, *question.after_b)]
    parts = (sides, [source.file for source in sources], question.names, question.outputs, question.mode, question.relations,
             question.certify, question.suggest, question.shows_proof)
    return questions.equiv(parts, tuple(source.root() for source in sources), question.a.seconds)


def _compared(question: PairQuestion, sides: list[list[tuple[Kernel, Launch]]], began: float) -> EquivReport:
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
