"""What one part of the tool grants another is counted in work, so that a slow machine gives the answers of a quick one."""

from __future__ import annotations

import time
from typing import Any

import pytest
from conftest import ROOT, Run

from automata.budget import METER, UNLIMITED, Budget

SLOW = 25
"""How many times slower a machine is made to seem."""
KERNELS = ["tests/kernels/loop_matrix_tiles_ok.cu", "tests/kernels/loop_carried_x.cu", "tests/kernels/row_one_too_many_x.cu",
           "tests/kernels/loop_endless_ok.cu", "case_studies/bitonic/swap_original.cu", "case_studies/matmul/float4.cu"]
PAIRS = [("case_studies/reduction/original.cu", "case_studies/reduction/shuffles.cu"),
         ("case_studies/softmax/original.cu", "case_studies/softmax/online.cu")]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that runs many times as fast, as if the machine were that slow."""
    began, clock = time.monotonic(), time.monotonic
    monkeypatch.setattr("automata.budget.time.monotonic", lambda: began + SLOW * (clock() - began))


def _said(record: dict[str, Any]) -> dict[str, Any]:
    """What is said, but for seconds and for which of several witnesses z3 finds: that hangs on what the process did before."""
    kept = {name: value for name, value in record.items() if name not in ("seconds", "stats", "findings", "counterexample")}
    return {**kept, "findings": [(finding["rule"], finding["status"]) for finding in record.get("findings", [])]}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("path", KERNELS)
def test_a_slow_machine_gives_the_same_answer(path: str, run: Run, request: pytest.FixtureRequest) -> None:
    quick = run("check", ROOT / path, "--format", "jsonl", "--timeout", 1000 * SLOW).records
    request.getfixturevalue("slow")
    again = run("check", ROOT / path, "--format", "jsonl", "--timeout", 1000 * SLOW).records
    assert list(map(_said, quick)) == list(map(_said, again))


@pytest.mark.sliced(2)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[1])
def test_a_slow_machine_compares_alike(pair: tuple[str, str], run: Run, request: pytest.FixtureRequest) -> None:
    flags = "--format", "jsonl", "--timeout", 1000 * SLOW
    quick = run("equiv", *(ROOT / path for path in pair), *flags).records
    request.getfixturevalue("slow")
    again = run("equiv", *(ROOT / path for path in pair), *flags).records
    assert list(map(_said, quick)) == list(map(_said, again))


def test_a_budget_within_another_is_never_larger() -> None:
    before = METER.done
    budget = Budget(work=before + 10**9)
    assert budget.within(5.0) == budget and budget.within(0.5).work == before + 5 * 10**8
    assert budget.share(0.25).work == before + 25 * 10**7
    assert UNLIMITED.within(1.0).work == before + 10**9 and UNLIMITED.share(0.5) is UNLIMITED
    assert not UNLIMITED.is_spent and Budget(work=before - 1).is_spent and Budget(clock=0.0).is_spent
    assert Budget.of(None) is UNLIMITED and Budget.of(0) is UNLIMITED


def test_only_the_budget_reads_a_clock_that_decides() -> None:
    """The other clocks tell people how long something took, and end workers whose time is up."""
    sources = [path for package in ("spmd", "automata", "equivalence") for path in (ROOT / package).rglob("*.py")]
    clocks = ("monotonic(", "time.time(", "perf_counter(", "process_time(")
    readers = {str(path.relative_to(ROOT)) for path in sources if any(clock in path.read_text() for clock in clocks)}
    assert readers == {"automata/budget.py", "automata/logic/smt.py", "spmd/batch.py", "spmd/pipeline.py", "spmd/execute.py",
                       "spmd/amplified.py", "spmd/cache/store.py", "spmd/diff/crew.py", "spmd/diff/run.py"}
