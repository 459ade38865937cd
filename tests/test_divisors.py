"""A check prints that no divisor is zero where what it proves needs that, and says nothing of it where something keeps it so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

KERNEL = """__global__ void k(const int *a, int *out, int n, unsigned m) {{
    int t = threadIdx.x;
    {}
}}
"""
NEEDED = (
    "int q = 100 / a[t]; assert(q <= 100);",
    "assert(4u / (unsigned)(t - 6) != 0xffffffffu);",
    "out[64 + t % n] = 1;",
    "if (t / n < 3) out[t] = 1;",
    "if (t / n < 3 && n != 0) out[t] = 1;",
    "out[n > 0 ? t : t + 64 + t / m] = t;",
    "for (int i = 0; i < 100 / n; i++) out[i * 64 + t] = 1;",
    "for (int i = 0; i < 4; i++) { assert(100 / (i - n) < 101); out[i * 64 + t] = 1; }",
    "if (n == 0) return; out[t + 64 * (t / a[n])] = 1;",
    "int d = a[t]; if (d < 0) return; int q = 7 % d; if (q < 8) out[t] = 1;",
    "__shared__ int s[64]; s[t] = 3 * t + (t & 1) / n; __syncthreads(); out[s[63 - t]] = t;",
    "__shared__ unsigned s; if (t == 0) s = 1u / m; __syncthreads(); out[s <= 1 ? t : 0] = t;",
    "__shared__ int s[64]; s[t] = t + 64 * ((t & 1) / n); __syncthreads(); if (s[t] < 128) out[s[t]] = t; else out[t + 1] = t;",
    "int q = 0; for (int i = 0; i < 9 + (n & 1); i++) { out[t * 3 + q] = i; q = (t & 1) / n; }",
    "out[0] = t < 32 ? 0 : 0 / n;",
    "out[0] = t < 32 ? 0 : n % n;",
    "if (t < 32) out[0] = n & 0; else out[0] = (a[0] & 0) / n;",
)
NOT_NEEDED = (
    "int d = a[t]; if (d == 0) return; int q = 100 / d; assert(q <= 100);",
    "out[t / blockDim.x + t] = 1;",
    "if (n != 0 && t / n < 3) out[t] = 1;",
    "if (n == 0 || t % n < 3) out[t] = 1;",
    "out[n > 0 ? t + 64 * (t / n) : t] = t;",
    "out[t] = a[t] / n + a[t] % m;",
    "for (int i = 1; i < 9; i++) { assert(100 / i < 101); out[i * 64 + t] = 1; }",
    "out[t + 64 * (t / (m | 1))] = 1;",
    "out[t + 64 * (t / 7)] = 1;",
    "if (n > 0) for (int i = 0; i < 100 / n; i++) out[i * 64 + t] = 1;",
    "__shared__ int s[64]; s[t] = 3 * t + (n == 0 ? 0 : (t & 1) / n); __syncthreads(); out[s[63 - t]] = t;",
    "__shared__ int s[64]; s[t] = t / n; __syncthreads(); out[t] = s[63 - t];",
    "out[0] = 5 / n;",
    "if (n != 0) out[0] = t < 32 ? 0 : 0 / n;",
    "out[t] = n % n;",
)


@pytest.fixture
def asked(run: Run, kernel_file: Callable[..., Path]) -> Callable[..., dict[str, Any]]:
    def record(statement: str, *args: str) -> dict[str, Any]:
        path = kernel_file("#include <assert.h>\n" + KERNEL.format(statement))
        found: dict[str, Any] = run("check", path, "--format", "jsonl", "--block", "64", "--grid", "1", *args).records[0]
        return found
    return record


def told(record: dict[str, Any]) -> list[str]:
    return [text for text in record["assumptions"] if text.startswith("no divisor is zero")]


@pytest.mark.parametrize("statement", NEEDED)
def test_what_is_proved_of_a_quotient_needs_a_divisor(asked: Callable[..., dict[str, Any]], statement: str) -> None:
    assert told(asked(statement)) == ["no divisor is zero (line 4)"]


@pytest.mark.parametrize("statement", NOT_NEEDED)
def test_nothing_is_said_where_no_divisor_can_be_zero(asked: Callable[..., dict[str, Any]], statement: str) -> None:
    record = asked(statement)
    assert record["verdict"] != "invalid" and not told(record)


def test_a_quotient_by_an_argument_that_is_zero_is_any_number(asked: Callable[..., dict[str, Any]]) -> None:
    assert asked("assert(t / m < 64);", "--arg", "m=0", "--arg", "n=1")["verdict"] != "proved"
    assert asked("assert(t / m < 64);", "--arg", "m=2", "--arg", "n=1")["verdict"] == "proved"


@pytest.mark.parametrize("statement", ["assert(63 / t < 64);", "assert(63 / (t - 40) < 64);", "out[t * (1 + 0 / t)] = 1;"])
def test_nothing_is_proved_where_every_launch_divides_by_zero(asked: Callable[..., dict[str, Any]], statement: str) -> None:
    record = asked(statement)
    assert record["verdict"] == "unknown" and told(record)
    assert "a thread of every launch divides by zero" in record["reason"]


@pytest.mark.parametrize("statement", ["assert(63 / (t - 100) < 64);", "if (t > 0) assert(63 / t < 64);",
                                       "assert(t / n < 64);", "for (int i = 0; i < n; i++) assert(63 / i < 64);"])
def test_where_a_launch_may_not_divide_by_zero_the_assumption_suffices(asked: Callable[..., dict[str, Any]],
                                                                        statement: str) -> None:
    assert asked(statement)["verdict"] == "proved"


def test_a_thread_that_some_launches_lack_divides_by_zero_in_others(run: Run, kernel_file: Callable[..., Path]) -> None:
    path = kernel_file("#include <assert.h>\n" + KERNEL.format("assert(63 / (t - 40) < 64);"))
    record = run("check", path, "--format", "jsonl", "--grid", "1").records[0]
    assert record["verdict"] == "proved" and told(record) == ["no divisor is zero (line 4)"]


PAIR = """__global__ void one(const unsigned *a, unsigned *out, unsigned n, unsigned m) {{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = {};
}}
__global__ void two(const unsigned *a, unsigned *out, unsigned n, unsigned m) {{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = {};
}}
"""
EQUAL_BUT_BY_ZERO = (
    ("0 / m", "0", "a: line 3"), ("m % m", "0", "a: line 3"), ("(a[t] & 1u) / m <= 1", "1", "a: line 3"),
    ("a[t] % m", "a[t] - a[t] / m * m", "a: line 3; b: line 7"), ("1", "m == 5 || 0 / m == 0", "b: line 7"),
)
EQUAL_BY_ZERO_TOO = (
    ("a[t] / m", "a[t] / m"), ("a[t] % m + 1", "1 + a[t] % m"), ("m ? 0 / m : 0", "0"), ("a[t] % (m | 1) / (m | 1)", "0"),
    ("m > 2 ? a[t] % m : 7", "m > 2 ? a[t] - a[t] / m * m : 7"),
)


def compared(run: Run, kernel_file: Callable[..., Path], one: str, two: str, *args: str) -> dict[str, Any]:
    path = kernel_file(PAIR.format(one, two))
    found: dict[str, Any] = run("equiv", f"{path}:one", f"{path}:two", "--format", "jsonl", *args).records[0]
    return found


@pytest.mark.parametrize(("one", "two", "lines"), EQUAL_BUT_BY_ZERO)
def test_what_is_equal_but_where_a_stored_quotient_is_by_zero_says_so(run: Run, kernel_file: Callable[..., Path], one: str,
                                                                      two: str, lines: str) -> None:
    record = compared(run, kernel_file, one, two)
    assert record["verdict"] == "equal" and f"no divisor is zero ({lines})" in record["assumptions"]


@pytest.mark.parametrize(("one", "two"), EQUAL_BY_ZERO_TOO)
def test_what_is_equal_by_zero_too_needs_no_divisor(run: Run, kernel_file: Callable[..., Path], one: str, two: str) -> None:
    record = compared(run, kernel_file, one, two)
    assert record["verdict"] == "equal" and not told(record)


def test_at_a_launch_a_quotient_by_data_says_so_as_well(run: Run, kernel_file: Callable[..., Path]) -> None:
    launch = ("--block", "8", "--grid", "1", "--arg", "n=8", "--arg", "m=0", "--extent", "a=8", "--extent", "out=8")
    record = compared(run, kernel_file, "0 / a[t]", "0", *launch)
    assert record["verdict"] == "equal" and told(record) == ["no divisor is zero (a: line 3)"]
    assert compared(run, kernel_file, "0 / m", "0", *launch)["verdict"] == "unknown"
