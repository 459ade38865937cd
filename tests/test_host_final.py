"""Sizes that nothing sets any more: what is computed of them goes with what a lambda behind them passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """__global__ void k(int *x, int n, int m) {{ if (gridDim.x != n * m) x[0] = threadIdx.x; }}
int get(int i);
void set(int &n);
template <class F> void run(F f) {{ f(); }}
template <class F> void twice(F f) {{ f(); f(); }}
void go(int *x, int d, int m) {{
  {code}
}}
"""
LAUNCH = "k<<<s, 64>>>(x, n, m);"
TIED = [
    "int n = 1; for (int i = 0; i < d; ++i) n *= get(i); const int s = n * m; run([&] { LAUNCH });",
    "int n = 1; for (int i = 0; i < d; ++i) n *= get(i); const int s = n * m; run([=] { LAUNCH });",
    "int n = get(1); if (d > 3) n = get(2); int s = n * m; auto f = [&] { LAUNCH }; f(); f();",
    "int n = 1; while (get(n)) n = get(d); const int s = n * m; run([&] { run([&] { LAUNCH }); });",
    "int n = 1; n = get(d); run([&] { const int s = n * m; LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; for (int i = 0; i < 3; i++) run([&] { LAUNCH });",
    "for (int i = 0; i < 3; i++) { int n = 1; n = get(i); const int s = n * m; LAUNCH }",
]
LOOSE = [
    "int n = 1; n = get(d); const int s = n * m; auto f = [&] { LAUNCH }; n = get(2); f();",
    "int n = 1; n = get(d); const int s = n * m; n = get(2); run([&] { LAUNCH });",
    "int n = 1, s = 0; for (int i = 0; i < 3; i++) { n = get(i); if (!i) s = n * m; run([&] { LAUNCH }); }",
    "int n = 1; n = get(d); const int s = n * m; run([n = n + 1, x, s, m] { LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; twice([=]() mutable { n++; LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; twice([&] { LAUNCH n = get(3); });",
    "int n = 1; n = get(d); const int s = n * m; auto g = [&] { n = get(3); }; g(); run([&] { LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; set(n); run([&] { LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; int &r = n; r = 7; run([&] { LAUNCH });",
    "int n = 1; again: n = get(d); static int s = n * m; run([&] { LAUNCH }); if (get(7)) goto again;",
    "int n = 1; n = get(d); const int s = n * m; run([&] { int n = get(3); LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; run([&] { for (int i = 0; i < 2; i++) { LAUNCH n = get(i); } });",
    "static int n = 1; static const int s = n * m; n = get(d); run([&] { LAUNCH });",
    "int n = 1; n = get(d); const int s = n * m; auto f = [&](int n) { LAUNCH }; f(n + 1);",
]


def verdict(run: Run, folder: Path, code: str) -> str:
    (folder / "k.cu").write_text(TEXT.format(code=code.replace("LAUNCH", LAUNCH)))
    (record,) = run("check", folder / "k.cu", "--format", "jsonl").records
    return str(record["verdict"])


@pytest.mark.parametrize("code", TIED)
def test_what_keeps_its_value_goes_together(code: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, code) == "proved"


@pytest.mark.parametrize("code", LOOSE)
def test_what_may_have_changed_does_not(code: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, code) != "proved"
