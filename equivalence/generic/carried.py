"""What a loop leaves, as a sum, a maximum, or a recurrence.

A carried value h of a loop becomes, by the shape of its value at the end of a round:
- h + g, where g has nothing carried in it:                the first value and a sum of g over all rounds;
- a·h + g, where a is the same in all rounds:              a^n times the first value, and a sum of a^(n-1-r)·g;
- max(h, g):                                               a maximum over all rounds;
- the place of such a maximum, kept where that is:         the place over all rounds (`first_pairs`);
- h ^ g:                                                   the first value and a sum of g modulo 2 (`xors`);
- g, with nothing carried:                                 its value in the last round;
- a·h + b, where a = f(before)/f(after) for some product f of powers: then f·h is a sum (the online softmax: f = e^m);
- anything else:                                           a recurrence, equal only to one with the same first values and rounds.
What else is carried and gets into it, is put in as what the rounds before leave in it, where it does not hang on h itself.

Within a round the same, over the rounds before it (`so_far`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.scalar import Scalar
from equivalence.generic.form import ONE, Factor, Form
from equivalence.generic.integers import CannotFollow
from equivalence.generic.lanes import Position, Row, Shape
from equivalence.generic.ordered_choices import Step
from equivalence.generic.ranges import Range
from equivalence.generic.running_means import Averages
from equivalence.generic.telescopes import Carried
from equivalence.generic.uniform import Uniform
from equivalence.generic.values import CarriedKey, Cell, LoopRun, Node


class Loops(Averages):
    """Forms of what loops leave. `_after`: nodes that stand for a carried value at the end of a round, while another is
    looked at; `_moved`: of the number of an earlier round, that of the round; `_loops`: by the numbers of their rounds;
    `_earlier`: those over the rounds before one, held because what is solved is known by their identity; `_solving`: the
    values that are being put into."""

    shape: Shape
    side: str
    _after: dict[int, tuple[LoopRun, CarriedKey]]
    _solved: dict[tuple[int, CarriedKey, Position, bool], Form]
    uniform: Uniform
    _moved: dict[Atom, Atom]
    _loops: dict[Atom, LoopRun]
    _earlier: list[LoopRun]
    _solving: list[tuple[Atom, CarriedKey, Position]]

    @abstractmethod
    def form(self, node: Node, at: Position) -> Form: ...

    @abstractmethod
    def cell(self, cell: Cell | None) -> Form: ...

    @abstractmethod
    def seen(self, value: object, at: Position): ...  # type: ignore[no-untyped-def]

    @abstractmethod
    def nothing(self, what: object) -> Form: ...

    @abstractmethod
    def choose(self, test: Form, then: Form, other: Form) -> Form: ...

    @abstractmethod
    def keeping_step(self, end: Form, mine: Factor, other: Factor, other_end: Form) -> Step | None: ...

    @abstractmethod
    def places_of(self, step: Step, first: tuple[Form, Form], number: Atom, where: Formula) -> Form | None: ...

    @abstractmethod
    def is_ring(self, kind: Scalar) -> bool: ...

    # -- loops --------------------------------------------------------------------------------------------------

    def marker(self, kind: str, loop: LoopRun, name: CarriedKey, at: Position) -> Form:
        """What stands for a carried value at the beginning of a round, or at its end."""
        owner = self.owner(loop, name, at) if isinstance(name, str) else ()
        self._loops[loop.number] = loop
        return self.algebra.of(self.algebra.factor(kind, (loop.number, name, owner), (loop.number,)))

    def left_by(self, loop: LoopRun, name: CarriedKey, at: Position) -> Form:
        """What a loop leaves in a local or a cell."""
        at = self.owner(loop, name, at)
        key = id(loop), name, at, False
        if key not in self._solved:
            self._solved[key] = self.solved(loop, name, at)
        return self._solved[key]

    def owner(self, loop: LoopRun, name: CarriedKey, at: Position) -> Position:
        """Whose a carried value is: of a cell, the lane that stores it; of a local that all lanes have alike, the first one's."""
        if not isinstance(name, str):
            return self.shape.position_of(loop.end[name].lane)  # type: ignore[union-attr]
        return self.shape.position_of(0) if self.shape.extents is not None and self.uniform.is_alike(loop, name) else at

    def in_rounds(self, form: Form, loops: Sequence[LoopRun]) -> Form:
        """A form of a value in a round of some loops: what stands for carried values, as what the rounds before leave."""
        for loop in reversed(loops):
            names = {}
            for number in sorted(self.holes_in(form, loop)):
                _, name, owner = self.algebra.factors[number].data
                names[number] = self.so_far(loop, name, owner or self.owner(loop, name, ()))
            form = self.algebra.renamed(form, names) if names else form
        return form

    def so_far(self, loop: LoopRun, name: CarriedKey, at: Position) -> Form:
        """A carried value at the beginning of a round: what all rounds before it, which were made, leave."""
        at = self.owner(loop, name, at)
        if any(self.algebra.integers.depends(part, loop.number) for part in at):
            raise CannotFollow("what a thread carries that the round says", loop.place)
        key = id(loop), name, at, True
        if key not in self._solved:
            before = self.algebra.integers.variable(("before", loop.number), "round before", 0)
            number = Poly.atom(loop.number)
            earlier = LoopRun(before, Row(self.shape, (P.lt(Poly.atom(before), number),)), loop.place, loop.first, loop.end,
                              loop.holes, (*loop.later, loop.test))
            self._earlier.append(earlier)
            self._moved[before] = self._moved.get(loop.number, loop.number)
            self._solved[key] = self.solved(earlier, name, at)
        return self._solved[key]

    def test(self, loop: LoopRun, name: CarriedKey, at: Position) -> Formula:
        if not isinstance(name, str) and not loop.test.is_one:
            end = loop.end[name]
            assert isinstance(end, Cell)
            return loop.test.of(end.writer)
        return self.seen(loop.test, at)  # type: ignore[no-any-return]

    def rounds(self, loop: LoopRun, name: CarriedKey, at: Position) -> Formula:
        """When a round is made: its number is no less than 0, and its test holds."""
        return P.conj((P.le(Poly({}), Poly.atom(loop.number)), self.test(loop, name, at)))

    def carried(self, loop: LoopRun, name: CarriedKey, at: Position, *, marked: CarriedKey | None = None) -> Carried:
        """A carried value. `marked`: another one, whose value at the end of the round is left as it is."""
        first, end = loop.first[name], loop.end[name]
        kept = self._after
        if marked is not None:
            other = loop.end[marked]
            assert isinstance(other, Node)
            self._after = {**kept, id(other): (loop, marked)}
        try:
            last = self.form(end, at) if isinstance(end, Node) else self.cell(end)
        finally:
            self._after = kept
        if loop.number in self._moved:
            last = self.at_earlier(last, loop)
        if isinstance(first, Node):
            return Carried(self.form(first, at), last)
        begin = self.cell(first) if first is not None else self.nothing((id(loop), name))
        return Carried(begin, last)

    def carried_by(self, hole: Factor) -> tuple[Form, Form]:
        """What a hole stands for: what the loop begins with, and what a round leaves."""
        number, name, owner = hole.data
        loop = self._loops[number]
        each = self.carried(loop, name, owner or self.owner(loop, name, ()))
        return (each.end if hole.kind == "after" else each.first), each.end

    def at_earlier(self, form: Form, loop: LoopRun) -> Form:
        """A form of a round as that of a round before it: its number, and what stands for what that begins with."""
        algebra, number = self.algebra, self._moved[loop.number]
        names = {}
        for each in algebra.all_inside(form):
            factor = algebra.factors[each]
            if factor.kind in ("hole", "after") and factor.data[0] == number:
                names[each] = algebra.of(algebra.factor(factor.kind, (loop.number, *factor.data[1:]), (loop.number,)))
        made = algebra.renamed(form, names) if names else form
        return algebra.put(made, {number: Poly.atom(loop.number)})

    def solved(self, loop: LoopRun, name: CarriedKey, at: Position) -> Form:
        """What is left of one carried value when all rounds have been made."""
        mine = self.own_hole(loop, name, at)
        where = self.rounds(loop, name, at)
        each = self.carried(loop, name, at)
        if self.algebra.tests_in(each.end):
            each = Carried(each.first, self.as_made(each.end, loop, where, at))
        others = self.holes_in(each.end, loop) - {mine.number}
        if not others:
            found = self.alone(each, mine, loop, where, name, at)
            if found is not None:
                return found
        for other in self.carried_beside(loop, name, others):
            found = (self.telescoped(loop, name, other, at, where) or self.kept(each, loop, name, other, at, where)
                     or (self.squared(each, loop, name, other, at, where) if self.is_ring(self.type_of(loop, name)) else None))
            if found is not None:
                return found
        if others:
            known = self.put_in(each, others, loop, name, at)
            found = None if known is None else self.alone(known, mine, loop, where, name, at)
            if found is not None:
                return found
        return self.by_cases(each, loop, name, at) or self.recurrence(loop, name, at)

    def as_made(self, end: Form, loop: LoopRun, where: Formula, at: Position) -> Form:
        """What a round leaves, without the tests that are decided in all rounds that are made."""
        with self.algebra.assuming([where, *(self.seen(test, at) for test in loop.later)]):
            return self.algebra.resolved(end)

    def by_cases(self, each: Carried, loop: LoopRun, name: CarriedKey, at: Position) -> Form | None:
        """A value whose rounds go by a test that is the same in all of them: in both cases by itself."""
        algebra = self.algebra
        fixed = [number for number in algebra.tests_in(each.end) if loop.number not in algebra.factors[number].atoms]
        if not fixed or self.holes_in(each.end, loop) - {self.own_hole(loop, name, at).number}:
            return None
        ways = []
        for holds in (True, False):
            case = Carried(*(algebra.decided(form, {fixed[0]: holds}) for form in (each.first, each.end)))
            found = self.alone(case, self.own_hole(loop, name, at), loop, self.rounds(loop, name, at), name, at)
            ways.append(found or self.by_cases(case, loop, name, at) or self.recurrence(loop, name, at, case))
        return self.choose(algebra.of(algebra.factors[fixed[0]]), *ways)

    def put_in(self, each: Carried, others: set[int], loop: LoopRun, name: CarriedKey,
               at: Position) -> Carried | None:
        """A carried value with what the rounds before leave in others in their place; None where that hangs on it."""
        algebra, number = self.algebra, self._moved.get(loop.number, loop.number)
        solving = (number, name, at)
        if solving in self._solving or any((number, algebra.factors[other].data[1]) in {item[:2] for item in self._solving}
                                           for other in others):
            return None
        self._solving.append(solving)
        try:
            names = {}
            for other in sorted(others):
                _, key, owner = algebra.factors[other].data
                names[other] = algebra.settled(self.so_far(loop, key, owner or self.owner(loop, key, ())))
        except CannotFollow:
            return None
        finally:
            self._solving.pop()
        inside = {inner for form in names.values() for inner in algebra.all_inside(form)}
        if any(algebra.factors[inner].kind in ("fold", "hole", "after") for inner in inside):
            return None
        return Carried(each.first, algebra.renamed(each.end, names))

    def own_hole(self, loop: LoopRun, name: CarriedKey, at: Position) -> Factor:
        (mono,) = self.marker("hole", loop, name, at).terms
        return self.algebra.factors[mono[0][0]]

    def holes_in(self, form: Form, loop: LoopRun) -> set[int]:
        """The factors in a form, and inside of its factors, that stand for what a loop carries."""
        return {number for number in self.algebra.markers_in(form) if self.algebra.factors[number].data[0] == loop.number}

    def alone(self, each: Carried, mine: Factor, loop: LoopRun, where: Formula, name: CarriedKey, at: Position) -> Form | None:
        """A value that nothing else that is carried gets into."""
        algebra = self.algebra
        if not self.holes_in(each.end, loop):
            return self.last(each, loop, name, at)
        rest = algebra.minus(each.end, algebra.of(mine))
        if not self.holes_in(rest, loop):
            if self.is_ring(self.type_of(loop, name)):
                return algebra.plus(each.first, algebra.total(algebra.settled(rest), loop.number, where))
            return None
        if self.is_ring(self.type_of(loop, name)):
            found = self.multiplied(each, mine, loop, where, name, at)
            if found is not None:
                return found
        found = self.exclusively(each, mine, loop, where, name)
        if found is not None:
            return found
        only = each.end.only()
        if only is not None and only[1] == 1 and len(only[0]) == 1:
            factor = algebra.factors[only[0][0][0]]
            if factor.kind in ("max", "min"):
                return self.greatest(factor, each, mine, loop, where)
        return None

    def kept(self, each: Carried, loop: LoopRun, name: CarriedKey, other: CarriedKey, at: Position,
             where: Formula) -> Form | None:
        """The place of another carried value, which is kept with it."""
        if where != self.rounds(loop, other, at):
            return None
        beside = self.carried(loop, other, at)
        step = self.keeping_step(each.end, self.own_hole(loop, name, at), self.own_hole(loop, other, at), beside.end)
        if step is None or self.holes_in(step.value, loop) or self.holes_in(step.place, loop):
            return None
        return self.places_of(step, (beside.first, each.first), loop.number, where)

    def exclusively(self, each: Carried, mine: Factor, loop: LoopRun, where: Formula, name: CarriedKey) -> Form | None:
        """h' = h ^ g: the first value and g of all rounds, added modulo 2."""
        algebra, bits = self.algebra, self.type_of(loop, name).bits
        if not any(algebra.factors[number].kind == "xor" for mono in each.end.terms for number, _ in mono):
            return None
        rest = algebra.minus(algebra.operand(bits, each.end), algebra.operand(bits, algebra.of(mine)))
        if self.holes_in(rest, loop):
            return None
        added = algebra.total(algebra.settled(rest), loop.number, where)
        return algebra.xored(bits, algebra.plus(algebra.operand(bits, each.first), added))

    def multiplied(self, each: Carried, mine: Factor, loop: LoopRun, where: Formula, name: CarriedKey,
                   at: Position) -> Form | None:
        """h' = a·h + b with the same a in all rounds: a^n·h and a sum of a^(n-1-r)·b."""
        algebra = self.algebra
        slope, rest = self.linear(each.end, mine)
        if slope is None or self.holes_in(slope, loop) or self.holes_in(rest, loop):
            return None
        trips = algebra.integers.trip(self.test(loop, name, at), loop.number)
        if loop.number in algebra.atoms_of(slope):
            return self.weighted(each, slope, rest, loop.number, where, trips)
        whole = algebra.powered(slope, trips)
        part = algebra.powered(slope, trips - Poly.atom(loop.number).plus(1))
        if whole is None or part is None:
            return None
        result = algebra.times(whole, each.first)
        same = Form({mono: coef for mono, coef in rest.terms.items() if loop.number not in algebra.atoms_of(Form({mono: 1}))})
        if same.terms:
            result = algebra.plus(result, algebra.times(same, self.geometric(slope, whole)))
            rest = algebra.minus(rest, same)
        return algebra.plus(result, algebra.total(algebra.settled(algebra.times(part, rest)), loop.number, where))

    def geometric(self, base: Form, whole: Form) -> Form:
        """1 + a + … + a^(n-1) as (a^n - 1)/(a - 1), which is a polynomial: so the base may well be 1."""
        algebra = self.algebra
        return algebra.times(algebra.minus(whole, ONE), algebra.power(algebra.minus(base, ONE), -1))

    def type_of(self, loop: LoopRun, name: CarriedKey) -> Scalar:
        return loop.holes[name].type

    def last(self, each: Carried, loop: LoopRun, name: CarriedKey, at: Position) -> Form:
        """The value of the last round, or the first value if there is none."""
        trips = self.algebra.integers.trip(self.test(loop, name, at), loop.number)
        made = self.algebra.put(each.end, {loop.number: trips.plus(-1)})
        return self.choose(self.algebra.bracket(P.le(Poly.number(1), trips)), made, each.first)

    def greatest(self, factor: Factor, each: Carried, mine: Factor, loop: LoopRun, where: Formula) -> Form | None:
        algebra, (family, ranges) = self.algebra, factor.data
        kept = [one for one in ranges if one.body != algebra.of(mine)]
        if len(kept) != len(ranges) - 1 or any(self.holes_in(one.body, loop) for one in kept):
            return None
        if any(one.bound is not None for one in kept):
            return None
        over = [algebra.ranged(one.body, loop.number, where) if loop.number in algebra.atoms_of(one.body)
                else Range(None, 1, 0, P.TRUE, one.body) for one in kept]
        if any(one.bound is None for one in over):
            return None
        return algebra.extreme(factor.kind, family, [Range(None, 1, 0, P.TRUE, each.first), *over])

    def carried_beside(self, loop: LoopRun, name: CarriedKey, holes: set[int]) -> list[CarriedKey]:
        """The other carried values that get into one."""
        names = {self.algebra.factors[number].data[1]: None for number in sorted(holes)}
        return [other for other in names if other != name and isinstance(loop.end.get(other), Node)]

    # -- recurrences ----------------------------------------------------------------------------------------------

    def recurrence(self, loop: LoopRun, name: CarriedKey, at: Position, known: Carried | None = None) -> Form:
        """The loop as it is: what it begins with and what a round makes of that, of all values that get into this one. `known`:
        what it carries, if that is known better."""
        algebra = self.algebra
        order: list[tuple[CarriedKey, Position]] = [(name, at)]
        found: list[Carried] = []
        for key, where in order:
            if any(algebra.integers.depends(part, loop.number) for part in where):
                raise CannotFollow("what a thread carries that the round says", loop.place)
            each = known if known is not None and (key, where) == (name, at) else self.carried(loop, key, where)
            found.append(each)
            for number in sorted(self.holes_in(each.end, loop)):
                _, other, owner = algebra.factors[number].data
                place = owner or self.shape.position_of(loop.end[other].lane)  # type: ignore[union-attr]
                if (other, place) not in order:
                    order.append((other, place))
        depth = max((algebra.depth_of(form) for each in found for form in (each.first, each.end)), default=0) + 1
        bound = algebra.bound_at(depth)
        numbers = {self.own_hole(loop, key, where).number: algebra.of(algebra.factor("hole", (
            "carried", depth, at_, self.type_of(loop, key).name))) for at_, (key, where) in enumerate(order)}
        instead = {loop.number: Poly.atom(bound)}
        parts = tuple((each.first, algebra.put(algebra.renamed(each.end, numbers), instead)) for each in found)
        test = algebra.integers.put_formula(self.rounds(loop, name, at), instead)
        if any(self.rounds(loop, key, where) != self.rounds(loop, name, at) for key, where in order):
            raise CannotFollow("lanes that depend on each other make different rounds", loop.place)
        return algebra.of(algebra.fold(0, parts, test, bound))
