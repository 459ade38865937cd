"""Values through memory: an encoder in which a read has the value that its writer stored.

Input: a footprint. Output: an encoder whose reads of arrays in shared or global memory are chains over the writes that can
come before them (`trace`), where that is exact: no write of the array stands in a loop that stays, none is atomic, no
barrier of the grid orders blocks, and no flag and fence may hand over what another thread has written since the last barrier.
It rests on there being no race earlier in the run: the first race of a run reads only what raced with nothing, so proofs of
race-freedom may use it for all arrays at once.
"""

from __future__ import annotations

from automata.lang.core import Space
from automata.logic.arith import View
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Owner, Term, Version, subterms
from automata.proof.known.context import Context
from automata.proof.known.footprint import Access, Footprint
from automata.proof.obligations.trace import Tracer
from automata.thread.segments import START


def traceable(context: Context, footprint: Footprint) -> frozenset[str]:
    """The arrays whose reads can be followed to their writers."""
    if any(access.interval.grid != START for access in footprint.accesses):
        return frozenset()
    if any(fence.scope != "group" for fence in footprint.fences) and any(
            access.atomic is not None and access.space is Space.GLOBAL for access in footprint.accesses):
        return frozenset()
    lost = {access.array for access in footprint.writes if access.rounds or access.atomic is not None}
    return frozenset(array.name for array in context.kernel.arrays
                     if array.space is not Space.PRIVATE and not array.volatile and array.name not in lost)


def reads_memory(access: Access, arrays: frozenset[str]) -> bool:
    """Whether where an access goes, or whether it happens, depends on what the kernel itself wrote to some arrays."""
    return any(isinstance(part.data, Version) and part.data.owner is not Owner.LAUNCH and part.data.array in arrays
               for root in (access.guard, *access.index) for part in subterms(root))


def handed_on(context: Context, footprint: Footprint) -> frozenset[str]:
    """The arrays of shared memory that one plain store fills, before a barrier of the block behind which alone they are read:
    what is read there is what was stored, whatever fences order."""
    if any(access.interval.grid != START for access in footprint.accesses):
        return frozenset()
    found = set()
    for array in context.kernel.arrays:
        accesses = [access for access in footprint.accesses if access.array == array.name]
        stores = [access for access in accesses if access.is_write]
        if array.space is Space.SHARED and not array.volatile and len(stores) == 1:
            (store,) = stores
            is_plain = store.atomic is None and not store.rounds and all(access.copier is None for access in accesses)
            if is_plain and all(access.interval.shared != store.interval.shared and store.order < access.order
                                for access in accesses if access is not store):
                found.add(array.name)
    return frozenset(found)


def tracer_of(context: Context, footprint: Footprint, arrays: frozenset[str]) -> Tracer:
    """What follows the reads of some arrays, in an encoder of its own. `CannotTrace` where a write cannot be turned round."""
    encoder = context.encoder()

    def prove(formula: Formula) -> bool:
        return isinstance(context.ask([formula], encoder, model=False), Unsat)

    tracer = Tracer(context, footprint, encoder, prove)

    def resolve(term: Term, view: View, cell: tuple[Poly, ...]) -> Poly:
        assert isinstance(term.data, Version)
        if term.data.array in arrays and tracer.knows(term):
            return tracer.resolve(term, view, cell[:len(context.kernel.array(term.data.array).dims)])
        return encoder.stored(term, view, cell)

    encoder.resolver = resolve
    return tracer
