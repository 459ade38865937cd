"""One run without a conflict, amplified to all data: static information flow says which runs are alike.

Input: a kernel and a concrete launch. If no data (contents of arrays, values nobody knows, results of atomics) flows into
the address of an access to an array that the kernel writes, into whether a barrier is reached, or into how
often a loop around those goes round, then every run of this launch makes the same accesses, up to
branches on data. Those are run *both ways*: of a branch on data the kernel that is run takes both sides, one
after the other, and does not leave or return under it. Its accesses are a superset of those of any run;
that they do not conflict, and that its barriers are met, holds then for all data and all interleavings.

Test amplification (Leung, Gupta, Agarwal, Gupta, Jhala, Lerner, PLDI 2012, sections 3 and 4), with two changes: branches on
data need not be rewritten by hand, and an array that the kernel never writes may be read at any address.
Same-value writes block the argument (other data need not write the same value). What textures and images hold is data, and the
run makes it up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from automata.budget import UNLIMITED, Budget
from automata.lang.core import (
    AXES,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Binary,
    Collective,
    Expr,
    Havoc,
    Kernel,
    Load,
    Loop,
    Quantity,
    Select,
    Space,
    Stmt,
    Store,
)
from automata.lang.traverse import bodies, calls, children, expressions, walk
from automata.limits import ALL_DATA_ACCESSES, ALL_DATA_ROUNDS, given_up
from automata.machine.lanes.compiled import overflow_counts, watched_in
from automata.machine.running.run import Options, Program
from automata.machine.state.imagined import Imagined
from automata.machine.state.outcome import Outcome, Setting
from automata.passes import passing
from automata.place import TIME_IS_UP, EndlessError, Place, TooLargeError, UndecidedError
from automata.proof.runs.effort import WHOLE, Effort
from automata.rewriting.both_ways import CannotTake, both_ways
from automata.rewriting.lower import lower
from automata.rewriting.strict import strict
from automata.thread.automaton import Automaton, Condition
from automata.thread.build import build
from automata.thread.deciding import deciding_places
from automata.thread.flow import CONFIGURATION, Flow, Part, Sink, Source, Step, flow

OF_THE_GRID = frozenset(f"{Quantity.GRID_DIM.value}.{axis}" for axis in AXES)
READ_ONLY_SIZE = 1024


@dataclass(frozen=True, slots=True)
class Variant:
    """Something that data decides: which source reaches it, and by which way. `blocks`: the guarantee fails for it."""

    what: str
    place: Place
    source: Source
    path: tuple[Step, ...]
    blocks: bool


@dataclass
class Amplified:
    """What one run says of all data. `reason`: why it says nothing (empty: it says that nothing can go wrong).

    `variants`: what data decides; `integrity`: the parameters and sizes that the guarantee depends on.
    `fills`: also, that shared memory is written before it is read; `order_free`: that no output depends on the order of threads;
    `wraps_nowhere`: that no signed value overflows that decides where a thread goes or what it touches.
    `claims_hold`: that every assertion holds: no data reaches one or whether it is reached, and none failed.
    `endless`: the loop in which the run was given up.
    """

    variants: list[Variant] = field(default_factory=list)
    integrity: tuple[str, ...] = ()
    reason: str = ""
    fills: bool = False
    order_free: bool = False
    wraps_nowhere: bool = False
    claims_hold: bool = False
    outcome: Outcome | None = None
    endless: Place | None = None

    @property
    def holds(self) -> bool:
        return not self.reason

    @property
    def is_invariant(self) -> bool:
        """Whether no data reaches an address, a barrier or a number of rounds."""
        return not self.variants


@passing("amplify", lambda found: "holds" if found.holds else found.reason or "leaves open")
def amplify(kernel: Kernel, setting: Setting, free: frozenset[str] = frozenset(), budget: Budget = UNLIMITED,
            effort: Effort = WHOLE) -> Amplified:
    """The amplified run of a kernel at a concrete launch. `free`: scalar parameters to be taken for data; `budget`: on the
    monotonic clock, after which the run is given up."""
    return _amplified(kernel, setting, free, budget, effort, of_all_blocks=False)


@passing("amplify", lambda found: "holds" if found.holds else found.reason or "leaves open")
def amplify_block(kernel: Kernel, setting: Setting, free: frozenset[str], budget: Budget, effort: Effort) -> Amplified:
    """The amplified run of one block, as what every block does, in a grid of any size: which block it is and how many there are
    count as data, and so does what global memory holds at any time. It speaks of barriers and of shared memory, and of no other;
    `fills`: also, that what is read there was written, whatever the data are."""
    return _amplified(kernel, replace(setting, grid=(1, 1, 1)), free, budget, effort, of_all_blocks=True)


def _amplified(kernel: Kernel, setting: Setting, free: frozenset[str], budget: Budget, effort: Effort, *,
               of_all_blocks: bool) -> Amplified:
    lowered = lower(kernel, {}, effort.statements)
    shared = _contested(lowered)
    if of_all_blocks:
        shared &= {array.name for array in lowered.arrays if array.space is Space.SHARED}
    lowered = strict(lowered, shared)
    automaton = build(lowered)
    found = flow(automaton)
    judge = _Judge(lowered, automaton, found, shared, free, of_all_blocks)
    result = Amplified(judge.variants(), judge.integrity())
    blocking = next((variant for variant in result.variants if variant.blocks), None)
    if blocking is not None:
        result.reason = f"{blocking.what} depends on {_named(blocking.source)}"
        return result
    return _run(result, judge, setting, Options(max_rounds=ALL_DATA_ROUNDS.value, budget=budget,
                                                max_accesses=effort.accesses or ALL_DATA_ACCESSES.value))


def _run(result: Amplified, judge: _Judge, setting: Setting, options: Options) -> Amplified:
    """Run the kernel both ways."""
    try:
        kernel = both_ways(judge.kernel, judge.variant_tests, judge.matters)
    except CannotTake as error:
        result.reason = f"{error.message} ({error.place})"
        return result
    only_read = {array.name: READ_ONLY_SIZE for array in kernel.arrays
                 if array.space is Space.GLOBAL and array.name not in judge.shared and array.name not in setting.arrays}
    setting = replace(setting, extents={**only_read, **setting.extents}, required=None, lengths={})
    try:
        outcome = Program(build(kernel), Imagined(fetches(kernel))).run(setting, options)
    except EndlessError as error:
        if options.max_accesses == ALL_DATA_ACCESSES.value:
            given_up(error, ALL_DATA_ROUNDS, ALL_DATA_ACCESSES)
        if isinstance(error, TooLargeError):
            result.reason = error.message
        elif options.budget.is_spent:
            result.reason = TIME_IS_UP
        else:
            result.endless, result.reason = error.place, "with every branch on data taken both ways a loop does not end"
        return result
    except UndecidedError as error:
        result.reason = f"the machine does not run {error.message} yet"
        return result
    result.outcome = outcome
    result.reason = _fault(outcome, judge.shared)
    result.fills = judge.fills()
    result.order_free = judge.order_free() and not outcome.conflicts
    result.claims_hold = judge.knows_claims() and not outcome.failed and not outcome.overflows
    deciding = judge.deciding | deciding_places(kernel)
    result.wraps_nowhere = judge.all_evaluated() and not any(event.place in deciding for event in outcome.overflows)
    return result


def _fault(outcome: Outcome, contested: frozenset[str]) -> str:
    """Why an amplified run proves nothing; empty if it does."""
    races = [conflict for conflict in outcome.conflicts if conflict.rule == "race" and conflict.array in contested]
    if races:
        kind = "write the same value" if races[0].same_value else "conflict"
        return f"accesses to '{races[0].array}' {kind} when every branch on data is taken both ways"
    if outcome.unexplained:
        return "accesses conflict when every branch on data is taken both ways"
    if outcome.divergences:
        met = outcome.divergences[0]
        return (f"a mask that does not name the lane itself ({met.barrier})" if met.is_nameless else
                f"threads do not all reach the barrier at {met.barrier}")
    if outcome.uninitialised:
        return f"'{outcome.uninitialised[0].array}' is read before it is written"
    if outcome.undefined:
        return f"{outcome.undefined[0].what} ({outcome.undefined[0].place})"
    if outcome.unwaited:
        return "an asynchronous copy for which nobody has waited when the kernel ends"
    outside = [event.array for event in outcome.out_of_bounds if event.array in contested]
    if outside:
        return f"an access outside '{outside[0]}' when every branch on data is taken both ways"
    if any(event.what == "assume" for event in outcome.failed):
        return "the run does not meet an assumption that the source makes"
    if any(event.what in ("landed", "apart") for event in outcome.failed):
        return "a thread reaches cells into which a copy of its own may be under way"
    return ""


class _Judge:
    """Reads the flow: what is data, which sinks matter."""

    def __init__(self, kernel: Kernel, automaton: Automaton, found: Flow, shared: frozenset[str], free: frozenset[str],
                 of_all_blocks: bool = False) -> None:
        self.kernel, self.flow, self.shared, self.free, self.of_all_blocks = kernel, found, shared, free, of_all_blocks
        self.own_shared = {array.name for array in kernel.arrays if array.space is Space.SHARED}
        self.updated_only = _only_updated(kernel)
        self.test_sources: dict[int, frozenset[Source]] = {}
        for location, sources in found.test_sources.items():
            for _, transition in automaton.outgoing(location):
                if isinstance(transition, Condition):
                    before = self.test_sources.get(id(transition.test), frozenset())
                    self.test_sources[id(transition.test)] = before | sources
        self.deciding = deciding_places(kernel)
        self.variant_tests = {test for test, sources in self.test_sources.items() if any(map(self.is_data, sources))}

    def is_data(self, source: Source) -> bool:
        """Shared memory that nobody wrote counts only if the run reads it, and then nothing is said at all."""
        if source.kind == "scalar":
            return source.name in self.free
        if self.of_all_blocks and (source.kind == "block" or source.name in OF_THE_GRID):
            return True
        if source.kind == "undefined" and source.name in self.own_shared:
            return False
        return source.kind not in CONFIGURATION

    def matters(self, stmt: Stmt) -> bool:
        """Whether a statement meets others or touches an array that some thread writes."""
        if isinstance(stmt, Barrier | Collective | AsyncCopy | AsyncWait):
            return True
        if isinstance(stmt, Store | Atomic) and stmt.array in self.shared:
            return True
        return any(self.reads(expr) for expr in expressions(stmt)) or any(
            self.matters(inner) for body in bodies(stmt) for inner in body)

    def reads(self, expr: Expr) -> bool:
        return (isinstance(expr, Load) and expr.array in self.shared) or any(self.reads(part) for part in children(expr))

    def parts(self, sink: Sink) -> list[tuple[str, Part, bool]]:
        """What of a sink must not depend on data: in words, which part, and whether the guarantee fails if it does."""
        found: list[tuple[str, Part, bool]] = []
        if sink.array in self.shared and sink.what != "value":
            found.append((f"the address of '{sink.array}'", "index", sink.array not in self.updated_only))
        match sink.what:
            case "barrier" | "collective":
                found += [("which lanes a barrier names", "index", True), ("whether a barrier is reached", "guard", True)]
            case "loop":
                found.append(("how many rounds a loop makes", "index", False))
            case "copy_read" | "copy_write":
                found.append(("whether a copy is reached", "guard", True))
        return found

    def variants(self) -> list[Variant]:
        found = [variant for sink in self.flow.sinks for what, part, blocks in self.parts(sink)
                 for variant in self.of(sink, part, what, blocks)]
        for stmt in walk(self.kernel.body):
            if isinstance(stmt, Loop) and id(stmt.test) in self.variant_tests and self.matters(stmt):
                found = [replace(variant, blocks=True) if variant.place == stmt.place and "rounds" in variant.what else variant
                         for variant in found]
        return sorted(found, key=lambda variant: not variant.blocks)

    def of(self, sink: Sink, part: Part, what: str, blocks: bool) -> Iterable[Variant]:
        sources = sink.index if part == "index" else sink.guard
        for source in sorted(filter(self.is_data, sources))[:1]:
            yield Variant(what, sink.place, source, self.flow.explain(sink, source, part), blocks)

    def integrity(self) -> tuple[str, ...]:
        """Parameters and sizes in anything that the guarantee is about; branches that go both ways depend on none."""
        found: set[Source] = set()
        for sink in self.flow.sinks:
            if sink.what in ("barrier", "collective", "loop") or (sink.array in self.shared and sink.what != "value"):
                found |= sink.index
                for test in self.flow.tests(sink):
                    found |= self.test_sources.get(id(test), frozenset()) if id(test) not in self.variant_tests else set()
        return tuple(sorted({source.name for source in found if source.kind in ("scalar", "size")}))

    def fills(self) -> bool:
        """Whether shared memory is initialised by plain stores that happen for all data."""
        if not self.own_shared <= self.shared:
            return False
        for stmt in walk(self.kernel.body):
            if (isinstance(stmt, Atomic) and stmt.array in self.own_shared) or (
                    isinstance(stmt, AsyncCopy) and stmt.source in self.own_shared):
                return False
        return not any(sink.what in ("write", "copy_write") and sink.array in self.own_shared
                       and any(map(self.is_data, sink.guard)) for sink in self.flow.sinks)

    def order_free(self) -> bool:
        """Whether no stored value, and nothing else of a sink, comes from the order of threads or from nowhere."""
        if any(array.name in self.flow.unordered for array in self.kernel.arrays) or not self.fills():
            return False
        if any(isinstance(stmt, Havoc) for stmt in walk(self.kernel.body)):
            return False
        lost = ("undefined", "order")
        return not any(source.kind in lost and self.is_data(source)
                       for sink in self.flow.sinks for source in sink.index | sink.guard)

    def knows_claims(self) -> bool:
        """Whether all runs evaluate the same claims, to the same: no data decides of one, and no loop on data is left out."""
        return not self.leaves_loops_out and not any(sink.what == "claim" and any(map(self.is_data, sink.index | sink.guard))
                                                     for sink in self.flow.sinks)

    def all_evaluated(self) -> bool:
        """Whether the run evaluates everything that a run may and that decides anything: no loop on data left out, no arithmetic
        under `&&` or `?:`."""
        return not self.leaves_loops_out and not any(self.is_lazy(expr, False) for stmt in walk(self.kernel.body)
                                                     for expr in expressions(stmt))

    @cached_property
    def leaves_loops_out(self) -> bool:
        """Whether the run leaves out rounds of a loop, whose test is on data."""
        return any(isinstance(stmt, Loop) and id(stmt.test) in self.variant_tests for stmt in walk(self.kernel.body))

    def is_lazy(self, expr: Expr, may_be_left: bool) -> bool:
        """Whether some signed arithmetic that decides happens only if a test inside the expression says so."""
        match expr:
            case Binary(op="&&" | "||", left=left, right=right):
                return self.is_lazy(left, may_be_left) or self.is_lazy(right, True)
            case Select(test=test, then=then, other=other):
                return self.is_lazy(test, may_be_left) or self.is_lazy(then, True) or self.is_lazy(other, True)
        if may_be_left and expr.place in self.deciding and overflow_counts(expr, watched_in(self.kernel.dialect)):
            return True
        return any(self.is_lazy(part, may_be_left) for part in children(expr))


def fetches(kernel: Kernel) -> frozenset[str]:
    """The functions by which a kernel reads textures and images."""
    return frozenset(call.function for call in calls(kernel) if call.handles)


def _contested(kernel: Kernel) -> frozenset[str]:
    """The arrays in shared or global memory that the kernel writes."""
    private = {array.name for array in kernel.arrays if array.space is Space.PRIVATE}
    found: set[str] = set()
    for stmt in walk(kernel.body):
        match stmt:
            case Store(array=array) | Atomic(array=array):
                found.add(array)
            case AsyncCopy(target=target):
                found.add(target)
    return frozenset(found - private)


def _only_updated(kernel: Kernel) -> frozenset[str]:
    """Arrays that are reached by atomics of the whole device alone: those do not race, wherever they go."""
    updated: set[str] = set()
    plain: set[str] = set()
    for stmt in walk(kernel.body):
        match stmt:
            case Atomic(array=array, scope=scope):
                (plain if scope in ("block", "warp") else updated).add(array)
            case Store(array=array):
                plain.add(array)
            case AsyncCopy(source=source, target=target):
                plain |= {source, target}
        todo = list(expressions(stmt))
        while todo:
            expr = todo.pop()
            todo += children(expr)
            if isinstance(expr, Load):
                plain.add(expr.array)
    return frozenset(updated - plain)


def _named(source: Source) -> str:
    match source.kind:
        case "array":
            return f"the contents of '{source.name}'"
        case "order":
            return f"the order of atomics on '{source.name}'"
        case "undefined":
            return f"the undefined value of '{source.name}'"
        case "made-up":
            return f"what the machine makes up for {source.name}"
        case "rounded":
            return f"how a device rounds {source.name}"
        case "chosen":
            return f"what a device chooses: {source.name}"
    return f"'{source.name}'"
