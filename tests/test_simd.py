"""SIMD intrinsics of the CUDA Math API: words of two halves or four bytes, every function against its page, lane by lane."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from test_groups import launch, program

EDGES = (0x00000000, 0xffffffff, 0x80008000, 0x7fff8001, 0x80807f7f, 0x01ff00fe, 0x1234f0e1)
WORDS = [(a, b) for a in EDGES for b in EDGES]
Lane = Callable[[int, int, int, int], int]
"""Of two lanes, the least and the greatest number of their type."""


def saturated(x: int, low: int, high: int) -> int:
    return max(low, min(high, x))


def away_from_zero(total: int) -> int:
    return (abs(total) + 1) // 2 * (1 if total >= 0 else -1)


RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "ge": lambda x, y: x >= y, "gt": lambda x, y: x > y, "le": lambda x, y: x <= y, "lt": lambda x, y: x < y}
LANES: dict[str, tuple[str, Lane]] = {
    "vabs": ("s", lambda x, y, low, high: abs(x)), "vabsss": ("s", lambda x, y, low, high: min(abs(x), high)),
    "vneg": ("s", lambda x, y, low, high: -x), "vnegss": ("s", lambda x, y, low, high: min(-x, high)),
    "vadd": ("s", lambda x, y, low, high: x + y), "vsub": ("s", lambda x, y, low, high: x - y),
    "vaddss": ("s", lambda x, y, low, high: saturated(x + y, low, high)),
    "vaddus": ("u", lambda x, y, low, high: saturated(x + y, low, high)),
    "vsubss": ("s", lambda x, y, low, high: saturated(x - y, low, high)),
    "vsubus": ("u", lambda x, y, low, high: saturated(x - y, low, high)),
    "vavgs": ("s", lambda x, y, low, high: away_from_zero(x + y)), "vavgu": ("u", lambda x, y, low, high: (x + y + 1) // 2),
    "vhaddu": ("u", lambda x, y, low, high: (x + y) // 2),
    "vcmpeq": ("s", lambda x, y, low, high: -(x == y)), "vcmpne": ("s", lambda x, y, low, high: -(x != y)),
    "vseteq": ("s", lambda x, y, low, high: x == y), "vsetne": ("s", lambda x, y, low, high: x != y),
    **{f"vabsdiff{kind}": (kind, lambda x, y, low, high: abs(x - y)) for kind in "su"},
    **{f"vsad{kind}": (kind, lambda x, y, low, high: abs(x - y)) for kind in "su"},
    **{f"vmax{kind}": (kind, lambda x, y, low, high: max(x, y)) for kind in "su"},
    **{f"vmin{kind}": (kind, lambda x, y, low, high: min(x, y)) for kind in "su"},
    **{f"vcmp{name}{kind}": (kind, lambda x, y, low, high, holds=holds: -holds(x, y))  # type: ignore[misc]
       for name, holds in RELATIONS.items() for kind in "su"},
    **{f"vset{name}{kind}": (kind, lambda x, y, low, high, holds=holds: holds(x, y))  # type: ignore[misc]
       for name, holds in RELATIONS.items() for kind in "su"},
}
OF_ONE = {"vabs", "vabsss", "vneg", "vnegss"}


def lanes(word: int, bits: int, kind: str) -> list[int]:
    found = [word >> at & (1 << bits) - 1 for at in range(0, 32, bits)]
    return [x - (1 << bits) if kind == "s" and x >> bits - 1 else x for x in found]


def expected(name: str, bits: int, a: int, b: int) -> int:
    kind, lane = LANES[name]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "s" else (0, (1 << bits) - 1)
    each = [int(lane(x, y, low, high)) for x, y in zip(lanes(a, bits, kind), lanes(b, bits, kind), strict=True)]
    if name.startswith("vsad"):
        return sum(each)
    return sum((x & (1 << bits) - 1) << at * bits for at, x in enumerate(each))


@pytest.mark.parametrize("count", [2, 4])
def test_every_lane(count: int, tmp_path: Path) -> None:
    """Each thread takes one pair of words."""
    words = f"const unsigned words[{len(EDGES)}] = {{{', '.join(f'{word}u' for word in EDGES)}}};"
    body = f"int t = threadIdx.x; unsigned a = words[t / {len(EDGES)}], b = words[t % {len(EDGES)}];"
    stores = " ".join(f"o[{at * len(WORDS)} + t] = __{name}{count}(a{'' if name in OF_ONE else ', b'});"
                      for at, name in enumerate(LANES))
    made = program(f"__global__ void k(unsigned *o) {{ {words} {body} {stores} }}", tmp_path)
    found = launch(made, (len(WORDS), 1, 1)).contents("o")
    for at, name in enumerate(LANES):
        for thread, (a, b) in enumerate(WORDS):
            got, wanted = found[at * len(WORDS) + thread] & 0xffffffff, expected(name, 32 // count, a, b)
            assert got == wanted, (name, count, hex(a), hex(b), hex(got), hex(wanted))


def test_every_function_of_the_stub_is_tried() -> None:
    text = (ROOT / "automata" / "lang" / "stubs" / "intrinsics.h").read_text()
    compared = {f"{start}{name}" for name in re.findall(r"__SPMD_COMPARE\(n, (\w+), [SU]", text) for start in ("vcmp", "vset")}
    named = set(re.findall(r"__(v\w+)##n\(", text))
    assert len(compared) == 20
    assert (named | compared) == set(LANES)


@pytest.mark.parametrize(("one", "two"), [
    ("__vadd2(n[i], 0x00010001u)", "n[i] + 0x00010001u"), ("__vmaxs4(n[i], 0)", "n[i]"),
    ("__vavgs4(n[i], n[i] + 1)", "__vavgu4(n[i], n[i] + 1)")])
def test_what_differs_is_not_one(one: str, two: str, compared: Any) -> None:
    record = compared(*(f"// spmd: block=40 grid=1\n__global__ void k(unsigned *n) {{ int i = threadIdx.x; n[i] = {text}; }}"
                        for text in (one, two)))
    assert record["verdict"] == "different", record
