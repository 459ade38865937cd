"""Which classes a kernel can reach by name.

An error in a class damages that class alone. Whoever uses a damaged member says the name of the class, or of something whose
declaration says it: an alias, a class derived from it, a function that returns it, a macro. So the names in the text of a
kernel are followed through the declarations of the file, until no new one comes up; a class that is not among them is not
used. Members need not be followed one by one: the text of their class is taken whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor

WORD = re.compile(rb"[A-Za-z_]\w*")
MACRO = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*define[ \t]+([A-Za-z_]\w*)((?:\\\n|[^\n])*)", re.M)
OPENED = re.compile(rb"\busing\s+namespace\s+([\w:]+)|\bnamespace\s+\w+\s*=\s*([\w:]+)")
SCOPES = frozenset({kinds.NAMESPACE, kinds.LINKAGE, kinds.UNEXPOSED_DECL})
CLASSES = kinds.RECORDS | {kinds.CLASS_TEMPLATE, kinds.PARTIAL_SPECIALISATION}
Extent = tuple[str, int, int]


class Reach:
    """The declarations of a unit by name, outside of functions and classes; its classes with their extents.

    `root`: the unit; `own`: files that are not the user's; `source`: the text of a file.
    """

    def __init__(self, root: Cursor, own: set[str], files: Iterable[str], source: Callable[[str], bytes]) -> None:
        self.source = source
        self.classes: list[tuple[Extent, bytes]] = []
        self.namespaces: list[tuple[Extent, bytes]] = []
        self._named: dict[bytes, list[bytes]] = {}
        self._walk(root, own)
        self.opened: set[bytes] = set()
        for file in files:
            for match in MACRO.finditer(source(file)):
                self._named.setdefault(match[1], []).append(match[2])
            for match in OPENED.finditer(source(file)):
                self.opened |= set(WORD.findall(match[1] or match[2]))

    def _walk(self, scope: Cursor, own: set[str]) -> None:
        for child in scope.children():
            if scope.kind == kinds.TRANSLATION_UNIT and child.place.file in own:
                continue
            if child.kind in SCOPES:
                if child.kind == kinds.NAMESPACE and scope.kind == kinds.TRANSLATION_UNIT:
                    self.namespaces.append((child.extent, child.spelling.encode()))
                self._walk(child, own)
                continue
            file, start, end = child.extent
            for name in self._names_of(child):
                self._named.setdefault(name, []).append(self.source(file)[start:end])
            self._class(child)

    @staticmethod
    def _names_of(cursor: Cursor) -> set[bytes]:
        """What a declaration makes known: also what stands in an enumeration or in a class without a name."""
        within = cursor.kind == kinds.ENUM or (cursor.kind in kinds.RECORDS and "(" in cursor.spelling)
        return {each.spelling.encode() for each in (cursor, *(cursor.children() if within else ()))}

    def _class(self, cursor: Cursor) -> None:
        """Keep a class and those in it."""
        if cursor.kind in CLASSES:
            self.classes.append((cursor.extent, cursor.spelling.encode()))
            for part in cursor.children():
                self._class(part)

    def around(self, file: str, offset: int) -> list[tuple[Extent, bytes]]:
        """The classes around a place, the outermost first."""
        found = [each for each in self.classes if each[0][0] == file and each[0][1] <= offset < each[0][2]]
        return sorted(found, key=lambda each: each[0][1] - each[0][2])

    def is_open(self, file: str, offset: int, names: set[bytes], touched: Iterable[Extent]) -> bool:
        """Whether names lead into the outermost namespace around a place: it is among them, or opened somewhere, or what was read
        stands in it. A namespace without a name, or an inline one, is open."""
        for (where, start, end), name in self.namespaces:
            if where == file and start <= offset < end:
                head = self.source(where)[start:end].partition(b"{")[0]
                if not WORD.fullmatch(name) or b"inline" in head or name in names or name in self.opened:
                    return True
                spans = [each for each, other in self.namespaces if other == name]
                return any(span[0] == each[0] and span[1] <= each[1] < span[2] for each in touched for span in spans)
        return True

    def names(self, words: set[bytes]) -> set[bytes] | None:
        """All names that these lead to; None if macros paste some together."""
        found, waiting = set(words), list(words)
        while waiting:
            for text in self._named.get(waiting.pop(), ()):
                if b"##" in text:
                    return None
                new = set(WORD.findall(text)) - found
                found |= new
                waiting += new
        return found
