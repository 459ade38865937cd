"""A pair that is not settled while arguments are open: what it comes to at one size, and the command that asks for it.

In: the launches of both sides, of which some arguments are no numbers. Out: numbers for these, small ones that no tile divides,
then one that most tiles do. What a comparison says there decides nothing about other sizes; it is evidence, and the next thing to
type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from automata.lang.core import Kernel, Param
from automata.lang.launch import Launch
from spmd.pair_launches import Launched

ODD, TILED, OF_MANY = 33, 128, 960
"""A number that no tile divides, the next ones for the next arguments; one that most tiles divide; one of threes and fives."""
COMPUTED = re.compile(r"[(\s]*([A-Za-z_]\w*)\s*==\s*([^=&|<>]+?)[)\s]*$")
"""A requirement that says what one name is."""


def open_arguments(one: Launched, two: Launched, names: Mapping[str, str], *, of_host: bool = False) -> list[str]:
    """The integer arguments of both sides that are no numbers, by a's names where a has them. `names`: a's to b's; `of_host`:
    with values of the host, which no command can state."""
    back = {right: left for left, right in names.items()}
    computed = {*_computed(one[1]), *(back.get(name, name) for name in _computed(two[1]))}
    found = [*(param.name for param in _open(*one, of_host)),
             *(back.get(param.name, param.name) for param in _open(*two, of_host))]
    return [name for name in dict.fromkeys(found) if name not in computed]


def computed_arguments(one: Launched, two: Launched, names: Mapping[str, str]) -> list[str]:
    """Those that are computed from values of the host alone, which no command can state."""
    back = {right: left for left, right in names.items()}
    of_host = {param.name for _, launch in (one, two) for param in launch.of_host}
    if not of_host or open_arguments(one, two, names):
        return []
    found = [*(param.name for param in _open(*one)), *(back.get(param.name, param.name) for param in _open(*two))]
    return list(dict.fromkeys(found))


def _computed(launch: Launch) -> set[str]:
    """What requirements compute from others, as in `n == 2*m`."""
    return {found[1] for text in launch.requires if (found := COMPUTED.match(text)) and not found[2].isdecimal()}


def _open(kernel: Kernel, launch: Launch, of_host: bool = False) -> Iterator[Param]:
    """Those that a command can state: values of the host are none, and left out unless they are asked for."""
    left_out = set() if of_host else {param.name for param in launch.of_host}
    for param in kernel.params:
        is_stated = isinstance(launch.args.get(param.name), int | str)
        if param.name not in left_out and param.type.is_int and param.type.bits > 8 and not is_stated:
            yield param


def sizes(arguments: list[str], *, is_last: bool = False) -> Iterator[dict[str, int]]:
    """Numbers for open arguments; `is_last`: one more, for a difference decides where none of them is equal."""
    yield {name: ODD + number for number, name in enumerate(arguments)}
    yield dict.fromkeys(arguments, TILED)
    if is_last:
        yield dict.fromkeys(arguments, OF_MANY)
