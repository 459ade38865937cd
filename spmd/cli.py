"""The command line: options in, records or text out, an exit status. Engines are imported only when used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spmd.about import Commands, about, doctor_command
from spmd.cache.cli import NoCacheOption, RecheckOption, kept_answers
from spmd.cache.cli import app as cache_app
from spmd.diff.cli import diff_command
from spmd.options import (
    AliasOption,
    ArchOption,
    ArgOption,
    BaselineOption,
    BlockOption,
    DefineOption,
    ExplainOption,
    ExtentOption,
    FormatOption,
    Frontend,
    FrontendOption,
    GridOption,
    IncludeOption,
    KernelOption,
    LimitOption,
    Mode,
    OutputOption,
    Picture,
    ProjectOption,
    ReportOption,
    RequireOption,
    TimeoutOption,
    WriteOption,
    assignments,
    baseline_of,
    counts,
    emit,
    explained,
    finish,
    progress,
    refuse_beside,
    sink,
    told,
)
from spmd.recording.cli import PASSED_ON, launches_command, record_command
from spmd.report.formats import Format
from spmd.settings.cli import (
    budget_of_settings,
    config_command,
    files_of_settings,
    given,
    init_command,
    questions_of_settings,
    size_of,
)

if TYPE_CHECKING:
    from spmd.execute import RunQuestion

app = typer.Typer(cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True,
                  context_settings={"help_option_names": ["-h", "--help"]},
                  help="Is a GPU kernel deterministic, and does its optimised version compute the same output?")


@app.command("check")
def check_command(
    context: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE[:kernel] or FOLDER…", show_default=False)] = None,
    kernel: KernelOption = None, block: BlockOption = None, grid: GridOption = None, arg: ArgOption = None,
    extent: ExtentOption = None,
    require: RequireOption = None, alias: AliasOption = None, limit: LimitOption = None, define: DefineOption = None,
    include: IncludeOption = None, project: ProjectOption = None, arch: ArchOption = None,
    frontend: FrontendOption = Frontend.AUTO,
    strict: Annotated[bool, typer.Option("--strict", help="Same-value writes count as races.")] = False,
    suggest: Annotated[bool, typer.Option("--suggest", help="Look for requirements that make it proved.")] = False,
    show_formulas: Annotated[bool, typer.Option("--show-formulas", help="Segments, access sets, formulas.")] = False,
    dump_smt: Annotated[str | None, typer.Option("--dump-smt", help="Write the formulas as SMT-LIB here.")] = None,
    explain_passes: ExplainOption = False,
    all_sizes: Annotated[bool, typer.Option("--all-sizes", help="All sizes decide, not the launches in the host code.")] = False,
    budget: Annotated[float | None, typer.Option("--budget", min=0.1, help="Seconds that the whole call may take.")] = None,
    launches: Annotated[str | None, typer.Option("--launches", help="A .jsonl file of launch records, or a recording.")] = None,
    launch: Annotated[int | None, typer.Option("--launch", help="Only this one of --launches, from 1.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Processes of a batch (default: 1; of a folder, one a "
                                             "processor).")] = None,
    general: Annotated[bool, typer.Option("--generalise", help="Of a recording: what an earlier launch was proved under "
                                          "covers later ones.")] = False,
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="A Dask cluster for a batch: tcp://HOST:8786.")] = None,
    baseline: BaselineOption = None, write_baseline: WriteOption = False,
    no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    timeout: TimeoutOption = 60.0, form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Is a kernel deterministic: free of races, of barrier divergence, of order?"""
    from automata.place import InputError
    from spmd.checking import check_files, has_folder, recorded
    from spmd.exit_status import exit_status
    from spmd.sides import named

    with told(), kept_answers(no_cache or bool(show_formulas or dump_smt or explain_passes) or form is Format.HTML, recheck):
        files, launches = recorded(files or ([] if launches else files_of_settings(project)), launches)
        if bool(files) == bool(launches):
            raise InputError("give files to check, or --launches FILE.jsonl; or name them in spmd.toml (spmd init writes one)")
        if files and scheduler:
            raise InputError("--scheduler is for a batch: give --launches FILE.jsonl")
        known = baseline_of(baseline, write_baseline)
        if launches:
            from spmd.batch_checking import check_batch

            refuse_beside("for files only; a launch record itself says its launch, 'defines', 'arch'", {
                "--kernel": kernel, "--block": block, "--grid": grid, "--extent": extent, "--alias": alias, "-D": define,
                "-I": include,
                "--project": project, "--arch": arch, "--suggest": suggest, "--show-formulas": show_formulas,
                "--dump-smt": dump_smt, "--explain-passes": explain_passes, "--all-sizes": all_sizes, "--budget": budget,
                "--limit": limit})
            verdicts = check_batch(launches, launch, jobs or 1, timeout, strict, form, output_file, known, general, scheduler,
                                   assignments("--arg", arg), require or ())
        else:
            from automata import limits
            from automata.budget import Budget
            from spmd.api import question

            stated = given(context)
            call = Budget.of(budget or budget_of_settings(files[0], project))
            files = sorted(files, key=size_of) if call.seconds is not None else files
            asked = partial(question, kernel=kernel, block=block, grid=grid, args=assignments("--arg", arg),
                            extents=assignments("--extent", extent),
                            require=require or (), alias=alias or (), defines=assignments("-D", define),
                            includes=include or (), project=project,
                            arch=arch, frontend=frontend.value, strict=strict if "strict" in stated else None,
                            suggest=suggest, all_sizes=all_sizes, timeout=timeout if "timeout" in stated else None, budget=call,
                            limits=limits.checked(counts("--limit", limit)))
            if has_folder(files):
                from spmd.batch_checking import check_folders

                refuse_beside("for files only; name one file for it", {
                    "--kernel": kernel, "--show-formulas": show_formulas, "--dump-smt": dump_smt,
                    "--explain-passes": explain_passes})
                verdicts = check_folders(files, asked, jobs, form, output_file, known)
            else:
                with explained(explain_passes):
                    is_whole = kernel is None and all(named(file)[1] is None for file in files)
                    verdicts = check_files(files, asked, is_whole, form, output_file, show_formulas, dump_smt, known)
    raise typer.Exit(exit_status(verdicts))


@app.command("equiv")
def equiv_command(
    context: typer.Context,
    a: Annotated[str | None, typer.Argument(metavar="A[:kernel]", show_default=False)] = None,
    b: Annotated[str | None, typer.Argument(metavar="B[:kernel]", show_default=False)] = None,
    block: BlockOption = None, grid: GridOption = None,
    block_b: Annotated[str | None, typer.Option("--block-b", help="B's block sizes, where they are others.")] = None,
    grid_b: Annotated[str | None, typer.Option("--grid-b", help="B's grid sizes, where they are others.")] = None,
    arg: ArgOption = None, extent: ExtentOption = None, require: RequireOption = None, alias: AliasOption = None,
    limit: LimitOption = None,
    define: DefineOption = None, include: IncludeOption = None, arch: ArchOption = None,
    launches: Annotated[bool, typer.Option("--launches", help="A and B are recordings: each kernel, launch by launch.")] = False,
    launch_a: Annotated[str | None, typer.Option("--launch-a", help="A's launch record (a JSON file).")] = None,
    launch_b: Annotated[str | None, typer.Option("--launch-b", help="B's launch record (a JSON file).")] = None,
    output: Annotated[list[str] | None, typer.Option("--output", help="Compare only this array (a's name).")] = None,
    names: Annotated[list[str] | None, typer.Option("--map", help="A's parameter to b's: a_name=b_name.")] = None,
    relate: Annotated[list[str] | None, typer.Option("--relate", help='Ask for a relation: "b.out[k] == a.out[2*k]".')] = None,
    mode: Annotated[Mode, typer.Option("--mode", help="Weakest class accepted.")] = Mode.REAL,
    all_sizes: Annotated[bool, typer.Option("--all-sizes", help="Equal at this launch: at all sizes too?")] = False,
    certify: Annotated[bool, typer.Option("--certify", help="No probability: exact terms, at small launches.")] = False,
    suggest: Annotated[bool, typer.Option("--suggest", help="Look for a requirement that makes them equal.")] = False,
    show_proof: Annotated[bool, typer.Option("--show-proof", help="How all sizes are shown equal.")] = False,
    save_replay: Annotated[str | None, typer.Option("--save-replay", help="Write a difference as programs there.")] = None,
    explain_passes: ExplainOption = False, no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    baseline: BaselineOption = None, write_baseline: WriteOption = False,
    timeout: TimeoutOption = 60.0, form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Do two kernels leave the same output, for all inputs and sizes? A side may be a sequence, "B1;B2"."""
    from spmd.exit_status import exit_status

    with told(), kept_answers(no_cache or explain_passes, recheck):
        from dataclasses import replace

        from automata import limits
        from spmd.api import comparison
        from spmd.comparison import compare_all, of_recordings

        stated, missing = given(context), list[str]()
        if launches:
            refuse_beside("not beside --launches; recordings state the launches of both sides", {
                "--block": block, "--grid": grid, "--block-b": block_b, "--grid-b": grid_b, "--arg": arg, "--require": require,
                "--extent": extent,
                "--alias": alias, "-D": define, "-I": include, "--arch": arch, "--launch-a": launch_a, "--launch-b": launch_b,
                "--relate": relate, "--limit": limit})
            questions, missing = of_recordings(a, b, assignments("--map", names), output or [], mode.value, timeout)
        else:
            questions = [] if a or b or launch_a or launch_b else questions_of_settings(context, timeout, mode.value)
        if not (questions or launches):
            questions = [comparison(
                a, b, block=block, grid=grid, block_b=block_b, grid_b=grid_b, args=assignments("--arg", arg),
                extents=assignments("--extent", extent),
                require=require or (), alias=alias or (), defines=assignments("-D", define), includes=include or (),
                arch=arch, record_a=launch_a, record_b=launch_b, outputs=output or (), names=assignments("--map", names),
                relate=relate or (), limits=limits.checked(counts("--limit", limit)),
                mode=mode.value if "mode" in stated else None, timeout=timeout if "timeout" in stated else None)]
        known = baseline_of(baseline, write_baseline)
        questions = [replace(each, certify=certify, suggest=suggest, shows_proof=show_proof, all_sizes=all_sizes)
                     for each in questions]
        with explained(explain_passes):
            deciding = compare_all(questions, form, output_file, known, save_replay)
    raise typer.Exit(exit_status([*deciding, *missing]))


app.command("diff")(diff_command)
app.add_typer(cache_app, name="cache")
app.callback()(about)
app.command("doctor")(doctor_command)
app.command("config")(config_command)
app.command("init")(init_command)
app.command("record", context_settings=PASSED_ON)(record_command)
app.command("launches")(launches_command)


@app.command("run")
def run_command(
    file: Annotated[str, typer.Argument(metavar="FILE[:kernel]")], kernel: KernelOption = None, block: BlockOption = None,
    grid: GridOption = None, arg: ArgOption = None, require: RequireOption = None,
    array: Annotated[list[str] | None, typer.Option("--array", help="Contents: A=@file.npy, random[:LOW:HIGH], iota, zeros, "
                                                    "ones or a number.")] = None,
    extent: Annotated[list[str] | None, typer.Option("--extent", help="Elements of an array: A=1000.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of everything that is made up.")] = 0,
    schedule: Annotated[str, typer.Option("--schedule", help="canonical, reversed, sequential, threads:SEED, warps:SEED or "
                                          "ahead:BLOCK/THREAD.")] = "canonical",
    repeat: Annotated[int, typer.Option("--repeat", min=0, help="Run again under this many random schedules.")] = 0,
    max_steps: Annotated[int, typer.Option("--max-steps", min=1, help="Rounds of loops before a run is given up.")] = 1_000_000,
    save: Annotated[list[str] | None, typer.Option("--save", help="Write an array after the run: A=out.npy.")] = None,
    amplify: Annotated[bool, typer.Option("--amplify", help="What one run says of all data; FILE may be a folder.")] = False,
    define: DefineOption = None, include: IncludeOption = None, arch: ArchOption = None,
    frontend: FrontendOption = Frontend.AUTO,
    form: FormatOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Run a kernel for every thread of a launch, and see every conflict."""
    from spmd.exit_status import ExitStatus

    with told():
        from automata.machine.state.schedule import parse_schedule
        from spmd.api import launch
        from spmd.asked import Question, Source
        from spmd.contents import parse_contents
        from spmd.execute import RunQuestion, run_launch, save_arrays
        from spmd.report.run import is_clean, run_record, run_text
        from spmd.sides import named

        file, kernel = named(file, kernel)
        source = Source(file, kernel, None, assignments("-D", define), tuple(include or ()), frontend.value, arch)
        contents = {name: parse_contents(name, text) for name, text in assignments("--array", array).items()}
        asked = RunQuestion(Question(source, launch(block, grid, assignments("--arg", arg)), tuple(require or ())), contents,
                            counts("--extent", extent), seed, parse_schedule(schedule), repeat, max_steps)
        if amplify:
            raise typer.Exit(_amplify(asked, file, form, output_file))
        with progress(f"running {file}"):
            ran = run_launch(asked)
        save_arrays(ran, assignments("--save", save))
        kept: list[dict[str, Any]] = []
        with sink(output_file) as say:
            emit(say, form, run_record(ran), run_text(ran), kept)
            finish(say, form, kept)
    raise typer.Exit(ExitStatus.OK if is_clean(ran) else ExitStatus.REFUTED)


def _amplify(asked: RunQuestion, path: str, form: Format, output_file: str | None) -> int:
    """The table of test amplification; the worst exit status of its rows."""
    from spmd.amplified import amplify_all
    from spmd.exit_status import exit_status
    from spmd.report.amplified import amplified_record, row_text, summary

    rows, kept = [], list[dict[str, Any]]()
    with progress(f"running {path}"), sink(output_file) as say:
        for row in amplify_all(asked, path):
            rows.append(row)
            emit(say, form, amplified_record(row), row_text(row), kept)
        if form is Format.TEXT:
            say(summary(rows))
        finish(say, form, kept)
    return exit_status([row.verdict for row in rows])


@app.command("draw")
def draw_command(
    file: Annotated[str, typer.Argument(metavar="FILE[:kernel]")], kernel: KernelOption = None, block: BlockOption = None,
    grid: GridOption = None, arg: ArgOption = None, define: DefineOption = None, include: IncludeOption = None,
    arch: ArchOption = None, form: Annotated[Picture, typer.Option("--format", help="mermaid, dot or svg.")] = Picture.MERMAID,
    output_file: OutputOption = None,
) -> None:
    """Draw a kernel's thread automaton, its sync-segments as boxes."""
    with told():
        from spmd.api import launch
        from spmd.asked import Question, Source
        from spmd.pipeline import automata_of
        from spmd.report import draw
        from spmd.report.svg import svg
        from spmd.sides import named

        file, kernel = named(file, kernel)
        source = Source(file, kernel, None, assignments("-D", define), tuple(include or ()), arch=arch)
        render = {Picture.MERMAID: draw.mermaid, Picture.DOT: draw.dot, Picture.SVG: svg}[form]
        automata = automata_of(Question(source, launch(block, grid, assignments("--arg", arg))))
        if form is Picture.SVG and len(automata) > 1:
            from automata.place import InputError

            raise InputError("an SVG holds one kernel: name it with --kernel "
                             f"({', '.join(item.kernel.name for item in automata)})")
        with sink(output_file) as say:
            for automaton in automata:
                say(render(draw.drawing(automaton)))


def _rules() -> list[str]:
    """What `spmd explain` knows, for shells that complete."""
    from spmd.rules import RULES, SETTLED, VERDICTS
    from spmd.words import WORDS

    return [entry.name for entry in (*RULES, *VERDICTS, *SETTLED)] + [word.name for word in WORDS]


@app.command("explain")
def explain_command(
    rule: Annotated[str | None, typer.Argument(metavar="WORD", show_default=False, autocompletion=_rules)] = None,
    form: FormatOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """What a rule, a verdict or another word of an answer means; without a name, all rules and words."""
    with told():
        from dataclasses import asdict
        from difflib import get_close_matches

        from automata.place import InputError
        from spmd.rules import RULES, SETTLED, VERDICTS, find_rule, rule_text
        from spmd.words import WORDS, find_word, word_text

        kept: list[dict[str, Any]] = []
        with sink(output_file) as say:
            if rule is None:
                for entry in (*RULES, *VERDICTS, *SETTLED):
                    emit(say, form, asdict(entry), f"{entry.name:20} {entry.title}", kept)
                for word in WORDS:
                    emit(say, form, asdict(word), f"{word.name:20} {word.means.partition('. ')[0].rstrip('.')}", kept)
            elif (found := find_rule(rule)) is not None:
                emit(say, form, asdict(found), rule_text(found), kept)
            elif (meant := find_word(rule)) is not None:
                emit(say, form, asdict(meant), word_text(meant), kept)
            else:
                near = get_close_matches(rule.lower(), _rules(), n=3)
                meant_told = f"did you mean {' or '.join(near)}? " if near else ""
                raise InputError(f"no rule and no word of an answer is called '{rule}': {meant_told}'spmd explain' lists all")
            finish(say, form, kept)


if __name__ == "__main__":
    app()
