"""Fields of structures that a launch itself names: `k<<<p.n / p.block, p.block>>>(x, p->n)`; and what sizes are computed of that
is no variable: `dim3 grid(p.n / 64)`, `dim3 grid(blocks_of(n))`, `dim3 grid(counts[i])`.

Nothing changes a field while the arguments of a launch are computed, so it is one value wherever the launch names it. Its class
is one that the text defines, without bases or templates, once; so the field is what it seems, and of the type that stands there.
What a size is computed of was read once, when it was computed: each place in the text stands for a value of its own, of which
nothing is known but its type.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from automata.lang.host.declarations import Variable
from automata.lang.host.looking import FAILURES, first_token
from automata.lang.host.numbers import INT, SIZE, Number, Unknown, kind_named
from automata.lang.host.steady import ELSEWHERE
from automata.lang.host.symbolic import Scalar, Value
from automata.lang.host.syntax import Node
from automata.lang.host.types import Type
from automata.lang.host.variables import Variables

_DEVICES = frozenset({"cudaDeviceProp", "hipDeviceProp_t"})
_OF_DEVICE = frozenset({"maxThreadsPerBlock", "multiProcessorCount", "maxThreadsPerMultiProcessor", "regsPerBlock", "major",
                        "minor"})
"""Fields of type `int`."""


@dataclass(frozen=True, slots=True)
class _Path:
    """A variable, the fields behind it, and the type of what they lead to. `is_element`: a subscript is among them."""

    base: Variable
    fields: tuple[str, ...]
    type: Type
    is_element: bool = False


class Members(Variables):
    """Reads fields. `named_fields`: what stands for each, by its variable and path; `read_at`: what stands for a value that is
    read once, by its place."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.named_fields: dict[tuple[int, tuple[str, ...]], Variable] = {}
        self.read_at: dict[int, Variable] = {}

    def once(self, node: Node) -> Scalar:
        """The value of a field, an element or a call where a size is computed of it."""
        home, launching = self.home(node.at), self.launching
        is_there = home is not None and home is launching and home.begin <= node.at <= home.goal
        if home is None or home.is_inner or not self.sizing or not (self.defines or is_there):
            raise Unknown
        if node.at not in self.read_at:
            self.read_at[node.at] = self._read(node)
        variable, at = self.read_at[node.at], first_token(node)
        assert variable.type.number is not None
        begin = self.begin + 2 * (self.begin in self.program.declares and self.program.tokens.text[self.begin + 1] == "(")
        is_field = variable in self.named_fields.values() and begin <= at < self._end_of_pure(begin)
        return self._symbol(variable, variable.type.number, home, f"@{begin if is_field else at}#{self.round}")

    def _read(self, node: Node) -> Variable:
        """What stands for a value that is read: of the type of numbers that it certainly is of."""
        name, kind = self._called_number(node) if node.kind == "call" else ("", SIZE)
        if name:
            return Variable(name, node.at, Type("number", kind, kind_named(kind)))
        found = self._path(node)
        if not found.type.is_number or found.type.number is None:
            raise Unknown
        return self._named_field(found) if not found.is_element else Variable(
            "_".join((found.base.name, *found.fields)), node.at, found.type.bare())

    def _called_number(self, node: Node) -> tuple[str, Number]:
        """A name for what a call gives, and its type."""
        callee = node.parts[0]
        owner = self.program.means.get(callee.parts[0].at) if callee.kind == "member" else None
        is_count = owner is not None and callee.text == "size" and len(node.parts) == 1 and callee.parts[0].kind == "name"
        if is_count and owner is not None and owner.type.kind == "copies" and not owner.type.pointers and not owner.is_array:
            return f"{owner.name}_size", SIZE
        region = self.kinds.called(node, self.callers)
        gives = region.gives if region is not None else None
        if region is None or gives is None or gives.number is None or not gives.is_number:
            raise Unknown
        return region.name, gives.number

    def field(self, variable: Variable, at: int) -> Value:
        """What the field of a structure is worth that is a variable, at a token."""
        frame = self.home(at)
        if frame is None:
            raise Unknown
        return self._number(variable, at, frame)

    def parts_of(self, at: int) -> dict[str, Value]:
        """The fields of the plain structure that a token names, as far as they are known."""
        variable, found = self.program.means.get(at), dict[str, Value]()
        for name, each in variable.fields.items() if variable is not None and variable.record else ():
            with suppress(*FAILURES):
                if self.steady.is_followed(each, at):
                    found[name] = self.field(each, at)
        return found

    def field_now(self, node: Node) -> Scalar:
        """The value of a field that the launch names."""
        frame = self.launching
        is_there = self.is_pure and frame is not None and frame is self.frame and self.anchor == frame.begin
        if frame is None or not is_there or not frame.begin <= node.at <= frame.goal:
            raise Unknown
        found = self._path(node)
        if not found.type.is_number or found.type.number is None or found.is_element:
            raise Unknown
        return self._symbol(self._named_field(found), found.type.number, frame, "")

    def _named_field(self, found: _Path) -> Variable:
        """What stands for a field, wherever it is named."""
        key = id(found.base), found.fields
        if key not in self.named_fields:
            name = "_".join((found.base.name, *found.fields))
            self.named_fields[key] = Variable(name, found.base.at, found.type, is_local=found.base.is_local)
        return self.named_fields[key]

    def _path(self, node: Node) -> _Path:
        if node.kind == "name" and node.ranges is None:
            variable = self.program.means.get(node.at)
            is_plain = variable is not None and not variable.is_array and not variable.type.words & ELSEWHERE
            if variable is None or not is_plain or not self.steady.is_readable(variable.name, node.at):
                raise Unknown
            return _Path(variable, (), variable.type)
        if node.kind == "index":
            return self._element_path(node)
        field = node.parts[0] if node.kind == "arrow" else node
        if field.kind != "member" or field.ranges:
            raise Unknown
        owner = self._path(field.parts[0])
        if self._is_device_field(owner.type, node):
            return _Path(owner.base, (*owner.fields, node.text), Type("number", INT, "int"), owner.is_element)
        opening = self.program.class_bodies.get(owner.type.name)
        if opening is None or owner.type.pointers != (node.kind == "arrow") or not self._is_one_class(owner.type.name, opening):
            raise Unknown
        fields = [each for each in self.program.members.get(node.text, []) if each.start == opening]
        if len(fields) != 1 or fields[0].is_array or fields[0].type.words & (ELSEWHERE | {"static"}):
            raise Unknown
        return _Path(owner.base, (*owner.fields, node.text), fields[0].type, owner.is_element)

    def _is_device_field(self, owner: Type, node: Node) -> bool:
        """Whether a field is one of the numbers that CUDA tells of a device."""
        is_there = owner.name in _DEVICES and not self.program.declared[owner.name] and node.text in _OF_DEVICE
        return is_there and owner.pointers == (node.kind == "arrow")

    def _element_path(self, node: Node) -> _Path:
        """An element of an array, or behind a pointer, that a variable is."""
        base = self.program.means.get(node.parts[0].at) if node.parts[0].kind == "name" else None
        if base is None or base.type.pointers + base.is_array != 1 or base.type.reference or base.type.words & ELSEWHERE:
            raise Unknown
        tokens = self.program.tokens
        close = tokens.match[base.at + 1] if base.is_array and tokens.text[base.at + 1] == "[" else base.at
        is_row = base.is_array and not base.is_parameter and tokens.text[close + 1] == "["
        if is_row or not self.steady.is_readable(base.name, node.parts[0].at):
            raise Unknown
        return _Path(base, (), base.type.bare(), True)

    def _is_one_class(self, name: str, opening: int) -> bool:
        """Whether a name is declared as a class once, and else as its constructors and destructor alone."""
        text, end = self.program.tokens.text, self.program.tokens.match[opening]
        own = [at for at in self.program.positions.get(name, []) if at in self.program.named and (
            opening < at < end or text[at - 2 : at] == [name, "::"])]
        return self.program.declared[name] == 1 + len(own)
