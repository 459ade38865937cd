"""Which parts of a file are device code, and where kernels start.

Host code in the same file may be C++ that no C parser reads. So the file is cut into its top-level
pieces by brackets alone; pieces that carry a device qualifier, and the types and constants they may
use, are kept at their offsets, everything else is blanked out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from automata.lang.preprocess import Text
from automata.place import InputError

TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*"""
    r"""|(?P<word>[A-Za-z_]\w*|(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\w*)|(?P<sign><<<|>>>|.)""",
    re.DOTALL | re.VERBOSE)

KERNEL_WORDS = frozenset({"__global__", "__kernel", "kernel"})
DEVICE_WORDS = frozenset({"__device__", "__constant__", "__constant", "__inline__"})
OPENERS, CLOSERS = "([{", ")]}"


class Part(Enum):
    """What a top-level piece of the file is."""

    KERNEL = "kernel"
    DEVICE = "device function or variable"
    DECLARATION = "declaration"
    HOST = "host code"


@dataclass(frozen=True, slots=True)
class Word:
    """A token of preprocessed text: a word, a number or one sign."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One top-level piece: its words and the offsets [start, end)."""

    part: Part
    words: tuple[Word, ...]
    start: int
    end: int


def words(text: str, start: int = 0) -> list[Word]:
    """The tokens of a text, comments, strings and directives left out."""
    found = []
    for match in TOKEN.finditer(text, start):
        if match.lastgroup:
            found.append(Word(match.group(), match.start()))
    return found


def pieces(source: Text) -> list[Piece]:
    """The top-level pieces of a file, in order. InputError when brackets do not match."""
    tokens = words(source.text)
    found: list[Piece] = []
    at = 0
    while at < len(tokens):
        opened = _scope_opener(tokens, at)
        if opened or tokens[at].text in ("}", ";"):
            at = opened or at + 1
            continue
        end = _piece_end(source, tokens, at)
        group = tuple(tokens[at:end])
        last = group[-1]
        found.append(Piece(_classify(group), group, group[0].start, last.start + len(last.text)))
        at = end
    return found


def _scope_opener(tokens: list[Word], at: int) -> int:
    """Index after the brace of `namespace … {` or `extern "C" {`, which hold top-level pieces; else 0."""
    names = [token.text for token in tokens[at : at + 4]]
    if names[:1] == ["namespace"] or (names[:1] == ["extern"] and names[1:2] == ["{"]):
        for ahead in range(at + 1, min(at + 8, len(tokens))):
            if tokens[ahead].text == "{":
                return ahead + 1
            if tokens[ahead].text in (";", "="):
                return 0
    return 0


def _piece_end(source: Text, tokens: list[Word], at: int) -> int:
    """Index after the last token of the piece that starts at `at`."""
    stack: list[Word] = []
    function = False
    for index in range(at, len(tokens)):
        token = tokens[index]
        if token.text in OPENERS and len(token.text) == 1:
            if token.text == "{" and not stack:
                function = any(earlier.text == ")" for earlier in tokens[at:index]) and tokens[index - 1].text != "="
            stack.append(token)
        elif token.text in CLOSERS and len(token.text) == 1:
            if not stack or OPENERS.index(stack.pop().text) != CLOSERS.index(token.text):
                raise InputError(f"'{token.text}' closes nothing that is open", source.place(token.start))
            if token.text == "}" and not stack and function:
                return index + 1
        elif token.text == ";" and not stack:
            return index + 1
    if stack:
        raise InputError(f"'{stack[-1].text}' is never closed", source.place(stack[-1].start))
    return len(tokens)


def _classify(group: tuple[Word, ...]) -> Part:
    names = {token.text for token in group[: _header_length(group)]}
    if names & KERNEL_WORDS:
        return Part.KERNEL
    if names & DEVICE_WORDS:
        return Part.DEVICE
    if names & {"typedef", "struct", "union", "enum", "class", "const", "constexpr"} and group[-1].text == ";":
        return Part.DECLARATION
    return Part.HOST


def _header_length(group: tuple[Word, ...]) -> int:
    for index, token in enumerate(group):
        if token.text == "{":
            return index
    return len(group)


def kernel_name(piece: Piece) -> str:
    """The name of a kernel piece: the identifier before its parameter list."""
    header = piece.words[: _header_length(piece.words)]
    depth, name, candidate = 0, "", ""
    for index, token in enumerate(header):
        if token.text == "(":
            if depth == 0 and index and re.match(r"[A-Za-z_]", header[index - 1].text):
                candidate = header[index - 1].text
                if candidate not in ("__launch_bounds__", "__attribute__"):
                    name = candidate
            depth += 1
        elif token.text == ")":
            depth -= 1
    return name


def keep_only(source: Text, kept: list[Piece]) -> str:
    """The text with everything blanked out except the pieces given; offsets and lines stay."""
    result, at = [], 0
    for piece in kept:
        result.append(re.sub(r"[^\n]", " ", source.text[at : piece.start]))
        result.append(source.text[piece.start : piece.end])
        at = piece.end
    return "".join(result)


def needed(piece: Piece, others: list[Piece]) -> tuple[list[Piece], set[str]]:
    """The pieces that a kernel uses, itself last, in file order; and names it uses that only C++ declares.

    A piece is used when it declares a name that a used piece mentions. Host functions are C++ as a rule and
    not device code, so in CUDA only marked functions count; OpenCL has no marks.
    """
    declared: dict[str, list[Piece]] = {}
    for other in others:
        for name in declared_names(other):
            declared.setdefault(name, []).append(other)
    used: dict[int, Piece] = {}
    foreign: set[str] = set()
    todo = [piece]
    while todo:
        for word in todo.pop().words:
            for other in declared.get(word.text, ()):
                if other.start in used or other.start == piece.start:
                    continue
                if _is_cxx(other):
                    foreign.add(word.text)
                else:
                    used[other.start] = other
                    todo.append(other)
    return sorted([*used.values(), piece], key=lambda item: item.start), foreign


def _is_cxx(piece: Piece) -> bool:
    texts = {word.text for word in piece.words}
    if piece.part is Part.HOST and texts & {"<<<", "::", "std", "cout"}:
        return True
    return bool(texts & {"class", "template", "::", "operator", "static_assert", "using", "namespace", "constexpr"})


def declared_names(piece: Piece) -> set[str]:
    """The names that a piece may declare: a function's own name, or every name of a declaration."""
    header = piece.words[: _header_length(piece.words)]
    texts = [word.text for word in piece.words]
    if piece.words[-1].text == "}" and any(word.text == "(" for word in header):
        name = kernel_name(piece)
        return {name} if name else set()
    if piece.part is Part.HOST and "(" in texts and "=" not in texts and "[" not in texts:
        name = kernel_name(piece)
        return {name} if name else set()
    names = {text for text in texts if text.isidentifier()} - _COMMON
    return names - _SHORT | (_outside_brackets(texts) & _SHORT if _DEVICE & set(texts) else set())


def _outside_brackets(texts: list[str]) -> set[str]:
    """The words of a declaration that stand in no brackets: no fields, no initial values."""
    depth, found = 0, set()
    for text in texts:
        depth += (text in "([{") - (text in ")]}")
        if depth == 0:
            found.add(text)
    return found


_SHORT = frozenset({"x", "y", "z", "w", "i", "j"})
_DEVICE = frozenset({"__constant", "constant", "__constant__", "__device__", "const"})
_COMMON = frozenset({
    "int", "unsigned", "float", "double", "char", "long", "short", "void", "const", "static", "struct", "union", "enum",
    "typedef", "extern", "volatile", "signed", "bool", "size_t", "uint", "if", "for",
    "__constant", "constant", "__constant__", "__device__", "__global", "global", "__local", "local"})
