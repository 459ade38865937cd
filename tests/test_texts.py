"""No pass looks into the text of a symbol: what a thing is stands in its fields.

How it looks: in the syntax of every module, for a call that takes a text apart or matches it (`startswith`, `partition`, `split`,
`re.match`, …) and for `"…" in text`, where the text is a name: an attribute or variable called `name`, `array`, `text`, `holder`,
`owner` and the like. Modules that read the user's text, or write text for people, may do so; they are listed. Names of library
functions and operations (`function`, `op`) are words of the language, not of the user: those may be looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

READING = {"automata/lang/clang", "automata/lang/host", "automata/lang/c.py", "automata/lang/c_expr.py", "automata/lang/parse.py",
           "automata/lang/condition.py", "automata/lang/demands.py",
           "automata/lang/launch.py", "automata/lang/library.py", "automata/lang/library_rows.py",
           "automata/lang/literals.py", "automata/lang/foreign.py", "automata/lang/preprocess.py", "automata/lang/macros.py",
           "automata/lang/source.py", "automata/lang/given.py", "automata/lang/read.py", "automata/lang/slices.py",
           "automata/lang/c_types.py", "automata/lang/c_init.py", "automata/lang/arch.py", "equivalence/relation.py",
           "automata/lang/opencl.py", "automata/machine/state/schedule.py", "automata/lang/project.py", "automata/lang/hints.py",
           "automata/lang/ptx.py", "automata/lang/ptx_rows.py", "automata/lang/compile_commands.py", "automata/lang/makefiles.py",
           "automata/lang/cmake.py", "automata/lang/enqueuers.py", "automata/lang/declared.py", "automata/lang/naming.py",
           "automata/lang/reached.py", "automata/lang/option_doubts.py",
           "automata/lang/program_options.py", "automata/lang/excluded.py", "automata/lang/instance_names.py",
           "automata/lang/asked_file.py", "automata/lang/torch_load.py"}
"""Texts of files, of the library's own tables, and of options."""
WRITING = {"spmd", "equivalence/notes.py", "equivalence/generic/show.py", "automata/passes.py"}
"""Texts for people."""
NAMES = {"name", "names", "array", "arrays", "text", "holder", "owner", "local", "param", "parameter", "symbol", "atom", "label",
         "event", "source", "target", "made", "prefix", "mark", "key", "assumption", "reason", "message"}
APART = {"startswith", "endswith", "partition", "rpartition", "removeprefix", "removesuffix", "split", "rsplit", "find", "index",
         "replace", "match", "fullmatch", "search", "sub"}
ALLOWED = {
    ("equivalence/pairing.py", "name.startswith(mark)"): "the supply of names of side b looks for a mark that none begins with",
    ("automata/lang/names.py", "text.replace('$', '_')"): "the supply of names makes texts that C takes",
    ("automata/logic/poly.py", "text.startswith('+ ')"): "a polynomial is printed",
    ("automata/scope.py", "'Dim' not in text"): "which conditions of a scope are printed with the mark of side b",
    ("equivalence/counterexample.py", "key.removeprefix('b.')"): "sizes of side b are printed without its mark",
}


def word(node: ast.expr) -> str:
    """The last word of what an expression is called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[inner]):
            return word(inner)
    return ""


def looks(tree: ast.AST) -> Iterator[ast.expr]:
    """Where a module takes the text of something apart."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=args) if method in APART:
                if isinstance(value, ast.Name) and value.id == "re":
                    if any(word(arg) in NAMES for arg in args):
                        yield node
                elif word(value) in NAMES and not (method in ("find", "index", "replace") and not _is_text(args)):
                    yield node
            case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()], comparators=[held]):
                if word(held) in NAMES:
                    yield node


def _is_text(args: list[ast.expr]) -> bool:
    return bool(args) and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str)


def modules() -> list[Path]:
    found = (path for folder in ("automata", "equivalence", "spmd") for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if not _is_apart(path.relative_to(ROOT))]


def _is_apart(path: Path) -> bool:
    return not (READING | WRITING).isdisjoint(map(str, (path, *path.parents)))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_of_a_symbol_is_looked_into(path: Path) -> None:
    where = str(path.relative_to(ROOT))
    found = [f"{where}:{node.lineno}: {ast.unparse(node)}" for node in looks(ast.parse(path.read_text()))
             if (where, ast.unparse(node)) not in ALLOWED]
    assert not found


@pytest.mark.parametrize("line", [
    'is_size = "Dim." in name', 'if symbol.name.startswith("w"): pass', 'base, _, field = array.name.partition(".")',
    're.match(r"\\^:", str(atom))', 'kept = [text for text in report if not text.startswith("loops end")]'])
def test_what_once_made_wrong_proofs_is_seen(line: str) -> None:
    assert list(looks(ast.parse(line)))


@pytest.mark.parametrize("line", ['op.startswith("shfl")', "array.index(3)", 'expr.function.partition("_")', "names[name]"])
def test_what_is_no_symbol_may_be_looked_at(line: str) -> None:
    assert not list(looks(ast.parse(line)))


def test_what_is_allowed_is_there() -> None:
    for where, text in ALLOWED:
        assert text in {ast.unparse(node) for node in looks(ast.parse((ROOT / where).read_text()))}
