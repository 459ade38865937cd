"""What operations on data mean in a reading, as forms.

Where a reading has no law for an operation, it is a function of its operands by its name and types; so it is in the bitwise
reading for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from automata.lang.exactness import FUSED, ROUNDED
from automata.logic import poly as P
from automata.scalar import BOOL, Scalar
from equivalence.domains.functions import OPERATORS, SIGN_OF_ZERO, stem
from equivalence.generic.digits import by_digits, lies_in, narrowed
from equivalence.generic.expressions import EXACT
from equivalence.generic.first_pairs import EXTREMES, Pairs
from equivalence.generic.form import ONE, ZERO, Form
from equivalence.generic.infinities import Noted
from equivalence.generic.integers import CannotFollow
from equivalence.generic.lanes import Position
from equivalence.generic.ordered_choices import Choices
from equivalence.generic.ranges import Range
from equivalence.generic.shifts import by_cases
from equivalence.generic.values import Node

ORDERED = frozenset({"<", "<="})
HALF = Fraction(1, 2)
NO_INFINITY = {"exp": "exp", "exp2": "exp", "exp10": "exp", "expm1": "exp", "sqrt": "sqrt", "rsqrt": "sqrt", "log": "log",
               "tanh": "tanh"}
"""What an operation is noted as, of which a reading knows more than that it is a function of its operands."""


class Operations(Choices):
    """Forms of operations, for a reading. `used`: the maxima and minima that more is computed with; `noted`: what infinities
    may not get into."""

    algebra: Pairs
    used: dict[int, None]
    noted: dict[Noted, None]

    @abstractmethod
    def form(self, node: Node, at: Position) -> Form: ...

    def extreme_choice(self, node: Node, at: Position) -> Form | None:
        """a < b ? b : a is a maximum, where maxima are understood."""
        test, then, other = node.args
        negated = test.op == "unary" and test.data == "!"
        test = test.args[0] if negated else test
        if test.op != "binary" or test.data not in ORDERED or not self.understands_order(node.type):
            return None
        compared, kind = test.args[0].type, node.type
        if compared.is_float is not kind.is_float or (kind.is_int and not compared.low <= kind.low <= kind.high <= compared.high):
            return None
        one, two = (self.form(arg, at) for arg in test.args)
        yes, no = self.form(then, at), self.form(other, at)
        if negated:
            yes, no = no, yes
        if (yes, no) == (two, one):
            return self.extreme("max", node.type, one, two)
        if (yes, no) == (one, two):
            return self.extreme("min", node.type, one, two)
        return self.scaled_choice(kind, (one, two), yes, no) if kind.is_float else None

    def scaled_choice(self, kind: Scalar, compared: tuple[Form, Form], yes: Form, no: Form) -> Form | None:
        """a < b ? c·e^(a - b) : c is c·e^(a - max(a, b)), and with e^(b - a) it is c·e^(max(a, b) - a): what is scaled only where
        a maximum is new."""
        algebra, (one, two) = self.algebra, compared
        for base in "e2":
            for sign in (1, -1):
                distance = algebra.scale(algebra.minus(one, two), sign)
                if yes == algebra.times(no, algebra.exponential(base, distance)):
                    largest = self.extreme("max", kind, one, two)
                    self.computes_with("-", one, largest)
                    shift = algebra.scale(algebra.minus(one, largest), sign)
                    self.computes_with("exp", shift)
                    power = algebra.exponential(base, shift)
                    self.computes_with("*", no, power)
                    return algebra.times(no, power)
        return None

    def understands_order(self, kind: Scalar) -> bool:
        laws = self.algebra.laws
        return laws.exp_max if kind.is_float else laws.ints

    def extreme(self, kind: str, of: Scalar, *values: Form) -> Form:
        family = "real" if of.is_float else of.name
        return self.algebra.lifted(values, lambda given: self.algebra.extreme(
            kind, family, [Range(None, 1, 0, P.TRUE, each) for each in given]))

    # -- operations ---------------------------------------------------------------------------------------------

    def operation(self, node: Node, args: list[Form]) -> Form:
        match node.op:
            case "unary":
                return self.unary(node, args[0])
            case "binary":
                return self.binary(node, args[0], args[1])
            case "cast":
                return self.cast(node, args[0])
            case "bits":
                inner = node.args[0]
                if inner.op == "bits" and inner.args[0].type == node.type:
                    return self._bare(inner, args[0])
                return self.algebra.call(f"bits {inner.type.name} {node.type.name}", (args[0],))
            case "call":
                return self.call(node, tuple(args))
        raise AssertionError(node.op)

    def _bare(self, inner: Node, value: Form) -> Form:
        """The value whose bits were taken and given back."""
        only, source = value.only(), inner.args[0].type.name
        if only is not None and only[1] == 1 and len(only[0]) == 1 and only[0][0][1] == 1:
            factor = self.algebra.factors[only[0][0][0]]
            if factor.kind == "call" and factor.data[0] == f"bits {source} {inner.type.name}":
                inside: Form = factor.data[1][0]
                return inside
        return self.algebra.call(f"bits {inner.type.name} {source}", (value,))

    def is_ring(self, kind: Scalar) -> bool:
        laws = self.algebra.laws
        return laws.floats if kind.is_float else laws.ints

    def unary(self, node: Node, value: Form) -> Form:
        if node.data == "!":
            return self.algebra.minus(ONE, value if node.args[0].type == BOOL else self.is_set(value, node.args[0].type))
        if node.data == "-" and self.is_ring(node.type):
            return self.algebra.scale(value, -1)
        if node.data == "~" and self.is_ring(node.type):
            return self.algebra.minus(self.algebra.scale(value, -1), ONE)
        return self.algebra.call(f"{node.data} {node.type.name}", (value,))

    def is_set(self, value: Form, kind: Scalar) -> Form:
        return self.algebra.minus(ONE, self.algebra.truth("==", (value, ZERO), kind.name))

    def binary(self, node: Node, one: Form, two: Form) -> Form:
        algebra, op, kind = self.algebra, str(node.data), node.args[0].type
        if op == "&&":
            return algebra.times(one, two)
        if op == "||":
            return algebra.minus(algebra.plus(one, two), algebra.times(one, two))
        if op == "!=":
            return algebra.minus(ONE, algebra.truth("==", (one, two), kind.name))
        if op in ("<", "<=", "=="):
            return algebra.lifted((one, two), lambda given: algebra.truth(op, given, "real" if kind.is_float else kind.name))
        return self.arithmetic(op, one, two, kind)

    def arithmetic(self, op: str, one: Form, two: Form, kind: Scalar) -> Form:
        algebra = self.algebra
        if self.is_ring(kind):
            self.computes_with(op, one, two)
            if op == "+":
                return algebra.plus(one, two)
            if op == "-":
                return algebra.minus(one, two)
            if op == "*":
                return algebra.times(self.put_together(one), self.put_together(two))
            if op == "/" and kind.is_float:
                algebra.divisors[two] = None
                return algebra.times(self.put_together(one), algebra.power(self.put_together(two), -1))
        if kind.is_int:
            return self.of_digits(op, self.put_together(one), self.put_together(two), kind)
        return algebra.call(f"{op} {kind.name}", (self.put_together(one), self.put_together(two)))

    def of_digits(self, op: str, one: Form, two: Form, kind: Scalar) -> Form:
        """An operation on bits or a division of integers: what it leaves of them, where the reading has laws for integers; else
        whether it does anything: a shift by 0, no more bits set, a mask of all bits that there are."""
        if two.constant == 0 and op in ("<<", ">>", "|", "^"):
            return one
        if self.is_ring(kind):
            found = by_digits(self.algebra, op, one, two, kind)
            if found is None and op == "^":
                return self.algebra.exclusive(kind.bits, one, two)
            if found is None and op in ("<<", ">>"):
                found = by_cases(self.algebra, two, kind.bits, lambda number: by_digits(
                    self.algebra, op, one, self.algebra.number(number), kind))
            return self.algebra.call(f"{op} {kind.name}", (one, two)) if found is None else found
        mask = two.constant
        if op == "&" and isinstance(mask, int) and mask >= 0 and mask & (mask + 1) == 0:
            high = self.most(one, kind)
            if high is not None and high <= mask:
                return one
        return self.algebra.call(f"{op} {kind.name}", (one, two))

    def most(self, form: Form, kind: Scalar) -> int | None:
        """The most that an integer of a type may be that is not negative for sure; None if that is not seen."""
        only = form.only()
        if form.constant is not None or only is None or only[1] != 1 or len(only[0]) != 1 or only[0][0][1] != 1:
            return None
        factor = self.algebra.factors[only[0][0][0]]
        if factor.kind == "read":
            return factor.data[1].high if self.is_exact(form, kind) and factor.data[1].low >= 0 else None
        if factor.kind == "call" and factor.data[0] == f">> {kind.name}":
            value, by = factor.data[1]
            high, shift = self.most(value, kind), by.constant
            return high >> shift if high is not None and isinstance(shift, int) and 0 <= shift < kind.bits else None
        return None

    def computes_with(self, op: str, *values: Form) -> None:
        """Note maxima, minima and places that are computed with, which have to be of something, and what infinities may not get
        into."""
        if self.algebra.laws.floats:
            self.noted[op, values] = None
        extremes = set().union(*(self.algebra.kinds.get(kind, ()) for kind in EXTREMES))
        if extremes:
            for value in values:
                for mono in value.terms:
                    self.used |= {number: None for number, _ in mono if number in extremes}

    def put_together(self, form: Form) -> Form:
        return self.algebra.settled(form)

    def cast(self, node: Node, value: Form) -> Form:
        source, kind = node.args[0].type, node.type
        if source == BOOL:
            return value
        if kind == BOOL:
            return self.is_set(value, source)
        if source.is_float and kind.is_float and self.algebra.laws.floats:
            return value
        if source.is_int and kind.is_float and self.algebra.laws.floats and (node.data == EXACT or self.is_exact(value, source)):
            return value
        if source.is_int and kind.is_int:
            if source.bits == kind.bits and self.algebra.laws.ints:
                return value
            if kind.low <= source.low and source.high <= kind.high and self.is_exact(value, source):
                return value
            found = narrowed(self.algebra, value, source, kind) if self.algebra.laws.ints else None
            if found is not None:
                return found
        return self.algebra.call(f"cast {source.name} {kind.name}", (self.put_together(value),))

    def is_exact(self, value: Form, source: Scalar) -> bool:
        """Whether a form of an integer is its value, not only up to multiples of 2^bits."""
        return lies_in(self.algebra, value, source)

    def call(self, node: Node, args: tuple[Form, ...]) -> Form:
        algebra, laws, function = self.algebra, self.algebra.laws, str(node.data)
        kinds = ",".join("real" if arg.type.is_float else arg.type.name for arg in node.args)
        if laws.floats and (at := SIGN_OF_ZERO.get(stem(function))) is not None and args[at] == ZERO:
            raise CannotFollow("the sign of a zero, over the reals")
        if not (laws.floats and node.type.is_float):
            types = ",".join(arg.type.name for arg in node.args)
            return algebra.call(f"{function} {types} {node.type.name}", tuple(map(self.put_together, args)))
        rounded = ROUNDED.match(function)
        if FUSED.match(function):
            return self.multiplied_and_added(*args)
        if rounded:
            return self.arithmetic(OPERATORS[rounded.group(1)], args[0], args[1], node.type)
        name = stem(function)
        if name not in ("fmax", "fmin"):
            self.computes_with(NO_INFINITY.get(name, "call"), *args)
        known = self.known_function(name, node.type, args)
        return known if known is not None else algebra.call(f"{name} {kinds}", tuple(map(self.put_together, args)))

    def known_function(self, name: str, kind: Scalar, args: tuple[Form, ...]) -> Form | None:
        """A function of which the reading knows what it is over the reals, None for others."""
        algebra = self.algebra
        match name:
            case "fma" | "mad":
                return self.multiplied_and_added(*args)
            case "divide":
                return self.arithmetic("/", args[0], args[1], kind)
            case "recip":
                return self.arithmetic("/", ONE, args[0], kind)
            case "sqrt":
                return algebra.power(self.put_together(args[0]), HALF)
            case "rsqrt":
                algebra.divisors[args[0]] = None
                return algebra.power(self.put_together(args[0]), -HALF)
        return self.lawful(name, kind, args) if algebra.laws.exp_max else None

    def multiplied_and_added(self, one: Form, two: Form, more: Form) -> Form:
        self.computes_with("*", one, two)
        product = self.algebra.times(self.put_together(one), self.put_together(two))
        self.computes_with("+", product, more)
        return self.algebra.plus(product, more)

    def lawful(self, name: str, kind: Scalar, args: tuple[Form, ...]) -> Form | None:
        """Maxima, exponentials and what is made of them."""
        algebra = self.algebra
        match name:
            case "fmax" | "fmin":
                return self.extreme(name[1:], kind, *args)
            case "exp" | "exp2" | "exp10":
                return algebra.exponential({"exp": "e", "exp2": "2", "exp10": "10"}[name], args[0])
            case "tanh":
                power = algebra.exponential("e", algebra.scale(args[0], 2))
                return algebra.minus(ONE, algebra.scale(self.arithmetic("/", ONE, algebra.plus(power, ONE), kind), 2))
            case "log":
                return self.logarithm(args[0])
            case "expm1":
                return algebra.minus(algebra.exponential("e", args[0]), ONE)
        return None

    def logarithm(self, value: Form) -> Form:
        """log(e^m · r) = m + log r, log(1 / r) = -log r."""
        algebra = self.algebra
        only = self.put_together(value).only()
        if only is None:
            return algebra.call("log real", (self.put_together(value),))
        result, rest = ZERO, algebra.number(only[1])
        for number, power in only[0]:
            factor = algebra.factors[number]
            if factor.kind == "exp" and factor.data[0] == "e":
                result = algebra.plus(result, Form({factor.data[1]: power}))
            else:
                rest = algebra.times(rest, algebra.of(factor, power))
        if rest == ONE:
            return result
        one = rest.only()
        if one is not None and one[0] and all(power < 0 for _, power in one[0]):
            below = algebra.number(1 / Fraction(one[1]))
            for number, power in one[0]:
                below = algebra.times(below, algebra.of(algebra.factors[number], -power))
            return algebra.minus(result, algebra.call("log real", (below,)))
        return algebra.plus(result, algebra.call("log real", (rest,)))
