"""Names decide nothing: what is called alike is kept apart, and a kernel whose names are others gets the same answer."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

from automata.lang.core import Kernel
from automata.lang.library import table
from automata.lang.names import BUILTINS, Names, names_of, spelled
from automata.lang.read import find_kernels
from automata.lang.spec import Watch
from automata.place import TIME_IS_UP, InputError, UnsupportedError

Write = Callable[..., Path]
Compared = Callable[..., dict[str, Any]]

TRIPLE = "struct Triple { int x, y, z; };\n"
HELPER = "__device__ int of_block() { return blockIdx.x; }\n__device__ int of_thread() { return threadIdx.x; }\n"

CHECKED = {
    "a parameter that hides the block's number": ("refuted", TRIPLE + HELPER + """__global__ void k(int *a, Triple blockIdx) {
  if (threadIdx.x == 0) a[0] = of_block() + 0 * blockIdx.y;
}"""),
    "the same where every block has its cell": ("proved", TRIPLE + HELPER + """__global__ void k(int *a, Triple blockIdx) {
  if (threadIdx.x == 0) a[of_block()] = blockIdx.y;
}"""),
    "a local that hides the thread's number": ("refuted", TRIPLE + HELPER + """__global__ void k(int *a) {
  Triple threadIdx = {1, 2, 3};
  a[threadIdx.x] = of_thread() + blockIdx.x;
}"""),
    "a local that hides it, and an index by the builtin": ("proved", TRIPLE + HELPER + """__global__ void k(int *a) {
  int at = blockIdx.x * blockDim.x + of_thread();
  Triple threadIdx = {1, 2, 3};
  a[at] = threadIdx.x;
}"""),
    "a loop's local that hides a size": ("proved", TRIPLE + HELPER + """__global__ void k(int *a) {
  int at = blockIdx.x * blockDim.x + of_thread(), sum = 0;
  for (Triple blockDim = {0, 0, 0}; blockDim.x < 3; blockDim.x++) sum += blockDim.x;
  a[at] = sum;
}"""),
    "a shared array called like a size": ("proved", HELPER + """__global__ void k(int *a) {
  int at = blockIdx.x * blockDim.x + of_thread();
  __shared__ int gridDim[1];
  if (of_thread() == 0) gridDim[0] = 5;
  __syncthreads();
  a[at] = gridDim[0];
}"""),
    "a helper's result and a structure's field": ("refuted", """struct Sum { int result; };
__device__ int sum(int x) { if (x > 5) return x; return x + 1; }
__device__ int fixed() { Sum sum = {3}; return sum.result; }
__global__ void k(int *a) {
  Sum sum = {7};
  { int other = ::sum(threadIdx.x); a[fixed() + sum.result - 10] = other; }
}"""),
    "a helper's result beside a field, apart": ("proved", """struct Sum { int result; };
__device__ int sum(int x) { if (x > 5) return x; return x + 0; }
__global__ void k(int *a) {
  Sum one = {0};
  int at = sum(threadIdx.x);
  { Sum sum = {7}; one.result = sum.result; }
  if (blockIdx.x == 0) a[at] = one.result;
}"""),
    "a parameter called like a quotient": ("proved", """__global__ void k(int *a, int quota, int quot) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quota / 4 / quot) a[i] = quota / 3;
}"""),
    "a dollar in a name": ("refuted", """__global__ void k(int *a, int n$1, int n) {
  if (threadIdx.x + n$1 - n < 1024) a[n - n + n$1 - n$1] = threadIdx.x;
}"""),
    "a field called like a size is no size": ("refuted", """struct Shape { int outDim; };
__global__ void k(int *a, Shape s) {
  int i = threadIdx.x * s.outDim;
  if (s.outDim > 500 && s.outDim < 600 && blockIdx.x == 0) a[i % 7] = i;
}"""),
}


@pytest.mark.parametrize("name", CHECKED)
def test_what_is_called_alike_is_kept_apart(name: str, run: Run, kernel_file: Write) -> None:
    verdict, text = CHECKED[name]
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == verdict, record


BEFORE = """__global__ void k(float *o, const float *b) {{
  int i = threadIdx.x;
  float x = b[i];
  {{ float {0} = 1.0f; {{ float {0} = 2.0f; {{
    float {0} = x * {1};
    float y = 5.0f, w = 6.0f;
    if (x > 0.0f) {{ y = x * 2.0f; w = y + 1.0f; }} else {{ y = x + 7.0f; w = x; }}
    o[i] = {0} + 0 * (y + w);
  }} }} }}
}}"""
FIELD = """struct P {{ long n; }};
__global__ void k(float *out, {0} n, P b) {{ out[blockIdx.x * blockDim.x + threadIdx.x] = n + {1}; }}"""
SIZE = """struct Size {{ int x; }};
struct P {{ Size gridDim; }};
__global__ void k(int *out, int n, P b) {{ if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = {0}; }}"""


@pytest.mark.parametrize("name", ["before", "then", "path", "stays", "test", "left", "right", "stored", "gone", "decided"])
def test_locals_called_like_generated_ones(name: str, compared: Compared) -> None:
    for options in ((), ("--certify",)):
        launch = ("--block", "32", "--grid", "1", *options)
        assert compared(BEFORE.format(name, "3.0f"), BEFORE.format(name, "9.0f"), *launch)["verdict"] == "different"
        assert compared(BEFORE.format(name, "3.0f"), BEFORE.format("other", "3.0f"), *launch)["verdict"] == "equal"


def test_fields_of_a_structure_called_b() -> None:
    names = Names({"b.n", "b.n.2"})
    made = [names.fresh("b.n"), names.of("x", "b.n"), names.of("x", "b.n"), names.of("y", "c")]
    assert made == ["b.n.3", "b.n.4", "b.n.4", "c"]


@pytest.mark.parametrize(("a", "b", "verdict"), [
    (FIELD.format("int", "b.n"), FIELD.format("long", "n"), "different"),
    (FIELD.format("int", "b.n"), FIELD.format("long", "b.n"), "equal"),
    (SIZE.format("b.gridDim.x"), SIZE.format("(int)gridDim.x"), "different"),
    (SIZE.format("b.gridDim.x"), SIZE.format("b.gridDim.x + 0"), "equal"),
])
def test_a_structure_called_like_a_side_of_the_pair(a: str, b: str, verdict: str, compared: Compared) -> None:
    assert compared(a, b, "--block", "32", "--grid", "1")["verdict"] == verdict
    assert compared(a, b)["verdict"] == verdict


# -- renaming -----------------------------------------------------------------------------------

POOL = re.findall(r"\w+", """before then path stays gone test left right stored decided strict nothing whole first quot
quotient wrap choice undefined outDim round result event local global k w n b a t u s read thread block warp
blockIdx gridDim threadIdx blockDim get_global_id barrier lane epoch initial seen""")
FILES = sorted(path for folder in ("tests/kernels", "tests/programs", "tests/scenes", "tests/opencl", "case_studies/*")
               for path in ROOT.glob(f"{folder}/*.c[ul]"))
PAIRS = sorted(path.parent for path in (ROOT / "tests" / "pairs").glob("*/expect.json"))
_WORD = re.compile(r"(?<!\w)(?<!\d\.)[A-Za-z_]\w*")
_KEPT = re.compile(r"[xyzw]|[rgba]|s\d+|main|spmd|require|grid|block|max|min|expect|message|"
                   "case|continue|switch|while|for|do|break")
_NOT_IN_OPENCL = {"local", "global", "read", "barrier", "event", "get_global_id"}


def names_to_change(kernels: list[Kernel], text: str) -> list[str]:
    """The identifiers of a text that name parameters, arrays and locals of its kernels and nothing else."""
    known = {word for kernel in kernels for name in names_of(kernel) for word in _WORD.findall(name.partition(".")[0])}
    members = {found[1] for found in re.finditer(r"(?:\.|->|::|#\s*define\s+|#\s*include\s*[<\"])\s*([A-Za-z_]\w*)", text)}
    called = {found[1] for found in re.finditer(r"([A-Za-z_]\w*)\s*(?:\(|<)", text)}
    return sorted(word for word in known & set(_WORD.findall(text)) - members - called if not _KEPT.fullmatch(word))


def renaming(paths: list[Path], seed: str) -> dict[str, str]:
    """New names for what the kernels of some files declare."""
    text = "\n".join(path.read_text() for path in paths)
    if '#include "' in text:
        return {}
    kernels = [found.read() for path in paths for found in find_kernels(str(path))]
    chosen = random.Random(seed)
    taken = set(_WORD.findall(text)) | (_NOT_IN_OPENCL if paths[0].suffix == ".cl" else set())
    if re.search(r"\bextern\b|\b__(device|constant|managed)__", text):  # these declare no locals: the library's names are taken
        taken |= BUILTINS | set(table("cuda"))
    free = [name for name in POOL if name not in taken]
    chosen.shuffle(free)
    return dict(zip(names_to_change(kernels, text), free, strict=False))


def written(path: Path, names: dict[str, str], folder: Path) -> Path:
    """A copy of a file with other names."""
    made = folder / path.name
    made.write_text(_WORD.sub(lambda found: names.get(found.group(), found.group()), path.read_text()))
    return made


def spelled_as(names: dict[str, str], text: str) -> str:
    """A launch's comment speaks of a parameter called like a size of the launch by the name it has in Core."""
    odd = [name for name in names.values() if name in BUILTINS]
    return re.sub(r"(?m)^// spmd:.*$", lambda line: re.sub(rf"\b({'|'.join(odd) or '$^'})\b", r"\1_", line.group()), text)


def outcome(record: dict[str, Any]) -> tuple[object, ...]:
    """What a record says, without names."""
    found = sorted({(item["rule"], item["status"], tuple(sorted({place["line"] for place in item["places"]})))
                    for item in record.get("findings", [])})
    return record["verdict"], record.get("properties"), found, record.get("class"), record.get("writes")


def agree(one: dict[str, Any], two: dict[str, Any]) -> bool:
    """Whether two records say the same. Where the time limit cut one of them off, how far it came is the clock's to say."""
    return any(TIME_IS_UP in record.get("reason", "") for record in (one, two)) or outcome(one) == outcome(two)


def other_answer(run: Run, paths: list[Path], folder: Path, command: str, seed: int) -> dict[str, str] | None:
    """The other names under which a kernel or a pair gets another answer, if it does."""
    try:
        names = renaming(paths, f"{seed} {paths[0].name}")
    except (InputError, UnsupportedError) as error:
        pytest.skip(f"not read: {error}")
    if not names:
        pytest.skip("nothing to rename")
    made = []
    for path in paths:
        made.append(written(path, names, folder))
        made[-1].write_text(spelled_as(names, made[-1].read_text()))
    one, two = (run(command, *files, "--format", "jsonl").records for files in (paths, made))
    return None if len(one) == len(two) and all(map(agree, one, two)) else names


@pytest.mark.sliced(50)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_other_names_get_the_same_answer(path: Path, run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    assert other_answer(run, [path], tmp_path, "check", request.config.getoption("--seed")) is None


@pytest.mark.sliced(16)
@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_pairs_of_other_names_get_the_same_answer(folder: Path, run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if json.loads((folder / "expect.json").read_text()).get("args"):
        pytest.skip("its arguments speak of parameters by name")
    assert other_answer(run, [folder / "a.cu", folder / "b.cu"], tmp_path, "equiv", request.config.getoption("--seed")) is None


# -- the law finds what once was wrong ----------------------------------------------------------


def put_back_names(patch: pytest.MonkeyPatch) -> None:
    """A pass makes up names without a look at those that there are."""
    patch.setattr(Names, "beside", staticmethod(lambda *kernels: Names()))


def put_back_sizes(patch: pytest.MonkeyPatch) -> None:
    """The launch's sizes and the user's names live in one space."""
    for module in [found for name, found in sys.modules.items() if name.startswith("automata.")]:
        for name, held in list(vars(module).items()):
            if held is BUILTINS:
                patch.setattr(module, name, frozenset())
            elif held is spelled:
                patch.setattr(module, name, lambda text: text)


ONCE = """__global__ void k(float *o, const float *b) {{
  int i = threadIdx.x;
  float x = b[i], other = x * {0}, y = 5.0f, w = 6.0f;
  if (x > 0.0f) {{ y = x * 2.0f; w = y + 1.0f; }} else {{ y = x + 7.0f; w = x; }}
  o[i] = other + 0 * (y + w);
}}"""
MISTAKES = {
    "names": (put_back_names, "equiv", [ONCE.format("3.0f"), ONCE.format("9.0f")], {"other": "before"}),
    "sizes": (put_back_sizes, "check", [TRIPLE + HELPER + """__global__ void k(int *a, Triple p) {
  if (threadIdx.x == 0) a[0] = of_block() + 0 * p.y;
}"""], {"p": "blockIdx"}),
}


@pytest.mark.parametrize("is_put_back", [False, True])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_law_finds_old_mistakes(mistake: str, is_put_back: bool, run: Run, tmp_path: Path,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    put_back, command, texts, names = MISTAKES[mistake]
    paths = [tmp_path / f"{at}.cu" for at, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    (tmp_path / "other").mkdir()
    made = [written(path, names, tmp_path / "other") for path in paths]
    if is_put_back:
        monkeypatch.setattr(Watch, "is_on", False)  # else the rules of Core tell before the law does
        put_back(monkeypatch)
    one, two = ([outcome(record) for record in run(command, *files, "--block", "32", "--grid", "2", "--format", "jsonl").records]
                for files in (paths, made))
    assert (one != two) is is_put_back
