"""A launch that is looked at, in one call of its function: where things are computed, and what was tested on the way.

A *leaf* stands for a value that nobody knows, but which is the same wherever it is named, up to the launch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeVar

from automata.lang.host.choices import Choices, Infeasible
from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Test
from automata.lang.host.frames import Callers, Frame, Passed
from automata.lang.host.functions import Region
from automata.lang.host.kinds import Kinds
from automata.lang.host.numbers import Number, Unknown, limits
from automata.lang.host.program import Program
from automata.lang.host.steady import Steadiness
from automata.lang.host.symbolic import (
    ATOM,
    Doubted,
    Ratio,
    Relation,
    Scalar,
    Sizes,
    Sure,
    Symbolic,
    Value,
    compared,
    either,
    negated,
    outside,
)
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tables import Tables
from automata.lang.host.types import Type

_FAR = 1 << 40
COUNT = -1
"""In the place of a word of the command line: how many there are."""
_NAMED = re.compile(r"\{s\d+\}")
_FIXED = re.compile(r"\(\{s(\d+)\} == \(?(-?\d+)\)?\)")
_MOST_TURNS = 4
_PLAIN = frozenset({"+", "-", "*", "/", "%", "!", "~", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>"})
"""Operators that change nothing."""
Key = tuple[int, int, str]
"""Of a leaf: its variable, the call that it is one of, and its axis."""
FAILURES = (Unknown, ValueError, OverflowError, RecursionError)
T = TypeVar("T")


class Leaf:
    """A value that nobody knows: that of a variable in a call, of a member of a `dim3`, of a `word` of the command line; or of
    their number (`COUNT`)."""

    def __init__(self, number: int, name: str, kind: Number, word: int = 0) -> None:
        self.number, self.name, self.kind, self.word = number, name, kind, word

    @property
    def text(self) -> str:
        return f"{{s{self.number}}}"


class Looking:
    """Looks at a launch. `frame`: the call that is looked at; `anchor`: where the variable stands that is computed; `begin`:
    where the expression begins; `passed`: variables that are arguments of the launch; `notes`: what was tested for values that
    were chosen; `definitions`: what arguments are that are leaves; `made`: of which
    leaves those are computed; `fixed`: leaves that the tests on the way make numbers;
    `defines`: what is evaluated is what a variable is given; `sizing`: it is a size of a launch or of a `dim3`; `round`: where a
    loop that is left set what is evaluated, in a round of its own; `closing`: the variables that a loop sets again and again;
    `perhaps`: what was chosen of their values; `stands_for`: the variable of a leaf; `ways`: what came of tests that a
    call makes once, known or not; `calling`: the call whose arguments are looked at, as they stand there."""

    def __init__(self, program: Program, callers: Callers) -> None:
        self.program, self.callers = program, callers
        self.steady = Steadiness(program, callers)
        self.kinds = Kinds(program)
        self.tables = Tables(program, self.steady)
        self.constants: dict[int, Value | None] = {}
        self.depth = self.nested = 0
        self.frame: Frame | None = None
        self.launching: Frame | None = None
        self.anchor = self.begin = self.round = -1
        self.inside: set[tuple[object, ...]] = set()
        self.kept: list[Frame] = []
        self.definitions: list[Relation] = []
        self.made: dict[str, frozenset[str]] = {}
        self.values: dict[object, Value | None] = {}
        self.counts: dict[int, Number] = {}
        self.inlining: list[Region] = []
        self.passed: set[tuple[int, int]] = set()
        self.closing: set[int] = set()
        self.perhaps: dict[str, int] = {}
        self.leaves: dict[Key, Leaf] = {}
        self.stands_for: dict[Key, Variable] = {}
        self.fixed: dict[Key, Number] = {}
        self.choices: Choices | None = None
        self.ways: dict[tuple[object, int], bool] = {}
        self.of_series: dict[str, str] = {}
        self.known_numbers: dict[Variable, frozenset[Number] | None] = {}
        self.read_numbers: dict[int, Variable] = {}
        self.notes: list[Relation] = []
        self.is_pure = self.defines = self.sizing = False
        self.calling: Frame | None = None

    # What is looked at

    def start(self, frame: Frame, choices: Choices | None, is_pure: bool, passed: set[int]) -> None:
        """Look at a launch in one call of its function. `passed`: the tokens that are arguments by themselves."""
        self.frame = self.launching = frame
        self.anchor = self.begin = frame.begin
        self.choices, self.is_pure = choices, is_pure
        self.leaves, self.notes, self.kept, self.definitions, self.values, self.perhaps = {}, [], [], [], {}, {}
        self.stands_for, self.ways, self.of_series, self.made = {}, {}, {}, {}
        variables = [self.program.means[at] for at in passed if at in self.program.means]
        self.passed = {(id(variable), id(self.home(variable.at))) for variable in variables}

    def facts(self) -> list[Relation]:
        """What holds at the launch: tests on the way to it, in all calls; tests for what was chosen."""
        frame = self.frame
        while frame is not None:
            for test in self.program.flow.known(frame.goal) if self._has_order(frame) else ():
                self.go(test, frame)
                self.assume(test)
            if frame.passed is not None:
                self.notes += [replace(each, text=self._own(frame.passed, each.text)) for each in frame.passed.facts]
            frame = frame.outer
        return list(dict.fromkeys(each for fact in (*self.notes, *self.definitions) for each in _as_it_is(fact)))

    def fix(self, frame: Frame, is_pure: bool, passed: set[int]) -> None:
        """Look for the numbers that leaves are at a launch: what the tests on the way, a `case` say, state to be equal to one."""
        self.fixed = {}
        for _ in range(_MOST_TURNS):
            self.start(frame, None, is_pure, passed)
            found = dict[Key, Number]()
            with suppress(Infeasible):
                found = dict(self._fixed(self.facts()))
            if not found:
                return
            self.fixed |= found

    def _fixed(self, facts: list[Relation]) -> Iterator[tuple[Key, Number]]:
        keys = {leaf.number: (key, leaf.kind) for key, leaf in self.leaves.items() if not leaf.word}
        for fact in facts:
            said = None if fact.needs else _FIXED.fullmatch(fact.text)
            if said is not None and int(said[1]) in keys:
                key, kind = keys[int(said[1])]
                if limits(kind)[0] <= int(said[2]) <= limits(kind)[1]:
                    yield key, kind._replace(value=int(said[2]))

    def _has_order(self, frame: Frame) -> bool:
        return frame.region is not None and frame.goal < frame.region.ordered_to and not frame.region.is_clouded

    def value(self, node: Node) -> Value:
        raise NotImplementedError

    def test(self, node: Node) -> Relation:
        raise NotImplementedError

    def template_index(self, name: str, at: int) -> int:
        """Which parameter of the template around a token a name is; -1 where it is none."""
        region = self.program.region_at(at)
        words = self.program.tokens.text
        for index, (begin, end) in enumerate(region.templates if region is not None else ()):
            stop = next((place for place in range(begin, end) if words[place] == "="), end)
            if words[stop - 1] == name and "..." not in words[begin:stop]:
                return index
        return -1

    def template_number(self, name: str, at: int) -> Value:
        raise NotImplementedError

    def template_type(self, name: str, at: int) -> Type | None:
        raise NotImplementedError

    def read(self, begin: int, end: int) -> Node | None:
        """The expression in [begin, end)."""
        try:
            return ExpressionReader(self.program.tokens, begin, end, self.program.types).whole()
        except (NotUnderstood, RecursionError):
            return None

    def home(self, at: int) -> Frame | None:
        """The call of the function that a token stands in, among those that are looked at."""
        region, frame = self.program.region_at(at), self.frame
        while frame is not None and frame.region is not region:
            frame = frame.outer
        return frame

    def inner(self, region: Region, call: Node) -> Frame:
        """The frame of a call within an expression."""
        frame = Frame(region, region.begin, region.end, call, self.frame, self.anchor, self.begin, True)
        self.kept.append(frame)
        return frame

    def from_caller(self, frame: Frame, do: Callable[[], T]) -> T:
        """Do something in the function that made a call, when it made it."""
        before = self.frame, self.anchor, self.begin, self.calling
        self.frame, self.anchor, self.begin, self.calling = frame.outer, frame.anchor, frame.since, frame
        try:
            return do()
        finally:
            self.frame, self.anchor, self.begin, self.calling = before

    def _behind(self, anchor: int, begin: int, do: Callable[[], T]) -> T:
        """Do something as at another place of the same function."""
        before = self.anchor, self.begin, self.calling
        self.anchor, self.begin, self.calling = anchor, begin, None
        try:
            return do()
        finally:
            self.anchor, self.begin, self.calling = before

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is evaluated within is the same in each run: it hangs on no call, no choice, and no test on the way."""
        before = self.frame, self.choices, self.anchor, self.begin, self.is_pure, self.fixed, self.values
        self.frame, self.choices, self.is_pure, self.fixed, self.values = None, None, False, {}, {}
        try:
            yield
        finally:
            self.frame, self.choices, self.anchor, self.begin, self.is_pure, self.fixed, self.values = before

    def pick(self, key: object, count: int) -> int:
        if self.choices is None:
            raise Unknown
        return self.choices.pick(key, count)

    def note(self, test: Relation) -> None:
        """A test holds for the value that was chosen."""
        if test.is_true is False:
            raise Infeasible
        if test.is_true is None:
            self.notes.append(test)

    # Tests

    def go(self, test: Test, frame: Frame | None) -> None:
        """One way is taken behind a test, whether or not it is understood. A call makes a test outside of loops at most once, so
        all that was set behind it, and all that was not, agree."""
        key, holds = self._way(test, frame)
        if key is not None and self.ways.setdefault(key, holds) is not holds:
            raise Infeasible

    def may_go(self, test: Test, frame: Frame | None) -> bool:
        """Whether a test may have come out so, by the ways that were taken."""
        key, holds = self._way(test, frame)
        return key is None or self.ways.get(key, holds) is holds

    def _way(self, test: Test, frame: Frame | None) -> tuple[tuple[object, int] | None, bool]:
        """What stands for a test in a call, and what came of it; None for one that may be made again."""
        at = first_token(test.node)
        region = self.program.region_at(at)
        if frame is None or frame.region is not region or any(
                each.kind in ("loop", "lambda") for each in self.program.flow.around(at)):
            return None, test.holds
        node, holds = test.node, test.holds
        while node.kind == "unary" and node.text == "!":
            node, holds = node.parts[0], not holds
        return (self._same_test(node), id(frame)), holds

    def _same_test(self, node: Node) -> object:
        """What tells a test from others: how it is written, over numbers and variables of the function that are never set again;
        else where it stands."""
        written = self._written(node)
        return id(node) if written is None else written

    def _written(self, node: Node) -> tuple[object, ...] | None:
        """An expression that has one value in a call of its function; None for any other."""
        match node.kind:
            case "number" | "constant":
                return (node.text,)
            case "name":
                variable = self.program.means.get(node.at) if node.ranges is None else None
                is_one = (variable is not None and variable.is_local and variable.numeric and not variable.settings
                          and "static" not in variable.type.words and self.steady.is_followed(variable, node.at))
                return (id(variable),) if is_one else None
            case "unary" | "binary" if node.text in _PLAIN:
                parts = [self._written(part) for part in node.parts]
                return None if None in parts else (node.text, *parts)
        return None

    def assume(self, test: Test | list[Test]) -> None:
        """Note a test that was met; of several that not all of them were."""
        if isinstance(test, Test):
            for relation in self.relations(test.node, test.holds):
                self.note(relation)
            return
        try:
            parts = [self.relation(each) for each in test]
        except FAILURES:
            return
        whole = parts[0]
        for part in parts[1:]:
            whole = negated(either(negated(whole), negated(part)))
        self.note(negated(whole))

    def relation(self, test: Test) -> Relation:
        """A test, as it came out, in words of what is known at the launch."""
        begin = first_token(test.node)
        before, self.defines = self.defines, False
        try:
            found = self._behind(begin, begin, lambda: self.test(test.node))
        finally:
            self.defines = before
        return found if test.holds else negated(found)

    def relations(self, node: Node, holds: bool) -> list[Relation]:
        """What is known of a test that came out so; of `a && b` both sides by themselves."""
        if node.kind == "binary" and node.text == ("&&" if holds else "||"):
            return [each for part in node.parts for each in self.relations(part, holds)]
        if node.kind == "unary" and node.text == "!":
            return self.relations(node.parts[0], not holds)
        try:
            return [self.relation(Test(node, holds))]
        except FAILURES:
            return []

    # Leaves

    def adopted(self, passed: Passed, value: Value | None) -> Value | None:
        """What a call in another text passes, in leaves of this launch: those of one call are the same in all that it passes."""
        match value:
            case Symbolic():
                needs = tuple(type(need)(self._own(passed, need)) for need in value.needs)
                return replace(value, text=self._own(passed, value.text), needs=needs)
            case Sizes():
                x, y, z = (self.adopted(passed, part) for part in value.parts)
                return Sizes((_scalar(x), _scalar(y), _scalar(z)))
            case Ratio():
                return None
        return value

    def _own(self, passed: Passed, text: str) -> str:
        """A text over what nobody knows in another one, over leaves of this launch."""
        named = {}
        for number, name, kind in passed.leaves:
            key = (number, id(passed), "abroad")
            if key not in self.leaves:
                self.leaves[key] = Leaf(len(self.leaves), name, kind)
            named[f"s{number}"] = self.leaves[key].text
        return _NAMED.sub(lambda found: named[found[0][1:-1]], text)

    def _symbol(self, variable: Variable, kind: Number, frame: Frame | None, axis: str) -> Scalar:
        if kind.bits < 8:
            raise Unknown
        key = (id(variable), id(frame) if variable.is_local else 0, axis)
        if key in self.fixed:
            return self.fixed[key]
        if key not in self.leaves:
            word = COUNT if self._counts(variable) else 0
            self.leaves[key] = Leaf(len(self.leaves), variable.name, kind._replace(value=0), word)
            self.stands_for[key] = variable
        return _any_of(self.leaves[key], kind)

    def _counts(self, variable: Variable) -> bool:
        """Whether a variable is the number of words of the command line."""
        region = self.program.region_at(variable.at)
        main = region if region is not None and region.name == "main" and not region.is_method else None
        first = main.head.parameters[0] if main is not None and len(main.head.parameters) == 2 else None
        return first is not None and first.variable is variable and self.steady.is_followed(variable, variable.at)

    def _define(self, leaf: Scalar, value: Symbolic) -> None:
        """What a leaf is. Where it is computed from words of the command line alone, those are such that C computes it; but for
        what small ones may break."""
        if isinstance(leaf, Number):
            self.definitions.append(compared("==", value, leaf))
            return
        text, self.made[leaf.text] = f"({leaf.text} == {value.text})", frozenset(_NAMED.findall(value.text))
        words = {f"{{s{each.number}}}" for each in self.leaves.values() if each.word}
        if not set(_NAMED.findall(value.text)) <= words:
            self.definitions.append(Relation(text, value.needs))
            return
        doubted = tuple(need for need in value.needs if isinstance(need, Doubted))
        self.definitions += [Relation(f"({need})") for need in value.needs if need not in doubted]
        self.definitions.append(Relation(text, doubted))

    def _read_word(self, word: int, kind: Number, at: int = 0) -> Symbolic:
        """The number that a word of the command line is read as: the same wherever it is, or one `at` a place in the text."""
        key = (-word, at, str(kind))
        if key not in self.leaves:
            self.leaves[key] = Leaf(len(self.leaves), f"argv_{word}", kind._replace(value=0), word)
        return _any_of(self.leaves[key], kind)


def _scalar(value: Value | None) -> Scalar | None:
    return value if isinstance(value, Number | Symbolic) else None


def _any_of(leaf: Leaf, kind: Number) -> Symbolic:
    """A leaf as a value of a type."""
    low, high = limits(kind)
    least, most = (-128, 255) if kind.bits == 8 else (low, high)
    value = Symbolic(leaf.text, ATOM, kind._replace(value=0), least, most)
    return value.held(low, high) if kind.bits < 64 else value.held(max(low, -_FAR), _FAR)


def _as_it_is(fact: Relation) -> Iterator[Relation]:
    """A fact that is true whether or not its text says what C computes, and what is sure of it."""
    yield from (Relation(f"({need})") for need in fact.needs if isinstance(need, Sure))
    doubted = [outside(need) for need in fact.needs if not isinstance(need, Sure)]
    yield Relation("(" + " || ".join([*doubted, fact.text]) + ")") if doubted else replace(fact, needs=())


def is_leaf(value: Symbolic) -> bool:
    """Whether a value is one leaf."""
    return value.text.startswith("{") and value.text.find("}") == len(value.text) - 1


def first_token(node: Node) -> int:
    """The first token of an expression, as far as its parts tell."""
    return min((node.at, *(first_token(part) for part in node.parts)))
