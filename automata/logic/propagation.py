"""A conjunction refuted by the intervals of its atoms alone, without a solver.

Input: formulas, and numeric bounds of their atoms. Output: whether no values within the bounds satisfy them all, as far
as can be told so, False says nothing; or the bounds that they leave to each atom. Every relation that must hold narrows
the bounds of the atoms in it, given those of the others; of a disjunction, what the bounds exclude is dropped, and the
last part left must hold. Repeated until nothing changes or for MOST_PASSES (bounds propagation: Benhamou and Granvilliers,
"Continuous and Interval Constraints", in the Handbook of Constraint Programming, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from automata.budget import METER
from automata.logic.atom import Atom
from automata.logic.atoms import HUGE, Interval, interval_of, scaled
from automata.logic.poly import RELATION, And, Formula, Not, Or, Prop, Rel, inside_out

MOST_PASSES = 6
MOST_SPLITS = 2
FAR = 1 << 128
"""Beyond it a bound comes from an atom that has none."""


def narrowed(formulas: Iterable[Formula], intervals: Mapping[Atom, Interval]) -> Callable[[Atom], Interval] | None:
    """The bounds of each atom where all the formulas hold; None: no values within the intervals satisfy them."""
    found = _Bounds(intervals)
    return None if found.refute(formulas, MOST_SPLITS) else found.bounds


class _Empty(Exception):
    """Nothing is left."""


class _Bounds:
    """What is known of atoms (`intervals`, narrowed in `own`) and of propositions (`props`).

    `relations`: numbered as they came; `stale`: those that speak of an atom whose bounds have changed since they were looked at;
    `speaking`: which relations speak of an atom, beside those that `around` knows of, which is what is known without a case.
    """

    def __init__(self, intervals: Mapping[Atom, Interval], around: _Bounds | None = None) -> None:
        self.intervals, self.around = intervals, around
        self.own: dict[Atom, Interval] = {}
        self.props: dict[Atom, bool] = {}
        self.relations: dict[Rel, int] = {}
        self.stale: set[int] = set()
        self.speaking: dict[Atom, list[int]] = {}
        self.clauses: list[Or] = []
        self.changed = False

    def refute(self, formulas: Iterable[Formula], splits: int) -> bool:
        """Whether nothing is left once formulas hold too, by cases of so many disjunctions at most."""
        try:
            for formula in formulas:
                self.require(formula)
            self.spread()
        except _Empty:
            return True
        if not splits or not self.clauses:
            return False
        cases = min(self.clauses, key=lambda clause: len(clause.args))
        return all(self.without(cases).refute([case], splits - 1) for case in cases.args)

    def without(self, cases: Or) -> _Bounds:
        """What is known besides a disjunction."""
        found = _Bounds(self.intervals, self)
        found.own, found.props, found.relations = dict(self.own), dict(self.props), dict(self.relations)
        found.stale = set(self.stale)
        found.clauses = [clause for clause in self.clauses if clause is not cases]
        return found

    def spread(self) -> None:
        """Narrow the bounds until nothing changes; _Empty when nothing is left."""
        for _ in range(MOST_PASSES):
            self.changed = False
            if self.stale:
                for relation, number in list(self.relations.items()):
                    if number in self.stale:
                        self.stale.remove(number)
                        self.narrow(relation)
            clauses, self.clauses = self.clauses, []
            truths: dict[int, bool | None] = {}
            for clause in clauses:
                self.settle(clause, truths)
            if not self.changed:
                return

    def require(self, formula: Formula) -> None:
        """Note that a formula holds."""
        match formula:
            case Rel(poly=poly):
                if formula not in self.relations:
                    number = self.relations[formula] = len(self.relations)
                    self.stale.add(number)
                    for atom in poly.atoms():
                        self.speaking.setdefault(atom, []).append(number)
                    self.changed = True
            case And():
                for part in _conjuncts(formula):
                    self.require(part)
            case Or():
                self.clauses.append(formula)
            case Prop(atom=atom):
                self.suppose(atom, True)
            case Not(arg=Prop(atom=atom)):
                self.suppose(atom, False)
            case Not() if self.truth(formula, {}) is False:
                raise _Empty

    def suppose(self, atom: Atom, holds: bool) -> None:
        if self.props.setdefault(atom, holds) is not holds:
            raise _Empty

    def settle(self, clause: Or, truths: dict[int, bool | None]) -> None:
        """Drop what cannot hold of a disjunction."""
        left = []
        for part in clause.args:
            truth = self.truth(part, truths)
            if truth:
                return
            if truth is None:
                left.append(part)
        if not left:
            raise _Empty
        if len(left) == 1:
            self.changed = True
            self.require(left[0])
        else:
            self.clauses.append(clause if len(left) == len(clause.args) else Or(tuple(left)))

    def truth(self, formula: Formula, truths: dict[int, bool | None]) -> bool | None:
        """Whether a formula holds for all values within the bounds (True), for none (False), or neither is told."""
        key = id(formula)
        if key not in truths:
            for part in inside_out(formula, truths):
                truths[id(part)] = self.told(part, truths)
        return truths[key]

    def told(self, formula: Formula, truths: dict[int, bool | None]) -> bool | None:
        match formula:
            case Rel(sign=sign, poly=poly):
                low, high = interval_of(poly, self.bounds)
                if sign == "<=":
                    return True if high <= 0 else False if low > 0 else None
                return False if low > 0 or high < 0 else True if low == high == 0 else None
            case Prop(atom=atom):
                return self.props.get(atom)
            case Not(arg=arg):
                truth = truths[id(arg)]
                return None if truth is None else not truth
            case And(args=args) | Or(args=args):
                ends = isinstance(formula, Or)
                found = [truths[id(part)] for part in args]
                return ends if ends in found else None if None in found else not ends

    def bounds(self, atom: Atom) -> Interval:
        return self.own.get(atom) or self.intervals.get(atom, HUGE)

    def narrow(self, relation: Rel) -> None:
        """Bounds of the atoms of a relation from those of the others; _Empty when it cannot hold."""
        METER.done += RELATION * (1 + len(relation.poly.terms))
        parts = [(mono, coef, *scaled(mono, coef, self.bounds)) for mono, coef in relation.poly.terms.items()]
        low, high = sum(part[2] for part in parts), sum(part[3] for part in parts)
        if low > 0 or (relation.sign == "==" and high < 0):
            raise _Empty
        for mono, coef, least, most in parts:
            for atom in mono:
                others = list(mono)
                others.remove(atom)
                if atom not in others:
                    self.at_most(atom, scaled(tuple(others), coef, self.bounds), least - low)
                    if relation.sign == "==":
                        self.at_most(atom, scaled(tuple(others), -coef, self.bounds), high - most)

    def at_most(self, atom: Atom, factor: Interval, limit: int) -> None:
        """Narrow an atom, of which a factor within its interval times the atom is at most a limit."""
        low, high = self.bounds(atom)
        if factor[0] > 0:
            high = min(high, limit // (factor[0] if limit >= 0 else factor[1]))
        elif factor[1] < 0:
            low = max(low, -(limit // -(factor[1] if limit >= 0 else factor[0])))
        else:
            return
        if low > high:
            raise _Empty
        kept = self.bounds(atom)
        if (low > kept[0] and low > -FAR) or (high < kept[1] and high < FAR):
            self.own[atom] = low, high
            self.changed = True
            known: _Bounds | None = self
            while known is not None:
                self.stale.update(known.speaking.get(atom, ()))
                known = known.around


def _conjuncts(formula: Formula) -> list[Formula]:
    """What a conjunction is made of, however deep conjunctions nest in it; each part once."""
    found: dict[Formula, None] = {}
    stack, seen = [formula], set[int]()
    while stack:
        part = stack.pop()
        if not isinstance(part, And):
            found[part] = None
        elif id(part) not in seen:
            seen.add(id(part))
            stack += part.args[::-1]
    return list(found)
