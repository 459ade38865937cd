"""Launches whose arrows are torn by blanks: `kernel << <grid, block >> > (x)`.

Some editors format CUDA so, and nvcc reads it. In C++ no expression has `<` behind `<<`, so what stands there is a launch. The
text keeps its length and its lines: places of what follows stay as they are.
"""

from __future__ import annotations

import re

_BLANK = re.compile(r"<[ \t]+<|>[ \t]+>")
_TORN = re.compile(r"(?<=[\w>])(?P<before>\s*)<(?:<[ \t]+<|[ \t]+<<|[ \t]+<[ \t]+<|<<)"
                   r"(?P<config>(?:[^;{}<>]|<[^;{}<>]*>|\{[^;{}]*\}|->)*?)>(?:>[ \t]+>|[ \t]+>>|[ \t]+>[ \t]+>|>>)(?=\s*\()")


_LAUNCHING = re.compile(r"<<<|\b(?:cuda|hip)Launch(?:Cooperative)?Kernel\w*|clEnqueueNDRangeKernel\b")


def may_launch(text: str) -> bool:
    """Whether a text may launch kernels: it has arrows, or names a function that does."""
    return _LAUNCHING.search(text) is not None


def with_arrows(text: str) -> str:
    """A text with the arrows of its launches whole."""
    if not _BLANK.search(text):
        return text
    return _TORN.sub(_whole, text)


def _whole(found: re.Match[str]) -> str:
    """A launch, as long as it was: blanks that tore its arrows stand before and behind its configuration."""
    text, config = found[0], found["config"]
    begin = len(found["before"])
    opening = found.start("config") - found.start() - begin
    closing = len(text) - begin - opening - len(config)
    return f"{found['before']}<<<{' ' * (opening - 3)}{config}{' ' * (closing - 3)}>>>"
