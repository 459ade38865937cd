"""Mutants of the kernels that the tests have: a seed and a number give the same file, today and tomorrow."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from words import (
    ANYWHERE,
    CUDA_HELPERS,
    CUDA_LOCALS,
    EXPRESSIONS,
    FILE_LEVEL,
    FURNITURE,
    NUMBERS,
    OPENCL_HELPERS,
    OPENCL_LOCALS,
    OPERATORS,
    STATEMENTS,
    TYPES,
)

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r"\s+|//[^\n]*|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\"(?:\\.|[^\"\\\n])*\"|"
                   r"<<<|>>>|<<=|>>=|[-+*/%&|^=!<>]=|\+\+|--|->|&&|\|\||<<|>>|##|.", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = frozenset(("if", "else", "for", "while", "do", "return", "break", "continue", "const", "void", "extern", "static",
                      "struct", "define", "include", "pragma"))
MAX_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Case:
    """One file to read. `origin`: the seed that it came from."""

    number: int
    origin: str
    suffix: str
    text: bytes


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """The kernels that mutants are made of, by their path in the repository."""
    folders = [ROOT / "tests" / "kernels", ROOT / "tests" / "pairs", ROOT / "case_studies"]
    paths = sorted(path for folder in folders for path in folder.rglob("*.c[ul]"))
    return tuple((str(path.relative_to(ROOT)), path.read_bytes().decode("latin-1")) for path in paths)


def case(seed: int, number: int) -> Case:
    """The mutant of this number: mostly one or two changes, so that many still mean something."""
    rng = random.Random(f"{seed}:{number}")
    origin, text = rng.choice(sources())
    suffix = origin[-3:]
    if rng.random() < 0.03:
        suffix = ".cl" if suffix == ".cu" else ".cu"
    if rng.random() < 0.5:
        text = _furnished(text, suffix)
    few = rng.choices((1, 2, rng.randint(3, 5), rng.randint(6, 25)), (45, 25, 20, 10))[0]
    any_brackets = rng.random() < 0.2
    for _ in range(few):
        for _ in range(6):
            changed = rng.choices(_CHANGES, _WEIGHTS)[0](rng, text)
            if any_brackets or _balanced(changed):
                break
        text = changed
    return Case(number, origin, suffix, text.encode("latin-1", "replace")[:MAX_BYTES])


def _furnished(text: str, suffix: str) -> str:
    """The file with declarations that the patterns know, so that more of what they make means something."""
    helpers, locals_ = (OPENCL_HELPERS, OPENCL_LOCALS) if suffix == ".cl" else (CUDA_HELPERS, CUDA_LOCALS)
    start = re.search(r"(?:__global__|__kernel|\bkernel)[^{;]*\{", text)
    if not start:
        return text
    return f"{text[:start.start()]}{helpers}\n{text[start.start():start.end()]} {locals_}{text[start.end():]}"


def _balanced(text: str) -> bool:
    """Whether brackets match; a reader says no more of a file in which they do not."""
    open_ones: list[str] = []
    for token in TOKEN.findall(text):
        if token in ("(", "[", "{"):
            open_ones.append(token)
        elif token in (")", "]", "}") and (not open_ones or open_ones.pop() + token not in ("()", "[]", "{}")):
            return False
    return not open_ones


# -- changes of a token ---------------------------------------------------------------------------


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def _solid(tokens: list[str]) -> list[int]:
    return [at for at, token in enumerate(tokens) if not token.isspace() and not token.startswith("//")] or [0]


def _with_tokens(change: Callable[[random.Random, list[str], int], None]) -> Callable[[random.Random, str], str]:
    """A change of one token that is neither blank nor comment."""
    def changed(rng: random.Random, text: str) -> str:
        tokens = _tokens(text) or [" "]
        change(rng, tokens, rng.choice(_solid(tokens)))
        return "".join(tokens)
    return changed


def _delete(rng: random.Random, tokens: list[str], at: int) -> None:
    del tokens[at:at + rng.choice((1, 1, 1, 2, 3, 8))]


def _duplicate(rng: random.Random, tokens: list[str], at: int) -> None:
    stretch = tokens[at:at + rng.choice((1, 1, 2, 5, 20, 60))]
    tokens[at:at] = stretch * rng.choice((1, 1, 1, 2, 30))


def _swap(rng: random.Random, tokens: list[str], at: int) -> None:
    other = rng.choice(_solid(tokens))
    tokens[at], tokens[other] = tokens[other], tokens[at]


def _replace(rng: random.Random, tokens: list[str], at: int) -> None:
    tokens[at] = _like(rng, tokens, tokens[at])


def _expression(rng: random.Random, tokens: list[str], at: int) -> None:
    """Put an expression in place of a name or a number."""
    places = [here for here, token in enumerate(tokens) if token[0].isalnum() and token not in KEYWORDS | set(TYPES)]
    tokens[rng.choice(places or [at])] = _filled(rng, rng.choice(EXPRESSIONS), tokens)


def _statement(rng: random.Random, tokens: list[str], at: int) -> None:
    """Put a statement after another one."""
    places = [here for here, token in enumerate(tokens) if token in (";", "{", "}")]
    tokens.insert(rng.choice(places or [at]) + 1, " " + _filled(rng, rng.choice(STATEMENTS), tokens) + " ")


def _like(rng: random.Random, tokens: list[str], token: str) -> str:
    """Another token of the same sort."""
    if token in TYPES:
        return rng.choice(TYPES)
    if token[0].isdigit():
        return rng.choice(NUMBERS)
    if NAME.fullmatch(token):
        return rng.choice([name for name in tokens if NAME.fullmatch(name)])
    if token in "()[]{};,":
        return rng.choice(("", "", "(", ")", "[", "]", "{", "}", ";", ",", ":"))
    return rng.choice(OPERATORS)


def _names(tokens: list[str]) -> list[str]:
    if FURNITURE[0] in tokens and len(tokens) % 3:
        return list(FURNITURE)
    return [token for token in tokens if NAME.fullmatch(token) and token not in KEYWORDS and token not in TYPES] or ["x"]


def _filled(rng: random.Random, pattern: str, tokens: list[str], depth: int = 0) -> str:
    """A pattern with `$i` a name of the file, `$n` a number, `$t` a type, `$o` an operator, `$e` an expression."""
    def part(match: re.Match[str]) -> str:
        match match.group():
            case "$i":
                return rng.choice(_names(tokens))
            case "$n":
                return rng.choice(NUMBERS)
            case "$t":
                return rng.choice(TYPES)
            case "$o":
                return rng.choice(OPERATORS)
            case _ if depth < 2 and rng.random() < 0.4:
                return _filled(rng, rng.choice(EXPRESSIONS), tokens, depth + 1)
        return rng.choice((rng.choice(_names(tokens)), rng.choice(NUMBERS)))
    return re.sub(r"\$[intoe]", part, pattern)


# -- changes of the text --------------------------------------------------------------------------


def _truncate(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            return text[:rng.randrange(len(text) + 1)]
        case 1:
            lines[at] = lines[at][:rng.randrange(len(lines[at]) + 1)]
        case _:
            del lines[at]
    return "\n".join(lines)


def _splice(rng: random.Random, text: str) -> str:
    """The start of one file and the end of another, or a line of another."""
    other = rng.choice(sources())[1]
    if rng.random() < 0.5:
        return text[:rng.randrange(len(text) + 1)] + other[rng.randrange(len(other)):]
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(other.split("\n")))
    return "\n".join(lines)


def _at_file_level(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    tops = [at for at, line in enumerate(lines) if line[:1].isalpha() or line[:1] == "_"] or [0]
    lines.insert(rng.choice(tops), _filled(rng, rng.choice(FILE_LEVEL), _tokens(text)))
    return "\n".join(lines)


def _anywhere(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    pool = rng.choice((ANYWHERE, ANYWHERE, STATEMENTS, EXPRESSIONS, FILE_LEVEL))
    return text[:at] + _filled(rng, rng.choice(pool), _tokens(text)) + text[at:]


_AROUND_STATEMENTS = (
    ("{", "}"), ("if (1)", ""), ("for (;;) {", "}"), ("for (int q = 0; q < 2; q++)", ""), ("do", "while (0);"),
    ("else if (0) ;", ""), ("switch (1) { case 1:", "}"), ("while (1)", ""), ("int z = 1;", ""),
)
_AROUND_EXPRESSIONS = (
    ("(", ")"), ("-", ""), ("!", ""), ("1+", ""), ("(int)", ""), ("x[", "]"), ("1?1:", ""), ("f(", ")"), ("*", ""), ("&", ""),
    ("min(1,", ")"), ("(1,", ")"), ("1?", ":1"), ("1&&", ""), ("", "[0]"), ("", ".x"),
)


def _nest(rng: random.Random, text: str) -> str:
    """Something deep around an expression, or a statement deep in others."""
    many = rng.choice((5, 40, 70, 150, 400, 3000))
    tokens = _tokens(text) or [" "]
    at = rng.choice([at for at, token in enumerate(tokens) if token[0].isdigit() or token == ";"] or [0])
    head, tail = rng.choice(_AROUND_STATEMENTS if tokens[at] == ";" else _AROUND_EXPRESSIONS)
    tokens[at] = f"; {head * many} ; {tail * many}" if tokens[at] == ";" else head * many + tokens[at] + tail * many
    return "".join(tokens)


_CHANGE_TABLE: tuple[tuple[Callable[[random.Random, str], str], int], ...] = (
    (_with_tokens(_delete), 12), (_with_tokens(_duplicate), 7), (_with_tokens(_swap), 7), (_with_tokens(_replace), 22),
    (_with_tokens(_expression), 22), (_with_tokens(_statement), 16), (_truncate, 5), (_splice, 6),
    (_at_file_level, 8), (_anywhere, 6), (_nest, 2),
)
_CHANGES = tuple(change for change, _ in _CHANGE_TABLE)
_WEIGHTS = tuple(weight for _, weight in _CHANGE_TABLE)
