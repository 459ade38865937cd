"""Every kernel under tests/kernels and tests/programs states what is true of it in its first line; the tool must say so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

KERNELS = sorted(path for folder in ("kernels", "programs") for path in (Path(__file__).parent / folder).glob("*.c[ul]"))
OPEN = sorted(path for path in (Path(__file__).parent / "kernels" / "open").glob("*.c[ul]"))
OPPOSITE = {"proved": "refuted", "refuted": "proved"}


def expectations(path: Path) -> tuple[dict[str, str], str | None]:
    """Properties with their outcome, and a pattern that the reason must match."""
    first = path.read_text().splitlines()[0]
    head, _, pattern = first.partition("message=")
    return dict(re.findall(r"([\w-]+)=(\w+)", head)), pattern.strip() or None


def check_findings(record: dict[str, Any]) -> None:
    """A confirmed finding has places; a race has two threads."""
    for finding in record["findings"]:
        if finding["status"] == "confirmed":
            assert finding["places"], finding
            assert all(place["line"] > 0 and place["column"] > 0 for place in finding["places"])
            if finding["rule"] == "race":
                threads = [place["thread"] for place in finding["places"]]
                assert len(threads) == 2 and threads[0] != threads[1]


@pytest.mark.sliced(8)
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_kernel(path: Path, run: Run) -> None:
    wanted, pattern = expectations(path)
    assert wanted, "the first line states no expectation"
    records = run("check", path, "--format", "jsonl").records
    for name, outcome in wanted.items():
        found = records[0]["verdict"] if name == "verdict" else records[0]["properties"].get(name)
        told = f"{name}: {records[0].get('reason')} {[item['rule'] for item in records[0]['findings']]}"
        assert found == outcome, told
    if pattern:
        assert re.search(pattern, records[0]["reason"]), records[0]["reason"]
    for record in records:
        check_findings(record)


@pytest.mark.sliced(3)
@pytest.mark.parametrize("path", OPEN, ids=lambda path: path.name)
def test_open_kernel_is_never_called_the_opposite(path: Path, run: Run) -> None:
    wanted, _ = expectations(path)
    record = run("check", path, "--format", "jsonl").records[0]
    for name, outcome in wanted.items():
        if outcome in OPPOSITE:
            assert record["properties"].get(name) != OPPOSITE[outcome]
    check_findings(record)
