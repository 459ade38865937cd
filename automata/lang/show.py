"""Core as C text, for labels and messages."""

from __future__ import annotations

from typing import assert_never

from automata.lang.core import (
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    Load,
    Select,
    Special,
    Store,
    Unary,
    Var,
)

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
        case Binary(op=op, left=left, right=right):
            own = _LEVEL[op]
            text = f"{show_expr(left, own)} {op} {show_expr(right, own + 1)}"
            return f"({text})" if own < level else text
        case Select(test=test, then=then, other=other):
            text = f"{show_expr(test, 1)} ? {show_expr(then, 1)} : {show_expr(other, 1)}"
            return f"({text})" if level else text
        case Load(array=array, index=index):
            return array + "".join(f"[{show_expr(part)}]" for part in index)
        case Call(function=function, args=args):
            return f"{function}({', '.join(show_expr(arg) for arg in args)})"
    assert_never(expr)


def show_action(stmt: Declare | Assign | Store) -> str:
    """A declaration, assignment or store."""
    match stmt:
        case Declare(name=name, type=kind):
            return f"{kind} {name}"
        case Assign(name=name, value=value):
            return f"{name} = {show_expr(value)}"
        case Store(array=array, index=index, value=value):
            return f"{array}{''.join(f'[{show_expr(part)}]' for part in index)} = {show_expr(value)}"
    assert_never(stmt)
