"""Lambdas: what they capture, and the closures they make.

A closure is a value like another: a record with a field for each variable that the lambda captures, the variable's value
or a reference to it. It is made where the lambda is evaluated, and copied as records are. libclang names the variables of the
capture list and shows the types of the fields, but not which field is whose: a field stands where its variable is named, in
the list or, if nothing there names it, in the body where the variable is used first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from automata.lang.clang import kinds
from automata.lang.clang.constants import Constants
from automata.lang.clang.convert import address, is_place
from automata.lang.clang.index import Cursor
from automata.lang.clang.reader import Capture, Closure
from automata.lang.clang.types import is_closure
from automata.lang.tree import Comma, Construct, Evaluate, Expr, Function, FunctionName, Invoke, Name, Return, Storage, Variable
from automata.lang.types import VOID, ArrayOf, Field, Pointer, Record, Type
from automata.place import Place, UnsupportedError

_THIS = re.compile(r"(\*\s*)?this\b")


class Closures(Constants):
    """Reads lambdas."""

    def lambda_expression(self, cursor: Cursor) -> Expr:
        """A closure, made here of what the variables hold or where they are."""
        place = cursor.place
        kind = self.reader.type(cursor)
        assert isinstance(kind, Record)
        self.check_destructor(cursor.type, place)
        found = Closure()
        parts: list[Expr] = []
        this: Capture | None = None
        for at, (item, target) in enumerate(zip(kind.fields, self.captured(cursor, kind), strict=True)):
            if target is None:
                this, part = self.captured_this(kind, at, place)
            else:
                value_type = item.type.to if item.reference and isinstance(item.type, Pointer) else item.type
                found.captures[target.canonical.key] = Capture(item.name, value_type, item.reference)
                part = self.kept(target, item, cursor)
            parts.append(part)
        self.reader.closures[cursor.type.declaration.canonical.key] = replace(found, this=this)
        return Construct(tuple(parts), kind, place)

    def handed(self, kind: Type, place: Place) -> None:
        """Name the fields of the closures that a parameter of a kernel holds, after what they keep."""
        if isinstance(kind, ArrayOf):
            self.handed(kind.element, place)
        definition = self.reader.types.declarations.get(id(kind))
        if not isinstance(kind, Record) or definition is None:
            return
        if is_closure(definition) and kind.fields and definition.canonical.key not in self.reader.closures:
            self.made_by_host(kind, definition, place)
        for item in kind.fields:
            self.handed(item.type, place)

    def made_by_host(self, closure: Record, definition: Cursor, place: Place) -> None:
        """What the fields of one closure are for."""
        made = lambda_of(definition)
        if made is None:
            raise UnsupportedError("a lambda made outside the kernel", definition.place)
        fields, captures, this = list[Field](), dict[int, Capture](), None
        for item, target in zip(closure.fields, self.captured(made, closure), strict=True):
            if item.reference:
                name = f"'{target.spelling}'" if target is not None else "a variable"
                raise UnsupportedError(f"a lambda that the host hands to a kernel and that captures {name} by reference: no "
                                       "kernel reaches a variable of the host; capture it by value, as [=] does", made.place)
            name = target.spelling if target is not None else "this"
            name = name if name and all(name != each.name for each in fields) else item.name
            fields.append(replace(item, name=name))
            if target is not None:
                captures[target.canonical.key] = Capture(name, item.type, False)
            else:
                this = this_kept(name, item.type)
        closure.fields = tuple(fields)
        self.reader.touch(made)
        self.reader.closures[definition.canonical.key] = Closure(captures, this)

    def captured_this(self, closure: Record, at: int, place: Place) -> tuple[Capture, Expr]:
        """The object around a lambda: a reference to it, or a copy."""
        item, around = closure.fields[at], self.this(place)
        if item.type is around.type:
            self.check_kept(around.type, place)
            return Capture(item.name, around.type, False), around
        if item.type != Pointer(around.type):
            raise UnsupportedError("a capture of another object than the one around", place)
        fields = list(closure.fields)
        fields[at] = replace(item, reference=True)
        closure.fields = tuple(fields)
        return Capture(item.name, around.type, True), address(around, place)

    def kept(self, target: Cursor, item: Field, cursor: Cursor) -> Expr:
        """The value of a closure's field: a variable's value, a reference to it, or what the capture list says."""
        place = cursor.place
        if target.location in self.named(cursor):
            init = target.initialiser
            if not init.exists:
                raise UnsupportedError(f"the capture of '{target.spelling}'", place)
            found = self.expr(init) if item.reference else self.value(init, item.type)
            if item.reference and not is_place(found):
                raise UnsupportedError("a reference made by a lambda's head", place)
        else:
            found = self.declared(target, cursor)
            if not item.reference:
                self.check_kept(found.type, place)
        return address(found, place) if item.reference else found

    def check_kept(self, kind: Type, place: Place) -> None:
        """Refuse a capture by value of an object that has its own way to be copied."""
        if self.copies_itself(kind):
            raise UnsupportedError("a lambda's copy of an object that has its own way to be copied", place)
        self.check_copy(kind, place)

    # -- which variable a field is for ----------------------------------------------------------------

    def captured(self, cursor: Cursor, closure: Record) -> Iterator[Cursor | None]:
        """The variable that each field of a closure is for; None for `this`."""
        fields = cursor.type.fields()
        if not fields:
            return
        body = cursor.children()[-1]
        if self.reader.bound and any(name.referenced.canonical.key in self.reader.bound for name in within(body, kinds.NAME)):
            raise UnsupportedError("a structured binding in a lambda", cursor.place)
        wanted = {item.location for item in fields}
        listed: dict[int, list[Cursor]] = {}
        for child in cursor.children():
            if child.kind == kinds.VARIABLE_REF and child.location in wanted:
                listed.setdefault(child.location, []).append(child.referenced)
        used = uses(body, wanted - set(listed))
        for item, own in zip(fields, closure.fields, strict=True):
            at = item.location
            if at in listed or used.get(at):
                yield self.chosen(listed[at] if at in listed else used[at], own, cursor)
            elif at in used or _THIS.match(self.text_at(item)) or self.is_this(item, fields, {*listed, *used}, body):
                yield None
            else:
                raise UnsupportedError("a capture that this version cannot tell", cursor.place)

    def is_this(self, item: Cursor, fields: list[Cursor], told: set[int], body: Cursor) -> bool:
        """Whether a capture in a macro, whose text is not at hand, is `this`: the body names it, so one field is for it, and all
        others are told."""
        pointees = [each.type.pointee.declaration.canonical.key for each in within(body, kinds.THIS)]
        others = [each for each in fields if each.key != item.key]
        return item.type.kind == kinds.T_POINTER and item.type.pointee.declaration.canonical.key in pointees and all(
            each.location in told for each in others)

    def chosen(self, targets: list[Cursor], item: Field, cursor: Cursor) -> Cursor:
        """The next of the variables named at one place (a pack's) that has the type of the field; it is taken off the list."""
        for at, target in enumerate(targets):
            kind = self.reader.variable(target).type
            if item.type == (Pointer(kind) if item.reference else kind):
                return targets.pop(at)
        raise UnsupportedError("a capture that this version cannot tell", cursor.place)

    def named(self, cursor: Cursor) -> set[int]:
        """The places of the names in a lambda's capture list; a variable that stands there is introduced by it."""
        return {child.location for child in cursor.children() if child.kind == kinds.VARIABLE_REF}

    def text_at(self, cursor: Cursor) -> str:
        """The text where a cursor stands, behind macros."""
        file, offset, _, _ = cursor.unit.resolve(cursor.unit.lib.clang_getCursorLocation(cursor.raw))
        return self.reader.source(file)[offset:offset + 40].decode("utf-8", "replace")

    # -- closures as functions ------------------------------------------------------------------------

    def closure_as_function(self, cursor: Cursor, target: Cursor) -> Expr:
        """The conversion of a lambda to a pointer to a function."""
        callee = self.callee(cursor)
        if callee is None:
            raise UnsupportedError("a lambda used as a function", cursor.place)
        return self.as_function(self.object(callee.expressions(), cursor.place), self.reader.type(cursor), cursor.place)

    def as_function(self, closure: Expr, kind: Type, place: Place) -> Expr:
        """A lambda without captures as a pointer to a function: one that calls it."""
        owner = self.reader.types.declarations[id(closure.type)]
        operators = [child for child in owner.children() if child.kind == kinds.METHOD and child.spelling == "operator()"]
        if len(operators) != 1:
            raise UnsupportedError("a generic lambda used as a function", place)
        made = FunctionName(self.function_of(operators[0], place), kind, place)
        return made if isinstance(closure, (Construct, Name)) else Comma(closure, made, kind, place)

    def function_of(self, operator: Cursor, place: Place) -> Function:
        """The function that calls a lambda without captures."""
        key = -operator.key
        if key not in self.reader.functions:
            called = self.reader.function(operator)
            _, *params = called.params
            own = [Variable(param.name, param.type, Storage.PARAM, place=param.place) for param in params]
            closure = Construct((), self.reader.owner(operator, place), place)
            call = Invoke(called, (closure, *(Name(param, param.type, place) for param in own)), called.result, place)
            body = Evaluate(call, place) if called.result == VOID else Return(call, place)
            self.reader.functions[key] = Function("lambda", called.result, tuple(own), (body,), place=place)
        return self.reader.functions[key]


def this_kept(name: str, kind: Type) -> Capture:
    """The object around a lambda of the host: a copy of it, or a pointer to it."""
    return Capture(name, kind.to, True) if isinstance(kind, Pointer) else Capture(name, kind, False)


def lambda_of(closure: Cursor) -> Cursor | None:
    """The expression that makes the objects of a closure's class: it stands in a function around that, or where a class or
    namespace gives a variable its first value."""
    key, around = closure.canonical.key, closure.parent
    while around.exists:
        definition = around.definition if around.kind in kinds.FUNCTIONS else around
        for found in within(definition if definition.exists else around, kinds.LAMBDA):
            if found.type.declaration.canonical.key == key:
                return found
        around = around.parent
    return None


def within(cursor: Cursor, kind: int) -> Iterator[Cursor]:
    """What is of a kind in a body, but for classes that are declared in it."""
    waiting = [cursor]
    while waiting:
        at = waiting.pop()
        if at.kind == kind:
            yield at
        waiting += [child for child in at.children() if child.kind not in kinds.RECORDS]


def is_variable(cursor: Cursor) -> bool:
    return cursor.kind in (kinds.VAR, kinds.PARAM)


def uses(body: Cursor, wanted: set[int]) -> dict[int, list[Cursor]]:
    """The variables that are named at each of some places in a lambda's body, lambdas in it and their capture lists included;
    none where a member is named."""
    found: dict[int, dict[int, Cursor]] = {}
    waiting = [body] if wanted else []
    while waiting:
        cursor = waiting.pop()
        at = cursor.location
        if at in wanted:
            named = found.setdefault(at, {})
            if cursor.kind in (kinds.NAME, kinds.VARIABLE_REF) and is_variable(target := cursor.referenced):
                named.setdefault(target.key, target)
        inside = cursor.children()
        if cursor.kind == kinds.VARIABLE_REF and cursor.referenced.location == at:
            inside = [cursor.referenced.initialiser]
        waiting.extend(reversed(inside))
    return {at: list(targets.values()) for at, targets in found.items()}
