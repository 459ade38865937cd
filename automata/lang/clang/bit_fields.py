"""Bit-fields: parts of one number in memory.

Neighbouring bit-fields are one memory location in C++ ([intro.memory]): whoever writes one writes the others beside it. So a
run of them is one field of the record, a number of 1, 2, 4 or 8 bytes; reading one is a shift and a mask, writing one reads
the number and stores it whole. A local without an initialiser is taken to be 0 until it is set, aloud: what is stored whole
has bits beside. A race of two threads that write neighbours is thus a race here, as it is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from automata.lang.clang.convert import convert, is_pure
from automata.lang.tree import Assign, Binary, Comma, Expr, Literal, Member
from automata.lang.types import Type
from automata.lang.typing import common, promoted
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, U16, U32, U64, Scalar

UNITS = (U8, U16, U32, U64)


@dataclass(frozen=True, slots=True)
class BitField:
    """Which bits of which field of a record one is; `kind`: the type that the source declares."""

    unit: str
    holder: Scalar
    shift: int
    width: int
    kind: Scalar

    @property
    def wide(self) -> Scalar:
        """The type that it is taken apart in."""
        return U64 if self.holder is U64 else U32

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1

    def read(self, base: Expr, place: Place) -> Expr:
        """Its value, in the declared type."""
        return self.taken(convert(Member(base, self.unit, self.holder, place), self.wide, place), self.shift, place)

    def taken(self, number: Expr, shift: int, place: Place) -> Expr:
        """The bits of a number from one on, as the declared type reads them."""
        if self.kind == BOOL or not self.kind.low < 0:
            moved = Binary(">>", number, Literal(shift, I32, place), self.wide, place)
            return convert(Binary("&", moved, Literal(self.mask, self.wide, place), self.wide, place), self.kind, place)
        signed, bits = (I64 if self.wide is U64 else I32), self.wide.bits
        left = Binary("<<", number, Literal(bits - shift - self.width, I32, place), self.wide, place)
        right = Binary(">>", convert(left, signed, place), Literal(bits - self.width, I32, place), signed, place)
        return convert(right, self.kind, place)

    def placed(self, value: Expr, place: Place) -> Expr:
        """A value as its bits lie in the number."""
        bits = Binary("&", convert(convert(value, self.kind, place), self.wide, place),
                      Literal(self.mask, self.wide, place), self.wide, place)
        return Binary("<<", bits, Literal(self.shift, I32, place), self.wide, place)

    def write(self, base: Expr, value: Expr, place: Place) -> Expr:
        """An assignment; its value is what the bit-field then holds."""
        if not is_pure(base):
            raise UnsupportedError("a bit-field of what an expression with effects names", place)
        unit = Member(base, self.unit, self.holder, place)
        kept = Binary("&", convert(unit, self.wide, place),
                      Literal(self.wide.wrap(~(self.mask << self.shift)), self.wide, place), self.wide, place)
        both = Binary("|", self.placed(value, place), kept, self.wide, place)  # what the value does comes first
        whole = convert(both, self.holder, place)
        return Comma(Assign(unit, whole, self.holder, place), self.read(base, place), self.kind, place)


def joined(run: Sequence[BitField], values: Sequence[Expr], place: Place) -> Expr:
    """The number that holds a run of bit-fields with these values, which are computed in their order."""
    parts = [field.placed(value, place) for field, value in zip(run, values, strict=True)]
    whole = parts[0]
    for part in parts[1:]:
        whole = Binary("|", whole, part, run[0].wide, place)
    return convert(whole, run[0].holder, place)


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit-field of an object, as an expression reads it."""

    field: BitField
    base: Expr
    value: Expr

    def assigned(self, value: Expr, place: Place) -> Expr:
        return self.field.write(self.base, value, place)

    def updated(self, op: str, value: Expr, place: Place) -> Expr:
        """`a op= b`."""
        kind = self.field.kind
        if not isinstance(value.type, Scalar):
            raise UnsupportedError("a bit-field and a value that is no number", place)
        if not is_pure(value):
            raise UnsupportedError("a bit-field updated by an expression with effects", place)
        own = I32 if kind == BOOL or self.field.width < I32.bits else promoted(kind)
        computed = own if op in ("<<", ">>") else common(own, value.type)
        right = convert(value, promoted(value.type), place) if op in ("<<", ">>") else convert(value, computed, place)
        return self.assigned(Binary(op, convert(self.value, computed, place), right, computed, place), place)

    def stepped(self, op: str, postfix: bool, place: Place) -> Expr:
        """`++` and `--`; the value before is the one after, undone."""
        made = self.updated(op, Literal(1, I32, place), place)
        kind = self.field.kind
        if not postfix:
            return made
        if kind == BOOL:
            raise UnsupportedError("a step behind a bit-field of bool", place)
        number = convert(made, self.field.wide, place)
        back = Binary("-" if op == "+" else "+", number, Literal(1, self.field.wide, place), self.field.wide, place)
        return self.field.taken(back, 0, place)


def holder_of(start: int, end: int, low: int, high: int) -> tuple[int, Scalar] | None:
    """The number that holds a run of bit-fields: its byte and type. The run lies at bits `start` to `end`; bytes `low` to `high`
    are free of other fields."""
    for unit in UNITS:
        at = start // 8 - start // 8 % unit.bytes
        if low <= at and 8 * (at + unit.bytes) >= end and at + unit.bytes <= high:
            return at, unit
    return None


def declared_kind(kind: Type, place: Place) -> Scalar:
    if not isinstance(kind, Scalar) or not kind.is_int:
        raise UnsupportedError(f"a bit-field of type {kind}", place)
    return kind


def run_end(widths: Sequence[int], start: int, *, alone: bool) -> int:
    """Where a run of bit-fields that begins at a field ends; one of no width ends it, too, and in a union each is alone."""
    at = start + 1
    while not alone and at < len(widths) and widths[at] > 0:
        at += 1
    return at
