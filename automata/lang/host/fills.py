"""What the host's program fills an array with that a launch passes: bounds of every element, and their order.

In: an argument of a launch, as one call of its function reaches it. Out: facts of every element that the program has set
(`Filled`), or nothing. The argument names a pointer to numbers, or memory that one function hands to another by name. All that
happens to that memory is followed (`handled`): it is made, set, and copied from arrays of the host, of which all is followed,
too; kernels only read it. So each element that has been set is one of the values that are stored anywhere (`extremes`),
whichever of those were stored last. Elements that the program has not set may hold anything: that a kernel does not read them
is taken for granted, and said.

*Order* hangs on one loop: `a[0] = c; for (i = 1; i < n; i++) a[i] = a[i - 1] + e;` with `e >= 0` stores a row that does not
decrease, and `a[i] = i * c` with `c > 0` one that grows. It is the only statement that stores elements, but for the first; each
round comes to it once; the memory is made in the block around the loop, so the loop runs once for each, and what is copied is
copied behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from automata.lang.host.declarations import Variable
from automata.lang.host.extremes import Extremes
from automata.lang.host.flow import Structure
from automata.lang.host.frames import Frame
from automata.lang.host.handled import Handled, Use, based
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import INT, Number, Unknown
from automata.lang.host.spans import Span, any_of, is_any
from automata.lang.host.syntax import Node

Range = tuple[int, int]
_DEEPEST = 6
SORTED, DISTINCT = "sorted", "distinct"
_SHARING = frozenset({"omp", "acc", "simd", "ivdep", "parallel"})
"""Pragmas by which the rounds of a loop may run in another order."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Of every element that is set: its type, the `least` and the `most`; `tests` over leaves, in which `@` stands for it; how
    they are in `order`. `at`: tokens where they are stored."""

    kind: Number
    least: int
    most: int
    tests: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    at: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """Values that are stored, at a token; `order`: of all elements, where this is all that sets them. `raises`: what is stored is
    no less than what the element was."""

    span: Span
    at: int
    order: tuple[str, ...] = ()
    raises: bool = False


class Fills:
    """Finds what the arrays of one text are filled with. `has_unread`: its files may have pragmas that the text does not show."""

    def __init__(self, handled: Handled, has_unread: bool = False) -> None:
        self.has_unread = has_unread
        self.handled, self.evaluator, self.program = handled, handled.evaluator, handled.program
        self.extremes = Extremes(self.evaluator, self._elements)
        self.open: list[tuple[int, int]] = []

    def of(self, part: Range, frame: Frame) -> Filled | None:
        """What the memory holds that an argument points to; None where nothing is known of it."""
        node = self.evaluator.read(*part)
        before = self.evaluator.frame
        try:
            return self._of(node, frame) if node is not None else None
        except FAILURES:
            return None
        finally:
            self.evaluator.frame = before
            self.extremes.since, self.extremes.homes, self.open = [], [], []

    def _of(self, node: Node, frame: Frame) -> Filled | None:
        variable, whole, is_whole = self._named(node, frame)
        if not (variable.type.pointers or variable.is_array or variable.type.kind == "copies"):
            return None
        kind = self._kind(variable)
        found = list(self._sources(variable, whole, kind))
        if not found:
            return None
        span = _joined(found, kind)
        order = found[0].order if len(found) == 1 and is_whole else ()
        places = tuple(sorted({each.at for each in found}))
        return Filled(kind, span.least, span.most, span.below, order, places)

    def _named(self, node: Node, frame: Frame) -> tuple[Variable, Frame, bool]:
        """The variable whose memory an expression points into, in the call of its function."""
        at, is_whole = based(node)
        variable = self.program.means.get(at)
        region = self.program.region_at(at)
        home: Frame | None = frame
        while home is not None and home.region is not region:
            home = home.outer
        if variable is None or home is None:
            raise Unknown
        return variable, home, is_whole

    def _kind(self, variable: Variable) -> Number:
        kind = self.evaluator.tables.number(variable)
        if kind is None or not kind.bits or kind.bits == 1:
            raise Unknown
        return kind

    def _sources(self, variable: Variable, frame: Frame, kind: Number) -> Iterator[_Source]:
        """All that is ever stored in the memory of a variable."""
        key = id(variable), id(frame)
        if key in self.open or len(self.open) > _DEEPEST or self._kind(variable)[1:3] != kind[1:3]:
            raise Unknown
        self.open.append(key)
        uses = self.handled.uses(variable)
        made = [use.at for use in uses if use.kind == "made"]
        self.extremes.since.append(min(made, default=variable.at))
        self.extremes.homes.append(variable.at)
        ordered = self._ordered(variable, uses, kind)
        yield from [ordered] if ordered is not None else [
            source for use in uses for source in self._source(use, variable, frame, kind)]
        if variable.is_parameter:
            yield from self._passed(variable, frame, kind)
        self.extremes.since.pop()
        self.extremes.homes.pop()
        self.open.pop()

    def _source(self, use: Use, variable: Variable, frame: Frame, kind: Number) -> Iterator[_Source]:
        if use.size is not None and not self._keeps_elements(use, variable, frame, kind):
            raise Unknown
        match use.kind:
            case "stored" | "set":
                yield _Source(self._worth(use.value, kind, frame), use.at)
            case "raised":
                yield _Source(any_of(kind), use.at, raises=self._raises(use, kind, frame))
            case "copied" if use.value is not None:
                other, home, is_whole = self._named(use.value, frame)
                is_whole = is_whole and use.is_whole and self._comes_once(variable, use.at)
                for each in self._sources(other, home, kind):
                    yield each if is_whole and self._is_behind(use.at, each.at) else replace(each, order=())
            case "handed" if use.region is not None and use.value is not None:
                inner = Frame(use.region, use.region.begin, use.region.end, use.value, frame, use.at, use.at)
                parameter = use.region.head.parameters[use.index_of]
                if parameter is None or parameter.variable is None:
                    raise Unknown
                yield from self._sources_by(parameter.variable, inner, kind)

    def _keeps_elements(self, use: Use, variable: Variable, frame: Frame, kind: Number) -> bool:
        """Whether bytes that are copied or set are whole elements; or a part of one is all that is ever set of it."""
        is_all = self._comes_once(variable, use.at) and [each.kind for each in self.handled.uses(variable)].count("made") == len(
            self.handled.uses(variable)) - 1
        return is_all or self.extremes.divides(max(kind.bits // 8, 1), use.size, frame)

    def _sources_by(self, parameter: Variable, frame: Frame, kind: Number) -> Iterator[_Source]:
        """What a function stores in the memory that it is handed."""
        key = id(parameter), id(frame.region)
        if key in self.open or len(self.open) > _DEEPEST or self._kind(parameter)[1:3] != kind[1:3]:
            raise Unknown
        self.open.append(key)
        self.extremes.since.append(parameter.at)
        self.extremes.homes.append(parameter.at)
        for use in self.handled.uses(parameter):
            for source in self._source(use, parameter, frame, kind):
                yield replace(source, order=())
        self.extremes.since.pop()
        self.extremes.homes.pop()
        self.open.pop()

    def _passed(self, parameter: Variable, frame: Frame, kind: Number) -> Iterator[_Source]:
        """What the memory holds that a call passes for a parameter."""
        numbers = [index for index, each in enumerate(frame.region.head.parameters if frame.region is not None else ())
                   if each is not None and each.variable is parameter]
        given = frame.argument(numbers[0]) if numbers and frame.call is not None else None
        if given is None or frame.outer is None:
            raise Unknown
        variable, home, is_whole = self._named(given, frame.outer)
        at = frame.call.at if frame.call is not None else -1
        for each in self._sources(variable, home, kind):
            yield each if is_whole and self._is_behind(at, each.at) else replace(each, order=())

    def _elements(self, variable: Variable) -> Span | None:
        """What an element of an array of the host may be, where an expression reads one."""
        frame = self.evaluator.frame
        region = self.program.region_at(variable.at)
        while frame is not None and frame.region is not region:
            frame = frame.outer
        before, since, homes = list(self.open), list(self.extremes.since), list(self.extremes.homes)
        try:
            kind = self._kind(variable)
            found = list(self._sources(variable, frame, kind)) if frame is not None else []
            return _joined(found, kind) if found else None
        except FAILURES:
            return None
        finally:
            self.open, self.extremes.since, self.extremes.homes = before, since, homes

    def _raises(self, use: Use, kind: Number, frame: Frame) -> bool:
        """Whether an element of a type gets no less by what is added: by no conversion, and not by sums that leave the type."""
        before, self.evaluator.frame = self.evaluator.frame, frame
        try:
            added = self.extremes.plain(use.value) if use.value is not None else None
        finally:
            self.evaluator.frame = before
        if added is None or added.least < 0 or kind.unsigned or kind.bits < INT.bits:
            return False
        is_held = added.kind.bits < kind.bits or added.kind[1:3] == kind[1:3]
        return is_held and not (added.comes_up and added.most > any_of(kind).most // 2)

    def _worth(self, node: Node | None, kind: Number, frame: Frame) -> Span:
        """What a stored value may be."""
        before, self.evaluator.frame = self.evaluator.frame, frame
        try:
            return self.extremes.of(node, kind)
        finally:
            self.evaluator.frame = before

    # Order

    def _ordered(self, variable: Variable, uses: list[Use], kind: Number) -> _Source | None:
        """All that is stored, where one loop stores a row in order."""
        stores = [use for use in uses if use.kind != "made"]
        if not stores or any(use.kind != "stored" for use in stores) or not 1 <= len(stores) <= 2:
            return None
        last, loop = stores[-1], self._loop(stores[-1], variable)
        if loop is None or last.value is None or last.index is None:
            return None
        first = self.extremes.of(stores[0].value, kind) if len(stores) == 2 else None
        if first is not None and not self._is_first(stores[0], loop):
            return None
        counter, begin = _counter(loop, self.program.means)
        if counter is None or begin is None or not self.evaluator.steady.is_followed(counter, last.at):
            return None
        added = self._added(last, variable, counter, begin, kind) if first is not None else None
        if added is not None and first is not None and added.least >= 0 and self._stays(first, added, loop):
            span = Span(kind, first.least, any_of(kind).most)
            return _Source(span, last.at, (SORTED, DISTINCT) if added.least > 0 else (SORTED,))
        factor = self._factor(last, counter, kind) if first is None else None
        if factor is not None and factor >= 0:
            span = self.extremes.of(last.value, kind)
            return _Source(span, last.at, (SORTED, DISTINCT) if factor > 0 else (SORTED,))
        return None

    def _loop(self, use: Use, variable: Variable) -> Structure | None:
        """The `for` in whose body a statement stands by itself, if it runs once for the memory of a variable."""
        flow, region = self.program.flow, self.program.region_at(use.at)
        around = list(flow.around(use.at))
        number = next((number for number, each in enumerate(around) if each.kind == "loop"), -1)
        loop = around[number] if number >= 0 and all(
            each.kind == "block" or (each.kind == "branch" and each.test is around[number].head[0] and each.holds)
            for each in around[:number]) else None
        made = self._made(variable)
        if loop is None or region is None or made < 0 or region.ordered_to <= loop.end or loop.step[1] > use.at:
            return None
        words = self.program.tokens.text[loop.begin : loop.end]
        is_shared = self.has_unread or any(region.begin <= at <= loop.end and word in _SHARING
                                           for at, word in self.program.tokens.pragmas)
        if is_shared or not self._is_statement(use.at):
            return None
        is_once = list(flow.around(made)) == around[number + 1 :] and made < loop.begin
        return loop if is_once and not {"continue", "break", "goto", "return"} & set(words) else None

    def _is_statement(self, at: int) -> bool:
        """Whether a statement begins with a token."""
        return self.program.tokens.text[at - 1] in (";", "{", "}", ")", "else", "do")

    def _made(self, variable: Variable) -> int:
        """Where the memory of a variable is made; -1 where that is no single place."""
        made = [each.at for each in self.handled.uses(variable) if each.kind == "made"]
        return made[0] if len(made) == 1 else -1

    def _comes_once(self, variable: Variable, at: int) -> bool:
        """Whether a token is come to once for each time that the memory of a variable is made."""
        made = self._made(variable)
        return 0 <= made < at and list(self.program.flow.around(made)) == list(self.program.flow.around(at))

    def _is_first(self, use: Use, loop: Structure) -> bool:
        """Whether a statement stores the first element before a loop, each time that the loop runs."""
        is_plain = use.index is not None and use.index.kind == "number" and use.index.text == "0" and self._is_statement(use.at)
        return is_plain and use.at < loop.begin and list(self.program.flow.around(use.at)) == list(
            self.program.flow.around(loop.begin))[1:]

    def _added(self, use: Use, variable: Variable, counter: Variable, begin: int, kind: Number) -> Span | None:
        """What is added to the element before, in `a[i] = a[i - 1] + e` from 1 on, or `a[i + 1] = a[i] + e` from 0 on."""
        means = self.program.means
        value, index = use.value, use.index
        if value is None or index is None or value.kind != "binary" or value.text != "+" or value.parts[0].kind != "index":
            return None
        base, behind = value.parts[0].parts
        is_own = base.kind == "name" and means.get(base.at) is variable
        ahead = _offset(index, counter, means), _offset(behind, counter, means)
        is_next = ahead in ((0, -1), (1, 0)) and ahead[0] is not None and begin + ahead[0] == 1
        is_signed = not kind.unsigned and kind.bits >= INT.bits
        if not is_own or not is_next or not is_signed:
            return None
        added = self.extremes.plain(value.parts[1])
        return added if added is not None and added.kind.bits <= kind.bits and not (
            added.kind.unsigned and added.kind.bits == kind.bits) else None

    def _stays(self, first: Span, added: Span, loop: Structure) -> bool:
        """Whether a sum of what comes up stays in its type: for as many rounds as are known."""
        test = loop.head[0]
        end = self.extremes.plain(test.parts[1]) if test is not None and len(test.parts) == 2 else None
        rounds = 2 if end is None or end.least != end.most else max(2, end.most)
        return not added.comes_up or first.most + rounds * added.most <= any_of(first.kind).most

    def _factor(self, use: Use, counter: Variable, kind: Number) -> int | None:
        """The factor in `a[i] = i * c`, 1 for `a[i] = i`, where no conversion changes the value."""
        means, value = self.program.means, use.value
        whole = self.extremes.plain(value) if value is not None else None
        if value is None or use.index is None or whole is None or whole.kind[1:3] != kind[1:3] or _offset(
                use.index, counter, means) != 0:
            return None
        if _offset(value, counter, means) == 0:
            return 1
        if value.kind != "binary" or value.text != "*" or kind.unsigned:
            return None
        for one, two in (value.parts, value.parts[::-1]):
            number = self.evaluator.fixed_number(two) if _offset(one, counter, means) == 0 else None
            if number is not None and not is_any(whole):
                return int(number.value)
        return None

    def _is_behind(self, at: int, store: int) -> bool:
        """Whether a token comes behind the loop in which an element is stored, and not in it."""
        loop = next((each for each in self.program.flow.around(store) if each.kind == "loop"), None)
        return loop is None or not loop.has(at)


def _joined(found: list[_Source], kind: Number) -> Span:
    """What all that is stored may be: what is raised is no less than what was stored otherwise."""
    stored = [each.span for each in found if not each.raises]
    if not stored:
        return any_of(kind)
    span = stored[0]
    for each in stored[1:]:
        span = span.joined(each)
    return span if len(stored) == len(found) else Span(kind, span.least, any_of(kind).most)


def _offset(node: Node, counter: Variable, means: dict[int, Variable]) -> int | None:
    """What is added to a counter in an index; None for anything else."""
    if node.kind == "name" and means.get(node.at) is counter:
        return 0
    if node.kind == "binary" and node.text in ("+", "-") and node.parts[1].kind == "number" and node.parts[1].text == "1":
        inner = _offset(node.parts[0], counter, means)
        return None if inner != 0 else 1 if node.text == "+" else -1
    return None


def _counter(loop: Structure, means: dict[int, Variable]) -> tuple[Variable | None, int | None]:
    """The variable that a `for` raises by one, and the number that it begins with."""
    test, step = loop.head
    if step is None or step.kind not in ("unary", "postfix") or step.text != "++" or test is None:
        return None, None
    variable = means.get(step.parts[0].at) if step.parts[0].kind == "name" else None
    is_plain = variable is not None and variable.form == "=" and len(variable.init) == 1 and len(variable.settings) == 1
    first = variable.init[0] if variable is not None and is_plain else None
    is_number = first is not None and first.kind == "number" and first.text in ("0", "1") and loop.begin <= first.at < loop.end
    return (variable, int(first.text)) if first is not None and is_number else (None, None)
