"""Which variable each name in host code means, and what happens to the variable.

Host code is C++ that no parser here reads. One pass over its tokens follows brackets, declarations and
assignments closely enough to be certain in one direction: a variable counts as set once only if nothing
else in its scope can change it. Whatever looks like a declaration hides the name; whatever could change a
variable (assignment, `++`, `&`, `>>`, a call that may take a reference) makes its value unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from automata.lang.host_values import QUALIFIERS, TYPE_WORDS, type_of

_TOKEN = re.compile(
    r"""(?:\s|//[^\n]*|/\*.*?\*/|\#[^\n]*)++|(?P<token>[^\W\d]\w*|\.?\d(?:[eEpP][+-]|[\w.])*+|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?"""
    r"""|<<<|>>>|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+*/%&|^-]=|&&|\|\||::|.)""", re.DOTALL)
ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_DEVICE = frozenset({"__global__", "__device__", "__kernel"})
_STATEMENT_WORDS = frozenset({
    "return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "delete", "new",
    "throw", "sizeof", "using", "typedef", "template", "namespace", "operator", "catch", "try", "public", "private",
    "protected", "friend", "and", "or", "not", "this"})
_CONTROL = frozenset({"if", "for", "while", "switch", "return", "sizeof", "else", "decltype", "alignof", "and", "or",
                      "not"})
_BY_VALUE = re.compile(
    r"(cuda|hip|cu[A-Z]|cublas|curand|cufft|cusparse|mem|str|is|f?print|s?n?printf|aligned_)\w*|[cm]alloc|realloc|free|exit|f?abs|pow|"
    r"f?min|f?max|ceilf?|floorf?|roundf?|sqrtf?|logf?|log2f?|expf?|assert|fill|fill_n|iota|generate_n|vector|string|array|dim3|"
    r"make_\w+|static_cast|unique_ptr|fprintf|fread|fwrite|rand|srand|move|to_string|accumulate|thrust|thread|mt19937\w*|\w+_distribution|(u?int|size_t|float|double|long|char)\w*")
_METHODS = frozenset({"resize", "reserve", "assign", "push_back", "emplace_back", "at", "data", "fill", "insert", "substr",
                      "setw"})


@dataclass(slots=True)
class Variable:
    """A variable: its type's words, its initialiser's tokens [begin, end), and whether it may have another value.

    `past`: an enumerator has the value of its initialiser plus this. `scope`: the number of the block of its declaration.
    """

    words: tuple[str, ...] = ()
    begin: int = -1
    end: int = -1
    scope: int = -1
    local: bool = False
    changed: bool = False
    past: int = 0
    set_at: int = -1

    @property
    def is_const(self) -> bool:
        return "const" in self.words or "constexpr" in self.words


@dataclass(slots=True)
class _Block:
    """An open brace: its number, what to restore at its end, and what kind it is."""

    number: int
    hidden: list[tuple[str, Variable | None]] = field(default_factory=list)
    kind: str = "block"
    device: bool = False


class Names:
    """The tokens of host code, their starts, matching brackets, and the variable at each index that names one."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        self.starts: list[int] = []
        for match in _TOKEN.finditer(text):
            if match.lastgroup:
                self.tokens.append(match.group())
                self.starts.append(match.start())
        self.tokens += [""] * 4
        self.size = len(self.tokens) - 4
        self.match = _matches(self.tokens)
        self.means: dict[int, Variable] = {}
        self.device: set[int] = set()
        self._passed: list[tuple[Variable, str, int]] = []
        self._takes_reference: dict[str, set[int]] = {}
        self._current: dict[str, Variable] = {}
        self._blocks = [_Block(0, kind="file")]
        self._calls: list[list[int]] = []
        self._count = 0
        self._read()

    def _read(self) -> None:
        tokens = self.tokens
        starts = True
        for at in range(self.size):
            token = tokens[at]
            if starts and at not in self.means:
                self._declaration(at)
            if token[0].isalpha() or token[0] == "_":
                self._name(at, token)
                starts = token in ("else", "do")
                continue
            if token == "<<<" and self._blocks[-1].device:
                self.device.add(at)
            starts = token in ";{}" or (token == ":" and tokens[at - 1] != ")") or (
                token == "(" and tokens[at - 1] in ("for", "if", "while", "switch"))
            self._bracket(at, token)
        self._judge_calls()

    def _judge_calls(self) -> None:
        """Variables that a call may have changed: by a reference parameter, or a function that is not known."""
        for variable, callee, index in self._passed:
            known = self._takes_reference.get(callee)
            if known is None:
                variable.changed = variable.changed or not _BY_VALUE.fullmatch(callee)
            elif index in known or -1 in known:
                variable.changed = True

    def _bracket(self, at: int, token: str) -> None:
        if token in "([":
            self._calls.append([at, 0])
        elif token in ")]":
            if self._calls:
                self._calls.pop()
        elif token == ",":
            if self._calls:
                self._calls[-1][1] += 1
        elif token == "{":
            self._open(at)
        elif token == "}":
            self._close()

    def _open(self, at: int) -> None:
        self._count += 1
        outer = self._blocks[-1]
        header = self._header(at)
        words = set(self.tokens[header:at]) if at - header < 200 else set()
        kind = "block"
        if outer.kind != "block" and self.tokens[at - 1] not in ("=", ",", "(", "return"):
            if ("namespace" in words and ")" not in words) or (self.tokens[header] == "extern" and at - header == 2):
                kind = "file"
            elif words & {"struct", "class", "union"} and self.tokens[at - 1] != ")":
                kind = "class"
        block = _Block(self._count, kind=kind, device=outer.device or bool(words & _DEVICE))
        self._blocks.append(block)
        self._calls.append([at, 0])
        if kind == "block":
            self._parameters(header, at, outer.kind != "block")

    def _close(self) -> None:
        if self._calls:
            self._calls.pop()
        if len(self._blocks) > 1:
            for name, before in reversed(self._blocks.pop().hidden):
                if before is None:
                    self._current.pop(name, None)
                else:
                    self._current[name] = before

    def _header(self, at: int) -> int:
        """The first token of what stands before a brace: a function's head, a lambda's, a condition's."""
        begin = at - 1
        while begin >= 0 and at - begin < 400 and self.tokens[begin] not in (";", "{", "}"):
            begin = self.match[begin] - 1 if self.tokens[begin] == ")" and 0 <= self.match[begin] < begin else begin - 1
        return begin + 1

    def _parameters(self, begin: int, end: int, is_function: bool) -> None:
        """What a function's or lambda's head declares has no value in its body, but a type. Reference parameters are noted."""
        tokens = self.tokens
        if end - begin > 400 or tokens[begin] in _CONTROL:
            return
        for at in range(begin + 1, end):
            word, before = tokens[at], tokens[at - 1]
            if not (word[0].isalpha() or word[0] == "_") or tokens[at + 1] not in (",", ")", "=", "[", ">", "{"):
                continue
            if before in ("*", "&", "&&", ">", ".") or (before.isidentifier() and before not in _STATEMENT_WORDS):
                words = self._type_before(at, begin) if tokens[at + 1] in (",", ")") else ()
                self._declare(word, Variable(words, changed=not words, set_at=0 if words else -1))
        if is_function:
            self._note_references(begin, end)

    def _type_before(self, at: int, begin: int) -> tuple[str, ...]:
        """The words of the arithmetic type of a parameter taken by value; none of any other."""
        start = at
        while start > begin + 1 and (self.tokens[start - 1].isidentifier() or self.tokens[start - 1] == "::"):
            start -= 1
        words = tuple(self.tokens[start:at])
        return words if self.tokens[start - 1] in ("(", ",") and type_of(list(words)) is not None else ()

    def _note_references(self, begin: int, end: int) -> None:
        opening = next((at for at in range(begin, end) if self.tokens[at] == "("), -1)
        if opening <= begin or self.match[opening] < 0:
            return
        noted = self._takes_reference.setdefault(self.tokens[opening - 1], set())
        index, depth, const = 0, 0, False
        for at in range(opening + 1, self.match[opening]):
            token = self.tokens[at]
            depth += (token in "(<[{") - (token in ")>]}")
            const = const or token == "const"
            if token == "," and depth == 0:
                index, const = index + 1, False
            elif token in ("&", "&&") and not const:
                noted.add(index)
            elif token == "...":
                noted.add(-1)

    def _declare(self, name: str, variable: Variable) -> None:
        block = self._blocks[-1]
        variable.scope, variable.local = block.number, block.kind == "block"
        block.hidden.append((name, self._current.get(name)))
        self._current[name] = variable

    def _declaration(self, at: int) -> None:
        """Declare what a statement beginning at `at` declares, if it is a declaration."""
        tokens = self.tokens
        if tokens[at] == "enum":
            self._enumerators(at)
            return
        if tokens[at] in ("using", "typedef") and self._blocks[-1].kind == "block":
            end = next((index for index in range(at, min(at + 60, self.size)) if tokens[index] in ("=", ";")), at)
            self._declare(tokens[end if tokens[end] == "" else at + 1 if tokens[end] == "=" else end - 1], Variable(changed=True))
            return
        begin, name = at, self._type_end(at)
        if name < 0 or not tokens[name].isidentifier() or tokens[name] in _STATEMENT_WORDS:
            return
        words = tuple(tokens[begin:name])
        in_header = tokens[at - 1] == "("
        for _ in range(100):
            name = self._declarator(words, name, in_header)
            while name >= 0 and tokens[name] in ("*", "&", "const"):
                words, name = (*words, "*"), name + 1
            if name < 0 or not tokens[name].isidentifier():
                return

    def _type_end(self, at: int) -> int:
        """The index of the name that a type beginning at `at` declares; -1 where there is no type."""
        tokens, seen, begin = self.tokens, False, at
        while at - begin < 60:
            token = tokens[at]
            following = tokens[at + 1]
            if token in _STATEMENT_WORDS or not token:
                return -1
            if token.isidentifier():
                if seen and following in ("=", ";", ",", "(", "{", "[", ":", ")", "") and token not in QUALIFIERS:
                    return at
                seen = seen or token not in QUALIFIERS
            elif token == "<" and seen:
                at = self.angle_end(at)
                if at < 0:
                    return -1
            elif token not in ("*", "&", "&&", "::") or (token != "::" and not seen):
                return -1
            at += 1
        return -1

    def angle_end(self, at: int) -> int:
        """The index of the `>` that closes template arguments; -1 where they are none."""
        depth = 0
        for index in range(at, min(at + 80, self.size)):
            token = self.tokens[index]
            if token == "<":
                depth += 1
            elif token in (">", ">>", ">>>"):
                depth -= len(token)
                if depth <= 0:
                    return index if depth == 0 else -1
            elif token in ";{}" or token in ("&&", "||", "<<<"):
                return -1
        return -1

    def _declarator(self, words: tuple[str, ...], name: int, in_header: bool) -> int:
        """Declare one name; the index of the next one in the same declaration, or -1."""
        tokens = self.tokens
        variable = Variable(words, changed=in_header or not self._may_be_known(words))
        self._declare(tokens[name], variable)
        self.means[name] = variable
        at = name + 1
        if tokens[at] == "=":
            end = self._initialiser_end(at + 1)
            variable.begin, variable.end, at = at + 1, end, end
        elif tokens[at] in "({":
            end = self.match[at]
            if end < 0:
                variable.changed = True
                return -1
            whole = "dim3" in words
            variable.begin, variable.end, at = (at, end + 1, end + 1) if whole else (at + 1, end, end + 1)
        elif tokens[at] not in (";", ","):
            variable.changed = True
            return -1
        return at + 1 if tokens[at] == "," else -1

    def _may_be_known(self, words: tuple[str, ...]) -> bool:
        kind = self._blocks[-1].kind
        if kind == "class" and not ("static" in words and ("const" in words or "constexpr" in words)):
            return False
        if kind == "file" and not set(words) & {"const", "constexpr", "static"}:
            return False
        plain = [word for word in words if word not in QUALIFIERS]
        return plain in (["dim3"], ["auto"]) or type_of(plain) is not None

    def _initialiser_end(self, at: int) -> int:
        tokens = self.tokens
        for _ in range(400):
            token = tokens[at]
            if token in ("", ",", ";") or token in ")]}":
                return at
            jump = self.match[at] if token in "([{" else at
            if token == "<" and tokens[at - 1].isidentifier():
                angle = self.angle_end(at)
                jump = angle if angle > 0 and tokens[angle + 1] == "(" else at
            if jump < at:
                return at
            at = jump + 1
        return at

    def _enumerators(self, at: int) -> None:
        tokens = self.tokens
        opening = next((index for index in range(at, min(at + 8, self.size)) if tokens[index] in ("{", ";")), -1)
        if opening < 0 or tokens[opening] == ";" or self.match[opening] < 0 or tokens[at + 1] in ("class", "struct"):
            return
        end, at = self.match[opening], opening + 1
        begin, finish, past = -1, -1, 0
        while at < end:
            name = at
            stop = self._initialiser_end(at)
            begin, finish, past = (at + 2, stop, 0) if tokens[at + 1] == "=" else (begin, finish, past)
            self._declare(tokens[name], Variable(("const", "int", "enum"), begin, finish, past=past))
            self.means[name] = self._current[tokens[name]]
            past += 1
            at = max(stop, name) + 1

    def _name(self, at: int, name: str) -> None:
        """Bind the name at an index and note whether its variable may change there."""
        before = self.tokens[at - 1] if at else ""
        variable = self._current.get(name)
        if variable is None or before in (".", "->", "::") or at in self.means:
            return
        self.means[at] = variable
        if variable.changed or variable.is_const:
            return
        after = self.tokens[at + 1]
        if after == "=" and variable.begin < 0 and variable.set_at < 0 and before in (";", "{", "}") \
                and variable.scope == self._blocks[-1].number:
            variable.begin, variable.end, variable.set_at = at + 2, self._initialiser_end(at + 2), at
        elif self._may_change(at, before, after):
            variable.changed = True
        elif before in ("(", ",", "{") and after in (",", ")", "}") and self._calls:
            self._pass(variable, *self._calls[-1])

    def _may_change(self, at: int, before: str, after: str) -> bool:
        tokens = self.tokens
        if after in ASSIGNING or after in ("++", "--") or before in ("++", "--", ">>"):
            return True
        if after == "." and (tokens[at + 3] in ASSIGNING or tokens[at + 3] in ("++", "--")):
            return True
        left = tokens[at - 2] if at > 1 else ""
        if before == "&" and (left == "return" or not (left[:1].isalnum() or left[:1] in ("_", "]"))):
            return True
        return at > 2 and before in ("=", "(", "{") and tokens[at - 3] in ("&", "&&") and tokens[at - 2].isidentifier()

    def _pass(self, variable: Variable, opening: int, index: int) -> None:
        """Note that a variable stands alone between commas in some brackets: a call or a constructor may change it."""
        if self.tokens[opening] not in ("(", "{") or opening == 0:
            return
        callee = opening - 1
        if self.tokens[callee] in (">", ">>"):
            callee = next((at for at in range(callee, max(callee - 40, 0), -1) if self.tokens[at] == "<"), callee) - 1
        name, before = self.tokens[callee], self.tokens[callee - 1] if callee else ""
        if name[:1] == '"':
            variable.changed = True
        if not name.isidentifier() or name in _CONTROL or name in TYPE_WORDS or name in _STATEMENT_WORDS or name == "dim3":
            return
        declared = self.means.get(callee)
        if before in (".", "->"):
            variable.changed = variable.changed or name not in _METHODS
        elif declared and declared.local:
            kind = next((word for word in declared.words if word not in QUALIFIERS), "")
            variable.changed = variable.changed or not (kind in TYPE_WORDS or _BY_VALUE.fullmatch(kind))
        else:
            self._passed.append((variable, name, index))


def _matches(tokens: list[str]) -> list[int]:
    """For each bracket the index of its partner, -1 where there is none or for another token."""
    found = [-1] * len(tokens)
    stack: list[int] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for at, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            stack.append(at)
        elif token in pairs and stack and tokens[stack[-1]] == pairs[token]:
            found[at] = stack.pop()
            found[found[at]] = at
    return found
