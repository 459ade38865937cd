"""Mutants of kernels: each is read, or refused with a message and a place; nothing else comes of any."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "fuzz"))

import mutate
import run as fuzz


def test_mutants_are_the_same_each_time() -> None:
    assert [mutate.case(5, number) for number in range(5)] == [mutate.case(5, number) for number in range(5)]
    assert mutate.case(5, 0) != mutate.case(6, 0)


def test_a_failing_case_is_told_from_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that die or hang cost their own case and no other."""
    worker = tmp_path / "worker.py"
    worker.write_text("import json, os, sys, time\nfor line in sys.stdin:\n    text = open(line.strip()).read()\n"
                      "    os._exit(9) if text == 'die' else time.sleep(9) if text == 'hang' else None\n"
                      "    print(json.dumps({'ok': True, 'class': 'read', 'key': '', 'detail': '', 'cpu': 0}), flush=True)\n")
    monkeypatch.setattr(fuzz, "HERE", tmp_path)
    cases = [mutate.Case(number, "", ".cu", text) for number, text in enumerate((b"", b"die", b"", b"hang", b""))]
    results = fuzz.run(cases, "c", jobs=1, cpu=0.3)
    assert [result.kind for result in results] == ["read", "crash", "read", "hang", "read"]


@pytest.mark.sliced(35)
@pytest.mark.drawn(100)
@pytest.mark.parametrize(("frontend", "count"), [("c", 50), ("clang", 20)])
def test_mutants_are_read_or_refused(frontend: str, count: int, seed: int) -> None:
    results = fuzz.run((mutate.case(seed, number) for number in range(count)), frontend)
    assert len(results) == count
    assert all(result.ok for result in results), fuzz.summary(results)
