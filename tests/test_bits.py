"""Powers of two that are required, and what is left of masks made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.logic.atom import Atom
from automata.logic.bits import of_bits, powers_of_two
from automata.logic.poly import Poly
from automata.logic.views import ANY, Function
from automata.proof.known.context import Context, prepare

KERNEL = "__global__ void k(int *out, int s, int t, unsigned u) { out[blockIdx.x * blockDim.x] = s + t + u; }"


def context(folder: Path, *requires: str) -> Context:
    path = folder / "k.cu"
    path.write_text(KERNEL)
    return prepare(find_kernels(str(path))[0].read(), Launch(requires=requires))


@pytest.mark.parametrize(("requires", "found"), [
    (("s > 0", "(s & (s - 1)) == 0"), ["s"]),
    (("s >= 1 && 0 == ((s - 1) & s)",), ["s"]),
    (("u > 0", "(u & (u + -1)) == 0", "t > 0", "(t & (t - 1)) == 0"), ["t", "u"]),
    (("(blockDim.x & (blockDim.x - 1)) == 0",), ["blockDim.x"]),
    (("(s & (s - 1)) == 0",), []),
    (("s >= 0", "(s & (s - 1)) == 0"), []),
    (("s > -1", "(s & (s - 1)) == 0"), []),
    (("t > 0", "(s & (s - 1)) == 0"), []),
    (("s > 0", "t > 0", "(s & (t - 1)) == 0"), []),
    (("s > 0", "(s & (s - 2)) == 0"), []),
    (("s > 0", "(s & (s - 1)) == 1"), []),
    (("s > 0", "(s & (s - 1)) != 0"), []),
    (("s > 0", "(s | (s - 1)) == 0"), []),
    (("s > 0", "(s & (1 - s)) == 0"), []),
    (("s > 0", "(s & (s - 1)) == 0 || t > 0"), []),
    (("s > 0 || t > 0", "(s & (s - 1)) == 0"), []),
], ids=" ".join)
def test_which_sizes_are_powers_of_two(requires: tuple[str, ...], found: list[str], tmp_path: Path) -> None:
    asked = context(tmp_path, *requires)
    powers = powers_of_two(asked.required, asked.ranges)
    assert sorted(str(term) for term in powers) == found


def test_ranges_are_those_of_powers(tmp_path: Path) -> None:
    asked = context(tmp_path, "s > 0 && (s & (s - 1)) == 0", "u > 0 && (u & (u - 1)) == 0",
                    "(blockDim.x & (blockDim.x - 1)) == 0")
    powers = powers_of_two(asked.required, asked.ranges)
    told = {str(term): tuple(int(str(bound)) for bound in bounds) for term, bounds in powers.items()}
    assert told == {"s": (1, 1 << 30), "u": (1, 1 << 31), "blockDim.x": (1, 1024)}


@pytest.mark.parametrize("factor", [1, 2, 8])
@pytest.mark.parametrize("negative", [False, True])
def test_masks_are_what_python_makes_of_them(factor: int, negative: bool, tmp_path: Path) -> None:
    """The polynomial of x & (f·s - 1), and of x & -f·s, has the value that Python computes, with the quotient rounded down."""
    asked = context(tmp_path, "s > 0", "(s & (s - 1)) == 0")
    encoder = asked.encoder()
    size, value = (encoder.number(asked.values[name], ANY) for name in ("s", "t"))
    (power,), (free,) = size.atoms(), value.atoms()
    mask = size.scale(-factor) if negative else size.scale(factor).plus(-1)
    found = of_bits(encoder, Function("&"), (value, mask), (-(1 << 31), (1 << 31) - 1), {power})
    (whole,) = found.atoms() - {power, free}
    for s in (1, 2, 4, 64):
        for x in range(-70, 71):
            at = {power: s, free: x, whole: x // (factor * s)}
            assert _value(found, at) == x & (-factor * s if negative else factor * s - 1)


@pytest.mark.parametrize("mask", ["s", "3*s - 1", "s + t - 1", "s*t - 1", "s - 2", "1 - s"])
def test_other_masks_stay_unknown(mask: str, tmp_path: Path) -> None:
    asked = context(tmp_path, "s > 0", "(s & (s - 1)) == 0")
    encoder = asked.encoder()
    s, t = (encoder.number(asked.values[name], ANY) for name in ("s", "t"))
    made = {"s": s, "3*s - 1": s.scale(3).plus(-1), "s + t - 1": (s + t).plus(-1), "s*t - 1": (s * t).plus(-1),
            "s - 2": s.plus(-2), "1 - s": s.scale(-1).plus(1)}
    (power,) = s.atoms()
    found = of_bits(encoder, Function("&"), (t, made[mask]), (-(1 << 31), (1 << 31) - 1), {power})
    assert not encoder.floors and len(found.atoms()) == 1 and next(iter(found.atoms())) in encoder.applications


def _value(poly: Poly, at: dict[Atom, int]) -> int:
    total = 0
    for mono, factor in poly.terms.items():
        for each in mono:
            factor *= at[each]
        total += factor
    return total
