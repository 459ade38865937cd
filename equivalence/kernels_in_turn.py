"""Sequences of kernels for all sizes: gate, falsify, prove by generic blocks, falsify again.

Input: the kernels of both sides with their launches, each with sizes of its own. Memory passes from each kernel of a side to the
next (`generic.passed`). Every kernel is deterministic by itself, so a side is too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from automata.budget import Budget
from automata.machine.running.run import Program
from automata.place import on_side
from automata.proof.determinism import check, scope
from automata.proof.known.context import known_numbers, unlaunched
from automata.proof.witness.analysis import Analysis
from automata.rewriting.lower import lower
from automata.scope import Scope
from automata.thread.build import build
from automata.verdict import Report
from equivalence.at_one_launch import different_at_one_launch
from equivalence.chain import Chain, Stage
from equivalence.evidence import Left, Said, conclude
from equivalence.for_all_sizes import ForAll, decide
from equivalence.gate import compiled, gate, ground, stops
from equivalence.outside import reaches_outside
from equivalence.related_runs import require_sense
from equivalence.relation import Relation
from equivalence.result import EquivReport
from equivalence.step import Step

Checked = list[tuple[Report, Analysis]]


def compare_for_all_sizes(a: Sequence[Step], b: Sequence[Step], outputs: Sequence[str], stated: Sequence[str], mode: str,
                          budget: Budget, relations: Sequence[Relation] = ()) -> EquivReport:
    """The report on two sequences. `stated`: assumptions that pairing them made; `mode`: the weakest class that is accepted;
    `relations`: asked for instead of equal outputs."""
    checked = [[_checked(name, step, budget) for step in steps] for name, steps in (("a", a), ("b", b))]
    analyses = [[analysis for _, analysis in group] for group in checked]
    reports = [[report for report, _ in group] for group in checked]
    contexts = tuple(analysis.context for group in analyses for analysis in group)
    launched = unlaunched(contexts, contexts[0].encoder())
    floats = compiled(*([step.kernel for step in side] for side in (a, b)))
    said: list[Said] = [ground(stated, reports, _scope(analyses, launched), floats),
                        *gate(reports, at_launch=False, assumes_bounds=True)]
    written = {write.array for group in analyses for analysis in group for write in analysis.footprint.writes}
    names = tuple(relation.text for relation in relations) or tuple(name for name in outputs if name in written)
    require_sense(relations, [[analysis.context for analysis in group] for group in analyses])
    if bar := stops(said):
        said += [] if bar.is_refuted or relations else (
            different_at_one_launch(_chains(analyses), names, bar, budget, bits=mode == "bitwise"))
    elif names:
        chains = _chains(analyses)
        said += decide(ForAll((analyses[0], analyses[1]), chains, names, mode, budget, relations=relations))
        said += reaches_outside(chains, reports, said)
    else:
        said.append(Left((), "no kernel writes any of the outputs"))
    return conclude(said)


def _scope(analyses: Sequence[Sequence[Analysis]], launched: Sequence[str]) -> Scope:
    """Which sizes the answer speaks of. What not all kernels state is marked with whose it is: side a's second, say."""
    held = [(name if len(group) == 1 else f"{name}, {number}", scope(analysis.context).under)
            for name, group in zip("ab", analyses, strict=True) for number, analysis in enumerate(group, 1)]
    shared = {text for text in held[0][1] if all(text in under for _, under in held)}
    own = [text if text in shared else f"{who}: {text}" for who, under in held for text in under]
    return Scope("all sizes", tuple(dict.fromkeys((*launched, *own))))


def _checked(name: str, step: Step, budget: Budget) -> tuple[Report, Analysis]:
    with on_side(name):
        return check(step.kernel, step.launch, side=replace(step.side, budget=budget))


def _chains(analyses: Sequence[Sequence[Analysis]]) -> tuple[Chain, Chain]:
    """Both sides as runs on numbers take them."""
    one, two = (Chain([_stage(analysis) for analysis in group]) for group in analyses)
    return one, two


def _stage(analysis: Analysis) -> Stage:
    kernel = lower(analysis.context.source, known_numbers(analysis.context))
    return Stage(analysis.context, Program(build(kernel)), analysis.unwrapped)
