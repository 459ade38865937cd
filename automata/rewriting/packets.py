"""Integers that are put together from parts of memory, taken apart again: four weights of a byte in one `int`.

Input: a lowered kernel. Output: the same, in which a local that is put together from parts (`x[i] | x[i+1] << 8 | …`, as
memory that is read through a wider pointer becomes) has a local for each part beside it, and what shifts, masks and
conversions take out of such a local is that part. So `(signed char)(v >> 16)` is the third byte, whatever its three
neighbours are. A packet that lanes exchange is exchanged part by part, and a choice between two is a choice of each part.

The idea is to know an integer by its *digits* of four bits (`packed_digits`). Shifts by whole digits move them, masks of whole
digits clear them, `|`, `^` and `+` join those of which one is zero. An expression is put in the place of digits only where they
are a run of one expression's, with zeros or its sign behind: then it is that expression, shifted, masked or converted. No read
is lost: where it would be, the expression stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

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
    Select,
    Stmt,
    Var,
)
from automata.lang.names import Names, names_of
from automata.lang.traverse import bodies, expressions, rebuild, rebuild_statement, walk, within
from automata.rewriting.packed_digits import (
    BITS,
    UNSIGNED,
    WIDEST,
    Digits,
    are_whole_parts,
    as_kind,
    filled_behind,
    joined_digits,
    loads_of,
    moved_by,
    own_digits,
    part_width,
    run_of,
    taken_apart,
)
from automata.scalar import BOOL, I8, I32, U8, U32, Scalar


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
            found = {name: width for stmt, digits in self.values(kernel.body) for name in [target(stmt)]
                     if name not in self.parts and (width := part_width(digits))}
            self.parts |= {name: self.made(name, width) for name, width in found.items()}
            is_new = any([self.built_up(kernel.body, width) for width in (16, 8)]) or bool(found)
        self.now.clear()

    def built_up(self, body: tuple[Stmt, ...], width: int) -> bool:
        """Whether there are more packets among what is put together bit by bit, as `v |= byte << 8`: all values of such a local
        have to be known, digit by digit, if it is one. `width`: bits of its parts, each of which is one expression."""
        left = {stmt.name for stmt, _ in self.values(body) if isinstance(stmt, Assign) and isinstance(stmt.value, Binary)
                and stmt.value.op in ("|", "+")
                and any(isinstance(part, Var) and part.name == stmt.name for part in within(stmt.value))} - self.parts.keys()
        tried = {name: tuple(Var(f"{name}.{at}", UNSIGNED[width]) for at in range(self.types[name].bits // width))
                 for name in left}
        own, unknown = self.parts, left
        while left and unknown:
            self.parts = own | {name: tried[name] for name in left}
            unknown = {target(stmt) for stmt, digits in self.values(body)
                       if target(stmt) in left and not (isinstance(stmt, Assign) and are_whole_parts(digits, width))}
            left = left - unknown
        self.parts = own | {name: self.made(name, width) for name in left}
        return bool(left)

    def values(self, body: tuple[Stmt, ...]) -> Iterator[tuple[Assign | Collective, Digits]]:
        """The assignments to wide integers, with what is known of their values, in order; and shuffles of them, with what is
        known of what a lane brings."""
        for stmt in body:
            if isinstance(stmt, Assign) and _is_wide(self.types.get(stmt.name)):
                digits = self.digits(stmt.value)
                yield stmt, digits
                self.know(stmt.name, digits)
            elif isinstance(stmt, Collective) and self.is_exchange(stmt):
                digits = self.digits(stmt.args[0])
                yield stmt, digits
                self.know(stmt.result, digits)
                continue
            self.forget(stmt)
            for inner in bodies(stmt):
                yield from self.values(inner)
                self.now.clear()

    def is_exchange(self, stmt: Collective) -> bool:
        """Whether lanes hand wide integers on as they are."""
        kind = self.types.get(stmt.result)
        return stmt.op.startswith("shfl") and _is_wide(kind) and kind == stmt.args[0].type

    def know(self, name: str, digits: Digits) -> None:
        """A packet has a value from here on: its parts, of which some are numbers."""
        if name in self.parts:
            own = (digit for part in self.parts[name] for digit in own_digits(part))
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
            if not (isinstance(stmt, Collective) and self.is_exchange(stmt)):
                self.forget(stmt)
        self.now.clear()
        return tuple(made)

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case Assign(name=name) if name in self.parts:
                yield from self.assigned(stmt)
                return
            case Collective(result=name) if name in self.parts and self.is_exchange(stmt):
                yield from self.exchanged(stmt)
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
        digits = self.digits(stmt.value)
        self.know(stmt.name, (None,) * len(digits))
        found = taken_apart(digits, [part.type for part in parts], stmt.value)
        if found is None:
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

    def exchanged(self, stmt: Collective) -> Iterator[Stmt]:
        """Lanes exchange a packet: each of its parts, if all are known, from which the whole is put together. A part that
        is a number is one in every lane."""
        parts, digits = self.parts[stmt.result], self.digits(stmt.args[0])
        found = taken_apart(digits, [part.type for part in parts], stmt.args[0])
        self.know(stmt.result, (None,) * len(digits))
        if found is None:
            yield rebuild_statement(stmt, self.expr, self.block)
            yield from self.taken(stmt.result)
            return
        others = tuple(map(self.expr, stmt.args[1:]))
        held = [Var(self.names.fresh(f"{stmt.result}.next"), part.type) for part in parts]
        yield from (Declare(var.name, var.type, stmt.place) for var in held)
        yield from (Assign(var.name, value, stmt.place) if isinstance(value, Const) else
                    replace(stmt, result=var.name, args=(value, *others)) for var, value in zip(held, found, strict=True))
        yield from (Assign(part.name, var, stmt.place) for part, var in zip(parts, held, strict=True))
        yield Assign(stmt.result, _joined(parts, self.types[stmt.result]), stmt.place)
        self.know(stmt.result, digits)

    def taken(self, name: str) -> Iterator[Stmt]:
        """The parts of a packet of whose value nothing is known."""
        parts, kind = self.parts[name], self.types[name]
        whole = as_kind(Var(name, kind), UNSIGNED[kind.bits])
        for at, part in enumerate(parts):
            moved = Binary(">>", whole, Const(at * part.type.bits, I32), whole.type) if at else whole
            yield Assign(part.name, Cast(moved, part.type))

    # -- expressions ----------------------------------------------------------------------------

    def expr(self, expr: Expr) -> Expr:
        """What is taken out of packets, as their parts."""
        if isinstance(expr, Cast | Binary) and expr.type.is_int and expr.type != BOOL and self.holds_packet(expr):
            found = run_of(self.digits(expr), expr.type)
            if found is not None and loads_of([found]) == loads_of([expr]):
                return found
        if isinstance(expr, Call) and expr.function == "dp4a" and any(map(self.is_packet, expr.args[:2])):
            return self.dot(expr)
        return rebuild(expr, self.expr)

    def holds_packet(self, expr: Expr) -> bool:
        return any(isinstance(part, Var) and part.name in self.parts for part in within(expr))

    def is_packet(self, expr: Expr) -> bool:
        return self.holds_packet(expr) or part_width(self.digits(expr)) > 0

    def dot(self, call: Call) -> Expr:
        """`__dp4a`: the products of four bytes each, added to a number; sums wrap."""
        one, two, start = call.args
        total = as_kind(self.expr(start), U32)
        kind = I8 if call.type.signed else U8
        for pair in zip(self.bytes_of(one, kind), self.bytes_of(two, kind), strict=True):
            left, right = (Cast(byte, I32) for byte in pair)
            total = Binary("+", total, Cast(Binary("*", left, right, I32, call.place), U32), U32, call.place)
        return as_kind(total, call.type)

    def bytes_of(self, whole: Expr, kind: Scalar) -> Sequence[Expr]:
        """The four bytes of an integer."""
        found = taken_apart(self.digits(whole), [kind] * 4, whole)
        if found is not None:
            return found
        moved = as_kind(whole, U32)
        return [self.expr(Cast(Binary(">>", moved, Const(at, I32), U32) if at else moved, kind)) for at in range(0, 32, 8)]

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
                return self.now.get(name) or tuple(digit for part in self.parts[name] for digit in own_digits(part))
            case Cast(arg=arg) if arg.type.is_int and arg.type != BOOL:
                given = self.digits(arg)
                if not any(given) and None in given and count * BITS <= WIDEST:
                    return own_digits(expr)
                return (*given, *(filled_behind(given, arg.type.signed),) * (count - len(given)))[:count]
            case Binary(op="|" | "^" | "+" | "&" as op, left=left, right=right):
                return joined_digits(op, self.digits(left), self.digits(right))
            case Binary(op="<<" | ">>", left=left, right=Const(value=int(by))) if by % BITS == 0 and 0 <= by < kind.bits:
                return moved_by(self.digits(left), by // BITS if expr.op == "<<" else -by // BITS, kind.signed)
            case Select() if kind.bits > WIDEST:
                return self.chosen(expr)
            case Load() | Var() | Bits() if kind.bits <= WIDEST:
                return own_digits(expr)
        return nothing

    def chosen(self, expr: Select) -> Digits:
        """A choice between two integers: of each part, where the parts of both are known."""
        then, other = self.digits(expr.then), self.digits(expr.other)
        for width in (16, 8):
            parts = [UNSIGNED[width]] * (expr.type.bits // width)
            ours, theirs = taken_apart(then, parts, expr.then), taken_apart(other, parts, expr.other)
            if ours is not None and theirs is not None:
                return tuple(digit for one, two, part in zip(ours, theirs, parts, strict=True)
                             for digit in own_digits(Select(expr.test, one, two, part, expr.place)))
        return (None,) * len(then)


def target(stmt: Assign | Collective) -> str:
    """The local that gets a value."""
    return stmt.name if isinstance(stmt, Assign) else stmt.result


def _is_wide(kind: Scalar | None) -> bool:
    return kind is not None and kind.is_int and kind != BOOL and kind.bits in (16, 32, 64)


def _joined(parts: Iterable[Var], kind: Scalar) -> Expr:
    """The packet that parts make."""
    wide, total = UNSIGNED[kind.bits], None
    for at, part in enumerate(parts):
        moved: Expr = Cast(part, wide)
        moved = Binary("<<", moved, Const(at * part.type.bits, I32), wide) if at else moved
        total = moved if total is None else Binary("|", total, moved, wide)
    assert total is not None
    return as_kind(total, kind)
