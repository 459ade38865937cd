"""Which thread a shuffle takes its value from.

Input: when the value that a thread hands on is none, as a term of that thread, and the number of the lane that is asked. Output:
when what a thread gets is none, as a term of the thread that gets it: its own coordinates are replaced by those of the lane it
asks. So `if (lane == 0) x = …; x = __shfl_sync(full, x, 0);` gives every lane a value. CUDA C++ Programming Guide, warp shuffle
functions.
"""

from __future__ import annotations

from collections.abc import Mapping

from automata.lang.core import AXES, Quantity
from automata.lang.spaces import WARP, WIDTHS
from automata.logic import terms as T
from automata.logic.terms import Owner, Role, Term


def at_source(values: Mapping[str, Term], term: Term, lane: Term, width: Term | None) -> Term | None:
    """A term of the thread that is asked; None where that is not known: lanes and widths that are no constants, warps that go
    across rows of the block, terms that hang on more of a thread than its place. `values`: of the coordinates and sizes."""
    asked, within = T.constant_value(lane), WARP if width is None else T.constant_value(width)
    along = values[f"{Quantity.THREAD.value}.x"]
    if asked is None or within not in WIDTHS or along.op != "sym" or not _is_by_rows(values):
        return None
    size = T.const(int(within), along.type)
    first = T.binary("*", T.binary("/", along, size), size)
    moved = T.binary("+", first, T.const(int(asked) % int(within), along.type))
    anyone = T.symbol("asked lane", along.type, Owner.LAUNCH)
    coordinates = [values[f"{Quantity.THREAD.value}.{axis}"] for axis in AXES[1:]]
    alone = T.substitute(term, {along: anyone, **{one: anyone for one in coordinates if one.op == "sym"}})
    return None if alone.roles & (Role.THREAD | Role.UNDEFINED) else T.substitute(term, {along: moved})


def _is_by_rows(values: Mapping[str, Term]) -> bool:
    """Whether the lanes of a warp lie in one row of the block: it has one row, or rows of whole warps."""
    others = [T.constant_value(values[f"{Quantity.THREAD.value}.{axis}"]) for axis in AXES[1:]]
    wide = T.constant_value(values[f"{Quantity.BLOCK_DIM.value}.x"])
    return all(other == 0 for other in others) or (wide is not None and int(wide) % WARP == 0)
