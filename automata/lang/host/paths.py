"""What a name with `::` in front of it means: a constant of a namespace of the file.

Where headers are not at hand, one of them may hold another namespace of the name. C++ looks for the first namespace of a path
from the innermost scope outwards ([basic.lookup.unqual]), so what an unseen header declares is not found where the path begins in
the very namespace in which it is used, for a function that is no member of a class.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import Tokens, is_name

_NOT_OWN = frozenset({"std", "thrust", "cuda", "cub"})
"""Namespaces of libraries, to which a file may add."""


def constant_named(program: Program, node: Node) -> Variable | None:
    """The constant that `a::b::name` means: declared once in the text, and under namespaces of the file alone."""
    *spaces, name = node.text.removeprefix("::").split("::")
    found, own = program.variables.get(name, []), program.namespaces - program.types.hidden - _NOT_OWN
    is_one = len(found) == 1 and program.declared[name] == 1 and node.ranges is None
    if not is_one or not spaces or not set(spaces) <= own:
        return None
    variable = found[0]
    if program.has_unseen and not _is_nearest(program, spaces, variable, node):
        return None
    is_known = variable.type.is_const and not variable.is_member and name not in program.barred and variable.start < node.at
    return variable if is_known else None


def _is_nearest(program: Program, spaces: list[str], variable: Variable, node: Node) -> bool:
    """Whether a path of namespaces leads to a variable whatever headers hold that are not at hand."""
    tokens = program.tokens
    region, here, there = program.region_at(node.at), _around(tokens, node.at), _around(tokens, variable.at)
    if here is None or there is None or (region is not None and (region.is_method or region.is_foreign)):
        return False
    renames = any(tokens.text[at : at + 3] == ["namespace", spaces[0], "="] for at in range(tokens.size))
    return not renames and there == ([] if node.text.startswith("::") else here) + spaces


def _around(tokens: Tokens, at: int) -> list[str] | None:
    """The namespaces around a token, from the outermost; None where one of them has no name, or is inline."""
    found: list[str] = []
    for keyword in (index for index in range(at) if tokens.text[index] == "namespace"):
        opening = keyword + 1
        while is_name(tokens.text[opening]) or tokens.text[opening] == "::":
            opening += 1
        if tokens.text[opening] == "{" and tokens.match[opening] > at:
            names = tokens.text[keyword + 1 : opening : 2]
            if not names or "inline" in tokens.text[keyword - 1 : opening]:
                return None
            found += names
    return found
