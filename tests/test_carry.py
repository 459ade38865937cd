"""The carry of PTX: each thread has one, which goes from one instruction to the next, be they of one statement or of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

STEPS = "".join(
    f'__device__ {kind} {op.replace(".", "_")}_{bits}({kind} a, {kind} b) {{ {kind} r; '
    f'asm volatile("{op}.u{bits} %0, %1, %2;" : "={letter}"(r) : "{letter}"(a), "{letter}"(b)); return r; }}\n'
    for op in ("add.cc", "addc", "addc.cc", "sub.cc", "subc", "subc.cc")
    for kind, bits, letter in (("unsigned", 32, "r"), ("unsigned long long", 64, "l")))
MADS = "".join(
    f'__device__ unsigned {op.replace(".", "_")}(unsigned a, unsigned b, unsigned c) {{ unsigned r; '
    f'asm volatile("{op}.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }}\n'
    for op in ("mad.lo.cc", "madc.lo.cc", "mad.hi", "mad.hi.cc", "madc.hi", "madc.hi.cc"))
MADS += """__device__ int madc_hi_s(int a, int b, int c) {
  int r; asm volatile("madc.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
"""
KERNEL = """__global__ void %s(const unsigned *x, const unsigned *y, unsigned *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long a = ((unsigned long long)x[2 * i + 1] << 32) | x[2 * i];
  unsigned long long b = ((unsigned long long)y[2 * i + 1] << 32) | y[2 * i], r = 0;
  unsigned a0 = a, a1 = a >> 32, b0 = b, b1 = b >> 32;
  %s
  z[2 * i] = r; z[2 * i + 1] = r >> 32;
}
"""
JOINED = "r = ((unsigned long long)hi << 32) | lo;"
COMPUTED = {
    "a sum": (f"unsigned lo = add_cc_32(a0, b0), hi = addc_32(a1, b1); {JOINED}", "r = a + b;",
              f"unsigned lo = add_cc_32(a0, b0), hi = a1 + b1; {JOINED}"),
    "a difference": (f"unsigned lo = sub_cc_32(a0, b0), hi = subc_32(a1, b1); {JOINED}", "r = a - b;",
                     f"unsigned lo = sub_cc_32(a0, b0), hi = addc_32(a1, ~b1); {JOINED}"),
    "whether a sum of three words overflows": (
        "add_cc_32(a0, b0); addc_cc_32(a1, b1); r = addc_32(0, 0);", "r = a + b < a;", "add_cc_32(a1, b1); r = addc_32(0, 0);"),
    "whether a difference does": ("sub_cc_32(a0, b0); subc_cc_32(a1, b1); r = subc_32(0, 0) & 1;", "r = a < b;",
                                  "sub_cc_32(a0, b0); subc_cc_32(a1, b1); r = addc_32(1, 0) & 1;"),
    "of 64 bits": ("add_cc_64(a, b); r = addc_64(0, 5);", "r = 5 + (a + b < a);", "r = add_cc_64(a, b) < a;"),
    "a product and a sum": (f"unsigned lo = mad_lo_cc(a0, b0, a1), hi = madc_hi(a0, b0, b1); {JOINED}",
                            "r = (unsigned long long)a0 * b0 + a1 + ((unsigned long long)b1 << 32);",
                            f"unsigned lo = mad_lo_cc(a0, b0, a1), hi = mad_hi(a0, b0, b1); {JOINED}"),
    "whether a product and a sum overflow": (
        "mad_lo_cc(a0, b0, a1); madc_hi_cc(a0, b0, b1); r = addc_32(0, 0);",
        "unsigned long long p = (unsigned long long)a0 * b0; r = p + ((unsigned long long)b1 << 32 | a1) < p;",
        "mad_hi_cc(a0, b0, b1); r = addc_32(0, 0);"),
    "a product of numbers with a sign": (
        f"int lo = mad_lo_cc(a0, b0, a1), hi = madc_hi_s(a0, b0, b1); {JOINED.replace('| lo', '| (unsigned)lo')}",
        "r = (unsigned long long)((long long)(int)a0 * (int)b0) + a1 + ((unsigned long long)b1 << 32);",
        f"int lo = mad_lo_cc(a0, b0, a1), hi = madc_hi(a0, b0, b1); {JOINED.replace('| lo', '| (unsigned)lo')}"),
    "in one statement": (
        'asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;" : "=r"(x0), "=r"(x1) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));'
        "r = ((unsigned long long)x1 << 32) | x0;", "r = a + b;", "r = a + b + 1;"),
}


@pytest.mark.parametrize(("made", "plain", "other"), COMPUTED.values(), ids=COMPUTED)
def test_what_instructions_with_a_carry_compute(made: str, plain: str, other: str, run: Run, tmp_path: Path) -> None:
    path, head = tmp_path / "k.cu", "unsigned x0, x1;" if "x0" in made else ""
    path.write_text(STEPS + MADS + KERNEL % ("made", head + made) + KERNEL % ("plain", plain) + KERNEL % ("other", other))
    said = {name: run("equiv", f"{path}:{name}", f"{path}:plain", "--block", "32", "--grid", "4", "--format", "jsonl").records[0]
            ["verdict"] for name in ("made", "other")}
    assert said["made"] in ("equal", "unknown") and said["other"] == "different"


@pytest.mark.parametrize(("code", "verdict"), [
    ("a[i] = add_cc_32(a[i], 1);", "proved"), ("add_cc_32(a[i], 1); a[i] = addc_32(0, 0);", "proved"),
    ("for (int k = 0; k < 4; k++) a[4 * i + k] = k ? addc_cc_32(a[4 * i + k], 1) : add_cc_32(a[4 * i], 1);", "proved"),
    ("add_cc_32(a[i], 1); a[i / 2] = addc_32(0, 0);", "refuted"), ("a[i] = addc_32(0, 0);", "unsupported")])
def test_a_kernel_with_a_carry(code: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(STEPS + f"__global__ void k(unsigned *a) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {code} }}\n")
    (record,) = run("check", path, "--block", "32", "--grid", "4", "--format", "jsonl").records
    assert record["verdict"] == verdict
