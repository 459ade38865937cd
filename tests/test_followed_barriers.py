"""Barriers behind tests of memory that the kernel writes: what is read there is followed to who has written it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

HEAD = "__global__ void k(int *c, const int *x, int n) {{ __shared__ int s[128]; int g = blockIdx.x, t = threadIdx.x; " \
       "if (g >= n) return; {} }}"
MET = {
    "written behind the barrier": "if (c[g] != -2) return; s[t] = x[g * 128 + t]; __syncthreads(); if (t == 0) c[g] = s[1];",
    "written by one, then read by all": "if (c[g] != -2) return; __syncthreads(); if (t == 0) c[g] = x[g]; __syncthreads(); "
                                        "if (c[g] > 3) return; s[t] = t; __syncthreads(); if (t == 1) c[g] = s[0];",
    "a sum in a loop": "if (c[g] != -2) return; s[t] = 0; for (int i = t; i < x[g]; i += 128) s[t] += x[i]; __syncthreads(); "
                       "if (t == 0) { for (int i = 1; i < 128; i++) s[0] += s[i]; c[g] = s[0] > 3 ? -3 : -1; }",
}
NOT_MET = {
    "written before": "if (t == 0) c[g] = -2; if (c[g] != -2) return; __syncthreads(); if (t == 0) c[g + n] = 1;",
    "a cell of another block": "if (c[g + 1] != -2) return; __syncthreads(); if (t == 0) c[g] = 1;",
    "a cell of each thread": "if (c[g * 128 + t] != -2) return; __syncthreads(); if (t == 0) c[g * 128] = 1;",
    "a cell of each half": "if (c[2 * g + t / 64] != -2) return; __syncthreads(); if (t == 0) c[2 * g] = 1;",
    "written by all, one value": "c[g] = 5; if (c[g] != 5) return; __syncthreads(); if (t == 0) c[g + n] = 1;",
    "written in the interval": "if (c[g] != -2) return; if (t == 0) c[g] = x[g]; __syncthreads(); s[t] = 1; __syncthreads(); "
                               "if (t == 1) c[g] = s[0];",
    "unlike cells behind a barrier": "c[g * 128 + t] = t; __syncthreads(); if (c[g * 128 + 127 - t] > 3) return; "
                                     "__syncthreads(); c[g * 128 + t] = 1;",
    "unset where some were left": "if (c[g] != -2) return; if (t > 3) s[t] = 1; __syncthreads(); if (t == 0) c[g] = s[1];",
}


def _record(run: Run, kernel_file: Callable[..., Path], body: str) -> dict[str, str]:
    record, = run("check", kernel_file(HEAD.format(body)), "--block", "128", "--require", "n > 0", "--format", "jsonl").records
    return {"verdict": record["verdict"], **record["properties"]}


@pytest.mark.parametrize("name", MET)
def test_a_test_that_all_threads_of_a_block_see_alike(name: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    assert _record(run, kernel_file, MET[name])["verdict"] == "proved"


@pytest.mark.parametrize("name", NOT_MET)
def test_a_test_that_threads_may_see_unlike(name: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    assert _record(run, kernel_file, NOT_MET[name])["verdict"] == "refuted"
