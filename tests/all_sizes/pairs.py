"""The pairs of this folder: two kernels each, what must come out for all sizes, and slips that change the output.

`NAME/a.cu` and `NAME/b.cu` state their launches above their kernels. `NAME/pair.toml` says what is expected:

    class = "real"              the strongest class of equality that holds at all sizes
    why = "…"                   in one line
    b = "b.cu:scale;add"        where a side is not its file's one kernel
    sizes = { n = [0, 600] }    between which numbers a cross-check draws them
    values = { x = [0, "n"] }   where contents of an array (or a scalar argument) lie: [low, high), perhaps "sorted"
    extents = { x = "rows*n" }  elements of arrays that data index: in the header they would be a claim about the data
    needed = ["k % 16 == 0"]    requirements without which the two differ
    relate = ["b.out[k] == …"]  relations that are asked for, where the outputs are not the same
    [[slip]]                    `old` in file `of` (or in a relation: `of = "relate"`) turned into `new`
    gives = "nondeterministic"  where it is not "different"
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\(\d+\)\s*)?(\w+)\s*\(([^)]*)\)")
_EXTENT = re.compile(r"(?<![\w=])(\w+)\[([^\]\s]+)\]")
_GIVEN = re.compile(r"(\w+)=(\S+)")


@dataclass(frozen=True)
class Param:
    """A parameter: an array of `kind`, or a scalar."""

    name: str
    kind: str
    is_array: bool
    is_const: bool


@dataclass(frozen=True)
class Kernel:
    """A kernel with the launch above it: grid and block as C expressions."""

    name: str
    params: tuple[Param, ...]
    grid: tuple[str, ...]
    block: tuple[str, ...]
    extents: dict[str, str]
    requires: tuple[str, ...]


@dataclass(frozen=True)
class Slip:
    """A small edit of one side that changes the output at some size."""

    of: str
    old: str
    new: str
    why: str
    gives: str

    def applied(self, text: str) -> str:
        assert text.count(self.old) == 1, f"{self.old!r} stands {text.count(self.old)} times"
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Pair:
    """Two sides, what is expected of them, and their slips."""

    name: str
    sides: dict[str, str]
    equality: str
    why: str
    sizes: dict[str, tuple[int, int]]
    values: dict[str, tuple[Any, ...]]
    extents: dict[str, str]
    needed: tuple[str, ...]
    slips: tuple[Slip, ...]
    relate: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return HERE / self.name

    def argument(self, side: str) -> str:
        """What `spmd equiv` takes for this side."""
        return str(self.folder / self.sides[side])

    def slipped(self, slip: Slip) -> Pair:
        """The pair with a slip in a relation."""
        changed = tuple(slip.applied(text) if slip.old in text else text for text in self.relate)
        assert sum(one != other for one, other in zip(self.relate, changed, strict=True)) == 1
        return replace(self, relate=changed)

    def text(self, side: str) -> str:
        return (self.folder / f"{side}.cu").read_text()

    def kernels(self, side: str, text: str | None = None) -> list[Kernel]:
        """The kernels of a side, in the order in which they run."""
        found = kernels_of(self.text(side) if text is None else text)
        _, _, chosen = self.sides[side].partition(":")
        return [found[name] for name in (chosen.split(";") if chosen else list(found))]


def kernels_of(text: str) -> dict[str, Kernel]:
    """Every kernel of a text by its name; the launch is the last `spmd:` comment before it."""
    found = {}
    for match in _KERNEL.finditer(text):
        comment = text[:match.start()].rpartition("// spmd:")[2].partition("\n")[0]
        head, _, requires = comment.partition("require ")
        extents = dict(_EXTENT.findall(head))
        given = dict(_GIVEN.findall(_EXTENT.sub("", head)))
        params = tuple(_param(part) for part in match.group(2).split(","))
        found[match.group(1)] = Kernel(match.group(1), params, _split(given["grid"]), _split(given["block"]), extents,
                                       _split(requires))
    return found


def _split(text: str) -> tuple[str, ...]:
    """Parts between commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts if part.strip())


def _param(text: str) -> Param:
    words = text.replace("__restrict__", " ").replace("*", " * ").split()
    kind = " ".join(word for word in words[:-1] if word not in ("const", "*"))
    return Param(words[-1], kind, "*" in words, "const" in words)


def valued(text: Any, sizes: dict[str, int]) -> int:
    """A C expression over sizes that are at least 0, as a number."""
    if not isinstance(text, str):
        return int(text)
    code = text.replace("/", "//").replace("&&", " and ").replace("||", " or ")
    return int(eval(code, {"__builtins__": {}}, dict(sizes)))


@cache
def load(name: str) -> Pair:
    told = tomllib.loads((HERE / name / "pair.toml").read_text())
    slips = tuple(Slip(each["of"], each["old"], each["new"], each["why"], each.get("gives", "different"))
                  for each in told.get("slip", []))
    return Pair(name, {side: told.get(side, f"{side}.cu") for side in "ab"}, told["class"], told["why"],
                {size: tuple(ends) for size, ends in told["sizes"].items()},
                {of: tuple(ends) for of, ends in told.get("values", {}).items()}, told.get("extents", {}),
                tuple(told.get("needed", ())), slips, tuple(told.get("relate", ())))


def all_pairs() -> list[Pair]:
    return [load(path.parent.name) for path in sorted(HERE.glob("*/pair.toml"))]


def launches(pair: Pair, seed: int, without: str = "") -> Iterator[dict[str, int]]:
    """Sizes that meet the requirements of both sides: small ones first, if they are found, then ends, multiples and
    neighbours of them, at random.

    `without` a requirement: sizes that meet all but this one.
    """
    rng = random.Random(f"{pair.name} {seed}")
    requires = [text for side in "ab" for kernel in pair.kernels(side) for text in kernel.requires if text != without]
    if without:
        requires.append(f"not ({without})")
    least = True
    while True:
        for tried in range(40000):
            sizes = {name: low if least and tried < 5000 and rng.random() < 0.8 else _drawn(rng, low, high)
                     for name, (low, high) in pair.sizes.items()}
            if all(valued(text, sizes) for text in requires):
                break
        else:
            raise AssertionError(f"{pair.name}: no sizes meet the requirements")
        least = False
        yield sizes


def _drawn(rng: random.Random, low: int, high: int) -> int:
    way = rng.randrange(4)
    if way == 0:
        return min(high, low + rng.randrange(6))
    if way == 1:
        unit = rng.choice([4, 8, 16, 32, 64, 128, 256])
        return max(low, min(high, rng.randint(low, high) // unit * unit + rng.choice([0, 0, 0, -1, 1])))
    return rng.randint(low, high)
