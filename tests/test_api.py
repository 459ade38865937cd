"""The names for programs, and the pytest plugin."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from conftest import ROOT, Run
from sample_repository import git
from test_diff import ADD, commit
from test_formats import SCHEMA

import spmd.api as api

pytest_plugins = ["pytester"]
PAGE = (ROOT / "docs" / "python.md").read_text()


def test_a_check(kernel_file: Callable[..., Path], run: Run) -> None:
    """What the command says of the same file."""
    path = kernel_file(ADD + "__global__ void racy(int *x, int n) { x[n] = threadIdx.x; }\n")
    answers = list(api.check(str(path), block=64, grid="(n + 63) / 64", args={"n": 100}))
    assert [(each.kernel, each.verdict) for each in answers] == [("add", "proved"), ("racy", "refuted")]
    asked = "check", path, "--block", 64, "--grid", "(n + 63) / 64", "--arg", "n=100"
    records = [{**api.record(each), "seconds": 0} for each in answers]
    assert records == [{**each, "seconds": 0} for each in run(*asked, "--format", "jsonl").records]
    assert "".join(api.text(each) + "\n" for each in answers) == run(*asked).out
    assert [each.kernel for each in api.check(str(path), "racy")] == ["racy"]


def test_a_comparison(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.cu").write_text(ADD)
    (tmp_path / "b.cu").write_text(ADD.replace("1.0f", "2.0f"))
    a, b = str(tmp_path / "a.cu"), str(tmp_path / "b.cu")
    assert api.equiv(a, a).verdict == "equal" and api.equiv(a, b, mode="bitwise").verdict == "different"
    answer = api.compare(api.comparison(a, b, require=["n > 3"]))
    assert api.text(answer) + "\n" == run("equiv", a, b, "--require", "n > 3").out
    assert {**api.record(answer), "seconds": 0} == {**run("equiv", a, b, "--require", "n > 3", "--format", "jsonl").records[0],
                                                    "seconds": 0}


def test_settings_hold_unless_stated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A same-value write: a race if the settings say so, and none if the caller says so."""
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text("__global__ void k(int *x) { if (threadIdx.x < 9) x[0] = 1; }\n")
    Path("spmd.toml").write_text("strict = true\ntimeout = 20\n")
    assert [[each.verdict for each in api.check("k.cu", strict=strict)] for strict in (None, False, True)] == [
        ["refuted"], ["proved"], ["refuted"]]
    answer, = api.check("k.cu", timeout=7)
    assert answer.question.seconds == 7
    answer, = api.check("k.cu")
    assert answer.question.seconds == 20


def test_a_page_of_two_revisions(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for number in (1, 2):
        (tmp_path / "add.cu").write_text(ADD.replace("1.0f", f"{number}.0f"))
        commit(tmp_path)
    page = api.diff("HEAD~1", repository=str(tmp_path), jobs=1)
    found = api.record(page)
    assert [pair["verdict"] for pair in found["pairs"]] == ["different"] and "1 different" in api.text(page)
    jsonschema.Draft202012Validator(SCHEMA).validate(found["pairs"][0])
    with pytest.raises(api.InputError, match="no revision"):
        api.diff("nowhere", repository=str(tmp_path))


def test_what_is_no_launch_is_told(kernel_file: Callable[..., Path]) -> None:
    assert api.launch() is None and api.launch((16, "n")) == api.launch("16,n")
    with pytest.raises(api.InputError):
        list(api.check(str(kernel_file(ADD)), block="1,2,3,4"))
    with pytest.raises(AttributeError):
        api.nothing  # noqa: B018
    missing, = api.check("nowhere.cu")
    assert missing.verdict == "invalid" and missing.report.reason


def test_naming_the_functions_loads_no_engine() -> None:
    code = "import sys; from spmd.api import check, equiv, diff; print([n for n in ('z3', 'numpy', 'sympy') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_the_page_names_them_all() -> None:
    """Every public name stands in the page, every function has types and a docstring, and the page's examples are Python."""
    assert all(f"`{name}" in PAGE for name in api.__all__)
    for name in api.__all__:
        found = getattr(api, name)
        assert found.__doc__, name
        if inspect.isfunction(found):
            assert all(each.annotation is not inspect.Parameter.empty for each in inspect.signature(found).parameters.values())
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        ast.parse(block)


TESTS = """
def test_good(spmd_check):
    answer, = spmd_check("k.cu", "add", block=64)
    assert answer.verdict == "proved"

def test_racy(spmd_check):
    spmd_check("k.cu", "racy")

def test_open(spmd_check):
    spmd_check("odd.cu", unknown="skip")

def test_open_fails(spmd_check):
    spmd_check("odd.cu")

def test_same(spmd_equal):
    assert spmd_equal("k.cu:add", "other.cu:add").verdict == "equal"

def test_other(spmd_equal):
    spmd_equal("k.cu:add", "other.cu:two")

def test_no_question(spmd_equal):
    spmd_equal("k.cu:add", "other.cu:add", block="no size;")

def test_allowed(spmd_check):
    spmd_check("allowed.cu")
"""


def test_the_plugin(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPMD_CACHE_DIR", str(pytester.path / "kept"))
    monkeypatch.delenv("SPMD_NO_CACHE")
    racy = "__global__ void racy(int *x) { x[0] = threadIdx.x; }"
    pytester.makefile(".cu", k=ADD + racy + "\n", other=ADD + ADD.replace("add", "two").replace("1.0f", "2.0f"),
                      allowed=racy + "  // spmd: allow[race] any may win\n",
                      odd="__device__ int f(int n) { return n < 1 ? 1 : f(n - 1); }\n"
                          "__global__ void odd(int *x, int n) { x[threadIdx.x] = f(n); }\n")
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:randomly", "-rs", *_loaded())
    result.assert_outcomes(passed=3, failed=4, skipped=1)
    told = result.stdout.str()
    assert "confirmed race" in told and "k.cu:5" in told and "x[0] = threadIdx.x" in told and "unsupported" in told
    assert "ends up different (both kernels were run)" in told and "(most recent call" not in told
    assert list((pytester.path / "kept").iterdir())


def _loaded() -> list[str]:
    """Pytest finds the plugin by its entry point where the package was installed with it; else it is named."""
    from importlib.metadata import entry_points

    return [] if any(each.value == "spmd.testing" for each in entry_points(group="pytest11")) else ["-p", "spmd.testing"]


def test_the_plugin_is_an_entry_point() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\nspmd = "spmd.testing"' in text


def test_json_of_a_record_is_plain(kernel_file: Callable[..., Path]) -> None:
    answer, = api.check(str(kernel_file(ADD)))
    assert json.loads(json.dumps(api.record(answer)))["kernel"] == "add"
