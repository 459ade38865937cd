"""What a name with `::` in front of it means: a constant of a namespace of the file."""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

_NOT_OWN = frozenset({"std", "thrust", "cuda", "cub"})
"""Namespaces of libraries, to which a file may add."""


def constant_named(program: Program, node: Node) -> Variable | None:
    """The constant that `a::b::name` means: declared once in the text, and under namespaces of the file alone."""
    *spaces, name = node.text.removeprefix("::").split("::")
    found, own = program.variables.get(name, []), program.namespaces - program.types.hidden - _NOT_OWN
    is_one = len(found) == 1 and program.declared[name] == 1 and not program.has_unseen and node.ranges is None
    if not is_one or not spaces or not set(spaces) <= own:
        return None
    variable = found[0]
    is_known = variable.type.is_const and not variable.is_member and name not in program.barred and variable.start < node.at
    return variable if is_known else None
