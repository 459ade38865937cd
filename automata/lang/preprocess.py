"""Macros and includes, with positions kept.

pcpp expands the file; its tokens are written out again as one text in which every token remembers
the place in the user's file it came from (a token of a macro's body: the place of the invocation).
Nothing is read outside the file's own folder tree and the include paths given.
"""

from __future__ import annotations

import bisect
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

import pcpp

from automata.place import InputError, Place

MAX_BYTES = 4_000_000
MAX_TOKENS = 2_000_000
Dialect = Literal["cuda", "opencl"]

PREDEFINED: dict[str, tuple[str, ...]] = {
    "cuda": ("__CUDACC__ 1", "__NVCC__ 1", "__CUDA_ARCH__ 700", "__cplusplus 201703L"),
    "opencl": ("__OPENCL_VERSION__ 120", "__OPENCL_C_VERSION__ 120", "CL_VERSION_1_2 120",
               "CLK_LOCAL_MEM_FENCE 1", "CLK_GLOBAL_MEM_FENCE 2"),
}


@dataclass(frozen=True, slots=True)
class Text:
    """Preprocessed text. `starts` and `places`: where each token stands here and in the user's file."""

    path: str
    text: str
    starts: tuple[int, ...]
    places: tuple[Place, ...]
    missing: tuple[str, ...]
    original: str = field(repr=False)

    def place(self, offset: int) -> Place:
        """The user's place of the token at or before an offset of `text`."""
        if not self.places:
            return Place(self.path, 1, 1)
        return self.places[max(0, bisect.bisect_right(self.starts, offset) - 1)]


def read_source(path: str) -> str:
    """The text of a source file; InputError when it is missing, a folder, too large or binary."""
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            raise InputError(f"the file has {size} bytes; this tool reads at most {MAX_BYTES}: "
                             "check a smaller file that holds the kernel", Place(path, 0, 0))
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", Place(path, 0, 0)) from error
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise InputError("this is a binary file (it has a NUL byte), not kernel source", Place(path, line, 1))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
    """pcpp with a fence around the folders it may read and errors as exceptions."""

    def __init__(self, path: str, includes: tuple[str, ...]) -> None:
        super().__init__()
        self.missing: list[str] = []
        folders = [os.path.dirname(os.path.abspath(path)), *includes]
        self.roots = [os.path.realpath(folder) for folder in folders]
        for folder in includes:
            self.add_path(folder)

    def on_file_open(self, is_system_include: bool, includepath: str) -> IO[str]:
        real = os.path.realpath(includepath)
        if not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in self.roots):
            raise OSError("outside the include paths")
        if not os.path.isfile(real):
            raise OSError("not a file")
        read_source(real)
        return open(real, encoding="utf-8", errors="replace", newline=None)

    def on_include_not_found(self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str) -> None:
        self.missing.append(includepath)
        raise pcpp.OutputDirective(pcpp.Action.IgnoreAndRemove)

    def on_error(self, file: str, line: int, msg: str) -> None:
        raise InputError(f"preprocessor: {msg}", Place(str(file), int(line), 1))

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> Any:
        if directive.value == "error":
            said = "".join(token.value for token in toks).strip()
            raise InputError(f"#error {said}", Place(str(directive.source), directive.lineno, 1))
        return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)


class _Columns:
    """Column numbers of pcpp tokens, which know a line and an offset in their file."""

    def __init__(self, path: str, text: str) -> None:
        self.lines: dict[str, list[int]] = {path: _line_starts(text)}
        self.texts: dict[str, str] = {path: text}
        self.last = Place(path, 1, 1)

    def place(self, token: Any) -> Place:
        file, line = str(token.source), int(token.lineno)
        if file not in self.lines:
            self.texts[file] = read_source(file)
            self.lines[file] = _line_starts(self.texts[file])
        starts = self.lines[file]
        column = token.lexpos - starts[line - 1] + 1 if 0 < line <= len(starts) else 0
        end = starts[line] if line < len(starts) else len(self.texts[file]) + 1
        if column < 1 or token.lexpos >= end:
            column = self._invocation(file, line, token)
        self.last = Place(file, line, column)
        return self.last

    def _invocation(self, file: str, line: int, token: Any) -> int:
        """Column of the macro name on the line where its body was put."""
        origin = list(getattr(token, "expanded_from", None) or [])
        starts, text = self.lines[file], self.texts[file]
        begin = starts[line - 1] if 0 < line <= len(starts) else 0
        end = starts[line] if line < len(starts) else len(text)
        from_column = self.last.column if (self.last.file, self.last.line) == (file, line) else 1
        if origin:
            found = re.compile(rf"\b{re.escape(str(origin[-1]))}\b").search(text, begin + from_column - 1, end)
            if found:
                return found.start() - begin + 1
        return from_column


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def preprocess(path: str, dialect: Dialect, *, defines: dict[str, str] | None = None,
               includes: tuple[str, ...] = ()) -> Text:
    """Expand one file. `defines`: NAME to replacement; `includes`: folders. InputError on bad input."""
    text = read_source(path)
    for folder in includes:
        if not os.path.isdir(folder):
            raise InputError(f"include path '{folder}' is not a folder")
    machine = _Preprocessor(path, includes)
    for macro in PREDEFINED[dialect]:
        machine.define(macro)
    for name, value in (defines or {}).items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise InputError(f"-D '{name}': not a macro name")
        machine.define(f"{name} {value if value != '' else '1'}")
    try:
        machine.parse(text, path)
        return _collect(machine, path, text)
    except RecursionError as error:
        raise InputError("macros nest too deeply", Place(path, 0, 0)) from error


def _collect(machine: _Preprocessor, path: str, text: str) -> Text:
    columns = _Columns(path, text)
    pieces: list[str] = []
    starts: list[int] = []
    places: list[Place] = []
    offset = 0
    while (token := machine.token()) is not None:
        value = str(token.value)
        if token.type in ("CPP_WS", "CPP_LINECONT"):
            value = re.sub(r"[^\n]", " ", value)
        elif token.type in ("CPP_COMMENT1", "CPP_COMMENT2"):
            value = " "
        else:
            starts.append(offset)
            places.append(columns.place(token))
        if len(starts) > MAX_TOKENS:
            raise InputError(f"more than {MAX_TOKENS} tokens after macro expansion", Place(path, 0, 0))
        pieces.append(value)
        offset += len(value)
    return Text(path, "".join(pieces), tuple(starts), tuple(places), tuple(machine.missing), text)
