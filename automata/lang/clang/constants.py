"""What variables of the file hold: constants, which a kernel relies on, and what others hold at first."""

from __future__ import annotations

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor
from automata.lang.clang.initialisers import Initialisers
from automata.lang.elaborate.contents import constant_content
from automata.lang.tree import Declare, Expr, Storage, Variable
from automata.lang.types import ArrayOf, Record, Type, Vector
from automata.place import InputError, Place, UnsupportedError

FILE_LEVEL = (Storage.CONSTANT, Storage.GLOBAL)


class Constants(Initialisers):
    """Reads initialisers of variables that live outside functions."""

    def fill_constant(self, variable: Variable, cursor: Cursor) -> None:
        """The value of a constant: the one that clang computes, what its list says, or what its constructor makes of it."""
        if variable.storage not in FILE_LEVEL or not variable.const or variable in self.reader.filled:
            return
        self.reader.filled.add(variable)
        variable.value = self.evaluated(variable, cursor)
        init = cursor.initialiser
        if variable.value is None and init.exists and isinstance(variable.type, (Record, ArrayOf, Vector)):
            self.constant_object(variable, init, cursor)

    def constant_object(self, variable: Variable, init: Cursor, cursor: Cursor) -> None:
        """A constant with parts. One that is not written out is made anew by each thread, before the kernel begins: as nothing
        changes it, that is the same."""
        place = cursor.place
        if isinstance(variable.type, Record) and not variable.type.fields:
            return
        reader = self.reader
        outer = reader.prelude, reader.this, reader.captures, reader.closure
        reader.prelude, reader.this, reader.captures, reader.closure = [], None, {}, None
        made = self.initialise(variable, init, place)
        before, (reader.prelude, reader.this, reader.captures, reader.closure) = reader.prelude, outer
        value = made[0].init if len(made) == 1 and isinstance(made[0], Declare) else None
        if value is not None and constant_content(value, variable.type) is not None:
            variable.value = value
        elif not isinstance(variable.type, Vector):
            self.check_constant(cursor, init, place)
            variable.storage = Storage.LOCAL
            reader.computed += [*before, *made]

    def check_constant(self, cursor: Cursor, init: Cursor, place: Place) -> None:
        """Refuse the constant of a function whose initialiser reads variables of that function."""
        if cursor.parent.kind not in kinds.FUNCTIONS:
            return
        waiting = [init]
        while waiting:
            inner = waiting.pop()
            target = inner.referenced if inner.kind == kinds.NAME else None
            if target is not None and target.kind in (kinds.VAR, kinds.PARAM) and not target.type.const:
                raise UnsupportedError(f"the initialiser of the constant '{cursor.spelling}'", place)
            waiting.extend(inner.children())

    def fill_initial(self, variable: Variable, cursor: Cursor) -> None:
        """What a variable of the file holds at first, for the host may set it; and whether another file defines it."""
        if variable.storage not in FILE_LEVEL or variable.value is not None or variable.initial is not None:
            return
        definition = cursor.definition
        variable.external = not definition.exists
        init = definition.initialiser if definition.exists else cursor.initialiser
        if not init.exists or (init.kind == kinds.CALL and not init.arguments() and not self.needs_constructor(variable.type)):
            return
        outer, self.reader.prelude = self.reader.prelude, []
        closures = dict(self.reader.closures)
        try:
            variable.initial = self.evaluated(variable, init) or self.first_value(init, variable.type)
        except InputError:
            variable.initial = f"values that are not read ({cursor.place})"
        self.reader.prelude, self.reader.closures = outer, closures

    def first_value(self, init: Cursor, kind: Type) -> Expr:
        """The value of an initialiser; of a constructor that the compiler writes, what the members say."""
        if init.kind == kinds.CALL and not init.arguments() and isinstance(kind, Record) and self.is_implicit(init.referenced):
            return self.aggregate([], kind, init.place)
        return self.expr(init)
