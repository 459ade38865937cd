"""Arrays of a block, or of a thread, whose elements sizes decide: who stored what a load takes.

Cells by number (`memory`) do where every subscript is a number for each lane. Where one is not (a tile that is as wide as a
parameter says, a block whose size is not stated, the buffer of this round), the stores to the array are kept like those to
global memory, and a load looks for its source: a store, a thread of the block and rounds. That is a guess, got by turning the
store's subscripts round. Asked of it is that the thread comes to that store, that the store means the element, and that no
store comes between: neither another one, nor the same in another round. Two threads that store at once are none, for the kernel
is free of races; so all lanes may be taken to go through the statements side by side. Sources are looked for until one of
them is valid for each thread that loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.inversion import invert
from automata.logic.poly import Formula, Poly
from automata.proof.obligations.trace import pins
from equivalence.generic.cells import FIRM, Cells, Family, Side
from equivalence.generic.integers import ONE, ZERO, CannotFollow
from equivalence.generic.values import Fetch, LoopRun, Node, Write

MOST_SOURCES = 12
"""Guesses of one load."""


@dataclass(frozen=True)
class Source:
    """A store that a load takes its value from. `instead`: thread and rounds of the store, by those of the load; `over`: the
    loops whose rounds are others there; `valid`: when, where no source before it is; `otherwise`: an integer that is known
    where it is not valid."""

    store: Write
    instead: Mapping[Atom, Poly]
    over: tuple[LoopRun, ...]
    valid: Formula
    otherwise: Mapping[Atom, Poly]
    added: tuple[Added, ...] = ()


@dataclass(frozen=True)
class Added:
    """What is added to the element between a source and the load, by all threads. `moved`: what stands for thread and rounds;
    `over`: those; `when`: that the store is made, to that element, and in between."""

    store: Write
    moved: Mapping[Atom, Poly]
    over: tuple[Atom, ...]
    when: Formula


class Staged:
    """The sources of the loads of one side."""

    def __init__(self, cells: Cells, side: Side) -> None:
        self.cells, self.integers, self.side = cells, cells.integers, side
        self._found: dict[int, list[Source]] = {}
        self._families: dict[int, Family] = {}

    def sources(self, node: Node) -> list[Source]:
        """Where a load gets its value, for a generic thread; CannotFollow where it is not shown for all. The last one needs no
        test."""
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = self.search(node.data)
        return known

    def search(self, fetch: Fetch) -> list[Source]:
        where, known = self.cells.loaded(self.side, fetch)
        accesses = [store for store in self.side.written.staged if store.array == fetch.array]
        stores = [store for store in accesses if store.update is None]
        updates = [store for store in accesses if store.update is not None]
        found: list[Source] = []
        for store, before in self.recent(fetch, stores):
            for instead, over in islice(self.guesses(fetch, store, before), MOST_SOURCES):
                valid = self.valid(store, instead, where)
                held = [*known, valid]
                if self.integers.never(held, FIRM) or self.is_overtaken(fetch, store, instead, held, where, stores):
                    continue
                left = [part for part in P.conjuncts(valid) if not self.cells.holds(self.integers.reduced(part), known)]
                known = [*known, P.neg(P.conj(left))]
                ended = self.integers.ended(P.neg(P.conj(left)), known)
                added = (self.between(fetch, store, instead, held, where, update) for update in updates)
                found.append(Source(store, instead, over, P.conj(left), ended, tuple(each for each in added if each is not None)))
                if not left or self.integers.never(known, FIRM):
                    return found
        raise CannotFollow(f"who stored the element of '{fetch.array}' that is loaded", fetch.place)

    def family(self, store: Write) -> Family:
        known = self._families.get(store.order)
        if known is None:
            known = self._families[store.order] = self.cells.family(self.side, store)
        return known

    # -- guesses ------------------------------------------------------------------------------------------------

    def recent(self, fetch: Fetch, stores: Sequence[Write]) -> list[tuple[Write, bool]]:
        """The stores, each in the same round of the loops around it and the load, or (True) in the round before; the most recent
        one first."""
        found = []
        for store in stores:
            shared = len(_shared(fetch.rounds, store.rounds))
            found += [(shared, 1, store.order, store)] if store.order < fetch.before else []
            found += [(shared, 0, store.order, store)] if shared else []
        return [(store, not same) for _, same, _, store in sorted(found, key=lambda item: item[:3], reverse=True)]

    def guesses(self, fetch: Fetch, store: Write, before: bool) -> Iterator[tuple[dict[Atom, Poly], tuple[LoopRun, ...]]]:
        """Threads and rounds that may have stored the element, and the loops whose rounds are others there."""
        shared = _shared(fetch.rounds, store.rounds)
        known = {shared[-1].number: Poly.atom(shared[-1].number) - ONE} if before else {}
        over = store.rounds[len(shared) - before:]
        yield from ((instead, over) for instead in self.solved(fetch, store, known, len(shared)))

    def solved(self, fetch: Fetch, store: Write, known: Mapping[Atom, Poly], shared: int) -> Iterator[dict[Atom, Poly]]:
        """The rest of a guess: the rounds of loops that are over are what the subscripts say, or the last ones."""
        family = self.family(store)
        own = [loop.number for loop in store.rounds[shared:]]
        yield from self.placed(fetch, store, known, own)
        if own:
            yield from self.placed(fetch, store, {**known, **{each: family.spans[each] - ONE for each in own}}, [])

    def placed(self, fetch: Fetch, store: Write, known: Mapping[Atom, Poly], own: Sequence[Atom]) -> Iterator[dict[Atom, Poly]]:
        family = self.family(store)
        threads = [] if store.is_private else list(self.side.threads)
        free = {each: family.spans[each] for each in (*threads, *own)}
        pinned = {each: value for each, value in pins(family.guard, set(free)).items() if each in free}
        started = {**known, **pinned}
        for solution in self.turned(fetch, store, {each: span for each, span in free.items() if each not in pinned}, started):
            instead = {**started, **solution}
            instead |= {each: family.spans[each] - ONE for each in own if each not in instead}
            instead |= {each: ZERO for each in threads if each not in instead}
            if not any(part.atoms() & free.keys() - set(self.side.threads) for part in instead.values()):
                yield instead

    def turned(self, fetch: Fetch, store: Write, free: Mapping[Atom, Poly],
               known: Mapping[Atom, Poly]) -> Iterator[dict[Atom, Poly]]:
        """Free integers that make the subscripts of a store those of a load: one subscript after the other, or all as one."""
        position, encoder = self.side.position, self.integers.encoder
        pairs = [(there.at(position), here.at(position)) for there, here in zip(store.parts, fetch.parts, strict=True)]
        renamed = {each: Poly.atom(self.integers.variable(("stored by", each), f"{each.text}'", 0)) for each in free}
        back = {next(iter(value.atoms())): each for each, value in renamed.items()}
        spans = {next(iter(renamed[each].atoms())): span for each, span in free.items()}
        put = {**known, **renamed}

        def rest(at: int, found: dict[Atom, Poly]) -> Iterator[dict[Atom, Poly]]:
            if at == len(pairs):
                yield found
                return
            index = self.integers.put(self.integers.put(pairs[at][0], put), found)
            missing = {each: span for each, span in spans.items() if each not in found}
            for solution in islice(invert(index, pairs[at][1], missing, encoder), 2):
                yield from rest(at + 1, {**found, **solution})

        for solution in rest(0, {}):
            yield {back[each]: value for each, value in solution.items()}
        if len(pairs) > 1:
            index = self.integers.put(store.index.at(position), put)
            for solution in invert(index, fetch.index.at(position), spans, encoder):
                yield {back[each]: value for each, value in solution.items()}

    # -- what is proved of a guess --------------------------------------------------------------------------

    def valid(self, store: Write, instead: Mapping[Atom, Poly], where: Poly) -> Formula:
        """When a thread comes to a store in some rounds, and means an element."""
        family = self.family(store)
        return P.conj((self.integers.put_formula(family.guard, instead),
                       self.integers.reduced(P.eq(self.integers.put(family.index, instead), where))))

    def is_overtaken(self, fetch: Fetch, store: Write, instead: Mapping[Atom, Poly], known: Sequence[Formula], where: Poly,
                     stores: Sequence[Write]) -> bool:
        """Whether another store to the element may come behind a source and before the load."""
        return any(self.between(fetch, store, instead, known, where, other) is not None for other in stores)

    def between(self, fetch: Fetch, store: Write, instead: Mapping[Atom, Poly], known: Sequence[Formula], where: Poly,
                other: Write) -> Added | None:
        """A store to the element behind a source and before the load, by any thread in any round; None if there is none."""
        here = {loop.number: Poly.atom(loop.number) for loop in fetch.rounds}
        there = {loop.number: instead.get(loop.number, Poly.atom(loop.number)) for loop in store.rounds}
        names = [*(() if other.is_private else self.side.threads), *(loop.number for loop in other.rounds)]
        index, guard, moved = self.cells.renamed(self.family(other), names)
        before = _is_before(_shared(other.rounds, fetch.rounds), moved, here, other.order < fetch.before)
        behind = _is_before(_shared(store.rounds, other.rounds), there, moved, store.order < other.order)
        when = P.conj((guard, P.eq(index, where), before, behind))
        if self.integers.never([*known, when], FIRM):
            return None
        return Added(other, moved, tuple(each for part in moved.values() for each in part.atoms()), when)


def _shared(one: Sequence[LoopRun], two: Sequence[LoopRun]) -> list[LoopRun]:
    """The loops that are around both."""
    found = []
    for mine, yours in zip(one, two, strict=False):
        if mine is not yours:
            break
        found.append(mine)
    return found


def _is_before(loops: Sequence[LoopRun], one: Mapping[Atom, Poly], two: Mapping[Atom, Poly], in_order: bool) -> Formula:
    """Whether what happens in some rounds of loops happens before another, outermost loop first; `in_order`: in one round."""
    if not loops:
        return P.TRUE if in_order else P.FALSE
    mine, yours = one[loops[0].number], two[loops[0].number]
    return P.disj((P.lt(mine, yours), P.conj((P.eq(mine, yours), _is_before(loops[1:], one, two, in_order)))))

