"""Launches in the host code of a file: `kernel<float, 256><<<grid, block, shared>>>(…)`, cudaLaunchKernel, hipLaunchKernelGGL.

Host code is not parsed. `host_names` says what each name in it means, `host_values` computes the constants
among them; what is not certain is None. Launches inside device code are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from automata.lang.core import Kernel
from automata.lang.host_names import Names, Variable
from automata.lang.host_symbols import SizeReader, SymbolicSizes, integer_of
from automata.lang.host_values import Expression, Number, Unknown, Value, converted, positive, type_of
from automata.lang.launch import Launch
from automata.lang.launch import Sizes as LaunchSizes
from automata.lang.preprocess import Text
from automata.place import Place
from automata.scalar import Scalar

MAX_LAUNCHES = 5_000
_LAUNCHING = re.compile(r"<<<|\b(?:cuda|hip)Launch(?:Cooperative)?Kernel\w*")
_CALLS = {"cudaLaunchKernel": "array", "hipLaunchKernel": "array", "cudaLaunchCooperativeKernel": "array",
          "hipLaunchCooperativeKernel": "array", "hipLaunchKernelGGL": "list", "cudaLaunchKernelEx": "config",
          "hipLaunchKernelEx": "config"}
_ARGUMENT = re.compile(r"\{(\d+)\}")
_NO_SIZES: SymbolicSizes = (None, None, None)
_MAX_DEPTH = 10
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HostLaunch:
    """A launch as host code states it; None stands for what is not certain.

    `template_args`: an integer where it is known, else its text; None when one of them depends on something
    unknown, () when there are none. `args`: the values of the kernel's arguments in order, as far as the launch
    lists them; `types`: of those that are variables. A size may be a text, in which `{2}` stands for the third argument.
    `shared_bytes`: dynamic shared memory.
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

    @property
    def has_sizes(self) -> bool:
        """Whether more is known of the sizes than how many axes there are."""
        sizes = *self.grid, *self.block
        return any(size not in (None, 1) for size in sizes) or (self.grid[0] is not None and self.block[0] is not None)

    def of(self, kernel: Kernel) -> Launch:
        """As a launch of a kernel: what is not known is symbolic."""
        params = {param.name: param.type for param in kernel.params}
        args: dict[str, int | float | str] = {}
        for name, value in zip(kernel.order, self.args, strict=False):
            kind = params.get(name)
            if value is not None and kind is not None:
                args[name] = float(value) if kind.is_float else kind.wrap(int(value))
        names = [name if given is not None and name in params and _is_type(given, params[name]) else ""
                 for name, given in zip(kernel.order, self.types, strict=False)]
        grid, block = (sizes if any(sizes) else None for sizes in (_named(self.grid, names), _named(self.block, names)))
        return Launch(grid, block, args, source=f"host code, line {self.place.line}", shared_bytes=self.shared_bytes)


def _is_type(number: Number, kind: Scalar) -> bool:
    """Whether a variable of the host has the type of a parameter: the same numbers in both."""
    return kind.is_int and kind.bits == number.bits and kind.signed is not number.unsigned


def _named(sizes: SymbolicSizes, names: list[str]) -> LaunchSizes:
    """Sizes over the names of parameters; those over an argument without one are not known."""
    known = {str(at): name for at, name in enumerate(names) if name}
    x, y, z = (size if not isinstance(size, str) else None if not known.keys() >= set(_ARGUMENT.findall(size))
               else _ARGUMENT.sub(lambda found: known[found[1]], size) for size in sizes)
    return x, y, z


def host_launches(source: Text) -> dict[str, list[HostLaunch]]:
    """For each kernel name (of a template: `reduce<float,256>`, spaces left out), its launches of which a size is known; those of
    the same sizes are one, with the arguments that they share."""
    found: dict[str, list[HostLaunch]] = {}
    for launch in find_launches(source):
        if launch.template_args is None or not launch.has_sizes:
            continue
        name = launch.kernel + (f"<{','.join(launch.template_args)}>" if launch.template_args else "")
        others = found.setdefault(name.replace(" ", ""), [])
        sizes = launch.grid, launch.block, launch.shared_bytes
        same = next((at for at, other in enumerate(others) if sizes == (other.grid, other.block, other.shared_bytes)), None)
        if same is None:
            others.append(launch)
        else:
            shared = (one if one == two else None for one, two in zip(others[same].args, launch.args, strict=False))
            others[same] = replace(others[same], args=tuple(shared))
    return found


def find_launches(source: Text) -> list[HostLaunch]:
    """The launches in the host code of a file, in order. Host code that cannot be followed has none."""
    return _Finder(source).found() if _LAUNCHING.search(source.text) else []


class _Finder:
    """The launches of one file."""

    def __init__(self, source: Text) -> None:
        self.source = source
        self.names = Names(source.text)
        self.tokens = self.names.tokens
        self.values: dict[int, Value | None] = {}
        self.reader = SizeReader(self.names, self._value, self._split)
        self.depth = 0

    def found(self) -> list[HostLaunch]:
        launches: list[HostLaunch] = []
        for at in range(1, self.names.size):
            token = self.tokens[at]
            if token == "<<<" and at not in self.names.device:
                launch = self._arrows(at)
            elif token in _CALLS and self.tokens[at + 1] == "(":
                launch = self._call(at, _CALLS[token])
            else:
                continue
            launches += [launch] if launch else []
            if len(launches) >= MAX_LAUNCHES:
                break
        return launches

    def _arrows(self, at: int) -> HostLaunch | None:
        """The launch `name<…><<<…>>>(…)` whose arrows open at an index."""
        end = at - 1
        if self.tokens[end] in (">", ">>", ">>>"):
            depth = 0
            while end > max(at - 200, 0):
                token = self.tokens[end]
                depth += len(token) * (token in (">", ">>", ">>>")) - (token == "<")
                end = self.names.match[end] if token in (")", "]", "}") and self.names.match[end] >= 0 else end
                end -= 1
                if depth <= 0:
                    break
        begin = end
        while begin >= 2 and self.tokens[begin - 1] == "::" and self.tokens[begin - 2].isidentifier():
            begin -= 2
        closing = self._closing(at + 1)
        if closing < 0:
            return None
        config = self._split(at + 1, closing)
        args = self._split(closing + 2, self.names.match[closing + 1]) if self.tokens[closing + 1] == "(" else []
        return self._launch((begin, at), config, args, at)

    def _closing(self, at: int) -> int:
        """The index of the `>>>` that ends a configuration; -1 where there is none."""
        for _ in range(400):
            token = self.tokens[at]
            if token == ">>>":
                return at
            if token in ("", ";", "<<<", "}", ")"):
                return -1
            jump = self.names.match[at] if token in ("(", "[", "{") else at
            if jump < at:
                return -1
            at = jump + 1
        return -1

    def _split(self, begin: int, end: int) -> list[Range]:
        """The parts of a list [begin, end) between its commas; template arguments hold together."""
        parts: list[Range] = []
        start = at = begin
        while at < end:
            token = self.tokens[at]
            if token == ",":
                parts.append((start, at))
                start = at + 1
            elif token in ("(", "[", "{"):
                at = max(at, self.names.match[at])
            elif token == "<" and self.tokens[at - 1].isidentifier():
                angle = self.names.angle_end(at)
                at = angle if angle > 0 and self.tokens[angle + 1] in (",", ")", "(", "::", "{") else at
            at += 1
        return [*parts, (start, end)] if start < end else parts

    def _call(self, at: int, form: str) -> HostLaunch | None:
        """A launch by a function of the runtime."""
        end = self.names.match[at + 1]
        if end < 0 or end - at > 4000:
            return None
        parts = self._split(at + 2, end)
        if form == "config":
            return self._launch(parts[1], [], parts[2:], at, known=False) if len(parts) > 1 else None
        if len(parts) < 3:
            return None
        if form == "list":
            return self._launch(parts[0], parts[1:4], parts[5:], at)
        return self._launch(parts[0], [*parts[1:3], *parts[4:5]], [], at)

    def _launch(self, name: Range, config: list[Range], args: list[Range], at: int, known: bool = True) -> HostLaunch | None:
        begin, end = self._bare(name)
        words = []
        while begin < end and self.tokens[begin].isidentifier():
            words.append(self.tokens[begin])
            begin += 2 if self.tokens[begin + 1] == "::" else 1
            if self.tokens[begin - 1] != "::":
                break
        first = self.names.means.get(begin - 1)
        if not words or (known and len(config) < 2) or (len(words) == 1 and first is not None and first.local):
            return None
        template: tuple[str, ...] | None = ()
        if begin < end:
            if self.tokens[begin] != "<":
                return None
            template = self._template(begin + 1, end - 1)
        passed = [self.reader.variable(start) if stop == start + 1 else None for start, stop in args[:200]]
        numbers = {id(variable): f"{{{number}}}" for number, variable in enumerate(passed) if variable is not None}
        grid, block = (self._sizes(part, numbers) for part in config[:2]) if known else (_NO_SIZES, _NO_SIZES)
        return HostLaunch(words[-1], "::".join(words), template, grid, block, self._shared(config, known),
                          tuple(self._argument(*part) for part in args[:200]), self.source.place(self.names.starts[at]),
                          tuple(None if variable is None else integer_of(variable) for variable in passed))

    def _bare(self, part: Range) -> Range:
        """A kernel's name without casts, `&`, brackets and HIP_KERNEL_NAME."""
        begin, end = part
        for _ in range(8):
            closing = self.names.match[begin] if begin < end else -1
            if self.tokens[begin] in ("&", "::", "HIP_KERNEL_NAME", "void", "const"):
                begin += 1
            elif self.tokens[begin] in ("reinterpret_cast", "static_cast") and self.names.angle_end(begin + 1) > 0:
                begin = self.names.angle_end(begin + 1) + 1
            elif self.tokens[begin] == "(" and closing == end - 1:
                begin, end = begin + 1, end - 1
            elif self.tokens[begin] == "(" and begin < closing < end:
                begin = closing + 1
        return begin, end

    def _template(self, begin: int, end: int) -> tuple[str, ...] | None:
        """Template arguments as text; None when one depends on something unknown."""
        found = []
        for start, stop in self._split(begin, end):
            value = self._value(start, stop)
            if isinstance(value, Number) and value.bits > 1:
                found.append(str(value.value))
            elif any(index in self.names.means for index in range(start, stop)):
                return None
            else:
                found.append(_joined(self.tokens[start:stop]))
        return tuple(found)

    def _value(self, begin: int, end: int, built: bool = False) -> Value | None:
        """The value of the tokens [begin, end); `built`: they are the bracketed arguments of a `dim3`."""
        try:
            expression = Expression(self.tokens, begin, end, self._lookup)
            return expression.sizes() if built else expression.whole()
        except (Unknown, ValueError, OverflowError, RecursionError):
            return None

    def _lookup(self, at: int) -> Value:
        """The value of the variable that an index names."""
        variable = self.names.means.get(at)
        if variable is None or variable.changed or variable.set_at > at:
            raise Unknown
        key = id(variable)
        if key not in self.values:
            self.values[key] = None
            self.values[key] = self._initial(variable)
        value = self.values[key]
        if value is None:
            raise Unknown
        return value

    def _initial(self, variable: Variable) -> Value | None:
        """The value of a variable's initialiser in the variable's type."""
        kind = type_of([word for word in variable.words if word not in ("auto", "enum")])
        if self.depth > _MAX_DEPTH or (variable.begin < 0 and "enum" not in variable.words):
            return None
        self.depth += 1
        built = "dim3" in variable.words and self.tokens[variable.begin - 1] != "="
        value = self._value(variable.begin, variable.end, built) if variable.begin >= 0 else Number(0)
        self.depth -= 1
        if value is None:
            return None
        if "dim3" in variable.words:
            return value if not isinstance(value, Number) else (positive(value), 1, 1)
        if not isinstance(value, Number):
            return value if "auto" in variable.words else None
        try:
            return converted(value._replace(value=value.value + variable.past), kind) if kind else value
        except Unknown:
            return None

    def _sizes(self, part: Range, passed: dict[int, str]) -> SymbolicSizes:
        """A grid or block: one number, or up to three sizes; what the arguments decide, as a text."""
        value = self._value(*part)
        if value is None or (not isinstance(value, Number) and None in value):
            return self.reader.sizes(part, passed)
        if isinstance(value, Number):
            size = positive(value)
            return (size, 1, 1) if size else _NO_SIZES
        return value

    def _shared(self, config: list[Range], known: bool) -> int | None:
        if len(config) < 3:
            return 0 if known else None
        value = self._value(*config[2])
        return int(value.value) if isinstance(value, Number) and value.value >= 0 else None

    def _argument(self, begin: int, end: int) -> int | float | None:
        value = self._value(begin, end)
        return value.value if isinstance(value, Number) else None


def _joined(tokens: list[str]) -> str:
    """Tokens as text, words apart from words."""
    text = ""
    for token in tokens:
        text += " " + token if text[-1:].isalnum() and (token[0].isalnum() or token[0] == "_") else token
    return text
