"""How much of a corpus of CUDA programs becomes Core, what is refused and why, and how long reading takes.

    python benchmarks/corpus.py FOLDER [--jobs N] [--timeout SECONDS] [--markdown PAGE] [--makefiles | --in-project]

FOLDER holds programs as `<program>-cuda/*.cu`; a program's folder is its include path (`--makefiles`: and the
folders of the corpus that its Makefile names with -I; `--in-project`: each file is read as `spmd check FILE` reads
it in a checkout with `.git`, with the headers, the flags and the including texts that it finds there). Kernels are
counted by text, without the reader. A
template counts once, and as read if one of its instantiations is read. A file that another one of its program
includes may be read through that one: it need not be complete by itself. Each file is read in a process of its
own; what that process cannot finish is charged to its file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import statistics
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

from automata.lang.clang.prelude import prelude
from automata.lang.read import Found, find_kernels
from automata.lang.spec import violations
from automata.place import InputError

Kind = Literal["read", "crash", "refused", "timeout", "left out"]
RANK: tuple[Kind, ...] = ("read", "crash", "refused", "timeout", "left out")
NOISE = re.compile(
    r'(?P<raw>\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")|//[^\n]*(?:\\\n[^\n]*)*|/\*.*?(?:\*/|\Z)'
    r"""|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:\\\n|[^\n])*", re.M)
ATTRIBUTE = re.compile(r"(__launch_bounds__|__attribute__|__declspec|alignas|__cluster_dims__|__maxnreg__)\s*\Z")
NAME = re.compile(r"(~?[A-Za-z_]\w*)\s*(?:<([^(){};]*)>)?\s*\Z")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"[^"\n]*\.cu"', re.M)
SOURCES = (".cu", ".h", ".cuh", ".hpp")
FINISHED = "finished"


@dataclass(frozen=True)
class Counted:
    """A kernel in a text: its name, the lines from `__global__` to its body, whether a preprocessor condition holds it.

    `arguments`: of a template's specialisation, as written.
    """

    name: str
    arguments: str
    first: int
    last: int
    conditional: bool


@dataclass(frozen=True)
class Outcome:
    """What became of one kernel or instantiation. `where`: the place of a refusal, the traceback of a crash."""

    kind: Kind
    message: str = ""
    where: str = ""


@dataclass(frozen=True)
class Report:
    """An outcome as a worker sends it, with the kernel it is about."""

    name: str
    file: str
    line: int
    outcome: Outcome


@dataclass
class File:
    """A file of the corpus: the kernels counted in it, what its reading and its program's say, the seconds it took."""

    path: Path
    program: Path
    includes: tuple[str, ...]
    counted: list[Counted]
    reports: list[Report] = field(default_factory=list)
    others: list[Report] = field(default_factory=list)
    whole: Outcome | None = None
    seconds: float = 0.0
    worked: float = 0.0

    def of(self, kernel: Counted) -> list[Outcome]:
        """What was said about the instantiations of a kernel, first by the reading of its own file."""
        if kernel.arguments:
            wanted = plain_name(f"{kernel.name}<{kernel.arguments}>")
            return [report.outcome for report in (*self.reports, *self.others) if plain_name(report.name) == wanted]
        there = [report.outcome for report in (*self.reports, *self.others)
                 if report.file == str(self.path) and kernel.first <= report.line <= kernel.last]
        if there or any(other.name == kernel.name for other in self.counted if other is not kernel):
            return there
        return [report.outcome for report in self.reports if stem(report.name) == kernel.name]

    def judged(self, kernel: Counted) -> Outcome:
        """One outcome for a kernel: read if an instantiation is, else the worst that befell one."""
        said = sorted(self.of(kernel), key=lambda outcome: (RANK.index(outcome.kind), "is a template: say" in outcome.message))
        if said:
            return said[0]
        if self.whole is not None and not (kernel.conditional and self.whole.message.startswith("no kernel here")):
            return self.whole
        if kernel.conditional:
            return Outcome("left out", "in a branch of #if that is not taken")
        return Outcome("refused", "the front end does not list this kernel", f"{self.path}:{kernel.first}")


def stem(name: str) -> str:
    """A kernel's name without template arguments and parameter types."""
    return re.split(r"[<(]", name, maxsplit=1)[0].strip().rpartition("::")[2]


def plain_name(name: str) -> str:
    """A kernel's name with the spellings that mean the same made one."""
    return name.replace("__half", "_Float16").replace("__nv_bfloat16", "__bf16").replace(" ", "").rpartition("::")[2]


def blank(match: re.Match[str]) -> str:
    """Nothing but the line ends of a piece of text."""
    return " " + "\n" * match.group().count("\n")


def count(text: str) -> list[Counted]:
    """The kernels that a text defines, found without any parser."""
    plain = NOISE.sub(blank, text)
    conditions = branches(plain)
    plain = DIRECTIVE.sub(blank, plain)
    found = []
    for match in re.finditer(r"\b__global__\b", plain):
        if (head := defined(plain, match.end())) is not None:
            name, arguments, end = head
            first, last = (plain.count("\n", 0, at) + 1 for at in (match.start(), end))
            found.append(Counted(name, arguments, first, last, any(low <= first <= high for low, high in conditions)))
    return found


def branches(plain: str) -> list[tuple[int, int]]:
    """The lines between each #if and its #endif."""
    found, open_lines = [], []
    for match in DIRECTIVE.finditer(plain):
        line = plain.count("\n", 0, match.start()) + 1
        if match.group(1) in ("if", "ifdef", "ifndef"):
            open_lines.append(line)
        elif match.group(1) == "endif" and open_lines:
            found.append((open_lines.pop(), line))
    return found


def defined(plain: str, start: int) -> tuple[str, str, int] | None:
    """Name and template arguments of the function whose head starts here, and where its body starts; None without a body."""
    depth, opened, name, arguments = 0, 0, "", ""
    for at in range(start, len(plain)):
        letter = plain[at]
        if letter == "(":
            opened = at if depth == 0 else opened
            depth += 1
        elif letter == ")":
            depth -= 1
            before = plain[start:opened]
            if depth == 0 and not ATTRIBUTE.search(before):
                called = NAME.search(before)
                name, arguments = (called.group(1), called.group(2) or "") if called else (name, arguments)
        elif depth == 0 and letter in "{;}":
            return (name, arguments, at) if letter == "{" and name else None
    return None


def read_one(found: Found) -> Outcome:
    """Read one kernel to Core and check it against Core's own rules."""
    try:
        wrong = violations(found.read())
    except InputError as error:
        return Outcome("refused", error.message, str(error.place))
    except Exception as error:
        return Outcome("crash", f"{type(error).__name__}: {error}", traceback.format_exc())
    return Outcome("crash", "Core's rules broken: " + wrong[0].partition(": ")[2], wrong[0]) if wrong else Outcome("read")


def work(path: str, includes: tuple[str, ...], in_project: bool, to: Connection) -> None:
    """A worker: read every kernel of a file, sending each outcome as it comes, then the seconds it took.

    Seconds by the clock, and of the processor. `in_project`: as `spmd check FILE` reads it.
    """
    began, worked = time.perf_counter(), time.process_time()
    try:
        for found in find_kernels(path, frontend="clang", includes=includes, in_project=in_project):
            place = os.path.normpath(found.place.file)
            if place.endswith(".cu"):
                to.send(Report(found.name, place, found.place.line, read_one(found)))
    except InputError as error:
        to.send(Outcome("refused", error.message, str(error.place)))
    except Exception as error:
        to.send(Outcome("crash", f"{type(error).__name__}: {error}", traceback.format_exc()))
    to.send((time.perf_counter() - began, time.process_time() - worked))
    to.send(FINISHED)


@dataclass
class Worker:
    """A running process, the file it reads and when it must be done."""

    process: BaseProcess
    file: File
    deadline: float


def start(file: File, timeout: float, in_project: bool) -> tuple[Connection, Worker]:
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(str(file.path), file.includes, in_project, sender))
    process.start()
    sender.close()
    return receiver, Worker(process, file, time.monotonic() + timeout)


def receive(connection: Connection, worker: Worker) -> bool:
    """Take one message of a worker's; whether it was its last."""
    try:
        message = connection.recv()
    except EOFError:
        worker.process.join()
        worker.file.whole = Outcome("crash", f"the process ended with status {worker.process.exitcode}", str(worker.file.path))
        return True
    if isinstance(message, Report):
        worker.file.reports.append(message)
    elif isinstance(message, Outcome):
        worker.file.whole = message
    elif isinstance(message, tuple):
        worker.file.seconds, worker.file.worked = message
    return bool(message == FINISHED)


def read_all(files: list[File], jobs: int, timeout: float, in_project: bool) -> None:
    """Read the files in processes of their own, `jobs` at a time."""
    waiting = list(reversed(files))
    active: dict[Connection, Worker] = {}
    while waiting or active:
        while waiting and len(active) < jobs:
            connection, worker = start(waiting.pop(), timeout, in_project)
            active[connection] = worker
        done = [item for item in wait(list(active), 0.1) if isinstance(item, Connection) and receive(item, active[item])]
        late = [item for item, worker in active.items() if item not in done and time.monotonic() > worker.deadline]
        for item in late:
            active[item].process.kill()
            active[item].file.whole = Outcome("timeout", f"more than {timeout:g} s", str(active[item].file.path))
            active[item].file.seconds = active[item].file.worked = timeout
        for item in done + late:
            active.pop(item).process.join()
            item.close()


def include_paths(program: Path, makefiles: bool, in_project: bool) -> tuple[str, ...]:
    """A program's folder, and those of the corpus that its Makefiles name; none where the project is searched for headers."""
    if in_project:
        return ()
    found = {str(program): None}
    for makefile in sorted(program.rglob("Makefile*")) if makefiles else ():
        for name in re.findall(r"-I\s*([^\s$<]+)", makefile.read_text(encoding="utf-8", errors="replace")):
            named = (makefile.parent / name).resolve()
            if named.is_dir() and named.is_relative_to(program.parent):
                found[str(named)] = None
    return tuple(found)


def collect(folder: Path, makefiles: bool, in_project: bool) -> list[File]:
    """The `.cu` files of the corpus that define kernels, or whose program includes such files in others."""
    found = []
    for program in sorted(folder.glob("*-cuda")):
        includes = include_paths(program, makefiles, in_project)
        sources = [path for path in sorted(program.rglob("*.[ch]*")) if path.suffix in SOURCES and path.is_file()]
        texts = {path: path.read_text(encoding="utf-8", errors="surrogateescape") for path in sources}
        fragments = any(INCLUDE.search(text) for text in texts.values())
        for path in sources:
            counted = count(texts[path]) if path.suffix == ".cu" else []
            if counted or (fragments and path.suffix == ".cu"):
                found.append(File(path, program, includes, counted))
    return found


def share_reports(files: list[File]) -> None:
    """Let every file know what the others of its program were told."""
    for file in files:
        same = [other for other in files if other.program == file.program and other is not file]
        file.others = [report for other in same for report in other.reports]


def cause(message: str) -> str:
    """A message without the names in it."""
    plain = re.sub(r"(a header was not found: ).*", r"\1…", re.sub(r"'[^']*'", "'…'", message))
    return " ".join(re.sub(r"(for example ).*", r"\1…", plain).split())


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else str(part)


def page(folder: Path, files: list[File], told: str) -> str:
    """The results as Markdown."""
    judged = [(file, kernel, file.judged(kernel)) for file in files for kernel in file.counted]
    kinds = Counter(outcome.kind for _, _, outcome in judged)
    times = sorted(file.seconds * 1000 for file in files if file.counted)
    works = sorted(file.worked * 1000 for file in files if file.counted)
    lines = ["# Reading a corpus", "", told, "", "| | |", "|---|---|",
             f"| programs with kernels in `.cu` files | {len({file.program for file in files if file.counted})} |",
             f"| files with kernels | {sum(1 for file in files if file.counted)} |",
             f"| kernels found | {len(judged)} |", f"| read to Core | {share(kinds['read'], len(judged))} |",
             f"| refused | {share(kinds['refused'], len(judged))} |",
             f"| in a branch of `#if` that is not taken | {share(kinds['left out'], len(judged))} |",
             f"| out of time | {share(kinds['timeout'], len(judged))} |", f"| crashes | {share(kinds['crash'], len(judged))} |",
             f"| time per file, median | {statistics.median(times):.0f} ms |",
             f"| time per file, 90th percentile | {times[int(0.9 * (len(times) - 1))]:.0f} ms |",
             f"| processor time per file, median | {statistics.median(works):.0f} ms |",
             f"| processor time per file, 90th percentile | {works[int(0.9 * (len(works) - 1))]:.0f} ms |"]
    for kind, title in (("refused", "Refused"), ("timeout", "Out of time"), ("crash", "Crashes")):
        groups: dict[str, list[str]] = defaultdict(list)
        for file, kernel, outcome in judged:
            if outcome.kind == kind:
                groups[cause(outcome.message)].append(f"{file.path}:{kernel.first}")
        lines += table(title, groups, folder)
    return "\n".join(lines) + "\n"


def told(corpus: str, makefiles: bool, in_project: bool) -> str:
    """What was measured, and how to measure it again."""
    command = ("python benchmarks/corpus.py CHECKOUT/src --markdown docs/corpus.md" + (" --makefiles" if makefiles else "")
               + (" --in-project" if in_project else ""))
    path = "the program's folder" + (" and those that its Makefile names" if makefiles else "")
    read = "Headers and flags: as `spmd check FILE` finds them in the checkout" if in_project else f"Include path: {path}"
    return f"""\
Corpus: {corpus}. Read on {time.strftime("%d %B %Y", time.gmtime())}.
To repeat, with a checkout of it: `{command}`.

Kernels are the `__global__` functions with a body in `.cu` files, counted by text; a template counts once and is
read if one of its instantiations is. A file that its program includes in another may be read through that one.
{read}. Every Core kernel was checked against Core's own rules.
Times are of reading all kernels of a file, after imports."""


def table(title: str, groups: dict[str, list[str]], folder: Path) -> Iterator[str]:
    """Causes by how many kernels they concern, with the first place of each."""
    if groups:
        yield from ("", f"## {title}", "", "| kernels | files | cause | for example |", "|---:|---:|---|---|")
    for message, places in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        told = message.replace("|", "\\|").replace(str(folder) + "/", "")
        count_files = len({place.rpartition(":")[0] for place in places})
        yield f"| {len(places)} | {count_files} | {told} | {places[0].removeprefix(str(folder) + '/')} |"


def crashes(files: list[File]) -> Iterator[str]:
    """Every crash with its traceback."""
    for file in files:
        for report in file.reports:
            if report.outcome.kind == "crash":
                yield f"{file.path}:{report.line} {report.name}\n{report.outcome.where}"
        if file.whole is not None and file.whole.kind == "crash":
            yield f"{file.path}\n{file.whole.message}\n{file.whole.where}"


def rows(files: list[File], folder: Path) -> Iterator[str]:
    """Every kernel: place, name, outcome, message, where; between tabs."""
    for file in files:
        for kernel in file.counted:
            got = file.judged(kernel)
            place = f"{file.path.relative_to(folder)}:{kernel.first}"
            yield "\t".join((place, kernel.name, got.kind, got.message, *got.where.splitlines()[:1])) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--makefiles", action="store_true")
    parser.add_argument("--corpus", default="", help="a line that says which corpus this is, for the page")
    parser.add_argument("--list", type=Path, help="write every kernel's outcome to this file")
    parser.add_argument("--in-project", action="store_true", help="read each file as `spmd check FILE` does")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    files = collect(folder, asked.makefiles, asked.in_project)
    prelude("cuda")
    read_all(files, asked.jobs, asked.timeout, asked.in_project)
    share_reports(files)
    text = page(folder, files, told(asked.corpus or folder.name, asked.makefiles, asked.in_project))
    print(text)
    for crash in crashes(files):
        print(crash)
    if asked.markdown:
        asked.markdown.write_text(text, encoding="utf-8")
    if asked.list:
        asked.list.write_text("".join(rows(files, folder)), encoding="utf-8", errors="surrogateescape")


if __name__ == "__main__":
    main()
