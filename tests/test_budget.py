"""What one part of the tool grants another is counted in work, so that a slow machine gives the answers of a quick one."""

from __future__ import annotations

import ctypes
import signal
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

from automata.budget import GRANTED, METER, UNLIMITED, Budget
from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import atom
from automata.logic.ladder import LEAST, Limits, Query, decide
from automata.logic.poly import Poly
from automata.logic.smt import Answer, Unknown, Unsat
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Setting
from automata.rewriting.lower import lower_for_runs
from automata.thread.build import build
from spmd.asked import Question, Source
from spmd.deadline import TooLateError, enforced

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
    """The other clocks tell people how long something took, end workers whose time is up, and say whether an answer that is
    open is worth keeping."""
    sources = [path for package in ("spmd", "automata", "equivalence") for path in (ROOT / package).rglob("*.py")]
    clocks = ("monotonic(", "time.time(", "perf_counter(", "process_time(")
    readers = {str(path.relative_to(ROOT)) for path in sources if any(clock in path.read_text() for clock in clocks)}
    assert readers == {"automata/budget.py", "automata/logic/smt.py", "spmd/at_program.py", "spmd/batch.py", "spmd/pipeline.py",
                       "spmd/pair_pipeline.py", "spmd/execute.py", "spmd/amplified.py", "spmd/cache/store.py",
                       "spmd/cache/recall.py", "spmd/diff/crew.py", "spmd/diff/run.py", "spmd/progress.py",
                       "spmd/supervise.py", "spmd/recording/application.py"}


def test_a_first_look_is_short_and_says_whether_it_left_something_out() -> None:
    budget = Budget.of(10)
    assert budget.was_enough
    look = budget.hurried(0.1, 5.0)
    assert look.work is not None and look.work <= METER.done + 10**9 and look.seconds is not None and look.seconds <= 4.0
    assert look.was_enough and look.haste is not None
    look.within(0.5).haste.is_felt = True  # type: ignore[union-attr]  # a part of the look is in the same haste
    assert not look.was_enough and budget.was_enough
    assert UNLIMITED.hurried(0.1, 5.0).clock is None


def test_a_rung_has_no_more_time_than_there_is() -> None:
    whole = Limits()
    assert whole.within(None) == whole
    assert whole.within(100) == whole.within(127) == Limits(64, 64, 64, 64)
    assert whole.within(0) == Limits(LEAST, LEAST, LEAST, LEAST)
    assert whole.within(100).are_within(whole.rungs) and not whole.are_within(whole.within(100).rungs)


def test_what_had_too_little_time_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was answered, or had as much time, is not."""
    times: list[int] = []
    answers: list[Answer] = [Unknown("no time"), Unknown("no time"), Unsat("z3")]

    def solve(*query: object, milliseconds: int, **more: object) -> Answer:
        times.append(milliseconds)
        return answers[len(times) - 1]

    monkeypatch.setattr("automata.logic.ladder.solve", solve)
    x, y = (Poly.atom(atom(("an unknown", name), name)) for name in "xy")
    query = Query([P.le(x + y, Poly.number(0)), P.le(Poly.number(1), x + y.scale(2))], Encoder())
    little, more = Limits().within(64), Limits().within(1024)
    asked = [decide(query, limits, model=False) for limits in (little, little, more, more, Limits(), little)]
    assert times == [64, 1024, 5000] and [isinstance(answer, Unsat) for answer in asked] == [False] * 4 + [True] * 2


RACE = """// spmd: block=64 grid=64 n=16
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++) out[i & (n - 1)] = i;
}
"""


def test_a_run_that_looks_for_any_conflict_ends_soon(tmp_path: Path) -> None:
    """A cell of which enough has been seen is passed by; others are not."""
    path = tmp_path / "k.cu"
    path.write_text(RACE)
    question = Question(Source(str(path)))
    kernel = question.source.kernels()[0].read()
    program = Program(build(lower_for_runs(kernel, {})))
    setting = Setting((64, 1, 1), (64, 1, 1), {"n": 16}, {})
    few, all_of_them = (program.run(setting, Options(looks=looks)) for looks in (4, 4096))
    assert {item.index for item in few.conflicts} <= {item.index for item in all_of_them.conflicts} and few.conflicts
    assert {(item.rule, item.first.place, item.second.place) for item in few.conflicts} == {
        (item.rule, item.first.place, item.second.place) for item in all_of_them.conflicts}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
def test_an_alarm_waits_until_a_module_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = "import time\nuntil = time.monotonic() + 0.4\nwhile time.monotonic() < until: pass\nIS_WHOLE = True\n"
    (tmp_path / "long_to_load.py").write_text(busy)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("spmd.deadline.PATIENCE", 0.0)
    reached = []
    with pytest.raises(TooLateError), enforced(Budget.of(0.1)):
        reached.append(import_module("long_to_load").IS_WHOLE)
        time.sleep(5)
    assert reached == [True]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
def test_an_alarm_while_arguments_are_converted_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """ctypes makes an error of its own of any that comes there."""
    class Endless:
        @property
        def _as_parameter_(self) -> int:
            while True:
                pass

    absolute = ctypes.CDLL(None).abs
    absolute.argtypes = [ctypes.c_int]
    monkeypatch.setattr("spmd.deadline.PATIENCE", 0.0)
    with pytest.raises(TooLateError), enforced(Budget.of(0.1)):
        absolute(Endless())
    with pytest.raises(ctypes.ArgumentError), enforced(Budget.of(5.0)):
        absolute("1")


READ = """__device__ int twice(int x) { return x + x; }
__global__ void first(int *a) { a[threadIdx.x] = twice(threadIdx.x); }
__global__ void second(int *a) { a[threadIdx.x] = 1; a[threadIdx.x] = 2; a[threadIdx.x] = 3; }
"""


def test_reading_ends_with_the_time_limit(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between statements of a kernel, and of either side of a pair; nobody is told a verdict of what is not read."""
    (tmp_path / "k.cu").write_text(READ)
    monkeypatch.setattr("automata.lang.elaborate.builder.is_over", lambda: GRANTED.get() is not UNLIMITED)
    told = run("check", tmp_path / "k.cu", "--timeout", "7")
    assert told.out.count("unknown") == 2 and "the time limit is up while the kernel is read" in told.out
    assert "--timeout 35" in told.out
    compared = run("equiv", f"{tmp_path / 'k.cu'}:first", f"{tmp_path / 'k.cu'}:second", "--format", "jsonl")
    assert compared.records, compared
    assert compared.records[0]["verdict"] == "unknown" and "time limit" in compared.records[0]["reason"]


def test_the_smallest_kernel_comes_first_where_several_share_a_budget(run: Run, tmp_path: Path,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no time is left to count their statements they come as they stand."""
    (tmp_path / "k.cu").write_text(READ.replace("{ a[threadIdx.x] = twice(", "{ a[0] = 2; a[1] = 3; a[2] = 4; a[3] = twice("))
    asked = ("check", tmp_path / "k.cu", "--budget", "600", "--format", "jsonl")
    assert [record["kernel"] for record in run(*asked).records] == ["second", "first"]
    monkeypatch.setattr("spmd.pipeline._size", lambda item: float("inf"))
    assert [record["kernel"] for record in run(*asked).records] == ["first", "second"]
