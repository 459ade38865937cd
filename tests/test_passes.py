"""The table of passes is true: each row names a marked function, what is kept is made once, and the page shows the table."""

from __future__ import annotations

from importlib import import_module

import pytest
from conftest import ROOT, Run

from automata import passes
from automata.lang.read import find_kernels
from automata.rewriting.lower import lower, lower_for_runs, lower_whole
from automata.rewriting.partition import partition
from automata.thread.build import build
from automata.thread.flow import flow

KERNEL = """__global__ void k(float *a, int n) {
  for (int i = 0; i < 4; i++) a[i * n + threadIdx.x] = a[i];
  for (int i = 0; i < 8; i++) a[threadIdx.x] += i;
}"""


@pytest.fixture
def kernel(kernel_file):  # type: ignore[no-untyped-def]
    passes.forget()
    passes.start()
    return find_kernels(str(kernel_file(KERNEL)))[0].read()


@pytest.mark.parametrize("row", passes.TABLE, ids=lambda row: row.name)
def test_row_names_the_function_that_is_marked(row: passes.Pass) -> None:
    module, _, name = row.where.partition(":")
    source = (ROOT / (module.replace(".", "/") + ".py")).read_text()
    assert f'@passing("{row.name}"' in source
    found: object = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)


def test_what_is_kept_is_made_once(kernel) -> None:  # type: ignore[no-untyped-def]
    one = lower(kernel, {"n": 3})
    assert lower(kernel, {"n": 3}) is one and lower_whole(kernel, {"n": 3}, 500) is one
    assert lower_for_runs(kernel, {"n": 3}) is not lower_for_runs(kernel, {"n": 4})
    automaton = build(one)
    assert build(one) is automaton and flow(automaton) is flow(automaton)
    assert partition(one, frozenset(), exact=True) is partition(one, frozenset(), exact=True)
    assert partition(one, frozenset(), exact=True) is not partition(one, frozenset(), exact=False)
    assert passes.line("build").made == 1 and passes.line("build").again == 1
    passes.forget()
    assert build(one) is not automaton


def test_a_size_that_was_not_reached_changes_nothing(kernel) -> None:  # type: ignore[no-untyped-def]
    """Few statements for unrolling: the loop of four rounds is unrolled, that of eight is left."""
    whole = lower(kernel, {})
    made = passes.line("lower").made
    assert lower(kernel, {}, 900) is whole and lower(kernel, {}, 5000) is whole
    assert passes.line("lower").made == made
    some = lower(kernel, {}, 12)
    assert some is not whole and lower(kernel, {}, 12) is some
    assert lower_whole(kernel, {}, 12) is None


@pytest.mark.parametrize("command", [
    ("check", "tests/programs/reversal.cu"), ("check", "tests/programs/matmul_2_shared.cu"),
    ("equiv", "case_studies/softmax/original.cu", "case_studies/softmax/online.cu")], ids=lambda given: given[-1])
def test_passes_are_explained(run: Run, command: tuple[str, ...]) -> None:
    plain, told = run(*command), run(*command, "--explain-passes")
    assert told.out == plain.out and "passes (" in told.err and "passes (" not in plain.err
    lines = {row.name: line for row, line in passes.told()}
    sides = 2 if command[0] == "equiv" else 1
    assert lines["find"].made == lines["elaborate"].made == sides
    assert all(note.endswith("proved") for note in lines["conclude"].notes)
    assert all(line.again == 0 or row.is_kept for row, line in passes.told())


def test_the_page_shows_the_table() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    shown = page.partition("<!-- passes -->\n")[2].partition("<!-- /passes -->")[0]
    assert shown == passes.markdown(), "python -m automata.passes prints what belongs between the marks"
