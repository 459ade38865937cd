"""Names that a text spells by macros.

In: texts as they are written. Out: the words that may stand in one once its macros are replaced: those of what they stand for,
and those that `##` pastes together, as far as what is left open there is a word of the text. More words are better than less:
they say who may call whom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?((?:\\\r?\n|[^\n])*)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
_PASTED = re.compile(r"\w+(?:\s*##\s*\w+)+")
_PASTING = re.compile(r"\s*##\s*")


@dataclass(frozen=True, slots=True)
class Macro:
    """The words that a macro stands for, and the names that it pastes: the first and the last part of each, empty where that is
    an argument."""

    words: frozenset[str]
    pasted: frozenset[tuple[str, str]]


def macros(raw: str) -> dict[str, list[Macro]]:
    """The macros that a text defines."""
    found: dict[str, list[Macro]] = {}
    for name, params, body in DEFINE.findall(raw) if "define" in raw else ():
        own = set(WORD.findall(params))
        parts = [_PASTING.split(each) for each in _PASTED.findall(body)]
        pasted = frozenset(("" if each[0] in own else each[0], "" if each[-1] in own else each[-1]) for each in parts)
        found.setdefault(name, []).append(Macro(frozenset(WORD.findall(body)) - own, pasted))
    return found


@dataclass(frozen=True, slots=True)
class Spelled:
    """Words of a text, its macros replaced, and what they paste."""

    words: frozenset[str]
    pasted: frozenset[tuple[str, str]]

    def among(self, names: Iterable[str]) -> set[str]:
        """Those of some names that may be spelled."""
        return {name for name in names if name in self.words or any(self._pastes(name, *each) for each in self.pasted)}

    def _pastes(self, name: str, first: str, last: str) -> bool:
        if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
            return False
        return bool(first or last) or any(name[:at] in self.words and (name[at:] in self.words or name[at:].isdigit())
                                          for at in range(1, len(name)))


def spelled(words: Iterable[str], known: Iterable[Mapping[str, list[Macro]]]) -> Spelled:
    """What words come to where some texts' macros are known."""
    tables = list(known)
    found, todo, pasted = set(words), list(words), set[tuple[str, str]]()
    while todo:
        word = todo.pop()
        for macro in (each for table in tables for each in table.get(word, ())):
            todo += macro.words - found
            found |= macro.words
            pasted |= macro.pasted
    return Spelled(frozenset(found), frozenset(pasted))


def declared(text: str, names: Iterable[str], known: Iterable[Mapping[str, list[Macro]]]) -> set[str]:
    """What macros among some names may declare at file level: words they are given, those they stand for, and pastes of both."""
    tables, found = list(known), set[str]()
    for name in names:
        made = [each for table in tables for each in table.get(name, ())]
        if made:
            given = {word for args in re.findall(rf"\b{name}\s*\(([^()]*)\)", text) for word in WORD.findall(args)}
            spelt = spelled(given.union(*(each.words for each in made)), tables)
            pasted = spelt.pasted.union(*(each.pasted for each in made))
            found |= given | {first + word + last for first, last in pasted if first or last for word in given}
            found |= {one + two for one in given for two in given if ("", "") in pasted}
    return found
