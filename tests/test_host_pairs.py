"""Host programs in pairs (`host_pairs.txt`): what is certain is read, and what may be changed is not believed.

And a variable of the file, changed or hidden in many ways (`host_changes.txt`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = "__global__ void k(float *a, int n) {}\ntemplate <int B> __global__ void t(float *a, int n) {}\n"
GO = "k<<<1, b>>>(p, 5);"
LEAST = 0.95
"""The share of the certain programs that is read."""


class Pair(NamedTuple):
    """See the head of the file."""

    name: str
    certain: dict[str, Any]
    open: str
    right: str
    changed: str


def pairs() -> Iterator[Pair]:
    for text in (Path(__file__).parent / "host_pairs.txt").read_text().split("\n=== ")[1:]:
        head, _, programs = text.partition("\n")
        name, certain, left_open = head.split(" | ")
        parts = (part.removeprefix("block ") if part.startswith("block of") else part for part in certain.split("; "))
        values = {word: ast.literal_eval(value) for word, _, value in (part.partition(" ") for part in parts)}
        right, changed = programs.split("\n---\n")
        yield Pair(name, values, left_open, _whole(right), _whole(changed))


def _whole(code: str) -> str:
    """A program as a file."""
    has_function = re.search(r"\b(main|go|host|S)\(|\bclass ", code)
    body = code if has_function else f"int main(int argc, char **argv) {{ float *p = nullptr; {code} }}\n"
    return HEAD + body.replace("GO", GO)


PAIRS = list(pairs())


def is_open(value: object) -> bool:
    """Whether nothing is said of a size: it is not known, or the value of one variable of the host, whatever that is."""
    return value is None or (isinstance(value, str) and re.fullmatch(r"\{h?\d+\}", value) is not None)


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def is_read(pair: Pair, write: Write) -> bool:
    """Whether the last launch of the certain program is what the pair says (`of`: all of them together). A value may be left
    open, never another."""
    found_all = launches(pair.right, write)
    launch = found_all[-1]
    missing = False
    for name, wanted in pair.certain.items():
        if name == "of":
            return {each.block[0] for each in found_all} == set(wanted)
        found = getattr(launch, name) or (None,) * len(wanted)
        for is_value, should in zip(found, wanted, strict=True):
            value = is_value.replace("{1}", "n") if isinstance(is_value, str) else is_value
            assert value in (None, should) or (should is None and is_open(is_value)), launch
            missing = missing or (value != should and should is not None)
    return not missing


def test_what_is_certain_is_read(kernel_file: Write) -> None:
    left = [pair.name for pair in PAIRS if not is_read(pair, kernel_file)]
    print(f"{len(PAIRS) - len(left)} of {len(PAIRS)} certain programs are read")
    assert len(PAIRS) >= 100 and len(left) <= (1 - LEAST) * len(PAIRS), left


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_what_may_change_is_not_believed(pair: Pair, kernel_file: Write) -> None:
    found = launches(pair.changed, kernel_file)
    where, _, one_of = pair.open.partition(" of ")
    what, _, part = where.partition(".")
    if what in ("launch", "facts"):
        assert not (found if what == "launch" else [launch for launch in found if launch.facts])
        return
    index = "xyz".index(part) if part in ("x", "y", "z") else int(part or 0)
    said = [None if (values := getattr(launch, what)) is None else values[index] for launch in found]
    if one_of:
        assert set(said) == set(ast.literal_eval(one_of))
    else:
        assert all(map(is_open, said)), found


ALL_CHANGES = (Path(__file__).parent / "host_changes.txt").read_text().strip()
CHANGES, HIDDEN = (part.split("\n")[1:] for part in ALL_CHANGES.split("\n=== "))
CHANGED = [f"static int b = 64;\n{line} int main() {{ float *p; GO }}" for line in CHANGES]


def test_a_variable_of_the_file_is_read_where_nothing_changes_it(kernel_file: Write) -> None:
    for between in ("", "void f() { int c = b; if (c > 2) b == 3; }", "namespace n { int g(int b) { b = 3; return b; } }"):
        code = f"static int b = 64;\n{between} int main() {{ float *p; GO }}"
        assert launches(_whole(code), kernel_file)[-1].block == (64, 1, 1), between


@pytest.mark.parametrize("code", [*CHANGED, *HIDDEN], ids=range(len(CHANGED) + len(HIDDEN)))
def test_a_variable_of_the_file_is_not_believed_where_something_may_change_or_hide_it(code: str, kernel_file: Write) -> None:
    found = launches(HEAD + code.replace("\\n", "\n").replace("GO", GO), kernel_file)
    assert found and is_open(found[-1].block[0])
