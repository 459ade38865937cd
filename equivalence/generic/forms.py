"""The normal form in which two kernels are compared: a ring of forms (`form`), and what is known of their factors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import copysign, prod

from automata.limits import PRODUCT_TERMS
from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel
from automata.scalar import Scalar
from equivalence.generic.bounds import with_small_numbers
from equivalence.generic.coefficients import written_out
from equivalence.generic.exclusive import cases_of, groups_of
from equivalence.generic.form import BRACKETS, ONE, UNIT, ZERO, Factor, Form, Laws, Mono, Number
from equivalence.generic.integers import CannotFollow, Integers

MULTIPLIED = 3_000
"""Nanoseconds of work: of a product of two monomials."""
MOST_LIFTED = 12  # cases of the arguments of a function that are looked at


class Forms:
    """The ring, and the factors that it knows."""

    def __init__(self, integers: Integers, laws: Laws) -> None:
        self.integers, self.laws = integers, laws
        self.factors: list[Factor] = []
        self.kinds: dict[str, set[int]] = {}
        self._known: dict[Hashable, Factor] = {}
        self.shown: dict[tuple[Form, int], str] = {}
        self._products: dict[tuple[Mono, Mono], tuple[Mono, Form | None]] = {}
        self._put: dict[tuple[int, tuple[tuple[Atom, Poly], ...]], Form] = {}

    # -- factors -----------------------------------------------------------------------------------------

    def factor(self, kind: str, data: Hashable, atoms: Iterable[Atom] = ()) -> Factor:
        key = kind, data
        found = self._known.get(key)
        if found is None:
            inner = frozenset(part for each in atoms for part in self.integers.within(each))
            found = self._known[key] = Factor(kind, data, len(self.factors), inner)
            self.factors.append(found)
            self.kinds.setdefault(kind, set()).add(found.number)
        return found

    def of(self, factor: Factor, power: Number = 1) -> Form:
        return Form({((factor.number, power),): 1})

    def atoms_of(self, form: Form) -> frozenset[Atom]:
        numbers = {number for mono in form.terms for number, _ in mono}
        return frozenset().union(*(self.factors[number].atoms for number in numbers))

    def number(self, value: float | int | Fraction) -> Form:
        if isinstance(value, float):
            if value != value:
                if self.laws.floats:
                    raise CannotFollow("NaN, over the reals")
                return self.of(self.factor("nan", ()))
            if value == 0 and copysign(1, value) < 0 and not self.laws.floats:
                return self.of(self.factor("minus zero", ()))
            if value in (float("inf"), float("-inf")):
                infinity = self.of(self.factor("infinity", ()))
                return infinity if value > 0 else self.scale(infinity, -1)
            value = Fraction(value)
        value = int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
        return Form({UNIT: value})

    def of_poly(self, value: Poly) -> Form:
        """An integer that sizes decide, as a number."""
        terms: dict[Mono, Number] = {}
        for mono, coef in value.terms.items():
            powers: dict[int, Number] = {}
            for each in mono:
                number = self.of_atom(each).number
                powers[number] = powers.get(number, 0) + 1
            key = tuple(sorted(powers.items()))
            terms[key] = terms.get(key, 0) + coef
        return Form(terms)

    def of_atom(self, each: Atom) -> Factor:
        made = self.integers.definitions.get(each)
        if made is not None and made.kind == "read":
            array, kind = made.of
            return self.read(array, kind, made.parts[0])
        return self.factor("size", each, (each,))

    def read(self, array: str, kind: Scalar, index: Poly) -> Factor:
        return self.factor("read", (array, kind, index), index.atoms())

    def bracket(self, formula: Formula) -> Form:
        """1 where a formula holds, 0 elsewhere."""
        formula = with_small_numbers(formula) if isinstance(formula, Rel) else formula
        if formula in (P.TRUE, P.FALSE):
            return ONE if formula == P.TRUE else ZERO
        match formula:
            case P.And(args=args):
                result = ONE
                for arg in args:
                    result = self.times(result, self.bracket(arg))
                return result
            case P.Or(args=args):
                result = ONE
                for arg in args:
                    result = self.times(result, self.minus(ONE, self.bracket(arg)))
                return self.minus(ONE, result)
            case P.Not(arg=arg):
                return self.minus(ONE, self.bracket(arg))
        return self._of_test(formula)

    def _of_test(self, formula: Formula) -> Form:
        if isinstance(formula, Rel) and formula.sign == "<=":
            opposite = P.neg(formula)
            assert isinstance(opposite, Rel)
            if opposite.poly.key() < formula.poly.key():
                return self.minus(ONE, self.of(self.factor("test", opposite, P.atoms(opposite))))
        return self.of(self.factor("test", formula, P.atoms(formula)))

    def truth(self, op: str, args: tuple[Form, ...], kinds: str) -> Form:
        """1 where a test on data holds."""
        return self.of(self.factor("truth", (op, kinds, args), (each for arg in args for each in self.atoms_of(arg))))

    def call(self, name: str, args: tuple[Form, ...]) -> Form:
        """A function of other values; where those are chosen by tests, so is its value."""
        return self.lifted(args, lambda given: self.of(self.factor(
            "call", (name, given), (each for arg in given for each in self.atoms_of(arg)))))

    def lifted(self, args: tuple[Form, ...], function: Callable[[tuple[Form, ...]], Form]) -> Form:
        """A function whose arguments are chosen by tests: the value of each case, where it is the case."""
        found = {number for arg in args for mono in arg.terms for number, _ in mono}
        groups = groups_of({each: self.factors[each].data for each in sorted(found) if self.factors[each].kind in BRACKETS})
        if not groups or prod(len(group) + 1 for group in groups) > MOST_LIFTED or self.is_about_sums(args):
            return function(args)
        *cases, none = cases_of(groups[0])
        result = other = self.lifted(tuple(self.decided(arg, none) for arg in args), function)
        for number, case in zip(groups[0], cases, strict=True):
            then = self.lifted(tuple(self.decided(arg, case) for arg in args), function)
            result = self.plus(result, self.times(self.of(self.factors[number]), self.minus(then, other)))
        return result

    def is_about_sums(self, args: tuple[Form, ...]) -> bool:
        return False

    def decided(self, form: Form, known: Mapping[int, bool]) -> Form:
        """A form where tests are known to hold or to fail."""
        terms: dict[Mono, Number] = {}
        for mono, coef in form.terms.items():
            if all(known.get(number, True) for number, _ in mono):
                left = tuple(item for item in mono if item[0] not in known)
                terms[left] = terms.get(left, 0) + coef
        return Form(terms)

    # -- the ring ---------------------------------------------------------------------------------------

    def plus(self, one: Form, two: Form) -> Form:
        if len(one.terms) < len(two.terms):
            one, two = two, one
        if self.laws.floats and two.terms:
            self.require_finite(one, two)
        terms = dict(one.terms)
        for mono, coef in two.terms.items():
            terms[mono] = terms.get(mono, 0) + coef
        return Form(terms)

    def minus(self, one: Form, two: Form) -> Form:
        return self.plus(one, self.scale(two, -1))

    def require_finite(self, *forms: Form) -> None:
        """CannotFollow where one is infinite: infinities do not cancel."""
        for form in forms:
            only = form.only()
            if only is not None and len(only[0]) == 1 and self.factors[only[0][0][0]].kind == "infinity":
                raise CannotFollow("arithmetic with an infinity, over the reals")

    def scale(self, form: Form, by: Number) -> Form:
        if by in (1, -1):
            return form if by == 1 else Form({mono: -coef for mono, coef in form.terms.items()})
        return Form(written_out({mono: coef * by for mono, coef in form.terms.items()}))

    def times(self, one: Form, two: Form) -> Form:
        for mine, yours in ((one, two), (two, one)):
            if mine.constant is not None:
                if self.laws.floats and not mine.terms:
                    self.require_finite(yours)
                return self.scale(yours, mine.constant)
        if self.laws.floats:
            self.require_finite(one, two)
        if not PRODUCT_TERMS.allows(len(one.terms) * len(two.terms)):
            raise CannotFollow("values of too many terms")
        self.integers.mind_budget(MULTIPLIED * len(one.terms) * len(two.terms))
        terms: dict[Mono, Number] = {}
        more: list[Form] = []
        for left, a in one.terms.items():
            for right, b in two.terms.items():
                mono, expanded = self.multiplied(left, right)
                if expanded is None:
                    terms[mono] = terms.get(mono, 0) + a * b
                else:
                    more.append(self.scale(self.times(Form({mono: 1}), expanded), a * b))
        return self.all_added([Form(written_out(terms)), *more])

    def multiplied(self, left: Mono, right: Mono) -> tuple[Mono, Form | None]:
        """`product`, kept."""
        found = self._products.get((left, right))
        if found is None:
            found = self._products[left, right] = self.product(left, right)
        return found

    def product(self, left: Mono, right: Mono) -> tuple[Mono, Form | None]:
        """The product of two monomials; of forms that come to a positive power, besides, what they are."""
        if not left or not right:
            return left or right, None
        powers = dict(left)
        for number, power in right:
            powers[number] = powers.get(number, 0) + power
        expanded: Form | None = None
        for number in powers.keys() & dict(right).keys():
            kind, power = self.factors[number].kind, powers[number]
            if kind in BRACKETS and power > 1:
                powers[number] = 1
            elif kind == "poly" and power >= 1:
                whole = int(power)
                powers[number] = power - whole
                for _ in range(whole):
                    base = self.factors[number].data
                    expanded = base if expanded is None else self.times(expanded, base)
        return tuple(sorted(item for item in powers.items() if item[1])), expanded

    def power(self, form: Form, power: Number) -> Form:
        """A power that need be no positive integer: of a monomial factor by factor, of anything else as a factor of its own."""
        if power == 1:
            return form
        if self.laws.floats:
            self.require_finite(form)
        if power == 0:
            return ONE
        if isinstance(power, int) and power > 0:
            return self.times(form, self.power(form, power - 1))
        return self.lifted((form,), lambda given: self._power(given[0], power))

    def _power(self, form: Form, power: Number) -> Form:
        if not form.terms:
            raise CannotFollow("a divisor that is zero in some case")
        only = form.only()
        if only is not None and all(self.factors[number].kind not in BRACKETS for number, _ in only[0]):
            mono, coef = only
            result, left = ONE, Form({UNIT: 1})
            for number, each in mono:
                if power == int(power) or self.factors[number].kind == "exp":
                    result = self.times(result, self.raised(number, each * power))
                else:
                    left = self.times(left, self.of(self.factors[number], each))
            if power == int(power):
                return self.scale(result, self.plain(Fraction(coef) ** int(power)))
            left = self.scale(left, coef)
            return result if left == ONE else self.times(result, self.of(self.factor("poly", left, self.atoms_of(left)), power))
        form, content = self.primitive(form) if power == -1 else (form, ONE)
        if power == -1 and (turned := self.turned_round(form)) is not None:
            return self.times(turned, self.power(content, -1) if content is not ONE else ONE)
        factor = self.factor("poly", form, self.atoms_of(form))
        return self.times(self.of(factor, power), self.power(content, -1) if content is not ONE else ONE)

    def turned_round(self, form: Form) -> Form | None:
        """1/(c + d·e^-x) as 1/c - d/c · 1/(d + c·e^x), for numbers c and d: a sigmoid is the same, however it is written, also as
        an exponent."""
        constant = form.terms.get(UNIT, 0)
        others = [(mono, coef) for mono, coef in form.terms.items() if mono != UNIT]
        if not constant or len(others) != 1:
            return None
        mono, coef = others[0]
        if mono[0][1] >= 0 or any(self.factors[number].kind != "exp" for number, _ in mono):
            return None
        inner = Form({UNIT: coef, tuple((number, -each) for number, each in mono): constant})
        return self.plus(self.number(self.plain(1 / Fraction(constant))),
                         self.scale(self.power(inner, -1), self.plain(-Fraction(coef) / constant)))

    def plain(self, value: Fraction) -> Number:
        return int(value) if value.denominator == 1 else value

    def raised(self, number: int, power: Number) -> Form:
        """A power of a factor, those of forms taken apart where they can be."""
        factor = self.factors[number]
        if factor.kind == "poly" and power >= 1:
            result = self.of(factor, power - int(power)) if power != int(power) else ONE
            for _ in range(int(power)):
                result = self.times(result, factor.data)
            return result
        return self.of(factor, power) if power else ONE

    def primitive(self, form: Form) -> tuple[Form, Form]:
        """A form over the largest monomial that divides it, so that its leading coefficient is one; and that monomial."""
        shared: dict[int, Number] | None = None
        for mono in form.terms:
            powers = {number: power for number, power in mono if self.factors[number].kind not in BRACKETS}
            if shared is None:
                shared = powers
            else:
                shared = {number: min(power, powers.get(number, 0)) for number, power in shared.items() if powers.get(number)}
        shared = {number: power for number, power in (shared or {}).items() if power}
        lead = form.terms[min(form.terms)]
        content = Form({tuple(sorted(shared.items())): lead})
        inverse = tuple(sorted((number, -power) for number, power in shared.items()))
        rest = Form({self.product(mono, inverse)[0]: self.plain(Fraction(coef) / lead) for mono, coef in form.terms.items()})
        return rest, content

    # -- seen from elsewhere ------------------------------------------------------------------------------

    def put(self, form: Form, instead: Mapping[Atom, Poly]) -> Form:
        """A form with other values in the place of some integers."""
        touched = self.atoms_of(form)
        if touched.isdisjoint(instead):
            return form
        key = tuple(sorted((each, value) for each, value in instead.items() if each in touched))
        names = frozenset(each for each, _ in key)
        kept: dict[Mono, Number] = {}
        made: list[Form] = []
        for mono, coef in form.terms.items():
            if all(names.isdisjoint(self.factors[number].atoms) for number, _ in mono):
                kept[mono] = kept.get(mono, 0) + coef
                continue
            whole = self._mono_put(mono, key)
            if isinstance(whole, Form):
                made.append(self.scale(whole, coef))
            else:
                kept[whole] = kept.get(whole, 0) + coef
        result = self.all_added([Form(kept), *made])
        if self.laws.floats and "infinity" in self.kinds and len(result.terms) > 1:
            self.require_finite(*(Form({mono: 1}) for mono in result.terms))
        return result

    def _mono_put(self, mono: Mono, key: tuple[tuple[Atom, Poly], ...]) -> Mono | Form:
        """A monomial seen from elsewhere: a monomial again, unless a factor of it comes to more."""
        result = UNIT
        for place, (number, power) in enumerate(mono):
            each = self._factor_put(number, power, key)
            only = each.only()
            product = self.multiplied(result, only[0]) if only and only[1] == 1 and "infinity" not in self.kinds else None
            if product is None or product[1] is not None:
                whole = self.times(Form({result: 1}), each)
                for other, exponent in mono[place + 1:]:
                    whole = self.times(whole, self._factor_put(other, exponent, key))
                return whole
            result = product[0]
        return result

    def all_added(self, parts: Iterable[Form]) -> Form:
        """The sum of many forms."""
        held = [part for part in parts if part.terms]
        if len(held) < 2:
            return held[0] if held else ZERO
        if self.laws.floats:
            self.require_finite(*held)
        terms: dict[Mono, Number] = {}
        for part in held:
            for mono, coef in part.terms.items():
                terms[mono] = terms.get(mono, 0) + coef
        return Form(terms)

    def _factor_put(self, number: int, power: Number, key: tuple[tuple[Atom, Poly], ...]) -> Form:
        factor = self.factors[number]
        own = tuple(item for item in key if item[0] in factor.atoms)
        if not own:
            return self.of(factor, power)
        known = self._put.get((number, own))
        if known is None:
            known = self._put[number, own] = self.made_again(factor, dict(own))
        if factor.kind == "poly":
            return self.power(known, power)
        return known if power == 1 else self.power(known, power)

    def made_again(self, factor: Factor, instead: Mapping[Atom, Poly]) -> Form:
        put, data = self.integers.put, factor.data
        match factor.kind:
            case "size":
                return self.of_poly(put(Poly.atom(data), instead))
            case "read":
                return self.of(self.read(data[0], data[1], put(data[2], instead)))
            case "test":
                return self.bracket(self.integers.put_formula(data, instead))
            case "truth":
                return self.truth(data[0], tuple(self.put(arg, instead) for arg in data[2]), data[1])
            case "call":
                return self.call(data[0], tuple(self.put(arg, instead) for arg in data[1]))
            case "poly":
                return self.put(data, instead)
        raise AssertionError(factor.kind)
