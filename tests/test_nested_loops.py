"""Loops in loops: how often the body of the innermost is run until it is known what the rounds do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spmd.api as api
from automata.proof.symbolic.rounds import Rounds
from automata.verdict import Verdict

TEXT = """__global__ void nest(float *out, const float *in, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x; float s = 0, q = 0; int p = 0, r = t;
  for (int a = 0; a < n; a++) { float u = in[a * m + t];
    for (int b = a; b < n; b++) { if (u > in[b]) p++;
      for (int c = 0; c < m; c++) { q += in[c] * u;
        for (int d = 0; d < p; d++) { s += in[d] + q;
          for (int e = d; e < m; e++) { if (s > in[e]) r = e + p; else q = s; } } } } }
  out[t] = s + q + r + p;
}
"""
MOST = 130
"""The runs of bodies in silence: 269 where each begins with nothing known of whose the locals are."""


def test_five_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run: Callable[..., Any] = Rounds.in_silence
    runs = []

    def counted(self: Rounds, *given: Any) -> Any:
        runs.append(given)
        return run(self, *given)

    monkeypatch.setattr(Rounds, "in_silence", counted)
    (tmp_path / "k.cu").write_text(TEXT)
    answer, = api.check(str(tmp_path / "k.cu"), block=(64,))
    assert answer.report.verdict is Verdict.PROVED
    assert 5 <= len(runs) <= MOST, len(runs)
