"""What a recording holds, for people and as launch records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from automata.place import InputError
from spmd.recording.launches import Reader
from spmd.recording.read import Argument, Recorded, Recording, Shape, read_recording
from spmd.recording.sites import told
from spmd.recording.sources import why_unread


def said_at_the_end(folder: str) -> Iterator[str]:
    """A line or two when the application has ended."""
    recording = read_recording(folder)
    launches = sum(launch.count for launch in recording.launches)
    distinct = sum(launch.count > 0 for launch in recording.launches)
    kernels = len({(launch.shape.program, launch.shape.kernel) for launch in recording.launches})
    if launches:
        yield (f"{counted(launches, 'launch')} of {counted(kernels, 'kernel')}, {distinct} distinct: spmd launches {folder}, "
               f"spmd check {folder}")
    elif recording.processes:
        yield f"no kernel was launched; {counted(len(recording.built), 'program')} built"
    else:
        yield ("no launch was seen: no process of the application used OpenCL or CUDA through a library that can be interposed "
               "(a program that is linked statically, or has another user's rights, is not seen)")
    yield from recording.notes


def counted(count: int, what: str) -> str:
    """A number of things."""
    plural = what + ("es" if what.endswith("h") else "s")
    return f"{count} {what if count == 1 else plural}"


def launch_lines(recording: Recording, only: str | None) -> list[str]:
    """The list, grouped by kernel."""
    reader = Reader(recording)
    groups: dict[tuple[object, str], list[Recorded]] = defaultdict(list)
    for launch in recording.launches:
        if only in (None, launch.shape.kernel):
            groups[launch.shape.program, launch.shape.kernel].append(launch)
    if not groups:
        return [f"no launch{'' if only is None else f' of {only}'} was recorded", *recording.notes]
    lines: list[str] = []
    for (_, kernel), launches in groups.items():
        count = sum(launch.count for launch in launches)
        lines.append(f"{kernel}: {counted(count, 'launch')}, {len(launches)} distinct; {_origin(reader, launches[0].shape)}")
        names = _names(reader, launches[0].shape)
        for launch in launches:
            refused = f", {launch.refused} refused" if launch.refused else ""
            lines.append(f"  {launch.number:4}  {launch.count:6} times{refused}  {sizes_told(launch.shape)}  "
                         + ", ".join(_arguments(reader, launch, names)))
            lines += [f"              at {place}" for place in dict.fromkeys(told(reader.lines[site]) for site in launch.sites)]
    return [*lines, *recording.notes]


def _origin(reader: Reader, shape: Shape) -> str:
    program = shape.program
    what = reader.given(shape) or why_unread(program) or f"source {str(program.content or 'linked')[:12]}"
    options = f", built with '{program.options.strip()}'" if program.options.strip() else ""
    return what + options


def _names(reader: Reader, shape: Shape) -> list[str]:
    """The names of the parameters, where the source can be read."""
    try:
        return [declared.name for declared in reader.read(shape).declared]
    except InputError:
        return []


def sizes_told(shape: Shape) -> str:
    """Sizes as the host stated them."""
    def text(sizes: tuple[int, ...] | None) -> str:
        return "chosen by the device" if sizes is None else "×".join(map(str, sizes))

    if shape.total is None:
        return f"grid {text(shape.grid)} block {text(shape.block)}"
    offset = f" offset {text(shape.offset)}" if any(shape.offset) else ""
    return f"global {text(shape.total)} local {text(shape.block)}{offset}"


def _arguments(reader: Reader, launch: Recorded, names: list[str]) -> Iterator[str]:
    values = reader.values(launch)
    for number, argument in enumerate(launch.shape.args or ()):
        name = names[number] if number < len(names) else f"#{number}"
        parts = {key: value for key, value in values.items() if key == name or key.startswith(f"{name}.")}
        if parts:
            yield from (f"{key} = {value}" for key, value in parts.items())
        else:
            yield f"{name} {_argument(argument, number, names)}"


def _argument(argument: Argument, number: int, names: list[str]) -> str:
    if argument.kind == "value":
        return f"= 0x{argument.value.hex()}" if len(argument.value) <= 16 else f"of {argument.size} bytes"
    if argument.kind == "local":
        return f"local, {argument.size} bytes"
    if argument.size is None:
        return argument.kind
    alike = ""
    if argument.root not in (-1, number):
        alike = f", the memory of {names[argument.root] if argument.root < len(names) else f'#{argument.root}'}"
    at = f" from {argument.offset}" if argument.offset else ""
    return f"{argument.kind}, {argument.size} bytes{at}{alike}"


def launch_records(recording: Recording, only: str | None) -> list[dict[str, Any]]:
    """Launch records; one that cannot be asked about has `unsupported` in place of its launch."""
    reader = Reader(recording)
    return [record if isinstance(record, dict) else
            {**reader.head(launch), "kernel": launch.shape.kernel, "unsupported": record.message}
            for launch, record in reader.records() if only in (None, launch.shape.kernel)]
