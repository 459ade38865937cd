"""Values that a loop carries from round to round and that only data make large.

Input: the footprint's unknown functions of the round, each with what a round leaves to the next for it. Output: those of them
into which data get (what is read, made of floats, or chosen by them) and which no round makes larger but by adding or taking away
what it does not make of them: `sum += a[i]`, `left = a[i] - left`, `index %= strides[i]`. So where all data are small such a
value is as large as there are rounds, and not as `x = 2 * x + a[i]` is, which doubles.

The idea: a round may use such a value once in sums, differences, choices, and in what is divided; not as a factor, and not
twice, but for a - a / b * b, which is a % b. What carries values to each other, as a swap does, is looked at together. Numbers of
the text that are large are no data: where one is near such a value, nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import networkx

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Role, Term
from automata.proof.known.context import ONE
from automata.proof.known.footprint import Footprint
from automata.proof.known.sizes import SMALL_PRODUCT, SMALL_SCALAR
from automata.proof.symbolic.observed_terms import data_compared, data_in, is_of_data

_TOO_MANY = 2
_LARGE = 1 << 16
"""Of numbers in the text: what is added in each round is less."""
_MOST_PARTS = 4_000
"""Parts of the terms of one group that are looked at."""


def grown_by_data(footprint: Footprint) -> frozenset[object]:
    """The names of unknown functions of the round that are made of data, and grow by sums alone; and of those that count the
    rounds of loops in the loop: a sum of the value before, numbers of the text and of rounds."""
    ends = {name: [seen.term for seen in left] for name, left in footprint.defined.items()}
    graph = networkx.DiGraph()
    graph.add_nodes_from(ends)
    data = set[object]()
    for name, terms in ends.items():
        graph.add_edges_from((name, part.data) for part in T.unseen(terms, set()) if part.op == "call" and part.data in ends)
        if any(map(is_of_data, terms)):
            data.add(name)
    found = set[object]()
    for group in networkx.strongly_connected_components(graph):
        left = [term for name in group for term in ends[name]]
        is_made = data & set().union(group, *(networkx.descendants(graph, name) for name in group))
        if (is_made and _grows_by_sums(group, left)) or all(_counts(term, group, footprint.heads) for term in left):
            found |= group
    return frozenset(found)


def _counts(term: Term, group: set[object], heads: Mapping[Term, Term]) -> bool:
    """Whether a round leaves a value that is the one before and more, by numbers of the text and of rounds."""
    if term in heads or (term.op == "call" and term.data in group):
        return term.type.is_int
    number = T.constant_value(term) if term.type.is_int else None
    if number is not None:
        return abs(int(number)) < _LARGE
    if term.op == "cast":
        arg = term.args[0]
        return arg.type.is_int and min(term.type.bits, arg.type.bits) >= 32 and _counts(arg, group, heads)
    parts = term.args[1:] if term.op == "ite" else term.args
    return term.op in ("+", "-", "ite") and all(_counts(part, group, heads) for part in parts) and _uses_once(term, group)


def _uses_once(term: Term, group: set[object]) -> bool:
    """Whether a sum holds the value before in one of its sides alone."""
    return term.op == "ite" or sum(any(part.op == "call" and part.data in group for part in T.subterms(side))
                                   for side in term.args) < _TOO_MANY


def _grows_by_sums(group: set[object], ends: Iterable[Term]) -> bool:
    """Whether what a round leaves uses the values of a group as sums do."""
    uses = dict[Term, int]()
    for term in T.unseen(ends, set()):
        number = T.constant_value(term) if term.type.is_int else None
        if number is not None and abs(int(number)) >= _LARGE:
            return False
        uses[term] = _uses(term, group, uses)
        if len(uses) > _MOST_PARTS:
            return False
    return all(uses[term] < _TOO_MANY for term in ends)


def _uses(term: Term, group: set[object], uses: dict[Term, int]) -> int:
    """How often a value of a group is in a term, as a summand; `_TOO_MANY` where it is there in another way."""
    if term.op == "call" and term.data in group:
        return 1
    own = [uses[arg] for arg in term.args]
    if term.op in ("read", "const", "sym", "undef", "<", "<=", "==", "!", "&&", "||") or not any(own):
        return 0
    if not term.type.is_int:
        return _TOO_MANY
    if term.op == "ite":
        return max(own[1:])
    if term.op in ("cast", "neg", "~"):
        return own[0]
    if term.op in ("/", ">>") and not own[1]:
        return own[0]
    if term.op == "%":
        return max(own) if 0 in own else _TOO_MANY
    if term.op in ("+", "-"):
        return own[0] if term.op == "-" and _is_rest(*term.args) else min(sum(own), _TOO_MANY)
    return _TOO_MANY


def _is_rest(whole: Term, multiple: Term) -> bool:
    """Whether `whole - multiple` is a - a / b * b."""
    if multiple.op != "*":
        return False
    return any(part.op == "/" and part.args == (whole, by) for part, by in (multiple.args, multiple.args[::-1]))


def grown_in(term: Term, grown: Set[object]) -> list[Term]:
    """The values in a term that a round before left, of functions of the round by name."""
    return [part for part in T.subterms(term) if part.op == "call" and part.data in grown] if grown else []


def small_data(encoder: Encoder, term: Term, guard: Term, grown: Set[object]) -> list[Formula]:
    """That the values out of memory in a value and its guard are small, and so are those of functions of the round; of products
    of two values of data, of which the solvers know nothing, that they are what comes of small ones."""
    products = [part for part in T.subterms(term) if part.op == "*" and part.type.is_int
                and part.args[0].roles & part.args[1].roles & Role.DATA]
    small = (*data_in(term), *data_compared(guard), *grown_in(term, grown))
    parts = dict.fromkeys(small, SMALL_SCALAR) | dict.fromkeys(products, SMALL_PRODUCT)
    numbers = [(encoder.number(part, ONE), Poly.number(most)) for part, most in parts.items()]
    return [part for number, most in numbers for part in (P.le(most.scale(-1), number), P.le(number, most))]
