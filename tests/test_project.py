"""A file is read as its project reads it: through the text that includes it, with the project's headers and launches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

TILE = """__global__ void tile(real *a, int n) {
  __shared__ real s[T][T];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * (T * T) + y * T + x;
  s[y][x] = at < n ? a[at] : 0;
  __syncthreads();
  if (at < n) a[at] = s[x][y];
}
"""
MAIN = """#define T 16
typedef float real;
#include "kernels/tile.cu"
void go(real *a, int n) { tile<<<(n + 255) / 256, dim3(T, T)>>>(a, n); }
"""
SCALE = "__global__ void scale(float *a, int n) { a[(threadIdx.x + blockIdx.x * 32) % n] *= 2; }\n"
DECLARED = "__global__ void scale(float *a, int n);\n"
GO = "void go(float *a) { scale<<<2, 32>>>(a, 64); }\n"


def _tree(folder: Path, files: dict[str, str], *, with_git: bool = True) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if with_git:
        (folder / ".git").mkdir()
    return folder


def _records(run: Run, path: Path, *flags: str) -> list[dict[str, Any]]:
    return run("check", path, *flags, "--format", "jsonl").records


def test_a_file_is_read_through_the_text_that_includes_it(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/main.cu": MAIN, "src/kernels/tile.cu": TILE})
    (record,) = _records(run, tmp_path / "src/kernels/tile.cu")
    assert record["verdict"] == "proved" and record["launch"]["block"] == [16, 16, 1]
    assert record["launch"]["source"].endswith("main.cu:4")
    assert any("main.cu includes it" in text for text in record["assumptions"])
    places = [place["file"] for finding in record["beyond"]["findings"] for place in finding["places"]]
    assert places and all(place.endswith("tile.cu") for place in (record["file"], *places))


def test_a_file_is_read_through_headers_and_the_nearest_text(run: Run, tmp_path: Path) -> None:
    far = MAIN.replace("kernels/", "../../src/kernels/").replace("T 16", "T 8").replace("255", "63").replace("256", "64")
    through = {"src/all.cuh": '#include "kernels/tile.cu"\n', "src/main.cu": MAIN.replace("kernels/tile.cu", "all.cuh")}
    _tree(tmp_path, {**through, "src/kernels/tile.cu": TILE, "other/deep/main.cu": far})
    (record,) = _records(run, tmp_path / "src/kernels/tile.cu")
    assert record["launch"]["block"] == [16, 16, 1] and record["verdict"] == "proved"
    (record,) = _records(run, tmp_path / "src/kernels/tile.cu", "--project", str(tmp_path / "src"))
    assert record["launch"]["block"] == [16, 16, 1]


TEMPLATE = """#include "tile.cuh"
template <class T> __global__ void tile(T *a) {
  __shared__ T s[16][16];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
  s[y][x] = a[at];
  __syncthreads();
  a[at] = s[x][y];
}
void go(float *a, int n) { tile<<<n, dim3(16, 16)>>>(a); }
"""


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "proved"), ("", "refuted")])
def test_a_file_that_its_own_header_includes_is_read_once(barrier: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Read by itself it would have each template twice: its header reads it, and it goes on then."""
    _tree(tmp_path, {"tile.cuh": "#pragma once\nvoid go(float *a, int n);\n#include \"tile.cu\"\n",
                     "tile.cu": TEMPLATE.replace("__syncthreads();", barrier)})
    (record,) = _records(run, tmp_path / "tile.cu")
    assert record["verdict"] == verdict, record
    assert any("tile.cuh includes it" in text for text in record["assumptions"])


def test_no_project_no_search(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/main.cu": MAIN, "src/kernels/tile.cu": TILE}, with_git=False)
    (record,) = _records(run, tmp_path / "src/kernels/tile.cu")
    assert record["verdict"] == "invalid" and "real" in record["reason"]
    (record,) = _records(run, tmp_path / "src/kernels/tile.cu", "--project", str(tmp_path))
    assert record["verdict"] == "proved"


def test_launches_of_other_files_decide(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"k/scale.cu": '#include "scale.h"' + "\n" + SCALE, "k/scale.h": DECLARED,
                     "host/main.cu": '#include "../k/scale.h"\n' + GO})
    (record,) = _records(run, tmp_path / "k/scale.cu")
    assert record["verdict"] == "proved" and record["beyond"]["verdict"] == "refuted"
    assert record["launch"]["args"] == {"n": 64} and record["launch"]["source"].endswith("main.cu:2")
    (every, launched) = _records(run, tmp_path / "k/scale.cu", "--all-sizes")
    assert every["verdict"] == "refuted" and launched["verdict"] == "proved"


def test_a_declaration_of_their_own_counts(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"scale.cu": SCALE, "main.cu": "extern " + DECLARED + GO})
    (record,) = _records(run, tmp_path / "scale.cu")
    assert record["verdict"] == "proved" and record["launch"]["args"] == {"n": 64}


@pytest.mark.parametrize("other", [
    {"host/main.cu": SCALE + GO},
    {"host/main.cu": DECLARED + GO, "host/scale.cu": SCALE.replace("32", "64")},
    {"host/main.cu": DECLARED + GO.replace("scale<<<2, 32>>>(a, 64)", "// scale<<<2, 32>>>(a, 64)\n")},
    {"host/main.cu": '#include "scale.h"\n' + GO, "host/scale.h": DECLARED},
], ids=["its own kernel", "another definition", "in a comment", "another declaration"])
def test_launches_that_may_mean_another_kernel_do_not_count(other: dict[str, str], run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"k/scale.cu": SCALE, **other})
    (record,) = _records(run, tmp_path / "k/scale.cu")
    assert record["verdict"] == "refuted" and "beyond" not in record


@pytest.mark.parametrize(("kernel", "is_launched"), [
    (SCALE, True), ("\ufeff" + SCALE, True), ("static " + SCALE, False), ("namespace {\n" + SCALE + "}\n", False),
], ids=["as it is", "behind the mark of its encoding", "static", "in a namespace without a name"])
def test_a_declaration_that_the_kernel_does_not_see_counts_in_its_folder(
        kernel: str, is_launched: bool, run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"scale.cu": kernel, "main.cu": '#include "scale.h"\n' + GO, "scale.h": DECLARED})
    (record,) = _records(run, tmp_path / "scale.cu")
    assert ("beyond" in record) == is_launched and record["verdict"] == ("proved" if is_launched else "refuted")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_an_include_behind_the_mark_of_the_encoding_is_seen(mark: str, run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"k/scale.cu": mark + '#include "scale.h"\n' + SCALE, "k/scale.h": DECLARED,
                     "main.cu": mark + '#include "k/scale.h"\n' + GO})
    (record,) = _records(run, tmp_path / "k/scale.cu")
    assert record["verdict"] == "proved" and record["launch"]["args"] == {"n": 64}


def test_headers_of_the_project_are_found_and_no_others(run: Run, tmp_path: Path) -> None:
    kernel = '#include "../common.h"\n#include "utils/size.h"\n#include <own.h>\n' + \
             "__global__ void k(int *a) { if (threadIdx.x < SIZE && blockIdx.x < 1) a[threadIdx.x] = COMMON + OWN; }\n"
    headers = {"common.h": "#define COMMON 1\n", "src/utils/size.h": "#define SIZE 9\n", "include/own.h": "#define OWN 2\n"}
    _tree(tmp_path / "inner", {"src/deep/k.cu": kernel.replace("../common", "../../common"), **headers})
    assert [record["verdict"] for record in _records(run, tmp_path / "inner/src/deep/k.cu")] == ["proved"]
    (tmp_path / "outside.h").write_text("#define COMMON 1\n")
    (tmp_path / "inner/src/deep/k.cu").write_text(kernel.replace("../common.h", "../../../outside.h"))
    (record,) = _records(run, tmp_path / "inner/src/deep/k.cu")
    assert record["verdict"] in ("invalid", "unsupported") and "outside" in record["reason"]


def test_a_project_that_is_none_is_told(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a/k.cu": SCALE, "b/k.cu": SCALE})
    for given, why in (("none", "is not a folder"), ("b", "does not hold")):
        (record,) = _records(run, tmp_path / "a/k.cu", "--project", str(tmp_path / given))
        assert record["verdict"] == "invalid" and why in record["reason"]


COMMANDS = """[
  {"directory": "..", "file": "other.cu", "command": "nvcc -DWIDTH=1 -c other.cu"},
  {"directory": "..", "file": "src/k.cu", "command": "COMMAND"}
]"""
WIDE = """#include "size.h"
#ifndef WIDTH
#error "no width"
#endif
__global__ void k(int *a) { if (threadIdx.x < WIDTH + OFF && blockIdx.x < 1) a[threadIdx.x] = 1; }
"""


@pytest.mark.parametrize("command", [
    "nvcc -forward-unknown-to-host-compiler -DWIDTH=7 -Ideps -O3 -gencode arch=compute_80,code=sm_80 -c src/k.cu",
    "nvcc -D WIDTH=7 -isystem deps -Xcompiler -fPIC src/k.cu", "clang++ --define-macro=WIDTH=7 -I deps src/k.cu",
    "nvcc -DWIDTH=9 -UWIDTH -DWIDTH=7 --options-file=flags.rsp src/k.cu", "nvcc @flags.rsp -D 'WIDTH=7' src/k.cu",
])
def test_a_file_is_compiled_as_the_build_says(command: str, run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"build/compile_commands.json": COMMANDS.replace("COMMAND", command), "src/k.cu": WIDE,
                     "deps/size.h": "#define OFF 1\n", "flags.rsp": "-I deps"})
    (record,) = _records(run, tmp_path / "src/k.cu", "--block", "32", "--grid", "1")
    assert record["verdict"] == "proved" and any("-DWIDTH=7" in text for text in record["assumptions"])
    (record,) = _records(run, tmp_path / "src/k.cu", "-D", "WIDTH=5", "--block", "32", "--grid", "1")
    assert record["verdict"] == "proved"


def test_a_broken_database_is_told(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"compile_commands.json": "[{", "src/k.cu": SCALE})
    (record,) = _records(run, tmp_path / "src/k.cu")
    assert record["verdict"] == "invalid" and "compile_commands.json" in record["reason"]


def test_nothing_outside_the_project_is_read_for_it(run: Run, tmp_path: Path) -> None:
    commands = COMMANDS.replace('"..", ', '".", ').replace("COMMAND", "nvcc -DWIDTH=7 @../flags")
    _tree(tmp_path / "inner", {"compile_commands.json": commands,
                               "src/k.cu": WIDE.replace('#include "size.h"', "#define OFF 1")})
    (tmp_path / "flags").write_text("-DWIDTH=9")
    (record,) = _records(run, tmp_path / "inner/src/k.cu", "--block", "32", "--grid", "1")
    assert record["verdict"] == "proved" and any("-DWIDTH=7" in text for text in record["assumptions"])
    (tmp_path / "main.cu").write_text('#include "k.cu"\n')
    (tmp_path / "inner/src/linked.cu").symlink_to(tmp_path / "main.cu")
    (record,) = _records(run, tmp_path / "inner/src/k.cu", "--block", "32", "--grid", "1")
    assert not any("includes it" in text for text in record["assumptions"])


@pytest.mark.parametrize(("block", "verdict"), [("32", "proved"), ("64", "refuted")])
def test_dollars_in_the_names_of_a_host_s_macros(block: str, verdict: str, run: Run, tmp_path: Path) -> None:
    host = '#define $GPU(call) if ((call) != 0) { printf("%s", #call); exit(1); }\n#define $B ' + block + "\n"
    _tree(tmp_path, {"k.cu": host + "__global__ void k(float *a) { a[threadIdx.x % 32] = threadIdx.x; }\n"
                     "int main() { float *a; $GPU(cudaMalloc(&a, 4096)) k<<<1, $B>>>(a); $GPU(cudaDeviceSynchronize()) }\n"})
    (record,) = _records(run, tmp_path / "k.cu")
    assert record["verdict"] == verdict and record["launch"]["block"] == [int(block), 1, 1], record
