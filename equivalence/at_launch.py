"""Equality at a concrete launch: both kernels run once, all blocks and threads, on symbols.

Input: two kernels, or sequences of them, of one name space with their concrete launches, all known to be deterministic.
Output: for each output
array the strongest class of equality that holds, or the first cell at which even the weakest does not. What is
given as numbers stays numbers, data become symbols (`automata.machine.strips.mixed`); one run for each class of equality: the
strongest, then the weakest, then stronger ones while they hold. One block of each side, run before, may rule out all
but the weakest. Equal symbols in every cell mean equal values of the class, up to a probability that is computed from the
runs (`bound`); unequal symbols mean nothing yet: they may be equal by a law that the class does not have.

Schwartz, JACM 1980, and Zippel, EUROSAM 1979, for polynomial identities; symbolic comparison of whole grids at a launch is that
of VOLTA (2025), here at source level, over all blocks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from automata.budget import METER, UNLIMITED, Budget
from automata.lang.core import (
    Atomic,
    Barrier,
    Binary,
    Call,
    Cast,
    Collective,
    Expr,
    If,
    Kernel,
    Select,
    Unary,
)
from automata.lang.traverse import children, expressions, walk
from automata.passes import passing
from automata.rewriting.partition import Partition, partition
from equivalence.beside import both
from equivalence.domains.exact import Exact, Terms
from equivalence.domains.field import ORDERED, READINGS, REAL_EXP_MAX, Reading
from equivalence.domains.functions import LAWS, stem
from equivalence.domains.modular import POOL, SAFE_POOL, Unlucky
from equivalence.domains.polynomials import TooLarge
from equivalence.domains.symbols import Symbols
from equivalence.goals import Goal
from equivalence.orders.lattice import TooMany
from equivalence.orders.ordered import Ordered
from equivalence.orders.orders import Orders
from equivalence.result import EqualityClass
from equivalence.symbolic_run import Broken, Part, Ran, Refused, run_symbolic, sealed

WANTED = 60.0
"""The error that is aimed for: 2 to the minus this."""

PROBED = 4
"""Blocks of both sides from which on one is run first."""

MOST_SEEDS = 6
CLASSES = {reading: EqualityClass(reading.name) for reading in (*READINGS, *ORDERED)}


@dataclass
class Answer:
    """What the runs say of all outputs: their classes, None where no class holds. `bound`: the exponent of the error, 2 to
    the minus this; `reason`: why nothing is said (empty: something is); `broken`: a side that leaves an array whatever the data,
    and how; `conditional`: it rests on a conjecture; `keeps_rows`: it takes for granted that indices of data stay inside their
    dimensions; `is_exact`: nothing is left to probability;
    `by_order`: it rests on the order of floats; `unlike`: of each output the weakest class in which symbols were seen
    to differ, by its rank, and a cell of which they do."""

    outputs: dict[str, EqualityClass | None] = field(default_factory=dict)
    bound: float = math.inf
    seed: int = 0
    reason: str = ""
    conditional: bool = False
    broken: tuple[str, str] | None = None
    keeps_rows: bool = False
    is_exact: bool = False
    by_order: bool = False
    unlike: dict[str, tuple[int, str]] = field(default_factory=dict)

    def differs(self, goal: Goal, reading: Reading, cell: int | None) -> bool:
        """Whether there is a cell in which an output differs in a reading; it is noted."""
        rank = CLASSES[reading].rank
        if cell is not None and rank >= self.unlike.get(goal.label, (rank, ""))[0]:
            self.unlike[goal.label] = rank, goal.cell(cell)
        return cell is not None


@passing("symbols")
def compare_at_launch(a: Sequence[Part], b: Sequence[Part], goals: Sequence[Goal], weakest: EqualityClass,
                      budget: Budget = UNLIMITED, seed: int = 1, *, is_exact: bool = False) -> Answer:
    """The strongest class of each output that is not weaker than `weakest`. `is_exact`: by terms, without any probability."""
    answer = Answer({goal.label: None for goal in goals}, seed=seed, is_exact=is_exact)
    features = {item for part in (*a, *b) for item in _features(part.kernel, part.free)}
    strongest, *others = [reading for reading in READINGS
                          if CLASSES[reading].rank <= weakest.rank and _is_new(reading, features)]
    try:
        open_ = _unrefuted(a, b, goals, [strongest, *others][-2], answer, budget) if others else list(goals)
        left = [goal for goal in goals if goal not in open_]
        left += _read(a, b, open_, strongest, answer, budget, is_probed=False) if open_ else []
        for reading in reversed(others):
            is_probed = reading not in others[-2:]
            unlike = _read(a, b, left, reading, answer, budget, is_probed=is_probed) if left else []
            left = [goal for goal in left if goal not in unlike and goal in open_]
        undecided = [goal for goal in open_ if answer.outputs[goal.label] is None]
        if undecided and len(others) > 1:
            _read(a, b, undecided, others[0], answer, budget, is_probed=True)
        if "order" in features and not is_exact:
            _by_order(a, b, goals, answer, weakest, budget)
    except Refused as refusal:
        answer.reason = str(refusal)
    except MemoryError:
        METER.lacked += 1
        answer.reason = "runs on symbols take more memory than there is"
    except Broken as broken:
        answer.broken = broken.side, broken.message
    except TooLarge:
        answer.reason = "terms grow too large to be exact here (a smaller launch may do, or go without --certify)"
    answer.conditional = not is_exact and "exp" in features and CLASSES[REAL_EXP_MAX] in answer.outputs.values()
    return answer


def _by_order(a: Sequence[Part], b: Sequence[Part], goals: Sequence[Goal], answer: Answer, weakest: EqualityClass,
              budget: Budget) -> None:
    """Decide what the other readings leave open by the laws of an order. What takes too long stays open."""
    has_floats = any(array.element.is_float for part in (*a, *b) for array in part.kernel.arrays)
    for reading in ORDERED[:1 + has_floats]:
        left = [goal for goal in goals if answer.outputs[goal.label] is None]
        if left and CLASSES[reading].rank <= weakest.rank:
            with suppress(TooMany):
                _read(a, b, left, reading, answer, budget, is_probed=True)


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
    flow = partition(kernel, free, exact=True)
    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            _look(expr, flow, found)
        if isinstance(stmt, If) and flow.is_data(stmt.test):
            found |= {"int", "float", "law", "order"}
        if isinstance(stmt, Atomic) and stmt.op in ("min", "max"):
            found.add("order")
        if isinstance(stmt, Atomic) or (isinstance(stmt, Collective) and not stmt.op.startswith("shfl")):
            found.add("int")
    return found


def _look(expr: Expr, flow: Partition, found: set[str]) -> None:
    """The features of one expression; what is computed on whole numbers alone has none."""
    if expr.type.is_int and not flow.is_data(expr):
        return
    if flow.is_data(expr) and (isinstance(expr, Select) or (isinstance(expr, Call) and stem(expr.function) in ("fmin", "fmax"))):
        found.add("order")
    match expr:
        case Call(function=function) if stem(function) in LAWS:
            found.update(("law", "float"))
            found.update(("exp",) if stem(function).startswith("exp") or stem(function) == "tanh" else ())
        case Select(test=test, type=kind) if kind.is_float and flow.is_data(test):
            found.update(("law", "float"))
        case Binary() | Unary() | Cast() | Call() | Select():
            found.add("float" if expr.type.is_float or expr.type.name == "bool" else "int")
    for part in children(expr):
        _look(part, flow, found)


def _read(a: Sequence[Part], b: Sequence[Part], goals: list[Goal], reading: Reading, answer: Answer,
          budget: Budget, *, is_probed: bool) -> list[Goal]:
    """Decide outputs in one reading; equal ones again at further points until the bound is met. Those that differ.
    `is_probed`: one block is run first, for it is not likely that all are equal."""
    bound, open_ = 0.0, list(goals)
    if is_probed:
        open_ = _unrefuted(a, b, goals, reading, answer, budget)
    if not open_:
        return goals
    for number in range(MOST_SEEDS):
        try:
            runs = _both(a, b, _symbols(reading, answer.seed + number, answer.is_exact), budget)
        except Unlucky:
            continue
        answer.keeps_rows |= any(ran.keeps_rows for ran in runs)
        open_ = [goal for goal in open_ if not answer.differs(goal, reading, goal.difference(runs))]
        bound += math.inf if answer.is_exact else _exponent(reading, runs)
        if not open_ or bound >= WANTED:
            break
    if open_ and bound < WANTED:
        raise Refused(f"the error bound 2^-{bound:.0f} misses 2^-{WANTED:.0f}: the degree of the computation is too high")
    for goal in open_:
        answer.outputs[goal.label] = CLASSES[reading]
        answer.by_order |= any(isinstance(ran.symbols, Ordered) and ran.symbols.orders.decides for ran in runs)
    if open_:
        answer.bound = min(answer.bound, bound)
    return [goal for goal in goals if goal not in open_]


def _symbols(reading: Reading, seed: int, is_exact: bool) -> tuple[Symbols, Symbols]:
    """The domains of both sides."""
    if reading.orders:
        orders = Orders()
        return Ordered(reading, "a", seed, orders), Ordered(reading, "b", seed, orders)
    if not is_exact:
        return Symbols(reading, "a", seed), Symbols(reading, "b", seed)
    terms = Terms()
    return Exact(reading, "a", terms), Exact(reading, "b", terms)


def _unrefuted(a: Sequence[Part], b: Sequence[Part], goals: Sequence[Goal], reading: Reading, answer: Answer,
               budget: Budget) -> list[Goal]:
    """The outputs that one block of each side does not show to differ: in a kernel that is deterministic and updates nothing,
    what a block writes is what is there in the end."""
    parts = (*a, *b)
    is_fit = len(parts) == 2 and all(part.setting.blocks >= PROBED and not _meets_others(part.kernel) for part in parts)
    if not is_fit:
        return list(goals)
    try:
        probes = _both(a, b, _symbols(reading, answer.seed, answer.is_exact), budget, is_probe=True)
    except (Unlucky, Refused, Broken):
        return list(goals)
    if any(ran.decides_indices for ran in probes):
        return list(goals)
    return [goal for goal in goals if not answer.differs(goal, reading, goal.refuted(probes))]


def _meets_others(kernel: Kernel) -> bool:
    """Whether blocks of a kernel may see what others write: through updates, or behind a barrier of the grid."""
    return any(isinstance(stmt, Atomic) or (isinstance(stmt, Barrier) and stmt.scope == "grid") for stmt in walk(kernel.body))


def _both(a: Sequence[Part], b: Sequence[Part], symbols: tuple[Symbols, Symbols], budget: Budget, *,
          is_probe: bool = False) -> tuple[Ran, Ran]:
    """Both sides run; at once, where that pays and they share nothing."""
    runs = [partial(run_symbolic, parts, domain, budget, is_probe=is_probe)
            for parts, domain in zip((a, b), symbols, strict=True)]
    if isinstance(symbols[0], Exact | Ordered) or not all(any(part.is_long for part in parts) for parts in (a, b)):
        return runs[0](), runs[1]()
    first, second = both(runs[0], lambda: sealed(runs[1](), b))
    return first, second.opened(symbols[1])


def _exponent(reading: Reading, runs: tuple[Ran, Ran]) -> float:
    """What one run adds to the exponent of the error.

    A wrong answer needs two different atoms with one digest; or, in the field, two different functions that agree at four
    points, modulo four random primes: two that tell atoms apart, or the two that are compared. They agree modulo a
    prime if that divides all coefficients of their difference (whose bits have been bounded all the way, as degrees
    have) or, by Schwartz and Zippel, by chance.
    """
    keyed = sum(ran.symbols.keyed for ran in runs)
    atoms = 2 * math.log2(2 + keyed + sum(ran.symbols.inputs for ran in runs))
    if not reading.ints and not reading.floats:
        return 128 - atoms
    field = 28.0 if reading.laws else 29.0
    parts = [120 - atoms]
    divisors = sum(ran.symbols.divisor_bits() for ran in runs)
    keys = [ran.symbols.key for ran in runs]
    for (one, two), count in ((keys, math.log2(2 + keyed)), ([ran.largest for ran in runs], 0.0)):
        apart = one.plus(two)
        content = apart.over + apart.halves + (apart.parts * divisors if apart.parts else 0)
        divides = (SAFE_POOL if reading.laws else POOL) - math.log2(content / 30) if content >= 30 else math.inf
        parts.append(4 * min(field - math.log2(apart.top), divides) - 2 * count)
    return max(0.0, -math.log2(sum(2.0**-max(part, -50.0) for part in parts)))
