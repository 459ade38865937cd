"""The story of one comparison: gate, falsify, prove, falsify where the proof points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from automata.budget import UNLIMITED, Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.logic import terms as T
from automata.logic.smt import Unknown, Unsat
from automata.logic.terms import Role, Term, Version
from automata.machine.running.run import Program
from automata.place import InputError, UndecidedError
from automata.proof.determinism import Side, check, scope
from automata.proof.known.context import Context, unlaunched
from automata.proof.witness.analysis import Analysis
from automata.scope import Scope, joined
from automata.verdict import Report
from equivalence.all_sizes import Comparison, Equality, models_sizes
from equivalence.at_one_launch import different_at_one_launch
from equivalence.chain import Chain, Stage
from equivalence.counterexample import Search, Trials
from equivalence.divisors import predicated
from equivalence.gate import MODES, assumptions_of, gate
from equivalence.launched import Step, compare_launched
from equivalence.notes import OVER_REALS, notes
from equivalence.over_reals import assume_defined, assume_represented
from equivalence.pairing import Pair
from equivalence.result import EqualityClass, EquivReport, EquivVerdict

if TYPE_CHECKING:
    from equivalence.generic.compare import Shown

FIRST_LOOK = Trials(threads=4096, work=8_000, seconds=3.0)
LAST_PROOF = 6.0
"""Seconds of the proofs for all sizes where symbols differ at a launch."""

OF_THE_TIME = 0.7
"""For proofs by generic blocks, of what is left: behind them comes a search."""
GENERIC_PROOF = 30.0
"""Seconds of the proofs by a generic block of each kernel."""

LAST_LOOK = Trials(threads=20_000, work=80_000, seconds=20.0)
FIRST_SPREAD = Trials(threads=8192, work=60_000, seconds=3.0)
LAST_SPREAD = Trials(threads=20_000, work=600_000, seconds=40.0)
FEW, MANY = 40, 400
"""Launches spread over the sizes, before the proof and behind it."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both kernels after their checks. `has_loops`: with loops that stay, which single writes do not follow."""

    a: Analysis
    b: Analysis
    report_a: Report
    report_b: Report
    has_loops: bool = False

    @property
    def contexts(self) -> tuple[Context, Context]:
        return self.a.context, self.b.context


def compare(pair: Pair, mode: str = "real", budget: Budget = UNLIMITED, *, certify: bool = False) -> EquivReport:
    """The report on one pair; `mode` names the weakest class that is accepted; `certify`: nothing is left to probability."""
    steps = [Step(kernel, launch, side) for kernel, launch, side in _kernels(pair)]
    if all(step.is_fixed for step in steps):
        def proved(names: tuple[str, ...], result: EquivReport) -> EquivReport:
            return _proved_instead(pair, names, result, mode, budget)
        return compare_launched(steps[:1], steps[1:], pair.outputs, pair.assumptions, mode, budget, proved, certify=certify)
    sides = _sides_for_all(pair, budget)
    result = EquivReport(EquivVerdict.UNKNOWN, assumptions=_assumptions(pair, sides),
                         reports={"a": sides.report_a, "b": sides.report_b})
    comparison = Comparison(sides.a, sides.b, commutative=False)
    result.scope = _scope(sides, unlaunched(sides.contexts, comparison.encoder))
    if comparison.contradicts():
        raise InputError("no launch meets the requirements of both kernels: their launches contradict each other")
    if gate([[sides.report_a], [sides.report_b]], result, at_launch=False, assumes_bounds=True):
        if result.verdict is not EquivVerdict.UNKNOWN:
            return result
        return different_at_one_launch([_alone(sides.a), _alone(sides.b)], _written(pair, sides), result, budget,
                                       bits=mode == "bitwise")
    outputs = _written(pair, sides)
    if not outputs:
        result.reason = "neither kernel writes any of the outputs"
        return result
    return _decide(sides, outputs, result, mode, budget)


def _sides_for_all(pair: Pair, budget: Budget) -> Sides:
    """Both kernels checked: as single writes where no loop stays, else with their loops."""
    try:
        return _sides(pair, budget)
    except UndecidedError:
        (report_a, a), (report_b, b) = (
            _checked(name, kernel, launch, replace(side, budget=budget))
            for name, (kernel, launch, side) in zip("ab", _kernels(pair), strict=True))
        return Sides(a, b, report_a, report_b, has_loops=True)


def _proved_instead(pair: Pair, names: tuple[str, ...], result: EquivReport, mode: str, budget: Budget) -> EquivReport:
    """What the proofs for all sizes say at one launch."""
    try:
        return _decide(_sides(pair, budget.within(LAST_PROOF)), names, result, mode, budget)
    except UndecidedError as error:
        result.reason = f"{result.reason}; nor do the proofs for all sizes cover {error.message} ({error.place})"
    except RecursionError:
        result.reason = f"{result.reason}; the values are too deep for the proofs for all sizes"
    return result


def _kernels(pair: Pair) -> Iterator[tuple[Kernel, Launch, Side]]:
    yield pair.a, pair.launch_a, pair.side_a
    yield pair.b, pair.launch_b, pair.side_b


def _sides(pair: Pair, budget: Budget) -> Sides:
    """Both kernels checked in a form that outputs can be compared in."""
    (report_a, a), (report_b, b) = (
        _checked(name, kernel, launch, replace(side, budget=budget, is_paired=True))
        for name, (kernel, launch, side) in zip("ab", _kernels(pair), strict=True))
    return Sides(a, b, report_a, report_b)


def _checked(name: str, kernel: Kernel, launch: Launch, side: Side) -> tuple[Report, Analysis]:
    try:
        return check(kernel, launch, side=side)
    except UndecidedError as error:
        error.side = name
        raise


def _decide(sides: Sides, outputs: tuple[str, ...], result: EquivReport, mode: str, budget: Budget) -> EquivReport:
    search = Search(_alone(sides.a), _alone(sides.b), outputs, bits=mode == "bitwise")
    if differs(search, result, FIRST_LOOK) or differs(search, result, FIRST_SPREAD, FEW):
        return result
    reasons = []
    suspects: list[Equality] = []
    for name in outputs:
        equality, kind = (Equality(Unknown("")), None) if sides.has_loops else _prove(sides, name)
        if isinstance(equality.answer, Unsat) and kind is not None and kind.rank <= MODES[mode].rank:
            result.outputs[name] = (EquivVerdict.EQUAL, kind)
            continue
        suspects.append(equality)
        result.outputs[name] = (EquivVerdict.UNKNOWN, None)
        reasons.append(f"{name}: {_why(equality, kind, mode)}")
    if reasons:
        reasons = _by_generic_blocks(sides, reasons, result, mode, budget)
    if not reasons:
        result.verdict, result.assurance = EquivVerdict.EQUAL, "proved"
        result.equality = max((kind for _, kind in result.outputs.values() if kind), key=lambda kind: kind.rank)
        _over_reals(sides, result)
        return result
    if _points(search, suspects, sides, result) or differs(search, result, LAST_LOOK) or (
            differs(search, result, LAST_SPREAD, MANY)):
        return result
    result.reason = "; ".join(reasons)
    result.evidence = search.evidence
    return result


def _by_generic_blocks(sides: Sides, reasons: list[str], result: EquivReport, mode: str, budget: Budget) -> list[str]:
    """Prove what is open of the outputs by a generic block of each kernel; why some stay open. `reasons`: why the proofs of
    single writes leave them, which are told where they say more."""
    from equivalence.generic.compare import GenericPair, show_all, told
    from equivalence.generic.integers import CannotFollow

    names = [name for name, (verdict, _) in result.outputs.items() if verdict is EquivVerdict.UNKNOWN]
    try:
        pair = GenericPair([sides.a], [sides.b], budget.share(OF_THE_TIME).within(GENERIC_PROOF))
    except CannotFollow as error:
        return reasons if not sides.has_loops else [f"{', '.join(names)}: {told(error)}"]
    found: list[str] = []
    for name, old in zip(names, reasons, strict=True):
        shown = show_all(pair, [name], MODES[mode])[name]
        if shown.kind is None and pair.has_multiples:
            shown = _in_multiples(sides, name, mode, budget) or shown
        if shown.kind is None:
            found.append(f"{name}: {shown.reason}" if sides.has_loops else old)
        else:
            result.outputs[name] = (EquivVerdict.EQUAL, shown.kind)
            result.proof += shown.proof
            result.assumptions += [text for text in shown.assumed if text not in result.assumptions]
    return found


def _in_multiples(sides: Sides, name: str, mode: str, budget: Budget) -> Shown | None:
    """What a proof says of an output that writes sizes as multiples of what they are required to be; None if nothing."""
    from equivalence.generic.compare import GenericPair, show_all
    from equivalence.generic.integers import CannotFollow

    try:
        pair = GenericPair([sides.a], [sides.b], budget.share(OF_THE_TIME).within(GENERIC_PROOF), in_multiples=True)
    except CannotFollow:
        return None
    shown = show_all(pair, [name], MODES[mode])[name]
    return shown if shown.kind is not None else None


def _over_reals(sides: Sides, result: EquivReport) -> None:
    """What an equality over the reals takes for granted, and what it leaves unsaid."""
    if result.equality not in OVER_REALS:
        return
    parts = [[predicated(analysis.context.kernel, analysis.context.free())] for analysis in (sides.a, sides.b)]
    assume_represented(parts, result)
    assume_defined(parts, result)
    result.notes = notes([[analysis.context.kernel] for analysis in (sides.a, sides.b)], result.equality)


def _alone(analysis: Analysis) -> Chain:
    return Chain([Stage(analysis.context, Program(analysis.automaton))])


def _why(equality: Equality, kind: EqualityClass | None, mode: str) -> str:
    if isinstance(equality.answer, Unsat) and kind is not None:
        return f"equal only as {kind.value}, which --mode {mode} does not accept"
    at = f" at {equality.place}" if equality.place else ""
    if isinstance(equality.answer, Unknown):
        return equality.answer.reason
    return f"neither proved nor refuted: what the solver takes for a difference{at} shows in no run"


def differs(search: Search, result: EquivReport, trials: Trials, spread: int = 0) -> bool:
    """Whether runs show a difference, which the result then tells. `spread`: of so many launches spread over the sizes, else of
    the smallest ones."""
    found = search.spread(spread, trials) if spread else search.smallest(trials)
    if found is not None:
        result.verdict, result.counterexample = EquivVerdict.DIFFERENT, found
        result.outputs = {found.array: (EquivVerdict.DIFFERENT, None)}
    return found is not None


def _points(search: Search, suspects: list[Equality], sides: Sides, result: EquivReport) -> bool:
    """Run the sizes that a failed proof names."""
    for equality in suspects:
        sizes = models_sizes(equality.answer, sides.contexts)
        if sizes is None or not search.fits(sizes, LAST_LOOK):
            continue
        found = search.at(sizes)
        if found is not None:
            result.verdict, result.counterexample = EquivVerdict.DIFFERENT, found
            result.outputs = {found.array: (EquivVerdict.DIFFERENT, None)}
            return True
    return False


def _prove(sides: Sides, name: str) -> tuple[Equality, EqualityClass | None]:
    """The strongest class that is proved, tried from the strongest down."""
    equality = Comparison(sides.a, sides.b, commutative=False).output(name)
    if isinstance(equality.answer, Unsat):
        return equality, _integer_class(sides, name)
    weaker = Comparison(sides.a, sides.b, commutative=True).output(name)
    if isinstance(weaker.answer, Unsat):
        return weaker, EqualityClass.COMMUTATIVE
    return equality, None


def _integer_class(sides: Sides, name: str) -> EqualityClass:
    """Integers are compared as integers: bitwise if the trees of operations look alike, else int."""
    shapes = [sorted({_shape(write.value) for write in side.footprint.writes if write.array == name})
              for side in (sides.a, sides.b)]
    is_int = any(array.name == name and array.element.is_int for array in sides.a.context.kernel.arrays)
    reads_only = all("(" not in shape for group in shapes for shape in group)
    return EqualityClass.BITWISE if not is_int or reads_only or shapes[0] == shapes[1] else EqualityClass.INT


def _shape(term: Term) -> str:
    """The operations on data of a value, addresses left out."""
    if not term.roles & Role.DATA:
        return "c"
    if isinstance(term.data, Version):
        return "r"
    return f"{term.op}({','.join(_shape(arg) for arg in term.args)})"


def _written(pair: Pair, sides: Sides) -> tuple[str, ...]:
    written = {write.array for side in (sides.a, sides.b) for write in side.footprint.writes}
    return tuple(name for name in pair.outputs if name in written)


def _scope(sides: Sides, launched: list[str]) -> Scope:
    """Which sizes the answer speaks of. `launched`: what must hold of them for anything to be launched."""
    one, two = (scope(context) for context in sides.contexts)
    found = joined(one, two)
    return Scope("all sizes", (*launched, *found.under)) if launched else found


def _assumptions(pair: Pair, sides: Sides) -> list[str]:
    found = assumptions_of(pair.assumptions, [[sides.report_a], [sides.report_b]])
    if any(multiplies_and_adds(side) for side in (sides.a, sides.b)):
        found.append("float a*b+c is not contracted to fma, or alike on both sides")
    return found


def multiplies_and_adds(analysis: Analysis) -> bool:
    """Whether floats of a kernel are multiplied and added, which a compiler may make one operation."""
    terms = {term for write in analysis.footprint.writes for term in T.subterms(write.value) if term.type.is_float}
    operations = {term.op for term in terms}
    return "*" in operations and bool(operations & {"+", "-"})


