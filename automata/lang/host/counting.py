"""The values that a variable has one after the other: what the head of a `for` counts through, and elements of tables."""

from __future__ import annotations

from automata.lang.host.choices import MOST
from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Structure
from automata.lang.host.frames import Frame
from automata.lang.host.looking import FAILURES, Looking, first_token
from automata.lang.host.numbers import Number, Unknown, converted, limits, operate
from automata.lang.host.symbolic import Scalar, Value, as_kind
from automata.lang.host.syntax import Node

MOST_VALUES = 8
"""Of a loop's counter, each a launch of its own."""
MOST_CLOSED = MOST
"""Values that a variable is set to one after the other, by itself."""
Given = tuple[int, Node | None, Scalar | None]
"""Where a variable is set, by what expression, or to what."""


class Counting(Looking):
    """Counts."""

    def given(self, variable: Variable, option: Given, frame: Frame | None, anchor: int = -1) -> Value:
        """What a variable is set to, in its type. `anchor`: where it is declared, or is set in each round."""
        raise NotImplementedError

    def kind_of(self, variable: Variable) -> Number:
        """The type of a number; Unknown where a template decides it and is not known."""
        kind = variable.type.number
        if kind is None and self.is_numeric(variable):
            found = self.template_type(variable.type.name, variable.at)
            kind = found.number if found is not None and found.is_number else None
        if kind is None:
            raise Unknown
        return kind

    def is_numeric(self, variable: Variable) -> bool:
        """Whether it is certainly a number, or a local or parameter of a type that the template takes, which may be one."""
        is_generic = variable.type.kind == "other" and variable.is_local and variable.is_scalar
        return variable.numeric or (is_generic and self.template_index(variable.type.name, variable.at) >= 0)

    def ranged(self, variable: Variable, among: Node) -> list[Given]:
        """The elements of a range that are written down."""
        table = self.program.means.get(among.at) if among.kind == "name" else None
        elements = among.parts if among.kind == "braces" else self.tables.elements(
            table, among.at) if table is not None and self.tables.is_whole(table) else None
        if not elements or not variable.is_scalar:
            raise Unknown
        kind = self.kind_of(variable)
        return [(variable.at, None, converted(self._element(table, node), kind)) for node in elements]

    def _element(self, table: Variable | None, node: Node) -> Number:
        """An element, if it is a number."""
        value = self._behind(node.at, first_token(node), lambda: self.value(node))
        kind = self.tables.number(table) if table is not None else None
        if not isinstance(value, Number):
            raise Unknown
        return value if kind is None else converted(value, kind)

    def element(self, node: Node) -> Value:
        """`table[number]`."""
        base, index = node.parts
        table = self.program.means.get(base.at) if base.kind == "name" and base.ranges is None else None
        elements = self.tables.elements(table, base.at) if table is not None else None
        place = self.value(index) if elements else None
        if table is None or not elements or not isinstance(place, Number) or not 0 <= place.value < len(elements):
            raise Unknown
        return self._element(table, elements[int(place.value)])

    def counts_elements(self, variable: Variable) -> bool:
        """Whether a variable is the subscript of a table whose elements are known: `sizes[i]`. One launch for each is exact; what
        they have in common is not."""
        text, means = self.program.tokens.text, self.program.means
        named = [at for at in self.program.positions.get(variable.name, []) if means.get(at) is variable]
        tables = [means.get(at - 2) for at in named if text[at - 1] == "[" and text[at + 1] == "]"]
        return any(table is not None and self.tables.elements(table, variable.at) for table in tables)

    def counted(self, variable: Variable, at: int, frame: Frame | None, most: int = MOST_VALUES) -> list[Given]:
        """The values that a `for` counts through, where its head says all; `most` of them."""
        loop = self.program.flow.counting(variable, at)
        test, step = loop.head if loop is not None else (None, None)
        if test is None or step is None or not variable.numeric or id(variable) in self.counts:
            raise Unknown
        value = self.given(variable, (variable.at, None, None), frame)
        found: list[Given] = []
        try:
            while isinstance(value, Number) and len(found) <= most:
                self.counts[id(variable)] = value
                if self._is_over(test):
                    if not found:
                        raise Unknown
                    return found
                found.append((variable.at, None, value))
                value = as_kind(self._stepped(step, value), self.kind_of(variable))
        finally:
            self.counts.pop(id(variable), None)
        raise Unknown

    def closed(self, variable: Variable, options: list[Given], frame: Frame | None) -> list[Given]:
        """The values that a variable may be set to, if a loop sets it again and again and they are few numbers: `g /= 2`. None
        is made from one that the loop's test certainly ends with."""
        loops = {place: loop for place, node, _ in options if node is not None and (loop := self._loop_of(variable, place))}
        if not loops or not variable.numeric or id(variable) in self.counts:
            return options
        steps = [option for option in options if option[0] in loops]
        try:
            found = [self._number_of(variable, option, frame) for option in options if option[0] not in loops]
            for value in found:
                self.counts[id(variable)] = value
                for step in steps:
                    if len(steps) > 1 or self._is_met(step[0], loops[step[0]]):
                        found += [new for new in (self._number_of(variable, step, frame),) if new not in found]
                if len(found) > MOST_CLOSED:
                    return options
        except FAILURES:
            return options
        finally:
            self.counts.pop(id(variable), None)
        self.closing.add(id(variable))
        return [(variable.at, None, value) for value in found]

    def _is_met(self, place: int, loop: Structure) -> bool:
        """Whether all tests may be met on the way from the head of a loop to a token in it."""
        for each in self.program.flow.around(place):
            if each is loop:
                break
            if each.kind == "branch" and each.test is not None and self._in_any_round(each.test) is (not each.holds):
                return False
        return True

    def _loop_of(self, variable: Variable, place: int) -> Structure | None:
        """The innermost loop around a token, where it has gone round since a variable was declared."""
        loop = next((each for each in self.program.flow.around(place) if each.kind == "loop"), None)
        return loop if loop is not None and loop.comes_back(variable.at) else None

    def _number_of(self, variable: Variable, option: Given, frame: Frame | None) -> Number:
        value = self.given(variable, option, frame)
        if not isinstance(value, Number):
            raise Unknown
        return value

    def never_below(self, variable: Variable) -> int | None:
        """A number from zero on that a variable is never less than: it begins with such ones, and is set to such ones or to what
        it was, and something more, or times or divided by a positive number. Signed arithmetic stays in its type."""
        kind = variable.type.number
        if not variable.numeric or variable.is_parameter or kind is None or kind.unsigned or kind.bits < 32:
            return None
        numbers: list[int] = []
        grows = True
        for node in (*variable.init, *variable.made):
            number = self.fixed_number(node)
            if number is not None:
                numbers.append(int(number.value))
                continue
            keeps = self._kept(variable, node, kind)
            if keeps is None:
                return None
            grows &= keeps
        if variable.form == "unknown" or not numbers or min(numbers) < 0 or max(numbers) > limits(kind)[1]:
            return None
        return min(numbers) if grows else 0

    def _kept(self, variable: Variable, node: Node | None, kind: Number) -> bool | None:
        """Whether what a variable is set to is no less than what it was, if that was not below zero; False: not below zero alone;
        None: neither is known. Sums and products are those of its own type."""
        if node is None or node.kind != "binary" or node.parts[0].kind != "name":
            return None
        by = self.fixed_number(node.parts[1]) if self.program.means.get(node.parts[0].at) is variable else None
        if by is None or by.value < 0 or (by.value == 0 and node.text != "+"):
            return None
        if node.text in ("/", "%", ">>", "&"):
            return False
        return True if node.text in ("+", "*") and not by.unsigned and by.bits <= kind.bits else None

    def fixed_number(self, node: Node | None) -> Number | None:
        """An integer that is the same in each run."""
        if node is None:
            return None
        try:
            with self.apart():
                value = self._behind(node.at, first_token(node), lambda: self.value(node))
        except FAILURES:
            return None
        return value if isinstance(value, Number) and value.bits else None

    def _is_over(self, test: Node) -> bool:
        """Whether a test is certainly false."""
        return self._came_out(test) is False

    def _came_out(self, test: Node) -> bool | None:
        """What a test certainly comes to."""
        try:
            return self._behind(test.at, first_token(test), lambda: self.test(test)).is_true
        except FAILURES:
            return None

    def _in_any_round(self, test: Node) -> bool | None:
        """What a test comes to whatever is chosen: in each round of a loop, say."""
        before = self.choices, self.values
        self.choices, self.values = None, {}
        try:
            return self._came_out(test)
        finally:
            self.choices, self.values = before

    def _stepped(self, step: Node, value: Number) -> Scalar:
        """What a step makes of a number."""
        if step.kind in ("unary", "postfix") and step.text in ("++", "--"):
            return operate(step.text[0], value, Number(1))
        if step.kind != "assign":
            raise Unknown
        right = self._behind(step.at, first_token(step), lambda: self.value(step.parts[1]))
        if not isinstance(right, Number):
            raise Unknown
        return right if step.text == "=" else operate(step.text[:-1], value, right)
