"""Whether all that can change a variable is known, and whether it has, where it stands, the value that it was given.

The rule is a whitelist: every occurrence of its name is understood, and nothing that it stands in can change it but the
assignments that are known.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.frames import Callers
from automata.lang.host.paths import constant_named
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import is_name

ELSEWHERE = frozenset({"volatile", "extern", "thread_local", "mutable", "__device__", "__constant__", "__shared__",
                       "__managed__"})


class Steadiness:
    """The variables of one file that do not change, or only where it is seen."""

    def __init__(self, program: Program, callers: Callers) -> None:
        self.program, self.callers = program, callers
        self.known: dict[int, bool] = {}
        self.has_assembly = any(token in ("asm", "__asm__", "__asm") and not program.is_device(at)
                                for at, token in enumerate(program.tokens.text))

    def is_readable(self, name: str, at: int) -> bool:
        """Whether what a name says at a token is known at all."""
        region = self.program.region_at(at)
        return region is None or not (region.is_clouded or name in region.barred or region.is_device)

    def is_steady(self, variable: Variable, at: int) -> bool:
        """Whether a variable has at a token the value that it was given first, or once."""
        if not self.is_followed(variable, at) or self.set_once(variable, variable.assigned, at) == -1:
            return False
        whole = self.set_once(variable, variable.assigned, at)
        return whole is None or whole < at

    def is_followed(self, variable: Variable, at: int) -> bool:
        """Whether all is known that may change a variable, and that a token names it."""
        if variable.owner is not None:
            is_seen = not variable.owner.is_object or self._is_by_fields(variable.owner)
            return is_seen and self.is_followed(variable.owner, at) and not variable.owner.settings and not variable.escapes
        if not self.is_readable(variable.name, at):
            return False
        key = id(variable)
        if key not in self.known:
            self.known[key] = self._is_followed(variable)
        return self.known[key]

    def _is_followed(self, variable: Variable) -> bool:
        if variable.type.words & ELSEWHERE:
            return False
        if not variable.is_scalar or not self._is_settled(variable) or not self.is_accounted_for(variable):
            return False
        return variable.type.is_const or not variable.escapes

    def _is_by_fields(self, variable: Variable) -> bool:
        """Whether an object is named by its declaration, by its fields and as an argument alone: no function of its class, no
        operator and no conversion comes to it."""
        text, region = self.program.tokens.text, self.program.region_at(variable.at)
        named = self.program.positions.get(variable.name, [])
        return region is not None and all(
            at == variable.at or (text[at + 1] == "." and text[at + 2] in variable.record and text[at + 3] != "(")
            or self._is_argument(at) for at in named if region.begin <= at < region.end)

    def _is_argument(self, at: int) -> bool:
        """Whether a token is an argument of a launch or of a function, and nothing else."""
        tokens = self.program.tokens
        if tokens.text[at - 1] not in ("(", ",") or tokens.text[at + 1] not in (")", ","):
            return False
        while at >= 0 and tokens.text[at] not in ("(", "[", "{", ";"):
            at = tokens.match[at] if tokens.text[at] in (")", "]", "}") and 0 <= tokens.match[at] < at else at
            at -= 1
        return tokens.text[at] == "(" and (is_name(tokens.text[at - 1]) or tokens.text[at - 1] == ">>>")

    def _is_settled(self, variable: Variable) -> bool:
        """Whether a variable outside of functions can be followed: a constant, or one that only this file sees."""
        if variable.is_local or variable.is_enumerator:
            return True
        constant = variable.type.is_const
        if not self._is_constant(variable):
            return False
        is_static = "static" in variable.type.words and (constant or not self.has_assembly)
        if variable.is_member:
            return is_static and constant
        return is_static or constant or (not self.has_assembly and self.callers.is_alone(variable.name))

    def _is_constant(self, variable: Variable) -> bool:
        """Whether a variable of the file is set before any code runs: by a constant expression."""
        return all(map(self._is_constant_expression, variable.init)) if variable.form != "unknown" else True

    def _is_constant_expression(self, node: Node) -> bool:
        if node.kind == "name":
            named = self.program.means.get(node.at)
            if named is None or not named.type.is_const:
                return named is not None and self._stays(named, node.at)
            return named.is_enumerator or self._is_constant(named)
        if node.kind == "path":
            qualified = constant_named(self.program, node)
            return qualified is not None and self._is_constant(qualified)
        if node.kind in ("number", "constant", "sizeof"):
            return True
        return node.kind in ("unary", "binary", "cond", "cast", "construct", "braces", "call") and all(
            self._is_constant_expression(part) for part in (node.parts[1:] if node.kind == "call" else node.parts))

    def _stays(self, variable: Variable, at: int) -> bool:
        """Whether a variable of the file has the value that it is declared with, and had it before a token."""
        is_before = not variable.is_local and not variable.is_member and variable.at < at
        return is_before and not variable.settings and bool(variable.form) and self.is_followed(variable, at)

    def is_accounted_for(self, variable: Variable) -> bool:
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

    def has_order(self, variable: Variable, goal: int) -> bool:
        """Whether the statements around a variable run in the order of the text up to a token, its declaration first."""
        region = self.program.region_at(variable.at)
        return region is not None and goal < region.ordered_to and variable.block not in self.program.jumped

    def set_once(self, variable: Variable, changes: list[tuple[int, Node | None]], goal: int) -> int | None:
        """Where a variable is set, behind its declaration and before a token: None for nowhere, -1 for no single place."""
        if not changes:
            is_made = variable.sizes and not variable.is_member
            return None if variable.form or is_made or variable.is_enumerator else -1
        at, value = changes[0]
        if len(changes) > 1 or value is None or not self.has_order(variable, goal) or variable.form or variable.type.is_const:
            return -1
        return at
