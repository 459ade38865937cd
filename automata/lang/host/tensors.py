"""Pointers that tensors of PyTorch give: `x.data_ptr<float>()` is a `float *`.

So `data_ptr` and its likes are declared in ATen (TensorBody.h). The name stands for that where the text has it behind `.` and
`->` alone, so declares none of its own, and where no header is missing that is not of a library which is known.
"""

from __future__ import annotations

from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

Range = tuple[int, int]
_GIVING = {"data_ptr": False, "mutable_data_ptr": False, "const_data_ptr": True}
"""Methods that give a pointer to elements of their template argument, and whether to const ones."""


def element_given(program: Program, node: Node | None) -> tuple[Range, bool] | None:
    """The tokens of the type whose elements a call gives a pointer to, and whether they are const in it; None for what is no such
    call for certain."""
    callee = node.parts[0] if node is not None and node.kind == "call" and len(node.parts) == 1 else None
    field = callee.parts[0] if callee is not None and callee.kind == "arrow" else callee
    if field is None or field.kind != "member" or field.text not in _GIVING or field.ranges is None or len(field.ranges) != 1:
        return None
    text = program.tokens.text
    is_told = not program.has_unseen and all(text[at - 1] in (".", "->") for at in program.positions.get(field.text, []))
    return (field.ranges[0], _GIVING[field.text]) if is_told else None
