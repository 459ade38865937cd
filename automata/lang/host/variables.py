"""What a variable is worth where a launch is made.

In this order: a constant; what it was given, if it was given that once; an argument of the call that is looked at; one of the
values that it is set to, with what was tested for each; a *leaf*, which stands for the value that nobody knows but which is the
same wherever it is named, up to the launch.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from automata.lang.host.choices import MOST_LISTED, Infeasible
from automata.lang.host.counting import MOST_CLOSED, MOST_VALUES, Given
from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Test
from automata.lang.host.frames import Frame
from automata.lang.host.living import living
from automata.lang.host.looking import FAILURES, first_token, is_leaf
from automata.lang.host.numbers import INT, UNSIGNED, Number, Unknown, converted, operate
from automata.lang.host.paths import constant_named
from automata.lang.host.series import Series
from automata.lang.host.symbolic import (
    ATOM,
    NO_SIZES,
    ONE,
    Ratio,
    Scalar,
    Sizes,
    Symbolic,
    Value,
    as_kind,
    whole,
)
from automata.lang.host.syntax import Node

_MAX_VARIABLES = 12
AXES = "xyz"


class Variables(Series):
    """Reads variables."""

    # Names

    def variable(self, at: int) -> Variable | None:
        """The variable that a token names, if nothing is overlooked that may change it."""
        variable = self.program.means.get(at)
        return variable if variable is not None and self.steady.is_followed(variable, at) else None

    def named(self, node: Node) -> Value:
        if node.ranges is not None:
            raise Unknown
        variable = self.program.means.get(node.at)
        if variable is None or self.template_index(node.text, node.at) >= 0:
            return self.template_number(node.text, node.at)
        if id(variable) in self.counts:
            return self.counts[id(variable)]
        if not self.steady.is_followed(variable, node.at):
            return self.now(variable, node.at)
        constant = self._constant(variable, node.at)
        if isinstance(constant, Number):
            return constant
        frame = self.home(node.at)
        if variable.is_local and frame is None:
            raise Unknown
        if variable.sizes:
            return self._filled(variable, node.at, frame)
        if not self.is_numeric(variable) or "static" in variable.type.words or not variable.is_local:
            return self.now(variable, node.at)
        return self._number(variable, node.at, frame)

    def qualified(self, node: Node) -> Value:
        """What a constant of a namespace is worth."""
        region = self.program.region_at(node.at)
        variable = constant_named(self.program, node)
        if variable is None or (region is not None and region.is_clouded):
            raise Unknown
        constant = self._constant(variable, variable.at + 1)
        if not isinstance(constant, Number):
            raise Unknown
        return constant

    def element(self, node: Node) -> Value:
        """An element of a table, or of an array each of whose elements is a variable."""
        base, index = node.parts
        array = self.program.means.get(base.at) if base.kind == "name" and base.ranges is None else None
        is_plain = index.kind == "number" and index.text.isdigit() and index.text == str(int(index.text))
        cell = self.tables.cell(array, int(index.text), base.at) if array is not None and is_plain else None
        if cell is None:
            try:
                return super().element(node)
            except Unknown:
                return self.any_element(array, node)
        frame = self.home(node.at)
        if frame is None:
            raise Unknown
        return self._number(cell, base.at, frame)

    def _number(self, variable: Variable, at: int, frame: Frame | None) -> Value:
        """What a local number is worth."""
        try:
            value = self._known(variable, at, frame)
        except FAILURES:
            value = None
        if frame is not None and not isinstance(value, Number) and self.program.flow.is_left(variable.at, frame.goal):
            return self.now(variable, at)
        if isinstance(value, Symbolic) and not any(key[0] == id(variable) for key in self.inside):
            value = self.one_among(value)
        if isinstance(value, Number):
            return value
        passed = (id(variable), id(frame)) in self.passed and not (isinstance(value, Symbolic) and is_leaf(value))
        if passed or value is None:
            try:
                leaf = self.leaf(variable, at, frame)
            except Unknown:
                leaf = None
            if leaf is not None and isinstance(value, Symbolic):
                self._define(leaf, value)
            if leaf is not None or value is None:
                return leaf if leaf is not None else self.now(variable, at)
        if isinstance(value, Symbolic) and value.level < ATOM:
            return Symbolic(f"({value.text})", ATOM, value.kind, value.low, value.high, value.needs)
        return value

    def _known(self, variable: Variable, at: int, frame: Frame | None, base: Scalar | None = None) -> Value:
        """What a variable is given; Unknown where it is not known."""
        options = self._since(variable, at, frame)
        anchor = options[0][0] if options else variable.at
        options = options or self._options(variable, at, frame, base)
        is_left = frame is not None and self.program.flow.is_left(variable.at, frame.goal)
        places = tuple((place, base) for place, _, base in options)
        key = (id(variable), id(frame), anchor, places, self.round if is_left else -1)
        if key not in self.values:
            self.values[key] = None
            self.values[key] = self._computed(variable, options, frame, key, anchor)
        found = self.values[key]
        if found is None:
            raise Unknown
        return found

    def _computed(self, variable: Variable, options: list[Given], frame: Frame | None, key: tuple[object, ...],
                  anchor: int) -> Value:
        if self.depth > _MAX_VARIABLES or key in self.inside:
            raise Unknown
        self.depth += 1
        self.inside.add(key)
        try:
            values = [self._given_or_none(variable, option, frame, anchor) for option in options]
            if all(value is None for value in values) or (None in values and self._is_set_in_loop(options, anchor)):
                raise Unknown
            if values[0] is not None and all(value == values[0] for value in values):
                return values[0]
            ways = [index for index in range(len(options)) if all(
                self._may_take(test, frame) for test in self.tests_for(options, index, anchor))]
            if not ways:
                raise Infeasible
            index = ways[0] if len(ways) == 1 else self.pick(key, len(values))
            for test in self.tests_for(options, index, anchor):
                self._take(test, frame)
            chosen = values[index]
            if chosen is None:
                raise Unknown
            is_doubtful = id(variable) in self.closing or self._is_set_in_loop(options[index:], anchor)
            if is_doubtful and isinstance(chosen, Number):
                self.perhaps[variable.name] = int(chosen.value)
            return chosen
        finally:
            self.depth -= 1
            self.inside.discard(key)

    def _given_or_none(self, variable: Variable, option: Given, frame: Frame | None, anchor: int) -> Value | None:
        """What one of several settings comes to; None where it is not known: then that one alone is left open."""
        try:
            return self.given(variable, option, frame, anchor)
        except FAILURES:
            return None

    def _take(self, test: Test | list[Test], frame: Frame | None) -> None:
        """What was tested for an option that is chosen came out so; of several tests, not all did."""
        if isinstance(test, Test):
            self.go(test, frame)
        elif len(test) == 1:
            self.go(Test(test[0].node, not test[0].holds), frame)
        self.assume(test)

    def _may_take(self, test: Test | list[Test], frame: Frame | None) -> bool:
        """Whether what was tested for an option may have come out so, by the ways that were taken before."""
        if isinstance(test, Test):
            return self.may_go(test, frame)
        return len(test) != 1 or self.may_go(Test(test[0].node, not test[0].holds), frame)

    def _is_set_in_loop(self, options: list[Given], anchor: int) -> bool:
        """Whether one of some settings stands in a loop of which nobody knows with what it ends."""
        return any(each.kind == "loop" and not each.has(anchor)
                   for place, _, _ in options for each in self.program.flow.around(place))

    def _since(self, variable: Variable, at: int, frame: Frame | None) -> list[Given]:
        """What a variable that a loop sets may have been set to last, where one setting comes before a token in each round, and
        the loop has not ended."""
        flow = self.program.flow
        if frame is None or not variable.settings or not self.steady.has_order(variable, at):
            return []
        if flow.reaching(variable, at) is not None:
            return []
        found: list[Given] = [(*variable.settings[number], None) for number in flow.since(variable, at) or ()]
        is_in_round = bool(found) and not flow.is_left(found[0][0], frame.goal)
        return found if is_in_round and len(found) <= MOST_CLOSED and all(node is not None for _, node, _ in found) else []

    def _options(self, variable: Variable, at: int, frame: Frame | None, base: Scalar | None) -> list[Given]:
        """What a variable may have been set to last."""
        options: list[Given] = []
        is_made = variable.sizes and not variable.is_member
        if base is not None or variable.form or variable.is_enumerator or is_made:
            options.append((variable.at, None, base))
        if variable.among is not None and not variable.settings:
            options = self.ranged(variable, variable.among)
        if variable.settings:
            reaching = self.program.flow.reaching(variable, at) if self.steady.has_order(variable, at) else None
            if reaching is None:
                return self.counted(variable, at, frame, MOST_LISTED if self.counts_elements(variable) else MOST_VALUES)
            for number in reaching:
                place, node = variable.settings[number]
                options.append((place, node, None))
            options = self.closed(variable, living(self.program, variable, options), frame)
        is_open = any(node is None and place != variable.at for place, node, _ in options)
        if not 0 < len(options) <= MOST_CLOSED or is_open:
            raise Unknown
        return options

    def given(self, variable: Variable, option: Given, frame: Frame | None, anchor: int = -1) -> Value:
        """What one of them comes to, in the variable's type. `anchor`: where it is declared, or is set in each round."""
        before = self.defines, self.round, self.sizing
        self.defines, self.sizing = frame is not None, variable.is_axis
        if self.round < 0 and frame is not None and self.program.flow.is_left(option[0], frame.goal):
            self.round = option[0]
        try:
            return self._given(variable, option, frame, anchor if anchor >= 0 else variable.at)
        finally:
            self.defines, self.round, self.sizing = before

    def _given(self, variable: Variable, option: Given, frame: Frame | None, anchor: int) -> Value:
        _, node, base = option
        if base is not None:
            return base
        if variable.sizes:
            return self._given_sizes(variable, option, frame, anchor)
        if node is not None:
            found = self._behind(anchor, first_token(node), lambda: self.value(unwrapped(node)))
        elif variable.is_parameter:
            found = self._argument(variable, frame)
        else:
            begin = first_token(variable.init[0]) if len(variable.init) == 1 else variable.at
            found = self._behind(variable.at, begin, lambda: self._initial(variable))
        return self._as_declared(variable, found)

    def _as_declared(self, variable: Variable, found: Value) -> Value:
        if isinstance(found, Sizes) or variable.type.kind == "auto" or variable.is_enumerator:
            return found
        kind = self.kind_of(variable)
        if isinstance(found, Ratio):
            if not kind.bits:
                raise Unknown
            return whole(found, kind)
        return as_kind(found, kind)

    def _initial(self, variable: Variable) -> Value:
        """What a declaration gives a variable."""
        if variable.is_enumerator and not variable.init:
            return converted(Number(variable.past), INT)
        node = variable.init[0] if len(variable.init) == 1 and variable.form in ("=", "(", "{") else None
        if variable.is_enumerator and variable.init:
            node = variable.init[0]
        if node is None:
            raise Unknown
        value = self.value(unwrapped(node) if variable.numeric else node)
        if variable.is_enumerator:
            if not isinstance(value, Number):
                raise Unknown
            return operate("+", value, Number(variable.past)) if variable.past else converted(value, INT)
        return value

    def _argument(self, variable: Variable, frame: Frame | None) -> Value:
        """What the call that is looked at gives a parameter."""
        if frame is None or frame.region is None or (frame.call is None and frame.passed is None):
            raise Unknown
        for index, parameter in enumerate(frame.region.head.parameters):
            if parameter is not None and parameter.variable is variable:
                if frame.passed is not None:
                    return self._from_abroad(variable, self.adopted(frame.passed, frame.passed.values[index]))
                given = frame.argument(index)
                if given is not None:
                    return self.from_caller(frame, partial(self.sizes_of if variable.sizes else self._unwrapped, given))
                default = self.read(*parameter.default) if parameter.default is not None else None
                if default is not None and default.kind == "number":
                    return self.value(default)
        raise Unknown

    def _from_abroad(self, variable: Variable, value: Value | None) -> Value:
        """What a call in another text passes, as a `dim3` where one is made of it."""
        if value is None:
            raise Unknown
        if variable.sizes and isinstance(value, Number | Symbolic):
            return Sizes((self.as_part(value), ONE, ONE))
        return value

    def _unwrapped(self, node: Node) -> Value:
        return self.value(unwrapped(node))

    def sizes_of(self, node: Node) -> Sizes:
        raise NotImplementedError

    def tests_for(self, options: list[Given], at: int, anchor: int) -> list[Test | list[Test]]:
        """What holds where an option is the last that was taken: its own tests, and not all those of a later one."""
        flow = self.program.flow
        place = options[at][0]
        found: list[Test | list[Test]] = list(flow.tests(place, anchor) or []) if place != anchor else []
        for later, _, _ in options[at + 1 :]:
            if later == anchor:
                continue
            tests = flow.tests(later, anchor)
            if tests:
                found.append(tests)
        return found

    # Constants

    def _constant(self, variable: Variable, at: int) -> Value | None:
        """The value of a number that no argument and no order of statements decides."""
        if not variable.numeric or not self.steady.is_steady(variable, at) or variable.is_parameter:
            return None
        key = id(variable)
        if key not in self.constants:
            self.constants[key] = None
            with suppress(*FAILURES), self.apart():
                self.constants[key] = self._known(variable, at, None)
        return self.constants[key]

    # Sizes

    def _filled(self, variable: Variable, at: int, frame: Frame | None) -> Sizes:
        """A `dim3` with the members that were set since."""
        parts = list(self._base(variable, at, frame).parts)
        for axis, member in variable.fields.items():
            index = AXES.index(axis)
            is_open = bool(variable.assigned) or variable.type.is_const or not self.steady.has_order(variable, at)
            parts[index] = None if is_open else self._member_value(member, at, frame, parts[index])
        if "static" in variable.type.words or not variable.is_local:
            parts = [part if isinstance(part, Number) else None for part in parts]
        return Sizes((parts[0], parts[1], parts[2]))

    def _member_value(self, member: Variable, at: int, frame: Frame | None, base: Scalar | None) -> Scalar | None:
        last = self.steady.set_once(member, member.assigned, at)
        try:
            if base is None and (last is None or last == -1 or last >= at):
                return None
            value = self._known(member, at, frame, base)
        except FAILURES:
            return None
        return self.as_part(value) if isinstance(value, Number | Symbolic) else None

    def _base(self, variable: Variable, at: int, frame: Frame | None) -> Sizes:
        """What a `dim3` is made as."""
        try:
            found = self._known(variable, at, frame)
        except FAILURES:
            return NO_SIZES
        return found if isinstance(found, Sizes) else NO_SIZES

    def _given_sizes(self, variable: Variable, option: Given, frame: Frame | None, anchor: int) -> Sizes:
        node = option[1]
        if node is not None:
            return self._behind(anchor, first_token(node), lambda: self.sizes_of(node))
        if variable.is_parameter:
            found = self._argument(variable, frame)
            return found if isinstance(found, Sizes) else NO_SIZES
        if not variable.form:
            return Sizes((ONE, ONE, ONE))
        if variable.form == "unknown":
            return NO_SIZES
        return self._behind(variable.at, variable.at, lambda: self.sizes_of(
            variable.init[0]) if variable.form == "=" else self.listed(variable.init))

    def listed(self, nodes: tuple[Node, ...]) -> Sizes:
        raise NotImplementedError

    def as_part(self, value: Scalar) -> Scalar | None:
        """A value as a size of a launch."""
        try:
            if isinstance(value, Symbolic):
                held = value.held(0, 2**32 - 1) if value.kind.bits == 64 else value
                return held if held.high > 0 else None
            return converted(value, UNSIGNED)
        except Unknown:
            return None


def unwrapped(node: Node) -> Node:
    """What stands in braces alone."""
    return node.parts[0] if node.kind == "braces" and len(node.parts) == 1 else node
