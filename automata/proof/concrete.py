"""Concrete launches out of symbolic ones: sizes and arguments that meet the requirements, small ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from automata import arithmetic
from automata.arithmetic import Undefined
from automata.lang.core import AXES, Quantity
from automata.lang.launch import read_size
from automata.logic import terms as T
from automata.logic.terms import Symbol, Term
from automata.machine.outcome import Triple
from automata.proof.context import Context, evaluate

SCALARS = (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 65, 100, 127, 128, 129, 257, 513, 1000, 0, -1)
DIMENSIONS = (1, 2, 3, 4, 8, 32)
Assignment = dict[str, int]


def admitted(contexts: Sequence[Context], scalars: Sequence[int] = SCALARS,
             dimensions: Sequence[int] = DIMENSIONS) -> Iterator[Assignment]:
    """Assignments of the free sizes and parameters, out of a few numbers, that meet every requirement of all kernels."""
    derived: dict[str, Term] = {}
    for context in contexts:
        derived |= derived_symbols(context)
    symbols = dict.fromkeys(term for context in contexts for term in context.symbols())
    free = [term for term in symbols if str(term) not in derived]
    choices = [dimensions if "Dim." in str(term) else scalars for term in free]
    for values in product(*choices):
        sizes = {str(term): value for term, value in zip(free, values, strict=True)}
        for _ in range(len(derived)):
            for name, term in derived.items():
                value = value_of(term, sizes)
                if value is not None:
                    sizes[name] = value
        if is_admitted(contexts, sizes):
            yield sizes


def is_admitted(contexts: Sequence[Context], sizes: Mapping[str, int]) -> bool:
    """Whether sizes lie in their ranges and meet every requirement."""
    for context in contexts:
        for term in context.symbols():
            low, high = (value_of(bound, sizes) for bound in context.ranges[str(term)])
            if str(term) not in sizes or low is None or high is None or not low <= sizes[str(term)] <= high:
                return False
        if any(not value_of(term, sizes) for term in context.required):
            return False
    return True


def triple(context: Context, quantity: Quantity, sizes: Mapping[str, int]) -> Triple:
    """The three sizes of a block or grid."""
    x, y, z = (value_of(context.size(quantity, axis), sizes) or 1 for axis in AXES)
    return x, y, z


def extent(context: Context, name: str) -> Term:
    """The stated number of elements of an array."""
    return evaluate(read_size(context.launch.extents[name], context.kernel, f"extent of {name}"), context.values)


def derived_symbols(context: Context) -> dict[str, Term]:
    """Symbols that a requirement `symbol == expression` fixes."""
    found: dict[str, Term] = {}
    for term in context.required:
        if term.op == "==" and term.args[0].op == "cast" and term.args[0].args[0].op == "sym":
            found.setdefault(str(term.args[0].args[0]), term.args[1])
    return found


def value_of(term: Term, sizes: Mapping[str, int]) -> int | None:
    """The concrete value of an integer term over launch symbols; None when something is not known."""
    values: dict[int, int | None] = {}
    for node in T.subterms(term):
        values[node.serial] = _node(node, [values[arg.serial] for arg in node.args], sizes)
    return values[term.serial]


def _node(node: Term, args: list[int | None], sizes: Mapping[str, int]) -> int | None:
    if node.op == "const":
        value = T.constant_value(node)
        return None if value is None or node.type.is_float else int(value)
    if node.op == "sym":
        assert isinstance(node.data, Symbol)
        return sizes.get(node.data.name)
    if node.op == "ite":
        return args[1] if args[0] else args[2]
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args) or node.op in ("read", "call", "undef"):
        return None
    try:
        if node.op == "cast":
            return int(arithmetic.cast(known[0], node.args[0].type, node.type))
        if len(known) == 1:
            return int(arithmetic.unary("-" if node.op == "neg" else node.op, known[0], node.args[0].type))
        return int(arithmetic.binary(node.op, known[0], known[1], node.args[0].type))
    except Undefined:
        return None
