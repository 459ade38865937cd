"""What stands for the value of a variable that is not known: a leaf, and when one leaf is one value.

Three kinds. The value that a variable has at the launch is one leaf wherever it is named, if nothing has changed it since. What a
launch itself names is one, for nothing changes it while its arguments are computed. What another variable is computed from was
read once, when that was set last: it is a value of its own, whatever has become of the variable since.
"""

from __future__ import annotations

from automata.lang.host.counting import Counting
from automata.lang.host.declarations import Variable
from automata.lang.host.frames import Frame
from automata.lang.host.library import BY_VALUE
from automata.lang.host.looking import FAILURES, first_token
from automata.lang.host.numbers import SIZE, Number, Unknown
from automata.lang.host.program import Program
from automata.lang.host.symbolic import Relation, Scalar, Symbolic, as_kind, compared
from automata.lang.host.syntax import ASSIGNING
from automata.lang.host.tokens import is_name

CHANGING = ASSIGNING | {"++", "--", "new", "delete", "throw", "["}
"""What may change a variable."""
_GIVING = frozenset({"data", "size", "get", "begin", "end", "c_str", "empty"})
_VIRTUAL = frozenset({"virtual", "override", "final"})
_WORKING = CHANGING | {">>", "asm", "__asm__", "__asm"}
_ELSEWHERE = frozenset({"volatile", "__device__", "__constant__", "__managed__", "__shared__"})


def changes_nothing(program: Program, begin: int, goal: int, at: int) -> bool:
    """Whether nothing from one token to another can change a variable, but what the call or launch at a token itself does."""
    text = program.tokens.text
    for place in range(begin, goal):
        token = text[place]
        if token in CHANGING and not (token == "[" and is_name(text[place - 1]) and text[place + 2] == "]"):
            return False
        is_call = text[place + 1] == "(" and is_name(token) and place > at
        if is_call and (token not in BY_VALUE | {"dim3"} or program.declared[token]) and not (
                text[place - 1] in (".", "->") and gives_alone(program, token)):
            return False
    return True


def gives_alone(program: Program, name: str) -> bool:
    """Whether methods of a name change nothing: all of the text's have bodies that call nothing and set nothing; or it has none,
    nor a header that is not known, and containers of the library have one that gives what it holds."""
    bodies, text = program.bodies.get(name, []), program.tokens.text
    if program.has_unseen or not program.declared[name]:
        return name in _GIVING and not program.has_unseen
    is_virtual = any(not _VIRTUAL.isdisjoint(text[each.begin : each.opening]) for each in bodies)
    if program.declared[name] != len(bodies) or name in program.barred or is_virtual:
        return False
    return all(not _WORKING.intersection(text[each.opening + 1 : each.end]) and not any(
        text[at + 1] == "(" and is_name(text[at]) for at in range(each.opening, each.end)) for each in bodies)


class Standing(Counting):
    """Finds leaves. `of_series`: the names of those that have one of some numbers, which need not all come, by their texts."""

    def numbers(self, variable: Variable) -> frozenset[Number] | None:
        """All numbers that a variable may ever be; None where they are not known (`series`)."""
        raise NotImplementedError

    def bounded(self, leaf: Scalar, numbers: frozenset[Number] | None) -> None:
        """Note what a leaf is that is one of some numbers (`series`)."""
        raise NotImplementedError

    def one_among(self, value: Symbolic) -> Scalar:
        """One of the few numbers that a value is, with the test for it: a launch of numbers says more. A flag stays as it is."""
        if len(value.among) < 2 or value.among == (0, 1):
            return value
        try:
            number = value.kind._replace(value=value.among[self.pick(("among", value.text), len(value.among))])
        except Unknown:
            return value
        self.note(compared("==", value, number))
        if value.text in self.of_series:
            self.perhaps[self.of_series[value.text]] = int(number.value)
        return number

    def leaf(self, variable: Variable, at: int, frame: Frame | None, axis: str = "") -> Scalar:
        """The value of a variable as it is at the launch, if it is that here."""
        if frame is None or frame.is_inner:
            raise Unknown
        goal = frame.goal
        if variable.settings and (not self.steady.has_order(variable, goal) or not self.program.flow.is_same(
                variable, at, goal, self.anchor, self.begin)):
            raise Unknown
        is_new = (id(variable), id(frame), axis) not in self.leaves
        leaf = self._symbol(variable, self.kind_of(variable), frame, axis)
        if isinstance(leaf, Number):
            return leaf
        if is_new:
            self.bounded(leaf, self.numbers(variable))
        least = self.never_below(variable) if is_new and variable.settings else None
        if least is not None:
            self.definitions.append(Relation(f"({leaf.text} >= {least})"))
        if is_new and (row := self._pitch_of(variable, at)) is not None:
            self.definitions.append(compared(">=", leaf, row))
        return leaf

    def _pitch_of(self, variable: Variable, at: int) -> Scalar | None:
        """How many bytes a row has whose pitch a variable is."""
        flow = self.program.flow
        reaching = flow.reaching(variable, at) if variable.settings else None
        place, node = variable.settings[reaching[0]] if reaching and len(reaching) == 1 else (at, None)
        if node is None or node.kind != "pitch" or flow.tests(place, variable.at) != []:
            return None
        width = node.parts[0]
        try:
            value = self._behind(first_token(width), first_token(width), lambda: self.value(width))
            return as_kind(value, SIZE) if isinstance(value, Number | Symbolic) else None
        except FAILURES:
            return None

    def now(self, variable: Variable, at: int) -> Scalar:
        """The value of any variable that the launch itself names: nothing changes it while its arguments are computed. Of one
        that another is computed from: a value of its own, for that is done once (`_once`)."""
        frame = self.frame
        is_there = self.is_pure and frame is not None and self.anchor == frame.begin and frame.begin <= at <= frame.goal
        if variable.type.words & _ELSEWHERE or variable.is_array or variable.type.pointers or variable.type.kind != "number":
            raise Unknown
        if frame is None or not self.steady.is_readable(variable.name, at):
            raise Unknown
        if is_there and frame is self.launching:
            return self._symbol(variable, self.kind_of(variable), frame, "")
        return self._once(variable, at)

    def _once(self, variable: Variable, at: int) -> Scalar:
        """What a variable is where another one is computed from it: one value for each place in the text; one for all places in
        an expression that changes nothing, or in the arguments of a call. What a launch hangs on is computed once before it
        (`_options`)."""
        home = self.home(at)
        if not self.defines or home is None or home.is_inner:
            raise Unknown
        if self._is_given(at, home):
            return self._symbol(variable, self.kind_of(variable), home, f"@call {self.begin}")
        end = self._end_of_pure(self.begin)
        return self._symbol(variable, self.kind_of(variable), home, f"@{self.begin if self.begin <= at < end else at}")

    def _is_given(self, at: int, home: Frame) -> bool:
        """Whether a token stands in the arguments of the call that is looked at, none of which changes anything."""
        call = self.calling.call if self.calling is not None and self.calling.outer is home else None
        begin, opening = self.begin, self.begin + 1
        if call is None or self.program.tokens.text[opening] != "(":
            return False
        end = self.program.tokens.match[opening]
        return opening < at < end and changes_nothing(self.program, begin, end, begin)

    def _end_of_pure(self, begin: int) -> int:
        """Where the expression ends that begins at a token, if nothing in it can change a variable; else its begin."""
        text, match = self.program.tokens.text, self.program.tokens.match
        at, closing = begin, list[int]()
        while at < self.program.tokens.size and (closing or text[at] not in (";", ",", ")", "}", "]", "{", "")):
            if text[at] in CHANGING or (text[at + 1] == "(" and is_name(text[at]) and (
                    text[at] not in BY_VALUE or self.program.declared[text[at]])):
                return begin
            if text[at] == "(":
                closing.append(match[at])
            elif closing and at == closing[-1]:
                closing.pop()
            at += 1
        return at
