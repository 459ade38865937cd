"""What a loop adds up is looked at as what is stored: unsigned numbers that fall below zero in it are none of the integers that
they are made of, and what is assumed not to wrap is printed.

Each pair differs at no size that is run first, so an equality that is told without an assumption is a wrong one.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

HEAD = ("__global__ void k(long long *out, const int *x, int n, int m) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  long long s = 0;\n")
SUM = HEAD + "  for (int j = 0; j < m; j++) s += VALUE;\n  out[i] = s;\n}\n"
INNER = HEAD + ("  for (int k = 0; k < n; k++) {\n    long long p = 0;\n"
                "    for (int j = 0; j < m; j++) p += x[j] * (long long)(VALUE);\n    s += p;\n  }\n  out[i] = s;\n}\n")
LATER = HEAD + "  long long p = 1;\n  for (int j = 0; j < m; j++) { s += p; p = VALUE; }\n  out[i] = s;\n}\n"
FAR = "i - j + 3000000"
PAIRS = [(f"(long long)(unsigned)({FAR})", f"(long long)({FAR})"), (f"(unsigned)({FAR}) < 7u", f"{FAR} < 7"),
         (f"(int)((unsigned)({FAR}) >> 1)", f"({FAR}) >> 1"), (f"(size_t)({FAR}) < (size_t)7", f"{FAR} < 7")]


@pytest.mark.parametrize("body", [SUM, INNER, LATER], ids=["sum", "inner", "later"])
@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_equal_under_an_assumption_alone(body: str, one: str, two: str, run: Run, tmp_path: Path) -> None:
    for name, value in (("a", one), ("b", two)):
        (tmp_path / f"{name}.cu").write_text(body.replace("VALUE", value))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    line = body[: body.index("VALUE")].count("\n") + 1
    told = [text for text in record["assumptions"]
            if text.startswith("a: ") and "wrap in unsigned" in text and f"line {line}" in text]
    assert record["verdict"] == "unknown" or told, record


@pytest.mark.parametrize(("one", "two"), [("(long long)(unsigned)(i + j)", "(long long)(i + j)"), ("(unsigned)j < 7u", "j < 7")])
def test_what_stays_above_zero_is_equal(one: str, two: str, run: Run, tmp_path: Path) -> None:
    for name, value in (("a", one), ("b", two)):
        (tmp_path / f"{name}.cu").write_text(SUM.replace("VALUE", value))
    assert run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records[0]["verdict"] == "equal"


@pytest.mark.parametrize("body", [
    "int c = 0; for (int j = 0; j < m; j++) c = (c + x[j]) & 255; out[i] = c;",
    "int c = 0; for (int j = 0; j < m; j++) c = (c * 31 + x[j]) % 1000003; out[i] = c;",
    "int a = 0, b = 1; for (int j = 0; j < m; j++) { int t = (a + b) % 1000; a = b; b = t; } out[i] = b;",
    "int d = 1, s = 0; for (int j = 0; j < m; j++) { d = d * 2; s += x[j] / d; } out[i] = s;",
    "int s = 0, r = i; for (int j = 0; j < m; j++) { r = (r * 1103515245 + 12345) & 0x7fffffff; s ^= r >> 16; } out[i] = s;"])
def test_what_is_only_stored_may_wrap(body: str, run: Run, tmp_path: Path) -> None:
    """It decides no address and no barrier, so nothing is assumed of it."""
    (tmp_path / "k.cu").write_text(HEAD.replace("  long long s = 0;\n", "") + body + "\n}\n")
    (record,) = run("check", tmp_path / "k.cu", "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert not any("does not wrap" in text for text in record["assumptions"])
