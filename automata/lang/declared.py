"""Whether a text does no more with a function than declare it.

Input: a text as it is, and a name. Output: whether every occurrence of the name declares a function: at file scope, behind a
type, before the brackets of its parameters and a semicolon, and in no directive. Such a header does not call it, whatever its
conditions are and whoever includes it.
"""

from __future__ import annotations

import re

from automata.lang.naming import code_of

_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.)*", re.M | re.S)
_LINKAGE = re.compile(r'\bextern\s*""\s*(\{)?')
_TYPE = re.compile(r"(?:[A-Za-z_]\w*[\s*&]+)+")
_NO_TYPE = re.compile(r"\b(?:return|else|do|goto|case|throw|new|delete|co_\w+|using|namespace|typedef|friend)\b")
_PARAMETER = r"\s*(?:(?:[A-Za-z_]\w*[\s*&]+)+(?:[A-Za-z_]\w*)?|void|bool|char|int|long|float|double|size_t)\s*(?:\[\w*\]\s*)*"
_PARAMETERS = re.compile(rf"\s*\(\s*(?:{_PARAMETER}(?:,{_PARAMETER})*)?\)\s*(?:noexcept\s*)?;")


_OPENED = "\x01"
"""Stands for the brace of a linkage, what is within is at file scope."""


def only_declares(text: str, name: str) -> bool:
    """Whether a text declares a function of a name, and has that name nowhere else."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    plain = _LINKAGE.sub(lambda found: _OPENED if found[1] else " ", code_of(text))
    if any(word.search(found.group()) or "##" in found.group() for found in _DIRECTIVE.finditer(plain)):
        return False
    plain = _DIRECTIVE.sub(" ", plain)
    found = list(word.finditer(plain))
    return bool(found) and _is_outside(plain) and all(_is_outside(plain[:each.start()]) and _is_declaration(plain, each)
                                                      for each in found)


def _is_outside(before: str) -> bool:
    """Whether what follows is at file scope."""
    opened: list[str] = []
    for brace in re.findall(rf"[{{}}{_OPENED}]", before):
        if brace != "}":
            opened.append(brace)
        elif not opened:
            return False
        else:
            opened.pop()
    return "{" not in opened


def _is_declaration(plain: str, found: re.Match[str]) -> bool:
    """Whether a name stands behind a type and before parameters and a semicolon."""
    statement = re.split(rf"[;{{}}{_OPENED}]", plain[:found.start()])[-1].strip() + " "
    return (_TYPE.fullmatch(statement) is not None and not _NO_TYPE.search(statement)
            and _PARAMETERS.match(plain, found.end()) is not None)
