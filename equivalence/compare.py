"""The story of one comparison: gate, falsify, prove, falsify where the proof points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.logic import terms as T
from automata.logic.smt import Unknown, Unsat
from automata.logic.terms import Role, Term, Version
from automata.machine.fill import constant
from automata.place import InputError, UndecidedError
from automata.proof.analysis import Analysis
from automata.proof.concrete import setting_at
from automata.proof.context import Context, known_numbers, prepare
from automata.proof.determinism import Side, check, scope
from automata.proof.tested import add_runs
from automata.verdict import Outcome, Property, Report, Verdict
from equivalence.all_sizes import Comparison, Equality, models_sizes
from equivalence.at_launch import Part, compare_at_launch
from equivalence.counterexample import Budget, Search
from equivalence.pairing import Pair
from equivalence.result import EqualityClass, EquivReport, EquivVerdict

FIRST_LOOK = Budget(threads=4096, work=8_000)
LAST_LOOK = Budget(threads=20_000, work=80_000)
DETERMINISTIC = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE)
MODES = {"bitwise": EqualityClass.COMMUTATIVE, "int": EqualityClass.INT, "real": EqualityClass.REAL_EXP_MAX}


@dataclass(frozen=True, slots=True)
class Sides:
    """Both kernels after their checks."""

    a: Analysis
    b: Analysis
    report_a: Report
    report_b: Report

    @property
    def contexts(self) -> tuple[Context, Context]:
        return self.a.context, self.b.context


def compare(pair: Pair, mode: str = "real", deadline: float | None = None) -> EquivReport:
    """The report on one pair; `mode` names the weakest class that is accepted."""
    fixed = all(not prepare(kernel, launch, prefix=side.prefix, axes=side.axes).symbols()
                for kernel, launch, side in _kernels(pair))
    sides = _sides(pair, deadline, is_paired=not fixed)
    result = EquivReport(EquivVerdict.UNKNOWN, assumptions=_assumptions(pair, sides),
                         reports={"a": sides.report_a, "b": sides.report_b})
    result.scope = _scope(sides)
    if not fixed and Comparison(sides.a, sides.b, commutative=False).contradicts():
        raise InputError("no launch meets the requirements of both kernels: their launches contradict each other")
    if _gate(sides, result, seen={Property.BOUNDS} if fixed else set()):
        return result
    outputs = _written(pair, sides)
    if not outputs:
        result.reason = "neither kernel writes any of the outputs"
        return result
    if not fixed:
        return _decide(sides, outputs, result, mode)
    return _decide_at_launch(pair, sides, outputs, result, mode)


def _kernels(pair: Pair) -> Iterator[tuple[Kernel, Launch, Side]]:
    yield pair.a, pair.launch_a, pair.side_a
    yield pair.b, pair.launch_b, pair.side_b


def _sides(pair: Pair, deadline: float | None, *, is_paired: bool) -> Sides:
    """Both kernels checked; `is_paired`: for all sizes, in a form that outputs can be compared in."""
    (report_a, a), (report_b, b) = (
        _checked(name, kernel, launch, replace(side, deadline=deadline, is_paired=is_paired))
        for name, (kernel, launch, side) in zip("ab", _kernels(pair), strict=True))
    return Sides(a, b, report_a, report_b)


def _decide_at_launch(pair: Pair, sides: Sides, outputs: tuple[str, ...], result: EquivReport, mode: str) -> EquivReport:
    """Symbolic runs first; what they leave open is looked for in numbers, and then proved as for all sizes."""
    parts = [_part(kernel, context) for kernel, context in zip((pair.a, pair.b), sides.contexts, strict=True)]
    answer = compare_at_launch(parts[0], parts[1], outputs, MODES[mode], sides.a.context.deadline)
    result.outputs = {name: (EquivVerdict.EQUAL if verdict.equality else EquivVerdict.UNKNOWN, verdict.equality)
                      for name, verdict in answer.outputs.items()}
    found = [verdict.equality for verdict in answer.outputs.values() if verdict.equality is not None]
    if found:
        result.bound = f"2^-{answer.bound:.0f}, seed {answer.seed}"
    if answer.conditional:
        result.assumptions.append("exponentials of different exponents are independent (a conjecture)")
    open_ = tuple(name for name, verdict in answer.outputs.items() if verdict.equality is None)
    if not open_:
        result.verdict, result.assurance = EquivVerdict.EQUAL, "probabilistic"
        result.equality = max(found, key=lambda kind: kind.rank)
        return result
    before = dict(result.outputs)
    told = answer.reason or f"the symbols differ in every class that --mode {mode} accepts"
    search = Search(sides.a, sides.b, open_, bits=mode == "bitwise")
    if _differs(search, result, LAST_LOOK):
        return result
    try:
        paired = _sides(pair, sides.a.context.deadline, is_paired=True)
    except UndecidedError as error:
        result.reason = f"{', '.join(open_)}: {told}; nor do the proofs for all sizes cover {error.message} ({error.place})"
        result.evidence = _evidence(search)
        return result
    made = _decide(paired, open_, result, mode)
    made.outputs = before | made.outputs
    if made.verdict is EquivVerdict.EQUAL:
        made.assurance = "probabilistic" if found else "proved"
        made.equality = max((kind for _, kind in made.outputs.values() if kind), key=lambda kind: kind.rank)
    return made


def _part(kernel: Kernel, context: Context) -> Part:
    """One side as symbolic runs take it."""
    setting = setting_at(context, {}, constant(0.0))
    free = frozenset(param.name for param in kernel.params
                     if param.type.is_float and T.constant_value(context.values[param.name]) is None)
    scalars = {name: value for name, value in setting.scalars.items() if name not in free}
    return Part(kernel, replace(setting, scalars=scalars, initial=None), known_numbers(context), free)


def _checked(name: str, kernel: Kernel, launch: Launch, side: Side) -> tuple[Report, Analysis]:
    try:
        report, analysis = check(kernel, launch, side=side)
        if report.verdict is Verdict.UNKNOWN and not side.is_paired:
            add_runs(report, kernel, launch, deadline=side.deadline)
        return report, analysis
    except UndecidedError as error:
        error.side = name
        raise


def _gate(sides: Sides, result: EquivReport, seen: set[Property]) -> bool:
    """Stops a comparison that makes no sense: a side that is refuted or not decided. `seen`: what symbolic runs decide, for
    they make every access of the launch."""
    for name, report in (("a", sides.report_a), ("b", sides.report_b)):
        bad = [prop for prop in DETERMINISTIC if report.properties[prop] is Outcome.REFUTED]
        if bad:
            result.verdict, result.side = EquivVerdict.NONDETERMINISTIC, name
            rules = sorted({finding.rule for finding in report.findings if finding.status.value == "confirmed"})
            result.reason = f"side {name} ({report.kernel}): {', '.join(rules)}"
            return True
    for name, report in (("a", sides.report_a), ("b", sides.report_b)):
        undecided = {prop for prop, found in report.properties.items() if found is Outcome.UNKNOWN}
        if report.verdict is not Verdict.PROVED and not (report.verdict is Verdict.UNKNOWN and undecided and undecided <= seen):
            broken = ", ".join(sorted({finding.rule for finding in report.findings}))
            what = report.reason if report.verdict is Verdict.UNKNOWN else f"it is {report.verdict.value}: {broken}"
            result.side, result.reason = name, f"side {name} ({report.kernel}): {what}"
            return True
    return False


def _decide(sides: Sides, outputs: tuple[str, ...], result: EquivReport, mode: str) -> EquivReport:
    search = Search(sides.a, sides.b, outputs, bits=mode == "bitwise")
    if _differs(search, result, FIRST_LOOK):
        return result
    reasons = []
    suspects: list[Equality] = []
    for name in outputs:
        equality, kind = _prove(sides, name)
        if isinstance(equality.answer, Unsat) and kind is not None and kind.rank <= MODES[mode].rank:
            result.outputs[name] = (EquivVerdict.EQUAL, kind)
            continue
        suspects.append(equality)
        result.outputs[name] = (EquivVerdict.UNKNOWN, None)
        reasons.append(f"{name}: {_why(equality, kind, mode)}")
    if not reasons:
        result.verdict, result.assurance = EquivVerdict.EQUAL, "proved"
        result.equality = max((kind for _, kind in result.outputs.values() if kind), key=lambda kind: kind.rank)
        return result
    if _points(search, suspects, sides, result) or _differs(search, result, LAST_LOOK):
        return result
    result.reason = "; ".join(reasons)
    result.evidence = _evidence(search)
    return result


def _evidence(search: Search) -> str:
    found = f"no difference in {search.tried} small launches that were run"
    if search.rounding:
        found += f", but bits of {search.rounding} differ by what rounding could explain"
    return found


def _why(equality: Equality, kind: EqualityClass | None, mode: str) -> str:
    if isinstance(equality.answer, Unsat) and kind is not None:
        return f"equal only as {kind.value}, which --mode {mode} does not accept"
    at = f" at {equality.place}" if equality.place else ""
    if isinstance(equality.answer, Unknown):
        return equality.answer.reason
    return f"the solver sees a difference{at} that no run has shown"


def _differs(search: Search, result: EquivReport, budget: Budget) -> bool:
    found = search.smallest(budget)
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


def _scope(sides: Sides) -> str:
    first, second = (scope(context) for context in sides.contexts)
    if first == second:
        return first
    if "this launch" in (first, second):
        return second if first == "this launch" else first
    parts = dict.fromkeys([*first.removeprefix("all sizes under ").split(", "),
                           *(part if part in first else f"b: {part}" if "Dim" in part else part
                             for part in second.removeprefix("all sizes under ").split(", "))])
    return "all sizes under " + ", ".join(part for part in parts if part != "all sizes")


def _assumptions(pair: Pair, sides: Sides) -> list[str]:
    found = list(pair.assumptions)
    for name, report in (("a", sides.report_a), ("b", sides.report_b)):
        for text in report.assumptions:
            twin = sides.report_b if name == "a" else sides.report_a
            label = text if text in twin.assumptions else f"{name}: {text}"
            if label not in found:
                found.append(label)
    if any(_multiplies_and_adds(side) for side in (sides.a, sides.b)):
        found.append("float a*b+c is not contracted to fma, or alike on both sides")
    return found


def _multiplies_and_adds(analysis: Analysis) -> bool:
    terms = {term for write in analysis.footprint.writes for term in T.subterms(write.value) if term.type.is_float}
    operations = {term.op for term in terms}
    return "*" in operations and bool(operations & {"+", "-"})


