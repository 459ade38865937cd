"""The story of `spmd run`: one launch of one kernel on the machine, with what the user gives and the rest made up.

    text ─▶ Core ─▶ launch ─▶ sizes and arguments ─▶ memory ─▶ automaton ─▶ machine ─▶ findings, outputs
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from automata.arithmetic import Value
from automata.lang.arch import COMPILED
from automata.lang.core import Array, Kernel, Later, Quantity, Settle, Space
from automata.lang.given import MACROS
from automata.lang.launch import Launch, find_comment, in_elements
from automata.lang.read import Found
from automata.lang.traverse import walk
from automata.machine.numbers.values import Numbers
from automata.machine.running.run import Options, Program
from automata.machine.state.memory import MOST_CELLS, Cells, Dense, Initial
from automata.machine.state.outcome import Outcome, Setting, differences
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.place import InputError, TooLargeError
from automata.proof.known.concrete import Assignment, admitted, extent, triple
from automata.proof.known.context import Context, check_satisfiable, known_numbers, prepare
from automata.proof.known.evaluation import value_of
from automata.proof.witness.caution import Caution
from automata.proof.witness.observed import observed
from automata.rewriting.lower import lower_for_runs
from automata.rewriting.one_buffer import at_launch
from automata.thread.build import build
from automata.verdict import Finding
from spmd.asked import Question
from spmd.contents import Contents, random_contents, save
from spmd.pipeline import choose_launch, forget, launches_in_host, only

LIKELY = (64, 100, 1000, 32, 16, 8, 256, 7, 4, 3, 2, 1, 0, -1)
LIKELY_SIZES = (32, 4, 8, 2, 1, 16, 64)
MAX_TRIED = 20_000
MAX_TURNS = 4096


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """One run that was asked for. `arrays`: contents by array name; `repeat`: further runs under random schedules."""

    question: Question
    arrays: Mapping[str, Contents] = field(default_factory=dict)
    extents: Mapping[str, int] = field(default_factory=dict)
    seed: int = 0
    schedule: Schedule = CANONICAL
    repeat: int = 0
    max_steps: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """Memory after another schedule: a cell with its value under the first and under the other one."""

    schedule: str
    array: str
    index: int
    first: Value
    other: Value


@dataclass
class Ran:
    """What a run showed. `made_up`: what the user had not given, in words; `outputs`: the global arrays it may write."""

    asked: RunQuestion
    kernel: Kernel
    launch: Launch
    setting: Setting
    outcome: Outcome
    findings: list[Finding]
    made_up: list[str]
    outputs: tuple[str, ...]
    differences: list[Difference] = field(default_factory=list)
    schedules: int = 1
    seconds: float = 0.0

    def elements(self, name: str) -> int:
        """How many elements `output` has."""
        buffer = self.outcome.buffers[name]
        return buffer.cells.size if isinstance(buffer, Dense) else max((*self.outcome.contents(name), -1)) + 1

    def output(self, name: str, most: int | None = None) -> Cells:
        """The contents of an array, or its first few elements; of one whose extent nobody stated, up to the last element that was
        written. TooLargeError where that is too far."""
        buffer = self.outcome.buffers[name]
        if isinstance(buffer, Dense):
            return buffer.cells[:most]
        last = self.elements(name) if most is None else min(most, self.elements(name))
        if last > MOST_CELLS:
            raise TooLargeError(f"'{name}' was written up to element {last - 1:,}: more than can be kept", buffer.array.place)
        slots, _ = buffer.slots(np.arange(last, dtype=np.int64), None)
        return buffer.cells[slots]


def run_launch(asked: RunQuestion) -> Ran:
    """Run one kernel at one launch. InputError when something is missing or does not fit."""
    began = time.monotonic()
    forget()
    question = asked.question
    item = only(question.source.kernels(), question.source)
    kernel = item.read()
    launch = launch_of(asked, item, kernel)
    kernel = at_launch(kernel, launch, strict=question.strict)
    context = prepare(kernel, launch)
    check_satisfiable(context)
    setting, made_up = settle(context, asked)
    program = Program(build(written_out(kernel, context)))
    options = Options(asked.schedule, max_rounds=asked.max_steps, parks=True)
    outcome = program.run(setting, options)
    outputs = tuple(array.name for array in kernel.arrays if array.space is Space.GLOBAL and array.name in program.written)
    findings = Caution(program).told(observed(outcome, strict=question.strict))
    ran = Ran(asked, kernel, launch, setting, outcome, findings, made_up, outputs)
    _other_schedules(ran, program, options)
    ran.seconds = time.monotonic() - began
    return ran


def written_out(kernel: Kernel, context: Context) -> Kernel:
    """The kernel as the machine takes it: asynchronous copies of threads as plain stores, which lowering makes of them."""
    if not any(isinstance(stmt, Later | Settle) for stmt in walk(kernel.body)):
        return kernel
    return lower_for_runs(kernel, known_numbers(context))


def save_arrays(ran: Ran, files: Mapping[str, str]) -> None:
    """Write arrays as .npy files. InputError when there is no such array, or a file cannot be written."""
    for name, path in files.items():
        if name not in ran.outcome.buffers:
            raise InputError(f"--save {name}: kernel '{ran.kernel.name}' has no such global array")
        save(path, ran.output(name))


def launch_of(asked: RunQuestion, item: Found, kernel: Kernel) -> Launch:
    """The launch asked for; what flags leave open is as the comment above the kernel says. Where neither states sizes, the first
    launch of the program."""
    question = asked.question
    launch = choose_launch(question, item, kernel)
    if not launch.is_stated:
        first = next((each for each in launches_in_host(item, kernel, question.source.project) if not each.is_open), None)
        launch = launch if first is None else _completed(launch, first)
    comment = find_comment(item.original, item.path, kernel.place.line)
    if question.launch is not None and comment is not None:
        launch = replace(launch, grid=launch.grid or comment.grid, block=launch.block or comment.block,
                         args={**comment.args, **launch.args}, requires=(*comment.requires, *launch.requires),
                         aliases=(*comment.aliases, *launch.aliases))
    return replace(launch, extents={**launch.extents, **in_elements(dict(asked.extents), kernel)})


def _completed(asked: Launch, stated: Launch) -> Launch:
    """A launch of the program, with the arguments, extents and requirements that are asked for besides or instead."""
    return replace(stated, args={**stated.args, **asked.args}, extents={**stated.extents, **asked.extents},
                   requires=(*stated.requires, *asked.requires), aliases=(*stated.aliases, *asked.aliases))


def settle(context: Context, asked: RunQuestion) -> tuple[Setting, list[str]]:
    """A concrete launch: sizes, arguments and contents of memory; and what of it was made up."""
    sizes = next(admitted((context,), LIKELY, LIKELY_SIZES, MAX_TRIED), None)
    if sizes is None:
        missing = ", ".join(str(term) for term in context.symbols())
        raise InputError(f"no launch was found that meets the requirements: state {missing} (--block, --grid, --arg)")
    made_up = _said(context, sizes) + [text for text in context.kernel.assumptions if text.startswith(MACROS)]
    if asked.question.source.arch is None:
        made_up += [text for text in context.kernel.assumptions if text.startswith(COMPILED)]
    kernel, scalars = context.kernel, dict[str, Value]()
    for param in kernel.params:
        value = value_of(context.values[param.name], sizes)
        if param.type.is_float or value is None:
            scalars[param.name] = param.type.round(_float_argument(context, param.name, asked, made_up))
        else:
            scalars[param.name] = value
    _known_arrays(kernel, asked)
    given = {name: contents.cells(kernel.array(name)) for name, contents in asked.arrays.items() if contents.file}
    extents: dict[str, int] = {name: size for name in context.launch.extents
                               if (size := value_of(extent(context, name), sizes)) is not None}
    free = [array.name for array in kernel.arrays if array.space is Space.GLOBAL and array.name not in asked.arrays
            and array.content is None]
    if free:
        made_up.append(f"contents of {', '.join(free)}: random, seed {asked.seed}")
    setting = Setting(triple(context, Quantity.GRID_DIM, sizes), triple(context, Quantity.BLOCK_DIM, sizes), scalars, given,
                      _initial(asked), extents)
    if prod(setting.block) > 1024 and kernel.dialect == "cuda":
        raise InputError("the block has more than 1024 threads, the launch limit")
    return setting, made_up


def _said(context: Context, sizes: Assignment) -> list[str]:
    derived = {name for name, value in context.launch.args.items() if isinstance(value, str)}
    stated = {f"{quantity}.{axis}" for quantity, given in (("blockDim", context.launch.block), ("gridDim", context.launch.grid))
              for axis, size in zip("xyz", given or (), strict=False) if size is not None}
    return [f"{name} = {value}" for name, value in sizes.items() if name not in derived | stated]


def _float_argument(context: Context, name: str, asked: RunQuestion, made_up: list[str]) -> float:
    given = context.launch.args.get(name)
    if isinstance(given, int | float):
        return float(given)
    value = round(float(random_contents(name, np.zeros(1, np.int64), asked.seed)[0]), 3)
    made_up.append(f"{name} = {value}")
    return value


def _known_arrays(kernel: Kernel, asked: RunQuestion) -> None:
    known = [array.name for array in kernel.arrays if array.space is Space.GLOBAL]
    for name in asked.arrays:
        if name not in known:
            parts = [other for other in known if other.startswith(f"{name}.")]
            hint = f"its parts are {', '.join(parts)}" if parts else f"its global arrays are {', '.join(known) or 'none'}"
            raise InputError(f"--array {name}: kernel '{kernel.name}' has no such array; {hint}")


def _initial(asked: RunQuestion) -> Initial:
    def initial(array: Array, index: Numbers) -> Cells:
        contents = asked.arrays.get(array.name) or Contents("random")
        return contents.at(array, index, asked.seed)

    return initial


def _other_schedules(ran: Ran, program: Program, options: Options) -> None:
    """Schedules that may show a race in memory: the two threads of a conflict ahead, and random ones where asked."""
    tried: list[Schedule] = []
    race = next((item for item in ran.outcome.conflicts if item.rule == "race" and not item.same_value), None)
    if race is not None:
        pair = [_flat(actor.block, ran.setting.grid, actor.thread, ran.setting.block)
                for actor in (race.first.actor, race.second.actor)]
        tried += [Schedule("ahead", first=(pair[0], pair[1])), Schedule("ahead", first=(pair[1], pair[0]))]
    kind = "threads" if ran.setting.threads * ran.setting.blocks <= MAX_TURNS else "warps"
    tried += [Schedule(kind, ran.asked.seed + number) for number in range(ran.asked.repeat)]  # type: ignore[arg-type]
    for schedule in tried:
        ran.schedules += 1
        other = program.run(ran.setting, replace(options, schedule=schedule, shadow=False))
        for name, index, first, second in differences(ran.outcome, other):
            ran.differences.append(Difference(str(schedule), name, index, first, second))


def _flat(block: tuple[int, int, int], grid: tuple[int, int, int], thread: tuple[int, int, int],
          shape: tuple[int, int, int]) -> tuple[int, int]:
    return (block[0] + grid[0] * (block[1] + grid[1] * block[2]),
            thread[0] + shape[0] * (thread[1] + shape[1] * thread[2]))
