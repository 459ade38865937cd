"""pycparser behind the dialects' own words: one kernel's text to pycparser's tree, places kept.

CUDA's and OpenCL's qualifiers become type qualifiers of the C grammar; each token carries the place
it has in the user's file, so every coordinate in the tree is already the user's.
"""

from __future__ import annotations

import re

from pycparser import c_ast
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import CParser, ParseError

from automata.lang.builtins import OPAQUE_TYPES, TYPE_NAMES
from automata.lang.c_types import CUDA_VECTOR_NAME, VECTOR_NAME
from automata.lang.preprocess import Dialect, Text
from automata.lang.slices import TOKEN
from automata.place import InputError, Place, UnsupportedError

QUALIFIERS: dict[str, tuple[str, ...]] = {
    "cuda": ("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__"),
    "opencl": ("__kernel", "kernel", "__global", "global", "__local", "local", "__constant", "constant",
               "__private", "private", "__read_only", "__write_only", "__read_write", "read_only", "write_only", "read_write"),
}
RESTRICT = ("__restrict__", "__restrict", "restrict")
INLINE = ("__forceinline__", "__noinline__", "__inline__", "__inline")
ANNOTATIONS = re.compile(r"\b__launch_bounds__\b|\b__attribute(?:__)?\b|\b__align__\b|"
                         r"\bextern(?=\s*\"C\")|\"C\"|\b__cluster_dims__\b")

CXX_WORDS: dict[str, str] = {
    "template": "template", "typename": "template", "class": "class", "operator": "operator", "namespace": "namespace",
    "using": "using declaration", "static_cast": "C++ cast", "reinterpret_cast": "C++ cast", "const_cast": "C++ cast",
    "auto": "deduced type (auto)", "constexpr": "constexpr", "decltype": "decltype", "new": "new", "delete": "delete",
    "this": "method", "public": "class", "private": "class", "throw": "exception", "try": "exception",
    "asm": "inline assembly", "__asm__": "inline assembly", "nullptr": "nullptr",
}
MAX_NESTING = 200


class _Parser(CParser):  # type: ignore[misc]
    """pycparser's parser, to which the dialect's own type names are types until a scope says otherwise."""

    vector_name: re.Pattern[str]
    own_names: frozenset[str]
    tags: frozenset[str]

    def _is_type_in_scope(self, name: str) -> bool:
        for scope in reversed(self._scope_stack):
            if name in scope:
                return bool(scope[name])
        if name in self.own_names:
            return False
        return name in self.tags or name in TYPE_NAMES or name in OPAQUE_TYPES or self.vector_name.match(name) is not None


def _lexer(source: Text, dialect: Dialect, seen: list[Place]) -> type[CLexer]:
    """A lexer class whose tokens stand at the user's places. `seen` collects the places of the tokens read so far."""
    starts = [0, *(found.end() for found in re.finditer("\n", source.text))]

    class DialectLexer(CLexer):  # type: ignore[misc]
        def _init_state(self) -> None:
            super()._init_state()
            self._keyword_map.update({word: "CONST" for word in QUALIFIERS[dialect]})
            self._keyword_map.update({word: "RESTRICT" for word in RESTRICT})
            self._keyword_map.update({word: "INLINE" for word in INLINE})

        def token(self) -> Token | None:
            token = super().token()
            if token is not None and token.lineno <= len(starts):
                place = source.place(starts[token.lineno - 1] + token.column - 1)
                token.filename, token.lineno, token.column = place.file, place.line, place.column
                seen.append(place)
            return token

    return DialectLexer


OF_THE_LEXER = ("Illegal character", "Invalid octal", "Invalid char", "String contains", "Unmatched", "Unknown")


def parse_kernel(source: Text, text: str, dialect: Dialect, name: str, foreign: set[str]) -> c_ast.FileAST:
    """The tree of `text`, a copy of `source.text` with everything but the kernel `name` blanked out.

    `foreign`: names that the file declares elsewhere (structs, classes, device functions).
    Raises UnsupportedError where the text is C++ beyond C, InputError where it is no C at all.
    """
    text = _strip_annotations(text)
    _bound_nesting(source, text)
    seen: list[Place] = []
    parser = _Parser(lexer=_lexer(source, dialect, seen), dialect="c23")
    has_half = dialect == "opencl" or any("fp16" in header or "bf16" in header for header in source.missing)
    parser.own_names = frozenset({name} if has_half else {name, "half"})
    parser.tags = frozenset(re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", text)) if dialect == "cuda" else frozenset()
    parser.vector_name = VECTOR_NAME if dialect == "opencl" else CUDA_VECTOR_NAME
    try:
        return parser.parse(text, source.path)
    except (ParseError, AssertionError) as error:
        place, message = _parse_message(str(error), source, seen, source.place(len(text) - len(text.lstrip())))
        construct = _cxx_construct(source, text)
        declared = _foreign_word(source, text, foreign - {name})
        if declared:
            raise UnsupportedError(f"'{declared[0]}', a type or function that the file declares", declared[1]) from error
        if construct:
            raise UnsupportedError(f"{construct[0]} (C++ that the C front end does not read)", construct[1]) from error
        raise InputError(f"syntax error: {message}", place) from error


def _strip_annotations(text: str) -> str:
    """Blank out attributes with their parentheses; they carry no meaning that is read here."""
    result = list(text)
    for found in ANNOTATIONS.finditer(text):
        end = found.end()
        opening = re.compile(r"\s*\(").match(text, end)
        if opening and found.group() not in ('"C"', "extern"):
            depth, end = 1, opening.end()
            while end < len(text) and depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
        result[found.start() : end] = [char if char == "\n" else " " for char in text[found.start() : end]]
    return "".join(result)


def _bound_nesting(source: Text, text: str) -> None:
    depth = 0
    for found in TOKEN.finditer(text):
        if found.group() in ("(", "[", "{"):
            depth += 1
            if depth > MAX_NESTING:
                raise UnsupportedError(f"brackets nested more than {MAX_NESTING} deep", source.place(found.start()))
        elif found.group() in (")", "]", "}"):
            depth -= 1


def _parse_message(text: str, source: Text, seen: list[Place], first: Place) -> tuple[Place, str]:
    """Place and words of a parser message; without a place of its own (the lexer counts lines of headers), that of the last
    token read, or of the `first` one."""
    found = re.match(r"(?s)(.*):(\d+):(\d+): (.*)$", text)
    if not found or found.group(4).startswith(OF_THE_LEXER):
        words = (found.group(4) if found else text.removeprefix(f"{source.path}: ")) or "not readable as C"
        return (seen[-1] if seen else first), words
    message = found.group(4).replace("before: ", "before ")
    return Place(found.group(1), int(found.group(2)), int(found.group(3))), message


def _foreign_word(source: Text, text: str, foreign: set[str]) -> tuple[str, Place] | None:
    """The first name of a kernel's text that another piece of the file declares."""
    for found in TOKEN.finditer(text):
        if found.group() in foreign:
            return found.group(), source.place(found.start())
    return None


def _cxx_construct(source: Text, text: str) -> tuple[str, Place] | None:
    """The first word or sign of C++ in a kernel's text, if it has one."""
    previous = ""
    for found in TOKEN.finditer(text):
        word = found.group()
        if word.isspace():
            continue
        if word in CXX_WORDS:
            return CXX_WORDS[word], source.place(found.start())
        if word == ":" and previous == ":":
            return "qualified name (::)", source.place(found.start())
        if (word == "[" and previous in ("=", "(", ",", "return")) or (word == "&" and previous in _TYPE_WORDS):
            return ("lambda" if word == "[" else "reference"), source.place(found.start())
        previous = word
    return None


_TYPE_WORDS = frozenset({"int", "float", "double", "char", "unsigned", "long", "short", "bool"})
