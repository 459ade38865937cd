"""Values of expressions in host code: constants, and sizes that a launch's arguments decide."""

from __future__ import annotations

import math
from collections.abc import Mapping

from automata.lang.host import library
from automata.lang.host.declarations import Variable
from automata.lang.host.numbers import (
    INT,
    NAMED,
    SIZE,
    UNSIGNED,
    Number,
    Unknown,
    common,
    converted,
    floating,
    limits,
    literal,
    operate,
    promoted,
    unary,
)
from automata.lang.host.program import Program
from automata.lang.host.steady import Steadiness
from automata.lang.host.symbolic import ATOM, NO_SIZES, ONE, Scalar, Sizes, Symbolic, Value, as_kind, calculated
from automata.lang.host.syntax import Node
from automata.lang.host.types import Type, size_of
from automata.lang.host.uses import Uses

_MAX_DEPTH, _MAX_VARIABLES = 60, 10
_FAR = 1 << 40
_AXES = "xyz"


class Evaluator:
    """Values of the expressions of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, Value | None] = {}
        self.steady = Steadiness(program)
        self.depth = 0
        self.nested = 0
        self.passed: Mapping[int, str] = {}
        self.inside: set[int] = set()

    def variable(self, at: int) -> Variable | None:
        """The variable that a token names, if it does not change."""
        variable = self.program.means.get(at)
        return variable if variable is not None and self.steady.is_steady(variable, at) else None

    def _named(self, node: Node) -> Value:
        variable = self.variable(node.at)
        if variable is None or node.ranges is not None:
            raise Unknown
        base = self._constant(variable)
        if isinstance(base, Number):
            return base
        if id(variable) in self.passed:
            return self._argument(variable)
        if variable.sizes:
            return self._filled(variable, node.at)
        if not variable.numeric or "static" in variable.type.words or self.program.region_at(variable.at) is None:
            raise Unknown
        value = self._initial(variable)
        if isinstance(value, Symbolic) and value.level < ATOM:
            return Symbolic(f"({value.text})", ATOM, value.kind, value.low, value.high, value.needs)
        return value

    def _argument(self, variable: Variable) -> Symbolic:
        """A variable that a launch passes on, as an argument."""
        kind = variable.type.number
        if kind is None or kind.bits < 8:
            raise Unknown
        low, high = limits(kind)
        least, most = (-128, 255) if kind.bits == 8 else (low, high)
        leaf = Symbolic(self.passed[id(variable)], ATOM, kind._replace(value=0), least, most)
        return leaf.held(low, high) if kind.bits < 64 else leaf.held(max(low, -_FAR), _FAR)

    def _constant(self, variable: Variable) -> Value | None:
        """The value of a number that no argument decides."""
        if not variable.numeric:
            return None
        key = id(variable)
        if key not in self.known:
            self.known[key] = None
            passed, self.passed = self.passed, {}
            try:
                self.known[key] = self._initial(variable)
            except (Unknown, ValueError, OverflowError, RecursionError):
                self.known[key] = None
            self.passed = passed
        return self.known[key]

    def _initial(self, variable: Variable) -> Value:
        """What a variable is given, in its type."""
        if self.depth > _MAX_VARIABLES or id(variable) in self.inside:
            raise Unknown
        self.depth += 1
        self.inside.add(id(variable))
        try:
            return self._given(variable)
        finally:
            self.depth -= 1
            self.inside.discard(id(variable))

    def _given(self, variable: Variable) -> Value:
        kind = variable.type.number
        if variable.is_enumerator and not variable.init:
            return converted(Number(variable.past), INT)
        if variable.assigned:
            node = variable.assigned[0][1]
        else:
            node = variable.init[0] if len(variable.init) == 1 and variable.form in ("=", "(", "{") else None
            if variable.is_enumerator and variable.init:
                node = variable.init[0]
        if node is None:
            raise Unknown
        value = self.value(node.parts[0] if node.kind == "braces" and len(node.parts) == 1 and variable.numeric else node)
        if isinstance(value, Sizes):
            return value
        if variable.is_enumerator:
            return operate("+", as_number(value), Number(variable.past)) if variable.past else converted(as_number(value), INT)
        return value if kind is None else as_kind(value, kind)

    # Sizes

    def _filled(self, variable: Variable, at: int) -> Sizes:
        """A `dim3` with the members that were set since."""
        parts = list(self._base(variable).parts)
        region = self.program.region_at(variable.at)
        for axis, changes in variable.fields.items():
            last, value = changes[0]
            steady = (len(changes) == 1 and value is not None and last < at and region is not None and not region.has_jumps
                      and variable.block not in self.program.jumped and not variable.assigned and not variable.type.is_const)
            parts[_AXES.index(axis)] = self._part(value) if steady and value is not None else None
        if "static" in variable.type.words or region is None:
            parts = [part if isinstance(part, Number) else None for part in parts]
        return Sizes((parts[0], parts[1], parts[2]))

    def _base(self, variable: Variable) -> Sizes:
        """What a `dim3` is made as."""
        if not variable.form and not variable.assigned:
            return Sizes((ONE, ONE, ONE))
        if variable.form in ("(", "{") and not variable.assigned:
            return self.listed(variable.init)
        if variable.form == "unknown":
            return NO_SIZES
        if self.depth > _MAX_VARIABLES or id(variable) in self.inside:
            return NO_SIZES
        self.depth += 1
        self.inside.add(id(variable))
        node = variable.assigned[0][1] if variable.assigned else variable.init[0]
        found = self.sizes(node) if node is not None else NO_SIZES
        self.depth -= 1
        self.inside.discard(id(variable))
        return found

    def listed(self, nodes: tuple[Node, ...]) -> Sizes:
        """`dim3(…)`."""
        if len(nodes) == 1:
            return self.sizes(nodes[0])
        if len(nodes) > 3:
            return NO_SIZES
        parts = [self._part(node) for node in nodes] + [ONE, ONE, ONE]
        return Sizes((parts[0], parts[1], parts[2]))

    def sizes(self, node: Node) -> Sizes:
        """What an expression is as a grid or block: a number has y = z = 1 only if it is certainly one."""
        if node.kind == "braces":
            return self.listed(node.parts)
        try:
            value = self.value(node)
        except (Unknown, ValueError, OverflowError, RecursionError):
            value = None
        if isinstance(value, Sizes):
            return value
        if value is None and not self.is_number(node):
            return NO_SIZES
        part = None if value is None else self._as_part(value)
        return Sizes((part, ONE, ONE)) if part is not None or value is None else NO_SIZES

    def _part(self, node: Node) -> Scalar | None:
        try:
            value = self.value(node)
        except (Unknown, ValueError, OverflowError, RecursionError):
            return None
        return None if isinstance(value, Sizes) else self._as_part(value)

    def _as_part(self, value: Scalar) -> Scalar | None:
        """A value as a size of a launch; one that is certainly no size is not known."""
        try:
            if isinstance(value, Symbolic):
                held = value.held(0, 2**32 - 1) if value.kind.bits == 64 else value
                return held if held.high > 0 else None
            part = converted(value, UNSIGNED)
        except Unknown:
            return None
        return part if part.value > 0 else None

    def is_number(self, node: Node) -> bool:
        """Whether an expression is certainly a number."""
        kinds = _Kinds(self)
        kinds.region = self.program.region_at(node.at)
        return kinds.is_number(node)

    # Expressions

    def value(self, node: Node) -> Value:
        """The value of an expression; Unknown where it is not certain."""
        self.nested += 1
        try:
            if self.nested > _MAX_DEPTH:
                raise Unknown
            return self._value(node)
        finally:
            self.nested -= 1

    def _value(self, node: Node) -> Value:
        match node.kind:
            case "number":
                return literal(node.text)
            case "constant":
                return _constant_word(node.text)
            case "name":
                return self._named(node)
            case "unary":
                return self._unary(node)
            case "binary":
                return self._binary(node)
            case "cond":
                return self._chosen(node)
            case "cast" | "construct":
                return self._made(node)
            case "member":
                return self._member(node)
            case "sizeof":
                return SIZE._replace(value=self._size(node))
        return self._called(node)

    def scalar(self, node: Node) -> Scalar:
        value = self.value(node)
        if isinstance(value, Sizes):
            raise Unknown
        return value

    def _unary(self, node: Node) -> Scalar:
        value = self.scalar(node.parts[0])
        if node.text not in ("+", "-", "!", "~"):
            raise Unknown
        if isinstance(value, Number):
            return unary(node.text, value)
        if node.text not in ("+", "-"):
            raise Unknown
        kind = promoted(value.kind)
        return as_kind(value, kind) if node.text == "+" else calculated("-", kind._replace(value=0), value)

    def _binary(self, node: Node) -> Scalar:
        left = self.scalar(node.parts[0])
        if node.text in ("&&", "||") and isinstance(left, Number) and bool(left.value) == (node.text == "||"):
            return Number(int(node.text == "||"), 1, True)
        return calculated(node.text, left, self.scalar(node.parts[1]))

    def _chosen(self, node: Node) -> Value:
        """`a ? b : c`: what is chosen, in the type that both have together."""
        test = self.scalar(node.parts[0])
        if not isinstance(test, Number):
            raise Unknown
        one, two = self.value(node.parts[1]), self.value(node.parts[2])
        chosen = one if test.value else two
        if isinstance(one, Sizes) or isinstance(two, Sizes):
            if isinstance(one, Sizes) and isinstance(two, Sizes):
                return chosen
            raise Unknown
        kinds = [value if isinstance(value, Number) else value.kind for value in (one, two)]
        return as_kind(one if test.value else two, common(*kinds))

    def _made(self, node: Node) -> Value:
        kind = node.type or Type("other")
        if kind.is_dim3 and node.kind == "construct":
            made = self.listed(node.parts) if node.parts else Sizes((ONE, ONE, ONE))
            x, y, z = (part if isinstance(part, Number) or node.text == "(" else None for part in made.parts)
            return Sizes((x, y, z))
        if not kind.is_number or kind.number is None or len(node.parts) != 1:
            raise Unknown
        return as_kind(self.scalar(node.parts[0]), kind.number)

    def _member(self, node: Node) -> Scalar:
        owner = self.value(node.parts[0])
        if not isinstance(owner, Sizes) or node.text not in _AXES or node.ranges:
            raise Unknown
        part = owner.parts[_AXES.index(node.text)]
        if part is None:
            raise Unknown
        return as_kind(part, UNSIGNED)

    def _size(self, node: Node) -> int:
        if node.type is None:
            raise Unknown
        return size_of(node.type, self.program.types)

    def _called(self, node: Node) -> Scalar:
        """`min`, `max`, `ceil`, `floor` of the library."""
        if node.kind != "call":
            raise Unknown
        callee = node.parts[0]
        name = _Kinds(self).library(callee)
        if name not in ("min", "max", "ceil", "ceilf", "floor", "floorf"):
            raise Unknown
        args = [as_number(self.scalar(part)) for part in node.parts[1:]]
        if callee.ranges:
            words = self.program.tokens.text[callee.ranges[0][0] : callee.ranges[0][1]]
            if len(callee.ranges) != 1 or len(words) != 1 or words[0] not in (*NAMED, "int", "unsigned"):
                raise Unknown
            kind = NAMED.get(words[0], UNSIGNED if words[0] == "unsigned" else INT)
            args = [converted(arg, kind) for arg in args]
        if name in library.SELECTING and len(args) == 2:
            both = [converted(arg, common(*args)) for arg in args]
            return (min if name == "min" else max)(both, key=lambda arg: arg.value)
        if name in library.SELECTING or len(args) != 1:
            raise Unknown
        single = name.endswith("f") or args[0].single
        value = floating(float(args[0].value), single).value
        return floating(float(math.ceil(value) if name.startswith("ceil") else math.floor(value)), single)


def _constant_word(text: str) -> Number:
    if text not in ("true", "false"):
        raise Unknown
    return Number(int(text == "true"), 1, True)


def as_number(value: Scalar) -> Number:
    if not isinstance(value, Number):
        raise Unknown
    return value


class _Kinds(Uses):
    """What an expression is, once all names are resolved."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.program, None)
        self.evaluator = evaluator

    def resolve(self, name: str, at: int) -> Variable | None:
        variable = self.program.means.get(at)
        region = self.program.region_at(at)
        if variable is None or (region is not None and (region.is_clouded or name in region.barred)):
            return None
        return variable

    def library(self, callee: Node) -> str:
        """The function of the library that a call names."""
        self.region = self.program.region_at(callee.at)
        clouded = self.region is not None and self.region.is_clouded
        return "" if clouded else self._library_name(callee)
