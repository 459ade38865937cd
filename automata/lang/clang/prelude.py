"""What stands before a text: the stub header, parsed once for a process and kept as a precompiled header in a folder of its own;
and the macros of the command line."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from automata.lang.clang.index import Parsed
from automata.lang.clang.nodes import check_layout
from automata.lang.library import header
from automata.place import MODELS, InputError
from automata.processes import is_running

STUBS = Path(__file__).resolve().parent.parent / "stubs"
HOST = "host.h"
HALF = "_Float16"
DAY = 86_400.0
Dialect = Literal["cuda", "opencl"]
COMMON = ["-nostdinc", "-ferror-limit=0", "-fbracket-depth=256", "-ftemplate-depth=256", "-fconstexpr-steps=100000",
          "-Wno-everything", "-fmacro-backtrace-limit=1", "-ftemplate-backtrace-limit=1", "-fno-spell-checking"]
LANGUAGE = {
    "cuda": ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-std=c++17",
             "-nostdinc++", "--target=x86_64-unknown-linux-gnu", "-Xclang", "-fcuda-allow-variadic-functions"],
    "opencl": ["-x", "cl", "-cl-no-stdinc", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown",
               "-Xclang", "-fdeclare-opencl-builtins",
               "-Xclang", "-fno-validate-pch"],
}
ON_DEVICE = ("-Xclang", "-fcuda-is-device", "-Xclang", "-aux-triple", "-Xclang", "x86_64-unknown-linux-gnu")
FOR_BOTH = "#pragma clang force_cuda_host_device"
BUILT_IN = 'extern "C" __attribute__((device)) void __syncthreads();'
"""Clang knows the device's own functions as the host's compiler alone, where the device is not the target."""


@dataclass(frozen=True)
class Prelude:
    """The stub's text, where it lies, and the arguments that put it in front of a text."""

    path: str
    text: str
    args: tuple[str, ...]


@cache
def text_of(dialect: Dialect, parts: tuple[str, ...] = (), without: frozenset[str] = frozenset()) -> str:
    """The stub header: our own declarations and those of the library's table, then the parts that a text's headers ask for.

    `without`: names of the host's C++ library that go by another name, for the text has its own; and functions on half
    precision that are left out, as `_Float16 min`.
    """
    def included(found: re.Match[str]) -> str:
        text = (STUBS / found.group(1)).read_text(encoding="utf-8")
        return renamed(text, hosts) if found.group(1) == HOST else text

    hosts = frozenset(name for name in without if not name.startswith(HALF))
    own = "".join((STUBS / f"{name}.h").read_text(encoding="utf-8") for name in (dialect, *parts))
    own = re.sub(r'#include "(\w+\.h)"\n', included, own)
    for function in without - hosts:
        own = re.sub(rf"^__spmd_in {function}\(.*\n", "", own, flags=re.M)
    if dialect == "opencl":
        return own
    known = re.compile(r" (__builtin_\w+|assert|__syncthreads|tex[123]D\w*)\(|atomic(Min|Max)\w*\((float|double)\*")
    declared = "\n".join(line for line in header(dialect).splitlines() if not known.search(line))
    return own.replace("// LIBRARY\n", declared + "\n")


def renamed(text: str, names: frozenset[str]) -> str:
    """A text with other names for some."""
    return re.sub(rf"\b({'|'.join(sorted(names))})\b", r"__std_\1", text) if names else text


def hosted(names: Iterable[str]) -> frozenset[str]:
    """Those of some names that the stub has as classes of the host's C++ library."""
    text = (STUBS / HOST).read_text(encoding="utf-8")
    return frozenset(name for name in names if re.search(rf"\bstruct {name}\b", text))


@cache
def prelude(dialect: Dialect, half: bool = True, parts: tuple[str, ...] = (), without: frozenset[str] = frozenset(),
            on_device: bool = False) -> Prelude:
    """The stub of a dialect, precompiled. `half`: with that name for the half-precision type; `on_device`: for a text that is
    read as the device's compiler reads it, to which all that the stub declares is device code; the others as for `text_of`."""
    check_layout()
    folder = tempfile.mkdtemp(prefix=f"{MODELS}{os.getpid()}_")
    atexit.register(_remove, folder, os.getpid())
    remove_forsaken(folder)
    path = os.path.join(folder, f"{dialect}.h")
    text = text_of(dialect, parts, without)
    if not half:
        text = re.sub(r"typedef \w+ half2?;", "", text)
    if on_device:
        text = f"{FOR_BOTH} begin\n{BUILT_IN}\n{text}\n{FOR_BOTH} end\n"
    Path(path).write_text(text, encoding="utf-8")
    args = [*LANGUAGE[dialect], *COMMON, *(ON_DEVICE if on_device else ())]
    compiled = path + ".pch"
    if Parsed(path, args, {}).save(compiled):
        return Prelude(path, text, (*args, "-include-pch", compiled))
    return Prelude(path, text, (*args, "-include", path))


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def remove_forsaken(new: str) -> None:
    """Remove what killed processes of this user have left beside a new folder: those a day older whose process is not there."""
    for folder in Path(new).parent.glob(f"{MODELS}*_*"):
        owner = folder.name.removeprefix(MODELS).partition("_")[0]
        with suppress(OSError):
            age = os.stat(new).st_mtime - folder.stat().st_mtime
            is_mine = not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if is_mine and owner.isdigit() and age > DAY and not is_running(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)


def macros(defines: Mapping[str, str]) -> Iterator[str]:
    """The lines that define macros of the command line."""
    for name, value in defines.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or "\n" in value:
            raise InputError(f"-D '{name}': not a macro")
        yield f"#undef {name}"
        yield f"#define {name} {value if value != '' else '1'}"
