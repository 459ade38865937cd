"""Which copies an event variable stands for, where it is read.

A handle has no bits: the text is elaborated in order, and a store of an event is remembered with the blocks that it stands in.
A read sees the last store in the text if that stands in a block around the read. If it stands outside of a loop that the read
is in, a later store in that loop would be seen in the next round: it is refused. Read through a pointer variable it is one of
the events that the variable was aimed at so far, by guarded alternatives; behind a branch what one side or the other has left,
by the branch's test. What is stored at a subscript that is not constant, through a pointer or a cast is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from automata.lang.core import Expr
from automata.lang.elaborate.storage import Address, Handle, Origin, Root, Value
from automata.lang.types import Opaque
from automata.lang.typing import binary
from automata.place import Place, UnsupportedError

EVENT, NO_EVENT = "event_t", "?"
"""The type, and the name of an event of which nothing is known."""
Leaf = tuple[Root, tuple[object, ...]]
Stores = dict[Leaf, tuple[Value, tuple[tuple[int, bool], ...]]]
Left = tuple[Stores, dict[Leaf, Value | None]]
"""What a block has stored, and what its end sees of that."""


class Events:
    """The event variables of one kernel. `blocks`: those that the text is in, outermost first, each with whether it is a loop."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, bool]] = []
        self.made = 0
        self.stores: Stores = {}
        self.left: Left = {}, {}
        self.vague: set[Root] = set()
        self.stored_in: dict[Root, set[int]] = {}
        self.seen_in: dict[Root, set[int]] = {}

    @contextmanager
    def block(self, *, loops: bool = False) -> Iterator[None]:
        """What is elaborated inside stands in a block of its own."""
        self.made += 1
        self.blocks.append((self.made, loops))
        try:
            yield
        finally:
            self.left = self.stores, {
                leaf: value if self.sees(blocks) and not self.is_stored_around(leaf[0], blocks) else None
                for leaf, (value, blocks) in self.stores.items()}
            self.blocks.pop()

    def is_stored_around(self, root: Root, blocks: tuple[tuple[int, bool], ...]) -> bool:
        """Whether a loop that the text is in, and a store in these blocks is not, has stored the variable by now: then it holds
        what the round before has left."""
        return any(loops and block in self.stored_in.get(root, ()) for block, loops in self.blocks[len(blocks):])

    def sees(self, blocks: tuple[tuple[int, bool], ...]) -> bool:
        """Whether a store in these blocks has come before whoever is here."""
        return tuple(self.blocks[:len(blocks)]) == blocks

    def join(self, before: Stores, then: Left, other: Left, test: Callable[[], Expr]) -> None:
        """What holds behind a branch, whose sides have left this; `test` is asked for once where they differ."""
        self.stores = dict(before)
        found: Expr | None = None
        for leaf in dict.fromkeys((*then[0], *other[0])):
            if then[0].get(leaf) == other[0].get(leaf) == before.get(leaf):
                continue
            one, two = (side[1].get(leaf) for side in (then, other))
            value: Value = Handle(NO_EVENT, Opaque(EVENT))
            if isinstance(one, Handle) and isinstance(two, Handle):
                if one != two and found is None:
                    found = test()
                value = one if one == two or found is None else either(found, one, two)
            self.stores[leaf] = value, tuple(self.blocks)

    def store(self, at: Address, path: tuple[object, ...], value: Value, place: Place) -> None:
        """An event variable is set here."""
        if at.root.origin is not Origin.LOCAL or at.view is not None:
            raise UnsupportedError("an event that is set through a pointer or in memory", place)
        leaf = at.root, path
        kept, blocks = self.stores.get(leaf, (None, ()))
        if kept == value and self.sees(blocks):
            return
        if kept != value and self.seen_in.get(at.root, set()) & {block for block, _ in self.blocks}:
            raise UnsupportedError("an event that is set again in a loop which has used what it was set to before", place)
        if not _is_constant(path):
            self.vague.add(at.root)
        self.stored_in.setdefault(at.root, set()).update(block for block, loops in self.blocks if loops)
        self.stores[leaf] = value, tuple(self.blocks)

    def load(self, at: Address, path: tuple[object, ...]) -> Value | None:
        """What an event variable is known to be here."""
        root = at.root
        if root in self.vague or at.view is not None or not _is_constant(path) or (root, path) not in self.stores:
            return None
        value, blocks = self.stores[root, path]
        if not self.sees(blocks) or self.is_stored_around(root, blocks):
            return None
        self.seen_in.setdefault(root, set()).update(block for block, loops in self.blocks[len(blocks):] if loops)
        return value

    def are_known(self, events: Handle) -> bool:
        """Whether an event, or each that it may be, is that of a copy which some variable was set to."""
        known = {one.name for value, _ in self.stores.values() if isinstance(value, Handle) for one in value.alternatives}
        return all(one.name in known - {"", NO_EVENT} for one in events.alternatives)


def either(test: Expr, one: Handle, two: Handle) -> Handle:
    """One event where a test holds, else another."""
    guarded = tuple((binary("&&", test, inner, test.place), event) for inner, event in one.choices)
    return replace(two, choices=(*guarded, (test, replace(one, choices=())), *two.choices))


def _is_constant(path: tuple[object, ...]) -> bool:
    return all(isinstance(step, int | str) for step in path)
