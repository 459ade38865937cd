"""Plain reads whose value counts only where a compare-and-swap has shown it to be current.

The CUDA guide's own addition of doubles begins with a plain read:

    old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (assumed != old);

C++ calls the first read a race with the updates of other threads. What it gives does not matter, though: it is only what a
compare-and-swap of the same cell expects, and what is stored is computed of it, so that where it is stale nothing is stored and
the old value is handed back. What is left to trust is that the read is one access of a whole word.

Input: a kernel. Output: the same, in which such reads are atomic loads, and an assumption that says so with their lines. They
still race with plain stores. The rule, for a read of an element of 4 or 8 bytes whose cell is the target of compare-and-swaps of
its width (`_Followed`):

- *copies* of it, with the same bits, may be what a swap of the same array, subscript and scope expects, and nothing else;
- what is *computed* of it may be what that swap would store, if it was computed of the local that is expected there, since that
  was set last; branches that only choose it belong to it;
- a copy may be compared with the result of the swap that expected it: that says whether it was stored;
- any other use, in a subscript, a store, a test, another update, and the read stays as it is. So it does if the value could
  wait until the subscript names another cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from automata.lang.core import (
    Assign,
    AsyncCopy,
    Atomic,
    Binary,
    Bits,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Kernel,
    Load,
    Stmt,
    Store,
    Var,
)
from automata.lang.effects import assigned, declared, variables
from automata.lang.names import Names
from automata.lang.spaces import Scope
from automata.lang.spec import watched
from automata.lang.traverse import bodies, expressions, rebuild, rebuild_statement, walk, within
from automata.place import told_lines

Body = tuple[Stmt, ...]
WORDS = (4, 8)
"""Bytes of the elements that a device reads at once."""

ASSUMED = "a plain read whose value only goes into compare-and-swaps of the same cell is one access of the whole word"


def with_validated_reads(kernel: Kernel) -> Kernel:
    """The kernel with atomic loads for plain reads that compare-and-swaps validate; the same one where there are none."""
    swaps = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Atomic) and stmt.op == "cas" and _is_word(kernel, stmt)]
    if not swaps:
        return kernel
    lists = list(_lists(kernel.body))
    followed = [_Followed(kernel, lists, _Read(stmt, load), swaps) for stmt in walk(kernel.body)
                if isinstance(stmt, Assign) and (load := _read(stmt.value)) is not None]
    chosen = {id(each.read.stmt): each.swaps[0].scope for each in followed if each.is_validated()}
    if not chosen:
        return kernel
    maker = _Maker(chosen, Names.beside(kernel))
    lines = told_lines(each.read.load.place for each in followed if id(each.read.stmt) in chosen)
    said = f"{ASSUMED} ({lines})"
    made = replace(kernel, body=maker.block(kernel.body), assumptions=(*kernel.assumptions, said))
    return watched(made, "validated reads")


@dataclass(frozen=True, slots=True)
class _Read:
    stmt: Assign
    load: Load


def _is_word(kernel: Kernel, swap: Atomic) -> bool:
    return kernel.array(swap.array).element.bytes == swap.type.bytes in WORDS


def _bare(expr: Expr) -> Expr:
    """What an expression is made of by reading the same bits as another type."""
    while isinstance(expr, Bits) or (isinstance(expr, Cast) and expr.type.is_int and expr.arg.type.is_int
                                     and expr.type.bits == expr.arg.type.bits):
        expr = expr.arg
    return expr


def _read(expr: Expr) -> Load | None:
    bare = _bare(expr)
    return bare if isinstance(bare, Load) else None


def _copied(expr: Expr) -> str | None:
    """The local that an expression copies bit by bit."""
    bare = _bare(expr)
    return bare.name if isinstance(bare, Var) else None


def _lists(body: Body) -> Iterator[Body]:
    """Every list of statements, outer ones first."""
    yield body
    for stmt in body:
        for inner in bodies(stmt):
            yield from _lists(inner)


def _mentioned(stmt: Stmt) -> set[str]:
    """The locals that a statement and those inside it read, set or declare."""
    inner = (stmt,)
    read = {name for each in walk(inner) for expr in expressions(each) for name in variables(expr)}
    return read | assigned(inner) | declared(inner)


class _Followed:
    """A read, the locals that copy what it gives, and those that are computed of it."""

    def __init__(self, kernel: Kernel, lists: list[Body], read: _Read, swaps: list[Atomic]) -> None:
        self.kernel, self.lists, self.read = kernel, lists, read
        self.all = list(walk(kernel.body))
        self.swaps = [swap for swap in swaps if (swap.array, swap.index) == (read.load.array, read.load.index)]
        self.copies, self.computed = {read.stmt.name}, set[str]()
        self._follow()

    def _follow(self) -> None:
        """Both sets, by going over the kernel until nothing comes to them; what copies it in one place and is computed of it in
        another counts as computed."""
        known = None
        while known != (self.copies, self.computed):
            known = self.copies, set(self.computed)
            self.copies = self._copies()
            for stmt in self.all:
                match stmt:
                    case Assign(name=name, value=value) if name not in self.copies:
                        if self.depends(value) and not self.says_success(stmt, value):
                            self.computed.add(name)
                    case Assign(name=name, value=value):
                        if self.depends(value) and _copied(value) not in self.copies:
                            self.computed.add(name)
                    case If(test=test) if self.depends(test) and not self.says_success(stmt, test):
                        self.computed |= assigned((stmt,))

    def _copies(self) -> set[str]:
        """The locals that are given the value itself, as far as none of them is computed of it."""
        copies, count = {self.read.stmt.name}, 0
        while count != len(copies):
            count = len(copies)
            copies |= {stmt.name for stmt in self.all if isinstance(stmt, Assign) and stmt.name not in self.computed
                       and _copied(stmt.value) in copies}
        return copies

    def depends(self, expr: Expr) -> bool:
        return bool(variables(expr) & (self.copies | self.computed))

    def is_validated(self) -> bool:
        """Whether the value goes nowhere else."""
        return (bool(self.swaps) and len({swap.scope for swap in self.swaps}) == 1 and not self.copies & self.computed
                and all(map(self.is_allowed, self.all)) and self.is_fresh() and self.stays_at_its_cell()
                and any(_copied(swap.args[0]) in self.copies for swap in self.swaps))

    def is_allowed(self, stmt: Stmt) -> bool:
        """Whether a statement uses the value as it may."""
        if not any(map(self.depends, expressions(stmt))):
            return True
        read = [part for expr in expressions(stmt) for part in within(expr) if isinstance(part, Load)]
        if any(self.depends(part) for part in read):
            return False
        match stmt:
            case Assign():
                return True
            case If(test=test):
                return self.says_success(stmt, test) or self.only_chooses(stmt)
            case Atomic():
                return any(stmt is swap for swap in self.swaps) and self.is_guarded(stmt)
        return False

    def is_guarded(self, swap: Atomic) -> bool:
        """Whether what a swap would store hangs on the value by what it expects alone."""
        expected = _copied(swap.args[0])
        taken = variables(swap.args[1]) & self.copies
        return expected in self.copies and taken <= {expected} and not any(map(self.depends, swap.index))

    def only_chooses(self, stmt: If) -> bool:
        """Whether a branch only sets what is computed of the value."""
        inside = list(walk((*stmt.then, *stmt.other)))
        return all(isinstance(each, Assign | Declare | If) for each in inside) and assigned((stmt,)) <= self.computed

    def says_success(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether copies stand in an expression only in comparisons with the result of the swap that expected them."""
        shown = [part for part in within(expr) if isinstance(part, Binary) and part.op in {"==", "!="} and part.left.type.is_int
                 and self.compares(stmt, _copied(part.left), _copied(part.right))]
        return len(self.taken(expr)) == sum(len(self.taken(part)) for part in shown)

    def taken(self, expr: Expr) -> list[Var]:
        """Each use of the value in an expression."""
        return [part for part in within(expr) if isinstance(part, Var) and part.name in self.copies | self.computed]

    def compares(self, stmt: Stmt, one: str | None, two: str | None) -> bool:
        """Whether of two locals, as they are at a statement, one is what a swap before it in the same list expected and the other
        one is its result."""
        for body in self.lists:
            for at, each in enumerate(body):
                if each is not stmt:
                    continue
                for before in range(at - 1, -1, -1):
                    swap = body[before]
                    if not any(swap is mine for mine in self.swaps):
                        continue
                    assert isinstance(swap, Atomic)
                    between = body[before + 1 : at]
                    expected = _copied(swap.args[0])
                    if expected in assigned(between):
                        return False
                    return expected in (one, two) and _is_result(two if expected == one else one, swap, between)
        return False

    def is_fresh(self) -> bool:
        """Whether what is computed of the value was so since the local that it is computed of was set: there is a stretch of a
        list with all that is computed, each set or declared first, in which that local is not set."""
        if not self.computed:
            return True
        of = {name for stmt in self.all if self.computes(stmt) for expr in expressions(stmt)
              for name in variables(expr) & self.copies}
        stored = {_copied(swap.args[0]) for swap in self.swaps if variables(swap.args[1]) & self.computed}
        if len(of) != 1 or not stored <= of:
            return False
        return any(self.holds(body, self.computed, of) for body in self.lists)

    def computes(self, stmt: Stmt) -> bool:
        match stmt:
            case Assign(name=name):
                return name in self.computed
            case If(test=test):
                return self.depends(test) and not self.says_success(stmt, test)
        return False

    def holds(self, body: Body, names: set[str], kept: set[str]) -> bool:
        """Whether a list has a stretch with all that mentions these locals, in which they begin and others are not set."""
        places = [at for at, stmt in enumerate(body) if _mentioned(stmt) & names]
        if not places:
            return False
        stretch = body[places[0] : places[-1] + 1]
        inside = {id(stmt) for stmt in walk(stretch)}
        outside = [stmt for stmt in self.all if id(stmt) not in inside and not isinstance(stmt, Declare)
                   and ({name for expr in expressions(stmt) for name in variables(expr)} | _set_by(stmt)) & names]
        return not outside and not assigned(stretch) & kept and all(_begins(stretch, name) for name in names)

    def stays_at_its_cell(self) -> bool:
        """Whether the subscript names one cell for as long as the value is around."""
        index = self.read.load.index
        loaded = {part.array for expr in index for part in within(expr) if isinstance(part, Load)}
        names = {name for expr in index for name in variables(expr)}
        if loaded & {stmt.array for stmt in self.all if isinstance(stmt, Store | Atomic)} or any(
                isinstance(stmt, AsyncCopy) for stmt in self.all):
            return False
        if not names & assigned(self.kernel.body):
            return True
        return any(self.holds(body, self.copies | self.computed, names) for body in self.lists)


def _set_by(stmt: Stmt) -> set[str]:
    return set() if bodies(stmt) else assigned((stmt,))


def _is_result(name: str | None, swap: Atomic, between: Body) -> bool:
    """Whether a local is what a swap gave, or a copy of that, after these statements."""
    if swap.result is None or name is None or swap.result in assigned(between):
        return False
    if name == swap.result:
        return True
    setting = [stmt for stmt in between if name in assigned((stmt,))]
    return bool(setting) and isinstance(setting[-1], Assign) and _copied(setting[-1].value) == swap.result


def _begins(stretch: Body, name: str) -> bool:
    """Whether a local has no value from before a stretch of statements: it is declared there, or set first of all."""
    if name in declared(stretch):
        return True
    first = next(stmt for stmt in stretch if name in _mentioned(stmt))
    match first:
        case Assign(name=set_name, value=value):
            return set_name == name and name not in variables(value)
        case Atomic(result=result):
            return result == name and not any(name in variables(expr) for expr in expressions(first))
    return False


class _Maker:
    """Writes the loads. `chosen`: among which threads each is atomic, by the statement that reads."""

    def __init__(self, chosen: dict[int, Scope], names: Names) -> None:
        self.chosen, self.names = chosen, names

    def block(self, body: Body) -> Body:
        return tuple(made for stmt in body for made in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        if id(stmt) not in self.chosen:
            return [rebuild_statement(stmt, lambda expr: expr, self.block) if bodies(stmt) else stmt]
        assert isinstance(stmt, Assign)
        load = _read(stmt.value)
        assert load is not None
        name = self.names.fresh(stmt.name)
        zero = Const(0 if load.type.is_int else 0.0, load.type, load.place)
        return [Declare(name, load.type, load.place),
                Atomic(name, "load", load.array, load.index, (zero,), self.chosen[id(stmt)], load.place),
                replace(stmt, value=_with(stmt.value, Var(name, load.type, load.place)))]


def _with(expr: Expr, value: Var) -> Expr:
    """A copy of a read as a copy of a local."""
    return value if isinstance(expr, Load) else rebuild(expr, lambda part: _with(part, value))
