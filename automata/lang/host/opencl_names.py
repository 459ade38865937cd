"""Which function a call in a host text of OpenCL certainly names.

In: a text, a name, a number of arguments, and the bodies of functions of that name. Out: whether every unqualified call of the
name with so many arguments is one of these functions. It is where each place of the name in the text is the head of such a body,
a declaration with the same types in the same scope, or a call that no nearer scope can turn elsewhere. C++ looks a name up from
the inside: a variable, a parameter, a closure or a member of the caller's class, or of a base of it, comes before a function of
the file. Source: C++17 [basic.lookup.unqual], [over.match].
"""

from __future__ import annotations

from automata.lang.host.opencl_handed import is_called, name_of, parameters
from automata.lang.host.opencl_text import NOWHERE, HostText, Part

_CLASSES = frozenset({"class", "struct", "union"})
_BEFORE_CALL = frozenset({"return", "else", "do"})
_NO_CALL = frozenset({"*", "&", ">", "~", ".", "->", "::", "[", "new", "operator"})
_WITHOUT_MEANING = frozenset({"const", "restrict", "__restrict", "__restrict__"})
Body = tuple[HostText, int]


def is_certain(text: HostText, name: str, count: int, bodies: list[Body]) -> bool:
    """Whether calls of a name with so many arguments are calls of one of these bodies, by their braces."""
    heads = {_head_of(each, opening) for each, opening in bodies if each is text}
    heads |= {_head_of(text, opening) for opening, _ in text.functions if text.name_of(opening) == name}
    types = [_types(*each) for each in bodies]
    homes = {_scope(each, _head_of(each, opening)) if each is text else _file_scope(each, _head_of(each, opening))
             for each, opening in bodies}
    calls = list[int]()
    for at in text.places.get(name, []):
        end = text.match[at + 1] + 1 if text.text[at + 1] == "(" and text.match[at + 1] > at else 0
        if at in heads:
            if text.text[at - 1] == "::" or _is_in_class(text, at):
                return False
            homes.add(_scope(text, at))
        elif end and text.function(at) == NOWHERE and text.text[end] == ";" and not _is_in_class(text, at):
            if is_called(text, end, count):
                if _types(text, end) not in types and not _is_unnamed(text, end, types):
                    return False
                homes.add(_scope(text, at))
        elif end and _is_call(text, at):
            calls.append(at)
        else:
            return False
    home = next(iter(homes), -1)
    return len(homes) == 1 and home is not None and all(home < at and (home < 0 or at < text.match[home]) for at in calls)


def _head_of(text: HostText, opening: int) -> int:
    """The name in front of the parameters of a body."""
    return text.match[opening - 1] - 1


def _scope(text: HostText, at: int) -> int | None:
    """The brace of the namespace around a place outside of functions; -1 for that of the file, None for anything else."""
    opening = text.brace(at)
    while opening > 0 and text.text[opening - 2:opening] == ["extern", '"C"']:
        opening = text.brace(opening)
    return opening if opening < 0 or "namespace" in _words_before(text, opening) else None


def _file_scope(text: HostText, at: int) -> int | None:
    """The scope of another text's function: that of the file, or none that this text has."""
    return -1 if _scope(text, at) == -1 and text.text[at - 1] != "::" else None


def _words_before(text: HostText, opening: int) -> list[str]:
    at = opening
    while at > 0 and text.text[at - 1] not in (";", "{", "}"):
        at -= 1
    return text.text[at:opening]


def _is_in_class(text: HostText, at: int) -> bool:
    """Whether one of the braces around a place is that of a class, or of the body of a method outside of its class."""
    opening = text.brace(at)
    while opening > 0:
        words = _words_before(text, opening)
        if text.text[opening - 1] != ")" and not _CLASSES.isdisjoint(words):
            return True
        if text.function(opening) == NOWHERE and "namespace" not in words and (
                (text.name_of(opening) == "" and text.text[opening - 1] != '"C"')
                or text.text[_head_of(text, opening) - 1] == "::"):
            return True
        opening = text.brace(opening)
    return False


def _is_call(text: HostText, at: int) -> bool:
    """Whether a name in front of brackets is called there, and no method calls it."""
    before = text.text[at - 1]
    if before in _NO_CALL or (before.isidentifier() and before not in _BEFORE_CALL):
        return False
    opening = text.bracket(at)
    is_listed = before == "," and (opening <= 0 or text.text[opening - 1] == "for")
    return not is_listed and text.function(at) != NOWHERE and not _is_in_class(text, at)


def _types(text: HostText, opening: int) -> tuple[tuple[str, ...], ...]:
    """The types of the parameters in front of a brace or semicolon."""
    return tuple(_type(text, part, name_of(text, part)) for part in parameters(text, opening))


def _type(text: HostText, part: Part, name: str) -> tuple[str, ...]:
    words = text.text[slice(*part)]
    words = words[:words.index("=")] if "=" in words else words
    return tuple(word for word in words if word != name and word not in _WITHOUT_MEANING)


def _is_unnamed(text: HostText, end: int, types: list[tuple[tuple[str, ...], ...]]) -> bool:
    """Whether a declaration without names of parameters has the types of a body."""
    return tuple(_type(text, part, "") for part in parameters(text, end)) in types
