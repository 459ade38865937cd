"""Every pair and every slip of the case studies comes out as its study's pairs.toml says."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

STUDIES = sorted(path.parent for path in (ROOT / "case_studies").glob("*/pairs.toml"))


def entries(kind: str, key: str = "") -> list[Any]:
    """The entries of one kind of all studies, each with its folder; those that have a key, where one is asked for."""
    found = []
    for folder in STUDIES:
        for entry in tomllib.loads((folder / "pairs.toml").read_text()).get(kind, []):
            if key and key not in entry:
                continue
            parts = ("of", "name") if kind == "mutant" else ("a", "b")
            found.append(pytest.param(folder, entry, id="/".join([folder.name, *(entry[part] for part in parts)])))
    return found


@pytest.mark.sliced(12)
@pytest.mark.parametrize(("folder", "pair"), entries("pair"))
def test_pair_has_its_class(folder: Path, pair: dict[str, Any], run: Run) -> None:
    record = run("equiv", folder / pair["a"], folder / pair["b"], "--format", "jsonl", *pair.get("args", [])).records[0]
    assert record["verdict"] == pair.get("verdict", "equal"), record.get("reason")
    assert record.get("class") == pair.get("class")


@pytest.mark.sliced(27)
@pytest.mark.parametrize(("folder", "pair"), entries("pair", "all"))
def test_pair_for_all_sizes(folder: Path, pair: dict[str, Any], run: Run) -> None:
    """Beyond the launch: the class that is proved, or that it is not decided, with the launch as evidence."""
    seconds = 40 if pair["all"] == "unknown" else 900
    record = run("equiv", folder / pair["a"], folder / pair["b"], "--all-sizes", "--timeout", seconds, "--format", "jsonl",
                 *pair.get("args", [])).records[0]
    if pair["all"] == "unknown":
        assert record["verdict"] == "unknown", "the table says less than what is shown"
        assert record["evidence"].startswith("equal, ")
        return
    assert record["verdict"] == "equal", record.get("reason")
    assert (record["class"], record["assurance"]) == (pair["all"], "proved")
    assert record["scope"].startswith("all sizes")


def test_every_equal_pair_says_what_holds_for_all_sizes() -> None:
    silent = [entry.id for entry in entries("pair") if entry.values[0].name != "bitonic"  # whose launches have no size
              and "class" in dict(entry.values[1]) and "all" not in dict(entry.values[1])]
    unsaid = [entry.id for entry in entries("pair", "all")
              if (dict(entry.values[1])["all"] == "unknown") != ("all_why" in dict(entry.values[1]))]
    assert not silent
    assert not unsaid


@pytest.mark.sliced(60)
@pytest.mark.parametrize(("folder", "mutant"), entries("mutant"))
def test_mutant_is_found(folder: Path, mutant: dict[str, Any], run: Run, tmp_path: Path) -> None:
    text = (folder / mutant["of"]).read_text()
    assert text.count(mutant["find"]) == 1
    changed = tmp_path / mutant["of"]
    changed.write_text(text.replace(mutant["find"], mutant["put"]))
    against = folder / mutant.get("against", "original.cu")
    record = run("equiv", against, changed, "--format", "jsonl", *mutant.get("args", [])).records[0]
    if "unknown" in mutant:
        assert record["verdict"] == "unknown"
        return
    assert record["verdict"] == mutant.get("expect", record["verdict"]), record.get("reason")
    assert record["verdict"] in ("different", "nondeterministic"), record.get("reason")
    if record["verdict"] == "different":
        found = record["counterexample"]
        assert found["replayed"] and found["a"] != found["b"]


def test_no_slip_is_ever_called_equal_for_lack_of_a_test() -> None:
    unknown = [entry for entry in entries("mutant") if "unknown" in dict(entry.values[1])]
    assert len(unknown) <= 0.03 * len(entries("mutant"))
