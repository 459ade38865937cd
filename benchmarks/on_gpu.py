"""What spmd says, held against a GPU of NVIDIA's: nothing else in the project needs one.

    python benchmarks/on_gpu.py                    # both steps, where there are nvcc and a GPU
    python benchmarks/on_gpu.py --prepare FOLDER   # needs spmd with its tests, no GPU
    python benchmarks/on_gpu.py --run FOLDER       # needs a GPU, nvcc, NumPy and this repository; no spmd

Launches are made here and repeated there:

    drawn     pairs of `tests/all_sizes` that are equal to the bit, at random sizes: do both sides leave the same bits?
    pair      pairs of `case_studies` and `tests/pairs` that are: the same, and does the machine leave them too?
    again     kernels of `tests/kernels` that are proved, ten times each: the same each time, and as the machine?
    race      kernels whose race was replayed: counted, nothing is claimed of them
    table     functions of the device library, operators and casts that are claimed to be exact: as the machine computes them?

Texts are compiled with -fmad=false, as verdicts say that floats are computed as the text says; `--contract` leaves nvcc its way.
No numbers (NaN) are all alike. Ends with 1 if anything but a race differs, 2 where there is no GPU or no compiler.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gpu import device, running
from gpu.device import NoGPU
from gpu.modules import Compiler, NoCompiler, Texts

KINDS = ["drawn", "pair", "again", "race", "table"]


def prepare(folder: Path, *, seed: int, launches: int) -> None:
    """Write texts, jobs and contents of arrays."""
    from gpu import chosen
    from gpu.made import Kept

    folder.mkdir(parents=True, exist_ok=True)
    texts, kept, told = Texts(folder), Kept(folder), list[str]()
    chosen.collect(texts, kept, folder, told, seed=seed, launches=launches)
    kept.write()
    (folder / "jobs.json").write_text(json.dumps({"jobs": kept.jobs, "texts": texts.listed()}))
    (folder / "left_out.txt").write_text("\n".join(told) + "\n")
    counts = Counter(job["what"] for job in kept.jobs)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())), f"jobs, {len(told)} left out (left_out.txt)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", type=Path, metavar="FOLDER")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--contract", action="store_true", help="let nvcc fuse products into sums")
    parser.add_argument("--only", nargs="+", default=KINDS, choices=KINDS, help="kinds of jobs that are run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--launches", type=int, default=5, help="of each pair of tests/all_sizes")
    parser.add_argument("--results", type=Path, help="where all results go, as JSON")
    given = parser.parse_args()
    try:
        if given.work:
            folder, architecture, first, last = given.work
            running.work(Compiler(Path(folder), architecture, given.contract), int(first), int(last))
            return 0
        with tempfile.TemporaryDirectory() as scratch:
            folder = given.run or given.prepare or Path(scratch)
            architecture = "" if given.prepare else device.architecture()
            if not given.run:
                prepare(folder, seed=given.seed, launches=given.launches)
            if given.prepare:
                return 0
            results = running.run_all(Compiler(folder, architecture, given.contract), Path(__file__), set(given.only))
    except (NoGPU, NoCompiler) as error:
        print(f"on_gpu: {error}", file=sys.stderr)
        return 2
    if given.results:
        given.results.write_text(json.dumps(results, indent=0, default=str))
    print(running.summed(results))
    return int(any(result["result"] not in ("same", "not compiled") and result["what"] != "race" for result in results))


if __name__ == "__main__":
    sys.exit(main())
