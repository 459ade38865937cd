"""Loops that make few rounds, how many is not known: round by round, each behind its test.

`for (i = 0; i < mine; i++) held[i] = …` with `mine = min(rows - first, 2)` makes two rounds at most. Written out, its
subscripts are numbers, so that the thread's own array becomes locals, and what nobody has set is told cell by cell. Input: a
kernel in which loops with decided tests are unrolled. Output: the same, in which such a loop is a block

    label: { if (!test) leave label; body; step; … }

with as many rounds as its test may admit. Followed forwards is between which numbers a local lies: what assignments give it and
what tests leave of it. Only loops that touch a thread's own array are looked at, and none in which threads meet: the others
are proved as they are, for any number of rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from automata.lang.core import (
    Assign,
    AsyncCopy,
    AsyncWait,
    Barrier,
    Binary,
    Block,
    Cast,
    Collective,
    Const,
    Expr,
    If,
    Kernel,
    Later,
    Leave,
    Load,
    Loop,
    Return,
    Select,
    Settle,
    Space,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.lang.effects import Body, assigned, declared, reads_memory, variables
from automata.lang.traverse import count_statements, expressions, walk, within

MOST_ROUNDS = 8
MOST_STATEMENTS = 400
"""Rounds that are written out, and statements that they come to."""
Interval = tuple[int, int]
Ranges = dict[str, Interval]


def taken_apart(kernel: Kernel) -> Kernel:
    """The kernel with loops of few rounds written out; the same one where there are none."""
    private = {array.name for array in kernel.arrays if array.space is Space.PRIVATE}
    if not any(isinstance(stmt, Loop) and _touches(stmt, private) for stmt in walk(kernel.body)):
        return kernel
    apart = _Apart(private)
    body, _ = apart.block(kernel.body, {})
    return replace(kernel, body=body) if apart.is_changed else kernel


def _touches(loop: Loop, private: set[str]) -> bool:
    """Whether a loop touches the thread's own arrays, and threads do not meet in it."""
    inner = list(walk((*loop.body, *loop.step)))
    if any(isinstance(stmt, Barrier | Collective | AsyncCopy | AsyncWait | Later | Settle) for stmt in inner):
        return False
    return any((isinstance(stmt, Store) and stmt.array in private)
               or any(isinstance(part, Load) and part.array in private for expr in expressions(stmt) for part in within(expr))
               for stmt in inner)


@dataclass
class _Apart:
    """Writes loops out. `exits`: what is known at the jumps to the end of each block around."""

    private: set[str]
    is_changed: bool = False
    exits: dict[str, list[Ranges]] = field(default_factory=dict)

    def block(self, body: tuple[Stmt, ...], here: Ranges | None) -> tuple[tuple[Stmt, ...], Ranges | None]:
        """Statements written out, and what is known behind them; None if control never gets there."""
        made: list[Stmt] = []
        for stmt in body:
            if here is None:
                break
            found, here = self.statement(stmt, here)
            made.append(found)
        return tuple(made), here

    def statement(self, stmt: Stmt, here: Ranges) -> tuple[Stmt, Ranges | None]:
        match stmt:
            case Assign(name=name, value=value):
                return stmt, {**here, name: between(value, here)} if value.type.is_int else _without(here, (name,))
            case If(test=test):
                then, one = self.block(stmt.then, tested(test, here, holds=True))
                other, two = self.block(stmt.other, tested(test, here, holds=False))
                return replace(stmt, then=then, other=other), _joined([each for each in (one, two) if each is not None])
            case Block(label=label):
                outer = self.exits.pop(label, [])
                body, after = self.block(stmt.body, here)
                ways = [*self.exits.pop(label, []), *([] if after is None else [after])]
                self.exits[label] = outer
                return replace(stmt, body=body), _joined(ways)
            case Leave(label=label):
                self.exits.setdefault(label, []).append(here)
                return stmt, None
            case Return():
                return stmt, None
            case Loop():
                return self.loop(stmt, here)
        return stmt, _without(here, changed((stmt,)))

    def loop(self, stmt: Loop, here: Ranges) -> tuple[Stmt, Ranges | None]:
        """A loop; what it changes is unknown in it and behind it."""
        after = _without(here, changed((*stmt.body, *stmt.step)))
        outer = self.exits.pop(stmt.label, [])
        body, _ = self.block(stmt.body, tested(stmt.test, after, holds=True))
        self.exits[stmt.label] = outer
        made = replace(stmt, body=body)
        rounds = self.rounds(made, here)
        if rounds is None:
            return made, after
        self.is_changed = True
        once = (If(stmt.test, (), (Leave(stmt.label, stmt.place),), stmt.place), *made.body, *made.step)
        return Block(stmt.label, once * rounds, stmt.place), after

    def rounds(self, loop: Loop, here: Ranges) -> int | None:
        """How many rounds a loop makes at most, if it counts up by a number to what it does not change."""
        if not (isinstance(loop.test, Binary) and loop.test.op in ("<", "<=")) or not _touches(loop, self.private):
            return None
        counter, limit = _bare(loop.test.left, here), loop.test.right
        start = here.get(counter.name) if isinstance(counter, Var) else None
        if not isinstance(counter, Var) or start is None or start[0] != start[1]:
            return None
        step = _step(loop, counter)
        if step is None or variables(limit) & changed((*loop.body, *loop.step)) or reads_memory(limit):
            return None
        last = between(limit, here)[1] - (1 if loop.test.op == "<" else 0)
        rounds = max(0, (last - start[0]) // step + 1)
        counted = start[0], start[0] + rounds * step
        is_small = rounds <= MOST_ROUNDS and rounds * count_statements((*loop.body, *loop.step)) <= MOST_STATEMENTS
        is_counted = counter.type.holds(counted[1]) and between(loop.test.left, {**here, counter.name: counted}) == counted
        return rounds if is_small and is_counted else None


def _step(loop: Loop, counter: Var) -> int | None:
    """By how much the end of each round raises a counter that nothing else in the loop changes."""
    steps = [stmt for stmt in loop.step if isinstance(stmt, Assign) and stmt.name == counter.name]
    rest = (*loop.body, *(stmt for stmt in loop.step if stmt not in steps))
    if len(steps) != 1 or counter.name in changed(rest):
        return None
    value = steps[0].value
    if not (isinstance(value, Binary) and value.op == "+" and value.type == counter.type):
        return None
    parts = (value.left, value.right)
    by = next((part.value for part in parts if isinstance(part, Const)), None)
    return int(by) if by is not None and by >= 1 and any(part == counter for part in parts) else None


def changed(body: Body) -> set[str]:
    """The locals that statements may change: a declaration leaves one without a value."""
    return assigned(body) | declared(body)


def between(expr: Expr, here: Ranges) -> Interval:
    """Between which numbers an integer lies."""
    whole = expr.type.low, expr.type.high
    match expr:
        case Const(value=value):
            return int(value), int(value)
        case Var(name=name):
            return here.get(name, whole)
        case Cast(arg=arg) if arg.type.is_int:
            low, high = between(arg, here)
            return (low, high) if expr.type.holds(low) and expr.type.holds(high) else whole
        case Select(test=test, then=then, other=other):
            one = between(then, tested(test, here, holds=True))
            two = between(other, tested(test, here, holds=False))
            return min(one[0], two[0]), max(one[1], two[1])
    return whole


def tested(test: Expr, here: Ranges, *, holds: bool) -> Ranges:
    """What is known where a test holds, or where it does not."""
    match test:
        case Unary(op="!", arg=arg):
            return tested(arg, here, holds=not holds)
        case Binary(op="&&" | "||" as op, left=left, right=right) if holds == (op == "&&"):
            return tested(right, tested(left, here, holds=holds), holds=holds)
        case Binary(op="<" | "<=" as op, left=left, right=right) if left.type.is_int:
            below, above = (left, right) if holds else (right, left)
            apart = 1 if (op == "<") == holds else 0
            return _ordered(_bare(below, here), _bare(above, here), apart, here)
    return here


def _ordered(below: Expr, above: Expr, apart: int, here: Ranges) -> Ranges:
    """What is known where one number and a distance are at most another number."""
    (low, most), (least, high) = between(below, here), between(above, here)
    found = dict(here)
    if isinstance(below, Var):
        found[below.name] = low, min(most, high - apart)
    if isinstance(above, Var):
        found[above.name] = max(least, low + apart), high
    return found


def _bare(expr: Expr, here: Ranges) -> Expr:
    """Without conversions that change no value."""
    while isinstance(expr, Cast) and expr.arg.type.is_int:
        low, high = between(expr.arg, here)
        if not (expr.type.holds(low) and expr.type.holds(high)):
            break
        expr = expr.arg
    return expr


def _without(here: Ranges, names: Iterable[str]) -> Ranges:
    gone = set(names)
    return {name: interval for name, interval in here.items() if name not in gone}


def _joined(ways: list[Ranges]) -> Ranges | None:
    """What is known on all ways; None if there is none."""
    if not ways:
        return None
    first, *others = ways
    return {name: (min(low, *(other[name][0] for other in others)), max(high, *(other[name][1] for other in others)))
            if others else (low, high)
            for name, (low, high) in first.items() if all(name in other for other in others)}
