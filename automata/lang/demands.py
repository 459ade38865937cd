"""What a kernel's own attributes demand of the blocks that it is launched with.

`__launch_bounds__(n)`: a launch with more threads in a block fails (CUDA C++ Programming Guide, "Launch Bounds").
`__attribute__((reqd_work_group_size(x, y, z)))`: one with other sizes does (OpenCL C, "Optional Attribute Qualifiers").
So a kernel cannot go wrong at such a launch. Input: the text as it stands in its file, and where the kernel begins in it. Output:
requirements of a launch, as texts. Arguments that are no numbers are looked up among the macros and integer constants of
the file. One that is defined twice, under a condition, or perhaps elsewhere, says nothing; nor does a head with lines of the
preprocessor in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from math import prod

from automata.lang.core import AXES
from automata.lang.launch import Sizes
from automata.lang.texts import split_top
from automata.place import Place

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\(")
_EXACT = re.compile(r"\breqd_work_group_size\s*\(")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[1-9]\d*)[uUlL]*")
_HEAD = 2000
"""How many characters of a head are looked at."""


@dataclass(frozen=True, slots=True)
class Demands:
    """`most`: threads of a block; `exact`: its sizes."""

    most: int | None = None
    exact: tuple[int, int, int] | None = None

    def requirements(self, read: Collection[str]) -> tuple[str, ...]:
        """As texts, of the sizes that a kernel reads: the others are 1, if nothing is demanded of them. `read`: `blockDim.x`."""
        if self.exact is not None:
            return tuple(f"blockDim.{axis} == {size}" for axis, size in zip(AXES, self.exact, strict=True)
                         if size != 1 or f"blockDim.{axis}" in read)
        product = "*".join(size for axis in AXES if (size := f"blockDim.{axis}") in read)
        return (f"{product} <= {self.most}",) if product and self.most is not None else ()

    def refused(self, block: Sizes | None) -> str:
        """Why a block of these sizes cannot be started; empty if it can, or if not all of its sizes are numbers."""
        sizes = [size for size in block or () if isinstance(size, int)]
        if len(sizes) < len(AXES):
            return ""
        if self.exact is not None and tuple(sizes) != self.exact:
            return f"reqd_work_group_size{self.exact} takes no other block; give --block {','.join(map(str, self.exact))}"
        if self.most is not None and prod(sizes) > self.most:
            return f"__launch_bounds__({self.most}) takes no block of {prod(sizes)} threads; give a smaller --block"
        return ""


def demands(original: str, name: str, place: Place) -> Demands:
    """What the head of a kernel demands. `name`: with arguments, if it is a template's; `place`: of its head or its name."""
    head = _head(original, re.split(r"[<(]", name)[0].rpartition("::")[2].strip(), place)
    if head is None or re.search(r"^\s*#", head, re.M):
        return Demands()
    exact = [size for each in _arguments(_EXACT, head) for size in [_sizes(each, original)] if size is not None]
    most = [_number(each[0], original) for each in _arguments(_BOUNDS, head) if each]
    one = exact[0] if len(exact) == 1 else None
    return Demands(most[0] if len(most) == 1 else None, (one[0], one[1], one[2]) if one is not None else None)


def _head(original: str, name: str, place: Place) -> str | None:
    """From behind what stands before a kernel to its parameters, without comments."""
    lines = original.split("\n")
    start = sum(len(line) + 1 for line in lines[:place.line - 1]) + place.column - 1
    found = re.compile(rf"\b{re.escape(name)}\s*\(").search(original, max(0, start - len(name)))
    if found is None or found.start() - start > _HEAD:
        return None
    text = _COMMENT.sub(" ", original[max(0, start - _HEAD):found.start()])
    return re.sub(r"\A(?:\s*#[^\n]*\n)+", "", re.split(r"[;{}]", text)[-1])


def _arguments(mark: re.Pattern[str], head: str) -> list[list[str]]:
    """The arguments of each attribute of a name."""
    found = []
    for match in mark.finditer(head):
        depth, at = 1, match.end()
        while at < len(head) and depth:
            depth += {"(": 1, ")": -1}.get(head[at], 0)
            at += 1
        found.append([part.strip() for part in split_top(head[match.end():at - 1])] if not depth else [])
    return found


def _sizes(parts: list[str], original: str) -> list[int] | None:
    found = [_number(part, original) for part in parts]
    known = [size for size in found if size is not None]
    return known if len(known) == len(found) == 3 else None


def _number(text: str, original: str) -> int | None:
    """A number, or the one that a name stands for in the whole file."""
    if found := _NUMBER.fullmatch(text):
        return int(found[1], 0)
    if not re.fullmatch(r"[A-Za-z_]\w*", text):
        return None
    code = _COMMENT.sub(" ", original)
    kinds = r"(?:(?:static|constexpr|const|unsigned|int|size_t|auto)\s+)+"
    given = [*re.finditer(rf"^[ \t]*#[ \t]*define[ \t]+{text}\b(.*)$", code, re.M),
             *re.finditer(rf"^(?=[^=;\n]*\bconst(?:expr)?\b){kinds}{text}\s*=([^;,]*)[;,]", code, re.M)]
    others = (rf"^[ \t]*#[ \t]*(?:undef|ifndef|ifdef)[ \t]+{text}\b|\bdefined\b[ \t(]*{text}\b"
              rf"|[<,(]\s*\w+\s+{text}\s*[,>=)]")
    if len(given) != 1 or re.search(others, code, re.M):
        return None
    before = re.findall(r"^[ \t]*#[ \t]*(if|endif)", code[:given[0].start()], re.M)
    found = _NUMBER.fullmatch(given[0][1].strip().strip("()").strip())
    return int(found[1], 0) if found and before.count("if") == before.count("endif") else None
