"""Which kernel of OpenCL a variable of a host text certainly is, and the calls that set its arguments.

In: the tokens of a text, and what others define. Out: for an argument the kernel's name, where the variable is given one name and
nothing else, every other place of it being an argument of the library, or of a function that does no more with it
(`opencl_handed`); a parameter is the kernel that all calls of its function give it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from automata.lang.host.opencl_handed import NOTHING, SET, TAKING, Handed, argument_of, is_called, name_of, parameters
from automata.lang.host.opencl_handed import handed as does
from automata.lang.host.opencl_names import is_certain
from automata.lang.host.opencl_text import NOWHERE, HostText, Part

MAKE = "clCreateKernel"
ANY = -2
"""Stands for the number of every argument: a function that is given the kernel may set any of them."""
_APART = frozenset({"&&", "||", "?", "{", "}", ":", "[", "for", "while", "do", "switch", "return", "case", "default", "goto",
                    "else", "sizeof", "decltype", "noexcept", "typeid", "alignof"})
_ASSIGNING = frozenset({"=", "|=", "+=", "&="})
_AROUND = frozenset({"(", ",", "!", "|", "==", "!="})


@dataclass(slots=True)
class Setting:
    """An argument that is set: its number, the variable that is copied, the type of the copy, the call's first token, and the
    first of its statement, -1 where it may be passed by."""

    number: int
    word: str
    kind: list[str]
    at: int
    statement: int


@dataclass(slots=True)
class Kernel:
    """What is known of a kernel's variable in one function, or in the file: the kernel's name, and the arguments that are set.
    `is_own`: each call of the function has a variable of its own; `is_given`: it is a parameter, so others hold the kernel too;
    `is_local`: none of these is a variable of the file; `made`: where it is given the name, with the program's."""

    name: str
    is_own: bool
    sets: list[Setting] = field(default_factory=list)
    is_given: bool = False
    is_local: bool = True
    made: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Others:
    """What other texts of the program hold. `is_alone`: whether none names a variable or function of this one; `bodies`: where
    they define a function of a name, None where that cannot be told."""

    is_alone: Callable[[str], bool]
    bodies: Callable[[str], list[tuple[HostText, int]] | None] = lambda name: []


def _unknown(opening: int, index: int) -> None:
    """What functions do that are called in another text: nobody looks."""


class Kernels(HostText):
    """The variables of kernels in one text."""

    def __init__(self, text: list[str], match: list[int], others: Others) -> None:
        super().__init__(text, match)
        self.others, self.is_alone = others, others.is_alone
        self.known: dict[tuple[str, int], Kernel | None] = {}
        self.told: dict[tuple[str, int, int], Handed | None] = {}

    # Kernels

    def kernel(self, part: tuple[int, int]) -> Kernel | None:
        """The kernel that an argument certainly is."""
        words = self.words(part)
        if len(words) != 1 or not words[0].isidentifier():
            return None
        name, (begin, end) = words[0], self.function(part[0])
        is_local = any(begin < at < end and self.is_declared(at) for at in self.places[name])
        names = [name_of(self, each) for each in parameters(self, begin)] if begin > 0 else []
        key = (name, begin if is_local or name in names else 0)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self._given(names.index(name), begin) if name in names else self._kernel(
                name, (begin, end) if is_local else None)
        return self.known[key]

    def _given(self, index: int, opening: int) -> Kernel | None:
        """The kernel that a parameter of a function is in all calls."""
        function, own = self.name_of(opening), parameters(self, opening)
        words = self.text[slice(*own[index])]
        bodies = [each for each, _ in self.functions if self.name_of(each) == function]
        places = [at for at in self.places.get(words[-1], []) if opening < at < self.match[opening]]
        is_plain = words[:-1] in (["cl_kernel"], ["const", "cl_kernel"], ["cl_kernel", "&"])
        is_one = bodies == [opening] and not self.is_in_class(self.match[opening - 1]) and self.is_alone(function)
        is_one = is_one and is_certain(self, function, len(own), [(self, opening)])
        if not (is_plain and is_one and all(map(self._is_harmless, places))):
            return None
        made = list[Kernel]()
        for at in self.places[function]:
            if self.text[at + 1] != "(" or self.text[at - 1] in (".", "->", "::"):
                return None
            if self.function(at) == NOWHERE:
                continue
            parts = self.parts(at + 1)
            is_call = not self.text[at - 1].isidentifier() or self.text[at - 1] in ("return", "else", "do")
            one = self.kernel(parts[index]) if is_call and len(parts) == len(own) else None
            if one is None or one.name != (made or [one])[0].name:
                return None
            made.append(one)
        is_local = all(each.is_local for each in made)
        return Kernel(made[0].name, False, self.all_sets(places), True, is_local) if made else None

    def all_sets(self, places: list[int]) -> list[Setting]:
        """The calls that set arguments of a kernel's variable, or may."""
        found = [each for each in map(self._set, places) if each is not None]
        calls = [(call, self.handed(*call)) for at in places if (call := argument_of(self, at)) is not None]
        return found + [Setting(ANY, "", [], call[0] - 1, -1) for call, told in calls if told is not None and told.sets]

    def handed(self, opening: int, index: int) -> Handed | None:
        """What a function that is called does with a kernel: as this text defines it, else as all others do that define one."""
        name, count = self.text[opening - 1], len(self.parts(opening))
        if name in TAKING or self.text[opening - 2] in (".", "->", "::") or index < 0 or not name.isidentifier():
            return None
        key = (name, index, count)
        if key not in self.told:
            self.told[key] = None
            own: list[tuple[HostText, int]] = [(self, each) for each, _ in self.functions if self.name_of(each) == name]
            own = [each for each in own if is_called(*each, count)]
            bodies = own or [each for each in self.others.bodies(name) or [] if is_called(*each, count)]
            found = {does(text, each, index, count, self.handed if own else _unknown) for text, each in bodies}
            self.told[key] = found.pop() if len(found) == 1 and is_certain(self, name, count, bodies) else None
        return self.told[key]

    def _kernel(self, name: str, body: Part | None) -> Kernel | None:
        places = [at for at in self.places[name] if body is None or body[0] < at < body[1]]
        declared = [at for at in places if self.is_declared(at)]
        words = {self.text[at - 2] for at in declared}
        if body is None and not any(self.text[at - 2:at] == ["static", "cl_kernel"] for at in places) and not self.is_alone(name):
            return None
        begun = [at for at in places if self.text[at + 1] == "=" and not self._is_none(at)]
        named = [self._made(at) for at in begun]
        made = next(iter(named), None)
        if made is None or any(each != made for each in named):
            return None
        if not all(self.text[at + 1] == "=" or self._is_harmless(at) for at in places):
            return None
        if any(self._is_parameter(at) for at in places) or any(map(self.is_in_class, declared)):
            return None
        if len(declared) > 1 or "extern" in words if body is not None else any(self.function(at) != NOWHERE for at in declared):
            return None
        return Kernel(made, body is not None and "static" not in words,
                       self.all_sets(places), is_local=body is not None,
                       made=tuple((at, self.text[self.parts(at + 3)[0][0]]) for at in begun))

    def _is_none(self, at: int) -> bool:
        """Whether a kernel's variable is declared as none, or set to it: with that nothing is launched."""
        begins = self.is_declared(at) or self.text[at - 1] in (";", "{", "}")
        return begins and [self.text[at + 2]] in NOTHING and self.text[at + 1] == "=" and self.text[at + 3] in (";", ",")

    def _made(self, at: int) -> str | None:
        """The name that a kernel's variable is given at a token: `k = clCreateKernel(program, "name", &error)`."""
        text = self.text
        if text[at + 2: at + 4] != [MAKE, "("] or text[at - 1] not in (";", "{", "}", ")", "cl_kernel", ","):
            return None
        parts = self.parts(at + 3)
        words = self.words(parts[1]) if len(parts) == 3 else []
        if len(words) == 1 and words[0].isidentifier():
            words = self._constant(words[0], at)
        is_text = len(words) == 1 and words[0][:1] == words[0][-1:] == '"'
        return words[0][1:-1] if is_text and words[0][1:-1].isidentifier() else None

    def _constant(self, name: str, use: int) -> list[str]:
        """The text that a variable holds which stands in its one declaration and as the name of kernels alone, or nothing."""
        places = self.places.get(name, [])
        begun = [at for at in places if self.text[at + 1] == "=" and self.text[at + 3] == ";"
                 and "char" in self.text[at - 5:at] and self.text[at - 1] in ("*", "const")]
        named = {part[0] for _, parts in self.calls(MAKE) if len(parts) == 3 for part in parts[1:2] if part[1] == part[0] + 1}
        if len(begun) != 1 or not named.issuperset(set(places) - set(begun)) or self.is_in_class(begun[0]):
            return []
        return [self.text[begun[0] + 2]] if self.function(begun[0]) in (NOWHERE, self.function(use)) else []

    def _is_harmless(self, at: int) -> bool:
        """Whether a kernel's variable is declared at a token, or an argument of the library, which takes it by value."""
        before, after = self.text[at - 1], self.text[at + 1]
        if self.is_declared(at):
            return after in (";", ",") or self._is_none(at)
        if before in ("(", "!", "&&", "||") and (after in ("==", "!=", "&&", "||") or (after == ")" and before != "(")):
            opening = self.bracket(at)
            return opening > 0 and self.text[opening - 1] in ("if", "while", "assert", "(", "!")
        call = argument_of(self, at)
        return call is not None and (self.text[call[0] - 1] in TAKING or self.handed(*call) is not None)

    def is_declared(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" or (
            self.text[at - 1] == "," and self.text[at + 1] in (";", ",", "=") and self._declares(at))

    def _is_parameter(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" and self.text[at + 1] in (",", ")") and self.bracket(at) > 0

    def _declares(self, at: int) -> bool:
        """Whether a name stands in a list that begins with a type of kernels."""
        while at > 0 and (self.text[at] in (",", "=", "0") or self.text[at].isidentifier()):
            if self.text[at] == "cl_kernel":
                return True
            at -= 1
        return False

    # Arguments

    def _set(self, at: int) -> Setting | None:
        """The argument that a call sets whose first argument stands at a token."""
        opening = at - 1
        if self.text[opening] != "(" or self.text[opening - 1] != SET:
            return None
        parts = self.parts(opening)
        if len(parts) != 4:
            return Setting(-1, "", [], opening - 1, -1)
        number, words = self.words(parts[1]), self.words(parts[3])
        index = int(number[0]) if len(number) == 1 and number[0].isdigit() and str(int(number[0])) == number[0] else -1
        word = words[1] if len(words) == 2 and words[0] == "&" and words[1].isidentifier() else ""
        kind = self._sized(self.words(parts[2]), word)
        return Setting(index, word if kind else "", kind, opening - 1, self._statement(opening - 1, word))

    @staticmethod
    def _sized(words: list[str], word: str) -> list[str]:
        """The type of a copy by the size that a call names; nothing where that is not plain."""
        if words[:1] != ["sizeof"]:
            return []
        words = words[2:-1] if words[1:2] == ["("] and words[-1:] == [")"] else words[1:]
        return ["auto"] if words == [word] else words if all(map(str.isidentifier, words)) else []

    def _statement(self, at: int, word: str) -> int:
        """The first token of the statement of a block in which a call certainly is evaluated, and before it nothing that may
        change a variable; -1 for none."""
        begin = at
        while begin > 0 and self.text[begin - 1] not in (";", "{", "}"):
            begin -= 1
            if self.text[begin] in _APART:
                return -1
            if self.text[begin] == ")":
                begin = max(self.match[begin], 1)
        return begin if begin > 0 and self.block(begin) > 0 and self._is_first(begin, at, word) else -1

    def _is_first(self, begin: int, at: int, word: str) -> bool:
        """Whether nothing between two tokens of a statement changes a variable, but for calls of the library and one that the
        value is assigned to."""
        is_assigned = False
        while begin < at:
            token = self.text[begin]
            is_assigned = is_assigned or token in _ASSIGNING
            if token == SET and self.match[begin + 1] < at and all(map(self.is_clean, self.parts(begin + 1))):
                begin = self.match[begin + 1]
            elif token == word or (token == "," and is_assigned) or (token == "(" and self.match[begin] < at) or not (
                    token.isidentifier() or token.isdigit() or token[:1] == '"' or token in _AROUND or token in _ASSIGNING):
                return False
            begin += 1
        return True
