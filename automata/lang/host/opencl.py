"""Launches of OpenCL programs, in the words of CUDA.

In: the tokens of a host text. Out: the same with `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)` written as
`hipLaunchKernelGGL(name, dim3(global[0] / local[0], …), dim3(local[0], …), 0, 0, …)`, so that all that is known of launches, of
what variables hold and who changes them is known of these too: the call reads its sizes and changes nothing. `clSetKernelArg`
copies its argument where it stands; it becomes `auto copy = n;` there, and a launch passes that copy, which has the type that the
call names the size of (`int copy = n;` for `sizeof(int)`): a launch of another type than the variable's has no value.

Taken is only what is certain: a kernel whose name is (`opencl_kernels`); a call of the library, or of a function that hands on to
it what it is given (`opencl_handed`); a number of dimensions that is written down, no offset, sizes in an array or a variable; an
argument that one call sets, on every way to the launch, with no other behind it: none that a loop around the launch comes to, and
none in the same function called again meanwhile. A call whose arguments may change something stays as it is; what a launch calls
in those that say nothing of it stands where CUDA has its stream. A group's size that the implementation chooses (`NULL`) is a
variable of which nothing is known but that it is a divisor: so all that it may choose are asked about. That groups divide the
global size is what OpenCL 1.2 requires of a launch. Source: the OpenCL 1.2 specification, 5.7 and 5.8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from automata.lang.host.library import BY_VALUE
from automata.lang.host.opencl_handed import ENQUEUE, NOTHING, SET, TAKING, argument_of
from automata.lang.host.opencl_kernels import ANY, MAKE, Kernel, Kernels, Others, Setting
from automata.lang.host.opencl_options import Option, Options
from automata.lang.host.opencl_text import NOWHERE, HostText, Part

OPENCL_NAME = "spmd_opencl_"
"""What stands in front of a kernel's name in a launch that was an OpenCL one."""
CHOSEN = "chosen_group_"
"""What stands in front of an axis in the name of a group's size that the implementation chooses."""
_PLAIN = BY_VALUE | TAKING | {"if", "for", "while", "switch", "return"}
_MOST_ARGUMENTS = 40
Edit = tuple[int, int, list[str]]
"""What stands instead of the tokens from one index up to another."""


@dataclass(frozen=True, slots=True)
class _Enqueued:
    """What a call enqueues: where the kernel and the sizes stand, the number of axes and the offset, and all its arguments."""

    kernel: Part
    axes: list[str]
    offset: list[str]
    whole: Part
    local: Part | None
    parts: list[Part]


class _Calls(Kernels):
    """The calls of OpenCL's library in one text."""

    @cached_property
    def options(self) -> Options:
        return Options(self)

    def _reaches(self, one: Setting, launch: int) -> bool:
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

    def _may_set_between(self, one: int, launch: int, is_local: bool) -> bool:
        """Whether a function that runs between two tokens may set arguments of a kernel that it knows otherwise: of a local
        variable's none of another text does, since no function that is given it keeps it."""
        todo = [self.text[at - 1] for at in self.called(one, self._behind_launch(one, launch))]
        seen = set[str]()
        while todo:
            name = todo.pop()
            if name in seen or name in _PLAIN:
                continue
            seen.add(name)
            bodies = [each for each in self.functions if self.name_of(each[0]) == name]
            if (not bodies and not is_local) or any(SET in self.text[begin:end] for begin, end in bodies):
                return True
            todo += [self.text[at - 1] for begin, end in bodies for at in self.called(begin, end)]
        return False

    # What is written instead

    def edits(self) -> list[Edit]:
        found = list[Edit]()
        copies = dict[str, Edit]()
        for at, enqueued in self.enqueued():
            edit = self._launch(at, enqueued, copies)
            found += [edit] if edit is not None else []
        for at, parts in self.calls(SET):
            if len(parts) == 4 and all(map(self.is_clean, parts)):
                found.append((at, self.match[at + 1] + 1, ["0"]))
        return sorted([*found, *copies.values()], key=lambda edit: edit[:2])

    def enqueued(self) -> Iterator[tuple[int, _Enqueued]]:
        """The calls that enqueue a kernel, each by its first token: of the library, and of functions that hand it on."""
        for at, parts in self.calls(ENQUEUE):
            if len(parts) == 9:
                yield at, _Enqueued(parts[1], self.words(parts[2]), self.text[slice(*parts[3])], parts[4], parts[5], parts)
        handing = {call for name in self._variables() for at in self.places[name] if (call := argument_of(self, at)) is not None}
        for opening, index in sorted(handing):
            told, parts = self.handed(opening, index), self.parts(opening)
            if told is None or told.roles is None or told.roles[1] != index or self.function(opening) == NOWHERE:
                continue
            words = [self.words(parts[role]) if isinstance(role, int) else list(role) for role in told.roles]
            whole, local = told.roles[4:6]
            if isinstance(whole, int):
                yield opening - 1, _Enqueued(parts[index], words[2], words[3], parts[whole],
                                             parts[local] if isinstance(local, int) else None, parts)

    def _variables(self) -> set[str]:
        """The names that kernels' variables and parameters may have."""
        return {self.text[at] for at, token in enumerate(self.text) if token.isidentifier() and (
            self.is_declared(at) or self.text[at - 2:at] == ["cl_kernel", "&"])}

    def _launch(self, at: int, enqueued: _Enqueued, copies: dict[str, Edit]) -> Edit | None:
        """A launch in other words; what it copies before is noted."""
        parts, axes = enqueued.parts, enqueued.axes
        if any(map(self.changes, parts)) or self.body(at) == NOWHERE or self.is_asked_alone(at):
            return None
        kernel = self.kernel(enqueued.kernel)
        if kernel is None or axes not in (["1"], ["2"], ["3"]) or enqueued.offset not in NOTHING:
            return None
        count = int(axes[0])
        whole = self._sizes(enqueued.whole, count)
        is_chosen = enqueued.local is None or self.words(enqueued.local) in NOTHING
        local = self._chosen(at, count, copies) if is_chosen or enqueued.local is None else self._sizes(enqueued.local, count)
        if not whole or not local:
            return None
        groups = [[*each, "/", *group] for each, group in zip(whole, local, strict=True)]
        passed = [token for word in [*self._passed(kernel, at, copies), *self._options(kernel, at, copies)]
                  for token in (",", word)]
        written = ["hipLaunchKernelGGL", "(", OPENCL_NAME + kernel.name, ",", *_dim3(groups), ",", *_dim3(local)]
        calling = [token for part in parts if self.called(*part) for token in ("+", *self.text[slice(*part)])]
        written += [",", "0", ",", *(calling[1:] or ["0"]), *passed, ")"]
        return at, self.match[at + 1] + 1, written

    def _chosen(self, at: int, count: int, copies: dict[str, Edit]) -> list[list[str]]:
        """The sizes of groups that the implementation chooses, as variables of the function of which nothing is known."""
        opening = self.body(at)[0] + 1
        words = [f"{CHOSEN}{axis}" for axis in range(count)]
        if any(word in self.places for word in words):
            return []
        for word in words:
            copies[f"{word} {opening}"] = (opening, opening, ["size_t", word, ";"])
        return [[word] for word in words]

    def _sizes(self, part: tuple[int, int], count: int) -> list[list[str]]:
        """The elements of an array of sizes, or the one size whose address is given."""
        words = self.words(part)
        if words[:1] == ["&"] and words[2:] == ["[", "0", "]"]:
            words = words[1:2]
        if words in NOTHING or not words[-1].isidentifier():
            return []
        if len(words) == 2 and words[0] == "&" and count == 1:
            return [[words[1]]]
        return [[words[0], "[", str(axis), "]"] for axis in range(count)] if len(words) == 1 else []

    def _passed(self, kernel: Kernel, at: int, copies: dict[str, Edit]) -> list[str]:
        """The arguments of a launch: copies of variables where they certainly were set last, else texts, which say nothing."""
        found = list[str]()
        last = max((each.number for each in kernel.sets), default=-1)
        is_here = all(self.body(each.at) == self.body(at) for each in kernel.sets)
        if any(each.number < 0 and each.number != ANY for each in kernel.sets) or last > _MOST_ARGUMENTS or not is_here:
            return found
        for number in range(last + 1):
            one = self._last(kernel, number, at)
            if one is not None and one.word:
                word = f"spmd_copy_{one.at}"
                copies[word] = (one.statement, one.statement, [*one.kind, word, "=", one.word, ";"])
                found.append(word)
            else:
                found.append(f'"{number}"')
        return found

    def _options(self, kernel: Kernel, at: int, copies: dict[str, Edit]) -> list[str]:
        """What the options of the kernel's program say, as copies that are passed with a launch."""
        made, program = next((each for each in reversed(kernel.made) if each[0] < at), (-1, ""))
        begin = made if self.text[made - 1] != "cl_kernel" else made - 1
        is_one = kernel.is_own and not kernel.is_given and len({name for _, name in kernel.made}) == 1
        if not is_one or made < 0 or self.block(begin) < 0 or self.text[begin - 1] not in (";", "{", "}") or (
                self.body(made) != self.body(at) or self.match[self.block(begin)] < at):
            return []
        found = list[Option](self.options.of(program, min(each for each, _ in kernel.made), at))
        for each in found:
            if each.sum != NOWHERE:
                copies[f"sum {each.at}"] = (*each.sum, ['""'])
            copies[each.word] = (each.at, each.at, [*each.kind, each.word, "=", *each.value, ";"])
        return [each.word for each in found]

    def _last(self, kernel: Kernel, number: int, launch: int) -> Setting | None:
        """Which call sets an argument last before a launch: the one before it that no way passes by, unless another one runs
        between."""
        sets = sorted((each for each in kernel.sets if each.number in (number, ANY)), key=lambda each: each.at)
        one = next((each for each in reversed(sets) if each.at < launch), None)
        if one is None or not self._reaches(one, launch):
            return None
        if not kernel.is_own and self._is_called_between(one.at, launch):
            return None
        if kernel.is_given and self._may_set_between(one.at, launch, kernel.is_local):
            return None
        behind = self._behind_launch(one.at, launch)
        return None if any(launch < each.at < behind for each in sets) else one


def _dim3(parts: list[list[str]]) -> list[str]:
    return ["dim3", "(", *[token for part in parts for token in (",", *part)][1:], ")"]


def opencl_launches(text: list[str], match: list[int], is_alone: Callable[[str], bool],
                    bodies: Callable[[str], list[tuple[HostText, int]] | None]) -> list[Edit]:
    """What to write instead in a text that enqueues kernels. `is_alone`: whether no other text names a variable or function of
    this one; `bodies`: where others define a function of a name, None where that cannot be told. A text that declares functions
    of the library's names is left as it is."""
    calls = _Calls(text, match, Others(is_alone, bodies))
    own = any(text[at - 1].isidentifier() and text[at - 1] not in ("return", "else")
              for name in (MAKE, *TAKING) for at in calls.places.get(name, []))
    return [] if own else calls.edits()
