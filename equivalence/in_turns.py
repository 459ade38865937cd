"""The generic thread of a proof, split by what a number leaves of its coordinate.

Input: a write of one kernel and the writes of the other to the same array. Output: views that together are every thread that
makes the write: one, or, where the other kernel fills `m·e`, `m·e + 1`, … one after the other (the parts of a `float4`) and this
one's index has a coordinate of the thread as it stands, one for each rest `r` of that coordinate by `m`, which is `m·u + r`
there. So each cell has one writer among the parts, without a solver. A view is of one coordinate and number: in another write's
that coordinate is bound to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd

from automata.lang.core import Quantity
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Term
from automata.logic.views import View, atom_of
from automata.proof.known.context import Context
from automata.proof.known.footprint import Access

GENERIC = View("t", "t")
MOST_PARTS = 8


def generic_threads(write: Access, others: Iterable[Access], context: Context,
                    encoder: Encoder) -> Iterator[tuple[View, Formula]]:
    """Views of a thread that makes a write, and what is known of each; all threads that make it are among them."""
    parts = _parts_of(others, encoder)
    found = _coordinate(write, parts, context, encoder) if parts > 1 else None
    if found is None:
        yield GENERIC, P.TRUE
        return
    term, high = found
    for rest in range(parts):
        view = View(f"t{rest}/{parts}#{term.serial}", "t")
        each = encoder.of_term(f"{rest} and {parts} times", term, view)
        value = encoder.known(each, (0, high // parts)).scale(parts).plus(rest)
        encoder.bindings[atom_of(term, view)] = value
        yield view, P.le(value, encoder.number(context.ranges[T.symbol_of(term)][1], view))


def _parts_of(others: Iterable[Access], encoder: Encoder) -> int:
    """The number by which the cells of several writes come in turns; 1 if they do not."""
    indices = [encoder.index(write.index[-1], GENERIC) for write in others]
    rates = gcd(*(coef for index in indices for mono, coef in index.terms.items() if mono))
    rests = {index.terms.get((), 0) % rates for index in indices} if rates > 1 else set()
    return rates if len(rests) > 1 and rates <= MOST_PARTS else 1


def _coordinate(write: Access, parts: int, context: Context, encoder: Encoder) -> tuple[Term, int] | None:
    """The coordinate of the thread that stands in an index as it is, while all else there is a multiple of a number; and its
    highest value, from 0 on. None where there is none such."""
    index = encoder.index(write.index[-1], GENERIC)
    odd = [mono for mono, coef in index.terms.items() if mono and coef % parts]
    names: dict[Atom, Term] = {atom_of(term, GENERIC): term for term in context.coordinates(Quantity.THREAD)}
    if len(odd) != 1 or len(odd[0]) != 1 or odd[0][0] not in names or abs(index.terms[odd[0]]) != 1:
        return None
    term = names[odd[0][0]]
    least, most = encoder.interval(Poly.atom(odd[0][0]))
    return (term, most) if least == 0 else None
