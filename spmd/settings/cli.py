"""What the command line does with settings: what it says itself, `spmd config` and `spmd init`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spmd.options import FormatOption, ProjectOption, told
from spmd.report.formats import Format

if TYPE_CHECKING:
    from spmd.asked import PairQuestion


def given(context: typer.Context) -> frozenset[str]:
    """The options that the command line states."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE")


def files_of_settings(project: str | None) -> list[str]:
    """The files that settings name, where the command line names none."""
    from spmd.settings.effective import settings_for

    return settings_for(project or ".", project).files()


def size_of(file: str) -> int:
    """Bytes of a file: a budget for all is spent on the smallest first."""
    try:
        return os.path.getsize(file)
    except OSError:
        return 0


def budget_of_settings(file: str, project: str | None) -> float | None:
    """What a call may take by the settings; what is wrong with them, or with the project, is told of each file later."""
    from automata.place import InputError
    from spmd.settings.effective import settings_for

    if not os.path.isdir(os.path.dirname(file) or "."):
        return None
    try:
        value = settings_for(os.path.dirname(file) or ".", project).whole("budget").value
    except InputError:
        return None
    return float(value) if value is not None else None


def questions_of_settings(context: typer.Context, seconds: float, mode: str) -> list[PairQuestion]:
    """The comparisons that settings state, where the command line names none. InputError where they name none either."""
    from automata.place import InputError
    from spmd.settings.effective import settings_for
    from spmd.settings.pairs import pair_questions

    found = [question for _, question in pair_questions(settings_for("."), seconds, given(context), None, mode)]
    if not found:
        raise InputError("what is A? give A[:kernel] and B[:kernel], launch records, or pairs in spmd.toml (spmd init)")
    return found


def config_command(
    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE[:kernel]…]", show_default=False)] = None,
    project: ProjectOption = None, form: FormatOption = Format.TEXT,
    limits: Annotated[bool, typer.Option("--limits", help="The limits on work that can make an answer unknown.")] = False,
) -> None:
    """What holds, and where each value comes from; of a file, for each of its kernels."""
    with told():
        import json

        from spmd.settings.told import rows_of_kernels, rows_of_limits, rows_of_project

        rows: list[dict[str, Any]] = list(rows_of_limits(project or ".") if limits else rows_of_kernels(files, project) if files
                                          else rows_of_project(project or "."))
        if form is Format.TEXT:
            width = max(len(str(row["name"])) for row in rows)
            for row in rows:
                typer.echo(f"{row['name']:{width}}  {row['value']}   ({row['origin']})" if row["origin"] else row["name"])
        else:
            typer.echo("\n".join(json.dumps(row) for row in rows) if form is Format.JSONL else json.dumps(rows, indent=1))


def init_command(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="The project's folder.")] = ".",
    shows: Annotated[bool, typer.Option("--print", help="Print it instead of writing spmd.toml.")] = False,
) -> None:
    """Look at a repository and write a first spmd.toml, with comments."""
    with told():
        from automata.place import InputError
        from spmd.settings.first import first_file
        from spmd.settings.read import OWN

        path = os.path.join(folder, OWN)
        if not os.path.isdir(folder):
            raise InputError(f"'{folder}' is no folder")
        if os.path.exists(path) and not shows:
            raise InputError(f"'{path}' is there already; --print shows what would be written")
        text = first_file(folder)
        if shows:
            typer.echo(text, nl=False)
            return
        try:
            with open(path, "x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise InputError(f"cannot write '{path}': {error.strerror}") from error
        typer.echo(f"written: {path}; next: spmd check")
