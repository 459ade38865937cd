"""What nobody has set is equal to nothing: not where it cancels, either; passed on or left out it does no harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

Write = Callable[..., Path]

USES = {
    "difference": "out[i] = v - v;", "product": "out[i] = v * 0;", "mask": "out[i] = v & 0;", "remainder": "out[i] = v % 1;",
    "all bits": "out[i] = (v | -1) + 1;", "equality": "out[i] = v == v;", "sums": "out[i] = (v + 1) - (v + 1);",
    "choice": "out[i] = v ? 1 : 1;", "test": "if (v == 3) out[i] = 1; else out[i] = 1;", "and": "out[i] = v && !v;",
    "through a local": "int w = v; out[i] = w - v;", "in some threads": "if (i > 3) v = 1; out[i] = v - v;",
    "behind a wrong test": "if (i > 3) v = 1; out[i] = i > 2 ? v - v : 0;",
}
SHARED = "__shared__ int s[8]; out[i] = s[i] - s[i];"
USES_NONE = {
    "left out": "if (i > 3) v = 1; out[i] = i > 3 ? v - v : 0;", "set later": "v = x[i]; out[i] = v - v;",
    "copied": "int w = v; w = i; out[i] = w;", "guarded": "if (i > 3) v = x[i]; if (i > 3) out[i] = v + 1;",
    "not looked at": "if (i > 3) v = x[i]; out[i] = i > 3 && v > 0;",
    "a struct in part": "struct P { int a, b; } p; p.a = x[i]; P q = p; out[i] = q.a + 1;",
    "shared": "__shared__ int s[8]; s[i] = x[i]; __syncthreads(); out[i] = s[7 - i] - s[7 - i];",
}


def _record(run: Run, kernel_file: Write, body: str, launch: str) -> dict[str, Any]:
    path = kernel_file(f"// spmd: {launch}\n__global__ void k(const int *x, int *out) {{ int i = threadIdx.x; int v; {body} }}")
    record: dict[str, Any] = run("check", path, "--format", "jsonl").records[0]
    return record


@pytest.mark.parametrize("launch", ["block=8 grid=1", "block=8"])
@pytest.mark.parametrize("body", [*USES.values(), SHARED], ids=[*USES, "shared"])
def test_what_is_computed_with_nothing_is_not_proved(body: str, launch: str, run: Run, kernel_file: Write) -> None:
    record = _record(run, kernel_file, body, launch)
    assert record["properties"]["order-free"] != "proved", record
    assert any(finding["rule"] == "uninitialised-read" for finding in record["findings"])


@pytest.mark.parametrize("name", USES_NONE)
def test_what_is_passed_on_or_left_out_is_harmless(name: str, run: Run, kernel_file: Write) -> None:
    record = _record(run, kernel_file, USES_NONE[name], "block=8 grid=1")
    assert record["properties"]["order-free"] == "proved", record["findings"]


@pytest.mark.parametrize("name", USES)
def test_it_is_equal_to_nothing(name: str, compared: Any) -> None:
    head = "// spmd: block=8 grid=1\n__global__ void k(const int *x, int *out) { int i = threadIdx.x; int v; "
    for flags in ((), ("--certify",)):
        assert compared(head + USES[name] + " }", head + "v = 0; " + USES[name] + " }", *flags)["verdict"] != "equal"


@pytest.mark.parametrize("stated", ["grid=4", "block=32", "grid=(n+31)/32", "block=32 grid=4", ""])
def test_a_kernel_equals_itself_with_some_sizes_open(stated: str, compared: Any) -> None:
    text = f"""// spmd: {stated}
    __global__ void k(const float *x, float *out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = x[i]; }}"""
    assert compared(text, text)["verdict"] == "equal"
