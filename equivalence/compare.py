"""The story of one comparison: gate, then at a launch symbolic runs (`launched`), else falsify and prove (`for_all_sizes`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from automata.budget import UNLIMITED, Budget
from automata.lang.core import Kernel, Loop
from automata.lang.effects import stored_arrays
from automata.lang.launch import Launch
from automata.lang.traverse import walk
from automata.logic.smt import Unknown, Unsat
from automata.logic.terms import Role, Term, Version
from automata.machine.running.run import Program
from automata.place import InputError, UndecidedError, on_side, told_lines
from automata.proof.determinism import Side, check, scope
from automata.proof.known.context import Context, unlaunched
from automata.proof.obligations.divisors import NOT_ZERO, open_quotients
from automata.proof.runs.counted import counts
from automata.proof.witness.analysis import Analysis
from automata.scalar import BOOL
from automata.scope import Scope, joined
from automata.verdict import Report, Verdict
from equivalence.all_sizes import Comparison, Equality
from equivalence.at_one_launch import different_at_one_launch
from equivalence.chain import Chain, Stage
from equivalence.evidence import Asked, Besides, Left, Said, Shown, conclude
from equivalence.for_all_sizes import ForAll, decide, evidence_on
from equivalence.gate import MODES, compiled, gate, ground, stops
from equivalence.in_step import SAME_STEPS, same_class
from equivalence.large import OF_THE_TIME, is_large, opened, told
from equivalence.launched import NOTHING_WRITTEN, compare_launched
from equivalence.outside import reaches_outside
from equivalence.pairing import NAME, Pair
from equivalence.result import EqualityClass, EquivReport, EquivVerdict
from equivalence.step import Step

LAST_PROOF = 6.0
"""Seconds of the proofs for all sizes where symbols differ at a launch."""


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

    @property
    def chains(self) -> tuple[Chain, Chain]:
        """Both as runs on numbers take them."""
        one, two = (Chain([Stage(side.context, Program(side.automaton), side.unwrapped)])
                    for side in (self.a, self.b))
        return one, two


def compare(pair: Pair, mode: str = "real", budget: Budget = UNLIMITED, *, certify: bool = False) -> EquivReport:
    """The report on one pair; `mode` names the weakest class that is accepted; `certify`: nothing is left to probability."""
    steps = [Step(kernel, launch, side) for kernel, launch, side in _kernels(pair)]
    if all(step.is_fixed for step in steps):
        if (report := _same_at_launch(pair, mode, budget)) is not None:
            return report
        def proved(names: tuple[str, ...]) -> list[Said]:
            return _proved_instead(pair, names, mode, budget)
        if is_large(steps) and (report := _proved_at_large(pair, mode, budget)) is not None:
            return report
        return compare_launched(steps[:1], steps[1:], pair.outputs, pair.assumptions, mode, budget, proved, certify=certify)
    return _compared_for_all(pair, mode, budget)


def _same_at_launch(pair: Pair, mode: str, budget: Budget) -> EquivReport | None:
    """That both kernels do the same step by step at their launch, which then is not run; None where that is not seen, or not all
    is proved of both (an access may lie outside its array, a loop may never end): a run tells more."""
    written = stored_arrays(pair.a.body) | stored_arrays(pair.b.body)
    outputs = tuple(name for name in pair.outputs if name in written)
    loops = [stmt for kernel in (pair.a, pair.b) for stmt in walk(kernel.body) if isinstance(stmt, Loop)]
    if not all(map(counts, loops)) or _in_step(pair, pair.a, pair.b, outputs, mode) is None:
        return None
    try:
        report = _compared_for_all(pair, mode, budget.share(OF_THE_TIME), is_large=True)
    except (UndecidedError, RecursionError):
        return None
    return report if report.verdict is EquivVerdict.EQUAL and _are_proved(report.reports.values()) else None


def _are_proved(reports: Iterable[Report]) -> bool:
    return all(report.verdict is Verdict.PROVED for report in reports)


def _compared_for_all(pair: Pair, mode: str, budget: Budget, *, is_large: bool = False) -> EquivReport:
    """The report wherever sizes are open. `is_large`: they are those of one launch."""
    sides = _sides_for_all(pair, budget)
    reports = [[sides.report_a], [sides.report_b]]
    comparison = Comparison(sides.a, sides.b, commutative=False)
    with comparison.encoder.proving():
        launched = unlaunched(sides.contexts, comparison.encoder)
    if comparison.contradicts():
        raise InputError("no launch meets the requirements of both kernels: their launches contradict each other")
    floats = compiled([pair.a], [pair.b])
    said: list[Said] = [ground(pair.assumptions, reports, _scope(sides, launched), floats),
                        *gate(reports, at_launch=False, assumes_bounds=True)]
    outputs = _written(pair, sides)
    if bar := stops(said):
        said += [] if bar.is_refuted else different_at_one_launch(sides.chains, outputs, bar, budget, bits=mode == "bitwise")
    elif outputs:
        same = _in_step(pair, sides.a.context.kernel, sides.b.context.kernel, outputs, mode)
        said += [Asked(outputs), same] if same else decide(_asked(sides, outputs, mode, budget, is_large=is_large))
        said += reaches_outside(sides.chains, reports, said)
    else:
        said.append(Left((), NOTHING_WRITTEN))
    return conclude(said)


def _in_step(pair: Pair, a: Kernel, b: Kernel, outputs: tuple[str, ...], mode: str) -> Shown | None:
    """That each thread does the same on both sides, where that is seen at once; it is so if both are deterministic."""
    unlike = _given_unlike(pair)
    sizes = (*(pair.launch_a.grid or ()), *(pair.launch_a.block or ()))
    if not pair.same_launch or any(_names(size) & unlike for size in sizes):
        return None
    kinds = same_class(a, b, outputs, dict(_same_params(pair, a, b, unlike)), MODES[mode])
    return None if kinds is None else Shown(kinds, proof=SAME_STEPS)


def _same_params(pair: Pair, a: Kernel, b: Kernel, unlike: set[str]) -> Iterator[tuple[str, str]]:
    """B's parameters that hold the bits of one of a's at every launch, and the names of those: the same ones, if no side is given
    another argument (`unlike`), and those that a conversion between integers of one width makes of them."""
    types = {param.name: param.type for param in a.params}
    for param in b.params:
        if param.type == types.get(param.name) and param.name not in unlike:
            yield param.name, param.name
        name = pair.converted.get(param.name, "")
        kind = types.get(name, BOOL)
        if name not in unlike and kind.bits == param.type.bits and kind.is_int and BOOL not in (kind, param.type):
            yield param.name, name


def _given_unlike(pair: Pair) -> set[str]:
    """The names to which the launches give different arguments, or one that hangs on such a name."""
    one, two = pair.launch_a.args, pair.launch_b.args
    found = {name for name in {**one, **two} if one.get(name) != two.get(name)}
    while more := {name for name, given in one.items() if name not in found and _names(given) & found}:
        found |= more
    return found


def _names(value: object) -> set[str]:
    """The names in an argument or a size."""
    return set(NAME.findall(value)) if isinstance(value, str) else set()


def _sides_for_all(pair: Pair, budget: Budget) -> Sides:
    """Both kernels checked: as single writes where no loop stays, else with their loops."""
    try:
        return _sides(pair, budget)
    except UndecidedError:
        (report_a, a), (report_b, b) = (
            _checked(name, kernel, launch, replace(side, budget=budget))
            for name, (kernel, launch, side) in zip("ab", _kernels(pair), strict=True))
        return Sides(a, b, report_a, report_b, has_loops=True)


def _proved_at_large(pair: Pair, mode: str, budget: Budget) -> EquivReport | None:
    """What a proof says of a launch that is too large to be run; None where there is none."""
    try:
        return told(_compared_for_all(opened(pair), mode, budget.share(OF_THE_TIME), is_large=True), pair)
    except (UndecidedError, RecursionError):
        return None


def _proved_instead(pair: Pair, names: tuple[str, ...], mode: str, budget: Budget) -> list[Said]:
    """What the proofs for all sizes say at one launch."""
    try:
        sides = _sides(pair, budget.within(LAST_PROOF))
        if _are_proved((sides.report_a, sides.report_b)) and (same := _in_step(
                pair, sides.a.context.kernel, sides.b.context.kernel, names, mode)):
            return [same]
        return evidence_on(_asked(sides, names, mode, budget))
    except UndecidedError as error:
        return [Besides(f"nor do the proofs for all sizes cover {error.message} ({error.place})")]
    except RecursionError:
        return [Besides("the values are too deep for the proofs for all sizes")]


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
    with on_side(name):
        return check(kernel, launch, side=side)


def _asked(sides: Sides, outputs: tuple[str, ...], mode: str, budget: Budget, *, is_large: bool = False) -> ForAll:
    def singly(name: str) -> tuple[Said, Equality]:
        equality, kind, assumed = _prove(sides, name)
        if isinstance(equality.answer, Unsat) and kind is not None and kind.rank <= MODES[mode].rank:
            return Shown({name: kind}, assumed=assumed), equality
        return Left((name,), _why(equality, kind, mode)), equality
    return ForAll(([sides.a], [sides.b]), sides.chains, outputs, mode, budget,
                  None if sides.has_loops else singly, is_large)


def _why(equality: Equality, kind: EqualityClass | None, mode: str) -> str:
    if isinstance(equality.answer, Unsat) and kind is not None:
        return f"equal only as {kind.value}, which --mode {mode} does not accept"
    at = f" at {equality.place}" if equality.place else ""
    if isinstance(equality.answer, Unknown):
        return equality.answer.reason
    return f"neither proved nor refuted: what the solver takes for a difference{at} shows in no run"


def _prove(sides: Sides, name: str) -> tuple[Equality, EqualityClass | None, tuple[str, ...]]:
    """The strongest class that is proved, tried from the strongest down, and what it takes for granted."""
    equality = Comparison(sides.a, sides.b, commutative=False).output(name)
    if isinstance(equality.answer, Unsat):
        return equality, _integer_class(sides, name), _not_zero(sides, name, commutative=False)
    weaker = Comparison(sides.a, sides.b, commutative=True).output(name)
    if isinstance(weaker.answer, Unsat):
        return weaker, EqualityClass.COMMUTATIVE, _not_zero(sides, name, commutative=True)
    return equality, None, ()


def _not_zero(sides: Sides, name: str, *, commutative: bool) -> tuple[str, ...]:
    """That no divisor is zero, if an output is not shown to be equal where one of what is stored is."""
    found = [open_quotients(side.context, side.footprint, side.divided.assumed) for side in (sides.a, sides.b)]
    by_any = frozenset(term for each in found for term in each)
    if not by_any or isinstance(Comparison(sides.a, sides.b, commutative=commutative, by_any=by_any).output(name).answer, Unsat):
        return ()
    lines = "; ".join(f"{side}: {told_lines(each.values())}" for side, each in zip("ab", found, strict=True) if each)
    return (f"{NOT_ZERO} ({lines})",)


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
