"""Whether something of the text around it may take an option from a string, or give its macro another value.

In: the tokens of a host text (`option_places`) and the place of a string. Out: three doubts, each of which leaves an option open:

- a macro hides a branch: one that the text defines stands around the string or before its statement, and carries out what it is
  given only sometimes; a name with brackets that no semicolon ends stands before the statement or the block
  (`WHEN(n) o = "-DN=4";`);
- a function that the text does not show goes on with the string: it is given more behind it and gives back a text, or writes one
  (`StrCat("-DN=6", n)`);
- a text from outside goes into the same options: the command line, the environment, a file, which may say `-DN=5`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from automata.lang.option_tokens import BRANCHES, TOKEN, Token, Writing, without_comments

_DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?(.*)", re.S)
_SOMETIMES = frozenset(["else", "for", "switch", "case", "goto", "return", "break", "continue", "?", "&&", "||"])
_OUTSIDE = frozenset(["getenv", "secure_getenv", "_wgetenv", "optarg", "fgets", "getline", "gets", "fread", "cin", "scanf",
                      "fscanf",
                      "ifstream", "GetCommandLineA", "GetEnvironmentVariable", "readline", "recv", "qgetenv"])
_NUMBERS = re.compile(r"ato[ifl]+|sto(?:i|l|ll|ul|ull|f|d)|strto\w+|parse_?[iI]nt\w*|sscanf|size|length|strlen|sizeof|strn?cmp")
_TEXTS = frozenset(["string", "char", "ostringstream", "stringstream", "QString", "wstring", "String", "strbuf", "CString"])
_OBJECTS = frozenset(["cl_program", "cl_kernel", "Program", "Kernel", "cl_int", "cl_uint", "int", "bool", "unsigned", "size_t",
                      "void"])
_NO_TEXT = frozenset(["&", "NULL", "nullptr", "true", "false", "["])
_DECLARES = frozenset(["__attribute__", "alignas", "decltype", "__declspec", "typeof", "__typeof__", "defined", "static_cast",
                       "reinterpret_cast", "const_cast", "dynamic_cast", "sizeof", "new", "return"])


class Statements(Protocol):
    """The statements of a text."""

    tokens: Sequence[Token]
    words: list[str]

    @property
    def places(self) -> dict[str, list[int]]: ...

    @property
    def match(self) -> dict[int, int]: ...

    def opening(self, at: int) -> int: ...

    def next_comma(self, at: int, closing: int) -> int: ...

    def begins_blank(self, at: int) -> bool: ...

    def statements(self, function: int) -> list[tuple[int, int]]: ...

    def writing(self, begin: int, stop: int) -> Writing | None: ...


class Doubts:
    """The doubts about strings of a text. `is_known`: whether what a function does with its strings is known."""

    def __init__(self, places: Statements, is_known: Callable[[str], bool]) -> None:
        self.all, self.words, self.match, self.is_known = places, places.words, places.match, is_known

    # Branches in macros

    @cached_property
    def macros(self) -> dict[str, tuple[tuple[str, ...] | None, list[str]]]:
        """The macros of a text, with their parameters and bodies."""
        found = dict[str, tuple[tuple[str, ...] | None, list[str]]]()
        for token in self.all.tokens:
            if (match := _DEFINE.match(token.words)) is not None:
                body = [each[0] for each in TOKEN.finditer(without_comments(match[3].replace("\\\n", " ")))]
                found[match[1]] = None if match[2] is None else tuple(re.findall(r"\w+|\.\.\.", match[2])), body
        return found

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The macros that decide whether something is carried out, or open a block, or use one that does."""
        bodies = {name: {*body, *(f"{one}{two}" for one, two in pairwise(body))} for name, (_, body) in self.macros.items()}
        found = {name for name, body in bodies.items() if not (BRANCHES | _SOMETIMES | {"{", "}"}).isdisjoint(body)}
        for _ in range(3):
            found |= {name for name, body in bodies.items() if not found.isdisjoint(body)}
        return frozenset(found)

    def is_hidden(self, at: int, begin: int) -> bool:
        """Whether a macro may decide whether a string is used."""
        return self._is_headed(begin, at) or self._is_opened(at) or any(
            self._decides(each, at) for each in self._callees(at, begin))

    def _is_headed(self, begin: int, at: int) -> bool:
        """Whether something that may be a macro stands before a statement: one of the text, or `NAME(…)` that nothing ends."""
        word = self.words[begin]
        if (word in self.deciding and self.macros[word][0] is None) or self._is_set_anew(begin):
            return True
        if not word.isidentifier() or self.words[begin + 1] != "(" or begin + 1 not in self.match or word in _DECLARES | BRANCHES:
            return False
        behind = self.match[begin + 1] + 1
        return behind <= at and (self.words[behind].isidentifier() or self.words[behind] in ("*", "{", '"', "("))

    def _is_set_anew(self, begin: int) -> bool:
        """Whether a statement seems to declare, with a type that is no text, a variable that its function has already."""
        word, name = self.words[begin:begin + 2]
        if not (word.isidentifier() and name.isidentifier()) or word in _TEXTS | {"auto", "const", "static", "char"}:
            return False
        function = self.all.tokens[begin].function
        return self.words[begin + 2:begin + 3] in (["="], ["+"], ["."], ["<<"]) and any(
            each < begin and self.all.tokens[each].function == function for each in self.all.places.get(name, []))

    def _is_opened(self, at: int) -> bool:
        """Whether a block around a place may be a macro's."""
        opened = self.all.opening(at)
        while opened > 0:
            closing = opened - 1
            head = self.match.get(closing, 0) - 1 if self.words[closing] == ")" else closing
            word, before = self.words[head], self.words[head - 1] if head > 0 else ";"
            is_call = self.words[closing] == ")" and word.isidentifier() and word not in BRANCHES and not self._is_class(word)
            if word in self.deciding or (is_call and before in (";", "{", "}", ")", "else") and self.all.opening(head) > 0):
                return True
            opened = self.all.opening(opened)
        function = self.all.tokens[at].function
        return any(body.count("{") != body.count("}") and any(
            self.all.tokens[each].function == function and each < at for each in self.all.places.get(name, []))
            for name, (_, body) in self.macros.items())

    def _is_class(self, word: str) -> bool:
        return any(self.words[each - 1] in ("class", "struct") for each in self.all.places.get(word, []))

    def _callees(self, at: int, begin: int) -> list[int]:
        """The names before the brackets around a place, the innermost first."""
        found, each = list[int](), at - 1
        while each >= begin:
            if self.words[each] in (")", "]", "}") and each in self.match:
                each = self.match[each]
            elif self.words[each] == "(" and self.words[each - 1].isidentifier():
                found.append(each - 1)
            each -= 1
        return found

    def _decides(self, callee: int, at: int) -> bool:
        """Whether a macro of the text carries out the argument at a place only sometimes."""
        names, body = self.macros.get(self.words[callee], (None, []))
        if names is None:
            return False
        comma, number = self.all.next_comma(callee + 1, self.match[callee + 1]), 0
        while comma < at:
            comma, number = self.all.next_comma(comma, self.match[callee + 1]), number + 1
        name = names[number] if number < len(names) and names[number] != "..." else "__VA_ARGS__"
        depth, asks = 0, -1
        for before, word in zip(["", *body], body, strict=False):
            if word == name:
                return False
            depth += (word == "(") - (word == ")")
            if word in _SOMETIMES | self.deciding or f"{before}{word}" in _SOMETIMES or depth == asks:
                return True
            asks = depth if word in ("if", "while") else asks
        return True

    # Functions that go on with a string

    def goes_on(self, at: int, end: int, begin: int) -> bool:
        """Whether a function that is not shown may write more right behind a string whose option ends there."""
        callees = [each for each in self._callees(at, begin) if not self.is_known(self.words[each])]
        if not callees or self.words[end:end + 1] != [","] or self.words[callees[0] + 1] != "(":
            return False
        if self.match.get(callees[0] + 1, 0) < end or self.words[end + 1] in _NO_TEXT or self.all.begins_blank(end + 1):
            return False
        callee = callees[0]
        first = next((word for word in self.words[callee + 2:at] if word.isidentifier()), "")
        before = callee - 1
        while before > begin and (self.words[before] in (":", ".", ">", "-") or (
                self.words[before].isidentifier() and self.words[before + 1] in (":", ".", "-"))):
            before -= 1
        if callee == begin or before <= begin:
            return self.is_text(first) or self.words[begin] == "return"
        if self.words[before] == "=":
            declared = self.words[begin:before]
            return _OBJECTS.isdisjoint(declared) and not self._is_object(declared[-1] if declared else "")
        return True

    def is_text(self, name: str) -> bool:
        """Whether a text declares a name as something that holds characters."""
        return bool(name) and any(not _TEXTS.isdisjoint(self.words[max(0, each - 2):each]) for each in self.all.places.get(name,
                                                                                                                           []))

    def _is_object(self, name: str) -> bool:
        return any(self.words[each - 1] in _OBJECTS for each in self.all.places.get(name, []))

    # Texts from outside

    @cached_property
    def outside(self) -> frozenset[str]:
        """The words for texts of which nobody knows what they say."""
        found = set(_OUTSIDE)
        for at in self.all.places.get("main", []):
            if self.words[at + 1:at + 2] == ["("] and at + 1 in self.match:
                names = [word for word in self.words[at + 2:self.match[at + 1]] if word.isidentifier() and word not in ("int",
                                                                                                                        "char")]
                found |= {word for word in names[1:] if word != "const"}
        return frozenset({*found, "argv"})

    def is_outside(self, names: set[str], function: int) -> bool:
        """Whether a text from outside goes into one of some variables of a function."""
        foreign = set(self.outside)
        for _ in range(3):
            for begin, stop in self.all.statements(function):
                words = self.words[begin:stop]
                if ";" in words or foreign.isdisjoint(words) or any(map(_NUMBERS.fullmatch, words)):
                    continue
                written = self.all.writing(begin, stop)
                if written is not None and not foreign.isdisjoint(self.words[written.begin:stop]):
                    foreign.add(written.name)
                elif not _OUTSIDE.isdisjoint(words):
                    foreign |= {word for word in words if self.is_text(word)}
        return not names.isdisjoint(foreign)
