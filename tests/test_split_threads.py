"""The generic thread of a proof: split by what a number leaves of a coordinate it is every thread for each write."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run
from test_generic import read

from automata.logic.atom import Atom
from automata.proof.determinism import check
from equivalence.all_sizes import Comparison
from equivalence.pairing import pair_up

KERNELS = """// spmd: block=BLOCK grid=g out[g*32] in[g*32] require g > 0, g <= 1000
__global__ void k(float *out, const float *in, int g) {
  int tx = threadIdx.x, ty = threadIdx.y, b = blockIdx.x, e = 8 * b + tx;
  BODY
}
"""
SINGLY = ("out[32 * b + 4 * ty + tx] = in[32 * b + 4 * ty + tx]; out[32 * b + 16 + 4 * tx + ty] = 1;",
          "out[32 * b + 4 * tx + ty] = in[32 * b + 4 * tx + ty]; out[32 * b + 16 + 4 * ty + tx] = 1;")
FOURS = "".join(f"out[4 * e + {part}] = in[4 * e + {part}];" for part in range(4))


@pytest.mark.parametrize("body", SINGLY)
def test_a_later_write_has_views_of_its_own(body: str, tmp_path: Path) -> None:
    """Two writes whose cells are told by one coordinate each: in the views of the second nothing is left of the first."""
    sides = []
    for name, block, text in (("a", "4,4", body), ("b", "8", FOURS)):
        (tmp_path / f"{name}.cu").write_text(KERNELS.replace("BLOCK", block).replace("BODY", text))
        sides.append(read(tmp_path / f"{name}.cu", None))
    (a, launch_a, _), (b, launch_b, _) = sides
    pair = pair_up(a, b, launch_a, launch_b, {}, ())
    (_, side_a), (_, side_b) = (check(kernel, launch, side=side) for kernel, launch, side in (
        (pair.a, pair.launch_a, pair.side_a), (pair.b, pair.launch_b, pair.side_b)))
    comparison = Comparison(side_a, side_b, commutative=False)
    seen: set[Atom] = set()
    for write in comparison.a.writes("out"):
        views = [view for view, _ in comparison._threads(write, "a")]
        atoms = [{each for each in comparison.encoder.index(write.index[-1], view).atoms() if len(each.owners) == 2}
                 for view in views]
        assert len(views) == 4
        for own in atoms:
            split = [each for each in own if not each.text.startswith("threadIdx")]
            assert len(own) == 2 and len(split) == 1
            assert seen.isdisjoint(own)
            seen |= own


UNTRACED = """// spmd: block=64 grid=g out[g*64] in[g*64] require g > 0, g <= 1000
__global__ void k(int *out, const int *in, int g) {
  __shared__ int s[64];
  int t = threadIdx.x;
  BODY
}
"""
SQUARES = ("if (t < 32) s[(t * t + t) % 64] = in[blockIdx.x * 64 + t]; __syncthreads(); "
           "if (t < 32 && s[(t * t + t) % 64] > 0) out[blockIdx.x * 64 + t] = 1;")
PLAIN = "if (t < 32 && in[blockIdx.x * 64 + t] > 0) out[blockIdx.x * 64 + t] = 1;"


def test_a_guard_that_is_not_traced_leaves_it_open(run: Run, tmp_path: Path) -> None:
    for name, body in (("a", SQUARES), ("b", PLAIN)):
        (tmp_path / f"{name}.cu").write_text(UNTRACED.replace("BODY", body))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    assert record["verdict"] == "unknown"
