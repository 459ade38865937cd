"""Numbers that `main` reads from words of the command line: `atoi(argv[1])`.

In: a call. Out: the number of the word, where `argv` is the second parameter of `main` and its words are only read, each as
`argv[1]`: then the number is the same wherever it is read.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.functions import Region
from automata.lang.host.looking import Looking
from automata.lang.host.numbers import Unknown
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node

READING = {"atoi": 32, "stoi": 32, "atol": 64, "atoll": 64, "stol": 64, "stoll": 64, "strtol": 64, "strtoll": 64}
"""Functions that read an integer, with how many bits it has on the platforms that CUDA runs on, but for `long` on Windows."""
_SETTING = frozenset({"=", "[", "++", "--", "+=", "-="})


def word_of(node: Node, looking: Looking) -> int:
    """The number of the word that a call reads a number from; Unknown where it reads none."""
    index = node.parts[1] if len(node.parts) > 1 else node
    if index.kind != "index" or index.parts[0].kind != "name" or index.parts[1].kind != "number":
        raise Unknown
    region = looking.program.region_at(node.at)
    words = words_of(region)
    if region is None or words is None or looking.program.means.get(index.parts[0].at) is not words:
        raise Unknown
    if not index.parts[1].text.isdigit() or not are_only_read(looking.program, region, words):
        raise Unknown
    return int(index.parts[1].text)


def words_of(region: Region | None) -> Variable | None:
    """The parameter of `main` that holds the words of the command line."""
    if region is None or region.name != "main" or region.is_method or len(region.head.parameters) != 2:
        return None
    parameter = region.head.parameters[1]
    return parameter.variable if parameter is not None else None


def are_only_read(program: Program, region: Region, words: Variable) -> bool:
    """Whether every word is only read, and named by its number."""
    text, match = program.tokens.text, program.tokens.match
    if region.is_clouded or words.name in region.barred:
        return False
    for at in program.positions.get(words.name, []):
        if program.region_at(at) is not region or not region.opening < at < region.end:
            continue
        close = match[at + 1] if text[at + 1] == "[" else -1
        is_word = close == at + 3 and text[at + 2].isdigit() and text[close + 1] not in _SETTING
        if not is_word or text[at - 1] in ("&", "*", "++", "--") or program.means.get(at) is not words:
            return False
    return True
