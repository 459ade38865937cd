"""OpenCL's work-item functions as sizes and coordinates of the launch (OpenCL C 6.12.1)."""

from __future__ import annotations

from automata.lang import tree
from automata.lang.core import AXES, Quantity
from automata.place import Place, UnsupportedError
from automata.scalar import U32, U64

QUERIES = frozenset({"get_global_id", "get_local_id", "get_group_id", "get_local_size", "get_global_size",
                     "get_num_groups", "get_global_offset", "get_enqueued_local_size", "get_work_dim",
                     "get_local_linear_id", "get_global_linear_id"})
_ONE = frozenset({"get_local_size", "get_global_size", "get_num_groups", "get_enqueued_local_size"})


def work_item(name: str, axis: int | None, place: Place) -> tree.Expr:
    """The value of a work-item function; `axis` None: the argument is no constant."""
    if name == "get_work_dim":
        return tree.Library("get_work_dim", (), U32, place)
    if name in ("get_local_linear_id", "get_global_linear_id"):
        raise UnsupportedError(name, place)
    if axis is None:
        raise UnsupportedError(f"{name} whose dimension is not a constant", place)
    if not 0 <= axis <= 2 or name == "get_global_offset":
        return tree.Literal(1 if name in _ONE else 0, U64, place)
    thread, block, size, blocks = (tree.Query(quantity, AXES[axis], U64, place) for quantity in Quantity)
    simple = {"get_local_id": thread, "get_group_id": block, "get_local_size": size, "get_enqueued_local_size": size,
              "get_num_groups": blocks}
    if name in simple:
        return simple[name]
    if name == "get_global_size":
        return tree.Binary("*", blocks, size, U64, place)
    return tree.Binary("+", tree.Binary("*", block, size, U64, place), thread, U64, place)
