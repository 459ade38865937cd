"""Values of expressions in host code: constants, and sizes that a launch's arguments decide.

A size over arguments is a text over 64-bit integers, in which `{2}` stands for the third argument. C computes it in the types of the
operands; so with the text goes what is required for both to agree: that no step leaves its type (`{2} + 255 <= 2147483647`), and
that no conversion changes a value (`{2} >= 0`). Steps that cannot, by the ranges of the types, require nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
from automata.lang.host.syntax import Node
from automata.lang.host.types import Type, size_of
from automata.lang.host.uses import Uses

_MAX_DEPTH, _MAX_VARIABLES, _LONGEST = 60, 10, 300
_FAR = 1 << 40
_PRODUCT, _SUM, _ATOM = 12, 11, 99
_AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Symbolic:
    """An integer over arguments. `level`: how tightly its outermost operator binds; `low`, `high`: its least and greatest value where
    what it `needs` holds."""

    text: str
    level: int
    kind: Number
    low: int
    high: int
    needs: tuple[str, ...] = ()

    def held(self, low: int, high: int) -> Symbolic:
        """The same, required to lie between two numbers."""
        text = self.text if self.level > 9 else f"({self.text})"
        needs = self.needs
        if self.low < low:
            needs += (f"{text} >= {low}",)
        if self.high > high:
            needs += (f"{text} <= {high}",)
        low, high = max(low, self.low), min(high, self.high)
        if low > high:
            raise Unknown
        return Symbolic(self.text, self.level, self.kind, low, high, tuple(dict.fromkeys(needs)))

    def within(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


Scalar = Number | Symbolic


@dataclass(frozen=True, slots=True)
class Sizes:
    """A `dim3`; None: a member that is not known."""

    parts: tuple[Scalar | None, Scalar | None, Scalar | None]


Value = Scalar | Sizes
ONE = Number(1, 32, True)
NO_SIZES = Sizes((None, None, None))


def as_kind(value: Scalar, kind: Number) -> Scalar:
    """A value as a type."""
    if isinstance(value, Number):
        return converted(value, kind)
    if kind.bits < 8:
        raise Unknown
    held = value.held(*limits(kind))
    return Symbolic(held.text, held.level, kind, held.low, held.high, held.needs)


def _lifted(value: Scalar) -> Symbolic:
    if isinstance(value, Symbolic):
        return value
    if not value.bits:
        raise Unknown
    number = int(value.value)
    text = str(number) if number >= 0 else f"({number})"
    return Symbolic(text, _ATOM, value._replace(value=0), number, number)


def calculated(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """A binary operation."""
    if isinstance(a, Number) and isinstance(b, Number):
        return operate(sign, a, b)
    if sign not in ("+", "-", "*", "/", "%"):
        raise Unknown
    left, right = _lifted(a), _lifted(b)
    kind = common(left.kind, right.kind)
    left, right = _lifted(as_kind(left, kind)), _lifted(as_kind(right, kind))
    if sign in "/%":
        right = right.held(1, right.high) if right.low < 1 else right
    low, high = _range(sign, left, right)
    if not -(2**63) <= low <= high < 2**63:
        raise Unknown
    level = _SUM if sign in "+-" else _PRODUCT
    text = f"{left.within(level)} {sign} {right.within(level + 1)}"
    if len(text) > _LONGEST:
        raise Unknown
    needs = tuple(dict.fromkeys(left.needs + right.needs))
    return Symbolic(text, level, kind, low, high, needs).held(*limits(kind))


def _range(sign: str, a: Symbolic, b: Symbolic) -> tuple[int, int]:
    """The least and the greatest result of an operation; a divisor is positive."""
    if sign == "%":
        most = b.high - 1
        return (max(a.low, -most) if a.low < 0 else 0), (min(a.high, most) if a.high > 0 else 0)
    compute: Callable[[int, int], int] = {
        "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
        "/": lambda x, y: abs(x) // y * (1 if x >= 0 else -1)}[sign]
    corners = [compute(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


class Evaluator:
    """Values of the expressions of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, Value | None] = {}
        self.steady: dict[int, bool] = {}
        self.depth = 0
        self.nested = 0
        self.passed: Mapping[int, str] = {}
        self.inside: set[int] = set()

    # Variables

    def is_steady(self, variable: Variable, at: int) -> bool:
        """Whether a variable has at a token the value that it was given first, or once."""
        region = self.program.region_at(at)
        if region is not None and (region.is_clouded or variable.name in region.barred or region.is_device):
            return False
        key = id(variable)
        if key not in self.steady:
            self.steady[key] = self._is_steady(variable)
        if not self.steady[key]:
            return False
        whole = self._set_once(variable, variable.assigned)
        return whole is None or whole < at

    def _is_steady(self, variable: Variable) -> bool:
        words = variable.type.words
        if words & {"volatile", "extern", "thread_local", "mutable", "__device__", "__constant__", "__shared__", "__managed__"}:
            return False
        if not variable.is_scalar or not self._is_settled(variable) or not self._is_accounted_for(variable):
            return False
        return (variable.type.is_const or not variable.escapes) and self._set_once(variable, variable.assigned) != -1

    def _is_settled(self, variable: Variable) -> bool:
        """Whether a variable outside of functions can be followed: a constant, or one that only this file sees."""
        if variable.is_local or variable.is_enumerator:
            return True
        constant = variable.type.is_const
        return "static" in variable.type.words and (constant or not variable.is_member) or (constant and not variable.is_member)

    def _is_accounted_for(self, variable: Variable) -> bool:
        """Whether every place where the name stands is understood: in its function; for what may change, in the file."""
        program, text = self.program, self.program.tokens.text
        region = program.region_at(variable.at)
        if region is None and variable.type.is_const:
            return True
        for at in program.positions.get(variable.name, []):
            if region is not None and not region.begin <= at < region.end:
                continue
            there = program.region_at(at)
            if there is not None and (there.is_device or variable.name in there.barred):
                if there.is_device:
                    continue
                return False
            plain = at in program.means or at in program.declares
            if not plain and not (text[at - 1] in (".", "->") or (text[at - 1] == "::" and region is not None)):
                return False
        return True

    def _set_once(self, variable: Variable, changes: list[tuple[int, Node | None]]) -> int | None:
        """Where a variable is set, behind its declaration: None for nowhere, -1 for no single place."""
        if not changes:
            return None if variable.form or variable.sizes or variable.is_enumerator else -1
        region = self.program.region_at(variable.at)
        at, value = changes[0]
        jumps = region is None or region.has_jumps or variable.block in self.program.jumped
        if len(changes) > 1 or value is None or jumps or variable.form or variable.type.is_const:
            return -1
        return at

    def variable(self, at: int) -> Variable | None:
        """The variable that a token names, if it does not change."""
        variable = self.program.means.get(at)
        return variable if variable is not None and self.is_steady(variable, at) else None

    def _named(self, node: Node) -> Value:
        variable = self.variable(node.at)
        if variable is None:
            raise Unknown
        base = self._constant(variable)
        if isinstance(base, Number):
            return base
        if id(variable) in self.passed:
            return self._argument(variable)
        if variable.sizes:
            return self._filled(variable, node.at)
        if "static" in variable.type.words or region_of(self.program, variable) is None:
            raise Unknown
        value = self._initial(variable)
        if isinstance(value, Symbolic) and value.level < _ATOM:
            return Symbolic(f"({value.text})", _ATOM, value.kind, value.low, value.high, value.needs)
        return value

    def _argument(self, variable: Variable) -> Symbolic:
        """A variable that a launch passes on, as an argument."""
        kind = variable.type.number
        if kind is None or kind.bits < 8:
            raise Unknown
        low, high = limits(kind)
        least, most = (-128, 255) if kind.bits == 8 else (low, high)
        leaf = Symbolic(self.passed[id(variable)], _ATOM, kind._replace(value=0), least, most)
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
            case "constant" if node.text in ("true", "false"):
                return Number(int(node.text == "true"), 1, True)
            case "name" if node.ranges is None:
                return self._named(node)
            case "unary" if node.text in ("+", "-", "!", "~"):
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
            case "call":
                return self._called(node)
        raise Unknown

    def scalar(self, node: Node) -> Scalar:
        value = self.value(node)
        if isinstance(value, Sizes):
            raise Unknown
        return value

    def _unary(self, node: Node) -> Scalar:
        value = self.scalar(node.parts[0])
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
            return converted((min if name == "min" else max)(args, key=lambda arg: arg.value), common(*args))
        if name in library.SELECTING or len(args) != 1:
            raise Unknown
        rounded = math.ceil(args[0].value) if name.startswith("ceil") else math.floor(args[0].value)
        return floating(float(rounded), name.endswith("f") or args[0].single)


def as_number(value: Scalar) -> Number:
    if not isinstance(value, Number):
        raise Unknown
    return value


def region_of(program: Program, variable: Variable) -> object | None:
    return program.region_at(variable.at)


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
