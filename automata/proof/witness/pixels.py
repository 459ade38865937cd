"""Whether runs that look for conflicts may make up what images and textures hold.

They may where pixels go into stored values alone. Where one decides a branch or an index, a run shows nothing: which pixels can
differ from each other is the sampler's to say.
"""

from __future__ import annotations

from automata.lang.traverse import calls
from automata.machine.numbers.values import Concrete
from automata.machine.state.imagined import Imagined
from automata.thread.automaton import Automaton
from automata.thread.flow import flow


def values_of(automaton: Automaton) -> Concrete:
    """The numbers that a kernel is run on."""
    fetches = [call for call in calls(automaton.kernel) if call.handles]
    fetched = {call.source for call in fetches}
    if not fetched:
        return Concrete()
    deciding = {source.name for sink in flow(automaton).sinks if sink.what != "value" for source in sink.index | sink.guard
                if source.kind == "array"}
    return Concrete() if fetched & deciding else Imagined(frozenset(call.function for call in fetches))
