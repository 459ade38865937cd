"""Calls of functions of the program: inlined where they stand, through pointers as guarded alternatives."""

from __future__ import annotations

from automata.lang import core, tree
from automata.lang.elaborate.scan import nodes
from automata.lang.elaborate.statements import Frame, StatementElaborator
from automata.lang.elaborate.storage import Address, Aggregate, Origin, Value, parts_of
from automata.lang.elaborate.values import as_scalar, is_lvalue
from automata.lang.fold import fold_constants
from automata.lang.types import ArrayOf, Code, Pointer, Record, Type, Vector, Void, contains_pointer
from automata.lang.typing import binary
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, Scalar

MAX_DEPTH = 200


class Inliner(StatementElaborator):
    """Inlines calls."""

    dialect: str
    active: list[tree.Function]
    requires: list[core.Expr]
    assumptions: dict[str, None]
    pointed_at: list[tree.Function]
    targets: list[tree.Function]
    sets_functions: bool

    def invoke(self, node: tree.Invoke) -> Value:
        function, place = node.function, node.place
        if function in self.active:
            raise UnsupportedError(f"recursion: '{function.name}' calls itself", place)
        if function.body is None:
            return self.outside(node)
        if len(self.active) > MAX_DEPTH:
            raise UnsupportedError("calls nested too deeply", place)
        self.bind_arguments(node)
        self.active.append(function)
        outer = self.breaks, self.continues, self.labels
        self.breaks, self.continues, self.labels = [], [], {}
        result = self.inlined(function, place)
        self.breaks, self.continues, self.labels = outer
        self.active.pop()
        return result

    def outside(self, node: tree.Invoke) -> Value:
        """A function that is defined elsewhere. Without a pointer it can only reach what is not this kernel's:
        its value is unknown. With one, or where the file has variables it could reach, it is refused."""
        function, place = node.function, node.place
        kinds = (function.result, *(param.type for param in function.params))
        by_name = any(param.reference for param in function.params) or any(map(contains_pointer, kinds))
        if not function.outside or by_name or self.file_variables():
            raise UnsupportedError(f"a call of the function '{function.name}', which has no body here and may reach memory",
                                   place)
        self.assumptions.setdefault(f"the function {function.name}, which has no body here, touches no memory of this kernel "
                                    "and waits at no barrier")
        for arg in node.args:
            self.effect(arg)
        return self.havoc(function.result, f"{function.name}()", place, effects=False)

    def file_variables(self) -> bool:
        """Whether the kernel uses variables of the file that others may write."""
        unwritten = self.builder.objectless
        return any(root.origin is Origin.FILE and not root.const and root not in unwritten for root in self.builder.roots)

    def havoc(self, kind: Type, what: str, place: Place, *, effects: bool = True) -> Value:
        """An unknown value of a type; `effects`: and unknown effects."""
        match kind:
            case Scalar():
                at = self.builder.local("unknown", kind, place)
                self.builder.emit(core.Havoc(at.root.name, what, place, effects))
                return self.builder.load(at, place)
            case Void():
                return core.Const(0, I32, place)
            case Record() | Vector() | ArrayOf():
                parts = [self.havoc(inner, what, place, effects=effects) for _, inner in parts_of(kind, place)]
                return Aggregate(tuple(parts), kind)
            case _:
                raise UnsupportedError(f"an unknown value of type {kind}", place)

    # -- pointers to functions ------------------------------------------------------------------

    def function_number(self, function: tree.Function, place: Place) -> Value:
        """A pointer to a function is its number among those whose address is taken, from 1: 0 is the null pointer."""
        if function not in self.pointed_at:
            self.pointed_at.append(function)
        return core.Const(self.pointed_at.index(function) + 1, I32, place)

    def invoke_through(self, node: tree.InvokeThrough) -> Value:
        """A call of whichever function of that type the pointer holds: one branch for each."""
        place = node.place
        assert isinstance(node.pointer.type, Pointer)
        number = fold_constants(as_scalar(self.builder.settled(self.value(node.pointer), place)), {})
        candidates = [function for function in self.targets if _code(function) == node.pointer.type.to]
        if isinstance(number, core.Const):
            named = [function for function in candidates if as_scalar(self.function_number(function, place)) == number]
            if named:
                return self.invoke(tree.Invoke(named[0], node.args, node.type, place))
            candidates = []
        if any(param.reference for function in candidates for param in function.params):
            raise UnsupportedError("a call through a pointer to one of several functions with references", place)
        args = [self.builder.settled(value, place) for value in self.operands(node.args)]
        result = None if isinstance(node.type, Void) else self.builder.local("called", node.type, place)
        with self.builder.into() as chain:
            self.no_function(isinstance(number, core.Const), place)
        for function in reversed(candidates):
            test = binary("==", number, as_scalar(self.function_number(function, place)), place)
            with self.builder.into() as inner:
                value = self.call_with(function, args, place)
                if result is not None:
                    self.builder.store(result, value, place)
            chain = [core.If(test, tuple(inner), tuple(chain), place)]
        for stmt in chain:
            self.builder.emit(stmt)
        return core.Const(0, I32, place) if result is None else self.builder.load(result, place)

    def no_function(self, is_known: bool, place: Place) -> None:
        """A call through a pointer that holds no function of its type: null, or one that this file does not set."""
        if is_known or self.sets_functions:
            self.builder.emit(core.Claim("assert", core.Const(0, BOOL, place), place))
        else:
            self.havoc(I32, "a call through a pointer to a function that this file does not set", place)

    def call_with(self, function: tree.Function, args: list[Value], place: Place) -> Value:
        """A call whose arguments are already values."""
        holders = []
        for param, value in zip(function.params, args, strict=True):
            holder = tree.Variable(param.name, param.type, tree.Storage.LOCAL)
            self.bind_local(holder, value, place)
            holders.append(tree.Name(holder, param.type, place))
        return self.invoke(tree.Invoke(function, tuple(holders), function.result, place))

    def bind_arguments(self, node: tree.Invoke) -> None:
        """Parameters come to life with the arguments' values, or as other names of the arguments' places."""
        pairs = list(zip(node.function.params, node.args, strict=True))
        bound = self.operands([arg for _, arg in pairs], [_by_place(param, arg) for param, arg in pairs], node.backwards)
        for (param, arg), value in zip(pairs, bound, strict=True):
            if _by_place(param, arg):
                assert isinstance(value, Address)
                self.bindings[param] = self.settled_address(value, node.place)
        for (param, arg), value in zip(pairs, bound, strict=True):
            if not _by_place(param, arg):
                self.bind_local(param, value, node.place)

    def told(self, place: Place) -> Place:
        """A place in the user's text: of what stands in a header of ours, where that was called from."""
        if place.model is None:
            return place
        return next((frame.called for frame in reversed(self.frames) if frame.called.line and frame.called.model is None), place)

    def inlined(self, function: tree.Function, place: Place) -> Value:
        """The body in a block that its returns leave; without early returns there is no block."""
        assert function.body is not None
        wants = not isinstance(function.result, Void)
        early = _jumps(function.body) or _returns(function.body) > (1 if _ends_in_return(function.body) else 0)
        result = None
        if wants and early:
            kind = Pointer(function.result) if function.returns_place else function.result
            result = self.builder.local(f"{function.name}.result", kind, place)
        frame = Frame(result, self.fresh_label(function.name), is_place=function.returns_place, called=place)
        self.frames.append(frame)
        if wants and not early and function.returns_place:
            found = self.returned_place(function)
            self.frames.pop()
            return found
        with self.builder.into() as inner:
            self.statements(function.body, tail=True)
        self.frames.pop()
        if frame.left and frame.label is not None:
            self.builder.emit(core.Block(frame.label, tuple(inner), place))
        else:
            for stmt in inner:
                self.builder.emit(stmt)
        if result is not None:
            value = self.builder.load(result, place)
            return self.builder.settled(value, place) if function.returns_place else value
        if frame.value is not None or not wants:
            return frame.value if frame.value is not None else core.Const(0, I32, place)
        return self.builder.load(self.builder.local(f"{function.name}.result", function.result, place), place)

    def returned_place(self, function: tree.Function) -> Address:
        assert function.body is not None
        *before, last = function.body
        self.statements(tuple(before))
        if isinstance(last, tree.Group):
            return self.returned_place(tree.Function(function.name, function.result, (), last.body))
        assert isinstance(last, tree.Return) and last.value is not None
        return self.settled_address(self.address(last.value), last.place)


def _code(function: tree.Function) -> Code:
    return Code(function.result, tuple(param.type for param in function.params))


def _by_place(param: tree.Variable, arg: tree.Expr) -> bool:
    return param.reference and is_lvalue(arg)


def _returns(body: tuple[tree.Stmt, ...]) -> int:
    return sum(isinstance(node, tree.Return) for node in nodes(body))


def _jumps(body: tuple[tree.Stmt, ...]) -> bool:
    """Whether a body has labels, so that its last statement may stand inside a block or loop."""
    return any(isinstance(node, tree.Label) for node in nodes(body))


def _ends_in_return(body: tuple[tree.Stmt, ...]) -> bool:
    if not body:
        return False
    last = body[-1]
    return isinstance(last, tree.Return) or (isinstance(last, tree.Group) and _ends_in_return(last.body))
