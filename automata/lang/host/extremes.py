"""The least and the greatest that an expression of the host may come to, whenever it is computed.

In: an expression. Out: a type and two integers, with texts over leaves that it is less than. Nothing is kept of where in the text
it stands, but for two: a variable that a `for` counts with meets the head's test in the body, and a name that is a leaf at the
launch is that leaf here. So `rand() % n` is at least 0 and less than `n` or `-n`; and what a name may be is all that it is ever
set to. What is not understood is anything that its type holds.

Signed arithmetic that leaves its type is undefined ([expr.pre] of the C++ standard): such a run is none of a program's, so the
result is within the type, but where operands come up that make it leave it (`spans`): there it is anything. Unsigned arithmetic
wraps: there it is anything. A float that is converted is anything.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from automata.lang.host.choices import Infeasible
from automata.lang.host.copied import is_only_called
from automata.lang.host.declarations import Variable
from automata.lang.host.frames import Frame
from automata.lang.host.looking import FAILURES, first_token
from automata.lang.host.numbers import BOOL, INT, Number, Unknown, common, limits, literal, promoted
from automata.lang.host.spans import Span, any_of, converted, is_any, point, quotient, shifted, within
from automata.lang.host.symbolic import Symbolic
from automata.lang.host.syntax import Node
from automata.lang.host.types import Type
from automata.lang.host.values import Evaluator

_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_DRAWING = {"rand": Number(2**31 - 1), "random": Number(2**31 - 1, 64), "lrand48": Number(2**31 - 1, 64)}
"""Functions of C that draw a number from 0 up to this one (C17 7.22.2.1 with glibc's RAND_MAX; POSIX)."""
_UNIFORM = "uniform_int_distribution"
_DEEPEST = 24


class Extremes:
    """Finds what expressions of one file may come to. `elements`: what the elements of an array are, where that is known.
    `since`: the tokens from which on the memory is there that they are stored in, all of one function, none where that is not
    known; `homes`: where what it is reached by is declared."""

    def __init__(self, evaluator: Evaluator, elements: Callable[[Variable], Span | None]) -> None:
        self.evaluator, self.program, self.elements = evaluator, evaluator.program, elements
        self.open: list[Variable] = []
        self.depth = 0
        self.since: list[int] = []
        self.homes: list[int] = []

    def of(self, node: Node | None, kind: Number) -> Span:
        """What an expression may come to as an integer type."""
        try:
            return converted(self._of(node) if node is not None else None, kind)
        except FAILURES:
            return any_of(kind)

    def plain(self, node: Node) -> Span | None:
        """What an expression may come to in its own type; None where that is not known."""
        try:
            return self._of(node)
        except FAILURES:
            return None

    def _of(self, node: Node) -> Span:
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise Unknown
            return self._read(node)
        finally:
            self.depth -= 1

    def _read(self, node: Node) -> Span:
        reads: dict[str, Callable[[Node], Span]] = {
            "number": _literal, "constant": _constant, "name": self._named, "unary": self._unary, "binary": self._binary,
            "index": self._element, "cond": self._either, "cast": self._made,
            "construct": self._made, "call": self._called}
        if node.kind not in reads:
            raise Unknown
        return reads[node.kind](node)

    def _either(self, node: Node) -> Span:
        one, two = self._of(node.parts[1]), self._of(node.parts[2])
        kind = common(one.kind, two.kind)
        return converted(one, kind).joined(converted(two, kind))

    def _made(self, node: Node) -> Span:
        if len(node.parts) != 1 or node.type is None:
            raise Unknown
        return self.of(node.parts[0], self._number(node.type, node.at))

    def _number(self, kind: Type, at: int) -> Number:
        """The integer type that is meant by a type."""
        actual = self.evaluator.actual(kind, at)
        return actual.number if actual.is_number and actual.number is not None and actual.number.bits else _fail()

    # Names

    def _named(self, node: Node) -> Span:
        variable = self.program.means.get(node.at)
        if variable is None or node.ranges is not None or variable in self.open or variable.is_array:
            raise Unknown
        if not self.evaluator.steady.is_followed(variable, node.at):
            return any_of(self._number(variable.type, node.at))
        self.open.append(variable)
        try:
            return self._worth(variable, node)
        finally:
            self.open.pop()

    def _worth(self, variable: Variable, node: Node) -> Span:
        fixed = self.evaluator.fixed_number(node)
        if fixed is not None:
            return point(int(fixed.value), fixed)
        kind = self._kind(variable, node.at)
        loop = self.program.flow.counting(variable, node.at)
        if loop is not None:
            return self._counted(variable, kind, loop.head, node.at)
        numbers = self.evaluator.numbers(variable)
        if numbers:
            found = Span(kind, min(int(each.value) for each in numbers), max(int(each.value) for each in numbers))
        else:
            found = self._set_to(variable, kind)
        return self._with_leaf(found, node)

    def _kind(self, variable: Variable, at: int) -> Number:
        if variable.type.kind == "auto" and len(variable.init) == 1 and not variable.type.reference:
            return self._of(variable.init[0]).kind
        return self._number(variable.type.bare() if variable.type.reference else variable.type, at)

    def _set_to(self, variable: Variable, kind: Number) -> Span:
        """All that a local variable is ever set to."""
        is_own = variable.is_local and not variable.is_parameter and variable.form in ("", "=", "(", "{") and (
            variable.among is None and len(variable.init) <= 1 and "static" not in variable.type.words)
        nodes = [*variable.init, *variable.made]
        if not is_own or not nodes:
            return any_of(kind)
        found = [self.of(node, kind) for node in nodes]
        for each in found[1:]:
            found[0] = found[0].joined(each)
        return found[0]

    def _with_leaf(self, found: Span, node: Node) -> Span:
        """With what a name is at the launch: a number, or a leaf, which it is at most."""
        known = self.known(node)
        if isinstance(known, Number):
            return point(int(known.value), found.kind) if known.bits else found
        return found if known is None else replace(found, below=(*found.below, f"(@ <= {known.text})"))

    def leaf(self, node: Node) -> Symbolic | None:
        known = self.known(node)
        return known if isinstance(known, Symbolic) else None

    def known(self, node: Node) -> Symbolic | Number | None:
        """An expression as a number, or a text over what is known at the launch, if nothing in it changes while the arrays are
        filled that are looked at (`since`)."""
        evaluator = self.evaluator
        names = [self.program.means.get(each.at) for each in _names(node)]
        if not names or not all(each is not None and self._is_before(each) for each in names):
            return None
        before = evaluator.choices, evaluator.values, evaluator.defines, evaluator.sizing
        evaluator.choices, evaluator.values, evaluator.defines, evaluator.sizing = None, {}, False, False
        try:
            value = evaluator._behind(first_token(node), first_token(node), lambda: evaluator.value(node))
        except (*FAILURES, Infeasible):
            return None
        finally:
            evaluator.choices, evaluator.values, evaluator.defines, evaluator.sizing = before
        return value if isinstance(value, Number) or (isinstance(value, Symbolic) and not value.needs) else None

    def _is_before(self, variable: Variable) -> bool:
        """Whether a variable has got its last value before the memory is there that is looked at: it is set before, in the text,
        and what sets it in a loop or a lambda does so for each such memory, for that is declared there, too."""
        flow, places = self.program.flow, [variable.at, *(place for place, _ in variable.settings)]
        every = [*places, *self.since, *self.homes]
        regions = {id(self.program.region_at(at)): self.program.region_at(at) for at in every}
        region = next(iter(regions.values()))
        if not self.since or len(regions) > 1 or region is None or region.ordered_to <= max(every) or not variable.is_local:
            return False
        around = {each for place in places for each in flow.around(place) if each.kind in ("loop", "lambda")}
        return max(places) < min(self.since) and all(each.has(home) for each in around for home in self.homes) and len(
            {flow.function(at) for at in every}) == 1

    def divides(self, size: int, node: Node | None, frame: Frame | None, depth: int = 0) -> bool:
        """Whether a number of bytes is certainly a multiple of the size of an element, where it is computed in a call."""
        if node is None or depth > _DEEPEST:
            return False
        fixed = self.evaluator.fixed_number(node)
        if fixed is not None:
            return int(fixed.value) % size == 0
        inner = [self.divides(size, part, frame, depth + 1) for part in node.parts]
        match node.kind:
            case "cast" | "construct":
                return inner == [True]
            case "binary" if node.text in ("*", "+", "-"):
                return any(inner) if node.text == "*" else all(inner)
            case "sizeof" if node.parts:
                part = node.parts[0].parts[0] if node.parts[0].kind in ("index", "unary") else node.parts[0]
                with suppress(Unknown):
                    element = self._held(part)
                    return element.bits % (8 * size) == 0
            case "name":
                variable = self.program.means.get(node.at)
                is_seen = variable is not None and self.evaluator.steady.is_followed(variable, node.at)
                if variable is None or not is_seen or variable.among is not None or "static" in variable.type.words:
                    return False
                if variable.is_parameter:
                    return not variable.settings and self._divides_passed(size, variable, frame, depth)
                nodes = [*variable.init, *variable.made]
                return bool(nodes) and all(self.divides(size, each, frame, depth + 1) for each in nodes)
        return False

    def _divides_passed(self, size: int, parameter: Variable, frame: Frame | None, depth: int) -> bool:
        """The same of a parameter, in the call that is looked at."""
        listed = frame.region.head.parameters if frame is not None and frame.region is not None else ()
        numbers = [index for index, each in enumerate(listed) if each is not None and each.variable is parameter]
        is_called = frame is not None and frame.call is not None and bool(numbers)
        return frame is not None and is_called and self.divides(size, frame.argument(numbers[0]), frame.outer, depth + 1)

    def _counted(self, variable: Variable, kind: Number, head: tuple[Node | None, Node | None], at: int) -> Span:
        """A variable that a `for` counts with, in its body."""
        test, step = head
        first = self.of(variable.init[0], kind) if len(variable.init) == 1 else any_of(kind)
        whole = any_of(kind)
        sign, other = _tested(test, variable, self)
        way = _way(step, variable, self)
        if kind.unsigned or kind.bits < INT.bits:
            way = way if sign == ("<" if way > 0 else ">") else 0
        least = first.least if way > 0 else whole.least
        most, below = first.most if way < 0 else whole.most, first.below if way < 0 else ()
        if other is None:
            return Span(kind, least, most, below)
        end = self._of(other)
        if kind.bits < INT.bits and not limits(kind)[0] <= end.least <= end.most <= limits(kind)[1]:
            return whole
        is_alike = kind.unsigned == end.kind.unsigned or (least >= 0 and end.least >= 0)
        if sign in ("<", "<=") and is_alike:
            most = min(most, end.most - (sign == "<"))
            leaf = self.leaf(other)
            below = (*below, *((f"(@ {sign} {leaf.text})",) if leaf is not None else ()))
        elif sign in (">", ">=") and is_alike:
            least = max(least, end.least + (sign == ">"))
        return Span(kind, least, most, below, end.least == end.most) if least <= most else whole

    # Operators

    def _unary(self, node: Node) -> Span:
        if node.text == "!":
            return self._truth(node)
        found = self._of(node.parts[0])
        kind = promoted(found.kind)
        if node.text == "+":
            return converted(found, kind)
        if node.text not in ("-", "~"):
            raise Unknown
        less = node.text == "~"
        return within(kind, -found.most - less, -found.least - less)

    def _truth(self, node: Node) -> Span:
        """What a test of numbers gives; classes may have operators of their own."""
        if not all(map(self.evaluator.kinds.is_a_number, node.parts)):
            raise Unknown
        return Span(BOOL, 0, 1)

    def _binary(self, node: Node) -> Span:
        sign = node.text
        if sign in _COMPARING:
            return self._truth(node)
        a, b = self._of(node.parts[0]), self._of(node.parts[1])
        if sign in ("<<", ">>"):
            return shifted(sign, a, b)
        kind, by = common(a.kind, b.kind), b
        a, b = converted(a, kind), converted(b, kind)
        found = self._computed(kind, sign, a, b, node.parts[1] if by.least == b.least else None)
        return replace(found, comes_up=(a.comes_up or b.comes_up) and (sign != "%" or b.least == b.most))

    def _computed(self, kind: Number, sign: str, a: Span, b: Span, by: Node | None) -> Span:
        """What a sign makes of two values of one type. `by`: the second one, where no conversion changes it."""
        comes_up = (a.comes_up or b.comes_up) and not is_any(a) and not is_any(b)
        less = a.below if a.least >= 0 and b.least >= 0 else ()
        match sign:
            case "+":
                return within(kind, a.least + b.least, a.most + b.most, comes_up)
            case "-":
                found = within(kind, a.least - b.most, a.most - b.least, comes_up)
                return replace(found, below=less) if not kind.unsigned else found
            case "*":
                corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
                return within(kind, min(corners), max(corners), comes_up)
            case "/":
                return replace(quotient(kind, a, b), below=less)
            case "%":
                return self._rest(kind, a, b, by)
            case "&" if a.least >= 0 or b.least >= 0:
                return Span(kind, 0, min(each.most for each in (a, b) if each.least >= 0))
            case "|" | "^" if a.least >= 0 and b.least >= 0:
                return Span(kind, 0, 2 ** max(a.most, b.most).bit_length() - 1)
        return any_of(kind)

    def _rest(self, kind: Number, a: Span, b: Span, by: Node | None) -> Span:
        """What is left by a division: of the sign of what is divided, and less than what it is divided by, without its sign.
        `by`: what that is, where no conversion changes it."""
        greatest = max(abs(b.least), abs(b.most)) - 1
        least, most = -min(greatest, max(0, -a.least)), min(greatest, max(0, a.most))
        below = a.below if least == 0 else ()
        leaf = self.leaf(by) if least == 0 and by is not None else None
        if leaf is not None:
            below += (f"(@ < {leaf.text})" if b.least >= 0 else f"(@ < {leaf.text} || @ < -({leaf.text}))",)
        return Span(kind, least, most, below)

    # Calls and elements

    def _element(self, node: Node) -> Span:
        """An element of what a name stands for."""
        number = self._held(node.parts[0])
        variable = self.program.means.get(node.parts[0].at)
        found = self.elements(variable) if variable is not None else None
        return found if found is not None else any_of(number)

    def _held(self, base: Node) -> Number:
        """The type of the elements of what a name stands for."""
        variable = self.program.means.get(base.at) if base.kind == "name" and base.ranges is None else None
        number = self.evaluator.tables.number(variable) if variable is not None else None
        if variable is None or number is None or variable.type.pointers + variable.is_array > 1:
            raise Unknown
        return number

    def _called(self, node: Node) -> Span:
        callee, args = node.parts[0], node.parts[1:]
        if callee.kind == "name" and len(args) == 1 and (drawn := self._drawn(callee)) is not None:
            return drawn
        name = self.evaluator.kinds.library(callee)
        name = name if is_only_called(self.program, name) else ""
        if name in _DRAWING and not args:
            return Span(_DRAWING[name]._replace(value=0), 0, int(_DRAWING[name].value), comes_up=True)
        if name in ("min", "max") and len(args) == 2 and not callee.ranges:
            one, two = self._of(args[0]), self._of(args[1])
            kind = common(one.kind, two.kind)
            one, two = converted(one, kind), converted(two, kind)
            pick = min if name == "min" else max
            return Span(kind, pick(one.least, two.least), pick(one.most, two.most),
                        (*one.below, *two.below) if name == "min" else ())
        if name == "abs" and len(args) == 1:
            one = self._of(args[0])
            kind = promoted(one.kind)
            if kind.bits != INT.bits or kind.unsigned or one.least == limits(INT)[0]:
                raise Unknown
            most = min(max(abs(one.least), abs(one.most)), limits(INT)[1])
            return Span(INT, 0 if one.least <= 0 <= one.most else min(abs(one.least), abs(one.most)), most)
        region = self.evaluator.kinds.called(node, self.evaluator.callers) if not name else None
        if region is None or region.gives is None or region.templates:
            raise Unknown
        return any_of(self._number(region.gives, region.opening))

    def _drawn(self, callee: Node) -> Span | None:
        """What a distribution of the library draws: `std::uniform_int_distribution<int> d(0, n - 1);`, called as `d(engine)`."""
        variable = self.program.means.get(callee.at)
        if variable is None or variable.form not in ("(", "{") or len(variable.init) != 2 or variable.settings:
            return None
        tokens, at = self.program.tokens, variable.at - 1
        opening = tokens.angle_begin(at) if tokens.text[at] == ">" else -1
        is_one = opening > 0 and tokens.text[opening - 1] == _UNIFORM and not self.program.declared[_UNIFORM]
        is_kept = all(at == variable.at or tokens.text[at + 1] == "(" for at in self.program.positions.get(variable.name, [])
                      if self.program.means.get(at) is variable)
        if not is_one or not is_kept or not self.evaluator.steady.is_readable(variable.name, callee.at):
            return None
        words = tokens.text[opening + 1 : at]
        kind = INT if words in ([], ["int"]) else Number(0, 32, True) if words in (["unsigned"], ["unsigned", "int"]) else None
        if kind is None:
            return None
        low, high = (self.of(node, kind) for node in variable.init)
        return Span(kind, low.least, high.most, high.below, True) if low.least <= high.most else None


def _names(node: Node) -> list[Node]:
    """The names in an expression."""
    return [node] if node.kind == "name" else [each for part in node.parts for each in _names(part)]


def _literal(node: Node) -> Span:
    number = literal(node.text)
    if not number.bits:
        raise Unknown
    return point(int(number.value), number)


def _constant(node: Node) -> Span:
    if node.text not in ("true", "false"):
        raise Unknown
    return point(int(node.text == "true"), BOOL)


def _fail() -> Number:
    raise Unknown


def _way(step: Node | None, variable: Variable, extremes: Extremes) -> int:
    """Whether the step of a `for` raises its variable (1), lowers it (-1), or may do either (0)."""
    if step is None or not step.parts or extremes.program.means.get(step.parts[0].at) is not variable:
        return 0
    if step.kind in ("unary", "postfix") and step.text in ("++", "--"):
        return 1 if step.text == "++" else -1
    if step.kind != "assign" or step.text not in ("+=", "-="):
        return 0
    by = extremes.of(step.parts[1], INT._replace(bits=64))
    is_wrapping = variable.type.number is None or variable.type.number.unsigned
    return 0 if by.least < 0 or is_wrapping else 1 if step.text == "+=" else -1


def _tested(test: Node | None, variable: Variable, extremes: Extremes) -> tuple[str, Node | None]:
    """How the test of a `for` compares its variable, and with what."""
    if test is None or test.kind != "binary" or test.text not in ("<", "<=", ">", ">="):
        return "", None
    left, right = test.parts
    means = extremes.program.means
    if left.kind == "name" and means.get(left.at) is variable:
        return test.text, right
    if right.kind == "name" and means.get(right.at) is variable:
        return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[test.text], left
    return "", None
