"""Paths as the repository has them.

Readers see the folders of both revisions. What they say of places is told in the words of git: `src/k.cu` is in the new
revision, `main:src/k.cu` in the old one. Names that are no text are written with escapes.
"""

from __future__ import annotations

import os
from typing import Any

from spmd.diff.export import OLD, Exported


class Paths:
    """How texts are told that speak of the folders of two revisions, for who stands in the new one's."""

    def __init__(self, old: Exported, new: Exported) -> None:
        name = old.revision.name
        self.rows = ((os.path.relpath(old.root, new.root) + "/", f"{name}:"), (old.root + "/", f"{name}:"), (old.root, name),
                     (new.root + "/", ""), (new.root, "."), (f"../{OLD}", name))

    def text(self, text: str) -> str:
        for one, two in self.rows:
            text = text.replace(one, two)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def value(self, value: Any) -> Any:
        """A record with all its texts told so."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(key)): self.value(each) for key, each in value.items()}
            case list() | tuple():
                return [self.value(each) for each in value]
            case _:
                return value


def is_encodable(name: str) -> bool:
    """Whether a path is UTF-8, which is what libraries below take."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(name: str) -> str:
    """A name on one line, whatever is in it."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
