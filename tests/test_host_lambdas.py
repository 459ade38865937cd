"""Lambdas that the host makes and hands to a kernel as a template's argument: `apply<<<g, b>>>(n, [=] __device__ (int i) { … })`.

Nothing is known of what they keep but its type, as of any argument. A launch that passes one says which instance it launches.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

HEAD = """template <typename F> __global__ void apply(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <typename F> struct Shifted { F f; int by; __device__ void operator()(int i) const { f(i + by); } };
"""
LAUNCH = "apply<<<(n + 127) / 128, 128>>>(n, {});"
HOST = "void host(float *x, const float *y, float a, int n) {{ {} }}"


def checked(run: Run, kernel_file: Callable[..., Path], text: str, *flags: str) -> dict[str, dict[str, Any]]:
    """What is said of each kernel of a text, by its name without its file."""
    path = kernel_file(HEAD + text)
    records = run("check", path, "--format", "jsonl", *flags).records
    return {str(record["kernel"]).replace(str(path), "k.cu"): record for record in records}


GOOD = ["x[i] = a * y[i];", "x[i] += a;", "if (i > 3) x[i] = y[i - 3];", "x[n - 1 - i] = y[0];",
        "float t = y[i]; { x[i] = t + t; }"]
BAD = ["x[0] = y[i];", "x[i / 2] = y[i];", "x[i] = x[i + 1];", "x[i & 7] = a + i;"]


FORMS_OF_HEADS = ["[=] __device__ (int i) {{ {} }}", "[x, y, a, n] __device__ (int i) mutable {{ {} }}",
                  "[=, y = y + 1] __device__ (auto i) {{ {} }}"]


def test_what_a_lambda_of_the_host_does_is_checked(run: Run, kernel_file: Callable[..., Path]) -> None:
    """A launch a line: what is said of the lambda of each line, and at which launch."""
    wanted = [*((each, "proved") for each in GOOD), *((each, "refuted") for each in BAD)]
    lines = [LAUNCH.format(FORMS_OF_HEADS[at % 3].format(body)) for at, (body, _) in enumerate(wanted)]
    said = checked(run, kernel_file, HOST.format("\n" + "\n".join(lines)))
    first = (HEAD + HOST.format("")).count("\n") + 2
    by_line = {int(name.split(":")[1]): record for name, record in said.items()}
    assert [by_line[first + at]["verdict"] for at in range(len(wanted))] == [verdict for _, verdict in wanted], said
    for at, (_, verdict) in enumerate(wanted):
        if verdict == "refuted":
            assert by_line[first + at]["launch"]["source"].startswith("host code")


def test_what_it_keeps_is_called_after_its_variables(run: Run, kernel_file: Callable[..., Path]) -> None:
    said = checked(run, kernel_file, HOST.format(LAUNCH.format("[=] __device__ (int i) { x[0] = y[i] + a; }")))
    (record,) = said.values()
    assert "f.x[0]" in str(record["findings"])


FORMS = {
    "a variable": ("auto g = [=] __device__ (int i) { x[i] = a; }; " + LAUNCH.format("g"), ""),
    "through a template": ("launch(n, [=] __device__ (int i) { x[i] = a; });",
                           "template <typename F> void launch(int n, const F &f) { " + LAUNCH.format("f") + " }"),
    "within another": ("apply<<<(n + 127) / 128, 128>>>(n, Shifted<decltype(g)>{g, 3});", ""),
}


@pytest.mark.parametrize("form", FORMS)
def test_ways_to_hand_one_on(run: Run, kernel_file: Callable[..., Path], form: str) -> None:
    call, template = FORMS[form]
    made = "auto g = [=] __device__ (int i) { x[i] = a; };" if form == "within another" else ""
    said = checked(run, kernel_file, f"{template}\n{HOST.format(made + call)}")
    assert [record["verdict"] for record in said.values()] == ["proved"], said


@pytest.mark.parametrize("passed", [
    "int d = 1; " + LAUNCH.format("[=] __device__ (int i) { x[i / d] = i; }"),
    "int d = 2; auto g = [=] __device__ (int i) { x[i / d] = i; }; d = 1; " + LAUNCH.format("g"),
    LAUNCH.format("[x, d = 1] __device__ (int i) { x[i / d] = i; }"),
])
def test_a_number_that_one_keeps_is_not_chosen(passed: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    """What the text states there is not read: a race that needs another number refutes no launch."""
    (record,) = checked(run, kernel_file, HOST.format(passed)).values()
    assert record["verdict"] == "unknown" and "d is 2" in record["reason"], record


def test_each_lambda_has_the_launches_that_pass_it(run: Run, kernel_file: Callable[..., Path]) -> None:
    """One is launched with blocks of 64 threads, the other with 32: what needs 64 is refuted for the second alone."""
    body = "[=] __device__ (int i) { x[threadIdx.x + blockIdx.x * 64] = i; }"
    calls = f"apply<<<n, 64>>>(64 * n, {body}); auto g = {body.replace('64', '32')}; apply<<<n, 64>>>(64 * n, g);"
    said = checked(run, kernel_file, HOST.format(calls))
    assert sorted(record["verdict"] for record in said.values()) == ["proved", "refuted"], said


def test_lambdas_of_one_place_are_told_apart(run: Run, kernel_file: Callable[..., Path]) -> None:
    """A template makes a lambda for each type: two classes that are spelled alike. One of them races: halves of its elements are
    the same cell."""
    text = """template <int UNIT> void filled(float *x, int n) {
  apply<<<n, 32>>>(n, [=] __device__ (int i) { x[i / UNIT] = i; });
}
void all(float *a, float *b, int n) { filled<1>(a, n); filled<2>(b, n); }"""
    said = checked(run, kernel_file, text)
    assert sorted((name[-3:], record["verdict"] == "proved") for name, record in said.items()) in (
        [("#1>", False), ("#2>", True)], [("#1>", True), ("#2>", False)])


def test_the_object_around_one(run: Run, kernel_file: Callable[..., Path]) -> None:
    text = """struct Holder { float *q; int m; float table[4];
  void copied() { apply<<<m, 32>>>(m, [=, *this] __device__ (int i) { q[i] = table[i & 3]; }); }
  void raced() { apply<<<m, 32>>>(m, [=, *this] __device__ (int i) { q[0] = table[i & 3]; }); } };"""
    said = checked(run, kernel_file, text)
    assert sorted(record["verdict"] == "proved" for record in said.values()) == [False, True], said


@pytest.mark.parametrize(("passed", "what"), [
    ("[&] __device__ (int i) { x[i] = a; }", "captures 'x' by reference"),
    ("[=, &a] __device__ (int i) { x[i] = a; }", "captures 'a' by reference"),
])
def test_variables_of_the_host_are_out_of_reach(run: Run, kernel_file: Callable[..., Path], passed: str, what: str) -> None:
    (record,) = checked(run, kernel_file, HOST.format(LAUNCH.format(passed))).values()
    assert record["verdict"] == "unsupported"
    assert what in record["reason"]
    assert "by value" in record["reason"]


def test_an_instance_can_be_asked_for(run: Run, kernel_file: Callable[..., Path]) -> None:
    good, bad = "[=] __device__ (int i) { x[i] = a; }", "[=] __device__ (int i) { x[0] = y[i]; }"
    text = HOST.format(LAUNCH.format(good) + LAUNCH.format(bad))
    for name, record in checked(run, kernel_file, text).items():
        path = kernel_file(HEAD + text)
        again = run("check", path, "--kernel", name.replace("k.cu", str(path)), "--format", "jsonl").records
        assert [each["verdict"] for each in again] == [record["verdict"]]
