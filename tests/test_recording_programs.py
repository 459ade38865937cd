"""Programs of OpenCL that others could have written, recorded, and held to a tracer: a layer of OpenCL's loader, of the tests'
own, that writes down each launch and knows nothing of the recorder. With the n-body study (`test_nbody_app.py`) there are 7."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import Run
from opencl_host import HERE, compiler, needs_opencl
from recorded import checks, record

from spmd.recording.read import Recording, read_recording

Traced = Counter[tuple[str, ...]]


@pytest.fixture(scope="module")
def tracer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs_opencl()
    target = tmp_path_factory.mktemp("tracer") / "trace.so"
    options = ["-shared", "-fPIC", "-I", str(HERE), "-o", str(target)]
    subprocess.run([compiler() or "cc", *options, str(HERE / "trace.c")], check=True)
    return target


def as_traced(recording: Recording) -> Traced:
    """The launches as the tracer writes them down: kernel, status (0: accepted), global, local and offset."""
    found: Traced = Counter()
    for launch in recording.launches:
        shape = launch.shape
        total = shape.total or ()
        words = [",".join(map(str, sizes or (0,) * len(total))) for sizes in (total, shape.block, shape.offset)]
        found[shape.kernel, "0", *words] += launch.count
    return +found


@pytest.mark.parametrize(("name", "package", "distinct"), [
    ("life", "", 2), ("spectrum", "", 9), ("arrays", "mako", 0), ("orders", "mako", 0), ("transforms", "reikna", 0),
    ("pictures", "pyclesperanto", 0)])
def test_every_launch_is_recorded(name: str, package: str, distinct: int, tracer: Path, cache: Path, tmp_path: Path,
                                  run: Run) -> None:
    """`distinct`: how many there are, all of them proved, where the kernels are the tests' own; packages may change theirs."""
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"package {package} is not installed")
    script, log = HERE / "programs" / f"{name}.py", tmp_path / "trace"
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}  # the plain run keeps binaries there, if a package does
    plain = subprocess.run([sys.executable, "-W", "ignore", script], capture_output=True, text=True, check=True,
                           env={**os.environ, **home})
    traced_by = {"OPENCL_LAYERS": str(tracer), "TRACE": str(log), **home}
    done = record(cache, tmp_path / "r", sys.executable, "-W", "ignore", script, env=traced_by)
    assert (done.returncode, done.stdout) == (0, plain.stdout) and "False" not in plain.stdout
    recording = read_recording(str(tmp_path / "r"))
    traced: Traced = Counter(tuple(line.split()) for line in log.read_text().splitlines())
    assert as_traced(recording) == traced and traced
    assert {launch.shape.program.kind for launch in recording.launches} == {"source"}
    sites = {site.file for launch in recording.launches for site in launch.sites}
    assert sites == {str(script)} or (package == "pyclesperanto" and sys.version_info >= (3, 13))
    if distinct:
        assert [each["verdict"] for each in checks(run, tmp_path / "r")] == ["proved"] * distinct
