"""What an expression is, once all names are resolved: a number, a function of the library, one of the file."""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.frames import Callers
from automata.lang.host.functions import Region
from automata.lang.host.program import Program
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.uses import Uses


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
        return "" if self._is_clouded(callee) else self._library_name(callee)

    def _is_clouded(self, callee: Node) -> bool:
        self.region = self.program.region_at(callee.at)
        return self.region is not None and self.region.is_clouded

    def called(self, node: Node, callers: Callers) -> Region | None:
        """The function of the file that a call means."""
        callee = node.parts[0]
        if self._is_clouded(callee) or not self._heads(callee):
            return None
        return callers.called(callee.text.rpartition("::")[2], len(node.parts) - 1)

    def returned(self, region: Region) -> Node | None:
        """The expression that a function returns, where its body is nothing else."""
        if id(region) not in self._returned:
            self._returned[id(region)] = self._read_returned(region)
        return self._returned[id(region)]

    def _read_returned(self, region: Region) -> Node | None:
        tokens = self.program.tokens
        begin, end = region.opening + 1, region.end - 2
        if tokens.text[begin] != "return" or tokens.text[end] != ";" or region.is_clouded:
            return None
        try:
            return ExpressionReader(tokens, begin + 1, end, self.program.types).whole()
        except (NotUnderstood, RecursionError):
            return None
