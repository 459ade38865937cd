"""Inline PTX of the table means what its C++ means; all else is refused by name and place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.ptx import without_ptx

Write = Callable[..., Path]
KERNEL = """__global__ void k(float *out, const float *in, int *o, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned u = 0; float f = 0, g = 0, h = 0, e = 0; {} }}"""
SAME = {
    "lane": ('asm("mov.u32 %0, %%laneid;" : "=r"(u)); o[i] = u;', "u = threadIdx.x % 32; o[i] = u;"),
    "comments between the parts": (
        'asm("mov.u32 " // to\n "%0, /* from */ %%laneid;" // "one"\n : "=r"(u) /* result */); o[i] = u;',
        "u = threadIdx.x % 32; o[i] = u;"),
    "lines that go on": ('asm("mov.u32 \\\n%0, \\\n%%laneid;" : "=r"(u)); o[i] = u;', "u = threadIdx.x % 32; o[i] = u;"),
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
    "bits of a float loaded": ('asm("ld.global.b32 %0, [%1];" : "=f"(f) : "l"(in + i)); out[i] = f;', "out[i] = in[i];"),
    "vector, cached as said first": (
        'asm volatile("ld.cg.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f), "=f"(g), "=f"(h), "=f"(e) : "l"(in + 4 * i)); '
        "out[i] = f + g + h + e;", "out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];"),
    "bits of floats": ('asm("ld.global.v2.b32 {%0, %1}, [%2];" : "=f"(f), "=f"(g) : "l"(in + 2 * i)); out[i] = f + g;',
                       "out[i] = in[2 * i] + in[2 * i + 1];"),
    "bits of a float stored": ('asm("st.global.b32 [%0], %1;" :: "l"(out + i), "f"(in[i]));', "out[i] = in[i];"),
    "bits into an integer": ('asm("mov.b32 %0, %1;" : "=r"(u) : "f"(in[i])); o[i] = u;', "u = __float_as_uint(in[i]); o[i] = u;"),
    "bits of a float shifted": ('asm("{shl.b32 %0, %2, 16; and.b32 %1, %2, 0xffff0000;}" : "=f"(f), "=f"(g) : "r"(n + i)); '
                                "out[2 * i] = f; out[2 * i + 1] = g;",
                                "u = n + i; out[2 * i] = __uint_as_float(u << 16); "
                                "out[2 * i + 1] = __uint_as_float(u & 0xffff0000u);"),
    "both": ('u = i; asm("add.s32 %0, %0, %1;" : "+r"(u) : "r"(n)); o[i] = u;', "o[i] = i + n;"),
    "two at once": ('out[i] = 1; asm("bar.sync 0; membar.gl;"); out[i] = 2;', "out[i] = 2;"),
    "atomic": ('asm volatile("red.global.add.u32 [%0], %1;" :: "l"(o + i % 4), "r"(i) : "memory");', "atomicAdd(o + i % 4, i);"),
    "old value": ('asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(u) : "l"((unsigned*)o + i), "r"(n)); o[i + 128] = u;',
                  "u = atomicExch((unsigned*)o + i, (unsigned)n); o[i + 128] = u;"),
    "guarded": ('asm volatile("{\\n .reg .pred p;\\n setp.ne.b32 p, %2, 0;\\n @p st.global.f32 [%0], %1;\\n" '
                '" @!p st.global.f32 [%0], 0f40000000;\\n}" :: "l"(out + i), "f"(in[i]), "r"(i & 1));',
                "out[i] = i & 1 ? in[i] : 2.f;"),
    "registers": ('asm("{.reg .b32 t, s; .reg .f32 x; mov.b32 t, %1; shl.b32 s, t, 3; add.u32 t, s, %2; mov.u32 %0, t;}" '
                  ': "=r"(u) : "r"(i), "r"(n)); o[i] = u;', "o[i] = i * 8 + n;"),
    "choice": ('asm("{.reg .pred p, q; setp.lt.s32 p, %1, %2; setp.eq.u32 q, %1, 5; or.pred p, p, q; selp.b32 %0, 7, 9, p;}" '
               ': "=r"(u) : "r"(i), "r"(n)); o[i] = u;', "o[i] = i < n || i == 5 ? 7 : 9;"),
    "fields": ('asm("bfe.u32 %0, %1, 4, 8;" : "=r"(u) : "r"(i * 77)); o[i] = u;', "o[i] = (i * 77) >> 4 & 255;"),
    "shifts of 64 bits": ('unsigned long long w = n, v; asm("shl.b64 %0, %1, %2;" : "=l"(v) : "l"(w), "r"(i)); '
                          'asm("shr.u64 %0, %1, %2;" : "=l"(w) : "l"(v), "r"(i / 2)); o[i] = w;',
                          "unsigned long long w = n; o[i] = i < 64 ? w << i >> i / 2 : 0;"),
    "a shift of 64 bits with a sign": ('long long w = n - 100, v; '
                                       'asm("shr.s64 %0, %1, %2;" : "=l"(v) : "l"(w), "r"(i)); o[i] = v;',
                                       "o[i] = (long long)(n - 100) >> (i < 63 ? i : 63);"),
    "bits of 64": ('unsigned long long w = i * 77ull << 20, v; '
                   'asm("{.reg .u64 t; brev.b64 t, %1; mov.u64 %0, t;}" : "=l"(v) : "l"(w)); '
                   'asm("clz.b64 %0, %1;" : "=r"(u) : "l"(v)); o[2 * i] = u; '
                   'asm("popc.b64 %0, %1;" : "=r"(u) : "l"(w)); o[2 * i + 1] = u;',
                   "unsigned long long w = i * 77ull << 20; o[2 * i] = __clzll(__brevll(w)); o[2 * i + 1] = __popcll(w);"),
    "the upper half of 128 bits": ('long long w = n - 100, v; '
                                   'asm("mul.hi.s64 %0, %1, %2;" : "=l"(v) : "l"(w), "l"(w)); o[i] = v;',
                                   "long long w = n - 100; o[i] = __mul64hi(w, w);"),
    "shifts of two words by 32 at most": (
        'asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(u) : "r"(n), "r"(i), "r"(i)); o[2 * i] = u; '
        "o[2 * i + 1] = __funnelshift_lc(n, i, i);",
        "unsigned long long w = (unsigned long long)i << 32 | (unsigned)n; int s = i < 32 ? i : 32; "
        "o[2 * i] = w >> s; o[2 * i + 1] = w << s >> 32;"),
    "lop3": ('asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(u) : "r"(i), "r"(n), "r"(12)); o[i] = u;', "o[i] = (i & n) | 12;"),
    "lop3 with a number of the program's": (
        'const int kept = 0xEA; asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(u) : "r"(i), "r"(n), "n"(12), "n"(kept)); o[i] = u;',
        "o[i] = (i & n) | 12;"),
    "rounded to a byte in a register of 16 bits": (
        'unsigned short w; asm("cvt.rni.sat.s8.f32 %0, %1;" : "=h"(w) : "f"(in[i])); o[i] = (short)w;',
        'asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(u) : "f"(in[i])); o[i] = (short)(unsigned short)u;'),
    "halves": ('asm("mov.b32 %0, {%1, %2};" : "=r"(u) : "h"((unsigned short)i), "h"((unsigned short)n)); o[i] = u;',
               "o[i] = (unsigned short)i | n << 16;"),
    "wide": ('unsigned long long w; asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(i), "r"(n)); o[i] = (int)(w >> 1);',
             "o[i] = (int)((unsigned long long)i * n >> 1);"),
    "shuffle": ('asm("shfl.sync.bfly.b32 %0, %1, 4, 0x1f, 0xffffffff;" : "=r"(u) : "r"(n + i)); o[i] = u;',
                "o[i] = __shfl_xor_sync(0xffffffffu, n + i, 4);"),
    "shuffle of floats in eights": (
        'asm("shfl.sync.down.b32 %0, %1, 1, 0x181f, 0xffffffff;" : "=f"(f) : "f"(in[i])); out[i] = f;',
        "out[i] = __shfl_down_sync(0xffffffffu, in[i], 1, 8);"),
    "reduction": ('asm("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(u) : "r"(n + i)); o[i] = u;',
                  "o[i] = __reduce_max_sync(0xffffffffu, (unsigned)(n + i));"),
    "vote": ('asm("{.reg .pred p; setp.gt.u32 p, %1, 3; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "=r"(u) : "r"(i)); o[i] = u;',
             "o[i] = __ballot_sync(0xffffffffu, i > 3);"),
    "shared": ("""__shared__ float s[64]; unsigned at = (unsigned)__cvta_generic_to_shared(s + threadIdx.x);
               asm volatile("st.shared.f32 [%0], %1;" :: "r"(at), "f"(in[i])); __syncthreads();
               if (threadIdx.x < 63) asm volatile("ld.shared.f32 %0, [%1+4];" : "=f"(f) : "r"(at)); out[i] = f;""",
               """__shared__ float s[64]; s[threadIdx.x] = in[i]; __syncthreads();
               if (threadIdx.x < 63) f = s[threadIdx.x + 1]; out[i] = f;"""),
    "shared rows": ("""__shared__ float s[256]; unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * 16;
                    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" :: "r"(at), "f"(in[i]), "f"(f), "f"(g), "f"(1.f));
                    __syncthreads(); out[i] = s[(threadIdx.x * 4 + 4) % 256];""",
                    """__shared__ float s[64]; s[threadIdx.x] = in[i]; __syncthreads(); out[i] = s[(threadIdx.x + 1) % 64];"""),
    "own place": ('asm("mov.u32 %0, %%ctaid.x;" : "=r"(u)); o[i] = u;', "o[i] = blockIdx.x;"),
    "pairs of halves": ('asm("add.f16x2 %0, %1, %2;" : "=r"(u) : "r"(o[i + 256]), "r"(o[i + 512])); o[i] = u;',
                        "unsigned v = o[i + 256], w = o[i + 512]; "
                        "u = __half_as_ushort(__ushort_as_half(v) + __ushort_as_half(w)); "
                        "u |= (unsigned)__half_as_ushort(__ushort_as_half(v >> 16) + __ushort_as_half(w >> 16)) << 16; "
                        "o[i] = u;"),
    "rounded": ('asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(in[i]), "f"(in[i + 1])); o[i] = u;',
                "__half2 c = __floats2half2_rn(in[i + 1], in[i]); o[i] = *(int*)&c;"),
}


@pytest.mark.parametrize("name", SAME)
def test_it_means_what_its_cpp_means(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    sides = [kernel_file(KERNEL.format(body), f"{at}.cu") for at, body in enumerate(SAME[name])]
    (record,) = run("equiv", *sides, "--block", "64", "--grid", "2", "--arg", "n=9", "--format", "jsonl").records
    assert (record["verdict"], record.get("class")) == ("equal", "bitwise")


@pytest.mark.parametrize("body", [
    'asm("ld.acquire.gpu.global.v2.f32 {%0, %1}, [%2];" : "=f"(f), "=f"(g) : "l"(in)); out[i] = f;',
    'asm("bar.sync 1, 64;");', 'asm("red.release.gpu.global.add.f16x2 [%0], %1;" :: "l"(o), "r"(n));',
    'asm("bar.arrive 0, 64;");',
    'asm("ld.mmio.relaxed.sys.global.f32 %0, [%1];" : "=f"(f) : "l"(in)); out[i] = f;', 'asm("bar.sync 0; exit;");',
    'asm("xor.b32 %0, %1, %2;" : "=r"(u) : "l"(n), "r"(n)); o[i] = u;', 'asm("add.f32 %0, %1, %1;" : "=f"(f) : "r"(n));',
    'asm("add.u32 %0, %1, %1;" : "=r"(u) : "f"(f));',
    'asm("st.global.f32 [%0], %1;" :: "l"(out + i), "r"(n));', 'asm("add.u32 %0, %1, t;" : "=r"(u) : "r"(n));',
    'asm("prmt.b32 %0, %1, %1, 0x8888;" : "=r"(u) : "r"(n)); o[i] = u;', 'asm("mov.u32 %0, %3;" : "=r"(u) : "r"(n));',
    'asm("shfl.sync.idx.b32 %0, %1, 0, 0x10, 0xffffffff;" : "=r"(u) : "r"(n)); o[i] = u;',
    'asm("st.global.v2.f32 [%0], {%1, %2, %2};" :: "l"(out + i), "f"(f), "f"(g));', 'asm goto("nop;" :::: there); there: ;',
    'asm("add.u32 %0, %1, 1;" : "=r"(o[n++]) : "r"(n));',
])
def test_all_else_is_refused(body: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(KERNEL.format(body)), "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "inline assembly" in record["reason"] and "kernel.cu:2:" in record["reason"]


@pytest.mark.parametrize(("body", "name"), [
    ('asm volatile("wgmma.fence.sync.aligned; bar.sync 0;" ::: "memory");', "wgmma.fence.sync.aligned"),
    ('asm("add.u32 %0, %1, t;" : "=r"(u) : "r"(n));', "add.u32"), ('asm(".section x" : "=r"(u) : "r"(n));', "")])
def test_which_instruction_is_not_known_is_said(body: str, name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(KERNEL.format(body)), "--format", "jsonl").records
    said = f"inline assembly with '{name}', which the table of PTX here does not have in this form" if name else "inline assembly"
    assert record["reason"].endswith(said)


def test_a_macro_of_many_lines_stays() -> None:
    text = '#define WAIT asm volatile("bar.sync \\\n 0;"); \\\n after();\nx;'
    assert without_ptx(text) == text


def test_places_stay() -> None:
    text = 'x; asm volatile("bar.sync 0;"\n ::: "memory"); y; // asm("bar.sync 0;")\nz;'
    plain = without_ptx(text)
    assert len(plain) == len(text) and plain.index("y;") == text.index("y;") and plain.index("z;") == text.index("z;")
    assert plain.startswith("x; __syncthreads();")


CLOCKS = ("warpid", "smid", "clock", "globaltimer")


@pytest.mark.parametrize("name", CLOCKS)
def test_what_a_device_decides_shows(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    bits, letter, kind = ("64", "l", "unsigned long long") if name == "globaltimer" else ("32", "r", "unsigned")
    body = f'asm volatile("mov.u{bits} %0, %%{name};" : "={letter}"(w)); o[i] = (int)w;'
    path = kernel_file(KERNEL.format(f"{kind} w; {body}"))
    (record,) = run("check", path, "--format", "jsonl").records
    shown = "unknown" if name == "warpid" else "refuted"
    assert record["properties"]["order-free"] == shown and record["properties"]["race-free"] == "proved"


@pytest.mark.parametrize(("body", "outcome"), [
    ("o[i] = w * 0;", "unknown"), ("if (w > 1) o[i] = 1;", "refuted"), ("o[i] = i; s[i % 64] = w; __syncthreads();", "unknown"),
    ("o[i] = (clock() >= clock()) + 2;", "unknown"), ("int a = clock(); int b = clock(); o[i] = b - a > 0;", "unknown"),
    ("int a = clock(); int b = clock(); o[i] = b - a;", "refuted"), ("atomicAdd(&o[0], w);", "refuted")])
def test_where_a_thread_runs_shows_in_what_is_stored(body: str, outcome: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    text = f'''// spmd: block=64 grid=2
__global__ void k(int *o) {{
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  unsigned w;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(w));
  {body}
}}'''
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["order-free"] == outcome, (record.get("reason"), record["findings"])


RACE = """__global__ void k(float *out) {
  __shared__ float s[256];
  unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * STEP;
  asm volatile("st.shared.v4.f32 [%0], {%1, %1, %1, %1};" :: "r"(at), "f"((float)threadIdx.x) : "memory");
  WAIT
  float f;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(f) : "r"(at ^ 16));
  out[blockIdx.x * 64 + threadIdx.x] = f;
}
"""


@pytest.mark.parametrize(("step", "wait", "outcome"), [
    ("16", "__syncthreads();", "proved"), ("16", "", "refuted"), ("8", "__syncthreads();", "refuted"),
    ("16", 'asm volatile("bar.sync 0;");', "proved"), ("16", "__threadfence_block();", "refuted"),
])
def test_races_through_numbers_are_seen(step: str, wait: str, outcome: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(RACE.replace("STEP", step).replace("WAIT", wait))
    (record,) = run("check", path, "--block", "64", "--grid", "2", "--format", "jsonl").records
    assert record["properties"]["race-free"] == outcome, record["reason"]


TRAP = "__global__ void k(int *o, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (n < 0) {} o[i] = 1; }}"


@pytest.mark.parametrize("stop", ["__trap();", 'asm("trap;");', "__builtin_unreachable();"])
def test_that_nobody_comes_to_a_trap_is_assumed_aloud(stop: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(TRAP.format(stop)), "--format", "jsonl").records
    assert record["verdict"] == "proved" and any("no thread comes to" in text for text in record["assumptions"])


POINTER = """#if defined(_WIN64) || defined(__LP64__)
#define WIDE "l"
#else
#define WIDE "r"
#endif
#define REAL "f"
"""
BY_MACRO = {
    "a pointer": ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(f) : WIDE(in + i)); out[i] = f;', "proved"),
    "a pointer, two threads": ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(f) : WIDE(in + i)); out[i / 2] = f;', "refuted"),
    "behind a distance": ('asm("st.global.f32 [%0+4], %1;" :: WIDE(out + i), "f"(f) : "memory");', "proved"),
    "no pointer": ('asm("add.u32 %0, %1, %2;" : "=r"(u) : WIDE(i), "r"(n)); o[i] = u;', "unsupported"),
    "of another letter": ('asm("add.f32 %0, %1, %2;" : "=f"(f) : REAL(in[i]), "f"(f)); out[i] = f;', "unsupported"),
    "not defined here": ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(f) : NARROW(in + i)); out[i] = f;', "invalid"),
}


@pytest.mark.parametrize("name", BY_MACRO)
def test_macros_for_the_letter_of_a_pointer(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    body, verdict = BY_MACRO[name]
    path = kernel_file(POINTER + KERNEL.format(body))
    assert run("check", path, "--block", 64, "--grid", 2, "--format", "jsonl").records[0]["verdict"] == verdict


@pytest.mark.parametrize("include", [False, True])
def test_places_are_those_of_the_user(include: bool, kernel_file: Write, run: Run) -> None:
    """Also behind a statement in the same line, which is longer as it is read."""
    line = '  s[threadIdx.x] = 1; asm volatile("st.global.wb.u32 [%0], %1;" : : "l"(b), "r"(a[0])); s[0] = 2;'
    path = kernel_file(f"__global__ void k(int *a, unsigned *b) {{\n  __shared__ int s[64];\n{line}\n}}\n",
                       **({"name": "k.cuh"} if include else {}))
    if include:
        (path.parent / "k.cu").write_text('#include "k.cuh"\n')
    record = run("check", path.parent / "k.cu" if include else path, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    places = {(place["line"], place["column"]) for finding in record["findings"] for place in finding["places"]}
    assert places == {(3, line.index(text) + 1) for text in ("s[threadIdx.x]", "asm", "s[0]")}
