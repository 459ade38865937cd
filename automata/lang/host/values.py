"""Values of the expressions of host code: numbers, sizes over what is not known, or nothing (`Unknown`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import automata.lang.host.library as library
from automata.lang.host.declarations import Variable
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import (
    BOOL,
    INT,
    NAMED,
    SIZE,
    UNSIGNED,
    Number,
    Unknown,
    common,
    converted,
    floating,
    literal,
    promoted,
    unary,
)
from automata.lang.host.standing import CHANGING
from automata.lang.host.symbolic import (
    NO_SIZES,
    ONE,
    Ratio,
    Relation,
    Scalar,
    Sizes,
    Symbolic,
    Value,
    as_kind,
    as_ratio,
    calculated,
    chosen,
    compared,
    either,
    negated,
    ratio,
    rounded,
    selected,
    truth,
    whole,
)
from automata.lang.host.syntax import Node
from automata.lang.host.told import TOLD
from automata.lang.host.traits import Traits
from automata.lang.host.types import Type, size_of
from automata.lang.host.variables import AXES
from automata.lang.host.words import READING, word_of
from automata.lang.spaces import WARP

_MAX_DEPTH = 60
_ROUNDING = frozenset({"ceil", "ceilf", "floor", "floorf"})
_READ_ONCE = frozenset({"member", "arrow", "index", "call"})
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})


class Evaluator(Traits):
    """Values of the expressions of one file."""

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
        reads: dict[str, Callable[[Node], Value]] = {
            "name": self.named, "path": self.qualified, "unary": self._unary, "binary": self._binary, "cond": self._chosen,
            "cast": self._made, "construct": self._made, "member": self._member, "arrow": self.field_now, "index": self.element,
            "call": self._called, TOLD: self._scanned}
        match node.kind:
            case "number":
                return literal(node.text)
            case "constant":
                return _constant_word(node.text)
            case "sizeof":
                return SIZE._replace(value=self._size(node))
        if node.kind not in reads:
            raise Unknown
        try:
            return reads[node.kind](node)
        except Unknown:
            if not self.sizing or node.kind not in _READ_ONCE:
                raise
            return self.once(node)

    def scalar(self, node: Node) -> Scalar:
        return as_scalar(self.value(node))

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

    def _binary(self, node: Node) -> Scalar | Ratio:
        left = self.value(node.parts[0])
        if node.text in ("&&", "||"):
            return _as_bool(self.test(node))
        right = self.value(node.parts[1])
        if isinstance(left, Sizes) or isinstance(right, Sizes):
            raise Unknown
        if isinstance(left, Ratio) or isinstance(right, Ratio) or any(
                isinstance(one, Symbolic) and isinstance(other, Number) and not other.bits
                for one, other in ((left, right), (right, left))):
            return self._on_floats(node.text, left, right)
        if node.text in _COMPARING:
            return _as_bool(compared(node.text, left, right))
        return calculated(node.text, left, right)

    def _on_floats(self, sign: str, left: Scalar | Ratio, right: Scalar | Ratio) -> Ratio:
        if sign == "*":
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Number) and not one.bits and one.value == 1 and not isinstance(other, Number):
                    return as_ratio(other, one.single and not (isinstance(other, Ratio) and not other.single))
        return ratio(sign, left, right)

    # Tests

    def test(self, node: Node) -> Relation:
        """A condition; Unknown where nothing is known of it."""
        if node.kind == "unary" and node.text == "!":
            return negated(self.test(node.parts[0]))
        if node.kind == "binary" and node.text in ("&&", "||"):
            return self._joined(node)
        if node.kind == "binary" and node.text in _COMPARING:
            return compared(node.text, self.scalar(node.parts[0]), self.scalar(node.parts[1]))
        value = self.value(node)
        if isinstance(value, Ratio | Sizes):
            raise Unknown
        return truth(value)

    def _joined(self, node: Node) -> Relation:
        """`a && b`, `a || b`: one side decides it where the other is not known."""
        is_or = node.text == "||"
        sides: list[Relation] = []
        for part in node.parts:
            try:
                side = self.test(part)
            except Unknown:
                continue
            if side.is_true is is_or:
                return side
            sides.append(side)
        if len(sides) < 2:
            raise Unknown
        one, two = sides
        return either(one, two) if is_or else negated(either(negated(one), negated(two)))

    def _chosen(self, node: Node) -> Value:
        """`a ? b : c`: what is chosen, in the type that both have together."""
        try:
            test = self.test(node.parts[0])
        except Unknown:
            test = None
        if test is None or test.is_true is None:
            return self._one_of(node, test)
        one, two = self.value(node.parts[1]), self.value(node.parts[2])
        return _alike(one if test.is_true else two, one, two)

    def _one_of(self, node: Node, test: Relation | None) -> Value:
        """What is chosen by a test that is not known: one text, or one value after the other."""
        one, two = self.value(node.parts[1]), self.value(node.parts[2])
        if one == two:
            return _alike(one, one, two)
        if test is not None and isinstance(one, Number | Symbolic) and isinstance(two, Number | Symbolic):
            try:
                return chosen(test, one, two)
            except Unknown:
                pass
        at = self.pick((node.at, id(self.frame)), 2)
        if test is not None:
            self.note(test if at == 0 else negated(test))
        return _alike((one, two)[at], one, two)

    # Sizes of a launch

    def listed(self, nodes: tuple[Node, ...]) -> Sizes:
        """`dim3(…)`."""
        if len(nodes) == 1:
            return self.sizes_of(nodes[0])
        if len(nodes) > 3:
            return NO_SIZES
        parts = [self._part(node) for node in nodes] + [ONE, ONE, ONE]
        return Sizes((parts[0], parts[1], parts[2]))

    def sizes_of(self, node: Node) -> Sizes:
        """What an expression is as a grid or block: a number has y = z = 1 only if it is certainly one."""
        if node.kind == "braces":
            return self.listed(node.parts)
        value = self._tried(node)
        if isinstance(value, Sizes):
            return value
        if value is None and not self.kinds.is_a_number(node):
            return NO_SIZES
        part = None if value is None else self.as_part(value)
        return Sizes((part, ONE, ONE)) if part is not None or value is None else NO_SIZES

    def _part(self, node: Node) -> Scalar | None:
        value = self._tried(node)
        return None if value is None or isinstance(value, Sizes) else self.as_part(value)

    def _tried(self, node: Node) -> Scalar | Sizes | None:
        """A value as a `dim3` takes it: numbers are converted to unsigned."""
        before, self.sizing = self.sizing, True
        try:
            value = self.value(node)
            return whole(value, UNSIGNED) if isinstance(value, Ratio) else value
        except FAILURES:
            return None
        finally:
            self.sizing = before

    # Made values

    def _made(self, node: Node) -> Value:
        kind = node.type or Type("other")
        if kind.is_dim3 and node.kind == "construct":
            made = self.listed(node.parts) if node.parts else Sizes((ONE, ONE, ONE))
            x, y, z = (part if isinstance(part, Number) or node.text == "(" else None for part in made.parts)
            return Sizes((x, y, z))
        if not kind.is_number or kind.number is None or len(node.parts) != 1:
            raise Unknown
        return as_number_type(self.value(node.parts[0]), kind.number)

    def _member(self, node: Node) -> Scalar:
        if node.text == "warpSize" and self._is_of_device(node.parts[0]):
            return INT._replace(value=WARP)
        field = self.variable(node.at)
        if field is not None and field.owner is not None:
            with suppress(Unknown):
                return as_scalar(self.field(field, node.at))
        try:
            owner = self.value(node.parts[0])
        except FAILURES:
            return self.field_now(node)
        if not isinstance(owner, Sizes) or node.text not in AXES or node.ranges:
            raise Unknown
        part = owner.parts[AXES.index(node.text)]
        if part is None:
            raise Unknown
        return as_kind(part, UNSIGNED)

    def _is_of_device(self, node: Node) -> bool:
        """Whether a name is that of a structure in which CUDA tells of a device, and nothing in the text sets its `warpSize`."""
        variable = self.program.means.get(node.at) if node.kind == "name" else None
        text = self.program.tokens.text
        return (variable is not None and variable.type.name == "cudaDeviceProp" and not variable.type.pointers
                and not self.program.declared["cudaDeviceProp"]
                and not any(text[at + 1] in CHANGING for at in self.program.positions.get("warpSize", [])))

    def _size(self, node: Node) -> int:
        if node.type is None:
            table = self.table(node.parts[0].parts[0].at) if node.parts[0].kind == "index" else None
            if table is None:
                raise Unknown
            return size_of(replace(table.type, words=frozenset()), self.program.types)
        text = self.program.tokens.text
        table = self.table(node.at + 2) if text[node.at + 1] == "(" and text[node.at + 3] == ")" else None
        if table is not None:
            return len(table.init[0].parts) * size_of(replace(table.type, words=frozenset()), self.program.types)
        return size_of(self.actual(node.type, node.at), self.program.types)

    def table(self, at: int) -> Variable | None:
        """The table that a token names, if all of it is written down."""
        variable = self.program.means.get(at)
        if variable is None or not variable.is_array or not self.tables.is_whole(variable):
            return None
        return variable if self.tables.elements(variable, at) else None

    # Calls

    def _called(self, node: Node) -> Scalar | Ratio:
        """`min`, `max`, `ceil`, `floor` of the library, PyTorch's quotients; a function of the file that is one expression."""
        if node.kind != "call":
            raise Unknown
        callee = node.parts[0]
        name = self.kinds.library(callee)
        if not name:
            return self._inlined(node)
        if name in READING:
            return self._read_word(word_of(node, self), INT if READING[name] == INT.bits else INT._replace(bits=READING[name]))
        if name in _ROUNDING and len(node.parts) == 2:
            return _rounded(name, self.value(node.parts[1]))
        if name in library.ROUNDED_UP and len(node.parts) == 3 and not callee.ranges:
            return self.scalar(_rounded_up(node))
        if name not in library.SELECTING or len(node.parts) != 3:
            raise Unknown
        args = [self.scalar(part) for part in node.parts[1:]]
        if callee.ranges:
            words = self.program.tokens.text[callee.ranges[0][0] : callee.ranges[0][1]]
            if len(callee.ranges) != 1 or len(words) != 1 or words[0] not in (*NAMED, "int", "unsigned"):
                raise Unknown
            kind = NAMED.get(words[0], UNSIGNED if words[0] == "unsigned" else INT)
            args = [as_kind(arg, kind) for arg in args]
        if not all(isinstance(arg, Number) for arg in args):
            return selected(name, *args)
        both = [converted(as_number(arg), common(*map(as_number, args))) for arg in args]
        return (min if name == "min" else max)(both, key=lambda arg: arg.value)

    def _scanned(self, node: Node) -> Scalar:
        """What a call writes: a number that is read from the command line."""
        if len(node.parts) != 2 or node.type is None or node.type.number is None:
            raise Unknown
        return self._read_word(word_of(node, self), node.type.number, node.at)

    def _inlined(self, node: Node) -> Scalar | Ratio:
        """A function of the file whose body is `return` and an expression."""
        region = self.kinds.called(node, self.callers)
        body = self.kinds.returned(region) if region is not None else None
        if region is None or body is None or region.gives is None or region in self.inlining:
            raise Unknown
        self.inlining.append(region)
        frame, anchor, begin = self.frame, self.anchor, self.begin
        try:
            self.frame = self.inner(region, node)
            value = self.value(body)
            kind = self.actual(region.gives, region.opening)
            if isinstance(value, Sizes):
                raise Unknown
            if kind.kind == "auto" and not kind.pointers and not kind.reference:
                return value
            if kind.number is None or not kind.is_number:
                raise Unknown
            return as_number_type(value, kind.number)
        finally:
            self.frame, self.anchor, self.begin = frame, anchor, begin
            self.inlining.pop()

def as_scalar(value: Value) -> Scalar:
    if isinstance(value, Sizes | Ratio):
        raise Unknown
    return value


def _constant_word(text: str) -> Number:
    if text not in ("true", "false"):
        raise Unknown
    return Number(int(text == "true"), 1, True)


def _as_bool(test: Relation) -> Scalar:
    """The value of a test; of one that hangs on arguments it is none."""
    if test.is_true is None:
        raise Unknown
    return BOOL._replace(value=int(test.is_true))


def _alike(found: Value, one: Value, two: Value) -> Value:
    """One of two, in the type that both have together."""
    if isinstance(one, Sizes) and isinstance(two, Sizes):
        return found
    if isinstance(found, Sizes | Ratio) or isinstance(one, Sizes | Ratio) or isinstance(two, Sizes | Ratio):
        raise Unknown
    return as_kind(found, common(*(value if isinstance(value, Number) else value.kind for value in (one, two))))


def as_number_type(value: Value, kind: Number) -> Scalar | Ratio:
    """A value as a type of numbers."""
    if isinstance(value, Ratio):
        return whole(value, kind) if kind.bits else as_ratio(value, kind.single)
    if isinstance(value, Symbolic) and not kind.bits:
        return as_ratio(value, kind.single)
    return as_kind(as_scalar(value), kind)


def as_number(value: Value) -> Number:
    if not isinstance(value, Number):
        raise Unknown
    return value


def _rounded(name: str, value: Value) -> Scalar | Ratio:
    """`ceil` and `floor`; those with an f of a double round it first."""
    if isinstance(value, Symbolic):
        value = as_ratio(value, name.endswith("f"))
    if isinstance(value, Ratio):
        if name.endswith("f") and not value.single:
            raise Unknown
        return rounded(name, value)
    number = as_number(value)
    single = name.endswith("f") or number.single
    exact = floating(float(number.value), single).value
    return floating(float(math.ceil(exact) if name.startswith("ceil") else math.floor(exact)), single)


def _rounded_up(node: Node) -> Node:
    """What a call of a quotient that is rounded up computes."""
    _, above, below = node.parts
    less = Node("binary", node.at, "-", (below, Node("number", node.at, "1")))
    return Node("binary", node.at, "/", (Node("binary", node.at, "+", (above, less)), below))
