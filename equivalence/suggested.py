"""One more requirement under which two kernels are equal, where a counterexample shows that they are not.

Input: the pair, its counterexample, and how it is compared. Output: a requirement that the counterexample breaks and under
which the comparison says `equal`. Candidates are those for one kernel (`proof.preconditions`): multiples of the constants in the
source, sizes that cover the data, blocks of whole warps and so on. With sizes that are free the requirement joins the
launch. Where all are given, an argument is moved down to a value that meets it, and the answer says which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from automata.budget import Budget
from automata.lang.launch import Launch
from automata.place import InputError, UndecidedError
from automata.proof.context import Context, prepare
from automata.proof.preconditions import candidates, holds
from equivalence.pairing import Pair
from equivalence.result import Counterexample, EquivReport, EquivVerdict

MOST_TRIES = 24
SECONDS_A_TRY = 10.0
_MULTIPLE = re.compile(r"(\w+) % (\d+) == 0")
Compare = Callable[[Pair, Budget], EquivReport]
"""A pair compared, within a budget."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A requirement that makes a pair equal; `at`: only seen at these arguments, where sizes are given; else for all that
    meet it."""

    text: str
    at: str = ""


def suggestion(pair: Pair, found: Counterexample, compare: Compare, seconds: float) -> Suggestion | None:
    """The first requirement under which the pair is equal; None where none is found in the time or the tries."""
    budget = Budget.of(seconds)
    tries = MOST_TRIES
    for pairs, made in _trials(pair, found):
        if budget.is_spent or not tries:
            return None
        tries -= 1
        with suppress(InputError, UndecidedError, RecursionError):
            if all(compare(trial, budget.within(SECONDS_A_TRY)).verdict is EquivVerdict.EQUAL for trial in pairs):
                return made
    return None


def _trials(pair: Pair, found: Counterexample) -> Iterator[tuple[list[Pair], Suggestion]]:
    """The pair under each candidate that the counterexample breaks; at a launch, at two values of an argument."""
    free = _prepared(pair)
    if any(context.symbols() for context in free):
        sizes = {name: value for name, value in found.sizes.items() if isinstance(value, int)}
        for text in _texts(pair, free):
            with suppress(InputError):
                if not all(holds(text, context.kernel, context, sizes) for context in free):
                    yield [_under(pair, text)], Suggestion(text)
    else:
        yield from _moved(pair)


def _prepared(pair: Pair) -> list[Context]:
    return [prepare(kernel, launch, prefix=side.prefix, sizes=side.sizes)
            for kernel, launch, side in ((pair.a, pair.launch_a, pair.side_a), (pair.b, pair.launch_b, pair.side_b))]


def _texts(pair: Pair, contexts: list[Context]) -> list[str]:
    """The candidates of both kernels: multiples first, the smaller ones before, for those are asked for least."""
    stated = {*pair.launch_a.requires, *pair.launch_b.requires}
    texts = dict.fromkeys(text for context in contexts for text in candidates(context.kernel, context))
    return sorted((text for text in texts if text not in stated), key=_multiple)


def _multiple(text: str) -> float:
    """Of what number an argument is to be a multiple; infinity for other requirements."""
    found = _MULTIPLE.fullmatch(text)
    return int(found[2]) if found else math.inf


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
    for text in _texts(freed, contexts):
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
