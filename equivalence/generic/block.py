"""One generic block of a kernel, run on symbols: its threads by number where block sizes are stated, all else symbolic.

Input: a lowered kernel, the shape of its block, and a value for each size, parameter and block coordinate. Output: `Written`:
every store to global memory, for all lanes, with the loops around it and when it is made. All lanes take each statement
together, in one of the orders that barriers allow; the kernel is known to be deterministic, so that any of them will do.
Branches that numbers of lanes decide are taken by those lanes; others both ways, and what they leave is chosen by the test.
Loops whose tests lanes' numbers decide go round by round; of others one round stands for all (`rounds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from automata.budget import Budget
from automata.lang.core import (
    Assign,
    Atomic,
    Barrier,
    Block,
    Claim,
    Collective,
    Declare,
    Expr,
    Fence,
    If,
    Kernel,
    Leave,
    Loop,
    Return,
    Space,
    Stmt,
    Store,
)
from automata.lang.effects import reads_memory, stored_arrays, variables
from automata.lang.spaces import WARP
from automata.lang.traverse import expressions, walk
from automata.limits import LANE_ROUNDS
from automata.logic import poly as P
from automata.logic.poly import Formula, Poly
from automata.place import TIME_IS_UP, Place
from automata.scalar import BOOL
from equivalence.generic.breaks import by_test
from equivalence.generic.integers import CannotFollow, Integers
from equivalence.generic.lanes import Row, Shape
from equivalence.generic.long_loops import RoundByRound, is_long
from equivalence.generic.memory import Symbolic, gather
from equivalence.generic.stores import Stores, Written
from equivalence.generic.tallies import require_added
from equivalence.generic.values import Cell, LoopRun, Node, State, Truths, Value, Write
from equivalence.generic.ways import Exit, goes, instead_of_leaving


class GenericBlock(Stores):
    """The run. `name`: of the kernel, for people; `rounds`: the loops around; `by_round`: where one round stands for all of a
    long loop, those that do not go so."""

    def __init__(self, kernel: Kernel, shape: Shape, integers: Integers, budget: Budget, symbolic: Iterable[str] = (),
                 earlier: Iterable[str] = (), name: str = "", by_round: frozenset[str] | None = None) -> None:
        super().__init__(kernel, shape, integers)
        self.by_round = by_round
        self.symbolic, self.earlier = frozenset(symbolic), frozenset(earlier)
        self.budget, self.name = budget, name
        self.stored = stored_arrays(kernel.body)
        self.settled = self.constant = frozenset(array.name for array in kernel.arrays
                                 if array.space is Space.GLOBAL and array.name not in self.stored | self.earlier
                                                  and not array.volatile)
        self.found = Written(shape)
        self.rounds: tuple[LoopRun, ...] = ()
        self.leaving: dict[str, list[State]] = {}
        self.has_returned = False
        self.left_for: list[str] = []
        self.depths: dict[str, int] = {}
        self.used = {name for stmt in walk(kernel.body) for expr in expressions(stmt) for name in variables(expr)}
        self.types = {stmt.name: stmt.value.type for stmt in walk(kernel.body) if isinstance(stmt, Assign)}

    def run(self, values: dict[str, Value]) -> Written:
        """What the block writes, begun with values for parameters and coordinates."""
        self.block(self.kernel.body, State(dict(values), {}, Row(self.shape, (P.TRUE,))), leaves=Return)
        return self.found

    # -- statements ---------------------------------------------------------------------------------------

    def block(self, body: Iterable[Stmt], state: State, leaves: Exit = None) -> None:
        """Statements, one behind the other. `leaves`: what goes behind the last of them."""
        stmts = list(body)
        for at, stmt in enumerate(stmts):
            if self.is_nowhere(state.path):
                return
            if isinstance(stmt, If) and leaves and goes(stmt, leaves):
                test = self.evaluate(stmt.test, state)
                if self.as_truth(test) is None:
                    self.both_ways(instead_of_leaving(stmt, stmts[at + 1:], leaves), self.node(test, BOOL), state, leaves)
                    return
            self.statement(stmt, state)

    def is_nowhere(self, path: Truths) -> bool:
        return all(value == P.FALSE for value in path.values)

    def statement(self, stmt: Stmt, state: State) -> None:
        if self.budget.is_spent:
            raise CannotFollow(TIME_IS_UP, stmt.place)
        match stmt:
            case If():
                self.branch(stmt, state)
            case Loop():
                self.loop(stmt, state)
            case Block(label=label, body=body):
                self.labelled(label, body, state)
            case Leave(label=label):
                self.leave(label, state, stmt.place)
            case Return():
                if state.tests:
                    raise CannotFollow("data decide whether a thread returns", stmt.place)
                self.has_returned = True
                state.path = Row(self.shape, (P.FALSE,))
            case _:
                self.simple(stmt, state)

    def simple(self, stmt: Stmt, state: State) -> None:
        """A statement behind which control goes on."""
        match stmt:
            case Declare(name=name):
                state.env.pop(name, None)
            case Assign(name=name, value=value):
                state.env[name] = self.evaluate(value, state)
            case Store(array=array, index=index, value=value):
                where = [self.evaluate(part, state) for part in index]
                kind = self.arrays[array].element
                self.store(self.arrays[array], where, self.node(self.evaluate(value, state), kind), state, stmt.place)
            case Barrier() | Claim() | Fence():
                pass
            case Collective():
                self.exchange(stmt, state)
            case Atomic():
                self.update(stmt, state)
            case _:
                raise CannotFollow(f"{type(stmt).__name__} here", stmt.place)

    def branch(self, stmt: If, state: State) -> None:
        test = self.evaluate(stmt.test, state)
        truth = self.as_truth(test)
        if truth is None:
            self.both_ways(stmt, self.node(test, BOOL), state)
            return
        ways = [self.way(state.path, truth, holds) for holds in (True, False)]
        known = self.decided(ways, state)
        if known is not None:
            self.block((stmt.then, stmt.other)[known], state)
            return
        states = [state.fork(way) for way in ways]
        for each, body in zip(states, (stmt.then, stmt.other), strict=True):
            self.block(body, each)
        self.join(state, truth, states, [each.path is way for each, way in zip(states, ways, strict=True)])

    def decided(self, ways: Sequence[Truths], state: State) -> int | None:
        """The way that all lanes go, if that is sure."""
        for number, way in enumerate(ways):
            if self.is_nowhere(way):
                return 1 - number
            if way.is_one and state.path.is_one and len(ways[1 - number].values) == 1:
                under = [self.base.values[0]] if self.base.is_one else []
                if self.integers.never([way.values[0], *under]):
                    return 1 - number
        return None

    def both_ways(self, stmt: If, test: Node, state: State, leaves: Exit = None) -> None:
        """A branch that data decide. `leaves`: what goes behind it, where nothing comes behind it."""
        states = [state.fork(state.path, (test, True)), state.fork(state.path, (test, False))]
        for each, body in zip(states, (stmt.then, stmt.other), strict=True):
            self.block(body, each, leaves)
            if each.path is not state.path:
                raise CannotFollow("data decide whether a thread leaves", stmt.place)
        self.join(state, test, states, [True, True])

    def join(self, state: State, test: Value, states: Sequence[State], stays: Sequence[bool]) -> None:
        """What both ways leave, in one state."""
        then, other = states
        if not all(stays):
            gone = [self.is_nowhere(each.path) for each in states]
            if all(gone):
                state.path = Row(self.shape, (P.FALSE,))
                return
            if any(gone):
                state.become(states[gone.index(False)])
                return
        self.join_locals(state, test, then, other)
        self.join_cells(state, test, then, other)
        if not all(stays):
            state.path = self.truths(lambda a, b: P.disj((a, b)), then.path, other.path)

    def join_locals(self, state: State, test: Value, then: State, other: State) -> None:
        """Locals of both ways are chosen by the test; what one way alone has, nobody reads behind it without setting it."""
        made: dict[str, Value] = {}
        for name in {**then.env, **other.env}:
            one, two = then.env.get(name), other.env.get(name)
            if one is None or two is None:
                made[name] = one or two  # type: ignore[assignment]
            else:
                made[name] = one if one is two else self.chosen(name, test, one, two)
        state.env = made

    def chosen(self, name: str, test: Value, one: Value, two: Value) -> Value:
        kinds = [value.type if isinstance(value, Node) else None for value in (one, two)]
        return self.select(test, one, two, kinds[0] or kinds[1] or self.types.get(name, BOOL))

    def labelled(self, label: str, body: Iterable[Stmt], state: State) -> None:
        kept, begun = self.leaving.get(label), self.has_returned
        self.leaving[label], self.has_returned = [], False
        before, begun_at = state.path, len(self.left_for)
        state.around, state.wrote = (*state.around, state.wrote), {}
        kept_depth, self.depths[label] = self.depths.get(label), len(state.around)
        self.block(body, state, leaves=label)
        left = self.leaving.pop(label)
        goes_out = any(other != label for other in self.left_for[begun_at:])
        for each in left:
            if self.is_nowhere(state.path):
                state.become(each)
                continue
            self.join_locals(state, each.path, each, state)
            self.join_left(state, each.path, each)
            state.path = self.truths(lambda a, b: P.disj((a, b)), state.path, each.path)
        if left and not self.has_returned and not goes_out:
            state.path = before
        wrote, state.wrote, state.around = state.wrote, state.around[-1], state.around[:-1]
        state.have_written(wrote)
        self.has_returned |= begun
        del self.depths[label]
        if kept is not None:
            self.leaving[label] = kept
        if kept_depth is not None:
            self.depths[label] = kept_depth

    def leave(self, label: str, state: State, place: Place) -> None:
        if label not in self.leaving or label not in self.depths:
            raise CannotFollow("a loop that is left from inside", place)
        if state.tests:
            raise CannotFollow("data decide whether a thread leaves", place)
        self.left_for.append(label)
        left = State(dict(state.env), dict(state.cells), state.path, state.tests)
        for wrote in (*state.around[self.depths[label]:], state.wrote):
            left.have_written(wrote)
        self.leaving[label].append(left)
        state.path = Row(self.shape, (P.FALSE,))

    def loop(self, stmt: Loop, state: State) -> None:
        """A loop; what comes before it, where it is left from inside."""
        found = by_test(stmt)
        if found is None:
            self.tested_loop(stmt, state)
            return
        self.block(found[0], state)
        if not self.is_nowhere(state.path):
            self.tested_loop(found[1], state)

    def tested_loop(self, stmt: Loop, state: State) -> None:
        """Round by round while lanes' numbers decide; then one round for all."""
        if self.by_round is not None and stmt.label not in self.by_round and is_long(
                stmt, lambda expr: self.number_of(expr, state)):
            return self.long_loop(stmt, state)
        for _ in range(LANE_ROUNDS.value):
            test = self.as_truth(self.evaluate(stmt.test, state))
            if test is None:
                raise CannotFollow("data decide how often a loop goes round", stmt.place)
            going = self.truths(lambda here, t: P.conj((here, t)) if t in (P.TRUE, P.FALSE) else t, state.path, test)
            if self.is_nowhere(going):
                return None
            if any(t not in (P.TRUE, P.FALSE) and here != P.FALSE
                   for t, here in zip(self.spread(test), self.spread(state.path), strict=True)):
                self.symbolic_loop(stmt, state)
                return None
            rest = self.truths(lambda here, t: P.conj((here, P.neg(t))), state.path, test)
            inside, outside = state.fork(going), state.fork(rest)
            kept = self.leaving.get(stmt.label)
            self.leaving[stmt.label] = []
            self.block(stmt.body, inside)
            self.block(stmt.step, inside)
            if self.leaving.pop(stmt.label):
                raise CannotFollow("a loop that is left from inside", stmt.place)
            if kept is not None:
                self.leaving[stmt.label] = kept
            if self.is_nowhere(rest):
                state.become(inside)
            else:
                self.join(state, test, [inside, outside], [inside.path is going, True])
        LANE_ROUNDS.stopped()
        raise CannotFollow(f"more than {LANE_ROUNDS.value} rounds", stmt.place)

    def number_of(self, expr: Expr, state: State) -> int | None:
        """What an expression is, if it is one number in all lanes."""
        value = None if reads_memory(expr) else self.evaluate(expr, state)
        only = value.values[0] if isinstance(value, Row) and value.is_one else None
        return only.constant if isinstance(only, Poly) else None

    def long_loop(self, stmt: Loop, state: State) -> None:
        """One round for all, though numbers decide."""
        try:
            self.symbolic_loop(stmt, state)
        except (Symbolic, RoundByRound):
            raise
        except CannotFollow as error:
            raise RoundByRound(stmt.label, error) from error

    def spread(self, value: Truths) -> Sequence[Formula]:
        return value.values * self.shape.lanes if value.is_one else value.values

    # -- exchanges and updates ----------------------------------------------------------------------------

    def exchange(self, stmt: Collective, state: State) -> None:
        if self.shape.extents is None:
            raise CannotFollow("an exchange among threads of a block whose size is not stated", stmt.place)
        values = [self.evaluate(arg, state) for arg in stmt.args]
        kind = stmt.args[0].type if stmt.args else BOOL
        mine = self.node(values[0], kind) if values else None
        if mine is not None and stmt.op.startswith("shfl"):
            by = self.ints(values[1], stmt.place, "the lane of a shuffle")
            wide = self.ints(values[2], stmt.place, "the width of a shuffle") if len(values) > 2 else self.number(WARP)
            cells = []
            for lane in range(self.shape.lanes):
                source = shuffled(stmt.op, lane, by.of(lane).constant, wide.of(lane).constant)
                if source is None or source >= self.shape.lanes:
                    raise CannotFollow("sizes decide the lane of a shuffle", stmt.place)
                cells.append(Cell(mine, source, source))
            state.env[stmt.result] = gather(kind, tuple(cells), stmt.place)
        elif mine is not None and stmt.op in ("reduce_add", "reduce_min", "reduce_max") and stmt.mask is None:
            raise CannotFollow(f"the exchange '{stmt.op}'", stmt.place)
        else:
            raise CannotFollow(f"the exchange '{stmt.op}'", stmt.place)

    def update(self, stmt: Atomic, state: State) -> None:
        """An addition to a cell: kept with the stores, of global memory or of an array of the block (`tallies`, `staged`)."""
        array = self.arrays[stmt.array]
        sign = require_added(stmt, array.element)
        if stmt.result is not None and stmt.result in self.used:
            raise CannotFollow("the old value that an atomic update gives", stmt.place)
        rows = self.subscripts(array, [self.evaluate(part, state) for part in stmt.index], stmt.place)
        value = self.node(self.evaluate(stmt.args[0], state), array.element)
        if sign < 0:
            value = Node("unary", array.element, (value,), "-", stmt.place)
        if array.space is not Space.GLOBAL:
            if array.name not in self.symbolic:
                raise Symbolic(array.name, "an atomic update", stmt.place)
            self.stage(array, rows, self.flattened(array, rows), value, state, stmt.place, stmt)
            return
        if any(each.array == array.name for each in self.kept):
            raise CannotFollow(f"a loop that loads and updates '{array.name}'", stmt.place)
        index = self.flattened(array, rows)
        self.found.writes.append(Write(array.name, self.absolute(state), state.tests, index, value, self.rounds,
                                       len(self.found.writes), stmt.place, stmt))


def shuffled(op: str, lane: int, by: int | None, width: int | None) -> int | None:
    """The lane that a shuffle gives to a lane, its own where it asks for none."""
    if by is None or width is None or width not in (1, 2, 4, 8, 16, 32):
        return None
    mine, warp = lane % WARP, lane // WARP * WARP
    first = mine // width * width
    if op == "shfl":
        source = first + by % width
    elif op == "shfl_up":
        source = mine if mine - by < first else mine - by
    elif op == "shfl_down":
        source = mine if mine + by >= first + width else mine + by
    else:
        source = mine if (mine ^ by) // width > mine // width else mine ^ by
    return warp + source

