"""How fast the machine runs kernels, what its shadow costs, and how that compares with compiled code.

    python benchmarks/machine.py [KERNELS...] [--repeat N] [--markdown FILE] [--skip-launches]

The kernels stand in `benchmarks/machine/`, three times: as CUDA for the machine, as OpenCL for PoCL, and as plain C loops
for gcc -O2. Per kernel: accesses of lanes per second without and with the shadow, the ratio of both times, bytes
of shadow per byte of array, and the seconds of all four; the best of N runs, taken in turns. All four have to
give the same result. gcc and PoCL are left out, aloud, where there is none. Then two launches of ten million
threads, with the peak memory of their processes, and the time of the imports.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Kernel, Space
from automata.lang.read import find_kernels
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Outcome, Setting
from automata.rewriting.lower import lower
from automata.thread.build import build

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks" / "machine"
FLAGS = ("-O2", "-std=c11", "-ffp-contract=off", "-shared", "-fPIC")
TOLERANCE = 1e-5
MANY_THREADS = 10_000_000
GIGABYTE = 1 << 30
IMPORTS = {"numpy": "numpy", "numpy and the machine": "automata.machine.running.run",
           "numpy, the machine and the front ends": "automata.machine.running.run, automata.lang.read, automata.rewriting.lower"}
Arrays = dict[str, npt.NDArray[Any]]
Triple = tuple[int, int, int]
Runner = Callable[[], tuple[float, Arrays]]


@dataclass(frozen=True)
class Case:
    """A launch of one kernel. `arrays`: in the order of the parameters, which scalars follow; `result`: those that it
    writes; `sizes`: what the sequential version is told besides."""

    name: str
    grid: Triple
    block: Triple
    arrays: Arrays
    result: tuple[str, ...] = ("out",)
    scalars: dict[str, int] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()

    @property
    def threads(self) -> int:
        return math.prod(self.grid) * math.prod(self.block)


@dataclass(frozen=True)
class Measured:
    """The best seconds of a case: of the machine without and with its shadow, of C and of PoCL (None: there is none)."""

    case: Case
    accesses: int
    plain: float
    shadowed: float
    shadow_bytes: int
    array_bytes: int
    sequential: float | None
    pocl: float | None

    @property
    def ratio(self) -> float:
        return self.shadowed / self.plain


# -- the launches --------------------------------------------------------------------------------------------


def line(name: str, threads: int, block: int, arrays: Arrays, **rest: Any) -> Case:
    """A launch in one dimension."""
    return Case(name, (-(-threads // block), 1, 1), (block, 1, 1), arrays, **rest)


def cases() -> list[Case]:
    """All launches, each of at least 65,536 threads."""
    rng = np.random.default_rng(1)

    def floats(count: int, low: float = 0.0, high: float = 1.0) -> npt.NDArray[np.float32]:
        return rng.uniform(low, high, count).astype(np.float32)

    def none(count: int, kind: str = "f4") -> npt.NDArray[Any]:
        return np.zeros(count, kind)

    small, n, large = 1 << 16, 1 << 18, 1 << 20
    whole, letters = rng.integers(-1000, 1000, n, np.int32), rng.integers(0, 256, large, np.uint8)
    square = {"a": floats(small), "b": floats(small), "out": none(small)}
    points = {"px": floats(small), "py": floats(small), "mass": floats(small), "out": none(small)}
    market = {"price": floats(n, 5, 30), "strike": floats(n, 1, 100), "years": floats(n, 0.25, 10), "call": none(n),
              "put": none(n)}
    return [
        line("vector_add", large, 256, {"a": floats(large), "b": floats(large), "out": none(large)}, scalars={"n": large}),
        line("strided_copy", n, 256, {"in": floats(large), "out": none(large)}, scalars={"stride": 4, "n": large}),
        Case("matrix_multiply", (16, 16, 1), (16, 16, 1), square, scalars={"n": 256}),
        Case("transpose", (64, 64, 1), (16, 16, 1), {"in": floats(large), "out": none(large)}, scalars={"n": 1024}),
        line("reduction", n, 256, {"in": whole, "out": none(n // 256, "i4")}, sizes=(n // 256,)),
        line("scan", n, 256, {"in": whole, "out": none(n, "i4")}, sizes=(n // 256,)),
        line("stencil", n, 256, {"in": floats(n), "out": none(n)}, scalars={"n": n}),
        line("histogram", n, 256, {"in": letters, "out": none(256, "u4")}, sizes=(large,)),
        line("bodies", small, 128, points, scalars={"n": 256}, sizes=(small,)),
        line("collatz", n // 2, 256, {"out": none(n // 2, "i4")}, scalars={"limit": 1000}, sizes=(n // 2,)),
        line("black_scholes", n, 256, market, result=("call", "put"), sizes=(n,)),
    ]


# -- the four that run them ----------------------------------------------------------------------------------


def read_kernels() -> dict[str, Kernel]:
    return {found.name: found.read() for found in find_kernels(str(FOLDER / "kernels.cu"))}


def machine(case: Case, program: Program, shadow: bool, into: list[Outcome]) -> Runner:
    """A run of the machine. Its outcome is put into the list; a conflict, or whatever else it notes, is an error."""
    def run() -> tuple[float, Arrays]:
        began = time.perf_counter()
        outcome = program.run(Setting(case.grid, case.block, case.scalars, case.arrays), Options(shadow=shadow))
        took = time.perf_counter() - began
        noted = (outcome.conflicts, outcome.divergences, outcome.out_of_bounds, outcome.undefined, outcome.uninitialised)
        if any(noted):
            sys.exit(f"{case.name}: {noted}")
        into[:] = [outcome]
        return took, {name: outcome.arrays[name] for name in case.result}
    return run


def sequential(case: Case, library: ctypes.CDLL | None) -> Runner | None:
    """A call of the C function."""
    if library is None:
        return None
    function = getattr(library, case.name)

    def run() -> tuple[float, Arrays]:
        arrays = {name: array.copy() if name in case.result else array for name, array in case.arrays.items()}
        began = time.perf_counter()
        function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays.values()), *case.scalars.values(), *case.sizes)
        took = time.perf_counter() - began
        return took, {name: arrays[name] for name in case.result}
    return run


class Pocl:
    """PoCL's processor device, with the kernels compiled for it."""

    def __init__(self) -> None:
        import pocl
        import pyopencl

        self.cl = pyopencl
        device = next(platform for platform in pyopencl.get_platforms() if platform.name == pocl.PLATFORM).get_devices()
        self.context = pyopencl.Context(device)
        self.queue = pyopencl.CommandQueue(self.context)
        text = (FOLDER / "kernels.cl").read_text()
        self.program = pyopencl.Program(self.context, pocl.PREAMBLE + text).build([*pocl.OPTIONS], cache_dir=False)

    def runner(self, case: Case) -> Runner:
        """A launch, timed without moving the arrays."""
        flags, code = self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR, self.cl.Kernel(self.program, case.name)
        size = tuple(a * b for a, b in zip(case.grid, case.block, strict=True))

        def run() -> tuple[float, Arrays]:
            buffers = {name: self.cl.Buffer(self.context, flags, hostbuf=array) for name, array in case.arrays.items()}
            code.set_args(*buffers.values(), *map(np.int32, case.scalars.values()))
            began = time.perf_counter()
            self.cl.enqueue_nd_range_kernel(self.queue, code, size, case.block)
            self.queue.finish()
            took = time.perf_counter() - began
            found = {name: np.empty_like(case.arrays[name]) for name in case.result}
            for name, array in found.items():
                self.cl.enqueue_copy(self.queue, array, buffers[name])
            return took, found
        return run


def compiled(folder: Path) -> ctypes.CDLL | None:
    """The sequential versions as a library; None, and a word about it, without gcc."""
    if shutil.which("gcc") is None:
        print("gcc is missing: no times of sequential C")
        return None
    target = folder / "sequential.so"
    subprocess.run(["gcc", *FLAGS, str(FOLDER / "sequential.c"), "-o", str(target), "-lm"], check=True)
    return ctypes.CDLL(str(target))


def open_cl() -> Pocl | None:
    """PoCL; None, and a word about it, where it does not run."""
    sys.path.insert(0, str(ROOT / "tests"))
    import pocl

    if why := pocl.missing():
        print(f"PoCL is missing: {why}")
        return None
    return Pocl()


# -- measuring -----------------------------------------------------------------------------------------------


def agree(case: Case, one: str, first: Arrays, other: str, second: Arrays) -> None:
    """Ends the benchmark where two results are not the same (floats: by more than a part of the largest)."""
    for name in case.result:
        left, right = first[name].astype(np.float64), second[name].astype(np.float64)
        room = TOLERANCE * float(np.abs(left).max()) if first[name].dtype.kind == "f" else 0.0
        if not np.isfinite(left).all() or float(np.abs(left - right).max()) > room:
            sys.exit(f"{case.name}: {one} and {other} differ in '{name}'")


def measure(case: Case, kernel: Kernel, library: ctypes.CDLL | None, pocl: Pocl | None, repeat: int) -> Measured:
    """The best of some runs of each, taken in turns."""
    program = Program(build(lower(kernel, {})))
    plain: list[Outcome] = []
    shadowed: list[Outcome] = []
    runners = {"plain": machine(case, program, False, plain), "shadowed": machine(case, program, True, shadowed),
               "C": sequential(case, library), "PoCL": None if pocl is None else pocl.runner(case)}
    times: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(repeat):
        results: dict[str, Arrays] = {}
        for name, runner in runners.items():
            if runner is not None:
                took, results[name] = runner()
                times[name].append(took)
        for name, found in results.items():
            agree(case, "the machine", results["plain"], name, found)
    best = {name: min(found, default=None) for name, found in times.items()}
    assert best["plain"] is not None and best["shadowed"] is not None
    return Measured(case, plain[0].accesses, best["plain"], best["shadowed"], shadowed[0].shadow_bytes, bytes_of(case, program),
                    best["C"], best["PoCL"])


def bytes_of(case: Case, program: Program) -> int:
    """Bytes of a launch's arrays: the global ones, and the shared ones of as many blocks as run together."""
    blocks = min(math.prod(case.grid), max(1, Options().batch_lanes // math.prod(case.block)))
    shared = [array for array in program.automaton.kernel.arrays if array.space is Space.SHARED]
    sizes = [math.prod(extent or 0 for extent in array.dims) * array.element.bytes for array in shared]
    return sum(array.nbytes for array in case.arrays.values()) + blocks * sum(sizes)


# -- ten million threads -------------------------------------------------------------------------------------


def many(name: str) -> Case:
    """A launch of ten million threads."""
    if name == "vector_add":
        a = np.arange(MANY_THREADS, dtype=np.float32)
        return line(name, MANY_THREADS, 250, {"a": a, "b": a, "out": np.zeros_like(a)}, scalars={"n": MANY_THREADS})
    return line("shared_reversal", MANY_THREADS, 256, {"out": np.zeros(-(-MANY_THREADS // 256) * 256, np.int32)})


def launch(name: str) -> None:
    """Run it in this process, and print what it took: seconds, peak memory, threads."""
    case = many(name)
    program = Program(build(lower(read_kernels()[case.name], {})))
    outcome: list[Outcome] = []
    took, found = machine(case, program, True, outcome)()
    index = np.arange(case.threads)
    expected = 2 * case.arrays["a"] if name == "vector_add" else index ^ 255
    assert (found["out"] == expected).all()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": took, "peak": peak, "threads": case.threads}))


def launched(name: str) -> str:
    """A row about a launch of ten million threads, in a process of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), "--launch", name]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
    verdict = "under" if told["peak"] < 2 * GIGABYTE else "NOT UNDER"
    return (f"| {name}, {told['threads']:,} threads, shadowed | {told['seconds']:.2f} s | {told['peak'] / GIGABYTE:.2f} GiB, "
            f"{verdict} 2 GiB |")


def imported(modules: str, repeat: int) -> float:
    """The best time of some imports, each in a new process."""
    code = f"import time; began = time.perf_counter(); import {modules}; print(time.perf_counter() - began)"
    command = [sys.executable, "-c", code]
    return min(float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout) for _ in range(repeat))


# -- telling -------------------------------------------------------------------------------------------------


def seconds(took: float | None) -> str:
    return "–" if took is None else f"{took:.4f}" if took < 0.1 else f"{took:.2f}"


def row(item: Measured) -> str:
    rates = " | ".join(f"{item.accesses / took / 1e6:.1f}" for took in (item.plain, item.shadowed))
    return (f"| {item.case.name} | {item.case.threads:,} | {item.accesses / 1e6:.2f} | {rates} | {item.ratio:.2f} "
            f"| {item.shadow_bytes / item.array_bytes:.2f} | {seconds(item.plain)} | {seconds(item.shadowed)} "
            f"| {seconds(item.sequential)} | {seconds(item.pocl)} |")


def table(measured: list[Measured]) -> str:
    """The kernels as Markdown, and the geometric mean of the ratios."""
    head = ("kernel", "threads", "accesses (millions)", "millions a second", "… shadowed", "time with / without",
            "shadow bytes / array bytes", "machine s", "… shadowed s", "gcc -O2 s", "PoCL s")
    mean = math.exp(sum(math.log(item.ratio) for item in measured) / len(measured))
    lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 1), *map(row, measured), "",
             f"Geometric mean of time with / without the shadow: {mean:.2f} ({len(measured)} kernels)."]
    return "\n".join(lines)


def launches(repeat: int) -> str:
    """The rows about ten million threads and about imports. Before all else: a child's peak is at least its parent's."""
    lines = ["| | | |", "|---|---:|---|", *(launched(name) for name in ("vector_add", "shared_reversal"))]
    lines += [f"| import of {what} | {imported(modules, repeat):.2f} s | |" for what, modules in IMPORTS.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--skip-launches", action="store_true")
    parser.add_argument("--launch", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.launch:
        launch(asked.launch)
        return
    parts = [] if asked.skip_launches else [launches(asked.repeat)]
    kernels, pocl = read_kernels(), open_cl()
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        for case in cases():
            if not asked.kernels or case.name in asked.kernels:
                measured.append(measure(case, kernels[case.name], library, pocl, asked.repeat))
                print(f"{case.name}: done", file=sys.stderr)
    page = "\n\n".join([table(measured), *parts]) + "\n"
    print(page)
    if asked.markdown:
        asked.markdown.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
