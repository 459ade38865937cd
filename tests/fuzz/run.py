"""Runs mutants through reading, in processes of their own, and says what came of them.

`python tests/fuzz/run.py --count 5000 --seed 1 [--frontend c|clang|auto] [--jobs 2] [--save FOLDER]`.
Allowed: a kernel that is read, or a refusal that says what and where. Exit status 1 if anything else came of a case.
"""

from __future__ import annotations

import argparse
import json
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mutate

CPU_SECONDS = 5.0
WALL_FACTOR = 5
HERE = Path(__file__).resolve().parent


@dataclass
class Result:
    """What came of a case."""

    case: mutate.Case
    ok: bool
    kind: str
    key: str
    detail: str
    cpu: float = 0.0
    frames: list[str] = field(default_factory=list)


class Worker:
    """A process that reads files; it is started again when a case ends it."""

    def __init__(self, frontend: str, cpu: float = CPU_SECONDS) -> None:
        self.frontend, self.cpu = frontend, cpu
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz"))
        for header in (mutate.ROOT / "tests" / "kernels").glob("*.h"):
            shutil.copy(header, self.folder)
        self.process: subprocess.Popen[bytes] | None = None

    def judge(self, case: mutate.Case) -> Result:
        """Read a case; what ends or stops the process is its failure."""
        path = self.folder / f"case{case.suffix}"
        path.write_bytes(case.text)
        process = self._started()
        assert process.stdin and process.stdout
        process.stdin.write(f"{path}\n".encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], self.cpu * WALL_FACTOR)
        line = process.stdout.readline() if ready else b""
        if line.endswith(b"\n"):
            said: dict[str, Any] = json.loads(line)
            return Result(case, said["ok"], said["class"], said["key"], said["detail"], said["cpu"], said.get("frames", []))
        return self._ended(case, "crash" if ready else "hang")

    def close(self) -> None:
        """End the process and take its folder away."""
        if self.process:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            errors = (self.folder / "stderr").open("wb")
            command = [sys.executable, str(HERE / "worker.py"), self.frontend, str(self.cpu)]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, cwd=mutate.ROOT)
        return self.process

    def _ended(self, case: mutate.Case, kind: str) -> Result:
        assert self.process
        self.process.send_signal(signal.SIGABRT if kind == "hang" else signal.SIGKILL)  # abort: faulthandler says where it was
        try:
            status = self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process = None
        said = (self.folder / "stderr").read_text(errors="replace").splitlines()
        began = [at for at, line in enumerate(said) if line.startswith("Fatal Python error")]
        frames = [line.strip() for line in said[began[-1]:] if line.lstrip().startswith("File ")][:3] if began else said[-3:]
        return Result(case, False, kind, f"{kind} {frames[0] if frames else ''}", f"{kind}, exit status {status}", 0.0, frames)


def run(cases: Iterable[mutate.Case], frontend: str, jobs: int = 2, cpu: float = CPU_SECONDS) -> list[Result]:
    """Read all cases, in order of their numbers."""
    results: list[Result] = []
    waiting, lock = iter(cases), threading.Lock()

    def work() -> None:
        worker = Worker(frontend, cpu)
        try:
            for case in _shared(waiting, lock):
                results.append(worker.judge(case))
        finally:
            worker.close()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(results, key=lambda result: result.case.number)


def _shared(waiting: Iterator[mutate.Case], lock: threading.Lock) -> Iterator[mutate.Case]:
    while True:
        with lock:
            case = next(waiting, None)
        if case is None:
            return
        yield case


def summary(results: list[Result]) -> str:
    """Outcomes by class, distinct failures, slowest cases."""
    lines = [f"{len(results)} cases", "", "outcomes:"]
    lines += [f"  {count:6}  {kind}" for kind, count in Counter(result.kind for result in results).most_common()]
    failures = Counter(result.key for result in results if not result.ok)
    lines += ["", f"distinct failures: {len(failures)}"]
    for key, count in failures.most_common():
        alike = [result for result in results if result.key == key and not result.ok]
        least = min(alike, key=lambda result: len(result.case.text))
        lines.append(f"  {count:6}  {key}\n          case {least.case.number} of {least.case.origin}: {least.detail}")
        lines += [f"            {frame}" for frame in least.frames]
    lines += ["", "slowest:"]
    for result in sorted(results, key=lambda result: -result.cpu)[:8]:
        told = f"case {result.case.number} of {result.case.origin}: {result.kind} {result.detail[:90]}"
        lines.append(f"  {result.cpu:6.2f} s  {told}")
    return "\n".join(lines)


def save(results: list[Result], folder: Path) -> None:
    """The inputs that failed, with what came of them, one folder for each distinct failure."""
    for result in results:
        if not result.ok:
            name = "".join(char if char.isalnum() else "_" for char in result.key)[:80]
            (folder / name).mkdir(parents=True, exist_ok=True)
            path = folder / name / f"{result.case.number}{result.case.suffix}"
            path.write_bytes(result.case.text)
            path.with_suffix(".txt").write_text("\n".join([result.key, result.detail, *result.frames]))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--frontend", choices=("c", "clang", "auto"), default="c")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", type=Path)
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.count)
    results = run((mutate.case(given.seed, number) for number in numbers), given.frontend, given.jobs)
    print(summary(results))
    if given.save:
        save(results, given.save)
    return int(any(not result.ok for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
