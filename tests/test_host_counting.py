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
    assert {launch.facts for launch in found} == {("({2} < 10)", "({2} >= 3)", "({2} <= 9)", "({2} % 2 == 1)")}


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


MANY = {
    "a step": ("for (int n = 256; n <= 8192; n += 256)", "n", (">= 256", "<= 8192", "% 256 == 0")),
    "doubled": ("for (int n = 64; n < 100000; n *= 2)", "n", (">= 64", "<= 65536", "% 64 == 0")),
    "elements that a loop sets": (
        "int s[30]; for (int i = 0; i < 30; i++) { s[i] = 96 + 32 * i; }\n  for (int i = 0; i < 30; i++)", "s[i]",
        (">= 96", "<= 1024", "% 32 == 0")),
    "elements that a loop sets, in an array as long as a variable": (
        "size_t m = 30; size_t s[m]; for (int i = 0; i < m; i++) { s[i] = 7; s[i] = 7 + 5 * i; }\n  for (int i = 0; i < m; i++)",
        "s[i]", (">= 7", "<= 152", "% 5 == 2")),
    "a table": ("const int s[18] = {8, 16, 32, 64, 96, 128, 512, 1024, 40, 48, 56, 72, 80, 88, 104, 112, 120, 136};\n"
                "  for (int i = 0; i < 18; i++)", "s[i]", (">= 8", "<= 1024", "% 8 == 0")),
}
OPEN_NUMBERS = {
    "a counter that is set besides": ("for (int n = 256; n <= 8192; n += 256)", "n", "if (argc > 7) n = argc;"),
    "a step that nobody knows": ("for (int n = 256; n <= 8192; n += argc)", "n", ""),
    "an element that a function sets": ("int s[30]; for (int i = 0; i < 30; i++) s[i] = 32 * i; fill(s, s + 30, argc);\n  "
                                        "for (int i = 0; i < 30; i++)", "s[i]", ""),
    "an element that is added to": (
        "int s[30]; for (int i = 0; i < 30; i++) s[i] = 32 * i;\n  for (int i = 0; i < 30; i++)", "s[i]", "s[argc]++;"),
    "an element that depends on another": (
        "int s[30]; s[0] = 32; for (int i = 1; i < 30; i++) s[i] = s[i - 1] * 2;\n  for (int i = 0; i < 30; i++)", "s[i]", ""),
    "a variable that escapes": ("int c = 32; int *q = &c; int s[30]; for (int i = 0; i < 30; i++) s[i] = c * i;\n  "
                                "for (int i = 0; i < 30; i++)", "s[i]", "*q = argc;"),
}


def counted(loop: str, value: str, more: str = "") -> str:
    return f"""int main(int argc, char **argv) {{ float *p;
  {loop} {{ {more} int b = {value}; k<<<b, 32>>>(p, b, 3); }} }}
"""


@pytest.mark.parametrize(("loop", "value", "common"), MANY.values(), ids=MANY)
def test_what_many_sizes_have_in_common(loop: str, value: str, common: tuple[str, ...], kernel_file: Write) -> None:
    """Too many to be launches of their own are one, with the bounds and the divisor that all of them have."""
    found = launches(counted(loop, value), kernel_file)
    assert len(found) == 1
    assert {f"({found[0].grid[0]} {text})" for text in common} <= set(found[0].facts), found


@pytest.mark.parametrize(("loop", "value", "more"), OPEN_NUMBERS.values(), ids=OPEN_NUMBERS)
def test_what_may_be_another_number_has_no_divisor(loop: str, value: str, more: str, kernel_file: Write) -> None:
    found = launches(counted(loop, value, more), kernel_file)
    assert found and not any("%" in fact for launch in found for fact in launch.facts), found
