"""Whether loops end at a launch with numbers: what the proofs assume is looked at where it can be.

Input: what was proved of a launch with numbers; output: evidence. Loops that a counter ends are left alone, and loops on data, of
which it stays an assumption. If others are left, the kernel is run: a thread that goes round one of them for ever is a confirmed
finding, and where the run does not get to the end the answer is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from automata.budget import Budget
from automata.lang.core import Assign, Binary, Cast, Const, Expr, If, Kernel, Leave, Load, Loop, Stmt, Unary, Var
from automata.lang.effects import assigned
from automata.lang.traverse import children, walk
from automata.limits import ENDING_ROUNDS, ENDING_THREADS
from automata.limits import given_up as given_up_for
from automata.machine.running.run import Options
from automata.machine.state.fill import drawn_from
from automata.machine.state.outcome import Event, Triple
from automata.machine.state.outcome import Outcome as RunOutcome
from automata.machine.strips.growth import growth
from automata.place import EndlessError, InputError, NeverEndsError, told_lines
from automata.proof.evidence import Endless, Evidence, Unended
from automata.proof.known.concrete import setting_at
from automata.proof.known.context import known_numbers
from automata.proof.runs.amplify import CONFIGURATION, amplify
from automata.proof.witness.analysis import Analysis
from automata.proof.witness.observed import ENDLESS, observed
from automata.proof.witness.replay import is_meaningful
from automata.rewriting.lower import lower
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.thread.flow import Sink, flow
from automata.verdict import Status

SECONDS = 5.0
FILL = drawn_from(tuple(map(float, range(16))))


def see_that_loops_end(kernel: Kernel, analysis: Analysis, budget: Budget) -> tuple[Evidence, ...]:
    """What is seen of loops of which the proofs assume that they end."""
    context = analysis.context
    if analysis.loops_end or context.symbols() or not any(isinstance(stmt, Loop) for stmt in walk(context.kernel.body)):
        return ()
    lowered = lower(kernel, known_numbers(context))
    open_ones = {stmt.place for stmt in walk(lowered.body) if isinstance(stmt, Loop) and not counts(stmt)}
    free = frozenset(param.name for param in kernel.params if param.type.is_float and param.name not in context.launch.args)
    sinks = [sink for sink in decided_loops(build(lowered), free) if sink.place in open_ones] if open_ones else []
    return _seen(analysis, sinks, budget.within(SECONDS)) if sinks else ()


def _seen(analysis: Analysis, sinks: list[Sink], budget: Budget) -> tuple[Evidence, ...]:
    """Run the launch, and with every branch on data taken both ways where data decide whether a loop is come to."""
    places = {sink.place for sink in sinks}
    outcome, given_up = _run(analysis, sinks, budget)
    seen = [event for event in outcome.endless if event.place in places] if outcome is not None else []
    if outcome is not None and any(_stands(outcome, event, sinks) for event in seen):
        found = tuple(finding for finding in observed(outcome) if finding.status is Status.CONFIRMED
                      and finding.rule in (ENDLESS, "barrier-divergence"))
        return (Endless(found, tuple(assumed(analysis.context.kernel))),)
    if seen:
        given_up = "a run of it does not, but that hangs on what the machine makes up"
    elif not given_up and any(source.kind not in CONFIGURATION for sink in sinks for source in sink.guard):
        context = analysis.context
        both = amplify(context.source, setting_at(context, {}, FILL), context.free(), budget)
        given_up = "with every branch on data taken both ways it does not" if both.endless in places else ""
    return (Unended(min(places, key=lambda place: place.line), given_up),) if given_up else ()


def _stands(outcome: RunOutcome, event: Event, sinks: list[Sink]) -> bool:
    """Whether that a loop never ends follows from the launch and from data that it may be given."""
    hangs = any(source.kind in ("made-up", "rounded", "undefined") for sink in sinks if sink.place == event.place
                for source in sink.guard)
    return not hangs and is_meaningful(outcome, event.actor) and not outcome.failed


def assumed(kernel: Kernel) -> list[str]:
    """What the proofs assume of the loops of a lowered kernel, as text."""
    loops = [stmt.place for stmt in walk(kernel.body) if isinstance(stmt, Loop)]
    return [f"loops end ({told_lines(loops)})"] if loops else []


def decided_loops(automaton: Automaton, free: frozenset[str]) -> list[Sink]:
    """The loops whose number of rounds follows from the launch alone. `free`: scalar parameters without a value."""
    return [sink for sink in flow(automaton).sinks if sink.what == "loop" and all(
        source.kind in CONFIGURATION and not (source.kind == "scalar" and source.name in free) for source in sink.index)]


def _run(analysis: Analysis, sinks: list[Sink], budget: Budget) -> tuple[RunOutcome | None, str]:
    """A run of the launch, or of one block where the loops are the same in all; and why it does not tell that they end."""
    setting = setting_at(analysis.context, {}, FILL)
    blocks: tuple[Triple, ...] | None = None
    given_up = ""
    if not any(source.kind == "block" for sink in sinks for source in sink.index | sink.guard):
        blocks = ((0, 0, 0),)
    elif not ENDING_THREADS.allows(setting.blocks * setting.threads):
        x, y, z = setting.grid
        blocks, given_up = ((0, 0, 0), (x - 1, y - 1, z - 1)), "a launch of so many threads was run in part only"
    options = Options(shadow=False, blocks=blocks, max_rounds=ENDING_ROUNDS.value, budget=budget, parks=True)
    try:
        return analysis.program.run(setting, options), given_up
    except NeverEndsError as error:
        return RunOutcome(endless=[error.told] if isinstance(error.told, Event) else []), ""
    except EndlessError as error:
        if budget.is_spent:
            return None, "the time for running it was up"
        given_up_for(error, ENDING_ROUNDS, ENDING_ROUNDS)
        is_one = error.place in {sink.place for sink in sinks}
        return None, f"it still ran after {ENDING_ROUNDS.value:,} rounds" if is_one else given_up
    except InputError:
        return None, given_up


# -- loops that a counter ends --------------------------------------------------------------------


def counts(loop: Loop) -> bool:
    """Whether some test of a loop compares a counter that every round brings nearer to a bound, so that it ends (or overflows a
    signed type, which is another matter)."""
    body = (*loop.body, *loop.step)
    return any(_brings_nearer(test, body) for going_on in _tests(loop) for test in _conjuncts(going_on))


def _tests(loop: Loop) -> Iterator[Expr]:
    """What holds in every round that is not the last: the loop's test, and that of each jump out of it in plain sight."""
    yield loop.test
    for stmt in (*loop.body, *loop.step):
        match stmt:
            case If(test=test, then=(Leave(label=label),)) if label == loop.label:
                match test:
                    case Unary(op="!", arg=arg):
                        yield arg
                    case Binary(op="<" | "<=" as op, left=left, right=right):
                        yield replace(test, op="<=" if op == "<" else "<", left=right, right=left)


def _conjuncts(test: Expr) -> list[Expr]:
    if isinstance(test, Binary) and test.op == "&&":
        return _conjuncts(test.left) + _conjuncts(test.right)
    return [test]


def _brings_nearer(test: Expr, body: tuple[Stmt, ...]) -> bool:
    """Whether every round moves one side of a comparison towards the other, which does not move."""
    changed = assigned(body)
    if not (isinstance(test, Binary) and test.op in ("<", "<=") and test.left.type.is_int):
        return False
    low, high, is_signed = _counter(test.left), _counter(test.right), test.left.type.signed
    if low is not None and low.name in changed and _stays(test.right, changed):
        step = _step(low, body)
        return step is not None and step > 0 and _below(test, low, step, low.type.signed and is_signed)
    if high is not None and high.name in changed and _stays(test.left, changed):
        step = _step(high, body)
        if step is not None and step < 0 and ((high.type.signed and is_signed) or (step == -1 and test.op == "<")):
            return True
        least = test.left.value if isinstance(test.left, Const) else -1
        return least >= (0 if test.op == "<" else 1) and _shrinks(high, body)
    return False


def _below(test: Binary, counter: Var, step: int, is_signed: bool) -> bool:
    """Whether a counter reaches its bound before it wraps; a signed one overflows where it does not."""
    if isinstance(test.right, Const):
        return test.right.value + step <= counter.type.high
    return is_signed or (step == 1 and test.op == "<" and test.left.type.bits >= counter.type.bits)


def _counter(expr: Expr) -> Var | None:
    """The counter in one side of a comparison: a local of at least 32 bits, perhaps widened."""
    while isinstance(expr, Cast) and expr.arg.type.is_int and expr.type.bits >= expr.arg.type.bits:
        expr = expr.arg
    return expr if isinstance(expr, Var) and expr.type.is_int and expr.type.bits >= 32 else None


def _stays(expr: Expr, changed: set[str]) -> bool:
    """Whether an expression has one value in all rounds."""
    if isinstance(expr, Load) or (isinstance(expr, Var) and expr.name in changed):
        return False
    return all(_stays(part, changed) for part in children(expr))


def _each_round(counter: Var, body: tuple[Stmt, ...]) -> Expr | None:
    """What the only assignment of a local in a loop gives it, if every round that does not leave the loop makes it."""
    made = [stmt for stmt in walk(body) if counter.name in assigned((stmt,)) and isinstance(stmt, Assign)]
    others = [stmt for stmt in walk(body) if not isinstance(stmt, Assign) and getattr(stmt, "result", None) == counter.name]
    return made[0].value if len(made) == 1 and not others and any(stmt is made[0] for stmt in body) else None


def _step(counter: Var, body: tuple[Stmt, ...]) -> int | None:
    """The constant by which every round changes a counter."""
    value = _each_round(counter, body)
    found = None if value is None else growth(value, counter.name, counter.type.bits)
    if found is None:
        return None
    up, by = found
    while isinstance(by, Cast) and by.type.bits >= by.arg.type.bits and by.arg.type.is_int:
        by = by.arg
    if not isinstance(by, Const) or not by.type.is_int:
        return None
    return int(by.value) if up else -int(by.value)


def _shrinks(counter: Var, body: tuple[Stmt, ...]) -> bool:
    """Whether every round halves a counter, or divides it by more."""
    match _each_round(counter, body):
        case Binary(op=">>", left=Var(name=name), right=Const(value=by)):
            return name == counter.name and 0 < by < counter.type.bits
        case Binary(op="/", left=Var(name=name), right=Const(value=by)):
            return name == counter.name and by > 1
    return False
