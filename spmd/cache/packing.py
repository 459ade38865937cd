"""An answer as bytes, and back.

Pickle writes our frozen data as they are; a file in a cache may have been written by anybody, so reading is by a list of what
may come: classes of ours that hold data, and the few of the standard library and NumPy that numbers are made of. Functions
never come, so nothing of a file is ever called but constructors of data. Folders of projects are marks (`key`).
"""

from __future__ import annotations

import io
import pickle
import zlib
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

from spmd.cache.key import Folders

OURS = ("automata.", "equivalence.", "spmd.")
OTHERS = frozenset({
    ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"), ("builtins", "range"), ("builtins", "bytearray"),
    ("fractions", "Fraction"), ("collections", "OrderedDict"), ("collections", "Counter"), ("collections", "defaultdict"),
    ("numpy", "ndarray"), ("numpy", "dtype"), ("numpy.core.multiarray", "_reconstruct"), ("numpy.core.multiarray", "scalar"),
    ("numpy._core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"), ("numpy._core.numeric", "_frombuffer")})


class UnreadableError(Exception):
    """Bytes that are no answer."""


class _Pickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, folders: Folders) -> None:
        super().__init__(stream, protocol=5)
        self.folders = folders

    def persistent_id(self, obj: Any) -> str | None:
        if type(obj) is str and (marked := self.folders.marked(obj)) != obj:
            return marked
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, folders: Folders) -> None:
        super().__init__(stream)
        self.folders = folders

    def persistent_load(self, pid: Any) -> Any:
        return self.folders.unmarked(str(pid))

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(OURS) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum)):
                return found
        elif (module, name) in OTHERS:
            return super().find_class(module, name)
        raise UnreadableError(f"{module}.{name} is no data of an answer")


def packed(value: object, folders: Folders) -> bytes | None:
    """A value as bytes; None for one that would not come back."""
    stream = io.BytesIO()
    try:
        _Pickler(stream, folders).dump(value)
        unpacked(data := zlib.compress(stream.getvalue(), 1), folders)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError, UnreadableError):
        return None
    return data


def unpacked(data: bytes, folders: Folders) -> Any:
    """The value that was packed. UnreadableError for anything else."""
    try:
        return _Unpickler(io.BytesIO(zlib.decompress(data)), folders).load()
    except UnreadableError:
        raise
    except Exception as error:
        raise UnreadableError(f"{type(error).__name__}: {error}") from error
