"""What a Python text says of macros where PyTorch compiles a CUDA text for it: what is taken, what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.torch_load import flags_of_load

HEAD = "import os, sys, torch\nfrom torch.utils.cpp_extension import load\n"
FLAGS = "load(name='a', sources=['cuda/a.cpp', 'cuda/scale.cu'], extra_cuda_cflags=['-O3', f'-DN={N}'])\n"
TAKEN = {
    "N = 64\n" + FLAGS: {"N": "64"},
    "N = 64\nM = N * 2\n" + FLAGS.replace("{N}", "{M // 4}"): {"N": "32"},
    "N = 64\n" + FLAGS.replace("f'-DN={N}'", "'-DN=' + str(N)"): {"N": "64"},
    "B, N = 1, 64\n" + FLAGS: {"N": "64"},
    "N = 64\nflags = ['-DM', f'-DN={N}']\n" + FLAGS.replace("['-O3', f'-DN={N}']", "flags + ['-DK=1']"):
        {"M": "1", "N": "64", "K": "1"},
    "N = 64\ndef build():\n    return " + FLAGS: {"N": "64"},
    "def build():\n    N = 64\n    return " + FLAGS: {"N": "64"},
    "N = 64\ndef other(N):\n    return N + 1\n" + FLAGS: {"N": "64"},
    "v = 3\nN = 64\n" + FLAGS.replace("'cuda/scale.cu'", "f'cuda/sca{v}.cu'") + FLAGS: {"N": "64"},
    "here = os.path.dirname(__file__)\nN = 64\n" + FLAGS.replace("'cuda/scale.cu'", "os.path.join(here, 'cuda', 'scale.cu')"):
        {"N": "64"},
    "part = sys.argv[1]\nN = 64\n" + FLAGS.replace("'cuda/scale.cu'", "f'cuda/{part}.cu'"): {"N": "64"},
    "if sys.argv[1] == 'test':\n    N = 2\nelif sys.argv[1] == 'run':\n    N = 64\nelse:\n    N = 8\n" + FLAGS: {"N": "64"},
    "N = 2\nif True:\n    N = 64\n    " + FLAGS: {"N": "64"},
    "N = 64\nfor each in range(2):\n    " + FLAGS: {"N": "64"},
    "N = 64\n" + FLAGS.replace("load(", "torch.utils.cpp_extension.load("): {"N": "64"},
}
WORDS = (("'-D', 'N=2'", {"N": "2"}), ("'-O3 -DN=2'", {"N": "2"}), ("'-DN=2 -DM'", {"N": "2", "M": "1"}),
         ("'--define-macro=N=2'", {"N": "2"}), ("'--define-macro', 'N=2'", {"N": "2"}), ("' -DN=2'", {"N": "2"}),
         ("'-DN=2', '-U', 'M', '-DM=1'", {"N": "2"}), ("'-DN=2', '-D', flag", {"N": "2"}))
LEFT = (
    "N = int(sys.argv[1])\n" + FLAGS,
    "N = 64\nN += 1\n" + FLAGS,
    "N = 64\nif sys.argv[1:]:\n    N = int(sys.argv[1])\nif sys.argv[2:]:\n    N = int(sys.argv[2])\n" + FLAGS,
    "N = 64\ndef build(N):\n    return " + FLAGS,
    "N = 64\ndef build():\n    global N\n    return " + FLAGS,
    "N = 64\ndef other():\n    global N\n    N = 2\nother()\n" + FLAGS,
    "N = 64\ndef build():\n    return " + FLAGS + "N = 32\n",
    "N = 64\nfor N in range(2):\n    pass\n" + FLAGS,
    "N = 64\nfor each in range(2):\n    " + FLAGS + "    N = 2\n",
    "N = 64\nfrom sizes import *\n" + FLAGS,
    "N = 64\nexec('N = 2')\n" + FLAGS,
    "N = 64\nif (N := 2):\n    pass\n" + FLAGS,
    "if a:\n    N = 64\nif b:\n    M = 2\n" + FLAGS.replace("{N}", "{N * M}"),
    "N = 64\nflags = [f'-DN={N}']\nflags.append('-O3')\n" + FLAGS.replace("['-O3', f'-DN={N}']", "flags"),
    "N = 64\nflags = [f'-DN={N}']\nchange(flags)\n" + FLAGS.replace("['-O3', f'-DN={N}']", "flags"),
    "N = 64\n" + FLAGS.replace("f'-DN={N}'", "'-DN=1', '-DN=2'"),
    "N = 64\n" + FLAGS.replace("f'-DN={N}'", "f'-DN={N}', '-UN'"),
    "N = 64\n" + FLAGS.replace("f'-DN={N}'", "f'-DN={N}' if debug else '-O2'"),
    "N = 64\n" + FLAGS.replace("extra_cuda_cflags", "extra_cflags"),
    "N = 64\n" + FLAGS.replace("scale.cu", "other.cu"),
    "N = 64\n" + FLAGS.replace("cuda/scale.cu", "more/scale.cu"),
    "N = 64\n" + FLAGS.replace("load(", "list("),
    "N = 64\nload(sources=[\n",
    "try:\n    N = 64\nexcept ImportError:\n    N = 32\n" + FLAGS,
)
KERNEL = """__global__ void scale(float *x) { x[threadIdx.x / (N / 64) + blockIdx.x * blockDim.x] *= 2; }
void run(float *x) { scale<<<4, 64>>>(x); }
"""


def flags(folder: Path, text: str) -> dict[str, str]:
    (folder / "run.py").write_text(HEAD + text)
    (folder / "cuda").mkdir(exist_ok=True)
    found = flags_of_load(str(folder / "cuda" / "scale.cu"), str(folder))
    return found.defines if found is not None else {}


@pytest.mark.parametrize("text", TAKEN)
def test_what_is_taken(tmp_path: Path, text: str) -> None:
    assert flags(tmp_path, text) == TAKEN[text]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_left(tmp_path: Path, text: str) -> None:
    assert flags(tmp_path, text) == {}


def test_kernels_that_a_python_text_compiles(run: Run, tmp_path: Path) -> None:
    for size, verdict in (("64", "proved"), ("128", "refuted"), ("int(sys.argv[1])", "invalid")):
        folder = tmp_path / verdict
        (folder / ".git").mkdir(parents=True)
        assert flags(folder, f"N = {size}\n" + FLAGS) == ({"N": size} if size.isdecimal() else {})
        (folder / "cuda" / "scale.cu").write_text(KERNEL)
        (record,) = run("check", folder / "cuda" / "scale.cu", "--format", "jsonl").records
        assert record["verdict"] == verdict
        assert verdict == "invalid" or any(f"run.py (line 4) says: -DN={size}" in text for text in record["assumptions"])


@pytest.mark.parametrize(("options", "defines"), WORDS)
def test_options_are_words_of_a_shell(tmp_path: Path, options: str, defines: dict[str, str]) -> None:
    """As PyTorch writes them into one command."""
    (tmp_path / "k.cu").write_text("")
    (tmp_path / "build.py").write_text(f"load('k', sources=['k.cu'], extra_cuda_cflags=[{options}])\n")
    flags = flags_of_load(str(tmp_path / "k.cu"), str(tmp_path))
    assert flags is not None and flags.defines == defines


@pytest.mark.parametrize(("before", "options", "told"), [
    ("if more:\n    N = 2\nelse:\n    N = 1\n", "f'-DN={N}'", "line 5, in one of 2 branches that may be taken"),
    ("", "'-DN=1', more", "line 1, beside options that are not known"), ("", "'-DN=1'", "line 1")])
def test_what_one_build_of_several_leaves_open_is_told(tmp_path: Path, before: str, options: str, told: str) -> None:
    """Another branch, or an option that is not known, may give a macro another value."""
    (tmp_path / "k.cu").write_text("")
    (tmp_path / "build.py").write_text(f"{before}load('k', sources=['k.cu'], extra_cuda_cflags=[{options}])\n")
    flags = flags_of_load(str(tmp_path / "k.cu"), str(tmp_path))
    assert flags is not None and flags.said == told
