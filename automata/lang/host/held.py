"""What the arrays hold that a launch passes, as the launch states it, and as requirements on a kernel's arrays.

In: facts of all elements that the host has set (`fills`), over leaves. Out: texts such as `idx[i] >= 0 && idx[i] < n` and
`sorted(idx)`, as they are written in a file, for arrays whose contents decide what the kernel touches. What is said of a leaf
that has no name in the kernel is left out, and all of it where the kernel reads elements of another type than the host stores,
or numbers that 64 bits with a sign do not hold (`lang.contents`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from automata.lang.core import Kernel
from automata.lang.deciding import deciding_arrays
from automata.lang.host.numbers import Number, limits
from automata.scalar import I8, I16, I32, I64, U8, U16, U32, U64

SCALARS = {(kind.bits, not kind.signed): kind for kind in (I8, I16, I32, I64, U8, U16, U32, U64)}
LEAF = re.compile(r"\{(\w+)\}")
MOST_LINES = 3
"""Lines that an assumption tells."""


@dataclass(frozen=True, slots=True)
class Held:
    """Of each element that the host has set in the memory of the argument `at`: its type, the `least` and the `most`; `tests`
    over leaves in which `@` stands for it; `order`: "sorted", "distinct". `lines`: where elements are stored."""

    at: int
    kind: Number
    least: int
    most: int
    tests: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def shared(self, other: Held) -> Held:
        """What holds of both."""
        return replace(self, least=min(self.least, other.least), most=max(self.most, other.most),
                       tests=tuple(each for each in self.tests if each in other.tests),
                       order=tuple(each for each in self.order if each in other.order),
                       lines=tuple(sorted({*self.lines, *other.lines})))


def shared(one: tuple[Held, ...], two: tuple[Held, ...]) -> tuple[Held, ...]:
    """What two launches say that stand for one."""
    others = {each.at: each for each in two if each.kind}
    return tuple(each.shared(others[each.at]) for each in one if each.at in others and others[each.at].kind == each.kind)


def requirements(held: tuple[Held, ...], kernel: Kernel, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The requirements on a kernel's arrays, with the assumption that each rests on; what bounds elements to half of what their
    type holds, or less, says nothing much. `names`: of leaves in the kernel."""
    taken = {*kernel.order, *(param.name for param in kernel.params), *(array.name for array in kernel.arrays)}
    index = next(name for name in ("i", *(f"i_{number}" for number in range(2, 999))) if name not in taken)
    decides = deciding_arrays(kernel) if held else frozenset()
    for each in held:
        buffer = kernel.buffers[each.at] if each.at < len(kernel.buffers) else ""
        array = next((array for array in kernel.arrays if array.name == buffer), None)
        kind = SCALARS.get((each.kind.bits, each.kind.unsigned))
        if array is None or buffer not in decides or array.element != kind or kind == U64:
            continue
        low, high = limits(each.kind) if each.kind.bits != 8 or each.kind.unsigned else (-128, 127)
        element = f"{buffer}[{index}]"
        said = [f"{element} >= {each.least}"] if each.least > low // 2 else []
        said += [f"{element} <= {each.most}"] if each.most < high // 2 else []
        said += [LEAF.sub(lambda found: names[found[1]], test.replace("@", element)) for test in each.tests
                 if names.keys() >= set(LEAF.findall(test))]
        texts = ([" && ".join(said)] if said else []) + [f"{word}({buffer})" for word in each.order]
        lines = ", ".join(f"line {line}" for line in each.lines[:MOST_LINES])
        more = " and others" if len(each.lines) > MOST_LINES else ""
        why = f"what is read of {buffer} has been set by the host program, in whose types it is computed ({lines}{more})"
        yield from ((text, why) for text in texts)
