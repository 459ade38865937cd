"""Options that commands share, and what surrounds each of them: errors told in one message, progress, where results go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from automata.lang.texts import split_top
from spmd.progress import Line
from spmd.report.formats import PLAIN, Format

if TYPE_CHECKING:
    from spmd.records.baseline import Baseline


class Picture(str, Enum):
    """How an automaton is drawn."""

    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


class Frontend(str, Enum):
    """Which front end reads the file."""

    AUTO = "auto"
    CLANG = "clang"
    C = "c"


class Mode(str, Enum):
    """The weakest class of equality that is accepted."""

    BITWISE = "bitwise"
    INT = "int"
    REAL = "real"


def _plain_format(form: Format) -> Format:
    """A format of any record; those of alerts are for check and equiv."""
    if form not in PLAIN:
        raise typer.BadParameter(f"{form.value} is for check and equiv; here: {', '.join(one.value for one in PLAIN)}")
    return form


def _each(texts: list[str] | None) -> list[str] | None:
    """Requirements one by one: a comma parts them, as in the comment of a kernel."""
    return [part for text in texts for part in split_top(text)] if texts else texts


FormatOption = Annotated[Format, typer.Option("--format", callback=_plain_format, help="text, json (one document) or jsonl (one "
                                              "record a line).")]
ReportOption = Annotated[Format, typer.Option("--format", help="How results are written; json: one document, jsonl: one record a "
                                              "line, sarif: for code scanning, markdown: for a comment, github: annotations, "
                                              "junit: for CI, html: one page.")]
OutputOption = Annotated[str | None, typer.Option("--output-file", help="Write the result here instead of stdout.")]
BaselineOption = Annotated[str | None, typer.Option("--baseline", help="A file of findings that are known: they are marked, and "
                                                    "do not decide the exit status.")]
WriteOption = Annotated[bool, typer.Option("--write-baseline", help="Write what is found to the --baseline file: it is known "
                                           "from now on.")]
KernelOption = Annotated[str | None, typer.Option("--kernel", help="Only this kernel; of a template: 'reduce<float, 256>'.")]
BlockOption = Annotated[str | None, typer.Option("--block", help="Block sizes: 256 or 16,16.")]
GridOption = Annotated[str | None, typer.Option("--grid", help='Grid sizes: 4 or "(n+255)/256".')]
ArgOption = Annotated[list[str] | None, typer.Option("--arg", help="A scalar argument: n=1024.")]
ExtentOption = Annotated[list[str] | None, typer.Option("--extent", help="How many elements an array has: x=1024, x=n*m.")]
RequireOption = Annotated[list[str] | None, typer.Option("--require", callback=_each, help='A requirement: "n % 4 == 0", '
                                                         '"aligned(x, 16)"; several: "n > 0, m > 0".')]
LimitOption = Annotated[list[str] | None, typer.Option("--limit", help="More work: run-threads=1000000 (spmd config --limits).")]
AliasOption = Annotated[list[str] | None, typer.Option("--alias", help="Pointer parameters that get one buffer: out,in.")]
DefineOption = Annotated[list[str] | None, typer.Option("-D", help="A macro: NAME or NAME=VALUE.")]
ExplainOption = Annotated[bool, typer.Option("--explain-passes", help="What ran, how long, what it came to: on stderr.")]
ProjectOption = Annotated[str | None, typer.Option("--project", help="The folder that holds the file's headers and launches.")]
IncludeOption = Annotated[list[str] | None, typer.Option("-I", help="A folder for #include.")]


def _known(arch: str | None) -> str | None:
    """The device, if it is one; else one message and status 2."""
    from automata.lang.arch import arch_macros
    from automata.place import InputError
    from spmd.exit_status import ExitStatus

    try:
        if arch is not None:
            arch_macros(arch)
    except InputError as error:
        complain(f"error: --arch: {error}")
        raise typer.Exit(ExitStatus.INVALID) from error
    return arch


ArchOption = Annotated[str | None, typer.Option("--arch", callback=_known,
                                                help="The device that CUDA is compiled for: sm_80 or compute_80.")]
FrontendOption = Annotated[Frontend, typer.Option("--frontend", help="auto: clang for CUDA, c for OpenCL.")]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds a kernel or a pair may take.")]


@contextmanager
def told() -> Iterator[None]:
    """Errors of the input become one message and status 2 or 4; faults of the tool status 5."""
    from automata.place import EndlessError, InputError, UndecidedError, UnsupportedError
    from spmd.exit_status import ExitStatus
    from spmd.guard import refusal
    from spmd.interruption import INTERRUPTED, Interrupted

    try:
        clash = refusal()
        if clash:
            complain(clash)
            raise typer.Exit(ExitStatus.INVALID)
        yield
    except UnsupportedError as error:
        complain(f"unsupported: {error}")
        raise typer.Exit(ExitStatus.UNSUPPORTED) from error
    except EndlessError as error:
        complain(f"unknown: {error}")
        raise typer.Exit(ExitStatus.UNKNOWN) from error
    except InputError as error:
        complain(f"error: {error}")
        raise typer.Exit(ExitStatus.INVALID) from error
    except UndecidedError as error:
        complain(f"unknown: {error.place}: the machine does not run {error.message} yet")
        raise typer.Exit(ExitStatus.UNKNOWN) from error
    except (typer.Exit, KeyboardInterrupt):
        raise
    except Interrupted as error:
        complain(str(error))
        raise typer.Exit(INTERRUPTED) from error
    except BrokenPipeError as error:
        raise typer.Exit(ExitStatus.OK) from error
    except Exception as error:
        complain(f"fault of spmd itself: {type(error).__name__}: {error} (this is a bug; please report it)")
        raise typer.Exit(ExitStatus.FAULT) from error


def complain(text: str) -> None:
    typer.echo(f"spmd: {text}", err=True)


def assignments(option: str, values: list[str] | None) -> dict[str, str]:
    """NAME=VALUE options as a dictionary."""
    from automata.place import InputError

    found = {}
    for text in values or []:
        name, equals, value = text.partition("=")
        if not name.strip() or (not equals and option != "-D"):
            raise InputError(f"{option} '{text}': write NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def counts(option: str, values: list[str] | None) -> dict[str, int]:
    """NAME=NUMBER options as a dictionary; numbers of at least 0."""
    from automata.place import InputError

    found = {}
    for name, text in assignments(option, values).items():
        if not text.isdecimal():
            raise InputError(f"{option} {name}={text}: give a whole number")
        found[name] = int(text)
    return found


@contextmanager
def progress(what: str, *, counts: bool = False) -> Iterator[Callable[[str], None]]:
    """A line on stderr once a piece of work takes more than a second: on a terminal one that lives, with the seconds so far, else
    one that stays. What is given names the next piece; "": none. `counts`: pieces differ in a number alone."""
    line = Line(sys.stderr, counts=counts)
    line.begin(what)
    try:
        yield line.begin
    finally:
        line.begin("")


def refuse_beside(context: typer.Context, why: str, options: tuple[str, ...]) -> None:
    """InputError where one of some options, by their names in Python, would be dropped. `why`: what it does not go with, and what
    to do instead."""
    from automata.place import InputError

    flags = {param.name: param.opts[0] for param in context.command.params}
    if idle := [flags[name] for name in options if context.params[name]]:
        raise InputError(f"{', '.join(idle)}: {why}")


@contextmanager
def explained(is_asked: bool) -> Iterator[None]:
    """The table of passes on stderr, with what each did in between, if it is asked for."""
    from automata import passes

    passes.start(is_noting=is_asked)
    yield
    if is_asked:
        from spmd.report.passes import passes_text

        typer.echo(passes_text(passes.told()), err=True, nl=False)


def baseline_of(path: str | None, writes: bool) -> Baseline | None:
    """The baseline that was asked for."""
    from automata.place import InputError
    from spmd.records.baseline import read_baseline

    if path is None:
        if writes:
            raise InputError("--write-baseline: say where, with --baseline FILE")
        return None
    return read_baseline(path, writes)


@contextmanager
def sink(path: str | None) -> Iterator[Callable[[str], None]]:
    """Where results go: a file, or stdout at once."""
    from automata.place import InputError
    from spmd.report.words import plain

    if path is None:
        def say(text: str) -> None:
            typer.echo(text, nl=False)
            sys.stdout.flush()
        yield say
        return
    try:
        with open(path, "w", encoding="utf-8") as out:
            def note(text: str) -> None:
                out.write(plain(text))
                out.flush()
            yield note
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from error


def emit(say: Callable[[str], None], form: Format, record: dict[str, Any], text: str, kept: list[dict[str, Any]]) -> None:
    import json

    if form is Format.TEXT:
        say(text + "\n")
    elif form is Format.JSONL:
        say(json.dumps(record, ensure_ascii=False) + "\n")
    else:
        kept.append(record)


def finish(say: Callable[[str], None], form: Format, kept: list[dict[str, Any]]) -> None:
    import json

    if form is Format.JSON:
        say(json.dumps(kept if len(kept) != 1 else kept[0], ensure_ascii=False, indent=1) + "\n")
