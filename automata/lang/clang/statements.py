"""Statements of clang's tree as the typed tree's."""

from __future__ import annotations

from collections.abc import Sequence

from automata.lang.clang import kinds
from automata.lang.clang.blocks import block_value
from automata.lang.clang.convert import address, convert, index, is_place
from automata.lang.clang.index import Cursor
from automata.lang.clang.names import is_taken_apart
from automata.lang.clang.nodes import bound_part, branch, head_of_for, head_of_switch, round_of, starts_range
from automata.lang.clang.reader import MAX_DEPTH, STATIC
from automata.lang.clang.scopes import Scopes
from automata.lang.tree import Binary as BinaryNode
from automata.lang.tree import (
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Expr,
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
from automata.lang.types import ArrayOf, Void
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


class Statements(Scopes):
    """Reads statements; each gives a list, with what must come before it in front."""

    def body(self, cursor: Cursor) -> tuple[Stmt, ...]:
        """The statements of a compound statement, or the one statement."""
        found: list[Stmt] = []
        with self.scope(found):
            for child in cursor.children() if cursor.kind == kinds.COMPOUND else [cursor]:
                found.extend(self.statement(child))
        return tuple(found)

    def round(self, cursor: Cursor, before: Sequence[Cursor] = ()) -> tuple[Stmt, ...]:
        """The body of a loop, behind variables that each round begins with."""
        found: list[Stmt] = []
        with self.scope(found, loop=True):
            for variable in before:
                found += self.with_prelude(variable)
            found += self.body(cursor)
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
        what = REFUSED.get(kind, "a statement that this version does not read")
        raise UnsupportedError(what + (self._instruction(cursor) if kind == kinds.ASM else ""), cursor.place)

    def _instruction(self, cursor: Cursor) -> str:
        """Which instruction of inline assembly is not known here, where it is written out in the text."""
        from automata.lang.ptx import unwritten  # a large table

        name = unwritten(self.reader.text(cursor))
        return f" with '{name}', which the table of PTX here does not have in this form" if name else ""

    def effect(self, cursor: Cursor) -> list[Stmt]:
        expr = self.expr(cursor)
        return [Evaluate(expr, expr.place)]

    def statement_expression(self, cursor: Cursor) -> Expr:
        """A block that has the value of its last statement."""
        kind = self.reader.type(cursor)
        *first, last = cursor.children()[0].children() or [cursor]
        declared: list[Stmt] = []
        with self.scope(declared):
            body = [made for child in first for made in self.statement(child)]
        if declared:
            raise UnsupportedError("a destructor in a statement expression", cursor.place)
        if last is cursor or not kinds.FIRST_EXPR <= last.kind <= kinds.LAST_EXPR or isinstance(kind, Void):
            return block_value([*body, *(self.statement(last) if last is not cursor else [])], None, kind, cursor.place)
        outer, self.reader.prelude = self.reader.prelude, body
        value = convert(self.expr(last), kind, cursor.place)
        body, self.reader.prelude = self.reader.prelude, outer
        return block_value(body, value, kind, cursor.place)

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
            if child.kind == kinds.VAR or is_taken_apart(child):
                found += self.with_prelude(child)
        return found

    def with_prelude(self, variable: Cursor) -> list[Stmt]:
        """A local variable, with what must come before it in front."""
        outer, self.reader.prelude = self.reader.prelude, []
        made = self.local(variable)
        before, self.reader.prelude = self.reader.prelude, outer
        return [*before, *made]

    def local(self, cursor: Cursor) -> list[Stmt]:
        """A local variable: declared, then constructed if it has a constructor."""
        place = cursor.place
        if is_taken_apart(cursor):
            self.bind(cursor)
        is_static = cursor.unit.lib.clang_Cursor_getStorageClass(cursor.raw) == STATIC
        if is_static and cursor.type.const and self.reader.constant(cursor) is not None:
            return []
        variable = self.reader.variable(cursor)
        self.register(variable, cursor, place)
        if variable.storage is Storage.CONSTANT or variable in self.reader.filled:
            self.fill_constant(variable, cursor)
            return []
        init = cursor.initialiser
        if not init.exists or variable.storage in (Storage.SHARED, Storage.DYNAMIC):
            return [self.undefined(variable, place)]
        if variable.reference:
            bound = self.expr(init)
            if not is_place(bound):
                variable.reference = False
            return [Declare(variable, bound, place)]
        source = array_copied(init)
        return self.initialise(variable, init, place) if source is None else [Declare(variable, self.item(source), place)]

    def bind(self, cursor: Cursor) -> None:
        """The names of a structured binding: each is a part of the object that is declared here, which has no name."""
        for name in cursor.children():
            if name.kind != kinds.UNEXPOSED_DECL:
                continue
            part = bound_part(name)
            if part is None:
                raise UnsupportedError("a structured binding of a class that is like a tuple", cursor.place)
            self.reader.bound[name.canonical.key] = part

    def conditional(self, cursor: Cursor) -> list[Stmt]:
        """An `if`; libclang lists the variable that is its test before the statement that stands before it."""
        parts, head, place = list(cursor.children()), branch(cursor), cursor.place
        if len(parts) != 2 + head.other + head.variable + head.start:
            raise UnsupportedError("an 'if' of this form", place)
        variable = parts.pop(0) if head.variable else None
        made: list[Stmt] = []
        with self.scope(made):
            if head.start:
                made += self.statement(parts.pop(0))
            if variable is not None:
                made += self.local(variable)
            is_plain = not made
            if head.constant and (value := parts[0].evaluate()) is not None:
                taken = parts[1] if value else (parts[2] if len(parts) > 2 else None)
                made += [Group(self.body(taken), place)] if taken is not None else []
            else:
                test = self.test(parts[0])
                made.append(If(test, self.body(parts[1]), self.body(parts[2]) if len(parts) > 2 else (), place))
        return made if is_plain else [Group(tuple(made), place)]

    def while_loop(self, cursor: Cursor) -> list[Stmt]:
        parts = cursor.children()
        if parts[0].kind == kinds.VAR:
            raise UnsupportedError("a declaration in the test of a loop", cursor.place)
        return [Loop((), self.test(parts[0]), None, self.round(parts[-1]), False, cursor.place)]

    def do_loop(self, cursor: Cursor) -> list[Stmt]:
        body, test = cursor.children()
        inside = self.round(body)
        return [Loop((), self.test(test), None, inside, True, cursor.place)]

    def for_loop(self, cursor: Cursor) -> list[Stmt]:
        start, test, step, body = self.for_parts(cursor)
        made: list[Stmt] = []
        with self.scope(made):
            before: list[Stmt] = self.statement(start) if start is not None else []
            condition = self.test(test) if test is not None else None
            last = self.expr(step) if step is not None else None
            made.append(Loop(tuple(before), condition, last, self.round(body), False, cursor.place))
        return made

    def for_parts(self, cursor: Cursor) -> tuple[Cursor | None, Cursor | None, Cursor | None, Cursor]:
        """Start, test and step of a `for`; libclang leaves out absent ones."""
        there, parts = head_of_for(cursor), list(cursor.children())
        if sum(there) != len(parts):
            raise UnsupportedError("a 'for' of this form", cursor.place)
        start, variable, test, step, body = (parts.pop(0) if part else None for part in there)
        if variable is not None:
            raise UnsupportedError("a declaration in the test of a loop", cursor.place)
        assert body is not None
        return start, test, step, body

    def range_for(self, cursor: Cursor) -> list[Stmt]:
        """`for (T x : array)`: by counting, over an array of known length that is looked up once."""
        place = cursor.place
        parts = cursor.children()
        item, body = parts[0], parts[-1]
        plain = len(parts) == 3 and (item.kind == kinds.VAR or is_taken_apart(item)) and not starts_range(cursor)
        if plain and parts[1].type.referred().kind == kinds.T_RECORD:
            return self.range_by_iterators(cursor, item, body)
        over = self.expr(parts[1]) if plain else None
        if over is None or not isinstance(over.type, ArrayOf) or over.type.count is None:
            raise UnsupportedError("a range-based 'for' over something else than an array", place)
        array = Variable("__range", over.type, Storage.LOCAL, reference=is_place(over), place=place)
        counter = Variable("__at", I32, Storage.LOCAL, place=place)
        at = Name(counter, I32, place)
        element = index(Name(array, over.type, place), at, over.type.element, place)
        self.iterate(item, element)
        test = BinaryNode("<", at, Literal(over.type.count, I32, place), BOOL, place)
        start = (Declare(array, over, place), Declare(counter, Literal(0, I32, place), place))
        return [Loop(start, test, Step("++", at, False, I32, place), self.round(body, [item]), False, place)]

    def range_by_iterators(self, cursor: Cursor, item: Cursor, body: Cursor) -> list[Stmt]:
        """`for (T x : object)`: with the variables, the test and the step that clang writes, of the object's iterators."""
        begin = self.written_variable(item.initialiser, "__begin", item)
        parts = round_of(cursor)
        if len(parts) != 2:
            raise UnsupportedError("a range-based 'for' of this form", cursor.place)
        made = [self.written_variable(begin.initialiser, "__range", item), begin, self.written_variable(parts[0], "__end", item)]
        found: list[Stmt] = []
        with self.scope(found):
            start = [statement for variable in made for statement in self.with_prelude(variable)]
            test, step = self.test(parts[0]), self.expr(parts[1])
            found.append(Loop(tuple(start), test, step, self.round(body, [item]), False, cursor.place))
        return found

    def iterate(self, item: Cursor, element: Expr) -> None:
        """Let the pointer that clang makes for a range-based `for`, in its variable's initialiser, be one to the element."""
        begin = self.written_variable(item.initialiser, "__begin", item)
        self.reader.ranges[begin.canonical.key] = address(element, element.place)

    def written_variable(self, inside: Cursor, name: str, item: Cursor) -> Cursor:
        """The variable that clang writes for a range-based `for`, from where its name is used."""
        waiting = [inside] if inside.exists else []
        while waiting:
            cursor = waiting.pop()
            target = cursor.referenced
            if cursor.kind == kinds.NAME and target.kind == kinds.VAR and target.spelling.startswith(name):
                return target
            waiting.extend(cursor.children())
        raise UnsupportedError("a range-based 'for' of this form", item.place)

    def switch(self, cursor: Cursor) -> list[Stmt]:
        """A switch; libclang does not show what comes before a semicolon in its head."""
        parts = cursor.children()
        if any(head_of_switch(cursor)) or len(parts) != 2:
            raise UnsupportedError("a declaration or effect in the head of a switch", cursor.place)
        value, inside = self.expr(parts[0]), list[Stmt]()
        with self.scope(inside, switch=True):
            inside += self.body(parts[1])
        return [Switch(value, tuple(inside), cursor.place)]

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
        if parts:
            self.check_returned(parts[0])
        return self.left(Return(None, cursor.place), self.expr(parts[0]) if parts else None)

    def label(self, cursor: Cursor) -> list[Stmt]:
        return [Label(cursor.spelling, cursor.place), *(item for part in cursor.children() for item in self.statement(part))]

    def jump(self, cursor: Cursor) -> list[Stmt]:
        return [Goto(cursor.referenced.spelling, cursor.place)]

    def leave_loop(self, cursor: Cursor) -> list[Stmt]:
        return self.left(Break(cursor.place) if cursor.kind == kinds.BREAK else Continue(cursor.place))

    def nothing(self, cursor: Cursor) -> list[Stmt]:
        return []


def array_copied(init: Cursor) -> Cursor | None:
    """The array of which an initialiser copies each element, as a structured binding does."""
    parts = init.expressions() if init.kind == kinds.UNEXPOSED and init.type.kind == kinds.T_CONSTANT_ARRAY else []
    is_copy = len(parts) == 2 and parts[0].type.kind == kinds.T_CONSTANT_ARRAY and parts[0].type.size == init.type.size
    return parts[0] if is_copy else None
