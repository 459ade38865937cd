"""`spmd equiv` between its options and the pipeline: the sides that are named, and differences as programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import typer

from automata.lang.launch import Launch
from automata.place import InputError, UnsupportedError
from spmd.asked import PairAnswer, PairQuestion, Question, Source
from spmd.interruption import telling, writing
from spmd.options import complain, progress, sink
from spmd.output import Output
from spmd.pair_pipeline import run_equiv
from spmd.recording.pairing import paired
from spmd.records.baseline import Baseline
from spmd.records.launch import read_record, read_record_file
from spmd.report.formats import Format
from spmd.report.replay import replay_program
from spmd.report.script import replay_script
from spmd.settings.apply import settled
from spmd.sides import file_and_kernel


@dataclass(frozen=True, slots=True)
class Stated:
    """What the command line says of both sides. `given`: the options that it states."""

    launch: Launch | None
    requires: tuple[str, ...]
    defines: dict[str, str]
    includes: tuple[str, ...]
    arch: str | None
    seconds: float
    given: frozenset[str]
    aliases: tuple[tuple[str, ...], ...] = ()
    limits: tuple[tuple[str, int], ...] = ()


def side_of(name: str, text: str | None, record: str | None, alike: Stated) -> Question:
    """One side of a pair: its file and kernel, from the argument or its launch record."""
    if text is None and record is None:
        raise InputError(f"what is {name}? give a file, or FILE:KERNEL where it has several; "
                         f"or --launch-{name.lower()} RECORD.json")
    file, kernel = file_and_kernel(text or "")
    if record is not None:
        raw = read_record_file(record)
        if isinstance(raw, dict):
            raw = {**raw, "file": raw.get("file") or str(Path(file).resolve())}
        question = read_record(raw, Path(record).parent, seconds=alike.seconds)
        source = replace(question.source, kernel=question.source.kernel or kernel, arch=question.source.arch or alike.arch)
        return replace(question, source=source, requires=alike.requires, aliases=alike.aliases, limits=alike.limits)
    source = Source(file, kernel, None, alike.defines, alike.includes, arch=alike.arch)
    return settled(Question(source, alike.launch, alike.requires, seconds=alike.seconds,
                            aliases=alike.aliases, limits=alike.limits), alike.given)


def of_recordings(a: str | None, b: str | None, names: dict[str, str], outputs: list[str], mode: str,
                  seconds: float) -> tuple[list[PairQuestion], list[str]]:
    """The comparisons of two recordings, and a verdict for each launch that cannot be compared; what they are is told."""
    if a is None or b is None:
        raise InputError("which recordings? spmd equiv --launches OLD NEW")
    found = paired(a, b, names, tuple(outputs), mode, seconds)
    for text in found.alone:
        complain(f"unknown: {text}")
    for name, error in found.refused:
        complain(f"{'unsupported' if isinstance(error, UnsupportedError) else 'invalid'}: {name}: {error}")
    if not (found.questions or found.alone or found.refused):
        raise InputError(f"neither {a} nor {b} holds a launch")
    return found.questions, ["unknown"] * bool(found.alone) + [
        "unsupported" if isinstance(error, UnsupportedError) else "invalid" for _, error in found.refused]


def compare_all(questions: list[PairQuestion], form: Format, output_file: str | None, known: Baseline | None,
                replays: str | None) -> list[str]:
    """Compare pairs, one after another in this process, and write what comes of it. `replays`: a folder for differences as
    programs. The verdicts that decide."""
    left = [each.id or f"{each.a.source.text} with {each.b.source.text}" for each in questions]
    with sink(output_file) as say:
        out = Output(form, say, known)
        with telling(lambda: complain(out.interrupted(left))):
            for question in questions:
                with progress(f"comparing {left[0]}"):
                    answer = run_equiv(question)
                if replays is not None and answer.report.counterexample is not None:
                    save_replay_files(replays, answer)
                with writing():
                    out.pair(answer)
                    del left[0]
        return out.close()


def save_replay_files(folder: str, answer: PairAnswer) -> None:
    """The counterexample as a CUDA program with a main, and as a NumPy script, in a folder."""
    question, found = answer.question, answer.report.counterexample
    assert found is not None
    sides = [[part.source.file for part in parts]
             for parts in ((question.a, *question.after_a), (question.b, *question.after_b))]
    what = f"{answer.kernel_a} against {answer.kernel_b}"
    for name in ("replay.cu", "replay.py"):
        target = Path(folder) / name
        try:
            text = replay_script(found, what) if name.endswith("py") else replay_program(found, sides, what)
        except InputError as error:
            typer.echo(f"spmd: no {target}: {error}", err=True)
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"--save-replay {folder}: {error.strerror}") from error
        typer.echo(f"spmd: the difference as a program: {target}", err=True)
