"""Formulas as nodes, each made once: what all solvers are given.

Solvers have terms of their own (`z3_terms`, `pysmt_terms`), made in an order that depends on nothing else: which models a solver
finds depends on the order in which it sees terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Literal, assert_never

from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Monomial, Not, Or, Poly, Prop, Rel, parts_of
from automata.logic.poly import atoms as atoms_of
from automata.logic.views import Application, Function

Op = Literal["int", "symbol", "apply", "+", "*", "<=", "==", "!", "&&", "||"]


class Node:
    """An operation, what it is applied to, and what it is beside: the number, or the name of a symbol or function.

    `is_truth`: of a symbol or an application, whether it is true or false instead of a number.
    """

    __slots__ = ("args", "data", "is_truth", "op")

    def __init__(self, op: Op, args: tuple[Node, ...], data: int | str, is_truth: bool) -> None:
        self.op, self.args, self.data, self.is_truth = op, args, data, is_truth


class Nodes:
    """Nodes, those that are alike made once."""

    def __init__(self) -> None:
        self.made: dict[tuple[Op, tuple[Node, ...], int | str, bool], Node] = {}

    def node(self, op: Op, args: tuple[Node, ...] = (), data: int | str = "", is_truth: bool = False) -> Node:
        key = op, args, data, is_truth
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = Node(op, args, data, is_truth)
        return found

    def joined(self, op: Literal["+", "&&", "||"], parts: list[Node]) -> Node:
        """A sum, or a conjunction or disjunction, which may be empty; of one part that part."""
        return parts[0] if len(parts) == 1 else self.node(op, tuple(parts))

    def negated(self, node: Node) -> Node:
        return node.args[0] if node.op == "!" else self.node("!", (node,))


class Translator:
    """Formulas to nodes; functions get names as they appear.

    Solvers see numbers for names, in the order in which they come, so that no answer depends on a text. `is_for_people`: texts.
    `parts`: how many nodes were made.
    """

    def __init__(self, applications: Mapping[Atom, Application], made: Nodes, *, is_for_people: bool = False) -> None:
        self.made, self.applications, self.is_for_people = made, applications, is_for_people
        self.zero = made.node("int", data=0)
        self.nodes: dict[Atom, Node] = {}
        self.functions: dict[tuple[Function, int], str] = {}
        self.taken: set[str] = set()
        self.polys: dict[Poly, Node] = {}
        self.formulas: dict[Formula, Node] = {}
        self.mentioned: dict[Formula, frozenset[Atom]] = {}

    def atom(self, atom: Atom) -> Node:
        """The node of an atom; those that it is applied to are made first, however deep they nest."""
        pending = [atom]
        while atom not in self.nodes:
            inner = [part for part in self._inside(pending[-1]) if part not in self.nodes]
            if inner:
                pending += inner
            else:
                last = pending.pop()
                self.nodes[last] = self._make(last, is_truth=False)
        return self.nodes[atom]

    def _inside(self, atom: Atom) -> list[Atom]:
        """The atoms that one is applied to."""
        application = self.applications.get(atom)
        return [] if application is None else [part for arg in application.args for mono in arg.terms for part in mono]

    def proposition(self, atom: Atom) -> Node:
        if atom not in self.nodes:
            self.nodes[atom] = self._make(atom, is_truth=True)
        return self.nodes[atom]

    def _make(self, atom: Atom, *, is_truth: bool) -> Node:
        application = self.applications.get(atom)
        if application is None or not application.args:
            return self.made.node("symbol", (), self._name(repr(atom), "p" if is_truth else "x"), is_truth)
        function, arity = application.function, len(application.args)
        if (function, arity) not in self.functions:
            name = self._name(str(function), f"{'q' if function.is_truth else 'f'}{arity}_")
            self.functions[function, arity] = name
        return self.made.node("apply", tuple([self.poly(arg) for arg in application.args]), self.functions[function, arity],
                              is_truth)

    def _name(self, text: str, prefix: str) -> str:
        """A name that nothing else has here."""
        name = text if self.is_for_people else f"{prefix}{len(self.taken)}"
        while name in self.taken:
            name = f"{text}~{len(self.taken)}"
        self.taken.add(name)
        return name

    @property
    def parts(self) -> int:
        return len(self.nodes) + len(self.polys) + len(self.formulas)

    def reached(self, formulas: Iterable[Formula]) -> dict[Atom, Node]:
        """The atoms of some translated formulas, those that others are applied to among them, in the order in which they came."""
        pending = [atom for formula in formulas for atom in self._mentioned(formula)]
        found: set[Atom] = set()
        while pending:
            atom = pending.pop()
            if atom not in found:
                found.add(atom)
                pending += self._inside(atom)
        return {atom: node for atom, node in self.nodes.items() if atom in found}

    def _mentioned(self, formula: Formula) -> frozenset[Atom]:
        if formula not in self.mentioned:
            self.mentioned[formula] = frozenset(atoms_of(formula))
        return self.mentioned[formula]

    def poly(self, value: Poly) -> Node:
        if value not in self.polys:
            parts = [self._monomial(mono, coef) for mono, coef in value.terms.items()]
            self.polys[value] = self.made.joined("+", parts) if parts else self.zero
        return self.polys[value]

    def _monomial(self, mono: Monomial, coef: int) -> Node:
        if not mono:
            return self.made.node("int", data=coef)
        product = reduce(lambda one, two: self.made.node("*", (one, two)), (self.atom(atom) for atom in mono))
        return product if coef == 1 else self.made.node("*", (self.made.node("int", data=coef), product))

    def formula(self, formula: Formula) -> Node:
        """The node of a formula; of parts that it shares, once, and before it, however deep they nest."""
        pending = [formula] if formula not in self.formulas else []
        while pending:
            last = pending[-1]
            inner = [part for part in parts_of(last) if part not in self.formulas]
            if inner:
                pending += inner[::-1]
            else:
                self.formulas[pending.pop()] = self._formula(last)
        return self.formulas[formula]

    def _formula(self, formula: Formula) -> Node:
        match formula:
            case Rel(sign=sign, poly=value):
                return self.made.node("<=" if sign == "<=" else "==", (self.poly(value), self.zero))
            case Prop(atom=atom):
                return self.proposition(atom)
            case Not(arg=arg):
                return self.made.negated(self.formula(arg))
            case And(args=args):
                return self.made.joined("&&", [self.formula(part) for part in args])
            case Or(args=args):
                return self.made.joined("||", [self.formula(part) for part in args])
        assert_never(formula)
