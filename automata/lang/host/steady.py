"""Whether a variable has, where it stands, the value that it was given.

The rule is a whitelist: every occurrence of its name is understood, nothing that it stands in can change it, and it is set once.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

_ELSEWHERE = frozenset({"volatile", "extern", "thread_local", "mutable", "__device__", "__constant__", "__shared__",
                        "__managed__"})


class Steadiness:
    """The variables of one file that do not change."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, bool] = {}
        self.has_assembly = any(token in ("asm", "__asm__", "__asm") and not self._is_device(at)
                                for at, token in enumerate(program.tokens.text))

    def _is_device(self, at: int) -> bool:
        region = self.program.region_at(at)
        return region is not None and region.is_device

    def is_steady(self, variable: Variable, at: int) -> bool:
        """Whether a variable has at a token the value that it was given first, or once."""
        region = self.program.region_at(at)
        if region is not None and (region.is_clouded or variable.name in region.barred or region.is_device):
            return False
        key = id(variable)
        if key not in self.known:
            self.known[key] = self._is_steady(variable)
        if not self.known[key]:
            return False
        whole = self.set_once(variable, variable.assigned)
        return whole is None or whole < at

    def _is_steady(self, variable: Variable) -> bool:
        if variable.type.words & _ELSEWHERE:
            return False
        if not variable.is_scalar or not self._is_settled(variable) or not self._is_accounted_for(variable):
            return False
        return (variable.type.is_const or not variable.escapes) and self.set_once(variable, variable.assigned) != -1

    def _is_settled(self, variable: Variable) -> bool:
        """Whether a variable outside of functions can be followed: a constant, or one that only this file sees."""
        if variable.is_local or variable.is_enumerator:
            return True
        constant = variable.type.is_const
        if not self._is_constant(variable):
            return False
        is_static = "static" in variable.type.words and (constant or not self.has_assembly)
        return (is_static or constant) if not variable.is_member else (is_static and constant)

    def _is_constant(self, variable: Variable) -> bool:
        """Whether a variable of the file is set before any code runs: by a constant expression."""
        return all(map(self._is_constant_expression, variable.init)) if variable.form != "unknown" else True

    def _is_constant_expression(self, node: Node) -> bool:
        if node.kind == "name":
            named = self.program.means.get(node.at)
            return named is not None and named.type.is_const and (named.is_enumerator or self._is_constant(named))
        if node.kind in ("number", "constant", "sizeof"):
            return True
        return node.kind in ("unary", "binary", "cond", "cast", "construct", "braces", "call") and all(
            self._is_constant_expression(part) for part in (node.parts[1:] if node.kind == "call" else node.parts))

    def _is_accounted_for(self, variable: Variable) -> bool:
        """Whether every place where the name stands is understood: in its function; for what may change, in the file."""
        program, text = self.program, self.program.tokens.text
        region = program.region_at(variable.at)
        if region is None and variable.type.is_const:
            return True
        for at in program.positions.get(variable.name, []):
            there = program.region_at(at)
            if (region is not None and there is not region) or (there is not None and there.is_device):
                continue
            if there is not None and variable.name in there.barred:
                return False
            plain = at in program.means or at in program.declares
            if not plain and not (text[at - 1] in (".", "->") or (text[at - 1] == "::" and region is not None)):
                return False
        return True

    def set_once(self, variable: Variable, changes: list[tuple[int, Node | None]]) -> int | None:
        """Where a variable is set, behind its declaration: None for nowhere, -1 for no single place."""
        if not changes:
            is_made = variable.sizes and not variable.is_member
            return None if variable.form or is_made or variable.is_enumerator else -1
        region = self.program.region_at(variable.at)
        at, value = changes[0]
        jumps = region is None or region.has_jumps or variable.block in self.program.jumped
        if len(changes) > 1 or value is None or jumps or variable.form or variable.type.is_const:
            return -1
        return at
