"""Whether everything that answers need is there and works: `spmd doctor`.

In: this environment. Out: a row for each part, with its version and whether a small question gets the right answer. A part that
is not needed by everyone (git, the folder of kept answers) has a row too, and what works without it.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

KERNEL = "__global__ void f(int *x, int n) { int i = threadIdx.x; if (i < n) x[i] = i; }\n"
OPENCL = "__kernel void f(__global int *x, int n) { int i = get_global_id(0); if (i < n) x[i] = i; }\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A part, its version, and what is wrong with it ("": nothing). `is_needed`: whether answers need it."""

    part: str
    version: str
    trouble: str = ""
    is_needed: bool = True


def rows() -> Iterator[Row]:
    """All parts, each looked at as it is asked for."""
    yield Row("spmd", version_of("spmd-equivalence"), _clash())
    yield Row("Python", f"{sys.version.split()[0]} on {platform.system()} {platform.machine()}")
    for part, package, works in (("z3", "z3-solver", _z3), ("cvc5", "cvc5", _cvc5), ("pySMT", "pysmt", _nothing),
                                 ("CUDA (libclang)", "libclang", _cuda), ("OpenCL (pycparser)", "pycparser", _opencl),
                                 ("machine (NumPy)", "numpy", _nothing), ("sympy", "sympy", _nothing)):
        yield Row(part, version_of(package), _tried(works))
    yield Row("git", *_git(), is_needed=False)
    yield Row("kept answers", *_kept(), is_needed=False)


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _tried(works: Callable[[], bool]) -> str:
    try:
        return "" if works() else "gives a wrong answer"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _clash() -> str:
    from spmd.guard import refusal

    return refusal() or ""


def _nothing() -> bool:
    return True


def _z3() -> bool:
    import z3

    x = z3.Int("x")
    solver = z3.Solver()
    solver.add(x > 2, x < 4)
    return bool(solver.check() == z3.sat and solver.model()[x].as_long() == 3)


def _cvc5() -> bool:
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("QF_LIA")
    x = terms.mkConst(terms.getIntegerSort(), "x")
    solver.assertFormula(terms.mkTerm(cvc5.Kind.LT, x, x))
    return bool(solver.checkSat().isUnsat())


def _cuda() -> bool:
    return _proved(KERNEL, "f.cu")


def _opencl() -> bool:
    return _proved(OPENCL, "f.cl")


def _proved(text: str, name: str) -> bool:
    """Whether a small kernel that is deterministic is proved so."""
    from spmd.asked import Question, Source
    from spmd.pipeline import run_check

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        answers = list(run_check(Question(Source(path, project=folder), seconds=30)))
    if [answer.report.verdict.value for answer in answers] != ["proved"]:
        raise RuntimeError(answers[0].report.reason or answers[0].report.verdict.value)
    return True


def _git() -> tuple[str, str]:
    path = shutil.which("git")
    if path is None:
        return "not installed", "spmd diff needs it"
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip().removeprefix("git version ") or "?", "" if done.returncode == 0 else done.stderr.strip()


def _kept() -> tuple[str, str]:
    from spmd.cache.recall import OFF, folder, store

    if os.environ.get(OFF):
        return f"off ({OFF})", ""
    told: list[str] = []
    found = store(told.append).stats()
    return f"{sum(found.answers.values())} in {folder()}", "; ".join(told)
