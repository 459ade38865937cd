"""The text of a host program of OpenCL: which function a token stands in, which loops run it, what a call is given.

In: tokens and their brackets, before anything else is known of them. Out: answers to `opencl.py`. Where a text is not plainly one
of these, the answer is the one from which less follows: a token in an unknown brace stands in no function, an argument that may
change something is not clean.
"""

from __future__ import annotations

Part = tuple[int, int]
NOWHERE: Part = (0, 0)
_CHANGING = frozenset({"=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "{", "?", "new", "delete",
                       "throw", "operator"})
_HEADS = frozenset({"if", "for", "while", "switch", "catch", "constexpr"})
_BEFORE_BLOCK = frozenset({";", "{", "}", ":", "else", "do", "try"})
_OF_FUNCTION = frozenset({"const", "noexcept", "override", "final", "mutable", "&", "&&", "try"})
_CLASSES = frozenset({"class", "struct", "union"})
_ASKING = frozenset({"sizeof", "decltype", "noexcept", "typeid", "alignof", "typeof", "__typeof__"})
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})


class HostText:
    """One text."""

    def __init__(self, text: list[str], match: list[int]) -> None:
        self.text, self.match = text, match
        self.size = len(text)
        self.places: dict[str, list[int]] = {}
        for at, token in enumerate(text):
            self.places.setdefault(token, []).append(at)
        self.functions = self._functions()

    # Functions

    def _functions(self) -> list[Part]:
        """The outermost bodies of functions; those of classes and namespaces are looked into."""
        found, at = list[Part](), 0
        while at < self.size:
            if self.text[at] == "{" and self.match[at] > at:
                if self._begins_function(at):
                    found.append((at, self.match[at]))
                    at = self.match[at]
                elif self.text[at - 1] in ("=", "]") or self._heads(at):
                    at = self.match[at]
            at += 1
        return found

    def _begins_function(self, opening: int) -> bool:
        before = self.text[opening - 1]
        return (before == ")" and not self._heads(opening)) or before in _OF_FUNCTION or "->" in self._head(opening)

    def _head(self, opening: int) -> list[str]:
        """What stands before a brace, back to the statement's begin."""
        at = opening
        while at > 0 and self.text[at - 1] not in (";", "{", "}"):
            at -= 1
        return self.text[at:opening]

    def _heads(self, opening: int) -> bool:
        """Whether a brace belongs to a statement with a head in brackets."""
        closing = opening - 1
        return self.text[closing] == ")" and self.match[closing] > 0 and self.text[self.match[closing] - 1] in _HEADS

    def function(self, at: int) -> Part:
        """The outermost body in which a token stands; `NOWHERE` outside of all."""
        return next(((begin, end) for begin, end in self.functions if begin < at < end), NOWHERE)

    def body(self, at: int) -> Part:
        """The innermost one: of the function, or of a lambda or a class in it."""
        outer = self.function(at)
        opening = self.brace(at)
        while opening > 0 and opening != outer[0] and (self.text[opening - 1] in _BEFORE_BLOCK or self._heads(opening)):
            opening = self.brace(opening)
        return (opening, self.match[opening]) if outer != NOWHERE and opening >= outer[0] else NOWHERE

    def is_in_class(self, at: int) -> bool:
        """Whether the innermost brace around a token may be that of a class."""
        opening = self.brace(at)
        return opening > 0 and self.text[opening - 1] != ")" and not _CLASSES.isdisjoint(self._head(opening))

    def name_of(self, opening: int) -> str:
        """The function whose body opens at a token; empty where it is not plainly one."""
        closing = opening - 1
        name = self.text[self.match[closing] - 1] if self.text[closing] == ")" and self.match[closing] > 0 else ""
        return name if name.isidentifier() else ""

    # Blocks and loops

    def brace(self, at: int) -> int:
        """The innermost brace around a token; -1 for none."""
        at -= 1
        while at >= 0:
            if self.text[at] in (")", "}", "]") and self.match[at] >= 0:
                at = self.match[at]
            elif self.text[at] == "{":
                return at
            at -= 1
        return -1

    def block(self, at: int) -> int:
        """The same; -1 where another bracket is nearer."""
        at -= 1
        while at >= 0:
            if self.text[at] in (")", "}", "]") and self.match[at] >= 0:
                at = self.match[at]
            elif self.text[at] in ("(", "["):
                return -1
            elif self.text[at] == "{":
                return at
            at -= 1
        return -1

    def bracket(self, at: int) -> int:
        """The bracket around a token, back to the statement's begin; -1 for none."""
        depth = 0
        while at > 0 and self.text[at] not in (";", "{", "}"):
            depth += (self.text[at] == ")") - (self.text[at] == "(")
            if depth < 0:
                return at
            at -= 1
        return -1

    def loops(self, at: int) -> list[Part]:
        """The loops in its function that run a token more than once: the first token of each, and its end."""
        begin, end = self.body(at)
        starts = [place for word in ("for", "while", "do") for place in self.places.get(word, []) if begin < place < end]
        return [(start, stop) for start in starts if start < at < (stop := self.end(start, end))]

    def end(self, at: int, limit: int) -> int:
        """Past the statement that begins at a token."""
        token = self.text[at]
        if token == "{" and self.match[at] > at:
            return self.match[at] + 1
        if token == "do":
            return self._behind(self.end(at + 1, limit), limit)
        if token in ("if", "for", "while", "switch"):
            opening = at + 1 + (self.text[at + 1] == "constexpr")
            stop = self.end(max(self.match[opening], at) + 1, limit)
            return self.end(stop + 1, limit) if token == "if" and self.text[stop] == "else" else stop
        return self._behind(at, limit)

    def _behind(self, at: int, limit: int) -> int:
        """Past the next semicolon that stands in no bracket."""
        while at < limit and self.text[at] != ";":
            at = max(self.match[at], at) + 1
        return at + 1

    # Calls

    def calls(self, name: str) -> list[tuple[int, list[Part]]]:
        """The calls of a function, each with its arguments."""
        return [(at, self.parts(at + 1)) for at in self.places.get(name, [])
                if at + 1 < self.size and self.text[at + 1] == "(" and self.match[at + 1] > at]

    def parts(self, opening: int) -> list[Part]:
        """The arguments of a call by its bracket."""
        found, start, at, end = list[Part](), opening + 1, opening + 1, self.match[opening]
        while at < end:
            if self.text[at] == ",":
                found.append((start, at))
                start = at + 1
            elif self.text[at] in ("(", "[", "{"):
                at = max(at, self.match[at])
            at += 1
        return [*found, (start, end)] if start < end else found

    def words(self, part: Part) -> list[str]:
        """An argument without casts to pointers and brackets around all of it."""
        begin, end = part
        while begin < end and self.text[begin] == "(":
            closing = self.match[begin]
            if closing == end - 1:
                begin, end = begin + 1, end - 1
            elif begin < closing < end and self.text[closing - 1] == "*":
                begin = closing + 1
            else:
                break
        return self.text[begin:end]

    def changes(self, part: Part) -> bool:
        """Whether an operator in an argument may change a variable."""
        return not _CHANGING.isdisjoint(self.text[slice(*part)])

    def called(self, begin: int, end: int) -> list[int]:
        """The brackets of calls between two tokens, as far as these may be calls; casts to pointers and `sizeof` are none."""
        return [at for at in range(begin, end) if self.text[at] == "(" and self._calls(at)]

    def is_asked_alone(self, at: int) -> bool:
        """Whether a token may stand in what asks for the type of an expression and does not evaluate it."""
        begin = at
        while begin > 0 and self.text[begin - 1] not in (";", "{", "}"):
            begin -= 1
        return not _ASKING.isdisjoint(self.text[begin:at])

    def _calls(self, opening: int) -> bool:
        before = self.text[opening - 1]
        if before == ")":
            return self.text[opening - 2] != "*"
        if before == ">":
            angle = next((at for at in range(opening - 2, max(opening - 12, 0), -1) if self.text[at] == "<"), 0)
            return self.text[angle - 1] not in _CASTS
        return before == "]" or (before.isidentifier() and before != "sizeof")

    def is_clean(self, part: Part) -> bool:
        """Whether an argument certainly changes nothing."""
        return not self.changes(part) and not self.called(*part)
