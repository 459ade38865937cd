"""What the tool says of itself: `spmd --version` and `spmd doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from spmd.options import FormatOption, told
from spmd.report.formats import Format


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        from spmd.doctor import version_of

        typer.echo(f"spmd {version_of('spmd-equivalence')}")
        raise typer.Exit


def about(is_asked: Annotated[bool, typer.Option("--version", callback=_tell_version, is_eager=True,
                                                 help="Say which version this is.")] = False) -> None:
    """Is a GPU kernel deterministic, and does its optimised version compute the same output?"""


def doctor_command(form: FormatOption = Format.TEXT) -> None:
    """Are solvers, front ends and the rest there, and do they work?"""
    is_well = True
    with told():
        import json
        from dataclasses import asdict

        from spmd.doctor import rows
        from spmd.exit_status import ExitStatus

        found = []
        for row in rows():
            is_well = is_well and not (row.trouble and row.is_needed)
            found.append(asdict(row))
            if form is Format.TEXT:
                typer.echo(f"{'ok ' if not row.trouble else '!! '} {row.part:20} {row.version}"
                           + (f": {row.trouble}" if row.trouble else ""))
        if form is not Format.TEXT:
            typer.echo("\n".join(map(json.dumps, found)) if form is Format.JSONL else json.dumps(found, indent=1))
        raise typer.Exit(ExitStatus.OK if is_well else ExitStatus.FAULT)
