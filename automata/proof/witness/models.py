"""All that the proofs of one kernel leave, each as a finding.

What a proof leaves is a model, which `confirm` replays on the machine, or something that no model decides, which stays potential.
Here is the only door from the proofs to that machine: where they leave no model nothing is replayed, and nothing that replays is
loaded.
"""

from __future__ import annotations

from automata.logic.smt import Sat
from automata.proof.obligations.claims import Held
from automata.proof.obligations.initialised import Doubt
from automata.proof.witness.analysis import Analysis, Model
from automata.verdict import Exactness, Finding, Spot, Status


def _told(analysis: Analysis, item: Model, *, strict: bool = False) -> Finding:
    """What a run of a model's launch shows, or else what the model says."""
    from automata.proof.witness.confirm import told

    return told(analysis, item, strict=strict)


def races(analysis: Analysis, *, strict: bool) -> list[Finding]:
    """A finding for each pair that is not proved apart."""
    found: list[Finding] = []
    for group in analysis.interference:
        for item in group.suspects:
            if isinstance(item.answer, Sat):
                finding = _told(analysis, item, strict=strict)
                if finding not in found:
                    found.append(finding)
    return found


def divergences(analysis: Analysis) -> list[Finding]:
    """A finding for each barrier that is not proved uniform."""
    found: list[Finding] = []
    for item in analysis.convergence:
        if isinstance(item.answer, Sat):
            finding = _told(analysis, item)
            if finding not in found:
                found.append(finding)
    return found


def out_of_bounds(analysis: Analysis) -> list[Finding]:
    """A finding for each access that may leave an array of known extent."""
    return [_told(analysis, reach) for reach in analysis.reaches if isinstance(reach.answer, Sat)]


def overflows(analysis: Analysis) -> list[Finding]:
    """A finding for each signed value that bounded operands let leave its type."""
    return [_told(analysis, item) for item in analysis.wraps.overflows]


def failed_claims(analysis: Analysis, claims: list[Held]) -> list[Finding]:
    """A finding for each of some claims that may fail."""
    return [_told(analysis, item) for item in claims if isinstance(item.answer, Sat)]


def misaligned(analysis: Analysis) -> list[Finding]:
    """A finding for each wide access that runs show not to be aligned, or that may not be where nothing may be assumed; what else
    no run shows is assumed from here on. Where one of several at a place is assumed to be, no run tells which of them is not."""
    found = []
    for item in [item for item in analysis.aligned.held if isinstance(item.answer, Sat)]:
        finding = _told(analysis, item)
        if finding.status is Status.CONFIRMED or item.claimed.claim.begins:
            found.append(finding)
        else:
            analysis.aligned.held.remove(item)
            analysis.aligned.assumed.append(item.claimed.claim.place)
    return found


def orders(analysis: Analysis) -> list[Finding]:
    """A finding for each thing that may show the order of threads."""
    found = []
    for item in analysis.unordered:
        finding = Finding(item.rule, Status.POTENTIAL, item.message, (Spot(item.place, "here"),), item.array, Exactness.CIDI, {},
                          "whether an output depends on it was not shown")
        if item.answer is not None and all(doubt.harmless for doubt in analysis.doubts):
            from automata.proof.witness.confirm import absent_lane

            finding = absent_lane(analysis, item, finding)
        found.append(finding)
    return found


def undefined_values(analysis: Analysis) -> list[Finding]:
    """Uninitialised reads: harmless where nothing depends on the value."""
    return [Finding("uninitialised-read", Status.BENIGN, f"{_named(doubt)} may be read before it is written; nothing "
                    "depends on the value", (Spot(doubt.place, "read"),), doubt.array) if doubt.harmless else
            _told(analysis, doubt) for doubt in analysis.doubts if not doubt.is_late]


def _named(doubt: Doubt) -> str:
    return f"'{doubt.array}'" if doubt.array else "a local"
