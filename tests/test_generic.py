"""Equality for all sizes by a generic block of each kernel: what is shown, in which class, and that no slip is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Run

sys.path.insert(0, str(Path(__file__).parent / "all_sizes"))
import pairs

from automata.budget import Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch, find_comment, in_elements
from automata.lang.read import find_kernels
from automata.place import InputError, UndecidedError
from automata.proof.determinism import check
from automata.scalar import Scalar
from automata.verdict import Verdict
from equivalence import compare as whole
from equivalence import for_all_sizes
from equivalence.alike import like_cells
from equivalence.compare import compare
from equivalence.compare_related import compare_related
from equivalence.domains import modular
from equivalence.generic.compare import GenericPair, Shown, show_all
from equivalence.generic.integers import CannotFollow
from equivalence.pairing import pair_up
from equivalence.relation import parse_relation
from equivalence.result import EqualityClass, EquivReport, EquivVerdict
from equivalence.sequence import compare_sequences
from spmd.pipeline import forget

SHOWN = (Path(__file__).parent / "all_sizes" / "shown.txt").read_text().split()
"""The pairs that are shown equal for all sizes."""
ALL = {pair.name: pair for pair in pairs.all_pairs()}
SLIPS = [(name, number) for name in SHOWN for number in range(len(ALL[name].slips))]


def compared(pair: pairs.Pair, folder: Path, seconds: float | None = None) -> EquivReport:
    """The report on a pair whose texts stand in a folder. `seconds`: of the clock; None: only work is counted."""
    forget()
    names = {side: pair.sides[side].partition(":")[2].split(";") for side in "ab"}
    a, b = ([read(folder / f"{side}.cu", name or None) for name in names[side]] for side in "ab")
    relations = [parse_relation(text) for text in pair.relate]
    if len(a) + len(b) > 2:
        return compare_sequences(a, b, {}, (), "real", Budget.of(seconds), relations)
    cells = like_cells(a[0][0], b[0][0], {})
    (one, launch_a, _), (two, launch_b, _) = (read(folder / f"{side}.cu", names[side][0] or None, seen)
                                              for side, seen in zip("ab", cells, strict=True))
    paired = pair_up(one, two, launch_a, launch_b, {}, (), own_extents=bool(relations))
    if relations:
        return compare_related(paired, relations, "real", Budget.of(seconds))
    return compare(paired, "real", Budget.of(seconds))


def read(path: Path, name: str | None, cells: Mapping[str, Scalar] | None = None) -> tuple[Kernel, Launch, str]:
    """A kernel of a file, with the launch above it. `cells`: what its arrays shall be made of."""
    item = find_kernels(str(path), name, None, {}, (), "auto", None)[0]
    kernel = item.read(cells)
    launch = find_comment(item.original, item.path, kernel.place.line)
    assert launch is not None
    return kernel, replace(launch, extents=in_elements(launch.extents, kernel)), str(path)


def no_points(patch: pytest.MonkeyPatch) -> None:
    """Arithmetic at random points fails."""
    def at_random(*_: object) -> None:
        raise AssertionError("random points")

    for operation in ("add", "subtract", "multiply", "total", "partial", "inverse", "of_integers", "of_floats"):
        patch.setattr(modular.Modulus, operation, at_random)


@pytest.fixture
def certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proof computes at random points: `--certify` asks for no more than every proof for all sizes is."""
    def guarded(module: ModuleType, name: str) -> None:
        proof = getattr(module, name)

        def proves(*given: Any, **named: Any) -> Any:
            with monkeypatch.context() as inside:
                no_points(inside)
                return proof(*given, **named)
        monkeypatch.setattr(module, name, proves)

    guarded(whole, "_prove")
    guarded(for_all_sizes, "_by_generic_blocks")


@pytest.mark.sliced(19)
@pytest.mark.usefixtures("certain")
@pytest.mark.parametrize("name", SHOWN)
def test_shown(name: str) -> None:
    report = compared(ALL[name], ALL[name].folder)
    assert report.verdict is EquivVerdict.EQUAL, report.reason
    assert report.assurance == "proved"
    assert report.scope is not None
    assert str(report.scope).startswith("all sizes")
    assert report.equality is not None
    assert report.equality.rank >= EqualityClass(ALL[name].equality).rank, "a class that does not hold"


def test_points_are_missed_where_they_are_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison at a launch computes at random points: there the guard of the test above would tell."""
    no_points(monkeypatch)
    folder = ALL["row_sum_shuffles"].folder
    found = run("equiv", folder / "a.cu", folder / "b.cu", "--block", "128", "--grid", "1", "--block-b", "256", "--grid-b", "2",
                "--arg", "rows=2", "--arg", "cols=70")
    assert "random points" in found.err


@pytest.mark.sliced(60)
@pytest.mark.parametrize("name", [name for name in ALL if name not in SHOWN])
def test_never_too_strong(name: str) -> None:
    """What is not shown yet is not called different either, nor equal by a class that does not hold."""
    try:
        report = compared(ALL[name], ALL[name].folder, 30)
    except UndecidedError:
        return
    assert report.verdict in (EquivVerdict.EQUAL, EquivVerdict.UNKNOWN), report.counterexample
    assert report.equality is None or report.equality.rank >= EqualityClass(ALL[name].equality).rank


@pytest.mark.sliced(40)
@pytest.mark.parametrize(("name", "number"), SLIPS)
def test_slip(name: str, number: int, tmp_path: Path) -> None:
    """A slip of a pair that is shown is not shown."""
    pair = ALL[name]
    slip = pair.slips[number]
    for side in "ab":
        text = pair.text(side)
        (tmp_path / f"{side}.cu").write_text(slip.applied(text) if slip.of == side else text)
    pair = pair.slipped(slip) if slip.of == "relate" else pair
    try:
        report = compared(replace(pair, slips=()), tmp_path, 20)
    except (InputError, UndecidedError):
        return
    assert report.verdict is not EquivVerdict.EQUAL, slip


MAP = """// spmd: block=128 grid=(n+127)/128 x[n] y[n] require n >= 100000, n <= 200000
__global__ void k(const {0} *x, {1} *y, int n) {{ int i = blockIdx.x * 128 + threadIdx.x; if (i >= n) return; {2} }}
"""
ROWS = """// spmd: block=128 grid=(rows+127)/128 x[rows*cols] y[rows] require rows >= 1, rows <= 40000, cols >= 0, cols <= 1000
__global__ void k(const {0} *x, {1} *y, int rows, int cols) {{
  int r = blockIdx.x * 128 + threadIdx.x; if (r >= rows) return; {2} }}
"""
COPY = ROWS.replace("y[rows]", "y[rows*cols]")
BLOCK = """// spmd: block=4 grid=g x[g*m] y[g*4] z[g] require g >= 1, g <= 4000, m >= 0, m <= 1000
__global__ void k(const {0} *x, {1} *y, {1} *z, int g, int m) {{ int t = threadIdx.x, b = blockIdx.x; {2} }}
"""
OWN = """// spmd: block=128 grid=(rows+127)/128 x[rows] w[n] y[rows] require rows >= 1, rows <= 40000, n >= 0, n <= 1000
__global__ void k(const {0} *x, const {0} *w, {1} *y, int rows, int n) {{
  int r = blockIdx.x * 128 + threadIdx.x; if (r >= rows) return; {2} }}
"""
ALL_OF = "for (int j = 0; j < cols; j++)"
SUM = f"float s = 0; {ALL_OF} s += x[r * cols + j]; y[r] = s;"
KEPT = f"{ALL_OF} y[r * cols + j] = x[j];"
NEVER = [
    (MAP, "int", "int", "y[i] = (int)(signed char)threadIdx.x;", "y[i] = 0;"),
    (MAP, "int", "int", "y[i] = x[(unsigned char)(threadIdx.x * 5)];", "y[i] = x[0];"),
    (MAP, "int", "int", "y[i] = (int)(short)(threadIdx.x * 1000);", "y[i] = (int)threadIdx.x * 1000;"),
    (MAP, "int", "long long", "y[i] = (long long)(unsigned)x[i];", "y[i] = (long long)x[i];"),
    (MAP, "int", "float", "y[i] = (float)(unsigned)x[i];", "y[i] = (float)x[i];"),
    (MAP, "float", "float", "y[i] = (float)((unsigned)n * (unsigned)n);", "y[i] = (float)n * (float)n;"),
    (MAP, "float", "float", "y[i] = x[i] * (float)(-(unsigned)threadIdx.x);", "y[i] = x[i] * -(float)threadIdx.x;"),
    (MAP, "float", "float", "float m = -INFINITY; y[i] = m - m;", "y[i] = 0.0f;"),
    (MAP, "float", "float", "float m = INFINITY; y[i] = m * 0.0f;", "y[i] = 0.0f;"),
    (MAP, "float", "float", "float m = INFINITY; y[i] = m + x[i] - m;", "y[i] = x[i];"),
    (MAP, "float", "float", "y[i] = 1.0f / (i < 5 ? x[i] : 0.0f);", "y[i] = 1.0f / x[i];"),
    (MAP, "float", "float", "y[i] = x[i] + ((int)threadIdx.x - 5) / 2;", "y[i] = x[i];"),
    (ROWS, "int", "long long", f"long long s = 0; {ALL_OF} s += (unsigned)x[r * cols + j]; y[r] = s;",
     f"long long s = 0; {ALL_OF} s += x[r * cols + j]; y[r] = s;"),
    (ROWS, "int", "long long", f"int s = 0; {ALL_OF} s += x[r * cols + j]; y[r] = s;",
     f"long long s = 0; {ALL_OF} s += x[r * cols + j]; y[r] = s;"),
    (ROWS, "float", "float", f"float s = 0; {ALL_OF} s += x[r * cols + j] * (float)(unsigned)(j - 5); y[r] = s;",
     f"float s = 0; {ALL_OF} s += x[r * cols + j] * (float)(j - 5); y[r] = s;"),
    (ROWS, "float", "float", "float m = -INFINITY, d = 5; " + ALL_OF + " { float v = x[r * cols + j], t = fmaxf(m, v); "
     "d = d * expf(m - t) + expf(v - t); m = t; } y[r] = d;",
     f"float m = -INFINITY, d = 0; {ALL_OF} m = fmaxf(m, x[r * cols + j]); {ALL_OF} d += expf(x[r * cols + j] - m); y[r] = d;"),
    (ROWS, "float", "float", "float m = -INFINITY, d = 0; " + ALL_OF + " { float v = j < r ? -INFINITY : x[r * cols + j], "
     "t = fmaxf(m, v); d = d * expf(m - t) + expf(v - t); m = t; } y[r] = d;",
     "float m = -INFINITY, d = 0; " + ALL_OF + " m = fmaxf(m, j < r ? -INFINITY : x[r * cols + j]); " + ALL_OF
     + " d += expf((j < r ? -INFINITY : x[r * cols + j]) - m); y[r] = d;"),
    (ROWS, "float", "float", f"float m = -INFINITY; {ALL_OF} m = fmaxf(m, x[r * cols + j]); y[r] = m - m;", "y[r] = 0.0f;"),
    (ROWS, "float", "float", f"float m = -INFINITY; {ALL_OF} m = fmaxf(m, x[r * cols + j]); y[r] = expf(m) * expf(-m);",
     "y[r] = 1.0f;"),
    (ROWS, "float", "float", f"float m = -INFINITY; {ALL_OF} m = fmaxf(m, x[r * cols + j] - m * 0.0f); y[r] = m;",
     f"float m = -INFINITY; {ALL_OF} m = fmaxf(m, x[r * cols + j]); y[r] = m;"),
    # powers: a factor, a first value, or a round that is another
    (ROWS, "float", "float", f"float s = 1; {ALL_OF} s = s * x[r] + x[j]; y[r] = s;",
     "float s = 1; for (int j = 1; j < cols; j++) s = s * x[r] + x[j]; y[r] = s * x[r] + x[0];"),
    (ROWS, "float", "float", f"float s = 0; {ALL_OF} s = s * x[r] + x[j]; y[r] = s;",
     "float s = 0; for (int j = cols - 1; j >= 0; j--) s = s * x[r] + x[j]; y[r] = s;"),
    (ROWS, "float", "float", f"float s = 0; {ALL_OF} s = s * x[r] + 1; y[r] = s;", "y[r] = cols;"),
    (ROWS, "int", "int", f"int s = 1; {ALL_OF} s = 3 * s + 2; y[r] = s;",
     "int s = 1; for (int j = 0; j + 1 < cols; j += 2) s = 9 * s + 8; y[r] = s;"),
    (ROWS, "float", "float", f"float p = 1, s = 0; {ALL_OF} {{ s += x[j] * p; p *= x[r]; }} y[r] = s;",
     f"float p = 1, s = 0; {ALL_OF} {{ p *= x[r]; s += x[j] * p; }} y[r] = s;"),
    (ROWS, "float", "float", f"float s = 1; {ALL_OF} s = s * (j < 3 ? x[r] : 1.0f); y[r] = s;",
     f"float s = 1; {ALL_OF} s = s * x[r]; y[r] = s;"),
    (ROWS, "float", "float", f"float s = x[0]; {ALL_OF} s = 0.0f * s + x[r]; y[r] = s;", "y[r] = x[r];"),
    # sums in sums: a row that is left out, counted twice, or too long
    (ROWS, "float", "float", SUM,
     "float s = 0; for (int i = 0; i < cols; i += 32) for (int j = i; j < i + 32; j++) s += x[r * cols + j]; y[r] = s;"),
    (ROWS, "float", "float", SUM,
     "float s = 0; for (int i = 0; i + 32 <= cols; i += 32) for (int j = i; j < i + 32; j++) s += x[r * cols + j]; y[r] = s;"),
    (ROWS, "float", "float", SUM,
     "float s = 0; for (int i = 0; i < cols; i += 32) for (int j = i; j < min(i + 33, cols); j++) s += x[r * cols + j]; "
     "y[r] = s;"),
    (ROWS, "float", "float", "float s = 0; for (int k = 0; k < rows * cols; k++) s += x[k]; y[r] = s;",
     f"float s = 0; for (int i = 0; i < rows; i++) {ALL_OF} s += x[i * (cols + 1) + j]; y[r] = s;"),
    (ROWS, "float", "float", "float s = 0; for (int k = 0; k < rows * cols; k++) s += x[k]; y[r] = s;",
     f"float s = 0; for (int i = 0; i <= r; i++) {ALL_OF} s += x[i * cols + j]; y[r] = s;"),
    # elements that a loop carries, and what a loop before has stored
    (ROWS, "float", "float", f"y[r] = 0; {ALL_OF} y[r] += x[r * cols + j];",
     SUM.replace("y[r] =", "y[r] +=")),
    (ROWS, "float", "float", f"{ALL_OF} if (j != 2) y[r] += x[r * cols + j];", f"{ALL_OF} y[r] += x[r * cols + j];"),
    (ROWS, "float", "float", f"{ALL_OF} y[r] = x[r * cols + j];", f"{ALL_OF} y[r] += x[r * cols + j];"),
    (ROWS, "float", "float", f"{ALL_OF} y[r] = 1;", "y[r] = 1;"),
    (COPY, "float", "float", KEPT + f"{ALL_OF} y[r * cols + j] = y[r * cols + j] * 2;",
     KEPT + "for (int j = 1; j < cols; j++) y[r * cols + j] = y[r * cols + j] * 2;"),
    (COPY, "float", "float", KEPT + f"{ALL_OF} y[r * cols + j] = y[r * cols + cols - 1 - j] * 2;",
     f"{ALL_OF} y[r * cols + j] = x[cols - 1 - j] * 2;"),
    (COPY, "float", "float", KEPT.replace("j = 0", "j = 1") + f"{ALL_OF} y[r * cols + j] = y[r * cols + j] * 2;",
     f"{ALL_OF} y[r * cols + j] = x[j] * 2;"),
    # elements that loops inside carry too; that lanes come to in turns; that one lane stores and others load; a test that wraps
    (ROWS, "float", "float", "for (int i = 0; i < cols; i++) " + ALL_OF + " y[r] += x[j];",
     "for (int i = 0; i < cols; i++) y[r] += 0.0f * x[i];"),
    (ROWS, "float", "float", "for (int i = 0; i < cols; i++) { y[r] += x[i]; " + ALL_OF + " y[r] += x[j]; }",
     "for (int i = 0; i < cols; i++) y[r] += x[i];"),
    (BLOCK, "float", "float", "float s = 0; for (int j = 0; j < m; j++) { s += z[b]; __syncthreads(); "
     "if (t == 0) z[b] = x[b * m + j]; __syncthreads(); } y[b * 4 + t] = s;",
     "float v = z[b], s = 0; __syncthreads(); for (int j = 0; j < m; j++) { s += v; if (t == 0) v = x[b * m + j]; } "
     "if (t == 0) z[b] = v; y[b * 4 + t] = s;"),
    (BLOCK, "float", "float", "for (int j = 0; j < m; j++) for (int k = 0; k < 4; k++) { if (t == k) y[b] += 1; "
     "__syncthreads(); }",
     "if (t == 0) y[b] += m;"),
    (ROWS, "float", "float", f"{ALL_OF} if ((unsigned char)cols == 3) y[r] += x[j];",
     f"{ALL_OF} if ((unsigned char)cols == 3 && cols < 256) y[r] += x[j];"),
    # a root among powers of one base, and numbers of too many digits
    (OWN, "float", "float", "float v = x[r], t = expf(v * 0.5f), q = 1; for (int j = 0; j <= n; j++) t *= expf(v); "
     "for (int j = 0; j < n; j++) q *= expf(v); y[r] = t / q;", "y[r] = expf(x[r]);"),
    (OWN, "float", "float", "float s = x[r]; for (int j = -100000000; j < n; j++) s = s * 3; y[r] = s;",
     "float s = x[r]; for (int j = 0; j < n; j++) s = s * 3; y[r] = s;"),
]
"""Kernels that differ at some size or data; the proof was once wrong about them, or went down."""


def generic(tmp_path: Path, texts: tuple[str, str], *, in_multiples: bool = False, is_checked: bool = True) -> Shown | None:
    """What the proof by generic blocks says of `y`, without any run; None where a kernel is not proved deterministic.
    `is_checked`: that is asked; without, it is taken for granted, and that nothing wraps."""
    forget()
    sides = []
    for side, text in zip("ab", texts, strict=True):
        (tmp_path / f"{side}.cu").write_text(text)
        item = find_kernels(str(tmp_path / f"{side}.cu"), None, None, {}, (), "auto", None)[0]
        kernel = item.read()
        launch = find_comment(item.original, item.path, kernel.place.line)
        assert launch is not None
        sides.append((kernel, launch))
    (a, launch_a), (b, launch_b) = sides
    pair = pair_up(a, b, launch_a, launch_b, {}, ())
    checked = [check(kernel, launch, side=side) for kernel, launch, side in (
        (pair.a, pair.launch_a, pair.side_a), (pair.b, pair.launch_b, pair.side_b))]
    if is_checked and any(report.verdict is not Verdict.PROVED for report, _ in checked):
        return None
    try:
        both = GenericPair([checked[0][1]], [checked[1][1]], Budget.of(30), in_multiples)
    except CannotFollow:
        return None
    return show_all(both, ["y"], EqualityClass.REAL_EXP_MAX)["y"]


@pytest.mark.parametrize("number", range(len(NEVER)))
def test_never(number: int, tmp_path: Path) -> None:
    frame, kind, result, one, two = NEVER[number]
    shown = generic(tmp_path, (frame.format(kind, result, one), frame.format(kind, result, two)))
    assert shown is None or shown.kind is None


def test_minus_zero(tmp_path: Path) -> None:
    """-0 is 0 as a real number, not as bits."""
    shown = generic(tmp_path, (MAP.format("float", "float", "y[i] = x[i] + 0.0f;"),
                               MAP.format("float", "float", "y[i] = x[i] + -0.0f;")))
    assert shown is not None
    assert shown.kind is EqualityClass.REAL


def test_divisors_of_sizes_are_told(tmp_path: Path) -> None:
    whole = f"float s = 0; {ALL_OF} s += x[r * cols + j]; "
    shown = generic(tmp_path, (ROWS.format("float", "float", whole + "s /= cols; y[r] = s * cols;"),
                               ROWS.format("float", "float", whole + "y[r] = s;")))
    assert shown is not None
    assert shown.kind is EqualityClass.REAL
    assert shown.assumed == ["no divisor is zero: cols"]


def test_command(tmp_path: Path) -> None:
    """A user sees scope, assurance and what is taken for granted."""
    folder = ALL["softmax_online"].folder
    done = subprocess.run([sys.executable, "-m", "spmd", "equiv", folder / "a.cu", folder / "b.cu"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("equal, real-exp-max", "scope: all sizes under", "blockDim.x == 64", "assurance: proved", "no divisor is zero"):
        assert part in done.stdout


@pytest.mark.parametrize(("requirement", "verdict"), [
    ("n <= gridDim.x * blockDim.x", "equal"), ("n <= gridDim.x * blockDim.x + 1", "different"),
    ("gridDim.x == (n + blockDim.x - 1) / blockDim.x && n > 0", "equal"), ("gridDim.x == n / blockDim.x && n > 0", "different"),
])
def test_a_strided_loop_of_which_each_thread_makes_one_round(run: Run, tmp_path: Path, requirement: str, verdict: str) -> None:
    """The counter begins with an integer of which it is not known yet that it is one."""
    once, strided = tmp_path / "once.cu", tmp_path / "strided.cu"
    begin = "__global__ void add(float *a, const float *b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    once.write_text(begin + "  if (i < n) a[i] += b[i];\n}\n")
    strided.write_text(begin + "  for (; i < n; i += gridDim.x * blockDim.x) a[i] += b[i];\n}\n")
    (record,) = run("equiv", once, strided, "--require", requirement, "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    assert verdict == "different" or record["assurance"] == "proved"


@pytest.mark.parametrize("value", ["s / cols", "rsqrtf(1 + s * x[r])", "x[r] * s * s"])
@pytest.mark.parametrize(("guard", "is_equal"), [("if (cols > 0) ", True), ("if (cols > -1) ", True), ("if (cols > -2) ", False)])
def test_a_count_is_a_size_where_it_is_not_negative(tmp_path: Path, guard: str, is_equal: bool, value: str) -> None:
    """How many rounds a loop has, as a value and inside of one; with cols = -1 it has none."""
    text = ROWS.replace("x[rows*cols]", "x[rows]").replace("cols >= 0", "cols >= -9")
    one = text.format("float", "float", f"float s = 0; {ALL_OF} s += 1.0f; {guard}y[r] = {value};")
    two = text.format("float", "float", f"float s = (float)cols; {guard}y[r] = {value};")
    shown = generic(tmp_path, (one, two))
    assert (shown is not None and shown.kind is not None) is is_equal


GROUPS = "for (int g = 0; g < (cols + 3) / 4; g++) for (int k = 0; k < 4; k++) if (4 * g + k < cols) s += x[4 * g + k];"


@pytest.mark.parametrize(("one", "two", "is_equal"), [
    ("y[r] = cols / 4;", "y[r] = (int)((unsigned)cols / 4u);", False),
    ("y[r] = cols % 4;", "y[r] = (int)((unsigned)cols % 4u);", False),
    ("y[r] = cols / 4;", "y[r] = (cols - (cols % 4 + 4) % 4) / 4;", False), ("y[r] = cols / 4;", "y[r] = cols >> 2;", False),
    ("y[r] = cols % 4;", "y[r] = cols - cols / 4 * 4;", True), ("y[r] = cols % 4;", "y[r] = cols & 3;", False),
    (f"float s = 0; {ALL_OF} s += x[j]; y[r] = s;", f"float s = 0; {GROUPS} y[r] = s;", True),
    (f"float s = 0; {ALL_OF} s += x[j]; y[r] = s;", f"float s = 0; {GROUPS.replace('+ 3', '+ 2')} y[r] = s;", False),
    ("int s = 0; for (int g = 0; g < cols / 4 + 1; g++) s++; y[r] = s;",
     "int s = 0; for (int g = 0; g < (cols >> 2) + 1; g++) s++; y[r] = s;", False)])
def test_quotients_of_what_may_be_negative_are_rounded_towards_zero(tmp_path: Path, one: str, two: str, is_equal: bool) -> None:
    text = ROWS.replace("x[rows*cols]", "x[1000]").replace("cols >= 0", "cols >= -9")
    shown = generic(tmp_path, (text.format("float", "float", one), text.format("float", "float", two)))
    assert (shown is not None and shown.kind is not None) is is_equal


@pytest.mark.parametrize(("kind", "one", "two", "is_shown"), [
    ("signed char", "(float)(x[i] - x[0])", "(float)x[i] - (float)x[0]", True),
    ("short", "(float)(x[i] * x[0] - 5)", "(float)x[i] * (float)x[0] - 5.0f", True),
    ("int", "(float)(x[i] - x[0])", "(float)x[i] - (float)x[0]", False),
    ("short", "(float)(x[i] * x[i] * x[0])", "(float)x[i] * (float)x[i] * (float)x[0]", False),
    ("signed char", "(float)((unsigned)x[i] - 5u)", "(float)x[i] - 5.0f", False),
    ("signed char", "(float)(unsigned char)(x[i] - 1)", "(float)x[i] - 1.0f", False)])
def test_integers_of_data_become_floats_where_they_cannot_wrap(kind: str, one: str, two: str, is_shown: bool,
                                                               tmp_path: Path) -> None:
    shown = generic(tmp_path, (MAP.format(kind, "float", f"y[i] = {one};"), MAP.format(kind, "float", f"y[i] = {two};")))
    assert (shown is not None and shown.kind is not None) is is_shown


def test_a_whole_quad_is_tested_once(tmp_path: Path) -> None:
    """4q + 3 < 4m says no more than q < m, so that a test for a quad meets those for its elements."""
    quad = "int q = threadIdx.x / 4 * 4 + blockIdx.x * 128; float s = 0; "
    tests = "for (int k = 0; k < 4; k++) if (q + k < n) s += x[q + k]; ", (
        "if (q / 4 < n / 4) for (int k = 0; k < 4; k++) s += x[q + k]; ")
    one, two = (MAP.replace("n <= 200000", "n <= 200000, n % 4 == 0").format("float", "float", quad + text + "y[i] = s;")
                for text in tests)
    open_ = two.replace("n <= 200000, n % 4 == 0", "n <= 200000")
    for other, wanted in ((two, EquivVerdict.EQUAL), (open_, EquivVerdict.DIFFERENT)):
        for name, text in (("a", one if other is two else one.replace(", n % 4 == 0", "")), ("b", other)):
            (tmp_path / f"{name}.cu").write_text(text.replace("n >= 100000, ", "n >= 1, "))
        (a, launch_a, _), (b, launch_b, _) = (read(tmp_path / f"{name}.cu", None) for name in "ab")
        assert compare(pair_up(a, b, launch_a, launch_b, {}, ())).verdict is wanted


def test_a_proof_speaks_of_the_kernels(tmp_path: Path) -> None:
    """What is printed names threads, blocks, rounds and quotients, and no name of the prover's own."""
    folder = ALL["row_sum_float4_warp"].folder
    report = compared(ALL["row_sum_float4_warp"], folder)
    assert report.verdict is EquivVerdict.EQUAL
    told = "\n".join(report.proof)
    assert "#" not in told
    assert "$" not in told
    assert "a's thread is " in told
    assert "b's thread is " in told
    assert "(cols / 4)" in told or "cols/4" in told


def test_large_numbers_that_cancel_are_no_difference() -> None:
    """Runs too long to be repeated over the reals show none between forms that lose other bits of numbers as large as 2^31."""
    folder = Path(__file__).parent.parent / "case_studies" / "rowwise"
    (a, launch_a, _), (b, launch_b, _) = (read(folder / f"cross_entropy_{name}.cu", None) for name in ("original", "online"))
    launches = [replace(launch, args={}, requires=(*launch.requires, "cols % 128 == 0", "rows % 16 == 0"))
                for launch in (launch_a, launch_b)]
    report = compare(pair_up(a, b, *launches, {}, ()), "real", Budget.of(None))
    assert report.verdict is not EquivVerdict.DIFFERENT, report.counterexample
