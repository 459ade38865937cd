"""`spmd record` and `spmd launches`."""

from __future__ import annotations

from typing import Annotated

import typer

from spmd.options import FormatOption, complain, told
from spmd.report.formats import Format

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False}


def record_command(
    context: typer.Context,
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="Where the recording goes.")] = "recording",
    sources: Annotated[list[str] | None, typer.Option("--sources", metavar="PATH", help="A .cu file, or a folder of them, for "
                                                      "kernels whose text the application does not tell.")] = None,
    add: Annotated[bool, typer.Option("--add", help="Add this run to the recording that is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing at the end.")] = False,
) -> None:
    """Run an application and record every kernel that it launches: spmd record [-o DIR] -- APP ARGS…"""
    with told():
        from automata.place import InputError
        from spmd.cache.recall import folder
        from spmd.recording.application import ended, new_recording, program_of, run
        from spmd.recording.library import library

        command = list(context.args)
        if not command:
            raise InputError("which application? spmd record [-o DIR] -- APP ARGS…")
        program_of(command)
        recorder = library(folder())
        target = new_recording(output, command, is_adding=add)
        if sources:
            from spmd.recording.given import add_sources

            add_sources(str(target), sources)
        status = run(command, target, recorder)
        ended(target, status)
        if not quiet:
            from spmd.recording.listing import said_at_the_end

            for line in said_at_the_end(output):
                complain(line)
    raise typer.Exit(status)


def launches_command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="What 'spmd record' wrote.")],
    kernel: Annotated[str | None, typer.Option("--kernel", help="Only this kernel.")] = None,
    sources: Annotated[list[str] | None, typer.Option("--sources", metavar="PATH", help="Keep these .cu files in the recording "
                                                      "as 'spmd record --sources' does.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """The launches of a recording, by kernel; --format jsonl: as launch records for 'spmd check --launches'."""
    with told():
        import json

        from spmd.recording.listing import launch_lines, launch_records
        from spmd.recording.read import read_recording

        if sources:
            from spmd.recording.given import add_sources

            read_recording(folder)
            add_sources(folder, sources)
        recording = read_recording(folder)
        if form is Format.TEXT:
            typer.echo("\n".join(launch_lines(recording, kernel)))
            return
        records = launch_records(recording, kernel)
        if form is Format.JSON:
            typer.echo(json.dumps(records, ensure_ascii=False, indent=1))
        else:
            for record in records:
                typer.echo(json.dumps(record, ensure_ascii=False))
