"""Macro definitions and their expansion, with a bound on the work.

Expansion is Prosser's algorithm (the one the C standard's text was made from): every token carries the
set of macros it came out of and is not expanded by those again. Tokens wait on a stack, so nesting of
bodies costs no Python stack, and everything that is made is paid from one budget for the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from automata.place import InputError, Place

MAX_EXPANSION = 1_000_000
MAX_NESTING = 200
MAX_CALLS = 80

_SPLICE = r"\\[ \t]*\n"
_NUMBER = r"\.?\d(?:[eEpP][+-]|'\w|[\w.])*+"
_RAW = r'(?P<raw>(?:u8|[uUL])?R"[^()\\\s"]{0,16}\()'
_LINE = r"(?:\\.|[^%s\\\n])*+"
_DOUBLE, _SINGLE = f'"{_LINE % chr(34)}"', f"'{_LINE % chr(39)}'"
COMMENT = re.compile(r"//(?:[^\\\n]|\\.)*+|/\*(?:.*?\*/|.*)", re.DOTALL)
HEADER = re.compile(r"[ \t]*(?:<([^>\n]*)>|\"([^\"\n]*)\")")
_NAMED = r"(?:[^\W\d]|\$)[\w$]*+"  # Compilers take `$` for a letter.
# All tokens, one by one.
LEX = re.compile(rf"(?P<blank>[ \t\f\v]++|{_SPLICE})|(?P<comment>{COMMENT.pattern})|(?P<newline>\n)|{_RAW}|{_NAMED}|{_NUMBER}"
                 rf"|{_DOUBLE}?|{_SINGLE}?|<<<|>>>|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+*/%&|^-]=|&&|\|\||\#\#|::|.", re.DOTALL)
# What is to be looked at in text that is copied. Words, plain numbers and closed strings have no group: most are copied too.
SCAN = re.compile(rf"{_RAW}|{_NAMED}|(?P<spaced>\d[\w.]*+'[\w.']*)|{_NUMBER}|(?P<comment>{COMMENT.pattern})|{_DOUBLE}|{_SINGLE}"
                  rf"|(?P<open>[\"'])|(?P<splice>{_SPLICE})|(?P<hash>\#)", re.DOTALL)
# The sign that follows blanks, where neither a comment nor a spliced line comes between.
NEXT = re.compile(r"(?:[ \t\n]*+)(?P<sign>[^/\\])")
# What is to be looked at in text that a condition excludes.
SKIP = re.compile(rf"(?P<comment>{COMMENT.pattern})|{_DOUBLE}?|{_SINGLE}?|(?P<hash>\#)", re.DOTALL)
_NOTHING: frozenset[str] = frozenset()
_FUSING = frozenset("+-<>=&|*/%^!:#.")


def is_spelled(text: str) -> bool:
    """Whether a token may be the name of a macro."""
    return text.replace("$", "_").isidentifier()


class Token(NamedTuple):
    """A token. `at`: its position in the files read; one from a macro's body has that of the invocation."""

    text: str
    space: bool
    at: int
    hidden: frozenset[str] = _NOTHING


@dataclass(frozen=True, slots=True)
class Macro:
    """A definition. `params` None: used without arguments; `rest`: the parameter that takes all further arguments."""

    name: str
    params: tuple[str, ...] | None
    rest: str
    body: tuple[Token, ...]


class Source(Protocol):
    """The file after a macro's name: a call may take its arguments from there."""

    def opens(self) -> bool:
        """Whether `(` is the next token."""

    def next(self) -> Token | None:
        """The next token; None at the end."""


def lex(text: str) -> list[Token]:
    """The tokens of a text without positions."""
    found, space = [], False
    for match in LEX.finditer(text):
        if match.lastgroup in ("blank", "comment", "newline"):
            space = True
        else:
            found.append(Token(match.group(), space, -1))
            space = False
    return found


def fuses(left: str, right: str) -> bool:
    """Whether two characters side by side could be read as one token."""
    if left in _FUSING:
        return right in _FUSING or (left == "." and right.isdigit())
    return (left.isalnum() or left == "_") and (right.isalnum() or right in "_.\"'")


def definition(tokens: Sequence[Token]) -> Macro:
    """The macro that `#define …` states. ValueError says what is wrong with it."""
    if not tokens:
        raise ValueError("#define without a name")
    name = tokens[0].text
    if not is_spelled(name) or name == "defined":
        raise ValueError(f"#define '{name[:40]}': not a macro name")
    if len(tokens) == 1 or tokens[1].text != "(" or tokens[1].space:
        return Macro(name, None, "", tuple(tokens[1:]))
    params: list[str] = []
    rest, at = "", 2
    while at < len(tokens) and tokens[at].text != ")":
        text = tokens[at].text
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if text == "..." or after == "...":
            rest = "__VA_ARGS__" if text == "..." else text
            text, at = rest, at + (text != "...")
            after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if not is_spelled(text) or after not in (",", ")") or (rest and after == ","):
            raise ValueError(f"macro {name}: '{text[:40]}' is not a parameter")
        params.append(text)
        at += 2 if after == "," else 1
    if at >= len(tokens) or len(set(params)) != len(params):
        raise ValueError(f"macro {name}: the list of parameters is " + ("not closed" if at >= len(tokens) else "ambiguous"))
    return Macro(name, tuple(params), rest, tuple(tokens[at + 1 :]))


class Expander:
    """The macros of a file at a point, and their expansion. `place` tells where a position is; `used`: those that were expanded,
    as they were at first."""

    def __init__(self, macros: dict[str, Macro], place: Callable[[int], Place]) -> None:
        self.macros = macros
        self.place = place
        self.used: dict[str, Macro] = {}
        self.left = MAX_EXPANSION
        self.depth = 0
        self.counter = 0

    def asked(self, macro: Macro | None) -> str:
        """What a macro made for a text that used it; empty if none did."""
        if macro is None or self.used.get(macro.name) is not macro:
            return ""
        return "".join(token.text for token in macro.body)

    def pay(self, amount: int, at: int) -> None:
        """Take from the budget; InputError when it is spent."""
        self.left -= amount
        if self.left < 0:
            raise InputError(f"macros expand to more than {MAX_EXPANSION} tokens", self.place(at))

    def expand_alone(self, tokens: Sequence[Token]) -> tuple[list[Token], list[str]]:
        """Tokens with all macros expanded, and the names of those that were."""
        before, self.used = self.used, {}
        made = self.expand(tokens)
        used, self.used = self.used, before | {name: macro for name, macro in self.used.items() if name not in before}
        return made, list(used)

    def expand(self, tokens: Sequence[Token], source: Source | None = None) -> list[Token]:
        """Tokens with all macros expanded; a call that they leave open is completed from `source`."""
        self.depth += 1
        stack, out = list(reversed(tokens)), []
        while stack:
            token = stack.pop()
            macro = self.macros.get(token.text)
            if macro is None or token.text in token.hidden:
                out.append(token)
                continue
            if self.depth > MAX_CALLS or len(token.hidden) > MAX_NESTING:
                what, most = ("macro calls", MAX_CALLS) if self.depth > MAX_CALLS else ("macros", MAX_NESTING)
                raise InputError(f"{what} nest more than {most} deep", self.place(token.at))
            made = self._replace(macro, token, stack, source)
            if made is None:
                out.append(token)
            else:
                self.used.setdefault(macro.name, macro)
                if made:
                    made[0] = made[0]._replace(space=token.space)
                self.pay(1 + len(made), token.at)
                stack.extend(reversed(made))
        self.depth -= 1
        return out

    def _replace(self, macro: Macro, token: Token, stack: list[Token], source: Source | None) -> list[Token] | None:
        """What one invocation becomes before it is read again; None where the name is no invocation."""
        if macro.params is None:
            if macro is SPECIAL.get(macro.name):
                return self._special(token)
            return self._substitute(macro, (), token, token.hidden | {macro.name})
        if not (stack[-1].text == "(" if stack else source is not None and source.opens()):
            return None
        args, closing = self._arguments(macro, token, stack, source)
        return self._substitute(macro, args, token, (token.hidden & closing) | {macro.name})

    def _arguments(self, macro: Macro, token: Token, stack: list[Token],
                   source: Source | None) -> tuple[list[list[Token]], frozenset[str]]:
        """The arguments of a call and the hidden names of its closing parenthesis."""
        params = macro.params or ()
        args: list[list[Token]] = [[]]
        depth = 0
        while True:
            found = stack.pop() if stack else source.next() if source else None
            if found is None:
                raise InputError(f"the call of macro {macro.name} is never closed", self.place(token.at))
            text = found.text
            depth += (text == "(") - (text == ")")
            if depth == 0:
                break
            if text == "," and depth == 1 and not (macro.rest and len(args) == len(params)):
                args.append([])
            elif depth > 1 or text != "(":
                args[-1].append(found)
                if len(args[-1]) > self.left:
                    self.pay(len(args[-1]), token.at)
        if macro.rest and len(args) == len(params) - 1:
            args.append([])
        if len(args) != len(params) and not (args == [[]] and not params):
            least = "at least " if macro.rest else ""
            raise InputError(f"macro {macro.name} takes {least}{len(params) - bool(macro.rest)} arguments, here are {len(args)}",
                             self.place(token.at))
        self.pay(sum(map(len, args)), token.at)
        return args, found.hidden

    def _substitute(self, macro: Macro, args: Sequence[list[Token]], token: Token, hidden: frozenset[str]) -> list[Token]:
        """The body with arguments put in, stringised and pasted."""
        filling = _Filling(self, macro, args, token.at)
        made = filling.fill(macro.body)
        self.pay(len(made) * (1 + len(hidden) // 16), token.at)
        return [Token(part.text, part.space, part.at, part.hidden | hidden if part.hidden else hidden)
                for part in made if part.text]

    def _special(self, token: Token) -> list[Token]:
        self.pay(3, token.at)
        place = self.place(token.at)
        self.counter += token.text == "__COUNTER__"
        quoted = place.file.replace("\\", "\\\\").replace('"', '\\"')
        text = {"__LINE__": str(place.line), "__COUNTER__": str(self.counter - 1), "__FILE__": f'"{quoted}"',
                "__DATE__": '"Jan  1 1970"', "__TIME__": '"00:00:00"'}[token.text]
        return [Token(text, token.space, token.at)]


SPECIAL = {name: Macro(name, None, "", ()) for name in ("__LINE__", "__COUNTER__", "__FILE__", "__DATE__", "__TIME__")}
SPECIAL["_Pragma"] = Macro("_Pragma", ("text",), "", ())


class _Filling:
    """One substitution: arguments by parameter, expanded at most once each."""

    def __init__(self, expander: Expander, macro: Macro, args: Sequence[list[Token]], at: int) -> None:
        self.expander = expander
        self.calls = macro.params is not None
        self.raw = dict(zip(macro.params or (), args, strict=False))
        self.rest = macro.rest
        self.full: dict[str, list[Token]] = {}
        self.at = at

    def expanded(self, name: str) -> list[Token]:
        if name not in self.full:
            self.full[name] = self.expander.expand(self.raw[name])
        return self.full[name]

    def fill(self, body: Sequence[Token]) -> list[Token]:
        """The body's replacement. A token of empty text stands for an empty operand of `##`."""
        body = self._optional(body) if self.rest else body
        out: list[Token] = []
        index, size = 0, len(body)
        while index < size:
            token = body[index]
            following = body[index + 1].text if index + 1 < size else ""
            if token.text == "#" and self.calls and following in self.raw:
                out.append(self._stringise(token, self.raw[following]))
                index += 1
            elif token.text == "##" and out and following:
                self._paste(out, body[index + 1])
                index += 1
            elif token.text in self.raw:
                self._put(out, token, self.raw[token.text] if following == "##" else self.expanded(token.text))
            else:
                out.append(Token(token.text, token.space, self.at))
            index += 1
        return out

    def _put(self, out: list[Token], token: Token, parts: list[Token]) -> None:
        self.expander.pay(len(parts), self.at)
        if parts:
            out.append(parts[0]._replace(space=token.space))
            out.extend(parts[1:])
        else:
            out.append(Token("", token.space, self.at))

    def _stringise(self, token: Token, parts: list[Token]) -> Token:
        text = "".join((" " if part.space and number else "") + (re.sub(r'([\\"])', r"\\\1", part.text)
                       if part.text[-1] in "\"'" else part.text) for number, part in enumerate(parts))
        self.expander.pay(len(text) // 2, self.at)
        return Token(f'"{text}"', token.space, self.at)

    def _paste(self, out: list[Token], right: Token) -> None:
        """Join the last token with the next operand; `, ## __VA_ARGS__` drops the comma before nothing (GNU)."""
        left = out.pop()
        parts = self.raw.get(right.text, [right])
        if left.text == "," and right.text == self.rest:
            if parts:
                out.append(left)
                self._put(out, right, self.expanded(right.text))
            return
        first = parts[0].text if parts else ""
        joined = left.text + first
        self.expander.pay(len(parts) + len(joined) // 2, self.at)
        glued = lex(joined) if left.text and first else [Token(joined, False, self.at)]
        out.extend(Token(part.text, left.space if not number else part.space, self.at, left.hidden)
                   for number, part in enumerate(glued))
        out.extend(parts[1:] if right.text in self.raw else ())

    def _optional(self, body: Sequence[Token]) -> list[Token]:
        """`__VA_OPT__(…)` replaced by its content, or by nothing when there are no further arguments."""
        kept: list[Token] = []
        index = 0
        while index < len(body):
            if body[index].text != "__VA_OPT__" or index + 1 == len(body) or body[index + 1].text != "(":
                kept.append(body[index])
                index += 1
                continue
            begin, depth = index + 2, 1
            index = begin
            while index < len(body) and depth:
                depth += (body[index].text == "(") - (body[index].text == ")")
                index += 1
            kept.extend(body[begin : index - 1] if self.expanded(self.rest) else ())
        return kept
