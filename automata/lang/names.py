"""The one supply of names of a kernel: what is named by it has no other thing's name.

Core knows things by name: a parameter, an array, a local, a label and a size of the launch must never share one. Source names
may collide with each other (scopes, a field `result` beside a helper's result), with the launch's sizes (a parameter called
`blockIdx`) and with names that passes make up (`before`). So no pass writes a name down itself. It asks a supply, which knows
every name that is taken, those of the launch's sizes and coordinates first.

A thing has an owner and a text. The same owner and text get the same name again; another owner gets another name, which begins
with the text so that a reader recognises it. No code looks into a name to learn what it stands for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from automata.lang.core import AXES, Block, Kernel, Loop, Quantity
from automata.lang.effects import assigned, declared
from automata.lang.traverse import walk

BUILTINS = frozenset({quantity.value for quantity in Quantity}
                     | {f"{quantity.value}.{axis}" for quantity in Quantity for axis in AXES})
"""The launch's own names: no parameter, array or local has one."""


class Names:
    """The names that are taken in one kernel, and a supply of others."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = {*BUILTINS, *taken}
        self._of: dict[tuple[Hashable, str], str] = {}

    @staticmethod
    def beside(*kernels: Kernel) -> Names:
        """A supply of names that none of some kernels has."""
        return Names(name for kernel in kernels for name in names_of(kernel))

    def fresh(self, text: str) -> str:
        """A name that nothing has: the text itself, or the text with the first number that is free."""
        if text not in self.taken:
            self.taken.add(text)
            return text
        number = 2
        while f"{text}.{number}" in self.taken:
            number += 1
        self.taken.add(f"{text}.{number}")
        return f"{text}.{number}"

    def of(self, owner: Hashable, text: str) -> str:
        """The name of one thing: made when it is first asked for."""
        key = (owner, text)
        if key not in self._of:
            self._of[key] = self.fresh(text)
        return self._of[key]

    def claim(self, owner: Hashable, text: str) -> None:
        """A thing that has its name already."""
        self.taken.add(text)
        self._of[(owner, text)] = text


def spelled(text: str) -> str:
    """A source name as it may begin a name of Core: one called like a size of the launch ends in `_`, and the `$` that compilers
    allow in identifiers, which marks whose a number is in formulas, is `_`."""
    plain = text.replace("$", "_")
    return f"{plain}_" if plain in BUILTINS else plain


def names_of(kernel: Kernel) -> set[str]:
    """Every name of a kernel: parameters, arrays, locals, handles, labels."""
    labels = (stmt.label for stmt in walk(kernel.body) if isinstance(stmt, Block | Loop))
    return {*kernel.order, *(param.name for param in kernel.params), *(array.name for array in kernel.arrays),
            *declared(kernel.body), *assigned(kernel.body), *labels}
