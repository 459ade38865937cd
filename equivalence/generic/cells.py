"""Which thread of one kernel writes the cell that a thread of the other writes, for all sizes.

Input: what a generic block of each side writes. A store of a generic thread is a `Family`: an index, and when it is made,
over block coordinates, coordinates of the thread, and rounds of loops. The index of one side's family is turned round
(`logic.inversion`) for the cell of the other's: a guess of who writes it. What is proved of it: that thread and round exist,
come to the store, and mean the cell (`Match.valid`); that wherever one side writes, some family of the other does
(`covered`); and that no cell is written twice (`require_unique`), so that the one who writes it writes its final value.
Threads of one side that would write a cell at once are none: both kernels are known to be free of races.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.inversion import invert
from automata.logic.ladder import Limits
from automata.logic.poly import Formula, Poly
from automata.logic.quotients import made_whole
from automata.proof.obligations.trace import pins
from equivalence.generic.integers import ZERO, CannotFollow, Integers
from equivalence.generic.lanes import NotAffine, Position
from equivalence.generic.stores import Written
from equivalence.generic.through_quotients import inverted
from equivalence.generic.values import Fetch, LoopRun, Seen, Write

GUESSES = 8
MOST_QUOTIENTS = 4
"""Quotients in each other that are taken out of a question."""
FIRM = Limits(linear=3000, linearised=1500, nonlinear=400, first=200)


@dataclass
class Side:
    """One kernel. `of`: the side that it is of; `blocks`: the coordinates of its block that are not fixed, with how many there
    are; `threads`: those of a thread in it; `position`: of a generic thread."""

    name: str
    of: str
    written: Written
    blocks: dict[Atom, Poly]
    threads: dict[Atom, Poly]
    position: Position


@dataclass(frozen=True)
class Family:
    """A store of a generic thread. `spans`: the free integers, each from 0 up to (not including) its span; `guard`: when it is
    made, the ranges of those included."""

    side: Side
    write: Write
    position: Position
    index: Poly
    guard: Formula
    spans: Mapping[Atom, Poly] = field(default_factory=dict)


@dataclass(frozen=True)
class Match:
    """A family of the other side that may write the cell of one. `instead`: its free integers, by those of the one; `valid`:
    when it does write the cell."""

    family: Family
    instead: Mapping[Atom, Poly]
    valid: Formula


class Cells:
    """The cells that stores fill."""

    def __init__(self, integers: Integers) -> None:
        self.integers = integers

    # -- families ---------------------------------------------------------------------------------------------

    def families(self, side: Side, array: str) -> list[Family]:
        """The stores of a side to an array that say what is there in the end."""
        writes = [write for write in side.written.writes if write.array == array]
        found = [self.family(side, write) for write in writes]
        kept = [one for at, one in enumerate(found) if not any(self.hides(other, one) for other in found[at + 1:])]
        self.require_unique(kept)
        return kept

    def require_loads(self, side: Side) -> None:
        """CannotFollow unless all loads of arrays that a side writes take what they are taken to: whatever array is asked about,
        its values may have come from them."""
        for array in dict.fromkeys(seen.array for seen in (*side.written.seen, *side.written.alone)):
            writes = [write for write in side.written.writes if write.array == array]
            updated = next((write for write in writes if write.update is not None), None)
            if updated is not None:
                raise CannotFollow(f"a load of '{array}', which is updated too", updated.place)
            found = [self.family(side, write) for write in writes]
            for seen in side.written.seen:
                if seen.array == array:
                    self.require_first(side, seen, found)
            for seen in side.written.alone:
                if seen.array == array:
                    self.require_alone(side, seen, found)
        for name in side.written.carried:
            self.families(side, name)  # no other thread writes what a loop carries

    def family(self, side: Side, write: Write) -> Family:
        try:
            index, guard = write.index.at(side.position), write.guard.at(side.position)
        except NotAffine as error:
            raise CannotFollow(f"stores to '{write.array}' whose places do not follow from the numbers of threads by a sum of "
                               "products", write.place) from error
        spans = {**side.blocks, **side.threads, **self.rounds(side, write.rounds)}
        ranges = [part for each, span in {**side.blocks, **side.threads}.items() for part in in_range(Poly.atom(each), span)]
        ranges += [P.le(ZERO, Poly.atom(loop.number)) for loop in write.rounds]
        return Family(side, write, side.position, index, P.conj((guard, *ranges)), spans)

    def rounds(self, side: Side, loops: Sequence[LoopRun]) -> dict[Atom, Poly]:
        """The rounds of loops, each with how many there are."""
        found = {}
        for loop in loops:
            found[loop.number] = self.integers.trip(loop.test.at(side.position), loop.number)
        return found

    def hides(self, later: Family, earlier: Family) -> bool:
        """Whether a later store of the same thread leaves nothing of an earlier one."""
        if later.write.tests:
            return False
        if later.write.rounds == earlier.write.rounds:
            return later.index == earlier.index and self.integers.never([earlier.guard, P.neg(later.guard)], FIRM)
        own = {loop.number: later.spans[loop.number] for loop in later.write.rounds if loop not in earlier.write.rounds}
        for solution in islice(invert(later.index, earlier.index, own, self.integers.encoder), GUESSES):
            instead = solution | {each: ZERO for each in own if each not in solution}
            valid = P.conj((self.integers.put_formula(later.guard, instead),
                            P.eq(self.integers.put(later.index, instead), earlier.index)))
            if all(self.holds(part, [earlier.guard]) for part in P.conjuncts(valid)):
                return True
        return False

    def renamed(self, family: Family, names: Sequence[Atom]) -> tuple[Poly, Formula, dict[Atom, Poly]]:
        """Index and guard of another thread, or another round, of the same block."""
        other = {each: Poly.atom(self.integers.variable(("other", each), f"{each.text}'", 0)) for each in names}
        return self.integers.put(family.index, other), self.integers.put_formula(family.guard, other), other

    def require_unique(self, families: Sequence[Family]) -> None:
        """CannotFollow unless each cell is written once, or by threads that all store the same: those that are free of races
        do so, but for stores that data decide, and what a loop that may make no round leaves: one thread may store it and
        another not."""
        for at, one in enumerate(families):
            for other in families[:at + 1]:
                by_data = bool(one.write.tests or other.write.tests) or one.write.array in one.side.written.carried
                apart = list(other.spans) if by_data else [loop.number for loop in one.write.rounds]
                if one is other and not apart:
                    continue
                names = [each for each in other.spans if by_data or each not in other.side.blocks]
                index, guard, moved = self.renamed(other, names)
                asked = [one.guard, guard, P.eq(one.index, index)]
                if one is other:
                    asked.append(P.disj(P.neg(P.eq(Poly.atom(each), moved[each])) for each in apart))
                if not self.integers.never(asked, FIRM):
                    raise CannotFollow(f"a cell of '{one.write.array}' that may be written more than once", one.write.place)

    def require_first(self, side: Side, seen: Seen, families: Sequence[Family]) -> None:
        """CannotFollow unless what a load takes was there before the kernel, or comes from its source: no store before it goes
        there."""
        index, known = self.loaded(side, seen)
        for family in families:
            if family.write is seen.source:
                self.require_unique([family])
                continue
            shared = [loop.number for loop in seen.rounds if loop in family.write.rounds]
            if family.write.order >= seen.before and not shared:
                continue
            names = [each for each in family.spans if each not in side.blocks]
            there, when, moved = self.renamed(family, names)
            asked = [*known, when, P.eq(index, there)]
            if shared and family.write.order >= seen.before:
                asked.append(_earlier([(moved[each], Poly.atom(each)) for each in shared]))
            if not self.integers.never(asked, FIRM):
                raise CannotFollow(f"a load of '{seen.array}' behind a store that may go there", seen.place)

    def loaded(self, side: Side, seen: Seen | Fetch) -> tuple[Poly, list[Formula]]:
        """Where a thread loads, and when."""
        try:
            index, guard = seen.index.at(side.position), seen.guard.at(side.position)
        except NotAffine as error:
            raise CannotFollow(f"a load of '{seen.array}', which is written too", seen.place) from error
        ranges = [part for each, span in {**side.blocks, **side.threads}.items() for part in in_range(Poly.atom(each), span)]
        return index, [guard, *ranges, *(P.le(ZERO, Poly.atom(loop.number)) for loop in seen.rounds)]

    def require_alone(self, side: Side, seen: Seen, families: Sequence[Family]) -> None:
        """CannotFollow unless no other thread stores an element that a loop carries."""
        index, known = self.loaded(side, seen)
        for family in families:
            there, when, moved = self.renamed(family, [each for each in family.spans if each not in side.blocks])
            other = P.disj(P.neg(P.eq(Poly.atom(each), moved[each])) for each in side.threads)
            if not self.integers.never([*known, when, P.eq(index, there), other], FIRM):
                raise CannotFollow(f"an element of '{seen.array}' that a loop carries, and another thread may store", seen.place)

    # -- matches ----------------------------------------------------------------------------------------------

    def matches(self, one: Family, others: Sequence[Family]) -> list[Match]:
        """The families of the other side that write the cells of one; all its cells are among theirs. CannotFollow if that is
        not shown."""
        with self.integers.assuming(one.guard):
            return self.matched(one, others)

    def matched(self, one: Family, others: Sequence[Family]) -> list[Match]:
        """The same, of what holds where the one is made."""
        guessed = [sorted((match for match in islice(self.guesses(one, other), GUESSES)
                           if not self.integers.never([one.guard, match.valid], FIRM)), key=partial(self.is_of_few, one))
                   for other in others]
        held = [each for each in guessed if each]
        for at in range(max(map(len, held), default=0)):
            found = [each[min(at, len(each) - 1)] for each in held]
            if self.covered(one, found):
                return self.needed(one, found)
        there = "b" if one.side.of == "a" else "a"
        raise CannotFollow(f"not every cell of '{one.write.array}' that side {one.side.name} writes is shown to be written by "
                           f"side {there}", one.write.place)

    def is_of_few(self, one: Family, match: Match) -> bool:
        """Whether a match says outright what a free integer of the one is: it is no good for the others."""
        where = P.eq(self.integers.put(match.family.index, match.instead), one.index)
        return any(isinstance(part, P.Rel) and part.poly.terms and part.poly.atoms() <= one.spans.keys()
                   for part in self.by_sizes(where, {*one.spans, *match.family.spans}))

    def needed(self, one: Family, matches: Sequence[Match]) -> list[Match]:
        """One match that is enough by itself, where there is one."""
        alone = next((match for match in matches if len(matches) > 1 and not self.open_parts(one, match)), None)
        return [alone] if alone is not None else list(matches)

    def covered(self, one: Family, matches: Sequence[Match]) -> bool:
        """Whether wherever the one is made, one of the matches is valid: what holds of each by itself is asked first."""
        if not matches:
            return False
        left = [self.open_parts(one, match) for match in matches]
        if not all(left):
            return True
        if len(matches) < 2:
            return False
        left = [self.without_implied(one, parts) for parts in left]
        slots = _slots(left)
        return all(self.integers.never([one.guard, *map(P.neg, slot)], FIRM) for slot in slots) if slots else (
            self.integers.never([one.guard, *(P.neg(P.conj(parts)) for parts in left)], FIRM))

    def open_parts(self, one: Family, match: Match) -> list[Formula]:
        """What of a match does not hold by itself."""
        known, left = [one.guard], []
        for part in map(self.integers.reduced, P.conjuncts(match.valid)):
            if self.holds(part, known):
                known.append(part)
            else:
                left.append(part)
        return left

    def without_implied(self, one: Family, parts: Sequence[Formula]) -> list[Formula]:
        """Some parts without the relations that follow from the equations among them."""
        equal = [part for part in parts if isinstance(part, P.Rel) and part.sign == "=="]
        return equal + [part for part in parts if part not in equal and not self.integers.never([one.guard, *equal, P.neg(part)])]

    def holds(self, part: Formula, known: Sequence[Formula]) -> bool:
        """Whether a formula follows, as it stands or with what quotients say in their place."""
        asked: Formula | None = part
        for _ in range(MOST_QUOTIENTS):
            if asked is None:
                return False
            if self.integers.never([*known, P.neg(asked)], FIRM):
                return True
            asked = self.integers.without_quotient(asked)
        return False

    def guesses(self, one: Family, other: Family) -> Iterator[Match]:
        unknown = dict(other.spans)
        pinned = pins(other.guard, set(unknown))
        free = {each: span for each, span in unknown.items() if each not in pinned}
        index = other.index.replace(pinned)
        for solution in inverted(index, one.index, free, self.integers):
            instead = {**pinned, **solution}
            instead |= self.told_by_guard(other, {each: span for each, span in free.items() if each not in instead})
            instead = {each: self.integers.remade(part) for each, part in instead.items()}
            instead |= {each: ZERO for each in unknown if each not in instead}
            if any(not self.integers.within(each).isdisjoint(unknown) for part in instead.values() for each in part.atoms()):
                continue
            guard = self.integers.put_formula(other.guard, instead)
            apart = made_whole(self.integers.put(other.index, instead) - one.index, self.integers.encoder)
            where = self.integers.reduced(P.eq(apart, ZERO))
            parts = self.by_sizes(where, {*one.spans, *other.spans})
            if len(parts) > 1:
                yield Match(other, instead, P.conj((guard, *parts)))
            yield Match(other, instead, P.conj((guard, where)))

    def by_sizes(self, where: Formula, moving: Set[Atom]) -> list[Formula]:
        """An equation that holds if these do: what is multiplied by one product of sizes is zero, for each. So row·n + column is
        the cell if row and column are its."""
        if not isinstance(where, P.Rel) or where.sign != "==":
            return [where]
        groups: dict[tuple[Atom, ...], dict[tuple[Atom, ...], int]] = {}
        for mono, coef in where.poly.terms.items():
            sizes = tuple(each for each in mono if each not in self.integers.encoder.floors
                          and self.integers.within(each).isdisjoint(moving))
            rest = tuple(each for each in mono if each not in sizes)
            groups.setdefault(sizes, {})[rest] = coef
        return [P.eq(Poly(terms), ZERO) for _, terms in sorted(groups.items())]

    def told_by_guard(self, other: Family, missing: Mapping[Atom, Poly]) -> dict[Atom, Poly]:
        """Free integers that the index does not tell, by the equations in the guard that no others stand in."""
        found: dict[Atom, Poly] = {}
        for part in P.conjuncts(other.guard):
            if isinstance(part, P.Rel) and part.sign == "==":
                mine = Poly({mono: coef for mono, coef in part.poly.terms.items() if not missing.keys().isdisjoint(mono)})
                rest = mine - part.poly
                if mine.terms and not any(self.integers.depends(rest, each) for each in other.spans):
                    found |= next(invert(mine, rest, missing, self.integers.encoder), {})
        return found


def _slots(cases: Sequence[Sequence[Formula]]) -> list[list[Formula]]:
    """What cases ask for, part by part, if they are all combinations of these: then one of them holds where of each slot one
    does. Nothing where they are not."""
    if len({len(case) for case in cases}) != 1:
        return []
    slots = [list(dict.fromkeys(slot)) for slot in zip(*cases, strict=True)]
    return slots if len(slots) > 1 and set(map(tuple, cases)) == set(product(*slots)) else []


def in_range(value: Poly, span: Poly) -> tuple[Formula, Formula]:
    return P.le(ZERO, value), P.lt(value, span)


def _earlier(pairs: Sequence[tuple[Poly, Poly]]) -> Formula:
    """Rounds before others, outermost loop first."""
    if not pairs:
        return P.FALSE
    (mine, yours), *rest = pairs
    return P.disj((P.lt(mine, yours), P.conj((P.eq(mine, yours), _earlier(rest)))))
