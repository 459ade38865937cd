"""Which instance of a kernel's template a launch is of: arguments that are written, those that C++ deduces, and defaults.

In: the launch's arguments, and the head of the kernel's template. Out: the arguments as clang spells them (`unsigned int`,
`256`), or None where one of them is not certain.

Deduced is what [temp.deduct.call] of the C++ standard deduces from a parameter of the form `T` or `T *`: the type of the
argument, without what qualifies a copy. All pairs of a parameter and an argument agree in a program that compiles; so one pair
that is understood is enough.

A closure's class has no name: it is called after the place of its lambda, as clang does. What a lambda is follows from the text
alone; which of them a parameter of a host template stands for, from the call that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from automata.lang.host.functions import Region
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import INTEGER_WORDS, Number, kind_named
from automata.lang.host.symbolic import Symbolic
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type, type_of_range
from automata.lang.host.values import Evaluator
from automata.lang.instance_names import of_lambda
from automata.place import Place

Range = tuple[int, int]
_SPELLED = {
    "size_t": "unsigned long", "ptrdiff_t": "long", "ssize_t": "long", "uint": "unsigned int", "uchar": "unsigned char",
    "ushort": "unsigned short", "ulong": "unsigned long", "int8_t": "signed char", "int16_t": "short", "int32_t": "int",
    "int64_t": "long", "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int",
    "uint64_t": "unsigned long"}
"""Types by other names, as Linux has them."""
CLASSES = {f"{space}::{name}": f"c10::{name}" for space in ("at", "c10", "torch") for name in ("Half", "BFloat16")}
"""PyTorch's classes of floats of 16 bits, by the names of its namespaces."""
SHORT_FLOATS = {"half": "__half", "nv_half": "__half", "nv_bfloat16": "__nv_bfloat16", "half2": "__half2", "nv_half2": "__half2",
                "nv_bfloat162": "__nv_bfloat162"} | CLASSES
"""Floats of 16 bits, and pairs of them, by other names, as CUDA calls them; PyTorch's are classes of their own."""


def spelled(kind: Type, own: Collection[str] = ()) -> str | None:
    """A type as clang spells it; None for one that is not told here. `own`: names that the program gives to types of its own."""
    if kind.pointers or kind.reference or kind.kind not in ("number", "other", "dim3"):
        return None
    words = kind.original.split()
    if not words or not set(words) <= INTEGER_WORDS:
        is_own = not set(kind.original.split("::")).isdisjoint(own)
        known = None if is_own else SHORT_FLOATS.get(kind.original) or _SPELLED.get(kind.original)
        return known or (kind.original if len(words) == 1 and "::" not in kind.original else None)
    if "char" in words:
        return " ".join([*(word for word in ("signed", "unsigned") if word in words), "char"])
    width = "short" if "short" in words else "long long" if words.count("long") > 1 else "long" if "long" in words else "int"
    return f"unsigned {width}" if "unsigned" in words else width


class Instances:
    """Tells the template arguments of the launches of one file."""

    def __init__(self, evaluator: Evaluator, place: Callable[[int], Place]) -> None:
        self.evaluator, self.program, self.place = evaluator, evaluator.program, place

    def argument(self, begin: int, end: int) -> str | None:
        """A type that is written as a template argument, where a name in it stands for another."""
        text = self.program.tokens.text
        if end == begin + 1 and self.evaluator.template_index(text[begin], begin) >= 0:
            try:
                found = self.evaluator.template_type(text[begin], begin)
            except FAILURES:
                return None
            return self._closure_of(text[begin], begin) if found is None else self._spelled(found)
        kind = type_of_range(self.program.tokens, begin, end, self.program.types)
        return self._spelled(kind) if kind is not None and kind.kind == "number" and not self._may_inherit(kind, begin) else None

    def _closure(self, node: Node | None) -> str | None:
        """The class of a lambda, or of what a variable is that is made of one."""
        if node is None or node.kind == "lambda":
            return of_lambda(self.place(node.at)) if node is not None else None
        variable = self.program.means.get(node.at) if node.kind == "name" and node.ranges is None else None
        if variable is None or not self.evaluator.steady.is_readable(variable.name, variable.at):
            return None
        if variable.type.kind == "auto":
            is_one = variable.form == "=" and len(variable.init) == 1 and variable.init[0].kind == "lambda"
            return self._closure(variable.init[0]) if is_one else None
        is_plain = variable.type.kind == "other" and not variable.type.pointers and not variable.is_array
        return self._closure_of(variable.type.name, variable.at) if is_plain else None

    def _closure_of(self, name: str, at: int) -> str | None:
        """The class of the lambda that the call at hand passes, where a parameter of a template stands for its type."""
        frame = self.evaluator.home(at)
        if frame is None or frame.region is None or self.evaluator.template_index(name, at) < 0 or frame.call is None:
            return None
        if frame.template_arguments:
            return None
        for index, parameter in enumerate(frame.region.head.parameters):
            kind = parameter.type if parameter is not None else None
            if kind is not None and kind.name == name and kind.kind == "other" and not kind.pointers:
                return self.evaluator.from_caller(frame, partial(self._closure, frame.argument(index)))
        return None

    def _may_inherit(self, kind: Type, at: int) -> bool:
        """Whether an alias of the file may be another one of a class that is not seen, where a token stands in its method."""
        region = self.program.region_at(at)
        return bool(kind.of) and region is not None and region.is_foreign

    def _spelled(self, kind: Type) -> str | None:
        types = self.program.types
        meant = types.others.get(kind.original)
        return spelled(kind if meant is None else replace(kind, of=meant), types.hidden)

    def completed(self, name: str, given: tuple[str, ...], args: list[Range]) -> tuple[str, ...] | None:
        """The arguments that are given, and those that are deduced. A kernel that is no template, or of which nothing is known,
        has those that are given."""
        kernel = self._template(name, len(args))
        if kernel is None:
            return given
        names = [self._named(*part) for part in kernel.templates]
        found = list(given)
        for index in range(len(given), len(names)):
            begin, end = kernel.templates[index]
            is_type = self.program.tokens.text[begin] in ("typename", "class")
            value = self._deduced(kernel, names[index], args) if is_type else None
            value = value if value is not None else self._default(begin, end, dict(zip(names, found, strict=False)), set(names))
            if value is None:
                return None
            found.append(value)
        return tuple(found)

    def _template(self, name: str, count: int) -> Region | None:
        """The one kernel of a name; of several that which takes so many arguments, as a launch is read only where one does."""
        bodies = self.program.bodies.get(name, [])
        fitting = [each for each in bodies if len(each.head.parameters) == count]
        found = bodies if self.program.is_one_kernel(name) else fitting
        return found[0] if len(found) == 1 and found[0].templates else None

    def _named(self, begin: int, end: int) -> str:
        """The name of a template's parameter; nothing for a pack."""
        text = self.program.tokens.text
        stop = next((at for at in range(begin, end) if text[at] == "="), end)
        return text[stop - 1] if "..." not in text[begin:stop] and is_name(text[stop - 1]) else ""

    def _default(self, begin: int, end: int, before: dict[str, str], names: set[str]) -> str | None:
        """What a parameter is if nothing else is said: a number, a type of numbers, or what one `before` it is."""
        text = self.program.tokens.text
        equals = next((at for at in range(begin, end) if text[at] == "="), end)
        word = text[equals + 1]
        if equals + 2 != end or not names - {""}:
            return None
        if word in names:
            return before.get(word)
        if text[begin] in ("typename", "class"):
            return self.argument(equals + 1, end)
        return word if word.isdigit() and (word == "0" or not word.startswith("0")) else None

    def _deduced(self, kernel: Region, name: str, args: list[Range]) -> str | None:
        """The type that the launch's arguments give to a parameter."""
        for part, parameter in zip(args, kernel.head.parameters, strict=False):
            kind = parameter.type if parameter is not None else None
            if kind is None or kind.name != name or kind.kind != "other" or kind.reference or parameter is None or (
                    parameter.variable is not None and parameter.variable.is_array):
                continue
            found = self._type_of(self.evaluator.read(*part), kind)
            if found is not None:
                return found
        return None

    def _type_of(self, node: Node | None, kind: Type) -> str | None:
        """What an argument makes of the T in `T` or `T *`."""
        node = self.evaluator.written(node)
        if node is None:
            return None
        if not kind.pointers and (closure := self._closure(node)) is not None:
            return closure
        if (given := self._given(node)) is not None:
            return None if self._may_inherit(given, node.at) else self._without(given, kind)
        if node.kind == "cast" and node.type is not None:
            return None if self._may_inherit(node.type, node.at) else self._bound(node.type, node.at, kind)
        variable = self.program.means.get(node.at) if node.kind == "name" and node.ranges is None else None
        if variable is None:
            return self._of_number(node) if not kind.pointers else None
        if variable.is_array or variable.type.kind in ("auto", "copies", "void") or not self.evaluator.steady.is_readable(
                variable.name, variable.at):
            return None
        found = variable.type
        if self._may_inherit(found, variable.at):
            return None
        return self._bound(found, variable.at, kind)

    def _bound(self, found: Type, at: int, kind: Type) -> str | None:
        """A type without the stars of a parameter, where it may be named by a template's parameter around a token."""
        if found.kind != "other" or self.evaluator.template_index(found.name, at) < 0:
            return self._without(found, kind)
        try:
            bound = self.evaluator.template_type(found.name, at)
        except FAILURES:
            return None
        return None if bound is None or bound.pointers or not self._fits(found, kind) else self._spelled(bound)

    def _given(self, node: Node) -> Type | None:
        """The type of a pointer that a tensor gives."""
        try:
            return self.evaluator.pointer_given(node)
        except FAILURES:
            return None

    def _fits(self, found: Type, kind: Type) -> bool:
        """Whether as many stars are there, and nothing that T would have to carry."""
        carries = (found.words - kind.words) & {"const", "volatile"} if kind.pointers else frozenset[str]()
        return found.pointers == kind.pointers and not (found.reference and kind.pointers) and not carries

    def _without(self, found: Type, kind: Type) -> str | None:
        """A type without the stars of a parameter."""
        return self._spelled(found.bare()) if self._fits(found, kind) else None

    def _of_number(self, node: Node) -> str | None:
        """The type of an expression that is a number; of 64 bits there are two, and none is told."""
        try:
            value = self.evaluator.value(node)
        except FAILURES:
            return None
        kind = value.kind if isinstance(value, Symbolic) else value if isinstance(value, Number) else None
        return kind_named(kind) if kind is not None and kind.bits not in (8, 64) else None
