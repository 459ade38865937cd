"""Every kernel under tests/kernels states what is true of it in its first line; the tool must say so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Run

KERNELS = sorted(path for path in (Path(__file__).parent / "kernels").glob("*.c[ul]"))
OPEN = sorted(path for path in (Path(__file__).parent / "kernels" / "open").glob("*.c[ul]"))


def expectations(path: Path) -> tuple[dict[str, str], str | None]:
    """Properties with their outcome, and a pattern that the reason must match."""
    first = path.read_text().splitlines()[0]
    head, _, pattern = first.partition("message=")
    return dict(re.findall(r"([\w-]+)=(\w+)", head)), pattern.strip() or None


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_kernel(path: Path, run: Run) -> None:
    wanted, pattern = expectations(path)
    assert wanted, "the first line states no expectation"
    record = run("check", path, "--format", "jsonl").records[0]
    for name, outcome in wanted.items():
        found = record["verdict"] if name == "verdict" else record["properties"].get(name)
        assert found == outcome, f"{name}: {record.get('reason')} {[item['rule'] for item in record['findings']]}"
    if pattern:
        assert re.search(pattern, record["reason"]), record["reason"]


@pytest.mark.parametrize("path", KERNELS + OPEN, ids=lambda path: path.name)
def test_never_the_opposite(path: Path, run: Run) -> None:
    """What is refuted is never proved, what is proved never refuted, also for kernels that are still open."""
    wanted, _ = expectations(path)
    record = run("check", path, "--format", "jsonl").records[0]
    opposite = {"proved": "refuted", "refuted": "proved"}
    for name, outcome in wanted.items():
        if outcome in opposite:
            assert record["properties"].get(name) != opposite[outcome]


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_every_confirmed_finding_names_two_places_or_one_thread(path: Path, run: Run) -> None:
    for record in run("check", path, "--format", "jsonl").records:
        for finding in record["findings"]:
            if finding["status"] == "confirmed":
                assert finding["places"], finding
                assert all(place["line"] > 0 and place["column"] > 0 for place in finding["places"])
                if finding["rule"] == "race":
                    threads = [place["thread"] for place in finding["places"]]
                    assert len(threads) == 2 and threads[0] != threads[1]
