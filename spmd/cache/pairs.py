"""That comparisons are kept, and what their answers hang on. Definite is what is equal, different or nondeterministic."""

from __future__ import annotations

from equivalence.result import EquivReport, EquivVerdict
from spmd.cache.recall import Asked, Worth

DEFINITE = (EquivVerdict.EQUAL, EquivVerdict.DIFFERENT, EquivVerdict.NONDETERMINISTIC)


def equiv(parts: tuple[object, ...], roots: tuple[str, ...], seconds: float | None) -> Asked[EquivReport]:
    """One comparison. `parts`: the sides and everything that was asked about them."""
    return Asked("equiv", parts, roots, seconds, lambda report: report.verdict.value,
                 lambda report: Worth.WHOLE if report.verdict in DEFINITE else Worth.OPEN)
