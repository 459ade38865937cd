"""Where something stands in the user's text, and the errors that carry such a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MODELS = "spmd-models-"
"""How folders of our own headers begin, in which library functions are written out."""
_MODEL = re.compile(rf".*[/\\]{MODELS}\w+[/\\](\w+)\.h")
TIME_IS_UP = "the time limit is up"
"""The reason of whatever is left open because the user's limit, or a part of it, is spent."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a source file; line and column count from 1 (0: unknown)."""

    file: str
    line: int
    column: int

    @property
    def shown(self) -> str:
        """The file as a user is told of it: our own headers by name, and not by where they lie for now."""
        found = _MODEL.fullmatch(self.file)
        return f"<spmd's {found[1]}.h>" if found else self.file

    @property
    def model(self) -> str | None:
        """The dialect whose header of ours this stands in."""
        found = _MODEL.fullmatch(self.file)
        return found[1] if found else None

    def __str__(self) -> str:
        return f"{self.shown}:{self.line}:{self.column}" if self.line else self.shown


NOWHERE = Place("", 0, 0)


class InputError(Exception):
    """The user's input cannot be read or contradicts itself: verdict `invalid`, exit status 2."""

    def __init__(self, message: str, place: Place = NOWHERE) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place.file else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.place)


class UnsupportedError(InputError):
    """A construct this version does not read: verdict `unsupported`, exit status 4."""


class NotInstantiatedError(InputError):
    """A template that nothing here instantiates: no compiler makes code of it. `example`: an instance that there might be;
    `block`: how many threads its blocks have in each direction, as far as its arguments say it."""

    def __init__(self, message: str, place: Place = NOWHERE, example: str = "", block: tuple[int, ...] = ()) -> None:
        super().__init__(message, place)
        self.example = example
        self.block = block

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.place, self.example, self.block)


class EndlessError(InputError):
    """A run that was given up: a loop went on for longer than it may."""


class GivenUpError(EndlessError):
    """A run that took more than was allowed. `counted`: "rounds" of loops, or "accesses"."""

    def __init__(self, message: str, place: Place = NOWHERE, counted: str = "rounds") -> None:
        super().__init__(message, place)
        self.counted = counted

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.place, self.counted)


class NeverEndsError(EndlessError):
    """A run in which a loop was seen never to end, in words about the thread that goes round it (`told`)."""

    def __init__(self, message: str, place: Place = NOWHERE, told: object = None) -> None:
        super().__init__(message, place)
        self.told = told

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.place, self.told)


class TooLargeError(EndlessError):
    """A run that would take more memory than it may."""


class UndecidedError(Exception):
    """A kernel that was read, but that the proofs do not cover: verdict `unknown`, with this reason and place.

    `side`: of a comparison, the kernel it is about, "a" or "b".
    """

    def __init__(self, message: str, place: Place = NOWHERE) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.side = ""

    @property
    def reason(self) -> str:
        """As the reason of a verdict."""
        return self.message if self.message == TIME_IS_UP else f"the proofs do not cover {self.message} yet"


@contextmanager
def on_side(name: str) -> Iterator[None]:
    """What is undecided in here is about this side of a comparison, "a" or "b"."""
    try:
        yield
    except UndecidedError as error:
        error.side = name
        raise


def told_lines(places: Iterable[Place]) -> str:
    """The lines of some places as text, a few of them."""
    lines = sorted({place.line for place in places})
    return ", ".join(f"line {line}" for line in lines[:3]) + (" and others" if len(lines) > 3 else "")
