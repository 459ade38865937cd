"""Expressions of host code as trees.

The grammar is a whitelist: what is not in it raises `NotUnderstood`, and then nothing is known of any name in that statement.
Where `a < b > (c)` may be template arguments it is taken for them, and `(a)b` for a cast to a type that is not known: the
reading under which less is known of the names.
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.host.numbers import INTEGER_WORDS
from automata.lang.host.tokens import KEYWORDS, Tokens, is_name
from automata.lang.host.types import Type, TypeNames, read_declarator, read_type, type_of_range

MAX_DEPTH = 64
MAX_CHAIN = 80
Range = tuple[int, int]
ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_PRECEDENCE = {"||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9,
               "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12}
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})
_TYPE_WORDS = INTEGER_WORDS | {"float", "double", "bool", "void"}
_AFTER_ANGLES = frozenset({"(", "::", "{", "<<<", ",", ")", ";", ">", ">>"})
_SIDES = frozenset({"__host__", "__device__", "__forceinline__", "__noinline__"})
_CONSTANTS = frozenset({"true", "false", "nullptr", "this"})


class NotUnderstood(Exception):
    """This is not in the grammar."""


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression. `at`: its token, of a name the name's, of an operation the operator's.

    `kind`: number, text, constant, name, path (`a::b`, `text` whole), member and arrow (`text` the field), index, call (first
    the callee), launch (likewise; `ranges`: how many parts are configuration), unary, postfix, binary, assign, cond, comma, cast,
    construct, braces, new, delete, throw, sizeof, lambda. `ranges`: of template arguments, or captures, parameters, result, body
    of a lambda.
    """

    kind: str
    at: int
    text: str = ""
    parts: tuple[Node, ...] = ()
    type: Type | None = None
    ranges: tuple[Range, ...] | None = None


class ExpressionReader:
    """Reads expressions from tokens [begin, end)."""

    def __init__(self, tokens: Tokens, begin: int, end: int, names: TypeNames) -> None:
        self.tokens, self.at, self.end, self.names = tokens, begin, min(end, tokens.size), names
        self.depth = 0

    @property
    def here(self) -> str:
        return self.tokens.text[self.at] if self.at < self.end else ""

    @property
    def following(self) -> str:
        return self.tokens.text[self.at + 1] if self.at + 1 < self.end else ""

    def take(self, expected: str = "") -> str:
        token = self.here
        if not token or (expected and token != expected):
            raise NotUnderstood
        self.at += 1
        return token

    def whole(self) -> Node:
        """All of the range as one expression."""
        node = self.initialiser()
        if self.here == ",":
            node = self.comma(node)
        if self.here:
            raise NotUnderstood
        return node

    def initialiser_alone(self) -> Node:
        """All of the range as one initialiser."""
        node = self.initialiser()
        if self.here:
            raise NotUnderstood
        return node

    def comma(self, first: Node) -> Node:
        while self.here == ",":
            at = self.at
            self.take()
            first = Node("comma", at, ",", (first, self.assignment()))
        return first

    def expression(self) -> Node:
        return self.comma(self.assignment())

    def initialiser(self) -> Node:
        """What may stand behind `=`, in a list, or as an argument."""
        return self.braces() if self.here == "{" else self.assignment()

    def braces(self) -> Node:
        at = self.at
        return Node("braces", at, "{", self.listed("{", "}"))

    def listed(self, opening: str, closing: str) -> tuple[Node, ...]:
        """Expressions in brackets, between commas; a pack is a name behind which dots stand."""
        begin = self.at
        self.take(opening)
        close = self.tokens.match[begin]
        if not begin < close < self.end:
            raise NotUnderstood
        parts: list[Node] = []
        while self.here != closing:
            parts.append(self.initialiser())
            if self.here == "..." and parts[-1].kind == "name":
                self.take()
            if self.here != closing:
                self.take(",")
        self.take(closing)
        return tuple(parts)

    def assignment(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstood
        if self.here == "throw":
            return self._thrown()
        left = self.binary(3)
        if self.here == "?":
            at = self.at
            self.take()
            middle = self.expression()
            self.take(":")
            left = Node("cond", at, "?", (left, middle, self.assignment()))
        elif self.here in ASSIGNING:
            at = self.at
            sign = self.take()
            left = Node("assign", at, sign, (left, self.initialiser()))
        self.depth -= 1
        return left

    def _thrown(self) -> Node:
        at = self.at
        self.take()
        parts = () if self.here in ("", ";", ")") else (self.assignment(),)
        self.depth -= 1
        return Node("throw", at, "throw", parts)

    def binary(self, level: int) -> Node:
        left = self.unary()
        length = 0
        while (strength := _PRECEDENCE.get(self.here, 0)) >= level:
            at, length = self.at, length + 1
            if length > MAX_CHAIN:
                raise NotUnderstood
            sign = self.take()
            left = Node("binary", at, sign, (left, self.binary(strength + 1)))
        return left

    def unary(self) -> Node:
        self.depth += 1
        if self.depth > 2 * MAX_DEPTH:
            raise NotUnderstood
        node = self._unary()
        self.depth -= 1
        return node

    def _unary(self) -> Node:
        token, at = self.here, self.at
        if token in ("+", "-", "!", "~", "*", "&", "++", "--"):
            self.take()
            return Node("unary", at, token, (self.unary(),))
        if token == "sizeof":
            return self._size()
        if token == "new":
            return self._new()
        if token == "delete":
            self.take()
            if self.here == "[":
                self.take()
                self.take("]")
            return Node("delete", at, token, (self.unary(),))
        if token == "(" and (cast := self._cast()) is not None:
            return cast
        return self.postfix(self.primary())

    def _cast(self) -> Node | None:
        """`(type) operand`, where what stands in the brackets is certainly or possibly a type."""
        at, close = self.at, self.tokens.match[self.at]
        if not at < close < self.end:
            raise NotUnderstood
        kind = type_of_range(self.tokens, at + 1, close, self.names)
        if kind is None:
            return None
        after = self.tokens.text[close + 1] if close + 1 < self.end else ""
        certain = kind.kind in ("number", "void", "auto") or kind.pointers or kind.words or after == "&"
        if not certain and not (is_name(after) or after[:1].isdigit() or after[:1] in ('"', "'") or after in _CONSTANTS):
            return None
        self.at = close + 1
        return Node("cast", at, "(", (self.unary(),), kind)

    def _size(self) -> Node:
        at = self.at
        self.take()
        if self.here == "...":
            raise NotUnderstood
        if self.here == "(":
            close = self.tokens.match[self.at]
            if not self.at < close < self.end:
                raise NotUnderstood
            kind = type_of_range(self.tokens, self.at + 1, close, self.names)
            if kind is not None:
                self.at = close + 1
                return Node("sizeof", at, "sizeof", (), kind)
        return Node("sizeof", at, "sizeof", (self.unary(),))

    def _new(self) -> Node:
        at = self.at
        self.take()
        placed = self.listed("(", ")") if self.here == "(" else ()
        found = read_type(self.tokens, self.at, self.end, self.names)
        whole = read_declarator(self.tokens, found[1], found[0]) if found else None
        if whole is None:
            raise NotUnderstood
        kind, self.at = whole
        parts: list[Node] = []
        while self.here == "[":
            self.take()
            parts.append(self.expression())
            self.take("]")
        sizes = len(parts)
        if self.here in ("(", "{"):
            parts += self.listed(self.here, ")" if self.here == "(" else "}")
        return Node("new", at, "placed" if placed else "new", (*placed, *parts), kind, ((len(placed), len(placed) + sizes),))

    def primary(self) -> Node:
        token, at = self.here, self.at
        if token == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return inner
        if token[:1].isdigit() or (token[:1] == "." and token[1:2].isdigit()):
            self.take()
            return Node("number", at, token)
        if token[:1] in ('"', "'"):
            while self.here[:1] in ('"', "'"):
                self.take()
            return Node("text", at, token)
        if token in _CONSTANTS:
            self.take()
            return Node("constant", at, token)
        if token == "[":
            return self._lambda()
        if token in _CASTS:
            return self._named_cast()
        if token in _TYPE_WORDS or (token == "dim3" and self.following in ("(", "{")):
            return self._constructed()
        return self._name()

    def _named_cast(self) -> Node:
        at = self.at
        self.take()
        close = self.tokens.angle_end(self.at)
        kind = type_of_range(self.tokens, self.at + 1, close, self.names) if 0 < close < self.end and self.here == "<" else None
        if kind is None:
            raise NotUnderstood
        self.at = close + 1
        self.take("(")
        inner = self.expression()
        self.take(")")
        return Node("cast", at, self.tokens.text[at], (inner,), kind)

    def _constructed(self) -> Node:
        """`int(…)`, `dim3(…)`, `float{…}`."""
        at = self.at
        found = read_type(self.tokens, at, self.end, self.names)
        if found is None:
            raise NotUnderstood
        kind, self.at = found
        if self.here not in ("(", "{"):
            raise NotUnderstood
        return Node("construct", at, self.here, self.listed(self.here, ")" if self.here == "(" else "}"), kind)

    def _name(self) -> Node:
        """A name, one with `::` in it, either with template arguments; `Thing{…}`."""
        begin = self.at
        if self.here == "::":
            self.take()
        count = 0
        ranges: list[Range] | None = None
        while True:
            if not is_name(self.here):
                raise NotUnderstood
            at, count = self.at, count + 1
            self.take()
            if ranges is not None and count == 1:
                raise NotUnderstood
            ranges = self._angles()
            if self.here != "::":
                break
            self.take()
        text = "".join(self.tokens.text[begin : at + 1])
        plain = count == 1 and self.tokens.text[begin] != "::"
        node = Node("name" if plain else "path", at, text, (), None, None if ranges is None else tuple(ranges))
        if self.here == "{":
            kind = read_type(self.tokens, begin, self.end, self.names)
            if kind is None or kind[1] != self.at:
                raise NotUnderstood
            return Node("construct", at, "{", self.listed("{", "}"), kind[0])
        if ranges is not None and self.here == "(":
            kind = read_type(self.tokens, begin, self.end, self.names)
            if kind is not None and kind[1] == self.at and kind[0].kind == "copies":
                return Node("construct", at, "(", self.listed("(", ")"), kind[0])
        return node

    def _angles(self) -> list[Range] | None:
        """The template arguments that stand here, if they can be such."""
        if self.here != "<":
            return None
        close = self.tokens.angle_end(self.at)
        if not 0 < close < self.end or self.tokens.text[close + 1] not in _AFTER_ANGLES:
            return None
        if self.tokens.text[close + 1] in (">", ">>") and not self._are_types(self.at + 1, close):
            return None
        ranges = self.tokens.split(self.at + 1, close)
        self.at = close + 1
        return ranges

    def _are_types(self, begin: int, end: int) -> bool:
        """Whether a keyword says that [begin, end) are template arguments."""
        return any(token in KEYWORDS for token in self.tokens.text[begin:end])

    def postfix(self, node: Node) -> Node:
        for _ in range(MAX_CHAIN):
            at, token = self.at, self.here
            if token == "(":
                node = Node("call", at, "(", (node, *self.listed("(", ")")))
            elif token == "[":
                self.take()
                inner = self.expression()
                self.take("]")
                node = Node("index", at, "[", (node, inner))
            elif token in (".", "->"):
                self.take()
                if not is_name(self.here):
                    raise NotUnderstood
                field, place = self.here, self.at
                self.take()
                ranges = self._angles()
                node = Node("member", place, field, (node,), None, None if ranges is None else tuple(ranges))
                node = Node("arrow", at, field, (node,)) if token == "->" else node
            elif token in ("++", "--"):
                self.take()
                node = Node("postfix", at, token, (node,))
            elif token == "<<<":
                node = self._launch(node)
            else:
                return node
        raise NotUnderstood

    def _launch(self, callee: Node) -> Node:
        at = self.at
        self.take()
        parts = [self.initialiser()]
        while self.here != ">>>":
            self.take(",")
            parts.append(self.initialiser())
        self.take(">>>")
        config = len(parts)
        parts += self.listed("(", ")")
        return Node("launch", at, "<<<", (callee, *parts), None, ((1, config + 1),))

    def _lambda(self) -> Node:
        """`[captures] __device__ (parameters) mutable -> result { body }`: ranges of tokens, read when it is known what the names
        mean. Which side runs it stands on either side of the parameters."""
        at, match, text = self.at, self.tokens.match, self.tokens.text
        captures = (at + 1, match[at])
        self.at = match[at] + 1
        parameters = result = (at, at)
        if not at < captures[1] < self.end:
            raise NotUnderstood
        while self.here in _SIDES:
            self.take()
        if self.here == "(" and self.at < match[self.at]:
            parameters = (self.at + 1, match[self.at])
            self.at = match[self.at] + 1
        while self.here in _SIDES | {"mutable", "noexcept"}:
            self.take()
        if self.here == "->":
            begin = self.at + 1
            while self.here not in ("{", "", ";", "("):
                self.take()
            result = (begin, self.at)
        close = match[self.at] if self.here == "{" else -1
        if not self.at < close < self.end or text[close] != "}":
            raise NotUnderstood
        body = (self.at + 1, close)
        self.at = close + 1
        return Node("lambda", at, "[", (), None, (captures, parameters, result, body))
