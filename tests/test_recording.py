"""Launches recorded from applications that run on PoCL, held to what the host code says; applications that are hard to record.

What `spmd record` is called as: a process of its own, since it runs the application in its own terminal, group and descriptors.
"""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from opencl_host import HERE, built, compiler, needs_opencl
from recorded import checks, record, spent, told

from spmd.recording.read import read_recording


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs_opencl()
    return built(tmp_path_factory.mktemp("app"), HERE / "app.c")


def line_of(text: str) -> int:
    """Where the application has this text."""
    return next(number for number, line in enumerate((HERE / "app.c").read_text().splitlines(), 1) if text in line)


def test_launches_are_recorded_as_the_host_makes_them(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    plain = subprocess.run([app, "5"], capture_output=True, text=True, check=False)
    done = record(cache, tmp_path / "r", app, "5")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (5, "done\n")
    assert done.stderr == f"spmd: 9 launches of 5 kernels, 7 distinct: spmd launches {tmp_path}/r, spmd check {tmp_path}/r\n"
    recording = read_recording(str(tmp_path / "r"))
    scalars = {"by": 2.0, "n": 100}
    assert told(recording) == [
        ("scale", 3, (128,), (64,), scalars), ("scale", 1, (128,), None, scalars),
        ("add", 1, (128,), (32,), {"n": 100}), ("add", 1, (128,), (32,), {"n": 100}),
        ("rows", 1, (12, 6), (4, 3), {}), ("shifted", 1, (64,), (64,), {"p.n": 50, "p.by": 3.0, "at.x": 1, "at.y": 2}),
        ("turned", 1, (96,), (16,), {})]
    args = [launch.shape.args or () for launch in recording.launches]
    assert [(each.kind, each.size, each.root) for each in args[2][:2]] == [("buffer", 400, 0), ("buffer", 400, 1)]
    assert [(each.kind, each.size, each.root) for each in args[3][:2]] == [("buffer", 400, 0), ("buffer", 400, 0)]
    assert (args[6][1].kind, args[6][1].size) == ("local", 64)
    text = (tmp_path / "r" / "contents" / str(recording.launches[0].shape.program.content)).read_text()
    assert text.startswith("struct pair") and "turned" in text and recording.launches[0].shape.program.options == "-D WIDTH=7"
    listed = run("launches", tmp_path / "r").out
    assert f"app.c:{line_of('clEnqueueNDRangeKernel(queue, rows')}" in listed and "the memory of x" in listed
    checked = run("check", tmp_path / "r", "--format", "jsonl")
    assert [record["verdict"] for record in checked.records] == ["proved"] * 7
    assert checked.records[0]["launched"]["times"] == 3
    assert checked.records[3]["launch"]["aliases"] == [["x", "y"]]
    one = checks(run, "--launches", tmp_path / "r", "--launch", 5)
    assert [(each["id"], each["kernel"]) for each in one] == [("5", "rows")]
    jsonl = tmp_path / "launches.jsonl"
    jsonl.write_text(run("launches", tmp_path / "r", "--format", "jsonl").out)
    again = checks(run, "--launches", jsonl)
    assert [record["verdict"] for record in again] == ["proved"] * 7


def test_only_the_user_reads_a_recording(app: Path, cache: Path, tmp_path: Path) -> None:
    record(cache, tmp_path / "r", app)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "r", *(tmp_path / "r").rglob("*")]}
    assert {mode & 0o077 for mode in modes.values()} == {0}, modes
    again = record(cache, tmp_path / "r", app)
    assert again.returncode == 2 and "holds a recording already" in again.stderr
    more = record(cache, tmp_path / "r", app, options=("--add", "--quiet"))
    assert (more.returncode, more.stderr) == (0, "")
    assert read_recording(str(tmp_path / "r")).launches[0].count == 6


@pytest.mark.sliced(2)
@pytest.mark.parametrize(("shape", "status", "launches"), [
    ("forks", 0, [("scale", 1, 100), ("scale", 1, 90)]),
    ("forks_late", 0, [("scale", 2, 100)]),
    ("crashes", 134, [("scale", 1, 100)]),
    ("threads", 0, [("scale", 50, 90 + number) for number in range(8)]),
    ("releases", 0, [("one", 3, None), ("two", 3, 64)]),
    ("idle", 0, [("scale", 0, 100)]),
    ("binary", 0, [("scale", 1, None)]),
])
def test_applications_that_are_hard_to_record(shape: str, status: int, launches: list[tuple[Any, ...]], app: Path, cache: Path,
                                              tmp_path: Path) -> None:
    plain = subprocess.run([app, shape], capture_output=True, text=True, check=False)
    done = record(cache, tmp_path / "r", app, shape)
    assert done.stdout == plain.stdout
    assert done.returncode == status == (plain.returncode if plain.returncode >= 0 else 128 - plain.returncode)
    found = [(kernel, count, values.get("n")) for kernel, count, _, _, values in told(read_recording(str(tmp_path / "r")))]
    assert sorted(found, key=str) == sorted(launches, key=str)


def test_what_has_no_source_is_named(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "r", app, "binary")
    done = run("check", tmp_path / "r")
    assert done.status == 4 and "made from a binary" in done.out
    record(cache, tmp_path / "none", app, "idle")
    assert "1 refused" in run("launches", tmp_path / "none").out
    assert run("check", tmp_path / "none").status == 2


def test_programs_from_il_and_of_the_device_are_named(cache: Path, tmp_path: Path, run: Run) -> None:
    """By an implementation that takes them: a layer before the real one, which has it build a text of its own."""
    needs_opencl()
    layer = tmp_path / "il.so"
    subprocess.run([compiler() or "cc", "-shared", "-fPIC", "-I", str(HERE), "-o", str(layer), str(HERE / "il.c")], check=True)
    (tmp_path / "script.py").write_text(FROM_IL)
    env = {"OPENCL_LAYERS": str(layer)}
    done = record(cache, tmp_path / "r", sys.executable, "-W", "ignore", tmp_path / "script.py", env=env)
    assert done.returncode == 0 and "2 launches of 2 kernels, 2 distinct" in done.stderr, done
    records = checks(run, tmp_path / "r")
    assert [each["verdict"] for each in records] == ["unsupported"] * 2
    assert "made from IL (20 bytes" in records[0]["reason"] and "built into the device (one)" in records[1]["reason"]


FROM_IL = """import pyopencl, pyopencl._cl as low
context = pyopencl.create_some_context(interactive=False)
queue, x = pyopencl.CommandQueue(context), pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 64)
for program in (low._create_program_with_il(context, bytes([3, 2, 35, 7]) + bytes(16)),
                low._Program.create_with_built_in_kernels(context, context.devices, "one")):
    program._build(b"")
    one = pyopencl.Kernel(program, "one")
    one.set_args(x)
    pyopencl.enqueue_nd_range_kernel(queue, one, (16,), (8,))
queue.finish()
"""


def test_sub_buffers_shared_memory_and_images(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "r", app, "shares")
    recording = read_recording(str(tmp_path / "r"))
    args = [launch.shape.args or () for launch in recording.launches]
    assert [(each.root, each.offset, each.size) for each in args[0][:2]] == [(0, 0, 2048), (0, 2048, 2048)]
    kinds = [each.kind for each in args[-1]]
    assert kinds == ["image", "sampler", "buffer"]
    verdicts = [record["verdict"] for record in checks(run, tmp_path / "r")]
    assert set(verdicts) == {"proved"}, "the second works in place"
    svm = [each for launch in args for each in launch if each.kind == "svm"]
    assert all((each.offset, each.size) == (2048, 2048) for each in svm)


def test_headers_are_recorded_as_they_were(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "include" / "sub").mkdir(parents=True)
    (tmp_path / "include" / "size.h").write_text('#include "sub/width.h"\n')
    (tmp_path / "include" / "sub" / "width.h").write_text("#define SIZE 4\n")
    record(cache, tmp_path / "r", app, "headers", env={"HEADERS": str(tmp_path)})
    (tmp_path / "include" / "sub" / "width.h").write_text("#error changed since\n")
    done = run("check", tmp_path / "r", "--format", "jsonl")
    assert [(each["kernel"], each["verdict"]) for each in done.records] == [("sized", "proved"), ("linked", "proved")]


def test_offsets_and_smaller_last_groups(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "r", app, "offsets")
    recording = read_recording(str(tmp_path / "r"))
    assert [launch.shape.offset for launch in recording.launches] == [(36,), (37,), (), (37,)]
    for options in ((), ("--generalise",)):
        found = {each["id"]: each for each in checks(run, tmp_path / "r", *options)}
        assert [found[name]["verdict"] for name in "124"] == ["proved", "proved", "refuted"], "101 elements are there, then 100"
        assert "the global work offset is 36" in found["1"]["assumptions"]
        assert "3" not in found or found["3"]["verdict"] == "proved", "PoCL 3.0 refuses it: the last work-groups are smaller"


def test_ten_thousand_launches_cost_little_and_are_solved_once_each(app: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "first", app)
    began = spent()
    subprocess.run([app, "many"], check=True)
    between = spent()
    done = record(cache, tmp_path / "r", app, "many")
    assert min(last - 2 * middle + first for first, middle, last in zip(began, between, spent(), strict=True)) < 2
    assert "10000 launches of 5 kernels, 15 distinct" in done.stderr
    records = checks(run, tmp_path / "r")
    assert len(records) == 15 and {record["verdict"] for record in records} == {"proved"}
    assert sum(record["launched"]["times"] for record in records) == 10000


def test_a_script_in_python(cache: Path, tmp_path: Path, run: Run) -> None:
    needs_opencl()
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = record(cache, tmp_path / "r", sys.executable, script)
    assert (done.returncode, done.stdout) == (7, "[3. 3. 3.]\n")
    recording = read_recording(str(tmp_path / "r"))
    assert told(recording) == [("fill", 4, (64,), (16,), {"n": 50, "by": 3.0})]
    assert [(site.file, site.line) for site in recording.launches[0].sites] == [(str(script), 7)]
    assert [record["verdict"] for record in checks(run, tmp_path / "r")] == ["proved"]


SCRIPT = '''import numpy, pyopencl as cl
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "".join(["__kernel void fill(__global float *x, int n, float by)",
                                       "{ int i = get_global_id(0); if (i < n) x[i] = by; }"])).build()
x, fill, result = cl.Buffer(context, cl.mem_flags.READ_WRITE, 200), program.fill, numpy.empty(3, numpy.float32)
for turn in range(4): fill(queue, (64,), (16,), x, numpy.int32(50), numpy.float32(3))
cl.enqueue_copy(queue, result, x)
print(result)
raise SystemExit(7)
'''


def test_padding_tells_no_launches_apart(cache: Path, tmp_path: Path, run: Run) -> None:
    needs_opencl()
    (tmp_path / "script.py").write_text(PADDED)
    assert record(cache, tmp_path / "r", sys.executable, tmp_path / "script.py").returncode == 0
    assert len(read_recording(str(tmp_path / "r")).launches) == 7
    found = checks(run, tmp_path / "r")
    assert [(each["id"], each["launched"]["times"]) for each in found] == [("1", 3), ("4", 1), ("5", 2), ("7", 1)]
    assert [each["launch"]["args"].get("p.n") for each in found] == [5, 6, None, None]
    assert "put: 4 launches, 2 distinct" in run("launches", tmp_path / "r").out


PADDED = '''import numpy, pyopencl as cl
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, """typedef struct { uchar c; int n; } pair;
__kernel void put(__global int *x, pair p) { int i = get_global_id(0); if (i < p.n) x[i] = p.c; }
__kernel void add(__global float *x, float3 v) { int i = get_global_id(0); x[i] = v.x + v.y + v.z; }""").build()
x, put, add = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64), program.put, program.add
pair = numpy.dtype([("c", "u1"), ("padding", "u1", 3), ("n", "i4")])
for n, padding in (5, 0), (5, 17), (5, 255), (6, 1): put(queue, (16,), (8,), x, numpy.array((1, (padding, 0, 9), n), pair))
for v in (1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 4, 4): add(queue, (16,), (8,), x, numpy.array(v, numpy.float32))
queue.finish()
'''


def test_a_full_disk_is_told_and_changes_nothing(app: Path, cache: Path, tmp_path: Path) -> None:
    """A library that lets no file grow, loaded with the recorder, as a full disk would."""
    full = tmp_path / "full.so"
    subprocess.run([compiler() or "cc", "-shared", "-fPIC", "-o", str(full), str(HERE / "full.c")], check=True)
    done = record(cache, tmp_path / "r", app, "5", env={"LD_PRELOAD": str(full)})
    assert (done.returncode, done.stdout) == (5, "done\n")
    assert "not everything could be written" in done.stderr


def test_what_is_cut_off_is_told(app: Path, cache: Path, tmp_path: Path) -> None:
    record(cache, tmp_path / "r", app)
    file = next((tmp_path / "r" / "processes").glob("*.jsonl"))
    file.write_bytes(file.read_bytes()[:-30])
    recording = read_recording(str(tmp_path / "r"))
    assert len(recording.launches) == 6 and any("cut off" in note for note in recording.notes)


def test_where_nothing_can_be_recorded(cache: Path, tmp_path: Path) -> None:
    none = record(cache, tmp_path / "r", "/bin/sh", "-c", "exit 3")
    assert none.returncode == 3 and "no launch was seen" in none.stderr
    (tmp_path / "file").write_text("")
    assert "this is a file" in record(cache, tmp_path / "file", "/bin/true").stderr
    missing = record(cache, tmp_path / "r2", "no-such-program")
    assert missing.returncode == 2 and "no program that is there" in missing.stderr and not (tmp_path / "r2").exists()
    locked = record(cache, Path("/proc/nowhere"), "/bin/true")
    assert locked.returncode == 2 and "cannot be written there" in locked.stderr


def test_a_static_program_is_told(cache: Path, tmp_path: Path) -> None:
    if compiler() is None:
        pytest.skip("no C compiler")
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([compiler() or "cc", "-static", "-o", str(tmp_path / "main"), str(tmp_path / "main.c")], check=True)
    done = record(cache, tmp_path / "r", tmp_path / "main")
    assert done.returncode == 2 and "linked statically" in done.stderr


def test_no_compiler_is_told(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    done = record(tmp_path / "empty", tmp_path / "r", "/bin/true", env={"PATH": str(tmp_path / "bin"), "CC": ""})
    assert done.returncode == 2 and "no C compiler" in done.stderr
    wrong = record(tmp_path / "empty", tmp_path / "r", "/bin/true", env={"CC": "no-such-compiler -m64"})
    assert wrong.returncode == 2 and "CC names 'no-such-compiler'" in wrong.stderr


def test_a_recording_is_not_believed_blindly(tmp_path: Path, run: Run) -> None:
    assert "no recording here" in run("launches", tmp_path).err
    (tmp_path / "recording.json").write_text(json.dumps({"schema": "spmd-recording/9", "runs": []}))
    assert "version 'spmd-recording/9'" in run("launches", tmp_path).err
    (tmp_path / "recording.json").write_text(json.dumps({"schema": "spmd-recording/1", "runs": []}))
    (tmp_path / "processes").mkdir()
    evil = {"event": "program", "number": 0, "kind": "source", "content": "../../etc/passwd", "options": ""}
    (tmp_path / "processes" / "1-0.jsonl").write_text(f"{json.dumps(evil)}\n" + '{"event": "launch", "number": 1}\n')
    assert "damaged" in run("launches", tmp_path).out
