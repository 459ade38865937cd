"""Numbers that a function of the library writes to an address: `fscanf(file, "%d", &n)`, `clGetDeviceInfo(…, &n, 0)`.

In: a call, by the name of the function. Out: which of its arguments are addresses that it writes to before it comes back, and
which are ones that it only reads from. It keeps none of them, so behind the call a variable has one value, which nobody knows, as
if it had been set to that. Only functions are here whose definitions say so: those of C, of the CUDA runtime and of OpenCL, by
their exact names. What is copied while the program goes on (`cudaMemcpyAsync`, a read of OpenCL that does not wait) may change
later, and is not here. Sources: C17 7.21 and 7.24, the CUDA runtime API, the OpenCL 1.2 specification.

`sscanf(argv[1], "%d", &n)` reads a word of the command line: it is a value of its own, for where the word is no number the
variable is what it was, which other reads of that word are not.
"""

from __future__ import annotations

from collections.abc import Iterator

import automata.lang.host.library as library
from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

SCAN = "sscanf"
"""The function that reads numbers from a text."""
TOLD = "told"
"""The kind of what stands for a value that a call writes."""
_COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SCANNING = {"scanf": 1, "sscanf": 2, "fscanf": 2}
"""Functions that write to all arguments from one on."""
_QUERIES = (3, 4)
_CUDA = {"Memcpy": (0,), "MemcpyFromSymbol": (0,), "GetDevice": (0,), "GetDeviceCount": (0,), "DeviceGetAttribute": (0,),
         "EventElapsedTime": (0,), "MemGetInfo": (0, 1), "DriverGetVersion": (0,), "RuntimeGetVersion": (0,),
         "OccupancyMaxActiveBlocksPerMultiprocessor": (0,)}
_OPENCL = {"GetPlatformIDs": (2,), "GetDeviceIDs": (4,), "GetKernelWorkGroupInfo": (4, 5), "GetProgramBuildInfo": (4, 5),
           "CreateContext": (5,), "CreateContextFromType": (4,), "CreateCommandQueue": (3,), "CreateBuffer": (4,),
           "CreateCommandQueueWithProperties": (3,), "CreateSubBuffer": (4,), "CreateImage": (5,), "CreateImage2D": (7,),
           "CreateSampler": (4,), "CreateProgramWithSource": (4,), "CreateProgramWithBinary": (6,), "CreateKernel": (2,),
           **dict.fromkeys(("GetDeviceInfo", "GetPlatformInfo", "GetContextInfo", "GetKernelInfo", "GetProgramInfo",
                            "GetEventInfo", "GetEventProfilingInfo", "GetMemObjectInfo", "GetCommandQueueInfo"), _QUERIES)}
_WRITING = {"fread": (0,), "memcpy": (0,), "memmove": (0,), "memset": (0,), **{f"cl{name}": at for name, at in _OPENCL.items()},
            **{f"{base}{name}": at for base in ("cuda", "hip") for name, at in _CUDA.items()}}
_READING = {"fwrite": (0,), "memcpy": (1,), "memmove": (1,), "memcmp": (0, 1), "clEnqueueWriteBuffer": (5,),
            "clSetKernelArg": (3,),
            **{f"{base}{name}": (1,) for base in ("cuda", "hip")
               for name in ("Memcpy", "MemcpyAsync", "MemcpyToSymbol", "MemcpyToSymbolAsync")}}
_MOVING = frozenset({"bzero", "fread", "read", "recv", "clEnqueueReadBuffer", "memset", "memcpy", "memmove", "fill_n", "copy",
                     "copy_n", *(f"{base}Memcpy{how}" for base in ("cuda", "hip") for how in ("", "Async", "FromSymbol"))})
"""Functions that may write several numbers from an address on."""
_WAITING = {"clEnqueueReadBuffer": (2, 5)}
"""Functions that write to an argument before they come back if another one is `CL_TRUE`."""
_BITS = {"%d": 32, "%i": 32, "%u": 32, "%ld": 64, "%lu": 64, "%lld": 64, "%llu": 64, "%zu": 64, "%zd": 64}
"""What stands alone in a format, and of how many bits the number is that is written, but for `long` on Windows."""


def _written(name: str, given: tuple[Node, ...]) -> tuple[int, ...]:
    """The arguments that a call writes to before it comes back."""
    if name in _SCANNING:
        return tuple(range(_SCANNING[name], len(given)))
    if name in _WAITING:
        waits, to = _WAITING[name]
        return (to,) if len(given) > to and given[waits].text in ("CL_TRUE", "1") else ()
    return _WRITING.get(name, ())


def only_read(name: str) -> tuple[int, ...]:
    """The arguments that a call only reads from."""
    return _READING.get(name, ())


def addressed(node: Node) -> Node | None:
    """The name whose address an argument is: `&n`, `(void *)&n`."""
    while node.kind == "cast" and node.type is not None and node.type.pointers and len(node.parts) == 1:
        node = node.parts[0]
    is_address = node.kind == "unary" and node.text == "&" and node.parts[0].kind == "name" and node.parts[0].ranges is None
    return node.parts[0] if is_address else None


def _scanned(name: str, given: tuple[Node, ...], bits: int, text: str) -> Node | None:
    """The word of the command line that a number of so many bits is read from: an element of an array, which `words` knows.
    `text`: the format."""
    is_one = name == SCAN and len(given) == 3 and given[0].kind == "index"
    return given[0] if is_one and _BITS.get(text.strip('"').strip()) == bits else None


def _within(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _within(part)


class Telling:
    """Finds such calls. `told`: by the token that names the function, which variables it writes to, by the number of the
    argument, and what stands for their values."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.told: dict[int, dict[int, tuple[Variable, Node]]] = {}

    def resolve(self, name: str, at: int) -> Variable | None:
        """The variable that a name means at a token."""
        raise NotImplementedError

    def record(self, node: Node) -> Variable | None:
        """The plain structure that a field is one of (`records`)."""
        base = node.parts[0]
        variable = self.resolve(base.text, base.at) if base.kind == "name" and base.ranges is None else None
        return variable if variable is not None and node.text in variable.record and node.ranges is None else None

    def field(self, node: Node) -> Variable | None:
        """The field of a plain structure that is a variable."""
        owner = self.record(node)
        return owner.fields.get(node.text) if owner is not None else None

    def spread(self, call: Node) -> None:
        """Note that what moves bytes may reach all fields of a structure from the address of any."""
        name = call.parts[0].text.rpartition("::")[2]
        written = [part for index, part in enumerate(call.parts[1:]) if name in _MOVING and index not in only_read(name)]
        for node in (each for part in written for each in _within(part) if each.kind == "member"):
            if (owner := self.record(node)) is not None:
                owner.escapes = True

    def is_handed(self, node: Node) -> bool:
        """Whether an operand is a plain structure, and an operator that is not known may take a reference to it."""
        if node.kind == "name":
            variable = self.resolve(node.text, node.at)
            return variable is not None and bool(variable.record) and not self.program.trusts_operators
        return node.kind in ("cond", "comma", "assign") and any(map(self.is_handed, node.parts))

    def library_name(self, callee: Node) -> str:
        """The name of a function of the library that a call names; nothing for any other."""
        raise NotImplementedError

    def note_told(self, node: Node) -> None:
        """Note the calls in an expression, each of which is evaluated whenever that is, that write to variables whose addresses
        they are given: they change them, and keep nothing of them."""
        if node.kind == "assign" or (node.kind == "binary" and node.text in _COMPARED):
            self.note_told(node.parts[node.kind == "assign"])
        if node.kind == "cast" or (node.kind == "unary" and node.text == "!"):
            self.note_told(node.parts[0])
        if node.kind != "call":
            return
        for part in node.parts[1:]:
            self.note_told(part)
        callee = node.parts[0]
        found, name = dict[int, tuple[Variable, Node]](), self.library_name(callee)
        if name in library.PITCHED and len(node.parts) == 5:
            found = self._told(node, (1,), "pitch", node.parts[3:4])
        elif name and self._waits(node):
            found = self._told(node, _written(name, node.parts[1:]), TOLD, ())
        if found and len({id(variable) for variable, _ in found.values()}) == len(found):
            self.told[callee.at] = found

    def _waits(self, node: Node) -> bool:
        return all(self.resolve(part.text, part.at) is None for part in node.parts[1:] if part.text == "CL_TRUE")

    def _told(self, node: Node, written: tuple[int, ...], kind: str, parts: tuple[Node, ...]) -> dict[int, tuple[Variable, Node]]:
        """The variables whose addresses a call is given to write to, with what stands for their values."""
        found, given = dict[int, tuple[Variable, Node]](), node.parts[1:]
        for index in written:
            name = addressed(given[index]) if index < len(given) else None
            variable = self.resolve(name.text, name.at) if name is not None and self.is_own_number(name) else None
            if variable is not None and variable.type.number is not None:
                word = self._word(node, variable.type.number.bits) if kind == TOLD else None
                found[index] = variable, Node(kind, node.parts[0].at, parts=(node.parts[0], word) if word else parts,
                                              type=variable.type)
        return found

    def _word(self, node: Node, bits: int) -> Node | None:
        """The word of the command line that a call reads, with a format that stands there alone."""
        form = node.parts[2] if len(node.parts) == 4 else node
        is_alone = form.kind == "text" and self.program.tokens.text[form.at + 1] == ","
        return _scanned(self.library_name(node.parts[0]), node.parts[1:], bits, form.text) if is_alone else None

    def is_own_number(self, name: Node) -> bool:
        """Whether a name is that of a number of the function's own."""
        variable = self.resolve(name.text, name.at)
        return variable is not None and variable.is_local and variable.is_scalar and variable.type.is_number
