"""Tables of numbers: arrays, and `std::vector` or `std::array`, that nothing writes after they are declared; and arrays of
which each element is a variable, or is set to values that are all seen.

A table is known by the places where its name stands: each is a plain read of an element, the range of a `for`, how many it has,
or `sizeof`. An array has elements that are followed if its name stands nowhere but in `a[3]`, a number between the brackets,
which is read or assigned to.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.numbers import Number
from automata.lang.host.program import Program
from automata.lang.host.steady import ELSEWHERE, Steadiness
from automata.lang.host.syntax import ASSIGNING, Node
from automata.lang.host.tokens import is_name
from automata.lang.host.types import type_of_range

_WRITING = ASSIGNING | {"++", "--", "[", ".", "->"}
_HOLDING = frozenset({"vector", "array"})
"""Classes of the library that hold numbers, in their order; what an `array` holds behind those that are written down is zero."""


class Tables:
    """The tables of one file."""

    def __init__(self, program: Program, steady: Steadiness) -> None:
        self.program, self.steady = program, steady
        self._known: dict[int, tuple[Node, ...] | None] = {}
        self._followed: dict[int, bool] = {}

    def elements(self, variable: Variable, at: int) -> tuple[Node, ...] | None:
        """What the elements of an array are, at a token; None where that is not certain."""
        if not self.steady.is_readable(variable.name, at):
            return None
        if id(variable) not in self._known:
            self._known[id(variable)] = self._elements(variable)
        return self._known[id(variable)]

    def number(self, variable: Variable) -> Number | None:
        """The type of the numbers that a table holds."""
        if variable.type.kind == "copies" and variable.type.name in _HOLDING:
            return self._held(variable)
        return variable.type.number

    def _held(self, variable: Variable) -> Number | None:
        """The first argument of the template whose instance is the type of a variable, if that is a number."""
        tokens, at = self.program.tokens, variable.at - 1
        begin = tokens.angle_begin(at) if tokens.text[at] == ">" else -1
        parts = tokens.split(begin + 1, at) if begin > 0 else []
        kind = type_of_range(tokens, *parts[0], self.program.types) if parts else None
        return kind.number if kind is not None and kind.is_number else None

    def _elements(self, variable: Variable) -> tuple[Node, ...] | None:
        kind, words = variable.type, variable.type.words
        is_table = self.number(variable) is not None and not kind.pointers and not kind.reference and (
            variable.is_array or variable.type.kind == "copies")
        if not is_table or words & ELSEWHERE or variable.is_member or variable.is_parameter:
            return None
        if not variable.is_local and not {"const", "constexpr"} & words:
            return None
        is_read = self.steady.is_accounted_for(variable) and not (variable.escapes or variable.settings or variable.cells)
        if not is_read or not all(map(self.only_reads, self._places(variable))):
            return None
        return self.begun(variable)

    def begun(self, variable: Variable) -> tuple[Node, ...] | None:
        """What is written down for the elements where an array is declared."""
        if variable.form == "{" and not variable.is_array:
            return variable.init
        return variable.init[0].parts if variable.form == "=" and variable.init[0].kind == "braces" else None

    def stored(self, variable: Variable, at: int) -> tuple[Node, ...] | None:
        """All that the elements of an array are ever set to, where all of it is seen; None where it is not, or an element may
        be one of those that are zero because less is written down than there are."""
        kind = variable.type
        is_plain = variable.is_array and variable.is_local and not variable.is_parameter and kind.is_number
        is_other = bool(kind.words & (ELSEWHERE | {"static"})) or variable.escapes or bool(variable.settings)
        if not is_plain or is_other or variable.form not in ("", "="):
            return None
        if not self.steady.is_readable(variable.name, at) or not self.steady.is_accounted_for(variable):
            return None
        if not all(place in variable.stored or self.only_reads(place) for place in self._places(variable)):
            return None
        first = self.begun(variable) if variable.form else ()
        made = tuple(value for value in variable.stored.values() if value is not None)
        is_seen = first is not None and len(made) == len(variable.stored) and (not first or self.is_whole(variable))
        return (*first, *made) if is_seen and first is not None else None

    def _places(self, variable: Variable) -> list[int]:
        return [at for at in self.program.positions.get(variable.name, []) if self.program.means.get(at) is variable]

    def only_reads(self, at: int) -> bool:
        """Whether a name is the range of a `for`, in `sizeof`, or one element is read."""
        text = self.program.tokens.text
        if text[at + 1] == "." and text[at + 2] in ("size", "empty"):
            return True
        if text[at + 1] == ")":
            return at in self.program.ranged or text[at - 2 : at] == ["sizeof", "("]
        close = self.program.tokens.match[at + 1] if text[at + 1] == "[" else -1
        return close > at and text[close + 1] not in _WRITING and (
            self._is_product(at) or text[at - 1] not in ("&", "++", "--", "*", ".", "->", "::"))

    def _is_product(self, at: int) -> bool:
        """Whether a name is what something is multiplied by. Behind a bracket, too, which may be a cast: no number is pointed
        through, but a row of numbers may be."""
        tokens, before = self.program.tokens, self.program.tokens.text[at - 2]
        if before == ")":
            if at not in self.program.means:
                return False
            named = self.program.means[at].at
            opening = named + 1 if tokens.text[named + 1] == "[" else -1
            is_row_of_rows = opening < 0 or tokens.text[tokens.match[opening] + 1] == "["
            return tokens.text[at - 1] == "*" and not is_row_of_rows
        return tokens.text[at - 1] == "*" and (is_name(before) or before == "]" or before.isdigit())

    def cell(self, variable: Variable, index: int, at: int) -> Variable | None:
        """An element of an array, as a variable, where all that changes it is known."""
        if not self.steady.is_readable(variable.name, at):
            return None
        if id(variable) not in self._followed:
            self._followed[id(variable)] = self._is_followed(variable)
        if not self._followed[id(variable)]:
            return None
        return self._begun(variable, index) if variable.form else variable.cells.get(index)

    def _begun(self, variable: Variable, index: int) -> Variable | None:
        """An element of an array that is declared with the values that its elements begin with."""
        first = variable.init[0].parts
        cell = variable.cell(index)
        if not cell.form and index < len(first):
            cell.form, cell.init = "=", (first[index],)
        return cell if cell.form else None

    def _is_followed(self, variable: Variable) -> bool:
        kind = variable.type
        is_begun = variable.form == "=" and variable.init[0].kind == "braces"
        is_plain = variable.is_array and variable.is_local and not variable.is_parameter and kind.is_number and (
            is_begun or not variable.form)
        if not is_plain or kind.words & (ELSEWHERE | {"static"}) or variable.escapes or variable.settings:
            return False
        return self.steady.is_accounted_for(variable) and all(at == variable.at or self._is_element(at)
                                                              for at in self._places(variable))

    def _is_element(self, at: int) -> bool:
        """Whether a name stands before a number in brackets, and nothing is made of both but what an operator makes of it."""
        text = self.program.tokens.text
        is_plain = text[at + 1] == "[" and text[at + 2].isdigit() and text[at + 3] == "]"
        return is_plain and text[at + 4] not in ("[", ".", "->") and (
            self._is_product(at) or text[at - 1] not in ("&", "*", ".", "->", "::"))

    def is_whole(self, variable: Variable) -> bool:
        """Whether the elements that are written down are all."""
        if not variable.is_array:
            return variable.type.name == "vector"
        dims, first = variable.init[1:], self.begun(variable)
        return not dims or (first is not None and len(dims) == 1 and dims[0].kind == "number" and dims[0].text == str(len(first)))
