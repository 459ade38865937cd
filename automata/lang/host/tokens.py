"""The tokens of host code, their matching brackets, and what pragmas name.

Names in a pragma, and text in which a bracket or a letter is spelled another way (`<%`, `\\u006e`), are told apart here,
so that nobody above mistakes them for plain code.
"""

from __future__ import annotations

import re

from automata.lang.host.local_names import settled
from automata.lang.source import Text


def words(text: str) -> list[str]:
    """The words of a list that is written over several lines."""
    return text.split()


_TOKEN = re.compile(
    r"""(?:\s|//[^\n]*|/\*.*?\*/)++|(?P<line>\#[^\n]*)|(?P<token>[^\W\d]\w*|\.?\d(?:[eEpP][+-]|[\w.])*+|"(?:\\.|[^"\\\n])*+"?"""
    r"""|'(?:\\.|[^'\\\n])*+'?|<<<|>>>|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+*/%&|^-]=|&&|\|\||::|.)""", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_AFTER_ANGLES = frozenset({",", ")", "(", "::", "{", "*", "&", ">", ">>"})
_BEFORE_CALL = frozenset({"=", "(", ";", "{", "!", "return", "||", "==", "!="})
ANGLE_TOKENS = 80
"""Of template arguments, at most."""

KEYWORDS = frozenset(words("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq __asm__ __asm
    __attribute__ __declspec __extension__ typeof __typeof__ __typeof __auto_type __restrict__ __restrict restrict
    _Pragma __pragma __builtin_va_arg va_arg offsetof
    """))
"""What can be no name of a variable; `restrict` and its like are read as words of a type."""

_ALIASES = frozenset({"alias", "__alias__", "weakref", "__weakref__"})
"""Attributes that make a variable another's name, which is the string behind them."""


def is_word(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"


def is_name(token: str) -> bool:
    """Whether a token may name something of the program."""
    return is_word(token) and token not in KEYWORDS


class Tokens:
    """`text`: one string a token, then empty ones; names that blocks give to plain types are put in (`local_names`), and angles
    that close before a launch are tokens of their own. `starts`: offsets in the source. `match`: the partner of each bracket, -1
    where there is none. `pragmas`: the names in pragmas, each with the number of tokens before. `is_plain`: nothing is spelled
    in a way that is not followed. `held`: the words whose `<` was taken for one of template arguments with a comma between, those
    behind `::` apart."""

    def __init__(self, text: Text) -> None:
        source = text.text
        self.text: list[str] = []
        self.starts: list[int] = []
        self.pragmas: list[tuple[int, str]] = []
        for found in _TOKEN.finditer(source):
            if found.lastgroup == "token":
                if found.group() == "<<<" and self.text and self.text[-1] in (">>", ">>>"):
                    self.text[-1:] = [">"] * len(self.text[-1])
                    self.starts += [self.starts[-1]] * (len(self.text) - len(self.starts))
                self.text.append(found.group())
                self.starts.append(found.start())
            elif found.lastgroup == "line":
                self.pragmas += [(len(self.text), word) for word in _WORD.findall(found.group())]
        if "using" in self.text and not any("using" in text.words(*stretch) for stretch in text.doubts):
            self.text, self.starts, moved = settled(self.text, self.starts, _matches(self.text))
            self.pragmas = [(moved[at], word) for at, word in self.pragmas]
        self.size = len(self.text)
        self.text += [""] * 16
        self.match = _matches(self.text)
        self.held: set[str] = set()
        self.held_qualified: set[str] = set()
        self.is_plain = "\\" not in self.text and not any(
            (first == "<" and second[:1] == "%") or (first in ("%", "%=") and second in (">", ":")) or first == "_Pragma"
            or (first in _ALIASES and second == "(" and third[-1:] == '"')
            for first, second, third in zip(self.text, self.text[1:], self.text[2:], strict=False))

    def replace(self, edits: list[tuple[int, int, list[str]]]) -> None:
        """Put other tokens in the place of some, which stand where the first of those stood; `edits`: in order, apart."""
        made, places, moved, done = list[str](), list[int](), list[int](), 0
        for begin, end, words in [*edits, (self.size, self.size, list[str]())]:
            moved += range(len(made), len(made) + begin - done)
            made += [*self.text[done:begin], *words]
            places += [*self.starts[done:begin], *(self.starts[min(begin, self.size - 1)] for _ in words)]
            moved += [len(made) - len(words)] * (end - begin)
            done = end
        moved.append(len(made))
        self.pragmas = [(moved[at], word) for at, word in self.pragmas]
        self.text, self.starts, self.size = [*made, *[""] * 16], places, len(made)
        self.match = _matches(self.text)

    def angle_end(self, at: int) -> int:
        """The index of the `>` that closes the template arguments opened at an index; -1 where they are none."""
        depth, index, end = 0, at, min(at + ANGLE_TOKENS, self.size)
        has_comma = False
        while index < end:
            token = self.text[index]
            has_comma = has_comma or (token == "," and depth == 1)
            if token == "<":
                depth += 1
            elif token in (">", ">>", ">>>"):
                depth -= len(token)
                if depth <= 0:
                    self._hold(at, index, has_comma and depth == 0)
                    return index if depth == 0 else -1
            elif token in ("(", "["):
                index = self.match[index] if self.match[index] > index else end
            elif token in (";", "{", "}", ")", "]", "&&", "||", "<<<", ""):
                return -1
            index += 1
        return -1

    def angle_begin(self, close: int) -> int:
        """The index of the `<` that a `>` closes; -1 where it closes none, or several close together."""
        depth, at = 0, close
        while at > max(close - ANGLE_TOKENS, 0):
            if self.text[at] in (";", "{", "}", ">>", ">>>"):
                return -1
            if self.text[at] in (")", "]") and self.match[at] >= 0:
                at = self.match[at]
            depth += (self.text[at] == ">") - (self.text[at] == "<")
            if depth == 0:
                return at
            at -= 1
        return -1

    def _hold(self, at: int, angle: int, has_comma: bool) -> None:
        """Note a name whose `<…, …>` could be two comparisons: not where `<<<` follows; a name behind `::` can only be a
        variable outside of functions."""
        if has_comma and is_word(self.text[at - 1]) and self.text[angle + 1] != "<<<":
            (self.held_qualified if self.text[at - 2] == "::" else self.held).add(self.text[at - 1])

    def split(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The parts of a list [begin, end) between its commas; template arguments hold together."""
        parts: list[tuple[int, int]] = []
        start = at = begin
        while at < end:
            token = self.text[at]
            if token == ",":
                parts.append((start, at))
                start = at + 1
            elif token in ("(", "[", "{"):
                at = max(at, self.match[at])
            elif token == "<" and is_word(self.text[at - 1]):
                angle = self.angle_end(at)
                at = angle if angle > 0 and (angle + 1 >= end or self.text[angle + 1] in _AFTER_ANGLES) else at
            at += 1
        return [*parts, (start, end)] if start < end else parts

    def statement_end(self, at: int, end: int) -> int:
        """Past the `;` that ends a statement which is not understood, at most up to `end` or the brace that closes its block."""
        while at < end:
            token = self.text[at]
            if token == ";":
                return at + 1
            if token == "}":
                return at
            if token in ("(", "[", "{"):
                at = self.match[at] if self.match[at] > at else at
            at += 1
        return end

    def names(self, begin: int, end: int) -> set[str]:
        """All names in [begin, end) but those of functions that are plainly called, and of kernels that are launched there."""
        text = self.text
        return {text[at] for at in range(begin, min(end, self.size)) if is_name(text[at]) and not (
            (text[at + 1] == "(" and at > begin and text[at - 1] in _BEFORE_CALL) or self._is_launched(at + 1))}

    def _is_launched(self, at: int) -> bool:
        """Whether `<<<` stands at an index, perhaps behind template arguments."""
        if self.text[at] == "<":
            at = self.angle_end(at) + 1
        return self.text[at] == "<<<" and at > 0


def _matches(tokens: list[str]) -> list[int]:
    """For each bracket the index of its partner, -1 where there is none or for another token."""
    found = [-1] * len(tokens)
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            stack.append(at)
        elif token in _CLOSING and stack and tokens[stack[-1]] == _CLOSING[token]:
            found[at] = stack.pop()
            found[found[at]] = at
    return found
