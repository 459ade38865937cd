"""Wide accesses through casts: where arrays begin is assumed aloud, stated or denied, and what is left is decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.core import Claim, Kernel
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.lang.traverse import walk
from automata.rewriting.alignment import aligned_as_required
from automata.rewriting.one_buffer import at_launch

Write = Callable[..., Path]
BEGIN = "begins at a multiple of 16 bytes"
ASSUMED = "wide accesses through casts are aligned"


def reading(where: str, *, also: str = "", before: str = "") -> str:
    """A kernel that reads a float4 at some distance from y."""
    return (f"__global__ void k(float *x, const float *y, const int *idx, int n, int s{also}) {{\n"
            f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {before}\n"
            f"  if (i < n) x[i] = reinterpret_cast<const float4 *>({where})->x;\n}}\n")


def asked(run: Run, path: Path, *requires: str, args: tuple[str, ...] = ()) -> dict[str, object]:
    flags = [word for text in requires for word in ("--require", text)]
    (record,) = run("check", path, *args, *flags, "--format", "jsonl").records
    return record


def begins(record: dict[str, object]) -> list[str]:
    return [text for text in record["assumptions"] if "begin" in text and "multiple" in text]  # type: ignore[attr-defined]


@pytest.mark.parametrize("where", ["y + 4 * i", "y + 4 * (s + i)", "y + 8 * s * i - 12", "y + (i & ~3)", "y + i / 4 * 4",
                                   "y + (s + i) * 4 + 4"])
def test_a_distance_that_is_a_multiple(run: Run, kernel_file: Write, where: str) -> None:
    """Only where the array begins is assumed; who states that rests on nothing else."""
    path = kernel_file(reading(where))
    record = asked(run, path)
    assert record["verdict"] == "proved" and begins(record) == [f"y {BEGIN} (line 4)"]
    assert not any(ASSUMED in text for text in record["assumptions"])  # type: ignore[attr-defined]
    stated = asked(run, path, "aligned(y, 16)")
    assert stated["verdict"] == "proved" and begins(stated) == [] and "required: aligned(y, 16)" in stated["assumptions"]  # type: ignore[operator]
    assert asked(run, path, "aligned(y, 32)")["verdict"] == "proved"


@pytest.mark.parametrize("where", ["y + 1 + 4 * i", "y + i", "y + 2 * i", "y + 4 * (s + i) + 2", "y + (i | 4)",
                                   "y + 4 * s + i % 4"])
def test_a_distance_that_is_none_whatever_sizes_are(run: Run, kernel_file: Write, where: str) -> None:
    record = asked(run, kernel_file(reading(where)))
    assert record["verdict"] == "refuted" and record["properties"]["bounds"] == "refuted"  # type: ignore[index]
    (finding,) = [each for each in record["findings"] if each["rule"] == "misaligned"]  # type: ignore[attr-defined]
    assert finding["status"] == "confirmed" and finding["places"][0]["line"] == 4


@pytest.mark.parametrize(("where", "enough"), [("y + s + 4 * i", "s % 4 == 0"), ("y + i * s", "s % 4 == 0"),
                                               ("y + n * i", "n % 4 == 0"), ("y + (n - s) * i", "n - s == 8")])
def test_a_distance_that_hangs_on_sizes(run: Run, kernel_file: Write, where: str, enough: str) -> None:
    """A row of n floats is read as float4 where n is a multiple of four. That is assumed, and shown where it is stated. Who
    states where the array begins is told at which size it goes wrong."""
    path = kernel_file(reading(where))
    record = asked(run, path)
    assert record["verdict"] == "proved" and f"{ASSUMED} (line 4)" in record["assumptions"]  # type: ignore[operator]
    firm = asked(run, path, "aligned(y, 16)")
    assert firm["verdict"] == "refuted" and firm["findings"][0]["rule"] == "misaligned"  # type: ignore[index]
    stated = asked(run, path, "aligned(y, 16)", enough)
    assert stated["verdict"] == "proved" and not any(ASSUMED in text for text in stated["assumptions"])  # type: ignore[attr-defined]
    assert not any(ASSUMED in text for text in asked(run, path, enough)["assumptions"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("args", "verdict"), [(("n=64", "s=8"), "proved"), (("n=64", "s=3"), "refuted")])
def test_at_a_launch_numbers_decide(run: Run, kernel_file: Write, args: tuple[str, ...], verdict: str) -> None:
    flags = ("--block", "64", "--grid", "1", *(word for text in args for word in ("--arg", text)))
    record = asked(run, kernel_file(reading("y + s + 4 * i")), args=flags)
    assert record["verdict"] == verdict
    assert [each["rule"] for each in record["findings"]] == ["misaligned"] * (verdict == "refuted")  # type: ignore[attr-defined]


def test_a_distance_that_hangs_on_data(run: Run, kernel_file: Write) -> None:
    """It is assumed; where the array is said to begin at such a multiple it is open, not proved."""
    path = kernel_file(reading("y + idx[i]"))
    record = asked(run, path)
    assert record["verdict"] == "proved" and f"{ASSUMED} (line 4)" in record["assumptions"]  # type: ignore[operator]
    assert asked(run, path, "aligned(y, 16)")["verdict"] in ("unknown", "refuted")


@pytest.mark.parametrize("bytes_of", [4, 8])
def test_an_array_that_begins_anywhere(run: Run, kernel_file: Write, bytes_of: int) -> None:
    """At one of the places where it may begin, the access is not aligned: whatever its distance."""
    for where in ("y + 4 * i", "y + 4 * i + 1"):
        record = asked(run, kernel_file(reading(where)), f"aligned(y, {bytes_of})")
        assert record["verdict"] == "refuted" and "'y' need not begin at one" in record["findings"][0]["message"]  # type: ignore[index]
    assert asked(run, kernel_file(reading("y + 4 * i")), f"aligned(x, {bytes_of})")["verdict"] == "proved"


def test_an_access_that_nobody_makes(run: Run, kernel_file: Write) -> None:
    """It is no finding that an array begins anywhere where no thread makes a wide access."""
    path = kernel_file(reading("y + 4 * i", before="if (n > 100) return;"))
    assert asked(run, path, "aligned(y, 4)", "n > 100")["verdict"] == "proved"
    assert asked(run, path, "aligned(y, 4)", "n > 99")["verdict"] == "refuted"


def test_scalars_through_casts(run: Run, kernel_file: Write) -> None:
    """An int in a buffer of bytes is at a multiple of four."""
    text = "__global__ void k(char *bytes, int *out) {{ out[threadIdx.x] = *(int *)(bytes + {0}); }}\n"
    good = asked(run, kernel_file(text.format("4 * threadIdx.x")))
    assert good["verdict"] == "proved" and begins(good) == ["bytes begins at a multiple of 4 bytes (line 1)"]
    bad = asked(run, kernel_file(text.format("3 * threadIdx.x")))
    assert bad["verdict"] == "refuted" and "misaligned" in [each["rule"] for each in bad["findings"]]  # type: ignore[attr-defined]
    copied = asked(run, kernel_file("__global__ void k(char *bytes, int *out) {\n  int v;\n"
                                    "  memcpy(&v, bytes + 3 * threadIdx.x, 4);\n  out[threadIdx.x] = v;\n}\n"))
    assert copied["verdict"] == "proved" and not begins(copied)


@pytest.mark.parametrize(("stride", "verdict"), [(32, "proved"), (36, "proved"), (33, "refuted")])
def test_shared_memory(run: Run, kernel_file: Write, stride: int, verdict: str) -> None:
    text = f"""__global__ void k(float *x, const float *y) {{
  __shared__ float t[32 * {stride}];
  for (int j = threadIdx.x; j < 32 * {stride}; j += blockDim.x) t[j] = y[j];
  __syncthreads();
  x[threadIdx.x] = reinterpret_cast<float4 *>(&t[threadIdx.x * {stride}])->w;
}}
"""
    record = asked(run, kernel_file(text), args=("--block", "32", "--grid", "1"))
    assert record["verdict"] == verdict and begins(record) == [f"t {BEGIN} (line 5)"]


def test_calls_of_one_line(run: Run, kernel_file: Write) -> None:
    """A helper is one line; each of its calls is asked about."""
    text = """__device__ float first(const float *p) { return reinterpret_cast<const float4 *>(p)->x; }
__global__ void k(float *x, const float *y, const int *idx) {
  int i = threadIdx.x;
  x[i] = first(y + 4 * i) + first(y + %s);
}
"""
    assert not any(ASSUMED in text for text in asked(run, kernel_file(text % "8 * i"))["assumptions"])  # type: ignore[attr-defined]
    assert f"{ASSUMED} (line 1)" in asked(run, kernel_file(text % "idx[i]"))["assumptions"]  # type: ignore[operator]
    assert asked(run, kernel_file(text % "2 * i"))["verdict"] == "refuted"


@pytest.mark.parametrize(("text", "said"), [
    ("aligned(z, 16)", "'z' is no array of kernel 'k' (there is: x, y, idx)"), ("aligned(y)", "as in aligned(x, 16)"),
    ("aligned(y, 12)", "a power of two"), ("aligned(y, 0)", "a power of two"), ("aligned(y, n)", "a power of two"),
    ("aligned(y, 65536)", "a power of two"), ("aligned(y, 2)", "what 'y' points to lies at multiples of 4 bytes by its type"),
    ("n > 0 || aligned(y, 16)", "it is a requirement of its own"), ("!aligned(y, 16)", "it is a requirement of its own"),
])
def test_what_makes_no_sense(run: Run, kernel_file: Write, text: str, said: str) -> None:
    record = asked(run, kernel_file(reading("y + 4 * i")), text)
    assert record["verdict"] in ("invalid", "unsupported") and said in record["reason"]  # type: ignore[operator]


def test_a_pointer_to_float4_begins_where_its_type_says(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(float4 *x) { x[threadIdx.x].x = 1; }\n")
    assert "by its type" in str(asked(run, path, "aligned(x, 8)")["reason"])
    assert asked(run, path, "aligned(x, 16)")["verdict"] == "proved"


def test_beside_other_requirements(run: Run, kernel_file: Write) -> None:
    path = kernel_file(reading("y + 4 * i"))
    assert asked(run, path, "n > 0 && aligned(y, 4)")["verdict"] == "refuted"
    assert asked(run, path, "n > 0 && aligned(y, 16) && aligned(x, 4)")["verdict"] == "proved"
    assert "contradict" in str(asked(run, path, "n > 0 && aligned(y, 16)", "n < 0")["reason"])


def test_layers(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, a comment, a launch record and the command line say it; the layers are printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    path, text = tmp_path / "k.cu", reading("y + 4 * i")
    path.write_text(text)
    assert asked(run, path)["verdict"] == "proved"
    (tmp_path / "spmd.toml").write_text('[[kernel]]\nnames = ["k"]\nrequire = ["aligned(y, 8)"]\n')
    assert asked(run, path)["verdict"] == "refuted"
    assert "aligned(y, 8)" in run("config", "k.cu").out
    (tmp_path / "spmd.toml").unlink()
    path.write_text("// spmd: block=64 grid=1 require aligned(y, 8), n > 0\n" + text)
    assert asked(run, path)["verdict"] == "refuted"
    path.write_text(text)
    record = {"id": "1", "file": "k.cu", "kernel": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "args": {},
              "requires": ["aligned(y, 8)"]}
    (tmp_path / "launches.jsonl").write_text(json.dumps(record) + "\n")
    (at_record,) = run("check", "--launches", "launches.jsonl", "--format", "jsonl").records
    assert at_record["verdict"] == "refuted" and at_record["findings"][0]["rule"] == "misaligned"


PAIR = """__global__ void one(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * y[i];
}
__global__ void four(float *y, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(from)[i];
    v.x *= 2; v.y *= 2; v.z *= 2; v.w *= 2;
    reinterpret_cast<float4 *>(y)[i] = v;
  }
}
"""


@pytest.mark.parametrize(("requires", "verdict", "left"), [
    ((), "equal", ["b: from, y begin at multiples of 16 bytes (line 8, line 10)"]),
    (("aligned(x, 16)",), "equal", ["b: from begins at a multiple of 16 bytes (line 8)"]),
    (("aligned(x, 16)", "aligned(y, 16)"), "equal", []),
    (("aligned(x, 4)",), "nondeterministic", ["b: from begins at a multiple of 16 bytes (line 8)"]),
    (("aligned(y, 4)",), "nondeterministic", ["b: y begins at a multiple of 16 bytes (line 10)"]),
    (("aligned(z, 4)",), "invalid", []),
])
def test_pairs(run: Run, kernel_file: Write, requires: tuple[str, ...], verdict: str, left: list[str]) -> None:
    """Arrays have a's names: b's `y` is a's `x`."""
    path = kernel_file(PAIR)
    flags = [word for text in ("n % 64 == 0", *requires) for word in ("--require", text)]
    (record,) = run("equiv", f"{path}:one", f"{path}:four", "--map", "x=y", "--map", "y=from", "--block", "64", "--grid", "n/64",
                    "--block-b", "16", "--grid-b", "n/64", *flags, "--format", "jsonl").records
    assert record["verdict"] == verdict and begins(record) == left


def test_one_buffer(run: Run, kernel_file: Write) -> None:
    """What is said of one of two parameters that get one buffer is said of the buffer."""
    path = kernel_file(PAIR)
    for name in ("y", "from"):
        flags = ("--kernel", "four", "--alias", "y,from", "--require", f"aligned({name}, 8)")
        (record,) = run("check", path, *flags, "--format", "jsonl").records
        assert record["verdict"] == "refuted" and record["findings"][0]["rule"] == "misaligned"


def _claims(kernel: Kernel) -> list[Claim]:
    return [stmt for stmt in walk(kernel.body) if isinstance(stmt, Claim) and stmt.kind == "aligned"]


@pytest.mark.parametrize("where", ["y + 4 * i", "y + 4 * i + s", "y + idx[i]"])
def test_twice_is_once(kernel_file: Write, where: str) -> None:
    (found,) = find_kernels(str(kernel_file(reading(where))))
    kernel = found.read()
    for requires in ((), ("aligned(y, 16)",), ("aligned(y, 4)",)):
        once = at_launch(kernel, Launch(requires=requires))
        assert at_launch(once, Launch()) == once and aligned_as_required(once, requires) == once
    assert [claim.of for claim in _claims(kernel)] == ["y"]
