"""Launches for each element of a table of sizes: what they are for, exactly, and what several tables have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
SIZES = "128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384"
TEXT = """__global__ void k(float *x, int n) {{ x[blockIdx.x * 64 + threadIdx.x] = n; }}
int main() {{
  float *x;
  {tables}
  for (int i = 0; i < {count}; i++) {{
    const int n = {size};
    {more}
    k<<<n / 64, 64>>>(x, n);
  }}
}}
"""


def launches(write: Write, tables: str, count: str = "15", size: str = "sizes[i]", more: str = "") -> list[HostLaunch]:
    text = TEXT.format(tables=tables, count=count, size=size, more=more)
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


@pytest.mark.parametrize(("tables", "size"), [
    (f"const int sizes[15] = {{{SIZES}}};", "sizes[i]"),
    (f"const int sizes[] = {{{SIZES}}};", "sizes[i]"),
    (f"const int rows[15] = {{{SIZES}}}, columns[15] = {{{SIZES}}};", "rows[i]"),
    (f"std::vector<int> sizes = {{{SIZES}}};", "sizes[i]"),
])
def test_each_element_is_a_launch(tables: str, size: str, kernel_file: Write) -> None:
    found = launches(kernel_file, tables, size=size)
    assert [each.grid[0] for each in found] == [int(each) // 64 for each in SIZES.split(", ")]


def test_elements_of_two_tables_go_together(kernel_file: Write) -> None:
    found = launches(kernel_file, "const int a[3] = {64, 128, 192}, b[3] = {1, 2, 3};", "3", "a[i] * b[i]")
    assert [each.grid[0] for each in found] == [1, 4, 9]


@pytest.mark.parametrize(("tables", "count", "size", "more"), [
    (f"int sizes[15] = {{{SIZES}}}; sizes[3] = atoi(\"7\");", "15", "sizes[i]", ""),
    (f"const int sizes[15] = {{{SIZES}}};", "15", "sizes[i]", "if (n > 512) i++;"),
    ("const int sizes[40] = {" + ", ".join(str(64 * each) for each in range(1, 41)) + "};", "40", "sizes[i]", ""),
    ("", "15", "64 * (i + 1)", ""),
])
def test_what_is_no_element_of_a_short_table_has_no_launch_of_its_own(
        tables: str, count: str, size: str, more: str, kernel_file: Write) -> None:
    found = launches(kernel_file, tables, count, size, more)
    assert not any(isinstance(each.grid[0], int) for each in found), found
