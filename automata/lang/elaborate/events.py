"""Which copies an event variable stands for, where it is read.

A handle has no bits: the text is elaborated in order, and a store of an event is remembered with the blocks that it stands in.
A read sees the last store in the text if that stands in a block around the read. If it stands outside of a loop that the read
is in, a later store in that loop would be seen in the next round: it is refused. What is stored at a subscript that is not
constant, through a pointer or a cast is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from automata.lang.elaborate.storage import Address, Origin, Root, Value
from automata.place import Place, UnsupportedError

EVENT, NO_EVENT = "event_t", "?"
"""The type, and the name of an event of which nothing is known."""
Leaf = tuple[Root, tuple[object, ...]]


class Events:
    """The event variables of one kernel. `blocks`: those that the text is in, outermost first, each with whether it is a loop."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, bool]] = []
        self.made = 0
        self.stores: dict[Leaf, tuple[Value, tuple[tuple[int, bool], ...]]] = {}
        self.vague: set[Root] = set()
        self.seen_in: dict[Root, set[int]] = {}

    @contextmanager
    def block(self, *, loops: bool = False) -> Iterator[None]:
        """What is elaborated inside stands in a block of its own."""
        self.made += 1
        self.blocks.append((self.made, loops))
        try:
            yield
        finally:
            self.blocks.pop()

    def store(self, at: Address, path: tuple[object, ...], value: Value, place: Place) -> None:
        """An event variable is set here."""
        if at.root.origin is not Origin.LOCAL or at.view is not None:
            raise UnsupportedError("an event that is set through a pointer or in memory", place)
        leaf = at.root, path
        kept, blocks = self.stores.get(leaf, (None, ()))
        if kept == value and tuple(self.blocks[:len(blocks)]) == blocks:
            return
        if kept != value and self.seen_in.get(at.root, set()) & {block for block, _ in self.blocks}:
            raise UnsupportedError("an event that is set again in a loop which has used what it was set to before", place)
        if not _is_constant(path):
            self.vague.add(at.root)
        self.stores[leaf] = value, tuple(self.blocks)

    def load(self, at: Address, path: tuple[object, ...]) -> Value | None:
        """What an event variable is known to be here."""
        root = at.root
        if root in self.vague or at.view is not None or not _is_constant(path) or (root, path) not in self.stores:
            return None
        value, blocks = self.stores[root, path]
        if tuple(self.blocks[:len(blocks)]) != blocks:
            return None
        self.seen_in.setdefault(root, set()).update(block for block, loops in self.blocks[len(blocks):] if loops)
        return value

    def known(self) -> list[Value]:
        """All that was ever stored."""
        return [value for value, _ in self.stores.values()]


def _is_constant(path: tuple[object, ...]) -> bool:
    return all(isinstance(step, int | str) for step in path)
