"""What the tests share: the command in this process, and kernels written to a scratch folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from slices import (  # noqa: F401
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_generate_tests,
    pytest_runtest_setup,
    pytest_terminal_summary,
)
from typer import testing
from typer.testing import CliRunner

from automata.lang.spec import Watch
from spmd.cli import app

os.environ["SPMD_NO_CACHE"] = "1"  # no test lives on another's answers, or on a user's; those about the cache turn it on
ROOT = Path(__file__).resolve().parent.parent
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]  # made once, not for every call
Watch.is_on = True  # the rules of Core are looked at after every pass


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit status."""

    status: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]


Run = Callable[..., Ran]


@pytest.fixture(scope="session", name="cache")
def recorder_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with one library that records, for all tests of recordings."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run() -> Run:
    """Run `spmd` with some arguments."""

    def call(*args: object) -> Ran:
        result = CliRunner().invoke(app, [str(arg) for arg in args])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def kernel_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a kernel to a file of its own."""

    def write(text: str, name: str = "kernel.cu") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def compared(run: Run, tmp_path: Path) -> Any:
    """Compare two texts; the record."""
    def compare(a: str, b: str, *args: str) -> dict[str, Any]:
        for name, text in (("a", a), ("b", b)):
            (tmp_path / f"{name}.cu").write_text(text)
        record: dict[str, Any] = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl", *args).records[0]
        return record
    return compare
