"""Differences as NumPy scripts: they run by themselves and show the values that the machine found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from test_studies import entries

PAIRS = [*sorted((ROOT / "tests" / "never_equal").iterdir()), *sorted((ROOT / "tests" / "pairs").glob("*_x"))]
SLIPS = entries("mutant")


def shown(folder: Path) -> tuple[list[float], int]:
    """What a script prints of both sides, and its exit status."""
    done = subprocess.run([sys.executable, folder / "replay.py"], capture_output=True, text=True, check=False)
    found = re.match(r".*: a (\S+) b (\S+)$", done.stdout.strip())
    assert found, done.stderr
    return [float({"True": "1", "False": "0"}.get(text, text)) for text in found.groups()], done.returncode


def check(run: Run, a: Path, b: Path, folder: Path) -> None:
    result = run("equiv", a, b, "--format", "jsonl", "--save-replay", folder)
    record = result.records[0]
    if record["verdict"] != "different":
        pytest.skip(f"{record['verdict']}: there is no difference to show")
    if not (folder / "replay.py").exists():
        assert "has no word" in result.err or "bfloat16" in result.err
        return
    values, status = shown(folder)
    wanted = [float(record["counterexample"][side]) for side in "ab"]
    assert values == pytest.approx(wanted, rel=1e-5, nan_ok=True) and status == 0


@pytest.mark.sliced(18)
@pytest.mark.parametrize("folder", PAIRS, ids=lambda path: path.name)
def test_script_shows_the_difference(folder: Path, run: Run, tmp_path: Path) -> None:
    files = sorted(folder.glob("a.*")) + sorted(folder.glob("b.*"))
    check(run, files[0], files[1], tmp_path)


@pytest.mark.sliced(120)
@pytest.mark.parametrize(("folder", "mutant"), SLIPS)
def test_script_shows_a_slip(folder: Path, mutant: dict[str, Any], run: Run, tmp_path: Path) -> None:
    """Kernels with shared memory, barriers, shuffles and updates; only where threads are few enough for Python."""
    changed = tmp_path / mutant["of"]
    changed.write_text((folder / mutant["of"]).read_text().replace(mutant["find"], mutant["put"]))
    check(run, folder / mutant.get("against", "original.cu"), changed, tmp_path)
