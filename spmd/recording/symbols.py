"""Names of kernels as compilers write them into device code, and what they stand for in the source.

In: a symbol. Out: a `Symbol`: the name with its template arguments, the namespaces around it, and the types of its parameters
where the symbol tells them. Symbols of C++ are read by the C++ library's own demangler (`__cxa_demangle`); without one, and for
symbols of C, the name is the symbol.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from dataclasses import dataclass
from functools import cache

OPEN, CLOSE = "<([", ">)]"


@dataclass(frozen=True, slots=True)
class Symbol:
    """`name`: with template arguments, without namespaces; `parameters`: as `(float*, int)`, empty where that is not known."""

    name: str
    namespaces: tuple[str, ...] = ()
    parameters: str = ""

    def __str__(self) -> str:
        return "::".join((*self.namespaces, self.name))

    @property
    def plain(self) -> str:
        return self.name.partition("<")[0]

    def is_of(self, name: str) -> bool:
        """Whether a kernel that is called so in a source may be this one; an overload's name has its parameters."""
        own, parameters = (part.replace(" ", "") for part in _split_parameters(name))
        is_alike = not (parameters and self.parameters) or parameters == self.parameters.replace(" ", "")
        return is_alike and own in (self.name.replace(" ", ""), self.plain)


@cache
def symbol_of(text: str) -> Symbol:
    """What a symbol stands for."""
    whole = _demangled(text)
    if whole is None:
        return Symbol(text)
    head, parameters = _split_parameters(whole)
    parts = _split(head, " ")
    scopes = _split(parts[-1], "::")
    return Symbol(scopes[-1], tuple(scope for scope in scopes[:-1] if "anonymous" not in scope), parameters)


@cache
def _demangler() -> ctypes.CDLL | None:
    for name in ("libstdc++.so.6", ctypes.util.find_library("stdc++"), ctypes.util.find_library("c++abi")):
        try:
            library = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if library is not None and hasattr(library, "__cxa_demangle"):
            return library
    return None


def _demangled(text: str) -> str | None:
    library = _demangler() if text.startswith("_Z") else None
    if library is None:
        return None
    function = library["__cxa_demangle"]
    function.restype, function.argtypes = ctypes.c_void_p, [ctypes.c_char_p, *[ctypes.c_void_p] * 3]
    found = function(text.encode(), None, None, None)
    if not found:
        return None
    whole = ctypes.string_at(found).decode(errors="replace")
    free = ctypes.CDLL(None)["free"]
    free.argtypes = [ctypes.c_void_p]
    free(found)
    return whole


def _split_parameters(whole: str) -> tuple[str, str]:
    """`void f<int>(int*)` as `void f<int>` and `(int*)`."""
    depth = 0
    for at in range(len(whole) - 1, -1, -1):
        depth += (whole[at] in CLOSE) - (whole[at] in OPEN)
        if depth == 0:
            return (whole[:at], whole[at:]) if whole[at] == "(" else (whole, "")
    return whole, ""


def _split(text: str, by: str) -> list[str]:
    """The parts between a separator that stands in no brackets."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in OPEN) - (char in CLOSE)
        if depth == 0 and text.startswith(by, at):
            parts.append(text[begin:at])
            begin = at + len(by)
    return [*parts, text[begin:]]
