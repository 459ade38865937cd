"""A structure that a launch passes: its fields are the parameters that the kernel knows them by."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <cstdlib>
#include <cstring>
typedef struct {{ int width, height; float *data; }} Size;
struct Other {{ int n; }};
struct Three {{ int a, b, c; }};
__global__ void k(int *x, {taken}, int last) {{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if ({test}) x[0] = i;
}}
int main(int argc, char **argv) {{
  int *x;
  {made}
  k<<<4, 64>>>(x, {given}, 1);
}}
"""
PROVED, REFUTED, OPEN = "proved", "refuted", "unknown"


@pytest.mark.parametrize(("operators", "use"), [
    ("int operator<<(Size &s, int n) { s.width = 65; return n; }", "q << 1;"),
    ("int operator+(Size &s, int n) { s.width = 65; return n; }", "int n = q + 1;"),
    ("int operator%(int n, Size &s) { s.width = 65; return n; }", "if (1 % q) x = 0;"),
    ("int operator-(Size &s) { s.width = 65; return 1; }", "-q;"),
    ("template <class T> int operator!(T &s) { s.width = 65; return 1; }", "!q;"),
    ("template <class T> int operator+(T &s, int n) { s.width = 65; return 1; }", "q + 1;"),
    ("struct H { H &operator<<(Size &s) { s.width = 65; return *this; } } h;", "h << q;"),
    ("struct H { H &operator+=(Size &s) { s.width = 65; return *this; } } h;", "h += q;"),
    ("void operator+=(Size &s, Size &t) { t.width = 65; }", "Size r = {1, 2}; r += q;"),
    ("struct R { int n; R(Size &s) { s.width = 65; } }; int operator+(R r, int n) { return n; }", "q + 1;"),
])
@pytest.mark.parametrize("written", ["struct Size { int width, height; };", "typedef struct { int width, height; } Size;"])
def test_operators_may_change_what_they_take(operators: str, use: str, written: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"""{written}
{operators}
__global__ void k(int *x, Size s) {{ if (s.width == 65) x[0] = threadIdx.x; }}
int main() {{
  int *x;
  Size q = {{64, 32}};
  {use}
  k<<<4, 64>>>(x, q);
}}
""")
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown", record


def test_operators_that_change_their_left_side_or_nothing_take_no_more(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("""struct Size { int width, height; };
void operator+=(Size &s, const Size &t) { s.width += t.width; }
int operator==(const Size &s, const Size &t) { return s.width == t.width; }
__global__ void k(int *x, Size s) { if (s.width != 64) x[0] = threadIdx.x; }
int main() {
  int *x;
  Size q = {64, 32}, r = {1, 2};
  r += q;
  if (r == q) x = 0;
  k<<<4, 64>>>(x, q);
}
""")
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved", record


@pytest.mark.parametrize(("taken", "made", "given", "test", "verdict"), [
    ("Size s", "Size q = {64, 32};", "q", "s.width != 64", PROVED),
    ("Size s", "Size q = {64, 32};", "q", "s.width == 64", REFUTED),
    ("Size s", "Size q = {64, 32};", "q", "s.height != 32", PROVED),
    ("Size s", "Size q; cudaMalloc(&q.data, 4); q.height = 32; q.width = 2 * q.height;", "q", "s.width != 64", PROVED),
    ("Size s", "Size q; cudaMalloc(&q.data, 4); q.width = 64; q.width = rand();", "q", "s.width == 65", OPEN),
    ("Size s", "Size q; q.width = 64; other(&q);", "q", "s.width == 65", OPEN),
    ("Size s", "Size q; q.width = 64; memset(&q.height - 1, 1, 8);", "q", "s.width == 65", OPEN),
    ("Size s, Three t", "Size q = {1, 2}; Three r = {1, 64, 64}; memset(&r.b, 1, 8);", "q, r", "t.c == 16843009", OPEN),
    ("Size s", "int n = atoi(argv[1]); Size q; q.width = n; q.height = n + 1;", "q", "s.width >= s.height", PROVED),
    ("Size s", "int n = atoi(argv[1]); Size q; q.width = n; q.height = n + 1;", "q", "s.width == 65", REFUTED),
    ("Size s", "int n = atoi(argv[1]); Size q; q.width = n; if (n == 65) return 1;", "q", "s.width == 65", PROVED),
    ("Size s", "int n = atoi(argv[1]); Size q; q.width = n; if (q.width == 65) return 1;", "q", "s.width == 65", PROVED),
    ("Size s", "int n = atoi(argv[1]); Size q; q.width = n; check(q);", "q", "s.width == 65", OPEN),
    ("Size s, Other t", "Size q = {1, 2}; Other r = {3};", "q, r", "t.n != 3 || s.height != 2", PROVED),
    ("Other s, Other t", "Other q = {1}, r = {3};", "r, q", "t.n != 1 || s.n != 3", PROVED),
    ("int3 s", "int3 q = {4, 5, 6};", "q", "s.z != 6", PROVED),
    ("int3 s", "int3 q = make_int3(4, 5, 6);", "q", "s.y == 5", REFUTED),
])
def test_fields_of_an_argument_are_read(taken: str, made: str, given: str, test: str, verdict: str, run: Run,
                                        tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = TEXT.format(taken=taken, made=made, given=given, test=test)
    besides = "void other(Size *q);\nvoid check(Size q) { if (q.width == 65) exit(1); }\n"
    path.write_text(text.replace("int main", f"{besides}int main"))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record


@pytest.mark.parametrize("made", ["Big(Size q)", "Big(const Size &q)", "template <class T> __host__ __device__ Big(T q)"])
def test_what_a_launch_makes_of_a_structure_has_fields_of_its_own(made: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"""struct Size {{ int width, height; }};
struct Big {{ int width, height; {made} {{ width = q.height; height = q.width; }} }};
__global__ void k(int *x, Big s) {{ if (s.width == 65) x[0] = threadIdx.x; }}
int main() {{ int *x; Size q = {{64, 65}}; k<<<4, 64>>>(x, q); }}
""")
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "unknown", record
