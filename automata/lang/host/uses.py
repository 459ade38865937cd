"""What an expression does with the variables it names.

A plain read is one of a form that is known to copy the value: an operand, a subscript, a condition, the initialiser of a number,
an argument that a function takes by value. An assignment or `++` changes the variable it names. In every other place the variable
*escapes*: a reference to it may have been kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import automata.lang.host.library as library
from automata.lang.host.declarations import Variable
from automata.lang.host.forwarded import handed_on
from automata.lang.host.functions import Head, Region
from automata.lang.host.numbers import UNSIGNED
from automata.lang.host.opencl import OPENCL_NAME
from automata.lang.host.paths import constant_named
from automata.lang.host.program import Call, Program
from automata.lang.host.records import copies_record, is_referred_to
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tensors import is_tensor
from automata.lang.host.told import Telling, addressed, only_read
from automata.lang.host.types import type_of_range

_LOGIC = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_FIELDS = frozenset({"x", "y", "z"})


@dataclass(slots=True)
class Block:
    """An open block: its number, and the variables that it declares."""

    number: int
    names: dict[str, Variable] = field(default_factory=dict)


class Uses(Telling):
    """The uses of names in one function, or outside of all (`region` None)."""

    def __init__(self, program: Program, region: Region | None) -> None:
        super().__init__(program)
        self.region = region
        self.blocks: list[Block] = []
        self._visits: dict[str, Callable[[Node, bool], None]] = {
            "name": self._name, "path": self._path, "member": self._member, "arrow": self._arrow, "index": self._index,
            "call": self._call, "launch": self._launch, "unary": self._unary, "postfix": self._changed, "binary": self._binary,
            "assign": self._assign, "cond": self._cond, "comma": self._comma, "cast": self._made, "construct": self._made,
            "braces": self._braces, "new": self._new, "lambda": self._lambda, "sizeof": self._sizeof}

    # What names mean

    def resolve(self, name: str, at: int) -> Variable | None:
        """The variable that a name means at a token; None where it is none that is known of."""
        for block in reversed(self.blocks):
            if name in block.names:
                return block.names[name]
        return self.program.outside(name, at, self.region)

    def bar(self, names: set[str]) -> None:
        """Nothing is known of these names here."""
        if self.region is None:
            self.program.barred |= names
        else:
            self.region.barred |= names

    def is_number(self, node: Node) -> bool:
        """Whether the value is certainly a number."""
        match node.kind:
            case "number" | "sizeof":
                return True
            case "constant":
                return node.text in ("true", "false")
            case "name" | "path":
                variable = self.resolve(node.text, node.at) if node.kind == "name" else constant_named(self.program, node)
                return variable is not None and variable.is_number and not self.is_barred(variable.name)
            case "binary":
                return all(map(self.is_number, node.parts))
            case "cond":
                return all(map(self.is_number, node.parts[1:]))
            case "unary":
                return node.text in ("+", "-", "!", "~", "++", "--") and self.is_number(node.parts[0])
            case "cast" | "construct":
                return node.type is not None and node.type.is_number
            case "member":
                return (node.text in _FIELDS and self.is_sizes(node.parts[0])) or (
                    self.field(node) is not None and not self.is_barred(node.parts[0].text))
            case "call" | "index":
                return self._gives_number(node) if node.kind == "call" else self._is_element(node.parts[0])
        return False

    def _is_element(self, base: Node) -> bool:
        """Whether an expression is an array of numbers: what stands at a subscript of it is one."""
        variable = self.resolve(base.text, base.at) if base.kind == "name" and base.ranges is None else None
        if variable is None or not variable.is_array or not variable.type.is_number or self.is_barred(variable.name):
            return False
        tokens = self.program.tokens
        close = tokens.match[variable.at + 1] if tokens.text[variable.at + 1] == "[" else -1
        return close > 0 and tokens.text[close + 1] != "["

    def is_sizes(self, node: Node) -> bool:
        """Whether the value is certainly a `dim3`."""
        if node.kind == "name":
            variable = self.resolve(node.text, node.at)
            return variable is not None and variable.sizes and not self.is_barred(variable.name)
        return node.kind == "construct" and node.type is not None and node.type.is_dim3

    def is_barred(self, name: str) -> bool:
        return self.region is not None and name in self.region.barred

    def _gives_number(self, node: Node) -> bool:
        callee = node.parts[0]
        name = self.library_name(callee)
        if name:
            return name in library.NUMERIC or (name in library.OF_NUMBERS and all(map(self.is_number, node.parts[1:])))
        heads = self._heads(callee)
        return bool(heads) and all(head.gives_number for head in heads)

    # What is done with them

    def visit(self, node: Node, escapes: bool = False) -> None:
        """Note every use in an expression. `escapes`: who takes its value may keep a reference to what it names."""
        visit = self._visits.get(node.kind)
        if visit is not None:
            visit(node, escapes)
            return
        for part in node.parts:
            self.visit(part)

    def _all(self, nodes: tuple[Node, ...], escapes: bool) -> None:
        for node in nodes:
            self.visit(node, escapes)

    def _name(self, node: Node, escapes: bool) -> None:
        self._angles(node)
        variable = self.resolve(node.text, node.at)
        if variable is None:
            self._undeclared(node.text)
            return
        self.program.means[node.at] = variable
        variable.escapes = variable.escapes or escapes

    def _undeclared(self, name: str) -> None:
        """Where headers are missing that may define any macro, an undeclared name may be one that does anything."""
        if self.region is not None and self.program.has_unseen and name not in library.NAMES and not (
                self.program.declared[name] or name.startswith(OPENCL_NAME)):
            self.region.is_clouded = True

    def _angles(self, node: Node) -> None:
        """The template arguments of a name, and those of what stands before it with `::`."""
        tokens, at = self.program.tokens, node.at - 1
        outer: list[tuple[int, int]] = []
        while node.kind == "path" and tokens.text[at] == "::":
            opening = tokens.angle_begin(at - 1) if tokens.text[at - 1] == ">" else -1
            outer += tokens.split(opening + 1, at - 1) if opening > 0 else []
            at = opening - 2 if opening > 0 else at - 2
        self._arguments([*outer, *(node.ranges or ())])

    def _arguments(self, ranges: list[tuple[int, int]]) -> None:
        """Template arguments: expressions are visited, also those in a type; a name alone may be either."""
        tokens = self.program.tokens
        for begin, end in ranges:
            if type_of_range(tokens, begin, end, self.program.types) is None:
                try:
                    self.visit(ExpressionReader(tokens, begin, end, self.program.types).whole())
                except NotUnderstood:
                    self.bar(tokens.names(begin, end))
            elif end == begin + 1 and (variable := self.resolve(tokens.text[begin], begin)) is not None:
                self.program.means[begin] = variable
                variable.escapes = True
            elif (opening := next((at for at in range(begin, end) if tokens.text[at] == "<"), end)) < end:
                close = tokens.angle_end(opening)
                self._arguments(tokens.split(opening + 1, close) if close > 0 and tokens.text[close] == ">" else [])

    def _path(self, node: Node, escapes: bool) -> None:
        self._angles(node)

    def _member(self, node: Node, escapes: bool) -> None:
        """A field. Who holds the address of one reaches no other, but for that of the first, which is that of the structure."""
        self._angles(node)
        owner = self.record(node)
        self.visit(node.parts[0], escapes and (owner is None or node.text == owner.record[0]))
        if (found := self.field(node)) is not None:
            self.program.means[node.at] = found
            found.escapes = found.escapes or escapes

    def _arrow(self, node: Node, escapes: bool) -> None:
        self.visit(node.parts[0])

    def _index(self, node: Node, escapes: bool) -> None:
        base, inner = node.parts
        self.visit(base)
        variable = self.resolve(base.text, base.at) if base.kind == "name" else None
        plain = variable is not None and (variable.is_array or variable.type.pointers or variable.type.kind == "copies")
        self.visit(inner, not plain and not self.program.trusts_operators)
        if escapes and variable is not None:
            variable.escapes = True

    def _sizeof(self, node: Node, escapes: bool) -> None:
        """`sizeof` reads nothing; a name in brackets may have been taken for a type."""
        self._all(node.parts, False)
        text = self.program.tokens.text
        if text[node.at + 1] == "(" and text[node.at + 3] == ")" and (
                variable := self.resolve(text[node.at + 2], node.at + 2)) is not None:
            self.program.means[node.at + 2] = variable

    def _unary(self, node: Node, escapes: bool) -> None:
        if node.text in ("++", "--"):
            self._changed(node, escapes)
        else:
            self.visit(node.parts[0], node.text == "&" or self.is_handed(node.parts[0]))

    def _changed(self, node: Node, escapes: bool) -> None:
        self.change(node.parts[0], node.at, None, changed(node))
        if escapes:
            self.visit(node.parts[0], True)

    def _binary(self, node: Node, escapes: bool) -> None:
        left, right = node.parts
        numbers = self.is_number(left), self.is_number(right)
        trusted = self.program.trusts_operators
        self.visit(left, not (trusted or numbers[1]) or self.is_handed(left))
        is_told = node.text == "<<" and numbers[1] and self._is_stream(left)
        self.visit(right, not ((trusted and node.text != ">>") or numbers[0] or is_told) or self.is_handed(right))

    def _is_stream(self, node: Node) -> bool:
        """Whether an expression is one of the library's streams, or what that gives back behind `<<`: where the text has no
        operator of its own for it, a number is copied."""
        while node.kind == "binary" and node.text == "<<":
            node = node.parts[0]
        name = node.text.removeprefix("std::")
        is_one = node.kind in ("name", "path") and name in library.STREAMS and not self.program.declared[name]
        return is_one and self.program.streams_copy and self.resolve(name, node.at) is None

    def _assign(self, node: Node, escapes: bool) -> None:
        left, right = node.parts
        plain = self.program.trusts_operators or self._is_plain_target(left)
        self.visit(right, not plain)
        self.change(left, node.at, None, changed(node))
        if escapes:
            self.visit(left, True)

    def _is_plain_target(self, node: Node) -> bool:
        variable = self.resolve(node.text, node.at) if node.kind == "name" else None
        return self.is_number(node) or (variable is not None and variable.type.pointers > 0)

    def change(self, node: Node, at: int, value: Node | None, made: Node | None = None) -> None:
        """Note that what an expression names is assigned to: a `value` in a statement of its own, what is `made` in another."""
        match node.kind:
            case "name":
                self.visit(node)
                variable = self.program.means.get(node.at)
                if variable is not None:
                    variable.set(at, value, self._is_direct(variable), made)
            case "member":
                self._change_field(node, at, value, made)
            case "cond":
                self.visit(node.parts[0])
                self.change(node.parts[1], at, None)
                self.change(node.parts[2], at, None)
            case "call" if node.parts[0].kind in ("name", "path"):
                self.visit(node)
                self.bar({part.text for part in node.parts[1:] if part.kind == "name"})
            case "index":
                self._change_element(node, at, value)
            case "arrow" | "call" | "path" | "unary" if node.kind != "unary" or node.text == "*":
                self.visit(node)
            case _:
                self.visit(node, True)

    def _change_field(self, node: Node, at: int, value: Node | None, made: Node | None) -> None:
        owner = node.parts[0]
        if (record := self.record(node)) is not None:
            self.visit(node)
            if (found := record.fields.get(node.text)) is not None:
                found.set(at, value, self._is_direct(record), made)
            return
        self.visit(owner)
        variable = self.program.means.get(owner.at) if owner.kind == "name" else None
        if variable is None:
            self.visit(owner, True)
        elif not variable.sizes or node.text not in _FIELDS:
            variable.escapes = True
        else:
            variable.field(node.text, UNSIGNED).set(at, value, self._is_direct(variable))

    def _change_element(self, node: Node, at: int, value: Node | None) -> None:
        base, index = node.parts
        variable = self.resolve(base.text, base.at) if base.kind == "name" and base.ranges is None else None
        is_plain = index.kind == "number" and index.text.isdigit() and index.text == str(int(index.text))
        is_cell = variable is not None and variable.is_array and variable.type.is_number and variable.type.number is not None
        self.visit(node, not is_cell)
        if variable is not None and is_cell:
            variable.stored[base.at] = value
        if variable is not None and is_plain and is_cell:
            variable.cell(int(index.text)).set(at, value, self._is_direct(variable))

    def _is_direct(self, variable: Variable) -> bool:
        """Whether a statement stands in the block that declares a variable."""
        return bool(self.blocks) and self.blocks[-1].number == variable.block

    def _cond(self, node: Node, escapes: bool) -> None:
        self.visit(node.parts[0])
        self._all(node.parts[1:], escapes)

    def _comma(self, node: Node, escapes: bool) -> None:
        left, right = node.parts
        self.visit(left, not self.program.trusts_operators)
        self.visit(right, escapes or not self.program.trusts_operators)

    def _made(self, node: Node, escapes: bool) -> None:
        """A cast, `T(…)`, `T{…}`."""
        copies = node.type is not None and (node.type.copies or node.type.kind == "void")
        self._all(node.parts, not copies)

    def _braces(self, node: Node, escapes: bool) -> None:
        self._all(node.parts, escapes)

    def _new(self, node: Node, escapes: bool) -> None:
        (placed, sizes), = node.ranges or ((0, 0),)
        self._all(node.parts[:placed], True)
        self._all(node.parts[placed:sizes], False)
        copies = node.type is not None and node.type.copies and node.type.kind in ("number", "dim3", "copies")
        self._all(node.parts[sizes:], not copies)

    def _launch(self, node: Node, escapes: bool) -> None:
        self.visit(node.parts[0])
        self._all(node.parts[1:], is_referred_to(self.program, node.parts[0].text.rpartition("::")[2]))

    def _lambda(self, node: Node, escapes: bool) -> None:
        """A lambda outside of a function is not followed."""
        raise NotUnderstood

    # Calls

    def _call(self, node: Node, escapes: bool) -> None:
        callee = node.parts[0]
        if callee.kind in ("member", "arrow"):
            self._method(node, callee)
            return
        self.visit(callee)
        if self._heads(callee):
            self.program.calls.setdefault(callee.text.rpartition("::")[2], []).append(Call(callee.at, node, self.region))
        if (handed := handed_on(self.program, node)) is not None and self.resolve(handed[1].parts[0].text, callee.at) is None:
            self._handed_on(node, *handed)
            return
        self.spread(node)
        refers = escapes and self.library_name(callee) in library.SELECTING
        told, read = self.told.get(callee.at, {}), only_read(self.library_name(callee))
        for index, part in enumerate(node.parts[1:]):
            name = addressed(part)
            if name is None or not (index in told or (index in read and self.is_own_number(name))):
                self.visit(part, refers or not self._is_by_value(callee, index, len(node.parts) - 1))
                continue
            self.visit(name)
            if index in told:
                told[index][0].set(self.program.tokens.match[callee.at + 1], told[index][1], False)

    def _handed_on(self, node: Node, at: int, call: Node) -> None:
        """A call that comes to another one (`forwarded`). Its arguments may be read later than they are named: of variables that
        others can change nothing is known."""
        target, *given = call.parts
        self._all(node.parts[1 : at + 1], True)
        self.visit(target)
        self.program.calls.setdefault(target.text, []).append(Call(target.at, call, self.region))
        for index, part in enumerate(given):
            variable = self.resolve(part.text, part.at) if part.kind == "name" else None
            is_own = part.kind in ("number", "binary") or (variable is not None and variable.is_local)
            self.visit(part, not (is_own and self._is_by_value(target, index, len(given))))

    def _method(self, node: Node, callee: Node) -> None:
        owner = callee.parts[0]
        self._angles(callee)
        variable = self.resolve(owner.text, owner.at) if owner.kind == "name" else None
        holds = variable is not None and variable.type.kind == "copies" and not variable.type.pointers
        is_count = holds and callee.text in ("size", "empty") and len(node.parts) == 1
        self.visit(owner, callee.kind == "member" and not is_count)
        plain = (holds and callee.text in library.METHODS and not callee.ranges) or is_tensor(self.program, variable)
        self._all(node.parts[1:], not plain)

    def library_name(self, callee: Node) -> str:
        """The name of a function of the library that a call names; nothing for any other."""
        name, last, own = library.plain_name(callee.text), callee.text.split("::")[-1], self.program
        if callee.kind not in ("name", "path") or "::" in name or own.declared[last] or own.functions.get(name):
            return ""
        if self.resolve(name, callee.at) is not None or self.program.may_be_declared(name, self.region):
            return ""
        kinds = [type_of_range(self.program.tokens, *part, self.program.types) for part in callee.ranges or ()]
        return name if all(kind is not None and kind.kind in ("number", "dim3") and not kind.reference for kind in kinds) else ""

    def _heads(self, callee: Node) -> list[Head]:
        """The functions of the file that a call may mean, where all of them are seen."""
        parts = callee.text.removeprefix("::").split("::")
        heads = self.program.functions.get(parts[-1], [])
        if callee.kind not in ("name", "path") or self.program.has_unseen:
            return []
        if self.resolve(parts[-1], callee.at) is not None or self.program.declared[parts[-1]] != len(heads):
            return []
        if self.program.imports and parts[-1] in library.BY_REFERENCE:
            return []
        if self.program.may_be_declared(parts[-1], self.region) or not set(parts[:-1]) <= self.program.namespaces:
            return []
        return heads

    def _is_by_value(self, callee: Node, index: int, count: int) -> bool:
        """Whether a call certainly copies its argument."""
        if self.library_name(callee) in library.BY_VALUE:
            return True
        heads = self._heads(callee)
        return bool(heads) and all(
            head.copies(index, callee.ranges is not None) or copies_record(self.program, head, index) for head in heads) and any(
            len(head.parameters) >= count or head.is_variadic or head.is_pack for head in heads)


def changed(node: Node) -> Node:
    """What an assignment, `++` or `--` sets its variable to."""
    if node.kind == "assign":
        return node.parts[1] if node.text == "=" else Node("binary", node.at, node.text[:-1], node.parts)
    return Node("binary", node.at, node.text[0], (node.parts[0], Node("number", node.at, "1")))
