"""What a `switch` leaves of the value that a variable had before."""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.lang.host.launches import find_launches
from automata.lang.preprocess import preprocess

TEXT = """__global__ void k(int *a, int n) { a[threadIdx.x] = n; }
int main(int argc, char **argv) {
  int *a; int n = 64;
  %s
  k<<<1, 32>>>(a, n);
}
"""


@pytest.mark.parametrize(("choice", "values"), [
    ("switch (argc) { case 1: n = 66; break; default: n = 65; }", {65, 66}),
    ("switch (argc) { case 1: case 2: n = 66; break; default: n = 65; }", {65, 66}),
    ("switch (argc) { case 1: { n = 66; break; } default: { n = 65; } }", {65, 66}),
    ("switch (argc) { default: n = 65; break; case 1: n = 66; }", {65, 66}),
    ("switch (argc) { default: ; case 1: n = 65; }", {65}),
    ("switch (argc) { case 1: argc++; default: n = 65; }", {65}),
    ("switch (argc) { case 1: n = 5; break; default: return 1; }", {5}),
    ("switch (argc) { case 1: n = 5; break; default: argc++; return 1; }", {5}),
    ("switch (argc) { case 1: n = 66; break; default: n = 65; } n = 7;", {7}),
    ("switch (argc) { case 1: n = 66; break; default: n = 65; } if (argv) n = 7;", {7, 65, 66}),
    # 64 may be left
    ("switch (argc) { case 1: n = 66; break; }", {64, 66}),
    ("switch (argc) { case 1: n = 66; break; default: break; }", {64, 66}),
    ("switch (argc) { case 1: n = 66; break; case 2: break; default: n = 65; }", {64, 65, 66}),
    ("switch (argc) { default: n = 65; case 1: ; }", {64, 65}),
    ("switch (argc) { case 1: if (argv) n = 66; break; default: n = 65; }", {64, 65, 66}),
    ("switch (argc) { case 1: if (argv) break; n = 66; break; default: n = 65; }", {64, 65, 66}),
    ("switch (argc) { case 1: if (argv) return 1; default: break; case 2: n = 65; }", {64, 65}),
    ("switch (argc) { case 1: n = 5; break; default: if (argv) return 1; }", {5, 64}),
    ("switch (argc) { case 1: n = 5; break; default: while (argv) { return 1; } }", {5, 64}),
    ("switch (argc) { case 1: while (argv) { n = 66; break; } break; default: n = 65; }", None),
    ("if (argv) switch (argc) { case 1: n = 66; break; default: n = 65; }", {64, 65, 66}),
    ("for (int j = 0; j < 3; j++) { switch (argc) { case 1: continue; default: n = 65; } }", {64, 65}),
    ("switch (argc) { case 1: n = 66; break; case 3: while (argc) { case 4: n = 5; } break; default: n = 65; }", {5, 64, 65, 66}),
    ("switch (argc) { case 1: if (argv) case 5: n = 66; break; default: n = 65; }", {64, 65, 66}),
    ("switch (argc) { case 1: if (argv) case 5: return 1; break; default: n = 65; }", {64, 65}),
    ("switch (argc) { case 1: if (argv) {} else case 5: n = 66; break; default: n = 65; }", {64, 65, 66}),
    ("switch (argc) { case 1: while (argc-- > 9) default: n = 65; }", {64, 65}),
    ("switch (argc) { case 1: { struct S { void f() { return; } }; break; } default: n = 65; }", {64, 65}),
    ("switch (argc) { case 1: switch (n) { case 3: n = 4; break; } break; default: n = 65; }", {4, 64, 65}),
])
def test_values_that_a_switch_leaves(choice: str, values: set[int] | None, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TEXT % choice)
    found = {launch.args[1] for launch in find_launches(preprocess(str(path), "cuda", side="host"))}
    assert found == values or (values is None and (None in found or 64 in found)), found
