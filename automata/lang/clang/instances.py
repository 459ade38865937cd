"""Questions about instantiations to clang's cursors: which functions one names, its arguments, where its kernel stands."""

from __future__ import annotations

import re

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor, Shape


def namespaces(cursor: Cursor) -> tuple[str, ...]:
    """The named namespaces around a declaration, the outermost first."""
    found, at = [], cursor.parent
    while at.exists and at.kind == kinds.NAMESPACE:
        if re.fullmatch(r"[A-Za-z_]\w*", at.spelling):
            found.append(at.spelling)
        at = at.parent
    return tuple(reversed(found))


def referenced(function: Cursor) -> list[Cursor]:
    """The functions that a function names."""
    found: dict[int, Cursor] = {}
    waiting = [function]
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in (kinds.NAME, kinds.MEMBER, kinds.CALL):
            target = cursor.referenced
            if target.exists and target.kind in kinds.FUNCTIONS:
                found.setdefault(target.key, target)
        waiting.extend(cursor.children())
    return list(found.values())


def template_arguments(cursor: Cursor) -> str:
    """The template arguments of an instantiation, as text."""
    lib = cursor.unit.lib
    parts = []
    for at in range(lib.clang_Cursor_getNumTemplateArguments(cursor.raw)):
        kind = lib.clang_Cursor_getTemplateArgumentKind(cursor.raw, at)
        if kind == 1:
            parts.append(Shape(lib.clang_Cursor_getTemplateArgumentType(cursor.raw, at), cursor.unit).spelling)
        elif kind == 4:
            parts.append(str(lib.clang_Cursor_getTemplateArgumentValue(cursor.raw, at)))
        else:
            parts.append("...")
    text = ", ".join(parts)
    return f"{text} for ({', '.join(param.type.spelling for param in cursor.arguments())})" if "..." in parts else text


def example_arguments(template: Cursor) -> list[str]:
    """Arguments that a template might have: one for each parameter without a default, up to a pack."""
    found = []
    for child in template.children():
        if child.kind not in (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE):
            continue
        words = child.printed()
        if "..." in words or "=" in words:
            break
        if child.kind == kinds.TEMPLATE_TYPE:
            found.append("float")
        else:
            found.append({kinds.T_BOOL: "true"}.get(child.type.kind, "32"))
    return found
