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
from spmd.own_options import (
    AArgument,
    AmplifyOption,
    BArgument,
    BlockBOption,
    BudgetOption,
    CertifyOption,
    ComparedOption,
    ContentsOption,
    ElementsOption,
    FileArgument,
    FilesArgument,
    FormulasOption,
    GeneralOption,
    GridBOption,
    JobsOption,
    LaunchAOption,
    LaunchBOption,
    MapOption,
    ProofOption,
    RecordingsOption,
    RecordOption,
    RecordsOption,
    RelateOption,
    RepeatOption,
    ReplayOption,
    RequirementOption,
    RequirementsOption,
    SaveOption,
    ScheduleOption,
    SchedulerOption,
    ScriptsOption,
    SeedOption,
    SizesDecideOption,
    SizesTooOption,
    StepsOption,
    StrictOption,
    WeakestOption,
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
    from spmd.asked import PairQuestion
    from spmd.execute import RunQuestion
    from spmd.records.baseline import Baseline

app = typer.Typer(cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True,
                  context_settings={"help_option_names": ["-h", "--help"]},
                  help="Is a GPU kernel deterministic, and does its optimised version compute the same output?")


@app.command("check")
def check_command(
    context: typer.Context, files: FilesArgument = None, kernel: KernelOption = None, block: BlockOption = None,
    grid: GridOption = None, arg: ArgOption = None, extent: ExtentOption = None, require: RequireOption = None,
    alias: AliasOption = None, limit: LimitOption = None, define: DefineOption = None, include: IncludeOption = None,
    project: ProjectOption = None, arch: ArchOption = None, frontend: FrontendOption = Frontend.AUTO,
    strict: StrictOption = False, suggest: RequirementsOption = False, show_formulas: FormulasOption = False,
    dump_smt: ScriptsOption = None, explain_passes: ExplainOption = False, all_sizes: SizesDecideOption = False,
    budget: BudgetOption = None, launches: RecordsOption = None, launch: RecordOption = None, jobs: JobsOption = None,
    general: GeneralOption = False, scheduler: SchedulerOption = None, baseline: BaselineOption = None,
    write_baseline: WriteOption = False, no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    timeout: TimeoutOption = 60.0, form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Is a kernel deterministic: free of races, of barrier divergence, of order?"""
    from automata.place import InputError
    from spmd.checking import recorded
    from spmd.exit_status import exit_status

    with told(), kept_answers(no_cache or bool(show_formulas or dump_smt or explain_passes) or form is Format.HTML, recheck):
        files, launches = recorded(files or ([] if launches else files_of_settings(project)), launches)
        if bool(files) == bool(launches):
            raise InputError("give files to check, or --launches FILE.jsonl; or name them in spmd.toml (spmd init writes one)")
        if files and scheduler:
            raise InputError("--scheduler is for a batch: give --launches FILE.jsonl")
        known = baseline_of(baseline, write_baseline)
        if launches:
            from spmd.batch_checking import check_batch

            refuse_beside(context, "for files only; a launch record itself says its launch, 'defines', 'arch'", (
                "kernel", "block", "grid", "extent", "alias", "define", "include", "project", "arch", "suggest", "show_formulas",
                "dump_smt", "explain_passes", "all_sizes", "budget", "limit"))
            verdicts = check_batch(launches, launch, jobs or 1, timeout, strict, form, output_file, known, general, scheduler,
                                   assignments("--arg", arg), require or ())
        else:
            verdicts = _check_files(context, files, form, known)
    raise typer.Exit(exit_status(verdicts))


def _check_files(context: typer.Context, files: list[str], form: Format, known: Baseline | None) -> list[str]:
    """What the kernels of files and folders come to, under the options of `check`."""
    from automata import limits
    from automata.budget import Budget
    from spmd.api import question
    from spmd.checking import check_files, has_folder
    from spmd.sides import named

    said, stated = context.params, given(context)
    call = Budget.of(said["budget"] or budget_of_settings(files[0], said["project"]))
    files = sorted(files, key=size_of) if call.seconds is not None else files
    asked = partial(
        question, kernel=said["kernel"], block=said["block"], grid=said["grid"], args=assignments("--arg", said["arg"]),
        extents=assignments("--extent", said["extent"]), require=said["require"] or (), alias=said["alias"] or (),
        defines=assignments("-D", said["define"]), includes=said["include"] or (), project=said["project"], arch=said["arch"],
        frontend=said["frontend"].value, strict=said["strict"] if "strict" in stated else None, suggest=said["suggest"],
        all_sizes=said["all_sizes"], timeout=said["timeout"] if "timeout" in stated else None, budget=call,
        limits=limits.checked(counts("--limit", said["limit"])))
    if has_folder(files):
        from spmd.batch_checking import check_folders

        refuse_beside(context, "for files only; name one file for it", ("kernel", "show_formulas", "dump_smt", "explain_passes"))
        return check_folders(files, asked, said["jobs"], form, said["output_file"], known)
    with explained(said["explain_passes"]):
        is_whole = said["kernel"] is None and all(named(file)[1] is None for file in files)
        return check_files(files, asked, is_whole, form, said["output_file"], said["show_formulas"], said["dump_smt"], known)


@app.command("equiv")
def equiv_command(
    context: typer.Context, a: AArgument = None, b: BArgument = None, block: BlockOption = None, grid: GridOption = None,
    block_b: BlockBOption = None, grid_b: GridBOption = None, arg: ArgOption = None, extent: ExtentOption = None,
    require: RequireOption = None, alias: AliasOption = None, limit: LimitOption = None, define: DefineOption = None,
    include: IncludeOption = None, arch: ArchOption = None, launches: RecordingsOption = False, launch_a: LaunchAOption = None,
    launch_b: LaunchBOption = None, output: ComparedOption = None, names: MapOption = None, relate: RelateOption = None,
    mode: WeakestOption = Mode.REAL, all_sizes: SizesTooOption = False, certify: CertifyOption = False,
    suggest: RequirementOption = False, show_proof: ProofOption = False, save_replay: ReplayOption = None,
    explain_passes: ExplainOption = False, no_cache: NoCacheOption = False, recheck: RecheckOption = 0.0,
    baseline: BaselineOption = None, write_baseline: WriteOption = False, timeout: TimeoutOption = 60.0,
    form: ReportOption = Format.TEXT, output_file: OutputOption = None,
) -> None:
    """Do two kernels leave the same output, for all inputs and sizes? A side may be a sequence, "B1;B2"."""
    from spmd.exit_status import exit_status

    with told(), kept_answers(no_cache or explain_passes, recheck):
        from dataclasses import replace

        from spmd.comparison import compare_all, of_recordings

        missing = list[str]()
        if launches:
            refuse_beside(context, "not beside --launches; recordings state the launches of both sides", (
                "block", "grid", "block_b", "grid_b", "arg", "require", "extent", "alias", "define", "include", "arch",
                "launch_a", "launch_b", "relate", "limit"))
            questions, missing = of_recordings(a, b, assignments("--map", names), output or [], mode.value, timeout)
        else:
            questions = [] if a or b or launch_a or launch_b else questions_of_settings(context, timeout, mode.value)
            questions = questions or [_pair_asked(context)]
        known = baseline_of(baseline, write_baseline)
        questions = [replace(each, certify=certify, suggest=suggest, shows_proof=show_proof, all_sizes=all_sizes)
                     for each in questions]
        with explained(explain_passes):
            deciding = compare_all(questions, form, output_file, known, save_replay)
    raise typer.Exit(exit_status([*deciding, *missing]))


def _pair_asked(context: typer.Context) -> PairQuestion:
    """What the options of `equiv` ask of two kernels."""
    from automata import limits
    from spmd.api import comparison

    said, stated = context.params, given(context)
    return comparison(
        said["a"], said["b"], block=said["block"], grid=said["grid"], block_b=said["block_b"], grid_b=said["grid_b"],
        args=assignments("--arg", said["arg"]), extents=assignments("--extent", said["extent"]), require=said["require"] or (),
        alias=said["alias"] or (), defines=assignments("-D", said["define"]), includes=said["include"] or (), arch=said["arch"],
        record_a=said["launch_a"], record_b=said["launch_b"], outputs=said["output"] or (), relate=said["relate"] or (),
        names=assignments("--map", said["names"]), limits=limits.checked(counts("--limit", said["limit"])),
        mode=said["mode"].value if "mode" in stated else None, timeout=said["timeout"] if "timeout" in stated else None)


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
    file: FileArgument, kernel: KernelOption = None, block: BlockOption = None, grid: GridOption = None, arg: ArgOption = None,
    require: RequireOption = None, array: ContentsOption = None, extent: ElementsOption = None, seed: SeedOption = 0,
    schedule: ScheduleOption = "canonical", repeat: RepeatOption = 0, max_steps: StepsOption = 1_000_000, save: SaveOption = None,
    amplify: AmplifyOption = False, define: DefineOption = None, include: IncludeOption = None, arch: ArchOption = None,
    frontend: FrontendOption = Frontend.AUTO, form: FormatOption = Format.TEXT, output_file: OutputOption = None,
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
    file: FileArgument, kernel: KernelOption = None, block: BlockOption = None,
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
