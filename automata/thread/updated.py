"""Which arrays atomics change, and of which of them the contents then depend on the order in which they come.

Input: an automaton. Output: names of arrays. An atomic load changes nothing, so it counts for neither.
"""

from __future__ import annotations

from automata.lang.core import Atomic, Var
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
        plain = stmt.result not in read and not stmt.args[0].type.is_float
        families.setdefault(stmt.array, set()).add(_COMMUTING.get(stmt.op, "") if plain else "")
    return frozenset(array for array, found in families.items() if len(found) > 1 or "" in found)
