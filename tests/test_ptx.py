"""Inline PTX of the table means what its C++ means; all else is refused by name and place."""

from __future__ import annotations

import pytest
from conftest import Run

from automata.lang.ptx import without_ptx

KERNEL = """__global__ void k(float *out, const float *in, int *o, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned u = 0; float f = 0, g = 0, h = 0, e = 0; {} }}"""
SAME = {
    "lane": ('asm("mov.u32 %0, %%laneid;" : "=r"(u)); o[i] = u;', "u = threadIdx.x % 32; o[i] = u;"),
    "load": ('asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(f) : "l"(in + i)); out[i] = f;',
             "out[i] = in[i];"),
    "store": ('asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(out + i), "f"(in[i]) : "memory");', "out[i] = in[i];"),
    "vector": ('asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f), "=f"(g), "=f"(h), "=f"(e) : "l"(in + 4 * i)); '
               "out[i] = f - g - h - e;", "out[i] = in[4 * i] - in[4 * i + 1] - in[4 * i + 2] - in[4 * i + 3];"),
    "vector store": ('asm("st.global.v2.f32 [%0], {%1, %2};" :: "l"(out + 2 * i), "f"(in[i]), "f"(f));',
                     "out[2 * i] = in[i]; out[2 * i + 1] = f;"),
    "fma": ('asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(in[i]), "f"(in[i]), "f"(2.f)); out[i] = f;',
            "out[i] = fmaf(in[i], in[i], 2.f);"),
    "barrier": ('out[i] = 1; asm volatile ("bar.sync 0;\\n\\t" ::: "memory"); out[i + 1 - 2 * (i % 2)] = 2;',
                "out[i] = 1; __syncthreads(); out[i + 1 - 2 * (i % 2)] = 2;"),
    "bits": ('asm("xor.b32 %0, %1, %2;" : "=r"(u) : "r"(i), "r"(n)); o[i] = u;', "o[i] = i ^ n;"),
}


@pytest.mark.parametrize("name", SAME)
def test_it_means_what_its_cpp_means(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    sides = [kernel_file(KERNEL.format(body), f"{at}.cu") for at, body in enumerate(SAME[name])]
    (record,) = run("equiv", *sides, "--block", "64", "--grid", "2", "--arg", "n=9", "--format", "jsonl").records
    assert (record["verdict"], record.get("class")) == ("equal", "bitwise")


@pytest.mark.parametrize("body", [
    'asm("mov.u32 %0, %%warpid;" : "=r"(u)); o[i] = u;',
    'asm("ld.acquire.gpu.global.f32 %0, [%1];" : "=f"(f) : "l"(in)); out[i] = f;',
    'asm("bar.sync 1, 64;");', 'asm("red.global.add.f32 [%0], %1;" :: "l"(out), "f"(f));', 'asm("nop;");',
    'asm("ld.volatile.global.f32 %0, [%1];" : "=f"(f) : "l"(in)); out[i] = f;', 'asm("bar.sync 0; membar.gl;");',
    'asm("ld.global.b32 %0, [%1];" : "=f"(f) : "l"(in + i)); out[i] = f;',
    'asm("st.global.b32 [%0], %1;" :: "l"(out + i), "f"(f));',
    'asm("ld.global.v2.b32 {%0, %1}, [%2];" : "=f"(f), "=f"(g) : "l"(in + 2 * i)); out[i] = f + g;',
    'asm("xor.b32 %0, %1, %2;" : "=r"(u) : "l"(n), "r"(n)); o[i] = u;',
    'asm("add.s32 %0, %0, %1;" : "+r"(u) : "r"(n)); o[i] = u;', 'asm("mov.u32 %0, %%laneid;" : "=r"(u), "=r"(n));',
])
def test_all_else_is_refused(body: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(KERNEL.format(body)), "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "inline assembly" in record["reason"] and "kernel.cu:2:" in record["reason"]


def test_places_stay() -> None:
    text = 'x; asm volatile("bar.sync 0;"\n ::: "memory"); y; // asm("bar.sync 0;")\nz;'
    plain = without_ptx(text)
    assert len(plain) == len(text) and plain.index("y;") == text.index("y;") and plain.index("z;") == text.index("z;")
    assert plain.startswith("x; __syncthreads();")
