"""Which kernels the proofs cover: what is read but not yet proved is named here, and nowhere skipped.

Input: a lowered kernel. Output: nothing, or `UndecidedError` with the first construct that no proof looks at.
"""

from __future__ import annotations

from automata.lang import core
from automata.lang.builtins import BY_NAME
from automata.lang.core import Expr, Kernel, Space, Stmt
from automata.lang.traverse import children, expressions, walk
from automata.place import Place, UndecidedError
from automata.thread.segments import WIDTH

EVALUATED = frozenset({*BY_NAME, "fma"})


def require_covered(kernel: Kernel, *, paired: bool) -> None:
    """Raise UndecidedError where the kernel has something that the proofs do not cover. `paired`: those of equality, which
    cover less."""
    constant = {array.name for array in kernel.arrays if array.const and paired}
    for stmt in walk(kernel.body):
        if isinstance(stmt, core.Store | core.Atomic) and stmt.array in constant:
            raise UndecidedError(f"a write to '{stmt.array}' in constant memory", stmt.place)
        reason = _statement(stmt, kernel.dialect) or (_of_a_pair(stmt) if paired else "")
        if reason:
            raise UndecidedError(reason, stmt.place)
        for expr in expressions(stmt) if paired else ():
            found = _expression(expr)
            if found:
                raise UndecidedError(*found)
    for array in kernel.arrays:
        if array.space is Space.PRIVATE and paired:
            raise UndecidedError(f"the private array '{array.name}' is indexed by values that are not constant", array.place)


def _statement(stmt: Stmt, dialect: str) -> str:
    match stmt:
        case core.Havoc(what=what, effects=True):
            return f"the value of {what}"
        case core.Barrier(scope=scope) if scope not in WIDTH:
            return f"a barrier of the whole {scope}"
        case core.Barrier(scope="warp") | core.Collective(scope="warp") if dialect == "opencl":
            return "a sub-group, whose size the device chooses"
        case _:
            return ""


def _of_a_pair(stmt: Stmt) -> str:
    match stmt:
        case core.Loop():
            return "a loop whose number of rounds is not a constant"
        case core.Atomic():
            return "an atomic operation"
        case core.AsyncCopy() | core.AsyncWait():
            return "an asynchronous copy"
        case core.Collective(op=op):
            return f"an exchange among lanes ({op})"
        case core.Havoc(what=what):
            return f"the value of {what}"
        case core.Barrier(scope=scope) if scope != "block":
            return f"a barrier of the whole {scope}"
        case core.Barrier(flags=flags) if flags is not None:
            return "a barrier whose fence flags are chosen at run time"
        case core.Claim(kind="assume"):
            return "an assumption that the source makes"
        case _:
            return ""


def _expression(expr: Expr) -> tuple[str, Place] | None:
    match expr:
        case core.Bits(arg=arg, type=kind):
            return f"the bits of a {arg.type} read as {kind}", expr.place
        case core.Call(function=name, type=kind) if (name not in EVALUATED or not kind.is_float
                                                     or any(arg.type != kind for arg in expr.args)):
            return f"a value of the function {name}", expr.place
        case core.Const() | core.Var() | core.Special() | core.Load() | core.Call():
            pass
    for part in children(expr):
        found = _expression(part)
        if found:
            return found
    return None
