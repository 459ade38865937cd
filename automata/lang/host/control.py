"""Control statements of host code, and the structures that they make (`flow`)."""

from __future__ import annotations

from typing import NamedTuple

from automata.lang.host.declarations import Variable, read_parameter, starts_declaration
from automata.lang.host.flow import Kind, Structure
from automata.lang.host.functions import Region
from automata.lang.host.program import Program
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.types import Type, TypeNames
from automata.lang.host.uses import Block, Uses

Part = tuple[int, int, Node | None]
"""Tokens [begin, end), and the expression that they are."""
_SKIPPING = frozenset({"break", "continue", "goto"})
"""What may leave out the rest of a round."""


class Switch(NamedTuple):
    """A `switch` that is open: how many blocks and structures are around it, and what it asks."""

    blocks: int
    inside: int
    asked: Node | None


class Control(Uses):
    """Reads control statements. `inside`: the structures that are open; `leaves`: the last statement does not go on to the
    next."""

    def __init__(self, program: Program, region: Region | None) -> None:
        super().__init__(program, region)
        self.tokens = program.tokens
        self.types: TypeNames = program.types
        self.gives: list[Type | None] = []
        self.switches: list[Switch] = []
        self.inside: list[Structure] = []
        self.leaves = False

    def statement(self, at: int, end: int) -> int:
        """One statement; the index behind it."""
        raise NotImplementedError

    def declaration(self, at: int, end: int, tells: bool = False) -> int:
        """A declaration of variables; the index of what ends it."""
        raise NotImplementedError

    def declare(self, variable: Variable) -> None:
        """A variable of the innermost block."""
        raise NotImplementedError

    def _open(self) -> None:
        self.program.opened += 1
        self.blocks.append(Block(self.program.opened))

    def _marks(self) -> tuple[int, int, int, int]:
        return len(self.blocks), len(self.gives), len(self.switches), len(self.inside)

    def _back(self, marks: tuple[int, int, int, int]) -> None:
        """Close what was opened since then."""
        for each in self.inside[marks[3] :]:
            each.test = None
            each.guards.clear()
        del self.blocks[marks[0] :], self.gives[marks[1] :], self.switches[marks[2] :], self.inside[marks[3] :]

    def _enter(self, kind: Kind, begin: int, end: int) -> Structure:
        made = self.program.flow.open(kind, begin, end, self.inside[-1] if self.inside else None)
        self.inside.append(made)
        return made

    def _branch(self, at: int, end: int, test: Node | None, holds: bool = True) -> int:
        """A statement that is done where a test holds, or does not."""
        branch = self._enter("branch", at, end)
        branch.test, branch.holds = test, holds
        branch.end = self._held(at, end)
        self.inside.pop()
        return branch.end

    def _header(self, opening: int, tells: bool = False) -> tuple[int, list[Part]]:
        """What stands in the brackets of a control statement: the index behind them, and its parts between `;`. `tells`: it is
        evaluated once, before what it controls."""
        close = self.tokens.match[opening]
        if self.tokens.text[opening] != "(" or close < opening:
            raise NotUnderstood
        opened = self._marks()
        parts: list[Part] = []
        try:
            self._parts(opening + 1, close, parts, tells)
        except NotUnderstood:
            self._back(opened)
            self.bar(self.tokens.names(opening, close))
            parts = []
        return close + 1, parts

    def _parts(self, at: int, end: int, parts: list[Part], tells: bool = False) -> None:
        """Declarations and expressions between `;`, or `type name : range`."""
        text = self.tokens.text
        while at < end:
            if text[at] == ";":
                parts.append((at, at, None))
                at += 1
                continue
            begin, node = at, None
            if starts_declaration(self.tokens, at, end, self.types):
                at = self.declaration(at, end)
                if at < end and text[at] == ":":
                    last = list(self.blocks[-1].names.values())[-1]
                    last.form, last.init = "unknown", ()
                    last.among = ExpressionReader(self.tokens, at + 1, end, self.types).initialiser_alone()
                    self.visit(last.among, last.type.reference)
                    self.program.ranged.add(last.among.at)
                    return
            else:
                reader = ExpressionReader(self.tokens, at, end, self.types)
                node = reader.expression()
                if tells:
                    self.note_told(node)
                self.visit(node)
                at = reader.at
            parts.append((begin, at, node))
            if at < end and text[at] != ";":
                raise NotUnderstood
            at += 1

    def _controlled(self, at: int, end: int) -> int:
        """`if`, `while`, `for`, `switch`: what they hold is a block of its own."""
        word = self.tokens.text[at]
        self._open()
        whole = self._enter("switch" if word == "switch" else "block" if word == "if" else "loop", at, end)
        opened = self._marks()
        if word == "if":
            at = self._chosen(at, end, whole)
        else:
            at, parts = self._header(at + 1)
            if word == "switch":
                self.switches.append(Switch(len(self.blocks), len(self.inside), parts[-1][2] if parts else None))
            test = parts[0][2] if word == "while" and len(parts) == 1 else None
            if word == "for" and 2 <= len(parts) <= 3:
                test, whole.step = parts[1][2], parts[2][:2] if len(parts) == 3 else (0, 0)
            if word == "for" and parts:
                whole.round = parts[0][1]
                whole.head = test, parts[2][2] if len(parts) == 3 else None
            at = self._branch(at, end, test) if word != "switch" else self._held(at, end)
            self.leaves = False
        self._back(opened)
        whole.end = at
        self.blocks.pop()
        self.inside.pop()
        return at

    def _chosen(self, at: int, end: int, whole: Structure) -> int:
        """The branches of an `if`."""
        text = self.tokens.text
        at, parts = self._header(at + 1 + (text[at + 1] == "constexpr"), True)
        test = parts[-1][2] if parts else None
        at = self._branch(at, end, test)
        leaves = self.leaves
        if leaves and test is not None and whole.outer is not None:
            whole.outer.guards.append((at, test))
        self.leaves = False
        if at < end and text[at] == "else":
            at = self._branch(at + 1, end, test, False)
            self.leaves = self.leaves and leaves
        return at

    def _held(self, at: int, end: int) -> int:
        if at >= end:
            raise NotUnderstood
        self._open()
        at = self.statement(at, end)
        self.blocks.pop()
        return at

    def _repeated(self, at: int, end: int) -> int:
        text = self.tokens.text
        whole = self._enter("loop", at, end)
        at = self._held(at + 1, end)
        if text[at] != "while":
            raise NotUnderstood
        at, _ = self._header(at + 1)
        if text[at] != ";":
            raise NotUnderstood
        whole.end = at + 1
        whole.is_passed = _SKIPPING.isdisjoint(text[whole.begin : whole.end])
        self.inside.pop()
        self.leaves = False
        return at + 1

    def _case(self, at: int, end: int) -> int:
        """A label of a `switch`: what stands before it in the blocks around may be jumped over."""
        if not self.switches:
            raise NotUnderstood
        switch, first, text = self.switches[-1], at, self.tokens.text
        if self.inside[-1].kind == "case" and len(self.inside) == switch.inside + 2:
            self.inside.pop().end = at
        self.program.jumped |= {block.number for block in self.blocks[switch.blocks :]}
        for each in self.inside[switch.inside :]:
            each.is_jumped = True
        chosen = self.inside[switch.inside - 1]
        chosen.labels.append(at)
        chosen.has_default = chosen.has_default or text[at] == "default"
        begin = self.inside[-1].begin if len(self.inside) == switch.inside + 1 else -1
        is_alone = begin >= 0 and text[begin] == "{" and (self.leaves or begin == at - 1)
        self.leaves = False
        value = None
        if text[at] == "case":
            reader = ExpressionReader(self.tokens, at + 1, end, self.types)
            value = reader.binary(3)
            self.visit(value)
            at = reader.at - 1
        if text[at + 1] != ":":
            raise NotUnderstood
        if is_alone and value is not None and switch.asked is not None:
            self._enter("case", first, end).test = Node("binary", first, "==", (switch.asked, value))
        return at + 2

    def _tried(self, at: int, end: int) -> int:
        text = self.tokens.text
        whole = self._enter("try", at, end)
        at = self._held(at + 1, end)
        while at < end and text[at] == "catch":
            close = self.tokens.match[at + 1]
            if text[at + 1] != "(" or close < at:
                raise NotUnderstood
            self._open()
            self._parameters(at + 2, close)
            at = self._held(close + 1, end)
            self.blocks.pop()
        whole.end = at
        self.inside.pop()
        self.leaves = False
        return at

    def _parameters(self, begin: int, end: int) -> None:
        for part in self.tokens.split(begin, end):
            parameter = read_parameter(self.tokens, *part, self.types, frozenset())
            if parameter is None:
                self.bar(self.tokens.names(*part))
            elif parameter.variable is not None:
                self.declare(parameter.variable)
