"""Launches as they are written: `kernel<float, 256><<<grid, block, shared>>>(…)`, cudaLaunchKernel, hipLaunchKernelGGL.

In: the tokens of a text. Out: for each launch outside of device code which tokens name its kernel, its configuration and its
arguments. Nothing is evaluated here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.host.flow import Test
from automata.lang.host.program import Program
from automata.lang.host.tokens import is_name
from automata.lang.preprocess import Text

_CALLS = {"cudaLaunchKernel": "array", "hipLaunchKernel": "array", "cudaLaunchCooperativeKernel": "array",
          "hipLaunchCooperativeKernel": "array", "hipLaunchKernelGGL": "list", "cudaLaunchKernelEx": "config",
          "hipLaunchKernelEx": "config"}
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """A launch as it is written: the tokens of its kernel's name, configuration and arguments. `at`: where it says that it is
    one; `begin`, `goal`: its first token and its last. `known`: whether it says what sizes it has; `tests`: what holds where its
    name stands for the kernel. `said`: where the call stands that hands the kernel to the function around it."""

    name: Range
    config: list[Range]
    args: list[Range]
    at: int
    begin: int
    goal: int
    known: bool = True
    tests: tuple[Test | list[Test], ...] = ()
    said: int = -1


class Forms:
    """Finds the launches of one file."""

    def __init__(self, source: Text, program: Program) -> None:
        self.source, self.program = source, program
        self.tokens, self.text = program.tokens, program.tokens.text

    def found(self) -> Iterator[Form]:
        """The launches as they are written, in the order of the text."""
        for at in range(1, self.tokens.size):
            token = self.text[at]
            if token != "<<<" and token not in _CALLS:
                continue
            if self.program.is_device(at) or self.source.is_doubted(self.tokens.starts[at]):
                continue
            form = self._arrows(at) if token == "<<<" else self._call(at, _CALLS[token]) if self.text[at + 1] == "(" else None
            if form is not None:
                yield form

    def _arrows(self, at: int) -> Form | None:
        """The launch `name<…><<<…>>>(…)` whose arrows open at an index."""
        end = at - 1
        if self.text[end] in (">", ">>", ">>>"):
            depth = 0
            while end > max(at - 200, 0):
                token = self.text[end]
                depth += len(token) * (token in (">", ">>", ">>>")) - (token == "<")
                end = self.tokens.match[end] if token in (")", "]", "}") and self.tokens.match[end] >= 0 else end
                end -= 1
                if depth <= 0:
                    break
        if self.text[end] == ")" and 0 < self.tokens.match[end] < end and not (
                is_name(self.text[self.tokens.match[end] - 1]) or self.text[self.tokens.match[end] - 1] in (")", "]", ">")):
            end = self.tokens.match[end]
        begin = end
        while begin >= 2 and self.text[begin - 1] == "::" and self.text[begin - 2].isidentifier():
            begin -= 2
        if self.text[end] == "]" and self.tokens.match[end] > 0:
            begin = self.tokens.match[end] - 1
        closing = self._closing(at + 1)
        if closing < 0 or self.text[begin - 1] in (".", "->"):
            return None
        config = self.tokens.split(at + 1, closing)
        last = self.tokens.match[closing + 1] if self.text[closing + 1] == "(" else closing
        args = self.tokens.split(closing + 2, last) if last > closing else []
        return Form((begin, at), config, args, at, begin, max(closing, last))

    def _closing(self, at: int) -> int:
        """The index of the `>>>` that ends a configuration; -1 where there is none."""
        for _ in range(400):
            token = self.text[at]
            if token == ">>>":
                return at
            if token in ("", ";", "<<<", "}", ")"):
                return -1
            jump = self.tokens.match[at] if token in ("(", "[", "{") else at
            if jump < at:
                return -1
            at = jump + 1
        return -1

    def _call(self, at: int, form: str) -> Form | None:
        """A launch by a function of the runtime."""
        end = self.tokens.match[at + 1]
        is_other = self.program.declared[self.text[at]] or self.text[at - 1] in (".", "->", "::") or at in self.program.means
        if end < 0 or end - at > 4000 or is_other:
            return None
        parts = self.tokens.split(at + 2, end)
        if form == "config":
            return Form(parts[1], [], parts[2:], at, at, end, known=False) if len(parts) > 1 else None
        if len(parts) < 3:
            return None
        if form == "list":
            return Form(parts[0], parts[1:4], parts[5:], at, at, end)
        return Form(parts[0], [*parts[1:3], *parts[4:5]], [], at, at, end)
