"""Values of all threads of a block at once, and how they are seen from one thread.

The threads of a block whose sizes are stated are numbered lanes, x running fastest; a block without stated sizes has one
lane, whose coordinates are atoms of its values. A `Row` is a value for each lane (one alone: the same for all).

A lane's number is read as digits: its coordinates, or where an index takes those apart (`threadIdx.x / 32`, `threadIdx.x %
8`), parts of them (`digits_for`). What differs among lanes by a sum of products of digits can be seen from a thread that is
not known by number (`Row.at`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Generic, TypeVar

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Not, Or, Poly, Prop, Rel

Value = TypeVar("Value", Poly, Formula)
Position = tuple[Poly, ...]
"""The digits of a thread in its block, the one that runs fastest first."""
MOST_ALONE = 64
"""Lanes that are named one by one."""
FEW_ALONE = 4
"""Lanes that are named one by one though a test says which they are: the odd ones of 128, say."""


class NotAffine(Exception):
    """Lanes differ by more than a sum of products of their digits."""


@dataclass
class Shape:
    """The threads of a block. `extents`: of x, y, z; None: a block without stated sizes, whose one lane stands for all.
    `digits`: how many values each digit of a lane's number has."""

    extents: tuple[int, int, int] | None
    digits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.extents is not None and not self.digits:
            self.digits = self.extents

    @cached_property
    def lanes(self) -> int:
        return 1 if self.extents is None else self.extents[0] * self.extents[1] * self.extents[2]

    @cached_property
    def coordinates(self) -> list[tuple[int, int, int]]:
        """x, y and z of each lane."""
        assert self.extents is not None
        return [(x, y, z) for z, y, x in product(*(range(size) for size in self.extents[::-1]))]

    @contextmanager
    def read_in(self, digits: tuple[int, ...]) -> Iterator[None]:
        """Within, lanes' numbers are read in other digits."""
        kept, self.digits = self.digits, digits
        try:
            yield
        finally:
            self.digits = kept

    def all_digits(self) -> list[tuple[int, ...]]:
        """The digits of each lane."""
        return [each[::-1] for each in product(*(range(size) for size in self.digits[::-1]))]

    def lane_of(self, position: Position) -> int | None:
        """The number of a lane, None if its digits are not numbers."""
        if self.extents is None:
            return 0
        lane, stride = 0, 1
        for part, extent in zip(position, self.digits, strict=True):
            if part.constant is None:
                return None
            if not 0 <= part.constant < extent:
                raise NotAffine
            lane, stride = lane + stride * part.constant, stride * extent
        return lane

    def beside(self, position: Position) -> tuple[list[int], tuple[int, ...]]:
        """The lanes that have the digits of a position that are numbers, and how many values each of their other digits has."""
        lanes = [lane for lane, digits in enumerate(self.all_digits())
                 if all(part.constant in (None, digit) for part, digit in zip(position, digits, strict=True))]
        return lanes, tuple(extent for part, extent in zip(position, self.digits, strict=True) if part.constant is None)

    def position_of(self, lane: int) -> Position:
        found = []
        for extent in self.digits:
            lane, digit = divmod(lane, extent)
            found.append(Poly.number(digit))
        return tuple(found)


@dataclass(eq=False)
class Row(Generic[Value]):
    """A value for each lane; one alone where it is the same for all. `made`: how it is worked out of other rows, where it is;
    `is_loose`: an integer has changed its type on the way, and it is not shown that it did not wrap before."""

    shape: Shape
    values: tuple[Value, ...]
    made: tuple[Callable[..., Value], tuple[Row[Poly] | Row[Formula], ...]] | None = field(default=None, repr=False)
    is_loose: bool = False
    _fit: tuple[tuple[int, ...], Callable[[Position], Value] | None] | None = field(default=None, repr=False)
    _seen: dict[tuple[tuple[int, ...], Position], Value] = field(default_factory=dict, repr=False)

    @property
    def is_one(self) -> bool:
        return len(self.values) == 1

    def of(self, lane: int) -> Value:
        return self.values[0] if len(self.values) == 1 else self.values[lane]

    def at(self, position: Position) -> Value:
        """As seen from a thread; NotAffine where that cannot be told."""
        if len(self.values) == 1:
            return self.values[0]
        lane = self.shape.lane_of(position)
        if lane is not None:
            return self.values[lane]
        key = self.shape.digits, position
        if key not in self._seen:
            self._seen[key] = self._at(position)
        return self._seen[key]

    def _at(self, position: Position) -> Value:
        if self._fit is None or self._fit[0] != self.shape.digits:
            self._fit = self.shape.digits, fit_of(self.shape, self.values)
        if self._fit[1] is not None:
            seen = self._fit[1](position)
            is_forced = (isinstance(seen, Or) and len(seen.args) > FEW_ALONE) or of_two_atoms(self.shape.digits, self.values)
            return (self._as_made(position) or seen) if is_forced else seen
        if any(part.constant is not None for part in position):
            lanes, rest = self.shape.beside(position)
            fit = fit_of(Shape(None, rest), [self.values[lane] for lane in lanes])
            if fit is not None:
                return fit(tuple(part for part in position if part.constant is None))
        made = self._as_made(position)
        if made is None:
            raise NotAffine
        return made

    def _as_made(self, position: Position) -> Value | None:
        """The same worked out of other rows, None where it is not or those cannot be told."""
        if self.made is None:
            return None
        function, rows = self.made
        try:
            return function(*(each.at(position) for each in rows))
        except NotAffine:
            return None


def row(shape: Shape, values: Sequence[Value],
        made: tuple[Callable[..., Value], tuple[Row[Poly] | Row[Formula], ...]] | None = None) -> Row[Value]:
    first = values[0]
    if all(value is first or value == first for value in values):
        return Row(shape, (first,))
    return Row(shape, tuple(values), made)


def fit_of(shape: Shape, values: Sequence[Value]) -> Callable[[Position], Value] | None:
    """The affine function of the digits that gives each lane its value, if there is one."""
    try:
        return fitted(shape.digits, shape.all_digits(), values)
    except NotAffine:
        return None


def of_two_atoms(digits: Sequence[int], values: Sequence[Poly] | Sequence[Formula]) -> bool:
    """Whether a digit of two values leads from one atom to another: two elements of an array, say. Any two values are a sum of
    products of such a digit, and what makes the elements tells more."""
    stride = 1
    for extent in digits:
        if extent == 2 and not _atoms(values[stride]) <= _atoms(values[0]):
            return True
        stride *= extent
    return False


def _atoms(value: Poly | Formula) -> set[Atom]:
    return value.atoms() if isinstance(value, Poly) else P.atoms(value)


def steps_of(values: Sequence[int], sizes: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """The first of some numbers and the steps by which they follow digits of these sizes, the one that runs fastest first; None
    where they are no sum of products."""
    base, slopes, stride = values[0], [], 1
    for size in sizes:
        slopes.append(values[stride] - base if size > 1 else 0)
        stride *= size
    made = [base]
    for size, slope in zip(sizes, slopes, strict=True):
        made = [held + slope * digit for digit in range(size) for held in made]
    return (base, tuple(slopes)) if made == list(values) else None


def digits_for(shape: Shape, rows: Iterable[Row[Poly] | Row[Formula]]) -> tuple[int, ...]:
    """The fewest digits in which all rows can be seen from a thread that can be at all."""
    assert shape.extents is not None
    wanted = [each for each in rows if not each.is_one]
    if fit_all(shape.extents, wanted):
        return shape.extents
    digits = [part for extent in shape.extents for part in prime_factors(extent)]
    wanted = [each for each in wanted if fit_all(digits, [each])]
    at = 0
    while at + 1 < len(digits):
        merged = [*digits[:at], digits[at] * digits[at + 1], *digits[at + 2:]]
        if fit_all(merged, wanted):
            digits = merged
        else:
            at += 1
    return tuple(digits)


def fit_all(digits: Sequence[int], rows: Sequence[Row[Poly] | Row[Formula]]) -> bool:
    """Whether all rows can be seen from a thread whose number is read in some digits."""
    lanes = Shape(None, tuple(digits)).all_digits()
    try:
        for each in rows:
            _any_fitted(tuple(digits), lanes, each.values)
    except NotAffine:
        return False
    return True


def prime_factors(number: int) -> list[int]:
    """The primes that a number is the product of, the least first."""
    found, part = [], 2
    while number > 1:
        while number % part == 0:
            found.append(part)
            number //= part
        part += 1
    return found


def fitted(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]], values: Sequence[Value]) -> Callable[[Position], Value]:
    """The affine function of the digits that gives each lane its value. NotAffine if there is none."""
    found: Any = _any_fitted(digits, lanes, values)
    return found  # type: ignore[no-any-return]


def _any_fitted(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]], values: Sequence[Any]) -> object:
    return _affine(digits, lanes, values) if isinstance(values[0], Poly) else _formula(digits, lanes, values)


def _affine(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]], values: Sequence[Poly]) -> Callable[[Position], Poly]:
    base, slopes, stride = values[0], [], 1
    for extent in digits:
        slopes.append(values[stride] - base if extent > 1 else Poly({}))
        stride *= extent
    rows: list[Poly] = [base]
    for extent, slope in zip(digits, slopes, strict=True):
        rows = [held + slope.scale(digit) if digit else held for digit in range(extent) for held in rows]
    if any(one != two for one, two in zip(rows, values, strict=True)):
        raise NotAffine

    def at(position: Position) -> Poly:
        result = base
        for slope, part in zip(slopes, position, strict=True):
            result = result + slope * part
        return result
    return at


def _formula(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]],
             values: Sequence[Formula]) -> Callable[[Position], Formula]:
    """Formulas of one form, or such ones for some lanes and truth or falsehood for the others."""
    if any(value in (P.TRUE, P.FALSE) for value in values):
        return _masked(digits, lanes, values)
    first = values[0]
    if any(type(value) is not type(first) for value in values):
        raise NotAffine
    match first:
        case Rel(sign=sign):
            if any(value.sign != sign for value in values):  # type: ignore[union-attr]
                raise NotAffine
            fit = _affine(digits, lanes, [value.poly for value in values])  # type: ignore[union-attr]
            return lambda at: P.le(fit(at), Poly({})) if sign == "<=" else P.eq(fit(at), Poly({}))
        case Prop():
            if any(value != first for value in values):
                raise NotAffine
            return lambda at: first
        case Not():
            inner = _formula(digits, lanes, [value.arg for value in values])  # type: ignore[union-attr]
            return lambda at: P.neg(inner(at))
        case And() | Or():
            if any(len(value.args) != len(first.args) for value in values):  # type: ignore[union-attr]
                raise NotAffine
            parts = [_formula(digits, lanes, [value.args[k] for value in values])  # type: ignore[union-attr]
                     for k in range(len(first.args))]
            join = P.conj if isinstance(first, And) else P.disj
            return lambda at: join(part(at) for part in parts)
    raise AssertionError(first)


def _masked(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]],
            values: Sequence[Formula]) -> Callable[[Position], Formula]:
    """Where lanes are out by their numbers alone."""
    open_ = [k for k, value in enumerate(values) if value not in (P.TRUE, P.FALSE)]
    trues = [k for k, value in enumerate(values) if value == P.TRUE]
    inside = _set_of(digits, lanes, sorted({*trues, *open_}))
    if not open_:
        return inside
    if trues:
        raise NotAffine
    if all(values[k] == values[open_[0]] for k in open_):
        only = values[open_[0]]
        return lambda at: P.conj((inside(at), only))
    fit = _on_box(digits, lanes, values, open_)
    return lambda at: P.conj((inside(at), fit(at)))


def _on_box(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]], values: Sequence[Formula],
            known: list[int]) -> Callable[[Position], Formula]:
    """The function of lanes that fill a box of digits from the origin."""
    corner = tuple(1 + max(lanes[k][axis] for k in known) for axis in range(len(digits)))
    box = Shape(None, corner).all_digits()
    if len(box) != len(known) or any(lanes[k] != each for k, each in zip(known, box, strict=True)):
        raise NotAffine
    return _formula(corner, box, [values[k] for k in known])


def _set_of(digits: tuple[int, ...], lanes: Sequence[tuple[int, ...]], held: list[int]) -> Callable[[Position], Formula]:
    """That a thread is one of some lanes: a box of digits, the first ones, or one by one."""
    if not held:
        return lambda at: P.FALSE
    found = [lanes[k] for k in held]
    axes = range(len(digits))
    low = [min(each[axis] for each in found) for axis in axes]
    high = [max(each[axis] for each in found) for axis in axes]
    size = 1
    for axis in axes:
        size *= high[axis] - low[axis] + 1
    if len(found) == size:
        def box(at: Position) -> Formula:
            return P.conj(part for axis in axes if (low[axis], high[axis]) != (0, digits[axis] - 1)
                          for part in _between(at[axis], low[axis], high[axis]))
        return box
    if held == list(range(len(held))):
        def first(at: Position) -> Formula:
            number, stride = Poly({}), 1
            for part, extent in zip(at, digits, strict=True):
                number, stride = number + part.scale(stride), stride * extent
            return P.lt(number, Poly.number(len(held)))
        return first
    if len(held) > MOST_ALONE:
        raise NotAffine
    return lambda at: P.disj(P.conj(P.eq(at[axis], Poly.number(each[axis])) for axis in axes) for each in found)


def _between(value: Poly, low: int, high: int) -> list[Formula]:
    if low == high:
        return [P.eq(value, Poly.number(low))]
    return [P.le(Poly.number(low), value), P.le(value, Poly.number(high))]
