"""Terms of z3 out of nodes, and queries about them: through z3's C functions, which take a tenth of the time of its classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import z3

from automata.logic.atom import Atom
from automata.logic.nodes import Node

MAKERS: dict[str, Callable[..., Any]] = {"+": z3.Z3_mk_add, "*": z3.Z3_mk_mul, "&&": z3.Z3_mk_and, "||": z3.Z3_mk_or}
"""What takes any number of terms."""
PAIRS: dict[str, Callable[..., Any]] = {"<=": z3.Z3_mk_le, "==": z3.Z3_mk_eq}
EMPTY: dict[str, Callable[..., Any]] = {"&&": z3.Z3_mk_true, "||": z3.Z3_mk_false}


class Terms:
    """The terms of one context of z3, each made once, and given up with it."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.ref = self.context.ref()
        self.sorts = z3.RealSort(self.context), z3.BoolSort(self.context), z3.IntSort(self.context)
        self.made: dict[Node, Any] = {}
        self.functions: dict[tuple[int | str, int], Any] = {}

    def close(self) -> None:
        """Give up all terms, and the context once no query is left."""
        for term in self.made.values():
            z3.Z3_dec_ref(self.ref, term)
        self.__dict__.clear()

    def term(self, node: Node) -> Any:
        """The term of a node; of what it is applied to before it, the last first."""
        pending: list[tuple[Node, bool]] = [] if node in self.made else [(node, False)]
        made = self.made
        while pending:
            last, is_ready = pending.pop()
            if is_ready:
                if last not in made:
                    made[last] = found = self._make(last)
                    z3.Z3_inc_ref(self.ref, found)
            else:
                pending.append((last, True))
                pending += [(part, False) for part in last.args if part not in made]
        return made[node]

    def _make(self, node: Node) -> Any:
        op, args = node.op, [self.made[part] for part in node.args]
        if op in PAIRS:
            return PAIRS[op](self.ref, *args)
        if op in MAKERS:
            return MAKERS[op](self.ref, len(args), (z3.Ast * len(args))(*args)) if args else EMPTY[op](self.ref)
        if op == "!":
            return z3.Z3_mk_not(self.ref, args[0])
        if op == "int":
            return z3.Z3_mk_numeral(self.ref, str(node.data), self._sort(is_truth=False))
        if op == "symbol":
            return z3.Z3_mk_const(self.ref, z3.Z3_mk_string_symbol(self.ref, node.data), self._sort(is_truth=node.is_truth))
        return z3.Z3_mk_app(self.ref, self._function(node), len(args), (z3.Ast * len(args))(*args))

    def _sort(self, *, is_truth: bool) -> Any:
        _, truths, numbers = self.sorts
        return truths.ast if is_truth else numbers.ast

    def _function(self, node: Node) -> Any:
        key = node.data, len(node.args)
        if key not in self.functions:
            taken = (z3.Sort * len(node.args))(*[self._sort(is_truth=False)] * len(node.args))
            name = z3.Z3_mk_string_symbol(self.ref, node.data)
            self.functions[key] = z3.Z3_mk_func_decl(self.ref, name, len(node.args), taken, self._sort(is_truth=node.is_truth))
        return self.functions[key]


class Query:
    """One query. `is_linear`: there are no products, and z3 leaves out what it does first where there may be."""

    def __init__(self, terms: Terms, steps: int, milliseconds: int, *, is_linear: bool) -> None:
        self.terms, self.ref = terms, terms.ref
        self.asked = (z3.SimpleSolver if is_linear else z3.Solver)(ctx=terms.context)
        self.asked.set(model=True, rlimit=steps, timeout=milliseconds)

    def claim(self, nodes: Iterable[Node]) -> None:
        asked = self.asked.solver
        for node in nodes:
            z3.Z3_solver_assert(self.ref, asked, self.terms.term(node))

    def holds(self) -> bool | None:
        """Whether what is claimed can be; None where z3 cannot tell."""
        found = z3.Z3_solver_check_assumptions(self.ref, self.asked.solver, 0, (z3.Ast * 0)())
        return {1: True, -1: False}.get(found)

    def steps(self) -> int:
        """The steps that z3 has made so far in this context."""
        return int(self.asked.statistics().get_key_value("rlimit count"))

    def model(self, nodes: Mapping[Atom, Node]) -> dict[Atom, int]:
        """The values of some atoms."""
        model, kinds = self.asked.model(), (z3.ArithRef, z3.BoolRef)
        values = ((atom, model.eval(kinds[node.is_truth](self.terms.term(node), self.terms.context), model_completion=True))
                  for atom, node in nodes.items())
        return {atom: value.as_long() if hasattr(value, "as_long") else int(bool(value)) for atom, value in values}

    def close(self) -> None:
        del self.asked
