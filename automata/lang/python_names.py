"""What the names of a Python text stand for where a call uses them; the text is parsed and never run.

In: a tree of `ast`, and the name of a function that is called in it. Out: its calls, each with what is seen from there
(`calls_of`); the elements of a list (`elements`), a text that is certain (`text_value`), and a pattern for one that is not
(`pattern_of`). A name is what the last statement before the call assigns to it, in the blocks around the call up to the
function, if no other statement in between may touch it. Behind a function it is what the module assigns to it, if it does so
once, at its top, and no other statement of the module or of the functions around the call binds that name. A list may moreover
occur nowhere but in calls of the function that is looked for: whoever gets it could change it. One `if` may be supposed to
take one of its branches (`supposing`); what two of them decide together is never taken, since no run may make that choice.
Source: the Python language reference, "Execution model", "Naming and binding".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

ANYTHING = ".*"
DEPTH, LONGEST_VALUE = 12, 200
NUMBERS: dict[type[ast.operator], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.FloorDiv: "__floordiv__"}
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Seen:
    """What comes before a place: the statements of its own function or of the module, those of its blocks in their order, a loop
    that it stands in as a whole before them; `functions`: those and the classes around it; `called`: the calls that may see a
    list; `taken`: an `if` and the branch of it that is supposed to be taken."""

    module: ast.Module
    before: tuple[ast.stmt, ...]
    functions: tuple[ast.AST, ...]
    called: str
    taken: tuple[ast.If, list[ast.stmt]] | None = None

    def at(self, before: tuple[ast.stmt, ...]) -> Seen:
        return replace(self, before=before)


def calls_of(tree: ast.Module, name: str) -> Iterator[tuple[ast.Call, Seen]]:
    """The calls of a function or method of some name."""
    yield from _in_body(tree.body, Seen(tree, (), (), name))


def _in_body(body: list[ast.stmt], seen: Seen) -> Iterator[tuple[ast.Call, Seen]]:
    for index, statement in enumerate(body):
        here = seen.at((*seen.before, *body[:index]))
        match statement:
            case ast.FunctionDef(body=inner) | ast.AsyncFunctionDef(body=inner) | ast.ClassDef(body=inner):
                yield from _in_body(inner, replace(seen, before=(), functions=(*seen.functions, statement)))
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from _in_blocks(statement, here.at((*here.before, statement)))
            case _:
                yield from _in_blocks(statement, here)


def _in_blocks(statement: ast.stmt, seen: Seen) -> Iterator[tuple[ast.Call, Seen]]:
    """The calls in a statement itself, and in its blocks."""
    blocks = [block for name in ("body", "orelse", "finalbody") if isinstance(block := getattr(statement, name, None), list)]
    blocks += [each.body for each in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))]
    inside = {id(node) for block in blocks for each in block for node in ast.walk(each)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and id(node) not in inside and _called(node) == seen.called:
            yield node, seen
    for number, block in enumerate(blocks):
        others = [each for other in blocks[:number] for each in other]
        yield from _in_body(block, seen.at((*seen.before, *map(_anyhow, others))))


def _anyhow(statement: ast.stmt) -> ast.stmt:
    """A statement that may have been carried out: as one inside of another, so that what it assigns is not certain."""
    return ast.If(ast.Constant(True), [statement], [])


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


def supposing(seen: Seen) -> Iterator[Seen]:
    """The same where one `if` before the place, or at the module's top, takes one of its branches, for each of them."""
    for statement in (*seen.before, *(seen.module.body if seen.functions else ())):
        for branch in _branches(statement) if isinstance(statement, ast.If) else ():
            yield replace(seen, taken=(statement, branch))


def _branches(statement: ast.If) -> list[list[ast.stmt]]:
    """The branches of an `if`, those of each `elif` among them."""
    match statement.orelse:
        case [ast.If() as other]:
            return [statement.body, *_branches(other)]
    return [statement.body, statement.orelse]


def _assigned(name: str, seen: Seen, is_list: bool) -> tuple[ast.expr, Seen] | None:
    """What a name is, and what was seen where that was assigned; None where it is not certain."""
    before = _with_branch(seen, seen.before)
    for index in range(len(before) - 1, -1, -1):
        statement = before[index]
        value = _plain_assignment(statement, name)
        if value is not None:
            return value, seen.at(before[:index])
        if _rebinds(statement, name) or _imports_all(statement) or (is_list and _uses(statement, name, seen.called)):
            return None
    if not seen.functions or any(_binds(each, name) for each in seen.functions):
        return None
    body, others = _with_branch(seen, tuple(seen.module.body)), 0
    if seen.taken is not None and any(each is seen.taken[0] for each in seen.module.body):
        others = _rebinds(seen.taken[0], name) - sum(_rebinds(each, name) for each in (*_tests(seen.taken[0]), *seen.taken[1]))
    found = [(index, value) for index, each in enumerate(body) if (value := _plain_assignment(each, name)) is not None]
    if len(found) != 1 or _rebinds(seen.module, name) - others != 1 or (is_list and _uses(seen.module, name, seen.called)):
        return None
    index, value = found[0]
    is_replaced = any(_imports_all(each) for each in body[index:])
    return None if is_replaced else (value, replace(seen, before=body[:index], functions=()))


def _with_branch(seen: Seen, body: tuple[ast.stmt, ...]) -> tuple[ast.stmt, ...]:
    """Statements with the branch that is supposed to be taken in the place of its `if`."""
    if seen.taken is None or not any(each is seen.taken[0] for each in body):
        return body
    tests: list[ast.stmt] = [ast.Expr(each) for each in _tests(seen.taken[0])]
    return tuple(one for each in body for one in ([*tests, *seen.taken[1]] if each is seen.taken[0] else [each]))


def _tests(statement: ast.If) -> list[ast.expr]:
    """The conditions of an `if` and of each `elif`."""
    match statement.orelse:
        case [ast.If() as other]:
            return [statement.test, *_tests(other)]
    return [statement.test]


def _imports_all(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names) for node in ast.walk(tree))


def _plain_assignment(statement: ast.stmt, name: str) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
            return value
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            found = [value for target, value in zip(targets, values, strict=True)
                     if isinstance(target, ast.Name) and target.id == name]
            return found[0] if len(found) == 1 and all(isinstance(each, ast.Name) for each in targets) and not any(
                isinstance(each, ast.Starred) for each in values) else None
    return None


def _rebinds(tree: ast.AST, name: str) -> int:
    """How often something may bind a name where a statement stands: what functions in it do counts if they say that it is not
    theirs."""
    inner = {id(node) for each in ast.walk(tree) if isinstance(each, _Scope) for node in ast.walk(each) if node is not each
             and not isinstance(node, ast.Global | ast.Nonlocal | ast.Call)}
    return sum(_is_bound(node, name) for node in ast.walk(tree) if id(node) not in inner)


def _binds(tree: ast.AST, name: str) -> int:
    """How often something anywhere in a tree may bind a name, or say that another place does."""
    return sum(_is_bound(node, name) for node in ast.walk(tree))


def _is_bound(node: ast.AST, name: str) -> int:
    match node:
        case ast.Name(id=each, ctx=ast.Store() | ast.Del()) | ast.arg(arg=each) | ast.FunctionDef(name=each) | (
                ast.AsyncFunctionDef(name=each)) | ast.ClassDef(name=each) | ast.ExceptHandler(name=each) | (
                ast.MatchAs(name=each)) | ast.MatchStar(name=each) | ast.MatchMapping(rest=each):
            return each == name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return name in names
        case ast.alias(name=imported, asname=other):
            return (other or imported.split(".")[0]) == name
        case ast.Call(func=ast.Name(id="exec" | "globals" | "locals" | "setattr" | "vars" | "eval")):
            return 2
    return 0


def _uses(tree: ast.AST, name: str, called: str) -> bool:
    """Whether a name occurs in any way but as what a call of the function gets, or as what is assigned."""
    allowed = {id(node) for call in ast.walk(tree) if isinstance(call, ast.Call) and _called(call) == called
               for node in (*call.args, *(each.value for each in call.keywords))}
    return any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and id(node) not in allowed
               for node in ast.walk(tree))


def elements(value: ast.expr, seen: Seen, depth: int = DEPTH) -> list[tuple[ast.expr, Seen]] | None:
    """The elements of a list that is written out, each with what was seen there; None where they are not certain."""
    match value:
        case ast.List(elts=each) | ast.Tuple(elts=each):
            return None if any(isinstance(one, ast.Starred) for one in each) else [(one, seen) for one in each]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = elements(left, seen, depth), elements(right, seen, depth)
            return None if first is None or second is None else [*first, *second]
        case ast.Name(id=name) if depth:
            found = _assigned(name, seen, True)
            return elements(*found, depth - 1) if found is not None else None
    return None


def text_value(value: ast.expr, seen: Seen) -> str | None:
    """The text that an expression is; None where it is not certain."""
    found = _value(value, seen, DEPTH)
    return found if isinstance(found, str) else None


def _value(value: ast.expr, seen: Seen, depth: int) -> int | str | None:
    match value:
        case ast.Constant(value=int() | str() as known) if not isinstance(known, bool):
            return known
        case ast.Name(id=name) if depth:
            assigned = _assigned(name, seen, False)
            return _value(*assigned, depth - 1) if assigned is not None else None
        case ast.JoinedStr(values=parts):
            texts = [_value(each, seen, depth) for each in parts]
            return None if None in texts else "".join(map(str, texts))
        case ast.FormattedValue(value=inner, conversion=-1 | 115, format_spec=None):
            return _value(inner, seen, depth)
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            shown = _value(inner, seen, depth)
            return None if shown is None else str(shown)
        case ast.BinOp(left=left, op=operator, right=right):
            return _computed(operator, _value(left, seen, depth), _value(right, seen, depth))
    return None


def _computed(operator: ast.operator, left: int | str | None, right: int | str | None) -> int | str | None:
    """A sum of two texts, or what an operator makes of two numbers."""
    if isinstance(left, str) and isinstance(right, str):
        return left + right if isinstance(operator, ast.Add) and len(left) + len(right) < LONGEST_VALUE else None
    if not isinstance(left, int) or not isinstance(right, int) or type(operator) not in NUMBERS:
        return None
    if isinstance(operator, ast.FloorDiv) and right == 0:
        return None
    return int(getattr(left, NUMBERS[type(operator)])(right))


def pattern_of(value: ast.expr, seen: Seen, is_loose: bool) -> str:
    """A pattern for the texts that an expression may be: a path's parts are joined, and what is not known may be anything; in a
    loose one, also what a variable is."""
    known = text_value(value, seen)
    if known is not None and not (is_loose and any(isinstance(each, ast.Name) for each in ast.walk(value))):
        return re.escape(known)
    match value:
        case ast.JoinedStr(values=parts):
            return "".join(pattern_of(each, seen, is_loose) for each in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return pattern_of(left, seen, is_loose) + pattern_of(right, seen, is_loose)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return pattern_of(left, seen, is_loose) + "/" + pattern_of(right, seen, is_loose)
        case ast.Call(func=ast.Attribute(attr="join"), args=parts) if parts:
            return "/".join(pattern_of(each, seen, is_loose) for each in parts)
        case ast.Call(func=ast.Name(id="str" | "Path"), args=[inner], keywords=[]):
            return pattern_of(inner, seen, is_loose)
    return ANYTHING
