"""Launches in the host code of a file: `kernel<float, 256><<<grid, block, shared>>>(…)`, cudaLaunchKernel, hipLaunchKernelGGL.

What is not certain is None. Launches inside device code are left out, and those of a name that may be a variable.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace

from automata.lang.core import Kernel
from automata.lang.host.bodies import read_bodies
from automata.lang.host.declarations import Variable
from automata.lang.host.numbers import Number, Unknown, limits
from automata.lang.host.program import Program
from automata.lang.host.symbolic import NO_SIZES, Sizes, Symbolic
from automata.lang.host.syntax import ExpressionReader, Node, NotUnderstood
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.values import Evaluator
from automata.lang.launch import Launch
from automata.lang.launch import Sizes as LaunchSizes
from automata.lang.preprocess import Text
from automata.place import Place
from automata.scalar import Scalar

MAX_LAUNCHES = 5_000
MOST_ALIKE = 4
"""Launches of the same sizes that are looked at one by one."""
_LAUNCHING = re.compile(r"<<<|\b(?:cuda|hip)Launch(?:Cooperative)?Kernel\w*")
_CALLS = {"cudaLaunchKernel": "array", "hipLaunchKernel": "array", "cudaLaunchCooperativeKernel": "array",
          "hipLaunchCooperativeKernel": "array", "hipLaunchKernelGGL": "list", "cudaLaunchKernelEx": "config",
          "hipLaunchKernelEx": "config"}
_ARGUMENT = re.compile(r"\{(\d+)\}")
_ARGUMENTS = 200
Range = tuple[int, int]
SymbolicSizes = tuple[int | str | None, int | str | None, int | str | None]


@dataclass(frozen=True, slots=True)
class HostLaunch:
    """A launch as host code states it; None stands for what is not certain.

    `template_args`: an integer where it is known, else its text; None when one of them depends on something
    unknown, () when there are none. `args`: the values of the kernel's arguments in order, as far as the launch
    lists them; `types`: of those that are variables. A size may be a text, in which `{2}` stands for the third argument; `needs`:
    what is required for each text to be what C computes. `shared_bytes`: dynamic shared memory. `others`: how many launches of
    the same sizes it stands for besides, with arguments of their own.
    """

    kernel: str
    qualified: str
    template_args: tuple[str, ...] | None
    grid: SymbolicSizes
    block: SymbolicSizes
    shared_bytes: int | None
    args: tuple[int | float | None, ...]
    place: Place
    types: tuple[Number | None, ...] = ()
    needs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    others: int = 0

    @property
    def has_sizes(self) -> bool:
        """Whether more is known of the sizes than how many axes there are."""
        sizes = *self.grid, *self.block
        return any(size not in (None, 1) for size in sizes) or (self.grid[0] is not None and self.block[0] is not None)

    @property
    def sizes(self) -> tuple[object, ...]:
        """All that the sizes hang on."""
        return self.grid, self.block, self.shared_bytes, self.needs

    def of(self, kernel: Kernel) -> Launch:
        """As a launch of a kernel: what is not known is symbolic."""
        params = {param.name: param.type for param in kernel.params}
        args: dict[str, int | float | str] = {}
        for name, value in zip(kernel.slots, self.args, strict=False):
            given = _as_parameter(value, params.get(name))
            if given is not None:
                args[name] = given
        names = {f"{{{at}}}": name for at, (name, given) in enumerate(zip(kernel.slots, self.types, strict=False))
                 if given is not None and name in params and _is_type(given, params[name])}
        grid, block = (sizes if any(sizes) else None for sizes in (_named(self.grid, names), _named(self.block, names)))
        stated = [_in_names(need, names) for text, needs in self.needs if _in_names(text, names) for need in needs]
        is_here = os.path.realpath(self.place.file) == os.path.realpath(kernel.place.file)
        where = f"line {self.place.line}" if is_here else f"{self.place.file}:{self.place.line}"
        return Launch(grid, block, args, tuple(dict.fromkeys(need for need in stated if need)),
                      source=f"host code, {where}{self._and_others()}", shared_bytes=self.shared_bytes)

    def _and_others(self) -> str:
        """Which launches it stands for besides: where their arguments differ, any are taken."""
        return f" and {self.others} more with other arguments" if self.others else ""


def _as_parameter(value: int | float | None, kind: Scalar | None) -> int | float | None:
    """An argument in the type of its parameter; None where it is not known, or C does not say."""
    if value is None or kind is None:
        return None
    if kind.is_float:
        return float(value)
    if isinstance(value, float) and kind.bits > 1 and not kind.low <= int(value) <= kind.high:
        return None
    return kind.wrap(int(value) if kind.bits > 1 else int(value != 0))


def _is_type(number: Number, kind: Scalar) -> bool:
    """Whether a variable of the host has the type of a parameter: the same numbers in both."""
    return kind.is_int and kind.bits == number.bits and kind.signed is not number.unsigned


def _in_names(text: str, names: dict[str, str]) -> str | None:
    """A text over the names of parameters; None where an argument has none."""
    if not all(f"{{{at}}}" in names for at in _ARGUMENT.findall(text)):
        return None
    return _ARGUMENT.sub(lambda found: names[found[0]], text)


def _named(sizes: SymbolicSizes, names: dict[str, str]) -> LaunchSizes:
    x, y, z = (_in_names(size, names) if isinstance(size, str) else size for size in sizes)
    return x, y, z


def host_launches(source: Text) -> dict[str, list[HostLaunch]]:
    """For each kernel name (of a template: `reduce<float,256>`, spaces left out), its launches of which a size is known. Those of
    the same sizes are one if they have the same arguments, or if there are many: then with the arguments that they share."""
    found: dict[str, list[HostLaunch]] = {}
    for launch in find_launches(source):
        if launch.template_args is None or not launch.has_sizes:
            continue
        name = launch.kernel + (f"<{','.join(launch.template_args)}>" if launch.template_args else "")
        others = found.setdefault(name.replace(" ", ""), [])
        alike = [at for at, other in enumerate(others) if launch.sizes == other.sizes]
        same = next((at for at in alike if (others[at].args, others[at].types) == (launch.args, launch.types)), None)
        if same is not None:
            continue
        if len(alike) < MOST_ALIKE:
            others.append(launch)
        else:
            others[alike[-1]] = _shared(others[alike[-1]], launch)
    return found


def _shared(one: HostLaunch, two: HostLaunch) -> HostLaunch:
    """Two launches of the same sizes: what is known of both."""
    args = tuple(a if a == b and type(a) is type(b) else None for a, b in zip(one.args, two.args, strict=False))
    types = tuple(a if a == b else None for a, b in zip(one.types, two.types, strict=False))
    return replace(one, others=one.others + 1, args=args, types=types)


def find_launches(source: Text) -> list[HostLaunch]:
    """The launches in the host code of a file, in order. Host code that cannot be followed has none."""
    if not _LAUNCHING.search(source.text) or source.is_lost:
        return []
    tokens = Tokens(source.text)
    if not tokens.is_plain:
        return []
    finder = _Finder(source, tokens)
    found = finder.found()
    return [] if finder.is_ambiguous() else found


class _Finder:
    """The launches of one file."""

    def __init__(self, source: Text, tokens: Tokens) -> None:
        self.source, self.tokens, self.text = source, tokens, tokens.text
        self.program = Program(tokens, source.missing, source.doubted_names())
        read_bodies(self.program)
        self.evaluator = Evaluator(self.program)

    def found(self) -> list[HostLaunch]:
        launches: list[HostLaunch] = []
        for at in range(1, self.tokens.size):
            token = self.text[at]
            if token != "<<<" and token not in _CALLS:
                continue
            if self._is_device(at) or self.source.is_doubted(self.tokens.starts[at]):
                continue
            if token == "<<<":
                launch = self._arrows(at)
            elif self.text[at + 1] == "(":
                launch = self._call(at, _CALLS[token])
            else:
                continue
            launches += [launch] if launch else []
            if len(launches) >= MAX_LAUNCHES:
                break
        return launches

    def is_ambiguous(self) -> bool:
        """Whether what was taken for template arguments may be a comparison: a variable has the name of the template."""
        return bool(self.tokens.held & {self.text[at] for at in self.program.declares})

    def _is_device(self, at: int) -> bool:
        region = self.program.region_at(at)
        return region is not None and region.is_device

    def _arrows(self, at: int) -> HostLaunch | None:
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
        begin = end
        while begin >= 2 and self.text[begin - 1] == "::" and self.text[begin - 2].isidentifier():
            begin -= 2
        closing = self._closing(at + 1)
        if closing < 0 or self.text[begin - 1] in (".", "->"):
            return None
        config = self.tokens.split(at + 1, closing)
        args = self.tokens.split(closing + 2, self.tokens.match[closing + 1]) if self.text[closing + 1] == "(" else []
        return self._launch((begin, at), config, args, at)

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

    def _call(self, at: int, form: str) -> HostLaunch | None:
        """A launch by a function of the runtime."""
        end = self.tokens.match[at + 1]
        is_other = self.program.declared[self.text[at]] or self.text[at - 1] in (".", "->", "::") or at in self.program.means
        if end < 0 or end - at > 4000 or is_other:
            return None
        parts = self.tokens.split(at + 2, end)
        if form == "config":
            return self._launch(parts[1], [], parts[2:], at, known=False) if len(parts) > 1 else None
        if len(parts) < 3:
            return None
        if form == "list":
            return self._launch(parts[0], parts[1:4], parts[5:], at)
        return self._launch(parts[0], [*parts[1:3], *parts[4:5]], [], at)

    def _launch(self, name: Range, config: list[Range], args: list[Range], at: int, known: bool = True) -> HostLaunch | None:
        begin, end = self._bare(name)
        first = begin
        words: list[str] = []
        while begin < end and is_name(self.text[begin]):
            words.append(self.text[begin])
            begin += 2 if self.text[begin + 1] == "::" else 1
            if self.text[begin - 1] != "::":
                break
        if not words or (known and len(config) < 2) or self._may_be_variable(words, first):
            return None
        template: tuple[str, ...] | None = ()
        if begin < end:
            if self.text[begin] != "<":
                return None
            template = self._template(begin + 1, end - 1)
        passed = [self._passed(*part) for part in args[:_ARGUMENTS]]
        self.evaluator.passed = {id(variable): f"{{{number}}}" for number, variable in enumerate(passed) if variable is not None}
        found = [self._sizes(part) for part in config[:2]] if known else [NO_SIZES, NO_SIZES]
        self.evaluator.passed = {}
        needs = {part.text: part.needs for sizes in found for part in sizes.parts if isinstance(part, Symbolic) and part.needs}
        return HostLaunch(words[-1], "::".join(words), template, _texts(found[0]), _texts(found[1]), self._shared(config, known),
                          tuple(self._argument(*part) for part in args[:_ARGUMENTS]), self.source.place(self.tokens.starts[at]),
                          tuple(None if variable is None else variable.type.number for variable in passed), tuple(needs.items()))

    def _may_be_variable(self, words: list[str], first: int) -> bool:
        """Whether what is launched may be another thing than the kernel of that name."""
        region = self.program.region_at(first)
        if region is not None and words[-1] in region.barred:
            return True
        program, name = self.program, words[-1]
        is_elsewhere = not set(words[:-1]) <= program.namespaces or not program.is_one_kernel(name)
        return is_elsewhere or name in program.barred or first in program.means or name in program.variables

    def _bare(self, part: Range) -> Range:
        """A kernel's name without casts, `&`, brackets and HIP_KERNEL_NAME."""
        begin, end = part
        for _ in range(8):
            closing = self.tokens.match[begin] if begin < end else -1
            if self.text[begin] in ("&", "::", "HIP_KERNEL_NAME", "void", "const"):
                begin += 1
            elif self.text[begin] in ("reinterpret_cast", "static_cast") and self.tokens.angle_end(begin + 1) > 0:
                begin = self.tokens.angle_end(begin + 1) + 1
            elif self.text[begin] == "(" and closing == end - 1:
                begin, end = begin + 1, end - 1
            elif self.text[begin] == "(" and begin < closing < end and self.text[closing - 1] == "*":
                begin = closing + 1
        return begin, end

    def _template(self, begin: int, end: int) -> tuple[str, ...] | None:
        """Template arguments as text; None when one depends on something unknown."""
        region = self.program.region_at(begin)
        unknown = self.program.barred | (region.barred if region is not None else set())
        found = []
        for start, stop in self.tokens.split(begin, end):
            value = self._value(start, stop)
            names = {token for token in self.text[start:stop] if is_name(token)}
            if isinstance(value, Number) and value.bits and self.text[start] not in ("true", "false"):
                found.append(str(value.value))
            elif names & unknown or any(self.program.declared[name] > 1 for name in names) or any(
                    at in self.program.means for at in range(start, stop)) or not names.isdisjoint(self.program.types.aliases):
                return None
            else:
                found.append(_joined(self.text[start:stop]))
        return tuple(found)

    def _node(self, begin: int, end: int) -> Node | None:
        """The expression in [begin, end)."""
        try:
            return ExpressionReader(self.tokens, begin, end, self.program.types).whole()
        except (NotUnderstood, RecursionError):
            return None

    def _value(self, begin: int, end: int) -> Number | Symbolic | Sizes | None:
        node = self._node(begin, end)
        try:
            return None if node is None else self.evaluator.value(node)
        except (Unknown, ValueError, OverflowError, RecursionError):
            return None

    def _sizes(self, part: Range) -> Sizes:
        node = self._node(*part)
        try:
            return NO_SIZES if node is None else self.evaluator.sizes(node)
        except RecursionError:
            return NO_SIZES

    def _passed(self, begin: int, end: int) -> Variable | None:
        """The integer variable that an argument is, if it does not change."""
        variable = self.evaluator.variable(begin) if end == begin + 1 else None
        kind = variable.type.number if variable is not None and variable.numeric else None
        return variable if kind is not None and kind.bits > 1 and limits(kind)[1] > 1 else None

    def _shared(self, config: list[Range], known: bool) -> int | None:
        if len(config) < 3:
            return 0 if known else None
        value = self._value(*config[2])
        return int(value.value) if isinstance(value, Number) and 0 <= value.value < 2**32 else None

    def _argument(self, begin: int, end: int) -> int | float | None:
        value = self._value(begin, end)
        return value.value if isinstance(value, Number) else None


def _texts(sizes: Sizes) -> SymbolicSizes:
    """Sizes as numbers and texts."""
    x, y, z = (part.text if isinstance(part, Symbolic) else None if part is None else int(part.value) for part in sizes.parts)
    return x, y, z


def _joined(tokens: list[str]) -> str:
    """Tokens as text, words apart from words."""
    text = ""
    for token in tokens:
        text += " " + token if text[-1:].isalnum() and (token[0].isalnum() or token[0] == "_") else token
    return text
