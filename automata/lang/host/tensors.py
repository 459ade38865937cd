"""Pointers that tensors of PyTorch give: `x.data_ptr<float>()` is a `float *`.

So `data_ptr` and its likes are declared in ATen (TensorBody.h). The name stands for that where the text declares no function of
it, and where no header is missing that is not of a library which is known: behind `.` and `->` it is a member; elsewhere it may
be a variable's, but no bracket follows it. `data` with a template argument is PyTorch's alone: those of containers have none.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

Range = tuple[int, int]
_TENSORS = frozenset({"torch::Tensor", "at::Tensor"})
_COUNTING = {"size": 1, "stride": 1, "numel": 0, "dim": 0}
"""Methods that give a number of 64 bits with a sign, and how many arguments they take for it."""
_GIVING = {"data": False, "data_ptr": False, "mutable_data_ptr": False, "const_data_ptr": True}
"""Methods that give a pointer to elements of their template argument, and whether to const ones."""


def element_given(program: Program, node: Node | None) -> tuple[Range, bool] | None:
    """The tokens of the type whose elements a call gives a pointer to, and whether they are const in it; None for what is no such
    call for certain."""
    callee = node.parts[0] if node is not None and node.kind == "call" and len(node.parts) == 1 else None
    field = callee.parts[0] if callee is not None and callee.kind == "arrow" else callee
    if field is None or field.kind != "member" or field.text not in _GIVING or field.ranges is None or len(field.ranges) != 1:
        return None
    text = program.tokens.text
    is_told = not program.has_unseen and all(
        text[at - 1] in (".", "->") or (text[at + 1] not in ("(", "<", "...") and text[at - 1] not in ("::", "operator"))
        for at in program.positions.get(field.text, []))
    return (field.ranges[0], _GIVING[field.text]) if is_told else None


def counts(program: Program, node: Node, owner: Variable | None) -> bool:
    """Whether a call is one of a tensor's methods that count. `owner`: the variable in front of the dot."""
    callee = node.parts[0] if node.kind == "call" else None
    if callee is None or callee.kind != "member" or owner is None or callee.ranges is not None:
        return False
    return is_tensor(program, owner) and _COUNTING.get(callee.text) == len(node.parts) - 1


def is_tensor(program: Program, variable: Variable | None) -> bool:
    """Whether a variable is a tensor of PyTorch, whose methods take numbers by value and lists of them."""
    if variable is None or variable.type.pointers or variable.is_array:
        return False
    return variable.type.name in _TENSORS and not program.has_unseen and not program.declared["Tensor"]
