"""A question as the flags that ask it, for commands to paste: what was given stays given."""

from __future__ import annotations

from collections.abc import Iterable

from automata.lang.launch import Launch, Sizes
from automata.limits import Reached
from spmd.asked import Question


def launch_flags(side: Question) -> list[str]:
    """The flags of a launch and its requirements, as they were given."""
    launch = of_flags(side)
    args = [("--arg", f"{name}={value}") for name, value in launch.args.items()]
    args += [("--extent", f"{name}={elements}") for name, elements in launch.extents.items()]
    words = (*args, *(("--require", text) for text in side.requires))
    return [*size_flags("--block", launch.block), *size_flags("--grid", launch.grid), *(word for pair in words for word in pair)]


def source_flags(side: Question) -> list[str]:
    """Those that say how a text is read."""
    source = side.source
    rows = [*(("-D", f"{name}={value}") for name, value in source.defines.items()), *(("-I", name) for name in source.includes),
            *((("--arch", source.arch),) if source.arch else ())]
    return [word for row in rows for word in row]


def limit_flags(side: Question) -> list[str]:
    return [word for name, value in side.limits for word in ("--limit", f"{name}={value}")]


def higher_limits(reached: Iterable[Reached]) -> list[str]:
    """Flags that raise limits that were reached."""
    return [word for limit in reached for word in ("--limit", f"{limit.name}={limit.higher}")]


def alias_flags(side: Question) -> list[str]:
    return [word for group in side.aliases for word in ("--alias", ",".join(group))]


def of_flags(side: Question) -> Launch:
    """The launch that the command line states; of one that it does not state, nothing."""
    return side.launch if side.launch is not None and side.launch.source == "flags" else Launch()


def require_flags(requirements: Iterable[str]) -> list[str]:
    """The flags that require something."""
    return [word for text in requirements for word in ("--require", text)]


def size_flags(flag: str, given: Sizes | None) -> list[str]:
    """The sizes of a flag, without axes of one element at the end."""
    words = [str(size) for size in given or () if size is not None]
    while words[1:] and words[-1] == "1":
        words.pop()
    return [flag, ",".join(words)] if words else []
