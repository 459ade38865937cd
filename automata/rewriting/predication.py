"""Branches on data made into values: a kernel without tests on data, for runs whose data are symbols.

Input: a kernel and the partition of its names. Output: a kernel whose every lane makes the same accesses for all data, and
the test names that hold data. Of a branch on data both sides are run, one after the other; behind it each
local is selected by the test, and a write of memory below it writes back what was there where the test fails. A
jump under a test on data becomes a flag of the block or loop that is left (`gone`): what follows, up to the end
of that block, is guarded by it. A local that nobody reads behind that end needs no selecting, so that counters of loops
stay numbers.

If-conversion (Allen, Kennedy, Porterfield, Warren, POPL 1983), with the guards of jumps that GPUVerify's predicated
execution has (Betts et al., OOPSLA 2012, section 3). Not taken, by name (`CannotPredicate`): loops whose test is data,
meetings of threads under a test on data, atomics there whose old value is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from automata.lang.core import (
    COMPARISONS,
    Assign,
    AsyncCopy,
    AsyncWait,
    Atomic,
    Barrier,
    Binary,
    Block,
    Claim,
    Collective,
    Const,
    Declare,
    Expr,
    Fence,
    If,
    Kernel,
    Leave,
    Load,
    Loop,
    Print,
    Return,
    Select,
    Stmt,
    Store,
    Unary,
    Var,
)
from automata.lang.effects import assigned, declared, jumps_out, reads_memory, variables
from automata.lang.names import Names
from automata.lang.spec import watched
from automata.lang.traverse import children, expressions, walk
from automata.passes import passing
from automata.place import Place
from automata.rewriting.partition import Partition, partition
from automata.scalar import BOOL, Scalar

Body = tuple[Stmt, ...]
KERNEL = ""
"""The label that stands for the whole kernel: a return leaves it."""

_NEUTRAL = frozenset({"add", "sub", "or", "xor"})


class CannotPredicate(Exception):
    """Something that data decide and that no value stands for."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message, self.place = message, place


@dataclass
class Region:
    """Statements under a test on data. `path`: it and all tests around it; `gone`: the labels whose
    flags it tests (empty: a branch of the source); `merges`: what is selected at its end."""

    path: Expr
    gone: frozenset[str] = frozenset()
    merges: list[Stmt] = field(default_factory=list)


@passing("predicate")
def predicate(kernel: Kernel, free: frozenset[str], *, exact: bool) -> tuple[Kernel, Partition]:
    """The predicated kernel with its partition (`free`, `exact`: as there). What turns out to be data once branches are
    values may make further tests data, so the two are repeated until nothing new is."""
    found = partition(kernel, free, exact=exact)
    while True:
        made = _Predication(kernel, found).kernel()
        after = partition(made, free, exact=exact)
        if after.locals & _names(kernel) <= found.locals and after.arrays <= found.arrays:
            return watched(made, "predicated"), after
        found = replace(after, locals=after.locals | found.locals, arrays=after.arrays | found.arrays)


class _Predication:
    def __init__(self, kernel: Kernel, partition: Partition) -> None:
        self.source, self.partition = kernel, partition
        self.types: dict[str, Scalar] = {param.name: param.type for param in kernel.params}
        self.types |= {stmt.name: stmt.type for stmt in walk(kernel.body) if isinstance(stmt, Declare)}
        self.reads = _counts(kernel.body)
        self.inside: dict[str, Body] = {KERNEL: kernel.body}
        self.loops: dict[str, Loop | None] = {KERNEL: None}
        self.scopes: dict[str, int] = {KERNEL: 0}
        self.order: dict[str, int] = {KERNEL: 0}
        self.depth = 0
        self.regions: list[Region] = []
        self.loop: Loop | None = None
        self.names = Names.beside(kernel)

    def kernel(self) -> Kernel:
        made, left = self.body(self.source.body)
        if KERNEL in left:
            made = [*self.flag(KERNEL, self.source.place), *made]
        return replace(self.source, body=tuple(made))

    # -- statements -----------------------------------------------------------------------------

    def body(self, body: Sequence[Stmt]) -> tuple[list[Stmt], frozenset[str]]:
        """The statements, and the labels that data may make a lane leave for."""
        made: list[Stmt] = []
        for at, stmt in enumerate(body):
            part, left = self.statement(stmt)
            made += part
            rest = body[at + 1:]
            if left and rest and not isinstance(stmt, Leave | Return):
                more, further = self.guarded(tuple(rest), left, stmt.place)
                return made + more, left | further
            if isinstance(stmt, Leave | Return):
                return made, left
            if left:
                return made, left
        return made, frozenset()

    def statement(self, stmt: Stmt) -> tuple[list[Stmt], frozenset[str]]:
        match stmt:
            case If(test=test) if self.partition.is_data(test):
                return self.branch(stmt)
            case If():
                then, left = self.body(stmt.then)
                other, further = self.body(stmt.other)
                return [replace(stmt, then=tuple(then), other=tuple(other))], left | further
            case Block():
                return self.block(stmt)
            case Loop():
                return self.looped(stmt)
            case Leave() | Return():
                return self.jump(stmt)
            case Claim() | Print() | Fence():
                return [], frozenset()
            case Barrier() | Collective() | AsyncCopy() | AsyncWait() if self.regions:
                raise CannotPredicate("a meeting of threads under a test on data", stmt.place)
            case Store() if self.regions:
                kept = Load(stmt.array, stmt.index, stmt.value.type, stmt.place)
                return [replace(stmt, value=Select(self.path(), stmt.value, kept, stmt.value.type, stmt.place))], frozenset()
            case Atomic() if self.regions:
                return [self.atomic(stmt)], frozenset()
        return [stmt], frozenset()

    def atomic(self, stmt: Atomic) -> Stmt:
        """An update that leaves the cell alone where the tests around it fail."""
        if stmt.result is not None and self.reads.get(stmt.result):
            raise CannotPredicate("the old value of an atomic update under a test on data", stmt.place)
        kind = stmt.args[0].type
        zero: Expr
        if stmt.op in _NEUTRAL and not kind.is_float:
            zero = Const(0, kind, stmt.place)
        elif stmt.op in ("min", "max", "and") and not kind.is_float:
            zero = Load(stmt.array, stmt.index, kind, stmt.place)
        else:
            raise CannotPredicate(f"an atomic {stmt.op} under a test on data", stmt.place)
        return replace(stmt, args=(Select(self.path(), stmt.args[0], zero, kind, stmt.place), *stmt.args[1:]))

    # -- tests on data --------------------------------------------------------------------------

    def branch(self, stmt: If) -> tuple[list[Stmt], frozenset[str]]:
        """A branch on data: one side, everything as before, the other side, then each local selected."""
        parted = self.parted(stmt)
        if parted is not None:
            return parted
        made, stmt, stores = self.shared_stores(stmt)
        place = stmt.place
        test, more = self.frozen(stmt.test)
        made += more
        first_names, second_names = (assigned(side) - declared(side) for side in (stmt.then, stmt.other))
        names = sorted((first_names | second_names) & self.types.keys())
        first = {name: self.fresh("before") for name in names}
        before = {name: Var(first[name], self.types[name], place) for name in names}
        made += [part for name in names for part in self.copied(first[name], name, place)]
        then, left = self.region(test, stmt.then)
        made += then
        for name in sorted(first_names & before.keys()):
            first[name] = self.fresh("then")
            made += [*self.copied(first[name], name, place), Assign(name, before[name], place)]
        other, further = self.region(Unary("!", test, BOOL, place), stmt.other)
        made += other
        made += [self.select(name, test, Var(first[name], self.types[name], place), Var(name, self.types[name], place), place)
                 for name in names]
        after, _ = self.body(stores)
        return made + after, left | further

    def parted(self, stmt: If) -> tuple[list[Stmt], frozenset[str]] | None:
        """A branch on a number and data together, as one on each: `a && b` without an else; `a || b` before a jump."""
        test = stmt.test
        if not isinstance(test, Binary) or stmt.other or self.partition.is_data(test.left):
            return None
        if test.op == "&&":
            return self.statement(If(test.left, (If(test.right, stmt.then, (), stmt.place),), (), stmt.place))
        if test.op == "||" and stmt.then and isinstance(stmt.then[-1], Return | Leave):
            return self.body([If(test.left, stmt.then, (), stmt.place), If(test.right, stmt.then, (), stmt.place)])
        return None

    def shared_stores(self, stmt: If) -> tuple[list[Stmt], If, list[Stmt]]:
        """A store of one cell with which both sides end is one store behind the branch: declarations, branch, stores."""
        *then, one = stmt.then or (stmt,)
        *other, two = stmt.other or (stmt,)
        changed = assigned(tuple(then)) | assigned(tuple(other))
        if not (isinstance(one, Store) and isinstance(two, Store) and _same_cell(one, two)) or jumps_out((*then, *other)) or (
                changed & {name for part in one.index for name in variables(part)}):
            return [], stmt, []
        name, kind = self.fresh("stored"), one.value.type
        self.types[name], self.reads[name] = kind, 1
        sides = [(*side, Assign(name, store.value, store.place)) for side, store in ((then, one), (other, two))]
        return ([Declare(name, kind, one.place)], replace(stmt, then=sides[0], other=sides[1]),
                [replace(one, value=Var(name, kind, one.place))])

    def region(self, condition: Expr, body: Body) -> tuple[list[Stmt], frozenset[str]]:
        """One side of a branch on data."""
        if not body:
            return [], frozenset()
        path, made = self.under(condition)
        self.regions.append(Region(path))
        inner, left = self.body(body)
        self.regions.pop()
        return made + inner, left

    def guarded(self, body: Body, gone: frozenset[str], place: Place) -> tuple[list[Stmt], frozenset[str]]:
        """Statements that lanes skip which have left for one of some labels."""
        flags: Expr | None = None
        for label in sorted(gone, key=lambda name: self.order[name]):
            flag: Expr = Var(self.gone(label), BOOL, place)
            flags = flag if flags is None else Binary("||", flags, flag, BOOL, place)
        assert flags is not None
        test, made = self.named("stays", Unary("!", flags, BOOL, place))
        path, more = self.under(Var(test, BOOL, place))
        inner = max(gone, key=lambda name: self.order[name])
        names = sorted(name for name in (assigned(body) - declared(body)) & self.types.keys() if not self.dead(name, inner))
        before = {name: self.fresh("before") for name in names}
        made += more + [part for name in names for part in self.copied(before[name], name, place)]
        merges: list[Stmt] = [self.select(name, Var(test, BOOL, place), Var(name, self.types[name], place),
                                          Var(before[name], self.types[name], place), place) for name in names]
        self.regions.append(Region(path, gone, merges))
        inside, left = self.body(body)
        self.regions.pop()
        return [*made, *inside, *merges], left

    def dead(self, name: str, label: str) -> bool:
        """Whether nobody reads a local once a block is left: all reads are in it, and no loop around it brings it back."""
        body, loop = self.inside[label], self.loops[label]
        if label == KERNEL:
            return True
        return _counts(body).get(name, 0) == self.reads.get(name, 0) and (loop is None or name in declared(loop.body))

    # -- blocks, loops, jumps -------------------------------------------------------------------

    def enter(self, stmt: Block | Loop) -> None:
        self.inside[stmt.label] = (stmt,)
        self.loops[stmt.label] = self.loop
        self.scopes[stmt.label] = len(self.regions)
        self.order[stmt.label] = self.depth = self.depth + 1

    def block(self, stmt: Block) -> tuple[list[Stmt], frozenset[str]]:
        self.enter(stmt)
        inner, left = self.body(stmt.body)
        self.depth -= 1
        made: list[Stmt] = [replace(stmt, body=tuple(inner))]
        if stmt.label in left:
            made = [*self.flag(stmt.label, stmt.place), *made]
        return made, left - {stmt.label}

    def looped(self, stmt: Loop) -> tuple[list[Stmt], frozenset[str]]:
        """A loop; lanes that have left it on data's account go on round it, and do nothing. Which labels data may make lanes
        leave for is known once a round has been looked at under the flags of all of them."""
        if self.partition.is_data(stmt.test):
            raise CannotPredicate("a loop bounded by data", stmt.place)
        self.enter(stmt)
        around, self.loop = self.loop, stmt
        known: frozenset[str] = frozenset()
        while True:
            inner, left = self.round(stmt.body, known, stmt.place)
            step, more = self.round(stmt.step, known, stmt.place)
            if left | more <= known:
                break
            known |= left | more
        self.loop = around
        self.depth -= 1
        if known and isinstance(stmt.test, Const) and not jumps_out(tuple(inner)):
            raise CannotPredicate("a loop that only data end", stmt.place)
        made: list[Stmt] = [replace(stmt, body=tuple(inner), step=tuple(step))]
        if stmt.label in known:
            made = [*self.flag(stmt.label, stmt.place), *made]
        return made, known - {stmt.label}

    def round(self, body: Body, gone: frozenset[str], place: Place) -> tuple[list[Stmt], frozenset[str]]:
        """A part of a loop's round, for lanes that have not left."""
        return self.guarded(body, gone, place) if gone and body else self.body(body)

    def jump(self, stmt: Leave | Return) -> tuple[list[Stmt], frozenset[str]]:
        """A jump: as it stands where no data decide it, or only whether the lane has left for there before; else a flag."""
        label = KERNEL if isinstance(stmt, Return) else stmt.label
        regions = self.regions[self.scopes[label]:]
        outer = {name for name, number in self.order.items() if number <= self.order[label]}
        if all(region.gone and region.gone <= outer for region in regions):
            merges = [merge for region in reversed(regions) for merge in region.merges]
            return [*merges, stmt], frozenset()
        flag = self.gone(label)
        both = Binary("||", Var(flag, BOOL, stmt.place), self.path(), BOOL, stmt.place)
        return [Assign(flag, both, stmt.place)], frozenset({label})

    # -- pieces ---------------------------------------------------------------------------------

    def path(self) -> Expr:
        return self.regions[-1].path

    def under(self, condition: Expr) -> tuple[Expr, list[Stmt]]:
        """A condition with all tests around it."""
        if not self.regions:
            return condition, []
        name, made = self.named("path", Binary("&&", self.path(), condition, BOOL, condition.place))
        return Var(name, BOOL, condition.place), made

    def frozen(self, test: Expr) -> tuple[Expr, list[Stmt]]:
        """A test in terms of locals that nothing else changes; a comparison stays one, for what is chosen by it."""
        if isinstance(test, Unary) and test.op == "!":
            inner, made = self.frozen(test.arg)
            return replace(test, arg=inner), made
        if not isinstance(test, Binary) or test.op not in COMPARISONS:
            name, made = self.named("test", test)
            return Var(name, BOOL, test.place), made
        left, made = self.named("left", test.left)
        right, more = self.named("right", test.right)
        kind = test.left.type
        return replace(test, left=Var(left, kind, test.place), right=Var(right, kind, test.place)), made + more

    def named(self, what: str, value: Expr) -> tuple[str, list[Stmt]]:
        name = self.fresh(what)
        return name, [Declare(name, value.type, value.place), Assign(name, value, value.place)]

    def flag(self, label: str, place: Place) -> list[Stmt]:
        name = self.gone(label)
        return [Declare(name, BOOL, place), Assign(name, Const(0, BOOL, place), place)]

    def copied(self, copy: str, name: str, place: Place) -> list[Stmt]:
        kind = self.types[name]
        return [Declare(copy, kind, place), Assign(copy, Var(name, kind, place), place)]

    def select(self, name: str, test: Expr, then: Expr, other: Expr, place: Place) -> Stmt:
        return Assign(name, Select(test, then, other, self.types[name], place), place)

    def fresh(self, what: str) -> str:
        return self.names.fresh(what)

    def gone(self, label: str) -> str:
        """The local that says of a lane that it has left a block on data's account."""
        return self.names.of(label, "gone")


def _same_cell(one: Stmt, two: Stmt) -> bool:
    """Whether two statements store to one cell at indices that read no memory."""
    return (isinstance(one, Store) and isinstance(two, Store) and (one.array, one.index) == (two.array, two.index)
            and not any(map(reads_memory, one.index)))


def _counts(body: Body) -> dict[str, int]:
    """How often each local is read."""
    found: dict[str, int] = {}

    def count(expr: Expr) -> None:
        if isinstance(expr, Var):
            found[expr.name] = found.get(expr.name, 0) + 1
        for part in children(expr):
            count(part)

    for stmt in walk(body):
        for expr in expressions(stmt):
            count(expr)
    return found


def _names(kernel: Kernel) -> set[str]:
    return {param.name for param in kernel.params} | declared(kernel.body)
