"""Which arrays atomics change, and of which of them the contents then depend on the order in which they come.

Input: an automaton. Output: names of arrays. An atomic load changes nothing, so it counts for neither. Sums of floats are rounded
in the order of their parts. Where all parts are one number, any order is the same: each update does the same to what it finds.
"""

from __future__ import annotations

from automata.lang.core import Atomic, Const, Var
from automata.lang.traverse import children, expressions
from automata.thread.automaton import Action, Automaton, Condition, Sync

_COMMUTING = {"add": "sum", "sub": "sum", "min": "min", "max": "max", "and": "and", "or": "or", "xor": "xor"}


def updated(automaton: Automaton) -> frozenset[str]:
    """The arrays that atomics change."""
    actions = (data["transition"] for *_, data in automaton.graph.edges(data=True))
    return frozenset(action.stmt.array for action in actions
                     if isinstance(action, Action) and isinstance(action.stmt, Atomic) and action.stmt.op != "load")


def unordered(automaton: Automaton) -> frozenset[str]:
    """The arrays whose contents depend on the order of atomics: all others see one commuting family, no result used."""
    atomics: list[Atomic] = []
    read: set[str] = set()
    for *_, data in automaton.graph.edges(data=True):
        match data["transition"]:
            case Condition(test=test):
                todo = [test]
            case Sync(barrier=stmt) | Action(stmt=stmt):
                todo = list(expressions(stmt))
                if isinstance(stmt, Atomic) and stmt.op != "load":
                    atomics.append(stmt)
        while todo:
            expr = todo.pop()
            todo += children(expr)
            if isinstance(expr, Var):
                read.add(expr.name)
    families: dict[str, set[str]] = {}
    for stmt in atomics:
        families.setdefault(stmt.array, set()).add("" if stmt.result in read else _family(stmt))
    return frozenset(array for array, found in families.items() if len(found) > 1 or "" in found)


def _family(stmt: Atomic) -> str:
    """What a further update of the same cell may be for both to come in any order; nothing where none may."""
    operand = stmt.args[0]
    if not operand.type.is_float:
        return _COMMUTING.get(stmt.op, "")
    is_sum = stmt.op in ("add", "sub")
    return f"{stmt.op} {operand.value!r} as {operand.type}" if is_sum and isinstance(operand, Const) else ""
