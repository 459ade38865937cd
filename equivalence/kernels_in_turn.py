"""Sequences of kernels for all sizes: gate, falsify, prove by generic blocks, falsify again.

Input: the kernels of both sides with their launches, each with sizes of its own. Memory passes from each kernel of a side to the
next (`generic.passed`). Every kernel is deterministic by itself, so a side is too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from automata.budget import Budget
from automata.lang.lower import lower
from automata.machine.running.run import Program
from automata.place import InputError, UndecidedError
from automata.proof.determinism import check, scope
from automata.proof.known.context import known_numbers, unlaunched
from automata.proof.witness.analysis import Analysis
from automata.scope import Scope
from automata.thread.build import build
from automata.verdict import Report, Verdict
from equivalence.at_one_launch import different_at_one_launch
from equivalence.chain import Chain, Stage
from equivalence.compare import (
    FEW,
    FIRST_LOOK,
    FIRST_SPREAD,
    GENERIC_PROOF,
    LAST_LOOK,
    LAST_SPREAD,
    MANY,
    OF_THE_TIME,
    differs,
    multiplies_and_adds,
)
from equivalence.counterexample import Search
from equivalence.divisors import predicated
from equivalence.gate import MODES, assumptions_of, gate
from equivalence.generic.compare import GenericPair, show_all, told
from equivalence.generic.integers import CannotFollow
from equivalence.launched import Step
from equivalence.notes import OVER_REALS, notes
from equivalence.over_reals import assume_defined, assume_represented
from equivalence.result import EquivReport, EquivVerdict

Checked = list[tuple[Report, Analysis]]


def compare_for_all_sizes(a: Sequence[Step], b: Sequence[Step], outputs: Sequence[str], stated: Sequence[str], mode: str,
                          budget: Budget) -> EquivReport:
    """The report on two sequences. `stated`: assumptions that pairing them made; `mode`: the weakest class that is accepted."""
    checked = [[_checked(name, step, budget) for step in steps] for name, steps in (("a", a), ("b", b))]
    analyses = [[analysis for _, analysis in group] for group in checked]
    reports = [[report for report, _ in group] for group in checked]
    result = EquivReport(EquivVerdict.UNKNOWN, assumptions=assumptions_of(stated, reports))
    if any(multiplies_and_adds(analysis) for group in analyses for analysis in group):
        result.assumptions.append("float a*b+c is not contracted to fma, or alike on both sides")
    for name, group in zip("ab", reports, strict=True):
        result.reports[name] = next((report for report in group if report.verdict is not Verdict.PROVED), group[0])
    contexts = tuple(analysis.context for group in analyses for analysis in group)
    encoder = contexts[0].encoder()
    launched = unlaunched(contexts, encoder)
    result.scope = _scope(analyses, launched)
    is_stopped = gate(reports, result, at_launch=False, assumes_bounds=True)
    written = {write.array for group in analyses for analysis in group for write in analysis.footprint.writes}
    names = [name for name in outputs if name in written]
    if is_stopped:
        chains = [Chain([_stage(analysis) for analysis in group]) for group in analyses]
        return result if result.verdict is not EquivVerdict.UNKNOWN else different_at_one_launch(
            chains, tuple(names), result, budget, bits=mode == "bitwise")
    if not names:
        result.reason = "no kernel writes any of the outputs"
        return result
    return _decided(analyses, names, result, mode, budget)


def _scope(analyses: Sequence[Sequence[Analysis]], launched: Sequence[str]) -> Scope:
    """Which sizes the answer speaks of. What not all kernels state is marked with whose it is: side a's second, say."""
    held = [(name if len(group) == 1 else f"{name}, {number}", scope(analysis.context).under)
            for name, group in zip("ab", analyses, strict=True) for number, analysis in enumerate(group, 1)]
    shared = {text for text in held[0][1] if all(text in under for _, under in held)}
    own = [text if text in shared else f"{who}: {text}" for who, under in held for text in under]
    return Scope("all sizes", tuple(dict.fromkeys((*launched, *own))))


def _checked(name: str, step: Step, budget: Budget) -> tuple[Report, Analysis]:
    try:
        return check(step.kernel, step.launch, side=replace(step.side, budget=budget))
    except UndecidedError as error:
        error.side = name
        raise


def _decided(analyses: Sequence[Sequence[Analysis]], names: Sequence[str], result: EquivReport, mode: str,
             budget: Budget) -> EquivReport:
    sides = [Chain([_stage(analysis) for analysis in group]) for group in analyses]
    search = Search(sides[0], sides[1], tuple(names), bits=mode == "bitwise")
    if differs(search, result, FIRST_LOOK) or differs(search, result, FIRST_SPREAD, FEW):
        return result
    reasons = _shown(analyses, names, result, mode, budget)
    if not reasons:
        result.verdict, result.assurance = EquivVerdict.EQUAL, "proved"
        result.equality = max((kind for _, kind in result.outputs.values() if kind), key=lambda kind: kind.rank)
        if result.equality in OVER_REALS:
            parts = [[predicated(each.context.kernel, each.context.free()) for each in group] for group in analyses]
            assume_represented(parts, result)
            assume_defined(parts, result)
            result.notes = notes([[each.context.kernel for each in group] for group in analyses], result.equality)
        return result
    if not differs(search, result, LAST_LOOK) and not differs(search, result, LAST_SPREAD, MANY):
        result.reason, result.evidence = "; ".join(reasons), search.evidence
    return result


def _stage(analysis: Analysis) -> Stage:
    kernel = lower(analysis.context.source, known_numbers(analysis.context))
    return Stage(analysis.context, Program(build(kernel)))


def _shown(analyses: Sequence[Sequence[Analysis]], names: Sequence[str], result: EquivReport, mode: str,
           budget: Budget) -> list[str]:
    """Prove what can be proved of the outputs; why the others stay open."""
    result.outputs = {name: (EquivVerdict.UNKNOWN, None) for name in names}
    try:
        pair = GenericPair(analyses[0], analyses[1], budget.share(OF_THE_TIME).within(GENERIC_PROOF))
    except CannotFollow as error:
        return [f"{', '.join(names)}: {told(error)}"]
    if pair.integers.never(()):
        raise InputError("no launch meets the requirements of all kernels: their launches contradict each other")
    reasons = []
    for name, shown in show_all(pair, names, MODES[mode]).items():
        if shown.kind is None:
            reasons.append(f"{name}: {shown.reason}")
        else:
            result.outputs[name] = (EquivVerdict.EQUAL, shown.kind)
            result.proof += shown.proof
            result.assumptions += [text for text in shown.assumed if text not in result.assumptions]
    return reasons
