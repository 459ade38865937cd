"""An application run under the library that records.

In: a command and a folder. Out: its exit status, as a shell would see it. The application has the descriptors, the terminal, the
signals and the output that it would have had; what is said of the recording comes when it has ended.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from automata.place import InputError
from spmd.recording.files import put_private, write_private
from spmd.recording.head import HEAD

SCHEMA = "spmd-recording/1"
ROOM = 4096
PT_INTERP = 3
FORWARDED = (signal.SIGTERM, signal.SIGHUP)
WAITED_THROUGH = (signal.SIGINT, signal.SIGQUIT)
"""The terminal sends these to the application too."""
UNCACHED = {"PYOPENCL_NO_CACHE": "1", "CUPY_CACHE_IN_MEMORY": "1", "CLESPERANTO_NO_CACHE": "1"}
"""PyOpenCL, CuPy and clEsperanto keep binaries of the programs that they build; one that comes from there has no text."""


def new_recording(folder: str, command: list[str], *, is_adding: bool) -> Path:
    """The folder, ready for the processes of the application. InputError where it holds something else or cannot be written."""
    target = Path(folder).absolute()
    try:
        if target.exists() and not target.is_dir():
            raise InputError(f"-o {folder}: this is a file, and a recording is a folder")
        is_known = (target / HEAD).exists()
        if target.exists() and any(target.iterdir()) and not (is_known and is_adding):
            more = "; --add adds this run to it" if is_known else ""
            raise InputError(f"-o {folder}: the folder holds {'a recording' if is_known else 'something else'} already{more}")
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.chmod(target, 0o700)
        for name in ("processes", "contents"):
            (target / name).mkdir(exist_ok=True, mode=0o700)
        if not (target / "lost").exists():
            write_private(target / "lost", b"\0" * ROOM)
        head: dict[str, Any] = read_head(target) if is_known else {"schema": SCHEMA, "runs": []}
        head["runs"].append({"command": command, "folder": os.getcwd(), "began": time.time()})
        write_head(target, head)
    except OSError as error:
        raise InputError(f"-o {folder}: the recording cannot be written there: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"-o {folder}: its recording.json is damaged") from error
    return target


def ended(target: Path, status: int) -> None:
    """Note how the last run ended; nothing where the disk has no room for that."""
    try:
        head = read_head(target)
        head["runs"][-1] |= {"ended": time.time(), "status": status}
        write_head(target, head)
    except OSError:
        return


def read_head(target: Path) -> dict[str, Any]:
    """What recording.json holds. OSError or ValueError where it cannot be read."""
    head = json.loads((target / HEAD).read_text(encoding="utf-8"))
    if not isinstance(head, dict):
        raise ValueError
    return head


def write_head(target: Path, head: dict[str, Any]) -> None:
    put_private(target / HEAD, json.dumps(head, indent=1).encode())


def program_of(command: list[str]) -> str:
    """The executable that a command names. InputError for one that is not there, or in which nothing can be interposed."""
    path = shutil.which(command[0])
    if path is None:
        is_there = os.path.exists(command[0])
        raise InputError(f"'{command[0]}' {'cannot be executed' if is_there else 'is no program that is there'}")
    try:
        with open(path, "rb") as stream:
            why = why_unseen(stream.read(1 << 16))
        mode = os.stat(path).st_mode
    except OSError:
        return path
    if why is None and mode & 0o6000:
        why = "it runs with another user's or group's rights, and the dynamic linker then loads no library of ours"
    if why is not None:
        raise InputError(f"'{path}' cannot be recorded: {why}")
    return path


def why_unseen(head: bytes) -> str | None:
    """Why a program's launches cannot be recorded, from the first bytes of its file; None where they can, or it is a script."""
    if head[:4] != b"\x7fELF" or len(head) < 64:
        return None
    if head[4] != struct.calcsize("P") // 4:
        return f"it is a program for {32 * head[4]} bits, and the library that records is for {8 * struct.calcsize('P')}"
    order = "<" if head[5] == 1 else ">"
    if head[4] != 2:
        return None
    at, size, count = (struct.unpack_from(order + kind, head, place)[0] for kind, place in (("Q", 32), ("H", 54), ("H", 56)))
    for number in range(count):
        place = at + number * size
        if place + 56 > len(head):
            return None
        if struct.unpack_from(order + "I", head, place)[0] == PT_INTERP:
            start, length = (struct.unpack_from(order + "Q", head, place + at)[0] for at in (8, 32))
            linker = head[start:start + length].rstrip(b"\0").decode(errors="replace")
            return f"its dynamic linker is {linker}, not that of the GNU C library" if "musl" in linker else None
    return "it is linked statically, so no library can be put between it and OpenCL; link it dynamically to record it"


def run(command: list[str], target: Path, recorder: Path) -> int:
    """Run the application to its end; its status, 128 and the signal where one ended it."""
    path = program_of(command)
    env = {**UNCACHED, **os.environ, "SPMD_RECORDING": str(target), "LD_PRELOAD": _with(os.environ.get("LD_PRELOAD"), recorder),
           "OPENCL_LAYERS": _with(os.environ.get("OPENCL_LAYERS"), recorder)}
    for number in (*FORWARDED, *WAITED_THROUGH):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda got, frame: None)
    try:
        child = subprocess.Popen(command, executable=path, env=env, close_fds=False)
    except OSError as error:
        raise InputError(f"'{path}' cannot be run: {error.strerror}") from error
    for number in FORWARDED:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda got, frame: child.send_signal(got))
    status = child.wait()
    sys.stdout.flush()
    return status if status >= 0 else 128 - status


def _with(stated: str | None, recorder: Path) -> str:
    return f"{stated}:{recorder}" if stated else str(recorder)
