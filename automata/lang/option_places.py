"""What becomes of an option that host code states in a string, until the program is built.

In: the tokens of a host text and the place of a string. Out: whether each build of the function has what the string says.
A string goes into a variable: it is assigned to it, added, copied or formatted. Of that variable the other statements of the
function count:

- an option that ends where its statement ends is ended by what is written next only if that begins with a blank;
- what is written over, cut or changed by its characters is lost;
- each build of the function is given the variable, or one that is made of it, and nothing is added in the call.

A string that goes into no variable is an argument. One that a build is given is its whole text. Functions of the C library that
print, look or compare pass nothing on. Of other functions it is taken that they pass on what they are given, and change it by
whole words at most; what leaves that open, macros and texts from outside, `option_doubts` tells. A `goto` over a statement,
and `&&`, `||` and `?` before it, leave it open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from automata.lang.option_doubts import Doubts
from automata.lang.option_tokens import BRANCHES, Token, Writing, said

_COPIES = re.compile(r"(?:str|mem)n?cpy(?:_s)?|v?sn?printf(?:_s)?|sn?printf(?:_s)?")
_ADDS = re.compile(r"strn?cat(?:_s)?")
_LOOKS = re.compile(r"v?f?printf|puts|fputs|perror|assert|str(?:n?cmp|str|len|chr|dup)|getenv|setenv|find|compare|count|exit|"
                    r"usage|log\w*|LOG\w*|error|warn\w*")
_PRINTS = frozenset(["cout", "cerr", "clog"])
_READS = frozenset(["c_str", "data", "size", "length", "empty", "str", "begin", "end", "reserve", "capacity"])
_KNOWN = frozenset(["string", "assign", "append", "to_string", "clBuildProgram", "clCompileProgram", "build", "compile",
                    "push_back"])
_NO_MACROS = frozenset(["return", "case", "else", "u8", "u", "U", "L", "const", "in", "and", "or", "string"])
_OPTIONS = {"clBuildProgram": 3, "clCompileProgram": 3}
"""The functions that build, and the number of the argument that says the options."""


class Places:
    """The statements of a host text, as far as options go through them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.words = [token.text for token in tokens]
        self._statements: dict[int, list[tuple[int, int]]] = {}

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each word stands."""
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self.words):
            found.setdefault(word, []).append(at)
        return found

    @cached_property
    def doubts(self) -> Doubts:
        return Doubts(self, lambda name: any(each.fullmatch(name) for each in (_COPIES, _ADDS, _LOOKS)) or name in _KNOWN)

    @cached_property
    def match(self) -> dict[int, int]:
        """The bracket that belongs to each one."""
        found, opened = dict[int, int](), list[int]()
        for at, word in enumerate(self.words):
            if word in ("(", "[", "{"):
                opened.append(at)
            elif word in (")", "]", "}") and opened:
                found[at] = opened.pop()
                found[found[at]] = at
        return found

    def keeps(self, at: int, end: int, is_last: bool) -> bool:
        """Whether every build of the function of a string has what it says. `end`: the token behind it and what it is added to;
        `is_last`: whether an option ends there with no blank."""
        begin, stop = self.statement(at)
        written = self.writing(begin, stop)
        callee = self._callee(at, begin)
        is_compared = self.words[at - 1] == "=" and self.words[at - 2] in ("=", "!")
        if is_compared or self._is_chosen(at, begin) or self._is_jumped_over(at) or self._is_one_of_several(at):
            return False
        if self.doubts.is_hidden(at, begin) or (is_last and self.doubts.goes_on(at, end, begin)) or self._is_joined(
                at, begin, stop, written):
            return False
        if written is None:
            return self._is_passed(at, end, callee, stop)
        if written.name in _PRINTS or written.kind == "cut" or self._is_cut(at, end, callee):
            return False
        if is_last and self.words[end:end + 1] and self.words[end] in (")", "}") and not self._ends(end, stop):
            return False
        return self._stays(written.name, begin, stop, is_last) and self._is_built(written.name, at, is_last)

    def _is_joined(self, at: int, begin: int, stop: int, written: Writing | None) -> bool:
        """Whether a text from outside goes where a string goes, or into the call that it is an argument of."""
        function = self.tokens[at].function
        names = set(self.words[begin:stop]) if written is None else self._made_of(written.name, function)
        for call in self._calls(function) if written is not None else ():
            names |= set(self.words[slice(*self._options(call))])
        return self.doubts.is_outside(names, function)

    def is_shown(self, at: int) -> bool:
        """Whether a string is only printed, looked for or compared."""
        begin, stop = self.statement(at)
        written = self.writing(begin, stop)
        return (written is not None and written.name in _PRINTS) or (
            written is None and _LOOKS.fullmatch(self._callee(at, begin)) is not None)

    # A statement

    def statement(self, at: int) -> tuple[int, int]:
        """The first token of the statement around a place, without what it depends on, and the one behind it."""
        begin = at
        while begin > 0:
            word = self.words[begin - 1]
            if word in (";", "}", "#") and not (word == "}" and self._is_list(self.match.get(begin - 1, -1))):
                break
            if word == "{" and not self._is_list(begin - 1):
                break
            begin = self.match[begin - 1] if word in (")", "]", "}") and begin - 1 in self.match else begin - 1
        stop = at
        while stop < len(self.words) and self.words[stop] not in (";", "#"):
            if self.words[stop] in ("(", "[", "{") and stop in self.match:
                stop = self.match[stop]
            elif self.words[stop] == "}" and not self._is_list(self.match.get(stop, -1)):
                break
            stop += 1
        while begin < at and (self.words[begin] in BRANCHES or self.words[begin + 1:begin + 2] == [":"]):
            opening = begin + 1
            is_head = self.words[opening:opening + 1] == ["("] and opening in self.match
            begin = self.match[opening] + 1 if is_head and self.match[opening] < at else opening
        return begin, stop

    def statements(self, function: int) -> list[tuple[int, int]]:
        """The statements of a function that may write or call something."""
        if function not in self._statements:
            self._statements[function] = sorted({
                self.statement(at) for word in ("=", "<<", "(", "{", ">") for at in self.places.get(word, [])
                if self.tokens[at].function == function})
        return self._statements[function]

    def _is_list(self, at: int) -> bool:
        """Whether a brace begins a list of values."""
        before = self.words[at - 1] if at > 0 else ";"
        return before in ("=", ",", "{", "(", "]", "return") or (before.isidentifier() and before not in (
            "else", "do", "try", "const", "override", "noexcept", "final", "mutable"))

    def writing(self, begin: int, stop: int) -> Writing | None:
        """What a statement writes into a variable; None where it is none that is known."""
        words, at = self.words, begin
        while at < stop:
            word = words[at]
            if word in ("(", "[", "{") and at in self.match:
                if word != "[" and (called := self._by_bracket(begin, at)) is not None:
                    return called
                at = self.match[at]
            elif word == "<<":
                return Writing(words[at - 1], "add", at + 1) if words[at - 1].isidentifier() else None
            elif word == "=" and words[at + 1] != "=" and words[at - 1] not in ("=", "!", "<", ">"):
                return self._by_call(at + 1) or self._by_assignment(at)
            at += 1
        return None

    def _by_bracket(self, begin: int, opening: int) -> Writing | None:
        """What a declaration writes that begins a variable with a list, or a call of the C library or of a method."""
        words = self.words
        if begin < opening - 1 and words[opening - 1].isidentifier() and words[opening - 2].isidentifier():
            return Writing(words[opening - 1], "over", opening + 1)
        if words[opening] == "(" and (opening == begin + 1 or words[opening - 2] == ":"):
            return self._by_call(opening - 1)
        if words[opening] == "(" and words[opening - 2] == "." and words[opening - 3].isidentifier():
            return self._by_method(opening)
        return None

    def _by_assignment(self, at: int) -> Writing | None:
        words = self.words
        left = at - 2 if words[at - 1] == "+" else at - 1
        is_element = words[left] == "]"
        left = self.match.get(left, left) - 1 if is_element else left
        name = words[left]
        if not name.isidentifier():
            return None
        if is_element and not words[left - 1].isidentifier() and words[left - 1] != "*":
            return Writing(name, "cut", at + 1)
        if words[at - 1] == "+":
            return Writing(name, "add", at + 1)
        if words[at + 1:at + 3] == [name, "+"]:
            return Writing(name, "add", at + 3)
        return Writing(name, "over", at + 1)

    def _by_call(self, at: int) -> Writing | None:
        """What a call of the C library writes into its first argument."""
        copies, adds = _COPIES.fullmatch(self.words[at]), _ADDS.fullmatch(self.words[at])
        if copies is None and adds is None:
            return None
        opening, closing = at + 1, self.match.get(at + 1, at + 1)
        names = [each for each in range(opening + 1, closing) if self.words[each].isidentifier()]
        if not names:
            return None
        comma = self.next_comma(opening, closing)
        is_whole = comma == opening + 2 or self.words[opening + 1:comma] == ["&", self.words[names[0]], "[", "0", "]"]
        begin = comma + 1
        if "n" in self.words[at][:3] or "_s" in self.words[at]:
            texts = [each for each in range(begin, closing) if self.words[each][:1] == '"']
            begin = texts[0] if texts else begin
        return Writing(self.words[names[0]], "over" if copies is not None and is_whole else "add", begin)

    def _by_method(self, opening: int) -> Writing | None:
        name, method = self.words[opening - 3], self.words[opening - 1]
        if method in _READS and self.words[opening + 1] == ")":
            return None
        kind = {"append": "add", "assign": "over", "write": "add"}.get(method, "cut")
        return Writing(name, kind, opening + 1)

    # What is kept of it

    def _callee(self, at: int, begin: int) -> str:
        """The function whose argument a place is."""
        depth = 0
        for each in range(at - 1, begin - 1, -1):
            depth += (self.words[each] in (")", "]", "}")) - (self.words[each] in ("(", "[", "{"))
            if depth < 0 and self.words[each] == "(" and self.words[each - 1].isidentifier():
                return self.words[each - 1]
            depth = max(depth, 0)
        return ""

    def _is_chosen(self, at: int, begin: int) -> bool:
        """Whether a condition of the statement decides about a place."""
        each = at - 1
        while each >= begin:
            word = self.words[each]
            if word == "?" or (word in ("&", "|") and self.words[each - 1] == word):
                return True
            each = self.match[each] - 1 if word in (")", "]", "}") and each in self.match else each - 1
        return False

    def _is_jumped_over(self, at: int) -> bool:
        """Whether a `goto` in front of a place leads to a label that a build stands behind."""
        function = self.tokens[at].function
        before = [each for each in self.places.get("goto", []) if each < at and self.tokens[each].function == function]
        gone = {self.words[each + 1] for each in before}
        last = max(self._calls(function), default=0) if gone else 0
        return any(at < each < last and self.words[each + 1] == ":" for word in gone for each in self.places[word])

    def _is_one_of_several(self, at: int) -> bool:
        """Whether a string is an element of a list of them."""
        end = at
        while end < len(self.words) and self.words[end][:1] == '"':
            end += 1
        if self.words[at - 1] == "{":
            return self.words[end:end + 1] == [","]
        return self.words[at - 1] == "," and self.words[end:end + 1] in ([","], ["}"]) and self._in_list(at)

    def _in_list(self, at: int) -> bool:
        depth = 0
        for each in range(at - 1, -1, -1):
            word = self.words[each]
            depth += (word in (")", "]", "}")) - (word in ("(", "[", "{"))
            if depth < 0 or word == ";":
                return word == "{" and self._is_list(each)
        return False

    def _is_passed(self, at: int, end: int, callee: str, stop: int) -> bool:
        """Whether an argument, or what a function returns, is the text that is built."""
        if _LOOKS.fullmatch(callee) or self._is_cut(at, end, callee):
            return False
        builds = self._calls(self.tokens[at].function)
        own = [each for each in builds if each <= at <= self.match.get(each + 1, each)]
        return not own or len(builds) == 1

    def _is_cut(self, at: int, end: int, callee: str) -> bool:
        """Whether only a part of a string may be taken."""
        after = self.words[end:end + 2]
        number = self.words[end + 1:end + 3]
        if callee in ("string", "assign", "append", "strncpy", "strncat", "memcpy", "substr") and after[:1] == [","]:
            return not ("sizeof" in self.words[end:end + 4] or (number[1:] == [")"] and self._is_enough(number[0], at, end)))
        if callee in ("snprintf", "vsnprintf") and (size := self._size(at)) is not None:
            return not self._is_enough(size, at, end, 24)
        methods = [self.words[each + 1] for each in range(end, min(end + 3, len(self.words) - 1)) if self.words[each] == "."]
        return bool(methods) and methods[0] not in _READS

    def _size(self, at: int) -> str | None:
        """The number of characters that a format may write, where it is a number."""
        before = self.words[at - 3:at]
        return before[1] if before[:1] == [","] and before[2:] == [","] and before[1].isdigit() else None

    def _is_enough(self, number: str, at: int, end: int, each: int = 0) -> bool:
        texts = "".join(said(word) for word in self.words[at:end] if word[:1] == '"')
        return number.isdigit() and int(number) > len(texts) + each * texts.count("%") - (0 if each else 1)

    def _ends(self, end: int, stop: int) -> bool:
        """Whether nothing but brackets, and a method that reads, stands between two places."""
        return all(word in (")", "}", "]", ".", "(", ",", "std", ":") or word in _READS or word.isdigit() or word == "sizeof"
                   or word.isidentifier() for word in self.words[end:stop]) and self.words[end + 1:end + 2] != ["+"]

    def _stays(self, name: str, begin: int, stop: int, is_last: bool) -> bool:
        """Whether no other statement takes away what one wrote into a variable, nor goes on with its last word."""
        own, is_in_loop, seen = self.tokens[begin], bool(self.tokens[begin].branches), set[int]()
        for at in self.places[name]:
            if begin <= at < stop or (own.function and self.tokens[at].function != own.function):
                continue
            first, behind = self.statement(at)
            other = self.writing(first, behind) if first not in seen else None
            seen.add(first)
            if other is None or other.name != name or first == begin:
                continue
            if self._is_otherwise(first, begin):
                continue
            if other.kind != "add" and at > begin:
                return False
            if other.kind == "add" and is_last and (at > begin or is_in_loop) and not self.begins_blank(other.begin):
                return False
        return True

    def _is_otherwise(self, at: int, begin: int) -> bool:
        """Whether a statement stands under the `else` of a branch that an earlier one stands in, outside of loops."""
        while at > begin:
            if self.words[at - 1] == ")" and at - 1 in self.match and self.words[self.match[at - 1] - 1] == "if":
                at = self.match[at - 1] - 1
            if self.words[at - 1] == "else":
                last = at - 2
                first = self.match.get(last, last) if self.words[last] == "}" else self.statement(last)[0]
                if first <= begin < last:
                    return True
                at = first
            else:
                at = self.opening(at)
        return False

    def opening(self, at: int) -> int:
        """The brace around a place."""
        at -= 1
        while at > 0 and self.words[at] != "{":
            at = self.match[at] - 1 if self.words[at] in (")", "]", "}") and at in self.match else at - 1
        return at

    def begins_blank(self, at: int) -> bool:
        """Whether what is written from a place on begins with a blank, or is nothing."""
        while at < len(self.words) and self.words[at] in ("std", ":", "string", "("):
            at += 1
        if self.words[at] == "'":
            return False
        word = self.words[at]
        return (word[:1] in ("'", '"') and (said(word)[:1].isspace() or word == '""')) or word == "endl"

    # The builds

    def _calls(self, function: int) -> list[int]:
        return [at for word in _OPTIONS for at in self.places.get(word, []) if self.words[at + 1:at + 2] == ["("]
                and self.tokens[at].function == function and at + 1 in self.match]

    def _is_built(self, name: str, at: int, is_last: bool) -> bool:
        """Whether all builds of the function are given a variable, or one that is made of it."""
        function = self.tokens[at].function
        calls = self._calls(function) if function else []
        made = self._made_of(name, function) if calls else set()
        return all(self._is_given(call, made, is_last) for call in calls)

    def _is_given(self, call: int, made: set[str], is_last: bool) -> bool:
        begin, stop = self._options(call)
        if made.isdisjoint(self.words[begin:stop]):
            return False
        added = [each for each in range(begin, stop) if self.words[each] == "+"]
        return not is_last or all(self.begins_blank(each + 1) for each in added)

    def _options(self, call: int) -> tuple[int, int]:
        """The argument of a build that says the options."""
        begin, closing = call + 1, self.match[call + 1]
        for _ in range(_OPTIONS[self.words[call]]):
            begin = self.next_comma(begin, closing)
        return begin + 1, self.next_comma(begin, closing)

    def next_comma(self, at: int, closing: int) -> int:
        at += 1
        while at < closing and self.words[at] != ",":
            at = self.match.get(at, at) + 1 if self.words[at] in ("(", "[", "{") else at + 1
        return at

    def _made_of(self, name: str, function: int) -> set[str]:
        """A variable, and those that statements of a function make of it."""
        made = {name}
        for _ in range(4):
            for begin, stop in self.statements(function):
                written = self.writing(begin, stop)
                if written is not None and made.intersection(self.words[written.begin:stop]):
                    made.add(written.name)
        return made


def is_macro(word: str) -> bool:
    """Whether a word beside a string stands for more of it."""
    return word.isidentifier() and word not in _NO_MACROS
