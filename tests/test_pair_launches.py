"""Pairs that are compared as their program launches them, and parameters that have other names on the other side."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Run

import spmd.api as api
from automata.lang.arrows import with_arrows
from automata.lang.host import find_launches
from automata.lang.preprocess import preprocess
from equivalence.result import EquivReport, EquivVerdict
from spmd.report.following_pair import next_step_of_pair

ROWS = """
__global__ void by_thread(const float *in, float *out, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < cols; c++) sum += in[r * cols + c];
    out[r] = sum;
}
__global__ void by_block(const float *x, float *y, int m, int n) {
    __shared__ float part[64];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 64) sum += x[blockIdx.x * n + c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 32; s > LAST; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
int main() {
    float *a, *b;
    int rows = ROWS, cols = 50;
    by_thread<<<(rows + 31) / 32, 32>>>(a, b, rows, cols);
    by_block<<<ROWS_OF_B, 64>>>(a, b, rows, cols);
}
"""


def rows(tmp_path: Path, **changes: str) -> str:
    text = ROWS
    for name, value in {"ROWS_OF_B": "rows", "LAST": "0", "ROWS": "5", **changes}.items():
        text = text.replace(name, value)
    path = tmp_path / "rows.cu"
    path.write_text(text)
    return str(path)


def test_each_side_at_its_launch(tmp_path: Path) -> None:
    path = rows(tmp_path)
    answer = api.equiv(f"{path}:by_thread", f"{path}:by_block")
    text = api.text(answer)
    assert answer.verdict == "equal" and "blockDim.x == 32" in text and "b: blockDim.x == 64" in text
    assert "rows == 5" in text and "a's in is b's x, out is b's y, rows is b's m, cols is b's n" in text


@pytest.mark.parametrize("changes", [{"LAST": "1"}, {"ROWS_OF_B": "rows - 1"}])
def test_a_slip_is_seen_at_the_launch(tmp_path: Path, changes: dict[str, str]) -> None:
    path = rows(tmp_path, **changes)
    assert api.equiv(f"{path}:by_thread", f"{path}:by_block").verdict == "different"


def test_an_argument_beside_the_program(tmp_path: Path) -> None:
    """The grid of the program is of its own number of rows; where it is one of any, an argument chooses it."""
    path = rows(tmp_path)
    refused = api.equiv(f"{path}:by_thread", f"{path}:by_block", args={"rows": 9})
    assert refused.verdict == "invalid" and "rows = 5" in str(refused.report.reason) and "--grid" in str(refused.report.reason)
    path = rows(tmp_path, ROWS="read()")
    answer = api.equiv(f"{path}:by_thread", f"{path}:by_block", args={"rows": 9})
    assert answer.verdict == "equal" and "rows == 9" in api.text(answer)


def test_all_launches_decide(tmp_path: Path) -> None:
    """One that forgets the rest is equal where there is none."""
    kernel = """
__global__ void whole(int *x, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] = 2 * x[i]; }
__global__ void halves(int *x, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n / 2 * 2) x[i] *= 2; }
int main() { int *x;
    whole<<<1, 64>>>(x, 64); whole<<<2, 64>>>(x, 127);
    halves<<<2, 32>>>(x, 64); halves<<<4, 32>>>(x, SECOND); }
"""
    path = tmp_path / "k.cu"
    verdicts = []
    for second in "127", "128":
        path.write_text(kernel.replace("SECOND", second))
        answer = api.equiv(f"{path}:whole", f"{path}:halves")
        verdicts.append((answer.verdict, "n == 127" in api.text(answer)))
    assert verdicts == [("different", True), ("equal", False)]


def test_launches_that_leave_unlike_things_open(tmp_path: Path) -> None:
    """A kernel that is launched in a second place, with sizes of that, is compared at the first."""
    path = tmp_path / "k.cu"
    path.write_text("""
__global__ void one(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void two(int *x, int n) { x[threadIdx.x] *= 2; }
int main() { int *x; one<<<1, 64>>>(x, 64); two<<<1, 64>>>(x, 64); int more = read(); one<<<1, more>>>(x, more); }
""")
    for sides in (f"{path}:one", f"{path}:two"), (f"{path}:two", f"{path}:one"):
        assert api.equiv(*sides).verdict == "equal"
    path.write_text(path.read_text().replace("one<<<1, 64>>>(x, 64)", "one<<<1, 64>>>(x, 63)"))
    assert api.equiv(f"{path}:one", f"{path}:two").verdict == "different"


def test_sizes_are_numbers_where_arguments_are(tmp_path: Path) -> None:
    """Many rows by a stated expression: run at the launch, not proved for any."""
    path = rows(tmp_path, ROWS="read()")
    answer = api.equiv(f"{path}:by_thread", f"{path}:by_block", args={"rows": 9})
    assert str(answer.report.scope).startswith("as launched") and answer.report.assurance != "proved"


@pytest.mark.parametrize(("a", "b", "verdict"), [
    ("const float *in, float *out", "const float *x, float *y", "equal"),
    ("const float *in, float *out", "float *y, const float *x", "equal"),
    ("const float *in, float *out", "const float *x, const float *w, float *y", "different"),
    ("const float *in, float *out", "const int *x, float *y", "different")])
def test_parameters_of_other_names(tmp_path: Path, a: str, b: str, verdict: str) -> None:
    """Matched by type and use, whatever their order; not where there are more of a kind, or of other types."""
    head = "// spmd: block=32 grid=2\n__global__ void"
    (tmp_path / "a.cu").write_text(f"{head} f({a}) {{ int i = blockIdx.x * 32 + threadIdx.x; out[i] = in[i] + 1; }}\n")
    more = "+ w[i] * 0.0f" if "w" in b else ""
    (tmp_path / "b.cu").write_text(f"{head} g({b}) {{ int i = blockIdx.x * 32 + threadIdx.x; y[i] = x[i] + 1{more}; }}\n")
    assert api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu")).verdict == verdict


def test_swapped_inputs_differ(tmp_path: Path) -> None:
    """What is matched in order is matched so, aloud; --map says otherwise."""
    head = "// spmd: block=32 grid=2\n__global__ void"
    (tmp_path / "a.cu").write_text(f"{head} f(float *o, const float *p, const float *q) {{ o[threadIdx.x + 32 * blockIdx.x] = "
                                   "p[threadIdx.x] - q[threadIdx.x]; }\n")
    (tmp_path / "b.cu").write_text(f"{head} g(float *o, const float *x, const float *y) {{ o[threadIdx.x + 32 * blockIdx.x] = "
                                   "y[threadIdx.x] - x[threadIdx.x]; }\n")
    a, b = str(tmp_path / "a.cu"), str(tmp_path / "b.cu")
    assert api.equiv(a, b).verdict == "different"
    assert api.equiv(a, b, names={"p": "y", "q": "x"}).verdict == "equal"


def test_namesakes_in_another_order_are_told(tmp_path: Path) -> None:
    """A call that stays as it was gives them each other's values."""
    head = "// spmd: block=32 grid=2\n__global__ void"
    body = "{ o[threadIdx.x + 32 * blockIdx.x] = p[threadIdx.x] - q[threadIdx.x]; }\n"
    (tmp_path / "a.cu").write_text(f"{head} f(float *o, const float *p, const float *q) {body}")
    (tmp_path / "b.cu").write_text(f"{head} g(float *o, const float *q, const float *p) {body}")
    a, b = str(tmp_path / "a.cu"), str(tmp_path / "b.cu")
    answer = api.equiv(a, b)
    assert answer.verdict == "equal"
    assert "parameters of one name get one value, though their order differs: p, q in a, q, p in b" in answer.report.assumptions
    assert not any("order differs" in each for each in api.equiv(a, a).report.assumptions)


def test_the_time_limit_holds(tmp_path: Path) -> None:
    """Whatever a comparison is at."""
    (tmp_path / "k.cu").write_text("""// spmd: block=32 grid=1
__global__ void k(float *x, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int m = 0; m < n; m++)
    x[threadIdx.x] = x[threadIdx.x] * 0.5f + i * j + m; }
""")
    answer = api.equiv(str(tmp_path / "k.cu"), str(tmp_path / "k.cu"), args={"n": 2000}, timeout=2)
    assert answer.verdict in ("unknown", "equal") and answer.seconds < 10


TORN = [("k << <g, b >> > (x);", "k<<<g,b>>>(x);"), ("k<int> << < dim3(1, 2), p->b >> >(x);", "k<int><<<dim3(1,2),p->b>>>(x);"),
        ("v<v<int> > (x);", "v<v<int> >(x);"), ("a << b >> c (d);", "a<<b>>c(d);"), ("s << < \"text\"", "s << <\"text\"")]


@pytest.mark.parametrize(("text", "whole"), TORN)
def test_torn_arrows(text: str, whole: str) -> None:
    """Made whole where they are arrows, in a text as long."""
    found = with_arrows(text)
    assert len(found) == len(text) and ("<<<" in found) == ("<<<" in whole) and (found == text or "<<<" in found)


def test_a_launch_with_torn_arrows_is_read(kernel_file: Callable[..., Path]) -> None:
    path = kernel_file("__global__ void k(int *x) { x[threadIdx.x] = 1; }\nint main() { int *x; k << <2, 64 >> > (x); }\n")
    assert [answer.verdict for answer in api.check(str(path))] == ["proved"]
    assert [launch.block[0] for launch in find_launches(preprocess(str(path), "cuda", side="host"))] == [64]


@pytest.mark.parametrize(("torn", "is_read"), [
    ("do { x; }\\\n} while (0)", True), ("int a\\\nb", True), ("x +\\\n+ y", False), ("R\"(x)\" a\\\nb", False)])
def test_lines_continued_at_brackets(tmp_path: Path, torn: str, is_read: bool) -> None:
    """Where a macro is continued between brackets or inside a word, launches below it are read; inside an operator, or inside a
    word of a text with raw strings, they are not."""
    path = tmp_path / "k.cu"
    path.write_text(f"#define SAFE(x) {torn}\n__global__ void k(int *x) {{}}\nint main() {{ k<<<2, 64>>>(0); }}\n")
    assert bool(find_launches(preprocess(str(path), "cuda", side="host"))) == is_read


def test_each_side_by_flags(tmp_path: Path, run: Run) -> None:
    """b's own sizes; what is not said of b is as for a."""
    path = rows(tmp_path)
    asked = "equiv", f"{path}:by_thread", f"{path}:by_block", "--block", 32, "--arg", "rows=7", "--arg", "cols=20", "--grid", 1
    told = run(*asked, "--block-b", 64, "--grid-b", 7)
    assert told.status == 0 and told.out.startswith("equal, real")
    assert run(*asked, "--block-b", 64, "--grid-b", 6).out.startswith("different")
    assert api.equiv(f"{path}:by_thread", f"{path}:by_block", block=32, grid=1, block_b=64, grid_b=7,
                     args={"rows": 7, "cols": 20}).verdict == "equal"


def test_one_size_as_evidence(tmp_path: Path, run: Run) -> None:
    """Where open sizes settle nothing, what holds at one, and the command that asks for it: rows that overlap are a race."""
    path = tmp_path / "k.cu"
    path.write_text("""
__global__ void f(float *x, int rows, int cols, int pitch) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r < rows) for (int c = 0; c < cols; c++) x[r * pitch + c] += 1;
}
__global__ void g(float *x, int rows, int cols, int pitch) {
    int r = blockIdx.x, c = threadIdx.x;
    for (; c < cols; c += 64) x[r * pitch + c] += 1;
}
void run(float *x, int rows, int cols, int pitch) {
    f<<<(rows + 31) / 32, 32>>>(x, rows, cols, pitch);
    g<<<rows, 64>>>(x, rows, cols, pitch);
}
""")
    told = run("equiv", f"{path}:f", f"{path}:g", "--timeout", 20)
    assert told.status == 3 and "evidence: equal, bitwise, at rows = 33, cols = 34, pitch = 35" in told.out
    assert "race if " in told.out and "the text does not tell whether the program passes that" in told.out
    command = next(line for line in told.out.splitlines() if line.startswith("  next: "))
    assert run(*shlex.split(command.removeprefix("  next: spmd ").partition("   (")[0])).status == 0


def test_no_launch_is_known(tmp_path: Path, run: Run) -> None:
    """A race at a launch that nobody states: the command to paste has one; b's own sizes stay where they are given."""
    kernel = "__global__ void NAME(float *x, int n) { x[threadIdx.x + blockIdx.x * n] = threadIdx.x; }\n"
    sides = [tmp_path / "f.cu", tmp_path / "g.cu"]
    for side in sides:
        side.write_text(kernel.replace("NAME", side.stem))
    told = run("equiv", *sides)
    command = next(line for line in told.out.splitlines() if line.startswith("  next: "))
    assert told.status == 1 and "--block 256 --grid 4 --arg n=1024" in command and "--grid-b" in command
    assert run(*shlex.split(command.removeprefix("  next: spmd ").partition("   (")[0])).status == 0
    answer = api.equiv(*map(str, sides), block=64, grid_b=4, timeout=1, mode="bitwise")
    step = next_step_of_pair(replace(answer, report=EquivReport(EquivVerdict.UNKNOWN, one_size={"n": 64})))
    assert step is not None and "--block 64 --grid-b 4 --mode bitwise --arg n=64 " in step


@pytest.mark.parametrize(("factor", "verdict"), [("2", "equal"), ("3", "different")])
def test_instances_of_two_templates(tmp_path: Path, factor: str, verdict: str) -> None:
    """Each has several; those of one type are compared, and told."""
    for name, by in ("f", "2"), ("g", factor):
        (tmp_path / f"{name}.cu").write_text(f"""
template <typename T, int N> __global__ void {name}(T *x) {{ x[blockIdx.x * N + threadIdx.x] *= T({by}); }}
template <typename T> void run(T *x) {{ {name}<T, 64><<<2, 64>>>(x); }}
template void run<double>(double *); template void run<float>(float *);
""")
    answer = api.equiv(str(tmp_path / "f.cu"), str(tmp_path / "g.cu"))
    assert (answer.verdict, answer.kernel_a, answer.kernel_b) == (verdict, "f<float, 64>", "g<float, 64>")
    assert "f<double, 64>" in api.text(answer)
    named = api.equiv(f"{tmp_path / 'f.cu'}:f<double, 64>", str(tmp_path / "g.cu"))
    assert (named.verdict, named.kernel_b) == (verdict, "g<double, 64>")


def test_several_kernels_are_not_chosen_from(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void f(int *x) { x[0] = 1; }\n__global__ void g(int *x) { x[0] = 2; }\n")
    answer = api.equiv(str(tmp_path / "k.cu"), str(tmp_path / "k.cu"))
    assert answer.verdict == "invalid" and "several kernels" in str(answer.report.reason)


@pytest.mark.parametrize(("size", "grids", "blocks", "verdict"), [
    ("4096", ("64", "128"), ("64", "32"), "different"), ("4096", ("64", "64"), ("64", "64"), "equal"),
    ("atoi(v[1])", ("(n + 63) / 64", "(n + 31) / 32"), ("64", "32"), "different"),
    ("atoi(v[1])", ("(n + 63) / 64", "(n + 63) / 64"), ("64", "64"), "equal")])
def test_sides_that_are_launched_in_other_sizes(size: str, grids: tuple[str, str], blocks: tuple[str, str], verdict: str,
                                                tmp_path: Path) -> None:
    """What is equal wherever both run at one launch need not be where the program has a launch for each."""
    for side, grid, block in zip("ab", grids, blocks, strict=True):
        (tmp_path / f"{side}.cu").write_text(f"""
__global__ void k(float *y, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = blockDim.x; }}
int main(int c, char **v) {{ float *d; int n = {size}; k<<<{grid}, {block}>>>(d, n); }}
""")
    answer = api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu"))
    assert answer.report.verdict.value == verdict, answer.report


@pytest.mark.parametrize(("calls", "left"), [
    (("k<<<64, 64>>>(d, e, 4096)", "k<<<128, 32>>>(d, e, 4000)"), ["line 3 (a)", "line 3 (b)"]),
    (("k<<<4, 64>>>(d, e, 256); k<<<4, 64>>>(d, d, 256)", "k<<<4, 64>>>(d, e, 256)"), ["(a)"]),
    (("k<<<4, 64>>>(d, e, 256)", "k<<<4, 64>>>(d, e, 256)"), [])], ids=["other arguments", "in place on one side", "the same"])
def test_launches_that_are_not_compared_are_told(calls: tuple[str, str], left: list[str], tmp_path: Path) -> None:
    for side, call in zip("ab", calls, strict=True):
        (tmp_path / f"{side}.cu").write_text(
            "__global__ void k(float *y, float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) y[i] = x[i]; }\n"
            f"void go(float *d, float *e) {{ {call}; }}\n")
    answer = api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu"))
    notes = [note for note in answer.report.notes if "not compared" in note]
    assert answer.verdict == "equal" and len(notes) == bool(left) and all(text in notes[0] for text in left), answer.report
