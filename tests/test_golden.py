"""Sample outputs as a person sees them. To write them anew after a change that was meant: `python tests/test_golden.py`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest
import sample_repository
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).resolve().parent / "golden"
case_studies, programs = "case_studies", "tests/programs"
COMMANDS = {
    "proved": f"check {programs}/reversal.cu",
    "proved_as_launched": "check tests/golden/tile.cu",
    "proved_in_its_project": "check tests/golden/project/kernels/scale.cu --project tests/golden/project",
    "all_sizes_beside_the_launch": "check tests/golden/tile.cu --all-sizes",
    "race_as_launched": f"check {case_studies}/array_reversal/racy.cu",
    "divergence": f"check {case_studies}/array_reversal/mutants/divergent_barrier.cu",
    "order_of_atomics": "check tests/golden/sum.cu",
    "order_of_atomics_for_a_script": "check tests/golden/sum.cu --format jsonl",
    "block_too_large": "check tests/golden/tile.cu --block 64,32 --grid 1",
    "template": "check tests/golden/template.cu",
    "missing_header": "check tests/golden/missing.cu",
    "unread": "check tests/golden/unread.cu",
    "undecided": "check tests/golden/undecided.cu",
    "no_such_kernel": f"check {programs}/reversal.cu --kernel other",
    "no_such_file": "check none.cu",
    "hints": "check tests/golden/hints.cl --block 16 --grid 1",
    "equal": f"equiv {case_studies}/array_reversal/original.cu {case_studies}/array_reversal/optimised.cu",
    "nondeterministic": f"equiv {case_studies}/array_reversal/original.cu {case_studies}/array_reversal/racy.cu",
    "different": "equiv tests/golden/twice.cu tests/golden/thrice.cu",
    "equal_at_a_launch": f"equiv {case_studies}/reduction/original.cu {case_studies}/reduction/sequential.cu",
    "rule": "explain launch-limit",
    **{f"race_as_{form}": f"check {case_studies}/array_reversal/racy.cu {programs}/reversal.cu --format {form}"
       for form in ("json", "sarif", "markdown", "github", "junit")},
    "race_as_html": f"check {case_studies}/array_reversal/racy.cu --format html",
    "different_as_html": "equiv tests/golden/twice.cu tests/golden/thrice.cu --format html",
    **{f"unread_as_{form}": f"check tests/golden/unread.cu tests/golden/undecided.cu --format {form}"
       for form in ("sarif", "markdown", "github", "junit")},
    **{f"different_as_{form}": f"equiv tests/golden/twice.cu tests/golden/thrice.cu --format {form}"
       for form in ("json", "sarif", "markdown", "github", "junit")},
    "different_for_a_script": f"equiv {case_studies}/array_reversal/original.cu {programs}/reversal.cu --format jsonl",
    **{f"drawn_as_{form}": f"draw {programs}/reversal.cu --format {form}" for form in ("mermaid", "dot", "svg")},
}
DIFFS = {f"revisions_as_{form}": f"diff HEAD~9 HEAD --timeout 60 --format {form}"
         for form in ("text", "json", "sarif", "markdown", "github", "junit")}
"""Of the sample repository, after what was wrong is mended again: two slips, two good changes, and kernels that are new, renamed,
moved, deleted and launched otherwise."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "repository"
    sample_repository.build(folder)
    return folder


def output(command: str, folder: Path = ROOT) -> str:
    """What a person sees of a call in a folder: stdout, then stderr without lines of progress, and the status."""
    from spmd.cli import app

    before = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(app, command.split())
    finally:
        os.chdir(before)
    told = [line for line in result.stderr.splitlines() if not line.endswith("…")]
    stdout = re.sub(r'("seconds": |time="|affected; )[\d.]+', r"\1…", result.stdout)
    stdout = re.sub(r"<(style|script)>.*?</\1>", r"<\1>…</\1>", stdout, flags=re.DOTALL)
    return "\n".join([f"$ spmd {command}", stdout.rstrip(), *told, f"status {result.exit_code}"]) + "\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_as_it_was(name: str) -> None:
    assert output(COMMANDS[name]) == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", DIFFS)
def test_a_page_is_as_it_was(name: str, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are kept between the formats, each is solved once."""
    monkeypatch.delenv("SPMD_NO_CACHE")
    monkeypatch.setenv("SPMD_CACHE_DIR", str(sample.parent / "kept"))
    assert output(DIFFS[name], sample) == (FOLDER / f"{name}.txt").read_text()


def test_no_sample_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*COMMANDS, *DIFFS} and len(COMMANDS) > 20


if __name__ == "__main__":
    os.environ["SPMD_NO_CACHE"] = "1"
    sys.path.insert(0, str(ROOT))
    for name, command in COMMANDS.items():
        (FOLDER / f"{name}.txt").write_text(output(command))
    with tempfile.TemporaryDirectory() as place:
        sample_repository.build(Path(place) / "repository")
        for name, command in DIFFS.items():
            (FOLDER / f"{name}.txt").write_text(output(command, Path(place) / "repository"))
