"""How an instance is called that its template arguments do not tell alone: `k<float for (float *, int)>`.

Kernel templates of one name may have instances by the same arguments; then the parameters of the function tell them apart. In:
such a name. Out: the name that a launch writes, and how many arguments it passes. The class of a lambda is called after where it
stands, its file as seen from here.
"""

from __future__ import annotations

import os

from automata.place import Place

FOR = " for ("
ANY_FUNCTION = "__spmd_function"
"""The stub's class of functions that add what they get."""


def with_count(name: str) -> tuple[str, int | None]:
    """`k<float>` and 2 of the name above; None where the template arguments tell the instance. Packs are not told by launches."""
    plain, has, params = name.partition(FOR)
    if not has or "..." in plain:
        return name, None
    return plain + ">", parameters(params.removesuffix(">"))


def parameters(text: str) -> int:
    """How many parameters `int *, pair<int, int>)` names; commas inside of brackets part none."""
    depth = commas = 0
    for letter in text[:-1]:
        depth += (letter in "<([{") - (letter in ">)]}")
        commas += letter == "," and depth == 0
    return commas + bool(text[:-1])


def stood_in(name: str) -> tuple[str, ...]:
    """What is taken for granted where the stub's class stands for one of the program's."""
    return (f"{ANY_FUNCTION} stands for a class of the program: it adds what it is called with",) if ANY_FUNCTION in name else ()


def near(path: str) -> str:
    """A file as seen from here, if it lies below."""
    other = os.path.relpath(path)
    return path if other.startswith("..") else other


def of_lambda(place: Place) -> str:
    """The class of the lambda that stands at a place."""
    return f"(lambda at {near(place.file)}:{place.line}:{place.column})"
