"""What may wrap: the terms of a footprint whose value matters, and in what order they are looked at.

Input: the observations of a footprint. Output: each observed term with the guards and places where it is; and the terms in
levels, such that what a guard or another term says of a term is known before it is asked whether that one stays in its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Role, Term
from automata.proof.known.context import ONE
from automata.proof.known.footprint import Footprint, Observation
from automata.scalar import Kind

Sites = dict[Term, list[Observation]]
_MOST_DIVIDED = 2_000
"""Parts of a value that are looked at for what it divides by."""


def sites_of(footprint: Footprint) -> Sites:
    """Each observed term with the guards and places where it is, arguments before their users; looked for once."""
    if footprint.sites is None:
        footprint.sites = _sites(footprint)
    return footprint.sites


def _sites(footprint: Footprint) -> Sites:
    """The same, looked for.

    Where an unknown value of a loop is observed or stored, what the rounds leave for it is looked at too: as a value that is
    stored, where it gets into such ones alone. So a sum that is stored is as good as its summands.
    """
    found: dict[Term, list[Observation]] = {}
    todo = sorted(footprint.observations, key=lambda seen: seen.is_value)
    marks = _Marks()
    followed: set[object] = set()
    looked_at: set[Term] = set()
    at = 0
    while at < len(todo):
        seen = todo[at]
        at += 1
        marked = marks.of(seen.term)
        for part in T.unseen([*marked, seen.term], looked_at):
            if part.op == "call" and part.data not in followed:
                followed.add(part.data)
                behind = footprint.defined.get(part.data, [])
                todo[at:at] = [replace(each, is_value=True) for each in behind] if seen.is_value else behind
        for term in filter(_is_observed, marked if seen.is_value else (*marked, seen.term)):
            sites = found.setdefault(term, [])
            if all(site.guard is not seen.guard for site in sites):
                sites.append(seen)
    return found


def data_compared(guard: Term) -> list[Term]:
    """The values out of memory that a guard compares with others: they bound the rounds of a loop, say."""
    found: dict[Term, None] = {}
    for part in T.subterms(guard):
        if part.op in ("<", "<=", "==", "!=") and is_of_data(part):
            found |= dict.fromkeys(each for arg in part.args for each in data_in(arg))
    return list(found)


def is_of_data(root: Term) -> bool:
    """Whether a value hangs on memory or on floats, of which no size says anything: a coordinate times a scale, rounded."""
    return bool(root.roles & (Role.DATA | Role.ROUNDED))


def data_in(root: Term) -> list[Term]:
    """The values out of memory that sums and products are made of: what is read, made of floats, or chosen by data."""
    found: dict[Term, None] = {}
    stack, seen = [root], set[Term]()
    while stack:
        term = stack.pop()
        if term in seen or not is_of_data(term):
            continue
        seen.add(term)
        is_sum = term.op in ("+", "-", "*", "neg", "~", "<<") or (term.op == "cast" and term.args[0].type.is_int)
        if is_sum or (term.op == "ite" and not is_of_data(term.args[0])):
            stack += term.args
        elif term.type.is_int:
            found[term] = None
    return list(found)


def _is_observed(term: Term) -> bool:
    return term.type.kind is Kind.INT and term.op not in ("const", "sym", "read", "undef")


class _Marks:
    """The sub-terms of terms whose value, not only their residue, matters to these; arguments before their users.

    What is found for a term serves all that hold it. At most `MOST` elements are kept, in all lists: in a term that is thousands
    deep each part has a list of its own, and such a term is walked by itself.
    """

    MOST = 1_000_000

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.kept: dict[Term, tuple[Term, ...]] = {}
        self.seen: set[Term] = set()
        self.size = 0

    def of(self, root: Term) -> tuple[Term, ...]:
        """Those of `root`, without itself."""
        for term in T.unseen([root], self.seen):
            below = [kept for arg in dict.fromkeys(term.args) if (kept := self.kept[arg])]
            if _minds(term) or len(below) > 1:
                self.kept[term] = tuple(dict.fromkeys((*(part for each in below for part in each), *_minded(term))))
                self.size += len(self.kept[term])
            else:
                self.kept[term] = below[0] if below else ()
            if self.size > self.MOST:
                self.forget()
                return tuple(dict.fromkeys(arg for part in T.subterms(root) for arg in _minded(part)))
        return self.kept[root]


def _minded(term: Term) -> tuple[Term, ...]:
    return term.args if _minds(term) else ()


def _minds(term: Term) -> bool:
    """Whether the value of a term's arguments matters to it, not only their residue."""
    return term.op in ("<", "<=", "==", "/", "%", "&", "|", "^", ">>", "read") or (
        term.op == "cast" and term.type.bits > term.args[0].type.bits)


def is_shift(term: Term) -> bool:
    """Whether a term is a signed number shifted to the left: what the unsigned type holds of it is converted."""
    return term.op == "<<" and term.type.signed


def inner_shifts(term: Term) -> list[Term]:
    """The signed left shifts in a sum that are not the whole of it, inner ones first."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    todo = [(part, False) for part in _summands(term)]
    while todo:
        part, is_done = todo.pop()
        if is_done:
            found[part] = None
        elif part not in seen:
            seen.add(part)
            todo += [(part, True)] if is_shift(part) and T.constant_value(part.args[1]) is not None else []
            todo += [(inner, False) for inner in _summands(part)]
    return list(found)


def _summands(term: Term) -> tuple[Term, ...]:
    """What an operation that commutes with wrapping works on."""
    if term.op == "cast":
        return term.args if term.type.bits <= term.args[0].type.bits and term.args[0].type.kind is Kind.INT else ()
    return {"+": term.args, "-": term.args, "*": term.args, "neg": term.args, "~": term.args, "ite": term.args[1:],
            "<<": term.args[:1]}.get(term.op, ())


def is_split(term: Term, number: Term) -> bool:
    """Whether a value is made of quotients or remainders of a number of rounds, and of nothing that a round leaves to the next:
    what it was in the round before says nothing of it then."""
    parts = list(T.subterms(term))
    divided = [part.args[0] for part in parts if part.op in ("/", "%")]
    return any(number in set(T.subterms(each)) for each in divided) and not any(
        part.op == "call" and number in part.args for part in parts)


def levels(sites: Sites) -> Iterator[Sites]:
    """Terms in the order of what they rest on: the terms in them, always; those in the guards of their sites, but where these
    rest on each other in a circle. Those of one level do not hold each other."""
    within = T.gathered([*sites, *(site.guard for seen in sites.values() for site in seen)], sites)
    inside = {term: set(within[term]) - {term} for term in sites}
    around = {term: set().union(*(within[site.guard] for site in seen)) - inside[term] - {term}
              for term, seen in sites.items()}
    left = dict(sites)
    while left:
        ready = [term for term in left if not inside[term] and not around[term]]
        ready = ready or [_of_a_circle(left, inside, around)]
        yield {term: left.pop(term) for term in ready}
        for term in left:
            inside[term].difference_update(ready)
            around[term].difference_update(ready)


def _of_a_circle(left: Sites, inside: dict[Term, set[Term]], around: dict[Term, set[Term]]) -> Term:
    """The first of some terms that rest on each other and on nothing else, and of which none is in it. Who rests on one that is
    in no such circle is in none."""
    outside_all: set[Term] = set()
    for term in left:
        if not inside[term]:
            if _is_in_circle(term, inside, around, outside_all):
                return term
            outside_all.add(term)
    raise AssertionError(left)


def _is_in_circle(term: Term, inside: dict[Term, set[Term]], around: dict[Term, set[Term]], outside_all: set[Term]) -> bool:
    """Whether all that a term rests on, directly or not, rests on the term."""
    below, todo = {term}, [term]
    while todo:
        part = todo.pop()
        new = (inside[part] | around[part]) - below
        if not new.isdisjoint(outside_all):
            return False
        below |= new
        todo += new
    above, rest = {term}, below - {term}
    while rest:
        more = {part for part in rest if not (inside[part].isdisjoint(above) and around[part].isdisjoint(above))}
        if not more:
            return False
        above |= more
        rest -= more
    return True


def divisors(term: Term) -> list[tuple[Term, Term]]:
    """The sizes and parameters, and what is made of them, that a value divides by, each with when it does: what stands in one
    branch of a choice may be there because the divisor is zero elsewhere. What stands behind `&&` or `||` is left out."""
    found: dict[tuple[Term, Term], None] = {}
    stack, seen = [(T.TRUE, term)], set[tuple[Term, Term]]()
    while stack and len(seen) < _MOST_DIVIDED:
        test, part = stack.pop()
        if (test, part) in seen or (T.TRUE, part) in seen:
            continue
        seen.add((test, part))
        if part.op in ("/", "%") and part.type.is_int:
            found[test, part.args[1]] = None
        if part.op == "ite":
            chosen, then, other = part.args
            stack += (T.conjunction(test, T.negate(chosen)), other), (T.conjunction(test, chosen), then), (test, chosen)
        elif part.op not in ("&&", "||"):
            stack += ((test, arg) for arg in part.args)
    return [(test, divisor) for test, divisor in found if T.constant_value(divisor) is None and not divisor.roles & Role.DATA]


def divides(term: Term, encoder: Encoder) -> list[Formula]:
    """That what a value divides by is not zero: C says nothing of such a quotient, so that it leaves its type is no news."""
    zero = Poly.number(0)
    return [P.disj((P.neg(encoder.truth(test, ONE)), P.neg(P.eq(encoder.index(divisor, ONE), zero))))
            for test, divisor in divisors(term)]


def outside(term: Term, value: Poly) -> Formula:
    """That a value is not in its type."""
    return P.disj((P.lt(value, Poly.number(term.type.low)), P.lt(Poly.number(term.type.high), value)))


def overflow_is_undefined(term: Term, counted: Set[Term] = frozenset()) -> bool:
    """Whether leaving the type is an overflow of signed arithmetic, not a defined conversion or wrap."""
    return term.type.signed and stripped(term).type.signed and not narrows(term, counted)


def narrows(term: Term, counted: Set[Term] = frozenset()) -> bool:
    """Whether the value is cut from a wider type on its way. `counted`: rounds as locals count them: a local that begins at zero
    and is raised by one is the number of the round, and is written as that number in its type."""
    while term.op == "cast" and term not in counted:
        if term.type.bits < term.args[0].type.bits and not term.args[0].type.is_float:
            return True
        term = term.args[0]
    return False


def stripped(term: Term) -> Term:
    while term.op == "cast":
        term = term.args[0]
    return term
