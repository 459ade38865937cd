"""Types that a block of host code has a name of its own for, put in where that name is used.

In: the tokens of a text, each with its offset, and the partner of each bracket. Out: the same with `{ using real = double; … }`
settled: each `real` of that block is `double`, and the declaration is gone. PyTorch's macros that choose the type of elements
make such a block for each type, so one launch in the text is one of each.

A name is put in only in the statements of a function, where what follows its declaration is all that it may be used in. Every
occurrence of it there has to be one that can be nothing but the type: not behind `.`, `->` or `::`, and not where a declarator
may declare it anew. The same holds of the names that the type is written with: what is put in must mean the same everywhere. Of
`Traits<N, T>` the parameters of the function's own template do, for nothing in it may declare them anew ([temp.local]). An
inner block that gives the name anew is settled first, and left alone by the outer one. A class with bases may inherit any name:
a block that holds one is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.given import elements

_TYPE_WORDS = frozenset({"char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool"})
_OPENS_STATEMENTS = frozenset({")", "]", "else", "do", "try", ":", "{", "}", ";", "const", "mutable", "noexcept", "override"})
"""What may stand before the brace that opens a block of statements."""
_CLASS_BRACKETS = frozenset({"alignas", "__align__", "__attribute__", "__declspec"})
_BEFORE_EXPRESSION = frozenset({"return", "=", "||", "?", ":", "+", "-", "/", "<<", "<<<"})
"""No declarator begins behind these."""
_BEFORE_TYPE = frozenset({";", "{", "}", "const", "static", "constexpr", "volatile", "(", "]", ",", ":"})
"""Behind these a name may be a declarator, unless another name follows it."""
_BEFORE_STARRED = _BEFORE_TYPE - {"]", ",", ":"}
_IN_ANGLES = frozenset({",", ">", ">>", ">>>", "*", "&", "const"})
_BEFORE_CAST = frozenset({"=", "(", "return", "?", ":", "+", "-", "/", "<"})
"""What may stand before a type in brackets; behind a name, a type or `,` a bracket may hold a declarator."""
_OPENS_VALUE = frozenset({"(", "{"})
_OF_ELEMENTS = ["c10", "::", "impl", "::", "ScalarTypeToCPPTypeT", "<"]
_KINDS = frozenset({"at", "c10", "torch", "ScalarType", "::"})
"""What PyTorch's names for types of elements are qualified with."""
_LONGEST = 24
"""Tokens of a type that is put in."""
_OUTSIDE = frozenset({";", "}", "{", "public", "private", "protected", ""})
"""What may stand before a function."""


@dataclass(frozen=True, slots=True)
class _Alias:
    """`using name = …;` from its first token to its semicolon, and the end of the block around it. `element`: the words of the
    type where PyTorch's template makes it, else none. `parameters`: of the template of the function around it."""

    name: str
    begin: int
    semicolon: int
    end: int
    element: tuple[str, ...]
    parameters: frozenset[str]


def settled(text: list[str], starts: list[int], match: list[int]) -> tuple[list[str], list[int], list[int]]:
    """The tokens with the names that blocks give to types put in, and where each old one stands now, the end too. `match`: of
    each bracket its partner, else -1."""
    reader = _Reader(text, match)
    if not reader.gone:
        return text, starts, list(range(len(text) + 1))
    made: list[str] = []
    places: list[int] = []
    moved: list[int] = []
    for at, start in enumerate(starts):
        new = [] if at in reader.gone else list(reader.words(at))
        moved.append(len(made))
        made += new
        places += [start] * len(new)
    return made, places, [*moved, len(made)]


class _Reader:
    """`gone`: the tokens of declarations that are settled; `meant`: the tokens that stand for a type, with its declaration."""

    def __init__(self, text: list[str], match: list[int]) -> None:
        self.text, self.match = text, match
        self.gone: set[int] = set()
        self.meant: dict[int, _Alias] = {}
        for alias in sorted(self._aliases(), key=lambda each: each.begin, reverse=True):
            uses = None if self._inherits(alias) else self._uses(alias.name, alias)
            if uses is not None and self._keeps_meaning(alias):
                self.meant |= dict.fromkeys(uses, alias)
                self.gone.update(range(alias.begin, alias.semicolon))

    def words(self, at: int) -> Iterator[str]:
        """What is put in for a token: the words of its type, with the names put in that stand among these."""
        alias = self.meant.get(at)
        if alias is None:
            yield self.text[at]
            return
        yield from alias.element
        for index in range(alias.begin + 3, alias.semicolon) if not alias.element else ():
            yield from self.words(index)

    def _aliases(self) -> list[_Alias]:
        """The aliases of plain types that stand in a block of statements."""
        found: list[_Alias] = []
        around: list[int] = []
        text = self.text
        for at, token in enumerate(text):
            if token in ("(", "[", "{"):
                around.append(at)
            elif token in (")", "]", "}") and around:
                around.pop()
            elif token == "using" and text[at + 2:at + 3] == ["="] and around and self._has_statements(around) \
                    and self.match[around[-1]] > at:
                semicolon = next((index for index in range(at + 3, min(at + 3 + _LONGEST, len(text))) if text[index] == ";"), -1)
                element = self._element(text[at + 3:semicolon])
                if semicolon > at + 3 and (element or _is_plain(text[at + 3:semicolon]) or _is_instance(text[at + 3:semicolon])):
                    found.append(_Alias(text[at + 1], at, semicolon, self.match[around[-1]], element, self._parameters(around)))
        return found

    def _parameters(self, around: list[int]) -> frozenset[str]:
        """The parameters of the template of the function that open brackets stand in; none where it has several heads."""
        opening = next((at for at in around if self.text[at] == "{" and self.text[at - 1] in (")", "const", "noexcept")), 0)
        at = opening - 1
        while at > 0 and self.text[at] not in _OUTSIDE:
            at = self.match[at] - 1 if self.text[at] in (")", "]") and self.match[at] > 0 else at - 1
        begin = at + 1
        if self.text[begin:begin + 2] != ["template", "<"] or self.text[begin:opening].count("template") != 1:
            return frozenset()
        close, depth = begin + 1, 1
        while depth > 0 and close < opening:
            close += 1
            depth += (self.text[close] == "<") - self.text[close].count(">")
        head = self.text[begin + 2:close]
        if depth or not head or {"(", ">>", ">>>", "..."} & set(head):
            return frozenset()
        around_each = zip(["", *head[:-1]], head, [*head[1:], ","], strict=True)
        return frozenset(word for before, word, after in around_each if after in (",", "=") and before != "=")

    def _element(self, words: list[str]) -> tuple[str, ...]:
        """The type that PyTorch's template makes of its name for one; nothing for other words. A name that nothing qualifies is
        PyTorch's unless the text may give it a value."""
        if words[:6] != _OF_ELEMENTS or words[-1] != ">":
            return ()
        path, name = words[6:-2], words[-2]
        is_own = any(token == name and self.text[at + 1] in ("=", "{", "(") for at, token in enumerate(self.text[:-1]))
        is_known = set(path) <= _KINDS if path else not is_own
        return tuple(elements().get(name.removeprefix("k"), ())) if is_known else ()

    def _has_statements(self, around: list[int]) -> bool:
        """Whether the innermost of some open brackets holds statements, not members of a class or of a namespace."""
        at = around[-1]
        before = self.text[at - 1] if at else "{"
        if self.text[at] != "{" or before not in _OPENS_STATEMENTS:
            return False
        opening = self.match[at - 1] if before == ")" else -1
        return opening < 1 or self.text[opening - 1] not in _CLASS_BRACKETS

    def _inherits(self, alias: _Alias) -> bool:
        """Whether a class with bases may stand in the block of an alias."""
        for at in range(alias.semicolon, alias.end):
            if self.text[at] in ("struct", "class"):
                head = next((index for index in range(at, alias.end) if self.text[index] in ("{", ";")), alias.end)
                if ":" in self.text[at:head]:
                    return True
        return False

    def _keeps_meaning(self, alias: _Alias) -> bool:
        """Whether the first name in a type means the same all through the block. A variable does not hide what stands before
        `::`."""
        words = alias.element or self.text[alias.begin + 3:alias.semicolon]
        if "<" in words and not alias.element and not self._keep_meaning(list(words[words.index("<"):]), alias):
            return False
        first, is_qualified = words[0], words[1:2] == ["::"]
        if first in _TYPE_WORDS:
            return True
        if not is_qualified:
            return self._uses(first, alias) is not None
        return all(self.text[at + 1] == "::" or self.text[at - 1] in (".", "->") or self.text[at - 2:at] == ["using", "namespace"]
                   for at in range(alias.semicolon, alias.end) if self.text[at] == first)

    def _keep_meaning(self, words: list[str], alias: _Alias) -> bool:
        """Whether the names in template arguments mean the same all through the block."""
        names = {word for word in words if word.isidentifier()} - _TYPE_WORDS - alias.parameters
        return all(self._uses(name, alias) is not None for name in names)

    def _uses(self, name: str, alias: _Alias) -> list[int] | None:
        """Where a name is used in the block of an alias; None where one of these may be something else."""
        found: list[int] = []
        for at in range(alias.semicolon, alias.end):
            if self.text[at] != name or at in self.meant or (at - 1 in self.gone and self.text[at - 1] == "using"):
                continue
            if at not in self.gone and not self._is_type(at, alias.semicolon):
                return None
            found.append(at)
        return found

    def _is_type(self, at: int, begin: int) -> bool:
        """Whether a name can be nothing but a type that is used."""
        before, after = self.text[at - 1], self.text[at + 1]
        if after in ("::", "<") and before not in (".", "->", "::"):
            return True
        if before in ("<", ",") and after in _IN_ANGLES:
            return before == "<" or self._is_in_angles(at, begin)
        if before == "=" and self.text[at - 3] == "using":
            return True
        if before in _BEFORE_EXPRESSION and after in _OPENS_VALUE:
            return True
        if before == "(" and after == ")":
            return self._is_in_brackets(at)
        if before == "(" and after in _OPENS_VALUE:
            return True
        return (before in _BEFORE_TYPE and after.isidentifier()) or (before in _BEFORE_STARRED and after in ("*", "&", "&&"))

    def _is_in_brackets(self, at: int) -> bool:
        """Whether a name alone in brackets is a type: of a cast or of `sizeof`, no declarator."""
        around, operand = self.text[at - 2], self.text[at + 2][:1]
        if around in ("sizeof", "alignof", "alignas"):
            return True
        is_word = operand.isalnum() or operand == "_"
        return (around in _BEFORE_CAST and (is_word or operand == "(")) or (around == "," and is_word)

    def _is_in_angles(self, at: int, begin: int) -> bool:
        """Whether template arguments open before a token in its statement, and close behind it."""
        while at > begin and self.text[at] not in (";", "{", "}"):
            if self.text[at] == "<":
                return True
            at -= 1
        return False


def _is_instance(words: list[str]) -> bool:
    """Whether words are a name, qualified or not, with template arguments that are names, numbers and types by keywords."""
    opening = words.index("<") if "<" in words else 0
    inner = words[opening + 1:-1]
    parts = " ".join(inner).split(" , ")
    return opening > 0 and words[-1] == ">" and _is_plain(words[:opening]) and bool(inner) and all(
        part.isdigit() or _is_plain(part.split()) for part in parts)


def _is_plain(words: list[str]) -> bool:
    """Whether words are one name, qualified or not, or the words of a built-in type."""
    if set(words) <= _TYPE_WORDS:
        return True
    return len(words) % 2 == 1 and all(word.isidentifier() for word in words[::2]) and set(words[1::2]) <= {"::"}
