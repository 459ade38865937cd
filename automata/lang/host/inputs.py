"""Numbers that the command line gives, and that nothing tests but what is known.

Input: a launch as one call of its function reaches it, and a variable of `main` that is a leaf there. Output: whether whoever
calls the program may give it any number which meets the facts of the launch. A whitelist, token by token:

- it is set last by `atoi(argv[3])` or one of its kin, in a branch that asks for `argc` alone, if in any, and no other number is
  read from that word;
- `argv` is only read, word by word, and what is asked of `argc` on the way can be met together;
- wherever the variable stands before the launch, or another that is computed from it, it is an operand of a declaration, of an
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
from automata.lang.host.looking import Looking, first_token
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import is_name

_READING = frozenset({"atoi", "atol", "atoll", "stoi", "stol", "stoll", "strtol", "strtoul", "strtoll", "strtoull"})
_LEAVING = frozenset({"exit", "abort", "_exit", "quick_exit", "terminate", "throw", "goto", "longjmp", "assert", "asm", "__asm__",
                      "raise", "kill", "return", "break", "continue"})
_ENDING = _LEAVING - {"return", "break", "continue"}
_TESTING = frozenset({"if", "while", "switch", "assert"})
_BEFORE_BLOCK = frozenset({")", ";", "{", "}", "else", "do", ":", "try"})
_TYPES = frozenset({"sizeof", "dim3", "int", "float", "double", "unsigned", "size_t", "long", "char", "return"})
_MAKING = frozenset({"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memset", "memcpy", "printf",
                     "fprintf"})
_MOST_WORDS = 64
_DEEPEST = 6
_COMPARED = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}


class Inputs:
    """Asked about the leaves of one launch. `words`: which word of the command line each variable is read from."""

    def __init__(self, looking: Looking) -> None:
        self.looking, self.program = looking, looking.program
        self.text, self.match = self.program.tokens.text, self.program.tokens.match
        self.frames = list(self._chain(looking.launching))

    def _chain(self, frame: Frame | None) -> Iterator[Frame]:
        while frame is not None:
            yield frame
            frame = frame.outer

    def hold(self, variable: Variable) -> bool:
        """Whether any number may be given to a variable."""
        main = self.frames[-1] if self.frames else None
        if main is None or main.region is None or main.region.name != "main" or main.region.is_clouded or main.region.has_jumps:
            return False
        if self.program.region_at(variable.at) is not main.region or not variable.is_local or variable.is_parameter:
            return False
        if not self.looking.steady.is_followed(variable, main.goal):
            return False
        if any(frame.passed is not None or frame.is_inner or frame.region is None for frame in self.frames):
            return False
        names = [parameter.variable if parameter is not None else None for parameter in main.region.head.parameters]
        if len(names) != 2 or names[0] is None or names[1] is None:
            return False
        read = self._read_from(variable, main, names[1])
        return read is not None and self._is_met(read[1], main, names[0]) and self._is_free(variable, main, names[1])

    # Where it is read from

    def _read_from(self, variable: Variable, main: Frame, words: Variable) -> tuple[int, list[tuple[Node, bool]]] | None:
        """Which word a variable is last set from, and the tests before that."""
        flow = self.program.flow
        last, node, tests = variable.at, variable.init[0] if variable.form in ("=", "(", "{") and variable.init else None, []
        reaching = flow.reaching(variable, main.goal) if variable.settings else []
        if reaching is None:
            return None
        if reaching:
            last, node = variable.settings[reaching[-1]]
            found = flow.tests(last, variable.at)
            if found is None:
                return None
            tests = [(test.node, test.holds) for test in found]
        word = self._word(node, words) if node is not None else None
        return None if word is None or not self._is_read_once(word, words, main) else (word, tests)

    def _word(self, node: Node, words: Variable) -> int | None:
        """The number of the word that an expression reads a number from."""
        if node.kind == "cast" and len(node.parts) == 1:
            return self._word(node.parts[0], words)
        if node.kind == "cond":
            return next((word for part in node.parts[1:] if (word := self._word(part, words)) is not None), None)
        if node.kind != "call" or len(node.parts) < 2 or self.looking.kinds.library(node.parts[0]) not in _READING:
            return None
        index = node.parts[1]
        if index.kind != "index" or index.parts[0].kind != "name" or index.parts[1].kind != "number":
            return None
        is_word = self.program.means.get(index.parts[0].at) is words and index.parts[1].text.isdigit()
        return int(index.parts[1].text) if is_word else None

    def _is_read_once(self, word: int, words: Variable, main: Frame) -> bool:
        """Whether the words are only read, each as `argv[1]`, and this one for one number alone."""
        count = 0
        for at in self.program.positions.get(words.name, []):
            if self.program.means.get(at) is not words:
                continue
            close = self.match[at + 1] if self.text[at + 1] == "[" else -1
            if close != at + 3 or not self.text[at + 2].isdigit() or self.text[close + 1] in ("=", "[", "++", "--", "+="):
                return False
            if int(self.text[at + 2]) == word and self.text[at - 1] == "(" and self.text[at - 2] in ("printf", "fprintf"):
                continue
            count += int(self.text[at + 2]) == word
        return count == 1 and main.region is not None and words.name not in main.region.barred

    # What is asked of the number of words

    def _is_met(self, tests: list[tuple[Node, bool]], main: Frame, count: Variable) -> bool:
        """Whether some number of words meets all that is asked of it: for the variable to be read, and to come to the launch."""
        asked = list(tests)
        for test in self.program.flow.known(main.goal):
            if self._names(test.node) & {count.name}:
                asked.append((test.node, test.holds))
        return any(all(self._is(node, count, number) is holds for node, holds in asked) for number in range(1, _MOST_WORDS))

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

    def _is_free(self, variable: Variable, main: Frame, words: Variable) -> bool:
        """Whether nothing on the way to the launch tests it, or what is computed from it, but what the launch states."""
        tainted = {id(variable)}
        for frame in reversed(self.frames):
            region = frame.region
            if region is None or region.is_clouded or region.has_jumps or region.is_foreign:
                return False
            if frame.call is not None:
                tainted |= self._passed(frame, tainted)
            self._spread(region, tainted)
            stated = self._stated(frame)
            if not all(self._is_harmless(at, frame, stated) for at in self._occurrences(region, tainted)):
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
            return id(self.program.means.get(node.at)) in tainted
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
                return self._goes_on(at)
            elif token == "(":
                if before in _TESTING:
                    return False
                if before == "for" or self._is_making(before):
                    return True
                if is_name(before) and not self._cannot_leave(opening - 1, frozenset()):
                    return False
        return False

    def _goes_on(self, at: int) -> bool:
        """Whether the statement around a token holds nothing that may leave behind `&&`, `||` or `?`."""
        begin = end = at
        while self.text[begin - 1] not in (";", "{", "}"):
            begin -= 1
        while self.text[end] not in (";", "{", "}", ""):
            end += 1
        words = range(begin, end)
        chooses = any(self.text[place] in ("&&", "||", "?", "and", "or") for place in words)
        return not (chooses and any(self.text[place] in _ENDING or self._may_leave(place) for place in words))

    def _first(self, frame: Frame) -> int:
        return frame.region.opening - 1 if frame.region is not None else 0

    def _cannot_leave(self, at: int, inside: frozenset[str]) -> bool:
        """Whether what a name before brackets means goes on behind them: a variable that is declared, a function of the library,
        one of the file that holds no way to leave the program."""
        name = self.text[at]
        if at in self.program.declares or name in _TYPES or (self.text[at - 1] in (".", "->") and name in METHODS):
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

    def _leaves_plainly(self, each: Structure, frame: Frame, tainted: set[int], stated: set[int]) -> bool:
        """Whether a structure before the launch that may leave its function is a test of plain variables."""
        if each.has(frame.goal):
            return each.kind in ("block", "loop", "branch")
        if each.kind in ("block", "loop"):
            return True
        lasting = _LEAVING - {"break"} if each.kind == "switch" else _LEAVING
        if not any(self.text[at] in lasting or self._may_leave(at) for at in range(each.begin, each.end)):
            return True
        return each.kind == "branch" and each.test is not None and self._is_plain(each.test, tainted, stated)

    def _may_leave(self, at: int) -> bool:
        """Whether a call stands at a token that may not come back."""
        is_call = is_name(self.text[at]) and self.text[at + 1] == "(" and self.text[at] not in ("if", "for", "while", "switch")
        return is_call and not self._cannot_leave(at, frozenset())

    def _is_plain(self, node: Node, tainted: set[int], stated: set[int]) -> bool:
        """A test of numbers and pointers that are variables, and of what the library says."""
        match node.kind:
            case "name":
                variable = self.program.means.get(node.at)
                return node.at in stated or (variable is not None and id(variable) not in tainted) or node.text in BY_VALUE | {
                    "NULL", "cudaSuccess", "hipSuccess", "stdin", "stdout"}
            case "number" | "constant" | "text":
                return True
            case "call":
                return self._is_making(self.looking.kinds.library(node.parts[0])) and all(
                    self._is_plain(part, tainted, stated) for part in node.parts[1:])
            case "unary":
                return node.text in ("!", "-", "+") and self._is_plain(node.parts[0], tainted, stated)
            case "binary" | "cast":
                return all(self._is_plain(part, tainted, stated) for part in node.parts)
        return False
