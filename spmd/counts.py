"""Sizes that the text of a program leaves open, and that count something: they are taken not to be negative, and that is said.

Input: two launches that belong together. Output: the same, with what is required of their counts, and the assumption. A parameter
counts something where the size of a grid or block hangs on it, or where what differs among threads or rounds is compared with it
or divided by it (`i < n`, `j < cols / 4`, `k / group`); data aside, for those are compared with thresholds. Numbers of the host
on which such a size hangs count too. What else there is, strides and offsets above all, may be negative; so may what the command
line gives, and what the text tells of otherwise, by a lower bound below zero, say, or as the result of something. Zero is left
in: whoever has nothing to do launches with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from automata.lang.core import Assign, Binary, Call, Cast, Const, Expr, Havoc, Kernel, Load, Select, Special, Stmt, Var
from automata.lang.effects import variables
from automata.lang.launch import Launch, read_expression, read_size
from automata.lang.traverse import children, conjuncts, expressions, walk, within
from automata.logic import terms as T
from automata.proof.known.evaluation import Evaluation
from automata.proof.known.launching import evaluate
from automata.scalar import Scalar
from spmd.one_size import open_arguments
from spmd.pair_launches import Launched
from spmd.report.launch_text import REQUIRED

COMPARED = ("<", "<=", "==", "!=")
DIVIDED = ("/", "%")
ABOVE, BELOW, FAR_BELOW = (1, 2, 3, 8, 60, 1024, 720_720), range(-64, 0), (-65_536, -99_999, -100_000, -720_720)
"""Numbers at which facts are tried: multiples of all small numbers among them."""
AS_COUNTS = "not negative, for they count something and nothing that was read of the program tells otherwise: "
"""How the assumption begins."""


def not_negative(one: Launched, two: Launched, names: dict[str, str]) -> tuple[Launched, Launched]:
    """Two launches whose open counts are not negative. `names`: a's parameters to b's."""
    back = {other: name for name, other in names.items()}
    counts = {*counted(*one), *(back.get(name, name) for name in counted(*two))}
    given = {*_given(*one), *(back.get(name, name) for name in _given(*two))}
    found = [name for name in open_arguments(one, two, names, of_host=True) if name in counts - given]
    return _required(one, found), _required(two, [names.get(name, name) for name in found])


def as_counts(assumptions: Sequence[str], pairs: Iterable[tuple[Launched, Launched]]) -> list[str]:
    """Assumptions in which one line says of all counts that they are not negative, where that is required."""
    counts = list(dict.fromkeys(name for pair in pairs for _, launch in pair for name in launch.counts))
    required = {name: [text for text in assumptions if text.endswith(f"{REQUIRED}{requirement(name)}")] for name in counts}
    used = [name for name in counts if required[name]]
    left = [text for text in assumptions if not any(text in found for found in required.values())]
    return [*left, *([AS_COUNTS + ", ".join(used)] if used else [])]


def _given(kernel: Kernel, launch: Launch) -> set[str]:
    """What the command line gives, a loop of the host counts through, or the text tells otherwise: those are not open."""
    params = {param.name: param.type for param in kernel.params if param.type.is_int}
    found = {*launch.inputs, *launch.rounds, *(name for name, _ in launch.perhaps)}
    for text in launch.requires:
        for part in conjuncts(read_expression(text, kernel, "requirement")):
            inside = variables(part)
            names = {name: params[name] for name in sorted(inside) if name in params}
            if names and (len(names) < len(inside) or _tells(part, names)):
                found |= names.keys()
    return found


def _tells(fact: Expr, names: Mapping[str, Scalar]) -> bool:
    """Whether a fact tells of parameters what they are, that they may be below zero but not far, or that they are not above it.
    That something fits its type tells nothing, nor that it is a multiple, or less than another."""
    parts = list(within(fact))
    if any(isinstance(part, Special) for part in parts):
        return False
    is_equation = isinstance(fact, Binary) and fact.op == "==" and any(
        isinstance(_bare(side), Var) for side in (fact.left, fact.right))
    if is_equation or any(isinstance(part, Select | Call) for part in parts):
        return True
    value = Evaluation(evaluate(fact, {name: T.symbol(name, kind, T.Owner.LAUNCH) for name, kind in names.items()}))

    def holds(numbers: Iterable[int]) -> bool:
        return any(value.at(dict(zip(names, each, strict=True))) for each in product(numbers, repeat=len(names)))
    return not holds(ABOVE) or (len(names) == 1 and holds(BELOW) and not holds(FAR_BELOW))


def _bare(expr: Expr) -> Expr:
    return _bare(expr.arg) if isinstance(expr, Cast) else expr


def _required(side: Launched, names: Iterable[str]) -> Launched:
    kernel, launch = side
    signed = [param.name for param in kernel.params if param.type.signed]
    own = [name for name in names if name in signed]
    return kernel, replace(launch, requires=(*launch.requires, *(requirement(name) for name in own)), counts=tuple(own))


def requirement(name: str) -> str:
    """What is required of a count."""
    return f"{name} >= 0"


def counted(kernel: Kernel, launch: Launch) -> set[str]:
    """The parameters that count something at a launch."""
    made = _values(kernel)
    sizes = [size for size in (*(launch.grid or ()), *(launch.block or ())) if size is not None]
    found = {name for size in sizes for name in variables(read_size(size, kernel, "size"))}
    for expr in (part for stmt in walk(kernel.body) for whole in expressions(stmt) for part in within(whole)):
        if isinstance(expr, Binary) and expr.op in (*COMPARED, *DIVIDED):
            both = ((expr.left, expr.right), (expr.right, expr.left))
            for other, side in both[:1] if expr.op in DIVIDED else both:
                if _of_sizes(other, made) is None and not _of_data(other, made):
                    found |= _of_sizes(side, made) or set()
    known = {param.name for param in kernel.params}
    passed = [text for name in sorted(found) if isinstance(text := launch.args.get(name), str)]
    return known & (found | {name for text in passed for name in variables(read_size(text, kernel, "argument"))})


def _values(kernel: Kernel) -> dict[str, list[Expr | None]]:
    """What each local is set to; None: nobody knows."""
    found: dict[str, list[Expr | None]] = {}
    for stmt in walk(kernel.body):
        for name, value in _set(stmt):
            found.setdefault(name, []).append(value)
    return found


def _set(stmt: Stmt) -> Iterator[tuple[str, Expr | None]]:
    match stmt:
        case Assign(name=name, value=value):
            yield name, value
        case Havoc(name=name):
            yield name, None
        case _:
            result = getattr(stmt, "result", None)
            if isinstance(result, str):
                yield result, None


def _of_sizes(expr: Expr, made: dict[str, list[Expr | None]]) -> set[str] | None:
    """The parameters of which an expression is made, with locals that are set once; None where it is of more than those."""
    match expr:
        case Const():
            return set()
        case Load() | Special():
            return None
        case Var(name=name) if name in made:
            values = made[name]
            if len(values) != 1 or values[0] is None:
                return None
            return _of_sizes(values[0], {key: value for key, value in made.items() if key != name})
        case Var(name=name):
            return {name}
    parts = [_of_sizes(part, made) for part in children(expr)]
    return None if None in parts or not parts else {name for part in parts if part is not None for name in part}


def _of_data(expr: Expr, made: dict[str, list[Expr | None]]) -> bool:
    """Whether what memory holds gets into an expression, or what nobody knows."""
    if isinstance(expr, Var) and expr.name in made:
        left = {key: value for key, value in made.items() if key != expr.name}
        return any(value is None or _of_data(value, left) for value in made[expr.name])
    return isinstance(expr, Load) or any(_of_data(part, made) for part in children(expr))
