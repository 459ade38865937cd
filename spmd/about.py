"""What the tool says of itself: `spmd --version` and `spmd doctor`."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
import typer.core

from spmd.options import FormatOption, told
from spmd.report.formats import Format


class Commands(typer.core.TyperGroup):
    """The commands, with what to type where a file stands in the place of one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named first; a usage error where there is none."""
        if args and args[0] not in self.commands and os.path.exists(args[0]):
            ctx.fail(f"'{args[0]}' is no command: 'spmd check {args[0]}', or 'spmd equiv' with two files.")
        return super().resolve_command(ctx, args)


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
