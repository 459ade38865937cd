"""Objects that stand for no memory of the program: what the null pointer points to, and texts that the source spells out."""

from __future__ import annotations

from automata.lang.core import Const, Space
from automata.lang.elaborate.storage import Address, Linear, Origin, Root
from automata.lang.types import ArrayOf, Type
from automata.place import NOWHERE, Place
from automata.scalar import I8, I64, U8


class Objectless:
    """The part of a kernel under construction that knows them."""

    def __init__(self) -> None:
        self.null: Root | None = None
        self.texts: set[Root] = set()
        self.spelled: dict[bytes, Root] = {}

    def root(self, name: str, kind: Type, space: Space, origin: Origin, place: Place = NOWHERE) -> Root:
        raise NotImplementedError

    def nowhere(self, kind: Type) -> Address:
        """What the null pointer points to: an object without any element, so that every access is out of bounds."""
        if self.null is None:
            self.null = self.root("NULL", ArrayOf(U8, 0), Space.GLOBAL, Origin.FILE)
        return Address(self.null, (), kind, Linear())

    def text(self, kind: Type, characters: bytes, place: Place) -> Address:
        """A text: a constant table, or an object whose characters are not known."""
        if characters:
            table = self.spelled.get(characters) or self.table(characters, place)
            return Address(table, (Const(0, I64),), kind) if kind == I8 else Address(table, (), kind, Linear())
        root = self.root("text", ArrayOf(U8, None), Space.GLOBAL, Origin.FILE, place)
        self.texts.add(root)
        return Address(root, (), kind, Linear())

    def table(self, characters: bytes, place: Place) -> Root:
        """The constant table of a text's characters."""
        made = self.spelled[characters] = self.root("text", ArrayOf(I8, len(characters)), Space.GLOBAL, Origin.FILE, place)
        made.const, made.content = True, tuple(I8.wrap(code) for code in characters)
        return made

    @property
    def objectless(self) -> set[Root]:
        """All of them."""
        return self.texts | ({self.null} if self.null is not None else set())
