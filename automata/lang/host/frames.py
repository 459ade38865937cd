"""Who calls a function of the host, and with what.

A parameter has the values of all calls only if all calls are seen: each occurrence of the function's name in the text is a
declaration of it or a plain call, one function is meant by it, and the calls of other texts are known (`abroad`). There are none
of what is `static` or in a namespace without a name, and none of a template that stands in this text itself: who calls one needs
its definition, or an explicit instantiation ([temp.pre] of the C++ standard), and those are seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from automata.lang.host.functions import Head, Region
from automata.lang.host.numbers import Number
from automata.lang.host.owners import Declaration, declarations, parameter_types
from automata.lang.host.program import Call, Program
from automata.lang.host.symbolic import Relation, Value
from automata.lang.host.syntax import Node

MOST_FRAMES = 96
_DEEPEST = 8
_BY_NAME = frozenset({"dlsym", "GetProcAddress", "asm", "__asm__", "__asm", "setjmp", "sigsetjmp"})


@dataclass(frozen=True, slots=True)
class Passed:
    """What a call in another text passes, as far as it is known. `leaves`: what nobody knows there, by number, name and type;
    `facts`: what holds of those at the call."""

    values: tuple[Value | None, ...]
    facts: tuple[Relation, ...] = ()
    leaves: tuple[tuple[int, str, Number], ...] = ()


class Elsewhere(Protocol):
    """The other texts of a program. `is_program`: this one has `main`. `hiding`: by the name of a function, a text whose calls of
    it cannot be told; `relied`: the names of which what they say was taken for all that a program says."""

    hiding: dict[str, str]
    relied: dict[str, None]

    def calls(self, region: Region, there: list[Declaration], is_program: bool) -> list[Passed] | None:
        """What they pass to a function, which is declared here; None where that cannot be told."""

    def is_alone(self, name: str, is_program: bool) -> bool:
        """Whether none of them can name a variable of this one."""

    def lacks(self, start: int) -> bool:
        """Whether what stands at a place of this text stands in none of them."""


class Nowhere:
    """Nothing is known of other texts."""

    def __init__(self) -> None:
        self.hiding: dict[str, str] = {}
        self.relied: dict[str, None] = {}

    def calls(self, region: Region, there: list[Declaration], is_program: bool) -> list[Passed] | None:
        return None

    def is_alone(self, name: str, is_program: bool) -> bool:
        return False

    def lacks(self, start: int) -> bool:
        return False


@dataclass(eq=False, slots=True)
class Frame:
    """A function as it is called. In it: `begin` and `goal`, where the expression that is looked at begins and ends. `call` None:
    nobody knows who calls it; else in `outer`, in an expression that begins at `since` and computes what stands at `anchor`.
    `is_inner`: it is called within an expression that is looked at. `passed`: what a call in another text passes. `stated`: the
    template arguments of an explicit instantiation, which other texts call."""

    region: Region | None
    begin: int
    goal: int
    call: Node | None = None
    outer: Frame | None = None
    anchor: int = -1
    since: int = -1
    is_inner: bool = False
    passed: Passed | None = None
    stated: tuple[tuple[int, int], ...] = ()

    @property
    def template_arguments(self) -> tuple[tuple[int, int], ...]:
        """The tokens of the template arguments that its call states, or an explicit instantiation."""
        return (self.call.parts[0].ranges or ()) if self.call is not None else self.stated

    def argument(self, index: int) -> Node | None:
        """The argument for a parameter; None where none is known."""
        return self.call.parts[index + 1] if self.call is not None and index + 1 < len(self.call.parts) else None


class Callers:
    """The calls of each function. `abroad`: those of other texts."""

    def __init__(self, program: Program, abroad: Elsewhere) -> None:
        self.program, self.abroad = program, abroad
        self.has_main = any(not each.is_method and not each.is_device for each in program.bodies.get("main", []))
        self.is_plain = not any(token in _BY_NAME and not program.is_device(at) for at, token in enumerate(program.tokens.text))
        self._known: dict[int, list[Call] | None] = {}
        self._numbers = {id(region): number for number, region in enumerate(program.regions)}
        self._outside: dict[int, list[Passed] | None] = {}

    def frames(self, region: Region | None, goal: int, begin: int, inside: tuple[Region, ...] = ()) -> list[Frame]:
        """A function as each of its callers calls it, up to tokens there."""
        open_frame = [Frame(region, begin, goal)]
        if region is None or region in inside or len(inside) > _DEEPEST or not (region.head.parameters or region.templates):
            return open_frame
        calls = self.of(region)
        passed = None if calls is None else self.outside(region)
        stated = [Frame(region, begin, goal, stated=each) for each in self._instantiated(region)]
        if calls is None or passed is None:
            return stated or open_frame
        found = [*stated, *(Frame(region, begin, goal, passed=each) for each in passed)]
        for call in calls:
            end = self.program.tokens.match[call.node.at]
            if call.caller in inside or call.caller is region:
                return open_frame
            for outer in self.frames(call.caller, end, call.at, (*inside, region)):
                found.append(Frame(region, begin, goal, call.node, outer, call.at, call.at))
                if len(found) > MOST_FRAMES:
                    return open_frame
        return found if 0 < len(found) <= MOST_FRAMES else open_frame

    def _instantiated(self, region: Region) -> list[tuple[tuple[int, int], ...]]:
        """The explicit instantiations of a function's template, each with all of its arguments: what other texts may call. Only
        what is instantiated can be launched; its parameters are not known."""
        program, whole = self.program, list[tuple[tuple[int, int], ...]]()
        if region.of:
            return self._methods(region)
        for each in program.instantiated.get(region.name, []):
            found = each.arguments(program.tokens, region, program.types)
            if found is None:
                return []
            whole.append(found)
        is_other = region.is_method or region.is_foreign or region.is_device or len(self.program.bodies[region.name]) != 1
        if is_other or not region.templates or (region.name in program.barred and region.name not in program.chosen):
            return []
        special = {self._words(each) for each in program.specialised.get(region.name, [])}
        whole = [each for each in whole if self._words(each) not in special]
        return whole if len(whole) <= MOST_FRAMES // 2 else []

    def _methods(self, region: Region) -> list[tuple[tuple[int, int], ...]]:
        """Likewise of a method, by itself or with its class, where one of the class has its name."""
        made = self.program.members_made
        whole = [*made.get((region.of, region.name), []), *made.get((region.of, ""), [])]
        alike = [each for each in self.program.bodies[region.name] if each.of == region.of]
        is_one = len(alike) == 1 and not region.is_device and len(self.program.defined.get(region.of, ())) == 1
        is_fit = is_one and region.templates and all(len(each) == len(region.templates) for each in whole)
        return whole if is_fit and len(whole) <= MOST_FRAMES // 2 else []

    def _words(self, arguments: tuple[tuple[int, int], ...]) -> tuple[tuple[str, ...], ...]:
        """Template arguments as they are written."""
        return tuple(tuple(self.program.tokens.text[begin:end]) for begin, end in arguments)

    def outside(self, region: Region) -> list[Passed] | None:
        """What other texts pass to a function; None where there may be calls that are not known."""
        key = self._numbers[id(region)]
        if key not in self._outside:
            is_own = region.is_own or (region.templates and self.abroad.lacks(self.program.tokens.starts[region.begin]))
            found = [] if is_own else self.abroad.calls(region, declarations(self.program, region.name), self.has_main)
            self._outside[key] = None if found and region.templates else found
        return self._outside[key]

    def of(self, region: Region) -> list[Call] | None:
        """All calls of a function in this text; None where there may be others."""
        key = self._numbers[id(region)]
        if key not in self._known:
            self._known[key] = self._of(region)
        return self._known[key]

    def _of(self, region: Region) -> list[Call] | None:
        is_other = region.is_method or region.is_foreign or region.is_device or region.name in ("main", "operator", "")
        if not self.is_plain or is_other:
            return None
        calls = self.plain_calls(region.name) if self._is_one(region) else None
        is_open = bool(self.program.instantiated.get(region.name)) and not self._instantiated(region)
        if calls is None or is_open:
            return None
        bodies = self.program.bodies[region.name]
        found: list[Call] = []
        for call in calls:
            meant = [each for each in bodies if fits(each.head, len(call.node.parts) - 1)]
            if len(meant) != 1:
                return None
            found += [call] if meant[0] is region else []
        return found

    def _is_one(self, region: Region) -> bool:
        """Whether a call says by the number of its arguments which function of that name it means."""
        heads = self.program.functions.get(region.name, [])
        bodies = self.program.bodies[region.name]
        if any(head.is_variadic or head.is_pack or None in head.parameters for head in heads):
            return False
        alike = [head for head in heads if len(head.parameters) == len(region.head.parameters)]
        types = parameter_types(region.head)
        if any(parameter_types(head) != types for head in alike) or sum(_defaults(head) > 0 for head in alike) > 1:
            return False
        if sum(len(each.head.parameters) == len(region.head.parameters) for each in bodies) > 1:
            return False
        return len(alike) == len(heads) or not any(map(_defaults, heads))

    def is_alone(self, name: str) -> bool:
        """Whether no other text can name a variable of the file."""
        return self.abroad.is_alone(name, self.has_main)

    def called(self, name: str, count: int) -> Region | None:
        """The function of the file that a call with so many arguments means, where its name means no other thing."""
        found = [each for each in self.program.bodies.get(name, []) if fits(each.head, count)]
        if len(found) != 1 or found[0].is_method or found[0].is_foreign or found[0].is_device or not self._is_one(found[0]):
            return None
        return found[0]

    def plain_calls(self, name: str) -> list[Call] | None:
        """The calls of a name, where every occurrence of it is a declaration or one of them."""
        program, text = self.program, self.program.tokens.text
        calls = {call.at: call for call in program.calls.get(name, [])}
        are_seen = self.is_plain and name not in program.barred and all(
            at in calls or at in program.named or text[at - 1] in (".", "->") for at in program.positions.get(name, []))
        return list(calls.values()) if are_seen else None


def fits(head: Head, count: int) -> bool:
    """Whether a function may be called with so many arguments."""
    return len(head.parameters) - _defaults(head) <= count <= len(head.parameters)


def _defaults(head: Head) -> int:
    return sum(parameter is not None and parameter.default is not None for parameter in head.parameters)
