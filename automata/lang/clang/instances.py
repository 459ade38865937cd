"""Questions about instantiations to clang's cursors: which functions one names, its arguments, where its kernel stands."""

from __future__ import annotations

import re
from typing import Literal

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor, Shape
from automata.lang.instance_names import ANY_FUNCTION, FOR, near

OF_INTEGERS = re.compile(r"(?:^|_|[a-z])(?:Ind(?:ex|ices)|Idx|Ids?|Int(?:eger)?|Size|Offset|Ordinal|Vertex|Edge|Count)(?![a-z])"
                         r"|(?:^|_)(?:index|idx|id|int|integer|size|offset|ordinal|vertex|edge|count)(?:_|$)")
OF_BLOCKS = re.compile(r"(?:cta|block|threadblock|work_?group)_?(?:size|dim|threads)"
                       r"|(?:n_?|num_?)?threads(?:_?per_?(?:block|cta))?", re.IGNORECASE)
WORD_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
OF_VECTORS = frozenset({"vec", "vector", "vectorized", "pack", "packed", "unroll", "unrolled", "vpt", "ilp"})
OF_FUNCTIONS = frozenset({"op", "operator", "operation", "fn", "func", "function", "functor", "functors", "pred", "predicate",
                          "compare", "comparator", "hash", "hasher", "reducer", "transformer", "callback", "lambda"})
OF_ITERATORS = frozenset({"it", "iter", "iterator", "ptr", "pointer"})
ROWS = re.compile(r"\b(?:threadIdx|blockDim)\s*\.\s*[yz]\b|\bthread_rank\b|\bthread_index\b")
THREADS = 128
FEW = 4
LAMBDA = re.compile(r"\(lambda at (.*?):(\d+:\d+)\)")
Enumerators = Literal["whole", "name", "number"]


def namespaces(cursor: Cursor) -> tuple[str, ...]:
    """The named namespaces around a declaration, the outermost first."""
    found, at = [], cursor.parent
    while at.exists and at.kind == kinds.NAMESPACE:
        if re.fullmatch(r"[A-Za-z_]\w*", at.spelling):
            found.append(at.spelling)
        at = at.parent
    return tuple(reversed(found))


def referenced(function: Cursor) -> list[Cursor]:
    """The functions that a function names."""
    found: dict[int, Cursor] = {}
    waiting = [function]
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in (kinds.NAME, kinds.MEMBER, kinds.CALL):
            target = cursor.referenced
            if target.exists and target.kind in kinds.FUNCTIONS:
                found.setdefault(target.key, target)
        waiting.extend(cursor.children())
    return list(found.values())


def template_arguments(cursor: Cursor, enumerators: Enumerators = "whole") -> str:
    """The template arguments of an instantiation, as text; enumerators as names with all that qualifies them, as names alone, or
    as numbers."""
    lib = cursor.unit.lib
    template = cursor.template.children() if cursor.template.exists else []
    types = [child.type if child.kind == kinds.TEMPLATE_VALUE else None for child in template
             if child.kind in (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE, kinds.TEMPLATE_TEMPLATE)]
    parts = []
    for at in range(lib.clang_Cursor_getNumTemplateArguments(cursor.raw)):
        kind = lib.clang_Cursor_getTemplateArgumentKind(cursor.raw, at)
        if kind == 1:
            parts.append(in_cuda(Shape(lib.clang_Cursor_getTemplateArgumentType(cursor.raw, at), cursor.unit).spelling))
        elif kind == 4:
            shape = types[at] if at < len(types) else None
            parts.append(_value_text(int(lib.clang_Cursor_getTemplateArgumentValue(cursor.raw, at)), shape, enumerators))
        else:
            parts.append("...")
    text = ", ".join(parts)
    return with_parameters(text, cursor) if "..." in parts else text


def with_parameters(arguments: str, cursor: Cursor) -> str:
    """Template arguments that do not tell an instance alone, with the parameters of its function."""
    return f"{arguments}{FOR}{', '.join(param.type.spelling for param in cursor.arguments())})"


def in_cuda(kind: str) -> str:
    """A type as CUDA calls it: the stub's floats of 16 bits are clang's own. The class of a lambda is called after its place."""
    text = re.sub(r"\b(_Float16|__bf16)\b", lambda found: {"_Float16": "__half", "__bf16": "__nv_bfloat16"}[found[1]], kind)
    return LAMBDA.sub(lambda found: f"(lambda at {near(found[1])}:{found[2]})", text) if "(lambda at " in text else text


def _value_text(value: int, shape: Shape | None, enumerators: Enumerators) -> str:
    """A value as a template argument of a type."""
    if shape is not None and shape.kind == kinds.T_BOOL:
        return "true" if value else "false"
    if shape is not None and value < 0 and (bits := kinds.T_UNSIGNED_BITS.get(shape.kind)):
        return str(value + 2**bits)
    if shape is None or shape.kind != kinds.T_ENUM or enumerators == "number":
        return str(value)
    declared, lib = shape.declaration, shape.unit.lib
    named = next((each for each in declared.children() if each.kind == kinds.ENUM_CONSTANT
                  and lib.clang_getEnumConstantDeclValue(each.raw) == value), None)
    if named is None:
        return f"({declared.spelling}){value}" if enumerators == "whole" else str(value)
    is_scoped = re.match(r"enum\s+(class|struct)\b", declared.printed()) is not None
    around = (*namespaces(declared), *((declared.spelling,) if is_scoped else ())) if enumerators == "whole" else ()
    return "::".join((*around, named.spelling))


def example_arguments(template: Cursor) -> list[str]:
    """Arguments that a template might have: one for each parameter without a default, up to a pack. A type that is called after
    indices or sizes is an integer, as authors mean it (`IndexType`, `vertex_t`), one called after functions (`ReduceOp`) a class
    of them, after iterators a pointer; others are floats. Blocks have several warps;
    what each thread takes at once is little."""
    found = []
    for child in template.children():
        if child.kind not in (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE):
            continue
        words = child.printed()
        if "..." in words or "=" in words:
            break
        if child.kind == kinds.TEMPLATE_TYPE:
            found.append(ANY_FUNCTION if is_called(child.spelling, template) else example_type(child.spelling))
        elif child.type.kind == kinds.T_ENUM:
            found.append(_value_text(0, child.type, "whole"))
        elif child.type.kind == kinds.T_BOOL:
            found.append("true")
        else:
            found.append(str(THREADS if OF_BLOCKS.fullmatch(child.spelling) else FEW if is_of_vectors(child.spelling) else 32))
    return found


def example_type(name: str) -> str:
    """A type that a parameter of this name might be."""
    words = [word.lower() for word in WORD_OF_NAME.findall(name)]
    last = next((word for word in reversed(words) if word not in ("t", "type")), "")
    if last in OF_FUNCTIONS:
        return ANY_FUNCTION
    return "float *" if last in OF_ITERATORS else "int" if OF_INTEGERS.search(name) else "float"


def is_called(name: str, template: Cursor) -> bool:
    """Whether a template calls what a parameter of a type is, or an object that it makes of the type."""
    whole = template.printed()
    params = [child.spelling for child in template.children() if child.kind == kinds.PARAM
              and re.fullmatch(rf"(?:const )?{re.escape(name)}(?: const)?\s*&{{0,2}}", in_words(child.printed(), child.spelling))]
    made = rf"\b{re.escape(name)}\s*(?:\(\s*\)|\{{\s*\}})\s*\("
    body = whole.partition("{")[2]
    called = [rf"(?<![\w.>]){re.escape(each)}\s*\(" for each in params if each]
    return any(re.search(pattern, body) for pattern in (made, *called))


def in_words(declared: str, name: str) -> str:
    """The type that stands before the name of a parameter."""
    return declared.partition("=")[0].strip().removesuffix(name).strip()


def is_of_vectors(name: str) -> bool:
    """Whether a number is called after what one thread takes at once: `VEC_SIZE`, `kItemsPerThread`, `unroll`."""
    words = [word.lower() for word in WORD_OF_NAME.findall(name)]
    return words[-2:] == ["per", "thread"] or ("per" not in words and not OF_VECTORS.isdisjoint(words))


def example_block(template: Cursor) -> tuple[int, ...]:
    """How many threads a block of that instance has in x, where a parameter without a default is called after that, and one in y
    and z where the template does not ask for rows; nothing otherwise."""
    values = [child for child in template.children() if child.kind == kinds.TEMPLATE_VALUE and "=" not in child.printed()]
    if not any(OF_BLOCKS.fullmatch(child.spelling) for child in values):
        return ()
    return (THREADS,) if ROWS.search(template.printed()) else (THREADS, 1, 1)
