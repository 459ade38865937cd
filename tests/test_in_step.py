"""Kernels that do the same step by step, and some that only look so.

Random programs of one thread are changed at random and judged by g++: what is said to be the same has the same bits on all data.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from step_blocks import FIRST, Blocks, run_blocks
from step_programs import PARAMETERS, SET, Programs, run_all

sys.path.insert(0, str(ROOT / "tests" / "all_sizes"))
import pairs

from automata.lang.core import Kernel, Store, Var
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.lang.traverse import walk
from equivalence.in_step import SAME_STEPS, same_class
from equivalence.pairing import pair_up
from equivalence.result import EqualityClass

Write = Callable[..., Path]
HEAD = f"__global__ void k({PARAMETERS}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x;"

SAME = {
    "names": ("if (i < n) out[i] = x[i] * 2;",
              """int t = threadIdx.x; int j = blockIdx.x * blockDim.x + t; float v = x[j];
                 if (j < n) { float w = v * 2; out[j] = w; }"""),
    "early return": ("if (i < n) { float s = x[i]; out[i] = s; }", "if (!(i < n)) return; out[i] = x[i];"),
    "two early returns": ("if (i < n) { if (q[i] < m) { out[i] = x[i]; } }",
                          "if (i >= n) return; if (q[i] >= m) return; out[i] = x[i];"),
    "choice by a branch": ("if (i < n) { float v = x[i]; if (v < 0) v = 0; out[i] = v; }",
                           "if (i < n) { float v = x[i]; out[i] = v < 0 ? 0 : v; }"),
    "argmax": ("""if (i < n) { int best = 0; float top = x[i * m];
                   for (int c = 1; c < m; c++) { float v = x[i * m + c]; if (v > top) { top = v; best = c; } }
                   whole[i] = best; out[i] = top; }""",
               """if (i >= n) return; float most = x[i * m]; int where = 0; int c = 1;
                   while (c < m) { float now = x[i * m + c]; bool more = now > most;
                     where = more ? c : where; most = more ? now : most; c += 1; }
                   out[i] = most; whole[i] = where;"""),
    "break": ("if (i < n) { int c = 0; for (; c < m; c++) if (q[c] == i) break; whole[i] = c; }",
              "if (i < n) { int c = 0; while (c < m) { if (q[c] == i) break; c = c + 1; } whole[i] = c; }"),
    "continue": ("if (i < n) { float s = 0; for (int c = 0; c < m; c++) { if (q[c] < 0) continue; s += x[c]; } out[i] = s; }",
                 "if (i < n) { float s = 0; for (int c = 0; c < m; c++) { if (!(q[c] < 0)) s += x[c]; } out[i] = s; }"),
    "rows by data": ("""if (i < n) { float s = 0; for (int c = q[i]; c < q[i + 1]; c++) s += x[c]; out[i] = s; }""",
                     """if (i < n) { int c = q[i], end = q[i + 1]; float s = 0; while (c < end) { s += x[c]; ++c; }
                         out[i] = s; }"""),
    "tree": ("""__shared__ float s[256]; int t = threadIdx.x; s[t] = x[blockIdx.x * blockDim.x + t]; __syncthreads();
                for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
                if (t == 0) out[blockIdx.x] = s[0];""",
             """__shared__ float part[256]; const int lane = threadIdx.x; part[lane] = x[blockIdx.x * blockDim.x + lane];
                __syncthreads(); int d = blockDim.x / 2;
                while (d > 0) { if (lane < d) { float more = part[lane + d]; part[lane] = part[lane] + more; } __syncthreads();
                  d = d >> 1; }
                if (lane != 0) return; out[blockIdx.x] = part[0];"""),
    "sums of integers": ("if (i < n) out[i] = x[(i + 3) * 2 - i];", "if (i < n) out[i] = x[6 + i];"),
    "operands of a sum": ("if (i < n) out[i] = x[i] + x[i + n] * 2;", "if (i < n) out[i] = 2 * x[n + i] + x[i];"),
    "a pointer that moves on": ("if (i < n) { float s = 0; for (int c = 0; c < m; c++) s += x[i * m + c]; out[i] = s; }",
                                """if (i < n) { const float *p = x + i * m; float s = 0; for (int c = 0; c < m; c++) s += p[c];
                                      out[i] = s; }"""),
    "tests one by one": ("if (i < n && q[i] < m) out[i] = x[i];", "if (i < n) { if (q[i] < m) { float v = x[i]; out[i] = v; } }"),
    "stores of two arrays": ("if (i < n) { out[i] = x[i]; whole[i] = q[i]; }",
                             "if (i < n) { int w = q[i]; whole[i] = w; out[i] = x[i]; }"),
    "shuffles": ("""float v = x[i]; for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d); out[i] = v;""",
                 """float v = x[i]; int d = 16;
                 while (0 < d) { float w = __shfl_down_sync(0xffffffffu, v, d); v = v + w; d /= 2; }
                     out[i] = v;"""),
    "a parameter that is set": ("""if (i < m) { float s = 0; if (q[i] > 0) n = 5; while (n > 0) { s += x[n]; n -= 1; }
                                   out[i] = s; }""",
                                """if (i >= m) return; int c = q[i] > 0 ? 5 : n; float s = 0; for (; 0 < c; c -= 1) s += x[c];
                                   out[i] = s;"""),
}
"""Bodies of two kernels that do the same."""
CLASS = {"sums of integers": EqualityClass.BITWISE, "operands of a sum": EqualityClass.COMMUTATIVE}

APART = {
    "another test": ("if (i < n) out[i] = x[i];", "if (i <= n) out[i] = x[i];"),
    "a dropped guard": ("if (i < n) out[i] = x[i];", "out[i] = x[i];"),
    "a sign": ("if (i < n) whole[i] = q[i] / 2;", "if (i < n) whole[i] = (unsigned)q[i] / 2;"),
    "a shift of a sign": ("if (i < n) whole[i] = q[i] >> 1;", "if (i < n) whole[i] = (unsigned)q[i] >> 1;"),
    "order of a float sum": ("if (i < n) out[i] = x[i] + x[i + 1] + x[i + 2];",
                             "if (i < n) out[i] = x[i] + (x[i + 1] + x[i + 2]);"),
    "a value of the round before": (
        "if (i < n) { float a = 0, b = 0; for (int c = 0; c < m; c++) { b = a; a = x[c]; } out[i] = a; }",
        "if (i < n) { float a = 0, b = 0; for (int c = 0; c < m; c++) { b = a; a = x[c]; } out[i] = b; }"),
    "equal at first": (
        "if (i < n) { int a = 0, b = 0; for (int c = 0; c < m; c++) { a += 1; b += 2; } whole[i] = a; }",
        "if (i < n) { int a = 0, b = 0; for (int c = 0; c < m; c++) { a += 1; b += 2; } whole[i] = b; }"),
    "equal for two rounds": (
        """if (i < n) { int a = 0, b = 0, d = 0, e = 0;
             for (int c = 0; c < m; c++) { a = b; b = d; d = e; e = 1; } whole[i] = a; }""",
        """if (i < n) { int a = 0, b = 0, d = 0, e = 0;
             for (int c = 0; c < m; c++) { a = b; b = d; d = e; e = 1; } whole[i] = b; }"""),
    "a load before the barrier": (
        """__shared__ float s[256]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); float v = s[255 - t]; __syncthreads();
           s[t] = v * 2; __syncthreads(); out[t] = s[255 - t];""",
        """__shared__ float s[256]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); float v = s[255 - t]; __syncthreads();
           s[t] = v * 2; __syncthreads(); out[t] = v;"""),
    "a load before the own store": (
        "if (i < n) { out[i] = x[i]; float v = out[i]; out[i] = v + 1; out[i] = out[i] * 2; }",
        "if (i < n) { out[i] = x[i]; float v = out[i]; out[i] = v + 1; out[i] = v * 2; }"),
    "a break too late": (
        "if (i < n) { float s = 0; for (int c = 0; c < m; c++) { if (q[c] == i) break; s += x[c]; } out[i] = s; }",
        "if (i < n) { float s = 0; for (int c = 0; c < m; c++) { s += x[c]; if (q[c] == i) break; } out[i] = s; }"),
    "return in the place of a break": (
        "if (i < n) { float s = 0; for (int c = 0; c < m; c++) { if (q[c] == i) break; s += x[c]; } out[i] = s; }",
        "if (i < n) { float s = 0; for (int c = 0; c < m; c++) { if (q[c] == i) return; s += x[c]; } out[i] = s; }"),
    "sides of a choice": ("if (i < n) out[i] = x[i] < 0 ? 0 : x[i];", "if (i < n) out[i] = x[i] < 0 ? x[i] : 0;"),
    "two arrays": (
        """__shared__ float s[64], r[64]; int t = threadIdx.x; s[t] = x[t]; r[t] = x[t + 64]; __syncthreads();
           out[t] = s[63 - t];""",
        """__shared__ float s[64], r[64]; int t = threadIdx.x; s[t] = x[t]; r[t] = x[t + 64]; __syncthreads();
           out[t] = r[63 - t];"""),
    "not a number": ("if (i < n) whole[i] = !(x[i] < x[i + 1]);", "if (i < n) whole[i] = x[i + 1] <= x[i];"),
    "a wide sum of data": ("if (i < n) out[i] = (long long)(q[i] + q[i + 1]);",
                           "if (i < n) out[i] = (long long)q[i] + q[i + 1];"),
    "a sum that wraps": ("unsigned u = i; if (i < n) out[i] = x[u * 4u + m];",
                         "unsigned u = i; if (i < n) { const float *p = x + u * 4u; out[i] = p[(unsigned)m]; }"),
    "a shift of a constant": ("if (i < n) whole[i] = q[i] << 2;", "if (i < n) whole[i] = q[i] << 3;"),
    "stores that meet": ("if (i < n) { out[i] = 1; out[i + m] = 2; }", "if (i < n) { out[i + m] = 2; out[i] = 1; }"),
    "tests in another order": ("if (i < n) { if (q[i] < m) out[i] = x[i]; else out[i] = 0; }",
                               "if (i < n && q[i] < m) out[i] = x[i]; else out[i] = 0;"),
    "a loop that nobody enters": ("if (i < n) { if (q[i] > 0) { while (false) { whole[i] = 1; } } out[i] = x[i]; }",
                                  "if (i < n) { if (q[i] > 0) { while (false) { whole[i] = 1; } } else out[i] = x[i]; }"),
    "a narrow sum": ("if (i < n) whole[i] = (short)(q[i] + 1);", "if (i < n) whole[i] = (short)q[i] + 1;"),
    "a parameter that is set": ("if (q[i] > 0) n = 5; whole[i] = n;", "if (q[i] > 0) n = 6; whole[i] = n;"),
    "a parameter that counts": ("float s = 0; while (n > 0) { s += x[n]; n -= 1; } out[i] = s;",
                                "float s = 0; while (n > 0) { s += x[n]; n -= 2; } out[i] = s;"),
}
"""Bodies that differ."""


def read_one(write: Write, text: str, name: str = "") -> Kernel:
    return find_kernels(str(write(text)), name or None)[0].read()


def same(one: Kernel, two: Kernel) -> dict[str, EqualityClass] | None:
    """What is said of two kernels at one launch, not asking whether they are deterministic."""
    pair = pair_up(one, two, Launch(), Launch(), {}, ())
    return same_class(pair.a, pair.b, pair.outputs, {param.name: param.name for param in pair.b.params}, EqualityClass.REAL)


def in_step(write: Write, a: str, b: str, head: str = HEAD) -> dict[str, EqualityClass] | None:
    """The same of two bodies."""
    one, two = (read_one(write, f"{head} {body} }}") for body in (a, b))
    return same(one, two)


@pytest.mark.parametrize("name", SAME)
def test_same_steps(kernel_file: Write, name: str) -> None:
    found = in_step(kernel_file, *SAME[name])
    assert found is not None
    assert found["out"] is CLASS.get(name, EqualityClass.BITWISE)


@pytest.mark.parametrize("name", APART)
def test_steps_that_differ(kernel_file: Write, name: str) -> None:
    assert in_step(kernel_file, *APART[name]) is None


def test_laws_of_integers_are_another_class(kernel_file: Write) -> None:
    found = in_step(kernel_file, "if (i < n) whole[i] = q[i] * 2 + q[i];", "if (i < n) whole[i] = 3 * q[i];")
    assert found is not None and found["whole"] is EqualityClass.INT


@pytest.mark.parametrize("head", [HEAD, HEAD.replace("const int *q", "volatile int *q")])
def test_loads_that_meet_others_are_not_followed(kernel_file: Write, head: str) -> None:
    body = f"if (i < n) {{ {'__threadfence();' if head is HEAD else ''} out[i] = q[i]; }}"
    assert in_step(kernel_file, body, body, head) is None
    assert in_step(kernel_file, "out[0] = q[0];", "out[0] = q[0];") is not None


def test_arguments_that_differ_are_no_one_value(compared: Any) -> None:
    """What b's caller passes for n is twice as much."""
    texts = [f"// spmd: block=64 grid=2 n={n} require m > 0\n{HEAD} out[i] = x[i] * n; }}" for n in ("m", "2*m")]
    assert compared(*texts)["verdict"] != "equal"


@pytest.mark.parametrize(("one", "two"), [("grid=n n=7", "grid=n n=7"), ("grid=n n=7", "grid=n n=14"),
                                          ("grid=m m=5 n=1", "grid=m m=6 n=1"), ("grid=n n=m+1 m=5", "grid=n n=m+1 m=6")])
def test_sizes_made_of_arguments(compared: Any, one: str, two: str) -> None:
    """Launches of one text, whose names stand for other arguments, are other launches."""
    record = compared(*(f"// spmd: block=64 {sizes}\n{HEAD} out[i] = x[i]; }}" for sizes in (one, two)), "--show-proof")
    assert (record["verdict"] == "equal") == (one == two)
    assert ("proof" in record) == (one == two)


@pytest.mark.parametrize("name", ["argmax", "rows by data", "break"])
def test_the_whole_answer(compared: Any, name: str) -> None:
    head = f"// spmd: block=64 require n > 0, m > 0, n * m < 1000000\n{HEAD}"
    record = compared(*(f"{head} {body} }}" for body in SAME[name]), "--show-proof")
    assert (record["verdict"], record.get("class")) == ("equal", "bitwise"), record
    assert record["proof"] == list(SAME_STEPS)


@pytest.mark.sliced(40)
@pytest.mark.parametrize("name", [pair.name for pair in pairs.all_pairs()])
def test_a_kernel_does_what_it_does_and_no_slip_does(kernel_file: Write, name: str) -> None:
    """Each kernel of a pair against itself, and against the slips in it that are not in its launch."""
    pair = next(each for each in pairs.all_pairs() if each.name == name)
    for side in "ab":
        names = pair.sides[side].partition(":")[2].split(";")
        if len(names) > 1:
            pytest.skip("a sequence")
        kernel = read_one(kernel_file, pair.text(side), names[0])
        stored = [stmt.value for stmt in walk(kernel.body) if isinstance(stmt, Store)]
        if any(isinstance(value, Var) and value.name == "nothing" for value in stored):
            pytest.skip("not followed: an array that each round of a loop declares anew, and so holds nothing at first")
        assert same(kernel, kernel) is not None
        for slip in pair.slips:
            if slip.of == side and "grid" not in slip.old:
                assert same(kernel, read_one(kernel_file, slip.applied(pair.text(side)), names[0])) is None, slip


@pytest.mark.drawn(60)
@pytest.mark.sliced(6)
def test_random_programs(kernel_file: Write, tmp_path: Path, seed: int) -> None:
    """Of twenty changes of a program those that are called the same leave the same bits, judged by g++."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    programs = Programs(seed)
    body = programs.block(3)
    own = f"int t = threadIdx.x; {SET} {programs.text(body)}"
    rest = " out[8 * t] = f0 + f1; out[8 * t + 1] = f2; whole[8 * t] = i0; whole[8 * t + 1] = i1 ^ i2;"
    changed = [f"int t = threadIdx.x; {SET} {programs.text(programs.changed(body))}{rest}" for _ in range(20)]
    same = [text for text in changed if in_step(kernel_file, own + rest, text) is not None]
    ran = run_all(tmp_path, [own + rest, *same], seed)
    for text, found in zip(same, ran[1:], strict=True):
        assert found == ran[0], f"{own + rest}\n{text}"


def test_a_launch_that_is_not_run(compared: Any) -> None:
    """Of a large launch of two kernels that do the same nothing is left to chance; a slip is seen by running it."""
    head = f"// spmd: block=256 grid=64 n=16384 m=512\n{HEAD} float s = 0; "
    loop = "for (int c = 0; c < m; c++) s += x[i * m + c]; out[i] = s; }"
    record = compared(head + loop, head + loop.replace("i * m + c", "c + m * i").replace("s += ", "s = s + "))
    assert (record["verdict"], record["class"], record["assurance"]) == ("equal", "bitwise", "proved")
    assert record["scope"] == "this launch"
    assert compared(head + loop, head + loop.replace("c < m", "c < m - 1"))["verdict"] == "different"


def test_what_is_not_proved_at_a_launch_is_run(compared: Any) -> None:
    """Whether the cell lies inside its array hangs on data."""
    text = f"// spmd: block=32 grid=1 n=32 m=4\n{HEAD} if (i < n) out[q[i]] = x[i]; }}"
    assert compared(text, text, "--extent", "out=32")["verdict"] != "equal"


@pytest.mark.drawn(24)
@pytest.mark.sliced(6)
def test_random_blocks(kernel_file: Write, tmp_path: Path, seed: int) -> None:
    """The same of threads that meet, in loops and branches that all take: of the changes that leave the same in two orders of
    threads, those that are called the same leave what the program does."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    programs = Blocks(seed)
    body = programs.intervals()
    before = f"int t = threadIdx.x; {SET} {FIRST} "
    rest = (" out[8 * t] = f0 + f1; out[8 * t + 1] = f2 + s[7 - t]; whole[8 * t] = i0 + w[7 - t];"
            " whole[8 * t + 1] = i1 ^ i2;")
    own = before + programs.text(body) + rest
    changed = [before + programs.text(programs.changed(body)) + rest for _ in range(15)]
    alike = [text for text in changed if in_step(kernel_file, own, text) is not None]
    (first, last), *ran = run_blocks(tmp_path, [own, *alike], seed)
    for text, found in zip(alike, ran, strict=True):
        assert first != last or found[0] != found[1] or found[0] == first, f"{own}\n{text}"
