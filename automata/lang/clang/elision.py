"""Copies that a compiler may leave out: `return x;` of a local x.

In: the operand of a `return`. Out: the local whose copy, or move, into the result may be left out ([class.copy.elision]), and
the constructor that makes it. Compilers may choose, and they do: some leave a copy out where its constructor is the program's own
and keep it where it copies bytes, others leave out both. It shows in two ways: the constructor does more than copy (it counts),
or a destructor that runs behind the `return` changes the local, which is the result if nothing is copied. Both are refused; a
constructor that sets each field to that of its argument shows nothing (`copies_each_field`).
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor


def elidable(operand: Cursor) -> tuple[Cursor, Cursor] | None:
    """The declaration of a variable that is returned by its name, and the constructor that copies it; None for other operands."""
    kind, constructor, at = operand.type, None, operand
    while at.kind in (kinds.UNEXPOSED, kinds.PAREN, kinds.CALL):
        inside = at.expressions() if at.kind != kinds.CALL else at.arguments()
        if at.kind == kinds.CALL:
            if constructor is not None or not copies_or_moves(at.referenced):
                return None
            constructor = at.referenced
        if len(inside) != 1:
            return None
        at = inside[0]
    variable = at.referenced
    is_local = constructor is not None and at.kind == kinds.NAME and variable.kind == kinds.VAR
    is_same = kind.kind == variable.type.kind == kinds.T_RECORD and (
        kind.declaration.canonical.key == variable.type.declaration.canonical.key)
    return (variable, constructor) if is_local and is_same and constructor is not None else None


def copies_or_moves(constructor: Cursor) -> bool:
    return constructor.kind == kinds.CONSTRUCTOR and (
        constructor.asks("CXXConstructor_isCopyConstructor") or constructor.asks("CXXConstructor_isMoveConstructor"))


def copies_each_field(constructor: Cursor) -> bool:
    """Whether all that a copy constructor of a class without bases does is to set each field once, in its list or in its body, to
    that of its argument. Fields are numbers and pointers."""
    known, shape = constructor.definition, constructor.parent.type
    params = known.arguments() if known.exists else []
    if len(params) != 1:
        return False
    parts = [child for child in known.children() if child.kind not in (kinds.PARAM, kinds.COMPOUND)
             and not child.kind > kinds.LAST_EXPR]
    body = [child for child in known.children() if child.kind == kinds.COMPOUND]
    if len(parts) % 2 or len(body) != 1:
        return False
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    for stmt in body[0].children():
        if stmt.kind != kinds.BINARY or kinds.BINARY_OPERATORS.get(
                stmt.unit.lib.clang_getCursorBinaryOperatorKind(stmt.raw)) != "=":
            return False
        left, right = stmt.expressions()
        pairs.append((left, right))
    fields = [field.spelling for field in shape.fields()]
    is_plain = all(field.type.kind not in (kinds.T_RECORD, kinds.T_CONSTANT_ARRAY, *kinds.REFERENCES) for field in shape.fields())
    return is_plain and sorted(_set_by(pairs, params[0])) == sorted(fields)


def _set_by(pairs: Sequence[tuple[Cursor, Cursor]], param: Cursor) -> list[str]:
    """The fields that are set to the same field of the parameter; nothing where one is set to something else."""
    found = []
    for target, value in pairs:
        while value.kind in (kinds.UNEXPOSED, kinds.PAREN, kinds.INIT_LIST) and len(value.expressions()) == 1:
            value = value.expressions()[0]
        whose = value.expressions() if value.kind == kinds.MEMBER else []
        is_own = target.kind == kinds.MEMBER_REF or (target.kind == kinds.MEMBER and not [
            each for each in target.expressions() if each.kind != kinds.THIS])
        if not (is_own and len(whose) == 1 and whose[0].kind == kinds.NAME and whose[0].referenced.key == param.key
                and value.spelling == target.spelling):
            return []
        found.append(target.spelling)
    return found
