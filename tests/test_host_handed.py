"""Kernels that a function of the host is handed: each call of it is a launch, where nothing else can be meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = """__global__ void a(float *p, int n) {}
__global__ void b(float *p, int n) {}
template <int B> __global__ void t(float *p, int n) {}
"""
PLAIN = "void run(void (*kernel)(float *, int), float *p, int n, int s) { kernel<<<(n + s - 1) / s, s>>>(p, n); }\n"
PACK = """template <typename T, typename... Args> void run(T *kernel, int grid, int block, int bytes, Args... args) {
  if (bytes > 48000) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<grid, block, bytes>>>(args...);
}
"""
TOLD: dict[str, tuple[str, str, set[tuple[object, ...]]]] = {
    "two kernels": (PLAIN, "run(a, p, 100, 64); run(b, p, 8, 4);", {("a", None, 2, 64, 100), ("b", None, 2, 4, 8)}),
    "of a template": (PLAIN, "run(t<4>, p, 100, 64); run(&t<8>, p, 100, 50);", {("t", "4", 2, 64, 100), ("t", "8", 2, 50, 100)}),
    "one that a variable holds": (PLAIN, "auto k = t<4>; run(k, p, 100, 64);", {("t", "4", 2, 64, 100)}),
    "what a variable points to": (PLAIN, "void (*k)(float *, int) = a; if (argc > 3) k = b; run(k, p, 64, 64);",
                                  {("a", None, 1, 64, 64), ("b", None, 1, 64, 64)}),
    "a pack": (PACK, "const int B = 128; auto k = t<B>; int n = 300; run(k, (n + B - 1) / B, B, 0, p, n);",
               {("t", "128", 3, 128, 300)}),
    "sizes that a loop counts": (PACK, "for (int i = 1; i < 3; i++) run(a, i, 32, 0, p, i);",
                                 {("a", None, 1, 32, 1), ("a", None, 2, 32, 2)}),
    "declared before": ("void run(void (*kernel)(float *, int), float *p, int n, int s);\n" + PLAIN, "run(a, p, 100, 64);",
                        {("a", None, 2, 64, 100)}),
    "a number of another type": (PACK, "size_t s = 64; run(a, 2, s, 0, p, 5);", {("a", None, 2, 64, 5)}),
}
OPEN: dict[str, tuple[str, str]] = {
    "the parameter is set": (PLAIN.replace("{ ", "{ kernel = a; "), "run(b, p, 100, 64);"),
    "a reference to it is kept": (PLAIN.replace("{ ", "{ auto &r = kernel; r = a; "), "run(b, p, 100, 64);"),
    "another of that name": (PLAIN + "void run(int *kernel, float *p, int n, int s) {}\n", "run(b, p, 100, 64);"),
    "another is declared before": (
        "void run(void (*kernel)(int *, int), float *p, int n, int s);\n" + PLAIN, "run(b, p, 100, 64);"),
    "declared in another namespace": (
        "namespace other { void run(void (*kernel)(float *, int), float *p, int n, int s); } using namespace other;\n" + PLAIN,
        "run(b, p, 100, 64);"),
    "a method": ("struct S { " + PLAIN + "};\n", "S s; s.run(b, p, 100, 64);"),
    "a reference": (PLAIN.replace("(*kernel)", "(&kernel)"), "run(b, p, 100, 64);"),
    "what nobody knows": (PLAIN, "run(pick(), p, 100, 64);"),
    "a variable that may have changed": (PLAIN, "auto k = b; change(&k); run(k, p, 100, 64);"),
}
OTHER_ARGUMENTS = {
    "the pack is set before": PACK.replace("kernel<<<", "((args = 0), ...); kernel<<<"),
    "a part of it is another": PACK.replace("(args...)", "(args..., 7)"),
    "it is no copy": PACK.replace("Args... args", "Args &...args"),
    "it is handed to another first": PACK.replace("kernel<<<", "change(args...); kernel<<<"),
}


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def told(found: list[HostLaunch]) -> set[tuple[object, ...]]:
    return {(each.kernel, (each.template_args or (None,))[0], each.grid[0], each.block[0], each.args[1]) for each in found}


@pytest.mark.parametrize(("helper", "code", "expected"), TOLD.values(), ids=TOLD)
def test_each_call_is_a_launch(helper: str, code: str, expected: set[tuple[object, ...]], kernel_file: Write) -> None:
    assert told(launches(f"{HEAD}{helper}int main(int argc, char **argv) {{ float *p; {code} }}\n", kernel_file)) == expected


@pytest.mark.parametrize(("helper", "code"), OPEN.values(), ids=OPEN)
def test_where_it_may_be_another_kernel_none_is_told(helper: str, code: str, kernel_file: Write) -> None:
    assert launches(f"{HEAD}{helper}int main(int argc, char **argv) {{ float *p; {code} }}\n", kernel_file) == []


@pytest.mark.parametrize("helper", OTHER_ARGUMENTS.values(), ids=OTHER_ARGUMENTS)
def test_what_a_pack_may_hold_besides_is_not_told(helper: str, kernel_file: Write) -> None:
    found = launches(f"{HEAD}{helper}int main() {{ float *p; run(a, 2, 64, 0, p, 5); }}\n", kernel_file)
    assert all(each.args[1:] != (5,) for each in found)


def test_a_size_that_a_parameter_cuts_off_is_not_told(kernel_file: Write) -> None:
    """2^32 + 5 blocks as an int are five; what is not computed is a number that nobody knows."""
    found = launches(f"{HEAD}{PACK}int main() {{ float *p; run(a, 4294967301, 64, 0, p, 5); }}\n", kernel_file)
    assert found and all(each.grid[0] in (None, 5, "{h0}") for each in found)


def test_the_place_is_that_of_the_call(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    kernel = ("template <int B> __global__ void fill(float *p, int n) "
              "{ int i = blockIdx.x * B + threadIdx.x; if (i < n) p[i] = threadIdx.x; }\n")
    (tmp_path / "helper.cuh").write_text(PACK)
    (tmp_path / "k.cu").write_text('#include "helper.cuh"\n' + kernel + """void go(float *p, int n) {
  auto k = fill<64>;
  run(k, (n + 63) / 64, 64, 0, p, n);
}
""")
    said = run("check", str(tmp_path / "k.cu")).out
    assert "proved fill<64>" in said and "[host code, line 5" in said
