"""Calls of a function of this text by other texts of its program.

Another text that has the function's name is read like this one. What it passes is known as far as it is computed of numbers and
of values that nobody knows there; those are leaves here too, one for each of a call. A text that defines a function of that name
calls its own. Headers that are not part of this text may only declare it: what they call hangs on the text that includes them.
That a program is linked with no texts but its project's is taken for granted: of which names it was, is kept (`relied`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress

from automata.lang.enqueuers import definers
from automata.lang.host.bodies import read_bodies
from automata.lang.host.choices import MOST, Choices, Infeasible
from automata.lang.host.doubted import read_doubts
from automata.lang.host.frames import MOST_FRAMES, Callers, Nowhere, Passed
from automata.lang.host.functions import Head, Region
from automata.lang.host.leaves import LEAF, bearing
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import Number
from automata.lang.host.opencl_text import HostText
from automata.lang.host.owners import Declaration, declarations, is_its_own, is_no_function, parameter_types
from automata.lang.host.program import Call, Program
from automata.lang.host.standing import changes_nothing
from automata.lang.host.symbolic import Sizes, Symbolic, Value
from automata.lang.host.tokens import Tokens
from automata.lang.host.values import Evaluator
from automata.lang.project import COMMENT, MAIN, MOST_TEXTS, UNIT, UNITS, Beside, is_included, named_beside, text_of
from automata.lang.source import Text
from automata.place import InputError

Reader = Callable[[str], Text]


class Abroad:
    """The other texts of a program. `own`: the files that this one is made of; `read`: reads a host's text."""

    def __init__(self, source: Text, own: frozenset[str], project: str | None, read: Reader | None) -> None:
        self.source, self.own, self.project, self.read = source, own, project, read
        self.hiding: dict[str, str] = {}
        self.relied: dict[str, None] = {}
        self._near: dict[str, Beside | None] = {}
        self._others: dict[str, tuple[Program, Evaluator] | None] = {}

    def near(self, name: str) -> Beside | None:
        if name not in self._near:
            self._near[name] = named_beside(self.source.path, name, self.own, self.project)
        return self._near[name]

    def is_unnamed(self, name: str) -> bool:
        """Whether no text of the same program has a name: none in this one's folder or below, and none that declares it as one of
        another text. A text with a `main` of its own is of another program than one that has it."""
        near, folder = self.near(name), os.path.dirname(os.path.realpath(self.source.path)) + os.sep
        declared = re.compile(rf"\bextern\b[^;]*\b{name}\b")
        is_program = MAIN.search(self.source.text) is not None
        others = [path for path, has_main in near.named if not (is_program and has_main)] if near is not None else []
        return self._relies(name, near is not None and not any(os.path.realpath(path).startswith(folder) or declared.search(
            COMMENT.sub(" ", text_of(path) or "extern " + name)) for path in others))

    def _relies(self, name: str, is_so: bool) -> bool:
        """What is so of a name in a project is noted: another text of a program may say otherwise."""
        self.relied |= {name: None} if is_so else {}
        return is_so

    def bodies(self, name: str) -> list[tuple[HostText, int]] | None:
        """Where other texts define a function of a name: each text with the brace of a body; None where that cannot be told."""
        files = definers(self.source.path, name, self.project)
        others = [each for each in files or () if os.path.realpath(each) not in self.own]
        if files is None or self.read is None or len(others) > MOST_TEXTS:
            return None
        found = list[tuple[HostText, int]]()
        for path in others:
            with suppress(InputError):
                text = self.read(path)
                tokens = Tokens(text)
                if text.is_lost or not tokens.is_plain:
                    return None
                host = HostText(tokens.text, tokens.match)
                found += [(host, each) for each, _ in host.functions if host.name_of(each) == name]
        self._relies(name, bool(found))
        return found

    def calls(self, region: Region, there: list[Declaration], is_program: bool) -> list[Passed] | None:
        """What other texts pass to a function, which is declared here; None where that cannot be told. `is_program`: this text
        has `main`."""
        near = self.near(region.name)
        if near is None or not (is_program or near.has_main) or near.others.any:
            return None
        if near.others.exported and (region.is_exported or any(each.is_exported for each in there)):
            return None
        paths = {each.path for each in there}
        others = [path for path, has_main in near.calling if not (is_program and has_main)]
        if len(others) > MOST_TEXTS:
            return None
        found: dict[Passed, None] = {}
        for path in others:
            passed = self._from(path, region, paths)
            if passed is None:
                self.hiding[region.name] = path
                return None
            found |= dict.fromkeys(passed)
        self._relies(region.name, True)
        return list(found) if len(found) <= MOST_FRAMES else [_in_common(list(found))]

    def is_alone(self, name: str, is_program: bool) -> bool:
        """Whether no other text can name a variable of this one."""
        near = self.near(name)
        if near is None or not (is_program or near.has_main) or near.others.variable:
            return False
        return self._relies(name, all(is_program and has_main for _, has_main in near.named))

    def lacks(self, start: int) -> bool:
        """Whether what stands at a place of this text stands in none of them: it is in its own file, which no text includes."""
        path = self.source.path
        is_here = path.endswith(UNITS) and os.path.realpath(self.source.place(start).file) == os.path.realpath(path)
        return is_here and self.read is not None and not is_included(path, self.project)

    def _from(self, path: str, region: Region, paths: set[tuple[str, ...]]) -> list[Passed] | None:
        """What one text passes to a function of some namespaces."""
        if path not in self._others:
            self._others[path] = self._looked_at(path)
        other = self._others[path]
        if other is None:
            return None
        program, evaluator = other
        heads, bodies = program.functions.get(region.name, []), program.bodies.get(region.name, [])
        types, calls = parameter_types(region.head), evaluator.callers.plain_calls(region.name)
        is_own, is_alike = is_its_own(program, region.name), all(parameter_types(head) == types for head in heads)
        is_same = is_alike and {each.path for each in declarations(program, region.name)} <= paths
        if is_own and (is_same or not program.has_unseen):
            return []
        is_other = bool(bodies) and all(_differs(head, len(types)) for head in heads)
        if program.has_unseen and not (is_other and calls == []):
            return None
        if not heads and is_no_function(program, region.name):
            return []
        if calls is None or (heads and not is_same):
            return [] if is_other and calls == [] else None
        if calls and not path.endswith(UNITS):
            return None
        return [passed for call in calls for passed in self._passed(evaluator, call, len(region.head.parameters))]

    def _looked_at(self, path: str) -> tuple[Program, Evaluator] | None:
        try:
            text = self.read(path) if self.read is not None else None
        except InputError:
            return None
        if text is None or text.is_lost or UNIT.search(text.text):
            return None
        tokens = Tokens(text)
        if not tokens.is_plain:
            return None
        doubts = read_doubts(text, tokens)
        if doubts is None:
            return None
        program = Program(tokens, text.missing, doubts)
        read_bodies(program)
        return program, Evaluator(program, Callers(program, Nowhere()))

    def _passed(self, evaluator: Evaluator, call: Call, count: int) -> list[Passed]:
        """What one call passes, for each way to come to it."""
        end, found = evaluator.program.tokens.match[call.node.at], dict[Passed, None]()
        is_pure = changes_nothing(evaluator.program, call.at, end, call.at)
        for frame in evaluator.callers.frames(call.caller, end, call.at):
            choices = Choices()
            for _ in range(MOST):
                evaluator.start(frame, choices, is_pure, set())
                with suppress(Infeasible):
                    values = tuple(_value(evaluator, call, index) for index in range(count))
                    found[_as_passed(evaluator, values)] = None
                if not choices.advance():
                    break
            else:
                return [Passed((None,) * count)]
        return list(found)


def _in_common(calls: list[Passed]) -> Passed:
    """What all of many calls pass: the numbers that are the same in each."""
    first, *others = calls
    return Passed(tuple(value if isinstance(value, Number) and all(each.values[at] == value for each in others) else None
                        for at, value in enumerate(first.values)))


def _differs(head: Head, count: int) -> bool:
    """Whether a function takes another number of arguments, so that it is another one: a text that defines one of a name, and
    declares none of so many, calls none."""
    return not (head.is_variadic or head.is_pack) and len(head.parameters) != count


def _as_passed(evaluator: Evaluator, values: tuple[Value | None, ...]) -> Passed:
    """The values with what is known of the leaves in them."""
    facts = evaluator.facts()
    said = [part for value in values for part in (value.parts if isinstance(value, Sizes) else (value,))
            if isinstance(part, Symbolic)]
    held = {leaf for part in said for leaf in LEAF.findall(" ".join((part.text, *part.needs)))}
    facts = bearing(facts, held)
    held |= {leaf for fact in facts for leaf in LEAF.findall(" ".join((fact.text, *fact.needs)))}
    leaves = [(each.number, each.name, each.kind) for each in evaluator.leaves.values() if str(each.number) in held]
    return Passed(values, tuple(facts), tuple(leaves))


def _value(evaluator: Evaluator, call: Call, index: int) -> Value | None:
    """An argument: a number, a `dim3`, or what is computed of values that nobody knows."""
    if index + 1 >= len(call.node.parts):
        return None
    try:
        value = evaluator.value(call.node.parts[index + 1])
    except FAILURES:
        return None
    return value if isinstance(value, Number | Symbolic | Sizes) else None
