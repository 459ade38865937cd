"""Requirements that relate the launches of a pair: `gridDim.x == 2*b.gridDim.x`.

Input: a pair, and requirements that name sizes of b's launch. Output: the pair in which each of those sizes is an unsigned
parameter of both kernels, called as the requirements call it, and b's launch is stated with it. So what relates two launches is a
requirement on a's sizes and on parameters, like any other: proofs, runs and counterexamples know nothing new. Sizes that no
requirement names are the same on both sides, unless each states its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from automata.lang.core import AXES, Kernel, Param, Quantity
from automata.lang.launch import Launch, Size, Sizes, sizes_of_b
from automata.place import InputError
from automata.proof.known.context import sizes_read
from automata.scalar import U32, U64
from equivalence.pairing import Pair

STATED = ((Quantity.BLOCK_DIM, "block"), (Quantity.GRID_DIM, "grid"))


def related(pair: Pair, texts: Iterable[str]) -> Pair:
    """The pair under requirements that relate its launches. InputError where a kernel has a parameter of such a name."""
    texts = tuple(texts)
    if not texts:
        return pair
    named = {name for text in texts for name in sizes_of_b(text)}
    pair = replace(pair, launch_a=_with_sizes_of(pair.launch_a, pair.launch_b, named),
                   launch_b=_with_sizes_of(pair.launch_b, pair.launch_a, named))
    open_ones = [f"{quantity.value}.{axis}" for quantity, field in STATED for at, axis in enumerate(AXES)
                 if _size(pair.launch_a, field, at) is None and _size(pair.launch_b, field, at) is None]
    read = sizes_read(pair.a) | sizes_read(pair.b)
    alike = [name for name in open_ones if f"b.{name}" not in named and name in read]
    names = tuple(dict.fromkeys((*sorted(named), *(f"b.{name}" for name in alike))))
    taken = {param.name for kernel in (pair.a, pair.b) for param in kernel.params} & set(names)
    if taken:
        raise InputError(f"'{min(taken)}' is a parameter: a requirement cannot tell it from a size of b's launch")
    launch_b, given = _stated_with(pair.launch_b, names)
    requires = (*pair.launch_a.requires, *texts, *(f"{name} == b.{name}" for name in alike))
    return replace(pair, a=_with(pair.a, names), b=_with(pair.b, names), same_launch=False,
                   launch_a=replace(pair.launch_a, requires=requires, args={**given, **pair.launch_a.args}),
                   launch_b=replace(launch_b, args={**given, **launch_b.args}))


def _with_sizes_of(launch: Launch, other: Launch, named: set[str]) -> Launch:
    """A launch with what the other states of sizes that it does not state itself and no requirement names."""
    stated: dict[str, Sizes | None] = {}
    for quantity, field in STATED:
        found = [_size(launch, field, at) if _size(launch, field, at) is not None or f"b.{quantity.value}.{axis}" in named
                 else _size(other, field, at) for at, axis in enumerate(AXES)]
        stated[field] = (found[0], found[1], found[2]) if any(size is not None for size in found) else None
    return replace(launch, block=stated["block"], grid=stated["grid"])


def _size(launch: Launch, field: str, at: int) -> Size:
    sizes: Sizes | None = getattr(launch, field)
    return sizes[at] if sizes else None


def _stated_with(launch: Launch, names: tuple[str, ...]) -> tuple[Launch, dict[str, int | float | str]]:
    """B's launch, in which each size that is not stated is the parameter of its name; and what the others are, as arguments."""
    given: dict[str, int | float | str] = {}
    stated: dict[str, Sizes | None] = {}
    for quantity, field in STATED:
        found: list[Size] = [_size(launch, field, at) for at in range(len(AXES))]
        for at, axis in enumerate(AXES):
            name, size = f"b.{quantity.value}.{axis}", found[at]
            if name in names and size is None:
                found[at] = name
            elif name in names and size is not None:
                given[name] = size
        stated[field] = (found[0], found[1], found[2]) if any(size is not None for size in found) else None
    return replace(launch, block=stated["block"], grid=stated["grid"]), given


def _with(kernel: Kernel, names: tuple[str, ...]) -> Kernel:
    kind = U32 if kernel.dialect == "cuda" else U64
    return replace(kernel, params=(*kernel.params, *(Param(name, kind, kernel.place) for name in names)))
