"""Launches that the host code of a file states with constants: `kernel<<<grid, block>>>(…)`.

Host code is not parsed. Around each launch its tokens are read: integers, `dim3` variables and integer
constants that the same file sets once, and arithmetic on them. Anything else is not a constant launch.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from automata.lang.launch import Launch, split_top
from automata.lang.preprocess import Text
from automata.lang.slices import Part, Word, pieces, words

_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv,
    ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}
_INTEGER_TYPES = {"int", "unsigned", "size_t", "long", "auto", "uint", "unsigned int"}


def host_launches(source: Text) -> dict[str, list[Launch]]:
    """For each kernel name, its constant launches in the host code, without repetition."""
    found: dict[str, list[Launch]] = {}
    for piece in pieces(source):
        if piece.part is not Part.HOST:
            continue
        tokens = words(source.text[piece.start : piece.end])
        values = _constants(tokens)
        for at, token in enumerate(tokens):
            if token.text != "<<<" or at == 0:
                continue
            name = _kernel_name(tokens, at)
            parts = _arguments(tokens, at + 1, ">>>")
            if name and parts and len(parts) >= 2:
                grid, block = (_triple(part, values) for part in parts[:2])
                line = source.place(piece.start + token.start).line
                launch = Launch(grid, block, source=f"host code, line {line}") if grid and block else None
                if launch and all(launch.grid != other.grid or launch.block != other.block for other in found.get(name, [])):
                    found.setdefault(name, []).append(launch)
    return found


def _kernel_name(tokens: list[Word], at: int) -> str:
    """The name before `<<<`, past template arguments."""
    index = at - 1
    if tokens[index].text == ">":
        while index > 0 and tokens[index].text != "<":
            index -= 1
        index -= 1
    return tokens[index].text if index >= 0 and tokens[index].text.isidentifier() else ""


def _arguments(tokens: list[Word], at: int, closer: str) -> list[list[str]] | None:
    """Token lists of a comma-separated list up to its closer, None if that never comes."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens[at : at + 200]:
        if token.text == closer and depth == 0:
            return [part for part in parts if part]
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth < 0:
            return None
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token.text)
    return None


Constant = int | tuple[int, ...]


def _constants(tokens: list[Word]) -> dict[str, Constant]:
    """Integer and dim3 variables whose one setting is a constant."""
    found: dict[str, Constant] = {}
    texts = [token.text for token in tokens]
    for at in range(1, len(texts) - 1):
        name, before, after = texts[at], texts[at - 1], texts[at + 1]
        if not name.isidentifier() or not (before in _INTEGER_TYPES or before in ("dim3", ",")):
            continue
        value: Constant | None = None
        if after == "=" and before != "dim3":
            parts = _arguments(tokens, at + 2, ";")
            value = _number(parts[0], found) if parts else None
        elif before == "dim3" and after in ("(", "{", "="):
            value = _dim3(tokens, at, found)
        if value is not None and name not in found and not _is_reassigned(texts, name):
            found[name] = value
    return found


def _dim3(tokens: list[Word], at: int, values: dict[str, Constant]) -> Constant | None:
    if tokens[at + 1].text == "=":
        parts = _arguments(tokens, at + 2, ";")
        return _triple(parts[0], values) if parts and len(parts) == 1 else None
    parts = _arguments(tokens, at + 2, {"(": ")", "{": "}"}[tokens[at + 1].text])
    sizes = [_number(part, values) for part in parts or []]
    known = tuple(size for size in sizes if size is not None)
    return known if parts and len(known) == len(sizes) <= 3 else None


def _is_reassigned(texts: list[str], name: str) -> bool:
    """Whether a name is set more than once, or stepped."""
    sets = 0
    for at, text in enumerate(texts[:-1]):
        if text == name and at + 2 < len(texts):
            following = texts[at + 1] + (texts[at + 2] if texts[at + 2] in "=+-" else "")
            if following == "=" or (texts[at + 1] == "=" and texts[at + 2] != "="):
                sets += 1
            elif following in ("+=", "-=", "*=", "/=", "++", "--", "<<=", ">>="):
                return True
    return sets > 1


def _triple(part: list[str], values: dict[str, Constant]) -> tuple[int, int, int] | None:
    """A grid or block argument as three sizes."""
    if part[:1] == ["dim3"] and part[1:2] in (["("], ["{"]) and part[-1:] in ([")"], ["}"]):
        text = " ".join(part[2:-1])
        sizes = [_number(piece.split(), values) for piece in split_top(text)]
    elif len(part) == 1 and isinstance(values.get(part[0]), tuple):
        known = values[part[0]]
        assert isinstance(known, tuple)
        sizes = list(known)
    else:
        sizes = [_number(part, values)]
    if any(size is None or size <= 0 for size in sizes) or not 1 <= len(sizes) <= 3:
        return None
    x, y, z = [*(size for size in sizes if size is not None), 1, 1, 1][:3]
    return x, y, z


def _number(part: list[str], values: dict[str, Constant]) -> int | None:
    """The value of constant integer tokens; None for anything else."""
    words_in = []
    for text in part:
        if text.isidentifier():
            value = values.get(text)
            if not isinstance(value, int):
                return None
            text = str(value)
        elif re.fullmatch(r"\d+[uUlL]+", text):
            text = text.rstrip("uUlL")
        words_in.append(text)
    try:
        return _fold(ast.parse(" ".join(words_in), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _fold(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _fold(node.left), _fold(node.right)
        if isinstance(node.op, ast.LShift) and right > 62:
            raise ValueError("shift")
        return _OPERATORS[type(node.op)](left, right)
    raise ValueError("not a constant")
