"""Accesses stay inside arrays of known extent: static arrays always, others where an extent is given. Nobody writes what is in
constant memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from automata.lang.launch import read_size
from automata.limits import OUTSIDE
from automata.logic import poly as P
from automata.logic.arith import ANY, Encoder
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Unknown, Unsat
from automata.passes import passing
from automata.place import InputError
from automata.proof.known.context import ONE, Context
from automata.proof.known.footprint import Access, Footprint
from automata.proof.known.launching import evaluate
from automata.proof.symbolic.rows import flat_index


@dataclass(frozen=True, slots=True)
class Reach:
    """One access and whether it can leave its array, or write one that is in constant memory."""

    access: Access
    formula: Formula
    answer: Answer


def extent(context: Context, array: str, encoder: Encoder) -> Poly | None:
    """The number of elements of an array, if it is known."""
    dims = context.kernel.array(array).dims
    if None not in dims:
        return Poly.number(prod(dim for dim in dims if dim is not None))
    stated = context.launch.extents.get(array)
    if stated is None:
        return None
    return encoder.index(evaluate(read_size(stated, context.kernel, f"extent of {array}"), context.values), ANY)


@passing("bounds")
def check_bounds(context: Context, footprint: Footprint, encoder: Encoder, settled: frozenset[str] = frozenset()
                 ) -> tuple[list[Reach], list[str]]:
    """Each access of an array of known extent, and the names of the arrays whose extent is unknown. `settled`: arrays that no
    access leaves, if their extent is a number."""
    for name in context.launch.extents:
        if all(array.name != name for array in context.kernel.arrays):
            raise InputError(f"extent of '{name}': kernel '{context.kernel.name}' has no such array")
    open_ones: list[tuple[Access, Formula]] = []
    unknown: dict[str, None] = {}
    for access in footprint.accesses:
        if access.is_write and context.kernel.array(access.array).const:
            open_ones.append((access, encoder.truth(access.guard, ONE)))
            continue
        size = extent(context, access.array, encoder)
        if size is None:
            unknown[access.array] = None
            continue
        if access.array in settled and size.constant is not None:
            continue
        index = flat_index(context, access, encoder, ONE)
        outside = P.disj((P.lt(index, Poly.number(0)), P.le(size, index)))
        formula = P.conj((outside, encoder.truth(access.guard, ONE)))
        if formula != P.FALSE:
            open_ones.append((access, formula))
    together = P.disj(formula for _, formula in open_ones)
    answer = context.ask([together], encoder, model=False)
    if isinstance(answer, Unsat):
        return [Reach(access, formula, answer) for access, formula in open_ones], list(unknown)
    return list(_each(context, encoder, open_ones)), list(unknown)


def _each(context: Context, encoder: Encoder, open_ones: list[tuple[Access, Formula]]) -> Iterator[Reach]:
    """One by one, until enough accesses of an array may leave it."""
    counts: Counter[str] = Counter()
    for access, formula in open_ones:
        if not OUTSIDE.allows(counts[access.array] + 1):
            yield Reach(access, formula, Unknown("not looked at: enough findings on this array"))
            continue
        reach = Reach(access, formula, context.ask([formula], encoder))
        counts[access.array] += not isinstance(reach.answer, Unsat)
        yield reach


