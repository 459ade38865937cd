"""Equality at a concrete launch: both kernels run once, all blocks and threads, on symbols.

Input: two kernels, or sequences of them, of one name space with their concrete launches, all known to be deterministic.
Output: for each output
array the strongest class of equality that holds, or the first cell at which even the weakest does not. What is
given as numbers stays numbers, data become symbols (`automata.machine.mixed`); one run for each class of equality, from
the strongest down, until every output is decided. Equal symbols in every cell mean equal values of the
class, up to a probability that is computed from the runs (`bound`); unequal symbols mean nothing yet: they
may be equal by a law that the class does not have.

Schwartz, JACM 1980, and Zippel, EUROSAM 1979, for polynomial identities; symbolic comparison of whole grids at a launch is that
of VOLTA (2025), here at source level, over all blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

import numpy as np

from automata.lang.core import (
    AsyncCopy,
    Atomic,
    Binary,
    Call,
    Cast,
    Collective,
    Declare,
    Expr,
    If,
    Kernel,
    Select,
    Space,
    Stmt,
    Store,
    Unary,
)
from automata.lang.lower import lower
from automata.lang.traverse import children, expressions, walk
from automata.machine.domain import Data
from automata.machine.memory import PAGE, Dense
from automata.machine.outcome import Outcome, Setting
from automata.machine.partition import Partition, partition
from automata.machine.predication import CannotPredicate, predicate
from automata.machine.run import Options, Program
from automata.machine.values import Numbers
from automata.place import EndlessError, UndecidedError
from automata.scalar import Scalar
from automata.thread.build import build
from equivalence.chain import Held, held_after
from equivalence.domains.field import NAN, READINGS, REAL_EXP_MAX, Reading, Value
from equivalence.domains.functions import LAWS, is_exact, stem
from equivalence.domains.modular import POOL, Unlucky
from equivalence.domains.symbols import Symbols
from equivalence.relation import Relation
from equivalence.result import EqualityClass

WANTED = 60.0
"""The error that is aimed for: 2 to the minus this."""

WIDE = 8_192
"""Threads of a launch from which on the two sides run at once: below, arrays are too short for that to pay."""

MOST_STATEMENTS = 1_000
MOST_SEEDS = 6
CLASSES = {reading: EqualityClass(reading.name) for reading in READINGS}


@dataclass(frozen=True, slots=True)
class Part:
    """One kernel with its concrete launch. `known`: the sizes and integer arguments, by name, for loops and
    branches; `free`: the scalar parameters that have no value; `is_bounded`: whether accesses are known to stay
    inside their arrays, asked only where data decide an index; `doubted`: arrays of which a cell may be read before
    it is set."""

    kernel: Kernel
    setting: Setting
    known: dict[str, int]
    free: frozenset[str]
    is_bounded: Callable[[], bool] = lambda: True
    doubted: frozenset[str] = frozenset()


@dataclass
class Verdict:
    """What the runs say of one output. `cell`: where symbols differ in the weakest class that was tried."""

    equality: EqualityClass | None = None
    cell: int | None = None


@dataclass
class Answer:
    """What the runs say of all outputs. `bound`: the exponent of the error, 2 to the minus this; `seeds`: how many points of
    the field were drawn; `reason`: why nothing is said (empty: something is); `broken`: a side that
    leaves an array whatever the data, and how; `conditional`: it rests on a conjecture;
    `keeps_rows`: it takes for granted that indices of data stay inside their dimensions."""

    outputs: dict[str, Verdict] = field(default_factory=dict)
    bound: float = math.inf
    seed: int = 0
    seeds: int = 0
    reason: str = ""
    conditional: bool = False
    broken: tuple[str, str] | None = None
    keeps_rows: bool = False


_PROVING = Lock()
"""The proofs share pools of terms and solvers: one thread at a time."""


class _Refused(Exception):
    """The runs cannot be made."""


class _Broken(Exception):
    """A kernel leaves an array, whatever the data: the run of `side` shows it."""

    def __init__(self, side: str, message: str) -> None:
        super().__init__(message)
        self.side, self.message = side, message


def compare_at_launch(a: Sequence[Part], b: Sequence[Part], goals: Sequence[Goal], weakest: EqualityClass,
                      deadline: float | None = None, seed: int = 1) -> Answer:
    """The strongest class of each output that is not weaker than `weakest`."""
    answer = Answer({goal.label: Verdict() for goal in goals}, seed=seed)
    features = {item for part in (*a, *b) for item in _features(part.kernel, part.free)}
    strongest, *others = [reading for reading in READINGS
                          if CLASSES[reading].rank <= weakest.rank and _is_new(reading, features)]
    try:
        left = _read(a, b, list(goals), strongest, answer, deadline)
        for reading in reversed(others):
            left = _equal(left, _read(a, b, left, reading, answer, deadline)) if left else []
        undecided = [goal for goal in goals if answer.outputs[goal.label].equality is None]
        if undecided and len(others) > 1:
            _read(a, b, undecided, others[0], answer, deadline)
    except _Refused as refusal:
        answer.reason = str(refusal)
    except _Broken as broken:
        answer.broken = broken.side, broken.message
    answer.conditional = "exp" in features and any(verdict.equality is CLASSES[REAL_EXP_MAX]
                                                   for verdict in answer.outputs.values())
    return answer


def _equal(goals: Sequence[Goal], unlike: Sequence[Goal]) -> list[Goal]:
    """The goals that a reading met, and that a stronger one may meet too."""
    return [goal for goal in goals if goal not in unlike]


def _is_new(reading: Reading, features: set[str]) -> bool:
    """Whether a reading understands anything in the kernels that the ones before it do not."""
    if reading.laws:
        return "law" in features
    if reading.floats:
        return "float" in features
    return "int" in features if reading.ints else True


def _features(kernel: Kernel, free: frozenset[str]) -> set[str]:
    """Kinds of operations on data in a kernel: int, float, law (of max or of exponentials), exp."""
    found: set[str] = set()
    flow = partition(kernel, free, exact=True, inexact=lambda call: not is_exact(call.function))
    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            _look(expr, flow, found)
        if isinstance(stmt, If) and flow.is_data(stmt.test):
            found |= {"int", "float", "law"}
        if isinstance(stmt, Atomic) or (isinstance(stmt, Collective) and not stmt.op.startswith("shfl")):
            found.add("int")
    return found


def _look(expr: Expr, flow: Partition, found: set[str]) -> None:
    """The features of one expression; what is computed on whole numbers alone has none."""
    if expr.type.is_int and not flow.is_data(expr):
        return
    match expr:
        case Call(function=function) if stem(function) in LAWS:
            found.update(("law", "float"))
            found.update(("exp",) if stem(function).startswith("exp") or stem(function) == "tanh" else ())
        case Select(type=kind) if kind.is_float:
            found.update(("law", "float"))
        case Binary() | Unary() | Cast() | Call() | Select():
            found.add("float" if expr.type.is_float or expr.type.name == "bool" else "int")
    for part in children(expr):
        _look(part, flow, found)


def _read(a: Sequence[Part], b: Sequence[Part], goals: list[Goal], reading: Reading, answer: Answer,
          deadline: float | None) -> list[Goal]:
    """Decide outputs in one reading; equal ones again at further points until the bound is met. Those that differ."""
    bound, open_ = 0.0, list(goals)
    for number in range(MOST_SEEDS):
        try:
            runs = _both(a, b, reading, answer.seed + number, deadline)
        except Unlucky:
            continue
        answer.seeds += 1
        answer.keeps_rows |= any(ran.keeps_rows for ran in runs)
        for goal in list(open_):
            cell = goal.difference(runs)
            if cell is not None:
                answer.outputs[goal.label].cell = cell
                open_.remove(goal)
        bound += _exponent(reading, runs)
        if not open_ or bound >= WANTED:
            break
    if open_ and bound < WANTED:
        raise _Refused(f"the error bound 2^-{bound:.0f} misses 2^-{WANTED:.0f}: the degree of the computation is too high")
    for goal in open_:
        answer.outputs[goal.label].equality = CLASSES[reading]
    if open_:
        answer.bound = min(answer.bound, bound)
    return [goal for goal in goals if goal not in open_]


# -- runs ---------------------------------------------------------------------------------------------------


@dataclass
class Ran:
    """A symbolic run of one side, stage by stage. `held`: what its memory holds at the end."""

    symbols: Symbols
    held: Held
    outcomes: list[Outcome] = field(default_factory=list)
    most: float = 1.0
    keeps_rows: bool = False

    def indices(self, name: str) -> list[Numbers]:
        """The flat indices of an array that its buffers hold."""
        buffers = [outcome.buffers[name] for outcome in self.outcomes if name in outcome.buffers]
        return [np.arange(buffer.size) if isinstance(buffer, Dense) else buffer.indices(np.arange(buffer.used * PAGE))
                for buffer in buffers]

    def words(self, name: str, indices: Numbers) -> Value:
        """What an array holds at some indices, as words."""
        found = self.held(name, indices)
        assert found is not None
        return self.symbols.words(found)


def _both(a: Sequence[Part], b: Sequence[Part], reading: Reading, seed: int, deadline: float | None) -> tuple[Ran, Ran]:
    lanes = min(max(part.setting.threads * part.setting.blocks for part in parts) for parts in (a, b))
    with ThreadPoolExecutor(2 if lanes >= WIDE else 1) as pool:
        jobs = [pool.submit(run_symbolic, parts, Symbols(reading, side, seed), deadline)
                for parts, side in ((a, "a"), (b, "b"))]
        first, second = (job.result() for job in jobs)
    return first, second


def run_symbolic(parts: Sequence[Part], symbols: Symbols, deadline: float | None) -> Ran:
    """Run the kernels of one side on symbols. _Refused with the reason where that cannot be done."""
    ran = Ran(symbols, symbols.input)
    written: frozenset[str] = frozenset()
    for part in parts:
        try:
            data, outcome = _stage(part, ran, written, deadline)
        except CannotPredicate as error:
            raise _Refused(f"{error.message} ({error.place})") from error
        except UndecidedError as error:
            raise _Refused(f"{error.message} ({error.place})") from error
        except EndlessError as error:
            raise _Refused(error.message) from error
        written |= written_arrays(part.kernel)
        ran.outcomes.append(outcome)
        ran.held = held_after(outcome, ran.held)
        ran.most = max(ran.most, data.most)
        ran.keeps_rows |= data.keeps_rows
    return ran


def _stage(part: Part, ran: Ran, written: frozenset[str], deadline: float | None) -> tuple[Data, Outcome]:
    """Run one kernel on what the ones before it left."""
    symbols = ran.symbols
    kernel, found = predicate(lower(part.kernel, part.known, MOST_STATEMENTS),
                              lambda kernel: _partition(kernel, part.free, symbols))
    for name in sorted(part.doubted - found.arrays - _as_locals(kernel, found)):
        raise _Refused(f"'{name}' may be read before it is written")
    settled = frozenset(array.name for array in kernel.arrays if array.space is Space.GLOBAL) - written - written_arrays(kernel)
    own = frozenset(array.name for array in kernel.arrays if array.space is not Space.GLOBAL)
    tables = {array.name: f"table of {array.element.name}: {array.content!r}" for array in kernel.arrays
              if array.content is not None}
    data = Data(symbols, found, settled, ran.held, own, most=ran.most, tables=tables)
    updates = any(isinstance(stmt, Atomic | Collective) for stmt in walk(kernel.body))
    program = Program(build(kernel), watch=False, data=data)
    if data.decides_indices:
        with _PROVING:
            if not part.is_bounded():
                raise _Refused("data decide an index, and nothing proves that it stays inside its array")
    outcome = program.run(part.setting, Options(shadow=False, deadline=deadline))
    if updates:
        symbols.key_degree = max(symbols.key_degree, data.most)
    if outcome.divergences:
        raise _Refused(f"threads do not all reach the barrier at {outcome.divergences[0].barrier}")
    events = [*outcome.out_of_bounds, *outcome.undefined]
    if outcome.out_of_bounds and not _chooses(kernel, found):
        event = outcome.out_of_bounds[0]
        raise _Broken(symbols.side, f"out-of-bounds: {event.what} of {event.array}[{event.index[0]}] ({event.place})")
    if events:
        raise _Refused(f"{events[0].what} {events[0].array} ({events[0].place})")
    return data, outcome


def _chooses(kernel: Kernel, found: Partition) -> bool:
    """Whether data decide what is evaluated anywhere in a predicated kernel: then an access may be made for nothing."""
    def look(expr: Expr) -> bool:
        test = expr.test if isinstance(expr, Select) else expr if isinstance(expr, Binary) and expr.op in ("&&", "||") else None
        return (test is not None and found.is_data(test)) or any(map(look, children(expr)))

    return any(look(expr) for stmt in walk(kernel.body) for expr in expressions(stmt))


def _as_locals(kernel: Kernel, found: Partition) -> set[str]:
    """The private arrays whose elements have become locals, all of which hold data."""
    names: dict[str, bool] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Declare) and "[" in stmt.name:
            array = stmt.name.partition("[")[0]
            names[array] = names.get(array, True) and stmt.name in found.locals
    return {name for name, are_data in names.items() if are_data}


def _partition(kernel: Kernel, free: frozenset[str], symbols: Symbols) -> Partition:
    return partition(kernel, free, exact=symbols.exact, inexact=lambda call: not is_exact(call.function))


def written_arrays(kernel: Kernel) -> frozenset[str]:
    """The arrays that a kernel may write."""
    return frozenset(name for stmt in walk(kernel.body) for name in _writes(stmt))


def _writes(stmt: Stmt) -> Iterable[str]:
    match stmt:
        case Store(array=array) | Atomic(array=array) | AsyncCopy(target=array):
            yield array


def _exponent(reading: Reading, runs: tuple[Ran, Ran]) -> float:
    """What one run adds to the exponent of the error.

    A wrong answer needs two different atoms with one digest; or, in the field, two different functions that agree at four
    points, modulo four random primes: two that tell atoms apart, or the two that are compared. They agree modulo a
    prime if that divides all coefficients of their difference (which have at most as many bits as the degree times those of a
    constant, and some for how many add up) or, by Schwartz and Zippel, by chance.
    """
    keyed = sum(ran.symbols.keyed for ran in runs)
    atoms = 2 * math.log2(2 + keyed + sum(ran.symbols.inputs for ran in runs))
    if not reading.ints and not reading.floats:
        return 128 - atoms
    field = 28.0 if reading.laws else 29.0
    degree, key_degree = (1 + sum(sizes) for sizes in ([ran.most for ran in runs], [ran.symbols.key_degree for ran in runs]))
    bits = max(ran.symbols.constant_bits for ran in runs)
    parts = [120 - atoms]
    for size, count in ((key_degree, math.log2(2 + keyed)), (degree, 0.0)):
        content = size * bits + 2 + count
        divides = POOL - math.log2(content / 30) if content >= 30 else math.inf
        parts.append(4 * min(field - math.log2(size), divides) - 2 * count)
    return max(0.0, -math.log2(sum(2.0**-max(part, -50.0) for part in parts)))


# -- memory afterwards --------------------------------------------------------------------------------------


class Goal(Protocol):
    """Something that must hold of memory after both runs."""

    @property
    def label(self) -> str:
        """What it is called in the answer."""

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        """The first cell of which it does not hold."""


@dataclass(frozen=True)
class SameArray:
    """An array ends up the same."""

    label: str

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        found = [indices for ran in runs for indices in ran.indices(self.label)]
        if not found:
            return None
        alike = all(np.array_equal(found[0], other) for other in found[1:])
        indices = found[0] if alike else np.unique(np.concatenate(found))
        one, two = (ran.words(self.label, indices) for ran in runs)
        return unlike(runs, one, two, indices)


@dataclass(frozen=True)
class Related:
    """A relation among outputs holds. `size`: elements of the array on its left; `kind`: their type."""

    relation: Relation
    size: int
    kind: Scalar

    @property
    def label(self) -> str:
        return self.relation.text

    def difference(self, runs: tuple[Ran, Ran]) -> int | None:
        k = np.arange(self.size)
        arithmetic = _Symbolic(runs, self.kind)
        left = self.relation.left
        return unlike(runs, arithmetic.element(left.side, left.array, k), self.relation.value(arithmetic, k), k)


@dataclass(frozen=True)
class _Symbolic:
    """The arithmetic of relations on symbols of one type."""

    runs: tuple[Ran, Ran]
    kind: Scalar

    def element(self, side: str, array: str, indices: Numbers) -> Value:
        return self.runs["ab".index(side)].words(array, indices)

    def number(self, value: int | float, count: int) -> Value:
        symbols = self.runs[0].symbols
        known: Any = np.full(count, value, np.float64 if self.kind.is_float else np.int64)
        return symbols.words(symbols.lift(known, self.kind))

    def operation(self, op: str, left: Value, right: Value) -> Value:
        return self.runs[0].symbols.operation(op, left, right, self.kind)


def unlike(runs: tuple[Ran, Ran], one: Value, two: Value, indices: Numbers) -> int | None:
    """The first index where symbols differ; NaN is like nothing, for it may stand for several values."""
    same = (one[:, :4] == two[:, :4]).all(axis=1)
    if any(ran.symbols.special for ran in runs):
        same &= one[:, 0] != NAN
    return None if same.all() else int(indices[np.argmin(same)])
