"""Where the declarations of host code stand, and where they end: variables, functions, classes."""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.host.syntax import NotUnderstood
from automata.lang.host.tokens import Tokens, is_name

Defined = tuple[int, list[str]]
"""A class: the brace that opens its body, and the names of its bases."""
_ALIGNING = frozenset({"alignas", "__align__", "__attribute__", "__declspec"})
_ACCESS = frozenset({"public", "protected", "private", "virtual"})


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a declaration stands: from `begin` to `end`; in a class, perhaps one with bases. `is_hidden`: no other file sees
    it. `spaces`: the namespaces around, the outermost first; one without a name is the same wherever it is opened again."""

    begin: int
    end: int
    is_class: bool = False
    has_bases: bool = False
    depth: int = 0
    is_hidden: bool = False
    is_exported: bool = False
    spaces: tuple[str, ...] = ()

    @property
    def key(self) -> object:
        """What it shares with other stretches of the same scope: a namespace may be opened again."""
        return self.end if self.is_class else self.spaces


def seen_in(spaces: tuple[str, ...]) -> tuple[str, ...]:
    """The namespace in which all is seen that some namespace declares: one without a name shows it to the one around it."""
    while spaces and not spaces[-1]:
        spaces = spaces[:-1]
    return spaces


def extent(tokens: Tokens, at: int, end: int) -> tuple[int, int]:
    """Past the `;` of a declaration and -1, or its end and the brace that opens a function's body."""
    text, match = tokens.text, tokens.match
    grouped = in_inits = False
    while at < end:
        token = text[at]
        if token == ";":
            return at + 1, -1
        if token == "}" or token in (")", "]"):
            raise NotUnderstood
        if token == "operator" and text[at + 1] in ("(", "[", "=", ",", "<", ">"):
            at += 3 if text[at + 1] in ("(", "[") else 2
            continue
        if token == "{":
            close = match[at]
            if not at < close < end:
                raise NotUnderstood
            if grouped and not (in_inits and is_name(text[at - 1])):
                return close + 1, at
        elif token == "=":
            return _past_initialiser(tokens, at, end), -1
        elif token == ":":
            in_inits = grouped
        grouped = grouped or token == "("
        at = match[at] if token in ("(", "[", "{") and match[at] > at else at
        at += 1
    raise NotUnderstood


def class_body(tokens: Tokens, at: int, end: int) -> int:
    """The brace that opens the body of a class; -1 where none is defined here."""
    text, index = tokens.text, at + 1
    while index < min(end, at + 200):
        token = text[index]
        if token == "{":
            return index
        if token in (";", "=", "}") or (token == "(" and text[index - 1] not in _ALIGNING):
            return -1
        index = tokens.match[index] if token == "(" and tokens.match[index] > index else index
        index += 1
    return -1


def _past_initialiser(tokens: Tokens, at: int, end: int) -> int:
    stop = tokens.statement_end(at, end)
    if tokens.text[stop - 1] != ";":
        raise NotUnderstood
    return stop


def classes(tokens: Tokens) -> dict[str, list[Defined]]:
    """The classes that are defined, by their names."""
    text, found = tokens.text, dict[str, list[Defined]]()
    for at in range(tokens.size):
        if text[at] in ("class", "struct", "union") and text[at - 1] not in ("<", ",", "enum"):
            opening = class_body(tokens, at, tokens.size)
            head = text[at + 1 : opening] if opening > 0 else []
            name = next((word for word in reversed(head[: head.index(":")] if ":" in head else head)
                         if is_name(word) and word != "final"), "")
            if name:
                found.setdefault(name, []).append((opening, _bases(tokens, at, opening)))
    return found


def other_names(tokens: Tokens) -> set[str]:
    """Names that `using` and `typedef` give to types."""
    text, found = tokens.text, set[str]()
    for at in range(tokens.size):
        if text[at] == "using" and text[at + 2] == "=":
            found.add(text[at + 1])
        elif text[at] == "typedef":
            found |= tokens.names(tokens.statement_end(at, tokens.size) - 2, tokens.statement_end(at, tokens.size))
    return found


def followed(defined: dict[str, list[Defined]], others: set[str]) -> set[str]:
    """The classes all of whose members are seen: those that are defined once, as are all their bases. `others`: names that may
    mean something else."""
    once = {name: each[0][1] for name, each in defined.items() if len(each) == 1 and name not in others}
    found, before = set[str](), {""}
    while found != before:
        before = found
        found = found | {name for name, below in once.items() if found.issuperset(below)}
    return found


def _bases(tokens: Tokens, at: int, opening: int) -> list[str]:
    """The names of the bases in the head of a class, without what qualifies them and their template arguments; a word that names
    none where one is not understood."""
    text, found = tokens.text, list[str]()
    colon = next((index for index in range(at, opening) if text[index] == ":"), opening)
    for begin, end in tokens.split(colon + 1, opening) if colon < opening else ():
        while begin < end and text[begin] in _ACCESS:
            begin += 1
        while begin + 2 < end and is_name(text[begin]) and text[begin + 1] == "::":
            begin += 2
        is_whole = begin + 1 == end or (begin < end and text[begin + 1] == "<" and tokens.angle_end(begin + 1) == end - 1)
        found.append(text[begin] if is_whole else "...")
    return found
