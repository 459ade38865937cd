"""Inline PTX that orders memory: proved where it hands memory over, and nowhere where the order or the scope is too weak."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

from automata.lang.ptx import unwritten

READ = "ld.acquire.gpu.global.b32"
SET = 'asm volatile("{} [%0], %1;" :: "l"(flag), "r"(1) : "memory");'
GET = 'asm volatile("{} %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");'
TEXT = """// spmd: block=32 grid=2 require flag[0] == 0
__global__ void k(int *data, int *flag, int *out) {{
  if (threadIdx.x != 0) return;
  int seen = 0;
  if (blockIdx.x == 0) {{ data[0] = 42; {} }}
  else {{ {} if (seen == 1) out[0] = data[0]; }}
}}"""
ORDERS = {
    ("st.release.gpu.global.b32", "ld.acquire.gpu.global.b32"): True,
    ("st.global.release.gpu.b32", "ld.global.acquire.gpu.b32"): True,
    ("st.release.sys.u32", "ld.acquire.sys.u32"): True,
    ("red.release.gpu.global.add.s32", "ld.acquire.gpu.s32"): True,
    ("red.global.release.gpu.add.u32", READ): True,
    ("st.relaxed.gpu.global.b32", READ): False,
    ("st.release.cta.global.b32", READ): False,
    ("st.release.cluster.global.b32", READ): False,
    ("st.release.gpu.global.b32", "ld.relaxed.gpu.global.b32"): False,
    ("st.release.gpu.global.b32", "ld.acquire.cta.global.b32"): False,
    ("st.release.gpu.global.b32", "ld.global.b32"): False,
    ("st.global.b32", READ): False,
    ("red.global.add.s32", READ): False,
    ("red.acquire.gpu.global.add.s32", READ): False,
    ("fence.acq_rel.gpu; st.relaxed.gpu.global.b32", READ): True,
    ("fence.release.gpu; st.relaxed.gpu.global.b32", READ): True,
    ("fence.acquire.gpu; st.relaxed.gpu.global.b32", READ): False,
    ("fence.release.cta; st.relaxed.gpu.global.b32", READ): False,
}


@pytest.mark.parametrize("orders", ORDERS)
def test_a_flag_of_one_word(orders: tuple[str, str], run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(TEXT.format(SET.format(orders[0]), GET.format(orders[1]))), "--format", "jsonl").records[0]
    assert (record["properties"]["race-free"] == "proved") is ORDERS[orders], record.get("reason")


@pytest.mark.parametrize("after", ["fence.acq_rel.gpu", "fence.acquire.gpu", "fence.release.gpu", "fence.acquire.cta"])
def test_a_fence_behind_a_reading(after: str, run: Run, kernel_file: Any) -> None:
    read = GET.format("ld.relaxed.gpu.b32") + f' asm volatile("{after};" ::: "memory");'
    record = run("check", kernel_file(TEXT.format(SET.format("st.release.gpu.b32"), read)), "--format", "jsonl").records[0]
    assert (record["properties"]["race-free"] == "proved") is (after in ("fence.acq_rel.gpu", "fence.acquire.gpu"))


def test_a_store_with_release_that_stands_too_early(run: Run, kernel_file: Any) -> None:
    text = TEXT.format(SET.format("st.release.gpu.b32"), GET.format(READ)).replace("data[0] = 42; ", "").replace(
        "\n  else", " if (blockIdx.x == 0) data[0] = 42;\n  else")
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] != "proved"


LAST = """// spmd: block=32 grid=4 require count[0] == 0
__global__ void k(int *data, unsigned *count, int *out) {{
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = blockIdx.x;
  unsigned old;
  asm volatile("{} %0, [%1], %2;" : "=r"(old) : "l"(count), "r"(gridDim.x) : "memory");
  if (old == gridDim.x - 1) {{ int s = 0; for (int i = 0; i < gridDim.x; i++) s += data[i]; out[blockIdx.x] = s; }}
}}"""


@pytest.mark.parametrize(("update", "is_free"), [
    ("atom.acq_rel.gpu.global.inc.u32", True), ("atom.global.acq_rel.gpu.inc.u32", True),
    ("atom.acquire.gpu.global.inc.u32", False), ("atom.release.gpu.global.inc.u32", False),
    ("atom.acq_rel.cta.global.inc.u32", False), ("atom.global.inc.u32", False)])
def test_the_last_of_all_blocks(update: str, is_free: bool, run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(LAST.format(update)), "--format", "jsonl").records[0]
    assert (record["properties"]["race-free"] == "proved") is is_free, record.get("reason")


SAME = {
    "a float": ('asm volatile("st.release.gpu.f32 [%0], %1;" :: "l"(out + i), "f"(in[i]) : "memory");', "out[i] = in[i];"),
    "bits of a float": ('asm volatile("st.release.gpu.global.b32 [%0], %1;" :: "l"(out + i), "f"(in[i]) : "memory");',
                        "out[i] = in[i];"),
    "a float read": ('asm volatile("ld.acquire.gpu.f32 %0, [%1];" : "=f"(f) : "l"(in + i)); out[i] = f;', "out[i] = in[i];"),
    "two words": ('unsigned long long w; asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(w) : "l"(wide + i)); '
                  "out[i] = (float)(w >> 40);", "out[i] = (float)(wide[i] >> 40);"),
    "an update": ('asm volatile("red.release.gpu.global.max.s32 [%0], %1;" :: "l"(o + i), "r"(n) : "memory");',
                  "atomicMax(o + i, n);"),
    "the greater of two without a sign": (
        'asm volatile("red.release.gpu.global.max.u32 [%0], %1;" :: "l"(o + i), "r"(n) : "memory");',
        "atomicMax((unsigned *)o + i, (unsigned)n);"),
    "an old value": ('int u; asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], 3, %2;" : "=r"(u) : "l"(o + i), "r"(n)); '
                     "out[i] = u;", "out[i] = atomicCAS(o + i, 3, n);"),
    "volatile": ('int u; asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(u) : "l"(o + i)); '
                 'asm volatile("st.volatile.global.u32 [%0], %1;" :: "l"(o + i), "r"(u + 1) : "memory");', "o[i] = o[i] + 1;"),
    "with an offset": ('asm volatile("st.release.gpu.f32 [%0+4], %1;" :: "l"(out + i), "f"(in[i]) : "memory");',
                       "out[i + 1] = in[i];"),
    "a hint to the cache": (
        'asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" :: "l"(out + i), "f"(in[i]), "l"(0x14F0000000000000));',
        "out[i] = in[i];"),
}
KERNEL = """__global__ void k(float *out, const float *in, int *o, int n, unsigned long long *wide) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x; float f = 0; {} }}"""


@pytest.mark.parametrize("name", SAME)
def test_it_means_what_its_cpp_means(name: str, run: Run, kernel_file: Any) -> None:
    sides = [kernel_file(KERNEL.format(body), f"{at}.cu") for at, body in enumerate(SAME[name])]
    (record,) = run("equiv", *sides, "--block", "64", "--grid", "2", "--arg", "n=9", "--format", "jsonl").records
    assert (record["verdict"], record.get("class")) == ("equal", "bitwise"), record.get("reason")


@pytest.mark.parametrize("opcode", ["st.async.weak.shared::cluster.b32", "red.async.relaxed.cluster.add.u32",
                                    "ld.acquire.gpu.b16", "ld.acquire.b32",
                                    "st.acquire.gpu.b32", "ld.release.gpu.b32", "st.release.gpu.f64"])
def test_what_is_not_there_is_refused(opcode: str) -> None:
    operands = ('"=r"(u) : "l"(o)', "%0, [%1]") if opcode.startswith("ld") else (': "l"(o), "r"(u)', "[%0], %1")
    assert unwritten(f'asm volatile("{opcode} {operands[1]};" : {operands[0]});') == opcode
