"""One kernel of a side at its launch: whether it is deterministic there, and how runs take it.

It is checked by the proofs, for a short time; by runs of the launch, amplified to all data, if it is small; then by the proofs
for as long as there is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from automata.budget import UNLIMITED, Budget
from automata.lang.core import Kernel, Quantity
from automata.lang.launch import Launch
from automata.machine.running.run import Program
from automata.machine.state.fill import constant
from automata.place import UndecidedError
from automata.proof.determinism import Side, check, prove
from automata.proof.evidence import Evidence, conclude
from automata.proof.known.concrete import triple
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.runs.effort import Effort
from automata.proof.runs.tested import runs
from automata.proof.witness.analysis import Line
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower
from automata.rewriting.partition import Partition
from automata.thread.build import build
from automata.verdict import Outcome, Property, Report, Verdict
from equivalence.chain import Stage
from equivalence.divisors import flow, predicated
from equivalence.gate import runs_decide
from equivalence.symbolic_run import MOST_STATEMENTS, Part

FIRST_PROOF, FIRST_RUNS = 2.5, 4.0
"""Seconds of the first proofs of a kernel, and of the runs behind them."""

RUN_FIRST = 1 << 14
"""Threads of a launch that is run before more is proved of it."""

LITTLE = Effort(statements=200, accesses=1 << 17)
"""What a run may take that is made before any formula is asked."""


@dataclass(frozen=True)
class Step:
    """One kernel of a side with its launch. `unwrapped`: the lines at which nothing is assumed to wrap, as far as it is
    checked."""

    kernel: Kernel
    launch: Launch
    side: Side
    unwrapped: set[Line] = field(default_factory=set, compare=False)

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
        formulas, analysis = prove(self.kernel, self.launch, side=replace(self.side, budget=budget))
        self.unwrapped.update(analysis.unwrapped)
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
            report, analysis = check(self.kernel, self.launch, side=replace(self.side, budget=budget, left=left, run=LITTLE))
        except UndecidedError:
            return None
        self.unwrapped.update(analysis.unwrapped)
        return report

    def is_bounded(self, budget: Budget) -> bool:
        """Whether the proofs find accesses inside their arrays, as far as those have known extents."""
        report, _ = check(self.kernel, self.launch, side=replace(self.side, budget=budget))
        return report.properties[Property.BOUNDS] in (Outcome.PROVED, Outcome.NOT_CHECKED)

    def part(self, budget: Budget = UNLIMITED, doubts: frozenset[str] | None = None) -> Part:
        """The kernel as symbolic runs take it."""
        context = self.context
        setting = setting_at(context, {}, constant(0.0))
        scalars = {name: value for name, value in setting.scalars.items() if name not in self.free}
        setting = replace(setting, scalars=scalars, initial=None, required=None, lengths={})
        return Part(self.kernel, setting, known_numbers(context), self.free, lambda: self.is_bounded(budget),
                    doubts or frozenset())

    def stage(self) -> Stage:
        """The kernel as runs on numbers take it."""
        return Stage(self.context, Program(build(lower(self.kernel, known_numbers(self.context), MOST_STATEMENTS))),
                     frozenset(self.unwrapped))
