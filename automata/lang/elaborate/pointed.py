"""The event that a pointer variable leads to, by guarded alternatives.

Input: an address of an event behind a pointer variable. Output: the event, chosen by the number of the object that the variable
is in; None where it cannot be said which it may be. What the variable was aimed at so far is all there is: one that is
aimed at something else later (in a loop) is refused (`Builder.aim`).
"""

from __future__ import annotations

from typing import Protocol

from automata.lang import core
from automata.lang.elaborate.events import Events, either
from automata.lang.elaborate.storage import Address, Handle, Origin, Root
from automata.lang.types import Opaque
from automata.lang.typing import binary
from automata.place import Place


class Pointers(Protocol):
    """The kernel under construction, as far as pointer variables go (`builder.Builder`). `followed`: those that were read."""

    events: Events
    followed: set[Root]

    def number(self, root: Root, place: Place) -> core.Expr: ...
    def lasting(self, value: core.Expr, place: Place, name: str = "t") -> core.Expr: ...


def pointed_event(builder: Pointers, at: Address, place: Place) -> Handle | None:
    """The event at an address in a pointer variable's object, which is the variable's own position."""
    assert isinstance(at.type, Opaque)
    targets = reach(builder, at.root)
    events = [builder.events.load(Address(target, (), at.type), ()) for target in targets]
    handles = [event for event in events if isinstance(event, Handle)]
    is_moved = at.view is not None or not all(isinstance(step, core.Load) for step in at.path)
    if is_moved or len(handles) < len(targets) or not handles:
        return None
    number = builder.lasting(builder.number(at.root, place), place)
    found = handles[-1]
    for target, event in reversed(list(zip(targets[:-1], handles, strict=False))):
        found = either(binary("==", number, builder.number(target, place), place), event, found)
    return found


def reach(builder: Pointers, start: Root) -> list[Root]:
    """The objects that a pointer variable was aimed at, itself or through others."""
    found: dict[Root, None] = {}
    todo, seen = [start], {start}
    while todo:
        root = todo.pop()
        if root.origin is not Origin.POINTER:
            found[root] = None
            continue
        builder.followed.add(root)
        todo += [target for target in root.targets if target not in seen]
        seen.update(root.targets)
    return list(found)
