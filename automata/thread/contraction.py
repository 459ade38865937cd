"""Sums that a device may fuse with a product in them.

Compilers for GPUs contract a*b + c to one fused operation, which rounds once, wherever they see both: also where a local, a
private or a shared array carries the product. Input: a kernel. Output: which of its sums of floats may so be rounded otherwise
than as written.
"""

from __future__ import annotations

from automata.lang.core import Assign, Binary, Cast, Expr, Kernel, Load, Select, Store, Unary, Var
from automata.lang.traverse import walk


class Contraction:
    """The locals and arrays that may hold a product."""

    def __init__(self, kernel: Kernel) -> None:
        self.locals: set[str] = set()
        self.arrays: set[str] = set()
        stmts = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Assign | Store) and stmt.value.type.is_float]
        before = -1
        while before != len(self.locals) + len(self.arrays):
            before = len(self.locals) + len(self.arrays)
            for stmt in stmts:
                if self.is_product(stmt.value):
                    match stmt:
                        case Assign(name=name):
                            self.locals.add(name)
                        case Store(array=array):
                            self.arrays.add(array)

    def is_product(self, expr: Expr) -> bool:
        """Whether a float may be a product that is rounded where it stands."""
        match expr:
            case Binary(op="*"):
                return True
            case Var(name=name):
                return name in self.locals
            case Load(array=array):
                return array in self.arrays
            case Unary(arg=arg):
                return self.is_product(arg)
            case Cast(arg=arg):
                return arg.type.is_float and self.is_product(arg)
            case Select(then=then, other=other):
                return self.is_product(then) or self.is_product(other)
        return False

    def may_fuse(self, expr: Expr) -> bool:
        """Whether an operation is a sum or difference of floats, one of which may be a product."""
        return isinstance(expr, Binary) and expr.op in ("+", "-") and expr.type.is_float and (
            self.is_product(expr.left) or self.is_product(expr.right))
