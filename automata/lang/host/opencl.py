"""Launches of OpenCL programs, in the words of CUDA.

In: the tokens of a host text. Out: the same with `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)` written as
`hipLaunchKernelGGL(name, dim3(global[0] / local[0], …), dim3(local[0], …), 0, 0, …)`, so that all that is known of launches, of
what variables hold and who changes them is known of these too: the call reads its sizes and changes nothing. `clSetKernelArg`
copies its argument where it stands; it becomes `auto copy = n;` there, and a launch passes that copy.

Taken is only what is certain: a kernel's variable that is given one name and nothing else, every other place of which is an
argument of the library; a number of dimensions that is written down, no offset, sizes in an array or a variable; an argument that
one call sets, on every way to the launch. A group's size that the implementation chooses is not known. That groups divide the
global size is what OpenCL 1.2 requires of a launch. Source: the OpenCL 1.2 specification, 5.7 and 5.8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

ENQUEUE = "clEnqueueNDRangeKernel"
OPENCL_NAME = "spmd_opencl_"
"""What stands in front of a kernel's name in a launch that was an OpenCL one."""
_NOTHING = (["NULL"], ["0"], ["nullptr"], ["(", "void", "*", ")", "0"], ["(", "size_t", "*", ")", "NULL"])
_CHANGING = frozenset({"=", "++", "--", "+=", "-=", "{", "|=", "?"})
_APART = frozenset({"&&", "||", "?", "{", "}", ":", "[", "for", "while", "do", "switch", "return", "case", "default", "goto",
                    "else"})
_MOST_ARGUMENTS = 40
Edit = tuple[int, int, list[str]]
"""What stands instead of the tokens from one index up to another."""


@dataclass(slots=True)
class _Set:
    """An argument that is set: its number, the variable that is copied, the call's first token, and the first of its statement,
    -1 where it may be passed by."""

    number: int
    word: str
    at: int
    statement: int


@dataclass(slots=True)
class _Kernel:
    """What is known of a kernel's variable in one function, or in the file: the kernel's name, and the arguments that are set."""

    name: str
    sets: list[_Set] = field(default_factory=list)


class _Calls:
    """The calls of OpenCL's library in one text."""

    def __init__(self, text: list[str], match: list[int], is_alone: Callable[[str], bool]) -> None:
        self.text, self.match, self.is_alone = text, match, is_alone
        self.size = len(text)
        self.functions = self._functions()
        self.places: dict[str, list[int]] = {}
        for at, token in enumerate(text):
            self.places.setdefault(token, []).append(at)
        self.known: dict[tuple[str, int], _Kernel | None] = {}

    def _functions(self) -> list[tuple[int, int]]:
        """The outermost braces behind brackets: the bodies of functions; those of classes and namespaces are looked into."""
        found, at = list[tuple[int, int]](), 0
        while at < self.size:
            if self.text[at] == "{" and self.match[at] > at:
                if self.text[at - 1] in (")", "const", "noexcept", "override"):
                    found.append((at, self.match[at]))
                    at = self.match[at]
                elif self.text[at - 1] in ("=", "]"):
                    at = self.match[at]
            at += 1
        return found

    def function(self, at: int) -> tuple[int, int]:
        """The body in which a token stands; nothing outside of all."""
        return next(((begin, end) for begin, end in self.functions if begin < at < end), (0, 0))

    def parts(self, opening: int) -> list[tuple[int, int]]:
        """The arguments of a call by its bracket."""
        found, start, at, end = list[tuple[int, int]](), opening + 1, opening + 1, self.match[opening]
        while at < end:
            if self.text[at] == ",":
                found.append((start, at))
                start = at + 1
            elif self.text[at] in ("(", "[", "{"):
                at = max(at, self.match[at])
            at += 1
        return [*found, (start, end)] if start < end else found

    def calls(self, name: str) -> list[tuple[int, list[tuple[int, int]]]]:
        """The calls of a function, each with its arguments."""
        return [(at, self.parts(at + 1)) for at in self.places.get(name, [])
                if at + 1 < self.size and self.text[at + 1] == "(" and self.match[at + 1] > at]

    def words(self, part: tuple[int, int]) -> list[str]:
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

    def _kernel(self, name: str, body: tuple[int, int] | None) -> _Kernel | None:
        places = [at for at in self.places[name] if body is None or body[0] < at < body[1]]
        if body is None and not any(self.text[at - 2:at] == ["static", "cl_kernel"] for at in places) and not self.is_alone(name):
            return None
        named = [self._made(at) for at in places if self.text[at + 1] == "="]
        made = next(iter(named), None)
        if made is None or any(each != made for each in named):
            return None
        if not all(self.text[at + 1] == "=" or self._is_harmless(at) for at in places):
            return None
        inside = (self._is_parameter(at) or (self.function(at) != (0, 0) and self._is_declared(at)) for at in places)
        if body is None and any(inside):
            return None
        return _Kernel(made, [each for each in map(self._set, places) if each is not None])

    def _made(self, at: int) -> str | None:
        """The name that a kernel's variable is given at a token: `k = clCreateKernel(program, "name", &error)`."""
        text = self.text
        if text[at + 2: at + 4] != ["clCreateKernel", "("] or text[at - 1] not in (";", "{", "}", ")", "cl_kernel", ","):
            return None
        parts = self.parts(at + 3)
        words = self.words(parts[1]) if len(parts) == 3 else []
        if len(words) == 1 and words[0].isidentifier():
            words = self._constant(words[0])
        is_text = len(words) == 1 and words[0][:1] == words[0][-1:] == '"'
        return words[0][1:-1] if is_text and words[0][1:-1].isidentifier() else None

    def _constant(self, name: str) -> list[str]:
        """The text that a variable holds which is set nowhere but in its one declaration, or nothing."""
        places = self.places.get(name, [])
        begun = [at for at in places if self.text[at + 1] == "=" and self.text[at + 3] == ";"
                 and "char" in self.text[at - 5:at] and self.text[at - 1] in ("*", "const")]
        is_set = any(self.text[at + 1] in ("=", "[", "++", "--", "+=", "-=") or self.text[at - 1] in ("&", "++", "--")
                     for at in places if at not in begun)
        return [self.text[begun[0] + 2]] if len(begun) == 1 and not is_set else []

    def _is_harmless(self, at: int) -> bool:
        """Whether a kernel's variable is declared at a token, or an argument of the library, which takes it by value."""
        before, after = self.text[at - 1], self.text[at + 1]
        if self._is_declared(at):
            return after in (";", ",")
        if before in ("(", "!", "&&", "||") and (after in ("==", "!=", "&&", "||") or (after == ")" and before != "(")):
            opening = self._opening(at)
            return opening > 0 and self.text[opening - 1] in ("if", "while", "assert", "(", "!")
        if before not in ("(", ",") or after not in (",", ")"):
            return False
        opening = self._opening(at)
        return opening > 0 and self.text[opening - 1][:2] == "cl" and self.text[opening - 1][2:3].isupper()

    def _is_declared(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" or (
            self.text[at - 1] == "," and self.text[at + 1] in (";", ",") and self._declares(at))

    def _is_parameter(self, at: int) -> bool:
        return self.text[at - 1] == "cl_kernel" and self.text[at + 1] in (",", ")") and self._opening(at) > 0

    def _declares(self, at: int) -> bool:
        """Whether a name stands in a list that begins with a type of kernels."""
        while at > 0 and (self.text[at] == "," or self.text[at].isidentifier()):
            if self.text[at] == "cl_kernel":
                return True
            at -= 1
        return False

    def _opening(self, at: int) -> int:
        """The bracket around a token, back to the statement's begin."""
        depth = 0
        while at > 0 and self.text[at] not in (";", "{", "}"):
            depth += (self.text[at] == ")") - (self.text[at] == "(")
            if depth < 0:
                return at
            at -= 1
        return -1

    # Arguments

    def _set(self, at: int) -> _Set | None:
        """The argument that a call sets whose first argument stands at a token."""
        opening = at - 1
        if self.text[opening] != "(" or self.text[opening - 1] != "clSetKernelArg":
            return None
        parts = self.parts(opening)
        if len(parts) != 4:
            return _Set(-1, "", opening - 1, -1)
        number, words = self.words(parts[1]), self.words(parts[3])
        index = int(number[0]) if len(number) == 1 and number[0].isdigit() else -1
        word = words[1] if len(words) == 2 and words[0] == "&" and words[1].isidentifier() else ""
        return _Set(index, word, opening - 1, self._statement(opening - 1))

    def _statement(self, at: int) -> int:
        """The first token of the statement of a block in which a token certainly is evaluated; -1 for none."""
        begin = at
        while begin > 0 and self.text[begin - 1] not in (";", "{", "}"):
            begin -= 1
            if self.text[begin] in _APART:
                return -1
        if {"if", ")"} <= set(self.text[begin:at]):
            return -1
        return begin if begin > 0 and self._opening_of(begin) > 0 else -1

    def _opening_of(self, at: int) -> int:
        """The brace of the innermost block around a token; -1 where a bracket is nearer."""
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

    def _reaches(self, one: _Set, launch: int) -> bool:
        """Whether every way to a launch passes the statement that sets an argument last."""
        if not 0 <= one.statement < launch or self.function(one.at) != self.function(launch):
            return False
        opening = self._opening_of(one.statement)
        if self.match[opening] < launch:
            return False
        begin, end = self.function(launch)
        return "goto" not in self.text[begin:end] and not {"case", "default", "catch"} & set(self.text[one.statement:launch])

    # What is written instead

    def edits(self) -> list[Edit]:
        found = list[Edit]()
        copies = dict[int, Edit]()
        for at, parts in self.calls(ENQUEUE):
            edit = self._launch(at, parts, copies)
            found += [edit] if edit is not None else []
        for at, parts in self.calls("clSetKernelArg"):
            if len(parts) == 4 and not any(_CHANGING & set(self.text[slice(*part)]) for part in parts):
                found.append((at, self.match[at + 1] + 1, ["0"]))
        return sorted([*found, *copies.values()], key=lambda edit: edit[:2])

    def _launch(self, at: int, parts: list[tuple[int, int]], copies: dict[int, Edit]) -> Edit | None:
        """A launch in other words; what it copies before is noted."""
        if len(parts) != 9 or any(_CHANGING & set(self.text[slice(*part)]) for part in parts):
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
        written += [",", "0", ",", "0", *passed, ")"]
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
        is_here = all(self.function(each.at) == self.function(at) for each in kernel.sets)
        if any(each.number < 0 for each in kernel.sets) or last > _MOST_ARGUMENTS or not is_here:
            return found
        for number in range(last + 1):
            one = self._last([each for each in kernel.sets if each.number == number], at)
            if one is not None and one.word:
                word = f"spmd_copy_{one.at}"
                copies[one.at] = (one.statement, one.statement, ["auto", word, "=", one.word, ";"])
                found.append(word)
            else:
                found.append(f'"{number}"')
        return found

    def _last(self, sets: list[_Set], launch: int) -> _Set | None:
        """Which call sets an argument last before a launch: the one before it that no way passes by, unless another one stands
        between, or behind the launch in a block around it that may come back without the first."""
        one = next((each for each in reversed(sets) if each.at < launch), None)
        if one is None or not self._reaches(one, launch):
            return None
        within = self.match[self._opening_of(one.statement)]
        inner = next((end for begin, end in self._blocks(launch) if begin > one.at), launch)
        return one if inner <= within and not any(launch < each.at < inner for each in sets) else None

    def _blocks(self, at: int) -> list[tuple[int, int]]:
        """The blocks around a token, the outermost first."""
        begin, _ = self.function(at)
        return [(each, self.match[each]) for each in range(begin, at) if self.text[each] == "{" and self.match[each] > at]


def _dim3(parts: list[list[str]]) -> list[str]:
    return ["dim3", "(", *[token for part in parts for token in (",", *part)][1:], ")"]


def as_launches(text: list[str], match: list[int], is_alone: Callable[[str], bool]) -> list[Edit]:
    """What to write instead in a text that enqueues kernels. `is_alone`: whether no other text names a variable of this one. A
    text that declares functions of the library's names is left as it is."""
    calls = _Calls(text, match, is_alone)
    own = any(text[at - 1].isidentifier() and text[at - 1] not in ("return", "else")
              for name in (ENQUEUE, "clSetKernelArg", "clCreateKernel") for at in calls.places.get(name, []))
    return [] if own else calls.edits()
