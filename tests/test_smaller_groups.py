"""Launches whose last work-groups are smaller (OpenCL 2.0): what they compute is checked as OpenCL has it, with the sizes that
groups have then. Recordings are written by hand, for not every implementation makes such launches."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from recorded import checks

TEXT = """
__kernel void put(__global int *x) { x[get_global_id(0)] = 1; }
__kernel void own(__global int *x) { x[get_group_id(0) * get_local_size(0) + get_local_id(0)] = get_global_id(0); }
__kernel void own_full(__global int *x) { x[get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0)] = 1; }
__kernel void strided(__global int *x) { for (int i = get_global_id(0); i < 200; i += get_global_size(0)) x[i] = i; }
__kernel void last(__global int *x) { if (get_global_id(0) == get_global_size(0) - 1) x[0] = 1; }
__kernel void ends(__global int *x) { if (get_local_id(0) == get_local_size(0) - 1) x[get_group_id(0)] = get_local_size(0); }
__kernel void plane(__global int *x) { x[get_global_id(1) * 10 + get_global_id(0)] = get_global_id(1); }
__kernel void across(__global int *x) { x[get_global_id(0) % 97] = get_global_id(0); }
__kernel void meets(__global int *x) { barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = 1; }
"""


def recording(folder: Path, text: str, launches: list[tuple[str, tuple[int, ...], tuple[int, ...], int]]) -> Path:
    """A recording of kernels with one buffer of so many ints."""
    content = hashlib.sha256(text.encode()).hexdigest()
    for name in ("processes", "contents"):
        (folder / name).mkdir(parents=True)
    (folder / "contents" / content).write_text(text)
    (folder / "recording.json").write_text(json.dumps({"schema": "spmd-recording/1", "runs": []}))
    (folder / "lost").write_bytes(bytes(8))
    events: list[dict[str, Any]] = [{"event": "process", "schema": "spmd-recording/1", "pid": 1, "parent": 0, "began": 1.0},
                                    {"event": "program", "number": 0, "kind": "source", "content": content, "options": ""}]
    for number, (kernel, total, local, ints) in enumerate(launches, 1):
        buffer = {"kind": "buffer", "root": 0, "size": 4 * ints, "offset": 0, "flags": 1}
        events.append({"event": "launch", "number": number, "program": 0, "kernel": kernel, "global": total, "local": local,
                       "offset": None, "args": [buffer]})
    (folder / "processes" / "1-0.jsonl").write_text("".join(json.dumps(each) + "\n" for each in events))
    (folder / "processes" / "1-0.counts").write_bytes(bytes(16) + struct.pack("<QQ", 1, 0) * len(launches))
    return folder


CASES = [
    ("put", (100,), (32,), 100, "proved", ""), ("put", (100,), (32,), 99, "refuted", "out-of-bounds"),
    ("own", (100,), (32,), 200, "refuted", "race"),  # the last group has 4 work-items: it writes where the first one does
    ("own", (96,), (32,), 96, "proved", ""), ("own_full", (100,), (32,), 100, "proved", ""),
    ("strided", (100,), (32,), 200, "proved", ""), ("strided", (100,), (32,), 199, "refuted", "out-of-bounds"),
    ("last", (100,), (32,), 1, "proved", ""), ("ends", (100,), (32,), 4, "proved", ""),
    ("plane", (10, 6), (4, 4), 60, "proved", ""), ("plane", (10, 6), (4, 4), 59, "refuted", "out-of-bounds"),
    ("plane", (12, 6), (4, 4), 72, "refuted", "race"), ("across", (97,), (32,), 97, "proved", ""),
    ("across", (98,), (32,), 97, "refuted", "race")]


@pytest.mark.parametrize("options", [(), ("--generalise",)])
def test_what_the_groups_are(options: tuple[str, ...], tmp_path: Path, run: Run) -> None:
    folder = recording(tmp_path / "r", TEXT, [case[:4] for case in CASES])
    found = {each["id"]: each for each in checks(run, folder, *options)}
    for number, (kernel, total, local, ints, verdict, rule) in enumerate(CASES, 1):
        record = found[str(number)]
        assert record["verdict"] == verdict, (kernel, total, local, ints, record)
        assert {each["rule"] for each in record["findings"]} == ({rule} if rule else set())
        is_smaller = any(size % block for size, block in zip(total, local, strict=True))
        sizes = ("×".join(map(str, each)) for each in (total, local))
        told = "the last work-groups are smaller: {} work-items in groups of {}".format(*sizes)
        assert (told in record["assumptions"]) == is_smaller
        assert not is_smaller or "covered" not in record


def test_what_cannot_be_asked_about(tmp_path: Path, run: Run) -> None:
    text = TEXT.replace("__kernel void put", "#define get_local_size(d) 7\n__kernel void put")
    for name, kernel, given, said in (("a", "meets", TEXT, "a meeting of threads in a launch whose last work-groups are smaller"),
                                      ("b", "put", text, "defines functions of work-items itself"),
                                      ("c", "put", TEXT.replace("x[get_global_id", "x[get_global_linear_id"), "linear_id")):
        (record,) = checks(run, recording(tmp_path / name, given, [(kernel, (100,), (32,), 100)]))
        assert record["verdict"] == "unsupported" and said in record["reason"]


def test_two_recordings_are_compared(tmp_path: Path, run: Run) -> None:
    launches = [("put", (100,), (32,), 100)]
    old = recording(tmp_path / "old", TEXT, launches)
    for name, text, verdict in (("same", TEXT.replace("[get_global_id(0)] = 1", "[99 - get_global_id(0)] = 1"), "equal"),
                                ("other", TEXT.replace("= 1; }", "= 2; }"), "different"),
                                ("sized", TEXT.replace("= 1; }", "= 1 + (get_local_size(0) == 4); }"), "different")):
        new = recording(tmp_path / name, text, [("put", (100,), (25,), 100)] if name == "same" else launches)
        done = run("equiv", "--launches", old, new, "--format", "jsonl")
        assert [each["verdict"] for each in done.records] == [verdict], name
