"""One file parsed until its parse shows nothing that asks for another.

Input: a screened file with its dialect, macros and include paths, and the instances of template kernels that are asked for.
Output: the last `Trial`: what clang made of the file, the kernels and instances that it shows, and the errors that count.

The idea: clang parses a small text of ours that includes the stub header, the user's file, and a line for each instance. What
comes out may say how to ask better. Spellings that this clang does not know are written in another way. Names of the stub that
the file has too are left out. Instances are asked for with the namespaces of their kernels. Where no launch that is understood
names an instance, the texts of launches are guessed from. Each of these is done once and adds to the next `Attempt`, so it ends.
A function for host and device may call one of the device alone. Where a host function uses it, too, clang as the host's compiler
takes the call away; then the text is read as the device's compiler reads it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from automata.lang.clang.finder import OWN, Finder
from automata.lang.clang.headers import parts_of
from automata.lang.clang.index import Complaint, Cursor, Parsed
from automata.lang.clang.instances import namespaces
from automata.lang.clang.mended import asked_by_mended, with_keywords, with_numbers, with_plain_pointers, without_restrict
from automata.lang.clang.prelude import HALF, Dialect, Prelude, hosted, macros, prelude
from automata.lang.clang.probes import check_probes, launched, probe_line, stem
from automata.lang.clang.reach import Reach
from automata.lang.clang.reader import text_of
from automata.lang.clang.screen import Screened, allowed, roots_of
from automata.lang.clang.wrong import Judge, without_hints
from automata.place import InputError, Place

HALF_HEADER = re.compile(r"#\s*include\s*[<\"][^>\"]*(fp16|bf16|fp8|fp4|half|\bmma\.h|\b(?:torch|ATen|c10)/)")
AMBIGUOUS = re.compile(r"reference to '(\w+)' is ambiguous")
OF_THE_DEVICE = re.compile(r"reference to __device__ (?:function|variable) '.*' in __host__ __device__ function")
OVERLOADED = re.compile(r"__device__ function '(min|max)' cannot overload __host__ __device__ function '\1'")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is asked of one parse."""

    path: str
    screened: Screened
    dialect: Dialect
    defines: dict[str, str]
    includes: tuple[str, ...]
    probes: tuple[str, ...]
    """Instances of template kernels, as `reduce<float, 256>`."""
    asked: tuple[str, ...] = ()
    """Lines that ask for classes, with `%d` for a number of their own."""
    guess: bool = False
    """Whether the probes are guesses: those that fail are left out."""
    spaces: Mapping[str, tuple[str, ...]] | None = None
    """The namespaces of kernels, once they are known."""
    without: frozenset[str] = frozenset()
    """Names of the stub that are left out, for the file has its own."""
    on_device: bool | None = None
    """Whether it is read as the device's compiler reads it; None where that was not asked yet."""

    @property
    def main(self) -> str:
        """The name of the text of ours."""
        return OWN + (".cu" if self.dialect == "cuda" else ".cl")

    def stub(self) -> Prelude:
        """The header that stands before the file."""
        text = self.screened.files[os.path.abspath(self.path)]
        parts = parts_of(self.screened.absent) if self.dialect == "cuda" else ()
        return prelude(self.dialect, not _names_its_own_half(text, self.screened.files.values()), parts, self.without,
                       bool(self.on_device))


class Trial:
    """One parse, and what it shows. InputError where it read a file that lies outside of the include paths."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.before = attempt.stub()
        full, main = os.path.abspath(attempt.path), attempt.main
        lines = [*macros(attempt.defines), f'#include "{full}"']
        self.first_probe = len(lines) + 1
        lines += [probe_line(at, probe, attempt.spaces or {}) for at, probe in enumerate(attempt.probes)]
        self.first_asked = len(lines) + 1
        lines += [line.replace("%d", str(at)) for at, line in enumerate(attempt.asked)]
        files = attempt.screened.files
        self.unsaved = {main: "\n".join(lines) + "\n", **{name: files[name] for name in (full, *sorted(attempt.screened.mended))}}
        self.args = [*self.before.args, *(word for folder in attempt.includes for word in ("-I", os.path.abspath(folder)))]
        self.own = {main, self.before.path}
        self.parsed = Parsed(main, self.args, self.unsaved, (os.path.dirname(full), os.path.dirname(attempt.path)),
                             frozenset(self.own))
        _check_files(self.parsed, attempt.path, attempt.includes, self.own)
        self.all_errors = without_hints(self.parsed.errors(), files)
        self.texts = {name: text.encode("utf-8", "surrogateescape") for name, text in self.unsaved.items()}
        self.texts[self.before.path] = self.before.text.encode()

    def respelled(self) -> Attempt | None:
        """The same with numbers and keywords that this clang does not know, or not there, in another spelling."""
        screened = self.attempt.screened
        errors = [replace(error, file=os.path.normpath(error.file)) for error in self.all_errors]  # `sub/../deep/a.h`
        more = {file: text for mend in (with_numbers, without_restrict, with_plain_pointers, with_keywords)
                for file, text in mend(errors, screened.files).items()}
        if not more:
            return None
        mended = replace(screened, files={**screened.files, **more}, mended=screened.mended | set(more))
        return replace(self.attempt, screened=mended)

    def without_ours(self) -> Attempt | None:
        """The same without the names of the stub that the file has too."""
        taken = hosted(match[1] for error in self.all_errors if (match := AMBIGUOUS.fullmatch(error.message)))
        taken |= {f"{HALF} {match[1]}" for error in self.all_errors if (match := OVERLOADED.fullmatch(error.message))}
        return replace(self.attempt, without=taken) if taken and not self.attempt.without else None

    def for_the_device(self) -> Trial | None:
        """The same as the device's compiler reads it, if the host's refuses what that allows, and this one has fewer errors."""
        if self.attempt.on_device is not None or not any(OF_THE_DEVICE.fullmatch(error.message) for error in self.all_errors):
            return None
        other = Trial(replace(self.attempt, on_device=True))
        return other if len(other.all_errors) < len(self.all_errors) else None

    def look(self) -> None:
        """Find the kernels, their instances and the errors that are the file's own."""
        main = self.attempt.main
        in_asked = [error for error in self.all_errors if error.file == main and error.place.line >= self.first_asked]
        self.refused = {error.place.line - self.first_asked for error in in_asked}
        self.errors = [error for error in self.all_errors
                       if error.file != main or (not self.attempt.guess and error.place.line < self.first_asked)]
        self.found = Finder(self.parsed, self.own, self.attempt.dialect, self.texts)
        self.spaces = {name: space for name, cursors in self.found.kernels.items() if (space := namespaces(cursors[0]))}

    def in_their_spaces(self) -> Attempt | None:
        """The same with each instance asked for in the namespace of its kernel."""
        is_new = self.attempt.spaces is None and any(stem(probe) in self.spaces for probe in self.attempt.probes)
        return replace(self.attempt, spaces=self.spaces) if is_new else None

    def guessed(self) -> Attempt | None:
        """The same with the instances that the texts of launches name, where no launch that is understood names one."""
        unknown = [name for name in self.found.kernels if name not in self.found.instances and self.found.is_template(name)]
        if self.attempt.guess or self.attempt.probes or not unknown:
            return None
        files = self.attempt.screened.files
        lost = launched(unknown, files)
        left = [name for name in unknown if not any(each.startswith(f"{name}<") for each in lost)]
        lost += asked_by_mended(left, self.errors, files, self._shown_with)
        return replace(self.attempt, probes=tuple(lost), guess=True, spaces=self.spaces) if lost else None

    def _shown_with(self, files: dict[str, str]) -> tuple[list[Complaint], dict[str, dict[str, Cursor]]]:
        """The errors and the instances of a parse of other texts of some files."""
        parsed = Parsed(self.attempt.main, self.args, {**self.unsaved, **files}, own=frozenset(self.own))
        return parsed.errors(), Finder(parsed, self.own, self.attempt.dialect, dict(self.texts)).instances

    def judge(self) -> Judge:
        """Who says which errors concern a kernel."""
        theirs = [name for name in self.parsed.files() if name != self.before.path]
        return Judge(self.errors, self.texts, self.before.path,
                     [*self.found.functions, *self.found.methods, *self.found.inner], self.attempt.path,
                     lambda: Reach(self.parsed.root, self.own, theirs, lambda file: text_of(self.texts, file)),
                     tuple(self.attempt.screened.files))

    @property
    def probed(self) -> list[Cursor]:
        """The instances that the probes asked for."""
        return [cursor for at in range(len(self.attempt.probes)) for cursor in self.found.probed(f"__spmd_probe{at}")]

    @property
    def shown(self) -> list[Cursor]:
        """The classes that the lines of `asked` show."""
        return self.found.shown(set(range(len(self.attempt.asked))) - self.refused)


def tried(attempt: Attempt) -> Trial:
    """Parse until nothing asks for another parse. InputError for a probe that names nothing."""
    while True:
        trial = Trial(attempt)
        again = trial.respelled() or trial.without_ours()
        if again is None:
            trial = trial.for_the_device() or trial
        if again is None:
            trial.look()
            again = trial.in_their_spaces()
        if again is None:
            check_probes(trial.errors, attempt.main, trial.first_probe, attempt.probes)
            again = trial.guessed()
        if again is None:
            return trial
        attempt = again


def _names_its_own_half(text: str, texts: Iterable[str]) -> bool:
    """Whether `half` is an ordinary name: the file mentions it, and nothing included asks for a header that declares it."""
    return re.search(r"\bhalf\b", text) is not None and not any(HALF_HEADER.search(each) for each in texts)


def _check_files(parsed: Parsed, path: str, includes: tuple[str, ...], own: set[str]) -> None:
    """Refuse a file that was read from outside; the screen should have caught it."""
    roots = roots_of(path, includes)
    for name in parsed.files():
        if name not in own and not allowed(name, roots):
            raise InputError(f"the file '{name}' lies outside the file's folder and the include paths", Place(path, 0, 0))
