"""Pointers as integers: where an array begins is a number that nobody knows and that is alike for all threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

HEAD = "#include <cstdint>\n__global__ void k(float *out, const float *in, const float *end, int n) {{ {} }}\n"
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
PACKETS = AT + """bool whole = {};
  if (whole) {{ if (4 * i + 3 < n) reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(in)[i]; }}
  else for (int j = i; j < n; j += gridDim.x * blockDim.x) out[j] = in[j];"""
BOTH = "reinterpret_cast<uintptr_t>(in) % 16 == 0 && ((size_t)out & 15) == 0"
STAGED = "__shared__ float s[64]; s[threadIdx.x] = in[i]; {} out[i] = s[63 - threadIdx.x];"
PROVED = {
    "packets where both are aligned": PACKETS.format(BOTH),
    "packets by another word": PACKETS.format("(((unsigned long long)in | (uint64_t)out) & 0xf) == 0"),
    "a head up to the first packet": AT + """int head = ((16 - ((size_t)in & 15)) & 15) / 4; const float *q = in + head;
      if (i < head && i < n) out[i] = in[i]; for (int j = i; j < n - head; j += gridDim.x * blockDim.x) out[head + j] = q[j];""",
    "a difference": AT + "long d = (long)end - (long)in; if (i < n && i < d / 4) out[i] = in[i];",
    "steps in bytes": AT + "const float *p = (const float *)((uintptr_t)in + (size_t)i * 4); if (i < n) out[i] = *p;",
    "one of two": AT + """const float *p = in; if (n > 9) p = end; p += i;
      if ((size_t)p % 8 == 0 && i < n) out[i] = 1; if ((size_t)p % 8 != 0 && i < n) out[i] = 2;""",
    "a type's own alignment": AT + STAGED.format("if (((size_t)in & 3) == 0) __syncthreads();"),
    "no null": AT + STAGED.format("if ((uintptr_t)in != 0) __syncthreads();"),
    "what all decide alike": AT + STAGED.format("if ((size_t)(in + n) & 15) __syncthreads(); else __syncthreads();"),
    "equal distances": AT + STAGED.format("if (((size_t)(in + 4 * i) & 15) == 0) __syncthreads(); else __syncthreads();").replace(
        "4 * i", "4 * n"),
}
NOT = {
    "packets where the source is": PACKETS.format("true").replace("out[j] = in[j]", "out[j / 2] = in[j]").replace("true", BOTH),
    "packets that overlap": PACKETS.format(BOTH).replace("(out)[i]", "(out + 2 * i)[0]").replace("4 * i + 3", "2 * i + 3"),
    "a head that is too long": PROVED["a head up to the first packet"].replace("i < head", "i < head + 1").replace(
        "out[i] = in[i]", "out[i] = in[i] + 1"),
    "steps that are too short": PROVED["steps in bytes"].replace(
        "out[i] = *p", "*(float *)((size_t)out + (size_t)(i / 2) * 4) = *p"),
    "both of two": PROVED["one of two"].replace("p % 8 != 0", "p % 4 == 0").replace("out[i] = 2", "out[i + 1] = 2"),
    "more than a type's alignment": AT + STAGED.format("if (((size_t)in & 7) == 0) __syncthreads();"),
    "distances that differ": AT + STAGED.format("if (((size_t)(in + threadIdx.x) & 7) == 0) __syncthreads();"),
    "two arrays": AT + STAGED.format("if ((size_t)in < (size_t)out) __syncthreads();"),
    "bits of the end": AT + STAGED.format("if (((size_t)end - (size_t)in) & 64) __syncthreads();"),
}


def checked(run: Run, kernel_file: Callable[..., Path], body: str, *flags: str) -> dict[str, Any]:
    (record,) = run("check", kernel_file(HEAD.format(body)), "--format", "jsonl", "--block", "64", *flags).records
    return dict(record)


def all_of(run: Run, kernel_file: Callable[..., Path], bodies: dict[str, str]) -> dict[str, dict[str, Any]]:
    """What is said of several kernels of one text, by what they are about."""
    names = {f"k{at}": name for at, name in enumerate(bodies)}
    text = "".join(HEAD.format(bodies[name]).replace(" k(", f" {kernel}(") for kernel, name in names.items())
    records = run("check", kernel_file(text), "--format", "jsonl", "--block", "64").records
    return {names[record["kernel"]]: record for record in records}


def test_proved_wherever_the_arrays_lie(run: Run, kernel_file: Callable[..., Path]) -> None:
    for name, record in all_of(run, kernel_file, PROVED).items():
        assert record["verdict"] == "proved", (name, record)
        said = " ".join(record["assumptions"])
        # where steps in bytes begin cancels
        assert ("where arrays begin is alike for all threads" in said) == (name != "steps in bytes"), (name, said)


def test_not_proved(run: Run, kernel_file: Callable[..., Path]) -> None:
    said = all_of(run, kernel_file, NOT)
    assert not [name for name, record in said.items() if record["verdict"] == "proved"] and len(said) == len(NOT)


@pytest.mark.parametrize("name", ["more than a type's alignment", "distances that differ"])
def test_a_witness_says_where_the_array_lies(run: Run, kernel_file: Callable[..., Path], name: str) -> None:
    record = checked(run, kernel_file, NOT[name])
    assert record["verdict"] == "refuted"
    assert any(finding["sizes"].get("in.address", 0) % 4 == 0 and finding["sizes"].get("in.address", 0) > 0
               for finding in record["findings"] if finding["status"] == "confirmed"), record["findings"]


def test_at_a_launch_of_the_program_it_is_open(run: Run, kernel_file: Callable[..., Path]) -> None:
    """The program may pass arrays that lie well; `--require` says so."""
    body = AT + STAGED.format("if (((size_t)in & 15) == 0) __syncthreads();")
    path = kernel_file(HEAD.format(body) + "void host(float *o, float *i, int n) { k<<<n, 64>>>(o, i, i, n); }")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown"
    assert "in.address" in record["reason"]
    (record,) = run("check", path, "--format", "jsonl", "--require", "in.address % 16 == 0").records
    assert record["verdict"] == "proved"


@pytest.mark.parametrize(("body", "what"), [
    ("int x = n; out[threadIdx.x] = ((size_t)&x & 7) == 0;", "a thread's own variable, as an integer"),
    ("*(float *)((size_t)out + (size_t)in) = 1;", "the addresses of several arrays"),
    ("size_t a = (size_t)out; a += 16; *(float *)a = 1;", "an integer turned into a pointer"),
    ("*(float *)(size_t)n = 1;", "an integer turned into a pointer"),
])
def test_refused(run: Run, kernel_file: Callable[..., Path], body: str, what: str) -> None:
    record = checked(run, kernel_file, body)
    assert record["verdict"] == "unsupported"
    assert what in record["reason"]


def test_comparing_kernels_that_ask(run: Run, kernel_file: Callable[..., Path], tmp_path: Path) -> None:
    """A copy by packets where it can be one is the copy; one that adds where arrays lie badly is another kernel."""
    plain = kernel_file(HEAD.format(AT + "if (i < n) out[i] = in[i];"))
    packets, other = tmp_path / "packets.cu", tmp_path / "other.cu"
    body = AT + "if (((size_t)in & 15) == 0) {{ if (i < n) out[i] = in[i]; }} else if (i < n) out[i] = {};"
    packets.write_text(HEAD.format(body.format("in[i]")))
    other.write_text(HEAD.format(body.format("in[i] + 1")))
    flags = ("--block", "64", "--grid", "4", "--arg", "n=200", "--format", "jsonl")
    assert run("equiv", packets, plain, *flags).records[0]["verdict"] == "equal"
    assert run("equiv", other, plain, *flags).records[0]["verdict"] == "different"
