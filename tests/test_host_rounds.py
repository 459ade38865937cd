"""What a loop of the host counts through is passed number by number: certain, and left or changed in one of the ways C++ has."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host import find_launches
from automata.lang.preprocess import preprocess

TEXT = """#include <cstdio>
#include <cstdlib>
#define GO k<<<4, 64>>>(x, i)
int rows();
bool odd(int i) {{ if (i & 1) exit(2); return true; }}
void more(int &i) {{ i += 3; }}
__global__ void k(int *x, int i) {{ {kernel} }}
int main(int argc, char **argv) {{
  int *x, n = atoi(argv[1]), m = rows(), small = 3;
  {body}
}}
"""
PLAIN = "x[threadIdx.x + blockIdx.x * blockDim.x] = i;"
COUNTED = ["for (int i = 0; i < 9; i++) GO;", "for (int i = 2; i <= 40; ++i) { GO; cudaDeviceSynchronize(); }",
           "for (int i = 0; i < n; i += 1) { GO; }", "for (int j = 0; j < m; j++) for (int i = 0; i < 9; i++) { int t = i; GO; }",
           'for (int i = 0; i < 20; i++) { printf("%d\\n", i); GO; }', "if (m > 3) for (int i = 0; i < 9; i++) GO;"]
LEFT = ["for (int i = 0; i < m; i++) GO;", "for (int i = 0; i < 9; i += 2) GO;",
        "for (int i = 0; i < 20; i++) { if (i == m) break; GO; }",
        "for (int i = 0; i < 20; i++) { if (x[0]) continue; GO; }", "for (int i = 0; i < 20; i++) if (i != m) GO;",
        "for (int i = 0; i < 20; i++) { GO; if (m) return 1; }", "for (int i = m; i < 20; i++) GO;",
        "for (int i = 0; i < 20; i++) { GO; odd(i); }", "for (int i = 0; i < 20; i++) { GO; more(i); }",
        "for (int i = 0; i < 20; i++) { GO; i += 2; }", "for (int i = 0; i < 20 && m; i++) GO;",
        "for (int i = 0; i != 20; i++) GO;",
        "for (int i = 0; i < 20; i++) while (m--) GO;", "for (int i = 0; i < 20; i++) switch (m) { case 3: GO; }",
        "for (int i = 0; i < n; i++) { GO; n--; }", "int i; for (i = 0; i < 20; i++) { GO; if (m) goto end; } end: return 0;",
        "for (int i = 0; i < 20; i++) { auto f = [&] { GO; }; }", "for (int i = 0; i < 20; i++) { GO; unknown(i); }",
        "for (int i = 20; i > 0; i--) GO;", "for (int i = 0; i < 20; i++) { try { GO; } catch (...) { } }"]
RACY = "if (i == 7) x[0] = threadIdx.x;"


def _write(body: str, folder: Path, kernel: str = PLAIN) -> Path:
    path = folder / "k.cu"
    path.write_text(TEXT.format(body=body, kernel=kernel))
    return path


def _is_counted(body: str, folder: Path) -> bool:
    launches = find_launches(preprocess(str(_write(body, folder)), "cuda", side="host"))
    return bool(launches) and all("1" in launch.rounds for launch in launches)


@pytest.mark.parametrize("body", COUNTED)
def test_each_number_is_passed(body: str, tmp_path: Path) -> None:
    assert _is_counted(body, tmp_path)


@pytest.mark.parametrize("body", LEFT)
def test_what_may_be_left_out_is_not(body: str, tmp_path: Path) -> None:
    assert not _is_counted(body, tmp_path)


@pytest.mark.parametrize(("body", "verdict"), [
    ("for (int i = 0; i < 20; i++) GO;", "refuted"), ("for (int i = 0; i < 7; i++) GO;", "proved"),
    ("for (int i = 8; i < 20; i++) GO;", "proved"), ("for (int i = 0; i < n; i++) GO;", "refuted"),
    ("for (int i = 0; i < m; i++) GO;", "unknown"), ("for (int i = 0; i < 20; i++) { if (m == i) break; GO; }", "unknown"),
    ("for (int i = 1; i < 40; i += 3) GO;", "unknown"), ("for (int i = 0; i < 40; i += 2) GO;", "proved")])
def test_a_race_in_one_of_the_rounds(body: str, verdict: str, tmp_path: Path, run: Run) -> None:
    record = run("check", _write(body, tmp_path, RACY), "--format", "jsonl").records[0]
    assert record["verdict"] == verdict, record
    if verdict == "refuted":
        assert "the host's loop comes to i = 7" in record["findings"][0]["note"]
