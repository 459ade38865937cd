"""How outputs are decided for all sizes, of kernels or of sequences of them: runs, proofs, runs again.

Input: the kernels of both sides, each shown to be deterministic, and the outputs that are asked about. Output: evidence. Small
launches and launches spread over the sizes are run first, for a difference is cheapest there. Then each output is proved, by its
single writes where no loop stays (`ForAll.singly`), and else by a generic block of each kernel (`generic`), or, where blocks may
have few sizes, by one of each size. Of what stays open the sizes that failed proofs name are run, then more launches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from automata.budget import Budget
from automata.logic.atom import Atom
from automata.place import InputError
from automata.proof.witness.analysis import Analysis
from equivalence.all_sizes import Equality
from equivalence.chain import Chain
from equivalence.counterexample import Search, Trials
from equivalence.divisors import predicated
from equivalence.evidence import Asked, Caveats, Differs, Left, Looked, Said, Shown, still_open, weakest
from equivalence.gate import MODES
from equivalence.notes import OVER_REALS
from equivalence.over_reals import caveats
from equivalence.related_runs import RelatedSearch
from equivalence.relation import Relation
from equivalence.result import Counterexample, EqualityClass

if TYPE_CHECKING:
    from equivalence.generic import compare as generic
    from equivalence.generic.compare import GenericPair
    from equivalence.generic.zeros import Nonzero

FIRST_LOOK = Trials(threads=4096, work=2_000, seconds=1.0)
LAST_LOOK = Trials(threads=20_000, work=80_000, seconds=20.0)
FIRST_SPREAD = Trials(threads=8192, work=60_000, seconds=1.0)
LAST_SPREAD = Trials(threads=20_000, work=600_000, seconds=40.0)
FEW, MANY = 24, 400
"""Launches spread over the sizes, before the proof and behind it. What differs mostly does in the first few of them, and what is
equal shall not wait for more."""

OF_THE_TIME = 0.7
"""For proofs by generic blocks, of what is left: behind them comes a search."""
GENERIC_PROOF = 30.0
"""Seconds of the proofs by a generic block of each kernel."""
MOST_ZEROS = 6
"""Divisors at whose zeros the sides are run."""
BY_ZERO = "as functions of the reals they are equal at all sizes at which nothing is divided by zero; here it is"



@dataclass(frozen=True, slots=True)
class Way:
    """How generic blocks are run: sizes written as multiples of numbers, or as their one number; one round for all of long
    loops."""

    in_multiples: bool = False
    keeps_loops: bool = False


PLAIN, IN_MULTIPLES, LONG = Way(), Way(in_multiples=True), Way(in_multiples=True, keeps_loops=True)
Singly = Callable[[str], tuple[Said, Equality]]
"""An output by its single writes: evidence, and the answer of the solvers."""


@dataclass(frozen=True, slots=True)
class ForAll:
    """What is asked. `is_large`: of one launch, too large to be run, whose arguments are bound to their numbers;
    `analyses`: of each side, kernel by kernel; `chains`: the sides as runs on numbers take them; `singly`: None
    where loops stay, or a side is several kernels; `relations`: asked about instead of outputs, whose texts are these."""

    analyses: tuple[Sequence[Analysis], Sequence[Analysis]]
    chains: tuple[Chain, Chain]
    outputs: tuple[str, ...]
    mode: str
    budget: Budget
    singly: Singly | None = None
    is_large: bool = False
    relations: Sequence[Relation] = ()


def decide(asked: ForAll) -> list[Said]:
    """Evidence on the outputs; it ends with a difference where one is found, else with what an equality leaves unsaid."""
    said = evidence_on(asked)
    return [*said, *_over_reals(asked, said)]


def evidence_on(asked: ForAll) -> list[Said]:
    """The same, less what an equality leaves unsaid."""
    bits = asked.mode == "bitwise"
    search = RelatedSearch(*asked.chains, asked.relations, bits=bits) if asked.relations else (
        Search(*asked.chains, asked.outputs, bits=bits))
    found = None if asked.is_large else search.smallest(FIRST_LOOK) or search.spread(FEW, FIRST_SPREAD)
    if found is not None:
        return [Differs(found, found.relation or "")]
    said: list[Said] = [Asked(asked.outputs)]
    suspects: list[Equality] = []
    if asked.singly is not None:
        answers = [asked.singly(name) for name in asked.outputs]
        said += [told for told, _ in answers]
        suspects = [equality for told, equality in answers if isinstance(told, Left)]
    if still_open(said):
        proved, zeros = _by_generic_blocks(asked, still_open(said), search.rounded, is_told=asked.singly is not None)
        said += proved
        if not asked.is_large and (found := _where_zero(search, zeros, asked)) is not None:
            return [Differs(found, found.relation or "", notes=(BY_ZERO,))]
    if asked.is_large or not still_open(said):
        return said
    found = _pointed(search, suspects) or search.smallest(LAST_LOOK) or search.spread(MANY, LAST_SPREAD)
    return [Differs(found, found.relation or "")] if found is not None else [*said, Looked(search.evidence)]


def _pointed(search: Search, suspects: Sequence[Equality]) -> Counterexample | None:
    """A difference at sizes that a failed proof names."""
    for equality in suspects:
        sizes = equality.sizes
        found = search.at(sizes) if sizes is not None and search.fits(sizes, LAST_LOOK) else None
        if found is not None:
            return found
    return None


def _where_zero(search: Search, zeros: Sequence[Nonzero], asked: ForAll) -> Counterexample | None:
    """A difference of what is equal over the reals wherever no divisor is zero, at sizes that make one zero."""
    contexts = [analysis.context for group in asked.analyses for analysis in group]
    for each in zeros[:MOST_ZEROS]:
        for sizes in each.launches(contexts):
            if search.fits(sizes, LAST_LOOK) and (found := search.at(sizes)) is not None:
                return found
    return None


def _by_generic_blocks(asked: ForAll, names: tuple[str, ...], rounded: Set[str], *,
                       is_told: bool) -> tuple[list[Said], list[Nonzero]]:
    """Outputs by a generic block of each kernel, and what they are divided by that sizes may make zero. `rounded`: those of which
    runs have left other bits, so that no class of bits is tried; `is_told`: why single writes leave them open, which says more
    than that a generic block does."""
    from equivalence.generic.compare import told
    from equivalence.generic.integers import CannotFollow

    blocks = _Blocks(asked)
    try:
        first = blocks.pair(LONG if asked.is_large else PLAIN)
        if first.integers.never(()):
            raise InputError("no launch meets the requirements of all kernels: their launches contradict each other")
    except CannotFollow as error:
        first, reason = None, told(error)
    said: list[Said] = []
    zeros: list[Nonzero] = []
    for name in names:
        strongest = EqualityClass.REAL if name in rounded else EqualityClass.BITWISE
        answer = None if first is None else blocks.shown(first, name, strongest)
        if answer is None or answer.kind is None:
            answer = (None if asked.is_large else blocks.by_few(name)) or answer
        if answer is not None and answer.kind is not None:
            under = tuple(each.text for each in answer.nonzero if each.is_of_sizes)
            said.append(Shown({name: answer.kind}, assumed=tuple(answer.assumed), proof=tuple(answer.proof), under=under))
            zeros += answer.nonzero
            said += [Caveats(notes=tuple(answer.notes))] if answer.notes else []
        elif not is_told:
            said.append(Left((name,), reason if answer is None else answer.reason))
    return said, zeros


class _Blocks:
    """Generic blocks of a pair, each way of running them made once."""

    def __init__(self, asked: ForAll) -> None:
        self.asked = asked
        self.made: dict[Way, GenericPair] = {}

    def pair(self, way: Way) -> GenericPair:
        if way not in self.made:
            self.made[way] = self._made(way, self.asked.budget.share(OF_THE_TIME).within(GENERIC_PROOF), {})
        return self.made[way]

    def _made(self, way: Way, budget: Budget, sizes: Mapping[Atom, int]) -> GenericPair:
        from equivalence.generic.compare import GenericPair
        return GenericPair(*self.asked.analyses, budget, in_multiples=way.in_multiples, keeps_loops=way.keeps_loops,
                           blocks=sizes, relations={relation.text: relation for relation in self.asked.relations})

    def shown(self, first: GenericPair, name: str, strongest: EqualityClass) -> generic.Shown:
        """The answer for an output, in the ways that may show it one after another. `strongest`: the class to begin with."""
        from equivalence.generic.compare import show_all
        from equivalence.generic.integers import CannotFollow

        found: list[generic.Shown] = []
        for way in self.ways(first):
            try:
                answer = show_all(self.pair(way), [name], MODES[self.asked.mode], strongest)[name]
            except CannotFollow:
                continue
            if answer.kind is not None:
                return answer
            found.append(answer)
        return found[0]

    def ways(self, first: GenericPair) -> tuple[Way, ...]:
        """How blocks are run, the likeliest way first. `first`: the pair in the first way that there is."""
        if self.asked.is_large:
            return LONG, PLAIN
        if not first.has_multiples:
            return (PLAIN,)
        return (IN_MULTIPLES, PLAIN) if first.divides_multiples else (PLAIN, IN_MULTIPLES)

    def by_few(self, name: str) -> generic.Shown | None:
        """The same for each of the sizes that blocks may have, if these are few."""
        from equivalence.generic.compare import show_by_blocks

        budget = self.asked.budget.share(OF_THE_TIME).within(GENERIC_PROOF)
        return show_by_blocks(lambda sizes: self._made(PLAIN, budget, sizes), self.asked.analyses, name,
                              MODES[self.asked.mode], budget)


def _over_reals(asked: ForAll, said: Sequence[Said]) -> list[Said]:
    kind = weakest(said)
    if kind not in OVER_REALS:
        return []
    contexts = [[analysis.context for analysis in group] for group in asked.analyses]
    return [caveats([[context.kernel for context in group] for group in contexts],
                    [[predicated(context.kernel, context.free()) for context in group] for group in contexts], kind)]
