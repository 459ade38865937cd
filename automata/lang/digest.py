"""Core as a number: equal kernels have one digest, in every process and on every machine.

In: a kernel, a launch or any part of them. Out: a hexadecimal SHA-256. The one idea: a digest is made of what a frozen tree
consists of, field by field, each value behind the name of its type; a part that stands in many places is looked at once.

- `with_places`: places and words of assumptions count too. A verdict shows them, so a kept answer needs them; whether a kernel
  changed does not hang on them, for neither comments nor formatting are part of Core otherwise.
- `text`: what is read in the place of a text, such as a mark for the folder it names.
- `with_names`: names of locals, arrays and labels count. Without them two texts are as alike as their shape is.

Fields that Core leaves out of `==` (what a variable of the file holds at first, where a field lies) count, for verdicts use
them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from automata.lang.core import Block, If, Kernel, Later, Loop, Stmt
from automata.lang.traverse import walk
from automata.place import Place

NAMES = frozenset({"name", "array", "label", "result", "event", "target", "source", "events", "element_of", "of"})
UNSAID = frozenset({"assumptions"})
"""Words about how a kernel was read, which change nothing of what it does."""


class Digester:
    """Digests of many trees that share parts."""

    def __init__(self, *, with_places: bool = False, with_names: bool = True,
                 text: Callable[[str], str] = lambda text: text) -> None:
        self.with_places, self.with_names, self.text = with_places, with_names, text
        self._known: dict[int, tuple[object, bytes]] = {}

    def of(self, value: object) -> bytes:
        """The digest of a value. RecursionError for a tree nested too deeply. TypeError for what is no frozen data."""
        if is_dataclass(value) and not isinstance(value, type):
            kept = self._known.get(id(value))
            if kept is None:
                kept = self._known[id(value)] = value, self._record(value)
            return kept[1]
        return hashlib.sha256(self._plain(value)).digest()

    def _record(self, value: Any) -> bytes:
        found = hashlib.sha256(type(value).__name__.encode())
        kind: Any = type(value)
        for name in _fields(kind):
            if name in UNSAID and not self.with_places:
                continue
            part = getattr(value, name)
            if not self.with_places and (isinstance(part, Place) or (name == "fences" and isinstance(value, Kernel))):
                part = len(part) if isinstance(part, tuple) else None
            if not self.with_names and name in NAMES:
                part = None
            found.update(name.encode() + b"=" + self.of(part))
        return found.digest()

    def _plain(self, value: object) -> bytes:
        kind = type(value).__name__.encode()
        match value:
            case None | bool() | int() | float() | str() | bytes():
                if isinstance(value, Enum):
                    return kind + b":" + value.name.encode()
                said = self.text(value) if isinstance(value, str) else value
                return kind + b":" + repr(said).encode("utf-8", "surrogatepass")
            case Enum():
                return kind + b":" + value.name.encode()
            case tuple() | list():
                return kind + b"(" + b",".join(map(self.of, value)) + b")"
            case frozenset() | set():
                return kind + b"{" + b",".join(sorted(map(self.of, value))) + b"}"
            case Mapping():
                pairs = sorted((self.of(key), self.of(each)) for key, each in value.items())
                return b"mapping{" + b",".join(key + b":" + each for key, each in pairs) + b"}"
        raise TypeError(f"no digest of a {type(value).__name__}")


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def digest(value: object, *, with_places: bool = False) -> str:
    """The digest of one value."""
    return Digester(with_places=with_places).of(value).hex()


def shape(kernel: Kernel) -> tuple[str, ...]:
    """The statements of a kernel without names, each as a digest: of one that holds others, what stands at its head."""
    digester = Digester(with_names=False)
    return tuple(digester.of(_head(stmt)).hex()[:16] for stmt in walk(kernel.body))


def _head(stmt: Stmt) -> object:
    match stmt:
        case If(test=test):
            return "if", test
        case Loop(test=test):
            return "loop", test
        case Block() | Later():
            return type(stmt).__name__
        case _:
            return stmt
