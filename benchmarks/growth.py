"""How the time of a proof grows with sizes and with the length of a kernel.

    python benchmarks/growth.py [--repeat N] [--picture FILE]

- blocks of 32 to 1,024 threads and grids of 1 to 65,535 blocks: a proof for symbolic sizes does not know them, so the curves
  should be flat;
- straight-line code of 50 to 2,000 accesses, and nests of 1 to 6 loops with symbolic bounds.

Seconds are medians of checks in one warm process, after imports. `--picture` draws the curves (with matplotlib).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from automata.lang.launch import parse_comment  # noqa: E402
from automata.place import Place  # noqa: E402
from spmd.asked import Question, Source  # noqa: E402
from spmd.pipeline import run_check  # noqa: E402

Curve = list[tuple[int, float]]
TREE = (ROOT / "tests" / "programs" / "scalar_product.cu").read_text()
NEST = "abcdef"


def straight(accesses: int) -> str:
    """A thread copies half as many cells as there are accesses, without a loop."""
    cells = accesses // 2
    body = "".join(f"  a[i * {cells} + {at}] = b[i + {at}] * {at}.5f;\n" for at in range(cells))
    return f"__global__ void k(float *a, const float *b) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}}}\n"


def nest(depth: int) -> str:
    """A sum over a box of symbolic sides, one store a thread."""
    sides = ", ".join(f"int n{at}" for at in range(depth))
    heads = "".join(f"{'  ' * at}  for (int {NEST[at]} = 0; {NEST[at]} < n{at}; {NEST[at]}++)\n" for at in range(depth))
    index = " + ".join(NEST[:depth])
    return (f"__global__ void k(float *out, const float *in, {sides}) {{\n  float sum = 0;\n{heads}    sum += in[{index}];\n"
            "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n}\n")


def seconds(text: str, launch: str, repeat: int) -> float:
    """The median time of a check that proves a kernel deterministic."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(text)
        found = []
        for _ in range(repeat):
            began = time.perf_counter()
            answer, = run_check(Question(Source(str(path)), launch=parse_comment(launch, Place(str(path), 1, 1))))
            found.append(time.perf_counter() - began)
            assert answer.report.verdict.value == "proved", answer.report.reason
    return statistics.median(found)


def curves(repeat: int) -> dict[str, tuple[str, Curve]]:
    """For each picture: the name of its axis, and the curve."""
    asked: dict[str, tuple[str, list[int], Callable[[int], tuple[str, str]]]] = {
        "threads": ("threads of a block", [32, 64, 128, 256, 512, 1024], lambda size: (TREE, f"block={size}")),
        "blocks": ("blocks of the grid", [1, 16, 256, 4096, 65535], lambda size: (TREE, f"grid={size}")),
        "accesses": ("accesses without a loop", [50, 100, 200, 500, 1000, 2000], lambda size: (straight(size), "")),
        "loops": ("loops in each other", [1, 2, 3, 4, 5, 6], lambda size: (nest(size), ""))}
    seconds(TREE, "", 1)
    found: dict[str, tuple[str, Curve]] = {}
    for name, (axis, sizes, make) in asked.items():
        curve: Curve = []
        for size in sizes:
            curve.append((size, seconds(*make(size), repeat)))
            print(f"{axis:26}{size:8}{curve[-1][1]:9.3f} s")
        found[name] = axis, curve
    return found


def draw(found: dict[str, tuple[str, Curve]], target: Path) -> None:
    """The curves side by side, seconds upwards."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.hashsalt": "growth", "font.size": 9})
    figure, axes = plt.subplots(1, len(found), figsize=(11, 2.6), sharey=True, constrained_layout=True)
    top = max(y for _, curve in found.values() for _, y in curve)
    for axis, (name, (label, curve)) in zip(axes, found.items(), strict=True):
        axis.plot([x for x, _ in curve], [y for _, y in curve], marker="o", markersize=4, linewidth=1.5)
        axis.set_xlabel(label)
        axis.set_ylim(0, top * 1.1)
        axis.grid(alpha=0.3)
        if name in ("threads", "blocks"):
            axis.set_xscale("log", base=2)
    axes[0].set_ylabel("seconds")
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args()
    found = curves(asked.repeat)
    if asked.picture:
        draw(found, asked.picture)


if __name__ == "__main__":
    main()
