"""Every pair under tests/pairs states the answer in expect.json; case studies must come out as told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT, Run

PAIRS = sorted(path.parent for path in (Path(__file__).parent / "pairs").glob("*/expect.json"))
OPEN = sorted(path.parent for path in (Path(__file__).parent / "pairs" / "open").glob("*/expect.json"))
STUDIES = ROOT / "case_studies"
MUTANTS = sorted(STUDIES.glob("*/mutants/*.cu"))
VERSIONS = sorted(path for path in STUDIES.glob("*/*.cu") if path.name not in ("original.cu", "racy.cu")
                  and not (path.parent / "pairs.toml").exists())


@pytest.mark.sliced(7)
@pytest.mark.parametrize("folder", PAIRS, ids=lambda path: path.name)
def test_pair(folder: Path, run: Run) -> None:
    wanted = json.loads((folder / "expect.json").read_text())
    record = run("equiv", folder / "a.cu", folder / "b.cu", "--format", "jsonl", *wanted.get("args", [])).records[0]
    assert record["verdict"] == wanted["verdict"], record.get("reason")
    for name in ("class", "side"):
        if name in wanted:
            assert record.get(name) == wanted[name]
    if record["verdict"] == "different":
        found = record["counterexample"]
        assert found["replayed"] and found["a"] != found["b"]


@pytest.mark.sliced(5)
@pytest.mark.parametrize("folder", OPEN, ids=lambda path: path.name)
def test_open_pair_is_never_wrong(folder: Path, run: Run) -> None:
    wanted = json.loads((folder / "expect.json").read_text())
    record = run("equiv", folder / "a.cu", folder / "b.cu", "--format", "jsonl", "--timeout", 4,
                 *wanted.get("args", [])).records[0]
    assert record["verdict"] in (wanted["verdict"], "unknown", "unsupported")


EQUAL = [folder for folder in PAIRS if json.loads((folder / "expect.json").read_text())["verdict"] == "equal"]


@pytest.mark.sliced(8)
@pytest.mark.parametrize("folder", EQUAL, ids=lambda path: path.name)
def test_every_deterministic_kernel_equals_itself(folder: Path, run: Run) -> None:
    record = run("equiv", folder / "a.cu", folder / "a.cu", "--format", "jsonl").records[0]
    assert record["verdict"] == "equal" and record["class"] == "bitwise"


@pytest.mark.sliced(2)
@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_version_is_equal(path: Path, run: Run) -> None:
    record = run("equiv", path.parent / "original.cu", path, "--format", "jsonl").records[0]
    assert (record["verdict"], record["class"], record["assurance"]) == ("equal", "bitwise", "proved")
    assert record["scope"].startswith("all sizes")


@pytest.mark.sliced(3)
@pytest.mark.parametrize("path", MUTANTS, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_mutant_is_killed(path: Path, run: Run) -> None:
    result = run("equiv", path.parent.parent / "original.cu", path, "--format", "jsonl")
    assert result.records[0]["verdict"] in ("different", "nondeterministic"), result.records[0].get("reason")
    assert result.status == 1


@pytest.mark.parametrize("name", ["array_reversal", "transpose", "vector_add"])
def test_originals_are_proved(name: str, run: Run) -> None:
    for path in sorted((STUDIES / name).glob("*.cu")):
        result = run("check", path, "--format", "jsonl")
        assert result.status == (1 if path.name == "racy.cu" else 0)


def test_reversal_is_proved_for_all_sizes(run: Run) -> None:
    for name in ("original.cu", "optimised.cu"):
        record = run("check", STUDIES / "array_reversal" / name, "--format", "jsonl").records[0]
        assert (record["verdict"], record["scope"]) == ("proved", "all sizes")
        assert any("blockDim.x*gridDim.x <= " in text for text in record["assumptions"])


def test_missing_requirement_gives_a_small_counterexample(run: Run, tmp_path: Path) -> None:
    text = (STUDIES / "transpose" / "optimised.cu").read_text()
    assert ", width % 32 == 0" in text
    relaxed = tmp_path / "relaxed.cu"
    relaxed.write_text(text.replace(", width % 32 == 0", ", width >= 32"))
    record = run("equiv", STUDIES / "transpose" / "original.cu", relaxed, "--format", "jsonl").records[0]
    assert record["verdict"] == "different"
    assert record["counterexample"]["sizes"]["width"] % 32 != 0
    assert record["counterexample"]["sizes"]["width"] <= 65
