"""Whether an element that is named is only read where it stands: nothing can keep a reference to it, and nothing changes it.

In: the tokens of `a[i]`. Out: whether what it holds is copied there: it is an operand, the initialiser of a number, or an
argument that is passed by value. What may be bound to a reference is not copied: `int &r = a[i];`, `(int &)a[i]`, `f<int>(a[i])`.
A text whose own operators or constructors may take numbers by reference, or of which a part is not seen, is not looked at.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from automata.lang.host.library import BY_VALUE, SELECTING
from automata.lang.host.numbers import Unknown
from automata.lang.host.program import Program
from automata.lang.host.syntax import ASSIGNING
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type, read_type, type_of_range
from automata.lang.host.values import Evaluator

TESTING = frozenset({"if", "while", "assert", "sizeof", "for", "switch"})
CASTS = frozenset({"static_cast", "reinterpret_cast"})
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!",
                        "~", *(ASSIGNING - {"="})})
_KEEPING = frozenset({">>", "&", "*", "{", ".", "->", "::", "++", "--"})
_REFERENCES = frozenset({"&", "&&"})
_BREAKS = frozenset({";", "{", "}"})
_STREAMS = frozenset({"ostream", "istream", "ofstream", "ifstream", "stringstream", "ostringstream"})
_BINDING = frozenset({"const_cast", "reference_wrapper", "atomic_ref"})


class Copies:
    """Asked about elements of one text."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.program = evaluator, evaluator.program
        self.tokens, self.text = self.program.tokens, self.program.tokens.text

    def is_copied(self, at: int) -> bool:
        """Whether `a[i]` is copied where it stands; `at` is the token of the name."""
        return not self._binds and self._is_copied(at, self.tokens.match[at + 1] + 1)

    def _is_copied(self, begin: int, end: int) -> bool:
        left, right = self.text[begin - 1], self.text[end]
        if left in _KEEPING and not (left == "*" and self.evaluator.tables.only_reads(begin)):
            return False
        if left == ")":
            return self._is_cast(begin - 1)
        if left in _OPERATORS or right in _OPERATORS or left == "[":
            return True
        if left == "return":
            return self._is_given(begin)
        if left == "=":
            return self.is_assigned(begin - 2)
        return left in ASSIGNING if left not in ("(", ",") else self._is_passed(begin, left)

    def _is_cast(self, close: int) -> bool:
        """Whether a bracket closes a cast to a number, or the head of a statement."""
        opening = self.tokens.match[close]
        return self.text[opening - 1] in TESTING - {"sizeof", "assert"} or self._is_number(opening + 1, close)

    def _is_number(self, begin: int, end: int) -> bool:
        """Whether tokens name a type of numbers, no reference."""
        kind = type_of_range(self.tokens, begin, end, self.program.types)
        return kind is not None and kind.is_number

    def _is_given(self, at: int) -> bool:
        """Whether `return` copies what it gives back."""
        region = self.program.region_at(at)
        if region is None or region.gives is None or not region.gives.is_number:
            return False
        words = self.text[region.begin : region.end]
        return "decltype" not in words and "->" not in words and not any(
            one in _REFERENCES and two == "{" for one, two in pairwise(words))

    def is_assigned(self, named: int) -> bool:
        """Whether what stands before `=` is a number: one that is declared, or one that has been."""
        text, begin = self.text, named
        if text[named] == "]":
            return True
        if not is_name(text[named]):
            return False
        if text[begin - 1] == ")":
            return False
        while text[begin - 1] not in _BREAKS and text[begin - 1] not in ("(", ")", "else", "do"):
            begin -= 1
        read = read_type(self.tokens, begin, named, self.program.types) if begin < named else None
        if begin < named and text[named - 1] not in (".", "->"):
            return read is not None and _is_plain(read[0]) and text[named - 1] not in (*_REFERENCES, "*", "(")
        return True

    def _is_passed(self, begin: int, left: str) -> bool:
        """Whether an argument, or what stands in brackets, is copied."""
        text, tokens = self.text, self.tokens
        if left == "(" and text[begin - 2] == ">":
            angle = tokens.angle_begin(begin - 2)
            if angle > 0 and text[angle - 1] in CASTS:
                return self._is_number(angle + 1, begin - 2)
        if left == "(" and self._is_number(begin - 2, begin - 1):
            return text[begin - 3] != "<"
        opening = self.opening(begin)
        name = opening - 1
        if text[name] == ">":
            name = tokens.angle_begin(name) - 1
        callee = text[name]
        if callee in TESTING:
            return True
        if callee not in BY_VALUE or not self.is_library(name):
            return False
        if callee not in SELECTING:
            return True
        first = name - 2 if text[name - 1] == "::" else name
        return self._is_copied(first, tokens.match[opening] + 1)

    def is_library(self, name: int) -> bool:
        """Whether a name before brackets is a function of the library, not one that the text declares anywhere."""
        text, region = self.text, self.program.region_at(name)
        if self.program.declared[text[name]] or self.program.functions.get(text[name]):
            return False
        if text[name - 1] in (".", "->") or (text[name - 1] == "::" and text[name - 2] not in ("std", ";", "{", "}", "=", "(")):
            return False
        return region is not None and is_only_called(self.program, text[name])

    def opening(self, at: int) -> int:
        """The bracket of the call around a token; casts and brackets alone are passed by."""
        text, match = self.text, self.tokens.match
        opening = at - 1
        while opening > 0:
            if text[opening] in (")", "]") and match[opening] > 0:
                opening = match[opening]
            elif text[opening] in _BREAKS:
                raise Unknown
            elif text[opening] == "(":
                before = text[opening - 1]
                angle = self.tokens.angle_begin(opening - 1) if before == ">" else -1
                is_cast = angle > 0 and text[angle - 1] in CASTS
                if before == ")" and not self._is_type(match[opening - 1] + 1, opening - 1):
                    raise Unknown
                if not is_cast and (is_name(before) or before in (*TESTING, ">", ">>>", "]")):
                    return opening
            opening -= 1
        raise Unknown

    def _is_type(self, begin: int, end: int) -> bool:
        """Whether tokens name a type of numbers or a pointer to such."""
        kind = type_of_range(self.tokens, begin, end, self.program.types)
        return kind is not None and kind.kind in ("number", "void") and not kind.reference

    # What takes references

    @cached_property
    def _binds(self) -> bool:
        """Whether an operator or a constructor of the text may take a number by reference, or `const` may be cast away."""
        if self.program.has_unseen or _BINDING & set(self.text):
            return True
        lists = [*self._operators(), *self._constructors()]
        return any(self._may_bind(*part) for opening in lists
                   for part in self.tokens.split(opening + 1, self.tokens.match[opening]))

    def _operators(self) -> list[int]:
        """The brackets of the parameters of operators."""
        text, found = self.text, list[int]()
        for at in range(len(text) - 3):
            if text[at] == "operator":
                opening = at + 3 if text[at + 1 : at + 3] in (["(", ")"], ["[", "]"]) else next(
                    (place for place in range(at + 1, min(at + 8, len(text))) if text[place] == "("), -1)
                found += [opening] if opening > 0 and self.tokens.match[opening] > 0 else []
        return found

    def _constructors(self) -> list[int]:
        """The brackets that may be those of the parameters of constructors."""
        return [at + 1 for name in self.program.classes for at in self.program.positions.get(name, [])
                if self.text[at + 1] == "(" and self.tokens.match[at + 1] > 0
                and self.text[self.tokens.match[at + 1] + 1] in ("{", ":", ";", "noexcept", "=")]

    def _may_bind(self, begin: int, end: int) -> bool:
        """Whether a parameter may refer to a number that may be changed."""
        words = self.text[begin:end]
        is_reference = not _REFERENCES.isdisjoint(words) and "const" not in words
        return is_reference and not any(word in _STREAMS or word in self.program.classes for word in words)


def is_only_called(program: Program, name: str) -> bool:
    """Whether a name stands before brackets alone, so that no variable has it: `int (*rand)() = mine;`."""
    text = program.tokens.text
    return all(text[at + 1] in ("(", "<") or text[at - 1] in (".", "->") for at in program.positions.get(name, []))


def _is_plain(kind: Type) -> bool:
    """Whether what is declared of a type is a number by itself."""
    return not kind.reference and kind.kind in ("number", "auto")
