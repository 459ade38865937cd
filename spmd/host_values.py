"""Values of the host that launches of two sides hang on.

A size may hang on a variable of the host that is no argument of the kernel: `k<<<blocks, 256>>>(x)`. Two versions of a program
are compared at launches of both. A host's variable that has one name on both sides is taken for one value, and that is printed:
whether both programs compute it alike is not looked at. One that the other kernel has as a parameter could be anything, and is
refused.
"""

from __future__ import annotations

from automata.lang.core import Kernel
from automata.lang.launch import Launch
from automata.place import UndecidedError, on_side

Side = list[tuple[Kernel, Launch]]


def shared_values(one: Side, two: Side) -> list[str]:
    """What is assumed of the host's values of two sides. UndecidedError where a name means a parameter on the other side."""
    for side, other, mark in ((one, two, "a"), (two, one, "b")):
        ours = _names(side)
        for kernel, launch in other:
            if clash := (ours & set(kernel.order)) - {param.name for param in launch.of_host}:
                with on_side(mark):
                    raise UndecidedError(f"launches where the host's '{min(clash)}' is not the parameter", kernel.place)
    return [f"the host's {name} is the same at both launches" for name in sorted(_names(one) & _names(two))]


def _names(side: Side) -> set[str]:
    return {param.name for _, launch in side for param in launch.of_host}
