"""Wide accesses through casts are at multiples of their width: shown, found not to be, or assumed aloud.

Input: the footprint's `distances`, claims that the distance of an access from the beginning of its array is such a multiple
(where arrays begin: `automata.rewriting.alignment`). For each of them

- no thread breaks it: nothing to say;
- a thread breaks it also where all sizes and arguments that the distance names are multiples of that width: no size is to blame,
  and there is a launch to run, which decides;
- else it hangs on sizes or data (a row of `n` floats read as float4): assumed, with its line, unless the launch says where the
  array begins. Who says that wants to know: then whatever is not shown counts.

The idea: whether a sum is a multiple of a power of two does not change when it wraps. So sums of 64 bits that only lead to the
distance are read as integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, Mode
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Sat, Unsat
from automata.logic.terms import Role, Term
from automata.passes import passing
from automata.place import Place
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Claimed, Footprint
from automata.proof.obligations.claims import Held
from automata.scalar import I64

ALIGNED = "wide accesses through casts are aligned"
MOST_ASKED = 8
"""Claims that are asked about one by one; of more, those that are left are assumed, or open."""


@dataclass
class Aligned:
    """`held`: claims that may fail, or of which nothing may be assumed; `assumed`: places where it is assumed."""

    held: list[Held] = field(default_factory=list)
    assumed: list[Place] = field(default_factory=list)


@passing("alignment", lambda found: f"{len(found.assumed)} assumed" if found.assumed else "none assumed")
def check_alignment(context: Context, footprint: Footprint) -> Aligned:
    """Each wide access through a cast."""
    found = Aligned(assumed=list(footprint.unread))
    encoder = context.encoder()
    _read_as_integers([item.test for item in footprint.distances], encoder)
    fails = [(item, P.conj((encoder.truth(item.guard, ONE), P.neg(encoder.truth(item.test, ONE)))))
             for item in footprint.distances]
    fails = [(item, formula) for item, formula in fails if formula != P.FALSE]
    if not fails or isinstance(context.ask([P.disj(formula for _, formula in fails)], encoder, model=False), Unsat):
        return found
    for at, (item, formula) in enumerate(fails):
        if at < MOST_ASKED or item.claim.begins:
            _settle(context, encoder, item, formula, footprint, found)
        else:
            found.assumed.append(item.claim.place)
    return found


def _settle(context: Context, encoder: Encoder, item: Claimed, formula: Formula, footprint: Footprint, found: Aligned) -> None:
    """One claim."""
    if item.claim.begins:
        found.held.append(Held(item, context.ask([formula], encoder)))
        return
    if not _hangs_on_data(item.test, footprint):
        answer = context.ask([formula, *_multiples(context, encoder, item)], encoder)
        if isinstance(answer, Sat):
            found.held.append(Held(item, answer))
            return
    if not isinstance(context.ask([formula], encoder, readable=False), Unsat):
        found.assumed.append(item.claim.place)


def _hangs_on_data(test: Term, footprint: Footprint) -> bool:
    """Whether data decide the distance, or an argument that is a float, of which no multiple says anything: also by what a loop
    carries, and by when a loop ends behind which that is computed."""
    todo, seen = [test], set[object]()
    while todo:
        term = todo.pop()
        parts = T.subterms(term)
        if term.roles & Role.DATA or any(part.op == "sym" and part.type.is_float for part in parts):
            return True
        for part in parts:
            if part.op == "call" and part.data not in seen:
                seen.add(part.data)
                todo += [each.term for each in footprint.defined.get(part.data, [])]
            elif part in footprint.left and footprint.left[part][1].roles & Role.DATA:
                return True
    return False


def _multiples(context: Context, encoder: Encoder, item: Claimed) -> list[Formula]:
    """All sizes and arguments that the distance names are multiples of so many bytes."""
    parts = T.subterms(item.test)
    return [P.eq(encoder.number(term, ANY), Poly.atom(encoder.of_term("multiple", term, ANY)).scale(item.claim.unit))
            for term in context.symbols() if term in parts]


def _read_as_integers(tests: Sequence[Term], encoder: Encoder) -> None:
    """Sums and products of 64 bits of which only the rest by a power of two counts, and that nothing else looks at."""
    todo = [part.args[0] for test in tests for part in T.subterms(test) if part.op == "%"]
    while todo:
        term = todo.pop()
        if term.op in ("+", "-", "*", "neg") and term.type == I64 and term not in encoder.modes:
            encoder.modes[term] = Mode.PLAIN
            todo += term.args
