"""Reads files it is told of, one a line, as the checker would, and answers with a line of JSON for each."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from types import FrameType

CPU_SECONDS = 5.0
MEMORY = 4 << 30


class TooSlow(BaseException):
    """A case used more processor time than it may; no `except Exception` keeps it."""


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TooSlow


def read(path: str, frontend: str) -> str:
    """The outcome of a file; an error of the input leaves as an exception."""
    from automata.lang.read import find_kernels
    from automata.lang.spec import violations
    from automata.rewriting.lower import lower
    from automata.thread.build import build

    outcome = "read"
    first = None
    for found in find_kernels(path, frontend=frontend):  # type: ignore[arg-type]
        try:
            kernel = found.read()
            for stage in (kernel, lowered := lower(kernel, {})):
                if wrong := violations(stage):
                    return f"violation {'in' if stage is kernel else 'after lowering'}: {wrong[0]}"
            build(lowered)
        except Exception as error:
            first = first or error
            if not _is_input_error(error):
                raise
    if first:
        raise first
    return outcome


def _is_input_error(error: BaseException) -> bool:
    from automata.place import InputError

    return isinstance(error, InputError)


def judged(path: str, frontend: str) -> dict[str, object]:
    """What reading a file came to: `class`, `key` (alike for alike failures), `detail`, `ok`."""
    try:
        said = read(path, frontend)
    except BaseException as error:
        if not _is_input_error(error):
            return _crash(error)
        return _refusal(error, path)
    if said == "read":
        return {"ok": True, "class": "read", "key": "read", "detail": ""}
    words = "".join(char for char in said.split(":")[-1] if not char.isdigit())
    return {"ok": False, "class": "spec violation", "key": f"spec {said.partition(':')[0]} {words}", "detail": said}


def _crash(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    where = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}: {frame.line}" for frame in frames]
    name = type(error).__name__
    sites = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in sites if "/automata/" in frame.filename] or list(sites)
    key = f"{name} {Path(ours[-1].filename).name}:{ours[-1].name}" if ours and name != "TooSlow" else name
    if name == "TooSlow":
        key += " " + (Path(ours[3].filename).name + ":" + ours[3].name if len(ours) > 3 else "")
    return {"ok": False, "class": name, "key": key, "detail": f"{name}: {str(error)[:200]}", "frames": where}


def _refusal(error: BaseException, path: str) -> dict[str, object]:
    """An error of the input is allowed if it says something and where."""
    message, place = error.message, error.place  # type: ignore[attr-defined]
    kind = type(error).__name__
    shown = {"class": kind, "detail": f"{place}: {message}", "key": kind, "line": place.line}
    wrong = ""
    if not message.strip():
        wrong = "empty message"
    elif not place.file:
        wrong = "no file"
    elif place.line < 1 and not message.startswith("no kernel here"):
        wrong = "no line"
    elif place.file == path and place.line > Path(path).read_bytes().count(b"\n") + Path(path).read_bytes().count(b"\r") + 1:
        wrong = "a line past the end"
    elif " object at 0x" in message or "Traceback" in message:
        wrong = "message for programmers"
    if wrong:
        words = " ".join("".join(char if char.isalpha() else " " for char in message).split()[:5])
        return {**shown, "ok": False, "class": f"refusal with {wrong}", "key": f"{wrong}: {words}"}
    return {**shown, "ok": True}


def main() -> None:
    """Answer until there is no more to read."""
    frontend, cpu = sys.argv[1], float(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, _too_slow)
    import automata.lang.read
    import automata.lang.spec
    import automata.rewriting.lower
    import automata.thread.build  # noqa: F401
    for line in sys.stdin:
        began, clock = time.process_time(), time.monotonic()
        signal.setitimer(signal.ITIMER_PROF, cpu)
        try:
            said = judged(line.rstrip("\n"), frontend)
            signal.setitimer(signal.ITIMER_PROF, 0)
        except TooSlow as error:
            said = _crash(error)
        said |= {"cpu": time.process_time() - began, "wall": time.monotonic() - clock}
        answers.write(json.dumps(said) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
