"""A kernel as a revision has it: data alone."""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.launch import Launch


@dataclass(frozen=True, slots=True)
class Read:
    """A kernel as a revision has it. `home`: the file it stands in; `unit`: the text it was read through; `core`: its digest,
    "" if it could not be read, for the `verdict` and `reason` that are told; `order`: its parameters; `text`: digest of
    the texts it sees; `is_stated`:
    its launch stands in a comment; `launches`: else those of the program; `launched`: their digest; `is_idle`: a template that
    nothing instantiates; `is_late`: a text that the budget left no time to read."""

    home: str
    name: str | None
    unit: str
    line: int = 0
    core: str = ""
    shape: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    text: str = ""
    is_stated: bool = False
    launches: tuple[Launch, ...] = ()
    launched: str = ""
    verdict: str = ""
    reason: str = ""
    is_idle: bool = False
    is_late: bool = False

    @property
    def stem(self) -> str:
        """The name without template arguments."""
        return (self.name or "").partition("<")[0].strip()

    def does_as(self, other: Read) -> bool:
        """Whether both are the same for every question: one Core, else one text."""
        if self.core or other.core:
            return self.core == other.core
        return self.text == other.text

    def is_launched_as(self, other: Read) -> bool:
        return self.launched == other.launched
