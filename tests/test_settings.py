"""Settings of a repository: what holds, where it came from, and what is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sample_repository
from conftest import Run
from sample_repository import git
from test_diff import ADD, commit, rows

from spmd.settings.keys import KEYS
from spmd.settings.read import read_file

ATOMIC = "__global__ void count(int *x) { x[0] = 1; }\n"
SUM = """template <typename T> __global__ void twice(T *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] + x[i];
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A project with some settings and files, in which the user stands."""
    def make(settings: str, **files: str) -> Path:
        git(tmp_path, "init", "-q", "-b", "main")
        (tmp_path / "spmd.toml").write_text(settings)
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.cu"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        monkeypatch.chdir(tmp_path)
        return tmp_path
    return make


def launches(run: Run, *args: object) -> list[tuple[str, str, str]]:
    return [(record["kernel"], record["launch"].get("source", ""), record["verdict"])
            for record in run("check", *args, "--format", "jsonl").records]


def test_layers_of_a_launch(run: Run, project: Callable[..., Path]) -> None:
    """Default, file, comment, command line: each before those below it."""
    folder = project("", k=ATOMIC)
    assert launches(run, "k.cu") == [("count", "", "proved")] or launches(run, "k.cu")[0][2] == "refuted"
    (folder / "spmd.toml").write_text('[[kernel]]\nlaunches = [{ block = 2, grid = 1 }, { block = "3", grid = 1 }]\n')
    assert [row[1] for row in launches(run, "k.cu", "--strict")] == ["spmd.toml:2", "spmd.toml:2"]
    assert [row[2] for row in launches(run, "k.cu", "--strict")] == ["refuted", "refuted"]
    (folder / "k.cu").write_text("// spmd: block=1 grid=1\n" + ATOMIC)
    (only,) = launches(run, "k.cu", "--strict")
    assert only[1].startswith("comment at") and only[2] == "proved"
    (only,) = launches(run, "k.cu", "--strict", "--block", "2")
    assert only[1:] == ("flags", "refuted")


def test_requirements_alone(run: Run, project: Callable[..., Path]) -> None:
    project('[[kernel]]\nnames = ["a*"]\nrequire = ["n > 3"]\n', k=ADD)
    record, = run("check", "k.cu", "--format", "jsonl").records
    assert "n > 3" in record["scope"] and record["verdict"] == "proved"


def test_globs_of_files_and_names(run: Run, project: Callable[..., Path]) -> None:
    project('[[kernel]]\nfiles = ["src/**/*.cu"]\nlaunches = { block = 32 }\n'
            '[[kernel]]\nfiles = ["src/b.cu"]\nnames = ["oth*"]\nlaunches = { block = 64 }\n',
            src__a=ADD, src__b=ADD + ADD.replace("add", "other"), k=ADD)
    said = {(record["file"], record["kernel"]): (record["launch"]["block"] or [0])[0]
            for record in run("check", "src/a.cu", "src/b.cu", "k.cu", "--format", "jsonl").records}
    assert said == {("src/a.cu", "add"): 32, ("src/b.cu", "add"): 32, ("src/b.cu", "other"): 64, ("k.cu", "add"): 0}


def test_files_that_settings_name(run: Run, project: Callable[..., Path]) -> None:
    project('[[kernel]]\nfiles = ["src/*.cu"]\n', src__a=ADD, k=ADD)
    assert [record["file"] for record in run("check", "--format", "jsonl").records] == ["src/a.cu"]


@pytest.mark.sliced(2)
def test_instantiations(run: Run, project: Callable[..., Path]) -> None:
    project('[[kernel]]\nnames = ["twice"]\ntemplate-args = ["float", "long long"]\n', k=SUM)
    assert [row[::2] for row in launches(run, "k.cu")] == [("twice<float>", "proved"), ("twice<long long>", "proved")]


def test_flags_of_the_build(run: Run, project: Callable[..., Path]) -> None:
    text = '#include "n.h"\n#if __CUDA_ARCH__ == 900 && N == 3\n' + ADD.replace("1.0f", "ONE") + "#endif\n"
    folder = project('include = ["inc"]\ndefine = { N = 3 }\narch = "sm_90"\n', k=text)
    (folder / "inc").mkdir()
    (folder / "inc" / "n.h").write_text("#define ONE 1.0f\n")
    assert run("check", "k.cu").status == 0
    assert run("check", "k.cu", "-D", "N=4").status == 2


def test_pairs(run: Run, project: Callable[..., Path]) -> None:
    project('[[pair]]\noriginal = "k.cu:add"\noptimised = "src/o.cu:plus"\nmode = "bitwise"\n'
            'map = { a = "x" }\nlaunch = { block = 64, grid = "(n+63)/64" }\n',
            k=ADD, src__o=ADD.replace("add", "plus").replace("a[i] + 1.0f", "1.0f + x[i]").replace("*a", "*x"))
    record, = run("equiv", "--format", "jsonl").records
    assert (record["verdict"], record["a"]["kernel"], record["b"]["kernel"]) == ("equal", "add", "plus")
    assert record["a"]["launch"]["block"][0] == 64


def test_nothing_is_named(run: Run, project: Callable[..., Path]) -> None:
    project("timeout = 3\n")
    assert "what is A?" in run("equiv").err and run("equiv").status == 2
    assert "spmd init" in run("check").err and run("check").status == 2


WRONG = {
    "tiemout = 3": "unknown key 'tiemout'; did you mean 'timeout'?",
    "[[kernel]]\nname = 'x'": "unknown key 'name' of kernel; did you mean 'names'?",
    "[[kernel]]\nlaunches = { blocks = 3 }": "did you mean 'block'?",
    "zzz = 1": "unknown key 'zzz'; there are: timeout",
    "timeout = 'x'": "'timeout' has to be a number above 0",
    "timeout = -1": "'timeout' has to be a number above 0",
    "strict = 1": "'strict' has to be true or false",
    "mode = 'exact'": "one of bitwise, int, real",
    "include = 'inc'": "a list of texts",
    "fail-on = ['wrong']": "'wrong' is no verdict that fails",
    "kernel = 3": "tables: [[kernel]]",
    "[[pair]]\noriginal = 'a.cu'": "a pair without 'optimised'",
    "[[kernel]]\nlaunches = { block = '1,2,3,4' }": "one to three sizes",
    "[[kernel]]\nlaunches = { block = 0 }": "every size is at least 1",
    "timeout = = 3": "no TOML",
    "timeout = 3\ntimeout = 4": "no TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_in_one_line(run: Run, project: Callable[..., Path], text: str) -> None:
    project(text + "\n", k=ADD)
    ran = run("check", "k.cu")
    assert ran.status == 2 and WRONG[text] in ran.err and "spmd.toml" in ran.err and ran.err.count("\n") == 1, ran.err


def test_settings_that_are_no_text(run: Run, project: Callable[..., Path]) -> None:
    folder = project("", k=ADD)
    (folder / "spmd.toml").write_bytes(b"\xff\xfe")
    assert run("check", "k.cu").status == 2 and "not UTF-8" in run("check", "k.cu").err


def test_pyproject(run: Run, project: Callable[..., Path]) -> None:
    folder = project("", k=ADD)
    (folder / "spmd.toml").unlink()
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\n\n[tool.spmd]\nstrict = true\n\n[[tool.spmd.kernel]]\n'
                                           'launches = { block = 32 }\n')
    assert launches(run, "k.cu") == [("add", "pyproject.toml:8", "proved")]
    values = {row["name"]: row for row in run("config", "--format", "jsonl").records}
    assert values["strict"] == {"name": "strict", "value": True, "origin": "pyproject.toml:5"}
    assert values["timeout"]["origin"] == "default"
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert launches(run, "k.cu") == [("add", "", "proved")]


def test_config_of_kernels(run: Run, project: Callable[..., Path]) -> None:
    project('mode = "int"\n[[kernel]]\nnames = ["add"]\ntimeout = 7\nlaunches = { block = 32, args = { n = 4 } }\n',
            k=ADD + "// spmd: block=16 require n > 0\n" + ADD.replace("add", "more"))
    text = run("config", "k.cu").out
    assert "block=32,1,1 n=4   (spmd.toml:5)" in text and "block=16,1,1 require n > 0   (comment at k.cu:5:1)" in text
    assert "7   (spmd.toml:4)" in text and "int   (spmd.toml:1)" in text


def test_timeouts_come_from_the_nearest(run: Run, project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from spmd.asked import Question

    heard: list[float | None] = []
    monkeypatch.setattr(Question, "limit", lambda self: heard.append(self.seconds) or self.seconds)
    project("timeout = 9\n[[kernel]]\nnames = ['more']\ntimeout = 7\n", k=ADD + ADD.replace("add", "more"))
    run("check", "k.cu")
    assert set(heard) == {9.0, 7.0}
    heard.clear()
    run("check", "k.cu", "--timeout", "5")
    assert set(heard) == {5.0}


def test_a_first_file(run: Run, tmp_path: Path) -> None:
    """What init writes is read without a complaint, names every file with kernels, and is not written over another."""
    folder = tmp_path / "repository"
    sample_repository.build(folder)
    ran = run("init", folder)
    assert ran.status == 0
    text = (folder / "spmd.toml").read_text()
    assert all(f'"src/{name}"' in text for name in ("copies.cu", "vectors.cl", "reduce.cu", "filters/stencil.cu"))
    assert "# [[pair]]" in text and "matmul_tiled" in text
    assert read_file(str(folder / "spmd.toml")) is not None
    assert read_file(_uncommented(folder, text)) is not None
    assert run("init", folder).status == 2
    assert run("init", folder, "--print").out == text
    assert run("init", folder / "nowhere").status == 2


def test_a_comment_that_allows_states_no_launch(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(int *x) {\n  x[0] = 1;   // spmd: allow[race] any may win\n}\n")
    assert "comments in the file state launches" not in run("init", tmp_path, "--print").out
    (tmp_path / "k.cu").write_text("// spmd: block=32\n__global__ void k(int *x) { x[0] = 1; }\n")
    assert "comments in the file state launches" in run("init", tmp_path, "--print").out


def _uncommented(folder: Path, text: str) -> str:
    """The file with its examples turned on."""
    example = re.compile(r"# (?=\[\[|[\w-]+ = )")
    lines = [example.sub("", line) for line in text.split("\n")]
    (folder / "all").mkdir()
    (folder / "all" / "spmd.toml").write_text("\n".join(line for line in lines if not line.startswith("# ")))
    return str(folder / "all" / "spmd.toml")


def test_every_key_is_read_somewhere() -> None:
    package = Path(__file__).parent.parent / "spmd"
    texts = "".join(path.read_text() for path in package.rglob("*.py") if path.name != "keys.py")
    for key in KEYS:
        assert f'"{key.name}"' in texts, key


@pytest.mark.sliced(5)
def test_a_change_of_settings_is_one_of_launches(run: Run, project: Callable[..., Path]) -> None:
    folder = project('[[kernel]]\nlaunches = { block = 32, grid = "(n+31)/32" }\n', k=ADD)
    commit(folder)
    (folder / "spmd.toml").write_text('fail-on = ["refuted"]\n[[kernel]]\nlaunches = { block = 64, grid = "(n+63)/64" }\n'
                                      '[[pair]]\noriginal = "k.cu:add"\noptimised = "k.cu:add"\n')
    commit(folder)
    ran = run("diff", "HEAD~1", "--format", "jsonl")
    assert [(row["change"], row["verdict"]) for row in rows(ran)] == [("launch", "equal"), ("a pair of the settings", "equal")]
    assert rows(ran)[0]["checks"][0]["launch"]["source"] == "spmd.toml:3"
    (folder / "k.cu").write_text(ADD.replace("1.0f", "2.0f"))
    commit(folder)
    assert run("diff", "HEAD~1").status == 0 and run("diff", "HEAD~1", "--fail-on", "different").status == 1
    (folder / "spmd.toml").write_text("wrong = 1\n")
    commit(folder)
    ran = run("diff", "HEAD~1")
    assert ran.status == 2 and "HEAD:spmd.toml:1:1: unknown key 'wrong'" in ran.err


def test_doctor_and_version(run: Run) -> None:
    rows_of = run("doctor", "--format", "jsonl").records
    assert all(row["trouble"] == "" for row in rows_of) and {"z3", "cvc5", "git"} <= {row["part"] for row in rows_of}
    assert run("doctor").out.count("\n") == len(rows_of) and json.loads(run("doctor", "--format", "json").out)
    assert run("--version").out.startswith("spmd 0.")


def test_doctor_finds_what_is_broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spmd.doctor._z3", lambda: False)
    monkeypatch.setattr("spmd.doctor._cvc5", lambda: 1 / 0)
    ran = run("doctor")
    assert ran.status == 5 and "!!  z3" in ran.out and "gives a wrong answer" in ran.out and "ZeroDivisionError" in ran.out


def test_hooks_name_commands_that_there_are(run: Run) -> None:
    text = (Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text()
    entries = [line.partition(": ")[2].split() for line in text.splitlines() if line.strip().startswith("entry:")]
    assert [entry[:2] for entry in entries] == [["spmd", "diff"], ["spmd", "check"]]
    for entry in entries:
        assert run(*entry[1:2], "--help").status == 0 and all(word in run(entry[1], "--help").out for word in entry
                                                              if word.startswith("--"))
