"""Sequences of kernels for all sizes: what one kernel has stored and a later one loads, and twins that differ."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_generic import read

from automata.budget import Budget
from automata.place import InputError, UnsupportedError
from equivalence.counterexample import Search
from equivalence.result import EquivReport, EquivVerdict
from equivalence.sequence import compare_sequences
from spmd.pipeline import forget

MAP = "block=64 grid=(n+63)/64 require n > 0, n <= 100000"
ROWS = "block=32 grid=(rows+31)/32 require rows > 0, rows <= 5000, cols >= 0, cols <= 5000"
CELLS = "block=128 grid=(rows*cols+127)/128 require rows > 0, rows <= 5000, cols >= 0, cols <= 5000"
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)"
ROW = "int r = blockIdx.x * blockDim.x + threadIdx.x; if (r >= rows) return;"
CELL = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= rows * cols) return;"
EACH = "for (int j = 0; j < cols; j++)"
SIZES = {MAP: "n", ROWS: "rows*cols", CELLS: "rows*cols"}
Kernels = list[tuple[str, str]]


def text(kernels: Kernels, kind: str) -> str:
    """A file of kernels k1, k2, …, each with a launch and a body; all have x, y and scratch arrays t and u."""
    found = []
    for number, (launch, body) in enumerate(kernels, 1):
        size = SIZES[launch]
        extents = " ".join(f"{name}[{size}]" for name in "xytu" if re.search(rf"\b{name}\[", body))
        sizes = "int n" if launch == MAP else "int rows, int cols"
        params = ", ".join(f"{kind} *{name}" for name in "xytu" if re.search(rf"\b{name}\[", body))
        found.append(f"// spmd: {launch.replace(' require', f' {extents} require')}\n"
                     f"__global__ void k{number}({params}, {sizes}) {{ {body} }}\n")
    return "\n".join(found)


def compared(tmp_path: Path, a: Kernels, b: Kernels, kind: str = "float") -> EquivReport:
    """The proof alone, without any run."""
    forget()
    sides = []
    for side, kernels in zip("ab", (a, b), strict=True):
        path = tmp_path / f"{side}.cu"
        path.write_text(text(kernels, kind))
        sides.append([read(path, f"k{number}") for number in range(1, len(kernels) + 1)])
    return compare_sequences(sides[0], sides[1], {}, (), "real", Budget.of(30))


@pytest.fixture(autouse=True)
def _no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ("smallest", "spread", "at"):
        monkeypatch.setattr(Search, way, lambda *_: None)


ONE_MORE = (MAP, f"{AT} t[i] = t[i] + 1;")
TWICE = [(MAP, f"{AT} y[i] = x[i] * x[i];")]
SUMS = [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} y[r * cols + j] = x[r * cols + j] - s;")]
GOOD = {
    "a copy between": ([(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * t[i];")], TWICE),
    "read the other way round": (
        [(MAP, f"{AT} t[n - 1 - i] = x[i];"), (MAP, f"{AT} y[i] = t[n - 1 - i] * x[i];")], TWICE),
    "in place": ([(MAP, f"{AT} y[i] = x[i];"), (MAP, f"{AT} y[i] = y[i] * x[i];")], TWICE),
    "in place, twice": (
        [(MAP, f"{AT} t[i] = x[i];"), ONE_MORE, ONE_MORE, (MAP, f"{AT} y[i] = t[i];")],
        [(MAP, f"{AT} y[i] = x[i] + 2;")]),
    "two scratch arrays": (
        [(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} u[i] = t[i];"), (MAP, f"{AT} y[i] = t[i] * u[i];")], TWICE),
    "two stores that have a part each": (
        [(MAP, f"{AT} {{ if (i % 2 == 0) t[i] = x[i]; else t[i] = -x[i]; }}"), (MAP, f"{AT} y[i] = t[i] * t[i];")], TWICE),
    "the input is overwritten behind": ([(MAP, f"{AT} y[i] = x[i];"), (MAP, f"{AT} y[i] = y[i] * x[i];")], [
        (MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * x[i];")]),
    "sums of rows": (
        [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} t[r * cols + j] = s;"),
         (CELLS, f"{CELL} y[i] = x[i] - t[i];")], SUMS),
    "a sum of what was stored": (
        [(CELLS, f"{CELL} t[i] = 2 * x[i];"),
         (ROWS, f"{ROW} float s = 0; {EACH} s += t[r * cols + j]; {EACH} y[r * cols + j] = s;")],
        [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} y[r * cols + j] = 2 * s;")]),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    report = compared(tmp_path, *GOOD[what])
    assert report.verdict is EquivVerdict.EQUAL, report.reason
    assert str(report.scope).startswith("all sizes")


BAD = {
    "the neighbour": ([(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * t[i > 0 ? i - 1 : 0];")], TWICE),
    "one cell is never stored": ([(MAP, f"{AT} if (i > 0) t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * x[i];")], TWICE),
    "half of the cells are": ([(MAP, f"{AT} if (2 * i < n) t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * x[i];")], TWICE),
    "before it is stored": ([(MAP, f"{AT} y[i] = t[i] * x[i];"), (MAP, f"{AT} t[i] = x[i];")], TWICE),
    "what was there before": ([(MAP, f"{AT} y[i] = t[i] * x[i];")], [
        (MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * x[i];")]),
    "overwritten between": (
        [(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} t[i] = 0;"), (MAP, f"{AT} y[i] = t[i] * x[i];")], TWICE),
    "overwritten in one cell": (
        [(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} if (i == 3) t[i] = 0;"), (MAP, f"{AT} y[i] = t[i] * x[i];")], TWICE),
    "the output is overwritten in one cell": (
        [(MAP, f"{AT} y[i] = x[i] * x[i];"), (MAP, f"{AT} if (i == n - 1) y[i] = x[i];")], TWICE),
    "by data": ([(MAP, f"{AT} t[i] = 0;"), (MAP, f"{AT} if (x[i] > 0) t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i] * x[i];")], TWICE),
    "the input is overwritten first": (
        [(MAP, f"{AT} x[i] = x[i] + 1;"), (MAP, f"{AT} y[i] = x[i] * x[i];")], TWICE),
    "the first of two parts": (
        [(MAP, f"{AT} {{ if (i % 2 == 0) t[i] = x[i]; else t[i] = 1; }}"), (MAP, f"{AT} y[i] = t[i] * t[i];")], TWICE),
    "in place once too often": (
        [(MAP, f"{AT} t[i] = x[i];"), ONE_MORE, ONE_MORE, (MAP, f"{AT} y[i] = t[i];")],
        [(MAP, f"{AT} y[i] = x[i] + 1;")]),
    "the sum of another row": (
        [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} t[r * cols + j] = s;"),
         (CELLS, f"{CELL} y[i] = x[i] - t[i / cols * cols == i ? 0 : i];")], SUMS),
    "a sum that is short of one": (
        [(CELLS, f"{CELL} t[i] = 2 * x[i];"),
         (ROWS, f"{ROW} float s = 0; for (int j = 1; j < cols; j++) s += t[r * cols + j]; {EACH} y[r * cols + j] = s;")],
        [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} y[r * cols + j] = 2 * s;")]),
    "the sum of what stands in the row behind": (
        [(CELLS, f"{CELL} t[i] = 2 * x[i];"),
         (ROWS, f"{ROW} float s = 0; {EACH} s += t[(r + 1) % rows * cols + j]; {EACH} y[r * cols + j] = s;")],
        [(ROWS, f"{ROW} float s = 0; {EACH} s += x[r * cols + j]; {EACH} y[r * cols + j] = 2 * s;")]),
    "the greatest of no numbers": (
        [(ROWS, f"{ROW} float m = -INFINITY; for (int j = 1; j < cols; j++) m = fmaxf(m, x[r * cols + j]); "
                f"{EACH} t[r * cols + j] = m;"), (CELLS, f"{CELL} y[i] = t[i] - t[i];")],
        [(CELLS, f"{CELL} y[i] = x[i] - x[i];")]),
    "an infinity that was stored": (
        [(MAP, f"{AT} t[i] = INFINITY;"), (MAP, f"{AT} y[i] = x[i] + (t[i] - t[i]);")], [(MAP, f"{AT} y[i] = x[i];")]),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    report = compared(tmp_path, *BAD[what])
    assert report.verdict is not EquivVerdict.EQUAL, report.proof


INTS = {
    "updated and then loaded": (
        [(MAP, f"{AT} atomicAdd(&t[i], x[i]);"), (MAP, f"{AT} y[i] = t[i];")],
        [(MAP, f"{AT} atomicAdd(&t[i], x[i]);"), (MAP, f"{AT} y[i] = t[i] - x[i];")]),
    "set to zero, then updated": (
        [(MAP, f"{AT} y[i] = 0;"), (MAP, f"{AT} atomicAdd(&y[i], x[i]);")], [(MAP, f"{AT} atomicAdd(&y[i], x[i]);")]),
    "subscripts that were stored": (
        [(MAP, f"{AT} t[i] = n - 1 - i;"), (MAP, f"{AT} y[i] = x[t[i]];")], [(MAP, f"{AT} y[i] = x[i];")]),
    "a test of what was stored": (
        [(MAP, f"{AT} t[i] = i;"), (MAP, f"{AT} y[i] = t[i] == i ? x[i] : 0;")], [(MAP, f"{AT} y[i] = 0;")]),
    "what wraps": (
        [(MAP, f"{AT} t[i] = (int)(signed char)x[i];"), (MAP, f"{AT} y[i] = t[i];")], [(MAP, f"{AT} y[i] = x[i];")]),
}


@pytest.mark.parametrize("what", INTS)
def test_never_of_integers(what: str, tmp_path: Path) -> None:
    report = compared(tmp_path, *INTS[what], kind="int")
    assert report.verdict is not EquivVerdict.EQUAL, report.proof


def test_narrow_scratch(tmp_path: Path) -> None:
    """What does not fit into a scratch array of bytes is not what was stored."""
    wide = text([(MAP, f"{AT} y[i] = x[i];")], "int")
    narrow = text([(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i];")], "int")
    (tmp_path / "a.cu").write_text(wide)
    (tmp_path / "b.cu").write_text(narrow.replace("int *t", "signed char *t"))
    sides = [[read(tmp_path / "a.cu", "k1")], [read(tmp_path / "b.cu", name) for name in ("k1", "k2")]]
    assert compare_sequences(sides[0], sides[1], {}, (), "real", Budget.of(30)).verdict is not EquivVerdict.EQUAL


def test_requirements_of_one_launch_are_refused(tmp_path: Path) -> None:
    kernels = text([(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i];")], "float")
    (tmp_path / "a.cu").write_text(kernels.replace("require n > 0", "require gridDim.x == 4, n > 0", 1))
    sides = [read(tmp_path / "a.cu", name) for name in ("k1", "k2")]
    with pytest.raises(UnsupportedError, match="sizes of one launch"):
        compare_sequences(sides, sides, {}, (), "real", Budget.of(30))


def test_one_name_of_two_types_is_refused(tmp_path: Path) -> None:
    kernels = text([(MAP, f"{AT} t[i] = x[i];"), (MAP, f"{AT} y[i] = t[i];")], "float")
    (tmp_path / "a.cu").write_text(kernels[::-1].replace("n tni", "n dengisnu", 1)[::-1])
    sides = [read(tmp_path / "a.cu", name) for name in ("k1", "k2")]
    with pytest.raises((InputError, UnsupportedError)):
        compare_sequences(sides, sides, {}, (), "real", Budget.of(30))


def test_command(tmp_path: Path) -> None:
    """The scope names whose launch a size is of; a difference is shown at the smallest sizes."""
    good, bad = GOOD["a copy between"], BAD["one cell is never stored"]
    (tmp_path / "a.cu").write_text(text(good[0], "float").replace("block=64 grid=(n+63)/64", "block=32 grid=(n+31)/32", 1))
    (tmp_path / "b.cu").write_text(text(good[1], "float"))
    (tmp_path / "c.cu").write_text(text(bad[0], "float"))
    call = [sys.executable, "-m", "spmd", "equiv"]
    done = subprocess.run([*call, f"{tmp_path}/a.cu:k1;k2", tmp_path / "b.cu"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all sizes under" in done.stdout and "a, 1: blockDim.x == 32" in done.stdout
    done = subprocess.run([*call, f"{tmp_path}/c.cu:k1;k2", tmp_path / "b.cu"], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "n = 1" in done.stdout
