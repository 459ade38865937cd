"""What a run on the machine showed, as findings."""

from __future__ import annotations

from collections.abc import Mapping

from automata.machine.state.outcome import CONST_WRITE, Conflict, Divergence, Event, Outcome
from automata.verdict import Exactness, Finding, Spot, Status

MAX_FINDINGS = 20
UNWAITED, LANDED = "unwaited-copy", "a thread does not wait for its own asynchronous copy, and reaches a cell of it meanwhile"
MAY_NOT_LAND = "a thread may reach a cell into which its own asynchronous copy is under way"
ENDLESS = "endless-loop"
CHAIN = ("fences order two blocks as a chain only: a fence behind the first access, an atomic update behind it, an atomic access "
         "that sees the update, and a fence between that and the second access; a part is missing here")
NAMELESS = "a lane comes with a mask that does not name the lane itself: what the exchange or barrier does then is undefined"
PAST_ENDED = "some threads end before a barrier; it was run as devices since Volta do, which do not wait for them"


def observed(outcome: Outcome, *, strict: bool = False) -> list[Finding]:
    """Findings of a run, most serious first; of many alike at one place only the first. Where a lane's mask leaves the lane out,
    no other meeting means anything."""
    found = [conflict_finding(conflict, Exactness.CIDI, {}, strict=strict) for conflict in outcome.conflicts]
    nameless = [met for met in outcome.divergences if met.is_nameless]
    alike = {(met.barrier, met.other, met.is_endless): met for met in reversed(nameless or outcome.divergences)}
    found += [divergence_finding(met, Exactness.CIDI, {}) for met in list(alike.values())[:-MAX_FINDINGS - 1:-1]]
    found += [_event(event, "const-write", f"{event.array} is in constant memory", "write") if event.what == CONST_WRITE else
              _event(event, "out-of-bounds", f"{_cell(event)} lies outside the array", event.what)
              for event in _firsts(outcome.out_of_bounds)]
    found += [_event(event, "uninitialised-read", f"'{event.array}' is read before it is written", "read", Status.POTENTIAL,
                     "whether an output depends on it was not looked at")
              for event in _firsts(outcome.uninitialised)]
    found += [_event(event, "index-overflow", f"a signed value leaves its type: {event.what}", "overflow")
              for event in _firsts(outcome.overflows)]
    found += [_event(event, "undefined-operation", event.what, "here") for event in _firsts(outcome.undefined)]
    found += [_event(event, "misaligned", "a wide access at an address that is not a multiple of its width", "here")
              for event in _firsts(outcome.failed) if event.what == "aligned"]
    found += [_event(event, ENDLESS, "this loop never ends: a thread comes to it again, and all that decides whether it goes on "
                     "is as it was", event.what) for event in _firsts(outcome.endless)]
    found += [_event(event, UNWAITED, LANDED, "here") for event in _firsts(outcome.failed) if event.what == "landed"]
    found += [_event(event, "assertion", f"the {event.what} does not hold", "here")
              for event in _firsts(outcome.failed) if event.what not in ("assume", "aligned", "landed", "apart")]
    return found


def conflict_finding(conflict: Conflict, exactness: Exactness, sizes: Mapping[str, int], *, strict: bool = False) -> Finding:
    """Two accesses that nothing orders."""
    kinds = [("write" if touch.is_write else "read") for touch in (conflict.first, conflict.second)]
    spots = tuple(Spot(touch.place, kind, touch.actor, (conflict.index,))
                  for touch, kind in zip((conflict.first, conflict.second), kinds, strict=True))
    cell = conflict.cell
    if conflict.rule == "atomic-order":
        return Finding("atomic-order", Status.POTENTIAL, f"atomic updates of {cell} come in any order, and it may show", spots,
                       conflict.array, exactness, sizes, "whether an output depends on the order was not looked at")
    if conflict.same_value:
        return Finding("same-value-write", Status.CONFIRMED if strict else Status.BENIGN,
                       f"two threads write the same value to {cell}", spots, conflict.array, exactness, sizes)
    if conflict.perhaps_ordered:
        return Finding("race", Status.POTENTIAL, f"two threads meet at {cell}", spots, conflict.array, exactness, sizes,
                       "fences may order them (with atomic updates, or at a barrier where one of the two fences): not decided")
    what = "both write" if kinds == ["write", "write"] else "one writes, the other reads"
    notes = [note for note, holds in ((PAST_ENDED, conflict.past_ended), (CHAIN, conflict.has_fences)) if holds]
    return Finding("race", Status.CONFIRMED, f"two threads meet at {cell}: {what}, and nothing orders them", spots,
                   conflict.array, exactness, sizes, "; ".join(notes))


def divergence_finding(met: Divergence, exactness: Exactness, sizes: Mapping[str, int]) -> Finding:
    """Threads of a block that do not meet at a barrier."""
    if met.is_nameless:
        return Finding("barrier-divergence", Status.CONFIRMED, NAMELESS, (Spot(met.barrier, "comes here", met.waiting),), None,
                       exactness, sizes)
    if met.other is None:
        absent = Spot(met.barrier, "has ended without reaching it", met.absent)
    elif met.is_endless:
        absent = Spot(met.other, "goes round this loop for ever", met.absent)
    elif met.other == met.barrier:
        absent = Spot(met.other, "waits there in another round, for another call or for another event", met.absent)
    else:
        absent = Spot(met.other, "waits at another barrier", met.absent)
    return Finding("barrier-divergence", Status.CONFIRMED, "threads of one block do not all reach this barrier",
                   (Spot(met.barrier, "waits at this barrier", met.waiting), absent), None, exactness, sizes)


def _event(event: Event, rule: str, message: str, access: str, status: Status = Status.CONFIRMED, note: str = "") -> Finding:
    spot = Spot(event.place, access, event.actor, event.index or None)
    return Finding(rule, status, message, (spot,), event.array or None, note=note)


def _cell(event: Event) -> str:
    return event.array + "".join(f"[{part}]" for part in event.index)


def _firsts(events: list[Event]) -> list[Event]:
    """The first event at each place."""
    found: dict[object, Event] = {}
    for event in events:
        found.setdefault((event.place, event.array), event)
    return list(found.values())[:MAX_FINDINGS]
