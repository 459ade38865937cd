"""Loops that a counter ends, as their text shows, and what is assumed of all loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from automata.lang.core import Assign, Binary, Cast, Const, Expr, If, Kernel, Leave, Load, Loop, Stmt, Unary, Var
from automata.lang.effects import assigned
from automata.lang.traverse import children, conjuncts, walk
from automata.place import told_lines
from automata.thread.growth import growth


def assumed(kernel: Kernel) -> list[str]:
    """What the proofs assume of the loops of a lowered kernel, as text."""
    loops = [stmt.place for stmt in walk(kernel.body) if isinstance(stmt, Loop)]
    return [f"loops end ({told_lines(loops)})"] if loops else []


def counts(loop: Loop) -> bool:
    """Whether some test of a loop compares a counter that every round brings nearer to a bound, so that it ends (or overflows a
    signed type, which is another matter)."""
    body = (*loop.body, *loop.step)
    return any(_brings_nearer(test, body) for going_on in _tests(loop) for test in conjuncts(going_on))


def _tests(loop: Loop) -> Iterator[Expr]:
    """What holds in every round that is not the last: the loop's test, and that of each jump out of it in plain sight."""
    yield loop.test
    for stmt in (*loop.body, *loop.step):
        match stmt:
            case If(test=test, then=(Leave(label=label),)) if label == loop.label:
                match test:
                    case Unary(op="!", arg=arg):
                        yield arg
                    case Binary(op="<" | "<=" as op, left=left, right=right):
                        yield replace(test, op="<=" if op == "<" else "<", left=right, right=left)


def _brings_nearer(test: Expr, body: tuple[Stmt, ...]) -> bool:
    """Whether every round moves one side of a comparison towards the other, which does not move."""
    changed = assigned(body)
    if not (isinstance(test, Binary) and test.op in ("<", "<=") and test.left.type.is_int):
        return False
    low, high, is_signed = _counter(test.left), _counter(test.right), test.left.type.signed
    if low is not None and low.name in changed and _stays(test.right, changed):
        step = _step(low, body)
        return step is not None and step > 0 and _below(test, low, step, low.type.signed and is_signed)
    if high is not None and high.name in changed and _stays(test.left, changed):
        step = _step(high, body)
        if step is not None and step < 0 and ((high.type.signed and is_signed) or (step == -1 and test.op == "<")):
            return True
        least = test.left.value if isinstance(test.left, Const) else -1
        return least >= (0 if test.op == "<" else 1) and _shrinks(high, body)
    return False


def _below(test: Binary, counter: Var, step: int, is_signed: bool) -> bool:
    """Whether a counter reaches its bound before it wraps; a signed one overflows where it does not."""
    if isinstance(test.right, Const):
        return test.right.value + step <= counter.type.high
    return is_signed or (step == 1 and test.op == "<" and test.left.type.bits >= counter.type.bits)


def _counter(expr: Expr) -> Var | None:
    """The counter in one side of a comparison: a local of at least 32 bits, perhaps widened."""
    while isinstance(expr, Cast) and expr.arg.type.is_int and expr.type.bits >= expr.arg.type.bits:
        expr = expr.arg
    return expr if isinstance(expr, Var) and expr.type.is_int and expr.type.bits >= 32 else None


def _stays(expr: Expr, changed: set[str]) -> bool:
    """Whether an expression has one value in all rounds."""
    if isinstance(expr, Load) or (isinstance(expr, Var) and expr.name in changed):
        return False
    return all(_stays(part, changed) for part in children(expr))


def _each_round(counter: Var, body: tuple[Stmt, ...]) -> Expr | None:
    """What the only assignment of a local in a loop gives it, if every round that does not leave the loop makes it."""
    made = [stmt for stmt in walk(body) if counter.name in assigned((stmt,)) and isinstance(stmt, Assign)]
    others = [stmt for stmt in walk(body) if not isinstance(stmt, Assign) and getattr(stmt, "result", None) == counter.name]
    return made[0].value if len(made) == 1 and not others and any(stmt is made[0] for stmt in body) else None


def _step(counter: Var, body: tuple[Stmt, ...]) -> int | None:
    """The constant by which every round changes a counter."""
    value = _each_round(counter, body)
    found = None if value is None else growth(value, counter.name, counter.type.bits)
    if found is None:
        return None
    up, by = found
    while isinstance(by, Cast) and by.type.bits >= by.arg.type.bits and by.arg.type.is_int:
        by = by.arg
    if not isinstance(by, Const) or not by.type.is_int:
        return None
    return int(by.value) if up else -int(by.value)


def _shrinks(counter: Var, body: tuple[Stmt, ...]) -> bool:
    """Whether every round halves a counter, or divides it by more."""
    match _each_round(counter, body):
        case Binary(op=">>", left=Var(name=name), right=Const(value=by)):
            return name == counter.name and 0 < by < counter.type.bits
        case Binary(op="/", left=Var(name=name), right=Const(value=by)):
            return name == counter.name and by > 1
    return False
