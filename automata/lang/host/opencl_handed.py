"""What functions do with the kernels of OpenCL that they are given.

In: the definition of a function, and which of its parameters is a kernel. Out: that it asks the library about the kernel alone,
that it may set arguments of it, or that it hands the kernel on to be enqueued, with which of its parameters as what. A kernel is
a handle: whoever is given it cannot make it another one, unless it is assigned to, so every place of the parameter has to be an
argument of the library, or of a function that does no more. A function that enqueues hands on what it is given: each parameter
that it needs for that stands there once, in the one call, which every run of its body comes to. Source: the OpenCL 1.2
specification, 5.7 and 5.8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from automata.lang.host.opencl_text import HostText, Part

ENQUEUE, SET = "clEnqueueNDRangeKernel", "clSetKernelArg"
ASKING = frozenset({"clRetainKernel", "clReleaseKernel", "clGetKernelInfo", "clGetKernelArgInfo", "clGetKernelWorkGroupInfo"})
"""Functions of the library that take a kernel and leave it what it is."""
TAKING = ASKING | {ENQUEUE, SET, "clEnqueueTask"}
NOTHING = (["NULL"], ["0"], ["nullptr"], ["(", "void", "*", ")", "0"], ["(", "size_t", "*", ")", "NULL"])
_APART = frozenset({"&&", "||", "?", ":", "[", "for", "while", "do", "switch", "case", "default", "goto", "if", "else", "sizeof"})
_LEAVING = frozenset({"return", "goto", "throw", "catch", "asm", "longjmp"})
_INTEGERS = frozenset({"const", "cl_uint", "cl_int", "unsigned", "int", "long", "size_t", "uint32_t", "int32_t", "std", "::"})
_POINTERS = frozenset({"const", "size_t", "*", "std", "::", "restrict", "__restrict", "__restrict__"})
_KERNEL, _AXES, _OFFSET, _GLOBAL, _LOCAL = 1, 2, 3, 4, 5
_PASSED = 9


@dataclass(frozen=True, slots=True)
class Handed:
    """What becomes of a kernel. `sets`: arguments may be set; `roles`: for each argument of `clEnqueueNDRangeKernel` up to the
    local size the number of the parameter that it is, or the tokens that stand there; None where nothing is enqueued."""

    sets: bool
    roles: tuple[int | tuple[str, ...], ...] | None = None


def argument_of(text: HostText, at: int) -> tuple[int, int] | None:
    """The bracket of the call of which a name is an argument, by itself or in brackets, and its number; None for no argument."""
    begin, end = at, at + 1
    while text.text[begin - 1] == "(" and text.text[end] == ")" and text.match[begin - 1] == end and not (
            text.text[begin - 2].isidentifier() or text.text[begin - 2] in (")", "]", ">")):
        begin, end = begin - 1, end + 1
    if text.text[begin - 1] not in ("(", ",") or text.text[end] not in (",", ")"):
        return None
    opening = text.bracket(begin - 1)
    if opening <= 0 or not text.text[opening - 1].isidentifier():
        return None
    return opening, next((number for number, part in enumerate(text.parts(opening)) if part == (begin, end)), -1)


def parameters(text: HostText, opening: int) -> list[Part]:
    """The parameters of a function by the brace of its body; none where these are not plainly in front of it."""
    closing = opening - 1
    return text.parts(text.match[closing]) if text.text[closing] == ")" and text.match[closing] > 0 else []


def is_called(text: HostText, opening: int, count: int) -> bool:
    """Whether a call of so many arguments may be one of a function of the name, by its body: C++ has functions of one name."""
    parts = parameters(text, opening)
    words = [text.text[slice(*part)] for part in parts]
    least = next((number for number, each in enumerate(words) if "=" in each or "..." in each), len(parts))
    return words in ([["void"]], []) or (least <= count and (count <= len(parts) or any("..." in each for each in words)))


def name_of(text: HostText, part: Part) -> str:
    """The name of a parameter: its last word, in front of brackets; empty for one without."""
    words = text.text[slice(*part)]
    words = words[:words.index("[")] if "[" in words else words
    return words[-1] if len(words) > 1 and words[-1].isidentifier() else ""


def handed(text: HostText, opening: int, index: int, count: int, inner: Callable[[int, int], Handed | None]) -> Handed | None:
    """What the function whose body opens at a brace does with the kernel that is its parameter of a number, in a call of so many
    arguments; None where that is not certain. `inner`: the same of a function that it calls with it, by the bracket of the call
    and the number there."""
    parts = parameters(text, opening)
    if len(parts) != count or index >= count or any("..." in text.text[slice(*part)] for part in parts):
        return None
    kernel = name_of(text, parts[index])
    declared = text.text[slice(*parts[index])]
    if declared.count("cl_kernel") != 1 or not set(declared) <= {"const", "cl_kernel", "&", kernel}:
        return None
    calls = [argument_of(text, at) for at in text.places.get(kernel, []) if opening < at < text.match[opening]] if kernel else []
    taken = [call for call in calls if call is not None and call[1] >= 0]
    by = [text.text[opens - 1] for opens, _ in taken]
    more = [inner(*call) for call, name in zip(taken, by, strict=True) if name not in TAKING]
    if len(taken) != len(calls) or None in more:
        return None
    are_set = any(each.sets for each in more if each is not None)
    is_plain = by.count(ENQUEUE) == 1 and SET not in by and not are_set
    roles = _roles(text, opening, parts, taken[by.index(ENQUEUE)][0]) if is_plain else None
    return Handed(are_set or not ASKING.issuperset(set(by) & TAKING), roles)


def _roles(text: HostText, opening: int, parts: list[Part], call: int) -> tuple[int | tuple[str, ...], ...] | None:
    """Which parameters the one call of `clEnqueueNDRangeKernel` in a body is given."""
    given, names = text.parts(call), [name_of(text, part) for part in parts]
    if len(given) != _PASSED or len(set(names)) != len(names) or not _is_reached(text, opening, call):
        return None
    found = list[int | tuple[str, ...]]()
    for role, part in enumerate(given[:_LOCAL + 1]):
        words = text.words(part)
        places = [at for at in text.places.get(words[0], []) if opening < at < text.match[opening]] if len(words) == 1 else []
        if len(words) == 1 and words[0] in names:
            if role > _KERNEL and (len(places) != 1 or not _is_of_role(text.text[slice(*parts[names.index(words[0])])], role)):
                return None
            found.append(names.index(words[0]))
        elif role == 0 or (role == _AXES and words[0].isdigit()) or (role in (_OFFSET, _LOCAL) and words in NOTHING):
            found.append(tuple(words))
        else:
            return None
    return tuple(found)


def _is_of_role(declared: list[str], role: int) -> bool:
    """Whether a parameter has the type of what the library takes, so that nothing is converted."""
    words = set(declared[:-1] if declared[-1].isidentifier() else declared[:declared.index("[") - 1])
    if role == _AXES:
        return words <= _INTEGERS
    is_pointer = "size_t" in words and (declared.count("*") == 1) != ("[" in declared)
    return is_pointer and words <= _POINTERS


def _is_reached(text: HostText, opening: int, call: int) -> bool:
    """Whether every run of a body comes to a call in it."""
    at = call
    while at > opening and text.text[at - 1] not in (";", "{", "}"):
        at -= 1
        if text.text[at] in _APART:
            return False
    return text.block(at) == opening and _LEAVING.isdisjoint(text.text[opening:at])
