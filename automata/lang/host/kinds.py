"""What an expression is, once all names are resolved: a number, a function of the library, one of the file."""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.frames import Callers
from automata.lang.host.functions import Region
from automata.lang.host.program import Program
from automata.lang.host.steady import ELSEWHERE
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tokens import is_name
from automata.lang.host.uses import Uses

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", ")"})


class Kinds(Uses):
    """Asked about single expressions."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, None)
        self._returned: dict[int, Node | None] = {}

    def resolve(self, name: str, at: int) -> Variable | None:
        variable = self.program.means.get(at)
        region = self.program.region_at(at)
        if variable is None or (region is not None and (region.is_clouded or name in region.barred)):
            return None
        return variable

    def is_a_number(self, node: Node) -> bool:
        """Whether an expression is certainly a number."""
        self.region = self.program.region_at(node.at)
        return self.is_number(node)

    def library(self, callee: Node) -> str:
        """The function of the library that a call names."""
        return "" if self._is_clouded(callee) else self.library_name(callee)

    def _is_clouded(self, callee: Node) -> bool:
        self.region = self.program.region_at(callee.at)
        return self.region is not None and self.region.is_clouded

    def is_seen(self, callee: Node) -> bool:
        """Whether a call means a function of the file, and all are seen that it may mean."""
        return not self._is_clouded(callee) and bool(self._heads(callee))

    def called(self, node: Node, callers: Callers) -> Region | None:
        """The function of the file that a call means."""
        callee = node.parts[0]
        if self._is_clouded(callee) or not self._heads(callee):
            return None
        return callers.called(callee.text.rpartition("::")[2], len(node.parts) - 1)

    def returned(self, region: Region) -> Node | None:
        """The expression that a function returns, where its body is nothing else: behind declarations of numbers that have no
        effects, `return`, or an `if` of which both sides are such bodies, which is a choice."""
        if id(region) not in self._returned:
            self._returned[id(region)] = self._read_returned(region)
        return self._returned[id(region)]

    def _read_returned(self, region: Region) -> Node | None:
        if region.is_clouded:
            return None
        try:
            return self._body(region.opening + 1, region.end - 1, region)
        except (NotUnderstood, RecursionError):
            return None

    def _body(self, at: int, end: int, region: Region) -> Node:
        """What statements between two tokens return; NotUnderstood where they may do anything else."""
        tokens, text = self.program.tokens, self.program.tokens.text
        if text[at] == "{" and tokens.match[at] == end - 1:
            return self._body(at + 1, end - 1, region)
        if text[at] == "return" and text[end - 1] == ";":
            return self._expression(at + 1, end - 1)
        if text[at] == "if" and text[at + 1] == "(" and tokens.match[at + 1] < end:
            return self._choice(at, end, region)
        stop = tokens.statement_end(at, end)
        if not self._declares_plainly(at, stop):
            raise NotUnderstood
        return self._body(stop, end, region)

    def _choice(self, at: int, end: int, region: Region) -> Node:
        """`if (test) … else …`, or what comes behind it, each in the type of the function."""
        tokens, text, kind = self.program.tokens, self.program.tokens.text, region.gives
        close = tokens.match[at + 1]
        stop = tokens.match[close + 1] + 1 if text[close + 1] == "{" else tokens.statement_end(close + 1, end)
        if kind is None or not kind.is_number or not close < stop < end:
            raise NotUnderstood
        sides = self._body(close + 1, stop, region), self._body(stop + (text[stop] == "else"), end, region)
        one, two = (Node("cast", side.at, parts=(side,), type=kind) for side in sides)
        return Node("cond", at, "?", (self._expression(at + 2, close), one, two))

    def _expression(self, at: int, end: int) -> Node:
        return ExpressionReader(self.program.tokens, at, end, self.program.types).whole()

    def _declares_plainly(self, at: int, stop: int) -> bool:
        """Whether a statement declares one number, and makes its value of names, numbers and arithmetic alone."""
        text = self.program.tokens.text
        equals = next((place for place in range(at, stop) if text[place] == "="), stop)
        variable = next((each for each in self.program.means.values() if each.at == equals - 1), None)
        if variable is None or not (variable.is_local and variable.is_number) or variable.type.reference or (
                variable.type.words & (ELSEWHERE | {"static"})):
            return False
        return all(
            is_name(text[place]) or text[place].isdigit() or text[place] in _ARITHMETIC
            or (text[place] == "(" and not is_name(text[place - 1])) for place in range(equals + 1, stop - 1))
