"""Kept answers: given again while all that they rest on is the same, and at no other time; whatever happens to their file."""

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Ran, Run
from sample_repository import git
from test_diff import ADD, change, commit

import spmd.cache.key
import spmd.pair_pipeline
import spmd.pipeline
from automata.budget import METER
from automata.verdict import Report, Verdict
from equivalence.result import EquivReport, EquivVerdict
from spmd.cache.key import Folders
from spmd.cache.packing import UnreadableError, packed, unpacked
from spmd.cache.store import Store

RACY = "__global__ void racy(int *x, int n) { x[n] = threadIdx.x; }\n"


class Solved:
    """How often something was solved."""

    def __init__(self) -> None:
        self.count = 0

    def of(self, what: Callable[[], Any]) -> int:
        before = self.count
        what()
        return self.count - before


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for answers, which are kept in this test."""
    monkeypatch.delenv("SPMD_NO_CACHE")
    monkeypatch.setenv("SPMD_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def solved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Solved:
    counter = Solved()
    for module, name in ((spmd.pipeline, "checked"), (spmd.pair_pipeline, "_compared")):
        real = getattr(module, name)

        def counted(*args: Any, real: Any = real) -> Any:
            counter.count += 1
            return real(*args)
        monkeypatch.setattr(module, name, counted)
    return counter


def same(one: Ran, two: Ran) -> bool:
    def plain(ran: Ran) -> list[dict[str, Any]]:
        return [{name: value for name, value in record.items() if name != "seconds"} for record in ran.records]
    return plain(one) == plain(two) and bool(one.records) and one.status == two.status


def test_an_answer_is_given_again(run: Run, kernel_file: Callable[..., Path], solved: Solved) -> None:
    path = kernel_file(ADD + RACY)
    first = run("check", path, "--format", "jsonl")
    assert solved.count == 2 and first.status == 1
    again = run("check", path, "--format", "jsonl")
    assert solved.count == 2 and same(first, again)
    assert run("check", path).out.replace("\x1b", "") and solved.count == 2
    assert run("check", path, "--no-cache").status == 1 and solved.count == 4
    assert run("check", path, "--show-formulas", "--kernel", "add").out.count("segment") and solved.count == 5


def test_texts_are_the_same(run: Run, kernel_file: Callable[..., Path], solved: Solved) -> None:
    path = kernel_file(ADD + RACY)
    assert run("check", path).out == run("check", path).out
    assert solved.count == 2


HELPED = """#include "helper.h"
__global__ void f(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = helped(x[i]) + STEP; }
"""
CHANGES: dict[str, tuple[Callable[[Path], Any], tuple[str, ...], bool]] = {
    "nothing": (lambda folder: None, (), False),
    "a comment behind": (lambda folder: change(folder, "k.cu", "STEP; }\n", "STEP; } // so\n"), (), False),
    "the kernel": (lambda folder: change(folder, "k.cu", "i < n", "i + 1 < n"), (), True),
    "its line": (lambda folder: change(folder, "k.cu", "__global__", "\n__global__"), (), True),
    "a helper in a header": (lambda folder: change(folder, "helper.h", "2.0f", "3.0f"), (), True),
    "a macro in a header": (lambda folder: change(folder, "helper.h", "STEP 1", "STEP 2"), (), True),
    "another header": (lambda folder: None, ("-I", "other"), False),
    "a macro": (lambda folder: None, ("-D", "FACTOR=5.0f"), True),
    "a launch": (lambda folder: None, ("--block", "64"), True),
    "a grid": (lambda folder: None, ("--grid", "2"), True),
    "an argument": (lambda folder: None, ("--arg", "n=7"), True),
    "a requirement": (lambda folder: None, ("--require", "n > 3"), True),
    "a stated launch": (lambda folder: change(folder, "k.cu", "__global__", "// spmd: block=32\n__global__"), (), True),
    "what counts": (lambda folder: None, ("--strict",), True),
    "an extent": (lambda folder: change(folder, "k.cu", "__global__", "// spmd: x[64] block=32\n__global__"), (), True),
}


@pytest.mark.sliced(4)
@pytest.mark.parametrize("what", CHANGES)
def test_what_an_answer_rests_on(run: Run, tmp_path: Path, solved: Solved, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("helper.h").write_text("#ifndef FACTOR\n#define FACTOR 2.0f\n#endif\n#define STEP 1\n"
                                "__device__ float helped(float x) { return FACTOR * x; }\n")
    Path("k.cu").write_text(HELPED)
    Path("other").mkdir()
    assert run("check", "k.cu").status in (0, 1) and solved.count == 1
    edit, flags, is_new = CHANGES[what]
    edit(tmp_path)
    run("check", "k.cu", *flags)
    assert (solved.count > 1) == is_new, what


@pytest.mark.parametrize("name", ["tool", "sys.version", "z3-solver"])
def test_the_tool_is_part_of_it(run: Run, kernel_file: Callable[..., Path], solved: Solved, monkeypatch: pytest.MonkeyPatch,
                                name: str) -> None:
    path = kernel_file(ADD)
    run("check", path)
    spmd.cache.key.tool.cache_clear()
    if name == "tool":
        monkeypatch.setattr(spmd.cache.key, "PACKAGES", ("spmd",))
    elif name == "sys.version":
        monkeypatch.setattr(sys, "version", "4.0")
    else:
        monkeypatch.setattr(spmd.cache.key, "version", lambda package: "99" if package == name else "1")
    run("check", path)
    spmd.cache.key.tool.cache_clear()
    assert solved.count == 2


def test_another_project_folder_has_the_same_answers(run: Run, tmp_path: Path, solved: Solved) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "k.cu").write_text(ADD + RACY)
    one = run("check", tmp_path / "one" / "k.cu", "--format", "jsonl")
    two = run("check", tmp_path / "two" / "k.cu", "--format", "jsonl")
    assert solved.count == 2 and str(tmp_path / "two" / "k.cu") in two.out and "one" not in two.out
    assert one.out.replace("/one/", "/two/").count(str(tmp_path / "two")) == two.out.count(str(tmp_path / "two"))


@pytest.mark.parametrize(("share", "limit", "lacked", "is_kept"), [
    (0.1, 4, 0, True), (0.1, 3, 0, True), (0.1, 5, 0, False), (0.6, 4, 0, False), (0.1, 4, 1, False)])
def test_what_is_unknown(run: Run, kernel_file: Callable[..., Path], folder: Path, monkeypatch: pytest.MonkeyPatch,
                         share: float, limit: int, lacked: int, is_kept: bool) -> None:
    """It is kept if neither the clock nor memory had a part in it, and is good for no longer limit: then it is asked again."""
    path = kernel_file(ADD)

    def unknown(*args: object) -> tuple[Report, None]:
        METER.lacked += lacked
        time.sleep(share * 4)
        return Report(Verdict.UNKNOWN, "add", reason="so"), None
    monkeypatch.setattr(spmd.pipeline, "checked", unknown)
    assert run("check", path, "--timeout", 4).status == 3
    monkeypatch.undo()
    monkeypatch.delenv("SPMD_NO_CACHE")
    monkeypatch.setenv("SPMD_CACHE_DIR", str(folder))
    assert run("check", path, "--timeout", limit).status == (3 if is_kept else 0)


@pytest.mark.parametrize("lacks", [False, True])
def test_a_comparison_that_lacked_memory(run: Run, kernel_file: Callable[..., Path], folder: Path,
                                         monkeypatch: pytest.MonkeyPatch, lacks: bool) -> None:
    """It is unknown now, and asked again."""
    path = kernel_file(ADD + ADD.replace("add", "plus"))

    def unknown(*args: object) -> EquivReport:
        if lacks:
            raise MemoryError
        return EquivReport(EquivVerdict.UNKNOWN, reason="so")
    monkeypatch.setattr(spmd.pair_pipeline, "_compared", unknown)
    assert run("equiv", f"{path}:add", f"{path}:plus").status == 3
    monkeypatch.undo()
    monkeypatch.delenv("SPMD_NO_CACHE")
    monkeypatch.setenv("SPMD_CACHE_DIR", str(folder))
    assert run("equiv", f"{path}:add", f"{path}:plus").status == (0 if lacks else 3)


def test_a_page_with_rows_that_are_open(run: Run, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that is unknown or not supported is found once; a page with a piece of work that failed is found again."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("kept\n")
    odd = ("// spmd: block=64 grid=1\n__global__ void odd(int *a, int n) {{ __shared__ int s[64]; int m = s[0];"
           " if (m == 77) {{ while (true) if (a == nullptr) break; }} a[threadIdx.x] = n + {}; }}\n")
    for at in range(3):
        (tmp_path / "odd.cu").write_text(odd.format(at + 1))
        commit(tmp_path)
    first = run("diff", "HEAD~1", "-C", tmp_path, "--timeout", 20)
    assert first.status == 3 and "unknown" in first.out
    monkeypatch.setattr("spmd.diff.crew.processors", lambda: 1)
    monkeypatch.setattr("spmd.diff.asking._asked", lambda *args: 1 // 0)
    assert run("diff", "HEAD~1", "-C", tmp_path, "--timeout", 20).status == first.status
    for _ in range(2):
        failed = run("diff", "HEAD~2", "HEAD~1", "-C", tmp_path, "--timeout", 20)
        assert failed.status == 5 and "ZeroDivisionError" in failed.out


def test_launches_of_the_program_decide_from_before(run: Run, kernel_file: Callable[..., Path], solved: Solved) -> None:
    """Unknown or refuted beyond, proved as launched: the second time nothing is solved, and the same is told."""
    path = kernel_file("__global__ void f(int *x) { x[threadIdx.x] = 1; if (blockIdx.x) x[0] = 2; }\n"
                       "void go(int *x) { f<<<1, 64>>>(x); }\n")
    first = run("check", path, "--format", "jsonl")
    before = solved.count
    again = run("check", path, "--format", "jsonl")
    assert first.status == 0 and solved.count == before and same(first, again)
    change(path.parent, path.name, "<<<1, 64>>>", "<<<2, 64>>>")
    assert run("check", path).status == 1 and solved.count > before


@pytest.mark.sliced(7)
@pytest.mark.parametrize("flags", [("--mode", "bitwise"), ("--output", "b"), ("--certify",), ("--show-proof",),
                                   ("--block", "32", "--grid", "2")], ids=lambda flags: flags[0])
def test_comparisons(run: Run, tmp_path: Path, solved: Solved, flags: tuple[str, ...]) -> None:
    (tmp_path / "a.cu").write_text(ADD)
    (tmp_path / "b.cu").write_text(ADD.replace("a[i] + 1.0f", "1.0f + a[i]"))
    pair = "equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl"
    first = run(*pair)
    assert solved.count == 1 and first.status == 0
    assert same(first, run(*pair)) and solved.count == 1
    run(*pair, *flags)
    assert solved.count == 2


def test_differences(run: Run, tmp_path: Path, solved: Solved) -> None:
    """A counterexample comes back whole: it is written as programs."""
    (tmp_path / "a.cu").write_text(ADD)
    (tmp_path / "b.cu").write_text(ADD.replace("1.0f", "2.0f"))
    texts = []
    for name in ("one", "two"):
        texts.append(run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--save-replay", tmp_path / name).out)
    assert solved.count == 1 and texts[0] == texts[1]
    for name in ("replay.cu", "replay.py"):
        assert (tmp_path / "one" / name).read_text() == (tmp_path / "two" / name).read_text()


def test_a_page_is_kept(run: Run, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("kept\n")
    for text in (ADD, ADD + RACY, ADD):
        (tmp_path / "add.cu").write_text(text)
        commit(tmp_path)
    asked = "diff", "HEAD~2", "HEAD~1", "-C", tmp_path
    first = run(*asked)
    monkeypatch.setattr("spmd.diff.run.exported", None)
    again = run(*asked)
    assert first.status == again.status == 1
    assert first.out.split("\n")[1:] == again.out.split("\n")[1:]
    assert run("diff", "HEAD~1", "HEAD", "-C", tmp_path).status == 5
    assert run(*asked, "--strict").status == 5


def test_found_again(run: Run, kernel_file: Callable[..., Path], solved: Solved, folder: Path) -> None:
    path = kernel_file(ADD)
    run("check", path)
    assert run("check", path, "--recheck", 100).err == "" and solved.count == 2
    proved, = _rows(folder)
    path.write_text(RACY.replace("racy", "add"))
    run("check", path)
    refuted = next(row for row in _rows(folder) if row[0] != proved[0])
    with sqlite3.connect(folder / "answers.sqlite") as table:
        checksum = spmd.cache.store._checksum(refuted[0], proved[1])
        table.execute("update answers set body = ?, checksum = ? where key = ?", (proved[1], checksum, refuted[0]))
    table.close()
    assert run("check", path).status == 0
    ran = run("check", path, "--recheck", 100)
    assert ran.status == 1 and "a kept answer was proved, and is refuted now" in ran.err
    assert run("check", path).status == 1


def _rows(folder: Path) -> list[tuple[str, bytes]]:
    table = sqlite3.connect(folder / "answers.sqlite")
    rows = table.execute("select key, body from answers").fetchall()
    table.close()
    return rows


def test_stats_and_clear(run: Run, kernel_file: Callable[..., Path], solved: Solved, folder: Path) -> None:
    run("check", kernel_file(ADD))
    assert "check      1" in run("cache", "stats").out
    assert run("cache", "stats", "--format", "json").records[0]["answers"] == {"check": 1}
    assert run("cache", "clear").status == 0 and not (folder / "answers.sqlite").exists()
    assert run("cache", "clear").status == 0 and "answers.sqlite" in run("cache", "stats").out


@pytest.mark.parametrize("how", ["truncated", "garbage", "newer", "empty", "another table"])
def test_a_file_that_is_not_ours(run: Run, kernel_file: Callable[..., Path], solved: Solved, folder: Path, how: str) -> None:
    path, kept = kernel_file(ADD), folder / "answers.sqlite"
    run("check", path)
    data = kept.read_bytes()
    if how in ("truncated", "garbage", "empty"):
        kept.write_bytes({"truncated": data[:len(data) // 2 + 100], "garbage": b"no table " * 999, "empty": b""}[how])
    else:
        table = sqlite3.connect(kept)
        table.execute("pragma user_version = 99" if how == "newer" else "drop table answers")
        if how != "newer":
            table.execute("create table answers (key text)")
        table.commit()
        table.close()
    ran = run("check", path)
    assert ran.status == 0 and ran.err.count("\n") <= 1
    if how in ("truncated", "garbage", "newer"):
        assert "put aside" in ran.err and list(folder.glob("answers.sqlite.*"))
    run("check", path)
    assert run("check", path).err == "" or how == "another table"


@pytest.mark.parametrize("place", ["/dev/null/kept", "/proc/kept"])
def test_a_folder_that_cannot_be_written(run: Run, kernel_file: Callable[..., Path], solved: Solved, place: str,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPMD_CACHE_DIR", place)
    ran = run("check", kernel_file(ADD + RACY))
    assert ran.status == 1 and ran.err.count("no answers are kept") == 1


def test_bytes_that_were_not_written_so(run: Run, kernel_file: Callable[..., Path], solved: Solved, folder: Path) -> None:
    path = kernel_file(ADD)
    run("check", path)
    table = sqlite3.connect(folder / "answers.sqlite")
    table.execute("update answers set body = ?", (zlib.compress(b"other"),))
    table.commit()
    table.close()
    assert run("check", path).status == 0 and solved.count == 2
    assert run("check", path).status == 0 and solved.count == 2


@pytest.mark.parametrize("what", [os.system, eval, Path, subprocess.Popen, spmd.pipeline.run_check],
                         ids=lambda what: what.__name__)
def test_nothing_but_data_comes_back(what: object) -> None:
    with pytest.raises(UnreadableError):
        unpacked(zlib.compress(pickle.dumps((what, "x"))), Folders(()))
    with pytest.raises(UnreadableError):
        unpacked(b"x", Folders(()))
    assert packed(what, Folders(())) is None


def test_room_is_bounded(tmp_path: Path) -> None:
    store = Store(str(tmp_path), print, most=400_000)
    for at in range(60):
        store.put(f"{at}", "check", os.urandom(20_000), 1.0)
    found = store.stats()
    assert 0 < found.bytes <= 400_000 and store.get("59", 1.0) is not None and store.get("0", 1.0) is None
    assert os.path.getsize(store.path) < 600_000


def test_limits(tmp_path: Path) -> None:
    store = Store(str(tmp_path), print)
    store.put("short", "check", b"1", 5.0)
    store.put("any", "check", b"2", float("inf"))
    assert [store.get("short", limit) for limit in (1.0, 5.0, 6.0)] == [b"1", b"1", None]
    assert store.get("any", float("inf")) == b"2"


WRITER = """
import sys
from spmd.cache.store import Store
store = Store(sys.argv[1], lambda what: sys.exit(what))
for at in range(int(sys.argv[3])):
    store.put(f"{sys.argv[2]} {at}", "check", b"x" * 5000, 1.0)
    assert store.get(f"{sys.argv[2]} {at}", 1.0) is not None
"""


def test_many_at_once_and_killed(tmp_path: Path) -> None:
    def start(name: str, count: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name, str(count)])
    doomed, *others = [start(name, count) for name, count in (("a", 100_000), ("b", 40), ("c", 40))]
    time.sleep(0.7)
    doomed.send_signal(signal.SIGKILL)
    doomed.wait()
    assert [each.wait() for each in others] == [0, 0]
    store = Store(str(tmp_path), pytest.fail)
    assert all(store.get(f"{name} {at}", 1.0) for name in "bc" for at in range(40))
    assert not list(tmp_path.glob("*.broken"))
