"""How a kernel is launched: grid, block, arguments, requirements.

A launch comes from flags, a record, a comment above the kernel, or host code. Sizes and arguments are
numbers or C expressions over the kernel's scalar parameters, blockDim and gridDim; None is symbolic.
Expressions are read over mathematical integers: every operand is widened to 64 bits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from automata.lang import core
from automata.lang.builtins import C_TYPES, CONSTANTS, TYPE_NAMES
from automata.lang.core import Axis, Expr, Kernel, Param
from automata.lang.fold import fold_constants
from automata.lang.literals import number
from automata.lang.texts import split_top
from automata.lang.typing import binary, convert, select, unary
from automata.place import NOWHERE, InputError, Place, UnsupportedError
from automata.scalar import BOOL, I64, U32, U64

Size = int | str | None
Sizes = tuple[Size, Size, Size]

LARGEST = 1 << 40
"""Elements of an array."""
ALIGNED = "aligned"
"""`aligned(x, 16)` says where an array begins: see `alignment`."""
MOST_TREES = 1024
"""Trees of expressions that are kept."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch as stated; `grid` or `block` None: not stated. `source` says where it was stated.

    `extents`: elements of an array. `ranges`: bounds [low, high) on an array's initial contents. `shared_bytes`:
    of dynamic shared memory. `is_of_kernel`: the kernel's own comment states it, in the kernel's names. `of_host`: values of the
    host that sizes and requirements hang on besides the parameters. `is_vague`: of sizes the program's text tells no more than
    how many axes there are, or how they hang together; a counterexample at such a launch is none of the program. `is_open`: it
    tells them by values of the host alone, which nobody knows. `untold`: sizes, as `gridDim.x`, of which the program's text
    tells nothing; of an open launch also those values. `inputs`: parameters and values of the host that the command line gives:
    any number that meets what is required. `aliases`: pointer parameters that get one buffer, together.
    `offset`: where OpenCL's global identities begin, if the kernel's text has it in them; else at 0. `present`: how many threads
    there are along axes whose last groups are smaller. `perhaps`: variables of the host that a loop may leave at these numbers.
    `rounds`: parameters and values of the host that a loop of the host counts through: it makes the launch with each number that
    meets what is required. `assumes`: what its text takes for granted of the rest of the program. `counts`: parameters that are
    required not to be negative, since they count something. `with_sign`: the requirements and sizes that the program tells of
    its own numbers, each of which 64 bits with a sign hold: a parameter without one, which gets such a number, is meant as that.
    `fills`: requirements on what arrays hold that the program has set, where that decides what the kernel touches, each with what
    it takes for granted.
    """

    grid: Sizes | None = None
    block: Sizes | None = None
    args: dict[str, int | float | str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    extents: dict[str, int | str] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    source: str = ""
    shared_bytes: int | None = None
    is_of_kernel: bool = False
    of_host: tuple[Param, ...] = ()
    is_vague: bool = False
    is_open: bool = False
    untold: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    aliases: tuple[tuple[str, ...], ...] = ()
    offset: tuple[int, ...] = ()
    present: tuple[tuple[Axis, int], ...] = ()
    perhaps: tuple[tuple[str, int], ...] = ()
    rounds: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    with_sign: tuple[str, ...] = ()
    fills: tuple[tuple[str, str], ...] = ()

    @property
    def is_stated(self) -> bool:
        return self.grid is not None or self.block is not None

    @property
    def filled(self) -> Launch:
        """The launch for the contents that the program sets: those requirements are among the others."""
        whys = dict.fromkeys(why for _, why in self.fills)
        requires = (*self.requires, *(text for text, _ in self.fills))
        return replace(self, requires=requires, assumes=(*self.assumes, *whys), fills=())


def parse_sizes(text: str, what: str) -> Sizes:
    """`16,16` or `(n+255)/256`: one to three sizes. InputError if empty, too many, zero or negative."""
    inner = text.strip()
    if re.fullmatch(r"\([^()]*,[^()]*\)", inner):
        inner = inner[1:-1]
    parts = split_top(inner)
    if not 1 <= len(parts) <= 3:
        raise InputError(f"{what} '{text}': give one to three sizes, separated by commas")
    return normal_sizes([_number(part) for part in parts], what)


def _number(text: str) -> int | str:
    return int(text, 0) if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)", text) else text


def normal_sizes(parts: list[Size], what: str) -> Sizes:
    """One to three sizes, filled up with 1."""
    for part in parts:
        if isinstance(part, int) and part <= 0:
            raise InputError(f"{what} has a size of {part}; every size is at least 1")
    x, y, z = [*parts, 1, 1, 1][:3]
    return x, y, z


def parse_value(text: str) -> int | float | str:
    """An argument: an integer, a float, or an expression."""
    try:
        return _number(text) if not re.fullmatch(r"-?\d*\.\d*([eE][+-]?\d+)?|-?\d+[eE][+-]?\d+", text) else float(text)
    except ValueError:
        return text


_COMMENT = re.compile(r"^\s*(?://|/?\*+)\s*spmd:(?!\s*allow\b)(.*?)(?:\*/)?\s*$")
_EXTENT = re.compile(r"(?<![\w=])(\w+)\[([^\]\s]+)\]")
_GIVEN = re.compile(r"(\w+)=((?:\([^=]*?\)|[^\s=])+)")


def parse_comment(text: str, place: Place) -> Launch:
    """The body of an `// spmd: …` comment: NAME=VALUE for sizes and arguments, NAME[ELEMENTS] for extents, requirements."""
    head, _, requires = text.partition("require ")
    extents = {name: _number(size) for name, size in _EXTENT.findall(head)}
    head = _EXTENT.sub("", head)
    given = dict(_GIVEN.findall(head))
    leftover = _GIVEN.sub("", head).strip()
    if leftover:
        raise InputError(f"launch comment: '{leftover}' is neither NAME=VALUE nor NAME[ELEMENTS]", place)
    try:
        grid = parse_sizes(given.pop("grid"), "grid") if "grid" in given else None
        block = parse_sizes(given.pop("block"), "block") if "block" in given else None
    except InputError as error:
        raise InputError(f"launch comment: {error.message}", place) from error
    aliases = parse_aliases(given.pop("alias", ""), place)
    args = {name: parse_value(value) for name, value in given.items()}
    return Launch(grid, block, args, tuple(split_top(requires)), extents, source=f"comment at {place}", is_of_kernel=True,
                  aliases=aliases)


def parse_aliases(text: str, place: Place = NOWHERE) -> tuple[tuple[str, ...], ...]:
    """Groups of parameters that get one buffer: names with commas between them, groups with semicolons."""
    groups = [tuple(name.strip() for name in group.split(",")) for group in text.split(";") if group.strip()]
    if wrong := next((group for group in groups if len(set(group)) < 2 or not all(name.isidentifier() for name in group)), None):
        raise InputError(f"alias '{','.join(wrong)}': give two or more pointer parameters of one buffer, as in out,in", place)
    return tuple(groups)


def find_comment(original: str, path: str, kernel_line: int) -> Launch | None:
    """The launch comment right above a kernel, else one at the head of the file."""
    lines = original.split("\n")
    above = kernel_line - 2
    while 0 <= above < len(lines) and _is_between(lines[above]):
        found = _COMMENT.match(lines[above])
        if found:
            return parse_comment(found.group(1), Place(path, above + 1, 1))
        above -= 1
    for at, line in enumerate(lines):
        found = _COMMENT.match(line)
        if found:
            return parse_comment(found.group(1), Place(path, at + 1, 1))
        if not _is_between(line):
            return None
    return None


def _is_between(line: str) -> bool:
    """Comments, blank lines, templates and attributes may stand between the comment and the kernel."""
    text = line.strip()
    return not text or text.startswith(("//", "/*", "*", "template", "extern \"C\"", "__attribute__", "__launch_bounds__"))


def in_elements(extents: dict[str, int | str], kernel: Kernel) -> dict[str, int | str]:
    """Extents in the elements that the source declares, as extents in the elements of Core's arrays.

    The arrays that an array of records was split into have an element for each record. InputError for a number that no
    array can have.
    """
    found: dict[str, int | str] = {}
    for name, size in extents.items():
        if isinstance(size, int) and not 0 <= size < LARGEST:
            raise InputError(f"'{name}' is said to have {size} elements: give a number from 0 to below 2^40", kernel.place)
        whole = [array for array in kernel.arrays if array.name == name]
        split = [array for array in kernel.arrays if array.of == name]
        for array in whole or split:
            if not array.unit:
                found[array.name] = size
            elif isinstance(size, int):
                found[array.name] = size * array.unit // array.element.bytes
            else:
                found[array.name] = f"({size}) * {array.unit} / {array.element.bytes}"
        if not whole and not split:
            found[name] = size
    return found


def within(launch: Launch, array: str, value: int | float) -> int | float:
    """A made-up initial value moved into the stated range of its array."""
    if array not in launch.ranges:
        return value
    low, high = launch.ranges[array]
    return low + (int(value) - low) % max(1, high - low)


class WideReader:
    """Launch expressions over scalar parameters and sizes, as Core; every integer leaf is widened to 64 bits."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.params = {param.name: param.type for param in kernel.params}

    def read(self, node: c_ast.Node) -> Expr:
        match node:
            case c_ast.Constant():
                return self.constant(str(node.value))
            case c_ast.ID():
                return self.name(node.name)
            case c_ast.StructRef():
                return self.member(node)
            case c_ast.BinaryOp():
                left, right = self.without_a_sign(node) or (self.read(node.left), self.read(node.right))
                return binary(node.op, left, right, NOWHERE)
            case c_ast.UnaryOp(op="+" | "-" | "~" | "!"):
                return unary(node.op, self.read(node.expr), NOWHERE)
            case c_ast.TernaryOp():
                return select(self.read(node.cond), self.read(node.iftrue), self.read(node.iffalse), NOWHERE)
            case c_ast.Cast():
                return self.cast(node)
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.ArrayRef():
                raise UnsupportedError("a requirement on the contents of an array")
        raise UnsupportedError(f"a {type(node).__name__} expression")

    def constant(self, text: str) -> Expr:
        if text in ("true", "false"):
            return core.Const(int(text == "true"), BOOL)
        value, kind = number(text, NOWHERE)
        if kind == U64 and value > I64.high:
            raise UnsupportedError(f"the number {text}, which is 2^63 or more, but beside a parameter of 64 bits without a sign")
        return convert(core.Const(value, kind), I64) if kind.is_int else core.Const(value, kind)

    def without_a_sign(self, node: c_ast.BinaryOp) -> tuple[Expr, Expr] | None:
        """Both sides of a comparison of a parameter of 64 bits without a sign with a number of 2^63 or more: as they are."""
        if node.op not in ("<", "<=", ">", ">=", "==", "!="):
            return None
        left, right = map(self.as_it_is, (node.left, node.right))
        is_meant = {type(left), type(right)} == {core.Var, core.Const}
        return (left, right) if is_meant and left is not None and right is not None else None

    def as_it_is(self, node: c_ast.Node) -> Expr | None:
        """A parameter of 64 bits without a sign, or a number of 2^63 or more."""
        match node:
            case c_ast.ID(name=name) if self.params.get(name) == U64:
                return core.Var(name, U64)
            case c_ast.Constant(value=text) if str(text)[0].isdigit():
                value, kind = number(str(text), NOWHERE)
                return core.Const(value, U64) if kind == U64 and value > I64.high else None
        return None

    def name(self, name: str) -> Expr:
        if name in self.params:
            kind = self.params[name]
            return convert(core.Var(name, kind), I64) if kind.is_int else core.Var(name, kind)
        if name in CONSTANTS:
            value, kind = CONSTANTS[name]
            return convert(core.Const(value, kind), I64) if kind.is_int else core.Const(value, kind)
        if any(array.name == name for array in self.kernel.arrays):
            raise UnsupportedError(f"the address of '{name}' used as a value")
        raise InputError(f"'{name}' is not declared")

    def member(self, node: c_ast.StructRef) -> Expr:
        owner = _path(node.name)
        if f"{owner}.{node.field.name}" in self.params:
            return self.name(f"{owner}.{node.field.name}")
        quantities = {quantity.value: quantity for quantity in core.Quantity}
        for axis in core.AXES:
            if owner in quantities and node.field.name == axis:
                return convert(core.Special(quantities[owner], axis, U32), I64)
        raise InputError(f"'{owner}.{node.field.name}' is no parameter and no size of the launch")

    def cast(self, node: c_ast.Cast) -> Expr:
        names = getattr(getattr(node.to_type.type, "type", None), "names", [])
        kind = C_TYPES.get(tuple(sorted(names))) or TYPE_NAMES.get(" ".join(names))
        if kind is None:
            raise UnsupportedError("a cast to this type")
        return convert(self.read(node.expr), kind)

    def call(self, node: c_ast.FuncCall) -> Expr:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name == ALIGNED:
            raise UnsupportedError(f"'{ALIGNED}' in an expression: it is a requirement of its own")
        args = [self.read(arg) for arg in (node.args.exprs if node.args is not None else [])]
        if name in ("min", "max") and len(args) == 2:
            first, second = args if name == "min" else (args[1], args[0])
            return select(binary("<", first, second, NOWHERE), args[0], args[1], NOWHERE)
        raise UnsupportedError(f"a call of '{name}'")


def parsed(text: str, what: str) -> c_ast.Node:
    """The tree of a C expression, which nobody changes."""
    try:
        return _tree(text)
    except (ParseError, AssertionError) as error:
        raise InputError(f"{what} '{text}' is not a C expression") from error


@lru_cache(MOST_TREES)
def _tree(text: str) -> c_ast.Node:
    tree = CParser(dialect="c23").parse(f"int spmd_expression(void) {{ return (\n{text}\n); }}")
    return tree.ext[0].body.block_items[0].expr


def _path(node: c_ast.Node) -> str:
    """A name with members of members, as `b.gridDim`; "" for anything else."""
    match node:
        case c_ast.ID(name=name):
            return str(name)
        case c_ast.StructRef(name=owner, type=".", field=field) if _path(owner):
            return f"{_path(owner)}.{field.name}"
    return ""


def sizes_named(text: str) -> tuple[str, ...]:
    """The sizes of a launch that a requirement names: `gridDim.x`, and of a pair's second kernel `b.gridDim.x`."""
    own = [f"{quantity.value}.{axis}" for quantity in (core.Quantity.BLOCK_DIM, core.Quantity.GRID_DIM) for axis in core.AXES]
    sizes = {*own, *(f"b.{name}" for name in own)}
    try:
        todo, found = [parsed(text, "requirement")], list[str]()
    except InputError:
        return ()
    while todo:
        node = todo.pop()
        if (path := _path(node)) in sizes:
            found.append(path)
        else:
            todo += [child for _, child in node.children()]
    return tuple(dict.fromkeys(found))


def sizes_of_b(text: str) -> tuple[str, ...]:
    """The sizes of the second kernel's launch that a requirement of a pair names: `b.gridDim.x`."""
    return tuple(name for name in sizes_named(text) if name.startswith("b."))


def conjuncts(node: c_ast.Node) -> list[c_ast.Node]:
    """What `&&` joins."""
    if isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        return conjuncts(node.left) + conjuncts(node.right)
    return [node]


def is_on_alignment(node: c_ast.Node) -> bool:
    """Whether a conjunct of a requirement says where an array begins."""
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == ALIGNED


def read_expression(text: str, kernel: Kernel, what: str) -> Expr:
    """A launch expression over a kernel's scalar parameters and sizes, as Core of type I64 or BOOL."""
    return _read(parsed(text, what), text, kernel, what)


def _read(node: c_ast.Node, text: str, kernel: Kernel, what: str) -> Expr:
    try:
        expr = WideReader(kernel).read(node)
    except UnsupportedError as error:
        raise UnsupportedError(f"{what} '{text}': {error.message}") from error
    except InputError as error:
        raise InputError(f"{what} '{text}': {error.message}") from error
    return fold_constants(expr, {})


def read_requirement(text: str, kernel: Kernel) -> Expr:
    """A requirement as a Core expression of type BOOL, but for what it says of where arrays begin: no size hangs on that."""
    what = "requirement"
    tests = [convert(_read(node, text, kernel, what), BOOL) for node in _on_sizes(parsed(text, what))]
    found = tests[0] if tests else core.Const(1, BOOL)
    for test in tests[1:]:
        found = binary("&&", found, test, NOWHERE)
    return found


def _on_sizes(node: c_ast.Node) -> list[c_ast.Node]:
    """A requirement whole, or the conjuncts of one that says where arrays begin that do not."""
    parts = conjuncts(node)
    return [part for part in parts if not is_on_alignment(part)] if any(map(is_on_alignment, parts)) else [node]


def read_size(size: int | str, kernel: Kernel, what: str) -> Expr:
    """A size or integer argument as a Core expression of type I64."""
    if isinstance(size, int):
        return core.Const(size, I64)
    return convert(read_expression(size, kernel, what), I64)
