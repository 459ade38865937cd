"""Statements of the tree: C's control flow as blocks, loops and jumps to their ends.

`break` leaves the loop, `continue` a block around its body, `return` a block around the function's body
(in the kernel: the thread ends). A switch is nested blocks, one for each case, entered by jumps (as in
WebAssembly). A goto to a label of an enclosing statement list becomes a block (forward) or loop (back).
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang import core, tree
from automata.lang.core import Stmt
from automata.lang.elaborate.addresses import Addresses, is_address_number
from automata.lang.elaborate.expressions import ExpressionElaborator
from automata.lang.elaborate.scan import nodes
from automata.lang.elaborate.shared_numbers import SharedNumbers, is_shared_number
from automata.lang.elaborate.storage import Address, Value
from automata.lang.elaborate.values import as_scalar
from automata.lang.fold import fold_constants
from automata.lang.typing import binary
from automata.place import NOWHERE, InputError, Place, UnsupportedError
from automata.scalar import BOOL, Scalar


@dataclass
class Frame:
    """A function being inlined: where its result goes, and the label that a return leaves (None: the kernel). `is_place`: the
    result is one of several places, kept as a pointer. `called`: where from."""

    result: Address | None
    label: str | None
    value: Value | None = None
    left: bool = False
    is_place: bool = False
    called: Place = NOWHERE


class StatementElaborator(ExpressionElaborator):
    """Emits statements into the builder."""

    frames: list[Frame]
    breaks: list[str | None]
    continues: list[str | None]
    labels: dict[str, str]
    left: set[str]

    def statements(self, body: tuple[tree.Stmt, ...], *, tail: bool = False) -> None:
        """A statement list; `tail`: its end is the end of the function."""
        for at, stmt in enumerate(body):
            if isinstance(stmt, tree.Label):
                self.labelled(stmt, body[at + 1 :], tail)
                return
            forward = [later.name for later in body[at + 1 :] if isinstance(later, tree.Label)]
            pending = [name for name in forward if name not in self.labels and _goes_to(stmt, name)]
            if pending:
                self.forward(pending[0], body[at:], tail)
                return
            self.statement(stmt, tail and at == len(body) - 1)

    def forward(self, name: str, body: tuple[tree.Stmt, ...], tail: bool) -> None:
        """Statements before a label that they jump forward to are a block that the jump leaves."""
        split = next(at for at, stmt in enumerate(body) if isinstance(stmt, tree.Label) and stmt.name == name)
        self.labels[name] = self.fresh_label(name)
        with self.builder.into() as inner:
            self.statements(body[:split])
        self.builder.emit(core.Block(self.labels.pop(name), tuple(inner), body[split].place))
        self.statements(body[split:], tail=tail)

    def labelled(self, label: tree.Label, rest: tuple[tree.Stmt, ...], tail: bool) -> None:
        """What follows a label: a loop if something in it jumps back."""
        if not any(_goes_to(stmt, label.name) for stmt in rest):
            self.statements(rest, tail=tail)
            return
        loop, again = self.fresh_label(label.name), self.fresh_label(f"{label.name}.again")
        self.labels[label.name] = again
        with self.builder.events.block(loops=True), self.builder.into() as inner:
            self.statements(rest)
            self.leave(loop, label.place)
        del self.labels[label.name]
        body = (core.Block(again, tuple(inner), label.place),)
        self.builder.emit(core.Loop(loop, core.Const(1, BOOL, label.place), body, (), label.place))

    def fresh_label(self, name: str) -> str:
        return self.builder.fresh(f"@{name}")

    def leave(self, label: str, place: Place) -> None:
        self.left.add(label)
        self.builder.emit(core.Leave(label, place))

    def inside(self, body: tuple[tree.Stmt, ...]) -> tuple[Stmt, ...]:
        with self.builder.into() as inner:
            self.statements(body)
        return tuple(inner)

    def statement(self, stmt: tree.Stmt, tail: bool = False) -> None:
        self.builder.look_at_the_time(stmt.place)
        match stmt:
            case tree.Declare():
                self.declare(stmt)
            case tree.Evaluate(expr=expr):
                self.effect(expr)
            case tree.Group(body=body):
                self.statements(body, tail=tail)
            case tree.If():
                self.conditionally(stmt)
            case tree.Loop():
                self.loop(stmt)
            case tree.Switch():
                self.switch(stmt)
            case tree.Return():
                self.returned(stmt, tail)
            case _:
                self.jump(stmt)

    def conditionally(self, stmt: tree.If) -> None:
        condition, events = self.test(stmt.test), self.builder.events
        before = dict(events.stores)
        then, first = self.inside(self.live(stmt.then, condition, 0)), events.left
        events.stores = dict(before)
        other, second = self.inside(self.live(stmt.other, condition, 1)), events.left

        def settled() -> core.Expr:
            nonlocal condition
            condition = self.builder.lasting(condition, stmt.place)
            return condition

        events.join(before, first, second, settled)
        self.builder.emit(core.If(condition, then, other, stmt.place))

    def live(self, branch: tuple[tree.Stmt, ...], condition: core.Expr, never: int) -> tuple[tree.Stmt, ...]:
        """A branch; nothing where its condition is a constant that never takes it and nothing jumps into it. What stands there
        need not be there for the device: compilers leave it out."""
        known = fold_constants(condition, {})
        is_dead = isinstance(known, core.Const) and bool(known.value) == bool(never)
        return () if is_dead and not any(isinstance(node, tree.Label | tree.Case) for node in nodes(branch)) else branch

    def jump(self, stmt: tree.Stmt) -> None:
        match stmt:
            case tree.Break(place=place):
                self.leave(self.innermost(self.breaks, "break", place), place)
            case tree.Continue(place=place):
                self.leave(self.innermost(self.continues, "continue", place), place)
            case tree.Goto(name=name, place=place):
                if name not in self.labels:
                    raise UnsupportedError(f"a goto into a block or to an unknown label '{name}'", place)
                self.leave(self.labels[name], place)
            case tree.Case(place=place):
                raise UnsupportedError("a case label inside a nested block of its switch", place)
            case _:
                raise AssertionError(stmt)

    def innermost(self, labels: list[str | None], word: str, place: Place) -> str:
        found = labels[-1] if labels else None
        if found is None:
            raise InputError(f"{word} outside a loop", place)
        return found

    # -- declarations ---------------------------------------------------------------------------

    def declare(self, stmt: tree.Declare) -> None:
        variable, place = stmt.variable, stmt.place
        if variable.storage in (tree.Storage.SHARED, tree.Storage.DYNAMIC, tree.Storage.GLOBAL, tree.Storage.CONSTANT):
            if variable not in self.bindings:
                self.bind_global(variable, place)
            return
        if variable.reference:
            assert stmt.init is not None
            self.bindings[variable] = self.settled_address(self.address(stmt.init), place)
            return
        self.declare_local(variable, stmt.init, place)

    def declare_local(self, variable: tree.Variable, init: tree.Expr | None, place: Place) -> None:
        """A local and its first value, which may name the local itself: `float x = x = f(y)`."""
        if init is not None and isinstance(variable.type, Scalar) and variable in self.changing and any(
                isinstance(each, tree.Name) and each.variable is variable for each in nodes(init)):
            self.bind_local(variable, None, place)
            self.builder.begin(self.bindings[variable], self.value(init), place, fixed=False)
            return
        value = self.value(init) if init is not None else None
        self.bind_local(variable, value, place)

    def bind_local(self, variable: tree.Variable, value: Value | None, place: Place) -> None:
        """A new local with its initial value."""
        fixed = variable not in self.changing
        at = self.builder.local(variable.name, variable.type, place, stable=fixed and value is not None)
        at.root.volatile = variable.volatile
        self.bindings[variable] = at
        if fixed and value is not None and is_shared_number(value):
            self.builder.fixed[at.root, ()] = self.shared_numbers.settled(as_scalar(value), place)
        elif fixed and is_address_number(value) and value.type != BOOL:
            self.builder.fixed[at.root, ()] = self.addresses.settled(value, place)
        elif value is not None:
            self.builder.begin(at, value, place, fixed=fixed)

    changing: set[tree.Variable]
    shared_numbers: SharedNumbers
    addresses: Addresses

    # -- loops ----------------------------------------------------------------------------------

    def loop(self, stmt: tree.Loop) -> None:
        self.statements(stmt.start)
        with self.builder.events.block(loops=True):
            if stmt.post:
                self.post_loop(stmt)
            else:
                self.pre_loop(stmt)

    def pre_loop(self, stmt: tree.Loop) -> None:
        """while and for: the test, then the body."""
        with self.builder.into() as effects:
            test = self.test(stmt.test) if stmt.test is not None else core.Const(1, BOOL, stmt.place)
        claims = tuple(item for item in effects if isinstance(item, core.Claim))
        label = self.fresh_label("loop")
        before: tuple[Stmt, ...] = ()
        if len(claims) == len(effects):
            for item in claims:
                self.builder.emit(item)
        else:
            leave = core.If(test, (), (core.Leave(label, stmt.place),), stmt.place)
            before, claims, test = (*effects, leave), (), core.Const(1, BOOL, stmt.place)
        body = self.body(stmt.body, label, stmt.place)
        with self.builder.into() as step:
            if stmt.step is not None:
                self.effect(stmt.step)
        self.builder.emit(core.Loop(label, test, (*before, *body), (*step, *claims), stmt.place))

    def body(self, body: tuple[tree.Stmt, ...], label: str, place: Place) -> tuple[Stmt, ...]:
        """A loop's body; a `continue` in it leaves a block around it."""
        again = self.fresh_label("continue")
        self.breaks.append(label)
        self.continues.append(again)
        inner = self.inside(body)
        self.breaks.pop()
        self.continues.pop()
        return (core.Block(again, inner, place),) if again in self.left else inner

    def post_loop(self, stmt: tree.Loop) -> None:
        """do … while: for ever the body, then the test that leaves."""
        label = self.fresh_label("loop")
        body = self.body(stmt.body, label, stmt.place)
        with self.builder.into() as after:
            assert stmt.test is not None
            test = self.test(stmt.test)
            if not (isinstance(test, core.Const) and test.value):
                self.builder.emit(core.If(test, (), (core.Leave(label, stmt.place),), stmt.place))
        self.builder.emit(core.Loop(label, core.Const(1, BOOL, stmt.place), (*body, *after), (), stmt.place))

    # -- switch ---------------------------------------------------------------------------------

    def switch(self, stmt: tree.Switch) -> None:
        place = stmt.place
        value = self.builder.settled(self.value(stmt.value), place)
        sections = _sections(stmt)
        out = self.fresh_label("switch")
        labels = [self.fresh_label("case") for _ in sections]
        self.breaks.append(out)
        with self.builder.into() as dispatch:
            self.dispatch(as_scalar(value), sections, labels, out, place)
        inner = tuple(dispatch)
        for label, (_, body) in zip(labels, sections, strict=True):
            with self.builder.into() as after:
                self.builder.emit(core.Block(label, inner, place))
                self.statements(body)
            inner = tuple(after)
        self.breaks.pop()
        self.builder.emit(core.Block(out, inner, place))

    def dispatch(self, value: core.Expr, sections: list[Section], labels: list[str], out: str, place: Place) -> None:
        default = out
        for label, (values, _) in zip(labels, sections, strict=True):
            for number in values:
                if number is None:
                    default = label
                else:
                    test = binary("==", value, core.Const(value.type.wrap(number), value.type, place), place)
                    self.builder.emit(core.If(test, (core.Leave(label, place),), (), place))
        self.leave(default, place)

    # -- return ---------------------------------------------------------------------------------

    def returned(self, stmt: tree.Return, tail: bool) -> None:
        frame = self.frames[-1]
        if stmt.value is not None:
            self.result(frame, stmt.value, tail, stmt.place)
        if tail:
            return
        if frame.label is None:
            self.builder.emit(core.Return(stmt.place))
        else:
            frame.left = True
            self.builder.emit(core.Leave(frame.label, stmt.place))

    def result(self, frame: Frame, node: tree.Expr, tail: bool, place: Place) -> None:
        if frame.result is None:
            value = self.value(node)
            frame.value = value if tail else None
            return
        value = self.settled_address(self.address(node), place) if frame.is_place else self.value(node)
        self.builder.store(frame.result, value, place)


Section = tuple[list[int | None], tuple[tree.Stmt, ...]]


def _sections(stmt: tree.Switch) -> list[Section]:
    """The cases of a switch: values (None: default) and the statements up to the next case."""
    found: list[tuple[list[int | None], list[tree.Stmt]]] = []
    body = _flat(stmt.body)
    for item in body:
        if isinstance(item, tree.Case):
            if found and not found[-1][1]:
                found[-1][0].append(item.value)
            else:
                found.append(([item.value], []))
        elif found:
            found[-1][1].append(item)
        elif not isinstance(item, tree.Declare):
            raise UnsupportedError("statements of a switch before its first case", item.place)
    return [(values, tuple(items)) for values, items in found]


def _flat(body: tuple[tree.Stmt, ...]) -> tuple[tree.Stmt, ...]:
    """The body of a switch that is one compound statement, opened."""
    while len(body) == 1 and isinstance(body[0], tree.Group):
        body = body[0].body
    return body


def _goes_to(stmt: tree.Stmt, name: str) -> bool:
    return any(isinstance(node, tree.Goto) and node.name == name for node in nodes(stmt))

