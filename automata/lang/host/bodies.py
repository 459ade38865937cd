"""The statements of a function: which variables each block declares, and what its expressions do with them.

A statement that is not understood bars every name in it for the whole function, up to the next `;` at its depth. So no
declaration that is overlooked can hide a variable, and no change of one be missed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import automata.lang.host.library as library
from automata.lang.host.control import Control
from automata.lang.host.declarations import Variable, read_declaration, read_enumerators, starts_declaration
from automata.lang.host.functions import Region
from automata.lang.host.numbers import NAMED, UNSIGNED, Number
from automata.lang.host.program import Program
from automata.lang.host.records import give_fields, read_records
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tensors import counts
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type, type_of_range
from automata.lang.host.uses import changed

_MAX_NESTING = 60
_OPAQUE = frozenset({"using", "typedef", "template", "asm", "__asm__", "__asm", "friend", "extern", "operator", "co_await",
                     "co_yield", "co_return", "decltype", "__attribute__", "__declspec", "__extension__", "goto"})


def read_bodies(program: Program) -> None:
    """Read all bodies and initialisers of a file: what each name means, and what happens to it."""
    read_records(program)
    outside = Body(program, None)
    for variables in program.variables.values():
        for variable in variables:
            outside.declared(variable)
    for region in program.regions:
        if region.is_device:
            continue
        Body(program, region).read(region)
    for at, name in program.tokens.pragmas:
        region_there = program.region_at(at)
        (program.barred if region_there is None else region_there.barred).add(name)
    for at in range(program.tokens.size):
        if is_name(program.tokens.text[at]):
            program.positions.setdefault(program.tokens.text[at], []).append(at)
    program.flow.settle()
    for region in program.regions:
        region.ordered_to = min((each.begin for each in program.flow.around(region.ordered_to) if each.kind == "loop"),
                                default=region.ordered_to)


class Body(Control):
    """Reads one function."""

    def __init__(self, program: Program, region: Region | None) -> None:
        super().__init__(program, region)
        self.depth = 0
        self._keywords: dict[str, Callable[[int, int], int]] = {
            "{": self._block, "if": self._controlled, "while": self._controlled, "for": self._controlled,
            "switch": self._controlled, "do": self._repeated, "case": self._case, "default": self._case, "try": self._tried,
            "return": self._returned, "throw": self._returned}

    def read(self, region: Region) -> None:
        """All of a function."""
        self._open()
        for parameter in region.head.parameters:
            if parameter is not None and parameter.variable is not None:
                self.declare(parameter.variable)
        for name, begin, end in region.inits:
            self._member_init(name, begin, end)
        self.gives.append(region.gives)
        self._block(region.opening, region.end)

    def _member_init(self, name: str, begin: int, end: int) -> None:
        """A constructor's initialiser copies what it is given if every member of that name is a number."""
        members = self.program.members.get(name, [])
        plain = bool(members) and len(members) == self.program.declared[name] and all(
            member.type.kind in ("number", "dim3") and not member.type.reference for member in members)
        for part in self.tokens.split(begin, end):
            opened = self._marks()
            try:
                self.visit(ExpressionReader(self.tokens, *part, self.types).whole(), not plain)
            except NotUnderstood:
                self._back(opened)
                self.bar(self.tokens.names(*part))

    # Blocks and declarations

    def declare(self, variable: Variable) -> None:
        """A variable of the innermost block."""
        block = self.blocks[-1]
        variable.block = block.number
        self.program.declares.add(variable.at)
        if variable.name in block.names:
            self.bar({variable.name})
        block.names[variable.name] = variable
        self._classify(variable)

    def declared(self, variable: Variable) -> None:
        """A variable of the file or a class: its initialiser is read."""
        try:
            self._classify(variable)
            self._initialise(variable)
        except (NotUnderstood, RecursionError):
            self.program.barred |= {variable.name}

    def _classify(self, variable: Variable) -> None:
        init = variable.init[0] if variable.form == "=" and variable.init and not variable.is_array else None
        is_auto = variable.type.kind == "auto" and variable.is_scalar and init is not None
        if is_auto and init is not None and not variable.type.reference and self._counts(init):
            variable.type = replace(variable.type, kind="number", number=NAMED["int64_t"], name="int64_t")
        variable.numeric = variable.is_enumerator or (variable.is_scalar and variable.type.is_number) or (
            is_auto and init is not None and self.is_number(init))
        variable.sizes = (variable.is_scalar and variable.type.is_dim3) or (is_auto and init is not None and self.is_sizes(init))
        give_fields(self.program, variable, self.is_number)

    def _counts(self, node: Node) -> bool:
        """Whether a value is what a tensor's method counts."""
        base = node.parts[0].parts[0] if node.kind == "call" and node.parts[0].kind == "member" else None
        owner = self.resolve(base.text, base.at) if base is not None and base.kind == "name" else None
        return counts(self.program, node, owner)

    def _initialise(self, variable: Variable, tells: bool = False) -> None:
        """What an initialiser does with the names in it. `tells`: it is evaluated where it stands, whenever that is come to."""
        inits = variable.init
        if variable.type.kind == "auto" and any(node.kind == "braces" for node in inits):
            raise NotUnderstood
        for at, node in enumerate(inits):
            if tells:
                self.note_told(node)
            self.visit(node, not (variable.type.copies or variable.is_flat or at in variable.copied))

    def declaration(self, at: int, end: int, tells: bool = False) -> int:
        """A declaration of variables; the index of what ends it."""
        variables, stop = read_declaration(self.tokens, at, end, self.types)
        if "extern" in variables[0].type.words:
            raise NotUnderstood
        for index in range(at, variables[0].at):
            token = self.tokens.text[index]
            known = self.resolve(token, index) if is_name(token) and self.tokens.text[index - 1] not in ("::", ".") else None
            if known is not None:
                self.program.means[index] = known
                known.escapes = known.escapes or variables[0].type.kind == "other"
        for variable in variables:
            self.declare(variable)
            self._initialise(variable, tells and "static" not in variable.type.words)
        return stop

    # Statements

    def _block(self, opening: int, end: int) -> int:
        close = self.tokens.match[opening]
        if not opening < close < end:
            raise NotUnderstood
        self._open()
        marks = len(self.inside)
        self._enter("block", opening, close + 1)
        at, leaves = opening + 1, False
        while at < close:
            at = self.statement(at, close)
            leaves = self.leaves
        del self.inside[marks:]
        self.blocks.pop()
        self.leaves = leaves
        return close + 1

    def statement(self, at: int, end: int) -> int:
        """One statement; the index behind it."""
        opened = self._marks()
        self.depth += 1
        try:
            if self.depth > _MAX_NESTING:
                raise NotUnderstood
            return max(self._statement(at, end), at + 1)
        except (NotUnderstood, RecursionError):
            self._back(opened)
            stop = max(self.tokens.statement_end(at, end), at + 1)
            self.bar(self.tokens.names(at, stop))
            self._note_jumps(at, stop)
            self.leaves = False
            return stop
        finally:
            self.depth -= 1

    def _note_jumps(self, at: int, stop: int) -> None:
        """Labels may be hidden in what is not understood. A `goto` is none: who takes it comes to a label, or not back."""
        text = self.tokens.text
        if any(text[index] in ("case", "default") or (text[index] == ":" and is_name(text[index - 1]))
               for index in range(at, stop)):
            self._jump(at)

    def _statement(self, at: int, end: int) -> int:
        text = self.tokens.text
        token = text[at]
        read = self._keywords.get(token)
        if read is not None:
            return read(at, end)
        self.leaves = token in ("break", "continue")
        if token == ";":
            return at + 1
        if self.leaves and text[at + 1] == ";":
            return at + 2
        if token == "enum" and "{" in text[at + 1 : at + 3]:
            return self._enumeration(at, end)
        if is_name(token) and text[at + 1] == ":":
            self._jump(at)
            return at + 2
        if token in _OPAQUE:
            raise NotUnderstood
        if token in ("static_assert", "_Static_assert"):
            return self._asserted(at, end)
        return self._simple(at, end)

    def _asserted(self, at: int, end: int) -> int:
        """A constant expression, and a text: nothing changes, and nothing is kept."""
        close = self.tokens.match[at + 1]
        if self.tokens.text[at + 1] != "(" or not at < close < end or self.tokens.text[close + 1] != ";":
            raise NotUnderstood
        for part in self.tokens.split(at + 2, close)[:1]:
            self.visit(ExpressionReader(self.tokens, *part, self.types).whole())
        return close + 2

    def _jump(self, at: int) -> None:
        """A label: who jumps to it may come from anywhere."""
        if self.region is not None:
            self.region.ordered_to = min(self.region.ordered_to, at)

    def _simple(self, at: int, end: int) -> int:
        """A declaration or an expression, up to its `;`."""
        text = self.tokens.text
        while text[at] == "[" and text[at + 1] == "[" and self.tokens.match[at] > at:
            at = self.tokens.match[at] + 1
        if (opening := self._pointer(at)) > 0:
            return self._points(opening, end)
        declares = starts_declaration(self.tokens, at, end, self.types)
        stop = self.declaration(at, end, True) if declares else self._evaluated(at, end)
        if text[stop] != ";" or stop >= end:
            raise NotUnderstood
        return stop + 1

    def _pointer(self, at: int) -> int:
        """The bracket that opens the declarator of a pointer to functions that give nothing, or of a table; 0 for none."""
        text = self.tokens.text
        while text[at] in ("static", "const", "constexpr"):
            at += 1
        name = at + 3 + (text[at + 3] == "const")
        return at + 1 if text[at : at + 3] == ["void", "(", "*"] and is_name(text[name]) else 0

    def _points(self, opening: int, end: int) -> int:
        """A pointer to functions, declared alone: its name is barred (`pointed` looks at it), what it is set to is read."""
        text, match = self.tokens.text, self.tokens.match
        close = match[opening]
        stop = match[close + 1] + 1 if text[close + 1] == "(" else -1
        if not opening < close < stop < end:
            raise NotUnderstood
        self.bar({text[opening + 2 + (text[opening + 2] == "const")]})
        if text[stop] == "=":
            reader = ExpressionReader(self.tokens, stop + 1, end, self.types)
            self.visit(reader.initialiser())
            stop = reader.at
        if text[stop] != ";":
            raise NotUnderstood
        return stop + 1

    def _evaluated(self, at: int, end: int) -> int:
        """An expression as a statement; where it ends."""
        reader = ExpressionReader(self.tokens, at, end, self.types)
        node = reader.expression()
        if self._may_declare(node):
            raise NotUnderstood
        self.note_told(node)
        called = self.library_name(node.parts[0]) if node.kind == "call" else ""
        self.leaves = called in library.LEAVING
        if called == "assert" and called not in self.program.doubted and len(node.parts) == 2 and self.inside:
            self.inside[-1].guards.append((reader.at, Node("unary", node.at, "!", node.parts[1:])))
        if (chain := self._chain(node)) is not None:
            self.visit(chain[-1])
            for target in reversed(chain[:-1]):
                self.change(target, reader.at, chain[-1])
        elif node.kind == "assign" and node.parts[0].kind in ("name", "member", "index"):
            left, right = node.parts
            copies = self.is_number(left) or self.is_sizes(left) or (node.text != "=" and self._is_plain_target(left))
            self.visit(right, not (self.program.trusts_operators or copies))
            self.change(left, reader.at, changed(node))
        elif node.kind in ("unary", "postfix") and node.text in ("++", "--") and node.parts[0].kind in ("name", "member"):
            self.change(node.parts[0], reader.at, changed(node))
        else:
            self.visit(node)
        return reader.at

    def _chain(self, node: Node) -> list[Node] | None:
        """What `a = b = c` sets, numbers of one type, and at the end the value, which is converted to it once."""
        parts = list[Node]()
        while node.kind == "assign" and node.text == "=":
            parts.append(node.parts[0])
            node = node.parts[1]
        kinds = {self._kind_of(each) for each in parts}
        return [*parts, node] if len(parts) > 1 and len(kinds) == 1 and None not in kinds else None

    def _kind_of(self, node: Node) -> Number | None:
        """The type of a number that is set: a variable, or a member of a `dim3`."""
        if node.kind == "member" and self.is_sizes(node.parts[0]) and self.is_number(node):
            return UNSIGNED
        variable = self.resolve(node.text, node.at) if node.kind == "name" and node.ranges is None else None
        is_plain = variable is not None and variable.is_number and not variable.type.reference and self.is_number(node)
        return variable.type.number if variable is not None and is_plain else None

    def _may_declare(self, node: Node) -> bool:
        """Whether `T(a)` and its like may be a declaration of `a`; `f(a, b)` is none."""
        while node.kind in ("assign", "comma"):
            node = node.parts[0]
        if node.kind == "construct":
            return True
        callee = node.parts[0] if node.kind == "call" else None
        if callee is None or callee.kind not in ("name", "path"):
            return False
        path = callee.text.split("::")
        name = path[-1]
        if name in NAMED or name in self.types.hidden or name in self.types.aliases:
            return True
        if name in library.CONTAINERS | library.PLAIN_CLASSES:
            return True
        may_be_type = len(node.parts) == 2 and (callee.ranges is not None or "std" in path)
        return may_be_type and name not in library.BY_VALUE and not self.program.functions.get(name)

    def _returned(self, at: int, end: int) -> int:
        text = self.tokens.text
        self.leaves = True
        if text[at + 1] == ";":
            return at + 2
        reader = ExpressionReader(self.tokens, at + 1, end, self.types)
        node = reader.initialiser()
        if reader.here == ",":
            node = reader.comma(node)
        gives = self.gives[-1]
        plain = text[at] == "throw" or (gives is not None and (gives.copies or gives.kind == "void"))
        self.visit(node, not plain)
        if text[reader.at] != ";":
            raise NotUnderstood
        self.leaves = True
        return reader.at + 1

    def _enumeration(self, at: int, end: int) -> int:
        opening = at + 1 if self.tokens.text[at + 1] == "{" else at + 2
        close = self.tokens.match[opening]
        if not opening < close < end or self.tokens.text[close + 1] != ";":
            raise NotUnderstood
        for variable in read_enumerators(self.tokens, opening + 1, close, self.types):
            self.declare(variable)
            self._initialise(variable)
        return close + 2

    # Lambdas

    def _lambda(self, node: Node, escapes: bool) -> None:
        """What a lambda changes it changes by name, in its body."""
        captures, parameters, result, body = node.ranges or ()
        if self.region is None:
            raise NotUnderstood
        for begin, end in self.tokens.split(*captures):
            words = self.tokens.text[begin:end]
            if words in (["&"], ["="], ["this"], ["*", "this"]):
                continue
            if not is_name(words[-1]) or len(words) > 2 or (len(words) == 2 and words[0] != "&"):
                raise NotUnderstood
            self.visit(Node("name", end - 1, words[-1]))
        gives = Type("auto") if result[0] == result[1] else type_of_range(self.tokens, *result, self.types)
        self._open()
        self._enter("lambda", node.at, body[1] + 1)
        self._parameters(*parameters)
        self.gives.append(gives)
        leaves = self.leaves
        self._block(body[0] - 1, body[1] + 1)
        self.leaves = leaves
        self.gives.pop()
        self.inside.pop()
        self.blocks.pop()
