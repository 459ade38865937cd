"""The case study of an application: recorded on PoCL, its bug found, mended, made fast and compared, launch by launch."""

from __future__ import annotations

from pathlib import Path

from conftest import ROOT, Run
from opencl_host import built, needs_opencl
from test_recording import record

STUDY = ROOT / "case_studies" / "nbody_app"


def test_the_application(tmp_path: Path, run: Run) -> None:
    needs_opencl()
    app, cache = built(tmp_path, STUDY / "nbody.c"), tmp_path / "cache"
    for version in ("nbody", "mended", "tiled"):
        done = record(cache, tmp_path / f"{version}.d", app, STUDY / f"{version}.cl", 3)
        assert done.returncode == 0 and "21 launches of 3 kernels, 9 distinct" in done.stderr
    first, mended, tiled = (tmp_path / f"{version}.d" for version in ("nbody", "mended", "tiled"))
    _the_bug_is_found_at_one_size(first, mended, run)
    _before_and_after_are_equal(first, mended, tiled, run)
    record(cache, tmp_path / "fewer", app, STUDY / "mended.cl", 0)
    compared = run("equiv", "--launches", mended, tmp_path / "fewer")
    assert compared.status == 3
    assert f"forces was launched in {mended} alone" in compared.err
    assert run("equiv", "--launches", mended).status == 2
    assert run("equiv", "--launches", mended, tiled, "--block", 64).status == 2


def _the_bug_is_found_at_one_size(first: Path, mended: Path, run: Run) -> None:
    records = run("check", first, "--format", "jsonl").records
    verdicts = [(record["kernel"], record["verdict"], record["launched"]["times"]) for record in records]
    assert verdicts == [("forces", "proved", 3), ("drift", "proved", 3), ("energy", "proved", 1)] * 2 + [
        ("forces", "proved", 3), ("drift", "proved", 3), ("energy", "refuted", 1)]
    assert records[-1]["findings"][0]["rule"] == "uninitialised-read" and records[-1]["launch"]["args"] == {"n": 100}
    assert [record["verdict"] for record in run("check", mended, "--format", "jsonl").records] == ["proved"] * 9


def _before_and_after_are_equal(first: Path, mended: Path, tiled: Path, run: Run) -> None:
    done = run("equiv", "--launches", mended, tiled, "--format", "jsonl")
    assert done.status == 0 and [record["verdict"] for record in done.records] == ["equal"] * 9
    assert {record["class"] for record in done.records} == {"bitwise"}
    assert done.records[0]["id"] == f"forces: launch 1 of {mended}, 1 of {tiled}"
    broken = run("equiv", "--launches", first, mended, "--format", "jsonl")
    assert [record["verdict"] for record in broken.records if record["a"]["kernel"] == "energy"] == [
        "equal", "equal", "nondeterministic"]

