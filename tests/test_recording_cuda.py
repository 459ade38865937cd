"""Launches recorded from applications of CUDA, through the driver, through a runtime, and with NVRTC; held to what the host code
says and to what the driver was given. The driver is a stand-in of the tests' own: no GPU is needed."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import cuda_host
import pytest
from conftest import Run
from cuda_host import around, launched, with_runtime
from opencl_host import HERE, compiler
from recorded import checks, record, spent, told

from spmd.recording.read import Recording, read_recording
from spmd.recording.symbols import Symbol, symbol_of


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cuda_host.built(tmp_path_factory.mktemp("cuda"))


def line_of(file: str, text: str) -> int:
    return next(number for number, line in enumerate((HERE / file).read_text().splitlines(), 1) if text in line)


def as_given(recording: Recording) -> Counter[tuple[str, tuple[int, ...]]]:
    """How often each launch was accepted, as the driver writes it down."""
    found: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for launch in recording.launches:
        shape = launch.shape
        found[shape.symbol, (*(shape.grid or ()), *(shape.block or ()), shape.shared or 0)] += launch.count
    return +found


@pytest.mark.parametrize("kind", ["stand-in", "NVRTC"])
def test_the_driver_and_what_is_compiled_while_it_runs(kind: str, host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    library = str(host.parent / "libnvrtc.so") if kind == "stand-in" else cuda_host.nvrtc()
    if not library:
        pytest.skip("package nvidia-cuda-nvrtc is not installed")
    env = around(host.parent, NVRTC=library)
    plain = subprocess.run([host, "5"], env=env, capture_output=True, text=True, check=False)
    done = record(cache, tmp_path / "r", host, "5", env=env)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (5, "")
    recording = read_recording(str(tmp_path / "r"))
    assert [(each[0], each[1], each[4]) for each in told(recording)] == [
        ("shift", 1, {"n": 100, "by": -2}), ("shift", 1, {"n": 50, "by": 7}), ("set<4>", 1, {}), ("shift", 1, {"n": 0, "by": -2})]
    program = recording.launches[0].shape.program
    assert (program.language, program.options, program.names) == ("cuda", "'-DWIDTH=(5 + 2)' --std=c++17", "set<4>")
    assert [header.name for header in program.headers] == ["amount.h"]
    records = checks(run, tmp_path / "r")
    assert [each["verdict"] for each in records] == ["proved"] * 4
    assert records[0]["launched"]["at"] == [f"{HERE}/cuda_host.c:{line_of('cuda_host.c', 'shift, 2, 1, 1, 64')}"]
    covered = checks(run, tmp_path / "r", "--generalise")
    assert len(covered) == 4 and any("covered" in each for each in covered)


def test_modules_of_which_no_text_is_seen(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    module = tmp_path / "module.ptx"
    module.write_text(".version 6.4\n.visible .entry bare(\n .param .u64 a,\n .param .align 8 .b8 b[12]\n)\n{ }\n")
    record(cache, tmp_path / "r", host, "bare", env=around(host.parent, MODULE=str(module)))
    recording = read_recording(str(tmp_path / "r"))
    one, two = recording.launches
    assert [[(each.kind, each.size, each.offset) for each in launch.shape.args or ()] for launch in (one, two)] == [
        [("buffer", 48, 16), ("value", 12, 0)]] * 2
    assert one.shape.args[1].value == bytes([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]) if one.shape.args else False
    assert one.shape.program.names.endswith("host") and two.shape.program.names == str(module)
    assert any("graphs" in note for note in recording.notes)
    done = run("check", tmp_path / "r")
    assert done.status == 4 and "give its .cu files" in done.out
    source = tmp_path / "src" / "bare.cu"
    source.parent.mkdir()
    source.write_text('struct three { int a, b, c; };\n'
                      'extern "C" __global__ void bare(int *x, three v) { x[threadIdx.x] = v.b; }\n')
    assert f"from {source}:2, given with --sources" in run("launches", tmp_path / "r", "--sources", source.parent).out
    found = checks(run, tmp_path / "r")
    assert [each["verdict"] for each in found] == ["refuted"] * 2, "32 threads write where 12 elements are"
    assert f"{source}:2" in " ".join(found[0]["assumptions"])


def fat_binary(block: bytes, whole: int, flags: int) -> bytes:
    """A fat binary of one part, PTX, as `block` has it: `whole` bytes once it is unpacked."""
    padded = block + bytes(-len(block) % 8)
    part = struct.pack("<HHIQ6IQQQ", 1, 0x101, 64, len(padded), len(block), *[0] * 5, flags, 0, whole) + padded
    return struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(part)) + part


PTX = b".version 6.4\n.visible .entry bare(\n .param .u64 a,\n .param .u64 c\n)\n{ }\n"
AGAIN = PTX.index(b".param .u64 c")
BEGIN = bytes([0xf8, AGAIN - 15]) + PTX[:AGAIN]
"""By LZ4 the text up to its second parameter, which begins with the twelve bytes that the first begins with: a match follows."""


@pytest.mark.parametrize(("block", "whole", "flags", "sizes"), [
    (PTX, 0, 0x11, [8, 8]),
    (BEGIN + bytes([16, 0, (len(PTX) - AGAIN - 12) << 4]) + PTX[AGAIN + 12:], len(PTX), 0x2011, [8, 8]),
    (BEGIN + bytes([255, 0, 0]), len(PTX), 0x2011, None),
    (bytes([0xff, 255]), len(PTX), 0x2011, None),
    (PTX, len(PTX), 0x8011, None),
])
def test_parameters_from_a_fat_binary(block: bytes, whole: int, flags: int, sizes: list[int] | None, host: Path, cache: Path,
                                      tmp_path: Path) -> None:
    """Plain, by LZ4, with a match before the beginning, cut off, and by a method that is not read."""
    module = tmp_path / "module.fatbin"
    module.write_bytes(fat_binary(block, whole, flags))
    done = record(cache, tmp_path / "r", host, "bare", env=around(host.parent, MODULE=str(module)))
    assert done.returncode == 0
    args = read_recording(str(tmp_path / "r")).launches[1].shape.args
    assert (args if args is None else [each.size if each.kind == "value" else 8 for each in args]) == sizes


def test_applications_that_are_hard_to_record(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "r", host, "releases", env=around(host.parent))
    assert [each[:2] for each in told(read_recording(str(tmp_path / "r")))] == [("one", 3), ("two", 3)]
    assert [each["verdict"] for each in checks(run, tmp_path / "r")] == ["proved"] * 2
    idle = record(cache, tmp_path / "none", host, "idle", env=around(host.parent))
    assert (idle.returncode, idle.stdout) == (0, "1\n") and "1 refused" in run("launches", tmp_path / "none").out


def test_ten_thousand_launches(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "first", host, "5", env=around(host.parent))
    began = spent()
    done = record(cache, tmp_path / "r", host, "many", env=around(host.parent, STANDIN_LOG=""))
    assert min(last - first for first, last in zip(began, spent(), strict=True)) < 2.5, "of which half a second is spmd's start"
    assert "10000 launches of 5 kernels, 15 distinct" in done.stderr
    assert "5 were asked about" in run("check", tmp_path / "r", "--generalise").err


@pytest.mark.sliced(2)
@pytest.mark.parametrize(("is_static", "packed"), [(True, "none"), (True, "speed"), (False, "none")])
def test_programs_of_the_runtime(is_static: bool, packed: str, cache: Path, tmp_path: Path, run: Run) -> None:
    cuda_host.needs_nvcc()
    app = with_runtime(tmp_path, is_static=is_static, packed=packed)
    env = around(tmp_path, **({} if is_static else {"STANDIN_PARAMS": "_Z5scalePffi:0/8,8/4,12/4"}))
    plain = subprocess.run([app, "5"], env={**env, "STANDIN_LOG": ""}, capture_output=True, text=True, check=False)
    done = record(cache, tmp_path / "r", app, "5", env=env, options=("--sources", str(HERE / "cuda_app.cu")))
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (5, "an error\ndone\n")
    recording = read_recording(str(tmp_path / "r"))
    assert as_given(recording) == Counter(launched(tmp_path)) and sum(as_given(recording).values()) == 11
    assert [(each[0], each[1], each[4]) for each in told(recording)] == [
        ("scale", 3, {"by": 2.0, "n": 100}), ("add", 1, {"n": 100}), ("add", 1, {"n": 100}), ("add", 1, {"n": 50}),
        ("fill<int>", 1, {"value": 7, "n": 100}), ("fill<float>", 1, {"value": 0.5, "n": 100}),
        ("app::moved", 1, {"view.count": 32, "by": 3, "tag": 97, "value": 1.5}), ("turned", 1, {}),
        ("scale", 0, {"by": 2.0, "n": 100}), ("scale", 1, {"by": 3.0, "n": 90})]
    assert recording.launches[0].shape.told_by == ("ptx" if is_static else "driver")
    records = checks(run, tmp_path / "r")
    assert [each["verdict"] for each in records] == ["proved"] * 3 + ["unsupported"] + ["proved"] * 5
    assert [each["launched"]["at"] for each in records[:2]] == [[f"{HERE}/cuda_app.cu:{line_of('cuda_app.cu', text)}"]
                                                                for text in ("scale<<<2, 64>>>(x, 2", "add<<<dim3")]
    assert records[6]["launch"]["args"]["tag"] == 97 and "kernels.cuh" in " ".join(records[0]["assumptions"])


def test_forks_crashes_and_threads(cache: Path, tmp_path: Path) -> None:
    cuda_host.needs_nvcc()
    app = with_runtime(tmp_path, is_static=True)
    for shape, status, expected in (("forks", 0, [(1, 90), (1, 100)]), ("crashes", 134, [(1, 100)]),
                                    ("threads", 0, [(50, 90 + number) for number in range(8)])):
        done = record(cache, tmp_path / shape, app, shape, env=around(tmp_path), options=("--sources", str(HERE / "cuda_app.cu")))
        found = [(count, values["n"]) for _, count, _, _, values in told(read_recording(str(tmp_path / shape)))]
        assert (done.returncode, sorted(found)) == (status, expected)


def test_the_runtime_of_nvidia_is_as_it_was(cache: Path, tmp_path: Path) -> None:
    """It refuses the stand-in driver, with and without the recorder in the same way."""
    cuda_host.needs_nvcc()
    app = with_runtime(tmp_path, is_static=True, real=True)
    plain = subprocess.run([app, "5"], env=around(tmp_path), capture_output=True, text=True, check=False)
    done = record(cache, tmp_path / "r", app, "5", env=around(tmp_path))
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)


def test_which_source_it_is_is_never_guessed(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    module = tmp_path / "m.ptx"
    module.write_text(".entry bare( .param .u64 a, .param .u32 n ) { }\n")
    kernel = 'extern "C" __global__ void bare(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n'
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "k.cu").write_text(kernel)
    (tmp_path / "other.cu").write_text("__global__ void other(int *x) { x[0] = 1; } // not bare\n")
    (tmp_path / "broken.cu").write_text("__axiom(1);\n__global__ void bare(int *x, int n) { }\n")
    env = around(host.parent, MODULE=str(module))

    def reason(*paths: str) -> str:
        target = tmp_path / f"r{len(list(tmp_path.iterdir()))}"
        options = tuple(word for path in paths for word in ("--sources", str(tmp_path / path)))
        record(cache, target, host, "bare", env=env, options=options)
        return str(checks(run, "--launches", target, "--launch", 2)[0].get("reason"))

    both = reason("one", "two")
    assert "not certain" in both and "one/k.cu:1" in both and "two/k.cu:1" in both
    assert "in none of the" in reason("other.cu") and "cannot be read" in reason("one", "broken.cu")
    assert reason("one/k.cu", "other.cu") == "None"
    missing = record(cache, tmp_path / "x", host, "bare", env=env, options=("--sources", "nowhere"))
    assert missing.returncode == 2 and "no such file or folder" in missing.stderr


def test_an_argument_set_free(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    record(cache, tmp_path / "r", host, "5", env=around(host.parent))

    def verdict(*options: str) -> str:
        return str(checks(run, "--launches", tmp_path / "r", "--launch", 1, *options)[0]["verdict"])

    assert verdict() == "proved" and verdict("--arg", "n=*") == "refuted", "100 elements are there"
    assert verdict("--arg", "n=*", "--require", "n <= 100") == verdict("--arg", "n=*", "--arg", "x=*") == "proved"
    for option, said in (("n=5", "sets one free"), ("m=*", "there is: n, by, x")):
        done = run("check", "--launches", tmp_path / "r", "--launch", 1, "--arg", option)
        assert done.status == 2 and said in done.err
    assert "for one launch" in run("check", tmp_path / "r", "--arg", "n=*").err


def test_before_and_after(host: Path, cache: Path, tmp_path: Path, run: Run) -> None:
    module = tmp_path / "m.ptx"
    module.write_text(".entry bare( .param .u64 a, .param .u32 n ) { }\n")
    for name, value in (("old", "2 * i"), ("new", "i + i"), ("wrong", "i + 3")):
        (tmp_path / f"{name}.cu").write_text('extern "C" __global__ void bare(int *x, int n) {\n'
                                             f"    int i = threadIdx.x;\n    if (i < n) x[i] = {value};\n}}\n")
        record(cache, tmp_path / name, host, "bare", env=around(host.parent, MODULE=str(module)),
               options=("--sources", str(tmp_path / f"{name}.cu")))
    same = run("equiv", "--launches", tmp_path / "old", tmp_path / "new")
    assert "equal" in same.out, same
    assert run("equiv", "--launches", tmp_path / "old", tmp_path / "wrong").status == 1


def test_looking_names_up_is_as_it_was(cache: Path, tmp_path: Path) -> None:
    """Names that the recorder alone has are not there, and `RTLD_NEXT` is about the caller."""
    if compiler() is None:
        pytest.skip("no C compiler")
    (tmp_path / "look.c").write_text(LOOK)
    subprocess.run([compiler() or "cc", "-o", str(tmp_path / "look"), str(tmp_path / "look.c"), "-ldl"], check=True)
    plain = subprocess.run([tmp_path / "look"], capture_output=True, text=True, check=True).stdout
    assert record(cache, tmp_path / "r", tmp_path / "look").stdout == plain == "0 0 0 1 1 1\n"


LOOK = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int puts(const char *text) { return (int)text[0]; }
int main(void)
{
    void *whole = dlopen(NULL, RTLD_NOW);
    printf("%d %d %d ", dlsym(RTLD_DEFAULT, "cuLaunchKernel") != NULL, dlsym(RTLD_DEFAULT, "clEnqueueTask") != NULL,
           dlsym(RTLD_DEFAULT, "cuda_no_such") != NULL);
    return printf("%d %d %d\\n", dlsym(RTLD_NEXT, "puts") != (void *)puts, dlsym(whole, "printf") != NULL,
                  dlsym(RTLD_DEFAULT, "dlsym") != NULL) < 0;
}
"""


def test_symbols() -> None:
    assert symbol_of("_ZN2ns4fillIfLi3EEEvPT_1P") == Symbol("fill<float, 3>", ("ns",), "(float*, P)")
    assert symbol_of("plain") == Symbol("plain") and str(symbol_of("_ZN2ns1kEv")) == "ns::k"
    over = symbol_of("_Z2ovPfi")
    assert over.is_of("ov(float *, int)") and not over.is_of("ov(float *)") and not over.is_of("other") and over.is_of("ov")
    assert symbol_of("_Z2enIL1E1ELj7ELb1EEvPf").is_of("en<(E)1, 7u, true>")


def test_on_a_gpu(cache: Path, tmp_path: Path, run: Run) -> None:
    """NVIDIA's runtime and driver, where there are both."""
    cuda_host.needs_nvcc()
    if not cuda_host.has_gpu():
        pytest.skip("no GPU of NVIDIA's")
    for kind in ("static", "shared"):
        app = tmp_path / f"app-{kind}"
        options = ["-g", "-arch=native", "-cudart", kind, "-o", str(app)]
        subprocess.run([cuda_host.nvcc(), *options, str(HERE / "cuda_app.cu")], check=True)
        done = record(cache, tmp_path / kind, app, "5", options=("--sources", str(HERE / "cuda_app.cu")))
        assert (done.returncode, done.stdout.splitlines()[-1]) == (5, "done"), done
        verdicts = [each["verdict"] for each in checks(run, tmp_path / kind)]
        assert verdicts == ["proved"] * 3 + ["unsupported"] + ["proved"] * 5, sys.executable
