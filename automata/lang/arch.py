"""The device that CUDA text is compiled for, as far as the text can ask: `__CUDA_ARCH__` and what goes with it.

The value that `--arch` and launch records state is that of nvcc's `sm_NN`; what it decides of a kernel is said with the verdict.
"""

from __future__ import annotations

import re

from automata.place import InputError

MACRO = "__CUDA_ARCH__"
DEFAULT = "700"
"""Of Volta, whose memory model and warps the proofs go by."""
NEWER = ("800", "900")
"""Devices for which a kernel is read that the first is not written for, the earliest first."""
COMPILED = "compiled for"
"""How what a verdict rests on begins where the text asks for the device."""


def arch_macros(name: str) -> dict[str, str]:
    """The macros of `sm_80`, `compute_80` or `80`; of `sm_90a` also those of its own features. InputError for anything else."""
    found = re.fullmatch(r"(?:sm_|compute_)?(\d{2,3})(a?)", name.strip())
    if found is None or not 20 <= int(found.group(1)) < 200 or (found.group(2) and int(found.group(1)) < 90):
        raise InputError(f"architecture '{name}': write sm_NN or compute_NN as for nvcc, for example sm_80")
    number = found.group(1)
    macros = {MACRO: f"{number}0"}
    if found.group(2):
        macros |= {f"__CUDA_ARCH_FEAT_SM{number}_ALL": "1", "__CUDA_ARCH_SPECIFIC__": f"{number}0"}
    return macros


def compiled_for(value: str) -> str:
    """What a verdict rests on where the text asks for the device."""
    device = f"sm_{value[:-1]} ({MACRO} == {value})" if re.fullmatch(r"\d+0", value) else f"{MACRO} == {value}"
    return f"{COMPILED} {device}, which the text asks for: --arch chooses another"
