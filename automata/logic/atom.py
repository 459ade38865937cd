"""Atoms, the unknowns of the solvers: objects, never texts.

An atom is an integer or a truth that formulas speak of: a size, a coordinate of some thread, a quotient, the value of a read. Two
atoms are one only if they are the same object; what one stands for is in its fields. Its text is for people: nothing reads it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from automata.logic.terms import Symbol


class Whose(NamedTuple):
    """The thread and the block that something belongs to; "" where it is the same for all of them."""

    thread: str = ""
    block: str = ""

    def __str__(self) -> str:
        """The mark behind the text of an atom."""
        return f"${self.thread},{self.block}" if self.thread else f"${self.block}" if self.block else ""


EVERYBODY = Whose()


class Atom(int):
    """An atom is its number, in the order in which atoms were made. So it is hashed, compared and sorted, and nothing depends on
    what people call it.

    `text`: for people. `whose`: the thread and block that it belongs to. `owners`: the names of all threads and blocks that it,
    or anything that it is made of, belongs to; empty if it is the same for all. `symbol`: the free integer of a kernel that it
    is, as `whose` see it; None if it is something else.
    """

    text: str
    whose: Whose
    owners: frozenset[str]
    symbol: Symbol | None

    def __repr__(self) -> str:
        return f"{self.text}{self.whose}"

    @property
    def is_size(self) -> bool:
        """Whether it is a size of the block or of the grid."""
        return self.symbol is not None and bool(self.symbol.size)


_POOL: dict[Hashable, Atom] = {}


def atom(key: Hashable, text: str, whose: Whose = EVERYBODY, parts: Iterable[Atom] = (), symbol: Symbol | None = None) -> Atom:
    """The atom that a key and whose it is say everything of. `parts`: the atoms that it is made of."""
    entry = (key, whose)
    found = _POOL.get(entry)
    if found is None:
        found = _POOL[entry] = Atom(len(_POOL))
        found.text, found.whose, found.symbol = text, whose, symbol
        found.owners = frozenset(name for name in whose if name).union(*(part.owners for part in parts))
    return found


def of_symbol(symbol: Symbol, whose: Whose = EVERYBODY) -> Atom:
    """A free integer of a kernel, as somebody sees it."""
    return atom(symbol, symbol.name, whose, symbol=symbol)


def clear() -> None:
    """Forget all atoms (between kernels of a long-lived worker)."""
    _POOL.clear()
