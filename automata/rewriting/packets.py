"""Integers that are put together from parts of memory, taken apart again: four weights of a byte in one `int`.

Input: a lowered kernel. Output: the same, in which a local that is put together from parts (`x[i] | x[i+1] << 8 | …`, as
memory that is read through a wider pointer becomes) has a local for each part beside it, and what shifts, masks and
conversions take out of such a local is that part. So `(signed char)(v >> 16)` is the third byte, whatever its three
neighbours are.

The idea is to know an integer by its *digits* of four bits, lowest first. A digit is a number, or four bits of an expression
that is no wider than 16 bits (`Digit`), or what fills up behind a sign (`Filled`), or nothing is known of it. Shifts by whole
digits move them, masks of whole digits clear them, `|`, `^` and `+` join those of which one is zero. An expression is put in
the place of digits only where they are a run of one expression's, with zeros or its sign behind: then it is that expression,
shifted, masked or converted. No read is lost: where it would be, the expression stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from automata.lang.core import (
    Assign,
    Atomic,
    Binary,
    Bits,
    Call,
    Cast,
    Collective,
    Const,
    Declare,
    Expr,
    Havoc,
    Kernel,
    Later,
    Load,
    Stmt,
    Var,
)
from automata.lang.names import Names, names_of
from automata.lang.traverse import bodies, expressions, rebuild, rebuild_statement, walk, within
from automata.scalar import BOOL, I8, I16, I32, U8, U16, U32, U64, Scalar

BITS = 4
"""Of a digit."""
WIDEST = 16
"""Bits of an expression that has digits of its own: a wider one is put together, or nothing is known of it."""
SIGNED, UNSIGNED = {8: I8, 16: I16}, {8: U8, 16: U16, 32: U32, 64: U64}


@dataclass(frozen=True, slots=True)
class Digit:
    """Four bits of an unsigned expression, from bit `at` on."""

    of: Expr
    at: int

    @property
    def is_last(self) -> bool:
        return self.at + BITS == self.of.type.bits


@dataclass(frozen=True, slots=True)
class Filled:
    """Four bits that are all what the highest bit of a digit is."""

    like: Digit


Known = int | Digit | Filled | None
Digits = tuple[Known, ...]


def unpacked(kernel: Kernel) -> Kernel:
    """The kernel with its packets taken apart; the same one where it has none."""
    if any(isinstance(stmt, Later) for stmt in walk(kernel.body)):
        return kernel
    packets = _Packets(kernel)
    return replace(kernel, body=packets.block(kernel.body)) if packets.parts else kernel


class _Packets:
    """The locals that are packets. `parts`: the locals that hold their parts, lowest first; `now`: what is known of the digits of
    packets here, on a stretch of statements without a branch."""

    def __init__(self, kernel: Kernel) -> None:
        self.names = Names(names_of(kernel))
        self.types = {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}
        self.parts: dict[str, tuple[Var, ...]] = {}
        self.now: dict[str, Digits] = {}
        if not any(isinstance(part, Binary) and part.op == "<<" for stmt in walk(kernel.body) for expr in expressions(stmt)
                   for part in within(expr)):
            return
        is_new = True
        while is_new:
            found = {stmt.name: width for stmt, digits in self.values(kernel.body)
                     if stmt.name not in self.parts and (width := _part(digits))}
            self.parts |= {name: self.made(name, width) for name, width in found.items()}
            is_new = any([self.built_up(kernel.body, width) for width in (16, 8)]) or bool(found)
        self.now.clear()

    def built_up(self, body: tuple[Stmt, ...], width: int) -> bool:
        """Whether there are more packets among what is put together bit by bit, as `v |= byte << 8`: all values of such a local
        have to be known, digit by digit, if it is one. `width`: bits of its parts, each of which is one expression."""
        left = {stmt.name for stmt, _ in self.values(body) if isinstance(stmt.value, Binary) and stmt.value.op in ("|", "+")
                and any(isinstance(part, Var) and part.name == stmt.name for part in within(stmt.value))} - self.parts.keys()
        tried = {name: tuple(Var(f"{name}.{at}", UNSIGNED[width]) for at in range(self.types[name].bits // width))
                 for name in left}
        own, unknown = self.parts, left
        while left and unknown:
            self.parts = own | {name: tried[name] for name in left}
            unknown = {stmt.name for stmt, digits in self.values(body) if stmt.name in left and not _are_whole(digits, width)}
            left = left - unknown
        self.parts = own | {name: self.made(name, width) for name in left}
        return bool(left)

    def values(self, body: tuple[Stmt, ...]) -> Iterator[tuple[Assign, Digits]]:
        """The assignments to wide integers, with what is known of their values, in order."""
        for stmt in body:
            if isinstance(stmt, Assign) and _is_wide(self.types.get(stmt.name)):
                digits = self.digits(stmt.value)
                yield stmt, digits
                self.know(stmt.name, digits)
            self.forget(stmt)
            for inner in bodies(stmt):
                yield from self.values(inner)
                self.now.clear()

    def know(self, name: str, digits: Digits) -> None:
        """A packet has a value from here on: its parts, of which some are numbers."""
        if name in self.parts:
            own = (digit for part in self.parts[name] for digit in _own(part))
            self.now[name] = tuple(new if isinstance(new, int) else old for new, old in zip(digits, own, strict=True))

    def forget(self, stmt: Stmt) -> None:
        """What a statement does to what is known."""
        match stmt:
            case Havoc(name=str(name)) | Atomic(result=str(name)) | Collective(result=str(name)) | Declare(name=name):
                self.now.pop(name, None)
        if bodies(stmt):
            self.now.clear()

    def made(self, name: str, width: int) -> tuple[Var, ...]:
        """Locals for the parts of a packet."""
        count = self.types[name].bits // width
        return tuple(Var(self.names.fresh(f"{name}.part"), UNSIGNED[width]) for _ in range(count))

    # -- statements -----------------------------------------------------------------------------

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for stmt in body:
            made += self.statement(stmt)
            self.forget(stmt)
        self.now.clear()
        return tuple(made)

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case Assign(name=name) if name in self.parts:
                yield from self.assigned(stmt)
                return
            case Declare(name=name) if name in self.parts:
                yield stmt
                yield from (Declare(part.name, part.type, stmt.place) for part in self.parts[name])
                return
        self.forget(stmt)
        yield rebuild_statement(stmt, self.expr, self.block)
        match stmt:
            case Havoc(name=str(name)) | Atomic(result=str(name)) | Collective(result=str(name)) if name in self.parts:
                yield from self.taken(name)

    def assigned(self, stmt: Assign) -> Iterator[Stmt]:
        """A packet gets a value: its parts first, if all are known, and the whole is put together from them."""
        parts, kind = self.parts[stmt.name], self.types[stmt.name]
        digits, width = self.digits(stmt.value), parts[0].type.bits // BITS
        self.know(stmt.name, (None,) * len(digits))
        values = [_run(digits[at:at + width], part.type) for at, part in zip(range(0, len(digits), width), parts, strict=True)]
        found = [value for value in values if value is not None]
        if len(found) < len(parts) or _loads(found) != _loads([stmt.value]):
            yield replace(stmt, value=self.expr(stmt.value))
            yield from self.taken(stmt.name)
            return
        changed = [(part, value) for part, value in zip(parts, found, strict=True) if value != part]
        mine = {part.name for part in parts}
        if any(isinstance(inner, Var) and inner.name in mine for _, value in changed for inner in within(value)):
            held = [Var(self.names.fresh(f"{stmt.name}.next"), part.type) for part, _ in changed]
            yield from (Declare(var.name, var.type, stmt.place) for var in held)
            yield from (Assign(var.name, value, stmt.place) for var, (_, value) in zip(held, changed, strict=True))
            changed = [(part, var) for (part, _), var in zip(changed, held, strict=True)]
        yield from (Assign(part.name, value, stmt.place) for part, value in changed)
        yield replace(stmt, value=_joined(parts, kind))
        self.know(stmt.name, digits)

    def taken(self, name: str) -> Iterator[Stmt]:
        """The parts of a packet of whose value nothing is known."""
        parts, kind = self.parts[name], self.types[name]
        whole = _as(Var(name, kind), UNSIGNED[kind.bits])
        for at, part in enumerate(parts):
            moved = Binary(">>", whole, Const(at * part.type.bits, I32), whole.type) if at else whole
            yield Assign(part.name, Cast(moved, part.type))

    # -- expressions ----------------------------------------------------------------------------

    def expr(self, expr: Expr) -> Expr:
        """What is taken out of packets, as their parts."""
        if isinstance(expr, Cast | Binary) and expr.type.is_int and expr.type != BOOL and self.holds_packet(expr):
            found = _run(self.digits(expr), expr.type)
            if found is not None and _loads([found]) == _loads([expr]):
                return found
        if isinstance(expr, Call) and expr.function == "dp4a" and any(map(self.holds_packet, expr.args[:2])):
            return self.dot(expr)
        return rebuild(expr, self.expr)

    def holds_packet(self, expr: Expr) -> bool:
        return any(isinstance(part, Var) and part.name in self.parts for part in within(expr))

    def dot(self, call: Call) -> Expr:
        """`__dp4a`: the products of four bytes each, added to a number; sums wrap."""
        one, two, start = call.args
        total: Expr = Cast(self.expr(start), U32, call.place)
        for byte in range(4):
            left, right = (Cast(self.byte(side, byte, I8 if call.type.signed else U8), I32) for side in (one, two))
            total = Binary("+", total, Cast(Binary("*", left, right, I32, call.place), U32), U32, call.place)
        return Cast(total, call.type, call.place)

    def byte(self, whole: Expr, number: int, kind: Scalar) -> Expr:
        """A byte of an integer."""
        moved: Expr = Cast(whole, U32)
        return self.expr(Cast(Binary(">>", moved, Const(8 * number, I32), U32) if number else moved, kind))

    def digits(self, expr: Expr) -> Digits:
        """What is known of an integer, digit by digit."""
        kind = expr.type
        count = kind.bits // BITS
        nothing: Digits = (None,) * count
        if not kind.is_int or kind == BOOL:
            return nothing
        match expr:
            case Const(value=value):
                return tuple(int(value) >> BITS * at & 15 for at in range(count))
            case Var(name=name) if name in self.parts:
                return self.now.get(name) or tuple(digit for part in self.parts[name] for digit in _own(part))
            case Cast(arg=arg) if arg.type.is_int and arg.type != BOOL:
                given = self.digits(arg)
                if not any(given) and None in given and count * BITS <= WIDEST:
                    return _own(expr)
                return (*given, *(_fill(given, arg.type.signed),) * (count - len(given)))[:count]
            case Binary(op="|" | "^" | "+" | "&" as op, left=left, right=right):
                return _joint(op, self.digits(left), self.digits(right))
            case Binary(op="<<" | ">>", left=left, right=Const(value=int(by))) if by % BITS == 0 and 0 <= by < kind.bits:
                return _moved(self.digits(left), by // BITS if expr.op == "<<" else -by // BITS, kind.signed)
            case Load() | Var() | Bits() if kind.bits <= WIDEST:
                return _own(expr)
        return nothing


def _loads(exprs: Iterable[Expr]) -> set[Load]:
    """What is read: nothing of it may be lost, for it may be what another thread writes."""
    return {part for expr in exprs for part in within(expr) if isinstance(part, Load)}


def _is_wide(kind: Scalar | None) -> bool:
    return kind is not None and kind.is_int and kind != BOOL and kind.bits in (16, 32, 64)


def _own(expr: Expr) -> Digits:
    """The digits of an expression that is one part."""
    whole = Cast(expr, UNSIGNED[expr.type.bits], expr.place) if expr.type.signed else expr
    return tuple(Digit(whole, at) for at in range(0, expr.type.bits, BITS))


def _fill(digits: Digits, signed: bool) -> Known:
    """What comes behind the highest digit where a number is made wider, or moved down."""
    last = digits[-1]
    if not signed:
        return 0
    if isinstance(last, int):
        return 15 if last & 8 else 0
    return Filled(last) if isinstance(last, Digit) else last


def _moved(digits: Digits, by: int, signed: bool) -> Digits:
    """Digits moved up, or down."""
    return (*(0,) * by, *digits)[:len(digits)] if by >= 0 else (*digits[-by:], *(_fill(digits, signed),) * -by)


def _joint(op: str, one: Digits, two: Digits) -> Digits:
    found = tuple(_both(op, *pair) for pair in zip(one, two, strict=True))
    return (None,) * len(found) if op == "+" and None in found else found


def _both(op: str, one: Known, two: Known) -> Known:
    """One digit of a sum without carry, or of a bitwise operation."""
    if isinstance(one, int) and isinstance(two, int):
        return {"&": one & two, "|": one | two, "^": one ^ two, "+": one + two if not (one and two) else None}[op]
    for mine, other in ((one, two), (two, one)):
        if mine == (15 if op == "&" else 0):
            return other
        if mine == 0:
            return 0
    return None


def _part(digits: Digits) -> int:
    """How many bits the parts of a packet have, which has two at least; 0 where it is none."""
    whole = {digit.of for digit in digits if isinstance(digit, Digit)}
    if len(whole) < 2 or None in digits or any(isinstance(digit, Filled) for digit in digits):
        return 0
    return min(part.type.bits for part in whole)


def _are_whole(digits: Digits, width: int) -> bool:
    """Whether each part of so many bits is known, and one expression or a number; of bytes, a part of one will do."""
    if None in digits:
        return False
    parts = [digits[at:at + width // BITS] for at in range(0, len(digits), width // BITS)]
    return width == 8 or all(part == _own(part[0].of) if isinstance(part[0], Digit) else set(part) == {0}
                             for part in parts)


def _run(digits: Digits, kind: Scalar) -> Expr | None:
    """The expression that digits of one expression are, a run of them with zeros or a sign behind; None if they are not."""
    first = digits[0]
    if all(isinstance(digit, int) for digit in digits):
        return Const(kind.wrap(sum(int(digit) << BITS * at for at, digit in enumerate(digits) if isinstance(digit, int))), kind)
    if not isinstance(first, Digit):
        return None
    long = 1
    while long < len(digits) and digits[long] == Digit(first.of, first.at + BITS * long):
        long += 1
    rest, last = digits[long:], Digit(first.of, first.at + BITS * (long - 1))
    if rest and all(digit == Filled(last) for digit in rest):
        return _signed(first, last, kind)
    return _masked(first, last, kind) if all(digit == 0 for digit in rest) else None


def _masked(first: Digit, last: Digit, kind: Scalar) -> Expr:
    """Bits of an expression, with zeros behind."""
    if first.at == 0 and last.is_last:
        return _as(first.of, kind)
    value = _as(first.of, I32)
    if first.at:
        value = Binary(">>", value, Const(first.at, I32), I32, first.of.place)
    if not last.is_last:
        value = Binary("&", value, Const((1 << last.at + BITS - first.at) - 1, I32), I32, first.of.place)
    return _as(value, kind)


def _signed(first: Digit, last: Digit, kind: Scalar) -> Expr:
    """Bits of an expression, with the highest of them behind."""
    above = first.of.type.bits - last.at - BITS
    value: Expr = _as(_as(first.of, SIGNED[first.of.type.bits]), I32)
    if above:
        left = I32.bits - last.at - BITS
        value = Binary("<<", value, Const(left, I32), I32, first.of.place)
        return _as(Binary(">>", value, Const(left + first.at, I32), I32, first.of.place), kind)
    return _as(Binary(">>", value, Const(first.at, I32), I32, first.of.place) if first.at else value, kind)


def _as(expr: Expr, kind: Scalar) -> Expr:
    """A conversion, without one to the same number of bits that it takes back."""
    if isinstance(expr, Cast) and expr.arg.type == kind and expr.type.bits == kind.bits:
        return expr.arg
    return expr if expr.type == kind else Cast(expr, kind, expr.place)


def _joined(parts: Iterable[Var], kind: Scalar) -> Expr:
    """The packet that parts make."""
    wide, total = UNSIGNED[kind.bits], None
    for at, part in enumerate(parts):
        moved: Expr = Cast(part, wide)
        moved = Binary("<<", moved, Const(at * part.type.bits, I32), wide) if at else moved
        total = moved if total is None else Binary("|", total, moved, wide)
    assert total is not None
    return _as(total, kind)
