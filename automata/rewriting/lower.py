"""Partial evaluation, once for every front end: what the launch fixes is carried out.

Input: a Core kernel and the values of parameters and sizes that the launch fixes. Output: a kernel in which
integer locals with a known value are replaced by it, decided branches are taken and loops whose tests are
decided are unrolled, so that indices become what they are. A loop whose number of rounds is not known here,
or is too large, stays a loop. Private arrays whose subscripts have all become constants become locals.

A local that is known is not assigned at all; where paths meet on which it differs, each path assigns it
before (`_Path.flush`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from automata.lang import core
from automata.lang.core import Array, Const, Expr, Kernel, Space, Stmt
from automata.lang.fold import Known, fold_constants
from automata.lang.names import Names
from automata.lang.spec import watched
from automata.lang.traverse import children, count_statements, expressions, rebuild, rebuild_statement, walk
from automata.limits import UNROLL_ROUNDS, UNROLL_STATEMENTS, UNROLL_WORK
from automata.passes import passing
from automata.rewriting.few_rounds import taken_apart
from automata.rewriting.in_flight import settled
from automata.rewriting.one_choice import joined
from automata.rewriting.packets import unpacked

SOME_STATEMENTS = 1000
"""Of what unrolling makes: few enough to try before anything else is known."""
ENDLESS_ROUNDS = 64


def lower(kernel: Kernel, known: Known, most: int | None = None) -> Kernel:
    """The kernel with everything decided that can be; loops that cannot are left, and those that make more statements than
    `most` (None: than the limit on unrolling)."""
    whole = lower_whole(kernel, known, most)
    return _made(kernel, known, UNROLL_STATEMENTS.value if most is None else most) if whole is None else whole


def lower_whole(kernel: Kernel, known: Known, most: int | None) -> Kernel | None:
    """The same, if no loop makes more statements than `most`, nor than `SOME_STATEMENTS`; None if one does."""
    whole = _made_whole(kernel, known)
    return None if whole is None or whole.grew_to > (UNROLL_STATEMENTS.value if most is None else most) else whole.kernel


def lower_for_runs(kernel: Kernel, known: Known) -> Kernel:
    """The same for the machine, which runs many rounds at once of a loop that only computes: such loops stay."""
    stays = _only_computes(kernel)
    if not any(isinstance(stmt, core.Loop) and stays(stmt) for stmt in walk(kernel.body)):
        return lower(kernel, known)
    return _made(kernel, known, UNROLL_STATEMENTS.value, for_runs=True)


@passing("lower", lambda made: f"{count_statements(made.body)} statements")
def _made(kernel: Kernel, known: Known, most: int, *, for_runs: bool = False) -> Kernel:
    evaluator = _Evaluator(kernel, known, most, stays=_only_computes(kernel)) if for_runs else _Evaluator(kernel, known, most)
    return _lowered(kernel, known, evaluator, for_runs=for_runs)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A kernel of which no loop was left for its size. `grew_to`: the statements there were, at most, while one was unrolled."""

    kernel: Kernel
    grew_to: int


@passing("lower", lambda made: "too large" if made is None else f"{count_statements(made.kernel.body)} statements")
def _made_whole(kernel: Kernel, known: Known) -> _Whole | None:
    evaluator = _Evaluator(kernel, known, SOME_STATEMENTS, is_whole=True)
    try:
        return _Whole(_lowered(kernel, known, evaluator), evaluator.grew_to)
    except _TooLarge:
        return None


def _only_computes(kernel: Kernel) -> Callable[[core.Loop], bool]:
    """Whether a loop is one line of assignments without private arrays, whose elements may become locals once it is unrolled."""
    private = {array.name for array in kernel.arrays if array.space is Space.PRIVATE}

    def reads(expr: Expr) -> bool:
        return (isinstance(expr, core.Load) and expr.array in private) or any(map(reads, children(expr)))

    def test(loop: core.Loop) -> bool:
        return all(isinstance(stmt, core.Assign | core.Declare | core.Block) and not any(map(reads, expressions(stmt)))
                   for stmt in walk(bodies_of(loop)))
    return test


def _lowered(kernel: Kernel, known: Known, evaluator: _Evaluator, *, for_runs: bool = False) -> Kernel:
    body, _ = evaluator.block(kernel.body, dict(evaluator.start))
    made = replace(kernel, body=tuple(body))
    apart = made if for_runs else taken_apart(made)
    if apart is not made:
        body = evaluator.again(apart.body)
    requires = tuple(fold_constants(test, known) for test in kernel.requires)
    return watched(joined(unpacked(settled(_scalarise(replace(kernel, body=tuple(body), requires=requires))))), "lowered")


Env = dict[str, Const]


class _TooLarge(Exception):
    """Unrolling this loop makes too many statements."""


class _Evaluator:
    """Evaluates a statement tree; `count` bounds the size of the result. `is_whole`: loops that are too large are not left;
    `stays`: whether one is left in any case."""

    def __init__(self, kernel: Kernel, known: Known, most: int, *, is_whole: bool = False,
                 stays: Callable[[core.Loop], bool] = lambda loop: False) -> None:
        params = {param.name: param.type for param in kernel.params}
        self.most = most
        self.is_whole, self.stays = is_whole, stays
        self.sizes = {name: value for name, value in known.items() if name not in params}
        self.start: Env = {name: Const(params[name].wrap(value), params[name]) for name, value in known.items()
                           if name in params and params[name].is_int}
        self.count = self.grew_to = 0
        self.work = 0
        self.unrolling = 0
        self.targets: dict[str, set[str]] = {}
        self.exits: dict[str, list[Env]] = {}
        self.changes: dict[int, set[str]] = {}

    def changed(self, stmt: core.Block | core.Loop) -> set[str]:
        """The names that a block or loop of the kernel changes, looked up once."""
        if id(stmt) not in self.changes:
            self.changes[id(stmt)] = _changed(bodies_of(stmt))
        return self.changes[id(stmt)]

    def fold(self, expr: Expr, env: Env) -> Expr:
        return fold_constants(expr, {**self.sizes, **{name: int(const.value) for name, const in env.items()}})

    def block(self, body: tuple[Stmt, ...], env: Env) -> tuple[list[Stmt], Env | None]:
        """The statements and what is known after them; None if control never gets there."""
        out: list[Stmt] = []
        here: Env | None = env
        for stmt in body:
            if here is None:
                break
            made, here = self.statement(stmt, here)
            out += made
        return out, here

    def again(self, body: tuple[Stmt, ...]) -> list[Stmt]:
        """Statements that were evaluated before and have other loops now: known is what they assign alone."""
        self.count = 0
        return self.block(body, {})[0]

    def statement(self, stmt: Stmt, env: Env) -> tuple[list[Stmt], Env | None]:
        self.count += 1
        self.work += 1
        if self.unrolling:
            self.grew_to = max(self.grew_to, self.count)
        if self.unrolling and (self.count > self.most or not UNROLL_WORK.allows(self.work)):
            raise self.too_large()
        match stmt:
            case core.Assign():
                return self.assign(stmt, env)
            case core.If():
                return self.branch(stmt, env)
            case core.Loop():
                return self.loop(stmt, env)
            case core.Block():
                return self.labelled(stmt, env)
            case core.Leave(label=label):
                self.exits.setdefault(label, []).append(env)
                return [*_flush(env, self.targets[label], stmt), stmt], None
            case core.Return():
                return [stmt], None
            case core.Later():
                body, after = self.block(stmt.body, env)
                return [replace(stmt, body=tuple(body))], after
        made = rebuild_statement(stmt, lambda expr: self.fold(expr, env), lambda inner: inner)
        gone = _changed([stmt])
        return [made], {name: value for name, value in env.items() if name not in gone}

    def assign(self, stmt: core.Assign, env: Env) -> tuple[list[Stmt], Env]:
        value = self.fold(stmt.value, env)
        rest = {name: known for name, known in env.items() if name != stmt.name}
        if isinstance(value, Const) and value.type.is_int:
            return [], {**rest, stmt.name: value}
        return [replace(stmt, value=value)], rest

    def branch(self, stmt: core.If, env: Env) -> tuple[list[Stmt], Env | None]:
        test = self.fold(stmt.test, env)
        if isinstance(test, Const):
            return self.block(stmt.then if test.value else stmt.other, env)
        then, after_then = self.block(stmt.then, dict(env))
        other, after_other = self.block(stmt.other, dict(env))
        if after_then is None or after_other is None:
            after = after_other if after_then is None else after_then
            return [core.If(test, tuple(then), tuple(other), stmt.place)], after
        differing = {name for name in sorted({*after_then, *after_other}) if after_then.get(name) != after_other.get(name)}
        then += _flush(after_then, differing, stmt)
        other += _flush(after_other, differing, stmt)
        same = {name: value for name, value in after_then.items() if name not in differing}
        return [core.If(test, tuple(then), tuple(other), stmt.place)], same

    def labelled(self, stmt: core.Block, env: Env) -> tuple[list[Stmt], Env | None]:
        outer = self.enter(stmt.label, self.changed(stmt))
        body, after = self.block(stmt.body, env)
        return self.closed(stmt, body, after, self.leave(stmt.label, outer))

    def closed(self, stmt: core.Block | core.Loop, body: list[Stmt], after: Env | None,
               exits: list[Env]) -> tuple[list[Stmt], Env | None]:
        """A block, left at its end and by jumps: known after it is what is known on every way out.

        Each way out has assigned what the block changes, so nothing is lost where they differ.
        """
        if not exits:
            return body, after
        if after is None and len(exits) == 1 and isinstance(body[-1], core.Leave) and body[-1].label == stmt.label:
            return body[:-1], exits[0]
        if after is not None:
            body = [*body, *_flush(after, self.changed(stmt), stmt)]
            exits = [*exits, after]
        common = {name: value for name, value in exits[0].items() if all(other.get(name) == value for other in exits)}
        return [core.Block(stmt.label, tuple(body), stmt.place)], common

    def enter(self, label: str, changed: set[str]) -> tuple[set[str] | None, list[Env] | None]:
        outer = self.targets.get(label), self.exits.pop(label, None)
        self.targets[label] = changed
        return outer

    def leave(self, label: str, outer: tuple[set[str] | None, list[Env] | None]) -> list[Env]:
        """What was known at each jump to the label's end since `enter`."""
        exits = self.exits.pop(label, [])
        if outer[1] is not None:
            self.exits[label] = outer[1]
        if outer[0] is None:
            self.targets.pop(label, None)
        else:
            self.targets[label] = outer[0]
        return exits

    # -- loops ----------------------------------------------------------------------------------

    def too_large(self) -> _TooLarge:
        """That unrolling makes more statements than it may."""
        if self.most >= UNROLL_STATEMENTS.value:
            UNROLL_STATEMENTS.stopped()
        return _TooLarge()

    def loop(self, stmt: core.Loop, env: Env) -> tuple[list[Stmt], Env | None]:
        outer = self.enter(stmt.label, self.changed(stmt))
        before = self.count
        exits_before = {label: list(exits) for label, exits in self.exits.items()}
        self.unrolling += 1
        try:
            unrolled = self.rounds(stmt, env) if UNROLL_WORK.allows(self.work + 1) and not self.stays(stmt) else None
        except _TooLarge:
            if self.is_whole:
                raise
            unrolled = None
        self.unrolling -= 1
        if unrolled is not None:
            return self.closed(stmt, *unrolled, self.leave(stmt.label, outer))
        self.count = before
        self.exits = exits_before
        made = self.residual(stmt, env)
        self.leave(stmt.label, outer)
        return made

    def rounds(self, stmt: core.Loop, env: Env) -> tuple[list[Stmt], Env | None] | None:
        """All rounds one after the other; None when a test is not decided or there are too many."""
        out: list[Stmt] = []
        here: Env | None = dict(env)
        endless = isinstance(stmt.test, Const)
        for _ in range(ENDLESS_ROUNDS if endless else UNROLL_ROUNDS.value):
            assert here is not None
            self.work += 1
            if not UNROLL_WORK.allows(self.work):
                return None
            test = self.fold(stmt.test, here)
            if not isinstance(test, Const):
                return None
            if not test.value:
                return out, here
            body, here = self.block((*stmt.body, *stmt.step), here)
            out += body
            if here is None:
                return out, None
        if not endless:
            UNROLL_ROUNDS.stopped()
        return None

    def residual(self, stmt: core.Loop, env: Env) -> tuple[list[Stmt], Env]:
        """A loop that stays: what it changes is unknown in it and after it."""
        changed = self.changed(stmt)
        kept = {name: value for name, value in env.items() if name not in changed}
        body, after = self.block(stmt.body, dict(kept))
        if after is not None:
            body += _flush(after, changed, stmt)
        step, after_step = self.block(stmt.step, dict(kept))
        if after_step is not None:
            step += _flush(after_step, changed, stmt)
        made = core.Loop(stmt.label, self.fold(stmt.test, kept), tuple(body), tuple(step), stmt.place)
        return [*_flush(env, changed, stmt), made], kept


def bodies_of(stmt: core.Block | core.Loop) -> tuple[Stmt, ...]:
    return (*stmt.body, *stmt.step) if isinstance(stmt, core.Loop) else stmt.body


def _flush(env: Env, names: Iterable[str], stmt: Stmt) -> list[Stmt]:
    """Assignments of what is known of these names."""
    return [core.Assign(name, env[name], stmt.place) for name in sorted(names) if name in env]


def _changed(body: Iterable[Stmt]) -> set[str]:
    """The names that some statement assigns, declares or makes unknown."""
    found: set[str] = set()
    for stmt in walk(tuple(body)):
        match stmt:
            case core.Assign(name=name) | core.Declare(name=name) | core.Havoc(name=name):
                found.add(name)
            case core.Atomic(result=str(result)) | core.Collective(result=result):
                found.add(result)
            case _:
                continue
    return found


# -- private arrays -----------------------------------------------------------------------------


def _scalarise(kernel: Kernel) -> Kernel:
    """Private arrays that are only reached at constant subscripts within their extents become locals."""
    private = {array.name: array for array in kernel.arrays if array.space is Space.PRIVATE}
    if not private:
        return kernel
    moving = _Moving(private)
    for stmt in walk(kernel.body):
        moving.look(stmt)
    chosen = {name: array for name, array in private.items() if name not in moving.blocked}
    if not chosen:
        return kernel
    renaming = _Renaming(chosen, Names.beside(kernel))
    body = renaming.block(kernel.body)
    declared = tuple(core.Declare(name, chosen[array].element, element_of=array) for name, array in renaming.made.items())
    arrays = tuple(array for array in kernel.arrays if array.name not in chosen)
    return replace(kernel, arrays=arrays, body=(*declared, *body))


class _Moving:
    """Which private arrays cannot become locals."""

    def __init__(self, private: dict[str, Array]) -> None:
        self.private = private
        self.blocked: set[str] = set()

    def look(self, stmt: Stmt) -> None:
        match stmt:
            case core.Store(array=array, index=index):
                self.check(array, index)
            case core.Atomic(array=array):
                self.blocked.add(array)
            case core.AsyncCopy(target=target, source=source):
                self.blocked |= {target, source}
            case _:
                pass
        for expr in expressions(stmt):
            self.inside(expr)

    def inside(self, expr: Expr) -> None:
        if isinstance(expr, core.Load):
            self.check(expr.array, expr.index)
        for part in children(expr):
            self.inside(part)

    def check(self, name: str, index: tuple[Expr, ...]) -> None:
        array = self.private.get(name)
        if array is None:
            return
        for part, extent in zip(index, array.dims, strict=True):
            if not isinstance(part, Const) or extent is None or not 0 <= part.value < extent:
                self.blocked.add(name)


class _Renaming:
    def __init__(self, chosen: dict[str, Array], names: Names) -> None:
        self.chosen, self.names = chosen, names
        self.made: dict[str, str] = {}

    def local(self, name: str, index: tuple[Expr, ...]) -> str:
        text = name + "".join(f"[{part.value}]" for part in index if isinstance(part, Const))
        made = self.names.of(name, text)
        self.made[made] = name
        return made

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(self.statement(stmt) for stmt in body)

    def statement(self, stmt: Stmt) -> Stmt:
        made = rebuild_statement(stmt, self.expr, self.block)
        if isinstance(made, core.Store) and made.array in self.chosen:
            return core.Assign(self.local(made.array, made.index), made.value, made.place)
        return made

    def expr(self, expr: Expr) -> Expr:
        made = rebuild(expr, self.expr)
        if isinstance(made, core.Load) and made.array in self.chosen:
            return core.Var(self.local(made.array, made.index), made.type, made.place)
        return made
