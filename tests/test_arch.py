"""The device that CUDA is compiled for: chosen by --arch or a record, and said where the text asks for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Run

from automata.lang.arch import DEFAULT, arch_macros

Write = Callable[..., Path]
BY_DEVICE = """__global__ void k(int *o) { int t = threadIdx.x;
#if __CUDA_ARCH__ >= 800
  o[0] = t;
#else
  o[t] = t;
#endif
}
"""
ALIKE = "__global__ void k(int *o) { int t = threadIdx.x; o[t] = t; }\n"
LAUNCH = ["--block", 64, "--grid", 1, "--format", "jsonl"]
SAID = "compiled for sm_{0} (__CUDA_ARCH__ == {0}0), which the text asks for: --arch chooses another"


@pytest.mark.parametrize("frontend", ["clang", "c"])
@pytest.mark.parametrize(("given", "device", "verdict"), [
    ([], 70, "proved"), (["--arch", "sm_80"], 80, "refuted"), (["--arch", "compute_90"], 90, "refuted"),
    (["--arch", "75"], 75, "proved"), (["--arch", "sm_90a"], 90, "refuted"), (["--arch", "sm_120"], 120, "refuted"),
    (["-D", "__CUDA_ARCH__=600"], 60, "proved"), (["--arch", "sm_80", "-D", "__CUDA_ARCH__=600"], 60, "proved")])
def test_the_device_decides_what_is_read(given: list[str], device: int, verdict: str, frontend: str, run: Run,
                                         kernel_file: Write) -> None:
    record = run("check", kernel_file(BY_DEVICE), *given, "--frontend", frontend, *LAUNCH).records[0]
    assert record["verdict"] == verdict
    assert SAID.format(device) in record["assumptions"]


ASKS = {
    "a test": ("#if __CUDA_ARCH__ > 100\n#endif", True), "a value": ("int x = __CUDA_ARCH__;", True),
    "a macro of its own": ("#define NEW (__CUDA_ARCH__ >= 800)\n#if NEW\n#endif", True),
    "a macro that nobody uses": ("#define NEW (__CUDA_ARCH__ >= 800)", False),
    "whether it is a device": ("#ifdef __CUDA_ARCH__\n#endif\n#if defined(__CUDA_ARCH__)\n#endif", False),
    "both": ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n#endif", True),
    "text that is left out": ("#if 0\n#if __CUDA_ARCH__ > 100\n#endif\n#endif", False),
    "a comment and a text": ('// __CUDA_ARCH__\nconst char *name = "__CUDA_ARCH__";', False),
    "a value of its own": ("#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ 800\n#if __CUDA_ARCH__ > 100\n#endif", False),
    "the compiler's version": ("#if __CUDACC_VER_MAJOR__ > 11\n#endif", False),
    "a name that is put together": ("#define JOIN(a, b) a##b\n#define OF(a, b) JOIN(a, b)\nint x = OF(__CUDA_, ARCH__);", True),
}


@pytest.mark.parametrize("name", ASKS)
def test_it_is_said_where_the_text_asks(name: str, run: Run, kernel_file: Write) -> None:
    text, asks = ASKS[name]
    record = run("check", kernel_file(f"{text}\n{ALIKE}"), *LAUNCH).records[0]
    assert any("compiled for" in item for item in record["assumptions"]) is asks, record


ABOUT = {
    "the toolkit": ("#if CUDA_VERSION >= 9000\n#endif", "CUDA_VERSION == 12080"),
    "the toolkit, as a value": ("int x = __CUDACC_VER_MAJOR__;", "__CUDACC_VER_MAJOR__ == 12"),
    "a feature": ("#ifdef __CUDA_ARCH_FEAT_SM90_ALL\n#endif", "__CUDA_ARCH_FEAT_SM90_ALL not defined"),
    "a switch of the build": ("#if defined(USE_FAST) && !defined(SLOW)\n#endif", "USE_FAST not defined, SLOW not defined"),
    "a value that is not there": ("#if WIDTH > 4\n#endif", "WIDTH not defined"),
    "through a macro of its own": ("#define OLD (CUDART_VERSION < 12000)\n#if OLD\n#endif", "CUDART_VERSION == 12080"),
    "a constant of a header": ("#ifndef FLT_MAX\n#define FLT_MAX 1e30f\n#endif", "FLT_MAX == 3.40282346638528859812e+38F"),
    "whether a header is there": ("#if __has_include(<cub/cub.cuh>)\n#endif", "__has_include(<cub/cub.cuh>) false"),
    "the language": ("#if __cplusplus >= 201703L\n#endif", "__cplusplus == 201703L"),
    "a guard of its own": ("#ifndef K_H\n#define K_H\n#endif", ""),
    "what a call states": ("#ifdef GIVEN\n#endif", ""),
    "the platform": ("#if defined(__CUDACC__) && defined(_WIN32) || defined(__GNUC__) || defined(__HIPCC__)\n#endif", ""),
    "what is left out": ("#if 0\n#if WIDTH > 4\n#endif\n#endif", ""),
    "what is not reached": ("#define ONE 1\n#if ONE\n#elif WIDTH\n#endif", ""),
}


@pytest.mark.parametrize("name", ABOUT)
def test_what_conditions_were_told_is_said(name: str, run: Run, kernel_file: Write) -> None:
    text, wanted = ABOUT[name]
    path = kernel_file(f"{text}\n{ALIKE}")
    said = [f"the text asks about macros: {wanted}; -D states others"] if wanted else []
    for command, items in (("check", "assumptions"), ("run", "made_up")):
        record = run(command, path, "-D", "GIVEN=1", *LAUNCH).records[0]
        assert [item for item in record[items] if "macros" in item] == said, record


DECIDED = {
    "a list of devices": ("#ifdef __CUDA_ARCH_LIST__", 70, "refuted"), "another compiler": ("#ifdef __llvm__", 70, "proved"),
    "a feature that is not there": ("#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)", 70, "proved"),
    "a feature": ("#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)", "90a", "refuted"),
    "a version": ("#if __CUDACC_VER_MAJOR__ > 12", 70, "proved"),
    "a version that is stated": ("#if CUDA_VERSION > 12999", 70, "refuted"),
}


@pytest.mark.parametrize("name", DECIDED)
def test_macros_of_the_compiler_are_as_it_has_them(name: str, run: Run, kernel_file: Write) -> None:
    condition, arch, verdict = DECIDED[name]
    path = kernel_file(BY_DEVICE.replace("#if __CUDA_ARCH__ >= 800", condition))
    assert run("check", path, "--arch", f"sm_{arch}", "-D", "CUDA_VERSION=13000", *LAUNCH).records[0]["verdict"] == verdict


def test_a_header_of_the_users_asks_too(run: Run, kernel_file: Write) -> None:
    kernel_file("#if __CUDA_ARCH__ >= 800\n#define AT 0\n#else\n#define AT t\n#endif\n", "at.h")
    path = kernel_file('#include "at.h"\n' + ALIKE.replace("o[t]", "o[AT]"))
    for arch, verdict in (("sm_70", "proved"), ("sm_80", "refuted")):
        record = run("check", path, "--arch", arch, *LAUNCH).records[0]
        assert record["verdict"] == verdict and SAID.format(arch[3:]) in record["assumptions"]


def test_a_pair_says_it_for_either_side(run: Run, kernel_file: Write) -> None:
    one, two = kernel_file(BY_DEVICE, "a.cu"), kernel_file(ALIKE, "b.cu")
    for sides, side in (((one, two), "a"), ((two, one), "b")):
        record = run("equiv", *sides, *LAUNCH).records[0]
        assert record["verdict"] == "equal" and f"{side}: {SAID.format(70)}" in record["assumptions"]
        assert run("equiv", *sides, "--arch", "sm_80", *LAUNCH).records[0]["verdict"] == "nondeterministic"


def test_records_and_runs(run: Run, kernel_file: Write, tmp_path: Path) -> None:
    path = kernel_file(BY_DEVICE)
    launch = {"file": str(path), "kernel": "k", "block": [64, 1, 1], "grid": [1, 1, 1]}
    (tmp_path / "l.jsonl").write_text("".join(json.dumps({**launch, "arch": arch}) + "\n" for arch in ("sm_70", "sm_80", "old")))
    records = run("check", "--launches", tmp_path / "l.jsonl", "--format", "jsonl").records
    found = {record["verdict"] for record in records}
    assert found == {"proved", "refuted", "invalid"}
    assert any("architecture 'old'" in record.get("reason", "") for record in records)
    assert "'arch'" in run("check", "--launches", tmp_path / "l.jsonl", "--arch", "sm_80").err
    assert SAID.format(70) in run("run", path, *LAUNCH).records[0]["made_up"]
    ran = run("run", path, "--arch", "sm_80", *LAUNCH)
    assert ran.records[0]["made_up"] and SAID.format(80) not in ran.records[0]["made_up"] and ran.status == 1


@pytest.mark.parametrize("arch", ["sm_8", "8.0", "turing", "sm_800", "", "sm_80a", "sm_", "-1"])
@pytest.mark.parametrize("command", ["check", "equiv", "run", "draw"])
def test_what_is_no_device_is_told_once(command: str, arch: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(ALIKE)
    ran = run(command, path, *([path] if command == "equiv" else []), f"--arch={arch}")
    assert ran.status == 2 and ran.out == "" and ran.err.count("\n") == 1 and f"architecture '{arch}'" in ran.err


def test_opencl_has_no_device_of_cuda(run: Run, kernel_file: Write) -> None:
    text = "#ifdef __CUDA_ARCH__\n#error\n#endif\n__kernel void k(__global int *o) { o[get_global_id(0)] = 1; }"
    path = kernel_file(text, "k.cl")
    record = run("check", path, "--arch", "sm_80", *LAUNCH).records[0]
    assert record["verdict"] == "proved" and not any("compiled for" in text for text in record["assumptions"])


def test_macros_of_a_device() -> None:
    assert arch_macros("sm_90a") == {"__CUDA_ARCH__": "900", "__CUDA_ARCH_FEAT_SM90_ALL": "1", "__CUDA_ARCH_SPECIFIC__": "900"}
    assert arch_macros("86") == arch_macros("compute_86") == {"__CUDA_ARCH__": "860"}
    assert f"#define __CUDA_ARCH__ {DEFAULT}\n" in (ROOT / "automata" / "lang" / "stubs" / "cuda.h").read_text()


BEGINS_LATER = """#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__global__ void k(int *o) { OLD }
#else
__device__ int place(int t) { return PLACE; }
__global__ void k(int *o) { o[place(threadIdx.x)] = threadIdx.x; }
#endif
"""


@pytest.mark.parametrize("old", ["", "assert(false);", "o[place(0)] = 1;"])
@pytest.mark.parametrize(("place", "verdict"), [("t", "proved"), ("t / 2", "refuted")])
def test_a_kernel_that_begins_with_a_later_device(old: str, place: str, verdict: str, run: Run, kernel_file: Write) -> None:
    """Where it is empty, only fails, or cannot be read for the first device, it is read for a later one, aloud."""
    path = kernel_file(BEGINS_LATER.replace("OLD", old).replace("PLACE", place))
    record = run("check", path, *LAUNCH).records[0]
    assert record["verdict"] == verdict and SAID.format(80) in record["assumptions"]
    stated = run("check", path, "--arch", "sm_75", *LAUNCH).records[0]
    assert SAID.format(80) not in stated.get("assumptions", []) and (stated["verdict"], old) in {
        ("proved", ""), ("refuted", "assert(false);"), ("invalid", "o[place(0)] = 1;")}


def test_a_kernel_that_does_something_stays_with_the_first_device(run: Run, kernel_file: Write) -> None:
    for old, verdict in (("o[threadIdx.x] = 1;", "proved"), ("o[0] = threadIdx.x;", "refuted")):
        record = run("check", kernel_file(BEGINS_LATER.replace("OLD", old).replace("PLACE", "t")), *LAUNCH).records[0]
        assert record["verdict"] == verdict and SAID.format(70) in record["assumptions"]
    empty = BEGINS_LATER.replace("OLD", "").replace("o[place(threadIdx.x)] = threadIdx.x;", "").replace("PLACE", "t")
    record = run("check", kernel_file(empty), *LAUNCH).records[0]
    assert record["verdict"] == "proved" and SAID.format(70) in record["assumptions"]
