"""Options and arguments that one command has, or two: what they are called and what is said of them."""

from __future__ import annotations

from typing import Annotated

import typer

from spmd.options import Mode

FilesArgument = Annotated[list[str] | None, typer.Argument(metavar="FILE[:kernel] or FOLDER…", show_default=False)]
FileArgument = Annotated[str, typer.Argument(metavar="FILE[:kernel]")]
AArgument = Annotated[str | None, typer.Argument(metavar="A[:kernel]", show_default=False)]
BArgument = Annotated[str | None, typer.Argument(metavar="B[:kernel]", show_default=False)]
StrictOption = Annotated[bool, typer.Option("--strict", help="Same-value writes count as races.")]
WeakestOption = Annotated[Mode, typer.Option("--mode", help="Weakest class accepted.")]

# -- check

RequirementsOption = Annotated[bool, typer.Option("--suggest", help="Look for requirements that make it proved.")]
FormulasOption = Annotated[bool, typer.Option("--show-formulas", help="Segments, access sets, formulas.")]
ScriptsOption = Annotated[str | None, typer.Option("--dump-smt", help="Write the formulas as SMT-LIB here.")]
SizesDecideOption = Annotated[bool, typer.Option("--all-sizes", help="All sizes decide, not the launches in the host code.")]
BudgetOption = Annotated[float | None, typer.Option("--budget", min=0.1, help="Seconds that the whole call may take.")]
RecordsOption = Annotated[str | None, typer.Option("--launches", help="A .jsonl file of launch records, or a recording.")]
RecordOption = Annotated[int | None, typer.Option("--launch", help="Only this one of --launches, from 1.")]
JobsOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Processes of a batch (default: 1; of a folder, one a "
                                                "processor).")]
GeneralOption = Annotated[bool, typer.Option("--generalise", help="Of a recording: what an earlier launch was proved under "
                                             "covers later ones.")]
SchedulerOption = Annotated[str | None, typer.Option("--scheduler", help="A Dask cluster for a batch: tcp://HOST:8786.")]

# -- equiv

BlockBOption = Annotated[str | None, typer.Option("--block-b", help="B's block sizes, where they are others.")]
GridBOption = Annotated[str | None, typer.Option("--grid-b", help="B's grid sizes, where they are others.")]
RecordingsOption = Annotated[bool, typer.Option("--launches", help="A and B are recordings: each kernel, launch by launch.")]
LaunchAOption = Annotated[str | None, typer.Option("--launch-a", help="A's launch record (a JSON file).")]
LaunchBOption = Annotated[str | None, typer.Option("--launch-b", help="B's launch record (a JSON file).")]
ComparedOption = Annotated[list[str] | None, typer.Option("--output", help="Compare only this array (a's name).")]
MapOption = Annotated[list[str] | None, typer.Option("--map", help="A's parameter to b's: a_name=b_name.")]
RelateOption = Annotated[list[str] | None, typer.Option("--relate", help='Ask for a relation: "b.out[k] == a.out[2*k]".')]
SizesTooOption = Annotated[bool, typer.Option("--all-sizes", help="Equal at this launch: at all sizes too?")]
CertifyOption = Annotated[bool, typer.Option("--certify", help="No probability: exact terms, at small launches.")]
RequirementOption = Annotated[bool, typer.Option("--suggest", help="Look for a requirement that makes them equal.")]
ProofOption = Annotated[bool, typer.Option("--show-proof", help="How all sizes are shown equal.")]
ReplayOption = Annotated[str | None, typer.Option("--save-replay", help="Write a difference as programs there.")]

# -- run

ContentsOption = Annotated[list[str] | None, typer.Option("--array", help="Contents: A=@file.npy, random[:LOW:HIGH], iota, "
                                                          "zeros, ones or a number.")]
ElementsOption = Annotated[list[str] | None, typer.Option("--extent", help="Elements of an array: A=1000.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Of everything that is made up.")]
ScheduleOption = Annotated[str, typer.Option("--schedule", help="canonical, reversed, sequential, threads:SEED, warps:SEED or "
                                             "ahead:BLOCK/THREAD.")]
RepeatOption = Annotated[int, typer.Option("--repeat", min=0, help="Run again under this many random schedules.")]
StepsOption = Annotated[int, typer.Option("--max-steps", min=1, help="Rounds of loops before a run is given up.")]
SaveOption = Annotated[list[str] | None, typer.Option("--save", help="Write an array after the run: A=out.npy.")]
AmplifyOption = Annotated[bool, typer.Option("--amplify", help="What one run says of all data; FILE may be a folder.")]

# -- diff

BaseArgument = Annotated[str | None, typer.Argument(metavar="BASE", show_default=False, help="A revision; A...B: since B parted "
                                                    "from A. With --staged, HEAD if left out.")]
HeadArgument = Annotated[str, typer.Argument(metavar="HEAD", help="The revision to check.")]
StagedOption = Annotated[bool, typer.Option("--staged", help="Check what the next commit would hold.")]
FolderOption = Annotated[str, typer.Option("-C", help="A folder of the repository.")]
FailOnOption = Annotated[str | None, typer.Option("--fail-on", help="What fails: refuted,different (default: all); none.")]
WeakestEqualityOption = Annotated[Mode, typer.Option("--mode", help="Weakest class of equality accepted.")]
ChecksOption = Annotated[bool, typer.Option("--checks-alone", help="Do not compare with the old kernels.")]
DetailsOption = Annotated[bool, typer.Option("--details", help="Also print what is proved and equal, with scopes.")]
ProcessesOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Processes (default: one a processor).")]
TogetherOption = Annotated[float | None, typer.Option("--budget", min=0.1, help="Seconds that all may take together.")]
