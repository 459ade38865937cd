"""Expressions of a launch as terms: over sizes, parameters and integer arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from automata.lang import core, traverse
from automata.lang.contents import is_on_contents, read_contents
from automata.lang.core import AXES, Expr, Kernel, Quantity
from automata.lang.launch import Launch, read_requirement, read_size
from automata.logic import terms as T
from automata.logic.terms import Term
from automata.place import InputError
from automata.scalar import I64, U32, U64

ROUNDS = 4
"""How deeply sizes that are stated may hang on each other."""


def evaluate(expr: Expr, values: Mapping[str, Term]) -> Term:
    """The term of a launch expression, which has no loads."""
    match expr:
        case core.Const(value=value, type=kind):
            return T.const(value, kind)
        case core.Var(name=name) | core.Special(name=name):
            if name not in values:
                raise InputError(f"'{name}' is not known here")
            return T.cast(values[name], expr.type)
        case core.Unary(op=op, arg=arg):
            return T.unary(op, evaluate(arg, values))
        case core.Cast(arg=arg, type=kind):
            return T.cast(evaluate(arg, values), kind)
        case core.Binary(op=op, left=left, right=right):
            return T.binary(op, evaluate(left, values), evaluate(right, values))
        case core.Select(test=test, then=then, other=other):
            return T.select(evaluate(test, values), evaluate(then, values), evaluate(other, values))
    raise InputError("a launch expression uses only parameters, sizes and integer arithmetic")


def computed(kernel: Kernel, launch: Launch, known: Mapping[str, int]) -> dict[str, int]:
    """What sizes and integer arguments come to that are stated as expressions over numbers: `(n + 255) / 256` is 4 with n = 1000.
    `known`: what requirements say of others. In rounds, for one may hang on another."""
    values: dict[str, Term] = {}
    kinds = {param.name: param.type for param in kernel.params if param.type.is_int}
    wide = U32 if kernel.dialect == "cuda" else U64
    sizes = {f"{quantity.value}.{axis}": given
             for quantity, given_sizes in ((Quantity.BLOCK_DIM, launch.block), (Quantity.GRID_DIM, launch.grid))
             for axis, given in zip(AXES, given_sizes or (), strict=False)}
    stated = {**sizes, **{name: value for name, value in launch.args.items() if name in kinds}}
    for name, value in {**known, **stated}.items():
        kind = kinds.get(name, wide)
        if isinstance(value, int) and kind.holds(value):
            values[name] = T.const(value, kind)
    found: dict[str, int] = {}
    for _ in range(ROUNDS):
        left = {name: text for name, text in stated.items() if isinstance(text, str) and name not in values}
        for name, text in left.items():
            number = _number(read_size(text, kernel, name), values)
            if number is not None and kinds.get(name, wide).holds(number):
                found[name], values[name] = number, T.const(number, kinds.get(name, wide))
        if not left.keys() & found.keys():
            break
    return found


def _number(expr: Expr, values: Mapping[str, Term]) -> int | None:
    """What an expression comes to, if that is a number."""
    try:
        value = T.constant_value(evaluate(expr, values))
    except InputError:
        return None
    return value if isinstance(value, int) else None


def sizes_required(kernel: Kernel, launch: Launch) -> set[str]:
    """Sizes that a requirement ties to others: `gridDim.x * blockDim.x == 1223` makes as many threads, whether or not the kernel
    reads along which axis they lie. They are none that nobody reads: those are taken to be 1."""
    found: set[str] = set()
    for text in launch.requires:
        stack: list[Expr] = [] if is_on_contents(text) else [read_requirement(text, kernel)]
        named: set[str] = set()
        while stack:
            node = stack.pop()
            if isinstance(node, core.Special):
                named.add(f"{node.quantity.value}.{node.axis}")
            stack.extend(traverse.children(node))
        found |= named if len(named) > 1 else set()
    return found


def below_the_sign(kernel: Kernel, launch: Launch, values: Mapping[str, Term]) -> dict[str, Term]:
    """That parameters of 64 bits without a sign are less than 2^63, for people and as tests: those of which requirements and
    sizes speak. These read them as numbers with a sign, and what they say of greater ones is not what C says. What a number is
    equal to they read as it is, and so what is compared with a number of 2^63 or more. What a program tells of its own numbers
    is meant with a sign: that a parameter without one gets a negative number is not left out."""
    unsigned = {param.name for param in kernel.params if param.type == U64 and T.constant_value(values[param.name]) is None}
    sizes = [*launch.args.values(), *(launch.block or ()), *(launch.grid or ())] if unsigned else []
    stated = [text for text in sizes if isinstance(text, str) and text not in launch.with_sign]
    requires = [text for text in launch.requires if text not in launch.with_sign] if unsigned else []
    todo: list[Expr] = [read_requirement(text, kernel) for text in requires if not is_on_contents(text)]
    for each in (part for text in requires if is_on_contents(text) for part in read_contents(text, kernel)):
        todo += [*(element.offset for element in each.elements), *([] if each.test is None else [each.test])]
    todo += [read_size(text, kernel, "size") for text in stated]
    found: dict[str, Term] = {}
    while todo:
        node = todo.pop()
        if isinstance(node, core.Var) and node.name in unsigned:
            sentence = f"{node.name} is less than 2^63, as requirements and sizes read it"
            found[sentence] = T.binary("<=", T.const(0, I64), T.cast(values[node.name], I64))
        if not (isinstance(node, core.Binary) and _is_read_as_it_is(node)):
            todo.extend(traverse.children(node))
    return found


def _is_read_as_it_is(test: core.Binary) -> bool:
    """Whether a test compares parameters and numbers alone, and says of those beyond 2^63 what C says."""
    return (test.op in ("==", "!=") or test.left.type == U64) and _is_read(test.left) and _is_read(test.right)


def _is_read(expr: Expr) -> bool:
    """Whether an expression is a parameter or a number alone."""
    return isinstance(expr, core.Var | core.Const) or (isinstance(expr, core.Cast) and _is_read(expr.arg))


def sizes_as_text(launch: Launch) -> list[tuple[str, str]]:
    """The sizes that are given as expressions."""
    return [(f"{quantity.value}.{axis}", size)
            for quantity, sizes in ((Quantity.BLOCK_DIM, launch.block), (Quantity.GRID_DIM, launch.grid)) if sizes
            for axis, size in zip(AXES, sizes, strict=True) if isinstance(size, str)]


def pinned_by(kernel: Kernel, launch: Launch) -> dict[str, int]:
    """The sizes and parameters that a requirement sets equal to a number."""
    found: dict[str, int] = {}
    todo = [read_requirement(text, kernel) for text in launch.requires if not is_on_contents(text)]
    while todo:
        match _bare(todo.pop()):
            case core.Binary(op="&&", left=left, right=right):
                todo += [left, right]
            case core.Binary(op="==", left=left, right=right):
                match _bare(left), _bare(right):
                    case ((core.Var(name=name) | core.Special(name=name), core.Const(value=int(value)))
                          | (core.Const(value=int(value)), core.Var(name=name) | core.Special(name=name))):
                        found.setdefault(name, value)
    return found


def _bare(expr: Expr) -> Expr:
    """Without the casts that change no value."""
    while isinstance(expr, core.Cast) and expr.type.is_int and expr.arg.type.is_int and (
            expr.type.holds(expr.arg.type.low) and expr.type.holds(expr.arg.type.high)):
        expr = expr.arg
    return expr
