"""What a thread tells its block by shared memory of an atomic access that it has made.

Input: an access, in a tracer that follows reads to their writers. Output: the results of atomic accesses which, stored in memory
by another thread of the block, decide whether the access is made: `if (threadIdx.x == 0) last = atomicAdd(count, 1) == n;`, a
barrier, `if (last) …`. Each comes with the writer, in whose eyes the result is to be seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from automata.logic import terms as T
from automata.logic.terms import Term, Version
from automata.logic.views import View
from automata.proof.known.footprint import Access
from automata.proof.obligations.trace import Tracer, Writer

MOST_TOLD = 4


def told(tracer: Tracer, access: Access, view: View, arrays: Collection[str],
         made: Mapping[object, Access]) -> Iterator[tuple[Writer, Term]]:
    """Writers of what an access hangs on in these arrays, each with the result of an atomic access that it has stored.
    `made`: the atomic accesses by the names of their results."""
    for term in [part for part in T.subterms(access.guard) if isinstance(part.data, Version) and tracer.knows(part)]:
        if isinstance(term.data, Version) and term.data.array in arrays:
            for writer in tracer.writers(term, view):
                found = [part for part in T.subterms(writer.access.value) if part.data in made]
                yield from ((writer, part) for part in found[:MOST_TOLD] if made[part.data].value is part)
