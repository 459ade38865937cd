"""A repository of thirty kernels and twelve commits, each with the answers that `spmd diff` has to give.

The answers were written down before the tool was asked. A row of them: the kernel, what became of it, the verdicts of `check`,
those of the comparison with the old kernel, and the verdict of the whole.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

SAMPLE = Path(__file__).parent / "sample"
Row = tuple[str, str, tuple[str, ...], tuple[str, ...], str]
WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c",
       "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z", "GIT_CONFIG_GLOBAL": os.devnull,
       "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True)
class Commit:
    """One commit: what is done to the files, the rows that must come, and the exit status."""

    name: str
    edits: Callable[[Path], None]
    rows: list[Row] = field(default_factory=list)
    status: int = 0


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True,
                          env={**os.environ, **WHO})
    return done.stdout.strip()


def replace(name: str, *pairs: tuple[str, str]) -> Callable[[Path], None]:
    """An edit: each text, which must stand there once, becomes another."""
    def edit(folder: Path) -> None:
        path = folder / name
        text = path.read_text()
        for old, new in pairs:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        path.write_text(text)
    return edit


def together(*edits: Callable[[Path], None]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)
    return edit


def reformat(folder: Path) -> None:
    """Comments and other line breaks in every CUDA text."""
    for path in sorted((folder / "src").glob("*.cu")):
        text = path.read_text().replace("    int i = global_index();\n",
                                        "\t/* which element */ int i =\n\t\tglobal_index();  // ours\n")
        path.write_text(text + "\n// the end\n")


def move(folder: Path) -> None:
    (folder / "src" / "filters").mkdir()
    text = (folder / "src" / "stencil.cu").read_text().replace('"../include/', '"../../include/')
    (folder / "src" / "filters" / "stencil.cu").write_text(text)
    (folder / "src" / "stencil.cu").unlink()


TREE = """    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// spmd: block=128 grid=4
__global__ void block_max"""
SHUFFLED = """    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        float sum = s[t] + s[t + 32];
        for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (t == 0) out[blockIdx.x] = sum;
    }
}

// spmd: block=128 grid=4
__global__ void block_max"""
NEW_KERNEL = """
__global__ void negate(const float *x, float *y, int n) {
    int i = global_index();
    if (i < n) y[i] = -x[i];
}

void run_saxpy"""
GRADIENT = """__global__ void gradient(const float *in, float *out, int n) {
    int i = global_index();
    if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i + 1] - in[i - 1]);
}

"""

COMMITS = (
    Commit("a good refactor: the last steps of a sum in registers, rows in an order that caches like",
           together(replace("src/reduce.cu", (TREE, SHUFFLED)),
                    replace("src/matmul.cu", ("for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];",
                                              "for (int k = 0; k < n; k += 2) {\n"
                                              "        sum += a[y * n + k] * b[k * n + x];\n"
                                              "        sum += a[y * n + k + 1] * b[(k + 1) * n + x];\n    }"))),
           [("block_sum", "changed", ("proved",), ("equal",), "equal"),
            ("matmul", "changed", ("proved",), ("equal",), "equal")]),
    Commit("a dropped barrier",
           replace("src/transpose.cu", ("    __syncthreads();\n", "")),
           [("transpose_tiled", "changed", ("refuted",), ("nondeterministic",), "refuted")], 1),
    Commit("a fixed bug: the barrier is back",
           replace("src/transpose.cu", ("    int tx = blockIdx.y", "    __syncthreads();\n    int tx = blockIdx.y")),
           [("transpose_tiled", "changed", ("proved",), ("nondeterministic",), "fixed")]),
    Commit("an off-by-one",
           replace("src/stencil.cu", ("if (i > 0 && i < n - 1) out[i] = 0.25f", "if (i > 0 && i < n - 2) out[i] = 0.25f")),
           [("blur3", "changed", ("proved",), ("different",), "different")], 1),
    Commit("formatting and comments alone", reformat),
    Commit("a changed helper",
           replace("include/common.cuh", ("return a + t * (b - a);", "return (1.0f - t) * a + t * b;")),
           [("lerp", "changed", ("proved",), ("equal",), "equal")]),
    Commit("a changed macro",
           replace("include/common.cuh", ("#define GAIN 2.0f", "#define GAIN 3.0f")),
           [("scale", "changed", ("proved",), ("different",), "different")], 1),
    Commit("a renamed kernel",
           replace("src/elementwise.cu", ("__global__ void square(", "__global__ void squared("),
                   ("    square<<<", "    squared<<<")),
           [("squared", "renamed", (), (), "same")]),
    Commit("a moved file", move,
           [("blur3", "moved", (), (), "same"), ("laplace", "moved", (), (), "same"),
            ("gradient", "moved", (), (), "same"), ("shift", "moved", (), (), "same")]),
    Commit("a new kernel", replace("src/elementwise.cu", ("\nvoid run_saxpy", NEW_KERNEL)),
           [("negate", "new", ("proved",), (), "proved")]),
    Commit("a deleted kernel", replace("src/filters/stencil.cu", (GRADIENT.replace("    int i = global_index();",
                                       "\t/* which element */ int i =\n\t\tglobal_index();  // ours"), "")),
           [("gradient", "deleted", (), (), "deleted")]),
    Commit("a launch change",
           replace("src/elementwise.cu", ("saxpy<<<(n + 255) / 256, 256>>>", "saxpy<<<(n + 127) / 128, 128>>>")),
           [("saxpy", "launch", ("proved",), ("equal",), "equal")]),
)


def build(folder: Path) -> list[str]:
    """Make the repository; its commits in order, the first before all changes."""
    shutil.copytree(SAMPLE, folder)
    git(folder, "init", "-q", "-b", "main")
    found = []
    for commit in (Commit("the first one", lambda path: None), *COMMITS):
        commit.edits(folder)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", commit.name)
        found.append(git(folder, "rev-parse", "HEAD"))
    return found


if __name__ == "__main__":
    import sys

    print("\n".join(build(Path(sys.argv[1]))))
