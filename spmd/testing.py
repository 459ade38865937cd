"""A pytest plugin: two fixtures with which a kernel project states in its own tests what must stay true.

    def test_reduce_is_deterministic(spmd_check):
        spmd_check("src/reduce.cu", "reduce", block=256)

    def test_tiles_compute_the_same(spmd_equal):
        spmd_equal("src/matmul.cu:naive", "src/matmul.cu:tiled", block=(16, 16), require=["n % 16 == 0"])

Both take the options of `spmd.api.check` and `spmd.api.equiv`. A defect fails the test with the text that the command prints.
What is unknown or not supported is neither right nor wrong: it fails too, unless `unknown="skip"` says that such a test is
skipped. Paths are relative to the folder in which pytest was started (its rootdir). Answers are kept as the command keeps them,
so a second run solves nothing that has not changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import chdir
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import pytest

if TYPE_CHECKING:
    from spmd.api import Answer, PairAnswer

Unknown = Literal["fail", "skip"]
A = TypeVar("A", "Answer", "PairAnswer")
OPEN = ("unknown", "unsupported")


class Check(Protocol):
    """`spmd_check(file, kernel, **options)`: all kernels of a file, or the one that is named, must be proved. The answers."""

    def __call__(self, file: str | os.PathLike[str], kernel: str | None = None, *, unknown: Unknown = "fail",
                 **options: Any) -> list[Answer]: ...


class Equal(Protocol):
    """`spmd_equal(a, b, **options)`: two kernels must leave the same output. The answer."""

    def __call__(self, a: str | os.PathLike[str], b: str | os.PathLike[str], *, unknown: Unknown = "fail",
                 **options: Any) -> PairAnswer: ...


@pytest.fixture(scope="session")
def _kept_answers() -> Iterator[None]:
    """Answers are kept while tests run."""
    import warnings

    from spmd.cache.recall import keeping

    with keeping(True, 0.0, warnings.warn):
        yield


@pytest.fixture
def spmd_check(pytestconfig: pytest.Config, _kept_answers: None) -> Check:
    """Kernels are deterministic: free of races, of barrier divergence, of order."""
    def call(file: str | os.PathLike[str], kernel: str | None = None, *, unknown: Unknown = "fail",
             **options: Any) -> list[Answer]:
        __tracebackhide__ = True
        from spmd.api import check

        answers = _asked(pytestconfig, lambda: list(check(os.fspath(file), kernel, **options)))
        return [_settled(answer, "proved", unknown) for answer in sorted(answers, key=lambda each: each.verdict in OPEN)]
    return call


@pytest.fixture
def spmd_equal(pytestconfig: pytest.Config, _kept_answers: None) -> Equal:
    """Two kernels compute the same."""
    def call(a: str | os.PathLike[str], b: str | os.PathLike[str], *, unknown: Unknown = "fail", **options: Any) -> PairAnswer:
        __tracebackhide__ = True
        from spmd.api import equiv

        answer = _asked(pytestconfig, lambda: equiv(os.fspath(a), os.fspath(b), **options))
        return _settled(answer, "equal", unknown)
    return call


T = TypeVar("T")


def _asked(config: pytest.Config, ask: Callable[[], T]) -> T:
    """An answer, asked from the root of the tests. What is wrong with the question fails the test in one line."""
    __tracebackhide__ = True
    from spmd.api import InputError
    from spmd.guard import refusal

    if clash := refusal():
        pytest.fail(clash, pytrace=False)
    try:
        with chdir(config.rootpath):
            return ask()
    except InputError as error:
        pytest.fail(str(error), pytrace=False)


def _settled(answer: A, wanted: str, unknown: Unknown) -> A:
    """The answer, if it is the one that is wanted or accepted."""
    __tracebackhide__ = True
    from spmd.api import record, text
    from spmd.records.alerts import is_accepted

    if answer.verdict == wanted or is_accepted(record(answer)):
        return answer
    if answer.verdict in OPEN and unknown == "skip":
        pytest.skip(f"{answer.verdict}: {answer.report.reason or 'see spmd explain unknown'}")
    pytest.fail(text(answer), pytrace=False)
