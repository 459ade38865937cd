"""Terms of pySMT out of nodes: for cvc5, and for scripts that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from automata.logic.atom import Atom
from automata.logic.nodes import Node


class Terms:
    """The terms of one environment of pySMT, each made once."""

    def __init__(self) -> None:
        from pysmt.environment import Environment

        self.environment = Environment()
        self.made: dict[Node, Any] = {}

    def term(self, node: Node) -> Any:
        """The term of a node; of what it is applied to before it, however deep it nests."""
        pending = [node]
        while node not in self.made:
            inner = [part for part in pending[-1].args if part not in self.made]
            if inner:
                pending += inner
            else:
                last = pending.pop()
                self.made[last] = self._make(last)
        return self.made[node]

    def _make(self, node: Node) -> Any:
        from pysmt.typing import BOOL, INT

        make, args = self.environment.formula_manager, [self.made[part] for part in node.args]
        kind = BOOL if node.is_truth else INT
        match node.op:
            case "int":
                return make.Int(node.data)
            case "symbol":
                return make.Symbol(node.data, kind)
            case "apply":
                taken = self.environment.type_manager.FunctionType(kind, [INT] * len(args))
                return make.Function(make.Symbol(node.data, taken), args)
            case "!":
                return make.Not(*args)
            case "<=" | "==" as op:
                return (make.LE if op == "<=" else make.Equals)(*args)
            case op:
                return {"+": make.Plus, "*": make.Times, "&&": make.And, "||": make.Or}[op](args)

    def script(self, nodes: list[Node]) -> str:
        """Their conjunction as an SMT-LIB 2 script (logic ALL)."""
        import warnings
        from io import StringIO

        from pysmt.environment import pop_env, push_env
        from pysmt.smtlib.script import smtlibscript_from_formula

        term = self.environment.formula_manager.And([self.term(node) for node in nodes])
        push_env(self.environment)
        warnings.filterwarnings("ignore", message="The logic ALL is not reducible")
        try:
            script = smtlibscript_from_formula(term, logic="ALL")
            out = StringIO()
            script.serialize(out, daggify=False)
            return out.getvalue()
        finally:
            pop_env()


class Cvc5Query:
    """One query for cvc5, as `z3_terms.Query`."""

    def __init__(self, terms: Terms, steps: int, milliseconds: int) -> None:
        from pysmt.logics import Logic
        from pysmt.solvers.cvcfive import CVC5Solver

        logic = Logic(name="ALL", description="everything", quantifier_free=True, uninterpreted=True,
                      integer_arithmetic=True, integer_difference=False, linear=False)
        self.terms = terms
        self.asked = CVC5Solver(terms.environment, logic, solver_options={
            "rlimit-per": str(steps), "tlimit-per": str(milliseconds)})

    def claim(self, nodes: Iterable[Node]) -> None:
        self.asked.add_assertions([self.terms.term(node) for node in nodes])

    def holds(self) -> bool | None:
        """Whether what is claimed can be; None where cvc5 cannot tell."""
        from pysmt.exceptions import SolverReturnedUnknownResultError

        try:
            return bool(self.asked.solve())
        except SolverReturnedUnknownResultError:
            return None

    def steps(self) -> int:
        """Those it has made so far: it tells none."""
        return 0

    def model(self, nodes: Mapping[Atom, Node]) -> dict[Atom, int]:
        """The values of some atoms."""
        return {atom: int(self.asked.get_value(self.terms.term(node)).constant_value()) for atom, node in nodes.items()}

    def close(self) -> None:
        self.asked.exit()
