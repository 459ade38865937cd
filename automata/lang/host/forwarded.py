"""Functions that hand a call on: `template<class F, class... A> void timed(F f, A&&... a) { … f(std::forward<A>(a)...); … }`.

Input: a call of such a function, which names a function of the file for `f`. Output: the call that it comes to, of that function
with the arguments that stand behind it. So whoever is called through a function that takes the time is called as if by name.

A function hands on only if its body does nothing else with `f` and with the pack. The pack holds references: what a variable
among the arguments is may be asked later than it is named. So the arguments count as what the function that is called does with
them, and one that is no local variable of the caller's escapes: whoever is called may change it between two calls.
"""

from __future__ import annotations

from automata.lang.host.functions import Region
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import Tokens, is_name

_CHANGING = frozenset({"assign", "postfix", "lambda", "new"})


def handed_on(program: Program, node: Node) -> tuple[int, Node] | None:
    """Which argument of a call is the function that it hands on, and the call that this comes to. None for any other call."""
    callee = node.parts[0]
    at = _function_at(program, callee)
    if at is None or len(node.parts) <= at + 1:
        return None
    target = node.parts[at + 1]
    if target.kind == "unary" and target.text == "&":
        target = target.parts[0]
    if target.kind != "name" or not program.functions.get(target.text) or any(map(_may_change, node.parts[1:])):
        return None
    return at, Node("call", node.at, node.text, (target, *node.parts[at + 2:]))


def _may_change(node: Node) -> bool:
    """Whether an expression may change a variable, so that it matters which of the arguments is evaluated first."""
    return node.kind in _CHANGING or (node.kind == "unary" and node.text in ("++", "--")) or any(map(_may_change, node.parts))


def _function_at(program: Program, callee: Node) -> int | None:
    """Which parameter a function of the file calls with all behind it; None where it does anything else with them."""
    if callee.kind != "name" or callee.ranges or callee.text in program.barred:
        return None
    bodies, heads = program.bodies.get(callee.text, []), program.functions.get(callee.text, [])
    if len(bodies) != 1 or len(heads) != 1 or program.declared[callee.text] != 1:
        return None
    region = bodies[0]
    if not region.head.is_pack or not region.templates or region.is_method or region.is_foreign or region.is_device:
        return None
    return _in_body(program.tokens, region)


def _in_body(tokens: Tokens, region: Region) -> int | None:
    parts = _parameters(tokens, region)
    if len(parts) < 2:
        return None
    text = tokens.text
    function, pack = (text[end - 1] for _, end in parts[-2:])
    if not is_name(function) or not is_name(pack) or text[parts[-1][1] - 2] != "..." or "..." in text[slice(*parts[-2])]:
        return None
    kinds = {text[end - 1]: text[begin:end - 1] for begin, end in region.templates}
    first, last = _bare(text[slice(*parts[-2])][:-1]), _bare(text[slice(*parts[-1])][:-2])
    if len(first) != 1 or len(last) != 1 or kinds.get(first[0]) not in (["class"], ["typename"]) or kinds.get(last[0]) not in (
            ["class", "..."], ["typename", "..."]):
        return None
    inside = range(region.opening, region.end)
    used = [at for at in inside if text[at] in (function, pack)]
    calls = [at for at in inside if text[at] == function]
    seen = [each for at in calls for each in _uses(text, at, last[0], pack)]
    return len(parts) - 2 if calls and used == seen else None


def _parameters(tokens: Tokens, region: Region) -> list[tuple[int, int]]:
    """What stands between the commas of a function's brackets."""
    text = tokens.text
    name = next((at for at in range(region.begin, region.opening) if text[at] == region.name and text[at + 1] == "("), -1)
    close = tokens.match[name + 1] if name >= 0 else -1
    return list(tokens.split(name + 2, close)) if 0 < close < region.opening else []


def _bare(words: list[str]) -> list[str]:
    """A type without what says how it is passed."""
    return [word for word in words if word not in ("const", "&", "&&")]


def _uses(text: list[str], at: int, kind: str, pack: str) -> list[int]:
    """The tokens of a call of the function with the whole pack, where such a call begins; else no tokens."""
    if text[at - 1] in (".", "->", "::", "&", "*"):
        return []
    for shape in (["(", "std", "::", "forward", "<", kind, ">", "(", pack, ")", "...", ")"], ["(", pack, "...", ")"]):
        if text[at + 1 : at + 1 + len(shape)] == shape:
            return [at, at + 1 + shape.index(pack)]
    return []
