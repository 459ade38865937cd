"""The macros that a `setup.py` gives to the CUDA texts of an extension.

In: a CUDA text and its project's folder. Out: the macros of the nearest `setup.py` above it, as flags. Taken is what stands in a
list called `define_macros` (assigned, added to, or passed by that name) as pairs of texts, and the `-D` in the lists for
`nvcc`. The file is parsed and never run. A branch counts if its condition is about CUDA itself, for the text is CUDA: one of any
other condition, an `else`, or a condition about another platform gives nothing. A name with two values, in whatever branches, or
with one that is computed, is left out. What is taken is printed with the verdict.
Source: setuptools' user guide, "Building Extension Modules"; PyTorch's `torch.utils.cpp_extension`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from automata.lang.compile_commands import Flags
from automata.lang.project import text_of, upwards

FILE, LIST, COMPILER = "setup.py", "define_macros", "nvcc"
LONGEST = 200_000
CUDA, OTHERS = re.compile("cuda", re.I), re.compile(r"\bnot\b|!=|hip|rocm|musa|npu|mlu", re.I)
DEFINE = re.compile(r"-D([A-Za-z_]\w*)(?:=(.*))?", re.S)
Macro = tuple[str, str | None, bool]
"""A name, its value (None: computed), and whether it is given on the way to CUDA."""


def flags_of_setup(path: str, root: str) -> Flags | None:
    """The macros that the nearest `setup.py` gives; None where it gives none."""
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root):
        file = os.path.join(folder, FILE)
        text = text_of(file) if os.path.isfile(file) else None
        if text is not None:
            defines = _defines(text)
            return Flags(defines=defines, where=file) if defines else None
    return None


def _defines(text: str) -> dict[str, str]:
    """The macros of a text that have one value."""
    try:
        tree = ast.parse(text) if len(text) <= LONGEST else ast.Module([], [])
        macros = list(_of_body(tree.body, True))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    values: dict[str, set[str | None]] = {}
    for name, value, _ in macros:
        values.setdefault(name, set()).add(value)
    return {name: value for name, value, is_taken in macros if is_taken and value is not None and len(values[name]) == 1}


def _of_body(body: list[ast.stmt], is_taken: bool) -> Iterator[Macro]:
    for statement in body:
        if isinstance(statement, ast.If):
            condition = ast.unparse(statement.test)
            yield from _of_body(statement.body, is_taken and bool(CUDA.search(condition)) and not OTHERS.search(condition))
            yield from _of_body(statement.orelse, False)
            continue
        if inner := list(_inner(statement)):
            yield from _of_body(inner, is_taken)
            continue
        yield from _of_statement(statement, is_taken)


def _inner(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside one that is no `if`; not those that only an exception leads to."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, [])


def _of_statement(statement: ast.stmt, is_taken: bool) -> Iterator[Macro]:
    """The macros of a statement without others inside."""
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            yield from _of_target(target, statement.value, is_taken)
    for node in ast.walk(statement):
        match node:
            case ast.keyword(arg=name, value=value) if name == LIST:
                yield from _pairs(value, is_taken)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    yield from _options(value, is_taken) if _text(key) == COMPILER else ()
            case ast.Call(func=ast.Attribute(value=owner, attr="append" | "extend"), args=[value]):
                yield from _of_target(owner, value, is_taken)


def _of_target(target: ast.expr, value: ast.expr | None, is_taken: bool) -> Iterator[Macro]:
    """What is put into a list: into that of macros, or into that of the compiler's options."""
    if isinstance(target, ast.Name) and target.id == LIST:
        yield from _pairs(value, is_taken)
    elif isinstance(target, ast.Subscript) and _text(target.slice) == COMPILER:
        yield from _options(value, is_taken)


def _pairs(value: ast.AST | None, is_taken: bool) -> Iterator[Macro]:
    """Pairs of a name and a text, or of a name and None, anywhere in an expression."""
    for node in ast.walk(value) if value is not None else ():
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and (name := _text(node.elts[0])) is not None:
            second = node.elts[1]
            is_bare = isinstance(second, ast.Constant) and second.value is None
            yield name, "1" if is_bare else _text(second), is_taken


def _options(value: ast.AST | None, is_taken: bool) -> Iterator[Macro]:
    """The `-D` among the texts of an expression."""
    for node in ast.walk(value) if value is not None else ():
        match = DEFINE.fullmatch(_text(node) or "")
        if match:
            yield match[1], match[2] if match[2] is not None else "1", is_taken


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
