"""Parameters of two kernels that have no namesake on the other side: which of them stand for each other.

`f(float *in, float *out, int n)` and `g(float *x, float *y, int len)` are two versions of one kernel. What is left when names
have been matched is matched by kind: arrays of one type that the kernel writes, arrays of one type that it only reads, integers,
floats of one type. Of each kind there have to be as many on both sides; then the first belongs to the first. What was matched so
is assumed, aloud.
"""

from __future__ import annotations

from collections.abc import Mapping

from automata.lang.core import Kernel, Space
from automata.lang.effects import stored_arrays
from automata.scalar import BOOL, Scalar


def matched_parameters(a: Kernel, b: Kernel, names: Mapping[str, str]) -> dict[str, str]:
    """A's parameters to b's, of those that neither `names` (a's to b's) nor equal names match."""
    taken_a, taken_b = {*names, *b.order}, {*names.values(), *a.order}
    ours, theirs = _by_kind(a, taken_a), _by_kind(b, taken_b)
    found: dict[str, str] = {}
    for kind, left in ours.items():
        right = theirs.get(kind, [])
        if len(left) == len(right):
            found.update(zip(left, right, strict=True))
    return found


def like_cells(a: Kernel, b: Kernel, names: Mapping[str, str]) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """What arrays of either side should be made of that the other side has in narrower cells, or as floats where this one only
    moves their bits: a `char *` that is read as `int` here and by bytes there is an array of bytes on both sides."""
    found: tuple[dict[str, Scalar], dict[str, Scalar]] = {}, {}
    theirs = {array.name: array.element for array in b.arrays if array.space is Space.GLOBAL and array.name in b.order}
    for array in a.arrays:
        other = names.get(array.name, array.name)
        if array.space is not Space.GLOBAL or array.name not in a.order or other not in theirs:
            continue
        one, two = array.element, theirs[other]
        if BOOL in (one, two) or (one.bytes == two.bytes and one.is_float == two.is_float):
            continue
        is_ours = one.bytes > two.bytes or (one.bytes == two.bytes and one.is_int)
        found[not is_ours][array.name if is_ours else other] = two if is_ours else one
    return found


def told(found: Mapping[str, str]) -> list[str]:
    """What is assumed of parameters that were matched, and how to say otherwise."""
    pairs = [f"{left} is b's {right}" for left, right in found.items()]
    return [f"a's {', '.join(pairs)}: of one type and use, in this order (--map says otherwise)"] if pairs else []


def in_another_order(a: Kernel, b: Kernel, names: Mapping[str, str]) -> list[str]:
    """What is assumed of parameters that have one name on both sides and stand in another order in b: a call of a, left as it is,
    gives b other values. `names`: a's to b's, those that were matched otherwise."""
    ours = [name for name in a.order if name in b.order and name not in names and name not in names.values()]
    theirs = [name for name in b.order if name in ours]
    first = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other), len(ours))
    moved = f"{', '.join(ours[first:])} in a, {', '.join(theirs[first:])} in b"
    return [f"parameters of one name get one value, though their order differs: {moved}"] if first < len(ours) else []


Kind = tuple[str, str, bool]


def _by_kind(kernel: Kernel, taken: set[str]) -> dict[Kind, list[str]]:
    """The parameters of a kernel that have no namesake, by kind, as they are declared."""
    written = stored_arrays(kernel.body)
    kinds: dict[str, Kind] = {array.name: ("array", str(array.element), array.name in written)
                              for array in kernel.arrays if array.space is Space.GLOBAL}
    kinds.update({param.name: ("integer" if param.type.is_int else "float", "" if param.type.is_int else str(param.type), False)
                  for param in kernel.params})
    found: dict[Kind, list[str]] = {}
    for name in kernel.order:
        if name in kinds and name not in taken:
            found.setdefault(kinds[name], []).append(name)
    return found
