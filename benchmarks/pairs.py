"""How long comparisons at a launch take: whole comparisons in one warm process, after imports.

    python benchmarks/pairs.py [--large] [--repeat N] [--picture]

Each row is a pair of the case studies at a launch of its own (attention: of benchmarks/pairs). Seconds are medians; the last
column gives them as multiples of a fixed piece of Python run right before. `--large` adds the products at 1,024³. The
curve: a product of 64 × 64 elements over longer and longer sums, seconds against the number of multiplications; `--picture`
draws it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from reversal import reference  # noqa: E402

from automata.lang.launch import parse_comment  # noqa: E402
from automata.place import Place  # noqa: E402
from spmd.asked import PairAnswer, PairQuestion, Question, Source  # noqa: E402
from spmd.pair_pipeline import run_equiv  # noqa: E402

STUDIES, OWN = ROOT / "case_studies", ROOT / "benchmarks" / "pairs"


@dataclass(frozen=True)
class Pair:
    """Two files with their launches."""

    name: str
    a: Path
    b: Path
    launch_a: str
    launch_b: str

    def compare(self) -> PairAnswer:
        sides = [Question(Source(str(file)), parse_comment(text, Place(str(file), 1, 1)), seconds=600.0)
                 for file, text in ((self.a, self.launch_a), (self.b, self.launch_b))]
        return run_equiv(PairQuestion(sides[0], sides[1]))


def products(size: int) -> list[Pair]:
    """Every step of the matrix product, whole grid."""
    sizes = f"m={size} n={size} k={size}"
    small, large = f"grid={size // 16},{size // 16} {sizes}", f"grid={size // 64},{size // 64} {sizes}"
    naive = f"block=16,16 {small}"
    launches = {"coalesced": f"block=256 {small}", "shared": naive, "split_k": naive} | {
        step: f"block={block} {large}"
        for step, block in (("tile_1d", 512), ("tile_2d", 256), ("float4", 256), ("two_buffers", 256), ("warp_tiles", 128))}
    folder = STUDIES / "matmul"
    return [Pair(f"matmul {step} at {size}³", folder / ("original.cu" if step in ("coalesced", "shared") else "even.cu"),
                 folder / f"{step}.cu", naive, launch) for step, launch in launches.items()]


def tile(k: int) -> Pair:
    """One tile of 64 × 64 elements over k products, by 256 threads."""
    return Pair(f"matmul, one tile, K = {k:,}", STUDIES / "matmul" / "even.cu", STUDIES / "matmul" / "tile_2d.cu",
                f"block=16,16 grid=4,4 m=64 n=64 k={k}", f"block=256 grid=1,1 m=64 n=64 k={k}")


def pairs(*, large: bool) -> list[Pair]:
    """All pairs that are measured."""
    trees, soft = STUDIES / "reduction", STUDIES / "softmax"
    found = [Pair(f"reduction {step} at n = 1,024", trees / "original.cu", trees / f"{step}.cu", "block=256 grid=4 n=1024",
                  f"block={block} grid=4 n=1024")
             for step, block in (("strided", 256), ("sequential", 256), ("first_add", 128), ("shuffles", 256), ("float4", 64))]
    found += [*products(256), tile(4096)]
    one_thread, one_block = ("block=128 grid=1 rows=128 cols=4096", "block=64 grid=128 rows=128 cols=4096")
    for how, a, b, launch in (("thread", "original", "online", one_thread), ("block", "block", "online_block", one_block)):
        found.append(Pair(f"softmax online, 128 × 4,096, a {how} a row", soft / f"{a}.cu", soft / f"{b}.cu", launch, launch))
    attention = "block=64 grid=8 n=512 scale=0.125"
    found.append(Pair("attention 512 × 64, tiled", OWN / "attention_plain.cu", OWN / "attention_tiled.cu", attention, attention))
    return found + (products(1024)[1::6] if large else [])


def measured(pair: Pair, repeat: int) -> tuple[PairAnswer, float, float]:
    """The answer, the median of its seconds and of its multiples of the reference."""
    found, ratios = [], []
    for _ in range(repeat):
        unit, began = reference(), time.perf_counter()
        answer = pair.compare()
        found.append(time.perf_counter() - began)
        ratios.append(found[-1] / unit)
    return answer, statistics.median(found), statistics.median(ratios)


def draw(curve: list[tuple[int, float]], target: Path) -> None:
    """Seconds against multiplications."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.hashsalt": "pairs", "font.size": 9})
    figure, axes = plt.subplots(figsize=(4.2, 2.8))
    axes.plot([count / 1e6 for count, _ in curve], [seconds for _, seconds in curve], marker="o")
    axes.set(xlabel="multiplications a side, in millions", ylabel="seconds", xlim=0, ylim=0,
             title="one tile of a product, both kernels")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--picture", action="store_true")
    given = parser.parse_args()
    tile(8).compare()
    for pair in pairs(large=given.large):
        answer, seconds, ratio = measured(pair, given.repeat)
        kind = answer.report.equality.value if answer.report.equality else ""
        print(f"{pair.name:46} {answer.report.verdict.value:9} {kind:13} {seconds:7.2f} s {ratio:8.1f}", flush=True)
    curve = [(64 * 64 * k, measured(tile(k), 1)[1]) for k in (256, 512, 1024, 2048, 4096)]
    for count, seconds in curve:
        print(f"{count:>12,} multiplications {seconds:7.2f} s", flush=True)
    if given.picture:
        draw(curve, ROOT / "docs" / "pictures" / "pairs.svg")


if __name__ == "__main__":
    main()
