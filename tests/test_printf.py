"""What a kernel prints is an output: values that the order of threads or nobody decides make it not order-free."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
SHARED = "__shared__ int s[64]; if (t < 32) s[t] = t; __syncthreads();"
SUM = "__shared__ {} s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, ({})in[t]); __syncthreads();"

PRINTED = {
    "an old value": ('int old = atomicAdd(c, 1); printf("%d %d\\n", t, old);', "unknown"),
    "a line for whom comes first": ('int old = atomicAdd(c, 1); if (old == 0) printf("first\\n");', "unknown"),
    "a number made of an old value": ('printf("%d\\n", atomicAdd(c, 1) % 2 == 0 ? t : -t);', "unknown"),
    "nothing that was updated": ('atomicAdd(c, 1); printf("%d\\n", t);', "proved"),
    "data and indices": ('printf("%d %f\\n", in[t] + t, 0.5 * in[t]);', "proved"),
    "a sum of integers that is complete": (SUM.format("int", "int") + ' printf("%d\\n", s);', "proved"),
    "a sum of floats": (SUM.format("float", "float") + ' printf("%f\\n", s);', "unknown"),
    "a local without a value": ('int x; if (t < 32) x = 3; printf("%d\\n", x);', "unknown"),
    "a local with a value": ('int x; if (t < 32) x = 3; if (t < 20) printf("%d\\n", x);', "proved"),
    "a cell that nobody wrote": (SHARED + ' printf("%d\\n", s[t]);', "unknown"),
    "a cell that somebody wrote": (SHARED + ' printf("%d\\n", s[t & 31]);', "proved"),
    "which of two lines": (SHARED + ' printf(s[t] > 3 ? "a" : "b");', "unknown"),
    "one of two texts": (SHARED + 'printf("%s", in[t] ? "a" : s[t] ? "b" : "c");', "unknown"),
    "a text for an index": ('printf("%s", in[t] ? "a" : "b");', "proved"),
    "a clock": ('printf("%lld\\n", clock64());', "unknown"),
    "texts and addresses": ('printf("%s %p\\n", "text", in + t);', "proved"),
    "in a loop": ('for (int i = 0; i < n; i++) { int old = atomicAdd(c, 1); printf("%d\\n", old); }', "unknown"),
    "indices in a loop": ('for (int i = 0; i < n; i++) printf("%d\\n", i + t);', "proved"),
}


@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_is_an_output(name: str, run: Run, kernel_file: Write) -> None:
    body, wanted = PRINTED[name]
    path = kernel_file(f"__global__ void k(int *c, const int *in, int n) {{ int t = threadIdx.x; {body} }}")
    record = run("check", path, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    assert record["properties"]["order-free"] == wanted, record
    assert record["properties"]["race-free"] == "proved"
    assert any("printf: lines of different threads come in any order" in text for text in record["assumptions"])


@pytest.mark.parametrize("text", ["c", 'in[t] ? "a" : c', "x"])
def test_characters_in_memory_are_refused(text: str, run: Run, kernel_file: Write) -> None:
    body = f'char x[2] = {{65, 0}}; int t = threadIdx.x; printf("%s", {text});'
    record = run("check", kernel_file(f"__global__ void k(char *c, const int *in) {{ {body} }}"), "--format", "jsonl").records[0]
    assert record["verdict"] == "unsupported" and record["reason"].endswith("printf of characters in memory")


def test_opencl_prints_too(run: Run, kernel_file: Write) -> None:
    text = '__kernel void k(__global int *c) {{ int t = get_local_id(0); printf("%v4d\\n", (int4)({})); }}'
    for printed, wanted in (("atomic_inc(c)", "unknown"), ("t", "proved")):
        record = run("check", kernel_file(text.format(printed), "kernel.cl"), "--block", 64, "--grid", 1, "--format",
                     "jsonl").records[0]
        assert record["properties"]["order-free"] == wanted


def test_a_pair_says_that_prints_are_not_compared(run: Run, kernel_file: Write) -> None:
    a, b = (kernel_file(f'__global__ void k(int *c) {{ c[threadIdx.x] = printf("%d %d", 1, {value}); }}', f"{value}.cu")
            for value in (1, 2))
    record = run("equiv", a, b, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    assert record["verdict"] == "equal"
    assert any("no comparison looks at them" in text for text in record["assumptions"])
