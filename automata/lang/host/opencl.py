"""Launches of OpenCL programs, in the words of CUDA.

In: the tokens of a host text. Out: the same with `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)` written as
`hipLaunchKernelGGL(name, dim3(global[0] / local[0], …), dim3(local[0], …), 0, 0, …)`, so that all that is known of launches, of
what variables hold and who changes them is known of these too: the call reads its sizes and changes nothing. `clSetKernelArg`
copies its argument where it stands; it becomes `auto copy = n;` there, and a launch passes that copy, which has the type that the
call names the size of (`int copy = n;` for `sizeof(int)`): a launch of another type than the variable's has no value.

Taken is only what is certain: a kernel's variable that is given one name and nothing else, every other place of which is an
argument of the library; a number of dimensions that is written down, no offset, sizes in an array or a variable; an argument that
one call sets, on every way to the launch, with no other behind it: none that a loop around the launch comes to, and none in the
same function called again meanwhile. A call whose arguments may change something stays as it is; what a launch calls in those
that say nothing of it stands where CUDA has its stream. A group's size that the implementation chooses is not known. That groups
divide the global size is what OpenCL 1.2 requires of a launch. Source: the OpenCL 1.2 specification, 5.7 and 5.8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from automata.lang.host.library import BY_VALUE
from automata.lang.host.opencl_text import NOWHERE, HostText, Part

ENQUEUE = "clEnqueueNDRangeKernel"
OPENCL_NAME = "spmd_opencl_"
"""What stands in front of a kernel's name in a launch that was an OpenCL one."""
_SET, _MAKE = "clSetKernelArg", "clCreateKernel"
_TAKING = frozenset({ENQUEUE, _SET, "clEnqueueTask", "clRetainKernel", "clReleaseKernel", "clGetKernelInfo", "clGetKernelArgInfo",
                     "clGetKernelWorkGroupInfo"})
"""Functions of the library that take a kernel and leave it what it is, but for `clSetKernelArg`."""
_PLAIN = BY_VALUE | _TAKING | {"if", "for", "while", "switch", "return"}
_NOTHING = (["NULL"], ["0"], ["nullptr"], ["(", "void", "*", ")", "0"], ["(", "size_t", "*", ")", "NULL"])
_APART = frozenset({"&&", "||", "?", "{", "}", ":", "[", "for", "while", "do", "switch", "return", "case", "default", "goto",
                    "else", "sizeof", "decltype", "noexcept", "typeid", "alignof"})
_ASSIGNING = frozenset({"=", "|=", "+=", "&="})
_AROUND = frozenset({"(", ",", "!", "|", "==", "!="})
_MOST_ARGUMENTS = 40
Edit = tuple[int, int, list[str]]
"""What stands instead of the tokens from one index up to another."""


@dataclass(slots=True)
class _Set:
    """An argument that is set: its number, the variable that is copied, the type of the copy, the call's first token, and the
    first of its statement, -1 where it may be passed by."""

    number: int
    word: str
    kind: list[str]
    at: int
    statement: int


@dataclass(slots=True)
class _Kernel:
    """What is known of a kernel's variable in one function, or in the file: the kernel's name, and the arguments that are set.
    `is_own`: each call of the function has a variable of its own."""

    name: str
    is_own: bool
    sets: list[_Set] = field(default_factory=list)


class _Calls(HostText):
    """The calls of OpenCL's library in one text."""

    def __init__(self, text: list[str], match: list[int], is_alone: Callable[[str], bool]) -> None:
        super().__init__(text, match)
        self.is_alone = is_alone
        self.known: dict[tuple[str, int], _Kernel | None] = {}

    # Kernels

    def kernel(self, part: tuple[int, int]) -> _Kernel | None:
        """The kernel that an argument certainly is."""
        words = self.words(part)
        if len(words) != 1 or not words[0].isidentifier():
            return None
        name, (begin, end) = words[0], self.function(part[0])
        is_local = any(begin < at < end and self.text[at - 1] == "cl_kernel" for at in self.places[name])
        key = (name, begin if is_local else 0)
        if key not in self.known:
            self.known[key] = self._kernel(name, (begin, end) if is_local else None)
        return self.known[key]

    def _kernel(self, name: str, body: Part | None) -> _Kernel | None:
        places = [at for at in self.places[name] if body is None or body[0] < at < body[1]]
        declared = [at for at in places if self._is_declared(at)]
        words = {self.text[at - 2] for at in declared}
        if body is None and not any(self.text[at - 2:at] == ["static", "cl_kernel"] for at in places) and not self.is_alone(name):
            return None
        named = [self._made(at) for at in places if self.text[at + 1] == "="]
        made = next(iter(named), None)
        if made is None or any(each != made for each in named):
            return None
        if not all(self.text[at + 1] == "=" or self._is_harmless(at) for at in places):
            return None
        if any(self._is_parameter(at) for at in places) or any(map(self.is_in_class, declared)):
            return None
        if len(declared) > 1 or "extern" in words if body is not None else any(self.function(at) != NOWHERE for at in declared):
            return None
        return _Kernel(made, body is not None and "static" not in words,
                       [each for each in map(self._set, places) if each is not None])

    def _made(self, at: int) -> str | None:
        """The name that a kernel's variable is given at a token: `k = clCreateKernel(program, "name", &error)`."""
        text = self.text
        if text[at + 2: at + 4] != [_MAKE, "("] or text[at - 1] not in (";", "{", "}", ")", "cl_kernel", ","):
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
        named = {part[0] for _, parts in self.calls(_MAKE) if len(parts) == 3 for part in parts[1:2] if part[1] == part[0] + 1}
        if len(begun) != 1 or not named.issuperset(set(places) - set(begun)) or self.is_in_class(begun[0]):
            return []
        return [self.text[begun[0] + 2]] if self.function(begun[0]) in (NOWHERE, self.function(use)) else []

    def _is_harmless(self, at: int) -> bool:
        """Whether a kernel's variable is declared at a token, or an argument of the library, which takes it by value."""
        before, after = self.text[at - 1], self.text[at + 1]
        if self._is_declared(at):
            return after in (";", ",")
        if before in ("(", "!", "&&", "||") and (after in ("==", "!=", "&&", "||") or (after == ")" and before != "(")):
            opening = self.bracket(at)
            return opening > 0 and self.text[opening - 1] in ("if", "while", "assert", "(", "!")
        if before not in ("(", ",") or after not in (",", ")"):
            return False
        opening = self.bracket(at)
        return opening > 0 and self.text[opening - 1] in _TAKING

    def _is_declared(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" or (
            self.text[at - 1] == "," and self.text[at + 1] in (";", ",") and self._declares(at))

    def _is_parameter(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" and self.text[at + 1] in (",", ")") and self.bracket(at) > 0

    def _declares(self, at: int) -> bool:
        """Whether a name stands in a list that begins with a type of kernels."""
        while at > 0 and (self.text[at] == "," or self.text[at].isidentifier()):
            if self.text[at] == "cl_kernel":
                return True
            at -= 1
        return False

    # Arguments

    def _set(self, at: int) -> _Set | None:
        """The argument that a call sets whose first argument stands at a token."""
        opening = at - 1
        if self.text[opening] != "(" or self.text[opening - 1] != _SET:
            return None
        parts = self.parts(opening)
        if len(parts) != 4:
            return _Set(-1, "", [], opening - 1, -1)
        number, words = self.words(parts[1]), self.words(parts[3])
        index = int(number[0]) if len(number) == 1 and number[0].isdigit() and str(int(number[0])) == number[0] else -1
        word = words[1] if len(words) == 2 and words[0] == "&" and words[1].isidentifier() else ""
        kind = self._sized(self.words(parts[2]), word)
        return _Set(index, word if kind else "", kind, opening - 1, self._statement(opening - 1, word))

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
            if token == _SET and self.match[begin + 1] < at and all(map(self.is_clean, self.parts(begin + 1))):
                begin = self.match[begin + 1]
            elif token == word or (token == "," and is_assigned) or (token == "(" and self.match[begin] < at) or not (
                    token.isidentifier() or token.isdigit() or token[:1] == '"' or token in _AROUND or token in _ASSIGNING):
                return False
            begin += 1
        return True

    def _reaches(self, one: _Set, launch: int) -> bool:
        """Whether every way to a launch passes the statement that sets an argument last."""
        if not 0 <= one.statement < launch or self.body(one.at) != self.body(launch):
            return False
        if self.match[self.block(one.statement)] < launch:
            return False
        begin, end = self.function(launch)
        behind = self._behind_launch(one.at, launch)
        return "goto" not in self.text[begin:end] and not {"case", "default", "catch"} & set(self.text[one.statement:behind])

    def _behind_launch(self, one: int, launch: int) -> int:
        """Up to where tokens may run between one and a launch: the end of the launch, and of the loops around it that do not come
        back to the first."""
        return max([self.match[launch + 1], *(end for begin, end in self.loops(launch) if begin > one and end > launch)])

    def _is_called_between(self, one: int, launch: int) -> bool:
        """Whether the function of a launch may run once more between two of its tokens."""
        body = self.body(launch)
        name = self.name_of(body[0]) if body == self.function(launch) else ""
        bodies = dict[str, list[Part]]()
        for each in self.functions:
            bodies.setdefault(self.name_of(each[0]), []).append(each)
        called = {self.text[at - 1] for at in self.called(one, self._behind_launch(one, launch))} - (_PLAIN - bodies.keys())
        if not called or not name:
            return bool(called)
        reached, todo = set(called), list(called)
        while todo:
            inner = {word for begin, end in bodies.get(todo.pop(), []) for word in self.text[begin:end] if word in bodies}
            todo += inner - reached
            reached |= inner
        is_pointed_at = any(self.text[at + 1] != "(" for at in self.places[name])
        is_foreign = not reached <= bodies.keys() and name != "main" and not self.is_alone(name)
        return name in reached or is_pointed_at or is_foreign

    # What is written instead

    def edits(self) -> list[Edit]:
        found = list[Edit]()
        copies = dict[int, Edit]()
        for at, parts in self.calls(ENQUEUE):
            edit = self._launch(at, parts, copies)
            found += [edit] if edit is not None else []
        for at, parts in self.calls(_SET):
            if len(parts) == 4 and all(map(self.is_clean, parts)):
                found.append((at, self.match[at + 1] + 1, ["0"]))
        return sorted([*found, *copies.values()], key=lambda edit: edit[:2])

    def _launch(self, at: int, parts: list[Part], copies: dict[int, Edit]) -> Edit | None:
        """A launch in other words; what it copies before is noted."""
        if len(parts) != 9 or any(map(self.changes, parts)) or self.body(at) == NOWHERE:
            return None
        kernel, axes = self.kernel(parts[1]), self.words(parts[2])
        if kernel is None or axes not in (["1"], ["2"], ["3"]) or self.text[slice(*parts[3])] not in _NOTHING:
            return None
        count = int(axes[0])
        whole, local = self._sizes(parts[4], count), self._sizes(parts[5], count)
        if not whole or not local:
            return None
        groups = [[*each, "/", *group] for each, group in zip(whole, local, strict=True)]
        passed = [token for word in self._passed(kernel, at, copies) for token in (",", word)]
        written = ["hipLaunchKernelGGL", "(", OPENCL_NAME + kernel.name, ",", *_dim3(groups), ",", *_dim3(local)]
        calling = [token for part in parts if self.called(*part) for token in ("+", *self.text[slice(*part)])]
        written += [",", "0", ",", *(calling[1:] or ["0"]), *passed, ")"]
        return at, self.match[at + 1] + 1, written

    def _sizes(self, part: tuple[int, int], count: int) -> list[list[str]]:
        """The elements of an array of sizes, or the one size whose address is given."""
        words = self.words(part)
        if words[:1] == ["&"] and words[2:] == ["[", "0", "]"]:
            words = words[1:2]
        if words in _NOTHING or not words[-1].isidentifier():
            return []
        if len(words) == 2 and words[0] == "&" and count == 1:
            return [[words[1]]]
        return [[words[0], "[", str(axis), "]"] for axis in range(count)] if len(words) == 1 else []

    def _passed(self, kernel: _Kernel, at: int, copies: dict[int, Edit]) -> list[str]:
        """The arguments of a launch: copies of variables where they certainly were set last, else texts, which say nothing."""
        found = list[str]()
        last = max((each.number for each in kernel.sets), default=-1)
        is_here = all(self.body(each.at) == self.body(at) for each in kernel.sets)
        if any(each.number < 0 for each in kernel.sets) or last > _MOST_ARGUMENTS or not is_here:
            return found
        for number in range(last + 1):
            one = self._last(kernel, number, at)
            if one is not None and one.word:
                word = f"spmd_copy_{one.at}"
                copies[one.at] = (one.statement, one.statement, [*one.kind, word, "=", one.word, ";"])
                found.append(word)
            else:
                found.append(f'"{number}"')
        return found

    def _last(self, kernel: _Kernel, number: int, launch: int) -> _Set | None:
        """Which call sets an argument last before a launch: the one before it that no way passes by, unless another one runs
        between."""
        sets = [each for each in kernel.sets if each.number == number]
        one = next((each for each in reversed(sets) if each.at < launch), None)
        if one is None or not self._reaches(one, launch):
            return None
        if not kernel.is_own and self._is_called_between(one.at, launch):
            return None
        behind = self._behind_launch(one.at, launch)
        return None if any(launch < each.at < behind for each in sets) else one


def _dim3(parts: list[list[str]]) -> list[str]:
    return ["dim3", "(", *[token for part in parts for token in (",", *part)][1:], ")"]


def as_launches(text: list[str], match: list[int], is_alone: Callable[[str], bool]) -> list[Edit]:
    """What to write instead in a text that enqueues kernels. `is_alone`: whether no other text names a variable of this one. A
    text that declares functions of the library's names is left as it is."""
    calls = _Calls(text, match, is_alone)
    own = any(text[at - 1].isidentifier() and text[at - 1] not in ("return", "else")
              for name in (_MAKE, *_TAKING) for at in calls.places.get(name, []))
    return [] if own else calls.edits()
