"""Of which launches an answer speaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["all sizes", "this launch", "one launch", "one thread"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The launches that an answer speaks of.

    `kind`: every size, the launch that was asked about, one that was found, or one thread because nobody stated a launch.
    `under`: what has to hold of them, as text, each once. `source`: where the host code makes the launch, if it was read there.
    `sizes_open`: of one thread, whether parameters are open besides.
    """

    kind: Kind
    under: tuple[str, ...] = ()
    source: str = ""
    sizes_open: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it leaves any size or parameter open."""
        return self.kind == "all sizes" or self.sizes_open

    def launched(self, source: str, fixed: list[str]) -> Scope:
        """The same for a launch of the host, which fixes sizes and arguments."""
        return replace(self, source=source, under=tuple(dict.fromkeys([*(self.under if self.is_open else ()), *fixed])))

    def narrowed(self, under: Iterable[str]) -> Scope:
        """The same for fewer launches: those of which more holds."""
        return replace(self, under=tuple(dict.fromkeys((*self.under, *under))))

    def __str__(self) -> str:
        under = ", ".join(self.under)
        every = f"all sizes under {under}" if under else "all sizes"
        if self.source:
            return f"as launched at {self.source}: {every if self.kind == 'all sizes' else under}"
        if self.kind == "one thread" and self.sizes_open:
            return f"one thread, {every}"
        return every if self.kind == "all sizes" else self.kind


def joined(one: Scope, two: Scope, mark: str = "b: ") -> Scope:
    """The scope of a pair. What only the second side says of sizes is marked, for it speaks of its own."""
    if one == two:
        return one
    if not one.is_open or not two.is_open:
        return two if not one.is_open else one
    own = (text if text in one.under or "Dim" not in text else f"{mark}{text}" for text in two.under)
    return Scope("all sizes", tuple(dict.fromkeys([*one.under, *own])))


THIS_LAUNCH = Scope("this launch")
