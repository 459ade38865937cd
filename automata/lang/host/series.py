"""The numbers that a variable or an element of an array may be, taken together: `for (int n = 256; n <= 4096; n += 256)`, or
`for (int i = 0; i < 10; i++) size[i] = 256 * (i + 1);` with `run(size[j])` behind it.

In: a variable, or a read of an element whose place is not known. Out: a set of numbers, of which it is one whenever it is read,
wherever that is; and of a leaf that stands for it the bounds and the divisor that all of them share. So a launch is told by what
is common to many sizes where there are too many to look at one by one.

The set is the union of all that the variable, or any element, is ever set to (an element that is read before it is set has no
value); a loop's counter has the numbers that its head counts through. Nothing is kept of where in the text they are set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd

from automata.lang.host.declarations import Variable
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import Number, Unknown, converted, limits, operate
from automata.lang.host.standing import Standing
from automata.lang.host.symbolic import MOST_AMONG, Relation, Scalar, Symbolic
from automata.lang.host.syntax import Node

MOST_NUMBERS = 4096
_COMPUTED = frozenset({"+", "-", "*", "/", "%"})


class Series(Standing):
    """Finds sets of numbers."""

    def numbers(self, variable: Variable) -> frozenset[Number] | None:
        return self._once_found(variable, lambda: self._numbers(variable))

    def _once_found(self, variable: Variable, do: Callable[[], frozenset[Number]]) -> frozenset[Number] | None:
        """A set that is found once, whatever loop is being counted through meanwhile. None while it is looked for."""
        if variable not in self.known_numbers:
            self.known_numbers[variable] = None
            counts, self.counts = self.counts, {}
            try:
                with self.apart():
                    self.known_numbers[variable] = do()
            except FAILURES:
                pass
            finally:
                self.counts = counts
        return self.known_numbers[variable]

    def _numbers(self, variable: Variable) -> frozenset[Number]:
        is_own = variable.is_local and not variable.is_parameter and not variable.is_axis and variable.numeric
        if not is_own or not self.steady.is_followed(variable, variable.at + 1) or "static" in variable.type.words:
            raise Unknown
        loop = next((each for each in self.program.flow.around(variable.at) if each.kind == "loop"), None)
        if loop is not None and self.program.flow.counting(variable, loop.step[1]) is loop:
            counted = self.counted(variable, loop.step[1], None, MOST_NUMBERS)
            return frozenset(value for _, _, value in counted if isinstance(value, Number))
        if variable.among is not None and not variable.settings:
            return frozenset(value for _, _, value in self.ranged(variable, variable.among) if isinstance(value, Number))
        nodes = [node for _, node in variable.settings]
        if variable.form not in ("", "="):
            raise Unknown
        kind = self.kind_of(variable)
        return frozenset(converted(each, kind) for node in (*variable.init, *nodes) for each in self._of(node))

    def _of(self, node: Node | None) -> frozenset[Number]:
        """The numbers that an expression may come to."""
        if node is None:
            raise Unknown
        fixed = self.fixed_number(node)
        if fixed is not None:
            return frozenset({fixed})
        match node.kind:
            case "name":
                variable = self.program.means.get(node.at)
                found = self.numbers(variable) if variable is not None else None
            case "index":
                base = node.parts[0]
                array = self.program.means.get(base.at) if base.kind == "name" and base.ranges is None else None
                found = self._elements_of(array, base.at) if array is not None else None
            case "binary" if node.text in _COMPUTED:
                one, two = self._of(node.parts[0]), self._of(node.parts[1])
                is_few = len(one) * len(two) <= MOST_NUMBERS
                found = frozenset(operate(node.text, x, y) for x in one for y in two) if is_few else None
            case "cond":
                found = self._of(node.parts[1]) | self._of(node.parts[2])
            case _:
                found = None
        if not found or not all(each.bits for each in found):
            raise Unknown
        return found

    def _elements_of(self, array: Variable, at: int) -> frozenset[Number] | None:
        """The numbers that any element of an array may be."""
        return self._once_found(array, lambda: self._stored_in(array, at))

    def _stored_in(self, array: Variable, at: int) -> frozenset[Number]:
        nodes = self.tables.elements(array, at) if not array.stored else None
        is_whole = nodes is not None and self.tables.is_whole(array)
        nodes = nodes if is_whole else self.tables.stored(array, at)
        kind = self.tables.number(array)
        if not nodes or kind is None:
            raise Unknown
        return frozenset(converted(each, kind) for node in nodes for each in self._of(node))

    def any_element(self, array: Variable | None, node: Node) -> Symbolic | Number:
        """An element of which nobody knows which one it is: one value each time that the expression is come to."""
        home, launching = self.home(node.at), self.launching
        is_there = home is not None and home is launching and home.begin <= node.at <= home.goal
        if array is None or home is None or home.is_inner or not (self.defines or is_there):
            raise Unknown
        numbers = self._elements_of(array, node.parts[0].at)
        if not numbers or (not array.stored and self.fixed_number(node.parts[1]) is not None):
            raise Unknown
        kind = next(iter(numbers))
        if node.at not in self.read_numbers:
            self.read_numbers[node.at] = Variable(array.name, node.at, array.type.bare())
        variable = self.read_numbers[node.at]
        before = len(self.leaves)
        leaf = self._symbol(variable, kind, home, f"@{node.at}#{self.round}")
        if isinstance(leaf, Number):
            return leaf
        if len(self.leaves) > before:
            self.bounded(leaf, numbers)
            self.of_series[leaf.text] = array.name
        values = sorted({int(each.value) for each in numbers})
        among = tuple(values) if 1 < len(values) <= MOST_AMONG else ()
        return Symbolic(leaf.text, leaf.level, leaf.kind, values[0], values[-1], (), among)

    def bounded(self, leaf: Scalar, numbers: frozenset[Number] | None) -> None:
        if not numbers or not isinstance(leaf, Symbolic):
            return
        values = sorted({int(each.value) for each in numbers})
        least, most = limits(leaf.kind)
        if not least <= values[0] <= values[-1] <= most:
            return
        self.definitions += [Relation(f"({leaf.text} {text})") for text in _common(values)]


def _common(values: list[int]) -> Iterable[str]:
    """What some numbers have in common, the least first: bounds, and what all are multiples of, or their distances."""
    if len(values) == 1:
        yield f"== {values[0]}"
        return
    yield f">= {values[0]}"
    yield f"<= {values[-1]}"
    step = gcd(*(each - values[0] for each in values))
    if step > 1 and values[0] >= 0:
        yield f"% {step} == {values[0] % step}"
