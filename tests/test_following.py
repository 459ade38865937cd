"""Where nothing is settled, a command to paste; it is one that the tool takes."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import Ran, Run
from sample_repository import git

from automata.lang.launch import Launch
from automata.verdict import Report, Verdict
from equivalence.generic.show import shortened
from spmd.asked import Answer, Question, Source
from spmd.report.following import next_step

TEMPLATE = "template <class T> __global__ void k(T *a) { a[threadIdx.x] = 1; }"
MISSING = '#include "mine.h"\n__global__ void k(mine_t *a) { a[threadIdx.x] = 1; }'
OPEN = "__global__ void k(int *a, const int *b, int n) { a[b[threadIdx.x] % n] = threadIdx.x; }"
HALVED = """__global__ void halve(int *out) {
  int t = threadIdx.x;
  while (t > 1) t = t / 2;
  out[threadIdx.x] = t;
}"""
SETTLED = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"


def test_settled_verdicts_ask_for_nothing(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(SETTLED), "--format", "jsonl").records
    assert "next" not in record and "next:" not in run("check", kernel_file(SETTLED)).out


@pytest.mark.parametrize(("text", "wanted"), [(TEMPLATE, "--kernel 'k<float>'"), (MISSING, "-I FOLDER"), (HALVED, "--block 256")],
                         ids=["template", "header", "launch"])
def test_the_next_thing_to_type(text: str, wanted: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(text)
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] in ("unknown", "unsupported", "invalid") and wanted in record["next"]
    command = shlex.split(record["next"].partition("   (")[0])
    assert command[:3] == ["spmd", "check", str(path)]
    given = [str(path.parent) if word == "FOLDER" else word for word in command[1:]]
    again = run(*given, "--format", "jsonl").records
    assert again and (wanted.startswith("-I") or again[0].get("next") != record["next"])


def test_time_that_is_up_asks_for_more() -> None:
    report = Report(Verdict.UNKNOWN, "a<b>", reason="race-free: the time limit is up")
    step = next_step(Answer(Question(Source("k.cu"), seconds=2.0), "a<b>", Launch(), report, 2.0))
    assert step is not None and step.startswith("spmd check k.cu --kernel 'a<b>' --timeout 10 ")


def test_a_refutation_that_needs_a_parameter_below_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *m, int dim) {\n"
                    "  if (threadIdx.x < 8) m[blockIdx.x * dim * 8 + threadIdx.x] = blockIdx.x;\n}\n")
    ran = run("check", path)
    assert ran.status == 1 and f"next: spmd check {path} --kernel k --require 'dim > 0'" in ran.out
    assert run("check", path, "--require", "dim > 0").status == 0


def test_a_refutation_without_a_launch(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *m, const int *to) { m[to[threadIdx.x]] = threadIdx.x; }\n")
    assert f"next: spmd check {path} --kernel k --suggest" in run("check", path).out
    assert "next:" not in run("check", path, "--suggest").out
    assert "next:" not in run("check", path, "--block", "32", "--grid", "1").out


STRIDES = """__global__ void rows(float *out, int width, int pitch, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < width && j < height) out[j * pitch + i] = i;
}
struct Image { float *data; int width, height, pitch; };
int parts(int n, int by);
void go(Image &image) {
  dim3 grid(parts(image.width, 64), image.height);
  rows<<<grid, 64>>>(image.data, image.width, image.pitch, image.height);
}
"""


def test_a_finding_at_sizes_that_the_program_leaves_open_asks_for_numbers(run: Run, tmp_path: Path) -> None:
    """The rows meet where the pitch is less than the width, which no text here rules out; no requirement is usual, but numbers
    settle it. What is known of the launch stays."""
    path = tmp_path / "k.cu"
    path.write_text(STRIDES)
    (record,) = run("check", path, "--format", "jsonl").records
    command = shlex.split(record["next"].partition("   (")[0])
    assert record["verdict"] == "unknown" and "the text does not tell" in record["reason"]
    assert command[command.index("--block"):][:4] == ["--block", "64", "--grid", "4,4"] and "pitch=1024" in command
    (again,) = run(*command[1:], "--format", "jsonl").records
    assert again["verdict"] == "proved"


def test_a_finding_at_nothing_asks_for_something(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(float *a, int n) {\n  float sum;\n  if (n > 0) sum = n;\n  a[threadIdx.x] = sum;\n}\n"
                    "void go(float *a, int n) { k<<<1, 64>>>(a, n); }\n")
    ran = run("check", path)
    assert ran.status == 3 and f"next: spmd check {path} --kernel k --require 'n > 0'" in ran.out
    assert run("check", path, "--require", "n > 0").status == 0


ONCE = "__global__ void add(float *a, const float *b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
       "  if (i < n) a[i] += b[i];\n}\n"
STRIDED = ONCE.replace("if (i < n)", "for (; i < n; i += blockDim.x * gridDim.x)")
DATA = ONCE.replace("a[i] += b[i]", "for (int k = 0; k < 9 && b[k] > 0; k++) a[i] += b[k]")


def _pair(folder: Path, a: str, b: str) -> tuple[Path, Path]:
    one, two = folder / "one.cu", folder / "two.cu"
    one.write_text(a)
    two.write_text(b)
    return one, two


def test_a_pair_that_is_settled_asks_for_nothing(run: Run, tmp_path: Path) -> None:
    (record,) = run("equiv", *_pair(tmp_path, ONCE, ONCE), "--format", "jsonl").records
    assert record["verdict"] == "equal" and "next" not in record


def test_a_difference_without_a_launch(run: Run, tmp_path: Path) -> None:
    sides = _pair(tmp_path, ONCE, STRIDED)
    told = run("equiv", *sides).out
    assert f"next: spmd equiv {sides[0]} {sides[1]} --suggest" in told
    sought = run("equiv", *sides, "--suggest").out
    assert 'equal with --require "n <= gridDim.x * blockDim.x"' in sought
    step = sought.partition("  next: ")[2].partition("   (")[0]
    assert shlex.split(step)[-2:] == ["--require", "n <= gridDim.x * blockDim.x"]
    assert run(*shlex.split(step)[1:]).out.startswith("equal")
    assert "next:" not in run("equiv", *sides, "--block", "32", "--grid", "1", "--arg", "n=100").out


EACH = "__global__ void k(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 2 * x[i]; }"


def test_a_difference_by_a_rest_is_followed_by_what_leaves_none(run: Run, tmp_path: Path) -> None:
    """A thread of the second kernel has four elements."""
    four = EACH.replace("if (i < n) x[i] = 2 * x[i];", "if (i < n / 4) for (int j = 4 * i; j < 4 * i + 4; j++) x[j] = 2 * x[j];")
    told = run("equiv", *_pair(tmp_path, EACH, four), "--suggest").out
    step = shlex.split(told.partition("  next: ")[2].partition("   (")[0])
    assert step[-2:] == ["--require", "n % 4 == 0 && n <= gridDim.x * blockDim.x"]
    assert run(*step[1:]).out.startswith("equal")


def test_a_difference_that_no_requirement_mends_asks_for_a_launch(run: Run, tmp_path: Path) -> None:
    """The second kernel does what it should for one number of elements."""
    one, four = EACH, EACH.replace("i < n", "i < n && n * n == 1024 * n")
    (record,) = run("equiv", *_pair(tmp_path, one, four), "--suggest", "--format", "jsonl").records
    command = shlex.split(record["next"].partition("   (")[0])
    assert record["verdict"] == "different" and "suggested" not in record and "--suggest" not in command
    assert command[4:] == ["--block", "256", "--grid", "4", "--arg", "n=1024"]
    (again,) = run(*command[1:], "--format", "jsonl").records
    assert again["verdict"] == "equal"


def test_what_is_allowed_asks_for_nothing(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    text = "__global__ void k(int *x) {\n  x[0] = threadIdx.x;%s\n}\n"
    assert "next: " in run("check", kernel_file(text % "")).out
    allowed = kernel_file(text % "   // spmd: allow[race] any thread may win")
    assert run("check", allowed).status == 0 and "next: " not in run("check", allowed).out
    assert "next" not in run("check", allowed, "--format", "jsonl").records[0]
    baseline = allowed.parent / "known.json"
    found = kernel_file(text % "")
    run("check", found, "--baseline", baseline, "--write-baseline")
    assert "next: " not in run("check", found, "--baseline", baseline).out and "next: " in run("check", found).out


def test_an_open_pair_asks_for_a_launch(run: Run, tmp_path: Path) -> None:
    sides = _pair(tmp_path, DATA, DATA.replace("k < 9 &&", "k <= 8 &&"))
    (record,) = run("equiv", *sides, "--timeout", "5", "--format", "jsonl").records
    if record["verdict"] == "unknown":
        command = shlex.split(record["next"].partition("   (")[0])
        assert command[:2] == ["spmd", "equiv"] and command[4:6] == ["--block", "256"] and "n=1024" in command
        (again,) = run(*command[1:], "--timeout", "5", "--format", "jsonl").records
        assert again["verdict"] in ("equal", "unknown") and again.get("next") != record["next"]


def test_a_weaker_equality_is_named(run: Run, tmp_path: Path) -> None:
    two = ONCE.replace("a[i] += b[i]", "a[i] = (a[i] + b[i]) + a[i]")
    sides = _pair(tmp_path, two, two.replace("(a[i] + b[i]) + a[i]", "a[i] + (b[i] + a[i])"))
    flags = ("--block", "64", "--grid", "2", "--arg", "n=100")
    (record,) = run("equiv", *sides, *flags, "--mode", "bitwise", "--format", "jsonl").records
    if record["verdict"] == "unknown":
        assert " ".join(flags) in record["next"] and record["next"].partition("   (")[0].endswith("--mode int")


def test_a_template_of_a_pair_is_named(run: Run, tmp_path: Path) -> None:
    (record,) = run("equiv", *_pair(tmp_path, ONCE, TEMPLATE), "--format", "jsonl").records
    assert record["verdict"] == "invalid" and "two.cu:k<" in record["next"]


def test_what_was_said_of_a_pair_stays(run: Run, tmp_path: Path) -> None:
    sides = _pair(tmp_path, ONCE, STRIDED.replace("*b,", "*from,").replace("b[i]", "from[i]"))
    flags = ("--alias", "a,b", "--map", "b=from", "--output", "a", "-D", "N=3", "-I", str(tmp_path), "--arch", "sm_80")
    (record,) = run("equiv", *sides, *flags, "--format", "jsonl").records
    command = shlex.split(record["next"].partition("   (")[0])
    assert record["verdict"] == "different" and command[-1] == "--suggest"
    pairs = list(pairwise(command[4:]))
    assert all(pair in pairs for pair in zip(flags[::2], flags[1::2], strict=True)), command


GAINS = """__global__ void plain(const float *x, const float *g, float *out, int tracks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < tracks; t++) sum += g[t] * x[t * n + i];
  out[i] = sum;
}
__global__ void shared(const float *x, const float *g, float *out, int tracks, int n) {
  __shared__ float s[MOST];
  for (int t = threadIdx.x; t < tracks; t += blockDim.x) s[t] = g[t];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < tracks; t++) sum += s[t] * x[t * n + i];
  out[i] = sum;
}
"""


def typed(run: Run, record: dict[str, object]) -> Ran:
    """What the command under `next` gives."""
    command = shlex.split(str(record["next"]).partition("   (")[0])
    assert command[0] == "spmd"
    return run(*command[1:], "--format", "jsonl")


def test_from_a_macro_of_the_build_to_an_answer(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command after another, as they are told: the macro, the requirement that is missing, the answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cu").write_text(GAINS)
    (tmp_path / "CMakeLists.txt").write_text("# MOST=7 once\ntarget_compile_definitions(mixer PRIVATE ATMOST=3 MOST=64)\n")
    (record,) = run("check", "src/k.cu", "--kernel", "shared", "--format", "jsonl").records
    assert record["verdict"] == "invalid" and "as CMakeLists.txt:2 says" in record["next"] and "-D MOST=64" in record["next"]
    (record,) = typed(run, record).records
    assert record["verdict"] == "refuted" and "-D MOST=64 --suggest" in record["next"]
    (record,) = typed(run, record).records
    assert record["suggested"] == ["tracks <= 64"]
    asked = ("check", "src/k.cu", "--kernel", "shared", "-D", "MOST=64", "--require", "tracks <= 64", "--format", "jsonl")
    assert run(*asked).status == 0
    (pair,) = run("equiv", "src/k.cu:plain", "src/k.cu:shared", "--format", "jsonl").records
    assert pair["verdict"] == "invalid" and "-D MOST=64" in pair["next"]
    (pair,) = typed(run, pair).records
    assert pair["verdict"] == "nondeterministic" and pair["next"].startswith("spmd check src/k.cu ")
    assert typed(run, pair).records[0]["suggested"] == ["tracks <= 64"]


def test_a_macro_that_no_build_defines(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(GAINS), "--kernel", "shared", "--format", "jsonl").records
    assert "-D MOST=VALUE" in record["next"] and "as your build gives it" in record["next"]


def test_flags_that_were_given_stay(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    """Of a check, too: macros, requirements, the launch."""
    path = kernel_file(OPEN.replace("% n", "% (n + MORE)"))
    flags = ("-D", "MORE=1", "--require", "n > 3", "--arg", "n=5", "--strict")
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    assert "--arg n=5 --require 'n > 3' -D MORE=1 --strict" in record["next"] and "n=1024" not in record["next"]
    assert typed(run, record).records[0]["verdict"] != "invalid"


def test_no_suggestion_says_so(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file("__global__ void k(int *a) { a[0] = threadIdx.x + blockIdx.x; }")
    assert "suggestion: " in run("check", path, "--suggest").out
    path = kernel_file("__global__ void k(int *a, int n) { if (threadIdx.x < 2) a[0] = threadIdx.x; }")
    assert "suggestion: none of the usual requirements" in run("check", path, "--block", 64, "--grid", 1, "--suggest").out


def test_a_reason_stays_short() -> None:
    """A value of thousands of characters is told by its beginning."""
    assert shortened("x" * 200) == "x" * 200
    long = shortened("max{" + "(fold); " * 5000)
    assert long.startswith("max{(fold); ") and len(long) < 230 and long.endswith("(40,004 characters)")


def test_a_macro_of_the_build_is_found_in_a_revision(run: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "CMakeLists.txt").write_text("if(WITH_MOST)\n  add_compile_definitions(MOST=64)\nendif()\n")
    for more in ("", "__global__ void other(int *x) { __shared__ int s[MOST]; s[0] = x[0]; }\n"):
        (tmp_path / "k.cu").write_text(SETTLED + "\n" + more)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "one")
    text = run("diff", "HEAD~1", "-C", tmp_path).out
    assert "next: spmd check k.cu --kernel other -D MOST=64   (as CMakeLists.txt:2 says" in text


def test_where_nothing_is_left_to_try_a_page_explains(run: Run, tmp_path: Path) -> None:
    """A law of sines, which is not known here, at a launch that is stated."""
    text = "__global__ void k(const float *x, float *y) { y[threadIdx.x] = BODY; }"
    sides = _pair(tmp_path, text.replace("BODY", "sinf(2.f * x[threadIdx.x])"),
                  text.replace("BODY", "2.f * sinf(x[threadIdx.x]) * cosf(x[threadIdx.x])"))
    told = run("equiv", *sides, "--block", "32", "--grid", "1").out
    assert told.startswith("unknown") and "next: spmd explain unknown " in told
    assert "make the change in steps" in run("explain", "unknown").out


def test_a_difference_with_one_grid_for_both_asks_for_a_grid_of_each(run: Run, tmp_path: Path) -> None:
    """The second kernel has half as many blocks, each of which does twice as much."""
    wide = ONCE.replace("blockIdx.x * blockDim.x", "blockIdx.x * 512")
    twice = wide.replace("b[i];\n", "b[i];\n  i += 256; if (i < n) a[i] += b[i];\n")
    sides = _pair(tmp_path, ONCE, twice)
    told = run("equiv", *sides, "--block", "256").out
    assert told.startswith("different")
    step = f"next: spmd equiv {sides[0]} {sides[1]} --block 256 --grid 4 --grid-b 4 --arg n=1024"
    assert f"{step}   (both sides were given one grid" in told
    assert run("equiv", *sides, "--block", "256", "--require", "gridDim.x == 2*b.gridDim.x").out.startswith("equal")


FROM_FIRST = ("const float *r = x + blockIdx.x * n; float s = r[0]; for (int j = 1; j < n; j++) {};"
              " if (!threadIdx.x) y[blockIdx.x] = {};")


@pytest.mark.parametrize(("one", "two", "kind"), [
    ("float s = 0; for (int j = 0; j < n; j++) s += x[j]; if (!i) y[0] = s / n;",
     "float s = 0; for (int j = 0; j < n; j++) s += x[j] * (1.f / n); if (!i) y[0] = s;", "different"),
    (FROM_FIRST.format("s += r[j]", "s"), FROM_FIRST.format("s = r[j] + s", "s + s - s"), "unknown")])
def test_a_size_that_may_be_zero_or_below(run: Run, tmp_path: Path, one: str, two: str, kind: str) -> None:
    """A mean of nothing; a size that is negative, as an unsigned factor."""
    text = "__global__ void k(const float *x, float *y, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {} }}"
    sides = _pair(tmp_path, text.format(one), text.format(two))
    told = run("equiv", *sides, "--block", "32").out
    step = told.partition("  next: ")[2].partition("   (")[0]
    assert told.startswith(kind) and shlex.split(step)[-2:] == ["--require", "n > 0"], told
    assert run(*shlex.split(step)[1:]).out.startswith("equal")
