"""How an instance is called that its template arguments do not tell alone: `k<float for (float *, int)>`.

Kernel templates of one name may have instances by the same arguments; then the parameters of the function tell them apart. In:
such a name. Out: the name that a launch writes, and how many arguments it passes.
"""

from __future__ import annotations

FOR = " for ("


def with_count(name: str) -> tuple[str, int | None]:
    """`k<float>` and 2 of the name above; None where the template arguments tell the instance. Packs are not told by launches."""
    plain, has, params = name.partition(FOR)
    if not has or "..." in plain:
        return name, None
    return plain + ">", parameters(params.removesuffix(">"))


def parameters(text: str) -> int:
    """How many parameters `int *, pair<int, int>)` names; commas inside of brackets part none."""
    depth = commas = 0
    for letter in text[:-1]:
        depth += (letter in "<([{") - (letter in ">)]}")
        commas += letter == "," and depth == 0
    return commas + bool(text[:-1])
