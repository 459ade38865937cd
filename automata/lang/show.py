"""Core as C text, for labels and messages."""

from __future__ import annotations

from typing import assert_never

from automata.lang import core
from automata.lang.core import Binary, Bits, Call, Cast, Const, Expr, Load, Select, Special, Stmt, Unary, Var

_LEVEL = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, "<<": 8, ">>": 8,
          "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}


def show_expr(expr: Expr, level: int = 0) -> str:
    """An expression with the brackets it needs; conversions that do not narrow are left out."""
    match expr:
        case Const(value=value):
            return repr(value)
        case Var(name=name) | Special(name=name):
            return name
        case Unary(op=op, arg=arg):
            return f"{op}{show_expr(arg, 11)}"
        case Cast(arg=arg, type=kind):
            narrows = kind.bits < 32 or kind.is_float != arg.type.is_float
            return f"({kind})({show_expr(arg)})" if narrows else show_expr(arg, level)
        case Bits(arg=arg, type=kind):
            return f"bits<{kind}>({show_expr(arg)})"
        case Binary(op=op, left=left, right=right):
            own = _LEVEL[op]
            text = f"{show_expr(left, own)} {op} {show_expr(right, own + 1)}"
            return f"({text})" if own < level else text
        case Select(test=test, then=then, other=other):
            text = f"{show_expr(test, 1)} ? {show_expr(then, 1)} : {show_expr(other, 1)}"
            return f"({text})" if level else text
        case Load(array=array, index=index):
            return show_element(array, index)
        case Call(function=function, args=args):
            return f"{function}({', '.join(show_expr(arg) for arg in args)})"
    assert_never(expr)


def show_element(array: str, index: tuple[Expr, ...]) -> str:
    return array + "".join(f"[{show_expr(part)}]" for part in index)


def show_action(stmt: Stmt) -> str:
    """A statement that is neither a jump nor holds other statements."""
    match stmt:
        case core.Declare(name=name, type=kind):
            return f"{kind} {name}"
        case core.Assign(name=name, value=value):
            return f"{name} = {show_expr(value)}"
        case core.Store(array=array, index=index, value=value):
            return f"{show_element(array, index)} = {show_expr(value)}"
        case core.Havoc(name=name, what=what):
            return f"{name} = {what}"
        case core.Claim(kind=kind, test=test):
            return f"{kind} {show_expr(test)}"
        case core.Atomic(result=result, op=op, array=array, index=index, args=args):
            call = f"atomic {op}({', '.join([show_element(array, index), *map(show_expr, args)])})"
            return f"{result} = {call}" if result else call
        case core.Collective(result=name, op=op, args=args):
            return f"{name} = {op}({', '.join(map(show_expr, args))})"
        case _:
            return _show_other(stmt)


def _show_other(stmt: Stmt) -> str:
    match stmt:
        case core.Print(args=args):
            return f"print {', '.join(map(show_expr, args))}"
        case core.AsyncCopy():
            return (f"copy {show_expr(stmt.count)} elements to {show_element(stmt.target, (stmt.target_index,))} "
                    f"from {show_element(stmt.source, (stmt.source_index,))}, event {stmt.event}")
        case core.Fence(scope=scope, side=side):
            return f"fence {scope}" if side == "both" else f"{side} {scope}"
        case core.AsyncWait(events=events):
            return f"wait for {', '.join(events)}"
        case _:
            raise AssertionError(stmt)
