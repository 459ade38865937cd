"""How long it takes to read a file's kernels to Core, with each front end, and how long libclang's parse takes.

    python benchmarks/reading.py [FILES...] [--repeat N]

Without FILES: the kernels of the tests and the case studies. Each time is the median of N runs in this process,
after one file of each dialect to warm up. The reference is libclang parsing the same file with the same
arguments, in the same run. Files that a front end refuses do not count for it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from automata.lang.clang.index import Parsed
from automata.lang.clang.prelude import prelude
from automata.lang.clang.program import MAIN
from automata.lang.read import find_kernels
from automata.lang.source import read_source
from automata.place import InputError

ROOT = Path(__file__).resolve().parent.parent
GOAL_MS = 25.0
WARM = ("__global__ void warm(int *a) { a[threadIdx.x] = 1; }\n",
        "__kernel void warm(__global int *a) { a[get_local_id(0)] = 1; }\n")
Dialect = Literal["cuda", "opencl"]


def default_files() -> list[Path]:
    """The kernels of the tests and of the case studies."""
    kernels = ROOT / "tests" / "kernels"
    return sorted([*kernels.glob("*.cu"), *kernels.glob("*.cl"), *(ROOT / "case_studies").rglob("*.cu")])


def read(path: str, frontend: Literal["c", "clang"]) -> None:
    """Read every kernel of a file to Core."""
    for found in find_kernels(path, frontend=frontend):
        found.read()


def parse(path: str) -> None:
    """Let libclang parse a file as the clang front end has it do."""
    dialect: Dialect = "opencl" if path.endswith(".cl") else "cuda"
    full, main = os.path.abspath(path), MAIN + (".cl" if dialect == "opencl" else ".cu")
    Parsed(main, list(prelude(dialect).args), {main: f'#include "{full}"\n', full: read_source(path)})


def milliseconds(work: Callable[[], None], repeat: int) -> float | None:
    """The median of some runs; None when the file is refused."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        try:
            work()
        except InputError:
            return None
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def measure(path: str, repeat: int) -> tuple[float | None, float | None, float | None]:
    """Milliseconds of the c front end, the clang front end and libclang's parse."""
    return (milliseconds(lambda: read(path, "c"), repeat), milliseconds(lambda: read(path, "clang"), repeat),
            milliseconds(lambda: parse(path), repeat))


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))]


def row(title: str, times: list[float], ratios: list[float]) -> str:
    """One line of the table: files, median, 90th percentile, median ratio to libclang's parse of the same file."""
    if not times:
        return f"{title:18}{0:7}"
    return (f"{title:18}{len(times):7}{statistics.median(times):12.1f}{percentile(times, 0.9):10.1f}"
            f"{statistics.median(ratios):12.2f}{percentile(ratios, 0.9):10.2f}")


def warm_up(folder: Path) -> None:
    """Read one small file of each dialect with everything that is measured."""
    for text, name in zip(WARM, ("warm.cu", "warm.cl"), strict=True):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        measure(str(path), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        warm_up(Path(folder))
    runs = [measure(str(path), asked.repeat) for path in asked.files or default_files()]
    print(f"{'':18}{'files':>7}{'median ms':>12}{'p90 ms':>10}{'/ libclang':>12}{'p90':>10}")
    for title, column in (("c", 0), ("clang", 1), ("libclang's parse", 2)):
        known = [(run[column], run[2]) for run in runs]
        times = [took for took, _ in known if took is not None]
        print(row(title, times, [took / unit for took, unit in known if took is not None and unit]))
    clang = [run[1] for run in runs if run[1] is not None]
    if clang:
        middle = statistics.median(clang)
        print(f"clang: the median of {middle:.1f} ms is {'' if middle < GOAL_MS else 'not '}under {GOAL_MS:g} ms")


if __name__ == "__main__":
    main()
