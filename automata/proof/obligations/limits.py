"""Limits that the proof for all sizes prints, and that a launch with numbers does not keep.

Where nothing bounds what is behind a value, that it does not wrap is assumed, aloud. Input: what is known of a launch with
numbers, in which unsigned values or conversions wrap without a word. Output: the values that would be assumed not to wrap if the
launch left its sizes open, and that do at these numbers: overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from itertools import islice

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Sat
from automata.logic.terms import Role, Term
from automata.place import InputError, UndecidedError
from automata.proof.known.context import ONE, Context, known_numbers, prepare
from automata.proof.obligations.overflows import Overflow, Wraps
from automata.proof.obligations.wraps import decide_wraps
from automata.proof.symbolic.loops import footprint
from automata.proof.symbolic.observed_terms import overflow_is_undefined
from automata.rewriting.lower import lower
from automata.thread.build import build

SECONDS = 10.0
"""To look at the kernel for all sizes."""
MOST = 2


def broken_limits(context: Context, found: Wraps, side: str, refuter: Callable[[Context], Callable[[list[Term]], bool]],
                  statements: int | None) -> list[Overflow]:
    """The values that the proof for all sizes assumes not to wrap, and that do at this launch. `statements`: how many unrolling
    may make, if fewer than the limit."""
    launch = context.launch
    if not found.is_silent or not (launch.is_stated or launch.args) or context.is_late():
        return []
    try:
        unstated = replace(launch, grid=None, block=None, args={}, extents={}, ranges={})
        free = prepare(context.source, unstated, prefix=context.prefix)
        free.budget = context.budget.within(SECONDS)
        free.kernel = lower(free.source, known_numbers(free), statements)
        seen = footprint(build(free.kernel), free.values, free.ranges, refuter(free), side)
        wraps = decide_wraps(free, seen)
    except (UndecidedError, InputError):
        return []
    return list(islice(_broken(free, wraps, context, seen.counted), MOST))


def _broken(free: Context, wraps: Wraps, context: Context, counted: Set[Term]) -> Iterator[Overflow]:
    assumed = dict(free.assumed)
    free.assumed.clear()
    encoder = free.encoder()
    stated: list[Formula] = []
    for name, term in free.values.items():
        size = T.constant_value(context.values[name])
        if term.op == "sym" and term.type.is_int and size is not None and not term.roles:
            stated.append(P.eq(encoder.number(term, ANY), Poly.number(int(size))))
    for term, guards in assumed.items():
        if term.roles & Role.DATA or overflow_is_undefined(term, counted) or _is_open(term, free, context):
            continue
        model = next((model for guard in guards for outside in _outside(term, encoder.number(term, ONE))
                      if (model := _model(free, [encoder.truth(guard, ONE), outside, *stated], encoder)) is not None), None)
        if model is not None:
            yield Overflow(term, wraps.places[term], model, is_limit=True, is_plain=_is_plain(term))


def _is_open(term: Term, free: Context, context: Context) -> bool:
    """Whether the launch leaves open a size behind a value: then no number of it says that the value wraps."""
    parts = [part for root in (term, *_ends(term, free)) for part in T.subterms(root) if part.op == "sym"]
    sizes = [name for part in parts if T.size_of(part) for name, value in free.values.items() if value is part]
    return any(T.constant_value(context.values[name]) is None for name in sizes)


def _ends(term: Term, free: Context) -> list[Term]:
    """Of the coordinates in a value, how far they go."""
    symbols = [part for part in T.subterms(term) if part.op == "sym" and T.symbol_of(part) in free.ranges]
    return [end for part in symbols for end in free.range_of(part)]


def _is_plain(term: Term) -> bool:
    """Whether nothing speaks for a wrap that is meant: a number of threads or blocks that becomes signed, without parameters."""
    return term.type.signed and all(T.size_of(part) for part in T.subterms(term) if part.op == "sym" and not part.roles)


def _model(context: Context, formulas: list[Formula], encoder: Encoder) -> dict[Atom, int] | None:
    answer = context.ask(formulas, encoder)
    return dict(answer.model) if isinstance(answer, Sat) else None


def _outside(term: Term, value: Poly) -> tuple[Formula, ...]:
    """That a value is not in its type: first of all so that its bits are those of another sign, which a run shows."""
    low, high = Poly.number(term.type.low), Poly.number(term.type.high)
    seen = P.conj((P.lt(high, value), P.lt(value, Poly.number(1 << term.type.bits))))
    return seen, P.disj((P.lt(value, low), P.lt(high, value)))
