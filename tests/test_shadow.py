"""The machine against the brute-force reference (`oracle`): random small programs whose accesses collide often.

A program is made from its seed: stores, loads and atomics on a few cells, mostly by few threads, barriers of all kinds
(some where threads diverge), loops and jumps. It runs under all schedules, in batches of several sizes, some with a clock so
short that stamps are counted anew. `python tests/test_shadow.py FIRST COUNT`
runs many, and prints what disagrees as a minimal program.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import prod
from random import Random

import pytest
from oracle import Triple
from test_machine import SCHEDULES, Finding, Run, Way, short_clock

from automata.lang import core
from automata.lang.core import FENCED, Array, Binary, Cast, Const, Expr, Kernel, Load, Quantity, Space, Special, Stmt, Var
from automata.lang.show import show_action, show_expr
from automata.machine.state.schedule import Schedule
from automata.place import Place
from automata.scalar import BOOL, F32, I32, U32

CHUNK = 20
LANE, WARP, BLOCK, GRID = range(4)
FULL = 2**32 - 1
CHANCES = {"warp": .5, "fences": .4, "grid": .25, "copies": .15, "atomics": .5, "wild": .25, "data": .2, "outside": .15,
           "shuffles": .3, "return": .15, "warp fences": .15, "narrow": .15}
SHAPES = ((1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (2, 2, 1), (3, 1, 2), (8, 1, 1), (20, 1, 1), (32, 1, 1), (33, 1, 1),
          (36, 1, 1), (16, 4, 1), (70, 1, 1))
ORDERED = ("exch", "inc", "dec", "cas", "load")
FREE = ("add", "sub", "min", "max", "and", "or", "xor")


def number(value: int) -> Const:
    return Const(value, I32)


def op(name: str, left: Expr, right: Expr | int) -> Expr:
    right = Const(right, left.type) if isinstance(right, int) else right
    return Binary(name, left, right, BOOL if name in core.COMPARISONS else left.type)  # type: ignore[arg-type]


T, B, X, R = (Var(name, I32) for name in "tbxr")


class Maker:
    """A random kernel and a launch. Arrays: shared `s` and `d` (dynamic), global `g` and `f` (float); `h` is only read,
    of `o` each thread has a cell of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        self.line = self.labels = 0
        self.loops: list[tuple[str, Var]] = []
        self.traits = {name for name, chance in CHANCES.items() if random.random() < chance}
        self.block: Triple = random.choice(SHAPES)
        self.grid: Triple = random.choice([(1, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (1, 2, 1)])
        self.threads, self.blocks = self.block[0] * self.block[1] * self.block[2], self.grid[0] * self.grid[1]
        self.actors = sorted({random.choice([0, 1, 2, 33, self.threads // 2, self.threads - 1]) % self.threads for _ in range(4)})
        self.atomics = random.choice([FREE + ORDERED, ("add",), ("add", "max", "load"), ("load", "load", "exch"), ("min", "max")])
        self.sizes = {name: random.choice([1, 1, 2, 3, 4, self.threads]) for name in "sgf"} | {"d": 3, "h": 8}
        self.extents = {"o": self.threads * self.blocks, "h": 8, "f": self.sizes["f"]}
        self.extents |= {name: self.sizes[name] for name in "gd" if random.random() < .7}
        dims: tuple[int, ...] = (self.sizes["s"],)
        if random.random() < .2:
            dims, self.sizes["s"] = (2, 2), 4
        self.arrays = {"s": Array("s", I32, Space.SHARED, dims),
                       "d": Array("d", random.choice([I32, I32, F32]), Space.SHARED, (None,))}
        self.arrays |= {name: Array(name, F32 if name == "f" else I32, Space.GLOBAL, (None,)) for name in "gfho"}
        self.names = random.sample("sdgf", random.choice([1, 1, 2, 3]))
        body = [*self.start(), *self.body(GRID, 2, random.choice([2, 3, 4, 5, 6, 8, 10]))]
        body.append(core.Store("o", (self.own(),), X, self.place()))
        kernel = Kernel(f"k{seed}", "cuda", tuple("gfho"), (), tuple(self.arrays.values()), tuple(body))
        self.run = Run(kernel, self.grid, self.block, self.extents, "data" not in self.traits)

    def place(self) -> Place:
        self.line += 1
        return Place("k.cu", self.line, 1)

    def start(self) -> list[Stmt]:
        """`t` and `b`, the flat numbers of thread and block; other locals."""
        thread, block = ([Cast(Special(quantity, axis, U32), I32) for axis in core.AXES]
                         for quantity in (Quantity.THREAD, Quantity.BLOCK))
        flat = op("+", thread[0], op("*", op("+", thread[1], op("*", thread[2], self.block[1])), self.block[0]))
        values = {"t": flat, "b": op("+", block[0], op("*", block[1], self.grid[0])), "x": number(0), "r": number(0)}
        found: list[Stmt] = []
        for name, value in values.items():
            found += [core.Declare(name, I32), core.Assign(name, value)]
        return [*found, core.Declare("q", F32), core.Declare("m", U32), core.Declare("e0", I32), core.Declare("e1", I32)]

    def own(self) -> Expr:
        return op("+", T, op("*", B, self.threads))

    def body(self, level: int, depth: int, length: int) -> list[Stmt]:
        return [stmt for _ in range(length) for stmt in self.statement(level, depth)]

    def statement(self, level: int, depth: int) -> list[Stmt]:
        """`level`: which threads are sure to come here together."""
        random, traits = self.random, self.traits
        wild = "wild" in traits and random.random() < .3
        kinds = {"store": 6, "load": 6, "branch": 5 * (depth > 0), "loop": 2 * (depth > 0), "atomic": 5 * ("atomics" in traits),
                 "barrier": 4 * (level >= BLOCK or wild), "grid_barrier": 2 * ("grid" in traits and (level == GRID or wild)),
                 "warp_barrier": 5 * ("warp" in traits), "vote": 2 * ("shuffles" in traits),
                 "copy": 3 * ("copies" in traits and level >= BLOCK), "wait": 3 * ("copies" in traits and level >= BLOCK),
                 "jump": ("return" in traits) + bool(self.loops and (wild or level == LANE))}
        made: list[Stmt] = getattr(self, random.choices(list(kinds), list(kinds.values()))[0])(level, depth)
        return made

    # -- accesses -------------------------------------------------------------------------------

    def counters(self) -> list[Var]:
        return [counter for _, counter in self.loops[-1:]]

    def index(self, name: str) -> tuple[Expr, ...]:
        random, size = self.random, self.sizes[name]
        wrapped = [number(0), number(random.randrange(size)), T, op("+", T, random.randrange(3)), op("/", T, 2), op("/", T, 32),
                   B, *self.counters(), *(op("+", T, counter) for counter in self.counters())]
        found = op("%", random.choice(wrapped), size)
        if "outside" in self.traits and random.random() < .2:
            found = random.choice([op("-", T, 1), number(size), op("+", T, size - 1), op("*", B, 2)])
        elif name in "gd" and name not in self.extents and random.random() < .2:
            found = op("*", T, 40) if name == "d" else op("-", op("*", T, 700), 5)
        return (found,) if len(self.arrays[name].dims) == 1 else (op("/", found, 2), op("%", found, 2))

    def value(self, name: str) -> Expr:
        if self.arrays[name].element.is_float:
            return self.random.choice([Const(0.0, F32), Const(-0.0, F32), Const(1.0, F32), Cast(op("%", T, 2), F32)])
        values = [number(0), number(1), number(1), number(2), op("%", T, 2), T, B, *self.counters()]
        return self.random.choice([*values, *([X, op("+", X, 1), R] if "data" in self.traits else [])])

    def guarded(self, *stmts: Stmt) -> list[Stmt]:
        """Mostly by one thread, or by few."""
        random, what = self.random, self.random.random()
        actor = random.choice(self.actors)
        if what > .65:
            return list(stmts)
        one = op("==", T, actor) if what < .45 else op("==", self.own(), actor + self.threads * random.randrange(self.blocks))
        return [core.If(one if what < .55 else self.test(LANE), stmts, ())]

    def store(self, level: int, depth: int) -> list[Stmt]:
        name = self.random.choice(self.names)
        return self.guarded(core.Store(name, self.index(name), self.value(name), self.place()))

    def load(self, level: int, depth: int) -> list[Stmt]:
        name = self.random.choice([*self.names, *self.names, "h"])
        kind = self.arrays[name].element
        value: Expr = Load(name, self.index(name), kind, self.place())
        if self.random.random() < .15:
            value = core.Select(self.test(LANE), value, Const(0.0, F32) if kind.is_float else number(0), kind)
        return self.guarded(core.Assign("q" if kind.is_float else "x", value, self.place()))

    def atomic(self, level: int, depth: int) -> list[Stmt]:
        random, name = self.random, self.random.choice(self.names)
        is_float = self.arrays[name].element.is_float
        what = random.choice(("add", "exch", "load") if is_float else self.atomics)
        result = None if is_float else random.choice([None, None, None, "unused", "r"])
        args = tuple(self.value(name) for _ in range(2 if what == "cas" else 1))
        scope = random.choice(["device", "block"]) if "narrow" in self.traits else "device"
        update = core.Atomic(result, what, name, self.index(name), args, scope, self.place())  # type: ignore[arg-type]
        return self.guarded(update, *([core.Store("o", (self.own(),), R, self.place())] if result == "r" else []))

    # -- control --------------------------------------------------------------------------------

    def test(self, level: int) -> Expr:
        random, lane = self.random, op("%", T, 32)
        if level >= WARP:
            return op("==", B, random.randrange(self.blocks)) if level == BLOCK else op("==", op("/", T, 32), random.randrange(2))
        tests = [op("<", T, random.randrange(1, self.threads + 1)), op("==", op("%", T, 2), random.randrange(2)),
                 op("==", T, random.choice(self.actors)), op("!=", T, random.choice(self.actors)),
                 op("==", lane, random.randrange(4)), op("<", lane, random.randrange(1, 32)),
                 *(op("==", counter, op("%", T, 2)) for counter in self.counters())]
        found = random.choice(tests)
        if random.random() < .1:
            found = Binary("&&", found, op("<=", op("%", T, 3), Load("h", (op("%", T, 8),), I32, self.place())), BOOL)
        return found

    def branch(self, level: int, depth: int) -> list[Stmt]:
        own = self.random.choice([BLOCK, WARP, LANE, LANE])
        then, other = (self.body(min(level, own), depth - 1, self.random.randrange(1, 4)) for _ in range(2))
        return [core.If(self.test(own), tuple(then), tuple(other) if self.random.random() < .3 else ())]

    def loop(self, level: int, depth: int) -> list[Stmt]:
        self.labels += 1
        counter = Var(f"i{self.labels}", I32)
        bound, own = self.random.choice([(number(1), GRID), (number(2), GRID), (number(3), GRID), (op("+", B, 1), BLOCK),
                                         (op("+", op("/", T, 32), 1), WARP), (op("%", T, 3), LANE)])
        self.loops.append((f"l{self.labels}", counter))
        body = self.body(min(level, own), depth - 1, self.random.randrange(1, 4))
        label, _ = self.loops.pop()
        return [core.Declare(counter.name, I32), core.Assign(counter.name, number(0)),
                core.Loop(label, op("<", counter, bound), tuple(body), (core.Assign(counter.name, op("+", counter, 1)),))]

    def jump(self, level: int, depth: int) -> list[Stmt]:
        jumps: list[Stmt] = [core.Leave(label) for label, _ in self.loops]
        if "return" in self.traits or not jumps:
            jumps.append(core.Return())
        return [core.If(self.test(self.random.choice([LANE, WARP, BLOCK])), (self.random.choice(jumps),), ())]

    # -- meetings -------------------------------------------------------------------------------

    def fences(self, trait: str) -> frozenset[Space]:
        some = [FENCED, frozenset({Space.SHARED}), frozenset({Space.GLOBAL}), frozenset[Space]()]
        return self.random.choice(some) if trait in self.traits else FENCED

    def barrier(self, level: int, depth: int) -> list[Stmt]:
        vote = core.Collective("x", "count", "block", None, (op("%", T, 2),), self.place())
        return [core.Barrier(self.fences("fences"), "block", None, self.place()), *([vote] if self.random.random() < .1 else [])]

    def grid_barrier(self, level: int, depth: int) -> list[Stmt]:
        return [core.Barrier(FENCED, "grid", None, self.place())]

    def masked(self, level: int, make: Callable[[Expr], Stmt]) -> list[Stmt]:
        """A meeting of a whole warp, of tiles, of its two parts, or of some lanes."""
        random, lane, what = self.random, Cast(op("%", T, 32), U32), self.random.random()
        if level >= WARP and what < .3:
            return [make(Const(FULL, U32))]
        if level >= WARP and what < .45:
            size = random.choice([2, 4, 8, 16])
            return [make(Binary("<<", Const((1 << size) - 1, U32), op("*", op("/", lane, size), size), U32))]
        if level >= WARP and what < .55:
            low = (1 << random.randrange(1, 32)) - 1
            return [make(core.Select(op("<=", lane, low.bit_length() - 1), Const(low, U32), Const(FULL - low, U32), U32))]
        if "wild" in self.traits and what < .6:
            return [make(Const(random.choice([3, FULL]), U32))]
        some = random.sample(sorted({actor % 32 for actor in self.actors} | {0, 1, 2, 3}), random.randrange(1, 4))
        mask = sum(1 << at for at in some) if random.random() < .7 else random.getrandbits(32)
        named = op("!=", op("&", Binary(">>", Const(mask, U32), lane, U32), 1), 0)
        return [core.If(named, (make(Const(mask, U32)),), ())]

    def warp_barrier(self, level: int, depth: int) -> list[Stmt]:
        return self.masked(level, lambda mask: core.Barrier(self.fences("warp fences"), "warp", mask, self.place()))

    def vote(self, level: int, depth: int) -> list[Stmt]:
        name = self.random.choice(["any", "all", "ballot"])
        return self.masked(level, lambda mask: core.Collective(
            "m" if name == "ballot" else "x", name, "warp", mask, (op("%", T, 2),), self.place()))

    def copy(self, level: int, depth: int) -> list[Stmt]:
        random, shared = self.random, "d" if len(self.arrays["s"].dims) == 2 else self.random.choice("sd")
        if self.arrays[shared].element.is_float:
            return []
        target, source = random.choice([(shared, "g"), ("g", shared), (shared, "h")])
        count = random.randrange(1, min(self.sizes[target], self.sizes[source]) + 1)
        to, origin = (number(random.randrange(self.sizes[name] - count + 1)) for name in (target, source))
        return [core.AsyncCopy(random.choice(["e0", "e1"]), target, to, source, origin, number(count), None, self.place())]

    def wait(self, level: int, depth: int) -> list[Stmt]:
        return [core.AsyncWait(self.random.choice([("e0",), ("e1",), ("e0", "e1")]), self.place())]


# -- running and judging --------------------------------------------------------------------------


def ways(maker: Maker) -> list[Way]:
    """Some of all schedules (those that run threads one by one seldom where there are many), batches of all sizes."""
    random = maker.random
    ahead = Schedule("ahead", 0, ((random.randrange(maker.blocks), random.choice(maker.actors)),))
    found = [Way(schedule, random.choice([1, 2 * maker.threads, 1 << 15]), random.random() < .35)
             for schedule in (*SCHEDULES[:-1], ahead)
             if maker.threads * maker.blocks < 12 or schedule.kind not in ("sequential", "threads") or random.random() < .1]
    return random.sample(found, min(4, len(found)))


def findings(seed: int) -> tuple[Maker, list[tuple[Way, Finding]]]:
    """A program, and what is wrong with its runs."""
    maker = Maker(seed)
    truth = maker.run.truth()
    return maker, [(way, finding) for way in ways(maker) for finding in maker.run.judge(truth, way)]


def smaller(body: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """The body with one statement less, or replaced by what it holds."""
    for at, stmt in enumerate(body):
        before, after = body[:at], body[at + 1:]
        if not isinstance(stmt, core.Declare):
            yield before + after
        for name in ("then", "other", "body"):
            held = getattr(stmt, name, None)
            if held is not None:
                yield before + held + after
                yield from ((*before, replace(stmt, **{name: part}), *after) for part in smaller(held))


def shrunk(run: Run, way: Way, finding: Finding) -> str:
    """A minimal program with the same kind of finding, as text."""
    def fails(candidate: Run) -> bool:
        with suppress(KeyError):
            return any(each.kind == finding.kind for each in candidate.judge(candidate.truth(), way))
        return False

    def candidates() -> Iterator[Run]:
        yield from (replace(run, kernel=replace(run.kernel, body=body)) for body in smaller(run.kernel.body))
        yield from (replace(run, grid=grid) for grid in ((1, 1, 1), (2, 1, 1)) if prod(grid) < prod(run.grid))
        yield from (replace(run, block=block) for block in SHAPES[:4] if prod(block) < prod(run.block))

    smallest: Run | None = run
    while smallest is not None:
        run = smallest
        smallest = next((candidate for candidate in candidates() if fails(candidate)), None)
    arrays = [f"{array.name}{list(array.dims)}" for array in run.kernel.arrays if array.space is Space.SHARED]
    head = f"{run.kernel.name} {way.schedule} {way} grid {run.grid} block {run.block} {arrays} {run.extents}"
    return "\n".join([head, *text(run.kernel.body), *(f"   ! {each}" for each in run.judge(run.truth(), way))])


def text(body: tuple[Stmt, ...], indent: str = "") -> Iterator[str]:
    for stmt in body:
        head = f"{stmt.place.line or '':4} {indent}"
        match stmt:
            case core.If(test=test, then=then, other=other):
                yield from (f"{head}if ({show_expr(test)})", *text(then, indent + "  "))
                yield from (f"{head}else", *text(other, indent + "  ")) if other else ()
            case core.Loop(test=test, body=inner, step=step):
                yield from (f"{head}while ({show_expr(test)})", *text(inner + step, indent + "  "))
            case core.Barrier(scope=scope, mask=mask, fences=fences):
                yield f"{head}{scope} barrier {mask and show_expr(mask)} {sorted(space.value for space in fences)}"
            case core.Leave() | core.Return():
                yield f"{head}{type(stmt).__name__}"
            case core.Declare():
                pass
            case _:
                yield f"{head}{show_action(stmt)}" + (f" {stmt.scope}" if isinstance(stmt, core.Atomic) else "")


@pytest.mark.sliced(250)
@pytest.mark.drawn(1000)
def test_the_machine_sees_what_the_oracle_sees(seed: int) -> None:
    for program in range(CHUNK * seed, CHUNK * seed + CHUNK):
        maker, found = findings(program)
        assert not found, shrunk(maker.run, *found[0])


@pytest.mark.parametrize("program", [6701840012764, 6701840008933, 2226620017458])
def test_a_program_that_once_fooled_it(program: int) -> None:
    """A plain write that a barrier of its warp orders before the last update, but not before that of another warp; an update
    behind a plain write of the same thread, before another thread writes the same value; copies of two blocks that are waited
    for, then a grid barrier, then a copy of the cell that both wrote."""
    assert not findings(program)[1]


def test_time_runs_out_in_every_way() -> None:
    with short_clock() as ran:
        for maker in (maker for maker in map(Maker, range(150)) if "warp" in maker.traits):
            maker.run.judge(maker.run.truth(), Way(Schedule()))
    assert set(ran) == {"make_room", "promote", "shift_back", "restart"}


def test_two_runs_are_alike() -> None:
    for maker in (maker for maker in map(Maker, range(20)) if "copies" not in maker.traits):
        one, other = (maker.run.outcome(Way(SCHEDULES[3])) for _ in range(2))
        for part in ("conflicts", "divergences", "out_of_bounds", "uninitialised", "accesses", "shadow_bytes"):
            assert getattr(one, part) == getattr(other, part)
        assert all(one.contents(name) == other.contents(name) for name in one.buffers)


def main(first: int = 0, count: int = 1000) -> None:
    """Run many; one minimal program for each kind of finding."""
    seen: Counter[object] = Counter()
    for seed in range(first, first + count):
        maker, found = findings(seed)
        for way, finding in found:
            seen[finding.kind] += 1
            if seen[finding.kind] == 1:
                print(shrunk(maker.run, way, finding), flush=True)
    print(count, "programs", dict(seen))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
