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
    if not root.roles & Role.UNDEFINED:
        return T.FALSE
    unset: dict[int, Term] = {}
    used: dict[int, Term] = {}
    for term in T.subterms(root):
        unset[term.serial] = _unset(term, unset)
        used[term.serial] = _used(term, unset, used)
    return used[root.serial]


class Nothing:
    """When terms have no value: they are undefined ones, or computed with such. Where they have one it does not hang on those:
    none of them was evaluated. Of each term it is found out once."""

    def __init__(self) -> None:
        self.seen: set[Term] = set()
        self.when: dict[int, Term] = {}

    def of(self, root: Term) -> Term:
        """The condition under which a term has no value."""
        if not root.roles & Role.UNDEFINED:
            return T.FALSE
        for term in T.unseen([root], self.seen):
            self.when[term.serial] = self._of(term)
        return self.when[root.serial]

    def _of(self, term: Term) -> Term:
        if term.op == "undef":
            return T.TRUE
        first, *rest = [self.when[arg.serial] for arg in term.args] or [T.FALSE]
        if term.op == "ite":
            then, other = rest
            return _any(first, then if then is other else T.select(term.args[0], then, other))
        if term.op in ("&&", "||"):
            goes_on = term.args[0] if term.op == "&&" else T.negate(term.args[0])
            return _any(first, T.conjunction(goes_on, rest[0]))
        return _any(first, *rest)


def _any(*tests: Term) -> Term:
    """That one of some tests holds; of what several of them are made of, each once."""
    parts: dict[Term, None] = {}
    for test in tests:
        stack = [test]
        while stack:
            part = stack.pop()
            if part.op == "||":
                stack += part.args[::-1]
            else:
                parts[part] = None
    found = T.FALSE
    for part in parts:
        found = T.disjunction(found, part)
    return found


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
