"""What host code passes to the compiler of an OpenCL program, where its text says so plainly.

In: a text of OpenCL and its project's folder. Out: the macros of the options that the host builds it with. The host code is the
nearest text of the project that names the file in a string, or else one of its kernels. Options are the `-DNAME=value` in its
strings; of `sprintf` and its kin an argument that is a number, of sums and streams the constant that follows. Taken is what every
build of the program passes: what stands in no branch but such as the build itself stands in. A macro with two values, or with
one that is computed, is left out, and named where its name is missed. What is taken is printed with the verdict.
Where a text cannot be read so, one build of several is looked at (`builds_of`): the host code as its preprocessor leaves it, and
of branches one. And a macro that is certainly an integer may stand for any (`Passed.numbers`).
Source: the OpenCL 1.2 specification, 5.6.4 "Build Options"; the C standard, 7.21.6 "Formatted input/output functions".
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from automata.lang.compile_commands import Flags
from automata.lang.condition import ConditionError, value_of
from automata.lang.foreign import UNSURE
from automata.lang.option_places import Places, is_macro
from automata.lang.option_tokens import MOST_TOKENS, TOKEN, Token, said, tokens_of, without_comments
from automata.lang.project import areas, text_of
from automata.place import InputError

ATTRIBUTE = r"(?>\s+__attribute__\s*\(\((?:[^()]|\([^()]*\))*+\)\))*\s+"
KERNEL = re.compile(rf"\b(?:__kernel|kernel)\b{ATTRIBUTE}void\b{ATTRIBUTE}(\w+)")
OPTION = re.compile(r"(?:^|\s)-([DU])\s*([A-Za-z_]\w*)(=\S*)?")
COMPUTED = re.compile(r"(?:^|\s)-[DU]\s*(?:\w*%|$)")
"""An option whose name another string says."""
NOT_PLAIN = re.compile(r"[\"'\\\0]|(?:^|\s)-(?:[IUxo]|include|isystem)\s+-")
PLAIN_VALUE = re.compile(r"[\w().+\-*/,<>:~^|&!=\[\]]*")
SHOWN = re.compile(r"%(?:ll|[lzjqt])?[diu]")
REMARK = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
CONVERSION = re.compile(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.\d+)?(?:hh|h|ll|l|q|j|z|t)?([a-zA-Z]))")
INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)")
UNDEFINE = re.compile(r"#[ \t]*undef[ \t]+(\w+)()[^\n]*")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
BUILDS = re.compile(r"\w*[bB]uild\w*|\w*[cC]ompile\w*")
SHOWS = re.compile(r"(?:std : : )?(?:to_string|toString|str)")
INTEGERS = frozenset(["const", "static", "int", "unsigned", "signed", "long", "short", "size_t", "uint", "ulong", "ushort",
                      "cl_int", "cl_uint", "cl_long", "cl_ulong", "cl_short", "cl_ushort", "int32_t",
                      "uint32_t", "int64_t", "uint64_t"])
"""The words that a declaration of an integer is made of."""
POINTED = re.compile(r"char|void|const|string|FILE|float|double|int")
KINDS = INTEGERS | {"auto", "char", "bool", "float", "double", "cl_float", "cl_double", "cl_char", "cl_bool"}
NO_TYPES = frozenset({"return", "else", "case", "goto", "delete", "new", "throw", "sizeof", "operator", "in", "and", "or", "not"})
INT, ANY_NAME, END = 2**31, "*", 6
ANY_NUMBER = "is any int from 0 on"
DEPTH, MOST_BUILDS = 8, 6


@dataclass
class Passed:
    """The options of a program, with the text that passes them. `open`: macros that it passes with values it computes, or in some
    builds, each with its line; `numbers`: those of them that it writes as integers; `certain`: those that every build passes.
    `computed`: a line where it passes a macro whose name it computes, which may be any other; else 0."""

    flags: Flags = field(default_factory=Flags)
    open: dict[str, int] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    certain: set[str] = field(default_factory=set)
    computed: int = 0

    def left_open(self, asked: Mapping[str, bool], defines: Mapping[str, str]) -> list[str]:
        """The macros that conditions of the program ask about and no value is known of. `asked`: whether by their values."""
        return [name for name in asked if (self.computed or name in self.open) and name not in defines]

    def any_numbers(self, asked: Mapping[str, bool]) -> list[str]:
        """Those of some macros which every build passes as an integer, if conditions only ask whether they are defined."""
        return [name for name, by_value in asked.items() if name in self.certain & self.numbers and not by_value]


@dataclass(frozen=True)
class _Piece:
    """An option that a string states at a token: its name, and its value if that is known. `is_number`: written as an integer, or
    stated as one; `is_certain`: it is passed wherever the string is."""

    token: Token
    name: str
    value: str | None
    is_number: bool
    is_certain: bool


def options_of(path: str, stated: str | None) -> Passed | None:
    """What the project's host code passes with a program; None where no text names it, or none passes any macro."""
    own, name = os.path.realpath(path), os.path.basename(path)
    kernels = set(KERNEL.findall(REMARK.sub(" ", text_of(path) or "")))
    for wanted in ({name}, kernels):
        for files in areas(path, stated):
            for file in files:
                text = text_of(file) if file != own else None
                passed = _passed(file, text, wanted, name in wanted) if text is not None else None
                if passed is not None:
                    return passed
    return None


def builds_of(path: str, passed: Passed, host: Callable[[str], str]) -> Iterator[Flags]:
    """The macros of one build of several, for the first few of them: of the text that passes the options, as `host` preprocesses
    it. Those that say nothing more are left out."""
    name, file, seen = os.path.basename(path), passed.flags.where, [passed.flags.defines]
    kernels = set(KERNEL.findall(REMARK.sub(" ", text_of(path) or "")))
    try:
        text = host(file).replace(UNSURE, " " * len(UNSURE))
    except InputError:
        return
    for wanted in ({name}, kernels):
        for number in range(2 * MOST_BUILDS):
            found = _passed(file, text, wanted, name in wanted, number)
            if found is not None and found.flags.defines not in seen and found.flags.defines:
                seen.append(found.flags.defines)
                yield found.flags


def _passed(file: str, text: str, wanted: set[str], is_file: bool, one: int | None = None) -> Passed | None:
    """What one text passes, if it names a program and passes macros. `one`: in one build of several, by its
    number: first of what the functions say that name the program, then of all."""
    if "-D" not in text or not any(each in text for each in wanted):
        return None
    tokens = [*tokens_of(without_comments(text)), *[Token(";", 0, (), 0)] * END]
    named = [token for token in tokens if token.text.startswith('"') and _names(token.text[1:-1], wanted, is_file)]
    if not named or len(tokens) >= MOST_TOKENS:
        return None
    functions, constants, places = {token.function for token in named}, _constants(file, text), Places(tokens)
    pieces = [found for at, token in enumerate(tokens) if token.text.startswith('"')
              and (at == 0 or not tokens[at - 1].text.startswith('"')) for found in _pieces(places, at, constants)]
    pieces += [found for token in tokens if token.words for found in _defined(token)]
    inside = [piece for piece in pieces if piece.token.function in functions]
    inside += [piece for piece in pieces if piece.token.words and piece not in inside] if inside else []
    anchors = [*named, *(token for token, after in pairwise(tokens) if after.text == "(" and BUILDS.fullmatch(token.text))]
    if one is None:
        return _summed(inside or pieces, anchors, file)
    return _summed(_of_one_build(inside if one < MOST_BUILDS else pieces, anchors, one % MOST_BUILDS), anchors, file)


def _names(literal: str, wanted: set[str], is_file: bool) -> bool:
    return literal in wanted or (is_file and re.split(r"[/\\\s]", literal)[-1] in wanted)


def _summed(pieces: list[_Piece], anchors: list[Token], file: str) -> Passed | None:
    """The macros that every build passes, with the values that all pieces agree on."""
    passed = Passed(Flags(where=file), computed=next((piece.token.line for piece in pieces if piece.name == ANY_NAME), 0))
    lost = set[str]()
    for piece in (each for each in pieces if each.name != ANY_NAME):
        name, value = piece.name, piece.value
        if value is None or not _is_around(piece.token, anchors) or passed.flags.defines.get(name, value) != value:
            lost.add(name)
            passed.open.setdefault(name, piece.token.line)
        else:
            passed.flags.defines[name] = value
    for name in lost:
        passed.flags.defines.pop(name, None)
        mine = [piece for piece in pieces if piece.name == name]
        passed.numbers |= {name} if all(piece.is_number for piece in mine) else set()
        is_certain = all(piece.is_certain for piece in mine) and any(_is_around(piece.token, anchors) for piece in mine)
        passed.certain |= {name} if is_certain else set()
    return passed if passed.flags.defines or passed.open or passed.computed else None


def _of_one_build(pieces: list[_Piece], anchors: list[Token], number: int) -> list[_Piece]:
    """The options of one build: of what stands in branches, that of one whose value is known, by its number, and what stands
    around it."""
    apart = [each.token for each in pieces if each.value is not None and not _is_around(each.token, anchors)]
    chosen = apart[number] if number < len(apart) else None
    return [replace(each, token=replace(each.token, branches=())) for each in pieces
            if _is_around(each.token, anchors) or (chosen is not None and each.token.function == chosen.function
                                                   and each.token.branches == chosen.branches[:len(each.token.branches)])]


def _is_around(token: Token, anchors: list[Token]) -> bool:
    """Whether every build that a text makes passes what stands at a token."""
    return not token.branches or any(anchor.function == token.function and anchor.branches[:len(token.branches)] == token.branches
                                     for anchor in anchors)


def _pieces(places: Places, at: int, constants: dict[str, str]) -> Iterator[_Piece]:
    """The options that the strings from a place on state."""
    tokens = places.tokens
    token, text, end = tokens[at], "", at
    directives: list[int] = []
    while end < len(tokens) and (tokens[end].text.startswith('"') or tokens[end].text == "#"):
        if tokens[end].text == "#":
            directives.append(len(text))
        else:
            text += said(tokens[end].text)
        end += 1
    if not re.search("-[DU]", text):
        return
    cut = min(directives, default=len(text))
    is_plain = not NOT_PLAIN.search(text) and (at == 0 or not is_macro(tokens[at - 1].text))
    if at > 1 and [each.text for each in tokens[at - 2:at]] == ["string", "("] and tokens[end].text == ")":
        end += 1
    written = _Written(places, at, end, text)
    for match in OPTION.finditer(text):
        found, is_last = written.value_of(match, constants)
        value = (match[3] or "=1")[1:]
        is_certain = is_plain and match[1] != "U" and match.end() <= cut and places.keeps(at, end, is_last)
        is_number = _is_number(value) if value else _is_integer(tokens, written.next)
        yield _Piece(token, match[2], found if is_certain else None, is_number, is_certain)
    if COMPUTED.search(text) and not places.is_shown(at):
        yield _Piece(token, ANY_NAME, None, False, False)


class _Written:
    """What is written with a string: the arguments of its format, the operand behind it."""

    def __init__(self, places: Places, at: int, end: int, text: str) -> None:
        self.places, self.at, self.text = places, at, text
        self.conversions = [each for each in CONVERSION.finditer(text) if each[1]]
        self.given = list(_arguments(places.tokens, end)) if "%" in text else []
        self.next, self.end = _next(places.tokens, end)
        self.is_in_decimals = not {"hex", "oct", "setw", "setbase", "setfill"}.intersection(places.words)
        self.is_counted = not any("*" in each[0] or "$" in each[0] for each in self.conversions)
        self.behind = places.words[end] if end < len(places.words) else ""
        self.goes_on = end

    def value_of(self, match: re.Match[str], constants: dict[str, str]) -> tuple[str | None, bool]:
        """The value of an option, None where it is computed; and whether what is written behind the statement goes on with it."""
        value = (match[3] or "=1")[1:]
        is_end = match.end() == len(self.text)
        if "%" in value:
            used = [number for number, each in enumerate(self.conversions) if match.start() <= each.start() < match.end()]
            whole = SHOWN.fullmatch(value)
            known = whole is not None and self.is_counted and bool(used) and used[0] < len(self.given)
            return _number(self.given[used[0]], constants, "u" in value) if known else None, is_end
        if match[3] and not value and is_end:
            after = self.places.words[self.end:self.end + 1]
            is_ended = after not in (["+"], ["<<"]) or self.places.begins_blank(self.end + 1)
            known = is_ended and self.is_in_decimals
            return _number(self.next, constants) if known else None, after not in (["+"], ["<<"])
        if is_end and (is_macro(self.behind) or (self.behind in ("+", "<<") and not self.places.begins_blank(self.goes_on + 1))):
            return None, False
        return value if PLAIN_VALUE.fullmatch(value) else None, is_end and self.behind not in ("+", "<<")


def _defined(directive: Token) -> Iterator[_Piece]:
    """The options in the strings of a directive, which may be passed anywhere."""
    for literal in TOKEN.findall(directive.words.partition("define")[2]):
        if literal.startswith('"'):
            for match in OPTION.finditer(said(literal)):
                yield _Piece(directive, match[2], None, False, False)


def _is_number(value: str) -> bool:
    """Whether a value is an integer, whatever is written for conversions of integers."""
    return INTEGER.fullmatch(CONVERSION.sub(lambda each: "1" if each[1] and each[1] in "diuxX" else each[0], value)) is not None


def _arguments(tokens: Sequence[Token], at: int) -> Iterator[list[str]]:
    """What stands between the commas behind a format, up to the end of its call."""
    depth, current = 0, list[str]()
    for token in tokens[at:at + 2_000]:
        if token.text in ("#", ";"):
            return
        if depth == 0 and token.text in (",", ")"):
            if current:
                yield current
            current = []
            if token.text == ")":
                return
            continue
        depth += (token.text in "([{") - (token.text in ")]}")
        current.append(token.text)


def _next(tokens: Sequence[Token], at: int) -> tuple[list[str], int]:
    """The operand behind `+` or `<<`, without the function that writes it out, and the place behind it."""
    if at >= len(tokens) or tokens[at].text not in ("+", "<<"):
        return [], at
    words: list[str] = []
    depth, stops = 0, ("<<", ";", ")", ",") if tokens[at].text == "<<" else ("+", "<<", ";", ")", ",")
    end = at + 1
    for token in tokens[at + 1:at + 200]:
        if depth == 0 and token.text in stops:
            break
        depth += (token.text == "(") - (token.text == ")")
        words.append(token.text)
        end += 1
    shown = re.match(rf"{SHOWS.pattern} (?=\()", " ".join(words))
    return words[len(shown[0].split()):] if shown else words, end


def _number(words: list[str], constants: dict[str, str], is_unsigned: bool = False) -> str | None:
    """The value of a constant expression of integers that `int` holds; None for any other."""
    text = " ".join(words)
    for _ in range(DEPTH):
        text = re.sub(r"\b[A-Za-z_]\w*\b", lambda match: constants.get(match[0], match[0]), text)
    tokens = [token[0] for token in TOKEN.finditer(text)]
    if not tokens or any(re.match(r"[A-Za-z_\"'.]", token) or _is_large(token) for token in tokens):
        return None
    try:
        value = value_of(tokens)
    except ConditionError:
        return None
    return str(value) if (0 if is_unsigned else -INT) <= value < INT else None


def _is_large(token: str) -> bool:
    """Whether a token is a number, and none of `int`."""
    try:
        return token[:1].isdigit() and (token[-1:] in "uU" or value_of([token]) >= INT)
    except ConditionError:
        return True


def _is_integer(tokens: Sequence[Token], words: list[str]) -> bool:
    """Whether what is written out is a variable that the text declares as an integer wherever it declares its name."""
    names = [word for word in words if word not in ("(", ")")]
    if len(names) != 1 or not re.fullmatch(r"[A-Za-z_]\w*", names[0]):
        return False
    places = [at for at in range(2, len(tokens)) if tokens[at].text == names[0]]
    if any(tokens[at - 1].text in ("*", "&") and POINTED.fullmatch(tokens[at - 2].text) for at in places):
        return False
    before = [tokens[at - 1].text for at in places]
    kinds = [word for word in before if re.fullmatch(r"[A-Za-z_]\w*", word) and word not in NO_TYPES]
    return bool(kinds) and all(word in INTEGERS for word in kinds)


def _constants(file: str, text: str) -> dict[str, str]:
    """The names that a text and the headers beside it give one value; the text's own come first."""
    found: dict[str, str] = {}
    folder = os.path.dirname(file)
    headers = [text_of(os.path.join(folder, name)) or "" for name in INCLUDE.findall(text)]
    for each in (text, *headers):
        values = _values(each)
        found = {**{name: next(iter(texts)) for name, texts in values.items() if len(texts) == 1}, **found}
        for name, texts in values.items():
            if len(texts) > 1 and each is text:
                found[name] = ""
    return {name: value for name, value in found.items() if value}


def _values(text: str) -> dict[str, set[str]]:
    """The values that a text gives names; two for those that a condition, or another declaration, may give another."""
    values: dict[str, set[str]] = {}
    for token in (tokens := list(tokens_of(without_comments(text)))):
        match = DEFINE.fullmatch(token.words)
        if match or (match := UNDEFINE.fullmatch(token.words)):
            values.setdefault(match[1], set()).update([match[2].strip(), *([""] if token.branches else [])])
    words = [token.text for token in tokens]
    for at, (before, name, after) in enumerate(zip(words, words[1:], words[2:], strict=False), 1):
        if after == "=" and before in INTEGERS and _is_constant(words, at):
            stop = next((each for each in range(at, len(words)) if words[each] in (";", ",", "{")), at)
            values.setdefault(name, set()).update(
                ["(" + " ".join(words[at + 2:stop]) + ")", *([""] if tokens[at].branches else [])])
        elif before in KINDS and name.isidentifier() and name not in KINDS:
            values.setdefault(name, set()).update(["", "?"])
    return values


def _is_constant(words: list[str], at: int) -> bool:
    """Whether a declaration that names what it declares at a place is one of a constant integer."""
    begin = at
    while begin > 0 and words[begin - 1] in INTEGERS | {"constexpr"}:
        begin -= 1
    return bool({"const", "constexpr"}.intersection(words[begin:at])) and not {"short", "ushort"}.intersection(words[begin:at])


def missed(passed: Passed | None, name: str) -> str:
    """What to type where a name is missed that the host passes with a value that it computes; nothing for any other name."""
    if passed is None or name not in passed.open:
        return ""
    where = f"{os.path.relpath(passed.flags.where)}:{passed.open[name]}"
    typed = f", for example -D {name}=1" if name in passed.numbers else f" with -D {name}=…"
    return f"; {where} passes it to the program, with a value that is not known here: state one{typed}"



def compiled_without(passed: Passed, names: Collection[str]) -> str:
    """What is taken for granted where conditions of a program ask about macros that its host passes, and no value is known."""
    options = ", ".join(f"-D{name}" for name in names)
    where = f"{os.path.relpath(passed.flags.where)}:{min(passed.open.get(name, passed.computed) for name in names)}"
    return f"compiled without {options}, which {where} passes in some builds or with a value that is not known here; -D states it"


def any_number(passed: Passed | None, name: str) -> str:
    """What is taken for granted of a macro that stands for an integer nobody knows."""
    where = f", {os.path.relpath(passed.flags.where)}:{passed.open[name]}" if passed is not None and name in passed.open else ""
    return f"{name}, which the host computes{where}, {ANY_NUMBER}"


def is_any_number(assumption: str) -> bool:
    return assumption.endswith(ANY_NUMBER)
