"""Fields of structures that a launch itself names: `k<<<p.n / p.block, p.block>>>(x, p->n)`.

Nothing changes a field while the arguments of a launch are computed, so it is one value wherever the launch names it. Its class
is one that the text defines, without bases or templates, once; so the field is what it seems, and of the type that stands there.
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.host.declarations import Variable
from automata.lang.host.numbers import Unknown
from automata.lang.host.steady import ELSEWHERE
from automata.lang.host.symbolic import Scalar
from automata.lang.host.syntax import Node
from automata.lang.host.types import Type
from automata.lang.host.variables import Variables


@dataclass(frozen=True, slots=True)
class _Path:
    """A variable, the fields behind it, and the type of what they lead to."""

    base: Variable
    fields: tuple[str, ...]
    type: Type


class Members(Variables):
    """Reads fields. `named_fields`: what stands for each, by its variable and path."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.named_fields: dict[tuple[int, tuple[str, ...]], Variable] = {}

    def field_now(self, node: Node) -> Scalar:
        """The value of a field that the launch names."""
        frame = self.launching
        is_there = self.is_pure and frame is not None and frame is self.frame and self.anchor == frame.begin
        if frame is None or not is_there or not frame.begin <= node.at <= frame.goal:
            raise Unknown
        found = self._path(node)
        if not found.type.is_number or found.type.number is None:
            raise Unknown
        key = id(found.base), found.fields
        if key not in self.named_fields:
            name = "_".join((found.base.name, *found.fields))
            self.named_fields[key] = Variable(name, found.base.at, found.type, is_local=found.base.is_local)
        return self._symbol(self.named_fields[key], found.type.number, frame, "")

    def _path(self, node: Node) -> _Path:
        if node.kind == "name" and node.ranges is None:
            variable = self.program.means.get(node.at)
            is_plain = variable is not None and not variable.is_array and not variable.type.words & ELSEWHERE
            if variable is None or not is_plain or not self.steady.is_readable(variable.name, node.at):
                raise Unknown
            return _Path(variable, (), variable.type)
        field = node.parts[0] if node.kind == "arrow" else node
        if field.kind != "member" or field.ranges:
            raise Unknown
        owner = self._path(field.parts[0])
        opening = self.program.class_bodies.get(owner.type.name)
        if opening is None or owner.type.pointers != (node.kind == "arrow") or self.program.declared[owner.type.name] != 1:
            raise Unknown
        fields = [each for each in self.program.members.get(node.text, []) if each.start == opening]
        if len(fields) != 1 or fields[0].is_array or fields[0].type.words & (ELSEWHERE | {"static"}):
            raise Unknown
        return _Path(owner.base, (*owner.fields, node.text), fields[0].type)
