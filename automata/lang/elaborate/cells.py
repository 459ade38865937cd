"""Roots become Core arrays and locals: which bytes of an object are one array is decided by how it is used.

Input: statements whose accesses name keys, and what the keys mean. For each root, all its accesses are
looked at together:

- reached by paths of one shape each: every leaf of its type is an array of its own (`p.field`), its
  dimensions those on the path; a local's leaf without dimensions is a local scalar. (An array of records or
  vectors whose leaves are all of one type, such as float4, is cells of that type: so it is the same array
  whether a kernel calls it float4* or float*);
- else in *cells* of one size, the greatest that divides the size and the distance of every access: the root
  is one flat array of cells. An access of the cell's size is one element (its bits, if the types differ);
  a larger one is several, composed and taken apart by shifts.

So two accesses overlap in memory exactly when they touch one element of one array.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import gcd, prod

from automata.lang import core
from automata.lang.core import Array, Expr, Space, Stmt
from automata.lang.elaborate.bits import OF_BITS, is_same_number, parts_of, reinterpreted
from automata.lang.elaborate.builder import Access, Builder
from automata.lang.elaborate.contents import Cut, Steps, contents, is_uniform, lies, of_cells, of_leaf
from automata.lang.elaborate.layouts import UNSIGNED, Cells, Split, grain, layout_of
from automata.lang.elaborate.pointers import distance_of
from automata.lang.elaborate.storage import Linear, Origin, Root
from automata.lang.elaborate.tables import EXTENT
from automata.lang.traverse import children, expressions, rebuild, rebuild_statement, walk
from automata.lang.types import ArrayOf, Record, Type, Vector, size_of
from automata.lang.typing import binary, convert
from automata.place import Place
from automata.scalar import BOOL, I32, I64, U64, Scalar

MAX_EMPTIED = 64
"""Cells of an array that a loop declares anew are set to nothing one by one, up to so many."""


def lay_out(builder: Builder, body: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], tuple[Array, ...]]:
    """The statements over Core's arrays and locals, and the arrays."""
    return _Layouter(builder, body).run(body)


class _Layouter:
    def __init__(self, builder: Builder, body: tuple[Stmt, ...]) -> None:
        self.builder = builder
        self.used = list(dict.fromkeys(_keys(body)))
        self.by_root: dict[Root, list[Access]] = {}
        for key in self.used:
            access = builder.accesses[key]
            self.by_root.setdefault(access.root, []).append(access)
        updated = {builder.accesses[stmt.array] for stmt in walk(body) if isinstance(stmt, core.Atomic)}
        self.written = {builder.accesses[stmt.array].root for stmt in walk(body) if isinstance(stmt, core.Store | core.Atomic)}
        self.updated: dict[Root, set[Scalar]] = {}
        for access in updated:
            self.updated.setdefault(access.root, set()).add(access.type)
        self.layouts = {root: layout_of(root, accesses, updated, self.wanted(root)) for root, accesses in self.by_root.items()}
        self.level([stmt for stmt in walk(body) if isinstance(stmt, core.AsyncCopy)])
        self.results = {stmt.result for stmt in walk(body) if isinstance(stmt, core.Atomic | core.Collective)}
        self.results |= {stmt.name for stmt in walk(body) if isinstance(stmt, core.Havoc)}
        self.results |= {stmt.event for stmt in walk(body) if isinstance(stmt, core.AsyncCopy)}
        self.arrays: dict[str, Array] = {}
        self.own: dict[Root, list[Array]] = {}
        self.loops = 0
        self.locals: dict[Root, dict[str, Scalar]] = {}
        for key in self.used:
            self.place_leaf(builder.accesses[key])

    def wanted(self, root: Root) -> Scalar | None:
        """What the cells of a parameter shall be, if somebody has said so."""
        return self.builder.cells.get(root.name) if root.origin is Origin.PARAM and root.space is Space.GLOBAL else None

    def run(self, body: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], tuple[Array, ...]]:
        for root in self.builder.roots:
            if root.origin is Origin.PARAM and root not in self.by_root:
                self.unused(root, root.type, root.name)
        made = self.block(body)
        declared = {stmt.name for stmt in walk(made) if isinstance(stmt, core.Declare)}
        missing = [core.Declare(name, kind) for root in self.builder.roots if root.origin is Origin.LOCAL
                   for name, kind in self.locals.get(root, {}).items() if name not in declared]
        return (*missing, *made), tuple(self.arrays.values())

    def level(self, copies: list[core.AsyncCopy]) -> None:
        """Give roots between which copies go cells of one size: the smaller."""
        pairs = [[self.builder.accesses[key] for key in (stmt.target, stmt.source)] for stmt in copies]
        for pair in pairs * len(pairs):
            layouts = [self.layouts[access.root] for access in pair]
            sizes = [layout.type.bytes if isinstance(layout, Cells) else access.type.bytes
                     for access, layout in zip(pair, layouts, strict=True)]
            if min(sizes) != max(sizes):
                grains = (grain(access, one.root) for one in pair for access in self.by_root[one.root])
                unit = UNSIGNED[gcd(min(sizes), *grains)]
                self.layouts |= {access.root: Cells(unit) for access in pair}

    # -- arrays ---------------------------------------------------------------------------------

    def place_leaf(self, access: Access) -> None:
        """Make the array or local that an access reaches."""
        root, layout = access.root, self.layouts[access.root]
        if isinstance(layout, Cells):
            is_empty = isinstance(root.type, ArrayOf) and root.type.count == 0
            count = 0 if is_empty else size_of(root.type) // layout.type.bytes or None
            outer = (None, EXTENT) if root.origin is Origin.MEMORY else (count,)
            self.add(root, root.name, layout.type, outer, lambda content: of_cells(content, root.type, layout.type))
            return
        name, dims = self.leaf(access)
        if root.origin is Origin.LOCAL and not dims:
            self.locals.setdefault(root, {})[name] = access.type
        elif not (root.origin is Origin.PARAM and not dims and root.space is Space.PRIVATE):
            self.add(root, name, access.type, dims, lambda content: of_leaf(content, root.type, access.shape), access.shape)

    def leaf(self, access: Access) -> tuple[str, tuple[int | None, ...]]:
        """The name and dimensions of what a path's shape reaches: a name that no other root or leaf has."""
        text, dims = leaf(access.root, access)
        if access.root.origin is Origin.MEMORY:
            dims = (None, EXTENT, *dims[1:])
        return self.builder.names.of(access.root, text), dims

    def add(self, root: Root, name: str, element: Scalar, dims: tuple[int | None, ...], cut: Cut = lambda content: None,
            shape: Steps = ()) -> None:
        unit = size_of(root.type.element) if isinstance(root.type, ArrayOf) and dims == (None,) and name == root.name else 0
        by_value = root.origin is Origin.PARAM and root.space is Space.PRIVATE
        const = by_value or (root.const and (root not in self.written or root.origin is Origin.FILE))
        if name not in self.arrays:
            space, unit = Space.GLOBAL if by_value else root.space, unit if unit != element.bytes else 0
            self.arrays[name] = Array(name, element, space, dims, const, root.volatile, root.restrict, unit, *contents(root, cut),
                                      root.external, root.place, lies(root.type, shape), root.name if name != root.name else "")
            if root.origin is Origin.LOCAL and root.space is Space.PRIVATE:
                self.own.setdefault(root, []).append(self.arrays[name])

    def unused(self, root: Root, kind: Type, name: str) -> None:
        """A pointer parameter that the kernel does not touch is an array all the same."""
        if root.space is Space.PRIVATE:
            return
        dims: list[int | None] = []
        while isinstance(kind, ArrayOf):
            dims.append(kind.count)
            kind = kind.element
        if isinstance(kind, Scalar):
            self.add(root, name, kind, tuple(dims))

    # -- statements -----------------------------------------------------------------------------

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(item for stmt in body for item in self.statement(stmt))

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        self.builder.look_at_the_time(stmt.place)
        if isinstance(stmt, core.Declare):
            yield from self.declare(stmt)
            return
        self.loops += isinstance(stmt, core.Loop)
        made = rebuild_statement(stmt, self.expr, self.block)
        self.loops -= isinstance(stmt, core.Loop)
        match made:
            case core.Store():
                yield from self.store(made)
            case core.Atomic():
                yield from self.atomic(made)
            case core.AsyncCopy():
                yield self.copy(made)
            case _:
                yield made

    def declare(self, stmt: core.Declare) -> Iterator[Stmt]:
        root = next(root for root in self.builder.roots if root.name == stmt.name)
        leaves = self.locals.get(root, {})
        if not leaves and stmt.name in self.results and isinstance(root.type, Scalar):
            leaves = {stmt.name: root.type}
            self.locals[root] = leaves
        for name, kind in leaves.items():
            yield core.Declare(name, kind, stmt.place)
        if self.loops:
            for array in self.own.get(root, []):
                yield from self.emptied(array, stmt.place)

    def emptied(self, array: Array, place: Place) -> Iterator[Stmt]:
        """An array that each round of a loop declares anew: what the round before has left in it is gone."""
        cells = prod(extent or 0 for extent in array.dims)
        if not 0 < cells <= MAX_EMPTIED:
            return
        nothing = self.builder.fresh("nothing")
        yield core.Declare(nothing, array.element, place)
        for index in product(*(range(extent or 0) for extent in array.dims)):
            subscripts = tuple(core.Const(part, I32) for part in index)
            yield core.Store(array.name, subscripts, core.Var(nothing, array.element, place), place)

    def store(self, stmt: core.Store) -> Iterator[Stmt]:
        access = self.builder.accesses[stmt.array]
        layout = self.layouts[access.root]
        if isinstance(layout, Split):
            name, dims = self.leaf(access)
            is_local = not dims and access.root.space is Space.PRIVATE
            yield (core.Assign(name, stmt.value, stmt.place) if is_local
                   else replace(stmt, array=name, index=stmt.index))
            return
        unit, count = layout.type, access.type.bytes // layout.type.bytes
        family, index = self.cell(access, layout, stmt.index)
        if count == 1:
            yield replace(stmt, array=access.root.name, index=(*family, index), value=reinterpreted(stmt.value, unit))
            return
        whole = reinterpreted(stmt.value, UNSIGNED[access.type.bytes])
        apart = parts_of(whole, unit.bytes, count)
        if apart is None and _reads(whole):
            name = self.builder.fresh("whole")
            yield core.Declare(name, whole.type, stmt.place)
            yield core.Assign(name, whole, stmt.place)
            whole = core.Var(name, whole.type, stmt.place)
        held = []
        for step in (*family, index):
            if _reads(step):
                name = self.builder.fresh("first")
                yield core.Declare(name, step.type, stmt.place)
                yield core.Assign(name, step, stmt.place)
                step = core.Var(name, step.type, stmt.place)
            held.append(step)
        *outer, index = held
        family = tuple(outer)
        if apart is not None:
            yield from self.store_apart(stmt, access.root.name, (family, index), unit, apart)
            return
        for part in range(count):
            shifted = binary(">>", whole, core.Const(part * unit.bits, I32), stmt.place)
            is_number = unit.is_int and unit != BOOL
            cell = convert(shifted, unit) if is_number else reinterpreted(convert(shifted, UNSIGNED[unit.bytes]), unit)
            yield replace(stmt, array=access.root.name, index=(*family, _next(index, part)), value=cell)

    def store_apart(self, stmt: core.Store, array: str, at: tuple[tuple[Expr, ...], Expr], unit: Scalar,
                    apart: list[Expr]) -> Iterator[Stmt]:
        """Store the cells of a value that is made of as many: all are read before any is stored."""
        cells = []
        for bits in apart:
            value = reinterpreted(bits, unit)
            if _reads(value):
                name = self.builder.fresh("part")
                yield core.Declare(name, unit, stmt.place)
                yield core.Assign(name, value, stmt.place)
                value = core.Var(name, unit, stmt.place)
            cells.append(value)
        family, index = at
        for number, cell in enumerate(cells):
            yield replace(stmt, array=array, index=(*family, _next(index, number)), value=cell)

    def atomic(self, stmt: core.Atomic) -> Iterator[Stmt]:
        access = self.builder.accesses[stmt.array]
        layout = self.layouts[access.root]
        if isinstance(layout, Split):
            yield replace(stmt, array=self.leaf(access)[0])
            return
        if layout.type != access.type and stmt.op in OF_BITS and is_same_number(layout.type, access.type):
            yield from self.of_bits(stmt, access, layout.type)
            return
        if layout.type != access.type and (len(self.updated[access.root]) > 1 or layout.type.bytes >= access.type.bytes):
            what = f"an atomic on {access.type} in memory that is also reached as another type"
            yield core.Havoc(stmt.result or "", what, stmt.place)
            return
        family, index = self.cell(access, layout, stmt.index)
        yield replace(stmt, array=access.root.name, index=(*family, index))

    def of_bits(self, stmt: core.Atomic, access: Access, unit: Scalar) -> Iterator[Stmt]:
        """An update of integers that does the same to the cells of another type of integers of their size."""
        family, index = self.cell(access, Cells(unit), stmt.index)
        args = tuple(reinterpreted(arg, unit) for arg in stmt.args)
        if stmt.result not in {root.name for root in self.by_root}:
            yield replace(stmt, result=None, array=access.root.name, index=(*family, index), args=args)
            return
        assert stmt.result is not None
        old = self.builder.fresh("old")
        yield core.Declare(old, unit, stmt.place)
        yield replace(stmt, result=old, array=access.root.name, index=(*family, index), args=args)
        yield core.Assign(stmt.result, reinterpreted(core.Var(old, unit, stmt.place), access.type), stmt.place)

    def copy(self, stmt: core.AsyncCopy) -> Stmt:
        target, target_index, scale = self.whole(stmt.target, stmt.target_index)
        source, source_index, other = self.whole(stmt.source, stmt.source_index)
        if scale != other or (scale != 1 and stmt.stride is not None):
            return core.Havoc(stmt.event, "an asynchronous copy between arrays that are also reached as other types", stmt.place)
        count = stmt.count if scale == 1 else core.Binary(
            "*", convert(stmt.count, U64), core.Const(scale, U64), U64, stmt.place)
        return replace(stmt, target=target, target_index=target_index, source=source, source_index=source_index, count=count)

    def whole(self, key: str, index: Expr) -> tuple[str, Expr, int]:
        """The array, its index, and how many of its elements an element of the copy is."""
        access = self.builder.accesses[key]
        layout = self.layouts[access.root]
        if isinstance(layout, Split):
            return self.leaf(access)[0], index, 1
        return access.root.name, self.cell(access, layout, (index,))[1], access.type.bytes // layout.type.bytes

    # -- expressions ----------------------------------------------------------------------------

    def expr(self, expr: Expr) -> Expr:
        made = rebuild(expr, self.expr)
        if not isinstance(made, core.Load):
            return made
        access = self.builder.accesses[made.array]
        layout = self.layouts[access.root]
        if isinstance(layout, Split):
            name, dims = self.leaf(access)
            if not dims and access.root.space is Space.PRIVATE:
                return core.Var(name, access.type, made.place)
            content = self.arrays[name].content
            if content and is_uniform(content):
                return core.Const(content[0], access.type, made.place)
            return replace(made, array=name)
        return self.load_cells(made, access, layout)

    def load_cells(self, load: core.Load, access: Access, layout: Cells) -> Expr:
        unit, count = layout.type, access.type.bytes // layout.type.bytes
        family, index = self.cell(access, layout, load.index)
        if count == 1:
            return reinterpreted(core.Load(access.root.name, (*family, index), unit, load.place), access.type)
        wide = UNSIGNED[access.type.bytes]
        total: Expr | None = None
        for part in range(count):
            element = core.Load(access.root.name, (*family, _next(index, part)), unit, load.place)
            bits = reinterpreted(element, UNSIGNED[unit.bytes])
            cell = convert(bits, wide)
            shifted = cell if part == 0 else core.Binary("<<", cell, core.Const(part * unit.bits, I32), wide, load.place)
            total = shifted if total is None else core.Binary("|", total, shifted, wide, load.place)
        assert total is not None
        return reinterpreted(total, access.type)

    def cell(self, access: Access, layout: Cells, index: tuple[Expr, ...]) -> tuple[tuple[Expr, ...], Expr]:
        """The flat index, and before it the cell of the pointer that leads there, where one in memory does."""
        outer = int(access.root.origin is Origin.MEMORY)
        return index[:outer], _flat_index(distance_of(access, index[outer:]), layout.type.bytes)


def _reads(expr: Expr) -> bool:
    return isinstance(expr, core.Load) or any(_reads(part) for part in children(expr))


def _keys(body: tuple[Stmt, ...]) -> Iterator[str]:
    """The keys that statements use, in order."""
    def inside(expr: Expr) -> Iterator[str]:
        todo = [expr]
        while todo:
            part = todo.pop()
            if isinstance(part, core.Load):
                yield part.array
            todo.extend(children(part))

    for stmt in walk(body):
        for expr in expressions(stmt):
            yield from inside(expr)
        match stmt:
            case core.Store(array=array) | core.Atomic(array=array):
                yield array
            case core.AsyncCopy(target=target, source=source):
                yield target
                yield source
            case _:
                continue


def leaf(root: Root, access: Access) -> tuple[str, tuple[int | None, ...]]:
    """The path as a text, and the dimensions of the array that a path's shape reaches."""
    name, dims, kind = root.name, [], root.type
    for step in access.shape:
        if step is None:
            assert isinstance(kind, ArrayOf)
            dims.append(kind.count)
            kind = kind.element
        else:
            name = f"{name}.{step}"
            if isinstance(kind, Vector):
                kind = kind.element
            else:
                assert isinstance(kind, Record)
                found = kind.field(step)
                assert found is not None
                kind = found.type
    return name, tuple(dims)


def _flat_index(distance: Linear, unit: int) -> Expr:
    merged: dict[Expr, int] = {}
    for expr, factor in distance.terms:
        merged[expr] = merged.get(expr, 0) + factor
    kept = Linear(tuple((expr, factor) for expr, factor in merged.items() if factor), distance.constant)
    return kept.over(unit)


def _next(index: Expr, by: int) -> Expr:
    if by == 0:
        return index
    return core.Binary("+", convert(index, I64), core.Const(by, I64), I64, index.place)
