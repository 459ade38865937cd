"""Whether loops end at a launch with numbers: what the proofs assume is looked at where it can be.

Input: what was proved of a launch with numbers; output: evidence. Loops that a counter ends are left alone, and loops on data, of
which it stays an assumption. If others are left, the kernel is run (`endless_runs`, the door to the machine): a thread that goes
round one of them for ever is a confirmed finding, and where the run does not get to the end the answer is unknown.
"""

from __future__ import annotations

from automata.budget import Budget
from automata.lang.core import Kernel, Loop
from automata.lang.traverse import walk
from automata.proof.evidence import Evidence
from automata.proof.known.context import known_numbers
from automata.proof.runs.counted import counts
from automata.proof.witness.analysis import Analysis
from automata.rewriting.lower import lower
from automata.thread.automaton import Automaton
from automata.thread.build import build
from automata.thread.flow import CONFIGURATION, Sink, flow

SECONDS = 5.0


def see_that_loops_end(kernel: Kernel, analysis: Analysis, budget: Budget) -> tuple[Evidence, ...]:
    """What is seen of loops of which the proofs assume that they end."""
    context = analysis.context
    loops = [stmt for stmt in walk(context.kernel.body) if isinstance(stmt, Loop)]
    if analysis.loops_end or context.symbols() or all(map(counts, loops)):
        return ()
    lowered = lower(kernel, known_numbers(context))
    open_ones = {stmt.place for stmt in walk(lowered.body) if isinstance(stmt, Loop) and not counts(stmt)}
    free = frozenset(param.name for param in kernel.params if param.type.is_float and param.name not in context.launch.args)
    sinks = [sink for sink in decided_loops(build(lowered), free) if sink.place in open_ones] if open_ones else []
    if not sinks:
        return ()
    from automata.proof.runs.endless_runs import seen_in_runs

    return seen_in_runs(analysis, sinks, budget.within(SECONDS))


def decided_loops(automaton: Automaton, free: frozenset[str]) -> list[Sink]:
    """The loops whose number of rounds follows from the launch alone. `free`: scalar parameters without a value."""
    return [sink for sink in flow(automaton).sinks if sink.what == "loop" and all(
        source.kind in CONFIGURATION and not (source.kind == "scalar" and source.name in free) for source in sink.index)]
