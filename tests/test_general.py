"""What a launch is generalised to: every launch that is said to be covered is proved when it is asked about, and those that only
look alike are not covered."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from conftest import Run
from opencl_host import HERE, built, needs_opencl

from automata.budget import Budget
from automata.lang.core import Kernel
from automata.lang.launch import Launch, in_elements
from automata.lang.read import find_kernels
from automata.verdict import Verdict
from spmd.checked import checked
from spmd.recording.general import General, generalise
from spmd.recording.implied import fewer
from spmd.recording.points import holds, points_of

KERNELS = """
__kernel void guarded(__global float *x, float by, int n) { int i = get_global_id(0); if (i < n) x[i] *= by; }
__kernel void whole(__global int *x) { x[get_global_id(0)] = 1; }
__kernel void turned(__global int *x, __local int *t) {
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = t[n - 1 - l]; }
__kernel void strided(__global int *x, int n, int stride) { int i = get_global_id(0); if (i < n) x[i * stride] = i; }
__kernel void shifted(__global int *x, int n, int by) { int i = get_global_id(0); if (i + by < n) x[i + by] = i; }
__kernel void summed(__global const float *x, __global float *y, __local float *t) {
    int l = get_local_id(0); t[l] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) y[get_group_id(0)] = t[0]; }
__kernel void narrow(__global int *x, uchar n) { int i = get_global_id(0); if (i < n) x[i] = n; }
__kernel void tiled(__global int *x, int n) {
    __local int t[64]; int l = get_local_id(0); t[l] = n; barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) < n) x[get_global_id(0)] = t[63 - l]; }
__kernel void slots(__global int *x, int n) { int i = get_global_id(0); if (i < n) x[i % 256] = i; }
__kernel void endless(__global int *x, int n) { int i = 0; while (i != n) i += 2; x[get_global_id(0)] = i; }
"""
LAUNCHES = {
    "guarded": ((4, 64), {"n": 250, "by": 2.0}, {"x": 250}), "whole": ((4, 64), {}, {"x": 256}),
    "turned": ((4, 64), {}, {"x": 256, "t": 64}), "strided": ((4, 64), {"n": 250, "stride": 2}, {"x": 500}),
    "shifted": ((4, 64), {"n": 250, "by": 3}, {"x": 250}), "summed": ((4, 64), {}, {"x": 256, "y": 4, "t": 64}),
    "narrow": ((4, 64), {"n": 200}, {"x": 200}), "tiled": ((4, 64), {"n": 250}, {"x": 250}),
    "slots": ((4, 64), {"n": 250}, {"x": 256}), "endless": ((4, 64), {"n": 8}, {"x": 256})}


def launch(kernel: Kernel, grid: int, block: int, args: dict[str, int | float | str], extents: dict[str, int | str]) -> Launch:
    return Launch((grid, 1, 1), (block, 1, 1), args, extents=in_elements(extents, kernel))


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kernel]:
    file = tmp_path_factory.mktemp("kernels") / "k.cl"
    file.write_text(KERNELS)
    return {item.name: item.read() for item in find_kernels(str(file))}


def found(kernel: Kernel) -> General | None:
    (grid, block), args, extents = LAUNCHES[kernel.name]
    at = launch(kernel, grid, block, dict(args), dict(extents))
    report, _ = checked(kernel, at, False, Budget.of(20))
    assert report.verdict is Verdict.PROVED
    return generalise(kernel, at, report, points_of(at, None), strict=False, budget=Budget.of(20))


@pytest.mark.sliced(2)
@pytest.mark.parametrize("name", LAUNCHES)
def test_what_is_covered_is_proved(name: str, kernels: dict[str, Kernel], request: pytest.FixtureRequest) -> None:
    kernel = kernels[name]
    general = found(kernel)
    if name == "endless":
        assert general is None or f"n == {LAUNCHES[name][1]['n']}" in general.requires
        return
    assert general is not None
    draw, covered = random.Random(name), 0
    for _ in range(200):
        (grid, block), args, extents = LAUNCHES[name]
        other_args: dict[str, int | float | str] = {key: draw.choice([value, value * 2, 0, 1, -1, 255, 65537, int(value) + 1])
                                                    if key != "by" or name != "guarded" else value for key, value in args.items()}
        if "n" in args and kernel.params[-1].type.bits == 8:
            other_args["n"] = int(other_args["n"]) % 256
        other_extents: dict[str, int | str] = {key: draw.choice([value, value - 1, value * 2, 0, value * 9])
                                               for key, value in extents.items()}
        at = launch(kernel, draw.choice([grid, 1, 2, 7]), draw.choice([block, 1, 32, 96, 128, 2048]), other_args, other_extents)
        if general.covers(kernel, at.extents, points_of(at, None)):
            covered += 1
            if covered <= 6:
                report, _ = checked(kernel, at, False, Budget.of(20))
                assert report.verdict is Verdict.PROVED, (at, str(general))
    assert covered


def test_what_only_looks_alike_is_not_covered(kernels: dict[str, Kernel]) -> None:
    kernel = kernels["guarded"]
    general = found(kernel)
    assert general is not None and str(general) == "x[n]"
    for grid, block, n, extent, is_covered in (
            ((4, 1, 1), (64, 1, 1), 250, 250, True), ((99, 1, 1), (128, 1, 1), 7000, 9000, True),
            ((4, 1, 1), (64, 1, 1), 0, 1, True),
            ((4, 1, 1), (64, 1, 1), 251, 250, False),       # a buffer that is too short
            ((4, 2, 1), (64, 1, 1), 250, 250, False),       # two rows of blocks that write the same
            ((4, 1, 1), (64, 2, 1), 250, 250, False),
            ((4, 1, 1), (2048, 1, 1), 250, 250, False),     # beyond the limits that the proof assumes
            ((1 << 30, 1, 1), (64, 1, 1), 250, 250, False)):  # the index wraps
        at = Launch(grid, block, {"n": n, "by": 1.0}, extents={"x": extent})
        assert general.covers(kernel, at.extents, points_of(at, None)) is is_covered, at
    assert not general.covers(kernel, {}, points_of(Launch((4, 1, 1), (64, 1, 1), {"n": 250}), None))
    assert not general.covers(kernel, {"x": 250}, [])
    assert not general.covers(kernel, {"x": 250}, points_of(Launch((4, 1, 1), (64, 1, 1), {}), None))


def test_a_local_size_left_to_the_implementation_is_every_one(kernels: dict[str, Kernel]) -> None:
    general = found(kernels["tiled"])
    assert general is not None and "blockDim.x" in str(general)
    at = Launch((None, 1, 1), (None, 1, 1), {"n": 250}, extents={"x": 250})
    assert len(points_of(at, (256,))) == 9
    assert not general.covers(kernels["tiled"], at.extents, points_of(at, (256,)))
    assert points_of(at, None) == []


@pytest.mark.parametrize(("requires", "said"), [
    ("blockDim.x >= 4, blockDim.x >= 2, blockDim.x >= 64, blockDim.x % 32 == 0, blockDim.x <= 64", "blockDim.x == 64"),
    ("n > 0, n <= 1024, n % 4 == 0, n % 2 == 0", "n > 0, n <= 1024, n % 4 == 0"),
    ("n > 0, n <= 1024, blockDim.x >= 3, n % 2 == 0, blockDim.x >= 4, stride > 0",
     "n > 0, n <= 1024, n % 2 == 0, blockDim.x >= 4, stride > 0"),
    ("gridDim.x >= 2, gridDim.x >= 3", "gridDim.x >= 2, gridDim.x >= 3"),  # up to a size that cannot be tried
    ("n <= 1024, n <= 64", "n <= 1024, n <= 64"),  # negative ones cannot be tried
    ("n > 0, n <= 1024, n <= 64", "n > 0, n <= 1024, n <= 64"),  # the ends stay
    ("n <= stride, n > 0, n <= 1024", "n <= stride, n > 0, n <= 1024"),
])
def test_requirements_in_fewer_words(requires: str, said: str, kernels: dict[str, Kernel]) -> None:
    kernel, before = kernels["strided"], tuple(requires.split(", "))
    after = fewer(before, kernel)
    assert ", ".join(after) == said
    for n, wide in product((-1, 0, 1, 2, 4, 6, 64, 1023, 1024, 1025, 4096), (1, 2, 3, 4, 63, 64, 96, 1024)):
        point = {"n": n, "stride": 7, "blockDim.x": wide, "gridDim.x": wide}
        assert all(holds(text, kernel, point) for text in before) == all(holds(text, kernel, point) for text in after)


def test_fewer_launches_are_asked_about(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, run: Run) -> None:
    from test_recording import record

    needs_opencl()
    app = built(tmp_path_factory.mktemp("app"), HERE / "app.c")
    record(tmp_path / "cache", tmp_path / "r", app, "many")
    one_by_one, general = (run("check", tmp_path / "r", "--format", "jsonl", *more) for more in ((), ("--generalise",)))
    assert [len(each.records) for each in (one_by_one, general)] == [15, 15]
    assert "15 launches: 10 covered, 5 proved; 5 were asked about" in general.err
    assert {record["verdict"] for record in (*one_by_one.records, *general.records)} == {"proved"}
    assert {record["generalised"]["text"] for record in general.records if "generalised" in record} == {"x[n]"}
    assert all(record["covered"]["by"] in "12345" for record in general.records if "covered" in record)
    assert json.loads((tmp_path / "r" / "recording.json").read_text())["runs"][0]["status"] == 0
    assert run("check", "--launches", __file__, "--generalise").status == 2
