"""Images that a kernel writes, as two-dimensional arrays of pixels named after the parameter.

Input: calls of `write_imagef` and its like (OpenCL C 6.12.14.4). Output: stores to the four components of a pixel, each an
array of its own. A row is longer than any coordinate, so that different coordinates are different pixels whatever the width
of the image; coordinates outside the image have no defined effect and negative ones are outside for certain. An image that is
only read stays a function of the coordinates and the sampler; one that a kernel both reads and writes is refused, for what a
read sees would be an earlier write.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from automata.lang import core
from automata.lang.core import Space
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.storage import Address, Handle, Origin, Root
from automata.lang.types import ArrayOf, Field, Record
from automata.place import Place, UnsupportedError
from automata.scalar import I32, Scalar

ROW = 1 << 32
"""Pixels of a row: more than a coordinate can be."""


def may_exist(cell: int, dims: tuple[int | None, ...]) -> bool:
    """Whether a cell of an array may exist: of an image, no pixel has a negative coordinate."""
    return dims[1:] != (ROW,) or (cell >= 0 and cell % ROW < ROW // 2)


@dataclass
class Images:
    """The images of a kernel: those written, with their arrays; those read, with the place of the first read."""

    builder: Builder
    written: dict[str, Root] = field(default_factory=dict)
    seen: dict[str, Place] = field(default_factory=dict)

    def pixel(self, image: Handle, at: list[core.Expr], element: Scalar, place: Place) -> Address:
        """Where the pixel at coordinates (x, or x and y) is."""
        if not image.name:
            raise UnsupportedError("a write to an image that no parameter names", place)
        x, y = (*at, core.Const(0, I32, place))[:2]
        root = self.written.get(image.name)
        if root is None:
            pixel = Record("pixel", tuple(Field(name, element) for name in "xyzw"))
            kind = ArrayOf(ArrayOf(pixel, ROW), None)
            root = self.written[image.name] = self.builder.root(image.name, kind, Space.GLOBAL, Origin.PARAM, place)
            root.name = image.name
        assert isinstance(root.type, ArrayOf) and isinstance(root.type.element, ArrayOf)
        found = root.type.element.element
        assert isinstance(found, Record)
        if found.fields[0].type != element:
            raise UnsupportedError(f"image '{image.name}', written as {found.fields[0].type} and as {element}", place)
        return Address(root, (y, x), found)

    def read(self, image: str, place: Place) -> None:
        """Note that pixels of an image are read."""
        self.seen.setdefault(image, place)

    def assumptions(self) -> list[str]:
        """What is taken for granted; UnsupportedError if an image is read and written."""
        for name, place in self.seen.items():
            if name in self.written:
                raise UnsupportedError(f"image '{name}', which the kernel both reads and writes", place)
        if not self.written:
            return []
        names = ", ".join(self.written)
        found = [f"images keep what is written to them ({names})"]
        if self.seen or len(self.written) > 1:
            found.append(f"no two parameters are one image ({', '.join([*self.written, *self.seen])})")
        return found
