"""What is asked and what is answered: a kernel to check, a pair to compare, and the records they come to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from automata.budget import UNLIMITED, Budget
from automata.lang.launch import Launch
from automata.lang.preprocess import Dialect
from automata.lang.project import root_of
from automata.lang.read import Found, Frontend, find_kernels
from automata.place import Place
from automata.proof.witness.analysis import Analysis
from automata.verdict import Report
from spmd.settings.effective import NONE, Settings

if TYPE_CHECKING:
    from equivalence.result import EquivReport

LEAST = 0.1


@dataclass(frozen=True, slots=True)
class Source:
    """What to read: a file, one kernel of it (None: all), and how to preprocess it. `arch`: the device, as `sm_80`; `project`:
    the folder whose headers and launches belong to it (None: the nearest one with `.git`)."""

    file: str
    kernel: str | None = None
    dialect: Dialect | None = None
    defines: dict[str, str] = field(default_factory=dict)
    includes: tuple[str, ...] = ()
    frontend: Frontend = "auto"
    arch: str | None = None
    project: str | None = None

    @property
    def text(self) -> str:
        """What was asked for, as people write it: the file, with the kernel if one is named."""
        return self.file if self.kernel is None else f"{self.file}:{self.kernel}"

    def kernels(self) -> list[Found]:
        """The kernels of the file that were asked for. InputError when there is none."""
        return find_kernels(self.file, self.kernel, self.dialect, self.defines, self.includes, self.frontend,
                            self.arch, project=self.project, in_project=True)

    def root(self) -> str:
        """The folder of the project."""
        return root_of(self.file, self.project)


@dataclass(frozen=True, slots=True)
class Question:
    """One check that was asked for. `launch` None: as the file says, else all sizes. `all_sizes`: those decide, and the host's
    launches are answered besides. `call`: what the whole call may take. `settings`: of the file's project; `configured`: the
    launch that they state, where nothing nearer to the kernel does; `given`: the options that the command line states;
    `assumes`: what the launch takes for granted, in words; `is_own`: kernels of files that it includes are left to these;
    `aliases`: pointer parameters that get one buffer, together; `limits`: other limits on work than the standard ones
    (`automata.limits`), by name."""

    source: Source
    launch: Launch | None = None
    requires: tuple[str, ...] = ()
    scalars: tuple[int | float | None, ...] = ()
    shared_bytes: int | None = None
    strict: bool = False
    seconds: float | None = None
    id: str | None = None
    suggest: bool = False
    all_sizes: bool = False
    call: Budget = UNLIMITED
    settings: Settings = NONE
    configured: Launch | None = None
    given: frozenset[str] = frozenset()
    assumes: tuple[str, ...] = ()
    is_own: bool = False
    aliases: tuple[tuple[str, ...], ...] = ()
    limits: tuple[tuple[str, int], ...] = ()

    def limit(self) -> float | None:
        """Seconds that a kernel may take from now on."""
        given = [max(seconds, LEAST) for seconds in (self.seconds, self.call.seconds) if seconds is not None]
        return min(given, default=None)


@dataclass
class Answer:
    """One record: the kernel, the launch it was checked at, the report, and what it was made from. `beyond`: what was found for
    other sizes than those that the program launches, which decides nothing; `place`: where the kernel stands; `unlaunched`: why
    no launch of it is known, or no size of one, where a text near it launches it."""

    question: Question
    kernel: str | None
    launch: Launch
    report: Report
    seconds: float
    analysis: Analysis | None = None
    beyond: Report | None = None
    place: Place | None = None
    unlaunched: str = ""

    @property
    def verdict(self) -> str:
        """proved, refuted, unknown, unsupported, invalid or fault."""
        return self.report.verdict.value


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """One comparison that was asked for. `after_a`, `after_b`: the kernels that run after the first of a side; `relations`:
    asked for instead of equal outputs; `certify`: nothing is left to probability; `suggest`: where they differ, a requirement is
    looked for under which they do not; `shows_proof`: how an equality for all sizes is shown is told; `all_sizes`: where they
    are equal at the launch that is stated, all other sizes are asked for too, and decide; `id`: what the pair is called;
    `related`: requirements that relate the launches of both."""

    a: Question
    b: Question
    names: dict[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    mode: str = "real"
    after_a: tuple[Question, ...] = ()
    after_b: tuple[Question, ...] = ()
    relations: tuple[str, ...] = ()
    certify: bool = False
    suggest: bool = False
    shows_proof: bool = False
    all_sizes: bool = False
    id: str = ""
    related: tuple[str, ...] = ()


@dataclass
class PairAnswer:
    """The record of one comparison. `places`: where the first kernels of both sides stand, as far as they were found."""

    question: PairQuestion
    kernel_a: str | None
    kernel_b: str | None
    launch_a: Launch
    launch_b: Launch
    report: EquivReport
    seconds: float
    places: tuple[Place | None, Place | None] = (None, None)

    @property
    def verdict(self) -> str:
        """equal, different, nondeterministic, unknown, unsupported, invalid or fault."""
        return self.report.verdict.value
