"""The macros that a `setup.py` gives to the CUDA texts of an extension.

In: a CUDA text and its project's folder. Out: the macros of the nearest `setup.py` above it, as flags. Taken is what stands in a
list called `define_macros` (assigned, added to, or passed by that name) as pairs of texts, and the `-D` in the lists for
`nvcc`. The file is parsed and never run. A branch counts if its condition says that there is CUDA, for the text is CUDA, or that
there is no HIP; so does the `else` of one that says the opposite. One of any other condition, a loop, or one about another
platform or a version gives nothing, and so does what is chosen, filtered or computed inside of an expression, and a call that
names sources and not the text. A name with two values, in whatever branches, with one that is computed, or that is taken away
again (`-U`, `undef_macros`, a list that is set anew or emptied) is left out.
What is taken is printed with the verdict.
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
CUDA = re.compile("cuda", re.I)
OTHERS = re.compile(r"\bnot\b|[<>]|!=|hip|rocm|musa|npu|mlu|no_?cuda|cuda_?off|disable|without|skip|missing|absent|lack|version"
                    r"|arch", re.I)
HIP = re.compile(r"(?<![a-z])(?:hip|rocm)", re.I)
LESS = re.compile(r"no|without|disable|skip|missing|absent|lack|off", re.I)
TRUE = {"'1'", "1", "True", "'ON'", "'TRUE'", "'True'", "'true'", "'on'", "'yes'", "'YES'"}
SOURCE = re.compile(r".*\.(?:cu|cpp|cc|cxx|c)", re.S)
TAKEN_AWAY, EMPTIED = "undef_macros", {"clear", "remove", "pop"}
DEFINE, UNDEFINE = re.compile(r"-D([A-Za-z_]\w*)(?:=(.*))?", re.S), re.compile(r"-U([A-Za-z_]\w*)")
Macro = tuple[str, str | None, int]
"""A name, its value (None: computed), and the line that gives it on the way to CUDA, 0 for another way."""


def flags_of_setup(path: str, root: str) -> Flags | None:
    """The macros that the nearest `setup.py` gives; None where it gives none."""
    for folder in upwards(os.path.dirname(os.path.realpath(path)), root):
        file = os.path.join(folder, FILE)
        text = text_of(file) if os.path.isfile(file) else None
        if text is not None:
            defines = _defines(text, os.path.basename(path))
            return Flags(defines=defines, where=file) if defines else None
    return None


def _defines(text: str, file: str) -> dict[str, str]:
    """The macros that a text gives to a file of some name, of those that have one value."""
    try:
        tree = ast.parse(text) if len(text) <= LONGEST else ast.Module([], [])
        macros, (gone, last) = list(_of_body(tree.body, True)), _taken_away(tree)
        strange = _of_others(tree, file)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    values: dict[str, set[str | None]] = {}
    for name, value, _ in macros:
        values.setdefault(name, set()).add(value)
    return {name: value for name, value, line in macros if line > last and line not in strange and name not in gone
            and value is not None and len(values[name]) == 1}


def _taken_away(tree: ast.AST) -> tuple[set[str], int]:
    """The macros that are taken away by their names, and the last line behind which a list begins anew or that empties one."""
    gone, last = set[str](), 0
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if (found := UNDEFINE.fullmatch(text)):
                gone.add(found[1])
            case ast.keyword(arg=name, value=value) if name == TAKEN_AWAY:
                gone |= {said for each in ast.walk(value) if (said := _text(each)) is not None}
            case ast.Assign(targets=targets, value=value) if any(map(_is_list, targets)):
                is_kept = any(isinstance(each, ast.Name) and each.id == LIST for each in ast.walk(value))
                last = last if is_kept else max(last, node.lineno - 1)
            case ast.Call(func=ast.Attribute(value=owner, attr=what)) if _is_list(owner) and what in EMPTIED:
                last = max(last, node.lineno)
    options = sorted((node for node in ast.walk(tree) if isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Subscript) and _text(target.slice) == COMPILER for target in node.targets)),
        key=lambda node: node.lineno)
    gone |= {each for node in options[:-1] for each, _, _ in _options(node.value, False)}
    return gone, last


def _is_list(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == LIST


def _of_others(tree: ast.AST, file: str) -> set[int]:
    """The lines of calls that name sources and not the file."""
    found = set[int]()
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        named = [text for each in ast.walk(call) if (text := _text(each)) is not None and SOURCE.fullmatch(text)]
        if named and not any(os.path.basename(text) == file for text in named):
            found.update(range(call.lineno, (call.end_lineno or call.lineno) + 1))
    return found


def _of_body(body: list[ast.stmt], is_taken: bool) -> Iterator[Macro]:
    for statement in body:
        if isinstance(statement, ast.If):
            said = _says_cuda(statement.test)
            yield from _of_body(statement.body, is_taken and said is True)
            yield from _of_body(statement.orelse, is_taken and said is False)
            continue
        if isinstance(statement, ast.For | ast.While | ast.AsyncFor):
            yield from _of_body([*statement.body, *statement.orelse], False)
            continue
        if inner := list(_inner(statement)):
            yield from _of_body(inner, is_taken)
            continue
        yield from _of_statement(statement, is_taken)


def _says_cuda(test: ast.expr) -> bool | None:
    """Whether a condition holds where there is CUDA, and no HIP; None where that does not say it."""
    match test:
        case ast.BoolOp(op=op, values=values):
            deciding = isinstance(op, ast.Or)
            said = [_says_cuda(each) for each in values]
            return deciding if deciding in said else None if None in said else not deciding
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _says_cuda(operand) if HIP.search(ast.unparse(operand)) else None
            return None if inner is None else not inner
        case ast.Compare(left=ast.Name() | ast.Attribute() as left, ops=[ast.Is() | ast.IsNot() as op],
                         comparators=[ast.Constant(value=None)]):
            inner = _says_cuda(left)
            return None if inner is None else inner == isinstance(op, ast.IsNot)
        case ast.Compare(ops=ops, comparators=values) if not (
                len(ops) == 1 and isinstance(ops[0], ast.Eq) and ast.unparse(values[0]) in TRUE):
            return None
    condition = ast.unparse(test)
    if HIP.search(condition):
        is_name = isinstance(test, ast.Name | ast.Attribute | ast.Call) and not LESS.search(condition)
        return False if is_name and not CUDA.search(condition) else None
    return True if CUDA.search(condition) and not OTHERS.search(condition) else None


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
    plain = _plain(value)
    for node in ast.walk(value) if value is not None else ():
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and (name := _text(node.elts[0])) is not None:
            second = node.elts[1]
            is_bare = isinstance(second, ast.Constant) and second.value is None
            yield name, "1" if is_bare else _text(second), node.lineno if is_taken and node in plain else 0


def _options(value: ast.AST | None, is_taken: bool) -> Iterator[Macro]:
    """The `-D` among the texts of an expression."""
    plain = _plain(value)
    for node in ast.walk(value) if value is not None else ():
        match = DEFINE.fullmatch(_text(node) or "")
        if match and isinstance(node, ast.expr):
            yield match[1], match[2] if match[2] is not None else "1", node.lineno if is_taken and node in plain else 0


def _plain(value: ast.AST | None) -> list[ast.AST]:
    """What is an element of a list whatever happens: of one that is written out, of sums of such, or a single one."""
    match value:
        case ast.List(elts=elements):
            return list(elements)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_plain(left), *_plain(right)]
    return [] if value is None else [value]


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
