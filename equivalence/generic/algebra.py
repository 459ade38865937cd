"""Sums, maxima and powers of e over forms.

Sums that go over one body are put together where their ranges are (`settled`): so what every lane of a block adds up, and a tree
over it, becomes one sum over a row.

e^(a + b) = e^a · e^b; max is associative, commutative and idempotent, so it is a set; -infinity is its least element.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations

from automata import scalar
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from equivalence.generic.bounds import interval, pinned
from equivalence.generic.cases import Cases
from equivalence.generic.chains import decided_tests
from equivalence.generic.form import ONE, ZERO, Factor, Form, Laws, Mono, Number
from equivalence.generic.inside import inner_forms
from equivalence.generic.integers import CannotFollow, Integers
from equivalence.generic.nests import Nest
from equivalence.generic.ranges import Range

MOST_SINGLE = 1024
"""Terms that are looked at for those that belong to a sum."""
MOST_ALONE = 16
"""Numbers of a sum, or runs of them, that are told apart one by one."""
INTEGERS = {kind.name: kind for kind in vars(scalar).values() if isinstance(kind, scalar.Scalar) and kind.is_int}


class Algebra(Cases):
    """Forms with everything. `under`: what holds where forms are compared; `divisors`: what floats have been divided by."""

    def __init__(self, integers: Integers, laws: Laws) -> None:
        super().__init__(integers, laws)
        self.depths: dict[Atom, int] = {}
        self.nested: dict[int, int] = {}
        self._markers, self._turned = {}, {}
        self.under: tuple[Formula, ...] = ()
        self._settled: dict[Form, Form] = {}
        self.divisors: dict[Form, None] = {}

    @contextmanager
    def assuming(self, facts: Sequence[Formula]) -> Iterator[None]:
        """Within, forms are compared under further facts. What is found equal only under them is forgotten behind."""
        kept = self.under, self._settled, self._put
        self.under = (*self.under, *facts)
        self._settled, self._put = {}, {}
        try:
            yield
        finally:
            self.under, self._settled, self._put = kept

    def tests_in(self, form: Form) -> list[int]:
        """The tests of integers that the terms of a form hang on."""
        return sorted({number for mono in form.terms for number, _ in mono if self.factors[number].kind == "test"})

    def resolved(self, form: Form) -> Form:
        """The form without the tests that are decided here."""
        tests = [self.factors[number] for number in self.tests_in(form)]
        return self.decided(form, decided_tests(self.integers, self.under, tests))

    # -- factors that hold ranges ---------------------------------------------------------------------------

    def range_factor(self, kind: str, data: Hashable, ranges: Sequence[Range]) -> Factor:
        atoms: set[Atom] = set()
        depth = 0
        for each in ranges:
            inner = set(self.atoms_of(each.body)) | {part for at in P.atoms(each.where) for part in self.integers.within(at)}
            atoms |= inner - ({each.bound} if each.bound is not None else set())
            depth = max(depth, self.depths.get(each.bound, 0) if each.bound is not None else self.depth_of(each.body))
        factor = self.factor(kind, data, ())
        factor.atoms = frozenset(atoms)
        self.nested[factor.number] = depth
        return factor

    def factor(self, kind: str, data: Hashable, atoms: Iterable[Atom] = ()) -> Factor:
        known = len(self.factors)
        factor = super().factor(kind, data, atoms)
        if factor.number == known and kind not in ("sum", "max", "min", "place"):
            inner = [self.depth_of(each) for each in _forms_in(data)]
            self.nested[factor.number] = max(inner, default=0)
        return factor

    def nest(self, factor: Factor, inner: Factor) -> None:
        self.nested[factor.number] = self.nested.get(inner.number, 0)

    def made_again(self, factor: Factor, instead: Mapping[Atom, Poly]) -> Form:
        match factor.kind:
            case "sum":
                return self._sum_again(factor.data, instead)
            case "max" | "min":
                return self.extreme(factor.kind, factor.data[0], [self._range_again(each, instead) for each in factor.data[1]])
            case "exp":
                return self.exponential(factor.data[0], self.put(Form({factor.data[1]: 1}), instead))
            case "fold":
                wanted, parts, where, number = factor.data
                made = tuple(tuple(self.put(each, instead) for each in part) for part in parts)
                return self.of(self.fold(wanted, made, self.integers.put_formula(where, instead), number))
            case "hole" | "after":
                return self.of(factor)
        return super().made_again(factor, instead)

    def fold(self, wanted: int, parts: tuple[tuple[Form, ...], ...], where: Formula, number: Atom) -> Factor:
        """What a recurrence leaves: `parts`: the first values, and those at the end of a round in terms of holes;
        `number`: of the round, bound in them; `where`: when there is one."""
        atoms = {each for part in parts for form in part for each in self.atoms_of(form)}
        atoms |= {part for each in P.atoms(where) for part in self.integers.within(each)}
        factor = self.factor("fold", (wanted, parts, where, number))
        factor.atoms = frozenset(atoms - {number})
        self.nested[factor.number] = max((self.depths.get(number, 0), *(self.depth_of(form) for part in parts for form in part)))
        return factor

    def _range_again(self, each: Range, instead: Mapping[Atom, Poly]) -> Range:
        where = self.integers.put_formula(each.where, instead)
        return Range(each.bound, each.step, each.rest, where, self.put(each.body, instead))

    def _sum_again(self, each: Range, instead: Mapping[Atom, Poly]) -> Form:
        moved = self._range_again(each, instead)
        assert moved.bound is not None
        only = moved.body.only()
        if only is not None and only[1] == 1 and not any(self.factors[number].kind in ("test", "power") for number, _ in only[0]):
            return self.of(self.range_factor("sum", moved, [moved]))
        result = ZERO
        for mono, coef in moved.body.terms.items():
            result = self.plus(result, self.scale(self._one_sum(mono, moved), coef))
        return result

    def _one_sum(self, mono: Mono, like: Range) -> Form:
        """The sum of a monomial over a range; what does not hang on the bound integer stands before it."""
        assert like.bound is not None
        outside, within = self.split(mono, like.bound)
        where = [like.where, *(self.factors[number].data for number, _ in within if self.factors[number].kind == "test")]
        inside = tuple(item for item in within if self.factors[item[0]].kind != "test")
        moved = Range(like.bound, like.step, like.rest, P.conj(where), Form({inside: 1}))
        return self.times(Form({outside: 1}), self.of(self.range_factor("sum", moved, [moved])))

    # -- sums ------------------------------------------------------------------------------------------------

    def total(self, body: Form, number: Atom, where: Formula) -> Form:
        """The sum of a form over all numbers that meet a test."""
        result = ZERO
        for coef, mono, tests in self.by_cases(body, lambda factor: number in factor.atoms):
            test = P.conj((where, *tests))
            if test == P.FALSE:
                continue
            only = pinned(test, number)
            if only is not None and not self.integers.depends(only, number):
                made = self.bracket(self.integers.put_formula(test, {number: only}))
                result = self.plus(result, self.scale(self.times(self.put(Form({mono: 1}), {number: only}), made), coef))
                continue
            outside, inside = self.split(mono, number)
            nest = Nest((number,), test, Form({inside: 1}))
            nest = self.flattened(nest) or nest
            found = self.ranged(nest.body, nest.over[0], nest.where)
            result = self.plus(result, self.scale(self.times(Form({outside: 1}), self._sum_again(found, {})), coef))
        return result

    def total_over(self, over: Sequence[Atom], where: Formula, body: Form, *, is_single: bool = False) -> Form:
        """The sum of a form over all integers that meet a test; those that the test says what they are stand in their place. What
        is known of them without the test does not count. `is_single`: CannotFollow unless the test leaves one of each."""
        fresh = {each: self.integers.variable(("summed", at), f"s{at}") for at, each in enumerate(over)}
        instead = {each: Poly.atom(other) for each, other in fresh.items()}
        nest = self.narrowed(Nest(tuple(fresh.values()), self.integers.put_formula(where, instead), self.put(body, instead)))
        if not nest.over:
            return self.times(self.bracket(nest.where), nest.body)
        if is_single:
            raise CannotFollow("it is not seen which thread stores a cell that others add to")
        *outer, inner = nest.over
        result = self.total(nest.body, inner, nest.where)
        for each in reversed(outer):
            result = self.total(result, each, P.TRUE)
        return result

    def settled(self, form: Form) -> Form:
        """The form with sums over one body put together, and those that are known already in their place."""
        known = self._settled.get(form)
        if known is not None:
            return known
        groups: dict[tuple[Mono, Number, Hashable], list[Range]] = {}
        result: dict[Mono, Number] = {}
        for mono, coef in form.terms.items():
            at = next((number for number, power in mono if power == 1 and self.factors[number].kind == "sum"), None)
            if at is None:
                result[mono] = result.get(mono, 0) + coef
                continue
            rest = tuple(item for item in mono if item[0] != at)
            each = self.factors[at].data
            groups.setdefault((rest, coef, self.skeleton(each)), []).append(each)
        for (rest, coef, _), ranges in groups.items():
            ranges += self._points(result, rest, coef, ranges)
        made = Form(result)
        for (rest, coef, _), ranges in groups.items():
            for each in self._together(ranges):
                whole = self.times(Form({rest: coef}), self.counted(each))
                made = self.plus(made, whole)
        self._settled[form] = made
        return made

    def _points(self, single: dict[Mono, Number], rest: Mono, coef: Number, ranges: Sequence[Range]) -> list[Range]:
        """The single terms, which are taken out, that are one more number of a sum: its body there, with its coefficient."""
        found: dict[Mono, Range] = {}
        inverse = tuple((number, -power) for number, power in rest)
        for mono in [mono for mono, each in single.items() if each == coef] if len(single) <= MOST_SINGLE else ():
            body, expanded = self.product(mono, inverse)
            point = None if expanded is not None else self.shifted(Range(None, 1, 0, P.TRUE, Form({body: 1})), ranges[0])
            if point is not None:
                found[mono] = point
        moved = [each for other in ranges if (each := self.shifted(other, ranges[0])) is not None]
        joined = self.points_joined(list(found.values()))
        if found and self._are_apart([*joined, *self.joined(moved)]):
            for mono in found:
                del single[mono]
            return joined
        kept = []
        for mono, point in [*found.items()][:MOST_ALONE]:
            if all(self.apart(each, point, self.under) for each in moved):
                kept.append(point)
                moved.append(point)
                del single[mono]
        return kept

    def _are_apart(self, ranges: Sequence[Range]) -> bool:
        """Whether ranges, if they are few, share no number with each other."""
        return len(ranges) <= MOST_ALONE and all(self.apart(one, two, self.under) for one, two in combinations(ranges, 2))

    def counted(self, each: Range) -> Form:
        """A sum; of ones over an interval, how many there are, and of powers of the number what they add up to."""
        power = self._power_of(each)
        if power is not None and each.step == 1 and each.bound is not None:
            parts = P.conjuncts(each.where)
            own = [part for part in parts if self.integers.formula_depends(part, each.bound)]
            ends = interval(P.conj(own), each.bound)
            if ends is not None and len(own) < len(parts):
                others = P.conj(part for part in parts if part not in own)
                return self.times(self.bracket(others), self.counted(Range(each.bound, 1, 0, P.conj(own), each.body)))
            if ends is not None and not any(self.integers.depends(end, each.bound) for end in ends):
                size = ends[1] - ends[0] + Poly.number(1)
                added = self.minus(self.added_up(ends[1], power), self.added_up(ends[0].plus(-1), power))
                if self.integers.always(P.le(Poly({}), size), self.under):
                    return added
                if power:
                    return self.times(self.bracket(P.le(Poly({}), size)), added)
                if self.integers.never([P.le(Poly.number(1), size), *self.under]):
                    return ZERO
        return self.of(self.range_factor("sum", each, [each]))

    def _power_of(self, each: Range) -> int | None:
        """Of a body that is a power of the number itself, which one."""
        if each.body == ONE:
            return 0
        only = each.body.only()
        if only is None or only[1] != 1 or len(only[0]) != 1:
            return None
        factor, power = self.factors[only[0][0][0]], only[0][0][1]
        return int(power) if factor.kind == "size" and factor.data == each.bound and power in (1, 2, 3) else None

    def _together(self, ranges: Sequence[Range]) -> list[Range]:
        """Ranges with bodies alike, put together where their bodies are the same but for a shift."""
        classes: list[list[Range]] = []
        for each in ranges:
            for held in classes:
                moved = self.shifted(each, held[0])
                if moved is not None:
                    held.append(moved)
                    break
            else:
                classes.append([each])
        return [found for held in classes for found in (held if len(held) == 1 else self.united(held, self.under, disjoint=True))]

    def skeleton(self, each: Range) -> Hashable:
        """What bodies that are the same but for a shift share."""
        if each.bound is None:
            return None
        return tuple(sorted((repr(what), value.coefficient(each.bound).key()) for what, value in self.polys(each.body, each.bound)
                            if what != ("test",)))

    # -- maxima ------------------------------------------------------------------------------------------------

    def extreme(self, kind: str, family: str, ranges: Iterable[Range]) -> Form:
        """The greatest (max) or least (min) of all values of some ranges."""
        flat: list[Range] = []
        for each in ranges:
            flat += self._opened(kind, family, each)
        kept = [each for each in flat if not self._is_neutral(kind, family, each.body)] or flat[:1]
        classes: list[list[Range]] = []
        for each in sorted(kept, key=lambda item: item.bound is None):
            for held in classes:
                moved = self.shifted(each, held[0])
                if moved is not None:
                    held.append(moved)
                    break
            else:
                classes.append([each])
        united = [found for held in classes
                  for found in (held[:1] if held[0].bound is None else self.united(held, self.under, disjoint=False))]
        if len(united) == 1 and united[0].bound is None:
            return united[0].body
        return self.of(self.range_factor(kind, (family, tuple(united)), united))

    def _opened(self, kind: str, family: str, each: Range) -> list[Range]:
        only = each.body.only()
        if each.bound is None and only is not None and only[1] == 1 and len(only[0]) == 1 and only[0][0][1] == 1:
            factor = self.factors[only[0][0][0]]
            if factor.kind == kind and factor.data[0] == family:
                return list(factor.data[1])
        return [each]

    def _is_neutral(self, kind: str, family: str, body: Form) -> bool:
        """Minus infinity for a maximum, infinity for a minimum; of integers, the least and the greatest there are."""
        if body.constant is not None and family in INTEGERS:
            return body.constant == (INTEGERS[family].low if kind == "max" else INTEGERS[family].high)
        only = body.only()
        if only is None or len(only[0]) != 1 or self.factors[only[0][0][0]].kind != "infinity":
            return False
        return (only[1] < 0) == (kind == "max")

    # -- exponentials ------------------------------------------------------------------------------------------

    def exponential(self, base: str, form: Form) -> Form:
        """base^form as a product over its terms."""
        return self.lifted((form,), lambda given: self._exponential(base, self.settled(given[0])))

    def _exponential(self, base: str, form: Form) -> Form:
        result = ONE
        for mono, coef in form.terms.items():
            if len(mono) == 1 and self.factors[mono[0][0]].kind == "infinity" and mono[0][1] == 1:
                if coef < 0:
                    return ZERO
                raise CannotFollow("a power of infinity")
            atoms = frozenset().union(*(self.factors[number].atoms for number, _ in mono)) if mono else frozenset()
            factor = self.factor("exp", (base, mono), atoms)
            self.nested[factor.number] = max((self.nested.get(number, 0) for number, _ in mono), default=0)
            result = self.times(result, self.of(factor, coef))
        return result

    # -- other factors in the place of some ------------------------------------------------------------------

    def all_inside(self, form: Form) -> set[int]:
        """The factors of a form, and of what they are made of."""
        found: set[int] = set()
        todo = [number for mono in form.terms for number, _ in mono]
        while todo:
            number = todo.pop()
            if number not in found:
                found.add(number)
                todo += [inner for part in inner_forms(self.factors[number]) for mono in part.terms for inner, _ in mono]
        return found

    def renamed(self, form: Form, names: Mapping[int, Form]) -> Form:
        """A form with other forms in the place of some factors, inside of its factors too."""
        return self._form_renamed(form, names, {})

    def _form_renamed(self, form: Form, names: Mapping[int, Form], known: dict[int, Form]) -> Form:
        result = ZERO
        for mono, coef in form.terms.items():
            made = self.number(coef)
            for number, power in mono:
                if number not in known:
                    known[number] = self._renamed(self.factors[number], names, known)
                made = self.times(made, known[number] if power == 1 else self.power(known[number], power))
            result = self.plus(result, made)
        return result

    def _renamed(self, factor: Factor, names: Mapping[int, Form], known: dict[int, Form]) -> Form:
        if factor.number in names:
            return names[factor.number]
        parts = inner_forms(factor)
        made = [self._form_renamed(part, names, known) for part in parts]
        if made == parts:
            return factor.data if factor.kind == "poly" else self.of(factor)
        return self._with_forms(factor, made)

    def _with_forms(self, factor: Factor, made: Sequence[Form]) -> Form:
        """A factor of other forms."""
        data = factor.data
        match factor.kind:
            case "call":
                return self.call(data[0], tuple(made))
            case "truth":
                return self.lifted(tuple(made), lambda given: self.truth(data[0], given, data[1]))
            case "poly":
                return made[0]
            case "rest" | "bits" | "xor":
                return self.of_word(factor.kind, data[0], made[0])
            case "exp":
                return self.exponential(data[0], made[0])
            case "power":
                return self.power_again(made[0], data[2])
            case "sum":
                return self._sum_again(Range(data.bound, data.step, data.rest, data.where, made[0]), {})
            case "max" | "min":
                return self.extreme(factor.kind, data[0], [Range(each.bound, each.step, each.rest, each.where, body)
                                                           for each, body in zip(data[1], made, strict=True)])
            case "fold":
                return self.of(self._fold_with(factor, made))
        raise CannotFollow("a function of other values")

    def _fold_with(self, factor: Factor, made: Sequence[Form]) -> Factor:
        """A recurrence of other forms. CannotFollow where those hold one as deep as it is: bound names differ by depth."""
        wanted, _, where, number = factor.data
        if any(self.depth_of(form) >= self.depths[number] for form in made):
            raise CannotFollow("a recurrence inside of another")
        return self.fold(wanted, tuple(zip(made[::2], made[1::2], strict=True)), where, number)


def _forms_in(data: object) -> Iterable[Form]:
    if isinstance(data, Form):
        yield data
    elif isinstance(data, tuple):
        for part in data:
            yield from _forms_in(part)

