"""Copies that a thread goes on beside (`cp.async`, `__pipeline_memcpy_async`), written out as plain statements.

Such a copy reads and writes at any time between its begin and the wait that ends its group; a group is what a thread has begun
since its last commit (PTX ISA 8.5, cp.async). In: a lowered kernel. Out: one without `Later` and `Settle`, in which a copy is
made where it begins, once more behind each barrier as long as it may be under way, and once more at the wait. So an access of
another thread conflicts with one of these exactly if no barrier parts it from the whole copy. That the thread itself keeps away
from the cells is claimed (`landed`), and that nobody writes what is copied is looked at here.

What is under way is known by its age, how many commits it has seen: a wait for all but n groups ends what is older than n. For
each copy of the text and each age there are locals (is there one, where, of what), which a commit moves on by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from automata.lang.copied_rows import TRUE, Row, all_hold, are_apart, ends_below, follows, guarded_loads
from automata.lang.core import (
    Assign,
    AsyncCopy,
    Atomic,
    Barrier,
    Binary,
    Block,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Havoc,
    If,
    Kernel,
    Later,
    Leave,
    Load,
    Loop,
    Return,
    Settle,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.lang.effects import stored_arrays
from automata.lang.names import Names
from automata.lang.traverse import bodies, expressions, walk, within
from automata.place import Place
from automata.scalar import BOOL, I32, Scalar

MAX_AGE = 6
"""Commits that a copy may see before it has ended."""
Flight = dict[tuple[int, int], bool]
"""What may be under way: copies of the text by number, with their ages; whether a barrier may have come since it began."""
Out = list[Stmt]


def settled(kernel: Kernel) -> Kernel:
    """The kernel without asynchronous copies of threads."""
    copies = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Later)]
    if not copies and not any(isinstance(stmt, Settle) for stmt in walk(kernel.body)):
        return kernel
    read = {part.array for copy in copies for stmt in walk(copy.body) for root in expressions(stmt) for part in within(root)
            if isinstance(part, Load)}
    changed = read & stored_arrays(kernel.body)
    if changed:
        what = f"an asynchronous copy from '{min(changed)}', which the kernel writes"
        nothing = Names.beside(kernel).fresh("nothing")
        return replace(kernel, body=(Declare(nothing, I32), Havoc(nothing, what, copies[0].place)))
    first = _Writer(kernel)
    first.block(kernel.body, {})
    writer = _Writer(kernel, first.kept, first.repeated)
    body, _ = writer.block(kernel.body, {})
    return replace(kernel, body=(*writer.declared(), *body))


@dataclass
class _Writer:
    """Rewrites statements. `kept`: copies whose locals something looks at; `repeated`: those that begin again in one group."""

    kernel: Kernel
    kept: set[int] = field(default_factory=set)
    repeated: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.names = Names.beside(self.kernel)
        self.numbers: dict[int, int] = {}
        self.rows: dict[int, list[Row]] = {}
        self.locals: dict[str, Const] = {}
        self.left: dict[str, list[Flight]] = {}

    def declared(self) -> Iterator[Stmt]:
        for name, value in self.locals.items():
            yield Declare(name, value.type)
            yield Assign(name, value)

    # -- locals -----------------------------------------------------------------------------------

    def local(self, row: tuple[int, int], age: int, what: str, kind: Scalar) -> Var:
        name = self.names.of(("in flight", row, age, what), f"copy{row[0]}.{row[1]}.{what}.{age}")
        self.locals.setdefault(name, Const(0 if kind.is_int else 0.0, kind))
        return Var(name, kind)

    def live(self, copy: int, row: Row, age: int) -> Var:
        return self.local((copy, row.number), age, "live", BOOL)

    def first(self, copy: int, row: Row, age: int) -> tuple[Expr, ...]:
        return tuple(self.local((copy, row.number), age, f"at{axis}", part.type) for axis, part in enumerate(row.index))

    def value(self, copy: int, row: Row, age: int, step: int) -> Var:
        return self.local((copy, row.number), age, f"value{step}", row.stores[step].value.type)

    def all_of(self, copy: int, row: Row, age: int) -> list[Var]:
        """The locals of a row, but for whether there is one."""
        found = [part for part in self.first(copy, row, age) if isinstance(part, Var)]
        return found + [self.value(copy, row, age, step) for step in range(row.width)]

    # -- statements -------------------------------------------------------------------------------

    def block(self, body: tuple[Stmt, ...], flight: Flight | None) -> tuple[tuple[Stmt, ...], Flight | None]:
        out: Out = []
        for stmt in body:
            if flight is None:
                break
            made, flight = self.statement(stmt, flight)
            out += made
        return tuple(out), flight

    def statement(self, stmt: Stmt, flight: Flight) -> tuple[Out, Flight | None]:
        match stmt:
            case Later():
                return self.begin(stmt, flight)
            case Settle(most=most):
                return self.commit(stmt.place, flight) if most is None else self.wait(most, stmt.place, flight)
            case If():
                before = self.landed([stmt.test], flight, stmt.place)
                then, after_then = self.block(stmt.then, dict(flight))
                other, after_other = self.block(stmt.other, dict(flight))
                return [*before, replace(stmt, then=then, other=other)], _joined(after_then, after_other)
            case Block():
                before_labels = self.left.pop(stmt.label, None)
                body, after = self.block(stmt.body, flight)
                after = _joined(after, *self.leaving(stmt.label, before_labels))
                return [replace(stmt, body=body)], after
            case Loop():
                return self.loop(stmt, flight)
            case Leave(label=label):
                self.left.setdefault(label, []).append(flight)
                return [stmt], None
            case Return():
                return [*self.ended(flight, stmt.place), stmt], None
        return self.plain(stmt, flight)

    def plain(self, stmt: Stmt, flight: Flight) -> tuple[Out, Flight]:
        """A statement that neither begins, ends nor chooses anything."""
        before = self.landed(expressions(stmt), flight, stmt.place, stmt)
        if not isinstance(stmt, Barrier) and not (isinstance(stmt, Collective) and stmt.scope == "block"):
            return [*before, stmt], flight
        again: Out = []
        for copy, age in flight:
            again += self.again(copy, age)
        return [*before, stmt, *again], dict.fromkeys(flight, True)

    def leaving(self, label: str, before: list[Flight] | None) -> list[Flight]:
        found = self.left.pop(label, [])
        if before is not None:
            self.left[label] = before
        return found

    def loop(self, stmt: Loop, flight: Flight) -> tuple[Out, Flight | None]:
        """A loop that stays: what may be under way at its head is what was before it, or a round has left."""
        head, outer = dict(flight), self.left.pop(stmt.label, None)
        while True:
            others = {label: list(found) for label, found in self.left.items()}
            body, after = self.block(stmt.body, dict(head))
            step, end = (stmt.step, None) if after is None else self.block(stmt.step, after)
            found = _joined(head, end)
            assert found is not None
            if found == head:
                break
            head, self.left = found, others
        before, again = (self.landed([stmt.test], at, stmt.place) for at in (flight, end or {}))
        made = replace(stmt, body=body, step=(*step, *again))
        return [*before, made], _joined(head, *self.leaving(stmt.label, outer))

    def ended(self, flight: Flight, place: Place) -> Out:
        """A thread returns: what it has begun may be made at any time until the block ends."""
        tests = []
        for copy, age in flight:
            self.kept.add(copy)
            tests += [Unary("!", self.live(copy, row, age), BOOL, place) for row in self.rows[copy]]
        return [Claim("apart", all_hold(tests), place)] if tests else []

    # -- copies -----------------------------------------------------------------------------------

    def begin(self, stmt: Later, flight: Flight) -> tuple[Out, Flight]:
        """A copy made where it begins. One that begins again in its group has to go on upwards, since the first is forgotten."""
        copy = self.numbers.setdefault(id(stmt), len(self.numbers))
        self.rows.setdefault(copy, [])
        out: Out = []
        if (copy, 0) in flight:
            self.repeated.add(copy)
        if copy in self.repeated and (copy in self.kept or len(self.same_arrays(stmt)) > 1):
            out.append(self.lost("an asynchronous copy begun again and again in a loop before it is waited for", stmt.place))
        out += self.made(stmt.body, copy, flight, [])
        return out, {**flight, (copy, 0): flight.get((copy, 0), False)}

    def same_arrays(self, stmt: Later) -> list[Stmt]:
        """The copies of the text to the arrays that this one writes."""
        mine = stored_arrays((stmt,))
        return [other for other in walk(self.kernel.body) if isinstance(other, Later) and stored_arrays((other,)) & mine]

    def lost(self, what: str, place: Place) -> Stmt:
        nothing = self.local((-1, -1), 0, "nothing", I32)
        return Havoc(nothing.name, what, place)

    def made(self, body: tuple[Stmt, ...], copy: int, flight: Flight, done: list[Row]) -> Out:
        """The body of a copy, its stores kept in mind."""
        out: Out = []
        todo = list(body)
        while todo:
            stmt = todo.pop(0)
            if isinstance(stmt, Store):
                more = [stmt]
                while todo and isinstance(todo[0], Store) and follows(more, todo[0]):
                    more.append(todo.pop(0))  # type: ignore[arg-type]
                row = self.row(copy, len(done), tuple(more))
                done.append(row)
                out += self.landed(expressions(stmt), flight, stmt.place, row=row, copy=copy)
                out += self.stored(copy, row)
            elif isinstance(stmt, If):
                out += self.landed([stmt.test], flight, stmt.place)
                then, other = (tuple(self.made(part, copy, flight, done)) for part in (stmt.then, stmt.other))
                out.append(replace(stmt, then=then, other=other))
            elif bodies(stmt):
                out.append(self.lost("an asynchronous copy of a number of elements that is chosen at run time", stmt.place))
            else:
                out += [*self.landed(expressions(stmt), flight, stmt.place), stmt]
        return out

    def row(self, copy: int, number: int, stores: tuple[Store, ...]) -> Row:
        *outer, last = stores[0].index
        row = Row(number, stores[0].array, (*outer, last), stores)
        if number == len(self.rows[copy]):
            self.rows[copy].append(row)
        return row

    def stored(self, copy: int, row: Row) -> Out:
        place, out = row.stores[0].place, Out()
        if copy not in self.kept | self.repeated:
            return list(row.stores)
        if copy in self.repeated:
            *_, last = self.first(copy, row, 0)
            upwards = ends_below(last, row.width, row.index[-1])
            test = Binary("||", Unary("!", self.live(copy, row, 0), BOOL, place), upwards, BOOL, place)
            out.append(Claim("apart", test, place))
        for part, kept in zip(row.index, self.first(copy, row, 0), strict=True):
            assert isinstance(kept, Var)
            out.append(Assign(kept.name, part, place))
        for step, store in enumerate(row.stores):
            value = self.value(copy, row, 0, step)
            out.append(Assign(value.name, store.value, place))
            out.append(replace(store, index=row.at(step, self.first(copy, row, 0)), value=value))
        return [*out, Assign(self.live(copy, row, 0).name, TRUE, place)]

    def again(self, copy: int, age: int) -> Out:
        """The stores of a copy that may be under way."""
        self.kept.add(copy)
        out: Out = []
        for row in self.rows[copy]:
            first = self.first(copy, row, age)
            stores = tuple(replace(store, index=row.at(step, first), value=self.value(copy, row, age, step))
                           for step, store in enumerate(row.stores))
            out.append(If(self.live(copy, row, age), stores, (), row.stores[0].place))
        return out

    def commit(self, place: Place, flight: Flight) -> tuple[Out, Flight]:
        out: Out = []
        after: Flight = {}
        for copy, age in sorted(flight, reverse=True):
            if age >= MAX_AGE:
                out.append(self.lost("an asynchronous copy that many commits leave under way", place))
                continue
            after[copy, age + 1] = flight[copy, age]
            if copy not in self.kept | self.repeated:
                continue
            for row in self.rows[copy]:
                out += [Assign(new.name, old, place) for new, old in zip(
                    self.all_of(copy, row, age + 1), self.all_of(copy, row, age), strict=True)]
                out.append(Assign(self.live(copy, row, age + 1).name, self.live(copy, row, age), place))
                if (copy, age - 1) not in flight:
                    out += self.emptied(copy, row, age, place)
        return out, after

    def emptied(self, copy: int, row: Row, age: int, place: Place) -> Out:
        """There is none of this age any more. So each round of a loop computes what it leaves to the next."""
        return [Assign(local.name, self.locals[local.name], place)
                for local in (*self.all_of(copy, row, age), self.live(copy, row, age))]

    def wait(self, most: Expr, place: Place, flight: Flight) -> tuple[Out, Flight]:
        if not isinstance(most, Const):
            return [self.lost("a wait for a number of asynchronous copies that is chosen at run time", place)], flight
        out: Out = []
        over = [(copy, age) for copy, age in flight if age > most.value]
        for copy, age in over:
            if flight[copy, age]:
                out += self.again(copy, age)
            if copy in self.kept | self.repeated:
                out += [stmt for row in self.rows[copy] for stmt in self.emptied(copy, row, age, place)]
        return out, {item: passed for item, passed in flight.items() if item not in over}

    # -- claims -----------------------------------------------------------------------------------

    def landed(self, given: tuple[Expr, ...] | list[Expr], flight: Flight, place: Place, stmt: Stmt | None = None,
               row: Row | None = None, copy: int = -1) -> Out:
        """The thread keeps away from cells into which a copy of its own is under way: in what it reads, and in what it writes.
        `row`: what the copy of that number is about to write."""
        if not flight:
            return []
        tests = [test for expr in given for guard, load in guarded_loads(expr, TRUE)
                 for test in self.clear(load.array, load.index, 1, flight, guard)]
        match stmt:
            case Store(array=array, index=index):
                tests += self.clear(array, index, 1, flight)
            case Atomic(array=array, index=index):
                tests += self.clear(array, index, self.kernel.width(stmt), flight)
            case AsyncCopy(target=target, source=source):
                if {target, source} & {row.array for other, _ in flight for row in self.rows[other]}:
                    return [self.lost("copies by a thread and by its block into one array", place)]
        if row is not None:
            tests += self.clear(row.array, row.index, row.width, {item: True for item in flight if item != (copy, 0)})
        return [Claim("landed", all_hold(tests), place)] if tests else []

    def clear(self, array: str, index: tuple[Expr, ...], width: int, flight: Flight, guard: Expr = TRUE) -> Iterator[Expr]:
        """For each copy into an array that may be under way: some cells are none of its."""
        for copy, age in flight:
            for row in self.rows[copy]:
                if row.array == array:
                    self.kept.add(copy)
                    away = are_apart(index, width, self.first(copy, row, age), row.width)
                    free = Binary("||", Unary("!", self.live(copy, row, age), BOOL), away, BOOL)
                    yield free if guard == TRUE else Binary("||", Unary("!", guard, BOOL), free, BOOL)


def _joined(*flights: Flight | None) -> Flight | None:
    """What may be under way where ways meet."""
    known = [flight for flight in flights if flight is not None]
    if not known:
        return None
    found: Flight = {}
    for flight in known:
        for item, passed in flight.items():
            found[item] = found.get(item, False) or passed
    return found
