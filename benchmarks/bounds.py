"""How the time of a comparison for all sizes grows with the bound on the sizes: not at all.

    python benchmarks/bounds.py [--picture FILE] [--from FILE] [--to FILE]

Pairs of tests/all_sizes with arrays of one size, whose launches say `n <= 1000000`, are compared with other bounds in that
place: from 2^10 to 2^31 - 1. Seconds are of processor time, of the whole comparison (both checks, runs, and the proof), in one
warm process. `--to` keeps the numbers, `--from` takes kept ones; `--picture` draws the curves (with matplotlib).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "all_sizes")]

import pairs  # noqa: E402

from automata.budget import UNLIMITED  # noqa: E402
from automata.lang.launch import find_comment  # noqa: E402
from automata.lang.read import find_kernels  # noqa: E402
from equivalence.compare import compare  # noqa: E402
from equivalence.pairing import pair_up  # noqa: E402
from spmd.pipeline import forget  # noqa: E402

NAMES = ("grid_stride_map", "float4_copy_scaled_tail", "histogram_shared", "coarsen_four_strided",
         "tree_unrolled_last_warp", "recurrence_two_rounds_at_once")
BITS = (10, 14, 18, 22, 26, 31)
BOUND = re.compile(r"(\b(?!blocks\b)\w+ <= )\d+")
Curve = list[tuple[int, float]]


def seconds(name: str, bits: int, folder: Path) -> float:
    """The time of a comparison that shows a pair equal with sizes up to 2^bits (2^31 - 1 at most)."""
    pair = pairs.load(name)
    most = min(2**bits, 2**31 - 1)
    sides = []
    for side in "ab":
        path = folder / f"{side}.cu"
        path.write_text(BOUND.sub(rf"\g<1>{most}", pair.text(side)))
        item, = find_kernels(str(path), None, None, {}, (), "auto", None)
        kernel = item.read()
        launch = find_comment(item.original, item.path, kernel.place.line)
        assert launch is not None
        sides.append((kernel, launch))
    (a, launch_a), (b, launch_b) = sides
    forget()
    began = time.process_time()
    report = compare(pair_up(a, b, launch_a, launch_b, {}, ()), "real", UNLIMITED.within(60))
    took = time.process_time() - began
    if report.verdict.value != "equal":
        raise SystemExit(f"{name} at 2^{bits}: {report.verdict.value} {report.reason}")
    return took


def curves() -> dict[str, Curve]:
    """For each pair its curve: bits of the bound, and seconds."""
    import tempfile

    found: dict[str, Curve] = {}
    with tempfile.TemporaryDirectory() as folder:
        seconds(NAMES[0], BITS[0], Path(folder))
        for name in NAMES:
            found[name] = [(bits, seconds(name, bits, Path(folder))) for bits in BITS]
            print(f"{name:26}" + "".join(f"{took:8.2f}" for _, took in found[name]), flush=True)
    return found


def draw(found: dict[str, Curve], target: Path) -> None:
    """All curves, seconds upwards."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.hashsalt": "bounds", "font.size": 9})
    figure, axis = plt.subplots(figsize=(8, 3.4), constrained_layout=True)
    for name, curve in found.items():
        bounds, times = [2**bits for bits, _ in curve], [took for _, took in curve]
        axis.plot(bounds, times, marker="o", markersize=4, linewidth=1.5, label=name)
    axis.set_xscale("log", base=2)
    axis.set_xlabel("sizes are at most")
    axis.set_ylabel("seconds")
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.3)
    figure.legend(loc="outside right upper", fontsize=8)
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--from", dest="source", type=Path)
    parser.add_argument("--to", type=Path)
    asked = parser.parse_args()
    found = json.loads(asked.source.read_text()) if asked.source else curves()
    if asked.to:
        asked.to.write_text(json.dumps(found))
    if asked.picture:
        draw(found, asked.picture)


if __name__ == "__main__":
    main()
