"""A run of a launch to see whether its loops end: the part of `endless` that needs the machine."""

from __future__ import annotations

from automata.budget import Budget
from automata.limits import ENDING_ROUNDS, ENDING_THREADS
from automata.limits import given_up as given_up_for
from automata.machine.running.run import Options
from automata.machine.state.fill import drawn_from
from automata.machine.state.outcome import Event, Outcome, Triple
from automata.place import EndlessError, InputError, NeverEndsError
from automata.proof.evidence import Endless, Evidence, Unended
from automata.proof.runs.amplify import amplify
from automata.proof.runs.counted import assumed
from automata.proof.witness.analysis import Analysis
from automata.proof.witness.observed import ENDLESS, observed
from automata.proof.witness.replay import is_meaningful
from automata.proof.witness.setting import setting_at
from automata.thread.flow import CONFIGURATION, Sink
from automata.verdict import Status

FILL = drawn_from(tuple(map(float, range(16))))


def seen_in_runs(analysis: Analysis, sinks: list[Sink], budget: Budget) -> tuple[Evidence, ...]:
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


def _stands(outcome: Outcome, event: Event, sinks: list[Sink]) -> bool:
    """Whether that a loop never ends follows from the launch and from data that it may be given."""
    hangs = any(source.kind in ("made-up", "rounded", "undefined") for sink in sinks if sink.place == event.place
                for source in sink.guard)
    return not hangs and is_meaningful(outcome, event.actor) and not outcome.failed


def _run(analysis: Analysis, sinks: list[Sink], budget: Budget) -> tuple[Outcome | None, str]:
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
        return analysis.programs.plain.run(setting, options), given_up
    except NeverEndsError as error:
        return Outcome(endless=[error.told] if isinstance(error.told, Event) else []), ""
    except EndlessError as error:
        if budget.is_spent:
            return None, "the time for running it was up"
        given_up_for(error, ENDING_ROUNDS, ENDING_ROUNDS)
        is_one = error.place in {sink.place for sink in sinks}
        return None, f"it still ran after {ENDING_ROUNDS.value:,} rounds" if is_one else given_up
    except InputError:
        return None, given_up
