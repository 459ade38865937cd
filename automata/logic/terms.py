"""Typed terms: what a thread computes, as a hash-consed graph with C's exact meaning.

A term says nothing about how it is decided. The same term is read as a mathematical integer by the
prover (`arith`), as a tree of operations by the equality checker, and has the machine's value by
`automata.arithmetic`. Constructors fold constants, the laws of `&&`, `||` and `!`, signs of floats and conversions that change
nothing, no more; and no law that would hide that a value is undefined.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal

from automata import arithmetic
from automata.budget import METER
from automata.scalar import BOOL, Scalar, is_as_direct


class Role:
    """What a term depends on, bits of a number; ROUNDED: on an integer that was made of floats."""

    NONE: Final = 0
    THREAD: Final = 1
    BLOCK: Final = 2
    DATA: Final = 4
    UNDEFINED: Final = 8
    ROUNDED: Final = 16


class Owner(Enum):
    """Whose symbol it is: one per thread, one per block, or one for the whole launch."""

    THREAD = Role.THREAD
    BLOCK = Role.BLOCK
    LAUNCH = Role.NONE


@dataclass(frozen=True, slots=True)
class Symbol:
    """A free integer: a thread or block coordinate, a size, or a scalar parameter.

    `name` is only its own, and `own` what it is called in its kernel: both for people. What it stands for is in the other fields.
    `size`: it is a size of the block or of the grid.
    """

    name: str
    owner: Owner
    size: Literal["", "block", "grid"] = ""
    own: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Version:
    """Which contents of an array a read sees.

    `owner` LAUNCH: the same for every thread of the launch (nobody writes it); BLOCK: the same within
    a block (no thread writes it in this interval); THREAD: nothing is known, `tag` tells reads apart.
    """

    array: str
    owner: Owner
    tag: Hashable


class Term:
    """One node. Build with the functions below; equal terms are the same object. `depth`: how deep others nest in it."""

    __slots__ = ("args", "data", "depth", "op", "roles", "serial", "type")

    def __init__(self, op: str, kind: Scalar, args: tuple[Term, ...], data: Hashable, roles: int, serial: int) -> None:
        self.op: Final = op
        self.type: Final = kind
        self.args: Final = args
        self.data: Final = data
        self.roles: Final = roles
        self.serial: Final = serial
        self.depth: Final[int] = 1 + max((arg.depth for arg in args), default=0)

    def __repr__(self) -> str:
        return show(self)


MADE = 3_000
"""Nanoseconds of work: of a new term."""
_POOL: dict[tuple[str, Scalar, tuple[int, ...], Hashable], Term] = {}


def _make(op: str, kind: Scalar, args: tuple[Term, ...] = (), data: Hashable = None, roles: int = Role.NONE) -> Term:
    key = (op, kind, tuple(arg.serial for arg in args), (type(data), data))
    term = _POOL.get(key)
    if term is None:
        for arg in args:
            roles |= arg.roles
            if arg.type.is_float and kind.is_int and kind != BOOL:
                roles |= Role.ROUNDED
        METER.done += MADE
        term = _POOL[key] = Term(op, kind, args, data, roles, len(_POOL))
    return term


def clear() -> None:
    """Forget all terms (between kernels of a long-lived worker); TRUE and FALSE stay."""
    kept = [TRUE, FALSE]
    _POOL.clear()
    for term in kept:
        _POOL[(term.op, term.type, (), (type(term.data), term.data))] = term


def const(value: int | float, kind: Scalar) -> Term:
    data: Hashable = (repr(value) if kind.is_float else int(value))
    return _make("const", kind, (), data)


TRUE: Final = const(1, BOOL)
FALSE: Final = const(0, BOOL)


def constant_value(term: Term) -> int | float | None:
    """The value of a constant term, else None."""
    if term.op != "const":
        return None
    return float(str(term.data)) if term.type.is_float else int(str(term.data))


def symbol(name: str, kind: Scalar, owner: Owner, size: Literal["", "block", "grid"] = "", own: str = "") -> Term:
    return _make("sym", kind, (), Symbol(name, owner, size, own or name), owner.value)


def symbol_of(term: Term) -> Symbol:
    """The symbol that a term is."""
    assert isinstance(term.data, Symbol)
    return term.data


def size_of(term: Term) -> Literal["", "block", "grid"]:
    """Of what a symbol is a size: of the block, of the grid, or of neither."""
    return term.data.size if isinstance(term.data, Symbol) else ""


def read(version: Version, index: tuple[Term, ...], kind: Scalar) -> Term:
    roles = Role.DATA | version.owner.value
    if version.owner is Owner.THREAD:
        roles |= Role.BLOCK
    return _make("read", kind, index, version, roles)


def undefined(tag: Hashable, kind: Scalar) -> Term:
    """The value of a local before it is assigned: unknown, one per thread."""
    return _make("undef", kind, (), tag, Role.THREAD | Role.BLOCK | Role.DATA | Role.UNDEFINED)


def call(function: str, args: tuple[Term, ...], kind: Scalar) -> Term:
    return _make("call", kind, args, function)


def unknown(name: str, args: tuple[Term, ...], kind: Scalar) -> Term:
    """A value that nobody can predict, from outside or from the order of threads: one for the same arguments."""
    return _make("call", kind, args, name, Role.DATA)


def unary(op: str, arg: Term) -> Term:
    if op == "!":
        return negate(arg)
    value = constant_value(arg)
    if value is not None and not arithmetic.negates_the_least(op, value, arg.type):
        return const(arithmetic.unary(op, value, arg.type), arg.type)
    is_back = op == "-" and arg.op == "neg" and arg.type.is_float
    return arg.args[0] if is_back else _make("neg" if op == "-" else op, arg.type, (arg,))


def binary(op: str, left: Term, right: Term) -> Term:
    """An operator on two terms of one type (a shift: the left one's). Products and quotients of floats that are rounded stay: a
    device may fuse them with a sum, or round them otherwise."""
    if op == "&&":
        return conjunction(left, right)
    if op == "||":
        return disjunction(left, right)
    kind = BOOL if op in ("<", "<=", "==", "!=") else left.type
    first, second = constant_value(left), constant_value(right)
    if first is not None and second is not None:
        try:
            value = arithmetic.binary(op, first, second, left.type)
            if not arithmetic.overflows(op, first, second, left.type) and not (
                    kind.is_float and op in ("*", "/") and arithmetic.is_rounded(op, first, second, value)):
                return const(value, kind)
        except arithmetic.Undefined:
            pass
    if (truth := _truth_of_bits(op, left, right)) is not None:
        return truth
    if op == "!=":
        return negate(binary("==", left, right))
    if left.type.is_int and left is right and op in ("==", "<=", "<") and not left.roles & Role.UNDEFINED:
        return FALSE if op == "<" else TRUE
    if left.type.is_int and arithmetic.is_neutral(op, first, second):
        return right if first is not None and op in ("+", "*") else left
    return _summed(op, kind, left, right)


def _truth_of_bits(op: str, left: Term, right: Term) -> Term | None:
    """`&`, `|` and `==` of numbers that stand for truths, as C makes them of comparisons."""
    one = left.args[0] if left.op == "cast" and left.args[0].type == BOOL else None
    two = right.args[0] if right.op == "cast" and right.args[0].type == BOOL else None
    if one is None or not left.type.is_int:
        return None
    if op == "==" and constant_value(right) in (0, 1):
        return one if constant_value(right) else negate(one)
    if two is None or op not in ("&", "|"):
        return None
    return cast((conjunction if op == "&" else disjunction)(one, two), left.type)


def _summed(op: str, kind: Scalar, left: Term, right: Term) -> Term:
    """An operator that stays. A float that is negated is taken away, or added: with the same bits, of zeros too."""
    if kind.is_float and op in ("+", "-") and right.op == "neg":
        return _make("-" if op == "+" else "+", kind, (left, right.args[0]))
    return _make(op, kind, (left, right))


def cast(arg: Term, kind: Scalar) -> Term:
    if arg.type == kind:
        return arg
    value = constant_value(arg)
    if value is not None:
        return const(arithmetic.cast(value, arg.type, kind), kind)
    is_direct = arg.op == "cast" and is_as_direct(arg.args[0].type, arg.type, kind)
    return cast(arg.args[0], kind) if is_direct else _make("cast", kind, (arg,))


def negate(arg: Term) -> Term:
    if arg is TRUE or arg is FALSE:
        return FALSE if arg is TRUE else TRUE
    return arg.args[0] if arg.op == "!" else _make("!", BOOL, (arg,))


def conjunction(left: Term, right: Term) -> Term:
    if left is FALSE or (not left.roles & Role.UNDEFINED and (right is FALSE or negate(left) is right)):
        return FALSE
    if left is TRUE or left is right:
        return right
    return left if right is TRUE else _make("&&", BOOL, (left, right))


def disjunction(left: Term, right: Term) -> Term:
    if left is TRUE or (not left.roles & Role.UNDEFINED and (right is TRUE or negate(left) is right)):
        return TRUE
    if left is FALSE or left is right:
        return right
    return left if right is FALSE else _make("||", BOOL, (left, right))


def conjuncts(root: Term) -> list[Term]:
    """What a conjunction is made of."""
    found: list[Term] = []
    stack = [root]
    while stack:
        term = stack.pop()
        if term.op == "&&":
            stack += term.args[::-1]
        else:
            found.append(term)
    return found


def all_of(terms: tuple[Term, ...]) -> Term:
    result = TRUE
    for term in terms:
        result = conjunction(result, term)
    return result


def select(test: Term, then: Term, other: Term) -> Term:
    if test is TRUE or (then is other and not test.roles & Role.UNDEFINED):
        return then
    if test is FALSE:
        return other
    if then is TRUE and other is FALSE:
        return test
    if test.op == "!":
        return select(test.args[0], other, then)
    return _make("ite", then.type, (test, then, other))


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same operation on other arguments."""
    match term.op:
        case "const" | "sym" | "undef":
            return term
        case "read":
            assert isinstance(term.data, Version)
            return read(term.data, args, term.type)
        case "call":
            return _make("call", term.type, args, term.data, term.roles & Role.DATA)
        case "cast":
            return cast(args[0], term.type)
        case "ite":
            return select(*args)
        case "neg" | "~" | "!":
            return unary("-" if term.op == "neg" else term.op, args[0])
    return binary(term.op, args[0], args[1])


def subterms(root: Term) -> list[Term]:
    """All nodes below and including a term, arguments first, each once."""
    return unseen([root], set())


def unseen(roots: Iterable[Term], seen: set[Term]) -> list[Term]:
    """All nodes below and including some terms that were not seen before, arguments first, each once; now they are."""
    order: list[Term] = []
    stack: list[Term | None] = []
    waiting: list[Term] = []
    for root in roots:
        stack.append(root)
        while stack:
            term = stack.pop()
            if term is None:
                order.append(waiting.pop())
            elif term not in seen:
                seen.add(term)
                if term.args:
                    waiting.append(term)
                    stack.append(None)
                    stack += term.args[::-1]
                else:
                    order.append(term)
    return order


def gathered(roots: Iterable[Term], wanted: Container[Term]) -> dict[Term, frozenset[Term]]:
    """Of some terms and all nodes below them, which wanted nodes each holds, itself among them."""
    found: dict[Term, frozenset[Term]] = {}
    nothing: frozenset[Term] = frozenset()
    for term in unseen(roots, set()):
        parts = {found[arg] for arg in term.args} - {nothing}
        own = nothing.union(*parts) if len(parts) > 1 else parts.pop() if parts else nothing
        found[term] = own | {term} if term in wanted else own
    return found


def substitute(root: Term, mapping: Mapping[Term, Term]) -> Term:
    """The term with sub-terms replaced (outermost match first)."""
    if not mapping:
        return root
    done: dict[int, Term] = {key.serial: value for key, value in mapping.items()}
    for term in subterms(root):
        if term.serial not in done:
            args = tuple(done[arg.serial] for arg in term.args)
            unchanged = all(new is old for new, old in zip(args, term.args, strict=True))
            done[term.serial] = term if unchanged else rebuild(term, args)
    return done[root.serial]


_PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "<": 7, "<=": 7, "<<": 8, ">>": 8,
               "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}


MOST_SHOWN, MOST_SHOWN_DEPTH = 100, 40
"""Operations in a text, and how deep they stand in each other."""


def show(term: Term) -> str:
    """The term as C-like text, for messages: of a large one what is next to its root."""
    depth, known = 2, dict[tuple[Term, int], int]()
    while depth < MOST_SHOWN_DEPTH and (size := _printed(term, depth + 1, known)) <= MOST_SHOWN:
        depth = MOST_SHOWN_DEPTH if size == _printed(term, depth, known) else depth + 1
    return _show(term, 0, depth)


def _printed(term: Term, depth: int, known: dict[tuple[Term, int], int]) -> int:
    """How many operations a text of that depth has; terms share their parts, texts do not."""
    if not term.args or not depth:
        return 1
    found = known.get((term, depth))
    if found is None:
        found = known[term, depth] = 1 + sum(_printed(arg, depth - 1, known) for arg in term.args)
    return found


def _show(term: Term, level: int, depth: int) -> str:
    if depth == 0:
        return "…"
    if not term.args or term.op in ("read", "call", "cast"):
        return _show_atom(term, level, depth)
    text, own = _show_operator(term, depth)
    return f"({text})" if own < level else text


def _show_atom(term: Term, level: int, depth: int) -> str:
    if isinstance(term.data, Symbol):
        return term.data.name
    if isinstance(term.data, Version):
        return term.data.array + "".join(f"[{_show(arg, 0, depth - 1)}]" for arg in term.args)
    if term.op == "call":
        return f"{term.data}({', '.join(_show(arg, 0, depth - 1) for arg in term.args)})"
    if term.op == "cast":
        arg = term.args[0]
        narrows = term.type.bits < 32 or term.type.is_float != arg.type.is_float
        return f"({term.type})({_show(arg, 0, depth - 1)})" if narrows else _show(arg, level, depth)
    return "undefined" if term.op == "undef" else str(term.data)


def _show_operator(term: Term, depth: int) -> tuple[str, int]:
    """The text of an operation and how tightly it binds."""
    first = term.args[0]
    if term.op == "ite":
        test, then, other = (_show(arg, 1, depth - 1) for arg in term.args)
        return f"{test} ? {then} : {other}", 0
    if term.op == "!" and first.op in ("<", "<=", "=="):
        sign = {"<": ">=", "<=": ">", "==": "!="}[first.op]
        return f"{_show(first.args[0], 8, depth - 1)} {sign} {_show(first.args[1], 8, depth - 1)}", 7
    if len(term.args) == 1:
        return ("-" if term.op == "neg" else term.op) + _show(first, 11, depth - 1), 12
    own = _PRECEDENCE[term.op]
    return f"{_show(first, own, depth - 1)} {term.op} {_show(term.args[1], own + 1, depth - 1)}", own
