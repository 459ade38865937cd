"""Blocks that may have few sizes, each proved by itself; and twins that differ at one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import read

from automata.budget import Budget
from automata.proof.determinism import check
from equivalence.generic.compare import GenericPair, show_by_blocks
from equivalence.pairing import pair_up
from equivalence.result import EqualityClass

FRAME = """// spmd: block=m grid=g x[g*m] y[g] require g > 0, g <= 1000, {what}
__global__ void k(const int *x, int *y, int m, int g) {{ int t = threadIdx.x; {body} }}
"""
FIRST = "if (t) return; int s = 0; for (int k = 0; k < m; k++) s += x[blockIdx.x * m + k]; y[blockIdx.x] = s;"
TREE = ("__shared__ int s[1024]; s[t] = x[blockIdx.x * m + t]; __syncthreads(); "
        "for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); } "
        "if (t == 0) y[blockIdx.x] = s[0];")
POWERS = "m > 0, m <= 64, (m & (m - 1)) == 0"


def shown(tmp_path: Path, one: str, two: str, what: str, budget: Budget | None = None) -> EqualityClass | None:
    sides = []
    for side, body in (("a", one), ("b", two)):
        (tmp_path / f"{side}.cu").write_text(FRAME.format(body=body, what=what))
        sides.append(read(tmp_path / f"{side}.cu", None))
    (a, launch_a, _), (b, launch_b, _) = sides
    pair = pair_up(a, b, launch_a, launch_b, {}, ())
    (_, side_a), (_, side_b) = (check(kernel, launch, side=side) for kernel, launch, side in (
        (pair.a, pair.launch_a, pair.side_a), (pair.b, pair.launch_b, pair.side_b)))
    budget = budget or Budget.of(120)
    found = show_by_blocks(lambda sizes: GenericPair([side_a], [side_b], budget, blocks=sizes), ([side_a], [side_b]), "y",
                           EqualityClass.REAL_EXP_MAX, budget)
    return None if found is None else found.kind


@pytest.mark.parametrize("what", [POWERS, "m > 0, m <= 64, m % 32 == 0"])
def test_equal(what: str, tmp_path: Path) -> None:
    serial = FIRST.replace("k = 0", "k = m - 1").replace("k < m", "k >= 0").replace("k++", "k--")
    assert shown(tmp_path, FIRST, TREE if "&" in what else serial, what) is EqualityClass.INT


def test_of_one_thread(tmp_path: Path) -> None:
    assert shown(tmp_path, FIRST, TREE, "m == 1") in (None, EqualityClass.BITWISE)


BAD = {
    "any size": (FIRST, TREE, "m > 0, m <= 64"),
    "multiples of eight": (FIRST, TREE, "m > 0, m <= 64, m % 8 == 0"),
    "other at the largest": (FIRST, TREE.replace("= s[0]", "= s[0] + (m == 64)"), POWERS),
    "other at the least": (FIRST, TREE.replace("= s[0]", "= s[0] + (m == 1)"), POWERS),
    "other in the middle": (FIRST, TREE.replace("= s[0]", "= s[0] + (blockDim.x == 8)"), POWERS),
    "a level left out": (FIRST, TREE.replace("d > 0", "d > 1"), POWERS),
    "one level too deep": (FIRST, TREE.replace("blockDim.x / 2", "blockDim.x / 4"), POWERS),
    "other at a size above a bound's power": (FIRST, TREE.replace("= s[0]", "= s[0] + (m == 256)"), POWERS.replace("64", "300")),
}


@pytest.mark.sliced(4)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, *BAD[what]) is None


def test_no_time_for_sizes_of_blocks_is_no_fault(tmp_path: Path) -> None:
    """Which sizes blocks may have is asked of solvers, too: where time is up there, the answer is open."""
    assert shown(tmp_path, FIRST, TREE, POWERS, Budget(work=0)) is None
