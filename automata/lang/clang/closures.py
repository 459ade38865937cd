"""Lambdas: the copies they make and the variables they refer to."""

from __future__ import annotations

import re

from automata.lang.clang import kinds
from automata.lang.clang.construct import Constructions
from automata.lang.clang.index import Cursor
from automata.lang.clang.reader import Closure
from automata.lang.tree import (
    Construct,
    Declare,
    Expr,
    Name,
    Storage,
    Variable,
)
from automata.lang.types import Record
from automata.place import UnsupportedError

MAX_ELEMENTS = 4096


class Closures(Constructions):
    """Reads lambdas."""

    def lambda_expression(self, cursor: Cursor) -> Expr:
        """A closure: copies are made here, the body refers to them and to the variables around it."""
        place = cursor.place
        kind = self.reader.type(cursor)
        copies = dict(self.reader.copies)
        for original, init in self.captured(cursor):
            source = self.reader.variable(original) if init is None else None
            value = self.expr(init) if init is not None else Name(source, source.type, place) if source is not None else None
            assert value is not None
            if source is not None and isinstance(source.type, Record) and id(source.type) in self.reader.types.closures:
                continue
            copy = Variable(original.spelling, value.type, Storage.LOCAL, const=True, place=place)
            if self.reader.in_header:
                raise UnsupportedError("a lambda with copies in the head of a loop", place)
            self.reader.prelude.append(Declare(copy, value, place))
            copies[original.canonical.key] = copy
        self.reader.closures[cursor.type.declaration.canonical.key] = Closure(copies, self.reader.this)
        return Construct((), kind, place)

    def captured(self, cursor: Cursor) -> list[tuple[Cursor, Cursor | None]]:
        """The variables that a lambda copies; with an initialiser, those it introduces."""
        head = re.match(r"\[([^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]", self.reader.text(cursor))
        if head is None:
            raise UnsupportedError("a lambda that a macro makes", cursor.place)
        text = head.group(1).strip()
        found: dict[int, tuple[Cursor, Cursor | None]] = {}
        by_reference: set[int] = set()
        for child in cursor.children():
            if child.kind in (kinds.PARAM, kinds.COMPOUND):
                break
            target = child.referenced
            if child.kind == kinds.VARIABLE_REF:
                key = target.canonical.key
                introduced = target.kind == kinds.VAR and re.search(rf"\b{target.spelling}\s*[=({{]", text)
                init = target.initialiser if introduced else None
                if re.search(rf"&\s*{target.spelling}\b", text):
                    by_reference.add(key)
                    if init is not None and init.exists:
                        raise UnsupportedError("a reference made by a lambda's head", cursor.place)
                else:
                    found[key] = (target, init if init is not None and init.exists else None)
            elif text.startswith("=") and target.kind in (kinds.VAR, kinds.PARAM):
                found.setdefault(target.canonical.key, (target, None))
        return [item for key, item in found.items() if key not in by_reference]
