"""Statements of clang's tree as the typed tree's."""

from __future__ import annotations

import re

from automata.lang.clang import kinds
from automata.lang.clang.closures import Closures
from automata.lang.clang.convert import index, is_place
from automata.lang.clang.index import Cursor
from automata.lang.clang.reader import MAX_DEPTH, STATIC
from automata.lang.tree import Binary as BinaryNode
from automata.lang.tree import (
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Goto,
    Group,
    If,
    Label,
    Literal,
    Loop,
    Name,
    Return,
    Step,
    Stmt,
    Storage,
    Switch,
    Variable,
)
from automata.lang.types import ArrayOf
from automata.place import UnsupportedError
from automata.scalar import BOOL, I32

REFUSED = {kinds.ASM: "inline assembly", kinds.MS_ASM: "inline assembly", kinds.TRY: "exceptions", kinds.CATCH: "exceptions",
           kinds.INDIRECT_GOTO: "a computed goto"}
_HANDLERS = {
    kinds.COMPOUND: "block", kinds.DECLARATION: "declaration", kinds.IF: "conditional", kinds.WHILE: "while_loop",
    kinds.DO: "do_loop", kinds.FOR: "for_loop", kinds.RANGE_FOR: "range_for",
    kinds.SWITCH: "switch", kinds.CASE: "case", kinds.DEFAULT: "case",
    kinds.RETURN: "leave", kinds.LABEL: "label", kinds.GOTO: "jump", kinds.UNEXPOSED_STMT: "attributed", kinds.NULL: "nothing",
    kinds.BREAK: "leave_loop", kinds.CONTINUE: "leave_loop",
}
_SEPARATOR = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[(){}\[\];]', re.S)


class Statements(Closures):
    """Reads statements; each gives a list, with what must come before it in front."""

    def body(self, cursor: Cursor) -> tuple[Stmt, ...]:
        """The statements of a compound statement, or the one statement."""
        found: list[Stmt] = []
        for child in cursor.children() if cursor.kind == kinds.COMPOUND else [cursor]:
            found.extend(self.statement(child))
        return tuple(found)

    def statement(self, cursor: Cursor) -> list[Stmt]:
        outer, self.reader.prelude = self.reader.prelude, []
        self.reader.depth += 1
        if self.reader.depth > MAX_DEPTH:
            raise UnsupportedError("statements nested too deeply", cursor.place)
        made = self._statement(cursor)
        self.reader.depth -= 1
        before, self.reader.prelude = self.reader.prelude, outer
        return [*before, *made]

    def _statement(self, cursor: Cursor) -> list[Stmt]:
        kind = cursor.kind
        if kinds.FIRST_EXPR <= kind <= kinds.LAST_EXPR or kind == kinds.BUILTIN_BIT_CAST:
            return self.effect(cursor)
        method = _HANDLERS.get(kind)
        if method is not None:
            found: list[Stmt] = getattr(self, method)(cursor)
            return found
        place = cursor.place
        raise UnsupportedError(REFUSED.get(kind, "a statement that this version does not read"), place)

    def effect(self, cursor: Cursor) -> list[Stmt]:
        expr = self.expr(cursor)
        return [Evaluate(expr, expr.place)]

    def block(self, cursor: Cursor) -> list[Stmt]:
        return [Group(self.body(cursor), cursor.place)]

    def attributed(self, cursor: Cursor) -> list[Stmt]:
        """A statement below attributes or a pragma."""
        inner = [child for child in cursor.children() if child.kind >= 100 and child.kind < 300]
        if not inner:
            raise UnsupportedError("a statement that this version does not read", cursor.place)
        return self.statement(inner[-1])

    def declaration(self, cursor: Cursor) -> list[Stmt]:
        found: list[Stmt] = []
        for child in cursor.children():
            if child.kind == kinds.VAR:
                outer, self.reader.prelude = self.reader.prelude, []
                made = self.local(child)
                found.extend([*self.reader.prelude, *made])
                self.reader.prelude = outer
            elif child.kind == kinds.UNEXPOSED_DECL and child.spelling.startswith("["):
                raise UnsupportedError("a structured binding", child.place)
        return found

    def local(self, cursor: Cursor) -> list[Stmt]:
        """A local variable: declared, then constructed if it has a constructor."""
        place = cursor.place
        self.check_destructor(cursor.type, place)
        is_static = cursor.unit.lib.clang_Cursor_getStorageClass(cursor.raw) == STATIC
        if is_static and cursor.type.const and self.reader.constant(cursor) is not None:
            return []
        variable = self.reader.variable(cursor)
        if variable.storage is Storage.CONSTANT and variable.value is None:
            self.fill_constant(variable, cursor)
            return []
        init = cursor.initialiser
        if not init.exists or variable.storage in (Storage.SHARED, Storage.DYNAMIC):
            return [Declare(variable, None, place)]
        if variable.reference:
            bound = self.expr(init)
            if not is_place(bound):
                variable.reference = False
            return [Declare(variable, bound, place)]
        return self.initialise(variable, init, place)

    def conditional(self, cursor: Cursor) -> list[Stmt]:
        parts = cursor.children()
        place = cursor.place
        start: list[Stmt] = []
        if parts[0].kind == kinds.DECLARATION:
            start = self.statement(parts[0])
            parts = parts[1:]
        elif self.begins_with_effect(cursor, parts):
            start, parts = self.statement(parts[0]), parts[1:]
        if parts[0].kind == kinds.VAR:
            start += self.local(parts[0])
            parts = parts[1:]
        if self.text_after_keyword(cursor, b"if").startswith(b"constexpr") and (value := parts[0].evaluate()) is not None:
            taken = parts[1] if value else (parts[2] if len(parts) > 2 else None)
            return [*start, *([Group(self.body(taken), place)] if taken is not None else [])]
        test = self.test(parts[0])
        made = If(test, self.body(parts[1]), self.body(parts[2]) if len(parts) > 2 else (), place)
        return [Group((*start, made), place)] if start else [made]

    def begins_with_effect(self, cursor: Cursor, parts: list[Cursor]) -> bool:
        """Whether the head of an `if` has an expression and a semicolon before its test."""
        semicolons = self.semicolons_in_head(cursor, b"if")
        if parts[0].kind == kinds.VAR or semicolons is not None:
            return bool(semicolons) and parts[0].kind != kinds.VAR
        are_values = all(kinds.FIRST_EXPR <= part.kind <= kinds.LAST_EXPR for part in parts[:2])
        if len(parts) != 3 or not are_values or self.reader.dialect == "opencl":
            return len(parts) > 3
        first, second = (part.type.kind for part in parts[:2])
        if first == second == kinds.T_BOOL:
            raise UnsupportedError("an 'if' that a macro makes", cursor.place)
        return bool(first != kinds.T_BOOL)

    def text_after_keyword(self, cursor: Cursor, keyword: bytes) -> bytes:
        file, start, end = cursor.extent
        text = self.reader.source(file)[start:min(end, start + 60)]
        return text[len(keyword):].lstrip() if text.startswith(keyword) else b""

    def while_loop(self, cursor: Cursor) -> list[Stmt]:
        parts = cursor.children()
        if parts[0].kind == kinds.VAR:
            raise UnsupportedError("a declaration in the test of a loop", cursor.place)
        return [Loop((), self.test(parts[0]), None, self.body(parts[-1]), False, cursor.place)]

    def do_loop(self, cursor: Cursor) -> list[Stmt]:
        body, test = cursor.children()
        inside = self.body(body)
        return [Loop((), self.test(test), None, inside, True, cursor.place)]

    def for_loop(self, cursor: Cursor) -> list[Stmt]:
        start, test, step, body = self.for_parts(cursor)
        before: list[Stmt] = self.statement(start) if start is not None else []
        condition = self.test(test) if test is not None else None
        last = self.expr(step) if step is not None else None
        return [Loop(tuple(before), condition, last, self.body(body), False, cursor.place)]

    def for_parts(self, cursor: Cursor) -> tuple[Cursor | None, Cursor | None, Cursor | None, Cursor]:
        """Start, test and step of a `for`; libclang leaves out absent ones, so the semicolons decide."""
        *parts, body = cursor.children()
        if len(parts) == 3 and parts[1].kind != kinds.VAR:
            return parts[0], parts[1], parts[2], body
        if any(part.kind == kinds.VAR for part in parts):
            raise UnsupportedError("a declaration in the test of a loop", cursor.place)
        found: list[Cursor | None] = [None, None, None]
        semicolons = self.semicolons(cursor)
        for part in parts:
            at = part.extent[1]
            slot = 0 if at <= semicolons[0] else 1 if at <= semicolons[1] else 2
            found[slot] = part
        return found[0], found[1], found[2], body

    def semicolons(self, cursor: Cursor) -> tuple[int, int]:
        """The offsets of the two semicolons in the head of a `for`."""
        found = self.semicolons_in_head(cursor, b"for")
        if found is None or len(found) != 2:
            raise UnsupportedError("a 'for' that a macro makes", cursor.place)
        return found[0], found[1]

    def semicolons_in_head(self, cursor: Cursor, keyword: bytes) -> list[int] | None:
        """The offsets of the semicolons between the parentheses after a keyword; None if a macro makes the statement."""
        file, start, end = cursor.extent
        text = self.reader.source(file)
        if not text.startswith(keyword, start):
            return None
        depth, found = 0, []
        for match in _SEPARATOR.finditer(text, start, end):
            word = match.group()
            depth += 1 if word in b"([{" else -1 if word in b")]}" else 0
            if word == b";" and depth == 1:
                found.append(match.start())
            if depth == 0 and word == b")":
                break
        return found

    def range_for(self, cursor: Cursor) -> list[Stmt]:
        """`for (T x : array)`: by counting, over an array of known length."""
        place = cursor.place
        parts = cursor.children()
        item, body = parts[0], parts[-1]
        ranges = [part for part in parts[1:-1] if kinds.FIRST_EXPR <= part.kind <= kinds.LAST_EXPR]
        over = self.expr(ranges[-1]) if item.kind == kinds.VAR and ranges else None
        if over is None or not isinstance(over.type, ArrayOf) or over.type.count is None:
            raise UnsupportedError("a range-based 'for' over something else than an array", place)
        counter = Variable("__at", I32, Storage.LOCAL, place=place)
        at = Name(counter, I32, place)
        variable = self.reader.variable(item)
        first = Declare(variable, index(over, at, over.type.element, place), place)
        test = BinaryNode("<", at, Literal(over.type.count, I32, place), BOOL, place)
        return [Loop((Declare(counter, Literal(0, I32, place), place),), test, Step("++", at, False, I32, place),
                     (first, *self.body(body)), False, place)]

    def switch(self, cursor: Cursor) -> list[Stmt]:
        """A switch; libclang does not show what comes before a semicolon in its head."""
        parts = cursor.children()
        if parts[0].kind == kinds.VAR or self.semicolons_in_head(cursor, b"switch"):
            raise UnsupportedError("a declaration or effect in the head of a switch", cursor.place)
        return [Switch(self.expr(parts[0]), self.body(parts[1]), cursor.place)]

    def case(self, cursor: Cursor) -> list[Stmt]:
        parts = cursor.children()
        if cursor.kind == kinds.DEFAULT:
            return [Case(None, cursor.place), *self.statement(parts[0])]
        if len(parts) != 2:
            raise UnsupportedError("a range of case values", cursor.place)
        value = parts[0].evaluate()
        if not isinstance(value, int):
            raise UnsupportedError("a case whose value is not known", cursor.place)
        return [Case(value, cursor.place), *self.statement(parts[1])]

    def leave(self, cursor: Cursor) -> list[Stmt]:
        parts = cursor.expressions()
        return [Return(self.expr(parts[0]) if parts else None, cursor.place)]

    def label(self, cursor: Cursor) -> list[Stmt]:
        return [Label(cursor.spelling, cursor.place), *(item for part in cursor.children() for item in self.statement(part))]

    def jump(self, cursor: Cursor) -> list[Stmt]:
        return [Goto(cursor.referenced.spelling, cursor.place)]

    def leave_loop(self, cursor: Cursor) -> list[Stmt]:
        return [Break(cursor.place) if cursor.kind == kinds.BREAK else Continue(cursor.place)]

    def nothing(self, cursor: Cursor) -> list[Stmt]:
        return []
