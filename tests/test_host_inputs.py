"""What the command line gives is any number that its tests admit: in pairs, certain, and touched in one of the ways C++ has."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host import find_launches
from automata.lang.preprocess import preprocess

TEXT = """#include <cstdio>
#include <cstdlib>
#include <vector>
{outside}
__global__ void k(int *x, int n) {{ x[threadIdx.x] = n; }}
int main(int argc, char **argv) {{
  int *x;
  {body}
  for (int i = 0; i < 9; i++) if (x[i] == 3) goto end;
  end: return 0;
}}
"""
USED = "cudaMalloc(&x, n * sizeof(int)); std::vector<int> h(n); for (int i = 0; i < n; i++) h[i] = i; k<<<4, 64>>>(x, n);"
PLAIN = ["int n = atoi(argv[1]);", "int n = std::stoi(argv[1]);", "const int n = (int)atol(argv[1]);",
         "int n = 1024; if (argc > 1) n = atoi(argv[1]);",
         'if (argc != 3) { printf("%s n m\\n", argv[0]); return 1; } int n = atoi(argv[1]); int m = atoi(argv[2]);',
         "int n = atoi(argv[1]); if (n < 8) return 1;", 'int n = atoi(argv[1]); printf("%d\\n", n);',
         "int n = atoi(argv[1]); int *p = (int *)malloc(n * 4); if (p == NULL) exit(1);",
         "int n = strtol(argv[1], NULL, 10); fill(x, n);", "int n = atoi(argv[1]); int m = n % 32; if (m) exit(1);",
         "int n = atoi(argv[1]); assert(n % 32 == 0);",
         "int n = atoi(argv[1]); auto t = std::chrono::steady_clock::now(); timed(x, n); auto d = t - t; long c = d.count();",
         "int n = atoi(argv[1]); const int m = n / 2; bool on = false; if (on) return 2;",
         "int n = atoi(argv[1]); int m = 0; m = n; if (x == NULL) goto end;",
         "int n = atoi(argv[1]); int g = n / 3; if (g > 64) return 1;",
         "int n = atoi(argv[1]); int g = tune(); if (g > 64) return 1;",
         "int n = atoi(argv[1]); leave(); kept = n; cells[1] = n; fill(x, n);"]
TOUCHED = ["int n = atoi(argv[1]); kept = n; leave();", "int n = atoi(argv[1]); Kept z; z.n = n; z.leave();",
           "int n = atoi(argv[1]); cells[1] = n; leave();", "int n = atoi(argv[1]); static int s; s = n; leave();",
           "int n = atoi(argv[1]); if (valid(n)) return 1;", "int n = atoi(argv[1]); int g = tune(); if (n != g) return 1;",
           "int n = atoi(argv[1]); int g = tune(), m = n / 3; if (m > g) return 1;", "int n = atoi(argv[1]); n = 64;",
           "int n = atoi(argv[1]); n = n / 32 * 32;",
           "int n = atoi(argv[1]); if (n > 100) n = 100;", "int n = atoi(argv[1]); check(n);",
           "int n = atoi(argv[1]); change(n);", "int n = atoi(argv[1]); untimed(n);",
           "int n = atoi(argv[1]); int *p = &n; *p = 4;", "argv[1][0] = '7'; int n = atoi(argv[1]);",
           'argv[1] = "12"; int n = atoi(argv[1]);', "int n = atoi(argv[1]); if (strcmp(argv[1], \"64\")) return 1;",
           "int n = atoi(argv[1]); int m = n * n; if (m % 32 == twice(3)) exit(1);", "int n = atoi(argv[1]); while (n > 100) {}",
           "int n = 3; if (argc > 1) n = atoi(argv[1]); if (argc != 1) return 1;", "argv = other(); int n = atoi(argv[1]);",
           "int n = atoi(argv[1]); assert(valid(n));", "int n = atoi(argv[1]); assert(n % 32 == twice(3));",
           "int n = atoi(argv[1]); for (int i = 0; i < n; i++) if (i == 40) return 1;",
           "int n = atoi(argv[1]); bool bad = n > 40; if (bad) abort();", "int n = atoi(argv[1]); n > 40 && (exit(1), true);",
           "int n = atoi(argv[1]); switch (n) { case 4: break; default: return 1; }", "int n; scanf(\"%d\", &n);",
           "int n = atoi(getenv(\"N\"));", "int n = atoi(argv[1]); std::vector<int> v; v.push_back(n); if (v[0] > 5) exit(1);",
           "int n = atoi(argv[1]); try { if (n > 9) throw 1; } catch (int) { return 1; }", "int n = atoi(argv[1]) % 7;",
           "int n = 5; if (argc > 9) { if (x) n = atoi(argv[1]); }", "parse(argc, argv); int n = atoi(argv[1]);",
           "int n = atoi(argv[1]); auto f = [&] { n = 3; }; f();", "int n = atoi(argv[1]); int &r = n; r = 4;"]
OUTSIDE = """int kept, cells[3];
void leave() { if (kept == 3 || cells[1] == 3) exit(1); }
struct Kept { int n; void leave() { if (n == 3) exit(1); } };
bool valid(int n) { return n % 3 == 0; }
void check(int n) { if (n % 32) exit(1); }
void change(int &n) { n = 4; }
void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
void timed(int *p, int n) { auto begin = std::chrono::high_resolution_clock::now(); p[0] = (begin - begin).count() + n; }
struct Clock { static int now() { exit(1); } };
void untimed(int n) { Clock::now(); }
int twice(int n);
char **other();
void parse(int argc, char **argv);
"""


def _is_input(body: str, folder: Path) -> bool:
    path = folder / "k.cu"
    path.write_text(TEXT.format(body=body + " " + USED, outside=OUTSIDE))
    launches = find_launches(preprocess(str(path), "cuda", side="host"))
    given = [launch for launch in launches if "1" in launch.inputs]
    return bool(given) and all(launch in given or launch.args[1] is not None for launch in launches)


@pytest.mark.parametrize("body", PLAIN)
def test_any_number_may_be_given(body: str, tmp_path: Path) -> None:
    assert _is_input(body, tmp_path)


@pytest.mark.parametrize("body", TOUCHED)
def test_what_is_touched_is_not_any_number(body: str, tmp_path: Path) -> None:
    assert not _is_input(body, tmp_path)


def test_what_was_tested_is_a_fact(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TEXT.format(body="int n = atoi(argv[1]); int m = n % 32; if (m) exit(1); " + USED, outside=OUTSIDE))
    launch, = find_launches(preprocess(str(path), "cuda", side="host"))
    assert launch.inputs == {"1"} and any("% 32" in fact for fact in launch.facts)
    twice = "int n = atoi(argv[1]); int m = atoi(argv[1]); if (m != 5) return 1; "
    path.write_text(TEXT.format(body=twice + USED, outside=OUTSIDE))
    launch, = find_launches(preprocess(str(path), "cuda", side="host"))
    assert launch.inputs == {"1"} and launch.facts == ("({1} == 5)",)


@pytest.mark.parametrize(("before", "flags", "verdict"), [
    ("", (), "proved"), ("#define NDEBUG", (), "unknown"), ("", ("-D", "NDEBUG"), "unknown"),
    ("#ifndef DEBUG\n#define NDEBUG 1\n#endif", (), "unknown"), ("#undef NDEBUG", (), "proved"),
])
def test_an_assertion_that_is_compiled_away_is_no_fact(before: str, flags: tuple[str, ...], verdict: str, run: Run,
                                                       tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = RACY.format(code="if (n == 7) x[0] = threadIdx.x;", value="atoi(argv[1]); assert(n < 7)", grid="2")
    path.write_text(f"{before}\n#include <cassert>\n{text}")
    records = run("check", path, "--format", "jsonl", *flags).records
    assert records and {record["verdict"] for record in records} == {verdict}, records


@pytest.mark.parametrize(("value", "verdict"), [
    ("atoi(argv[1]) * 64", "proved"), ("atoi(argv[1]) * 64 + 1", "refuted"), ("(int)atol(argv[1]) / 2 * 64", "proved"),
    ("file() * 64", "unknown"), ("atoi(argv[1]) % 5", "refuted"),
    ("argc == 2 ? atoi(argv[1]) : 64", "refuted"), ("argc > 1 ? 128 : 64", "proved"),
])
def test_what_is_computed_from_it_is_tied_to_it(value: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(RACY.format(code="if (n % 64) x[0] = threadIdx.x;", value=value, grid="2"))
    records = run("check", path, "--format", "jsonl").records
    assert records and {record["verdict"] for record in records} == {verdict}


@pytest.mark.parametrize(("value", "verdict"), [
    ("(signed char)(atoi(argv[1]) * 40)", "unknown"), ("(signed char)(atoi(argv[1]) % 5 + 9)", "proved"),
    ("7 / (atoi(argv[1]) % 5 - 2)", "unknown"), ("7 / (atoi(argv[1]) % 5 + 5)", "proved"),
])
@pytest.mark.parametrize("is_named", [True, False])
def test_small_numbers_for_which_a_text_says_another_value_are_not_left_out(value: str, verdict: str, is_named: bool, run: Run,
                                                                            tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = RACY.format(code="if (n < 0) x[0] = threadIdx.x;", value=value, grid="2")
    path.write_text(text if is_named else text.replace(f", n = {value};", ";").replace("at, n);", f"at, {value});"))
    records = run("check", path, "--format", "jsonl").records
    assert records and {record["verdict"] for record in records} == {verdict}


RACY = """#include <cstdlib>
__global__ void k(int *x, const int *at, int n) {{
  {code}
}}
int main(int argc, char **argv) {{
  int *x, *at, n = {value};
  k<<<{grid}, 64>>>(x, at, n);
}}
"""


@pytest.mark.parametrize(("code", "value", "grid", "verdict"), [
    ("x[0] = threadIdx.x;", "file()", "2", "refuted"), ("if (threadIdx.x < n) x[0] = threadIdx.x;", "file()", "2", "refuted"),
    ("if (n == 5) x[0] = threadIdx.x;", "file()", "2", "unknown"),
    ("if (n % 32) x[0] = threadIdx.x;", "file()", "2", "unknown"),
    ("if (n < 2000) x[0] = threadIdx.x;", "file()", "2", "unknown"),
    ("if (n > 900) x[0] = threadIdx.x;", "file()", "2", "unknown"),
    ("if ((n & (n - 1)) == 0) x[0] = threadIdx.x;", "file()", "2", "unknown"),
    ("if (n != 333) x[0] = threadIdx.x;", "333", "2", "proved"),
    ("x[threadIdx.x / (n > 7 ? 2 : 1)] = 1 + threadIdx.x + blockIdx.x;", "file()", "1", "refuted"),
    ("x[threadIdx.x % n] = threadIdx.x;", "file()", "2", "unknown"),
    ("if (threadIdx.x < n) x[0] = threadIdx.x;", "atoi(argv[1])", "2", "refuted"),
    ("if (threadIdx.x < n) x[0] = threadIdx.x;", "40", "2", "refuted"),
    ("if (n > 1000000) x[0] = threadIdx.x;", "atoi(argv[1])", "2", "refuted"),
    ("if (n > 1000000000) x[0] = threadIdx.x;", "atoi(argv[1])", "2", "unknown"),
    ("x[threadIdx.x * (unsigned)n] = threadIdx.x + 1;", "atoi(argv[1])", "1", "refuted"),
    ("x[at[threadIdx.x]] = threadIdx.x;", "40", "1", "unknown"), ("if (at[0]) x[0] = threadIdx.x;", "40", "2", "unknown"),
    ("if (!threadIdx.x) x[0] = blockIdx.x;", "file()", "(n + 63) / 64", "unknown"),
    ("if (!threadIdx.x) x[0] = blockIdx.x;", "atoi(argv[1])", "(n + 63) / 64", "refuted"),
    ("if (!threadIdx.x) x[0] = blockIdx.x;", "file()", "2", "refuted"),
    ("if (threadIdx.x < n) __syncthreads();", "file()", "2", "unknown"),
    ("if (threadIdx.x < 9) __syncthreads();", "file()", "2", "refuted"),
    ("__shared__ int s[64]; s[threadIdx.x] = 1; if (n > 4) __syncthreads(); if (n <= 4 || n > 7) x[blockIdx.x * 64 + "
     "threadIdx.x] = s[63 - threadIdx.x];", "file()", "2", "unknown"),
    ("__shared__ int s[64]; if (at[threadIdx.x]) s[threadIdx.x] = 1; __syncthreads(); x[blockIdx.x * 64 + threadIdx.x] = s[63 - "
     "threadIdx.x];", "40", "2", "unknown"),
    ("__shared__ int s[64]; x[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];", "40", "2", "refuted"),
])
def test_what_hangs_on_something_open_does_not_refute(code: str, value: str, grid: str, verdict: str, run: Run,
                                                      tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(RACY.format(code=code, value=value, grid=grid))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict
    if verdict == "proved":
        return
    assert (verdict == "refuted") == any(finding["status"] == "confirmed" for finding in record["findings"])
    if verdict == "refuted" and "argv" in value:
        assert any("where the command line gives" in finding.get("note", "") for finding in record["findings"])
    if verdict == "unknown":
        assert "the text does not tell" in record["reason"]
        assert any(finding.get("note", "").startswith("only ") for finding in record["findings"])
