"""What the command line says of kept answers: options of commands that answer, and `spmd cache`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from spmd.options import FormatOption, complain, told
from spmd.report.formats import Format

NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Neither recall answers nor keep them.")]
RecheckOption = Annotated[float, typer.Option("--recheck", min=0, max=100, metavar="N%",
                                              help="Find N in a hundred kept answers again, and compare.")]
app = typer.Typer(help="Answers that are kept, so that nothing is solved twice.", no_args_is_help=True, rich_markup_mode=None)


@contextmanager
def kept_answers(no_cache: bool, recheck: float) -> Iterator[None]:
    """Definite answers are kept and recalled in here."""
    from spmd.cache.recall import keeping

    with keeping(not no_cache, recheck / 100, complain):
        yield


@app.command("stats")
def stats_command(form: FormatOption = Format.TEXT) -> None:
    """Where answers are kept, how many, and how much room they take."""
    with told():
        import json
        from dataclasses import asdict

        from spmd.cache.recall import store

        found = store(complain).stats()
        if form is not Format.TEXT:
            typer.echo(json.dumps(asdict(found)))
            return
        typer.echo(found.path)
        for kind, count in sorted(found.answers.items()):
            typer.echo(f"  {kind:10} {count}")
        typer.echo(f"  {found.bytes / 1e6:.1f} MB of at most {found.most / 1e6:.0f} MB")


@app.command("clear")
def clear_command() -> None:
    """Forget all answers."""
    with told():
        from automata.place import InputError
        from spmd.cache.recall import store

        found = store(complain)
        try:
            found.clear()
        except OSError as error:
            raise InputError(f"cannot remove {found.path}: {error.strerror}") from error
        typer.echo(f"forgotten: {found.path}")
