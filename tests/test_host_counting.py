"""Loops over sizes and arguments: what a launch in them may be, where the values are too many to be looked at one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
KERNEL = "__global__ void k(float *a, int n, int m) {}\n"


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(KERNEL + text)), "cuda", side="host"))


def test_sizes_are_looked_at_first(kernel_file: Write) -> None:
    """Of 5 blocks with 4 arguments each the blocks are told one by one, and what is known of the argument in all of them."""
    found = launches("""int main(int argc, char **argv) {
  float *p; int n = atoi(argv[1]);
  for (int w = 3; w < 10; w += 2)
    for (int b = 64; b <= 1024; b *= 2) k<<<n / b, b>>>(p, n, w);
}
""", kernel_file)
    assert [launch.block[0] for launch in found] == [64, 128, 256, 512, 1024]
    assert {launch.given[2] for launch in found} == {"{2}"} and {launch.args[2] for launch in found} == {None}
    assert {launch.facts for launch in found} == {("({2} < 10)", "({2} >= 3)")}


def test_a_size_and_an_argument_that_are_one(kernel_file: Write) -> None:
    """What is chosen for a size is chosen for the arguments too."""
    found = launches("""int main(int argc, char **argv) {
  float *p;
  for (int w = 1; w <= 8; w++)
    for (int b = 64; b <= 1024; b *= 2) k<<<1, b>>>(p, b, w);
}
""", kernel_file)
    assert [(launch.block[0], launch.args[1]) for launch in found] == [(b, b) for b in (64, 128, 256, 512, 1024)]


UP = {
    "++": "for (int i = 2; i < n; i++)", "before": "for (int i = 2; i < n; ++i)", "by more": "for (int i = 2; i < n; i += 3)",
    "long": "for (long i = 2; i < n; i++)", "times": "for (int i = 2; i < n; i *= 2)",
    "declared before": "int i = 2; for (; i < n; i++)", "set before": "int i; for (i = 2; i < n; i += 16)",
    "set within": "int i = 2; while (i < n) if (q) i++, i = 7; else i += 4, i++;",
}
OTHERS = {
    "down": "for (int i = 2; i < n; i--)", "by less": "for (int i = 2; i < n; i -= 1)",
    "by nobody knows": "for (int i = 2; i < n; i += q)",
    "from below zero": "for (int i = -2; i < n; i++)", "unsigned": "for (unsigned i = 2; i < n; i += 3)",
    "by an unsigned": "for (int i = 2; i < n; i += 3u)", "by a long": "for (int i = 2; i < n; i += 3L)",
    "by a shift": "for (int i = 2; i < n; i <<= 1)", "by a half": "for (int i = 2; i < n; i += 0.5)",
    "less within": "for (int i = 2; i < n; i++) if (q) i -= 1", "divided": "for (int i = 2; i < n; i++) if (q) i /= 3",
    "a short": "for (short i = 2; i < n; i++)", "too large": "int i = 5000000000; for (; i < n; i++)",
    "changed within": "for (int i = 2; i < n; i++) if (i = q)", "from nobody knows": "for (int i = q; i < n; i++)",
    "set to": "for (int i = 2; i < n; i = q)",
    "twice": "for (int i = 2; i < n; i++, i = q)", "by a name": "for (int i = 2, &r = i; i < n; i++, r = q)",
}


@pytest.mark.parametrize("loop", UP.values(), ids=UP)
def test_counted_upwards(loop: str, kernel_file: Write) -> None:
    found, = launches(f"void go(float *p, int n, int q) {{ {loop} k<<<1, 64>>>(p, n, i); }}\n", kernel_file)
    assert f"({found.given[2]} >= 2)" in found.facts


@pytest.mark.parametrize("loop", OTHERS.values(), ids=OTHERS)
def test_not_counted_upwards(loop: str, kernel_file: Write) -> None:
    found = launches(f"void go(float *p, int n, int q) {{ {loop} k<<<1, 64>>>(p, n, i); }}\n", kernel_file)
    assert not any(">= 2" in fact for launch in found for fact in launch.facts)
