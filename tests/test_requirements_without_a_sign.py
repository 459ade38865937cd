"""Requirements read numbers of 64 bits without a sign as those with one: that such a number is less than 2^63 is said aloud."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = ("__global__ void k(long long *out, int n, unsigned long long seed) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = VALUE;\n}\n")
SAID = "seed is less than 2^63, as requirements and sizes read it"


@pytest.mark.parametrize(("required", "verdict", "is_said"), [
    ("seed > 0", "equal", True), ("seed % 3 == 0", "equal", True), ("seed / 2 < n", "equal", True), ("n > 0", "different", False),
    ("seed != 0", "different", False), ("seed == 5 || seed == 7", "equal", False)])
@pytest.mark.parametrize(("one", "two"), [("seed >> 63", "0"), ("(seed + seed) / 2 == seed", "1")])
def test_what_is_left_out_is_said(required: str, verdict: str, is_said: bool, one: str, two: str, run: Run,
                                  tmp_path: Path) -> None:
    for name, value in (("a", one), ("b", two)):
        (tmp_path / f"{name}.cu").write_text(KERNEL.replace("VALUE", value))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--require", required, "--format", "jsonl").records
    wraps = any("no wrap in unsigned long" in text for text in record["assumptions"])
    assert record["verdict"] == verdict or (wraps and not is_said), record
    assert (SAID in record["assumptions"]) == is_said


def test_a_number_that_is_stated_needs_no_word(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.replace("VALUE", "seed >> 63"))
    (record,) = run("check", tmp_path / "a.cu", "--block", 64, "--grid", 1, "--arg", "n=64", "--arg", "seed=9", "--require",
                    "seed > 0", "--format", "jsonl").records
    assert record["verdict"] == "proved"
    assert not any("2^63" in text for text in record["assumptions"])


@pytest.mark.parametrize(("required", "verdict", "is_said"), [("ids[i] < n", "equal", True), ("ids[i + n] > 4", "equal", True),
                                                              ("ids[i] > 4", "different", False)])
def test_what_is_left_out_by_contents_is_said(required: str, verdict: str, is_said: bool, run: Run, tmp_path: Path) -> None:
    for name, value in (("a", "ids[i]"), ("b", "ids[i] + (int)(n >> 63)")):
        (tmp_path / f"{name}.cu").write_text(
            f"// spmd: block=64 grid=4 out[256] ids[256] require ids[i] >= 0, {required}\n"
            "__global__ void k(int *out, const int *ids, unsigned long long n) {\n"
            f"  int i = blockIdx.x * 64 + threadIdx.x;\n  out[i] = {value};\n}}\n")
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    assert record["verdict"] == verdict, record
    assert (SAID.replace("seed", "n") in record["assumptions"]) == is_said


@pytest.mark.parametrize("required", ["seed >= 9223372036854775808ull, seed <= 18446744073709551615ull",
                                      "18446744073709551598u <= seed", "seed == 0xffffffffffffffff"])
@pytest.mark.parametrize(("value", "verdict"), [("1", "equal"), ("0", "different")])
def test_what_is_compared_with_a_number_beyond_is_read_as_it_is(required: str, value: str, verdict: str, run: Run,
                                                                tmp_path: Path) -> None:
    for name, text in (("a", "seed >> 63"), ("b", value)):
        (tmp_path / f"{name}.cu").write_text(f"// spmd: block=64 grid=4 require {required}\n" + KERNEL.replace("VALUE", text))
    (record,) = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", "--format", "jsonl").records
    assert (record["verdict"], SAID in record["assumptions"]) == (verdict, False), record


@pytest.mark.parametrize("required", ["n < 9223372036854775808ull", "seed / 2 < 9223372036854775808ull",
                                      "seed - 0x8000000000000000 > n"])
def test_other_numbers_beyond_are_refused(required: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.replace("VALUE", "seed"))
    (record,) = run("check", tmp_path / "a.cu", "--require", required, "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "2^63 or more" in record["reason"], record
