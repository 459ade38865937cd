"""Kernels that a function of the host is handed, and launches: `launch(fill<4>, blocks, 128, p, n);` with
`template <typename T, typename... A> void launch(T *kernel, int g, int b, A... a) { kernel<<<g, b>>>(a...); }`.

In: a launch whose kernel is a parameter of the function around it. Out: for each call of that function the kernel that it names,
and the launch as it is made in that call; nothing where a call may mean another function. So each call is a launch of its own,
and is told by its place; calls in other texts launch there.

The parameter is set nowhere: it stands where it is launched, compared, or copied by a function of the runtime (`pointed`). A pack
`A... a` that is launched with as `a...` is what stands behind the other arguments of the call, in this order ([temp.variadic]);
it holds copies, made when the function was called, and stands nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from automata.lang.host.frames import Callers, Frame, fits
from automata.lang.host.functions import Region
from automata.lang.host.launch_forms import Form
from automata.lang.host.pointed import Pointed, Pointers
from automata.lang.host.program import Call, Program

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Handed:
    """A launch in one call: which kernel, and how it is written there."""

    form: Form
    kernel: Pointed
    frame: Frame


class Helpers:
    """The functions of one file that launch what they are handed. `named`: what a name stands for that is one for a kernel."""

    def __init__(self, program: Program, callers: Callers, pointers: Pointers, named: Callable[[int, int], Range]) -> None:
        self.program, self.callers, self.pointers, self.named = program, callers, pointers, named
        self.tokens, self.text = program.tokens, program.tokens.text

    def index(self, at: int) -> int:
        """Which parameter of the function around a token it names, if nothing sets that; -1 for none."""
        region = self.program.region_at(at)
        if region is None or region.is_clouded or region.is_method or region.is_foreign or region.is_device:
            return -1
        found = [index for index, part in enumerate(self.pointers.parameters(region)) if self.pointers.takes(part, self.text[at])]
        inside = [place for place in self.program.positions.get(self.text[at], []) if region.opening <= place < region.end]
        is_kept = len(found) == 1 and all(map(self.pointers.only_reads, inside))
        return found[0] if is_kept and self.text[at] not in self.program.doubted else -1

    def launched(self, form: Form, index: int) -> Iterator[Handed]:
        """The launches of what a parameter is handed, in each call of its function."""
        region = self.program.region_at(form.at)
        for call in self._calls(region) if region is not None else ():
            end = self.tokens.match[call.node.at]
            parts = self.tokens.split(call.node.at + 1, end)
            args = self._args(form.args, region, parts) if region is not None else None
            if args is None or index >= len(parts):
                continue
            for outer in self.callers.frames(call.caller, end, call.at):
                frame = Frame(region, form.begin, form.goal, call.node, outer, call.at, call.at)
                made = replace(form, args=args, said=call.at)
                yield from (Handed(made, kernel, frame) for kernel in self._kernels(parts[index]))

    def _calls(self, region: Region) -> list[Call]:
        """The calls of a function in this text, where its name means no other."""
        is_one = self.pointers.is_one(region.name) and not region.head.is_variadic
        calls = self.callers.plain_calls(region.name) if is_one else None
        return [call for call in calls or () if call.caller is not region and _fits(region, len(call.node.parts) - 1)
                and not (region.head.is_pack and call.node.parts[0].ranges)]

    def _args(self, args: list[Range], region: Region | None, given: list[Range]) -> list[Range] | None:
        """The arguments of the launch, those of a pack where they stand in the call; None for a pack that is used otherwise."""
        if region is None or not region.head.is_pack:
            return args
        last = len(region.head.parameters) - 1
        name = self.text[self.pointers.parameters(region)[last][1] - 1]
        used = [at for at in self.program.positions.get(name, []) if region.opening <= at < region.end]
        is_whole = len(args) == 1 and args[0][0] in used and all(
            self.text[at - 2 : at] == [">>>", "("] and self.text[at + 1 : at + 3] == ["...", ")"] for at in used)
        return given[last:] if is_whole and region.head.copies_pack else None

    def _kernels(self, part: Range) -> list[Pointed]:
        """The kernels that an argument may be: one that it names, or what a variable points to."""
        begin, end = part
        begin += self.text[begin] == "&"
        if end == begin + 1 and (pointed := self.pointers.kernels(begin)):
            return pointed
        name = self.named(begin, end)
        return [Pointed(name)] if self.pointers.is_kernel(*name) else []


def _fits(region: Region, count: int) -> bool:
    least = len(region.head.parameters) - 1
    return count >= least if region.head.is_pack else fits(region.head, count)
