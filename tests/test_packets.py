"""Packets of half that are moved as int4: cells of half, so that what is moved is what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api

HEAD = "#include <cuda_fp16.h>\n// spmd: block=32 grid=2\n__global__ void NAME(const half *x, half *y, int pitch) {\n" \
       "    int i = blockIdx.x * 32 + threadIdx.x;\n    BODY\n}\n"
ONE_BY_ONE = "for (int k = 0; k < 8; k++) y[i * pitch + k] = x[i * pitch + k] WITH;"
WIDE = "*reinterpret_cast<int4 *>(&y[i * pitch]) = *reinterpret_cast<const int4 *>(&x[i * pitch]);"
HELD = "int4 v = *reinterpret_cast<const int4 *>(&x[i * pitch]); half *h = reinterpret_cast<half *>(&v); MORE " \
       "for (int k = 0; k < 8; k++) y[i * pitch + k] = h[k] WITH;"
STAGED = "__shared__ half s[32][16]; " \
         "*reinterpret_cast<int4 *>(&s[threadIdx.x][0]) = *reinterpret_cast<const int4 *>(&x[i * pitch]); " \
         "__syncthreads(); for (int k = 0; k < 8; k++) y[i * pitch + k] = s[threadIdx.x][k] WITH;"
TWICE = "* (half)2.0f"


def verdict(tmp_path: Path, one: str, two: str, kind: str = "half") -> str:
    sides = []
    for name, body in ("f", one), ("g", two):
        (tmp_path / f"{name}.cu").write_text(HEAD.replace("NAME", name).replace("BODY", body).replace("half *", f"{kind} *"))
        sides.append(str(tmp_path / f"{name}.cu"))
    answer = api.equiv(*sides, args={"pitch": 8})
    found = answer.report.equality
    return f"{answer.verdict} {found.value}" if found else answer.verdict


@pytest.mark.parametrize(("one", "two", "wanted"), [
    (ONE_BY_ONE.replace("WITH", ""), WIDE, "equal bitwise"),
    (ONE_BY_ONE.replace("WITH", TWICE), HELD.replace("WITH", TWICE).replace("MORE", ""), "equal bitwise"),
    (ONE_BY_ONE.replace("WITH", TWICE), STAGED.replace("WITH", TWICE), "equal bitwise"),
    (ONE_BY_ONE.replace("WITH", ""), WIDE.replace("&y[i * pitch]", "&y[8 * i]"),
     "equal bitwise"),
    (ONE_BY_ONE.replace("WITH", TWICE), HELD.replace("WITH", TWICE).replace("MORE", "h[7] = (half)0;"), "different"),
    (ONE_BY_ONE.replace("WITH", TWICE), HELD.replace("WITH", TWICE).replace("MORE", "v.z = v.w;"), "different"),
    (ONE_BY_ONE.replace("WITH", ""), HELD.replace("WITH", "").replace("MORE", "v.x ^= 0x8000;"), "different"),
    (ONE_BY_ONE.replace("WITH", ""), STAGED.replace("[k]", "[7 - k]").replace("WITH", ""), "different")])
def test_a_packet_of_half(tmp_path: Path, one: str, two: str, wanted: str) -> None:
    assert verdict(tmp_path, one, two) == wanted


FLOATS = "int4 v = *reinterpret_cast<const int4 *>(&x[i * pitch]); float *f = reinterpret_cast<float *>(&v); MORE " \
         "*reinterpret_cast<int4 *>(&y[i * pitch]) = v;"
SINGLE = "for (int k = 0; k < 4; k++) y[i * pitch + k] = LAST;"


@pytest.mark.parametrize(("last", "more", "wanted"), [
    ("k < 3 ? x[i * pitch + k] : 0.0f", "f[3] = 0.0f;", "equal bitwise"),
    ("2 * x[i * pitch + k]", "for (int k = 0; k < 4; k++) f[k] = 2 * f[k];", "equal bitwise"),
    ("x[i * pitch + k]", "f[3] = 0.0f;", "different"),
    ("2 * x[i * pitch + k]", "for (int k = 0; k < 4; k++) v.w += 1;", "different")])
def test_a_packet_of_floats(tmp_path: Path, last: str, more: str, wanted: str) -> None:
    """An int4 whose floats are looked at, or changed, on the way."""
    bodies = SINGLE.replace("LAST", last), FLOATS.replace("MORE", more)
    assert verdict(tmp_path, *bodies, kind="float") == wanted


def test_half_that_is_moved_alone(tmp_path: Path) -> None:
    """An array that one side knows as packets only is one of half on both."""
    body = "int4 *to = reinterpret_cast<int4 *>(y); to[i] = reinterpret_cast<const int4 *>(x)[i];"
    assert verdict(tmp_path, ONE_BY_ONE.replace("WITH", ""), body) == "equal bitwise"
    assert verdict(tmp_path, ONE_BY_ONE.replace("WITH", ""), body.replace("(x)[i]", "(x)[i ^ 1]")) == "different"


def test_arguments_beside_a_comment(tmp_path: Path) -> None:
    """--arg says what the comment above the kernel leaves open; sizes stay as it says."""
    path = tmp_path / "k.cu"
    path.write_text("// spmd: block=64 grid=(n+63)/64 require n > 0\n__global__ void k(int *x, int n) {\n"
                    "    int i = blockIdx.x * 64 + threadIdx.x;\n    if (i < n) x[i] = i;\n}\n")
    (answer,) = api.check(str(path), args={"n": 100})
    assert answer.verdict == "proved" and answer.launch.block == (64, 1, 1) and answer.launch.args == {"n": 100}
    (answer,) = api.check(str(path), block=32, args={"n": 100})
    assert answer.launch.block == (32, 1, 1) and answer.launch.grid is None
