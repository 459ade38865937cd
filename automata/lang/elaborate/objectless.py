"""Objects that stand for no memory of the program: what the null pointer points to, and texts that the source spells out."""

from __future__ import annotations

from automata.lang.core import Space
from automata.lang.elaborate.storage import Address, Linear, Origin, Root
from automata.lang.types import ArrayOf, Type
from automata.place import NOWHERE, Place
from automata.scalar import U8


class Objectless:
    """The part of a kernel under construction that knows them."""

    def __init__(self) -> None:
        self.null: Root | None = None
        self.texts: set[Root] = set()

    def root(self, name: str, kind: Type, space: Space, origin: Origin, place: Place = NOWHERE) -> Root:
        raise NotImplementedError

    def nowhere(self, kind: Type) -> Address:
        """What the null pointer points to: an object without any element, so that every access is out of bounds."""
        if self.null is None:
            self.null = self.root("NULL", ArrayOf(U8, 0), Space.GLOBAL, Origin.FILE)
        return Address(self.null, (), kind, Linear())

    def text(self, kind: Type, place: Place) -> Address:
        """A text: an object whose characters are not known."""
        root = self.root("text", ArrayOf(U8, None), Space.GLOBAL, Origin.FILE, place)
        self.texts.add(root)
        return Address(root, (), kind, Linear())

    @property
    def objectless(self) -> set[Root]:
        """All of them."""
        return self.texts | ({self.null} if self.null is not None else set())
