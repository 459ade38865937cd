"""`spmd diff`: the sample repository's commits have their written answers, and what breaks it is told in one message."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import sample_repository
from conftest import ROOT, Ran, Run
from sample_repository import COMMITS, SAMPLE, Commit, git
from test_formats import RECORDS

from spmd.diff import export
from spmd.diff.affected import file_level
from spmd.diff.matching import paired
from spmd.diff.read import Read

ADD = """__global__ void add(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + 1.0f;
}
"""


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("sample") / "repository"
    return folder, sample_repository.build(folder)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository with one kernel and one commit."""
    folder = tmp_path / "small"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "add.cu").write_text(ADD)
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "a commit")


def rows(ran: Ran) -> list[dict[str, Any]]:
    """The records of pairs. AssertionError if a record is not as the schema says."""
    for record in ran.records:
        kind = record["kind"].replace("-", "_")
        RECORDS.evolve(schema=RECORDS.schema | {"anyOf": [{"$ref": f"#/$defs/{kind}"}]}).validate(record)
    return [record for record in ran.records if record["kind"] == "diff"]


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


@pytest.mark.sliced(16)
@pytest.mark.parametrize("commit", COMMITS, ids=lambda commit: commit.name.partition(":")[0].replace(" ", "-"))
def test_commits_have_their_answers(run: Run, sample: tuple[Path, list[str]], commit: Commit) -> None:
    folder, commits = sample
    at = COMMITS.index(commit)
    ran = run("diff", commits[at], commits[at + 1], "-C", folder, "--format", "jsonl", "--jobs", 2)
    found = [((row["new"] or row["old"])["kernel"], row["change"], tuple(each["verdict"] for each in row["checks"]),
              tuple(each["verdict"] for each in row["comparisons"]), row["verdict"]) for row in rows(ran)]
    assert sorted(found) == sorted(commit.rows)
    assert ran.status == commit.status


def test_the_readme_shows_what_is_printed(run: Run, sample: tuple[Path, list[str]]) -> None:
    folder, commits = sample
    at = next(number for number, commit in enumerate(COMMITS) if commit.name == "a changed macro")
    text = (ROOT / "README.md").read_text()
    shown = text.partition("$ spmd diff HEAD~1\n")[2].partition("```")[0]
    said = run("diff", commits[at], commits[at + 1], "-C", folder).out.replace(commits[at] + ":", "HEAD~1:")
    assert _bare(said).startswith(_bare(shown))


def _bare(text: str) -> str:
    """Without revisions and seconds."""
    head, _, rest = text.partition("\n")
    return head.partition(": ")[2].rpartition(";")[0] + rest


def test_what_is_staged_is_compared_with_head(run: Run, small: Path) -> None:
    change(small, "add.cu", "1.0f", "2.0f")
    git(small, "add", "-A")
    assert "1 different" in run("diff", "--staged", "-C", small).out
    assert "spmd diff main" in run("diff", "-C", small).err


def test_thirty_kernels() -> None:
    text = "".join(path.read_text() for path in (SAMPLE / "src").iterdir())
    assert text.count("__global__ void") + text.count("__kernel void") == 30 and len(COMMITS) == 12


def test_the_page(run: Run, small: Path) -> None:
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    before = sorted(small.rglob("*"))
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 1
    assert "1 different" in ran.out and "HEAD~1:add.cu:3" in ran.out and "spmd-diff" not in ran.out
    assert sorted(small.rglob("*")) == before
    assert run("diff", "HEAD~1", "-C", small, "--fail-on", "wrong").status == 2


@pytest.mark.sliced(2)
def test_gates_and_other_formats(run: Run, small: Path) -> None:
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    assert run("diff", "HEAD~1", "-C", small, "--fail-on", "refuted").status == 0
    written = run("diff", "HEAD~1", "-C", small, "--format", "sarif").out
    result, = json.loads(written)["runs"][0]["results"]
    assert result["ruleId"] == "different" and "spmd-diff" not in written
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "add.cu"
    assert "::error file=add.cu,line=3" in run("diff", "HEAD~1", "-C", small, "--format", "github").out


@pytest.mark.sliced(3)
def test_a_defect_is_told_once(run: Run, small: Path) -> None:
    """A kernel that races cannot be compared: formats of alerts tell the race, not that besides. One that raced is no alert."""
    change(small, "add.cu", "b[i] = a[i] + 1.0f", "{ b[i] = a[i] + 1.0f; b[0] = i; }")
    commit(small)
    asked = ("diff", "HEAD~1", "-C", small, "--format")
    assert run(*asked, "github").out.count("::error") == 1
    results = json.loads(run(*asked, "sarif").out)["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["race"]
    (row,) = rows(run(*asked, "jsonl"))
    assert [each["verdict"] for each in row["comparisons"]] == ["nondeterministic"]
    change(small, "add.cu", " b[0] = i;", "")
    commit(small)
    text = run(*asked, "markdown").out
    assert "❌" not in text and "1 fixed" in text and "add (add.cu:1): changed, fixed" in text
    assert "::error" not in run(*asked, "github").out


def test_what_to_do_next_can_be_done(run: Run, small: Path) -> None:
    """No command reads a file of another revision."""
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    text = run("diff", "HEAD~1", "-C", small).out
    assert "spmd equiv" not in text and "next: if it runs in certain sizes alone" in text
    (row,) = rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl"))
    assert "next" not in row["comparisons"][0]
    (small / "add.cu").write_text("// spmd: block=64 grid=2\n" + (small / "add.cu").read_text().replace("2.0f", "3.0f"))
    commit(small)
    assert "next:" not in run("diff", "HEAD~1", "-C", small).out


def test_a_page_of_nothing(run: Run, small: Path) -> None:
    (small / "notes.txt").write_text("nothing")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 0 and "no kernel changed" in ran.out and "0 of 1 files" in ran.out


@pytest.mark.sliced(4)
def test_staged(run: Run, small: Path) -> None:
    change(small, "add.cu", "a[i] + 1.0f", "1.0f + a[i]")
    git(small, "add", "add.cu")
    change(small, "add.cu", "1.0f +", "3.0f +")
    ran = run("diff", "HEAD", "--staged", "-C", small, "--format", "jsonl")
    assert [row["verdict"] for row in rows(ran)] == ["equal"] and ran.status == 0
    assert run("diff", "HEAD", "HEAD", "--staged", "-C", small).status == 0
    assert run("diff", "HEAD", "main", "--staged", "-C", small).status == 2


@pytest.mark.sliced(3)
def test_since_the_fork(run: Run, small: Path) -> None:
    git(small, "checkout", "-q", "-b", "work")
    (small / "more.cu").write_text(ADD.replace("add", "more"))
    commit(small)
    git(small, "checkout", "-q", "main")
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    ran = run("diff", "main...work", "-C", small, "--format", "jsonl", "--checks-alone")
    assert [(row["new"]["kernel"], row["change"]) for row in rows(ran)] == [("more", "new")]


def test_a_work_tree_with_changes(run: Run, small: Path) -> None:
    commit(small)
    change(small, "add.cu", "1.0f", "2.0f")
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 0 and "1 file has changes that are not committed" in ran.out


def test_a_shallow_clone(run: Run, small: Path, tmp_path: Path) -> None:
    commit(small)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{small}", "shallow")
    ran = run("diff", "HEAD~1", "-C", tmp_path / "shallow")
    assert ran.status == 2 and "git fetch --unshallow" in ran.err and ran.err.count("\n") == 1


def test_a_submodule(run: Run, small: Path) -> None:
    for name in ("1" * 40, "2" * 40):
        git(small, "update-index", "--add", "--cacheinfo", f"160000,{name},sub")
        git(small, "commit", "-q", "-m", "sub")
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 0 and "submodule 'sub' is at another commit" in ran.out


@pytest.mark.sliced(2)
def test_a_binary_blob(run: Run, small: Path) -> None:
    (small / "blob.cu").write_bytes(b"__global__ \0\1\2\3" * 9)
    (small / "more.cu").write_text(ADD.replace("add", "more"))
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl")
    assert {(row["new"]["file"], row["verdict"]) for row in rows(ran)} == {("blob.cu", "invalid"), ("more.cu", "proved")}
    assert ran.status == 2 and "binary" in ran.out


@pytest.mark.sliced(3)
def test_a_source_that_is_not_utf8(run: Run, small: Path) -> None:
    (small / "add.cu").write_bytes(b"// caf\xe9 \xff\n" + ADD.replace("1.0f", "2.0f - 1.0f").encode())
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl")
    assert ran.status == 0 and [row["verdict"] for row in rows(ran)] in ([], ["equal"])


@pytest.mark.sliced(2)
def test_line_ends_of_windows(run: Run, small: Path) -> None:
    git(small, "config", "core.autocrlf", "false")
    (small / "add.cu").write_bytes(ADD.replace("\n", "\r\n").encode())
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 0 and "no kernel changed (1 kernel read and unchanged" in ran.out


@pytest.mark.parametrize("name", ["nowhere", "--output=x", "HEAD~99", "", "HEAD:add.cu"])
def test_no_such_revision(run: Run, small: Path, name: str) -> None:
    ran = run("diff", "-C", small, "--", name, "HEAD")
    assert ran.status == 2 and (f"no revision '{name}' here" if name else "say what to compare with") in ran.err


def test_no_repository(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = run("diff", "HEAD", "-C", tmp_path)
    assert ran.status == 2 and "is in no git repository" in ran.err
    assert run("diff", "HEAD", "-C", tmp_path / "nowhere").status == 2


def test_a_repository_without_commits(run: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert run("diff", "HEAD", "-C", tmp_path).status == 2


@pytest.mark.sliced(3)
def test_a_repository_that_is_read_only(run: Run, small: Path) -> None:
    (small / "more.cu").write_text(ADD.replace("add", "more"))
    commit(small)
    shut = [small, *(path for path in small.rglob("*") if path.is_dir())]
    for path in shut:
        path.chmod(0o555)
    try:
        ran = run("diff", "HEAD~1", "-C", small)
    finally:
        for path in shut:
            path.chmod(0o755)
    assert ran.status == 0 and "1 proved" in ran.out


def test_no_git(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(small))
    ran = run("diff", "HEAD", "-C", small)
    assert ran.status == 2 and "git is not installed" in ran.err


def test_no_temporary_folder(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    monkeypatch.setattr("spmd.diff.export.mkdtemp", lambda **given: os.mkdir("/nowhere/at/all"))
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 2 and "TMPDIR" in ran.err


def test_the_temporary_folder_is_in_memory_unless_stated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in export.STATED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    monkeypatch.setattr(export, "MEMORY", str(tmp_path))
    monkeypatch.setattr(export, "ROOM", 0)
    assert export._folder() == str(tmp_path)
    monkeypatch.setattr(export, "ROOM", 10**18)
    assert export._folder() == "/tmp"
    monkeypatch.setattr(export, "ROOM", 0)
    monkeypatch.setenv("TMPDIR", "/tmp")
    assert export._folder() == "/tmp"


def test_folders_that_a_killed_call_left(run: Run, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "more.cuh").write_text("// nothing")
    commit(small)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    for name in ("spmd-diff-of-999999999-left", f"spmd-diff-of-{os.getpid()}-mine", "spmd-diff-of-other"):
        (tmp_path / "temporary" / name).mkdir()
    assert run("diff", "HEAD~1", "-C", small).status == 0
    left = {path.name for path in (tmp_path / "temporary").iterdir()}
    assert left == {f"spmd-diff-of-{os.getpid()}-mine", "spmd-diff-of-other"}


def test_odd_names_and_links(run: Run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.cuh").write_text("#define ONE 1.0f\n")
    (small / "link.cuh").symlink_to(tmp_path / "outside.cuh")
    (small / "in side.cuh").write_text("#define TWO 2.0f\n")
    (small / "inner.cuh").symlink_to("in side.cuh")
    with open(os.path.join(os.fsencode(small), b"odd \xff\n.cu"), "w") as stream:
        stream.write('#include "inner.cuh"\n' + ADD.replace("add", "odd").replace("1.0f", "TWO"))
    (small / "linked.cu").write_text('#include "link.cuh"\n' + ADD.replace("add", "linked").replace("1.0f", "ONE"))
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl")
    assert rows(ran)[0]["new"]["file"] == r"odd \udcff\n.cu"
    assert {row["new"]["kernel"]: row["verdict"] for row in rows(ran)} == {None: "invalid", "linked": "unsupported"}


@pytest.mark.sliced(2)
def test_kernels_of_a_text_that_broke_are_not_deleted(run: Run, small: Path) -> None:
    change(small, "add.cu", "b[i] = a[i]", "b[i] = nowhere")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl")
    assert [(row["change"], row["verdict"]) for row in rows(ran)] == [("changed", "invalid")] and ran.status == 2
    ran = run("diff", "HEAD", "HEAD~1", "-C", small, "--format", "jsonl")
    row, = rows(ran)
    assert row["old"]["refused"] == "invalid" and [each["verdict"] for each in row["checks"]] == ["proved"] and ran.status == 2


@pytest.mark.sliced(3)
def test_a_build_that_is_not_in_the_repository(run: Run, small: Path) -> None:
    (small / "add.cu").write_text(ADD.replace("1.0f", "STEP"))
    commit(small)
    (small / "build").mkdir()
    (small / "build" / "compile_commands.json").write_text(
        f'[{{"directory": "{small}/build", "file": "{small}/add.cu", "command": "nvcc -DSTEP=(3.0f-2.0f) -c {small}/add.cu"}}]')
    ran = run("diff", "HEAD~1", "-C", small)
    assert "1 equal" in ran.out and "compiled as build/compile_commands.json says: -DSTEP=(3.0f-2.0f)" in ran.out


@pytest.mark.sliced(3)
def test_a_launch_in_another_text(run: Run, small: Path) -> None:
    """A caller passes another block size, in a text that neither includes the kernel nor launches it."""
    go = "void go(float *a, float *b, int n, int k)"
    (small / "add.cuh").write_text(f"__global__ void add(const float *a, float *b, int n);\n{go};\n")
    (small / "add.cu").write_text('#include "add.cuh"\n' + ADD)
    (small / "go.cu").write_text(f'#include "add.cuh"\n{go} {{ add<<<(n + k - 1) / k, k>>>(a, b, n); }}\n')
    (small / "main.cu").write_text(f"{go};\nint main() {{ go(0, 0, 100, 64); return 0; }}\n")
    commit(small)
    change(small, "main.cu", "64", "32")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl")
    assert [(row["new"]["kernel"], row["change"], row["verdict"]) for row in rows(ran)] == [("add", "launch", "equal")]


@pytest.mark.sliced(5)
def test_what_is_known_or_allowed(run: Run, small: Path, tmp_path: Path) -> None:
    """A defect that the source allows, or that a baseline lists, is told and fails nothing."""
    racy = "__global__ void racy(int *x) { x[0] = threadIdx.x; }"
    (small / "racy.cu").write_text(racy + "\n")
    commit(small)
    asked = "diff", "HEAD~1", "-C", small, "--format", "jsonl"
    assert run(*asked).status == 1
    run("check", small / "racy.cu", "--baseline", tmp_path / "known.json", "--write-baseline")
    ran = run(*asked, "--baseline", tmp_path / "known.json")
    assert ran.status == 0 and [row["verdict"] for row in rows(ran)] == ["accepted"]
    assert [each["verdict"] for each in rows(ran)[0]["checks"]] == ["refuted"]
    text = run(*asked[:-2], "--baseline", tmp_path / "known.json").out
    assert text.count("known: listed in the baseline: race: ") == 1 and "fixed" not in text
    (small / "racy.cu").write_text(racy.replace("x[0]", "x[threadIdx.x]") + "\n")
    commit(small)
    ran = run(*asked, "--baseline", tmp_path / "known.json")
    assert [row["verdict"] for row in rows(ran)] == ["fixed"] and ran.status == 0
    assert [each["rule"] for each in ran.records[-1]["fixed"]] == ["race"]
    assert "fixed race racy  racy.cu: " in run(*asked[:-2], "--baseline", tmp_path / "known.json").out
    git(small, "reset", "-q", "--hard", "HEAD~1")
    (small / "racy.cu").write_text(racy + "  // spmd: allow[race] whoever comes last\n")
    commit(small)
    assert run("diff", "HEAD~2", "-C", small).status == 0
    assert "accepted" in run("diff", "HEAD~2", "-C", small).out


CASES: dict[str, tuple[dict[str, str], dict[str, str], list[tuple[str, str, str]]]] = {
    "namespaces": ({"k.cu": f"namespace x {{\n{ADD}}}\nnamespace y {{\n{ADD}}}\n"},
                   {"k.cu": f"namespace x {{\n{ADD}}}\nnamespace y {{\n{ADD.replace('1.0f', '2.0f')}}}\n"},
                   [("y::add(const float *, float *, int)", "changed", "different")]),
    "an include of any name": ({"k.cu": '#include "one.def"\n' + ADD.replace("1.0f", "ONE"), "one.def": "#define ONE 1.0f\n"},
                               {"one.def": "#define ONE 2.0f\n"}, [("add", "changed", "different")]),
    "renamed parameters": ({"k.cu": ADD}, {"k.cu": ADD.replace("*b", "*out").replace("b[i]", "out[i]")},
                           [("add", "changed", "equal")]),
    "another parameter": ({"k.cu": ADD}, {"k.cu": ADD.replace("int n)", "int n, float s)").replace("1.0f", "s")},
                          [("add", "changed", "different")]),
    "a header in two texts": ({"k.cuh": ADD.replace("1.0f", "ONE"), "a.cu": '#define ONE 1.0f\n#include "k.cuh"\n',
                               "b.cu": '#define ONE 2.0f\n#include "k.cuh"\n'},
                              {"b.cu": '#define ONE 3.0f\n#include "k.cuh"\n'}, [("add", "changed", "different")]),
    "flags of a Makefile": ({"k.cu": ADD.replace("1.0f", "ONE"), "Makefile": "all:\n\tnvcc -DONE=1.0f k.cu\n"},
                            {"Makefile": "all:\n\tnvcc -DONE=2.0f k.cu\n"}, [("add", "changed", "different")]),
    "macros of CMake": ({"k.cu": ADD.replace("1.0f", "ONE"), "a.cmake": "add_definitions(-DONE=1.0f)\n",
                         "CMakeLists.txt": "include(a.cmake)\n"},
                        {"a.cmake": "add_definitions(-DONE=2.0f)\n"}, [("add", "changed", "different")]),
    "other words of CMake": ({"k.cu": ADD.replace("1.0f", "ONE"), "CMakeLists.txt": "add_definitions(-DONE=1.0f)\n"},
                             {"CMakeLists.txt": "add_definitions(-DONE=1.0f)\nset(A 2)\n"}, []),
    "what a constant holds at first": ({"k.cu": "__constant__ float c[1] = {1};\n" + ADD.replace("1.0f", "c[0]")},
                                       {"k.cu": "__constant__ float c[1] = {2};\n" + ADD.replace("1.0f", "c[0]")},
                                       [("add", "changed", "different")]),
    "a macro for the mark": ({"k.cu": '#include "m.h"\n' + ADD.replace("__global__", "KERNEL"),
                              "m.h": "#define KERNEL __global__\n"},
                             {"k.cu": '#include "m.h"\n' + ADD.replace("__global__", "KERNEL").replace("1.0f", "2.0f")},
                             [("add", "changed", "different")]),
    "names that change places": ({"k.cu": ADD.replace("add", "f") + ADD.replace("add", "g").replace("1.0f", "2.0f")},
                                 {"k.cu": ADD.replace("add", "g") + ADD.replace("add", "f").replace("1.0f", "2.0f")},
                                 [("f", "changed", "different"), ("g", "changed", "different")]),
    "a template that nothing instantiates": ({"k.cu": "template <int N>\n" + ADD.replace("1.0f", "N")},
                                             {"k.cu": "template <int N>\n" + ADD.replace("1.0f", "N + 1")},
                                             [("add", "changed", "passed by")]),
}


@pytest.mark.sliced(8)
@pytest.mark.parametrize("name", CASES)
def test_what_can_change(run: Run, tmp_path: Path, name: str) -> None:
    before, after, expected = CASES[name]
    git(tmp_path, "init", "-q", "-b", "main")
    for files in (before, after):
        for path, text in files.items():
            (tmp_path / path).write_text(text)
        commit(tmp_path)
    ran = run("diff", "HEAD~1", "-C", tmp_path, "--format", "jsonl")
    assert sorted((row["new"]["kernel"], row["change"], row["verdict"]) for row in rows(ran)) == expected


def test_names_at_file_level() -> None:
    text = 'namespace n { int size = 4; void go(int x) { int y = 3; call(x); } }\nextern "C" { float table[3]; }\n// no(\n'
    assert file_level(text) >= {"size", "go", "table"} and not file_level(text) & {"y", "call", "no"}


def read(home: str, name: str, core: str, *shape: str) -> Read:
    return Read(home, name, home, core=core, shape=shape)


def test_likeness() -> None:
    old = [read("a.cu", "f", "1", "x", "y", "z"), read("a.cu", "g", "2", "u", "v"), read("a.cu", "h", "3", "p", "q")]
    new = [read("b.cu", "f", "4", "x", "y", "w"), read("a.cu", "g2", "2", "u", "v"), read("c.cu", "k", "5", "r", "s")]
    found = {(pair.old.name if pair.old else None, pair.new.name if pair.new else None): pair.change for pair in paired(old, new)}
    assert found == {("f", "f"): "moved, changed", ("g", "g2"): "renamed", ("h", None): "deleted", (None, "k"): "new"}


@pytest.mark.sliced(3)
def test_the_command_by_itself(small: Path) -> None:
    """As a process, from a folder inside of the repository."""
    import subprocess

    (small / "inner").mkdir()
    shutil.copy(small / "add.cu", small / "inner" / "more.cu")
    change(small / "inner", "more.cu", "add", "more")
    commit(small)
    done = subprocess.run([sys.executable, "-m", "spmd", "diff", "HEAD~1"], cwd=small / "inner", capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and "inner/more.cu:1" in done.stdout, done.stdout + done.stderr


STEPS = """__global__ void shift(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + 1.0f;
}
__global__ void grow(float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = b[i] * 3.0f;
}
"""
FUSED = """__global__ void both(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = (a[i] + 1.0f) * 3.0f;
}
"""
PAIR = """[[pair]]
original = "{}"
optimised = "{}"
launch = {{ block = "64", grid = "2", args = {{ n = 100 }} }}
"""


@pytest.mark.parametrize(("texts", "sides", "verdict"), [
    ((STEPS, FUSED), ("k.cu:shift;grow", "k.cu:both"), "equal"),
    ((STEPS, FUSED.replace("3.0f", "4.0f")), ("k.cu:shift;grow", "k.cu:both"), "different"),
    ((FUSED, STEPS), ("k.cu:both", "k.cu:shift;grow"), "equal"),
    ((FUSED.replace("1.0f", "2.0f"), STEPS), ("k.cu:both", "k.cu:shift;grow"), "different"),
    ((STEPS, STEPS.replace("grow", "tripled").replace("* 3.0f", "* 5.0f")), ("k.cu:grow", "k.cu:tripled"), "different"),
], ids=["fused", "fused wrongly", "split", "split wrongly", "renamed"])
def test_kernels_that_are_gone_are_compared_as_they_were(run: Run, small: Path, texts: tuple[str, str], sides: tuple[str, str],
                                                         verdict: str) -> None:
    (small / "k.cu").write_text(texts[0])
    commit(small)
    (small / "k.cu").write_text(texts[1])
    (small / "spmd.toml").write_text(PAIR.format(*sides))
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--format", "jsonl", "--jobs", 1)
    row = next(row for row in rows(ran) if row["change"] == "a pair of the settings")
    assert [each["verdict"] for each in row["comparisons"]] == [verdict], row
    told = run("diff", "HEAD~1", "-C", small, "--details").out
    assert "HEAD~1:k.cu" in told and "spmd-diff" not in told


def test_a_text_that_is_gone_is_compared_as_it_was(run: Run, small: Path) -> None:
    (small / "spmd.toml").write_text(PAIR.format("add.cu", "plus.cu"))
    (small / "plus.cu").write_text(FUSED.replace("both", "plus").replace(") * 3.0f", " + 1.0f)"))
    (small / "add.cu").unlink()
    commit(small)
    row = next(row for row in rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl"))
               if row["change"] == "a pair of the settings")
    assert row["comparisons"][0]["verdict"] == "different"


def test_a_pair_that_neither_revision_has_says_so(run: Run, small: Path) -> None:
    (small / "k.cu").write_text(STEPS)
    (small / "spmd.toml").write_text(PAIR.format("k.cu:shift;wrong", "k.cu:grow"))
    commit(small)
    row = next(row for row in rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl"))
               if row["change"] == "a pair of the settings")
    assert row["comparisons"][0]["verdict"] == "invalid" and "wrong" in row["comparisons"][0]["reason"]


VECTOR = """template <class T> __global__ void fill_all(T *a, T x) { a[threadIdx.x] = x; }
template <class T> struct Vector { T *data; void fill(T x) { fill_all<<<1, 32>>>(data, x); } };
"""
LAUNCHES = """#include "add.cuh"
void run(float *a, float *b, int n, int block) { add<<<(n + block - 1) / block, block>>>(a, b, n); }
"""


def test_texts_that_only_share_names_are_not_read(run: Run, small: Path) -> None:
    """Kernels and methods of the same names in other texts, which nobody calls from the one that changed."""
    for name in ("one", "two"):
        (small / f"{name}.cuh").write_text(f"struct {name} {{ {name}(); void compute(float *, int); }};\n" + VECTOR)
        (small / f"{name}.cu").write_text(
            f'#include "{name}.cuh"\n' + ADD.replace("1.0f", "2.0f") + f"{name}::{name}() {{}}\n"
            f"void {name}::compute(float *a, int n) {{ Vector<float> v; v.fill(1); add<<<1, 64>>>(a, a, n); }}\n")
    commit(small)
    change(small, "one.cu", "2.0f", "3.0f")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--checks-alone")
    assert "1 of 5 files can be affected" in ran.out


def test_a_second_kernel_of_one_name_matters_to_launches(run: Run, small: Path) -> None:
    """Where two texts define a kernel, nobody knows which of them a third one launches."""
    (small / "add.cuh").write_text("__global__ void add(const float *a, float *b, int n);\n")
    (small / "add.cu").write_text('#include "add.cuh"\n' + ADD)
    (small / "main.cu").write_text(LAUNCHES + "int main() { run(0, 0, 100, 32); }\n")
    commit(small)
    (small / "other.cu").write_text(ADD)
    commit(small)
    (row,) = [row for row in rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl")) if row["new"]["file"] == "add.cu"]
    assert row["change"] == "launch"


@pytest.mark.parametrize("said", ["k.cl", "k"])
def test_options_of_the_host(run: Run, small: Path, said: str) -> None:
    """What host code passes to the compiler of an OpenCL program changes what the program says."""
    (small / "k.cl").write_text("__kernel void k(__global int *a) { a[get_global_id(0)] = SIZE; }\n")
    (small / "host.h").write_text("#define SIZE_OF_IT 16\n")
    (small / "host.c").write_text(
        f'#include "host.h"\nint main() {{ cl_program p = load("{said}"); clBuildProgram(p, 0, 0, "-DSIZE=16", 0, 0); }}\n')
    commit(small)
    change(small, "host.c", "-DSIZE=16", "-DSIZE=32")
    commit(small)
    (row,) = rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl"))
    assert (row["new"]["kernel"], row["change"], row["verdict"]) == ("k", "changed", "different")


@pytest.mark.parametrize("file, before, after", [("host.c", "l = 64", "l = 32"), ("caller.c", "launch(64)", "launch(32)")])
def test_a_launch_by_an_opencl_host(run: Run, small: Path, file: str, before: str, after: str) -> None:
    """What host code launches is asked again, also where a caller in another text says it."""
    (small / "k.cl").write_text("__kernel void k(__global int *a) { __local int s[64]; int t = get_local_id(0); s[t] = t; "
                                "barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = s[63 - t]; }\n")
    (small / "host.c").write_text(
        "#include <CL/cl.h>\nvoid launch(int m) { size_t g = 256, l = 64; cl_kernel k = clCreateKernel(p, \"k\", 0); "
        f"clEnqueueNDRangeKernel(q, k, 1, NULL, &g, &l, 0, 0, 0); }} {'' if file == 'host.c' else '/* m */'}\n")
    if file == "caller.c":
        change(small, "host.c", "l = 64", "l = m")
    (small / "caller.c").write_text("void launch(int m);\nint main() { launch(64); }\n")
    commit(small)
    change(small, file, before, after)
    commit(small)
    (row,) = rows(run("diff", "HEAD~1", "-C", small, "--format", "jsonl"))
    assert (row["new"]["kernel"], row["change"]) == ("k", "launch")


def test_a_budget_holds_for_reading_too(run: Run, small: Path) -> None:
    """What is not read by then is told as such, not as unchanged."""
    change(small, "add.cu", "1.0f", "2.0f")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small, "--budget", "0.1", "--format", "jsonl")
    (row,) = rows(ran)
    assert ran.status == 3 and row["verdict"] == "unknown" and row["change"] == "not read" and "--budget" in json.dumps(row)
    assert "no time to read one text that the change may matter to" in run("diff", "HEAD~1", "-C", small, "--budget", "0.1").out


def test_host_texts_that_neither_define_nor_launch_are_not_read(run: Run, small: Path) -> None:
    """C++ that sees a header with kernels, and one with a word that is a keyword of OpenCL."""
    (small / "common.h").write_text("inline int kernel(int x) { return x + 1; }\n#define MAKE(k) __global__ void k() {}\n")
    (small / "util.cpp").write_text('#include "common.h"\nint f(int x) { return kernel(x); }\n')
    (small / "main.cpp").write_text('#include "common.h"\n#include "add.cuh"\nint main() { add<<<1, 32>>>(0, 0, 1); }\n')
    commit(small)
    change(small, "common.h", "x + 1", "x + 2")
    commit(small)
    ran = run("diff", "HEAD~1", "-C", small)
    assert ran.status == 0 and "3 of 4 files can be affected" in ran.out  # not util.cpp


TURNED = """__global__ void k(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x]; SYNC;
    a[threadIdx.x] = s[63 - threadIdx.x];
}
"""
PLAIN = TURNED.replace("SYNC", "__syncthreads()")
RUN = "void run(float *a, int block) { k<<<1, block>>>(a); }\n"
CALL = "int other(int); void run(float *, int); int main() { run(0, 64); return other(1); }\n"
MATTERS: dict[str, tuple[dict[str, str], str, str, str]] = {
    "an include that a macro names": (
        {"a.cu": '#define FILE "x.h"\n#include FILE\n' + TURNED + RUN + CALL,
         "x.h": "#define SYNC __syncthreads()\nint unused;\n"},
        "x.h", "__syncthreads()", ""),
    "a file that a condition asks for": (
        {"a.cu": "#if __has_include(\"x.h\")\n#define SYNC\n#else\n#define SYNC __syncthreads()\n#endif\n" + TURNED + RUN + CALL,
         "y.h": "int unused;"}, "y.h", "", ""),
    "a caller of what calls the launcher in a header": (
        {"a.cuh": PLAIN + RUN, "b.cuh": "template <int N> void middle(int block) { run(0, block); }\n",
         "a.cu": '#include "a.cuh"\n#include "b.cuh"\nvoid go(int block) { middle<1>(block); }\n',
         "m.cpp": CALL.replace("float *, ", "").replace("0, ", "").replace("run", "go")}, "m.cpp", "64", "32"),
    "a caller whose function a macro names": (
        {"a.cu": PLAIN + RUN, "m.h": "#define GO run\n", "m.cpp": '#include "m.h"\n' + CALL.replace("run", "GO")},
        "m.cpp", "64", "32"),
    "a caller whose function a macro pastes": (
        {"a.cu": PLAIN + RUN.replace("run", "run_f"), "m.h": "#define GO(kind) run_##kind\n",
         "m.cpp": '#include "m.h"\n' + CALL.replace("run", "GO(f)")}, "m.cpp", "64", "32"),
    "a launcher that a macro defines": (
        {"a.h": "#define LAUNCHER(name) " + RUN.replace("run", "name"), "a.cu": '#include "a.h"\n' + PLAIN + "LAUNCHER(run)\n",
         "m.cpp": CALL}, "m.cpp", "64", "32"),
    "a launcher whose name a macro pastes": (
        {"a.cu": "#define LAUNCHER(kind) " + RUN.replace("run", "run_##kind") + PLAIN + "LAUNCHER(f)\n",
         "m.cpp": CALL.replace("run", "run_f")}, "m.cpp", "64", "32"),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", MATTERS)
def test_what_a_change_matters_to_is_asked_about(run: Run, tmp_path: Path, name: str) -> None:
    texts, changed, old, new = MATTERS[name]
    folder = tmp_path / "texts"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for each, text in texts.items():
        (folder / each).write_text(text)
    commit(folder)
    for was, then in (("other(1)", "other(2)"), ("int unused;", "int not_used;")):
        (folder / changed).write_text((folder / changed).read_text().replace(was, then))
    commit(folder)
    assert rows(run("diff", "HEAD~1", "-C", folder, "--format", "jsonl")) == []
    if old:
        change(folder, changed, old, new)
    else:
        (folder / changed).rename(folder / "x.h")
    commit(folder)
    row, = rows(run("diff", "HEAD~1", "-C", folder, "--format", "jsonl"))
    assert row["change"] in ("launch", "changed") and row["new"]["kernel"] == "k"
