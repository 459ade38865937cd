"""The C library that records, built with the system's compiler when it is first needed.

In: the texts in `native/`. Out: the path of a shared library in the user's cache, named by what it was built from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from automata.place import InputError

NATIVE = Path(__file__).parent / "native"
COMPILERS = ("cc", "gcc", "clang")
OPTIONS = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-shared")
LIBRARIES = ("-ldl", "-lpthread")


def compiler() -> list[str]:
    """The C compiler: what CC says, else the first that is there. InputError where there is none."""
    stated = shlex.split(os.environ.get("CC", ""))
    for candidate in [stated] if stated else [[name] for name in COMPILERS]:
        if path := shutil.which(candidate[0]):
            return [path, *candidate[1:]]
    if stated:
        raise InputError(f"CC names '{stated[0]}', which is not there: a C compiler builds the library that records")
    raise InputError(f"no C compiler ({', '.join(COMPILERS)}) is there, which builds the library that records: install one, for "
                     "instance with 'apt install gcc', or name it in CC")


def library(cache: str) -> Path:
    """The library, built if this version of it is not in the cache folder. InputError says why it cannot be."""
    if set(cache) & set(" :;"):
        raise InputError(f"'{cache}': a folder with a blank or colon in its name cannot hold the library that records, for the "
                         "dynamic linker parts lists there; set SPMD_CACHE_DIR to another one")
    texts = sorted([*NATIVE.glob("*.c"), *NATIVE.glob("*.h")])
    digest = hashlib.sha256(b"\0".join([" ".join((*OPTIONS, *LIBRARIES)).encode(), *(text.read_bytes() for text in texts)]))
    target = Path(cache).absolute() / "recorder" / f"{digest.hexdigest()[:20]}.so"
    if not target.exists():
        _build([text for text in texts if text.suffix == ".c"], target)
    return target


def _build(texts: list[Path], target: Path) -> None:
    command = compiler()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, part = tempfile.mkstemp(".so", dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise InputError(f"the library that records cannot be kept in '{target.parent}': {error.strerror}; set SPMD_CACHE_DIR to "
                         "a folder that can be written") from error
    try:
        done = subprocess.run([*command, *OPTIONS, "-o", part, *map(str, texts), *LIBRARIES], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            said = "\n".join(done.stderr.strip().splitlines()[:6])
            raise InputError(f"'{' '.join(command)}' does not build the library that records:\n{said}")
        os.chmod(part, 0o700)
        os.replace(part, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)
