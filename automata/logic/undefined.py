"""When an operation is applied to a value that nobody has set.

C leaves the result undefined whatever the operation is: `v - v` and `v & 0` as well. A value that is only passed on, or that a
choice leaves out, is not computed with.
"""

from __future__ import annotations

from automata.logic import terms as T
from automata.logic.terms import Role, Term

_PASS = frozenset({"ite", "cast", "const", "sym", "undef"})


def computed_with_nothing(root: Term) -> Term:
    """The condition under which the evaluation of a term computes with an undefined value."""
    return Nothing().computed_with(root)


class Nothing:
    """When terms are undefined values themselves, and when their evaluation computes with one; of each term found out once."""

    def __init__(self) -> None:
        self.seen: set[Term] = set()
        self.unset: dict[int, Term] = {}
        self.used: dict[int, Term] = {}

    def computed_with(self, root: Term) -> Term:
        """When the evaluation of a term computes with an undefined value."""
        if not root.roles & Role.UNDEFINED:
            return T.FALSE
        self.look(root)
        return self.used[root.serial]

    def is_all(self, root: Term) -> Term:
        """When a term has no value: it is an undefined one, or computed with one."""
        if not root.roles & Role.UNDEFINED:
            return T.FALSE
        self.look(root)
        return T.disjunction(self.unset[root.serial], self.used[root.serial])

    def look(self, root: Term) -> None:
        for term in T.unseen([root], self.seen):
            self.unset[term.serial] = _unset(term, self.unset)
            self.used[term.serial] = _used(term, self.unset, self.used)


def _unset(term: Term, unset: dict[int, Term]) -> Term:
    """When the value itself is undefined, passed on as it is."""
    match term.op:
        case "undef":
            return T.TRUE
        case "cast":
            return unset[term.args[0].serial]
        case "ite":
            test, then, other = term.args
            return T.select(test, unset[then.serial], unset[other.serial])
    return T.FALSE


def _used(term: Term, unset: dict[int, Term], used: dict[int, Term]) -> Term:
    inner = [used[arg.serial] for arg in term.args]
    match term.op:
        case "ite":
            test, then, other = inner
            chosen = T.select(term.args[0], then, other)
            return T.disjunction(T.disjunction(test, unset[term.args[0].serial]), chosen)
        case "&&" | "||":
            first, second = term.args
            goes_on = first if term.op == "&&" else T.negate(first)
            found = T.disjunction(inner[0], T.conjunction(goes_on, inner[1]))
            return T.disjunction(found, T.disjunction(unset[first.serial], T.conjunction(goes_on, unset[second.serial])))
    found = T.FALSE
    for arg, part in zip(term.args, inner, strict=True):
        found = T.disjunction(found, part if term.op in _PASS else T.disjunction(part, unset[arg.serial]))
    return found
