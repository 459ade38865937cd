"""The pages about papers: each row answers what was written down before, and pages are what their programs make of answers."""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT))
from case_studies.papers.__main__ import module, there
from case_studies.papers.asked import HERE, Row, ask, disagreement, read_answers, rows_of, run, settled, stated

MODEL = re.compile(r"(?<=→ satisfiable: ).*")
"""Which solution a solver finds is its choice."""
ROWS = [row for page in there() for row in rows_of(page) if not row.more.get("heavy")]
HEAVY = [row for page in there() for row in rows_of(page) if row.more.get("heavy")]
"""Rows that take many seconds."""


@pytest.mark.sliced(6)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row(row: Row) -> None:
    assert other(row) == ""


@pytest.mark.sliced(97)
@pytest.mark.parametrize("row", HEAVY, ids=lambda row: row.id)
def test_heavy_row(row: Row) -> None:
    assert other(row) == ""


def other(row: Row) -> str:
    """How the answer is another one than was stated, or than the page prints."""
    answer, printed = ask(row), read_answers(row.page)["rows"][row.name]
    return disagreement(row, answer) or ("" if settled(answer) == settled(printed) else f"{answer} is not {printed}")


@pytest.mark.parametrize("page", there())
def test_page_is_made_of_its_answers(page: str) -> None:
    text = module(page).render(read_answers(page))
    assert (HERE / page / "README.md").read_text(encoding="utf-8") == text
    assert {row.name for row in rows_of(page)} <= set(read_answers(page)["rows"])
    assert (HERE / "README.md").read_text().count(f"]({page}/README.md)") == 1


def test_a_wrong_answer_is_told() -> None:
    row = Row("hotpar2010", "staged", "check staged.cu", "refuted", ("race",))
    assert "proved, not refuted" in disagreement(row, ask(row))
    raced = Row("hotpar2010", "unsynchronised", "check unsynchronised.cu", "refuted", ("barrier-divergence",))
    assert "no finding barrier-divergence" in disagreement(raced, ask(raced))


def test_related_methods_are_shown_by_kernels_that_are_asked_about() -> None:
    """Each kernel that the page of methods names is in a row of a page here, or in a recorded application."""
    text = (ROOT / "docs" / "related.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(\.\./([\w/.]+\.c[ul])\)", text)
    asked = {str((HERE / row.page / word).resolve()) for row in ROWS + HEAVY for word in shlex.split(row.command)
             if word.endswith((".cu", ".cl"))}
    recorded = {str(HERE / "kernel_interceptor" / f"{version}.cl") for version in stated("kernel_interceptor")["verdicts"]}
    assert len(linked) >= 10
    assert [name for name in linked if str(ROOT / name) not in asked | recorded] == []
    assert [page for page in there() if f"papers/{page}/README.md" not in text] == []


class TestHotPar2010:
    def test_each_segment_by_itself(self) -> None:
        """The formulas of one segment at a time miss what blocks do across segments, and nothing else here."""
        program = module("hotpar2010")
        said = {row.name: program.segment_by_segment(row.command) for row in rows_of("hotpar2010") if "segments" in row.more}
        assert said == {row.name: row.more["segments"] for row in rows_of("hotpar2010") if "segments" in row.more}
        assert [name for name, one in said.items() if one == "non-interfering"
                and read_answers("hotpar2010")["rows"][name]["verdict"] == "refuted"] == ["in_place"]

    @pytest.mark.parametrize("name", ["direct", "staged", "unsynchronised", "in_place"])
    def test_pictures_and_formulas(self, name: str, tmp_path: Path) -> None:
        folder = HERE / "hotpar2010"
        run(folder, f"draw {name}.cu --format svg --output-file {tmp_path / 'drawn.svg'}")
        assert (tmp_path / "drawn.svg").read_text() == (folder / f"{name}.svg").read_text()
        kept, printed = read_answers("hotpar2010")["formulas"][name], run(folder, f"check {name}.cu --show-formulas")[1]
        assert [MODEL.sub("", text.partition("\nkernel ")[2]) for text in (printed, kept)] == [
            MODEL.sub("", kept.partition("\nkernel ")[2])] * 2


class TestAmplification:
    def test_the_rows_are_the_scenes(self) -> None:
        """What is invariant and what a proof depends on was stated for the scenes before there was a page."""
        scenes = json.loads((ROOT / "tests" / "scenes" / "scenes.json").read_text())
        rows = {row.name: row for row in rows_of("test_amplification")}
        kept = read_answers("test_amplification")["rows"]
        assert set(rows) == {scene["kernel"] for scene in scenes}
        for scene in scenes:
            (record,) = kept[scene["kernel"]]["records"]
            assert (record["invariant"], record["integrity"]) == (scene["invariant"], sorted(scene["integrity"]))

    def test_without_a_run_all_grids_are_proved(self) -> None:
        program, rows = module("test_amplification"), {row.name: row for row in rows_of("test_amplification")}
        kept = read_answers("test_amplification")["sizes"]
        for name in ("bitonic_sort", "histogram_columns", "scalar_product_missing_barrier", "walsh_global"):
            assert program.all_sizes(rows[name]) == kept[name]
        assert [kept[name]["verdict"] for name in ("bitonic_sort", "scalar_product_missing_barrier", "walsh_global")] == [
            "proved", "refuted", "proved"]

    def test_a_larger_launch_is_run_three_times(self) -> None:
        (row,) = (row for row in rows_of("test_amplification") if row.name == "haar")
        found = module("test_amplification").times(replace(row, more={**row.more, "larger": "--grid 64"}))
        assert found["threads"] == 256 and len(found["seconds"]) == 3 and all(each > 0 for each in found["seconds"])


LOOKED = read_answers("faial")["kernels"] if (HERE / "faial" / "answers.json").exists() else []
OPPOSITE = {"proved": "refuted", "refuted": "proved"}


class TestFaial:
    @pytest.mark.sliced(90)
    @pytest.mark.parametrize("name", sorted({kernel["file"] for kernel in LOOKED}))
    def test_alarms_of_a_file(self, name: str) -> None:
        """Verdicts are not turned round, and an alarm that a run confirmed has the class that the page counts it in."""
        kept = [kernel for kernel in LOOKED if kernel["file"] == name]
        found = list(module("faial").look(name))
        assert [kernel["kernel"] for kernel in found] == [kernel["kernel"] for kernel in kept]
        for now, then in zip(found, kept, strict=True):
            assert now["verdict"] != OPPOSITE.get(then["verdict"]) and now["truth"] == then["truth"]
            if now["verdict"] == then["verdict"]:
                assert _confirmed(now) == _confirmed(then) and now["accesses"] == then["accesses"]

    @pytest.mark.sliced(1)
    def test_the_page_counts_kernels_that_are_there(self) -> None:
        assert {kernel["file"] for kernel in LOOKED} <= set(module("faial").files()), "measure the page again"

    def test_no_confirmed_alarm_is_false(self) -> None:
        assert len(LOOKED) >= 250
        assert [kernel["file"] for kernel in LOOKED if kernel["truth"] == "proved" and _confirmed(kernel)] == []


class TestKernelInterceptor:
    def test_launches_are_recorded_and_checked(self) -> None:
        """Recorded from the application on a driver that runs nothing, at its first four widths: both bugs show."""
        program = self._program()
        with program.application() as folder:
            found = program.checked(program.record(folder, "pipeline", 2, 4)[0])["kernels"]
        kept = read_answers("kernel_interceptor")["versions"]["pipeline"]["kernels"]
        assert {name: each["verdicts"] for name, each in found.items()} == {
            "scale": {"proved": 4}, "smooth": {"refuted": 4}, "turn": {"proved": 4}, "total": {"proved": 3, "refuted": 1}}
        for name, each in found.items():
            assert (each["times"], each["distinct"]) == (8, 4) and each["line"] == kept[name]["line"]
            assert set(each["refuted"]) <= set(kept[name]["refuted"])

    @pytest.mark.sliced(29)
    @pytest.mark.parametrize("version", ["pipeline", "mended", "faster"])
    def test_every_launch(self, version: str) -> None:
        """The verdicts of all launches are those that were written down before."""
        program = self._program()
        with program.application() as folder:
            found = program.checked(program.record(folder, version, 1)[0])["kernels"]
        assert {name: each["verdicts"] for name, each in found.items()} == stated("kernel_interceptor")["verdicts"][version]

    @pytest.mark.sliced(31)
    @pytest.mark.parametrize("widths", [4])
    def test_generalised_and_compared(self, widths: int) -> None:
        program, kept = self._program(), read_answers("kernel_interceptor")
        with program.application() as folder:
            mended, faster = (program.record(folder, version, 1, widths)[0] for version in ("mended", "faster"))
            found, compared = program.generalised(mended), program.compared(mended, faster)
        assert found["launches"] == 4 * widths and sum(found["covered"].values()) >= 2 * widths
        assert set(compared["kernels"]) == set(kept["equal"]["kernels"])
        for name, each in compared["kernels"].items():
            assert set(each) == set(kept["equal"]["kernels"][name]) and all(answer.startswith("equal") for answer in each)

    def _program(self) -> Any:
        program = module("kernel_interceptor")
        if program.compiler() is None or sys.platform != "linux":
            pytest.skip("no C compiler, or no dynamic linker of GNU's")
        return program


def _confirmed(kernel: dict[str, Any]) -> set[str]:
    return {alarm["class"] for alarm in kernel["alarms"] if alarm["status"] == "confirmed"}
