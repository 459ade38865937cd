"""Host code as tokens, for what it says in its strings.

In: a text of C or C++. Out: its tokens, each with its line, the branches that it stands in and the function. A branch is a block
or a statement under `if`, `for` and their kin, the body of a lambda, or what stands between `#if` and `#endif`; what guards a
header is none. A raw string is written as a plain one. Strings are given as what they say: escapes are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

COMMENT = re.compile(r'//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|'
                     r'(?:\b(?:u8|u|U|L)?R"(?P<mark>[^()\\\s"]{0,16})\((?P<raw>.*?)\)(?P=mark)")|'
                     r'(?P<kept>"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)++\')', re.S)
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|^[ \t]*#(?:[^\n\\]|\\.)*|\w+|<<|\S', re.M | re.S)
BRANCHES = frozenset(["if", "else", "for", "while", "switch", "do", "case", "catch"])
MOST_TOKENS = 400_000
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|(.))", re.S)
_PLAIN = {"n": "\n", "t": "\t", "v": "\v", "f": "\f", "r": "\r", "a": "\a", "b": "\b"}
_GUARD = re.compile(r"#\s*ifndef\s+(\w+)\s*\Z|#\s*if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?\s*\Z")
_DIRECTIVE = re.compile(r"#\s*(\w+)")


@dataclass(frozen=True)
class Token:
    """A token of a text: its line, the branches around it, the function that it stands in. `words`: of a directive, its line."""

    text: str
    line: int
    branches: tuple[int, ...]
    function: int
    words: str = ""


@dataclass(frozen=True)
class Writing:
    """A statement that writes into a variable. `kind`: `over` for all of it, `add` behind it, `cut` for what may take away;
    `begin`: the first token of what it writes."""

    name: str
    kind: str
    begin: int


def said(literal: str) -> str:
    """What a string says."""
    def of(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return chr(min(int(match[1] or match[2], 8 if match[1] else 16), 0x10ffff))
        return "" if match[3] == "\n" else _PLAIN.get(match[3], match[3] if match[3] in "\\\"'?" else match[0])
    return _ESCAPE.sub(of, literal[1:-1])


def without_comments(text: str) -> str:
    """A text with blanks for comments and plain strings for raw ones, of as many lines."""
    return COMMENT.sub(lambda match: match["kept"] or (
        _as_plain(match["raw"]) if match["raw"] is not None else "") + re.sub(r"[^\n]", " ", match[0]), text)


def _as_plain(raw: str) -> str:
    """A raw string as a plain one; empty for a whole text."""
    if "\n" in raw and not raw.lstrip().startswith("-"):
        return '""'
    return '"' + raw.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of a text without comments. A branch is told by the place where it begins, a function by that of its body."""
    blocks: list[tuple[int, bool]] = []
    line, at, function = 1, 0, 0
    loose: list[int] = []
    asked: list[int] = []
    depth = 0
    words = list(TOKEN.finditer(text))[:MOST_TOKENS]
    guards = _guards(words)
    for number, match in enumerate(words):
        line, at, word = line + text.count("\n", at, match.start()), match.start(), match[0]
        if word.lstrip().startswith("#"):
            _pass_condition(word.strip(), -1 - match.start(), number in guards, asked)
            yield Token("#", line, _around(asked), function, word.strip())
            continue
        if word in BRANCHES and depth == 0:
            loose.append(match.start())
        if word == "{":
            is_lambda = bool(blocks) and _begins_lambda(words, number)
            function = function if blocks else match.start() + 1
            blocks.append((loose[-1] if loose else match.start(), bool(loose) or is_lambda))
        depth = max(0, depth + (word == "(") - (word == ")"))
        inner = [begin for begin, is_branch in blocks if is_branch]
        yield Token(word, line, tuple(dict.fromkeys([*_around(asked), *inner, *loose])), function)
        if word in "{};" and depth == 0:
            if word == "}" and blocks:
                blocks.pop()
            function = function if blocks else 0
            loose = []


def _around(asked: list[int]) -> tuple[int, ...]:
    """The conditions around a place, without guards."""
    return tuple(each for each in asked if each)


def _pass_condition(line: str, place: int, is_guard: bool, asked: list[int]) -> None:
    """Note in `asked` a condition that begins at a line, changes or ends there."""
    found = _DIRECTIVE.match(line)
    word = found[1] if found else ""
    if word in ("if", "ifdef", "ifndef"):
        asked.append(0 if is_guard else place)
    elif word in ("else", "elif") and asked:
        asked[-1] = place
    elif word == "endif" and asked:
        asked.pop()


def _guards(words: list[re.Match[str]]) -> set[int]:
    """The directives that guard a text against being read twice, or ask for the language alone."""
    found = set[int]()
    for number, match in enumerate(words):
        word = match[0].strip()
        if not word.startswith("#"):
            continue
        guard = _GUARD.match(word)
        after = words[number + 1][0].strip() if number + 1 < len(words) else ""
        is_guard = guard is not None and re.fullmatch(rf"#\s*define\s+{guard[1] or guard[2]}", after) is not None
        if is_guard or re.fullmatch(r"#\s*if(?:def\s+|\s+defined\s*\(?\s*)__cplusplus\s*\)?", word):
            found.add(number)
    return found


def _begins_lambda(words: list[re.Match[str]], at: int) -> bool:
    """Whether a brace begins the body of a lambda."""
    at -= 1
    while at > 0 and words[at][0] in ("mutable", "noexcept"):
        at -= 1
    if at > 0 and words[at][0] == ")":
        depth = 0
        while at > 0:
            depth += (words[at][0] == ")") - (words[at][0] == "(")
            at -= 1
            if depth == 0:
                break
    return at > 0 and words[at][0] == "]"
