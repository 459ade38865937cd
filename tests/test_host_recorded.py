"""Launches that programs make when they are run, against those that are read from their texts.

A stand-in for the runtime records the launches (`host_programs`). Every one of them has to be covered by one that is stated: its
numbers are the same, and its texts have values in which they are. Programs by hand (`host_recorded.txt`), and random ones.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import host_programs
import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
RUNS = ((), ("1", "2"), ("7", "4"), ("20", "9"), ("12", "1"), ("2", "30"))
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def by_hand() -> list[tuple[str, str, str]]:
    parts = (Path(__file__).parent / "host_recorded.txt").read_text().split("\n=== ")[1:]
    heads = [part.partition("\n") for part in parts]
    return [(*map(str.strip, head.split(" | ")), text) for head, _, text in heads]  # type: ignore[misc]


def read(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def uncovered(text: str, stated: list[HostLaunch], folder: Path) -> list[host_programs.Recorded]:
    """The launches that a program makes and that are not stated; what no device starts aside."""
    made = host_programs.recorded(text, folder, RUNS)
    return [launch for launch in made if min(*launch.grid, *launch.block) > 0 and max(*launch.grid, *launch.block) < 2**31
            and not host_programs.is_covered(launch, stated)]


def first_sizes(stated: list[HostLaunch]) -> str:
    said = []
    for what in ("grid", "block"):
        sizes = {getattr(launch, what)[0] for launch in stated}
        numbers = [str(size) for size in sorted(size for size in sizes if isinstance(size, int))]
        said.append(f"{what} {', '.join([*numbers, *(['_'] if any(not isinstance(size, int) for size in sizes) else [])])}")
    return "; ".join(said)


@pytest.mark.sliced(3)
@needs_compiler
@pytest.mark.parametrize(("name", "sizes", "text"), by_hand(), ids=[name for name, *_ in by_hand()])
def test_launches_that_are_made_are_stated(name: str, sizes: str, text: str, kernel_file: Write, tmp_path: Path) -> None:
    stated = read(text, kernel_file)
    assert stated and uncovered(text, stated, tmp_path) == []
    assert first_sizes(stated) == sizes


@needs_compiler
@pytest.mark.drawn(15)
def test_launches_of_random_programs_are_stated(seed: int, kernel_file: Write, tmp_path: Path) -> None:
    text = host_programs.Programs(seed).text()
    try:
        left = uncovered(text, read(text, kernel_file), tmp_path)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("it does not compile, or does not end")
    assert left == [], text
