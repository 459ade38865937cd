"""What `spmd diff` says a change mends: each finding that is gone has a twin that only looks so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from sample_repository import git
from test_diff import commit, rows

from spmd.diff.mended import Mended, mended, told
from spmd.diff.outcome import Part

TILE = """__global__ void tile(const float *a, float *b, int *flag) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x + blockIdx.x * 256];
    b[threadIdx.x + blockIdx.x * 256] = s[255 - threadIdx.x];
    flag[0] = threadIdx.x;
}
int main() { tile<<<4, 256>>>(0, 0, 0); }
"""
BARRIER = ("    b[", "    __syncthreads();\n    b[")
FLAG = ("    flag[0] = threadIdx.x;\n", "")
SCALED = ("= a[", "= 2.0f * a[")
BRANCH = ("    b[", "    if (threadIdx.x < 16) __syncthreads();\n    b[")
FARTHER = ("    b[", "    s[threadIdx.x + 1] = 0;\n    b[")
REFUSED = ("    b[", "    nowhere();\n    b[")


def changed(run: Run, folder: Path, *changes: tuple[str, str], text: str = TILE) -> dict[str, Any]:
    """The record of a change of the tile. AssertionError where a change changes nothing."""
    (folder / "tile.cu").write_text(text)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "tile.cu").write_text(text)
    commit(folder)
    (row,) = rows(run("diff", "HEAD~1", "-C", folder, "--format", "jsonl", "--checks-alone"))
    return row


def about(found: list[dict[str, Any]]) -> set[tuple[str, str | None]]:
    return {(each["rule"], each["array"]) for each in found}


@pytest.mark.sliced(3)
def test_one_race_is_mended_and_another_stays(run: Run, tmp_path: Path) -> None:
    row = changed(run, tmp_path, BARRIER)
    found = row["findings"]
    assert row["verdict"] == "refuted" and ("race", "s") in about(found["gone"])
    assert {each["how"] for each in found["gone"] if each["rule"] == "race"} == {"apart"}
    assert about(found["stays"]) == {("race", "flag")} and not found["brought"]
    text = run("diff", "HEAD~1", "-C", tmp_path, "--checks-alone").out
    assert "gone: race on 's' at HEAD~1:tile.cu:3 and HEAD~1:tile.cu:4 (shown, as far as what is left allows)" in text
    assert "stays: race on 'flag' at tile.cu:6" in text


@pytest.mark.sliced(4)
def test_a_line_that_is_edited_mends_nothing(run: Run, tmp_path: Path) -> None:
    found = changed(run, tmp_path, SCALED)["findings"]
    assert not found["gone"] and not found["brought"] and {("race", "s"), ("race", "flag")} <= about(found["stays"])


@pytest.mark.sliced(4)
def test_a_barrier_that_some_pass_by_is_shown_to_mend_nothing(run: Run, tmp_path: Path) -> None:
    found = changed(run, tmp_path, BRANCH)["findings"]
    assert ("barrier-divergence", None) in about(found["brought"])
    assert all(each["how"] == "unseen" for each in found["gone"])


@pytest.mark.sliced(4)
def test_what_a_change_brings(run: Run, tmp_path: Path) -> None:
    found = changed(run, tmp_path, FARTHER)["findings"]
    assert ("out-of-bounds", "s") in about(found["brought"]) and ("race", "s") in about(found["stays"])


@pytest.mark.sliced(4)
def test_of_a_text_that_is_refused_nothing_is_mended(run: Run, tmp_path: Path) -> None:
    assert "findings" not in changed(run, tmp_path, BARRIER, REFUSED)


@pytest.mark.sliced(4)
def test_where_all_is_mended_the_old_kernel_is_still_told(run: Run, tmp_path: Path) -> None:
    """Without --checks-alone the comparison finds the old kernel's race, and the check of the old one names it."""
    changed(run, tmp_path, BARRIER, FLAG)
    text = run("diff", "HEAD~1", "-C", tmp_path).out
    assert "gone: race on 's'" in text and "gone: race on 'flag'" in text and "(shown)" in text and "stays:" not in text


# -- without kernels: what is known of the new one decides how sure it is ---------------------------


def finding(rule: str = "race", array: str | None = "s", lines: tuple[int, ...] = (3, 4), status: str = "confirmed",
            edited: int = 0) -> dict[str, Any]:
    places = [{"file": "k.cu", "line": line, "column": 1, "text": f"line {line}{'!' * (line == edited)}", "access": "write"}
              for line in lines]
    return {"rule": rule, "status": status, "message": "", "array": array, "places": places}


def part(*findings: dict[str, Any], complete: tuple[str, ...] = (), verdict: str = "refuted", assumptions: tuple[str, ...] = (),
         **properties: str) -> Part:
    named = {name.replace("_", "-"): outcome for name, outcome in properties.items()}
    record = {"verdict": verdict, "findings": list(findings), "properties": named, "assumptions": list(assumptions)}
    return Part("check", record, "", complete=frozenset(complete))


def found(old: Part, *new: Part) -> Mended:
    result = mended([old], new)
    assert result is not None
    return result


def how(old: Part, *new: Part) -> list[str]:
    return [each.how for each in found(old, *new).gone]


OLD = part(finding(), race_free="refuted")


def test_how_sure_it_is() -> None:
    assert how(OLD, part(race_free="proved")) == ["shown"]
    assert how(OLD, part(finding(array="t"), race_free="refuted", complete=("race-free",))) == ["apart"]
    assert how(OLD, part(finding(array="t"), race_free="refuted")) == ["unseen"]
    assert how(OLD, part(verdict="unknown", race_free="unknown")) == ["unseen"]
    assert how(OLD, part(race_free="proved"), part(verdict="unknown", race_free="unknown")) == ["unseen"]
    assert mended([OLD], [part(verdict="unsupported")]) is None and mended([OLD], []) is None


def test_a_suspicion_beside_the_findings_is_not_gone() -> None:
    beside = Part("check", part(race_free="unknown", verdict="unknown").record, "", besides=(finding(status="potential"),),
                  complete=frozenset({"race-free"}))
    assert not found(OLD, beside).gone and len(found(OLD, beside).stays) == 1


def test_which_findings_are_the_same() -> None:
    assert not found(OLD, part(finding(edited=3), race_free="refuted")).gone
    assert how(OLD, part(finding(lines=(8, 9)), race_free="refuted", complete=("race-free",))) == ["apart"]
    assert how(OLD, part(finding(array="t"), race_free="refuted")) == ["unseen"]
    twice = part(finding(), finding(lines=(8, 9)), race_free="refuted")
    assert len(found(twice, part(finding(), race_free="refuted")).gone) == 1
    assert not found(OLD, part(finding("same-value-write", status="benign"), race_free="proved")).gone
    assert not found(part(finding("same-value-write", status="benign")), part(race_free="proved")).gone


def met(*blocks: int) -> dict[str, Any]:
    made = finding()
    for place, block in zip(made["places"], blocks, strict=True):
        place["thread"] = {"block": [block, 0, 0], "thread": [0, 0, 0]}
    return made


def test_a_barrier_mends_what_happens_in_a_block() -> None:
    inside, across = part(met(0, 0), race_free="refuted"), part(met(0, 1), race_free="refuted", complete=("race-free",))
    between = found(inside, across)
    assert [each.open for each in between.gone] == ["threads of two blocks still meet there"] and len(between.stays) == 1
    assert not found(inside, inside).gone and not found(across, across).gone and not found(across, inside).gone


def test_an_extent_that_is_not_known_shows_nothing() -> None:
    old = part(finding("out-of-bounds", "s", (3,)), bounds="refuted")
    assert how(old, part(bounds="proved")) == ["shown"]
    for text in ("accesses stay inside a, s (no extent is known)", "accesses stay inside s"):
        assert how(old, part(bounds="proved", assumptions=(text,))) == ["unseen"]
    assert how(old, part(bounds="proved", assumptions=("accesses stay inside a (no extent is known)",))) == ["shown"]


def test_a_range_that_is_assumed_shows_nothing() -> None:
    old = part(finding("index-overflow", None, (3,)), no_wrap="refuted")
    assert how(old, part(no_wrap="proved")) == ["shown"]
    for text in ("`row * pitch` does not wrap in int (line 3)", "no wrap in unsigned int: 256*gridDim.x <= 4294967296 (line 3)"):
        assert how(old, part(no_wrap="proved", assumptions=(text,))) == ["unseen"]
    assert how(old, part(no_wrap="proved", assumptions=("a, b do not overlap",))) == ["shown"]


def test_in_words() -> None:
    lines = told(found(OLD, part(finding(array="t", status="potential"), verdict="unknown", race_free="unknown")))
    assert lines == ["gone: race on 's' at k.cu:3 and k.cu:4 (not found any more; race-free is not decided there)",
                     "new: race on 't' at k.cu:3 and k.cu:4 (potential)"]
