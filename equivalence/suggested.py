"""One more requirement under which two kernels are equal, where they are not shown to be.

Input: the pair, the report on it, and how it is compared. Output: a requirement under which the comparison says `equal`, and
which says something (`_says_something`): launches of several sizes meet it, and at one of them an output is stored to.
Candidates are those for one kernel (`proof.preconditions`): multiples of the constants in the source, sizes that cover the
data, blocks of whole warps and so on; besides, sizes that are as large, or no larger, than those constants and the stated
blocks and grids.

With sizes that are free the requirement joins the launch. Launches at which something goes wrong are collected: the one of the
report, and one of each candidate that fails. A candidate that admits one of them is not tried, so few are. Of bounds the
strongest is tried first, since a launch that it admits and at which something goes wrong rules out all weaker ones; if it is
enough, the weakest that is enough is looked for. Where no single candidate excludes all of these launches, two together may
(`&&`). Where all sizes are given, an argument is moved down to a value that meets the candidate, and the answer says which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice

from automata.budget import Budget
from automata.lang.core import AXES, Kernel, Quantity
from automata.lang.launch import Launch
from automata.logic import terms as T
from automata.machine.running.run import Options
from automata.place import InputError, UndecidedError
from automata.proof.determinism import Side
from automata.proof.known.concrete import Assignment, admitted
from automata.proof.known.context import Context, prepare
from automata.proof.preconditions import candidates, holds, is_on_host
from automata.proof.witness.setting import setting_at
from automata.verdict import Status
from equivalence.chain import Stage
from equivalence.inputs import distinct, signs
from equivalence.pairing import Pair
from equivalence.result import EquivReport, EquivVerdict
from equivalence.spread import numbers_in, spread
from equivalence.step import Step

MOST_TRIES = 24
SECONDS_A_TRY = 10.0
MOST_NUMBERS, MOST_A_THREAD = 8, 16
MOST_MET, MOST_ACCESSES = 24, 1 << 18
"""Launches of each kind at which it is looked what a requirement leaves, and accesses of a run there."""
_MULTIPLE = re.compile(r"(\w+) % (\d+) == 0")
_EQUATION = re.compile(r"^[^%]*==")
Compare = Callable[[Pair, Budget], EquivReport]
"""A pair compared, within a budget."""
Sizes = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A requirement that makes a pair equal; `at`: only seen at these arguments, where sizes are given; else for all that
    meet it."""

    text: str
    at: str = ""


def suggestion(pair: Pair, report: EquivReport, compare: Compare, budget: Budget) -> Suggestion | None:
    """A requirement under which the pair is equal; None where none is found in the time or the tries."""
    contexts = _prepared(pair)
    if any(context.symbols() for context in contexts):
        return _for_all(pair, contexts, report, compare, budget)
    if report.counterexample is None:
        return None
    for pairs, made in islice(_moved(pair), MOST_TRIES):
        if budget.is_spent:
            return None
        tried = (_tried(trial, compare, budget) for trial in pairs)
        if all(each is not None and each.verdict is EquivVerdict.EQUAL for each in tried) and any(map(_stores, pairs)):
            return made
    return None


def _for_all(pair: Pair, contexts: list[Context], report: EquivReport, compare: Compare, budget: Budget) -> Suggestion | None:
    """A requirement under which all sizes hold, for sizes that are free."""
    rows = _texts(pair, contexts)
    wrong, tries = _wrong_at(report), MOST_TRIES

    def is_equal(text: str) -> bool:
        nonlocal tries, wrong
        tries -= 1
        trial = _under(pair, text)
        found = None if tries < 0 or budget.is_spent else _tried(trial, compare, budget)
        wrong += [] if found is None else [sizes for sizes in _wrong_at(found) if sizes not in wrong]
        return found is not None and found.verdict is EquivVerdict.EQUAL and _says_something(pair, trial)
    done = set[str]()
    while tries > 0 and not budget.is_spent:
        text = next((each for each in _excluding(rows, wrong, contexts) if each not in done), None)
        if text is None:
            return None
        done.add(text)
        if is_equal(text):
            row = next((row for row in rows if row[-1] == text), [text])
            return Suggestion(_weakest(row, is_equal))
    return None


def _weakest(row: Sequence[str], is_equal: Callable[[str], bool]) -> str:
    """The weakest requirement of a row that is enough, where the strongest, its last one, is."""
    low, high = 0, len(row) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_equal(row[middle]) else (middle + 1, high)
    return row[high]


def _tried(pair: Pair, compare: Compare, budget: Budget) -> EquivReport | None:
    """A pair compared; None where that ends early."""
    with suppress(InputError, UndecidedError, RecursionError):
        return compare(pair, budget.within(SECONDS_A_TRY))
    return None


def _wrong_at(report: EquivReport) -> list[Sizes]:
    """Launches at which the sides differ, or one of them is not deterministic."""
    found = [] if report.counterexample is None else [report.counterexample.sizes]
    found += [finding.sizes for side in report.reports.values() for finding in side.findings
              if finding.status is Status.CONFIRMED and report.verdict is EquivVerdict.NONDETERMINISTIC]
    return [{name: value for name, value in sizes.items() if isinstance(value, int)} for sizes in found if sizes]


def _excluding(rows: Sequence[Sequence[str]], wrong: Sequence[Sizes], contexts: Sequence[Context]) -> Iterator[str]:
    """The candidates that exclude all launches at which something is wrong: the strongest of each row, then two together, the
    weaker before, but for two bounds of one size, which leave few launches; equations last."""
    out = dict[str, frozenset[int]]()
    for text in chain.from_iterable(rows):
        with suppress(InputError):
            out[text] = frozenset(at for at, sizes in enumerate(wrong)
                                  if not all(holds(text, context.kernel, context, sizes) for context in contexts))
    alone = [row[-1] for row in rows if len(out.get(row[-1], ())) == len(wrong)]
    yield from (text for text in alone if not _EQUATION.search(text))
    useful = [(text, excluded) for text, excluded in out.items() if not _EQUATION.search(text) and 0 < len(excluded) < len(wrong)]
    for (one, first), (two, second) in combinations(useful, 2):
        is_span = one.split()[0] == two.split()[0] and not (_MULTIPLE.fullmatch(one) or _MULTIPLE.fullmatch(two))
        if len(first | second) == len(wrong) and not is_span:
            yield f"{one} && {two}"
    yield from (text for text in alone if _EQUATION.search(text))


def _is_met(pair: Pair) -> bool:
    """Whether some launch meets all requirements."""
    return next(_meeting(_prepared(pair), 1), None) is not None


def _meeting(contexts: list[Context], most: int) -> Iterator[Assignment]:
    """Launches that meet all requirements: of small sizes, and spread."""
    yield from islice(spread(contexts), most)
    yield from islice(admitted(contexts), most)


def _says_something(pair: Pair, trial: Pair) -> bool:
    """Whether an equality under one requirement more says something: arguments that had several values have so still, and an
    output is stored to at a launch that is left. `trial`: the pair under it."""
    before, left = (list(_meeting(_prepared(each), MOST_MET)) for each in (pair, trial))
    names = [param.name for param in pair.a.params
             if param.type.is_int and all(param.name in sizes for sizes in (*before, *left))]
    return not any(len({sizes[name] for sizes in left}) == 1 < len({sizes[name] for sizes in before}) for name in names) and (
        _stores(trial, left))


def _stores(pair: Pair, launches: Sequence[Assignment] = ({},)) -> bool:
    """Whether a run of one side stores to an output, at one of some launches."""
    stages = [Step(kernel, launch, side).stage() for kernel, launch, side in _sides(pair)]
    return any(_leaves(stage, sizes, pair.outputs) for sizes in launches for stage in stages)


def _leaves(stage: Stage, sizes: Assignment, outputs: Sequence[str]) -> bool:
    """Whether a run at some sizes stores to an array; not of one that is long."""
    for fill in (distinct(1), signs):
        with suppress(InputError, UndecidedError):
            outcome = stage.program.run(setting_at(stage.context, sizes, fill), Options(max_accesses=MOST_ACCESSES))
            if any(name in outcome.written and outcome.contents(name) for name in outputs):
                return True
    return False


def _prepared(pair: Pair) -> list[Context]:
    return [prepare(kernel, launch, prefix=side.prefix, sizes=side.sizes) for kernel, launch, side in _sides(pair)]


def _sides(pair: Pair) -> Iterator[tuple[Kernel, Launch, Side]]:
    yield pair.a, pair.launch_a, pair.side_a
    yield pair.b, pair.launch_b, pair.side_b


def _texts(pair: Pair, contexts: list[Context]) -> list[list[str]]:
    """The candidates of both kernels in rows; those of a row ask for more and more. Rows of more than one are bounds of a size;
    the lower ones come first, then multiples, the smaller before, then upper bounds and others."""
    stated = {*pair.launch_a.requires, *pair.launch_b.requires}
    params = {param.name for context in contexts for param in context.kernel.params if param.type.is_int}
    free = [name for name in dict.fromkeys(T.symbol_of(term).own for context in contexts for term in context.symbols())
            if name in params]
    numbers = sorted({number for context in contexts for number in _numbers(context)})
    lower = [[text for number in numbers if _is_met(_under(pair, text := f"{name} >= {number}"))] for name in free]
    upper = [[f"{name} <= {number}" for number in reversed(numbers)] for name in free]
    texts = dict.fromkeys(text for context in contexts for text in candidates(context.kernel, context) if text not in stated)
    multiples = sorted((text for text in texts if _MULTIPLE.fullmatch(text)), key=_multiple)
    others = [text for text in texts if not _MULTIPLE.fullmatch(text)]
    launches = (pair.launch_a, pair.launch_b)
    return [row for row in (*lower, *([text] for text in multiples), *upper, *([text] for text in others))
            if row and not is_on_host(row[0], launches)]


def _numbers(context: Context) -> list[int]:
    """What sizes may be as large as: what a kernel mentions, and its blocks and grids where they are stated, with some elements
    for each thread."""
    sizes = [[T.constant_value(context.size(size, axis)) for axis in AXES] for size in (Quantity.BLOCK_DIM, Quantity.GRID_DIM)]
    block, grid = (math.prod(int(each or 1) for each in part) for part in sizes)
    numbers = numbers_in(context.source)[:MOST_NUMBERS]
    many = [block * grid * each for each in numbers if each <= MOST_A_THREAD]
    return [each for each in (*numbers, block, grid, block * grid, *many) if each > 1]


def _multiple(text: str) -> int:
    """Of what number an argument is to be a multiple."""
    found = _MULTIPLE.fullmatch(text)
    return int(found[2]) if found else 0


def _under(pair: Pair, text: str) -> Pair:
    return replace(pair, launch_a=_requiring(pair.launch_a, text), launch_b=_requiring(pair.launch_b, text))


def _requiring(launch: Launch, text: str) -> Launch:
    return replace(launch, requires=(*launch.requires, text))


def _moved(pair: Pair) -> Iterator[tuple[list[Pair], Suggestion]]:
    """The pair with one integer argument at two smaller values, an odd and an even multiple, for each number that it is to be a
    multiple of."""
    given = {name: value for name, value in pair.launch_a.args.items()
             if isinstance(value, int) and pair.launch_b.args.get(name) == value}
    freed = replace(pair, launch_a=_without(pair.launch_a, given), launch_b=_without(pair.launch_b, given))
    contexts = _prepared(freed)
    for text in (row[-1] for row in _texts(freed, contexts)):
        found = _MULTIPLE.fullmatch(text)
        if found is None or found[1] not in given:
            continue
        name, step = found[1], int(found[2])
        many = given[name] // step
        values = [value for value in (many * step, (many - 1) * step) if value > 0] if given[name] % step else []
        if values:
            at = " and ".join(f"{name} = {value}" for value in values)
            yield [_at(pair, name, value) for value in values], Suggestion(text, at)


def _at(pair: Pair, name: str, value: int) -> Pair:
    return replace(pair, launch_a=_with(pair.launch_a, name, value), launch_b=_with(pair.launch_b, name, value))


def _without(launch: Launch, names: dict[str, int]) -> Launch:
    return replace(launch, args={name: value for name, value in launch.args.items() if name not in names})


def _with(launch: Launch, name: str, value: int) -> Launch:
    return replace(launch, args={**launch.args, name: value})
