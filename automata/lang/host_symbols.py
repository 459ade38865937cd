"""Grids and blocks in host code that its arguments decide: `k<<<(n + 255) / 256, 256>>>(x, n)`.

Input: a launch whose sizes are not all known, and the variables that it passes on as they are. Output: each size that is a sum,
product or quotient of such variables, of numbers and of variables made from those, as a text in which `{2}` stands for the third
argument. Variables that are ever changed mean nothing here, nor do those that are not integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from automata.lang.host_names import Names, Variable
from automata.lang.host_values import Number, Value, type_of

Range = tuple[int, int]
SymbolicSizes = tuple[int | str | None, int | str | None, int | str | None]

_NUMBER = re.compile(r"\d+[uUlL]*")
_OPEN, _CLOSE = re.compile(r"\( +"), re.compile(r" +\)")
_PLAIN = frozenset("+-*/%()")
_MOST_TOKENS, _MAX_DEPTH = 40, 6


def integer_of(variable: Variable) -> Number | None:
    """The integer type of a variable, if it has one."""
    kind = None if "volatile" in variable.words else type_of([word for word in variable.words if word != "auto"])
    return kind if kind is not None and kind.bits > 1 else None


class SizeReader:
    """Reads sizes of one file. `value`: what is known of the tokens [begin, end); `split`: at their commas."""

    def __init__(self, names: Names, value: Callable[[int, int], Value | None], split: Callable[[int, int], list[Range]]) -> None:
        self.names, self.tokens, self.value, self.split = names, names.tokens, value, split

    def variable(self, at: int) -> Variable | None:
        """The variable that a token names, if it never changes."""
        variable = self.names.means.get(at)
        return None if variable is None or variable.changed or variable.set_at > at else variable

    def sizes(self, part: Range, passed: Mapping[int, str], depth: int = 0) -> SymbolicSizes:
        """A grid or block. `passed`: by the identity of a variable, the argument that it is."""
        begin, end = part
        variable = self.variable(begin) if end == begin + 1 else None
        if variable is not None and "dim3" in variable.words and variable.begin >= 0 and depth < _MAX_DEPTH:
            begin, end = variable.begin, variable.end
            if self.tokens[begin - 1] != "=":
                return self.listed(begin, end, passed) or (None, None, None)
            return self.sizes((begin, end), passed, depth + 1)
        braced = self.tokens[begin] == "{" or self.tokens[begin] == "dim3"
        listed = self.listed(begin + (self.tokens[begin] == "dim3"), end, passed) if braced else None
        return listed or (self.size(part, passed), 1, 1)

    def listed(self, begin: int, end: int, passed: Mapping[int, str]) -> SymbolicSizes | None:
        """Sizes in brackets."""
        is_list = end > begin and self.tokens[begin] in ("(", "{") and self.names.match[begin] == end - 1
        return self.parts((begin + 1, end - 1), passed) if is_list else None

    def parts(self, inside: Range, passed: Mapping[int, str]) -> SymbolicSizes:
        found = [self.size(part, passed) for part in self.split(*inside)]
        if not 1 <= len(found) <= 3:
            return None, None, None
        x, y, z = (*found, 1, 1)[:3]
        return x, y, z

    def size(self, part: Range, passed: Mapping[int, str]) -> int | str | None:
        """One size: a number, a text, or nothing that is known."""
        value = self.value(*part)
        if isinstance(value, Number):
            return int(value.value) if value.bits > 1 and value.value > 0 else None
        text = self.text(part, passed)
        return text if text is not None and "{" in text else None

    def text(self, part: Range, passed: Mapping[int, str], depth: int = 0) -> str | None:
        """An expression with arguments for variables; None where anything else is in it."""
        begin, end = part
        if not 0 < end - begin <= _MOST_TOKENS or depth > _MAX_DEPTH:
            return None
        words = [self.word(at, passed, depth) for at in range(begin, end)]
        return None if None in words else _OPEN.sub("(", _CLOSE.sub(")", " ".join(word for word in words if word is not None)))

    def word(self, at: int, passed: Mapping[int, str], depth: int) -> str | None:
        token = self.tokens[at]
        if token in _PLAIN:
            return token
        if _NUMBER.fullmatch(token):
            return token.rstrip("uUlL")
        variable = self.variable(at)
        if variable is None or integer_of(variable) is None:
            return None
        if id(variable) in passed:
            return passed[id(variable)]
        value = self.value(at, at + 1)
        if isinstance(value, Number) and value.bits > 1:
            return str(value.value) if value.value >= 0 else f"({value.value})"
        inner = self.text((variable.begin, variable.end), passed, depth + 1) if variable.begin >= 0 else None
        return None if inner is None else f"({inner})"
