"""Which of clang's errors concern a kernel.

A statement with an error can vanish from clang's tree, and a declaration with one is left out silently
where it is used. So a kernel is refused when an error stands inside anything that it uses, or in a
declaration outside of functions whose names the kernel's text mentions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache

from automata.lang.clang import kinds
from automata.lang.clang.apart import is_of_no_account, unmade_include
from automata.lang.clang.headers import stands_for
from automata.lang.clang.index import Complaint, Cursor
from automata.lang.clang.instances import in_cuda, template_arguments
from automata.lang.clang.mentions import mentioned, own_names
from automata.lang.clang.reach import Reach
from automata.lang.clang.reader import Reader, text_of
from automata.lang.texts import split_top
from automata.place import InputError, Place, UnsupportedError

_WORD = re.compile(rb"[A-Za-z_]\w*")
_ENUM = re.compile(rb"\benum\b[^;{}]*\Z")
_NOT_FOUND = re.compile(r"'([^']+)' file not found")
_NUMBER_OF_A_HINT = re.compile(r"invalid value '[^']*'; must be positive|value '[^']*' is too large")
_HINT = re.compile(r"\bunroll\b")
COMMON_WORDS = frozenset(b"""
alignas auto bool break case char class const constexpr continue default do double else enum extern false float for if inline
int long namespace operator return short signed sizeof static struct switch template this true typedef typename union unsigned
using void volatile while __device__ __global__ __host__ __shared__ __constant__ __forceinline__ __restrict__ size_t std
define ifdef ifndef endif include
""".split())
ANNOTATIONS = re.compile(
    r"__(read|write|writes_to|reads_from|enabled|uniform|distinct|same|all|exclusive|no_(read|write)|global_|function_wide|candidate|"
    r"barrier_invariant|modifies|ptr_|array_snapshot|other|old|return_val|non_temporal|requires_|add_|mod_pow2|at_most_one|mul_|sub_|atomic_has|"
    r"skip|ensures_|assume_)\w*|__(read|write)(_\w+)?|DECLARE_\w+")
VAGUE = re.compile(r"a call through a pointer|unknown function|an error|could not|an expression|the name|a conversion|"
                   r"a statement that")
LOST = re.compile(r"(?:unknown type name|undeclared identifier|no template named|no type named|no member named|"
                  r"undeclared namespace) '([^']+)'")
NOISE = re.compile(rb"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|\b__attribute__\s*\(\(.*?\)\)|__launch_bounds__\s*\([^)]*\)", re.S | re.M)


PLAIN = re.compile(
    r"-?\d+|true|false|bool|float|double|__half|__nv_bfloat16|c10::Half|c10::BFloat16|"
    r"(signed |unsigned )?char|(unsigned )?(short|int|long|long long)")

_VALUE = re.compile(r"-?\d+|true|false|(?:\w+::)*([A-Za-z_]\w*)")
"""A value as a template argument: a number, or an enumerator, which may be qualified or not."""
_TEMPLATE_PARAMETERS = (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE, kinds.TEMPLATE_TEMPLATE)


LIST = re.compile(rb"(?:\btemplate\s*)?<[^<>;{}=()&|]*>")
_OPEN_HEAD = re.compile(rb"\b(?:auto|decltype|constexpr|consteval)\b")
_SYNTAX = re.compile(
    r"expected|extraneous|unterminated|missing|unknown type name|function definition is|.*(?:must appear|only allowed)")
"""Errors behind which a body may end elsewhere than it seems to, and swallow what follows it."""
Extent = tuple[str, int, int]
OUR_TEXT = "/spmd/"
MEMBERS = kinds.FUNCTIONS | {kinds.FUNCTION_TEMPLATE}


def within(error: Complaint, extent: Extent) -> bool:
    file, start, end = extent
    return file == error.file and start <= error.offset < max(end, start + 1)


def without_lists(text: bytes) -> bytes:
    """A declaration without the heads of templates and the arguments in angles: names in them are declared elsewhere."""
    shorter = LIST.sub(b" ", text)
    while shorter != text:
        text, shorter = shorter, LIST.sub(b" ", shorter)
    return text


def head_end(cursor: Cursor) -> int:
    """Where the parameters of a function end. A constructor with an error behind them damages only who calls it: that is read."""
    return max((child.extent[2] for child in cursor.children() if child.kind == kinds.PARAM), default=cursor.extent[2])


def declared_names(text: bytes) -> set[bytes]:
    """What a declaration outside of functions declares, told from its text alone."""
    plain = without_lists(NOISE.sub(b" ", text))
    named = re.search(rb"\b(?:struct|class|union|enum(?:\s+class)?|using|namespace)\s+([A-Za-z_]\w*)", plain)
    call = re.search(rb"([A-Za-z_]\w*)\s*\(", plain)
    if call:
        return {call.group(1)} | ({named.group(1)} if named else set())
    found = {match.group(1) for match in re.finditer(rb"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?=[=,]|\Z)", plain.rstrip())}
    return found | ({named.group(1)} if named else set())


def harmless_end(cursor: Cursor, text: bytes) -> tuple[int, int] | None:
    """The body of a function in which an error damages nothing but the function itself: its head says all that others take from
    it. None where they may take more: a type that is deduced from the body, a value that the compiler computes with it."""
    body = next((child.extent for child in cursor.children() if child.kind == kinds.COMPOUND), None)
    if body is None or body[0] != cursor.extent[0] or _OPEN_HEAD.search(text[cursor.extent[1]:body[1]]):
        return None
    return None if b"friend" in text[body[1]:body[2]] else (body[1], body[2])


def is_of_another(error: Complaint, kernel: Cursor) -> bool:
    """Whether an error was found in another instance of a kernel's template. Said only where one argument of both differs that
    is a number, an enumerator or one of the types whose other words are another type."""
    name, _, listed = error.instance.removesuffix(">").partition("<")
    if not listed or not kernel.template.exists or name != kernel.spelling or not within(error, kernel.extent):
        return False
    theirs, ours = map(arguments_of, (in_cuda(listed), template_arguments(kernel, "name")))
    values = are_values(kernel.template)
    return len(theirs) == len(ours) == len(values) and any(
        differ(one, two, is_value) for one, two, is_value in zip(theirs, ours, values, strict=True))


def arguments_of(text: str) -> list[str]:
    """Template arguments, one by one."""
    return split_top(text, ",", "([<{", ")]>}")


def are_values(template: Cursor) -> list[bool]:
    """Of each parameter of a template, whether it is a value."""
    return [child.kind == kinds.TEMPLATE_VALUE for child in template.children() if child.kind in _TEMPLATE_PARAMETERS]


def differ(one: str, two: str, is_value: bool) -> bool:
    """Whether two template arguments are surely not the same: both are numbers, names of enumerators, or plain types."""
    if not is_value:
        return one != two and all(map(PLAIN.fullmatch, (one, two)))
    last = [_VALUE.fullmatch(each) for each in (one, two)]
    return all(last) and len({each is not None and each[1] is None for each in last}) == 1 and len(
        {each and each[each.lastindex or 0] for each in last}) == 2


def without_hints(errors: list[Complaint], files: Mapping[str, str]) -> list[Complaint]:
    """The errors without those about how often `#pragma unroll` says to unroll: nvcc takes no notice of a number that is none
    (`#pragma unroll 0`), and clang keeps the loop as it is."""
    def is_hint(error: Complaint) -> bool:
        if not _NUMBER_OF_A_HINT.fullmatch(error.message):
            return False
        text = files.get(error.file, "").encode("utf-8", "surrogateescape")
        return _HINT.search(text[text.rfind(b"\n", 0, error.offset) + 1:error.offset].decode("utf-8", "replace")) is not None

    return [error for error in errors if not is_hint(error)]


class Judge:
    """The errors of a unit, and what each may have damaged."""

    def __init__(self, errors: list[Complaint], texts: dict[str, bytes], stub: str, functions: list[Cursor],
                 path: str, reach: Callable[[], Reach], files: tuple[str, ...] = ()) -> None:
        self.texts = texts
        self.files = files
        self.passed_by: dict[str, None] = {}
        self.stub = stub
        self.path = path
        self.last_line = max(1, texts.get(os.path.abspath(path), b"").rstrip().count(b"\n") + 1)
        self.records: set[Extent] = set()
        missing = {match.group(1) for error in errors if (match := _NOT_FOUND.search(error.message))}
        unmade = {error: name for error in errors if (name := unmade_include(error, files, self.source))}
        self.missing = tuple(sorted({*(name for name in missing if not stands_for(name)), *unmade.values()}))
        self.errors = [error for error in errors if error not in unmade and not _NOT_FOUND.search(error.message)]
        self.extents = [(cursor.extent, "" if cursor.kind == kinds.CONSTRUCTOR else cursor.spelling, head_end(cursor))
                        for cursor in functions] if self.errors else []
        self.functions = {cursor.extent: cursor for cursor in functions} if self.errors else {}
        self.reach = cache(reach)
        self.bodies = [(cursor.extent[0], *body) for cursor in functions
                       if self.errors and (body := harmless_end(cursor, self.source(cursor.extent[0])))]

    def check(self, reader: Reader, unsupported: UnsupportedError | None, kernel: Cursor) -> None:
        """Raise the first error that concerns what was read; `unsupported`: what the reading itself ran into."""
        errors = [error for error in self.errors if not is_of_another(error, kernel)]
        if not errors:
            return
        for error in errors:
            if error.file.startswith(OUR_TEXT):
                raise InputError(f"{error.message} at the end of the file", Place(self.path, self.last_line, 1))
            directive = self.directive(error)
            if directive and self.is_apart(error, reader):
                self.passed_by[f"{error.place.file}:{error.place.line}, '#error {error.message}', is passed by: the kernel uses "
                               "nothing of that file"] = None
            elif directive is not None:
                raise InputError(f"{directive}{error.message}", error.place)
        touched = set(reader.touched)
        members = self.members(reader) - touched
        far: list[Complaint] = []
        for error in errors:
            inside = [extent for extent in touched if within(error, extent)]
            unread = any(within(error, extent) for extent in members)
            if any(not unread or extent not in self.records for extent in inside):
                self.refuse(error, unsupported)
            far.append(error)
        words = self.words(touched, members)
        for error in far:
            if self.damaged(error) & words and self.is_reached(error, words, touched):
                self.refuse(error, unsupported)

    def is_reached(self, error: Complaint, words: set[bytes], touched: set[Extent]) -> bool:
        """Whether names in what was read lead to the class that an error stands in; always, if it stands in none."""
        around = [name for _, name in self.reach().around(error.file, error.offset) if _WORD.fullmatch(name)]
        if not around:
            return True
        names = self.reach().names(words)
        return names is None or (around[0] in names and self.reach().is_open(error.file, error.offset, names, touched))

    def is_apart(self, error: Complaint, reader: Reader) -> bool:
        """Whether a header with an error directive is of no account: nothing of it was read, and nothing hangs on its macros."""
        if error.file == os.path.abspath(self.path) or any(file == error.file for file, _, _ in reader.touched):
            return False
        return is_of_no_account(error.file, error.offset, self.files, self.source, reader.touched)

    def directive(self, error: Complaint) -> str | None:
        """`#error ` or nothing where a directive stands at the error: then any part of the text may be lost."""
        text = self.source(error.file)
        line = text[text.rfind(b"\n", 0, error.offset) + 1:error.offset + 20]
        if not re.match(rb"[ \t]*(#|%:)", line):
            return None
        return "#error " if re.match(rb"[ \t]*(#|%:)[ \t]*error\b", line) else ""

    def unmade(self, template: Cursor) -> list[str]:
        """The arguments of the instances of a template in which errors were found: libclang does not show all of them."""
        name, values = template.spelling, are_values(template)
        listed = [in_cuda(each.instance[len(name) + 1 : -1]) for each in self.errors if each.instance.startswith(f"{name}<")]
        return sorted({text for text in listed if len(parts := arguments_of(text)) == len(values) and all(
            (_VALUE if is_value else PLAIN).fullmatch(part) for part, is_value in zip(parts, values, strict=True))})

    def members(self, reader: Reader) -> set[Extent]:
        """The extents of all member functions of the records that were used."""
        self.records = {record.extent for record in reader.types.used}
        shown = [record.template if record.template.exists else record for record in reader.types.used]
        return {child.extent for record in shown for child in record.children() if child.kind in MEMBERS}

    def words(self, touched: set[Extent], members: set[Extent]) -> set[bytes]:
        """The names of others in the text that was read, but for member functions that nothing calls."""
        found: set[bytes] = set()
        for file, start, end in sorted(touched):
            if file == self.stub:
                continue
            text = self.source(file)
            if (file, start, end) in self.records:
                inside = [member for member in members if member[0] == file and start <= member[1] and member[2] <= end]
                for _, first, last in sorted(inside):
                    found |= mentioned(text[start:first])
                    start = max(start, last)
            found |= mentioned(text[start:end]) - self.own_names((file, start, end))
        return found - COMMON_WORDS

    def own_names(self, extent: Extent) -> set[bytes]:
        """The names that a function which was read declares itself, if no error stands in it."""
        function = self.functions.get(extent)
        is_whole = function is not None and not any(within(error, extent) for error in self.errors)
        return own_names(function, self.source(extent[0])) if function is not None and is_whole else set()

    def source(self, file: str) -> bytes:
        return text_of(self.texts, file)

    def damaged(self, error: Complaint) -> set[bytes]:
        """The names that an error outside of what was read may have taken away."""
        if not _SYNTAX.match(error.message) and any(within(error, body) for body in self.bodies):
            return set()
        around = [item for item in self.extents if within(error, item[0])]
        if around:
            _, name, end = max(around, key=lambda item: item[0][1])
            if name or error.offset >= end:
                return {name.encode()} - COMMON_WORDS
        text = self.source(error.file)
        start = max(text.rfind(mark, 0, error.offset) for mark in (b";", b"}", b"{", b"\n\n")) + 1
        ends = [at for mark in (b";", b"{") if (at := text.find(mark, error.offset)) >= 0]
        names = declared_names(text[start:min(ends, default=len(text))])
        opened = text.rfind(b"{", 0, error.offset + 1)
        if opened >= 0 and text.find(b"}", opened, error.offset) < 0 and _ENUM.search(text, max(0, opened - 200), opened):
            names |= set(_WORD.findall(text[opened:text.find(b"}", opened)]))
        return names - COMMON_WORDS

    def refuse_inside(self, extent: Extent) -> None:
        """Refuse for the first error in an extent, if there is one: a template with errors has no instances."""
        for error in self.errors:
            if within(error, extent):
                self.refuse(error, None)

    def refuse(self, error: Complaint, unsupported: UnsupportedError | None) -> None:
        message = error.message
        place = error.place if error.place.file and not error.place.file.startswith("/spmd") else Place(error.file, 0, 0)
        lost = LOST.search(message)
        if unsupported is not None and not VAGUE.search(unsupported.message):
            raise unsupported
        if lost and ANNOTATIONS.fullmatch(lost.group(1)):
            raise UnsupportedError(f"the annotation '{lost.group(1)}'", place)
        if lost and self.missing:
            raise UnsupportedError(f"{message}; a header was not found: {', '.join(self.missing)}", place)
        if re.search(r"namespace '(std|cub|cuda|thrust|nvcuda|cooperative_groups|mma|wmma|cutlass|cute)", message) or (
                lost and re.match(r"(__|cuda|cub|thrust|nv|cg|wmma|tex|surf|curand|std|mma|half|hip|make_)", lost.group(1))):
            raise UnsupportedError(f"{message} (not in this tool's CUDA headers)", place)
        raise InputError(message, place)
