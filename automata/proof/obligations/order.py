"""What depends on the order of threads though nothing races: atomic updates, and values from nowhere.

Input: an automaton without races whose barriers are met, and its footprint. Output: reasons why the outputs may depend on
the order in which threads come, or on what nobody knows. Updates of one commuting family whose results are not used leave
one content in any order, and so do updates of cells that no other thread updates before the next barrier. A value that has
been read off any other update, or an array that sees updates which do not commute, is followed by the static flow
(`thread.flow`). A lane that asks for the value of a lane that its warp does not have gets anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from automata.lang.core import Atomic, Collective, Havoc, Space
from automata.lang.spaces import WARP, WIDTHS
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder
from automata.logic.smt import Answer, Unsat
from automata.logic.terms import Term
from automata.passes import passing
from automata.place import Place
from automata.proof.known.context import Context, same_warp, threads_of_a_block
from automata.proof.known.footprint import Arrival, Footprint
from automata.proof.obligations.convergence import LEFT, RIGHT
from automata.proof.obligations.interference import keep_apart
from automata.thread.automaton import Action, Automaton
from automata.thread.flow import flow
from automata.thread.segments import ALL_LANES

MISSING = "a lane asks for the value of a lane that its warp does not have, and an output depends on it"
ENDED = "a lane asks for the value of a lane that has ended before the exchange, and an output depends on it"


@dataclass(frozen=True, slots=True)
class Unordered:
    """Something that may come out otherwise in another order. `rule`: of the finding; `array`: the one updated, if any; `answer`:
    of a lane that may not be there, sizes at which some are not; `shown`: what is said of it where an output shows it."""

    rule: str
    place: Place
    message: str
    array: str | None = None
    answer: Answer | None = field(default=None, compare=False)
    shown: str = ""


@passing("order")
def check_order(context: Context, automaton: Automaton, footprint: Footprint, encoder: Encoder,
                used: set[str]) -> list[Unordered]:
    """What may show the order of threads, in the order of the text; empty if nothing can. `used`: takes up the counters of which
    it was assumed that they do not wrap."""
    unordered = flow(automaton).unordered
    apart = frozenset(name for name in sorted(unordered) if keep_apart(context, footprint, encoder, name, used))
    found = [*_exchanges(context, footprint, encoder), *_atomics(automaton, apart)]
    ends_early = encoder.truth(footprint.unwaited, LEFT)
    if ends_early != P.FALSE and not isinstance(context.ask([ends_early], encoder), Unsat):
        found.append(Unordered("undefined-operation", context.kernel.place, "the kernel may end before an asynchronous copy "
                               "has, for which nobody has waited: undefined (OpenCL C 6.12.10)"))
    return sorted(dict.fromkeys(found), key=lambda item: (item.place.line, item.place.column))


def _actions(automaton: Automaton) -> Iterator[Atomic | Collective | Havoc]:
    for *_, data in automaton.graph.edges(data=True):
        match data["transition"]:
            case Action(stmt=Atomic() | Collective() | Havoc() as stmt):
                yield stmt


def _atomics(automaton: Automaton, apart: frozenset[str]) -> Iterator[Unordered]:
    """Arrays whose last content shows the order, and sinks that what does reaches."""
    actions = list(_actions(automaton))
    if not actions:
        return
    spaces = {array.name: array.space for array in automaton.kernel.arrays}
    updates = {stmt.array: stmt for stmt in reversed(actions) if isinstance(stmt, Atomic) and stmt.op != "load"}
    nowhere = {stmt.name: stmt for stmt in actions if isinstance(stmt, Havoc)} | {
        stmt.result: stmt for stmt in actions if isinstance(stmt, Collective) and stmt.op == "activemask"}
    found = flow(automaton, apart) if apart else flow(automaton)
    shown = {name for name in found.unordered if spaces[name] is Space.GLOBAL}
    yield from (_update(updates[name]) for name in sorted(shown))
    for source in sorted({source for sink in found.sinks for source in sink.index | sink.guard}):
        if source.kind == "order" and source.name not in shown:
            yield _update(updates[source.name])
        elif source.kind == "undefined" and source.name in nowhere:
            stmt = nowhere[source.name]
            what = stmt.what if isinstance(stmt, Havoc) else "which lanes are active"
            yield Unordered("atomic-order", stmt.place, f"what follows depends on {what}, which differs from run to run")


def _update(stmt: Atomic) -> Unordered:
    why = "the sum depends on rounding order" if stmt.args[0].type.is_float else "and it may show"
    return Unordered("atomic-order", stmt.place, f"atomic updates of '{stmt.array}' come in any order, {why}", stmt.array)


def _exchanges(context: Context, footprint: Footprint, encoder: Encoder) -> Iterator[Unordered]:
    """Shuffles that may ask a lane which is not there: in a warp that lacks some, or of which some have returned or are not
    named."""
    shuffles = [arrival for arrival in footprint.arrivals if arrival.op.startswith("shfl")]
    if not shuffles:
        return
    rest = T.binary("%", threads_of_a_block(context), T.const(WARP, threads_of_a_block(context).type))
    partial = P.neg(P.eq(encoder.number(rest, ANY), P.Poly.number(0)))
    answer = context.ask([partial], encoder)
    for arrival in {arrival.place: arrival for arrival in shuffles}.values():
        if not isinstance(answer, Unsat):
            yield Unordered("uninitialised-read", arrival.place, "a lane may ask for the value of a lane that its warp does "
                            f"not have: blocks of a multiple of {WARP} threads are not required", None, answer, MISSING)
    for arrival in shuffles:
        if arrival.width is not None and not _is_width(context, encoder, arrival, arrival.width):
            yield Unordered("undefined-operation", arrival.place, "the width of a shuffle may be none of 1, 2, 4, 8, 16 and "
                            "32: what it gives then is undefined")
        mask = None if arrival.mask is None else T.constant_value(arrival.mask)
        gone = P.conj((encoder.truth(arrival.base, LEFT), encoder.truth(arrival.full, LEFT),
                       same_warp(context, encoder, LEFT, RIGHT), encoder.truth(arrival.left, RIGHT)))
        are_all_named = mask is not None and int(mask) & ALL_LANES == ALL_LANES
        ended = context.ask([gone], encoder) if are_all_named else None
        if not isinstance(ended, Unsat):
            yield Unordered("uninitialised-read", arrival.place,
                            "a lane may ask for the value of a lane that does not take part in the exchange", None, ended, ENDED)


def _is_width(context: Context, encoder: Encoder, arrival: Arrival, width: Term) -> bool:
    """Whether a shuffle stays within lanes whose number CUDA allows."""
    fixed = T.constant_value(width)
    if fixed is not None:
        return int(fixed) in WIDTHS
    number = encoder.number(width, LEFT)
    other = P.conj((encoder.truth(arrival.base, LEFT), encoder.truth(arrival.full, LEFT),
                    *(P.neg(P.eq(number, P.Poly.number(one))) for one in WIDTHS)))
    return isinstance(context.ask([other], encoder, model=False), Unsat)
