"""Numbers that the command line gives, and that nothing tests but what is known.

Input: a launch as one call of its function reaches it, and a word of the command line that `main` reads a number from (`words`).
Output: whether whoever calls the program may give any number there that meets the facts of the launch. A whitelist, token by
token:

- what is asked of `argc` for the number to be read and on the way to the launch can be met together;
- wherever the word stands before the launch, or a variable that is computed from it, it is an operand of a declaration, of an
  allocation or a copy, of a `for`, or of a function that cannot leave; a test of it is one that the launch states as a fact;
- what leaves `main`, or a function between it and the launch, is a test of plain variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Structure
from automata.lang.host.frames import Frame
from automata.lang.host.functions import Region
from automata.lang.host.library import BY_VALUE, METHODS
from automata.lang.host.looking import COUNT, Looking, first_token
from automata.lang.host.syntax import ASSIGNING, Node
from automata.lang.host.tokens import is_name
from automata.lang.host.told import SCAN
from automata.lang.host.words import READING, words_of

_LEAVING = frozenset({"exit", "abort", "_exit", "quick_exit", "terminate", "throw", "goto", "longjmp", "assert", "asm", "__asm__",
                      "raise", "kill", "return", "break", "continue"})
_ENDING = _LEAVING - {"return", "break", "continue"}
ENDING_ROUNDS = _LEAVING | {"goto", "switch", "try"}
"""What may leave a loop, or a round of it."""
_TESTING = frozenset({"if", "while", "switch", "assert"})
_BEFORE_BLOCK = frozenset({")", ";", "{", "}", "else", "do", ":", "try"})
_TYPES = frozenset({"sizeof", "dim3", "int", "float", "double", "unsigned", "size_t", "long", "char", "return"})
_MAKING = frozenset({"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memset", "memcpy", "printf",
                     "fprintf"})
_COMPARING = frozenset({"strcmp", "strcasecmp"})
_CLOCKS = frozenset({"steady_clock", "system_clock", "high_resolution_clock"})
_MOST_WORDS = 64
_DEEPEST = 6
_COMPARED = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}


class Inputs:
    """Asked about the words of one launch. `read`: where the word stands that is asked about."""

    def __init__(self, looking: Looking) -> None:
        self.looking, self.program = looking, looking.program
        self.text, self.match = self.program.tokens.text, self.program.tokens.match
        self.frames = list(self._chain(looking.launching))
        self.word, self.read = 0, list[int]()

    def _chain(self, frame: Frame | None) -> Iterator[Frame]:
        while frame is not None:
            yield frame
            frame = frame.outer

    def hold(self, word: int) -> bool:
        """Whether any number may be given as a word."""
        main = self.frames[-1] if self.frames else None
        if not word or main is None or main.region is None or words_of(main.region) is None:
            return False
        if any(frame.passed is not None or frame.is_inner or frame.region is None for frame in self.frames):
            return False
        count = main.region.head.parameters[0]
        if count is None or count.variable is None:
            return False
        self.word, self.read = word, list(self._places(main.region, word))
        of_count = {id(count.variable)} if word == COUNT else set[int]()
        return self._is_met(main, count.variable) and self._is_free(main, of_count)

    def _places(self, main: Region, word: int) -> Iterator[int]:
        """Where `argv` stands before a number in brackets."""
        words = words_of(main)
        for at in self.program.positions.get(words.name if words is not None else "", []):
            if self.program.means.get(at) is words and self.text[at + 2] == str(word):
                yield at

    # What is asked of the number of words

    def _is_met(self, main: Frame, count: Variable) -> bool:
        """Whether some number of words meets all that is asked of it: for the word to be read, and to come to the launch."""
        asked = [each for test in self.program.flow.known(main.goal) for each in self._parts(test.node, test.holds)
                 if count.name in self._names(each[0])]
        for at in self.read:
            if at < main.goal and self._is_in_call(at):
                asked += [(each.test, each.holds) for each in self.program.flow.around(at) if each.test is not None]
        return any(all(self._is(node, count, number) is holds for node, holds in asked) for number in range(1, _MOST_WORDS))

    def _parts(self, node: Node, holds: bool) -> Iterator[tuple[Node, bool]]:
        """What has to come of the parts of a test: of those of `a || b`, where that is false, each is."""
        if node.kind == "binary" and node.text == ("&&" if holds else "||"):
            for part in node.parts:
                yield from self._parts(part, holds)
        else:
            yield node, holds

    def _is_in_call(self, at: int) -> bool:
        """Whether a number is read from the word that stands at a token."""
        return self.text[at - 1] == "(" and self.text[at - 2] in (*READING, SCAN)

    def _is(self, node: Node, count: Variable, number: int) -> bool | None:
        """What a test of the number of words comes to; None for any other."""
        if node.kind == "unary" and node.text == "!":
            found = self._is(node.parts[0], count, number)
            return None if found is None else not found
        if node.kind != "binary":
            return None
        if node.text in ("&&", "||"):
            one, two = (self._is(part, count, number) for part in node.parts)
            return None if one is None or two is None else (one and two) if node.text == "&&" else (one or two)
        if node.text not in _COMPARED:
            return None
        sides = [self._number(part, count, number) for part in node.parts]
        return None if sides[0] is None or sides[1] is None else bool(_COMPARED[node.text](sides[0], sides[1]))

    def _number(self, node: Node, count: Variable, number: int) -> int | None:
        if node.kind == "name" and self.program.means.get(node.at) is count:
            return number
        return int(node.text) if node.kind == "number" and node.text.isdigit() else None

    # What becomes of it

    def _is_free(self, main: Frame, tainted: set[int]) -> bool:
        """Whether nothing on the way to the launch tests it, or what is computed from it, but what the launch states."""
        for frame in reversed(self.frames):
            region = frame.region
            if region is None or region.is_clouded or region.ordered_to <= frame.goal or region.is_foreign:
                return False
            if frame.call is not None:
                tainted |= self._passed(frame, tainted)
            self._spread(region, tainted)
            stated = self._stated(frame)
            places = [*self._occurrences(region, tainted), *(self.read if frame is main else ())]
            if not all(self._is_harmless(at, frame, stated) for at in places):
                return False
            if not all(self._leaves_plainly(each, frame, tainted, stated) for each in self.program.flow.structures
                       if region.begin <= each.begin < frame.goal and each.end <= region.end):
                return False
        return True

    def _passed(self, frame: Frame, tainted: set[int]) -> set[int]:
        """The parameters that are given something computed from it."""
        found = set[int]()
        for index, parameter in enumerate(frame.region.head.parameters if frame.region is not None else ()):
            given = frame.argument(index)
            if parameter is not None and parameter.variable is not None and (given is None or self._uses(given, tainted)):
                found.add(id(parameter.variable))
        return found

    def _spread(self, region: Region, tainted: set[int]) -> None:
        """Add the variables of a function that are computed from it."""
        variables = {id(each): each for at, each in self.program.means.items() if region.begin <= at < region.end}
        while True:
            more = {key for key, each in variables.items() if key not in tainted and any(
                self._uses(node, tainted) for node in (*each.init, *(value for _, value in each.settings if value is not None)))}
            more |= {key for key, each in variables.items() if key not in tainted and self._is_counted(each, tainted)}
            more |= {id(each.owner) for key, each in variables.items() if key in tainted and each.owner is not None} - tainted
            more |= {key for key, each in variables.items() if key not in tainted and id(each.owner) in tainted}
            if not more:
                return
            tainted |= more

    def _is_counted(self, variable: Variable, tainted: set[int]) -> bool:
        """Whether a `for` declares it whose test is computed from it."""
        loop = next((each for each in self.program.flow.around(variable.at) if each.kind == "loop"), None)
        test = loop.head[0] if loop is not None and loop.begin <= variable.at < loop.round + 1 else None
        return test is not None and self._uses(test, tainted)

    def _uses(self, node: Node, tainted: set[int]) -> bool:
        """Whether the value of an expression is computed from it: not that of an allocation, which says that there is room."""
        if node.kind == "name":
            return id(self.program.means.get(node.at)) in tainted or node.at in self.read
        if node.kind == "call" and self._is_making(node.parts[0].text.removeprefix("std::")):
            return False
        return node.kind != "new" and any(self._uses(part, tainted) for part in node.parts)

    def _is_making(self, name: str) -> bool:
        return (name in _MAKING or name.startswith(("cuda", "hip"))) and name in BY_VALUE and not self.program.declared[name]

    def _occurrences(self, region: Region, tainted: set[int]) -> Iterator[int]:
        for at, each in self.program.means.items():
            if region.begin <= at < region.end and id(each) in tainted:
                yield at

    def _stated(self, frame: Frame) -> set[int]:
        """The tokens of tests that hold at the launch and are understood."""
        found = set[int]()
        choices, self.looking.choices = self.looking.choices, None
        try:
            for test in self.program.flow.known(frame.goal):
                if self.looking.relations(test.node, test.holds):
                    found |= self._tokens(test.node)
        finally:
            self.looking.choices = choices
        return found

    def _tokens(self, node: Node) -> set[int]:
        return {node.at, first_token(node)}.union(*map(self._tokens, node.parts))

    def _names(self, node: Node) -> set[str]:
        return ({node.text} if node.kind == "name" else set()).union(*map(self._names, node.parts))

    def _is_harmless(self, at: int, frame: Frame, stated: set[int]) -> bool:
        """Whether what is done with a value at a token cannot keep the program from the launch: the first time that it comes
        there counts, so what stands behind does not matter."""
        if at >= frame.begin or at in stated:
            return True
        opening = at
        while opening > self._first(frame):
            opening -= 1
            token, before = self.text[opening], self.text[opening - 1]
            if token in (")", "]", "}") and 0 <= self.match[opening] < opening:
                opening = self.match[opening]
            elif token == "{" and before in _BEFORE_BLOCK:
                return self._goes_on(at, frame)
            elif token == "(":
                if before == SCAN and not self.program.declared[SCAN] and self._is_counted_as_one(opening - 1):
                    return True
                if before in _TESTING:
                    return False
                if before == "for" or self._is_making(before):
                    return True
                if is_name(before) and not self._cannot_leave(opening - 1, frozenset()):
                    return False
        return False

    def _is_counted_as_one(self, at: int) -> bool:
        """Whether the test that begins with a call which reads one number keeps nobody from the launch who gives one: the call
        gives 1 then."""
        close = self.match[at + 1]
        if self.text[at - 2 : at] != ["if", "("] or self.match[at - 1] != close + 3:
            return False
        structure = next((each for each in self.program.flow.structures if each.kind == "branch" and each.test is not None
                          and first_token(each.test) == at), None)
        return structure is not None and structure.test is not None and self._of_one(structure.test) is not structure.holds

    def _of_one(self, node: Node) -> bool | None:
        """What a comparison of such a call comes to where a number is given; None for any other test."""
        is_scan = node.kind == "binary" and node.text in _COMPARED and node.parts[0].kind == "call" and (
            self.looking.kinds.library(node.parts[0].parts[0]) == SCAN and len(node.parts[0].parts) == 4)
        other = node.parts[1] if is_scan else node
        number = -1 if is_scan and other.kind == "name" and other.text == "EOF" else (
            int(other.text) if other.kind == "number" and other.text.isdigit() else None)
        return bool(_COMPARED[node.text](1, number)) if is_scan and number is not None else None

    def _goes_on(self, at: int, frame: Frame) -> bool:
        """Whether the statement around a token holds nothing that may leave behind `&&`, `||` or `?`, and keeps the value nowhere
        that what is called later may look at."""
        begin = end = at
        while self.text[begin - 1] not in (";", "{", "}"):
            begin -= 1
        while self.text[end] not in (";", "{", "}", ""):
            end += 1
        words = range(begin, end)
        chooses = any(self.text[place] in ("&&", "||", "?", "and", "or") for place in words)
        if chooses and any(self.text[place] in _ENDING or self.may_leave(place) for place in words):
            return False
        return not (self._is_kept(begin, end) and any(map(self.may_leave, range(end, frame.begin))))

    def _is_kept(self, begin: int, end: int) -> bool:
        """Whether a statement assigns to anything but a local variable or a field of one that is followed (`records`)."""
        for at in range(begin, end):
            if self.text[at] not in ASSIGNING or at - 1 in self.program.declares:
                continue
            found = self.program.means.get(at - 2 if self.text[at - 2] == "." else at - 1)
            owner = found.owner if found is not None and found.owner is not None else found
            if owner is None or not owner.is_local or owner.type.reference or "static" in owner.type.words:
                return True
        return False

    def _first(self, frame: Frame) -> int:
        return frame.region.opening - 1 if frame.region is not None else 0

    def _cannot_leave(self, at: int, inside: frozenset[str]) -> bool:
        """Whether what a name before brackets means goes on behind them: a variable that is declared, a function of the library,
        one of the file that holds no way to leave the program."""
        name = self.text[at]
        if at in self.program.declares or name in _TYPES or (self.text[at - 1] in (".", "->") and name in METHODS):
            return True
        if self._is_of_time(at):
            return True
        if not self.program.declared[name]:
            return name in BY_VALUE and name not in _LEAVING
        bodies = self.program.bodies.get(name, [])
        if len(bodies) != 1 or self.program.declared[name] != len(self.program.functions.get(name, ())) or name in inside:
            return False
        region = bodies[0]
        if region.is_method or region.is_clouded or any(token in _ENDING for token in self.text[region.opening : region.end]):
            return False
        if region.is_device:
            return True
        calls = [place for place in range(region.opening, region.end) if is_name(self.text[place]) and self.text[place + 1] == "("
                 and self.text[place] not in ("if", "for", "while", "switch", "return")]
        return all(self._cannot_leave(place, inside | {name}) for place in calls) and len(inside) < _DEEPEST

    def _is_of_time(self, at: int) -> bool:
        """Whether a name before brackets is the `now` of a clock of the library, or a `count` that the file does not declare."""
        name, owner, declared = self.text[at], self.text[at - 2], self.program.declared
        is_clock = owner in _CLOCKS and not declared[owner] and owner not in self.program.types.aliases
        return (name == "now" and self.text[at - 1] == "::" and is_clock) or (
            name == "count" and self.text[at - 1] == "." and not declared[name])

    def _leaves_plainly(self, each: Structure, frame: Frame, tainted: set[int], stated: set[int]) -> bool:
        """Whether a structure before the launch that may leave its function is a test of plain variables."""
        if each.has(frame.goal):
            return each.kind in ("block", "loop", "branch")
        if each.kind in ("block", "loop", "case"):
            return True
        lasting = _LEAVING - {"break"} if each.kind == "switch" else _LEAVING
        if not any(self.text[at] in lasting or self.may_leave(at) for at in range(each.begin, each.end)):
            return True
        if each.kind != "branch" or each.test is None:
            return False
        return self._of_one(each.test) is (not each.holds) or self._is_plain(each.test, tainted, stated)

    def may_leave(self, at: int) -> bool:
        """Whether a call stands at a token that may not come back."""
        is_call = is_name(self.text[at]) and self.text[at + 1] == "(" and self.text[at] not in ("if", "for", "while", "switch")
        return is_call and not self._cannot_leave(at, frozenset())

    def _is_other_word(self, node: Node) -> bool:
        """Whether an expression is a word of the command line, by its number, and not the one that is asked about."""
        main = self.frames[-1].region
        return (node.kind == "index" and node.parts[0].kind == "name" and node.parts[0].at not in self.read
                and self.program.means.get(node.parts[0].at) is words_of(main) and self.text[node.parts[0].at + 2].isdigit())

    def _is_plain(self, node: Node, tainted: set[int], stated: set[int]) -> bool:
        """A test of numbers and pointers that are variables, and of what the library says."""
        match node.kind:
            case "name":
                variable = self.program.means.get(node.at)
                return node.at in stated or (variable is not None and id(variable) not in tainted) or node.text in BY_VALUE | {
                    "NULL", "cudaSuccess", "hipSuccess", "stdin", "stdout"}
            case "number" | "constant" | "text":
                return True
            case "call" if self.looking.kinds.library(node.parts[0]) in _COMPARING:
                return all(part.kind == "text" or self._is_other_word(part) for part in node.parts[1:])
            case "call":
                return self._is_making(self.looking.kinds.library(node.parts[0])) and all(
                    self._is_plain(part, tainted, stated) for part in node.parts[1:])
            case "unary":
                return node.text in ("!", "-", "+") and self._is_plain(node.parts[0], tainted, stated)
            case "binary" | "cast":
                return all(self._is_plain(part, tainted, stated) for part in node.parts)
        return False
