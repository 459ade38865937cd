"""Why no launch of a kernel is known is told with the place that hides it; and nothing is told where nothing is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = "__global__ void k(int *x, int n) { if (threadIdx.x < n) x[blockIdx.x] = threadIdx.x; }\n"
WHY = {
    "by reference": ("void change(int &);\nvoid go(int *x) {\n int b = 3;\n change(b);\n k<<<b, b>>>(x, 9);\n}", ":6:3: ", "'b'"),
    "not understood": ("void go(int *x) {\n int b = 64;\n co_await b;\n k<<<b, b>>>(x, 9);\n}", ":5:3: ",
                       "'b', which stands in what is not understood (line 4)"),
    "a parameter": ("struct S;\nvoid go(int *x, S b) {\n k<<<b, b>>>(x, 9);\n}", ":4:3: ",
                    "'b', a parameter of 'go', of which not all calls are known"),
    "computed of another": ("struct S;\nvoid go(int *x, S s) {\n int b = s * 2;\n k<<<b, b>>>(x, 9);\n}", ":5:3: ", "'b'"),
    "a missing header": ('#include "far.h"\nvoid go(int *x) {\n int b = far();\n k<<<b, b>>>(x, 9);\n}', ":5:3: ",
                         "far.h, which is not found: -I with its folder"),
    "free values": ("void go(int *x, int g, int b) {\n k<<<g, b>>>(x, 9);\n}", ":3:3: ", "'g', 'b', of which nothing is known"),
    "several of the name": ("__global__ void k(float *x, int n) {}\nvoid go(int *x) {\n k<<<2, 64>>>(x, 9);\n}", ":4:3: ",
                            "several kernels or other things are called 'k'"),
    "the platform": ("void go(int *x) {\n k<<<2, 64>>>(x, 9);\n}\n#ifdef __FAST__\n{\n#endif\n#ifdef __FAST__\n}\n#endif", "",
                     "is not read: conditions that the compiler or the platform decides leave open what it says"),
}


OPEN = {"by reference", "computed of another", "free values"}
"""Of those the launch is known, at values that nobody knows."""


@pytest.mark.parametrize(("name", "host", "place", "why"), [(name, *rest) for name, rest in WHY.items()], ids=WHY)
def test_what_hides_a_launch_is_told(name: str, host: str, place: str, why: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL + host + "\n")
    record, *_ = run("check", path, "--format", "jsonl").records
    assert place in record["unlaunched"] and why in record["unlaunched"], record["unlaunched"]
    said = run("check", path).out
    known = "its sizes are open" if name in OPEN else "none is known"
    assert f"launch: {known}. {record['unlaunched']}; --block and --grid state one" in said


@pytest.mark.parametrize(("host", "flags"), [
    ("", ()), ("void go(int *x) { k<<<2, 64>>>(x, 9); }", ()),
    ("void go(int *x, int b) { k<<<b, b>>>(x, 9); }", ("--block", "32")),
], ids=["no host", "a launch that is known", "a launch that is stated"])
def test_nothing_is_told_where_nothing_is_hidden(host: str, flags: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL + host + "\n")
    assert all("unlaunched" not in record for record in run("check", path, *flags, "--format", "jsonl").records)
    assert "launch: none is known" not in run("check", path, *flags).out
