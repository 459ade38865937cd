"""Places in headers are told in the user's words: from where the user stands, without detours."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run


@pytest.mark.parametrize(("stands", "typed", "told"), [
    ("", "src/sub/k.cu", ("inc/deep.h", "src/beside.h")), ("src", "sub/k.cu", ("{}/inc/deep.h", "beside.h")),
    ("", "{}/src/sub/k.cu", ("{}/inc/deep.h", "{}/src/beside.h"))])
def test_places_in_headers(stands: str, typed: str, told: tuple[str, str], run: Run, tmp_path: Path,
                           monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("inc", "src/sub", ".git"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "inc" / "deep.h").write_text("__device__ void f(int *x) { x[threadIdx.x / 2] = threadIdx.x; }\n")
    (tmp_path / "src" / "beside.h").write_text("__device__ void g(int *x) { x[threadIdx.x / 2] = threadIdx.x; }\n")
    (tmp_path / "src" / "sub" / "k.cu").write_text('#include "../beside.h"\n#include <deep.h>\n'
                                                   "__global__ void a(int *x) { f(x); }\n__global__ void b(int *x) { g(x); }\n")
    monkeypatch.chdir(tmp_path / stands)
    flags = ("--block", 64, "--grid", 1, "-I", tmp_path / "inc", "--format", "jsonl")
    records = run("check", typed.format(tmp_path), *flags).records
    for record, file in zip(records, told, strict=True):
        assert record["verdict"] == "refuted"
        assert {place["file"] for finding in record["findings"] for place in finding["places"]} == {file.format(tmp_path)}
