"""Same question, same answer: whatever was asked before in the process, and whatever seed Python hashes texts with."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

from automata.logic import smt

KERNELS = sorted(path for folder in ("tests/kernels", "case_studies/*") for path in ROOT.glob(f"{folder}/*.c[ul]"))
PAIRS = sorted(path.parent for path in (ROOT / "tests" / "pairs").glob("*/expect.json"))
MANY = "product_turned_x.cu"
"""A kernel of which the solver's models depended on a context that the collector of garbage had not freed yet."""


def without_seconds(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "seconds"}


@pytest.fixture
def answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[object], list[dict[str, Any]]]]:
    """What the solvers said to each query of a command, models too, and its records."""
    said: list[object] = []
    solve = smt._solve

    def heard(*query: Any) -> smt.Answer:
        answer = solve(*query)
        said.append(sorted(answer.model.items()) if isinstance(answer, smt.Sat) else answer)
        return answer

    def ask(*args: object) -> tuple[list[object], list[dict[str, Any]]]:
        said.clear()
        records = run(*args, "--format", "jsonl").records
        return list(said), [without_seconds(record) for record in records]

    monkeypatch.setattr(smt, "_solve", heard)
    return ask


@pytest.mark.sliced(120)
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_asked_before_changes_nothing(path: Path, answers: Any, run: Run, request: pytest.FixtureRequest) -> None:
    """A kernel after itself and after another."""
    other = random.Random(f"{request.config.getoption('--seed')} {path.name}").choice(KERNELS)
    first = answers("check", path)
    assert answers("check", path) == first
    run("check", other)
    assert answers("check", path) == first, other


def test_a_context_of_z3_is_freed_with_its_kernel(answers: Any) -> None:
    path = ROOT / "tests" / "kernels" / MANY
    first = answers("check", path)
    assert len(first[0]) > 30
    assert all(answers("check", path) == first for _ in range(3))


@pytest.mark.sliced(240)
@pytest.mark.parametrize("files", [[path] for path in KERNELS] + [[folder / "a.cu", folder / "b.cu"] for folder in PAIRS],
                         ids=lambda files: "-".join(f"{path.parent.name}/{path.name}" for path in files))
def test_python_hashes_change_nothing(files: list[Path]) -> None:
    """The same command in processes that hash texts in their own way."""
    command = [sys.executable, "-m", "spmd", "check" if len(files) == 1 else "equiv", *map(str, files), "--format", "jsonl"]
    told = []
    for seed in ("1", "2"):
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True)
        told.append((done.returncode, [without_seconds(json.loads(line)) for line in done.stdout.splitlines()]))
    assert told[0][1]
    assert told[0] == told[1]
