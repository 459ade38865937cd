"""What a `setup.py` says of macros: what is taken, and what looks like it and is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.setup_py import flags_of_setup

KERNEL = """#ifdef WITH_CUDA
typedef float real;
#endif
__global__ void scale(real *x) { x[threadIdx.x + blockIdx.x * blockDim.x] *= 2; }
"""
HEAD = "import os, torch\nfrom setuptools import setup\ndefine_macros = []\n"
TAKEN = {
    "define_macros = [('WITH_CUDA', None)]\n": {"WITH_CUDA": "1"},
    "define_macros += [('A', '2'), ('B', None)]\n": {"A": "2", "B": "1"},
    "if torch.cuda.is_available() or os.getenv('FORCE_CUDA') == '1':\n    define_macros += [('WITH_CUDA', None)]\n":
        {"WITH_CUDA": "1"},
    "def make():\n    define_macros = []\n    if with_cuda:\n        define_macros.append(('WITH_CUDA', None))\n":
        {"WITH_CUDA": "1"},
    "setup(ext_modules=[CUDAExtension('a', [], define_macros=[('A', '1')])])\n": {"A": "1"},
    "args = {'cxx': ['-DHOST=1'], 'nvcc': ['-O3', '-DCUDA_HAS_FP16=1', '-D__BARE']}\n": {"CUDA_HAS_FP16": "1", "__BARE": "1"},
    "CUDAExtension('a', ['csrc/scale.cu'], define_macros=[('A', '1')])\n": {"A": "1"},
    "define_macros = define_macros + [('A', '1')] + [('B', '2')]\n": {"A": "1", "B": "2"},
    "if with_cuda and use_cuda_kernels:\n    define_macros += [('A', '1')]\n": {"A": "1"},
    "args['nvcc'] = ['-DA=3']\nargs['nvcc'].append('-DB')\n": {"A": "3", "B": "1"},
    "if (torch.cuda.is_available() and (CUDA_HOME is not None or is_rocm)) or os.getenv('FORCE_CUDA', '0') == '1':\n"
    "    if not is_rocm:\n        define_macros += [('WITH_CUDA', None)]\n"
    "    else:\n        define_macros += [('WITH_HIP', None)]\n":
        {"WITH_CUDA": "1"},
    "if torch.version.hip is not None:\n    define_macros += [('B', '1')]\nelse:\n    define_macros += [('A', '1')]\n":
        {"A": "1"},
    "if CUDA_HOME is None:\n    define_macros += [('B', '1')]\nelif IS_HIP_EXTENSION:\n    pass\n"
    "else:\n    define_macros += [('A', '1')]\n": {"A": "1"},
    "try:\n    define_macros += [('A', '1')]\nexcept ImportError:\n    define_macros += [('B', '1')]\n": {"A": "1"},
}
LEFT = (
    "if torch.version.hip:\n    define_macros += [('WITH_HIP', None)]\n",
    "if cuda:\n    pass\nelse:\n    define_macros += [('WITH_CUDA', None)]\n",
    "if not torch.cuda.is_available():\n    define_macros += [('WITH_CUDA', None)]\n",
    "if CUDA_HOME is None:\n    define_macros += [('A', '1')]\n",
    *(f"if {name}:\n    pass\nelse:\n    define_macros += [('A', '1')]\n" for name in (
        "no_hip", "not_hip", "without_rocm", "os.getenv('USE_CUDA') is None", "disable_rocm")),
    *(f"if {name}:\n    define_macros += [('A', '1')]\n" for name in (
        "with_cuda == 0", "cuda_missing", "os.getenv('USE_CUDA') is not None", "use_cuda == 'no'", "cuda == other")),
    "if not debug:\n    define_macros += [('A', '1')]\n", "if not no_cuda:\n    define_macros += [('A', '1')]\n",
    "if debug is not None:\n    define_macros += [('A', '1')]\n",
    "if is_rocm == wanted:\n    pass\nelse:\n    define_macros += [('A', '1')]\n",
    "if is_rocm and debug:\n    define_macros += [('A', '1')]\n",
    "if not (is_rocm or debug):\n    define_macros += [('A', '1')]\n",
    "if ship:\n    pass\nelse:\n    define_macros += [('A', '1')]\n",
    "if cuda or is_rocm:\n    pass\nelse:\n    define_macros += [('A', '1')]\n",
    "if debug:\n    define_macros += [('A', '1')]\n",
    "define_macros += [('A', '1')]\nif debug:\n    define_macros += [('A', '2')]\n",
    "define_macros += [('A', str(level))]\n",
    "other_macros = [('A', '1')]\n",
    "args = {'cxx': ['-DA=1']}\n",
    "# define_macros = [('A', '1')]\n",
    "if NO_CUDA:\n    define_macros += [('A', '1')]\n",
    "if os.getenv('DISABLE_CUDA'):\n    define_macros += [('A', '1')]\n",
    "if CUDA_VERSION < 11:\n    define_macros += [('A', '1')]\n",
    "if with_cuda and debug:\n    define_macros += [('A', '1')]\n",
    "while debug:\n    define_macros += [('A', '1')]\n",
    "for level in levels:\n    define_macros += [('A', '1')]\n",
    "define_macros += [('A', '1')]\ndefine_macros = []\n",
    "define_macros += [('A', '1')]\ndefine_macros.clear()\n",
    "define_macros += [('A', '1')]\ndefine_macros.remove(('A', '1'))\n",
    "define_macros += [('A', '1')] if debug else []\n",
    "define_macros += debug and [('A', '1')] or []\n",
    "define_macros += [each for each in [('A', '1')] if debug]\n",
    "setup(ext_modules=[CUDAExtension('a', [], define_macros=[('A', '1')], undef_macros=['A'])])\n",
    "CUDAExtension('a', ['scale.cu'])\nCUDAExtension('b', ['other.cu'], define_macros=[('A', '1')])\n",
    "CUDAExtension('b', ['other.cu'], extra_compile_args={'nvcc': ['-DA=1']})\n",
    "args = {'nvcc': ['-DA=1', '-UA']}\n",
    "args = {'nvcc': ['-DA=1'] if debug else []}\n",
    "args['nvcc'] = ['-DA=1']\nargs['nvcc'] = ['-O3']\n",
    "define_macros = [('A', '1'\n",
)


def flags(folder: Path, text: str) -> dict[str, str]:
    (folder / "setup.py").write_text(HEAD + text)
    (folder / "csrc").mkdir()
    found = flags_of_setup(str(folder / "csrc" / "scale.cu"), str(folder))
    return found.defines if found is not None else {}


@pytest.mark.parametrize("text", TAKEN)
def test_what_is_taken(tmp_path: Path, text: str) -> None:
    assert flags(tmp_path, text) == TAKEN[text]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_left(tmp_path: Path, text: str) -> None:
    assert flags(tmp_path, text) == {}


def test_a_kernel_behind_a_macro_of_the_build(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert flags(tmp_path, next(iter(TAKEN))) == {"WITH_CUDA": "1"}
    (tmp_path / "csrc" / "scale.cu").write_text(KERNEL)
    (record,) = run("check", tmp_path / "csrc" / "scale.cu", "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert any(text.startswith("compiled as ") and "setup.py says: -DWITH_CUDA" in text for text in record["assumptions"])
    (tmp_path / "setup.py").write_text(HEAD + LEFT[0])
    (record,) = run("check", tmp_path / "csrc" / "scale.cu", "--format", "jsonl").records
    assert record["verdict"] == "invalid"
