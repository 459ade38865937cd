"""Every key of a settings file: where it may stand, what it holds, what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "count", "flag", "text", "texts", "table", "mode", "verdicts", "launches", "kernels", "pairs"]
Where = Literal["file", "kernel", "pair", "launch"]


@dataclass(frozen=True, slots=True)
class Key:
    """`default`: what holds where nobody says, as the file would say it; "" without."""

    where: Where
    name: str
    kind: Kind
    means: str
    default: str = ""


MODES = ("bitwise", "int", "real")
KEYS = (
    Key("file", "timeout", "number", "seconds a kernel at one launch, or a pair, may take", "60"),
    Key("file", "budget", "number", "seconds a whole `spmd check` may take"),
    Key("file", "strict", "flag", "same-value writes count as races", "false"),
    Key("file", "mode", "mode", "weakest class of equality accepted: bitwise, int or real", "real"),
    Key("file", "arch", "text", "the device that CUDA is compiled for: sm_80"),
    Key("file", "define", "table", "macros: NAME = VALUE"),
    Key("file", "limits", "table", "limits on work: run-threads = 1000000; `spmd config --limits` lists them"),
    Key("file", "include", "texts", "folders for #include, from this file's"),
    Key("file", "fail-on", "verdicts", "verdicts of `spmd diff` that fail"),
    Key("file", "kernel", "kernels", "what holds for some kernels"),
    Key("file", "pair", "pairs", "kernels that compute the same"),
    Key("kernel", "files", "texts", "globs of files, from this file's folder; without: all"),
    Key("kernel", "names", "texts", "globs of kernels' names, template arguments left out; without: all"),
    Key("kernel", "template-args", "texts", "instantiations to look at: 'float, 256'"),
    Key("kernel", "launches", "launches", "how they are launched; several: each is checked"),
    Key("kernel", "require", "texts", "what holds at every launch: ['n > 0', 'aligned(x, 16)']"),
    Key("kernel", "outputs", "texts", "arrays that are compared (without: all)"),
    Key("kernel", "timeout", "number", "as above, for these"),
    Key("kernel", "strict", "flag", "as above, for these"),
    Key("kernel", "mode", "mode", "as above, for these"),
    Key("launch", "block", "text", "block sizes: '16,16'"),
    Key("launch", "grid", "text", "grid sizes: '(n+255)/256'"),
    Key("launch", "args", "table", "scalar arguments: { n = 1024 }"),
    Key("launch", "extents", "table", "elements of arrays: { h = 256 }"),
    Key("launch", "require", "texts", "what holds at this launch"),
    Key("launch", "alias", "texts", "pointer parameters that get one buffer: ['out,in']"),
    Key("pair", "original", "text", "the old kernel: 'src/a.cu:naive'"),
    Key("pair", "optimised", "text", "the new kernel, or a sequence: 'src/b.cu:one;two'"),
    Key("pair", "launch", "launches", "the launch of both, where they do not state their own"),
    Key("pair", "map", "table", "parameters of the original to those of the other"),
    Key("pair", "outputs", "texts", "arrays that are compared (without: all)"),
    Key("pair", "relate", "texts", "relations to ask for instead of equality"),
    Key("pair", "require", "texts", "what holds at the launch"),
    Key("pair", "mode", "mode", "as above, for this pair"),
    Key("pair", "timeout", "number", "as above, for this pair"),
)


def keys_of(where: Where) -> dict[str, Key]:
    return {key.name: key for key in KEYS if key.where == where}
