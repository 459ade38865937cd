"""Values that a host of OpenCL writes into the options of a program, tied to the launches of the kernels that are made of it.

In: a host text and a kernel's variable in it. Out: the options `-DNAME=value` whose value is an expression of the host, each with
the statement that writes it. A copy of the expression stands before that statement and is passed with the launch, as one of an
argument is, so that all that is known of values is known of these too.

Taken is only what is certain. Of a name, one string alone in the text speaks; one that is put together leaves all open. The
statement comes before the program is made, the program before the kernel, the kernel before the launch, each on every way and
all in one run of one block, and the program is built with nothing but the variable that the statement writes. Of what else
stands in that variable every place is looked at: only strings are written into it, so that an option of the name is one that
this statement wrote, the last of them counts, and nothing is written over it before the launch. An option begins and ends at a
blank, so what is written before it ends with one, and a string with one follows. What is written is the number in decimals: a
format converts its argument, so the copy has the type that the format names, and streams write characters as such.
Source: the OpenCL 1.2 specification, 5.6.4.1 "Preprocessor options" (processed in the order in which they are given).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from automata.lang.host.opencl_handed import argument_of, parameters
from automata.lang.host.opencl_text import NOWHERE, HostText, Part

OPTION_NAME = "spmd_option_"
"""What a copy's name begins with: `spmd_option_120_SIZE` is what stands at token 120 in `-DSIZE=`."""
_BUILD, _CREATES = "clBuildProgram", ("clCreateProgramWithSource", "clCreateProgramWithBinary")
_OF_PROGRAMS = frozenset({_BUILD, "clGetProgramBuildInfo", "clGetProgramInfo", "clCreateKernel", "clReleaseProgram"})
_WRITING = re.compile(r"(?:^|\s)-D\s*([A-Za-z_]\w*)=(%(?:[lz]|ll)?[diu])?(?=\s|$)")
_FORMATTED = {"d": "int", "i": "int", "u": "unsigned int", "ld": "long", "li": "long", "lu": "unsigned long", "lld": "long long",
              "lli": "long long", "llu": "unsigned long long", "zd": "long", "zi": "long", "zu": "size_t"}
"""The type that a format takes its argument for."""
_NUMBERS = frozenset({"int", "unsigned", "long", "short", "size_t", "cl_int", "cl_uint", "cl_long", "cl_ulong", "cl_short",
                      "cl_ushort", *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (16, 32, 64))})
"""Types whose values a stream writes as numbers; it writes those of 8 bits as characters."""
_TAKES_NEXT = re.compile(r"(?:^|\s)-(?:[DIUxo]|include|isystem)\s*$")
"""A word of options that takes the next one for its own."""
_UNPLAIN = re.compile(r"\\[^nt]|'")
_PIECE = re.compile(r"-[DU]\s*\w*%|-[DU]\s*\w+=?%s|(?:^|\s)-U\s*[A-Za-z_]")
_SHOWING = ("to_string", "toString", "str")
_STREAMS = ("ostringstream", "stringstream")


@dataclass(frozen=True, slots=True)
class Option:
    """An option whose value the host computes: its name, the first token of the statement, and the tokens of the value.
    `sum`: the sum of strings that it stands in, which only reads what it shows; `kind`: the type that the value is written as."""

    name: str
    at: int
    value: tuple[str, ...]
    sum: Part = NOWHERE
    kind: tuple[str, ...] = ("auto",)

    @property
    def word(self) -> str:
        return f"{OPTION_NAME}{self.at}_{self.name}"


def option_named(word: str) -> str | None:
    """The option that a launch passes under a name; None for an argument."""
    return word.removeprefix(OPTION_NAME).partition("_")[2] if word.startswith(OPTION_NAME) else None


class Options:
    """The options of programs that one text builds."""

    def __init__(self, text: HostText) -> None:
        self.host, self.text = text, text.text
        self.literals = [at for at, token in enumerate(self.text) if token[:1] == '"']
        self.is_open = any(map(self._is_cut, self.literals))

    def _is_cut(self, at: int) -> bool:
        """Whether a string takes a name back, or names an option that another text completes."""
        said, after = self.text[at][1:-1], self.text[at + 1]
        is_open = after not in (";", ")", ",") and re.search(r"-[DU]\s*\w*$", said) is not None
        return is_open or _PIECE.search(said) is not None

    def of(self, program: str, made: int, launch: int) -> list[Option]:
        """The options that the program certainly has of which a kernel is made at a token, and launched at another."""
        body = self.host.body(launch)
        if self.is_open or body == NOWHERE:
            return []
        variable = self._built_with(program, body, made)
        begins = self._program(program, body, made)
        if not variable or begins < 0 or not self._is_plain(variable, body):
            return []
        found = [option for at in self.literals if body[0] < at < begins for option in self._written(at, variable)]
        return [each for each in found if self.host.block(each.at) > 0 and self.host.body(each.at) == body
                and self.host.match[self.host.block(each.at)] > launch and self._is_kept(variable, each.at, launch)]

    def _is_kept(self, variable: str, begin: int, launch: int) -> bool:
        """Whether what a statement wrote stays in a variable up to a launch: nothing is written over it."""
        own = next((at for at in self.host.places.get(variable, []) if at >= begin), launch)
        for at in self.host.places.get(variable, []):
            if own < at < launch:
                is_anew = self.text[at + 1] == "=" and self.text[at + 2] != variable
                opening = self.host.bracket(at)
                is_first = opening == at - 1 and self.text[at + 1] == "," and self.text[opening - 1] == "sprintf"
                if is_anew or is_first:
                    return False
        return True

    # The program

    def _program(self, name: str, body: Part, made: int) -> int:
        """Where the program is made first, if the variable holds nothing else: on every way to a kernel; -1 if that is not so."""
        places = [at for at in self.host.places.get(name, []) if body[0] < at < body[1]]
        declared = [at for at in places if self.text[at - 1] == "cl_program"]
        begun = [at for at in places if self.text[at + 1] == "=" and self.text[at + 2] in _CREATES]
        if len(declared) != 1 or self.text[declared[0] - 2] == "static" or not begun or begun[0] > made:
            return -1
        for at in places:
            call = argument_of(self.host, at)
            is_taken = call is not None and self.text[call[0] - 1] in _OF_PROGRAMS
            if at not in begun and not is_taken and not (at in declared and self.text[at + 1] == ";"):
                return -1
        last = max(at for at in begun if at < made)
        begin = self._statement(last)
        is_first = self.text[begin] in (name, "cl_program")
        block = self.host.block(begin) if is_first else -1
        return begun[0] if block > 0 and self.host.match[block] > made and not {"goto", "case", "default", "catch"} & set(
            self.text[body[0]:made]) else -1

    def _built_with(self, program: str, body: Part, made: int) -> str:
        """The variable whose text are the options of every build of a program; empty where that is not one."""
        found = set[str]()
        for at, parts in self.host.calls(_BUILD):
            if body[0] < at < body[1] and len(parts) == 6 and self.host.words(parts[0]) == [program]:
                words = self.host.words(parts[3])
                is_text = len(words) == 1 or words[1:] in ([".", "c_str", "(", ")"], [".", "data", "(", ")"])
                found.add(words[0] if is_text and words[0].isidentifier() else "")
        return found.pop() if len(found) == 1 else ""

    def _statement(self, at: int) -> int:
        """The first token of the statement that a token stands in."""
        while at > 0 and self.text[at - 1] not in (";", "{", "}"):
            at -= 1
        return at

    # The text of the options

    def _is_plain(self, name: str, body: Part) -> bool:
        """Whether nothing but strings, and numbers in them, is written into a variable, and nobody else may hold it."""
        places = [at for at in self.host.places.get(name, []) if body[0] < at < body[1]]
        declared = [at for at in places if self.text[at - 1] in ("string", "char") and self.text[at - 2] != "static"]
        is_own = len(declared) == 1 and self.text[declared[0] + 1] in (";", "=", "[", "(")
        is_own = is_own and not (self.text[declared[0] - 1] == "char" and self.text[declared[0] + 1] != "[")
        return (is_own or (not declared and self._is_given(name, body))) and all(
            self.host.body(at) == body and (at in declared or self._is_understood(at)) for at in places) and all(
            map(self._begins_plainly, declared))

    def _begins_plainly(self, at: int) -> bool:
        """Whether a declaration writes strings alone."""
        stop = self.host.end(at, self.host.size) - 1
        if self.text[at + 1] == "[":
            at = self.host.match[at + 1]
        inner = self.text[at + 1:stop]
        if inner[:1] == ["="] and self.text[at + 2] != "{":
            return self._operands(at + 2, stop) is not None
        return all(token in ("=", "{", "}", "(", ")") or token == "0" or self._is_piece(token) for token in inner)

    def _is_given(self, name: str, body: Part) -> bool:
        """Whether a variable is a parameter: a copy, or one of each caller that is written down and given to nobody else."""
        own = parameters(self.host, body[0])
        index = next((number for number, part in enumerate(own) if self.text[part[1] - 1] == name), -1)
        words = [word for word in self.text[slice(*own[index])] if word not in ("std", "::")][:-1] if index >= 0 else []
        if words in (["string"], ["const", "string"]):
            return True
        function = self.host.name_of(body[0])
        is_one = [self.host.name_of(each) for each, _ in self.host.functions].count(function) == 1
        if words not in (["string", "&"], ["const", "string", "&"]) or not is_one or self.host.is_in_class(body[0]):
            return False
        return all(self._gives(at, index, len(own)) for at in self.host.places[function] if self.host.function(at) != NOWHERE)

    def _gives(self, at: int, index: int, count: int) -> bool:
        """Whether a call gives a function a string of the caller's own."""
        opening = at + 1
        while self.text[opening] in ("<", ">", "float", "double", "int"):
            opening += 1
        parts = self.host.parts(opening) if self.text[opening] == "(" and self.host.match[opening] > 0 else []
        body = self.host.body(at)
        word = self.text[parts[index][0]] if len(parts) == count and parts[index][1] == parts[index][0] + 1 else ""
        places = [each for each in self.host.places.get(word, []) if body[0] < each < body[1]] if word.isidentifier() else []
        begun = [each for each in places if self.text[each - 1] == "string" and self.text[each - 2] != "static"]
        given = [each for each in places if self._is_given_to(each, at)]
        return bool(begun) and sorted(begun + given) == places and all(map(self._begins_plainly, begun))

    def _is_given_to(self, at: int, function: int) -> bool:
        """Whether a token is an argument by itself in a call of the function that another names."""
        before = self.host.bracket(at) - 1
        is_alone = before > 0 and self.text[at - 1] in (",", "(") and self.text[at + 1] in (",", ")")
        while self.text[before] in ("<", ">", "float", "double", "int"):
            before -= 1
        return is_alone and self.text[before] == self.text[function]

    def _is_understood(self, at: int) -> bool:
        """Whether a place writes strings and numbers, or reads."""
        text, before, after = self.text, self.text[at - 1], self.text[at + 1]
        if before in (";", "{", "}") and after in ("=", "+="):
            return self._operands(at + 2, self.host.end(at, self.host.size) - 1) is not None
        if before == "=" and after == "+" and text[at - 2] == text[at] and text[at - 3] in (";", "{", "}"):
            return True  # the sum has been looked at where it is assigned
        if after == "." and text[at + 2] in ("c_str", "data", "size", "length", "empty"):
            call = argument_of(self.host, at)
            opening = self.host.bracket(at)
            return call is None and opening > 0 and text[opening - 1] in (_BUILD, "printf", "strlen")
        if before == "<<" and after in ("<<", ";"):
            return True
        opening = self.host.bracket(at)
        name = text[opening - 1] if opening > 0 else ""
        if name == "strlen":
            return text[opening + 1] == text[at] and self.host.match[opening] == at + 1
        if name == "sprintf":
            return self._formats(opening) == text[at]
        call = argument_of(self.host, at)
        return call is not None and text[call[0] - 1] in (_BUILD, "printf", "puts")

    def _operands(self, begin: int, stop: int) -> list[Part] | None:
        """The operands of a sum of strings, if each is written down or shows one number; the first may be a variable."""
        parts, at, start = list[Part](), begin, begin
        while at < stop:
            if self.text[at] in ("(", "["):
                at = max(at, self.host.match[at])
            elif self.text[at] == "+":
                parts.append((start, at))
                start = at + 1
            at += 1
        parts.append((start, stop))
        for number, part in enumerate(parts):
            words = self.text[slice(*part)]
            is_text = bool(words) and all(map(self._is_piece, words))
            if words[:2] == ["string", "("] and words[-1] == ")" and all(map(self._is_piece, words[2:-1])):
                is_text = True
            is_same = number == 0 and words == [self.text[begin - 2]]
            if not (is_text or is_same or self._shown(part) is not None):
                return None
        return parts

    def _is_piece(self, token: str) -> bool:
        """Whether a token is a string that says what it seems to: no other spelling of a character, no quotes in it, and no word
        at its end that takes the next one."""
        return token[:1] == '"' and _UNPLAIN.search(token) is None and _TAKES_NEXT.search(token[1:-1]) is None

    def _leaves_blanks(self, name: str, body: Part) -> bool:
        """Whether all that is written into a variable of the function's own ends with a blank, or is empty."""
        places = [at for at in self.host.places.get(name, []) if body[0] < at < body[1]]
        is_own = any(self.text[at - 1] in ("string", "char") for at in places)
        return is_own and all(self._leaves_blank(at) for at in places)

    def _leaves_blank(self, at: int) -> bool:
        """The same of one place; one that only reads writes nothing."""
        opening = self.host.bracket(at)
        is_format = opening == at - 1 and self.text[opening - 1] == "sprintf"
        if not is_format and self.text[at + 1] not in ("=", "+=", "(", "[") and self.text[at - 1] not in ("string", "char"):
            return True
        stop = self.host.match[opening] if is_format else self.host.end(at, self.host.size) - 1
        said = [word[1:-1] for word in (self.text[slice(*self.host.parts(opening)[1])] if is_format else self.text[at:stop])
                if word[:1] == '"']
        is_last = is_format or not said or next(word for word in self.text[stop - 1:at:-1] if word not in (")", "}"))[:1] == '"'
        return not "".join(said) or (is_last and re.search(r"(?:\s|\\[nt])$", said[-1]) is not None)

    def _shown(self, part: Part) -> Part | None:
        """What an operand shows in decimals: `to_string(n)`."""
        begin, end = part
        if self.text[begin:begin + 2] == ["std", "::"]:
            begin += 2
        elif not self._shows(self.text[begin]):
            return None
        is_call = self.text[begin] in _SHOWING and self.text[begin + 1] == "(" and self.host.match[begin + 1] == end - 1
        is_number = self.text[begin] == "to_string" or all(map(self._is_number, self.text[begin + 2:end - 1]))
        return (begin + 2, end - 1) if is_call and is_number and self.host.is_clean((begin + 2, end - 1)) else None

    def _is_number(self, name: str) -> bool:
        """Whether a word that a stream writes is no name, or one that is declared with types of numbers alone."""
        before = {self.text[at - 1] for at in self.host.places.get(name, [])}
        types = {word for word in before if word.isidentifier()} - {"return", "else"}
        return not name.isidentifier() or (bool(types) and types <= _NUMBERS)

    def _shows(self, name: str) -> bool:
        """Whether a function writes its argument into a stream and gives that; the library's does."""
        bodies = [each for each, _ in self.host.functions if self.host.name_of(each) == name]
        if not bodies:
            return name == "to_string" and not self._is_declared(name)
        if len(bodies) != 1 or len(own := parameters(self.host, bodies[0])) != 1:
            return False
        given = self.text[own[0][1] - 1]
        words = [word for word in self.text[bodies[0] + 1:self.host.match[bodies[0]]] if word not in ("std", "::")]
        return len(words) > 1 and words[0] in _STREAMS and words[1].isidentifier() and words[1] != given and words[2:] == [
            ";", words[1], "<<", given, ";", "return", words[1], ".", "str", "(", ")", ";"]

    def _is_declared(self, name: str) -> bool:
        """Whether a text may declare a function of a name."""
        return any((self.text[at - 1].isidentifier() and self.text[at - 1] not in ("return", "else")) or self.text[at - 1] in (
            "*", "&", ">") for at in self.host.places.get(name, []))

    # One option

    def _written(self, at: int, variable: str) -> list[Option]:
        """The options that a string writes into a variable, of which no other string speaks."""
        if self.text[at - 1][:1] == '"':
            return []
        begin = self._statement(at)
        stop = self.host.end(begin, self.host.size) - 1
        found = list[Option]()
        if self.text[begin:begin + 2] in ([variable, "="], [variable, "+="]):
            found = [Option(name, begin, tuple(self.text[slice(*part)]), (begin + 2, stop))
                     for name, part in self._in_sum(begin + 2, stop, at)]
        elif (opening := self.host.bracket(at)) == begin + 1 and self._formats(opening) == variable:
            found = [Option(name, begin, tuple(self.text[slice(*part)]), kind=tuple(kind.split()))
                     for name, part, kind in self._in_format(opening) if kind]
        return [each for each in found if self._is_told_once(each.name)]

    def _is_told_once(self, name: str) -> bool:
        word = re.compile(rf"(?:(?<!\w)|(?<=-D)){name}(?!\w)")
        return sum(len(word.findall(self.text[at])) for at in self.literals) == 1

    def _in_sum(self, begin: int, stop: int, at: int) -> list[tuple[str, Part]]:
        """The option at the end of a string in a sum, whose value comes next and ends at a blank."""
        parts = self._operands(begin, stop) or []
        number = next((each for each, part in enumerate(parts) if part[0] <= at < part[1]), len(parts))
        if number + 2 >= len(parts):
            return []
        said = "".join(word[1:-1] for word in self.text[slice(*parts[number])] if word[:1] == '"')
        found = re.search(r"(?:^|\s)-D\s*([A-Za-z_]\w*)=$", said)
        shown, behind = self._shown(parts[number + 1]), self.text[parts[number + 2][0]]
        if found is None or shown is None or behind[:2] != '" ' or _TAKES_NEXT.search(said[:found.start()]):
            return []
        return [(found[1], shown)] if found[0][0] != "-" or self._is_behind_blank(parts, number) else []

    def _is_behind_blank(self, parts: list[Part], number: int) -> bool:
        """Whether an operand of a sum is written behind a blank, or first of all."""
        name = self.text[parts[0][0] - 2]
        before = self.text[slice(*parts[number - 1])] if number else [name]
        if before == [name]:
            return (not number and self.text[parts[0][0] - 1] == "=") or self._leaves_blanks(name, self.host.body(parts[0][0]))
        return re.search(r'\s"\)?$', "".join(before)) is not None

    def _formats(self, opening: int) -> str:
        """The variable that `sprintf` writes a text into, of nothing but numbers; empty where it is not plainly that. `snprintf`
        may cut a number off."""
        parts = self.host.parts(opening)
        if self.text[opening - 1] != "sprintf" or len(parts) < 2 or self._is_declared("sprintf"):
            return ""
        words, text = self.text[slice(*parts[0])], self._format(parts[1])
        name = words[0]
        is_there = len(words) == 1 or words[1:] == ["+", "strlen", "(", name, ")"]
        plain = re.sub(r"%%|%(?:l|ll|z)?[diu]", "", text)
        is_plain = bool(text or parts[1][1] - parts[1][0] == 1) and "%" not in plain
        return name if is_there and is_plain and all(map(self.host.is_clean, parts[2:])) else ""

    def _format(self, part: Part) -> str:
        words = self.text[slice(*part)]
        return "".join(word[1:-1] for word in words) if all(map(self._is_piece, words)) else "%s"

    def _in_format(self, opening: int) -> list[tuple[str, Part, str]]:
        """The options of a format, each with the argument that it writes and the type that it takes it for; a blank ends the
        last."""
        parts = self.host.parts(opening)
        text, given, name = self._format(parts[1]), parts[2:], self.text[opening + 1]
        is_behind_blank = parts[0][1] == parts[0][0] + 1 or text[:1] != "-" or self._leaves_blanks(name, self.host.body(opening))
        found = list[tuple[str, Part, str]]()
        for match in _WRITING.finditer(text):
            number = len(re.findall(r"%(?!%)", text[:match.start(2)].replace("%%", ""))) if match[2] else len(given)
            is_word = (match.start() > 0 or is_behind_blank) and not _TAKES_NEXT.search(text[:match.start()])
            if is_word and number < len(given) and (match.end() < len(text) or self._is_last(opening)):
                found.append((match[1], given[number], _FORMATTED.get(match[2][1:], "")))
        return found

    def _is_last(self, opening: int) -> bool:
        """Whether nothing is written into the variable behind a statement."""
        name, body = self.text[opening + 1], self.host.body(opening)
        behind = [at for at in self.host.places[name] if self.host.match[opening] < at < body[1]]
        return all((call := argument_of(self.host, at)) is not None and self.text[call[0] - 1] in (_BUILD, "printf", "puts")
                   for at in behind) and not self.host.loops(opening)
