"""A program as a front end read it, to Core: `elaborate`.

Input: the typed tree of a kernel and the functions it calls. Output: one Core kernel without functions,
pointers, records or vectors. Parameters come to life first: a pointer is an array of its own (two of them
do not overlap: an assumption that checks print), a record's fields are parameters `p.field`. Then the body,
with calls inlined where they stand; then pointer variables are resolved and memory is cut into arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from automata.lang import core, tree
from automata.lang.core import Kernel, Param, Space
from automata.lang.effects import stored_arrays
from automata.lang.elaborate.addresses import Addresses
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.calls import CallElaborator
from automata.lang.elaborate.cells import lay_out
from automata.lang.elaborate.contents import constant_content, first_content
from automata.lang.elaborate.images import Images
from automata.lang.elaborate.pointers import resolve
from automata.lang.elaborate.scan import address_taken, mutated, sets_functions
from automata.lang.elaborate.shared_numbers import SharedNumbers
from automata.lang.elaborate.statements import Frame
from automata.lang.elaborate.storage import Address, Handle, Origin, Root, leaf_path, parts_of
from automata.lang.elaborate.tables import NeedsError, Shape, indexed_pointers
from automata.lang.names import spelled
from automata.lang.spec import watched
from automata.lang.traverse import count_statements, expressions, walk, within
from automata.lang.tree import Storage, Variable
from automata.lang.types import ArrayOf, Code, Opaque, Pointer, Record, Type, Vector, Void, align_of, contains_pointer, size_of
from automata.passes import passing
from automata.place import Place, UnsupportedError
from automata.scalar import I32, I64, U8, Scalar


@passing("elaborate", lambda made: f"{count_statements(made.body)} statements")
def elaborate(program: tree.Program, cells: Mapping[str, Scalar] | None = None) -> Kernel:
    """The Core kernel of a program. UnsupportedError and InputError name what cannot be said in Core. `cells`: what arrays shall
    be made of, by the names of parameters, where their accesses allow it."""
    known = dict[str, Any]()
    try:
        while True:
            try:
                return _Elaborator(program, cells or {}, **known).run()
            except NeedsError as need:
                need.added_to(known)
    except RecursionError as error:
        raise UnsupportedError("statements or expressions nested too deeply", program.kernel.place) from error


class _Elaborator(CallElaborator):
    def __init__(self, program: tree.Program, cells: Mapping[str, Scalar], *, has_cells: bool = False,
                 has_loose: bool = False, units: Mapping[str, int] | None = None) -> None:
        self.program = program
        self.dialect = program.dialect
        self.builder = Builder()
        self.builder.has_cells, self.builder.has_loose, self.builder.cells = has_cells, has_loose, dict(cells)
        self.builder.units = dict(units or {})
        self.builder.indexed = indexed_pointers(program.kernel)
        self.bindings: dict[Variable, Address] = {}
        self.changing = mutated(program.kernel)
        self.active = [program.kernel]
        self.frames = [Frame(None, None)]
        self.breaks: list[str | None] = []
        self.continues: list[str | None] = []
        self.labels: dict[str, str] = {}
        self.left: set[str] = set()
        self.requires: list[core.Expr] = []
        self.params: list[Param] = []
        self.order: list[str] = []
        self.dynamic: Root | None = None
        self.assumptions: dict[str, None] = {}
        self.read_only: set[Place] = set()
        self.images = Images(self.builder)
        self.shared_numbers = SharedNumbers(self.builder)
        self.addresses = Addresses(self.builder)
        self.pointed_at: list[tree.Function] = []
        self.fields: list[tuple[tuple[str, str], ...]] = []
        self.target_of: dict[Variable, str] = {}
        self.targets = address_taken(program.kernel)
        self.sets_functions = sets_functions(program.kernel)
        self.builder.others_functions = not self.sets_functions

    def run(self) -> Kernel:
        kernel = self.program.kernel
        assert kernel.body is not None
        slots = [self.slot(variable) for variable in kernel.params]
        buffers = [self.target_of.get(variable, "") for variable in kernel.params]
        aligns = [align_of(variable.type.to) if isinstance(variable.type, Pointer) else 1 for variable in kernel.params]
        for variable in self.changing:
            if variable.name == CARRY:
                self.bind_local(variable, None, kernel.place)
        self.statements(kernel.body, tail=True)
        self.assumptions |= dict.fromkeys(self.images.assumptions())
        statements, counted = self.shared_numbers.finished(tuple(self.builder.out), kernel.place)
        self.assumptions |= dict.fromkeys([counted] if counted else [])
        requires = tuple(core.Claim("assume", test) for test in self.requires)
        resolved = resolve(self.builder, (*requires, *statements))
        whole = self.addresses.finished(resolved)
        required, resolved = len(whole) - len(resolved) + len(requires), whole
        self.params += self.addresses.params
        self.order += [param.name for param in self.addresses.params]
        self.assumptions |= dict.fromkeys(filter(None, [self.addresses.assumption()]))
        self.builder.check_tables(written(self.builder, resolved))
        self.assumptions |= dict.fromkeys(self.builder.assumed())
        body, arrays = lay_out(self.builder, resolved)
        demands = tuple(stmt.test for stmt in body if isinstance(stmt, core.Claim))[: required]
        first = next((at for at, stmt in enumerate(body) if isinstance(stmt, core.Claim)), 0) if required else 0
        body = (*body[:first], *body[first + required :])
        require_unwritten(body, self.read_only)
        names = {array.name for array in arrays}
        ordered = [name for name in self.order if name in names or any(param.name == name for param in self.params)]
        fields = [array.name for array in arrays if array.name not in ordered and array.of in self.order]
        in_order = tuple(dict.fromkeys([*ordered, *fields]))
        rank = {name: at for at, name in enumerate(in_order)}
        sorted_arrays = tuple(sorted(arrays, key=lambda array: rank.get(array.name, len(rank))))
        made = Kernel(kernel.name, self.program.dialect, in_order, tuple(self.params), sorted_arrays, body, demands,
                      tuple(self.assumptions), kernel.place, tuple(slots), tuple(buffers), tuple(aligns),
                      tuple(self.fields))
        return watched(made, "elaborated")

    # -- parameters -----------------------------------------------------------------------------

    def slot(self, variable: Variable) -> str:
        """A parameter; the scalar of Core that takes an argument as it is, if it is one."""
        count = len(self.params)
        self.parameter(variable)
        before = len(self.bindings[variable].root.name) + 1
        is_whole = isinstance(variable.type, Record | Vector)
        self.fields.append(tuple((each.name[before:], each.name) for each in self.params[count:]) if is_whole else ())
        return self.params[count].name if isinstance(variable.type, Scalar) and len(self.params) > count else ""

    def parameter(self, variable: Variable) -> None:
        is_pointer = isinstance(variable.type, Pointer) and not isinstance(variable.type.to, Code)
        name = f"{spelled(variable.name)}.pointer" if is_pointer else variable.name
        root = self.builder.root(name, variable.type, Space.PRIVATE, Origin.PARAM, variable.place)
        at = Address(root, (), variable.type)
        self.bindings[variable] = at
        if is_pointer:
            self.pointer_parameter(variable, at)
            return
        if variable not in self.changing:
            self.builder.stable.add(root)
        self.value_parameter(at, root.name, variable.type, variable.place)
        if variable in self.changing and isinstance(variable.type, Record):
            self.bind_local(variable, self.builder.load(at, variable.place), variable.place)

    def pointer_parameter(self, variable: Variable, at: Address) -> None:
        kind = variable.type
        assert isinstance(kind, Pointer)
        target = self.pointed(variable.name, kind, variable.place)
        self.target_of[variable] = target.name
        start = Address(target, (core.Const(0, I64),), kind.to)
        if variable not in self.changing:
            self.builder.fixed[(at.root, ())] = start
            return
        at.root.origin = Origin.LOCAL
        self.builder.store(at, start, variable.place)

    def pointed(self, name: str, kind: Pointer, place: Place) -> Root:
        """The array that a pointer parameter points to."""
        if isinstance(kind.to, Void):
            kind = Pointer(_BYTE, kind.space, kind.const, kind.volatile, kind.restrict)
        if isinstance(kind.to, Record) and not size_of(kind.to):
            raise UnsupportedError(f"parameter '{name}': a pointer to {kind.to}", place)
        root = self.builder.root(name, ArrayOf(kind.to, None), kind.space or Space.GLOBAL, Origin.PARAM, place)
        root.const, root.volatile, root.restrict = kind.const, kind.volatile, kind.restrict
        self.order.append(root.name)
        return root

    def value_parameter(self, at: Address, name: str, kind: Type, place: Place) -> None:
        """A parameter passed by value: a scalar, or the fields of a record one by one."""
        match kind:
            case Scalar() | Pointer(to=Code()):
                name = self.builder.names.of(at.root, name)
                self.params.append(Param(name, kind if isinstance(kind, Scalar) else I32, place))
                self.order.append(name)
            case Record(is_union=False, fields=fields):
                for item in fields:
                    self.value_parameter(at.member(item.name, item.type), f"{name}.{item.name}", item.type, place)
            case Vector():
                for part, inner in parts_of(kind, place):
                    self.value_parameter(at.member(str(part), inner), f"{name}.{part}", inner, place)
            case Pointer():
                target = self.pointed(name, kind, place)
                self.builder.fixed[(at.root, leaf_path(at))] = Address(target, (core.Const(0, I64),), kind.to)
            case Opaque():
                self.builder.fixed[(at.root, leaf_path(at))] = Handle(name, kind)
                self.order.append(name)
            case ArrayOf():
                self.array_parameter(at, name, kind, place)
            case Record(is_union=True) if not contains_pointer(kind):
                return  # read where it is, as an array in a record is
            case _:
                raise UnsupportedError(f"parameter '{name}' of type {kind}", place)

    def array_parameter(self, at: Address, name: str, kind: ArrayOf, place: Place) -> None:
        """An array inside a record passed by value: read where it is; pointers in it are parameters one by one, but for those of
        an array of many."""
        if not contains_pointer(kind) or kind in self.builder.indexed:
            return
        if kind.count is None:
            raise UnsupportedError(f"parameter '{name}' of type {kind}", place)
        if kind.count > MAX_POINTERS:
            self.builder.indexed.add(kind)
            return
        for number in range(kind.count):
            self.value_parameter(at.element(core.Const(number, I64), kind.element), f"{name}[{number}]", kind.element, place)

    # -- variables outside the kernel -------------------------------------------------------------

    def bind_global(self, variable: Variable, place: Place) -> Address:
        """A shared variable, a variable of the file, or a constant of it."""
        if variable.storage in (Storage.LOCAL, Storage.PARAM):
            raise UnsupportedError(f"'{variable.name}' is used before it is declared", place)
        if variable.name == CARRY:
            raise UnsupportedError("a carry that no instruction of the kernel sets", place)
        if variable.storage is Storage.DYNAMIC:
            return self.dynamic_shared(variable)
        shared = variable.storage is Storage.SHARED
        if not shared and isinstance(variable.type, Pointer) and (
                variable.value is not None or variable.initial is not None or isinstance(variable.type.to, Code)):
            raise UnsupportedError(f"'{variable.name}', a pointer at file level", place)
        root = self.builder.root(variable.name, variable.type, Space.SHARED if shared else Space.GLOBAL,
                                 Origin.SHARED if shared else Origin.FILE, variable.place)
        root.const = variable.storage is Storage.CONSTANT or variable.const
        root.volatile = variable.volatile
        root.content = constant_content(variable.value, variable.type) if root.const and variable.value is not None else None
        root.initial, root.external = first_content(variable), variable.external
        self.bindings[variable] = Address(root, (), variable.type)
        return self.bindings[variable]

    def dynamic_shared(self, variable: Variable) -> Address:
        """All `extern __shared__` arrays of a kernel are one piece of memory."""
        if self.dynamic is None:
            self.dynamic = self.builder.root(variable.name, variable.type, Space.SHARED, Origin.DYNAMIC, variable.place)
            self.dynamic.volatile = variable.volatile
        at = Address(self.dynamic, (), self.dynamic.type)
        self.bindings[variable] = replace(at.retyped(variable.type), type=variable.type)
        return self.bindings[variable]


def written(builder: Builder, body: tuple[core.Stmt, ...]) -> Iterator[tuple[Root, Shape]]:
    """What the statements store to: roots, and how they reach it."""
    for stmt in walk(body):
        match stmt:
            case core.Store(array=key) | core.Atomic(array=key) | core.AsyncCopy(target=key):
                access = builder.accesses[key]
                yield access.root, None if access.factors is not None else access.shape


def require_unwritten(body: tuple[core.Stmt, ...], places: set[Place]) -> None:
    """Refuse reads by `__ldg` of what the kernel writes: they may see it or not (CUDA C++ Programming Guide, read-only cache)."""
    written = stored_arrays(body) if places else set()
    for expr in (part for stmt in walk(body) for root in expressions(stmt) for part in within(root)) if written else ():
        if isinstance(expr, core.Load) and expr.place in places and expr.array in written:
            raise UnsupportedError("a read by __ldg of an array that the kernel writes, which may be seen or not", expr.place)


MAX_POINTERS = 64
CARRY = "__spmd_carry"
"""The variable of the stub for the carry of PTX, of which each thread has one of its own."""
_BYTE = U8
