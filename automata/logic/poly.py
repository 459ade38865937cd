"""Integer polynomials over atoms, and formulas of their signs.

What the solvers see: a `Poly` maps monomials (sorted tuples of atoms) to integer coefficients; a
`Formula` is a boolean combination of `poly <= 0`, `poly == 0` and opaque propositions. sympy takes over
where its algebra is wanted (`to_sympy`): factoring, division, solving.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, assert_never

from automata.budget import METER
from automata.logic.atom import Atom

if TYPE_CHECKING:
    import sympy

Monomial = tuple[Atom, ...]
UNIT: Monomial = ()
PRODUCT, RELATION = 700, 3_000
"""Nanoseconds of work: of a product of two monomials, of a relation that is looked at."""


def divided(mono: Monomial, by: Monomial) -> Monomial | None:
    """What is left of a monomial without the atoms of another; None if it does not hold them all."""
    rest = list(mono)
    for atom in by:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


class Poly:
    """An integer polynomial; immutable, hashable, never holds a zero coefficient."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: dict[Monomial, int] = {mono: coef for mono, coef in terms.items() if coef}
        self._hash: int | None = None

    @staticmethod
    def number(value: int) -> Poly:
        return _made({UNIT: value} if value else {})

    @staticmethod
    def atom(atom: Atom) -> Poly:
        return _made({(atom,): 1})

    def __add__(self, other: Poly) -> Poly:
        if not other.terms:
            return self
        result = dict(self.terms)
        for mono, coef in other.terms.items():
            result[mono] = result.get(mono, 0) + coef
        return _made(result)

    def __sub__(self, other: Poly) -> Poly:
        return self + other.scale(-1)

    def __mul__(self, other: Poly) -> Poly:
        result: dict[Monomial, int] = {}
        METER.done += PRODUCT * len(self.terms) * len(other.terms)
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                mono = tuple(sorted(left + right)) if left and right else left or right
                result[mono] = result.get(mono, 0) + a * b
        return _made(result)

    def scale(self, factor: int) -> Poly:
        return _made({mono: coef * factor for mono, coef in self.terms.items()})

    def plus(self, value: int) -> Poly:
        return self + Poly.number(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    @property
    def constant(self) -> int | None:
        """The value when the polynomial is a number, else None."""
        if not self.terms:
            return 0
        return self.terms.get(UNIT) if len(self.terms) == 1 else None

    def atoms(self) -> set[Atom]:
        return {atom for mono in self.terms for atom in mono}

    def key(self) -> tuple[tuple[Monomial, int], ...]:
        """By which polynomials are put into an order that repeats."""
        return tuple(sorted(self.terms.items()))

    @property
    def degree(self) -> int:
        return max((len(mono) for mono in self.terms), default=0)

    def coefficient(self, *atoms: Atom) -> Poly:
        """The polynomial X in  self = X·atoms + rest, where every monomial with all of the atoms goes to X."""
        return Poly({rest: coef for mono, coef in self.terms.items() if (rest := divided(mono, atoms)) is not None})

    def replace(self, mapping: Mapping[Atom, Poly]) -> Poly:
        """The polynomial with atoms replaced by polynomials."""
        if all(map(mapping.keys().isdisjoint, self.terms)):
            return self
        result: dict[Monomial, int] = {}
        for mono, coef in self.terms.items():
            instead = [mapping[atom] for atom in mono if atom in mapping]
            product = Poly({tuple([atom for atom in mono if atom not in mapping]): coef})
            for each in instead:
                product = product * each
            for made, number in product.terms.items():
                if total := result.get(made, 0) + number:
                    result[made] = total
                else:
                    del result[made]
        return _made(result)

    def value(self, model: Mapping[Atom, int]) -> int:
        """The value under an assignment of every atom."""
        total = 0
        for mono, coef in self.terms.items():
            for atom in mono:
                coef *= model[atom]
            total += coef
        return total

    def to_sympy(self, text: Callable[[Atom], str] = repr) -> sympy.Expr:
        """The same polynomial as a sympy expression over integer symbols. `text`: what people are to see of an atom."""
        import sympy

        return sympy.Add(*[sympy.Mul(coef, *[sympy.Symbol(text(atom), integer=True) for atom in mono])
                           for mono, coef in self.terms.items()])

    def __repr__(self) -> str:
        parts = []
        for mono, coef in sorted(self.terms.items(), key=lambda item: (-len(item[0]), sorted(map(repr, item[0])))):
            sign = "-" if coef < 0 else "+"
            body = "*".join(sorted(map(repr, mono)))
            number = "" if abs(coef) == 1 and mono else str(abs(coef))
            parts.append((sign, number + ("*" if number and body else "") + body))
        if not parts:
            return "0"
        text = " ".join(f"{sign} {body}" for sign, body in parts)
        return text[2:] if text.startswith("+ ") else "-" + text[2:]


def _made(terms: dict[Monomial, int]) -> Poly:
    """The polynomial of terms that nobody else holds."""
    poly = Poly.__new__(Poly)
    poly.terms = {mono: coef for mono, coef in terms.items() if coef} if 0 in terms.values() else terms
    poly._hash = None
    return poly


@dataclass(frozen=True, slots=True)
class Rel:
    """`poly <= 0` or `poly == 0`."""

    sign: Literal["<=", "=="]
    poly: Poly


@dataclass(frozen=True, slots=True)
class Prop:
    """An opaque proposition."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Not:
    arg: Formula


@dataclass(frozen=True, eq=False)
class _Junction:
    """Formulas share parts: what is computed of one is remembered in it. Equal ones that `conj` and `disj` make are the same
    object (until `clear`), so that comparing them never goes deep."""

    args: tuple[Formula, ...]

    @cached_property
    def negation(self) -> Formula:
        """What does not hold if this does; that of nested parts is made first, the innermost before all."""
        stack: list[_Junction] = [self]
        while stack:
            missing = [part for part in stack[-1].args if isinstance(part, _Junction) and "negation" not in part.__dict__]
            stack += missing[::-1]
            if not missing and stack[-1] is not self:
                stack.pop().turned()
            elif not missing:
                stack.pop()
        return self.turned()

    def turned(self) -> Formula:
        """The same, once that of its parts is known."""
        if "negation" not in self.__dict__:
            parts = [neg(part) for part in self.args]
            self.__dict__["negation"] = disj(parts) if isinstance(self, And) else conj(parts)
        found: Formula = self.__dict__["negation"]
        return found

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), self.args))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Junction) and type(self) is type(other)
                                 and self._hash == other._hash and self.args == other.args)


class And(_Junction):
    """All hold."""


class Or(_Junction):
    """Some hold."""


Formula = Rel | Prop | Not | And | Or
TRUE: Formula = And(())
FALSE: Formula = Or(())


MOST_FLAT = 64
"""A longer junction stays what it is in another one: else a long row of conditions would be written out for each of them."""
_MADE: dict[_Junction, Formula] = {}


def _same(made: And | Or) -> Formula:
    """The one object for a junction."""
    return _MADE.setdefault(made, made)


def clear() -> None:
    """Forget which junctions were made (between kernels)."""
    _MADE.clear()


def le(left: Poly, right: Poly) -> Formula:
    return _rel("<=", left - right)


def lt(left: Poly, right: Poly) -> Formula:
    return _rel("<=", (left - right).plus(1))


def eq(left: Poly, right: Poly) -> Formula:
    return _rel("==", left - right)


def _rel(sign: Literal["<=", "=="], poly: Poly) -> Formula:
    value = poly.constant
    if value is None:
        return Rel(sign, poly)
    return TRUE if (value <= 0 if sign == "<=" else value == 0) else FALSE


def conj(args: Iterable[Formula]) -> Formula:
    flat: dict[Formula, None] = {}
    for arg in args:
        if arg == FALSE:
            return FALSE
        for part in arg.args if isinstance(arg, And) and len(arg.args) <= MOST_FLAT else (arg,):
            flat[part] = None
    return next(iter(flat)) if len(flat) == 1 else _same(And(tuple(flat)))


def disj(args: Iterable[Formula]) -> Formula:
    flat: dict[Formula, None] = {}
    for arg in args:
        if arg == TRUE:
            return TRUE
        for part in arg.args if isinstance(arg, Or) and len(arg.args) <= MOST_FLAT else (arg,):
            flat[part] = None
    return next(iter(flat)) if len(flat) == 1 else _same(Or(tuple(flat)))


def neg(arg: Formula) -> Formula:
    match arg:
        case Not(arg=inner):
            return inner
        case And() | Or():
            return arg.negation
        case Rel(sign="<=", poly=poly):
            return _rel("<=", poly.scale(-1).plus(1))
        case Rel() | Prop():
            return Not(arg)
    assert_never(arg)


def implies(left: Formula, right: Formula) -> Formula:
    return disj((neg(left), right))


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """What a formula is made of."""
    return formula.args if isinstance(formula, And | Or) else (formula.arg,) if isinstance(formula, Not) else ()


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """What a formula asks for, all of it together."""
    return formula.args if isinstance(formula, And) else (formula,)


def inside_out(formula: Formula, done: Container[int] = ()) -> Iterator[Formula]:
    """A formula and its parts, each object once and before what it is part of. `done`: the identities of those to leave out."""
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    seen: set[int] = set()
    while stack:
        node, is_entered = stack.pop()
        if is_entered:
            yield node
        elif id(node) not in seen and id(node) not in done:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(part, False) for part in parts_of(node)[::-1]]


def relations(formulas: Iterable[Formula]) -> Iterator[Rel]:
    """The relations in some formulas."""
    return (leaf for formula in formulas for leaf in leaves(formula) if isinstance(leaf, Rel))


def leaves(formula: Formula) -> Iterator[Rel | Prop]:
    """The relations and propositions of a formula; those of a part that it has several times, once."""
    stack: list[Formula] = [formula]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        METER.done += RELATION // 4
        match node:
            case Rel() | Prop():
                yield node
            case Not(arg=arg):
                stack.append(arg)
            case And(args=args) | Or(args=args):
                stack.extend(args)


def atoms(formula: Formula) -> set[Atom]:
    """The integers and propositions that a formula mentions."""
    found: set[Atom] = set()
    for leaf in leaves(formula):
        if isinstance(leaf, Prop):
            found.add(leaf.atom)
        else:
            found |= leaf.poly.atoms()
    return found


def map_polys(formula: Formula, change: Callable[[Poly], Poly], *, in_equations: bool = True) -> Formula:
    """The formula with every polynomial changed; where they say so, but for those of equations."""
    done: dict[int, Formula] = {}

    def made(part: Formula) -> Formula:
        match part:
            case Rel(sign=sign, poly=poly):
                return _rel(sign, change(poly)) if in_equations or sign == "<=" else part
            case Prop():
                return part
            case Not(arg=arg):
                return neg(done[id(arg)])
            case And(args=args):
                return conj(done[id(each)] for each in args)
            case Or(args=args):
                return disj(done[id(each)] for each in args)
        assert_never(part)

    for part in inside_out(formula):
        done[id(part)] = made(part)
    return done[id(formula)]
