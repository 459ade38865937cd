"""How many kernels of other people's programs become Core on a first call, file by file, as `spmd check FILE` reads them.

    python benchmarks/first_reading.py CHECKOUT… [--suffix .cu] [--jobs N] [--timeout S] [--list FILE]

A checkout's kernels are the `__global__` functions with a body in its files, counted by text (`corpus.py`). Each file is read by
itself, in its project, without an argument; what is not a proof's business is left out, so that a checkout takes minutes.
A template counts once, and as read if one of its instantiations is (`instances`: all that were tried). `within`: only files
under folders that match this pattern.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections import Counter, defaultdict
from multiprocessing.connection import Connection
from pathlib import Path

import corpus
from corpus import File, Outcome, Report, cause, count, read_one, share

from automata.lang.clang.prelude import prelude
from automata.lang.read import find_kernels
from automata.place import InputError


def work(path: str, includes: tuple[str, ...], to: Connection) -> None:
    """Read every kernel of a file as a first call does, sending each outcome as it comes."""
    began, worked = time.perf_counter(), time.process_time()
    try:
        for found in find_kernels(path, frontend="clang", includes=includes, in_project=True):
            place = os.path.realpath(found.place.file)
            to.send(Report(found.name, place, found.place.line, read_one(found)))
    except InputError as error:
        to.send(Outcome("refused", error.message, str(error.place)))
    except Exception as error:
        to.send(Outcome("crash", f"{type(error).__name__}: {error}", traceback.format_exc()))
    to.send((time.perf_counter() - began, time.process_time() - worked))
    to.send(corpus.FINISHED)


def collect(folder: Path, within: str, suffixes: tuple[str, ...]) -> list[File]:
    """The files of a checkout that define kernels."""
    found = []
    for path in sorted(folder.glob(within + "/**/*")):
        if path.suffix in suffixes and path.is_file():
            counted = count(path.read_text(encoding="utf-8", errors="surrogateescape"))
            if counted:
                found.append(File(path.resolve(), folder, (), counted))
    return found


def summary(name: str, files: list[File]) -> str:
    """Counts, then causes by weight with an example."""
    judged = [(file, kernel, file.judged(kernel)) for file in files for kernel in file.counted]
    kinds = Counter(outcome.kind for _, _, outcome in judged)
    reports = [report for file in files for report in file.reports]
    read = sum(report.outcome.kind == "read" for report in reports)
    lines = [f"## {name}", "", "; ".join(f"{kind} {share(kinds[kind], len(judged))}" for kind in corpus.RANK)
             + f"; kernels {len(judged)}, files {len(files)}; instances read {share(read, len(reports))}", ""]
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file, kernel, outcome in judged:
        if outcome.kind != "read":
            groups[outcome.kind, cause(outcome.message)].append(f"{file.path}:{kernel.first} {kernel.name}")
    for (kind, why), places in sorted(groups.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {len(places)} | {len({place.partition(':')[0] for place in places})} | {kind} | {why} | {places[0]} |")
    return "\n".join(lines) + "\n"


def rows(files: list[File]) -> str:
    """Every kernel, then every instance that was tried: place, name, outcome, message, where; between tabs."""
    said = [(f"{file.path}:{kernel.first}", kernel.name, file.judged(kernel), "kernel")
            for file in files for kernel in file.counted]
    said += [(f"{report.file}:{report.line}", report.name, report.outcome, "instance")
             for file in files for report in file.reports]
    return "".join("\t".join((kind, place, name, got.kind, " ".join(got.message.split()), *got.where.splitlines()[-1:])) + "\n"
                   for place, name, got, kind in said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--within", default=".")
    parser.add_argument("--suffix", action="append", help=".cu, unless another is given")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--list", type=Path)
    asked = parser.parse_args()
    prelude("cuda")
    corpus.work = work
    listed = ""
    for checkout in asked.checkouts:
        files = collect(checkout.resolve(), asked.within, tuple(asked.suffix or (".cu",)))[::asked.every]
        began = time.monotonic()
        corpus.read_all(files, asked.jobs, asked.timeout)
        print(summary(f"{checkout.resolve().name} {asked.within} {asked.suffix or ''}", files))
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        listed += rows(files)
    if asked.list:
        asked.list.write_text(listed, encoding="utf-8", errors="surrogateescape")


if __name__ == "__main__":
    main()
