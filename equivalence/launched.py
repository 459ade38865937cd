"""The story of one comparison at concrete launches: gate, symbolic runs, then numbers where symbols differ.

A side is a kernel or a sequence of kernels. Each is checked for itself: by the proofs, for a short time; by runs of
the launch, amplified to all data, if it is small; then by the proofs for as long as there is. Only sides that are
deterministic are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from automata.budget import UNLIMITED, Budget
from automata.lang.core import Binary, Expr, Kernel, Quantity
from automata.lang.effects import stored_arrays
from automata.lang.launch import Launch
from automata.lang.lower import lower
from automata.lang.traverse import children, expressions, walk
from automata.machine.running.run import Program
from automata.machine.state.fill import constant
from automata.machine.symbols.partition import Partition
from automata.place import InputError, UndecidedError
from automata.proof.determinism import Side, check, prove
from automata.proof.evidence import Evidence, conclude
from automata.proof.known.concrete import setting_at, triple
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.runs.amplify import Effort
from automata.proof.runs.tested import runs
from automata.scope import THIS_LAUNCH
from automata.thread.build import build
from automata.verdict import Outcome, Property, Report, Verdict
from equivalence.at_launch import Answer, compare_at_launch
from equivalence.chain import Chain, Stage
from equivalence.counterexample import Search, Trials
from equivalence.divisors import bends, divisions, flow, partial_calls, predicated
from equivalence.gate import MODES, assumptions_of, doubted, gate, refuted, runs_decide
from equivalence.goals import Goal, Related, SameArray
from equivalence.notes import OVER_REALS, notes
from equivalence.over_reals import assume_defined, assume_represented
from equivalence.relation import Relation
from equivalence.result import EquivReport, EquivVerdict
from equivalence.symbolic_run import MOST_STATEMENTS, Part

FIRST_PROOF, FIRST_RUNS = 2.5, 4.0
"""Seconds of the first proofs of a kernel, and of the runs behind them."""

RUN_FIRST = 1 << 14
"""Threads of a launch that is run before more is proved of it."""

LITTLE = Effort(statements=200, accesses=1 << 17)
"""What a run may take that is made before any formula is asked."""

MOST_TRIED = 1 << 18
"""Threads of a launch at which it is tried on numbers whether divisors are zero and functions are defined."""

UNTRIED = "whether divisors are zero, and functions defined, for many inputs was not tried on numbers"

MOST_RELATED = 1 << 27
"""Elements of an array that a relation is about."""

LOOK = Trials(threads=20_000, work=80_000, seconds=60.0)
Fallback = Callable[[tuple[str, ...], EquivReport], EquivReport]
"""Another way to decide outputs that the runs leave open."""


@dataclass(frozen=True)
class Step:
    """One kernel of a side with its launch."""

    kernel: Kernel
    launch: Launch
    side: Side

    @cached_property
    def context(self) -> Context:
        return prepare(self.kernel, self.launch, prefix=self.side.prefix, sizes=self.side.sizes)

    @property
    def free(self) -> frozenset[str]:
        """The scalar parameters without a value: data."""
        return self.context.free()

    @property
    def is_fixed(self) -> bool:
        """Whether every size and integer argument is a number."""
        return not self.context.symbols()

    @property
    def threads(self) -> int:
        """Of the launch."""
        return prod(triple(self.context, Quantity.GRID_DIM, {})) * prod(triple(self.context, Quantity.BLOCK_DIM, {}))

    def checked(self, budget: Budget, left: frozenset[str] = frozenset()) -> Report:
        """The report on determinism at this launch. `left`: arrays whose reads of what nobody has set are seen elsewhere."""
        report = self.proved(budget.within(FIRST_PROOF), left)
        if report is not None and (report.verdict is not Verdict.UNKNOWN or runs_decide(report)):
            return report
        threads = self.threads
        if threads <= RUN_FIRST:
            report = self.run_after((), budget.within(FIRST_RUNS))
            if report.verdict is not Verdict.UNKNOWN:
                return report
        formulas, _ = prove(self.kernel, self.launch, side=replace(self.side, budget=budget))
        report = conclude(self.kernel.name, [formulas])
        if report.verdict is Verdict.UNKNOWN and threads > RUN_FIRST:
            return self.run_after((formulas,), budget)
        return report

    def run_after(self, evidence: tuple[Evidence, ...], budget: Budget) -> Report:
        """The report on determinism at this launch, once runs are added to some evidence."""
        report = conclude(self.kernel.name, evidence)
        return conclude(self.kernel.name, (*evidence, *runs(report, self.kernel, self.launch, budget=budget)))

    @cached_property
    def predicated(self) -> tuple[Kernel, Partition]:
        """The kernel with its branches on data made into values, and the names that hold data."""
        return predicated(self.part().lowered, self.free)

    def data_arrays(self) -> frozenset[str]:
        """The arrays that hold data in every reading: what nobody has set is told apart there."""
        return frozenset(flow(self.kernel, self.free).arrays)

    def proved(self, budget: Budget, left: frozenset[str]) -> Report | None:
        """What the proofs say in a short time; None where they do not cover the kernel."""
        try:
            return check(self.kernel, self.launch, side=replace(self.side, budget=budget, left=left, run=LITTLE))[0]
        except UndecidedError:
            return None

    def is_bounded(self, budget: Budget) -> bool:
        """Whether the proofs find accesses inside their arrays, as far as those have known extents."""
        report, _ = check(self.kernel, self.launch, side=replace(self.side, budget=budget))
        return report.properties[Property.BOUNDS] in (Outcome.PROVED, Outcome.NOT_CHECKED)

    def part(self, budget: Budget = UNLIMITED, doubts: frozenset[str] | None = None) -> Part:
        """The kernel as symbolic runs take it."""
        context = self.context
        setting = setting_at(context, {}, constant(0.0))
        scalars = {name: value for name, value in setting.scalars.items() if name not in self.free}
        return Part(self.kernel, replace(setting, scalars=scalars, initial=None), known_numbers(context), self.free,
                    lambda: self.is_bounded(budget), doubts or frozenset())

    def stage(self) -> Stage:
        """The kernel as runs on numbers take it."""
        return Stage(self.context, Program(build(lower(self.kernel, known_numbers(self.context), MOST_STATEMENTS))))


def compare_launched(a: Sequence[Step], b: Sequence[Step], outputs: tuple[str, ...], stated: Sequence[str], mode: str,
                     budget: Budget, fallback: Fallback | None, relations: Sequence[Relation] = (), *,
                     certify: bool = False) -> EquivReport:
    """The report on two sides at concrete launches. `stated`: assumptions that pairing them made; `relations`: asked for
    instead of equal arrays; `certify`: without any probability."""
    reports = _checked(a, b, budget, is_quick=True)
    result = EquivReport(EquivVerdict.UNKNOWN, scope=THIS_LAUNCH, assumptions=assumptions_of(stated, reports))
    if any(_multiplies_and_adds(step.kernel) for step in (*a, *b)):
        result.assumptions.append("float a*b+c is not contracted to fma, or alike on both sides")
    for name, group in zip("ab", reports, strict=True):
        result.reports[name] = next((report for report in group if report.verdict is not Verdict.PROVED), group[0])
    if gate(reports, result, at_launch=True):
        return result
    goals = _goals(a, b, outputs, relations)
    if not goals:
        result.reason = "neither kernel writes any of the outputs"
        return result
    parts = [[step.part(budget, doubted(report)) for step, report in zip(steps, group, strict=True)]
             for steps, group in zip((a, b), reports, strict=True)]
    answer = compare_at_launch(parts[0], parts[1], goals, MODES[mode], budget, is_exact=certify)
    if answer.broken is not None:
        result.verdict, (result.side, told) = EquivVerdict.NONDETERMINISTIC, answer.broken
        result.reason = f"side {result.side}: {told}"
        return result
    open_ = _taken_over(answer, result)
    if not open_:
        concluded(result, "proved" if certify else "probabilistic")
        result.notes = notes([[step.kernel for step in steps] for steps in (a, b)], result.equality)
        return result if result.equality not in OVER_REALS else _divided(a, b, result, budget, is_tried=not relations)
    if refuted(_checked(a, b, budget, is_quick=False), result):
        return result
    told = answer.reason or f"the symbols differ in every class that --mode {mode} accepts"
    return _open(a, b, open_, relations, told, mode, result, None if certify and answer.reason else fallback, budget)


def _divided(a: Sequence[Step], b: Sequence[Step], result: EquivReport, budget: Budget, *,
             is_tried: bool) -> EquivReport:
    """Equal over the reals, where no divisor is zero and functions are defined: that is stated, and tried (`is_tried`) where many
    inputs may leave it; where more of floats is looked at than the reals have, that is stated, too."""
    sides = [[step.predicated for step in group] for group in (a, b)]
    assume_represented(sides, result)
    steps = (*a, *b)
    divides = any(divisions(*step.predicated) for step in steps)
    is_partial = any(partial_calls(*step.predicated) for step in steps)
    if is_tried and (is_partial or (divides and any(bends(*step.predicated) for step in steps))):
        different = _tried(a, b, result, budget)
        if different is not None:
            return different
    assume_defined(sides, result)
    return result


def _tried(a: Sequence[Step], b: Sequence[Step], result: EquivReport, budget: Budget) -> EquivReport | None:
    """A difference, on numbers, of what is equal over the reals where everything is defined; what cannot be tried is noted."""
    names = tuple(name for name, (_, kind) in result.outputs.items() if kind in OVER_REALS)
    if max(step.threads for step in (*a, *b)) > MOST_TRIED:
        result.notes.append(f"{UNTRIED}: there are too many threads")
        return None
    try:
        search = _search(a, b, names, budget, is_bitwise=False)
    except UndecidedError as error:
        result.notes.append(f"{UNTRIED}: {error.message} ({error.place})")
        return None
    found = search.generic()
    if search.given_up:
        result.notes.append(f"{UNTRIED}: runs are too long")
    if found is None:
        return None
    different = EquivReport(EquivVerdict.DIFFERENT, assumptions=result.assumptions, reports=result.reports,
                            outputs={found.array: (EquivVerdict.DIFFERENT, None)}, counterexample=found)
    different.notes = ["as functions of the reals they are equal wherever no divisor is zero and functions are defined"]
    return different


def _search(a: Sequence[Step], b: Sequence[Step], names: tuple[str, ...], budget: Budget, *,
            is_bitwise: bool) -> Search:
    first, second = (Chain([step.stage() for step in steps]) for steps in (a, b))
    return Search(first, second, names, bits=is_bitwise, numbers=True, budget=budget)


def _taken_over(answer: Answer, result: EquivReport) -> tuple[str, ...]:
    """Put what symbolic runs say into a report; the outputs that they leave open."""
    result.runs_all = not answer.reason
    result.outputs = {name: (EquivVerdict.EQUAL if kind else EquivVerdict.UNKNOWN, kind) for name, kind in answer.outputs.items()}
    if not answer.is_exact and any(answer.outputs.values()):
        result.bound = f"2^-{answer.bound:.0f}, seed {answer.seed}"
    if answer.conditional:
        result.assumptions.append("exponentials of different exponents are independent (a conjecture)")
    if answer.keeps_rows:
        result.assumptions.append("each subscript that data decide stays inside its own dimension")
    return tuple(name for name, kind in answer.outputs.items() if kind is None)


def _goals(a: Sequence[Step], b: Sequence[Step], outputs: tuple[str, ...], relations: Sequence[Relation]) -> list[Goal]:
    """What is asked: relations, or that the outputs which some kernel writes are the same."""
    if relations:
        return [_related(a, b, relation) for relation in relations]
    touched = {name for step in (*a, *b) for name in stored_arrays(step.kernel.body)}
    return [SameArray(name) for name in outputs if name in touched]


def _related(a: Sequence[Step], b: Sequence[Step], relation: Relation) -> Goal:
    """A relation with its range; InputError where arrays, extents or indices do not fit."""
    size, kind = 0, None
    for number, item in enumerate(relation.elements()):
        steps = a if item.side == "a" else b
        array = Chain([step.stage() for step in steps]).array(item.array)
        extents = [step.part().setting.extents.get(item.array) for step in steps]
        known = next((extent for extent in extents if extent is not None), None)
        if array is None:
            raise InputError(f"--relate '{relation.text}': {item.side} has no global array '{item.array}'")
        if known is None:
            raise InputError(f"--relate '{relation.text}': state how many elements {item.side}.{item.array} has, "
                             f"as in '// spmd: {item.array}[16]'")
        if number == 0:
            size, kind = known, array.element
        if array.element != kind:
            raise InputError(f"--relate '{relation.text}': {item.side}.{item.array} holds {array.element}, "
                             f"{relation.left.side}.{relation.left.array} holds {kind}")
        indices = item.at(np.arange(min(size, MOST_RELATED)))
        if size and not (indices.min() >= 0 and indices.max() < known):
            raise InputError(f"--relate '{relation.text}': an index of {item.side}.{item.array} lies outside its {known} "
                             "elements")
    assert kind is not None
    if size > MOST_RELATED:
        raise InputError(f"--relate '{relation.text}': {relation.left.side}.{relation.left.array} has {size} elements, more than "
                         f"are compared one by one ({MOST_RELATED})")
    if kind.is_int and relation.has_fractions():
        raise InputError(f"--relate '{relation.text}': a fraction, though the arrays hold {kind}")
    return Related(relation, size, kind)


def _open(a: Sequence[Step], b: Sequence[Step], names: tuple[str, ...], relations: Sequence[Relation], told: str, mode: str,
          result: EquivReport, fallback: Fallback | None, budget: Budget) -> EquivReport:
    """What symbolic runs leave open: a difference in numbers, or the proofs for all sizes."""
    result.reason = f"{', '.join(names)}: {told}"
    try:
        search = _search(a, b, () if relations else names, budget, is_bitwise=mode == "bitwise")
    except UndecidedError as error:
        result.evidence = f"not run on numbers: {error.message} ({error.place})"
        return result
    found = search.unrelated(relations) if relations else search.smallest(LOOK)
    if found is not None:
        result.reason = None
        result.verdict, result.counterexample = EquivVerdict.DIFFERENT, found
        broken = names[0] if relations else found.array
        result.outputs = {broken: (EquivVerdict.DIFFERENT, None)}
        return result
    result.evidence = search.evidence if search.tried else None
    if fallback is None:
        return result
    before = dict(result.outputs)
    made = fallback(names, result)
    made.outputs = before | made.outputs
    if made.verdict is EquivVerdict.EQUAL:
        return concluded(made, "probabilistic" if len(names) < len(before) and result.bound else "proved")
    return made


def concluded(result: EquivReport, assurance: str) -> EquivReport:
    """All outputs are equal: of the weakest class among them."""
    result.verdict, result.assurance = EquivVerdict.EQUAL, assurance
    result.reason = result.evidence = None
    result.equality = max((kind for _, kind in result.outputs.values() if kind), key=lambda kind: kind.rank)
    return result


def _checked(a: Sequence[Step], b: Sequence[Step], budget: Budget, *, is_quick: bool) -> list[list[Report]]:
    """The reports on all kernels of both sides. `is_quick`: what the runs on symbols see is left to them."""
    found = []
    for name, steps in (("a", a), ("b", b)):
        try:
            found.append([step.checked(budget, step.data_arrays() if is_quick else frozenset()) for step in steps])
        except UndecidedError as error:
            error.side = name
            raise
    return found


def _multiplies_and_adds(kernel: Kernel) -> bool:
    """Whether floats are both multiplied and added: what a compiler may contract."""
    found: set[str] = set()

    def look(expr: Expr) -> None:
        if isinstance(expr, Binary) and expr.type.is_float:
            found.add(expr.op)
        for part in children(expr):
            look(part)

    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            look(expr)
    return "*" in found and bool(found & {"+", "-"})
