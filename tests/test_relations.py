"""Relations among outputs for all sizes: what is shown, what never is, and how it is told."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run

sys.path.insert(0, str(Path(__file__).parent / "all_sizes"))
import pairs
from test_generic import read

from automata.budget import Budget
from automata.place import InputError, UndecidedError
from automata.proof.determinism import check
from automata.verdict import Verdict
from equivalence.generic.compare import GenericPair, Shown, show_all
from equivalence.generic.integers import CannotFollow
from equivalence.pairing import pair_up
from equivalence.relation import parse_relation
from equivalence.result import EqualityClass
from spmd.pipeline import forget

RELATED = {pair.name: pair for pair in pairs.all_pairs() if pair.relate}
SLIPS = [(name, number) for name, pair in RELATED.items() for number, slip in enumerate(pair.slips) if slip.gives == "different"]


def proved(folder: Path, texts: tuple[str, str], relate: tuple[str, ...]) -> list[Shown] | None:
    """What the proof says of relations, without any search for a difference; None where a side is not deterministic."""
    forget()
    kernels = []
    for side, text in zip("ab", texts, strict=True):
        (folder / f"{side}.cu").write_text(text)
        kernels.append(read(folder / f"{side}.cu", None))
    (a, launch_a, _), (b, launch_b, _) = kernels
    pair = pair_up(a, b, launch_a, launch_b, {}, (), own_extents=True)
    relations = [parse_relation(text).in_names(pair.theirs, frozenset(pair.a.order)) for text in relate]
    analyses = []
    for kernel, launch, side in ((pair.a, pair.launch_a, pair.side_a), (pair.b, pair.launch_b, pair.side_b)):
        report, analysis = check(kernel, launch, side=side)
        if report.verdict is Verdict.REFUTED:
            return None
        analyses.append([analysis])
    generic = GenericPair(analyses[0], analyses[1], Budget.of(60), relations={one.text: one for one in relations})
    return list(show_all(generic, relate, EqualityClass.REAL).values())


def is_shown(folder: Path, texts: tuple[str, str], relate: tuple[str, ...]) -> bool:
    try:
        found = proved(folder, texts, relate)
    except (CannotFollow, InputError, UndecidedError):
        return False
    return found is not None and all(shown.kind is not None for shown in found)


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("name", "number"), SLIPS)
def test_no_slip_is_shown(name: str, number: int, tmp_path: Path) -> None:
    pair = RELATED[name]
    slip = pair.slips[number]
    a, b = (slip.applied(pair.text(side)) if slip.of == side else pair.text(side) for side in "ab")
    assert not is_shown(tmp_path, (a, b), (pair.slipped(slip) if slip.of == "relate" else pair).relate)


LAYOUT = """// spmd: block=64 grid=(n+63)/64,m x[m*n] out[{extent}] require m > 0, n > 0, ld >= m, ld >= n, ld < 1000
__global__ void k(const float *x, float *out, int m, int n, int ld) {{
  int i = blockIdx.y, j = blockIdx.x * 64 + threadIdx.x; if (j < n) out[{index}] = {value};
}}
"""
LAYOUTS = {
    "rows": ("i*n + j", "m*n"), "columns": ("j*m + i", "m*n"), "padded rows": ("i*ld + j", "m*ld"),
    "padded columns": ("j*ld + i", "n*ld"), "rows upwards": ("(m - 1 - i)*n + j", "m*n"),
    "backwards": ("m*n - 1 - (i*n + j)", "m*n"), "rows mirrored": ("i*n + (n - 1 - j)", "m*n"),
    "two apart": ("2*(i*n + j)", "2*m*n"), "two apart behind": ("2*(i*n + j) + 1", "2*m*n"),
    "pairs of rows": ("(i/2)*2*n + 2*j + i%2", "(m+1)*n"), "columns by fours": ("(j/4)*4*m + 4*i + j%4", "m*(n+3)"),
}
"""Where element (i, j) of m by n stands, and how many there are."""
HARD = LAYOUTS["pairs of rows"][0]
"""Which thread fills a cell there is not found."""
SLIPPED = {"n": "m", "m": "n", "i": "j", "j": "i", "ld": "n", "1": "2", "2": "3", "4": "2"}


def slipped(rng: random.Random, index: str) -> str:
    """An index with one name or number changed."""
    parts = [at for at, _ in enumerate(index) if index[at] in "nmij124" and index[at - 1:at + 1] != "ld"]
    at = rng.choice(parts)
    return index[:at] + SLIPPED[index[at]] + index[at + 1:]


def holds(named: tuple[str, str], stored: tuple[str, str], sizes: dict[str, int]) -> bool:
    """Whether at these sizes each point's elements of both sides are stored by one (i, j), as NumPy works it out."""
    i, j = np.indices((sizes["m"], sizes["n"])).reshape(2, -1)
    known = {**sizes, "i": i, "j": j}
    sides = []
    for name, store in zip(named, stored, strict=True):
        asked, filled = (eval(text.replace("/", "//"), {"__builtins__": {}}, known) for text in (name, store))
        cells = np.full(20_000, -1)
        cells[filled] = np.arange(i.size)
        if asked.min() < 0 or asked.max() >= cells.size or (cells[asked] < 0).any():
            return False
        sides.append(cells[asked])
    return bool((sides[0] == sides[1]).all())


@pytest.mark.drawn(12)
def test_random_layouts(seed: int, tmp_path: Path) -> None:
    """Two layouts, as they are and with a slip in what is related: shown only where it holds at sizes drawn at random."""
    rng = random.Random(seed)
    a, b = (LAYOUTS[rng.choice(list(LAYOUTS))] for _ in range(2))
    texts = tuple(LAYOUT.format(extent=extent, index=index, value="x[i*n + j] * 2") for index, extent in (a, b))
    named = [a[0], b[0]]
    if rng.random() < 0.6:
        at = rng.randrange(2)
        named[at] = slipped(rng, named[at])
    drawn = [{"m": m, "n": n, "ld": max(m, n) + rng.randrange(4)} for m in range(1, 7) for n in range(1, 9)]
    does_hold = all(holds((named[0], named[1]), (a[0], b[0]), sizes) for sizes in drawn)
    shown = is_shown(tmp_path, (texts[0], texts[1]), (f"b.out[{named[1]}] == a.out[{named[0]}] for i < m, j < n",))
    assert not shown or does_hold, (named, a, b)
    assert shown or named != [a[0], b[0]] or HARD in named, "the layouts themselves are shown"


PLAIN = """// spmd: block=128 grid=(n+127)/128 x[n] out[{extent}] require n > 0, n <= 100000, {more}
__global__ void k(const float *x, float *out, int n, int ld) {{
  int i = blockIdx.x * 128 + threadIdx.x; if (i < n) {body}
}}
"""


def plain(body: str, extent: str = "n", more: str = "ld >= n, ld <= 200000") -> str:
    return PLAIN.format(body=body, extent=extent, more=more)


ONE = plain("out[i] = x[i] + 1;")
TWO = plain("out[i] = x[i];")
REST = plain("out[i] = x[i];", "ld")

GOOD = {
    "the same": (ONE, ONE, "b.out[k] == a.out[k]"),
    "over a larger array, whose rest nobody writes": (REST, REST, "b.out[k] == a.out[k]"),
    "scaled by a power of two": (ONE, plain("out[i] = (x[i] + 1) * 8;"), "b.out[k] == 8 * a.out[k]"),
    "added to": (TWO, plain("out[i] = x[i] + 3;"), "b.out[k] == a.out[k] + 3"),
    "by a parameter": (TWO, plain("out[ld - 1 - i] = x[i];", "ld"), "a.out[k] == b.out[ld - 1 - k]"),
    "of both sides": (ONE, plain("out[i] = x[i] + x[n - 1 - i] + 2;"), "b.out[k] == a.out[k] + b.out[n - 1 - k] - a.out[k]"),
    "backwards": (TWO, plain("out[n - 1 - i] = x[i];"), "b.out[k] == a.out[n - 1 - k]"),
    "the first one again and again": (TWO, plain("out[i] = x[0];"), "b.out[k] == a.out[0]"),
    "in blocks that are turned round": (
        plain("out[i] = x[i];", more="ld >= n, ld <= 200000, n % 8 == 0"),
        plain("out[i / 8 * 8 + 7 - i % 8] = x[i];", more="ld >= n, ld <= 200000, n % 8 == 0"),
        "b.out[k] == a.out[k / 8 * 8 + 7 - k % 8]"),
}


@pytest.mark.parametrize("what", GOOD)
def test_shown(what: str, tmp_path: Path) -> None:
    a, b, relation = GOOD[what]
    found = proved(tmp_path, (a, b), (relation,))
    assert found is not None
    assert found[0].kind is not None, found[0].reason


BAD = {
    "one side is not stored": (ONE, plain("if (i > 0) out[i] = x[i] + 1;"), "b.out[k] == a.out[k]"),
    "what is there before, elsewhere": (REST, plain("out[ld - 1 - i] = x[i];", "ld"), "b.out[k] == a.out[ld - 1 - k]"),
    "nothing": (ONE, ONE, "b.out[k] == a.out[k] for k < n - ld"),
    "a rest of unlike size": (REST, REST, "b.out[k] == a.out[k] for k < 2*ld"),
    "no extent": (ONE.replace(" out[n]", ""), ONE, "a.out[k] == b.out[k] for k < ld"),
    "an index below": (TWO, TWO, "b.out[k] == a.out[k - 1 + 1 - 1] for k < n"),
    "rounded towards zero": (TWO, plain("out[i] = x[i < 2 ? 0 : (i - 1) / 2];"), "b.out[k] == a.out[(k - 1) / 2]"),
    "an even number of them": (TWO, plain("out[i] = x[i / 2 * 2];"), "b.out[k] == a.out[k / 2 * 2 + k % 2]"),
    "the sum, not twice": (TWO, plain("out[i] = 2 * x[i];"), "b.out[k] == a.out[k] + a.out[n - 1 - k]"),
    "by zero": (TWO, TWO, "b.out[k] == a.out[k / (ld - n)]"),
    "a difference turned round": (TWO, plain("out[i] = x[i] - x[0];"), "b.out[k] == a.out[0] - a.out[k]"),
    "a nest of them": (TWO, plain("out[i] = x[i] - (x[0] - x[n - 1]);"), "b.out[k] == a.out[k] - (a.out[n - 1] - a.out[0])"),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    a, b, relation = BAD[what]
    assert not is_shown(tmp_path, (a, b), (relation,))


def test_cells_that_no_relation_names_are_told(compared: Any) -> None:
    twice = plain("{ out[2 * i] = x[i]; out[2 * i + 1] = -x[i]; }", "2*n")
    record = compared(TWO, twice, "--relate", "b.out[2*k] == a.out[k] for k < n")
    assert record["verdict"] == "equal"
    assert [note for note in record["notes"] if "only what relations name is compared: b may write other cells of 'out'" in note]
    record = compared(TWO, twice, "--relate", "b.out[2*k] == a.out[k] for k < n", "--relate",
                      "b.out[2*k + 1] == 0 - a.out[k] for k < n")
    assert record["verdict"] == "equal" and not [note for note in record["notes"] if "only what" in note]


def test_told_with_its_proof(run: Run, tmp_path: Path) -> None:
    for name, text in (("a", TWO), ("b", plain("out[n - 1 - i] = x[i];"))):
        (tmp_path / f"{name}.cu").write_text(text)
    found = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--relate", "b.out[k] == a.out[n - 1 - k]", "--show-proof",
                "--certify")
    assert "equal, bitwise" in found.out
    assert "assurance: proved" in found.out
    assert "b.out[k]: element (k%128) + 128*(k/128), b stores it at line 3, where b.blockIdx.x =" in found.out
    assert "a.out[n - 1 - k]: element -(k%128) - 128*(k/128) + n - 1, a stores it at line 3, where a.blockIdx.x =" in found.out


@pytest.mark.parametrize(("relation", "message"), [
    ("b.out[k] == a.out[q]", "no kernel has an integer parameter 'q'"), ("b.out[k] == a.none[k]", "no global array 'none'"),
    ("b.out[i] == a.out[i] for i < i", "made of numbers and parameters"), ("b.out[i] == a.out[i] for i <= n", "is no range"),
    ("b.out[n] == a.out[n] for n < 3", "'n' is a parameter"), ("b.out[i] == a.out[i] for i < n, i < 2", "is no range"),
    ("b.out[k] == a.out[k] for", "must be an element at k"),
])
def test_makes_no_sense(compared: Any, relation: str, message: str) -> None:
    record = compared(ONE, ONE, "--relate", relation)
    if message == "must be an element at k":
        assert record["verdict"] == "invalid"
    else:
        assert record["verdict"] == "invalid" and message in record["reason"], record


def test_a_difference_is_run_at_sizes_that_show_it(compared: Any) -> None:
    record = compared(TWO, plain("out[i] = x[i < 100 ? i : 0];"), "--relate", "b.out[k] == a.out[k]")
    assert record["verdict"] == "different"
    found = record["counterexample"]
    assert found["sizes"]["n"] > 100 and found["cell"] >= 100


def test_names_of_b_are_its_own(compared: Any) -> None:
    b = TWO.replace("float *out", "float *res").replace("out[", "res[").replace("int ld", "int pitch").replace("ld ", "pitch ")
    for relation in ("b.res[k] == a.out[k]", "b.res[k] == a.out[k] for k < pitch - ld + n"):
        assert compared(TWO, b, "--map", "out=res", "--map", "ld=pitch", "--relate", relation)["verdict"] == "equal", relation
    swapped = TWO.replace("float *out, ", "float *out, float *other, ")
    turned = swapped.replace("out[i]", "other[i]").replace("out[n]", "other[n]")
    record = compared(swapped, turned, "--map", "out=other", "--relate", "b.other[k] == a.out[k]")
    assert record["verdict"] == "equal"


def test_of_sequences(compared: Any, run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.cu").write_text(plain("out[i] = x[i] * 2 + 1;"))
    twice = plain("t[i] = x[i] * 2;").replace("float *out", "float *t").replace("out[n]", "t[n]")
    more = plain("out[n - 1 - i] = t[i] + 1;").replace("k(const float *x", "more(const float *t").replace("x[n]", "t[n]")
    (tmp_path / "two.cu").write_text(twice + more)
    for relation, verdict in (("b.out[k] == a.out[n - 1 - k]", "equal"), ("b.out[k] == a.out[k]", "different")):
        given = "--relate", relation, "--format", "jsonl"
        record = run("equiv", tmp_path / "one.cu", f"{tmp_path}/two.cu:k;more", *given).records[0]
        assert record["verdict"] == verdict, record.get("reason")


def test_beyond_a_launch(compared: Any) -> None:
    b = plain("out[n - 1 - i] = x[i];")
    given = ("--relate", "b.out[k] == a.out[n - 1 - k]", "--arg", "n=200", "--arg", "ld=200")
    record = compared(TWO, b, *given)
    assert (record["verdict"], record["assurance"]) == ("equal", "probabilistic")
    record = compared(TWO, b, *given, "--all-sizes")
    assert record["verdict"] == "equal" and record["assurance"] == "proved"
