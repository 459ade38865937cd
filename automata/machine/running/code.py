"""The thread automaton compiled for the machine: one instruction for each location.

    Instruction ::= Do run target | Branch test then other | Meet what target | End

Edges into the head of a loop count its rounds: for the limit on rounds, and where the loop holds a
barrier, to tell whether threads meet in the same round.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from automata.lang.core import (
    Array,
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Bits,
    Cast,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    Havoc,
    Kernel,
    Print,
    Scope,
    Select,
    Stmt,
    Store,
    Var,
)
from automata.lang.effects import variables
from automata.lang.traverse import expressions, walk
from automata.machine.lanes.compiled import Closure, Compiler, Run, watched_in
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Concrete, Lanes, Values
from automata.machine.strips.distribution import distribute
from automata.machine.strips.mixed import Mixed
from automata.machine.strips.strips import Strip, are_added
from automata.machine.strips.symbol_strips import SymbolStrip
from automata.machine.symbols.domain import Data
from automata.passes import passing
from automata.place import NOWHERE, Place, UndecidedError
from automata.thread.automaton import Action, Automaton, Condition, Sync, Transition


@dataclass(frozen=True, slots=True)
class Do:
    run: Run
    target: int


@dataclass(frozen=True, slots=True)
class Branch:
    test: Closure
    then: int
    other: int


@dataclass(frozen=True, slots=True)
class Meet:
    """Threads wait for others: of their block, their grid, or the named lanes of their warp."""

    stmt: Barrier | Collective | AsyncCopy | AsyncWait
    scope: Scope
    target: int
    mask: Closure | None = None
    args: tuple[Closure, ...] = ()
    copies: tuple[int, ...] = ()

    @property
    def place(self) -> Place:
        return self.stmt.place


@dataclass(frozen=True, slots=True)
class End:
    pass


Instruction = Do | Branch | Meet | End


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a loop. `counter`: the local that counts its rounds, if the loop holds a meeting point."""

    place: Place
    counter: str | None


@dataclass
class Code:
    """A compiled automaton. `entering`, `again`: edges into loop heads, from outside and from the end of the body;
    `around`: the counters of the loops in whose statement each meeting point stands; `until`: by the location behind it, up
    to where in the text a return comes before a meeting of a warp: to it, or to the end of the loops around it; `strips`:
    loops, by their heads, that may run many rounds at once."""

    kernel: Kernel
    instructions: dict[int, Instruction] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)
    entering: set[tuple[int, int]] = field(default_factory=set)
    again: set[tuple[int, int]] = field(default_factory=set)
    around: dict[int, tuple[str, ...]] = field(default_factory=dict)
    until: dict[int, int] = field(default_factory=dict)
    strips: dict[int, Strip] = field(default_factory=dict)
    exit: int = 0
    arrays: dict[str, Array] = field(default_factory=dict)
    copies: int = 0


@passing("compile")
def compile_automaton(automaton: Automaton, values: Values, *, watch: bool, wraps: bool = False,
                      data: Data | None = None) -> Code:
    """UndecidedError where the automaton uses a function that the machine does not know. `data`: of a symbolic run."""
    maker = _Maker(automaton, values, watch, wraps, data)
    for location in automaton.graph.nodes:
        maker.code.instructions[location] = maker.instruction(location)
    maker.loops()
    return maker.code


class _Maker:
    def __init__(self, automaton: Automaton, values: Values, watch: bool, wraps: bool, data: Data | None) -> None:
        self.automaton, self.data, kernel = automaton, data, automaton.kernel
        dims = {array.name: tuple(extent or 0 for extent in array.dims) for array in kernel.arrays}
        watched = watched_in(kernel.dialect) if watch else frozenset()
        self.compiler = Compiler(values, dims, watch=watched, wraps=wraps) if data is None else Mixed(values, dims, data)
        self.values = values
        self.cache: dict[int, Closure] = {}
        self.code = Code(kernel, arrays={array.name: array for array in kernel.arrays}, exit=automaton.exit)
        self.read = {name for stmt in walk(kernel.body) for expr in expressions(stmt) for name in variables(expr)}
        self.repeating = _repeating(kernel)
        self.copies: dict[int, int] = {}
        for _, _, carried in automaton.graph.edges(data=True):
            match carried["transition"]:
                case Action(stmt=AsyncCopy() as stmt):
                    self.copies.setdefault(id(stmt), len(self.copies))
        self.code.copies = len(self.copies)

    def expr(self, expr: Expr) -> Closure:
        """Compiled once, however many edges carry it."""
        if id(expr) not in self.cache:
            self.cache[id(expr)] = self.compiler.expr(expr)
        return self.cache[id(expr)]

    def instruction(self, location: int) -> Instruction:
        edges = self.automaton.outgoing(location)
        if not edges:
            return End()
        (target, transition), *rest = edges
        match transition:
            case Condition(test=Const(value=value), positive=positive) if not rest:
                assert bool(value) is positive
                return Do(_nothing, target)
            case Condition(test=test, positive=positive):
                assert self.data is None or not self.data.partition.is_data(test)
                assert len(rest) == 1 and isinstance(rest[0][1], Condition)
                other = rest[0][0]
                return Branch(self.expr(test), target if positive else other, other if positive else target)
            case Sync(barrier=barrier):
                mask = None if barrier.mask is None else self.expr(barrier.mask)
                if self.data is not None and any(map(self.data.partition.is_data, expressions(barrier))):
                    raise UndecidedError("a barrier whose lanes or fences data decide", barrier.place)
                return Meet(barrier, barrier.scope, target, mask, () if barrier.flags is None else (self.expr(barrier.flags),))
            case Action(stmt=stmt):
                return self.action(stmt, target)

    def action(self, stmt: Stmt, target: int) -> Instruction:
        match stmt:
            case Collective(scope=scope, mask=mask, args=args, result=result):
                others = args[1:] if mask is None else (mask, *args[1:])
                if self.data is not None and any(map(self.data.partition.is_data, others)):
                    raise UndecidedError("an exchange among lanes that data decide", stmt.place)
                given = (*(self.compiler.assigned(result, arg) for arg in args[:1]), *map(self.expr, args[1:]))
                if mask is None and scope == "warp":
                    return Do(_alone(Meet(stmt, scope, target, None, given)), target)
                return Meet(stmt, scope, target, None if mask is None else self.expr(mask), given)
            case AsyncCopy():
                if self.data is not None and self.data.holds(stmt.target) is not self.data.holds(stmt.source):
                    raise UndecidedError("an asynchronous copy of constants", stmt.place)
                parts = (stmt.target_index, stmt.source_index, stmt.count, *([] if stmt.stride is None else [stmt.stride]))
                return Meet(stmt, "block", target, None, tuple(self.expr(part) for part in parts),
                            (self.copies[id(stmt)], *(number for name, number in self.events() if name == stmt.event)))
            case AsyncWait(events=events):
                waited = [number for name, number in self.events() if name in events]
                return Meet(stmt, "block", target, None, (), tuple(waited))
            case Store():
                return Do(self.compiler.store(stmt), target)
            case Atomic(result=result):
                if not isinstance(self.values, Concrete) and self.code.kernel.width(stmt) > 1:
                    raise UndecidedError(f"an atomic on {stmt.type} in memory that is also reached as another type", stmt.place)
                is_read = result is not None and result in self.read
                return Do(self.compiler.update(stmt, is_read=is_read, repeats=stmt.array in self.repeating), target)
            case _:
                return Do(self.local(stmt), target)

    def events(self) -> list[tuple[str, int]]:
        return [(data["transition"].stmt.event, self.copies[id(data["transition"].stmt)])
                for _, _, data in self.automaton.graph.edges(data=True)
                if isinstance(data["transition"], Action) and isinstance(data["transition"].stmt, AsyncCopy)]

    def local(self, stmt: Stmt) -> Run:
        match stmt:
            case Declare(name=name, type=declared):
                return lambda frame: frame.set(name, frame.batch.poison(frame, name, declared))
            case Assign(name=name, value=expr):
                value = self.compiler.assigned(name, expr)
                if isinstance(expr, Var | Cast | Bits | Select):
                    return lambda frame: frame.set(name, _copied(value(frame)))
                return lambda frame: frame.set(name, value(frame))
            case Havoc(what=what, place=place, effects=True):
                raise UndecidedError(what, place)
            case Havoc(name=name, what=what, place=place):
                return lambda frame: frame.batch.havoc(frame, name, what, place)
            case Claim(kind=kind, test=test, place=place):
                claim = self.expr(test)
                return lambda frame: frame.batch.note_claim(frame, claim(frame), kind, place)
            case Print(args=args):
                return _evaluated([self.expr(arg) for arg in args])
            case Fence(scope=reach):
                return lambda frame: frame.batch.fence(frame, is_wide=reach != "block")
        raise AssertionError(stmt)

    # -- loops ----------------------------------------------------------------------------------

    def loops(self) -> None:
        """Heads of loops: the targets of edges that lead back."""
        graph = self.automaton.graph
        back = sorted({edge for edge in graph.edges() if self.automaton.is_back(*edge)})
        heads = sorted({target for _, target in back})
        for head in heads:
            body = self.body(head, {source for source, target in back if target == head})
            span = self.automaton.loops[head]
            meetings = {location: item for location, item in self.code.instructions.items()
                        if location in span and isinstance(item, Meet)}
            counter = f"round of {head}" if meetings else None
            if not meetings:
                self.strip(head)
            self.code.heads[head] = Head(self.place(head), counter)
            for location, meet in meetings.items():
                self.code.until[meet.target] = max(self.code.until.get(meet.target, 0), span.stop)
                self.code.around[location] = (*self.code.around.get(location, ()), f"round of {head}")
            for source, _ in graph.in_edges(head):
                (self.code.again if source in body else self.code.entering).add((source, head))

    def strip(self, head: int) -> None:
        """Let a loop go in strips, if it is of the kind; one of numbers, only if it writes no memory."""
        data, dims = self.data, self.compiler.dims
        if data is not None:
            plan = distribute(self.automaton, head, data.partition.is_data, lambda kind, _: data.domain.sums(kind))
            if plan is not None:
                self.code.strips[head] = SymbolStrip(plan, self.values, dims, data)
        elif type(self.values) is Concrete:
            plan = distribute(self.automaton, head, lambda expr: expr.type.is_float, are_added)
            if plan is not None and not plan.stores:
                self.code.strips[head] = Strip(plan, self.compiler)

    def body(self, head: int, ends: set[int]) -> set[int]:
        """The natural loop of a head: what reaches the ends of its rounds without passing it."""
        graph = self.automaton.graph
        back, found = set[int](), {head}
        todo = [end for end in ends if end != head]
        while todo:
            location = todo.pop()
            if location not in back and location != head:
                back.add(location)
                todo += graph.pred[location]
        todo = [head]
        while todo:
            inside = [target for target in graph.succ[todo.pop()] if target in back and target not in found]
            found.update(inside)
            todo += inside
        return found | (ends - {head})

    def place(self, head: int) -> Place:
        transitions: list[Transition] = [data["transition"] for _, _, data in self.automaton.graph.out_edges(head, data=True)]
        return next((item.place for item in transitions if item.place.line), NOWHERE)


def _evaluated(closures: list[Closure]) -> Run:
    """Values that nothing keeps."""
    def run(frame: Frame) -> None:
        for value in closures:
            value(frame)
    return run


def _nothing(frame: Frame) -> None:
    pass


def _copied(value: Lanes) -> Lanes:
    return np.array(value) if value.ndim else value


def _alone(meet: Meet) -> Run:
    """An exchange without a mask: among the lanes that are here now."""
    return lambda frame: frame.batch.exchange(meet, frame)


def _repeating(kernel: Kernel) -> set[str]:
    """Arrays whose updates all add, or all take away, one literal number."""
    made: dict[str, set[tuple[object, ...]]] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Atomic) and stmt.op != "load":
            one = (stmt.op, *((repr(arg.value), arg.type) if isinstance(arg, Const) else None for arg in stmt.args))
            made.setdefault(stmt.array, set()).add(one)
    return {array for array, found in made.items() if len(found) == 1
            and all(one[0] in ("add", "sub") and None not in one for one in found)}
