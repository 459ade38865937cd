"""The C twin: on its own against Python and NumPy, then against the machine on every kernel under tests/kernels."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from twin import GCC, HALF, TYPES, NotTwinned, Ran, Twins

from automata import arithmetic
from automata.arithmetic import Value
from automata.lang import core
from automata.lang.core import Array, Const, Expr, Kernel, Load, Quantity, Space, Special
from automata.lang.launch import Launch, Sizes, find_comment
from automata.lang.read import Found, find_kernels
from automata.machine.running.run import Program, Setting
from automata.machine.state.outcome import CONST_WRITE
from automata.place import InputError
from automata.proof.known.context import sizes_read
from automata.rewriting.in_flight import settled
from automata.rewriting.lower import lower
from automata.scalar import BOOL, F16, F32, F64, I32, U32, Scalar
from automata.thread.build import build

pytestmark = pytest.mark.skipif(GCC is None, reason="there is no gcc here, so no twin can be compiled")

KINDS = [kind for kind in TYPES if kind != F16 or HALF]
WHOLE = [kind for kind in KINDS if kind.is_int and kind != BOOL]
FLOATS = [kind for kind in KINDS if kind.is_float]
WIDTH = 64


def edges(kind: Scalar) -> list[Value]:
    """Values of a type at which its operators have something to get wrong."""
    if kind.is_int:
        near = {0, 1, 2, 3, 7, 31, 32, 63, 100, kind.high // 3, kind.high - 1, kind.high, kind.low, kind.low + 1, -1, -2, -7, -64}
        return sorted(value for value in near if kind.holds(value))
    near = (0.0, -0.0, 1.0, -1.5, 0.1, 3.25, 65519.0, 65520.0, -2147483648.5, 2147483647.0, 1.8446744073709552e19, 1e-7, 6e-8,
            1e-45, -9.3e18, 3.4e38, 1e300, float("inf"), float("-inf"), float("nan"))
    return [kind.round(value) for value in near]


def element_wise(name: str, kinds: tuple[Scalar, ...], result: Scalar, of: Callable[..., Expr]) -> Kernel:
    """`out[i] = of(in0[i], …)` for the thread's number i, as Core."""
    here = (Special(Quantity.THREAD, "x", U32),)
    arrays = [Array(f"in{at}", kind, Space.GLOBAL, (None,)) for at, kind in enumerate(kinds)]
    value = of(*(Load(array.name, here, array.element) for array in arrays))
    arrays.append(Array("out", result, Space.GLOBAL, (None,)))
    return Kernel(name, "cuda", tuple(array.name for array in arrays), (), tuple(arrays), (core.Store("out", here, value),))


def same(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Where two arrays have the same bits, or both NaN."""
    equal = left.view(f"u{left.itemsize}") == right.view(f"u{right.itemsize}")
    return equal | (np.isnan(left) & np.isnan(right)) if left.dtype.kind == "f" else equal


def operate(op: str, left: Value, right: Value, kind: Scalar) -> Value:
    with suppress(arithmetic.Undefined):
        return arithmetic.binary(op, left, right, kind)
    return 0


def array(values: list[Value], kind: Scalar) -> np.ndarray:
    return np.array(values, dtype=TYPES[kind][1])


def odd(cases: list[tuple[Kernel, tuple[list[Value], ...], list[Value]]], folder: Path) -> list[object]:
    """The kernels that give, for their columns of arguments, other results than are expected, here or on the machine."""
    twins = Twins([kernel for kernel, _, _ in cases], folder)
    assert not twins.without
    found = list[object]()
    for number, (kernel, columns, expected) in enumerate(cases):
        given = {each.name: array(column, each.element) for each, column in zip(kernel.arrays, columns, strict=False)}
        given["out"] = array([0] * len(expected), kernel.arrays[-1].element)
        ran = twins.run(number, (1, 1, 1), (len(expected), 1, 1), {}, given)
        outcome = Program(build(kernel)).run(Setting((1, 1, 1), (len(expected), 1, 1), {}, given))
        for side in (ran, outcome):
            wrong = np.flatnonzero(~same(side.arrays["out"], array(expected, kernel.arrays[-1].element)))
            if len(wrong):
                found.append((side, kernel.name, [column[wrong[0]] for column in columns], expected[wrong[0]]))
    return found


def binary_cases() -> Iterator[tuple[Kernel, tuple[list[Value], ...], list[Value]]]:
    for kind in [*WHOLE, *FLOATS]:
        pairs = list(product(edges(kind), repeat=2))
        left, right = [list(column) for column in zip(*pairs, strict=True)]
        ops = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^") if kind.is_int else ("+", "-", "*", "/")
        for op in (*ops, "<", "<=", "==", "!="):
            result = BOOL if op in core.COMPARISONS else kind
            kernel = element_wise(f"{kind} {op}", (kind, kind), result, partial(core.Binary, op, type=result))
            yield kernel, (left, right), [operate(op, one, two, kind) for one, two in pairs]


def test_binary_operators_are_those_of_the_arithmetic(tmp_path: Path) -> None:
    assert not odd(list(binary_cases()), tmp_path)


def test_conversions_are_those_of_the_arithmetic(tmp_path: Path) -> None:
    cases = []
    for source, target in product(KINDS, KINDS):
        kernel = element_wise(f"{source} to {target}", (source,), target, partial(core.Cast, type=target))
        cases.append((kernel, (edges(source),), [arithmetic.cast(value, source, target) for value in edges(source)]))
    assert not odd(cases, tmp_path)


def test_unary_operators_and_bits(tmp_path: Path) -> None:
    cases = []
    for kind in [*WHOLE, *FLOATS]:
        for op in ("-", "~") if kind.is_int else ("-",):
            kernel = element_wise(f"{op} {kind}", (kind,), kind, partial(core.Unary, op, type=kind))
            cases.append((kernel, (edges(kind),), [arithmetic.unary(op, value, kind) for value in edges(kind)]))
    bits: list[Value] = [0, 1, 0x3F800000, 0x7F800000, -0x80000000, 0x40490FDB]
    floats = np.array(bits, dtype=np.int32).view(np.float32).tolist()
    cases.append((element_wise("as float", (I32,), F32, partial(core.Bits, type=F32)), (bits,), floats))
    cases.append((element_wise("as int", (F32,), I32, partial(core.Bits, type=I32)), (floats,), bits))
    assert not odd(cases, tmp_path)


Play = Callable[..., Ran]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Run the one kernel of a text: `arrays` by name (an int is that many zeros), scalars by keyword."""

    def run(text: str, arrays: dict[str, object], *, grid: int = 1, block: int | tuple[int, int] = WIDTH, suffix: str = "cu",
            extents: dict[str, int] | None = None, **scalars: Value) -> Ran:
        path = tmp_path / f"k.{suffix}"
        path.write_text(text)
        kernel = find_kernels(str(path))[0].read()
        given = {each.name: np.zeros(arrays[each.name]) if isinstance(arrays[each.name], int) else np.asarray(arrays[each.name])
                 for each in kernel.arrays if each.name in arrays}
        typed = {name: values.astype(TYPES[kernel.array(name).element][1]) for name, values in given.items()}
        wide = (block, 1, 1) if isinstance(block, int) else (*block, 1)
        return Twins([kernel], tmp_path).run(0, (grid, 1, 1), wide, scalars, typed, extents)

    return run


def test_loops_leave_and_go_on_as_in_c(play: Play) -> None:
    text = """__global__ void k(int *o, int n) {
      int t = threadIdx.x, sum = 0;
      if (t > n) return;
      for (int i = 0; i < n; i++) {
        if (i == t) continue;
        for (int j = 0; ; j += 2) { if (j > i) break; if (j == 4) continue; sum += 10 * i + j; }
        if (sum > 300) break;
      }
      int j = 3; do { sum--; } while (--j);
      while (t < 2) { sum += 1000; t++; }
      o[threadIdx.x] = sum;
    }"""

    def expected(thread: int, n: int) -> int:
        total = 0
        for i in range(n):
            total += sum(10 * i + j for j in range(0, i + 1, 2) if j != 4 and i != thread)
            if total > 300 and i != thread:
                break
        return total - 3 + 1000 * max(0, 2 - thread) if thread <= n else 0

    assert play(text, {"o": WIDTH}, n=9).arrays["o"].tolist() == [expected(thread, 9) for thread in range(WIDTH)]


def test_a_block_reduces_between_barriers(play: Play) -> None:
    text = """__global__ void k(const int *in, int *o) {
      extern __shared__ int s[];
      int t = threadIdx.x;
      s[t] = in[blockIdx.x * blockDim.x + t];
      __syncthreads();
      for (int step = blockDim.x / 2; step > 0; step /= 2) { if (t < step) s[t] += s[t + step]; __syncthreads(); }
      if (t == 0) o[blockIdx.x] = s[0];
    }"""
    values = np.arange(4 * WIDTH) ** 2 % 101
    ran = play(text, {"in": values, "o": 4}, grid=4, extents={"s": WIDTH})
    assert ran.arrays["o"].tolist() == values.reshape(4, WIDTH).sum(axis=1).tolist()
    assert not ran.out_of_bounds and not ran.diverged


def test_a_tile_is_turned_through_shared_memory(play: Play) -> None:
    text = """__global__ void k(const float *in, float *o, int n) {
      __shared__ float tile[8][9];
      int x = threadIdx.x, y = threadIdx.y;
      tile[y][x] = in[y * n + blockIdx.x * 8 + x];
      __syncthreads();
      o[(blockIdx.x * 8 + y) * 8 + x] = tile[x][y];
    }"""
    values = np.arange(8 * 24, dtype=np.float32).reshape(8, 24) / 7
    ran = play(text, {"in": values.ravel(), "o": 8 * 24}, grid=3, block=(8, 8), n=24)
    assert np.array_equal(ran.arrays["o"].reshape(24, 8), values.T)


def test_lanes_exchange_and_vote(play: Play) -> None:
    text = """__global__ void k(int *sum, int *scan, unsigned *who, int *votes) {
      int t = threadIdx.x, v = t * t % 13, s = v, u = v;
      for (int m = 16; m > 0; m /= 2) s += __shfl_xor_sync(0xffffffff, s, m);
      for (int d = 1; d < 8; d *= 2) { int w = __shfl_up_sync(0xffffffff, u, d, 8); if (t % 8 >= d) u += w; }
      sum[t] = s; scan[t] = u; who[t] = __ballot_sync(0xffffffff, v > 6);
      votes[t] = __syncthreads_count(v == 4) * 8 + __any_sync(0xffffffff, t == 33) * 4 + __all_sync(0xffffffff, t < 32) * 2
        + __syncthreads_or(t == 5);
    }"""
    ran = play(text, {"sum": WIDTH, "scan": WIDTH, "who": WIDTH, "votes": WIDTH})
    values = np.arange(WIDTH) ** 2 % 13
    warps = values.reshape(2, 32)
    assert ran.arrays["sum"].tolist() == np.repeat(warps.sum(axis=1), 32).tolist()
    assert ran.arrays["scan"].tolist() == np.cumsum(values.reshape(8, 8), axis=1).ravel().tolist()
    assert ran.arrays["who"].tolist() == np.repeat(((warps > 6) << np.arange(32)).sum(axis=1), 32).tolist()
    count = int((values == 4).sum())
    assert ran.arrays["votes"].tolist() == [count * 8 + 3] * 32 + [count * 8 + 5] * 32


def test_atomics_one_after_another(play: Play) -> None:
    text = """__global__ void k(const int *in, int *bins, unsigned *o, unsigned *old) {
      int t = blockIdx.x * blockDim.x + threadIdx.x;
      atomicAdd(&bins[in[t]], 1); atomicMax(&o[0], (unsigned)in[t]); atomicInc(&o[1], 9u); atomicXor(&o[2], (unsigned)t);
      old[t] = atomicCAS(&o[3], 0u, t + 1u);
    }"""
    values = np.arange(2 * WIDTH) * 7 % 10
    ran = play(text, {"in": values, "bins": 10, "o": 4, "old": 2 * WIDTH}, grid=2)
    assert ran.arrays["bins"].tolist() == np.bincount(values, minlength=10).tolist()
    assert ran.arrays["o"].tolist() == [9, (2 * WIDTH) % 10, 0, 1]
    assert ran.arrays["old"].tolist() == [0] + [1] * (2 * WIDTH - 1)


def test_tables_and_private_arrays(play: Play) -> None:
    text = """__constant__ const int table[4] = {3, 1, 4, 1};
    __global__ void k(int *o, int n) {
      int own[2][3][4], t = threadIdx.x;
      for (int i = 0; i < 24; i++) own[i / 12][i / 4 % 3][i % 4] = i * t;
      o[t] = own[t % 2][n - t % 3][t % 4] + table[(t + n) % 4];
    }"""
    expected = [t * (t % 2 * 12 + (2 - t % 3) * 4 + t % 4) + (3, 1, 4, 1)[t % 4 - 2] for t in range(WIDTH)]
    assert play(text, {"o": WIDTH}, n=2).arrays["o"].tolist() == expected


def test_bounds_and_lazy_operators(play: Play) -> None:
    text = """__global__ void k(int *o, int n) {
      int t = threadIdx.x;
      if (t < n && o[t + 4] == 0) o[t + n] = 1;
      o[t] = t < 4 || o[t + 100] ? 7 : o[t];
    }"""
    ran = play(text, {"o": 8}, block=4, n=2)
    assert ran.arrays["o"].tolist() == [7, 7, 7, 7, 0, 0, 0, 0] and ran.out_of_bounds == 0
    ran = play("__global__ void k(int *o) { o[threadIdx.x - 1] = o[threadIdx.x + 6] + 1; }", {"o": 8}, block=4)
    assert ran.arrays["o"].tolist() == [1, 1, 1, 0, 0, 0, 0, 0] and ran.out_of_bounds == 3


def test_asynchronous_copies_of_opencl(play: Play) -> None:
    text = """__kernel void k(__global const float *in, __global float *o) {
      __local float s[32];
      event_t e = async_work_group_copy(s, in + get_group_id(0) * 32, 32, 0);
      wait_group_events(1, &e);
      o[get_global_id(0)] = s[31 - get_local_id(0)];
    }"""
    values = np.arange(64, dtype=np.float32)
    ran = play(text, {"in": values, "o": 64}, grid=2, block=32, suffix="cl")
    assert ran.arrays["o"].tolist() == values.reshape(2, 32)[:, ::-1].ravel().tolist()


def test_the_blocks_of_a_grid_wait_for_each_other(play: Play) -> None:
    text = """#include <cooperative_groups.h>
    __global__ void k(int *a, int *o) {
      a[blockIdx.x] = blockIdx.x + 1;
      cooperative_groups::this_grid().sync();
      o[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
    }"""
    assert play(text, {"a": 4, "o": 4}, grid=4, block=1).arrays["o"].tolist() == [4, 3, 2, 1]


def test_what_goes_wrong_is_told(play: Play) -> None:
    assert play("__global__ void k(int *o) { if (threadIdx.x == 1) return; __syncthreads(); o[0] = 1; }", {"o": 1}).diverged
    assert play("__global__ void k(int *o) { while (o[0] == 0) { o[1] = 1; } }", {"o": 2}).exhausted
    for value in ("clock64()", "__shfl_sync(0xff, 1, 0)"):
        with pytest.raises(NotTwinned):
            play(f"__global__ void k(long long *o) {{ o[0] = {value}; }}", {"o": WIDTH})


def test_functions_round_once(tmp_path: Path) -> None:
    kernel = element_wise("sqrt", (F32,), F32, lambda arg: core.Call("sqrt", (arg,), F32))
    fused = element_wise("fma", (F64, F64, F64), F64, lambda *args: core.Call("fma", args, F64))
    counted = element_wise("clz", (I32,), I32, lambda arg: core.Call("clz", (arg,), I32))
    constant = element_wise("constant", (I32,), F64, lambda arg: core.Select(core.Cast(arg, BOOL), Const(0.1, F64),
                                                                             Const(float("-inf"), F64), F64))
    values = [2.0, 3.0, 0.25, 0.0]
    assert not odd([(kernel, (values,), [float(np.sqrt(np.float32(value))) for value in values]),
           (fused, ([1 + 2**-30], [1 - 2**-30], [-1.0]), [-(2.0**-60)]),
           (counted, ([0, 1, -1, 0x00F0],), [32, 31, 0, 24]),
           (constant, ([-1, 0],), [0.1, float("-inf")])], tmp_path)


FILES = sorted(path for name in ("kernels", "scenes") for path in (Path(__file__).parent / name).glob("*.c[ul]"))
Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Start:
    """A launch with its arguments and the first contents of its global arrays."""

    grid: Triple
    block: Triple
    scalars: dict[str, Value]
    arrays: dict[str, np.ndarray]
    extents: dict[str, int]


def clipped(sizes: Sizes | None, default: Triple, most: Triple) -> Triple:
    """Stated sizes where they are numbers, no larger than the most."""
    x, y, z = (min(size, limit) if isinstance(size, int) else given
               for size, given, limit in zip(sizes or default, default, most, strict=True))
    return x, y, z


def contents(kind: Scalar, count: int, rng: np.random.Generator) -> np.ndarray:
    """Small integers, so that indices read from memory stay near; floats of a few magnitudes."""
    if kind.is_float:
        return (rng.choice([0.0, 1e-3, 1.0, 1.0, 1e3], count) * rng.normal(size=count)).astype(TYPES[kind][1])
    return rng.integers(-8 if kind.signed else 0, 9, count).astype(TYPES[kind][1])


def starts(found: Found, kernel: Kernel) -> Iterator[Start]:
    """Two small launches: as stated above the kernel where that is so, else of blocks of 8 and 32, or 4x4 and 8x4."""
    axes, given = {name.rpartition(".")[2] for name in sizes_read(kernel)}, Launch()
    with suppress(InputError):
        given = find_comment(found.original, found.path, found.place.line) or given
    for number, (size, value, elements) in enumerate([(8, 5, 1024), (32, 16, 4096)]):
        rng = np.random.default_rng(zlib.crc32(f"{Path(found.path).name} {kernel.name} {number}".encode()))
        flat, deep = (size, 1, 1), (size // 2 if size == 8 else 8, 4, 2 if "z" in axes else 1)
        block = clipped(given.block, deep if axes - {"x"} else flat, (1024, 32, 8))
        grid = clipped(given.grid, (2, 2 if "y" in axes else 1, 1), (4 - 2 * number, 2, 2))
        scalars: dict[str, Value] = {}
        for param in kernel.params:
            said = given.args.get(param.name)
            chosen = said if isinstance(said, int | float) else value
            scalars[param.name] = param.type.wrap(int(chosen)) if param.type.is_int else param.type.round(float(chosen) / 3)
        arrays = {each.name: contents(each.element, elements if None in each.dims else int(np.prod(each.dims)), rng)
                  for each in kernel.arrays if each.space is Space.GLOBAL and each.content is None}
        extents = {each.name: 512 for each in kernel.arrays if each.space is Space.SHARED and None in each.dims}
        yield Start(grid, block, scalars, arrays, extents)


@dataclass
class Corpus:
    """The kernels of all files that are read, their twins, and what has been compared of each file so far."""

    twins: Twins
    found: dict[Path, list[tuple[int, Found]]]
    compared: dict[Path, int] = field(default_factory=dict)

    def compare(self, path: Path) -> int:
        """The launches of a file on which the machine and the twins agreed; those with races have no one answer."""
        if path not in self.compared:
            self.compared[path] = sum(self.agree(number, found, start) for number, found in self.found.get(path, [])
                                      for start in starts(found, self.twins.kernels[number]))
        return self.compared[path]

    def agree(self, number: int, found: Found, start: Start) -> bool:
        if number in self.twins.without:
            return False
        ran = self.twins.run(number, start.grid, start.block, start.scalars, start.arrays, start.extents)
        if ran.exhausted or ran.undefined:
            return False
        program = Program(build(lower(self.twins.kernels[number], {})))
        outcome = program.run(Setting(start.grid, start.block, start.scalars, start.arrays, extents=start.extents))
        if outcome.conflicts:
            return False
        where = f"{found.name} grid={start.grid} block={start.block} {start.scalars}"
        assert bool(outcome.divergences) == ran.diverged, where
        if ran.diverged:
            return False
        outside = [event for event in outcome.out_of_bounds if event.what != CONST_WRITE]
        assert bool(outside) == bool(ran.out_of_bounds), where
        for name, left in ran.arrays.items():
            wrong = np.flatnonzero(~same(left, outcome.arrays[name]))
            assert not len(wrong), f"{where} {name}[{wrong[0]}]: C {left[wrong[0]]}, machine {outcome.arrays[name][wrong[0]]}"
        return True


@pytest.fixture(scope="module")
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Of the files that this run looks at."""
    kernels: list[Kernel] = []
    found: dict[Path, list[tuple[int, Found]]] = {}
    asked = [item.callspec.params["path"] for item in request.session.items if isinstance(item, pytest.Function)
             and item.originalname == test_the_machine_is_the_twin.__name__]
    for path in asked:
        with suppress(InputError):
            for each in find_kernels(str(path)):
                kernels.append(settled(each.read()))  # what is copied beside is written out before anything is run
                found.setdefault(path, []).append((len(kernels) - 1, each))
    return Corpus(Twins(kernels, tmp_path_factory.mktemp("twins")), found)


@pytest.mark.sliced(8)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_machine_is_the_twin(path: Path, corpus: Corpus) -> None:
    assert corpus.compare(path) >= 0


def test_most_launches_were_compared(corpus: Corpus) -> None:
    """Those that have one answer: the others race, diverge or leave their arrays."""
    compared, files = sum(corpus.compare(path) for path in corpus.found), len(corpus.found)
    assert compared > 0.5 * files, (compared, files)
