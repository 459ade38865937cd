"""Texts of CUDA made into modules for a GPU, by nvcc: one file each, no line of a host."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_TEXT = re.compile(rb"\.text\.([A-Za-z_]\w*)\0")


class NoCompiler(Exception):
    """There is no nvcc."""


@dataclass(frozen=True)
class Source:
    """A text that is to be a module. `beside`: the folder of files that it includes, below the repository's; `is_loose`: its
    lines stand for themselves, and those that nvcc refuses are left out."""

    name: str
    beside: str = ""
    is_loose: bool = False


class Texts:
    """Texts to be compiled, as files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.sources = folder, dict[str, Source]()

    def add(self, text: str, name: str, beside: Path | None = None, *, is_loose: bool = False) -> str:
        """The name of the module that a text will be."""
        name = re.sub(r"[^\w.-]", "_", name)
        self.sources[name] = Source(name, str(beside.relative_to(ROOT)) if beside else "", is_loose)
        (self.folder / f"{name}.cu").write_text(f"#include <cuda_pipeline.h>\n{text}" if "__pipeline_" in text else text)
        return name

    def listed(self) -> list[dict[str, object]]:
        return [asdict(source) for source in self.sources.values()]


@dataclass(frozen=True)
class Compiler:
    """nvcc for the texts of a folder. `contracts`: products may be fused into sums, as nvcc does unless it is told not to."""

    folder: Path
    architecture: str
    contracts: bool = False

    def path(self, name: str) -> Path:
        """The module of a text."""
        return self.folder / f"{self.architecture}{'-contracted' if self.contracts else ''}" / f"{name}.cubin"

    def compile(self, sources: Iterable[Source], workers: int) -> dict[str, str]:
        """Compile what is not compiled yet; of what nvcc refuses, why. NoCompiler where there is none."""
        nvcc = shutil.which("nvcc")
        if nvcc is None:
            raise NoCompiler("there is no nvcc here: install CUDA's toolkit, and see that nvcc is on the PATH")
        missing = [source for source in sources if not self.path(source.name).exists()]
        self.path("any").parent.mkdir(exist_ok=True)
        with ThreadPoolExecutor(workers) as pool:
            told = list(pool.map(lambda source: self._compile(nvcc, source), missing))
        return {source.name: why for source, why in zip(missing, told, strict=True) if why}

    def _compile(self, nvcc: str, source: Source) -> str:
        target, text = self.path(source.name), self.folder / f"{source.name}.cu"
        why = self._asked(nvcc, source, text, target)
        bad = {int(number) for number in re.findall(r"\.cu\((\d+)\): error", why)}
        if bad and source.is_loose:
            text = target.with_suffix(".cu")
            lines = (self.folder / f"{source.name}.cu").read_text().splitlines()
            text.write_text("\n".join("" if number in bad else line for number, line in enumerate(lines, 1)) + "\n")
            why = self._asked(nvcc, source, text, target)
        return "; ".join(line for line in why.splitlines() if "error" in line)[:300]

    def _asked(self, nvcc: str, source: Source, text: Path, target: Path) -> str:
        fused = "true" if self.contracts else "false"
        command = [nvcc, "-cubin", f"-arch={self.architecture}", f"-fmad={fused}", "-std=c++17", "-w",
                   *(["-I", str(ROOT / source.beside)] if source.beside else []), str(text), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stderr + "\nerror" if done.returncode else ""


@cache
def symbols(module: Path) -> tuple[str, ...]:
    """The kernels and functions of a module, as the compiler names them."""
    return tuple(sorted({name.decode() for name in _TEXT.findall(module.read_bytes())}))


def symbol(module: Path, kernel: str) -> str:
    """The symbol of a kernel by its name in the source; LookupError where there is none, or more than one."""
    named = re.compile(rf"_Z(?:N\w*?)?{len(kernel)}{re.escape(kernel)}(?!\d)\w*|{re.escape(kernel)}")
    found = [each for each in symbols(module) if named.fullmatch(each)] if module.exists() else []
    if len(found) != 1:
        raise LookupError(f"{kernel} is {len(found)} times in {module.name}")
    return found[0]
