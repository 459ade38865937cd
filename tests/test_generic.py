"""Equality for all sizes by a generic block of each kernel: what is shown, in which class, and that no slip is."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "all_sizes"))
import pairs

from automata.budget import Budget
from automata.lang.launch import find_comment
from automata.lang.read import find_kernels
from automata.place import InputError, UndecidedError
from equivalence.compare import compare
from equivalence.pairing import pair_up
from equivalence.result import EqualityClass, EquivReport, EquivVerdict
from spmd.pipeline import forget

SHOWN = (Path(__file__).parent / "all_sizes" / "shown.txt").read_text().split()
"""The pairs that are shown equal for all sizes."""
ALL = {pair.name: pair for pair in pairs.all_pairs()}
SINGLE = [name for name, pair in ALL.items() if not any(";" in side for side in pair.sides.values())]
SLIPS = [(name, number) for name in SHOWN for number in range(len(ALL[name].slips))]


def compared(pair: pairs.Pair, folder: Path, seconds: float = 60) -> EquivReport:
    """The report on a pair whose texts stand in a folder."""
    forget()
    sides = []
    for side in "ab":
        _, _, name = pair.sides[side].partition(":")
        item = find_kernels(str(folder / f"{side}.cu"), name or None, None, {}, (), "auto", None)[0]
        kernel = item.read()
        launch = find_comment(item.original, item.path, kernel.place.line)
        assert launch is not None
        sides.append((kernel, launch))
    (a, launch_a), (b, launch_b) = sides
    return compare(pair_up(a, b, launch_a, launch_b, {}, ()), "real", Budget.of(seconds))


@pytest.mark.sliced(6)
@pytest.mark.parametrize("name", SHOWN)
def test_shown(name: str) -> None:
    report = compared(ALL[name], ALL[name].folder)
    assert report.verdict is EquivVerdict.EQUAL, report.reason
    assert report.scope is not None
    assert str(report.scope).startswith("all sizes")
    assert report.equality is not None
    assert report.equality.rank >= EqualityClass(ALL[name].equality).rank, "a class that does not hold"


@pytest.mark.sliced(20)
@pytest.mark.parametrize("name", [name for name in SINGLE if name not in SHOWN])
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
    try:
        report = compared(replace(pair, slips=()), tmp_path, 20)
    except (InputError, UndecidedError):
        return
    assert report.verdict is not EquivVerdict.EQUAL, slip


def test_command(tmp_path: Path) -> None:
    """A user sees scope, assurance and what is taken for granted."""
    folder = ALL["softmax_block"].folder
    done = subprocess.run([sys.executable, "-m", "spmd", "equiv", folder / "a.cu", folder / "b.cu"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for part in ("equal, real-exp-max", "scope: all sizes under", "blockDim.x == 128", "assurance: proved", "no divisor is zero"):
        assert part in done.stdout
