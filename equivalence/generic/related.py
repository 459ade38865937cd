"""Whether a relation among outputs holds for all sizes.

Input: a generic point of a relation (`pointed`), and what both sides leave. Output: None if the relation holds at every point,
else why that is not shown. What an element holds in the end has a few sources: the stores of the last kernel that writes its
array, each by the thread, block and rounds that come to the element (`cells`), and where none of them is valid, and it is proved
that nobody writes the element, what was there before. One of the sources holds at each point, so the points are split by them,
and in each part the values of both sides are compared as those of two kernels that fill one cell are (`reading`). Nothing is
asked of how points and elements belong together: several points may name one element, and some elements none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, product

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.atoms import HUGE
from automata.logic.poly import Formula, Poly
from automata.scalar import Scalar
from equivalence.generic.cells import FIRM, GUESSES, Family, Match
from equivalence.generic.form import Form
from equivalence.generic.integers import ZERO, CannotFollow
from equivalence.generic.lanes import NotAffine
from equivalence.generic.passed import Passed
from equivalence.generic.pointed import Point
from equivalence.generic.reading import HOW_TO_READ, MOST_PARTS, MOST_TOLD, Reading, Seen, deep, told
from equivalence.generic.show import show, show_atom, show_poly, show_test, threads_told
from equivalence.generic.tallies import Tallies
from equivalence.generic.values import Node
from equivalence.relation import Element, Relation, valued


@dataclass(frozen=True)
class Source:
    """Where an element's value comes from: a store (`match`), all that is added to it (`is_added`), or what was there before.
    `valid`: where it does."""

    element: Element
    cell: Poly
    valid: Formula
    match: Match | None = None
    is_added: bool = False


@dataclass(frozen=True)
class Part:
    """Some points, with the source of each element."""

    guard: Formula
    sources: tuple[Source, ...]

    @property
    def matches(self) -> list[Match]:
        return [source.match for source in self.sources if source.match is not None]


@dataclass
class Asked:
    """A relation at its generic point. `left`: what each side leaves; `extents`: of the array of each element, where stated;
    `kind`: the type of all of them."""

    relation: Relation
    point: Point
    kind: Scalar
    left: Mapping[str, Passed]
    extents: Sequence[Poly | None]

    @cached_property
    def has_additions(self) -> bool:
        """Whether cells are added to in any order, so that there is no equality of every bit."""
        return any(self.left[each.side].updater(each.array) is not None for each in self.relation.elements())

    @cached_property
    def parts(self) -> list[Part]:
        """The points by their sources."""
        found = [list(self.sources(*each)) for each in zip(self.relation.elements(), self.point.cells, self.extents, strict=True)]
        return [Part(P.conj((self.point.guard, *(each.valid for each in chosen))), chosen) for chosen in product(*found)]

    def sources(self, item: Element, cell: Poly, extent: Poly | None) -> Iterator[Source]:
        """The sources of an element; at every point one of them is valid."""
        passed = self.left[item.side]
        if passed.updater(item.array) is not None:
            self.require_inside(item, cell, extent, P.TRUE)
            yield Source(item, cell, P.TRUE, is_added=True)
            return
        families = passed.left(item.array)
        matches, is_covered = self.matches(item, cell, families)
        yield from (Source(item, cell, match.valid, match) for match in matches)
        if not is_covered:
            none = P.conj(P.neg(match.valid) for match in matches)
            self.require_inside(item, cell, extent, none)
            yield Source(item, cell, none)

    def matches(self, item: Element, cell: Poly, families: Sequence[Family]) -> tuple[list[Match], bool]:
        """The stores that leave an element, and whether there is one at every point; CannotFollow where it is not shown of
        points without one that nobody writes the element."""
        if not families:
            return [], False
        judge = self.left[item.side].cells
        one = replace(families[0], index=cell, guard=self.point.guard, spans=self.point.spans)
        guessed = [sorted((match for match in islice(judge.guesses(one, other), GUESSES)
                           if not judge.integers.never([one.guard, match.valid], FIRM)), key=partial(judge.is_of_few, one))
                   for other in families]
        held = [each for each in guessed if each]
        tried = [[each[min(at, len(each) - 1)] for each in held] for at in range(max(map(len, held), default=1))]
        for found in tried:
            if judge.covered(one, found):
                return judge.needed(one, found), True
        for found in tried:
            open_ = [one.guard, *(P.neg(match.valid) for match in found)]
            if not any(self.may_write(family, cell, open_) for family in families):
                return found, False
        raise CannotFollow(f"whether {item.side} writes the element of '{item.array}' that the relation names",
                           families[0].write.place)

    def may_write(self, family: Family, cell: Poly, where: Sequence[Formula]) -> bool:
        """Whether a store may fill a cell at some points."""
        judge = self.left[family.side.of].cells
        index, guard, _ = judge.renamed(family, list(family.spans))
        return not judge.integers.never([*where, guard, P.eq(index, cell)], FIRM)

    def require_inside(self, item: Element, cell: Poly, extent: Poly | None, where: Formula) -> None:
        """CannotFollow unless an element that no store is known of is one of its array."""
        integers = self.left[item.side].cells.integers
        known = [self.point.guard, where]
        if extent is None:
            raise CannotFollow(f"not every element of '{item.array}' that the relation names is shown to be written by "
                               f"{item.side}: state how many elements it has, as in '// spmd: {item.array}[n]'")
        if not all(integers.always(part, known) for part in (P.le(ZERO, cell), P.lt(cell, extent))):
            raise CannotFollow(f"an index of {item.side}.{item.array} is not shown to lie inside its {extent} elements")

    def unspoken(self, others: Sequence[Asked]) -> list[str]:
        """The stores to arrays of this relation of whose cells it is not shown that a relation, this or another, names them."""
        found: dict[str, None] = {}
        for item in self.relation.elements():
            passed = self.left[item.side]
            if passed.updater(item.array) is not None:
                continue
            judge = passed.cells
            for family in passed.left(item.array):
                named = [replace(family, index=cell, guard=asked.point.guard, spans=asked.point.spans)
                         for asked in (self, *others)
                         for each, cell in zip(asked.relation.elements(), asked.point.cells, strict=True)
                         if (each.side, each.array) == (item.side, item.array)]
                try:
                    judge.matches(family, named)
                except CannotFollow:
                    found[f"only what relations name is compared: {item.side} may write other cells of '{item.array}' "
                          f"({family.write.place})"] = None
        return list(found)


class Related:
    """A relation in one reading."""

    def __init__(self, reading: Reading, asked: Asked) -> None:
        self.reading, self.asked = reading, asked
        self.algebra, self.integers = reading.algebra, reading.integers

    def compare(self) -> str | None:
        """None if the relation holds at every point, else why that is not shown."""
        if self.integers.never([self.asked.point.guard]):
            return "the relation names no element at any size"
        with deep():
            try:
                return next(filter(None, map(self.same, self.asked.parts)), None)
            except CannotFollow as error:
                return told(error)
            except NotAffine:
                return "lanes that differ by more than a sum of products of their numbers"

    def same(self, part: Part) -> str | None:
        """The same at some points: at a generic one; in finer digits; with variables taken apart until lanes are known."""
        for way in (self.equal, self.in_digits):
            try:
                return way(part, {})
            except NotAffine:
                pass
        return self.in_parts(part, {}, 1)

    def in_digits(self, part: Part, instead: Mapping[Atom, Poly], parts: int = 1) -> str | None:
        reading, seen = self.reading, self.reading.finer()
        positions = [(match.family.side.name, seen.position(match.family.side, match.instead, self.integers))
                     for match in part.matches]
        more = [each for _, there in positions for each in there]
        found = reading.alignment.aligned(self.values(part), part.guard, instead, more)
        deciding = [position[axis] for name, position in positions if name in seen.finer for axis in seen.finer[name].deciding]
        free = next((each for value in deciding for each in sorted(self.integers.put(value, found).atoms())), None)
        if free is None:
            with seen.looking():
                return self.equal(part, found, seen)
        low, high = self.integers.encoder.intervals.get(free, HUGE)
        if (high - low + 1) * parts > MOST_PARTS:
            raise NotAffine
        for number in range(low, high + 1):
            reason = self.in_digits(part, self.further(found, {free: Poly.number(number)}), parts * (high - low + 1))
            if reason is not None:
                return reason
        return None

    def in_parts(self, part: Part, instead: Mapping[Atom, Poly], parts: int) -> str | None:
        try:
            return self.equal(part, instead)
        except NotAffine:
            pass
        found = next(filter(None, (self.reading.part_of(match, instead) for match in part.matches)), None)
        if found is None or parts * found[1] > MOST_PARTS:
            raise NotAffine
        each, by = found
        whole = Poly.atom(self.integers.variable(("whole", each, by), f"{each.text} / {by}", 0))
        for rest in range(by):
            reason = self.in_parts(part, self.further(instead, {each: whole.scale(by).plus(rest)}), parts * by)
            if reason is not None:
                return reason
        return None

    def further(self, instead: Mapping[Atom, Poly], step: Mapping[Atom, Poly]) -> dict[Atom, Poly]:
        return {each: self.integers.put(value, step) for each, value in instead.items()} | dict(step)

    def values(self, part: Part) -> list[Poly]:
        """What is to be as plain as can be."""
        return [value for match in part.matches for value in match.instead.values()]

    def equal(self, part: Part, instead: Mapping[Atom, Poly], seen: Seen | None = None) -> str | None:
        """Whether both sides of the relation are equal. `instead`: what is known of the point; `seen`: how values are seen."""
        reading = self.reading
        seen = seen or reading.plain
        instead = reading.alignment.aligned(self.values(part), part.guard, instead)
        facts = list(P.conjuncts(self.integers.put_formula(part.guard, instead)))
        if self.integers.never(facts):
            return None
        forms = iter([self.held(source, instead, seen) for source in part.sources])
        left, evaluator = next(forms), next(iter(seen.sides.values()))
        kind = self.asked.kind
        zero = Node("const", kind, (), 0)
        right = valued(self.asked.relation.right, lambda node: next(forms), lambda value: self.algebra.number(
            kind.round(float(value)) if kind.is_float else int(value)),
            lambda op, one, two: evaluator.operation(Node("binary", kind, (zero, zero), op), [one, two]))
        self.tell(part, instead, facts, (left, right))
        both = [(match.family.side, {each: self.integers.put(value, instead) for each, value in match.instead.items()})
                for match in part.matches]
        both += [(side, {}) for source in part.sources if source.is_added
                 if (side := self.asked.left[source.element.side].updater(source.element.array)) is not None]
        return reading.judged((left, right), both, facts, seen, f"the two sides of {self.asked.relation.text}")

    def held(self, source: Source, instead: Mapping[Atom, Poly], seen: Seen) -> Form:
        """What an element holds in the end."""
        put, reading, item = self.integers.put, self.reading, source.element
        if source.is_added:
            side = self.asked.left[item.side].updater(item.array)
            assert side is not None
            tallies = Tallies(reading.cells, self.algebra, partial(reading.value, seen.sides[side.name]))
            return self.algebra.put(tallies.content(side, item.array, self.asked.kind, source.cell), instead)
        if source.match is None:
            return self.algebra.of(self.algebra.read(item.array, self.asked.kind, put(source.cell, instead)))
        side = source.match.family.side
        theirs = {each: put(value, instead) for each, value in source.match.instead.items()}
        there = seen.position(side, theirs, self.integers)
        return self.algebra.put(reading.value(seen.sides[side.name], source.match.family.write, there), theirs)

    def tell(self, part: Part, instead: Mapping[Atom, Poly], facts: Sequence[Formula], values: tuple[Form, Form]) -> None:
        """Note what is compared, for people."""
        proof, floors = self.reading.proof, self.integers.encoder.floors
        if len(proof) > MOST_TOLD:
            return
        if len(proof) == MOST_TOLD:
            proof.append("… and other points in the same way")
            return
        if not proof:
            proof.append(HOW_TO_READ)
            proof += [threads_told(each.side.name, each.side.written.shape.digits) for each in self.reading.kernels
                      if each.side.written.shape.extents is not None]
        proof.append(f"{self.asked.relation.text}, for {show_test(floors, P.conj(facts))}")
        for source in part.sources:
            proof.append(f"  {_named(source)}: {self.told_of(source, instead)}")
        for name, value in zip(("left", "right"), values, strict=True):
            proof.append(f"  {name}: {show(self.algebra, self.algebra.settled(value))}")

    def told_of(self, source: Source, instead: Mapping[Atom, Poly]) -> str:
        put, floors, side = self.integers.put, self.integers.encoder.floors, source.element.side
        where = show_poly(floors, put(source.cell, instead))
        if source.match is None:
            return f"element {where}, {'what is added up there' if source.is_added else 'what was there before'}"
        who = ", ".join(f"{show_atom(floors, each)} = {show_poly(floors, put(value, instead))}"
                        for each, value in source.match.instead.items())
        line = source.match.family.write.place.line
        return f"element {where}, {side} stores it at line {line}, where {who or 'there is one thread'}"


def _named(source: Source) -> str:
    return f"{source.element.side}.{source.element.array}[{ast.unparse(source.element.index)}]"
