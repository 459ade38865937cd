"""What runs may say of wide accesses through casts.

Input: an automaton that is run, and what the run takes for sizes and arguments that are open. Output: the places where a run that
breaks an alignment breaks no more than an assumption, and those of which one run says too little, whether it breaks any or not.

The idea: proofs and runs go by one rule (`alignment`). Of an array of which nobody said where it begins, a distance that hangs on
data, or that names a size or an argument which is no multiple of the width, is assumed to be one. Where the beginning is stated
nothing is assumed. A run of some data says nothing of other data, which may decide how far the access is, or whether a thread
comes to it. What that hangs on is `thread.flow`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from automata.lang.core import Claim
from automata.lang.traverse import walk
from automata.place import Place
from automata.thread.automaton import Automaton
from automata.thread.flow import CONFIGURATION, Sink, Source, flow


def excused(automaton: Automaton, sizes: Mapping[str, int], free: frozenset[str]) -> list[Place]:
    """Where a run at these sizes breaks an assumption alone. `free`: parameters that count as data."""
    return [sink.place for unit, sink in _claims(automaton, is_firm=False) if _has_data(sink.index, free) or any(
        unit and sizes.get(source.name, 0) % unit for source in sink.index)]


def unseen(automaton: Automaton, free: frozenset[str], *, is_firm: bool) -> list[Place]:
    """Where data decide, in arrays of which it is stated where they begin or in the others."""
    return [sink.place for _, sink in _claims(automaton, is_firm=is_firm) if _has_data({*sink.index, *sink.guard}, free)]


def _claims(automaton: Automaton, *, is_firm: bool) -> Iterator[tuple[int, Sink]]:
    """The claims that an access is aligned, with what they hang on, and to how many bytes. Several at one place are told apart by
    nothing: each may be any of them."""
    units = {stmt.place: stmt.unit for stmt in walk(automaton.kernel.body)
             if isinstance(stmt, Claim) and stmt.kind == "aligned" and bool(stmt.begins) is is_firm}
    for sink in flow(automaton).sinks if units else ():
        if sink.what == "claim" and sink.place in units:
            yield units[sink.place], sink


def _has_data(sources: Iterable[Source], free: frozenset[str]) -> bool:
    return any(source.kind not in CONFIGURATION or (source.kind == "scalar" and source.name in free) for source in sources)


__all__ = ["excused", "unseen"]
