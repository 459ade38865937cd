"""What runs say where the proofs leave something open.

Input: a kernel, a launch and the report so far; output: evidence. First the kernel is run as it is, at the launch or at a few
small ones that meet the requirements, with made-up data: what such a run shows is confirmed. Then, if the launch is concrete, one
run is amplified to all data (`amplify`): what that proves is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import islice
from math import prod
from types import MappingProxyType

from automata.budget import UNLIMITED, Budget
from automata.lang.core import AXES, COMPARISONS, Atomic, Binary, Claim, Const, Kernel, Space, Store
from automata.lang.launch import Launch
from automata.lang.traverse import expressions, walk, within
from automata.limits import RUN_ACCESSES, RUN_ROUNDS, RUN_THREADS, given_up
from automata.logic import terms as T
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import Fill, drawn_from, of_many_sizes
from automata.machine.state.outcome import Outcome as RunOutcome
from automata.machine.state.outcome import Setting
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.machine.state.watch import FEW_LOOKS
from automata.place import InputError, UndecidedError, told_lines
from automata.proof.evidence import SHOWN_BY_RUNS, Evidence, ForAllData, Quiet, Shown
from automata.proof.known.concrete import Assignment, admitted
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.obligations.alignment import ALIGNED
from automata.proof.runs.amplify import amplify
from automata.proof.runs.distances import excused, unseen
from automata.proof.witness.caution import Caution
from automata.proof.witness.observed import observed
from automata.proof.witness.pixels import values_of
from automata.proof.witness.reordered import QUICK, SLOW, order_that_shows
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower_for_runs
from automata.scalar import BOOL
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.thread.flow import CONFIGURATION, Sink, flow
from automata.verdict import Exactness, Finding, Outcome, Property, Report, Status

LAUNCHES = 3
MAX_TRIED = 3_000
SMALL = (16, 5, 32, 64, 8, 4, 1, 2, 7, 33, 100, 0, 1024, 16384, 65536)
FOR_SUMS = (SMALL[-2], 100, 1024)
"""Arguments that are tried first for sums of floats, in turns."""
MOST_ARGUMENTS = 6
"""Of which one is small while others are large."""
SMALL_SIZES = (64, 4, 2, 32, 8, 1)
GRID, FEW_BLOCKS = tuple(f"gridDim.{axis}" for axis in AXES), (2, 1, 4)
"""Sizes of the grid, and what they are tried with where those of all axes make too many threads together."""
MOST_TESTED, MOST_NUMBERS = 1 << 20, 8
"""Numbers of tests about which data are made up: how large they are, and how many."""


def runs(report: Report, kernel: Kernel, launch: Launch, *, strict: bool = False,
         budget: Budget = UNLIMITED) -> tuple[Evidence, ...]:
    """What runs say beside the report so far. `budget`: when the last of them is given up."""
    options = Options(max_rounds=RUN_ROUNDS.value, max_accesses=RUN_ACCESSES.value, budget=budget, looks=FEW_LOOKS)
    try:
        context = prepare(kernel, launch)
        automaton = build(lower_for_runs(kernel, known_numbers(context)))
        program = Program(automaton, values_of(automaton))
    except UndecidedError as error:
        return (Quiet(f"not run: {error.message}"),)
    except InputError:
        return ()
    is_concrete, caution = not context.symbols(), Caution(program)
    is_race_free = report.properties.get(Property.RACE_FREE) is Outcome.PROVED
    fills, fills_of_orders, are_sums = _fills(automaton.kernel), _fills_of_orders(kernel, automaton), _sums_floats(kernel)
    is_alone = _is_order_alone_open(report)
    launches: Iterable[Assignment] = _launches(context, is_concrete, are_sums=are_sums)

    def show_order(sizes: Assignment, schedules: Sequence[Schedule]) -> Finding | None:
        settings = (setting_at(context, sizes, fill) for fill in fills_of_orders)
        return order_that_shows(caution, settings, options, is_race_free=is_race_free, schedules=schedules)

    ordered, left = None, (*QUICK, *SLOW)
    if are_sums and is_alone and is_race_free:
        launches = list(launches)
        ordered, left = _quickly(show_order, launches, is_concrete), SLOW
    tried = ordered is not None
    for sizes in launches if ordered is None else ():
        tried = True
        shown = show_order(sizes, left) if is_alone else None
        if shown is None:
            if found := _trial(caution, context, sizes, fills, strict, options):
                return (_seen(program, found, {} if is_concrete else sizes),)
            shown = None if is_alone else show_order(sizes, left)
        if shown is not None:
            ordered = ordered or Shown((shown,), {} if is_concrete else sizes)
            if is_race_free:
                break
    few = () if tried else _of_few_blocks(caution, context, fills, strict, options)
    amplified = (_amplified(report, automaton, launch, context, budget),) if is_concrete and tried else ()
    return (*few, *amplified, ordered) if ordered is not None else (*few, *amplified)


def _quickly(show_order: Callable[[Assignment, Sequence[Schedule]], Finding | None], launches: Iterable[Assignment],
             is_concrete: bool) -> Shown | None:
    """What schedules show whose runs take little time, at the first launch where they do."""
    found = ((show_order(sizes, QUICK), sizes) for sizes in launches)
    return next((Shown((finding,), {} if is_concrete else sizes) for finding, sizes in found if finding is not None), None)


def _seen(program: Program, found: Sequence[Finding], sizes: Assignment) -> Shown:
    """What a run has shown, each with how far it hangs on data."""
    sinks = flow(program.automaton).sinks
    return Shown(tuple(replace(finding, exactness=_exactness(finding, sinks)) for finding in found), sizes)


def _amplified(report: Report, automaton: Automaton, launch: Launch, context: Context, budget: Budget) -> ForAllData | Quiet:
    """What a run of this launch says of all data: that races and barriers are settled, and other properties where the run can
    tell. What is assumed of wide accesses the proofs say, where they cover the kernel and give a scope."""
    kernel = context.kernel
    free = frozenset(param.name for param in kernel.params if param.type.is_float and param.name not in launch.args)
    result = amplify(kernel, setting_at(context, {}, _FILLS[0]), free, budget)
    if not result.holds:
        return Quiet(f"runs of this launch show nothing wrong; they say nothing of other data: {result.reason}")
    proved = {Property.RACE_FREE, Property.BARRIERS}
    has_claims = any(isinstance(stmt, Claim) and stmt.kind not in ("aligned", "landed", "apart") for stmt in walk(kernel.body))
    told = ((Property.ORDER_FREE, result.order_free), (Property.NO_WRAP, result.wraps_nowhere),
            (Property.ASSERTIONS, has_claims and result.claims_hold))
    proved |= {name for name, is_proved in told if is_proved}
    assumed = [*_assumptions(context)]
    places = unseen(automaton, context.free(), is_firm=False)
    if places and report.scope is None:
        assumed.append(f"{ALIGNED} ({told_lines(places)})")
    return ForAllData(frozenset(proved), tuple(result.integrity), tuple(assumed), _writes(kernel), has_claims,
                      bool(unseen(automaton, context.free(), is_firm=True)))


_FILLS: tuple[Fill, ...] = (drawn_from(tuple(map(float, range(16)))), drawn_from(tuple(map(float, range(-4, 5))), "b"))


_WHOLE = drawn_from(tuple(map(float, range(4))), "c")
_UNEVEN = of_many_sizes(), of_many_sizes("e"), of_many_sizes("f")


def _fills(kernel: Kernel) -> tuple[Fill, ...]:
    """Made-up contents of memory; where the text compares anything with other numbers, also such as lie about those, so that data
    lead both ways."""
    tested = {part.value for stmt in walk(kernel.body) for expr in expressions(stmt) for test in within(expr)
              if isinstance(test, Binary) and test.op in COMPARISONS for part in (test.left, test.right)
              if isinstance(part, Const) and part.type != BOOL}
    far = sorted(value for value in tested if abs(value) <= MOST_TESTED and not -4 <= value < 16)[:MOST_NUMBERS]
    about = [float(value + by) for value in far for by in range(-1, 5)]
    return (*_FILLS, drawn_from((0.0, 1.0, 2.0, *about), "d")) if far else _FILLS


def _uneven(kernel: Kernel, leading: frozenset[str]) -> tuple[Fill, ...]:
    """Floats of different size, whose sum shows in which order it was rounded, drawn more than once: that of a few may come out
    alike. Elsewhere integers so small that cells meet; in floats that are `leading`, too, at first."""
    floats = {array.name for array in kernel.arrays if array.element.is_float}
    floats |= {param.name for param in kernel.params if param.type.is_float}

    def filled(uneven: Fill, names: Set[str]) -> Fill:
        return lambda name, index: (uneven if name in names else _WHOLE)(name, index)

    ways = (floats - leading, floats) if floats & leading else (floats,)
    return tuple(filled(uneven, names) for names in ways for uneven in _UNEVEN)


def _fills_of_orders(kernel: Kernel, automaton: Automaton) -> tuple[Fill, ...]:
    """The contents with which it is looked whether the order of threads shows."""
    return (*(_uneven(kernel, _leading(automaton)) if _sums_floats(kernel) else ()), *_fills(kernel))


def _leading(automaton: Automaton) -> frozenset[str]:
    """The arrays and parameters whose values may say which cells accesses go to."""
    return frozenset(source.name for sink in flow(automaton).sinks if sink.what in ("read", "write", "atomic")
                     for source in sink.index if source.kind in ("array", "scalar"))


def _sums_floats(kernel: Kernel) -> bool:
    return any(isinstance(stmt, Atomic) and stmt.args[0].type.is_float for stmt in walk(kernel.body))


def _is_order_alone_open(report: Report) -> bool:
    """Whether all is settled but whether the order of threads shows."""
    open_ones = {name for name, outcome in report.properties.items() if outcome is Outcome.UNKNOWN}
    return open_ones == {Property.ORDER_FREE}


def _launches(context: Context, is_concrete: bool, *, are_sums: bool) -> Iterator[Assignment]:
    """The launch itself, or the first few small ones. `are_sums`: updates add floats, whose order shows only where several blocks
    have something to add: so a few blocks with arguments that are larger than they have threads, too; first of all, where a block
    is required to be larger than those that are tried. Where the grid grows with arguments, the largest make too many blocks.
    Where as much is added to each of many cells, a number of cells has to be small while others are large."""
    few = [_turned(turn) for turn in range(1 if is_concrete else LAUNCHES)]
    wide = [((least, *SMALL[-2:], *SMALL[:-2]), SMALL_SIZES[-2:] + SMALL_SIZES[:-2]) for least in FOR_SUMS
            ] if are_sums and not is_concrete else []
    first = _sizes(context, *few[0])
    is_large = any(setting_at(context, sizes, _FILLS[0]).threads > max(SMALL_SIZES) for sizes in first)
    if not is_large:
        yield from first
    for numbers, dimensions in wide:
        yield from _sizes(context, numbers, dimensions)
    for name in _arguments(context)[:MOST_ARGUMENTS] if wide else ():
        yield from _sizes(context, (FOR_SUMS[-1], *SMALL), wide[0][1], {name: SMALL[1:]})
    if is_large:
        yield from first
    if not is_concrete:
        yield from _sizes(context, *_of_many_rounds(), dict.fromkeys(GRID, FEW_BLOCKS))
    for turn in few[1:]:
        yield from _sizes(context, *turn)


def _turned(turn: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers and sizes that are tried, another one first in each turn."""
    return SMALL[turn:] + SMALL[:turn], SMALL_SIZES[turn:] + SMALL_SIZES[:turn]


def _of_many_rounds() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Numbers larger than a block: what a loop by blocks leaves for its next round, a tile that is filled again, shows there."""
    return (FOR_SUMS[-1], *SMALL), SMALL_SIZES


def _arguments(context: Context) -> list[str]:
    """The integer parameters whose values are open, where there are several."""
    names = [str(term) for term in context.symbols() if term.type.is_int and not T.size_of(term)]
    return names if len(names) > 1 else []


def _sizes(context: Context, numbers: tuple[int, ...], dimensions: tuple[int, ...],
           own: Mapping[str, Sequence[int]] = MappingProxyType({})) -> list[Assignment]:
    """The first launch of numbers and sizes in an order that meets the requirements, or the first with few blocks, if it is not
    too large to be run. `own`: the numbers of some arguments."""
    for numbers_of in (own, {**own, **dict.fromkeys(GRID, FEW_BLOCKS)}):
        for sizes in islice(admitted((context,), numbers, dimensions, MAX_TRIED, numbers_of), 1):
            setting = setting_at(context, sizes, _FILLS[0])
            if RUN_THREADS.allows(prod(setting.grid) * setting.threads):
                return [sizes]
    return []


def _of_few_blocks(caution: Caution, context: Context, fills: Sequence[Fill], strict: bool,
                   options: Options) -> tuple[Shown, ...]:
    """What a run of the first two blocks and the last shows of a launch that is too large to be run as a whole, where blocks do
    not meet. They may come in any order, so the launch may begin with such a run, and what it shows stays so; but for loops,
    which may wait for another block (`_shown`). Arguments that are open are as small as for whole launches."""
    if caution.program.has_grid_barriers:
        return ()
    for sizes in islice(admitted((context,), SMALL, SMALL_SIZES, MAX_TRIED), 1):
        x, y, z = setting_at(context, sizes, _FILLS[0]).grid
        blocks = tuple(dict.fromkeys(((0, 0, 0), (min(1, x - 1), 0, 0), (x - 1, y - 1, z - 1))))
        found = _trial(caution, context, sizes, fills, strict, replace(options, blocks=blocks))
        if found:
            return (_seen(caution.program, found, sizes if context.symbols() else {}),)
    return ()


def _trial(caution: Caution, context: Context, sizes: Assignment, fills: Sequence[Fill], strict: bool,
           options: Options) -> list[Finding]:
    """What a run of the kernel shows, under several fillings of memory; where updates return values, in another order too."""
    ways = [(fill, CANONICAL) for fill in fills]
    if any(isinstance(stmt, Atomic) and stmt.result is not None for stmt in walk(caution.automaton.kernel.body)):
        ways.append((_FILLS[0], Schedule("threads", 1)))
    for fill, schedule in ways:
        show = partial(_shown, context, sizes, fill, strict, replace(options, schedule=schedule))
        found = caution.kept(show(caution.program), show)
        if found:
            return found
    return []


def _shown(context: Context, sizes: Assignment, fill: Fill, strict: bool, options: Options, program: Program) -> list[Finding]:
    """What one run of a program shows."""
    setting = setting_at(context, sizes, fill)
    outcome = _run(program, setting, replace(options, begun=True))
    if outcome is None or any(event.what == "assume" for event in outcome.failed):
        return []
    if options.blocks is not None and outcome.endless:
        return []
    found = [finding for finding in observed(outcome, strict=strict)
             if finding.rule in SHOWN_BY_RUNS and finding.status is Status.CONFIRMED]
    if any(finding.rule == "misaligned" for finding in found):
        assumed = excused(program.automaton, sizes, context.free())
        found = [finding for finding in found if finding.rule != "misaligned" or finding.spots[0].place not in assumed]
    first = _first_fault(outcome)
    found = [finding for finding in found if not first or finding.rule in first]
    return [finding for finding in found if finding.array not in setting.lengths or finding.array in setting.extents
            or finding.rule != "out-of-bounds"]


def _first_fault(outcome: RunOutcome) -> tuple[str, ...]:
    """After a failed assertion, an access outside or an operation without a value nothing else means anything."""
    if any(event.what == "assert" for event in outcome.failed):
        return ("assertion",)
    if any(met.is_nameless for met in outcome.divergences):
        return ("barrier-divergence", "out-of-bounds", "misaligned")
    if outcome.out_of_bounds or outcome.undefined:
        return ("out-of-bounds", "misaligned")
    return ()


def _run(program: Program, setting: Setting, options: Options) -> RunOutcome | None:
    try:
        return program.run(setting, options)
    except InputError as error:
        given_up(error, RUN_ROUNDS, RUN_ACCESSES)
        return None


def _exactness(finding: Finding, sinks: Iterable[Sink]) -> Exactness:
    """Whether data may decide that the accesses of a finding are reached (C) or where they go (D)."""
    places = {spot.place for spot in finding.spots}
    here = [sink for sink in sinks if sink.place in places and sink.what != "value"]
    control = any(source.kind not in CONFIGURATION for sink in here for source in sink.guard)
    data = any(source.kind not in CONFIGURATION for sink in here for source in sink.index)
    return Exactness.of(control, data)


def _assumptions(context: Context) -> Iterator[str]:
    kernel = context.kernel
    yield from (f"required: {text}" for text in context.statements)
    yield from (*kernel.assumptions, *context.assumptions)
    pointers = [array.name for array in kernel.arrays if array.space is Space.GLOBAL]
    if len(pointers) > 1:
        yield f"{', '.join(pointers)} do not overlap"
    yield "signed arithmetic on data that decides branches does not overflow"
    yield "loops whose number of rounds depends on data end"
    yield f"accesses stay inside {', '.join(pointers)}" if pointers else "all accesses stay inside their arrays"


def _writes(kernel: Kernel) -> int:
    return sum(isinstance(stmt, Store | Atomic) for stmt in walk(kernel.body))
