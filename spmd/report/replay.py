"""A counterexample as a program: a CUDA file with both sides, their inputs and a main that prints the cell that differs.

Input: the answer of a comparison that found a difference, with the memory that both sides began with. Output: text that nvcc
compiles as it stands. The files of the two sides stand in namespaces of their own, their #include lines before both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from automata.place import InputError
from automata.scalar import Scalar
from equivalence.result import Counterexample, Launched

_INCLUDE = re.compile(r"^\s*#\s*include\b.*$", re.MULTILINE)
_LINKAGE = re.compile(r'extern\s+"C"\s+(?!\{)')
_HEAD = """// {what}
// Both kernels run on the same inputs; {array}[{cell}] ends up different. Compile with nvcc and run.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
{includes}

// Each argument as the type of its parameter.
template <class... P, class... A> void launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, A... given) {{
  kernel<<<grid, block, shared>>>((P)given...);
  cudaDeviceSynchronize();
}}
"""


def replay_program(found: Counterexample, files: Sequence[Sequence[str]], what: str) -> str:
    """The program. `files`: of the kernels of each side. InputError where a parameter is a structure, or a
    relation is asked for."""
    if found.relation:
        raise InputError("relations are not replayed as programs")
    if not found.memory:
        raise InputError("the cells that the kernels reach lie too far apart to be written down")
    texts = [[Path(file).read_text(encoding="utf-8", errors="replace") for file in dict.fromkeys(side)] for side in files]
    includes = dict.fromkeys(line.strip() for side in texts for text in side for line in _INCLUDE.findall(text))
    parts = [_HEAD.format(what=what, array=found.array, cell=found.cell, includes="\n".join(includes))]
    for name, side in zip("ab", texts, strict=True):
        body = "\n".join(_LINKAGE.sub("", _INCLUDE.sub("", text)) for text in side)
        parts.append(f"namespace side_{name} {{\n{body.strip()}\n}}  // namespace side_{name}\n")
    for array, (kind, cells) in found.memory.items():
        values = ", ".join(_literal(value, kind) for value in cells.tolist())
        parts.append(f"static const {_type(kind)} start_{_word(array)}[{max(1, cells.size)}] = {{{values}}};\n")
    for name, launches in zip("ab", found.launches, strict=True):
        parts.append(_run(name, launches, found))
    kind = found.memory[found.array][0]
    parts.append(f"""int main() {{
  {_type(kind)} a = run_a(), b = run_b();
  std::printf("{found.array}[{found.cell}]: a %.9g, b %.9g: ", (double)a, (double)b);
  std::puts(std::memcmp(&a, &b, sizeof a) ? "different" : "the same");
  return 0;
}}
""")
    return "\n".join(parts)


def _run(side: str, launches: Sequence[Launched], found: Counterexample) -> str:
    """A function that runs all kernels of a side and gives the cell."""
    lines = [f"static {_type(found.memory[found.array][0])} run_{side}() {{"]
    for array, (kind, _) in found.memory.items():
        word = _word(array)
        lines += [f"  {_type(kind)} *{word};", f"  cudaMallocManaged(&{word}, sizeof start_{word});",
                  f"  std::memcpy({word}, start_{word}, sizeof start_{word});"]
    for launch in launches:
        grid, block = (", ".join(map(str, sizes)) for sizes in (launch.grid, launch.block))
        arguments = [f"side_{side}::{launch.kernel}", f"dim3({grid})", f"dim3({block})", str(launch.shared_bytes),
                     *(_argument(name, launch, found) for name in launch.order)]
        lines += [f"  cudaMemcpyToSymbol(side_{side}::{name}, {_word(name)}, sizeof start_{_word(name)});"
                  for name in _symbols(launch, found) if launch is launches[0]]
        lines.append(f"  launch({', '.join(arguments)});")
    if found.array in _symbols(launches[-1], found):
        word = _word(found.array)
        lines.append(f"  cudaMemcpyFromSymbol({word}, side_{side}::{found.array}, sizeof start_{word});")
    lines += [f"  return {_word(found.array)}[{found.cell}];", "}", ""]
    return "\n".join(lines)


def _symbols(launch: Launched, found: Counterexample) -> list[str]:
    """The variables of the file that a kernel reaches."""
    return [array.name for array in launch.core.arrays
            if array.name in found.memory and array.name not in launch.order and array.content is None]


def _argument(name: str, launch: Launched, found: Counterexample) -> str:
    if "." in name.removeprefix("b."):
        raise InputError(f"parameter '{name.partition('.')[0]}' of kernel '{launch.kernel}' is a structure")
    if name in launch.scalars:
        value, kind = launch.scalars[name]
        return f"({_type(kind)}){_literal(value, kind)}"
    if name not in found.memory:
        raise InputError(f"parameter '{name}' of kernel '{launch.kernel}' is neither a scalar nor an array")
    return _word(name)


def _literal(value: Any, kind: Scalar) -> str:
    if not kind.is_float:
        return str(int(value)) if int(value) > -(1 << 63) else "INT64_MIN"
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return float(value).hex() + ("f" if kind.bits == 32 else "")


def _type(kind: Scalar) -> str:
    return {"bfloat16": "__nv_bfloat16"}.get(kind.name, kind.name)


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)
