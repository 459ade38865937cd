"""Ends of scopes: what the destructors of locals do there.

A scope is a body, the head of a statement with its body, or a whole function. A local whose class, or a part of it, has a
destructor that does something is destroyed wherever its scope is left: at the end of its block, before a `return` (whose value
is computed first), before a `break` or `continue` that leads out of the block. In go the scopes around a statement, with the
locals declared in them so far; out come the calls, the last local first. C++ lets no jump pass by such a declaration into its
scope, so what is declared above a statement is what lives there. An object is destroyed by its own destructor, then its fields,
the last first, then its bases. Temporaries with such a destructor are refused where they are made (`check_destructor`), and so
are a `goto` in a function with such locals, and a local that is returned where it shows whether it is copied (`elision`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from automata.lang.clang import kinds
from automata.lang.clang.bases import members_of, pattern_of
from automata.lang.clang.closures import Closures
from automata.lang.clang.elision import copies_each_field, elidable
from automata.lang.clang.index import Cursor, Shape
from automata.lang.clang.reader import Scope
from automata.lang.tree import (
    Break,
    Continue,
    Declare,
    Evaluate,
    Expr,
    Function,
    Goto,
    Invoke,
    Member,
    Name,
    Return,
    Stmt,
    Storage,
    Variable,
)
from automata.lang.types import VOID, Record, Void
from automata.place import Place, UnsupportedError

JUMPS = (Return, Break, Continue, Goto)


class Scopes(Closures):
    """Reads the ends of scopes."""

    @contextmanager
    def scope(self, body: list[Stmt], *, loop: bool = False, switch: bool = False) -> Iterator[None]:
        """A scope whose statements go into `body`; behind them its locals are destroyed. `loop`, `switch`: what leaves it."""
        self.reader.scopes.append(Scope([], breaks=loop or switch, continues=loop))
        yield
        scope = self.reader.scopes.pop()
        if not body or not isinstance(body[-1], JUMPS):
            body.extend(self.ends(scope))

    def ends(self, scope: Scope) -> list[Stmt]:
        return [stmt for variable, shape in reversed(scope.objects)
                for stmt in self.destroy(Name(variable, variable.type, variable.place), shape, variable.place)]

    def until(self, *, breaks: bool = False, continues: bool = False) -> list[Stmt]:
        """What is destroyed on the way out: of all scopes, or of those up to the one that a `break` or `continue` leaves."""
        found: list[Stmt] = []
        for scope in reversed(self.reader.scopes):
            found += self.ends(scope)
            if (breaks and scope.breaks) or (continues and scope.continues):
                break
        return found

    def register(self, variable: Variable, cursor: Cursor, place: Place) -> None:
        """A local that was declared is destroyed at the end of its scope."""
        if not self.runs_destructor(cursor.type, place):
            return
        if variable.storage is not Storage.LOCAL or not self.reader.scopes:
            self.check_destructor(cursor.type, place)
        self.reader.scopes[-1].objects.append((variable, cursor.type))
        self.reader.destroys = True

    def destroy(self, what: Expr, shape: Shape, place: Place) -> list[Stmt]:
        """The calls that destroy an object, or the elements of an array, the last first."""
        if not self.runs_destructor(shape, place):
            return []
        if shape.kind == kinds.T_CONSTANT_ARRAY:
            while shape.kind == kinds.T_CONSTANT_ARRAY:
                shape = shape.element
            return [stmt for part in reversed(self.elements(what, place)) for stmt in self.destroy(part, shape, place)]
        definition, record = shape.declaration.definition, what.type
        assert isinstance(record, Record)
        made: list[Stmt] = []
        for child in members_of(definition):
            if child.kind == kinds.DESTRUCTOR and self.does_something(child):
                made.append(Evaluate(Invoke(self.destructor(child, definition, shape, place), (what,), VOID, place), place))
        parts = [*self.of_fields(what, shape), *self.of_bases(what, record, definition, place)]
        return [*made, *(stmt for part, kind in parts for stmt in self.destroy(part, kind, place))]

    def of_fields(self, what: Expr, shape: Shape) -> list[tuple[Expr, Shape]]:
        """The fields that are destroyed with an object, the last first."""
        found: list[tuple[Expr, Shape]] = []
        assert isinstance(what.type, Record)
        for item in reversed(shape.fields()):
            if self.runs_destructor(item.type, what.place):
                if (field := what.type.field(item.spelling)) is None:
                    raise UnsupportedError(f"the destructor of '{shape.spelling}'", what.place)
                found.append((Member(what, item.spelling, field.type, what.place), item.type))
        return found

    def of_bases(self, what: Expr, record: Record, definition: Cursor, place: Place) -> list[tuple[Expr, Shape]]:
        """The bases that are destroyed with an object, the last first; one without fields has no room in it."""
        found: list[tuple[Expr, Shape]] = []
        for (base, is_field), shape in zip(self.reader.types.bases(record), self.reader.types.bases_of(definition), strict=True):
            if not is_field:
                self.check_destructor(shape, place)
            found.append((Member(what, base.name, base, place), shape))
        return found[::-1]

    def destructor(self, declared: Cursor, definition: Cursor, shape: Shape, place: Place) -> Function:
        """The function that a destructor is; of an instance of a template libclang shows the template's text alone."""
        known = declared.definition
        is_union = definition.kind == kinds.UNION
        if is_union or not known.exists or not known.has(kinds.COMPOUND) or pattern_of(definition) is not None:
            raise UnsupportedError(f"the destructor of '{shape.spelling}'", place)
        return self.reader.function(known)

    def check_returned(self, operand: Cursor) -> None:
        """Refuse the `return` of a local where it shows whether the compiler leaves its copy out."""
        found = elidable(operand)
        if found is None or self.reader.variable(found[0]).storage is not Storage.LOCAL:
            return
        constructor = found[1]
        is_plain = self.is_implicit(constructor) or (copies_each_field(constructor) and not self.reader.types.bases_of(
            constructor.parent.definition))
        name, chosen = found[0].spelling, "is the compiler's choice"
        if not is_plain:
            raise UnsupportedError(f"'{name}' is returned, and whether its copy is left out {chosen}: return what its "
                                   "constructor makes, or leave that copy to the compiler", operand.place)
        objects = [variable for scope in self.reader.scopes for variable, _ in scope.objects]
        if any(not isinstance(variable.type, Record) or variable.type.fields for variable in objects):
            raise UnsupportedError(f"'{name}' is returned past a destructor that may change it, and whether it is copied first "
                                   f"{chosen}: end the scope of the object before", operand.place)

    def left(self, stmt: Return | Break | Continue, value: Expr | None = None) -> list[Stmt]:
        """A jump out of scopes; the value of a `return` is computed before locals are destroyed."""
        place = stmt.place
        ends = self.until(breaks=isinstance(stmt, Break), continues=isinstance(stmt, Continue))
        if not isinstance(stmt, Return) or value is None:
            return [*ends, stmt]
        if not ends:
            return [Return(value, place)]
        if self.reader.returns_place:
            raise UnsupportedError("a reference returned past a destructor", place)
        if isinstance(value.type, Void):
            return [Evaluate(value, place), *ends, Return(None, place)]
        kept = self.reader.temporary(value.type, place)
        return [Declare(kept, value, place), *ends, Return(Name(kept, value.type, place), place)]
