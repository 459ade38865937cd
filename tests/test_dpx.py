"""The largest or smallest of several integers, of sums too, and with which it is (`__vimax3_s32`, `__viaddmin_s16x2_relu`,
`__vibmax_u32`): every function of the CUDA Math API against its page."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import ROOT
from test_groups import launch, program
from test_simd import EDGES, lanes

TRIPLES = [(a, b, c) for a in EDGES for b in EDGES for c in EDGES[::2]]
KINDS = {"s32": ("s", 32), "u32": ("u", 32), "s16x2": ("s", 16), "u16x2": ("u", 16)}
NAMES = [f"__vi{head}{end}" for name in ("max", "min") for head, ends in (
    (f"{name}3_", [*KINDS, "s32_relu", "s16x2_relu"]), (f"add{name}_", [*KINDS, "s32_relu", "s16x2_relu"]),
    (f"{name}_", ["s32_relu", "s16x2_relu"]), (f"b{name}_", KINDS)) for end in ends]


def expected(name: str, a: int, b: int, c: int) -> int:
    """Its value; of one that tells which it is that and, three times, the answers of its lanes."""
    _, what, end = re.fullmatch(r"__(vi)(\w+?)_(.*)", name).groups()  # type: ignore[union-attr]
    kind, bits = KINDS[end.removesuffix("_relu")]
    best = max if "max" in what else min
    found, which = 0, 0
    for at, (x, y, z) in enumerate(zip(*(lanes(word, bits, kind) for word in (a, b, c)), strict=True)):
        total, = lanes((x + y) & (1 << bits) - 1, bits, kind)[:1]
        value = best(total, z) if what.startswith("add") else best(x, y, z) if what.endswith("3") else best(x, y)
        value = max(value, 0) if end.endswith("relu") else value
        found |= (value & (1 << bits) - 1) << at * bits
        which |= (x >= y if best is max else x <= y) << at
    return (found + 3 * which if what.startswith("b") else found) & 0xffffffff


def called(name: str) -> str:
    if not name.startswith("__vib"):
        return f"(unsigned){name}(a, b{'' if re.match(r'__vi(max|min)_', name) else ', c'})"
    both = name.endswith("x2")
    which = '(2 * high + low)' if both else 'high'
    return f"(unsigned){name}(a, b, &high{', &low' if both else ''}) + 3 * {which}"


def test_every_function(tmp_path: Path) -> None:
    """Each thread takes three words."""
    count, some = len(TRIPLES), EDGES[::2]
    words = f"const unsigned words[{len(EDGES)}] = {{{', '.join(f'{word}u' for word in EDGES)}}};"
    body = (f"int t = threadIdx.x, s = t / {len(some)}; unsigned a = words[s / {len(EDGES)}], b = words[s % {len(EDGES)}], "
            f"c = words[t % {len(some)} * 2]; bool high, low; unsigned r;")
    stores = " ".join(f"r = {called(name)}; o[{at * count} + t] = r;" for at, name in enumerate(NAMES))
    made = program(f"__global__ void k(unsigned *o) {{ {words} {body} {stores} }}", tmp_path)
    found = launch(made, (count, 1, 1)).contents("o")
    for at, name in enumerate(NAMES):
        for thread, (a, b, c) in enumerate(TRIPLES):
            got = found[at * count + thread] & 0xffffffff
            assert got == expected(name, a, b, c), (name, hex(a), hex(b), hex(c), hex(got))


def test_the_stub_has_each_of_them() -> None:
    """As the page lists them: 36."""
    text = (ROOT / "automata" / "lang" / "stubs" / "intrinsics.h").read_text()
    assert len(NAMES) == len(set(NAMES)) == 36
    assert "__SPMD_WITH_WHICH(max, >=) __SPMD_WITH_WHICH(min, <=)" in text
