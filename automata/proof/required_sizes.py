"""Sizes that a requirement ties to others: `gridDim.x * blockDim.x == 1223` makes as many threads, whether or not the kernel reads
along which axis they lie."""

from __future__ import annotations

from automata.lang import core, traverse
from automata.lang.contents import is_on_contents
from automata.lang.core import Expr, Kernel
from automata.lang.launch import Launch, read_requirement


def sizes_required(kernel: Kernel, launch: Launch) -> set[str]:
    """The names of such sizes. They are none that nobody reads: those are taken to be 1."""
    found: set[str] = set()
    for text in launch.requires:
        stack: list[Expr] = [] if is_on_contents(text) else [read_requirement(text, kernel)]
        named: set[str] = set()
        while stack:
            node = stack.pop()
            if isinstance(node, core.Special):
                named.add(f"{node.quantity.value}.{node.axis}")
            stack.extend(traverse.children(node))
        found |= named if len(named) > 1 else set()
    return found
