"""What host code uses of the C++ library and of CUDA's driver is declared, so that clang understands what it launches."""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.lang.read import find_kernels

USES = """#include <atomic>
#include <cuda.h>
#include <mutex>
#include <regex>
#include <shared_mutex>
#include <string>
template <typename T, int N> __global__ void k(T *x) { x[threadIdx.x] = N; }
static std::atomic<int> calls{0};
static std::once_flag once;
static std::shared_mutex guard;
constexpr int ROOM[3] = {};
template <typename T> void start(T *x, std::string text) {
  std::call_once(once, [] {});
  std::shared_lock<std::shared_mutex> lock(guard);
  text.reserve(64);
  text = std::regex_replace(text, std::regex("a"), std::as_const(text));
  CUtensorMap map;
  CUresult done = CUDA_SUCCESS;
  if (done == CUDA_ERROR_NOT_FOUND || calls.fetch_add(1, std::memory_order_relaxed) > 100) return;
  k<T, COUNT<decltype(ROOM)>><<<1, 64>>>(x);
}
int main() { double *x; start(x, "b"); }
"""


@pytest.mark.parametrize(("count", "found"), [("std::extent_v", "k<double, 3>"), ("hidden_v", "k")])
def test_what_a_host_template_launches(count: str, found: str, tmp_path: Path) -> None:
    """A name that nothing declares in the launch leaves the instance open, and so nothing is guessed."""
    (tmp_path / "k.cu").write_text(USES.replace("COUNT", count))
    assert [each.name for each in find_kernels(str(tmp_path / "k.cu"))] == [found]
