"""A kernel with parameters and arrays renamed, so that two kernels can share one set of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from automata.lang import core
from automata.lang.core import Declare, Expr, Kernel, Load, Stmt, Var
from automata.lang.names import Names, names_of
from automata.lang.spec import watched
from automata.lang.traverse import rebuild, rebuild_statement, walk


def rename(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The same kernel with every mapped name replaced; locals that would be captured get a mark."""
    taken = set(names.values())
    full = dict(names)
    supply = Names({*names_of(kernel), *taken})
    for stmt in walk(kernel.body):
        if isinstance(stmt, Declare) and stmt.name not in full and stmt.name in taken:
            full[stmt.name] = supply.fresh(stmt.name)
    return watched(_Renamer(full).kernel(kernel), "renamed")


class _Renamer:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def name(self, name: str) -> str:
        return self.names.get(name, name)

    def kernel(self, kernel: Kernel) -> Kernel:
        return replace(kernel, order=tuple(map(self.name, kernel.order)), buffers=tuple(map(self.name, kernel.buffers)),
                       slots=tuple(map(self.name, kernel.slots)),
                       fields=tuple(tuple((path, self.name(name)) for path, name in each) for each in kernel.fields),
                       params=tuple(replace(param, name=self.name(param.name)) for param in kernel.params),
                       arrays=tuple(replace(array, name=self.name(array.name)) for array in kernel.arrays),
                       requires=tuple(map(self.expr, kernel.requires)), body=self.block(kernel.body))

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(self.statement(stmt) for stmt in body)

    def statement(self, stmt: Stmt) -> Stmt:
        made = rebuild_statement(stmt, self.expr, self.block)
        match made:
            case Declare() | core.Assign() | core.Havoc():
                return replace(made, name=self.name(made.name))
            case core.Store():
                return replace(made, array=self.name(made.array))
            case core.Atomic():
                result = None if made.result is None else self.name(made.result)
                return replace(made, array=self.name(made.array), result=result)
            case core.Collective():
                return replace(made, result=self.name(made.result))
            case core.AsyncCopy():
                return replace(made, target=self.name(made.target), source=self.name(made.source), event=self.name(made.event))
            case core.Claim():
                return replace(made, of=self.name(made.of))
            case core.AsyncWait():
                return replace(made, events=tuple(map(self.name, made.events)))
            case _:
                return made

    def expr(self, expr: Expr) -> Expr:
        made = rebuild(expr, self.expr)
        match made:
            case Var():
                return replace(made, name=self.name(made.name))
            case Load():
                return replace(made, array=self.name(made.array))
            case _:
                return made
