"""Requirements that relate the launches of a pair: `gridDim.x == 2*b.gridDim.x`.

Input: a pair, and requirements that name sizes of b's launch. Output: the pair in which each of those sizes is an unsigned
parameter of both kernels, called as the requirements call it, and b's launch is stated with it. So what relates two launches is a
requirement on a's sizes and on parameters, like any other: proofs, runs and counterexamples know nothing new. Sizes that no
requirement names are the same on both sides, unless each states its own. An expression is read where it is stated: the
`blockDim.x` in b's `grid=(n+blockDim.x-1)/blockDim.x` is b's. What the requirements set equal to a number is that number on both
sides, for b knows nothing of what only a's launch requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from automata.lang.core import AXES, Kernel, Param, Quantity
from automata.lang.launch import Launch, Size, Sizes, sizes_of_b
from automata.place import InputError
from automata.proof.known.context import sizes_read
from automata.proof.known.launching import pinned_by
from automata.scalar import U32, U64
from equivalence.pairing import Pair

STATED = ((Quantity.BLOCK_DIM, "block"), (Quantity.GRID_DIM, "grid"))
Given = dict[str, int | float | str]


def related(pair: Pair, texts: Iterable[str]) -> Pair:
    """The pair under requirements that relate its launches. InputError where a kernel has a parameter of such a name."""
    texts = tuple(texts)
    if not texts:
        return pair
    named = {name for text in texts for name in sizes_of_b(text)}
    pair = replace(pair, launch_a=_with_numbers_of(pair.launch_a, pair.launch_b, named),
                   launch_b=_with_numbers_of(pair.launch_b, pair.launch_a, named))
    alike = [name for name in _alike(pair) if f"b.{name}" not in named]
    names = tuple(dict.fromkeys((*sorted(named), *(f"b.{name}" for name in alike))))
    taken = {param.name for kernel in (pair.a, pair.b) for param in kernel.params} & set(names)
    if taken:
        raise InputError(f"'{min(taken)}' is a parameter: a requirement cannot tell it from a size of b's launch")
    requires = (*pair.launch_a.requires, *texts, *(f"{name} == b.{name}" for name in alike))
    a, b = _with(pair.a, names), _with(pair.b, names)
    launch_b, numbers, expressions = _stated_with(pair.launch_b, names)
    launch_a = replace(pair.launch_a, requires=requires, args={**numbers, **pair.launch_a.args})
    launch_b = replace(launch_b, requires=(*launch_b.requires, *_numbers(a, launch_a)),
                       args={**numbers, **expressions, **launch_b.args})
    return replace(pair, a=a, b=b, same_launch=False, launch_a=launch_a, launch_b=launch_b)


def _with_numbers_of(launch: Launch, other: Launch, named: set[str]) -> Launch:
    """A launch with the numbers that the other states of sizes that it does not state itself and no requirement names."""
    stated: dict[str, Sizes | None] = {}
    for quantity, field in STATED:
        found = [_size(launch, field, at) for at in range(len(AXES))]
        for at, axis in enumerate(AXES):
            theirs = _size(other, field, at)
            if found[at] is None and isinstance(theirs, int) and f"b.{quantity.value}.{axis}" not in named:
                found[at] = theirs
        stated[field] = _sizes(found)
    return replace(launch, block=stated["block"], grid=stated["grid"])


def _alike(pair: Pair) -> list[str]:
    """The sizes that one side or nobody states, by an expression or not at all: they are the same on both, where they matter."""
    read, found = sizes_read(pair.a) | sizes_read(pair.b), list[str]()
    for quantity, field in STATED:
        for at, axis in enumerate(AXES):
            name, stated = f"{quantity.value}.{axis}", [_size(launch, field, at) for launch in (pair.launch_a, pair.launch_b)]
            if stated.count(None) == 1 or (stated == [None, None] and name in read):
                found.append(name)
    return found


def _size(launch: Launch, field: str, at: int) -> Size:
    sizes: Sizes | None = getattr(launch, field)
    return sizes[at] if sizes else None


def _sizes(found: list[Size]) -> Sizes | None:
    return (found[0], found[1], found[2]) if any(size is not None for size in found) else None


def _numbers(kernel: Kernel, launch: Launch) -> Iterator[str]:
    """The parameters that requirements set equal to a number, as requirements."""
    equal = pinned_by(kernel, launch)
    return (f"{param.name} == {equal[param.name]}" for param in kernel.params
            if param.name in equal and param.type.is_int and param.type.holds(equal[param.name]))


def _stated_with(launch: Launch, names: tuple[str, ...]) -> tuple[Launch, Given, Given]:
    """B's launch, in which each size that is not stated is the parameter of its name; and as arguments the others: those that are
    numbers, which both sides know, and those that are b's expressions."""
    numbers: Given = {}
    expressions: Given = {}
    stated: dict[str, Sizes | None] = {}
    for quantity, field in STATED:
        found: list[Size] = [_size(launch, field, at) for at in range(len(AXES))]
        for at, axis in enumerate(AXES):
            name, size = f"b.{quantity.value}.{axis}", found[at]
            if name in names and size is None:
                found[at] = name
            elif name in names and size is not None:
                (numbers if isinstance(size, int) else expressions)[name] = size
        stated[field] = _sizes(found)
    return replace(launch, block=stated["block"], grid=stated["grid"]), numbers, expressions


def _with(kernel: Kernel, names: tuple[str, ...]) -> Kernel:
    kind = U32 if kernel.dialect == "cuda" else U64
    return replace(kernel, params=(*kernel.params, *(Param(name, kind, kernel.place) for name in names)))
