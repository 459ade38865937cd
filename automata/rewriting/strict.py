"""Core in which every read of memory happens whenever its statement does.

Input: a kernel, and which arrays matter. Output: the same kernel with each `&&`, `||` and `?:` whose later parts
read such an array turned into a branch of its own, so that what guards a read is a test of the automaton.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from automata.lang.core import Assign, Binary, Const, Declare, Expr, If, Kernel, Leave, Load, Loop, Select, Stmt, Unary, Var
from automata.lang.names import Names
from automata.lang.spec import watched
from automata.lang.traverse import bodies, children, expressions, rebuild, rebuild_statement
from automata.scalar import BOOL


def strict(kernel: Kernel, arrays: Set[str]) -> Kernel:
    """The kernel without guarded reads of these arrays inside expressions."""
    maker = _Strict(arrays, Names.beside(kernel))
    return watched(replace(kernel, body=maker.block(kernel.body)), "made strict")


class _Strict:
    def __init__(self, arrays: Set[str], names: Names) -> None:
        self.arrays, self.names = arrays, names

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(item for stmt in body for item in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        if not any(self.is_guarded(expr) for expr in expressions(stmt)):
            return [stmt if not bodies(stmt) else rebuild_statement(stmt, lambda expr: expr, self.block)]
        if isinstance(stmt, Loop):
            return [self.loop(stmt)]
        before: list[Stmt] = []
        made = rebuild_statement(stmt, lambda expr: self.expr(expr, before), self.block)
        return [*before, made]

    def loop(self, stmt: Loop) -> Loop:
        """`while (test)` as `while (true) { if (!test) leave; … }`."""
        before: list[Stmt] = []
        test = self.expr(stmt.test, before)
        leave = If(Unary("!", test, BOOL, stmt.test.place), (Leave(stmt.label, stmt.place),), (), stmt.place)
        body = (*before, leave, *self.block(stmt.body))
        return replace(stmt, test=Const(1, BOOL, stmt.test.place), body=body, step=self.block(stmt.step))

    def is_guarded(self, expr: Expr) -> bool:
        """Whether some read in it happens only if a test inside it says so."""
        match expr:
            case Binary(op="&&" | "||", left=left, right=right):
                return self.reads(right) or self.is_guarded(left)
            case Select(test=test, then=then, other=other):
                return self.reads(then) or self.reads(other) or self.is_guarded(test)
        return any(self.is_guarded(part) for part in children(expr))

    def reads(self, expr: Expr) -> bool:
        return (isinstance(expr, Load) and expr.array in self.arrays) or any(self.reads(part) for part in children(expr))

    def expr(self, expr: Expr, before: list[Stmt]) -> Expr:
        if not self.is_guarded(expr):
            return expr
        match expr:
            case Binary(op="&&" | "||", left=left, right=right):
                result = self.temporary(expr, before)
                before.append(Assign(result.name, self.expr(left, before), expr.place))
                inner: list[Stmt] = []
                inner.append(Assign(result.name, self.expr(right, inner), expr.place))
                test: Expr = result if expr.op == "&&" else Unary("!", result, BOOL, expr.place)
                before.append(If(test, tuple(inner), (), expr.place))
                return result
            case Select(test=test, then=then, other=other):
                chosen = self.expr(test, before)
                result = self.temporary(expr, before)
                sides = []
                for part in (then, other):
                    inner = []
                    inner.append(Assign(result.name, self.expr(part, inner), expr.place))
                    sides.append(tuple(inner))
                before.append(If(chosen, sides[0], sides[1], expr.place))
                return result
        return rebuild(expr, lambda part: self.expr(part, before))

    def temporary(self, expr: Expr, before: list[Stmt]) -> Var:
        name = self.names.fresh("strict")
        before.append(Declare(name, expr.type, expr.place))
        return Var(name, expr.type, expr.place)


