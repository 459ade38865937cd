"""What the words of an answer mean, other than rules and verdicts: labels, properties, classes of equality, classes of alarms.

`spmd explain` prints these too. One entry a word, in the order in which an answer has them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what it means, and what a reader does with it."""

    name: str
    means: str
    use: str


WORDS: tuple[Word, ...] = (
    Word("scope", "The launches of which the verdict speaks: all sizes, all that meet a requirement, or one launch. Data and "
         "the order of threads are always any.", "Compare it with how your program launches the kernel. In brackets behind "
         "the file's name stands who states the launch: flags, a comment, host code, spmd.toml."),
    Word("assuming", "What the proof takes for granted and your launch has to keep: that arrays do not overlap, where they "
         "begin, that indices do not wrap, how large a launch may be.",
         "Read it once. Where one does not hold, say so: --alias, --require, --block."),
    Word("reason", "Why a kernel or a pair is not decided, or why it is refused, with its place.",
         "The line `next:` below it is a command to paste."),
    Word("evidence", "What was seen besides, where nothing is proved: how many launches were run without a difference, say.",
         "Take it for a test, not for a proof."),
    Word("assurance", "Of `equal`: `proved`, or `probabilistic` with the greatest chance of an error, where values were compared "
         "at random points.", "`--certify` leaves no chance, at small launches; for all sizes there is none."),
    Word("beyond", "What was found at sizes that the program does not launch. It does not decide the verdict.",
         "`--all-sizes` makes it decide."),
    Word("limit", "`limit reached`: work that was left undone because it went beyond a limit, with the limit's name and number.",
         "Raise it with --limit NAME=NUMBER; `spmd config --limits` lists all."),
    Word("next", "What to type next where an answer is open: a command to paste, and in brackets what it does.",
         "FOLDER, VALUE and the numbers of a launch stand for what only you know."),
    Word("suggestion", "Of `--suggest`: the weakest requirement that was found under which the answer is `proved` or `equal`.",
         "If your launches meet it, state it with --require."),
    Word("confirmed", "Of a finding: a run at the sizes shown did it.", "It is a defect at that launch."),
    Word("potential", "Of a finding: the proof did not exclude it, and no run showed it.",
         "It is neither a defect nor excluded: state more with --require, or a launch."),
    Word("benign", "Of a finding: it does no harm by itself, as when several threads store the same value.",
         "`--strict` counts stores of the same value as races."),
    Word("determinism", "`global arrays`: what is left in global memory is the same in every order of threads; `strong`: "
         "what it leaves in shared memory too.", "The first is what callers see."),
    Word("race-free", "No two threads touch one cell, one of them writing, without a barrier or an atomic operation between.",
         "See `spmd explain race`."),
    Word("barriers", "All threads that a barrier waits for come to it.", "See `spmd explain barrier-divergence`."),
    Word("order-free", "No output depends on the order of atomic operations, nor on memory that nobody has written.",
         "See `spmd explain atomic-order` and `spmd explain uninitialised-read`."),
    Word("assertions", "Assertions in the source hold; `not-checked` where there are none.", "See `spmd explain assertion`."),
    Word("bounds", "No access leaves an array of known extent; `not-checked` where no extent is known.",
         "State extents in a comment: // spmd: a[n]."),
    Word("no-wrap", "No signed index leaves the range of its type.", "See `spmd explain index-overflow`."),
    Word("bitwise", "Both kernels leave the same bits: the same floating-point operations in the same order.",
         "The strongest class of equality."),
    Word("bitwise-commutative", "The same bits, but for operands of a sum or product that change places.",
         "NaN payloads may differ."),
    Word("int", "Integers are equal modulo a power of two, in any order of addition; floats bit for bit.",
         "`--mode int` accepts no weaker class."),
    Word("real", "Equal as functions of real numbers: results may differ by rounding alone.",
         "Sums in another order, factored products. `--mode int` or `bitwise` if that is too weak."),
    Word("real-exp-max", "Equal as functions of real numbers, by the laws of exponentials and maxima, too: online softmax.",
         "Overflow and infinities are in the assumptions."),
    Word("CIDI", "Class of an alarm: neither whether it is reached nor where it goes depends on data (independent).",
         "Such alarms are exact: they are real at the sizes shown."),
    Word("CIDD", "Class of an alarm: where the access goes depends on data.", "State what the array holds: --require."),
    Word("CDDI", "Class of an alarm: whether the access is reached depends on data.", "State what the array holds: --require."),
    Word("CDDD", "Class of an alarm: both depend on data.", "State what the array holds: --require."),
    Word("sync-segment", "What a thread does between one barrier and the next. Two accesses of a block may meet only if "
         "both are in one segment.", "`spmd draw` shows a kernel's segments as boxes, --show-formulas numbers them."),
    Word("schedule", "The order in which a run of `spmd run` takes threads: `canonical` is the usual one, `threads:3` a random "
         "one with seed 3, and with `ahead:0/1` thread 1 of block 0 runs first.", "`--schedule NAME` runs it again."),
    Word("made-up", "`made up`: what a run needed and nobody stated, so the tool chose it.",
         "State your own: --block, --grid, --arg, --array."),
    Word("amplified", "A run in which every branch on data is taken both ways. If no data reach an address or a barrier, it "
         "speaks of all data.", "It proves one launch at a time."),
)


def find_word(name: str) -> Word | None:
    """The entry of a word, in any letters, and with blanks for hyphens; None where it has none."""
    wanted = "-".join(name.lower().split())
    return next((word for word in WORDS if word.name.lower() == wanted), None)


def word_text(word: Word) -> str:
    """An entry as text."""
    return f"{word.name}  (a word of the answer)\n\n{word.means}\n\n{word.use}\n"
