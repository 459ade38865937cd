"""Whether a text of C or C++ may name a thing, in any of the ways that the preprocessor and the linker know.

In: a text as it is, and a name. `may_name`: it has the word in its code, or a macro that may paste it together. `links`: it
reaches the thing by a string or a pragma (`asm("run")`, `alias`, `dlsym`), under whatever word it then uses. `has_main`: it
certainly is a program of its own. What code is, a scanner of tokens says: `'"'` opens no string, `1'000` no character, and a
line that ends in `\\` goes on.
"""

from __future__ import annotations

import re
from functools import cache

_WORD = re.compile(r"\w+")
_LINE = r"(?:\\.|[^%s\\\n])*+"
_DOUBLE = rf'"{_LINE % chr(34)}"'
_STRING = rf"""(?:u8|[uUL])?(?:R"(?P<%s>[^()\\\s"]{{0,16}})\(.*?\)(?P=%s)"|{_DOUBLE})"""
_NUMBER = r"\.?\d(?:[eEpP][+-]|'\w|[\w.])*+"
_TOKEN = re.compile(
    rf"(?P<comment>//[^\n]*|/\*(?:.*?\*/|.*))|(?:[^\W\d]\w*+(?![\"'])|{_NUMBER}|[^\w\"'/.]++|[/.](?![/*\d]))++"
    rf"|(?P<string>{_STRING % ('one', 'one')}(?:\s*{_STRING % ('more', 'more')})*)"
    rf"|[^\W\d]\w*|(?P<char>'{_LINE % chr(39)}')", re.DOTALL)
"""Comments, what has neither quotes nor comments, strings, words before a quote, characters."""
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_PASTING = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)\n]*)\))?([^\n]*##[^\n]*)", re.M)
_PASTED = re.compile(r"\w+(?:\s*##\s*\w+)+")
_VARIADIC = {"__VA_ARGS__", "__VA_OPT__"}
_HELD = "\x02"
"""Stands for strings that have a name."""
_LOOKS_UP = r"\b(?:dlv?sym|GetProcAddress|dlfunc)\b"
_BY_LABEL = re.compile(rf"\b(?:asm|__asm__|__asm|alias|ifunc|weakref|symver|_Pragma|__pragma)\b[^;{{}}]*{_HELD}")
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?!omp\b|acc\b)[^\n]*", re.M)
_IF = re.compile(r"^[ \t]*#[ \t]*(if|endif)|^[ \t]*#[^\n]*|([{}])|(?<!:)\b(main)\s*\(([^(){};]|\([^(){};]*\))*\)\s*\{", re.M)
_LINKAGE = re.compile(r'\bextern\s*""\s*\{')


def joined(text: str) -> str:
    """A text with its spliced lines joined, and the other spelling of `#`."""
    text = _SPLICE.sub("", text) if "\\" in text else text
    return text.replace("%:", "#")


@cache
def uncommented(text: str) -> str:
    """A text without its comments."""
    return _TOKEN.sub(lambda found: " " if found["comment"] is not None else found[0], text)


@cache
def code_of(text: str) -> str:
    """The code of a text, without comments and without what is in strings and characters."""
    return _code(joined(text), "")


def _code(text: str, name: str) -> str:
    """The same of joined lines; strings that may be the name of a thing become a mark."""
    symbol = re.compile(rf"(?<![A-Za-z_\d]){re.escape(name)}(?!\w)|_Z\w*\d{re.escape(name)}") if name else None

    def plain(found: re.Match[str]) -> str:
        if found["comment"] is not None:
            return " "
        if found["string"] is not None:
            parts = re.sub(r'"\s*(?:u8|[uUL])?"', "", found["string"])
            return f" {_HELD} " if symbol is not None and symbol.search(parts) else ' "" '
        return "0" if found["char"] is not None else found[0]

    return _TOKEN.sub(plain, text)


def may_name(text: str, name: str) -> bool:
    """Whether a text has a name in its code, or defines a macro that may paste it together."""
    text = joined(text)
    if name in text and re.search(rf"\b{re.escape(name)}\b", code_of(text)):
        return True
    for head, body in _PASTING.findall(code_of(text)) if "##" in text else ():
        taken = {*_WORD.findall(head), *_VARIADIC}
        for parts in _PASTED.findall(body):
            fixed = [part for part in _WORD.findall(parts) if part not in taken]
            if all(part in name for part in fixed):
                return True
    return False


def links(text: str, name: str) -> bool:
    """Whether a text reaches what has a name by a string or a pragma."""
    text = joined(text)
    if name not in text or not re.search(rf"{_LOOKS_UP}|asm|\b(?:alias|ifunc|weakref|pragma|_Pragma)\b|symver", text):
        return False
    code = _code(text, name)
    word = re.compile(rf"\b{re.escape(name)}\b")
    is_told = any(word.search(each) or _HELD in each for each in _PRAGMA.findall(code))
    return is_told or _BY_LABEL.search(code) is not None or (_HELD in code and re.search(_LOOKS_UP, code) is not None)


@cache
def looks_up(text: str) -> bool:
    """Whether a text looks functions up by names that it makes."""
    if not re.search(_LOOKS_UP, text):
        return False
    code = code_of(text)
    return len(re.findall(_LOOKS_UP, code)) > len(re.findall(rf'{_LOOKS_UP}\s*\([^;"]*""\s*\)', code))


@cache
def has_main(text: str) -> bool:
    """Whether a text has a `main` whatever macros are defined: in no brackets and behind no condition."""
    if "main" not in text or re.search(r"\bdefine\s+main\b", text):
        return False
    conditions = depth = 0
    for found in _IF.finditer(_LINKAGE.sub(" ", code_of(text))):
        if found[3]:
            if not conditions and not depth:
                return True
            depth += 1
        elif found[2]:
            depth += 1 if found[2] == "{" else -1
        elif found[1]:
            conditions += 1 if found[1] == "if" else -1
    return False
