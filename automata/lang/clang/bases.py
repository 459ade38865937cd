"""What libclang does not list of an instantiation of a class template: members, and the types of bases.

libclang shows the children of the template alone. So which constructors, destructors and assignments a class has is read there
(`members_of`), with the fields of the instantiation in place of the template's.
Bases: in go the declaration of the instantiation and the function that is read; out come the types of its bases, or None
where one is not known. A base that names no parameter is one type for all instantiations; one that is a parameter is an argument.
Of the others the template is known, and the arguments from the declaration as clang prints it: `struct D<int> : Base<int>`. The
type itself is found among the classes whose members the function and those that it calls name: the one of that template with
those arguments, which has to be told from builtin types and numbers alone: names are printed without what qualifies them.
None is guessed; a base that is not found may only be one that has nothing in it (`is_empty`).
Else clang is asked for the class as it is printed, and whether it is a base of this one, in a line at the end of the text that is
parsed again (`unfound`). An answer is one for that class, with a base of that template; a line with an error is none.
Of a constructor without parameters that no text names, since the compiler writes who calls it, the body is asked for likewise.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor, Shape
from automata.lang.clang.instances import namespaces
from automata.place import Place, UnsupportedError

ACCESS = re.compile(r"(?:public|protected|private)\s+")
HEAD = re.compile(r"template<>\s+(?:struct|class|union)\s+")
SUFFIX = re.compile(r"(?<=\d)U?L{0,2}\b")
SCOPE = re.compile(r"\b\w+::")
BASE = re.compile(r"[\w:<>, *&()+\-]+")
ASKED = "__spmd_base"
WORD = re.compile(r"\b[A-Za-z_]\w*")
BUILTIN = frozenset({"bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const", "void", "true",
                     "false", "_Float16", "__bf16"})
OPENING, CLOSING = "<([{", ">)]}"


def has_members(cursor: Cursor) -> bool:
    """Whether libclang lists what a class declares."""
    return any(child.kind in (kinds.BASE, kinds.FUNCTION_TEMPLATE, kinds.CLASS_TEMPLATE) or child.kind <= kinds.CONVERSION
               for child in cursor.children())


def pattern_of(definition: Cursor) -> Cursor | None:
    """The template whose text makes a class, with its members: it stands where the class does, perhaps inside the template of
    the class around it. None for a class with a text of its own."""
    pattern = definition.template
    while pattern.exists and not has_members(definition):
        written = pattern.definition if pattern.definition.exists else pattern
        if written.location == definition.location and has_members(written):
            return written
        pattern = pattern.template if pattern.kind == kinds.CLASS_TEMPLATE else pattern.definition.template
        if pattern.kind != kinds.CLASS_TEMPLATE:
            break
    outer = pattern_of(definition.parent) if definition.template.exists and not has_members(definition) else None
    return next((child for child in outer.children() if child.location == definition.location and has_members(child)),
                None) if outer is not None else None


def is_obscure(definition: Cursor) -> bool:
    """Whether it is not known what a class declares: an instantiation of a template inside one, or of a part of its cases."""
    if has_members(definition) or not definition.template.exists or pattern_of(definition) is not None:
        return False
    return definition.template.kind == kinds.PARTIAL_SPECIALISATION or definition.parent.template.exists or bool(
        definition.type.fields())


def members_of(definition: Cursor) -> list[Cursor]:
    """What a class declares: of an instantiation the children of its template, with the fields that it has itself."""
    pattern = pattern_of(definition)
    if pattern is None:
        return definition.children()
    return [*definition.type.fields(), *(child for child in pattern.children() if child.kind != kinds.FIELD)]


def is_constructor_template(member: Cursor, definition: Cursor, *, bare: bool = False) -> bool:
    """Whether a member of a class is a template of constructors; `bare`: of such as may be called without arguments."""
    if member.kind != kinds.FUNCTION_TEMPLATE or member.spelling.partition("<")[0] != definition.spelling:
        return False
    params = [child for child in member.children() if child.kind == kinds.PARAM]
    return not bare or all(param.expressions() or param.type.spelling.endswith("...") for param in params)


def sets_each_field(constructor: Cursor) -> bool:
    """Whether all that a constructor does is to set each field, in order, to its parameter, as a list does to an aggregate."""
    params, fields = constructor.arguments(), constructor.parent.type.fields()
    parts = [child for child in constructor.definition.children() if child.kind not in (kinds.PARAM, kinds.COMPOUND)
             and (child.kind == kinds.MEMBER_REF or kinds.FIRST_EXPR <= child.kind <= kinds.LAST_EXPR)]
    body = [child for child in constructor.definition.children() if child.kind == kinds.COMPOUND]
    if not body or body[0].children() or not len(parts) == 2 * len(params) == 2 * len(fields) or pattern_of(constructor.parent):
        return False
    params = constructor.definition.arguments()
    return all(field.referenced.key == own.key and _only_name(value) == param.key
               and field.referenced.type.spelling == param.type.spelling
               for field, value, own, param in zip(parts[::2], parts[1::2], fields, params, strict=True))


def _only_name(value: Cursor) -> int | None:
    """What an expression means that is a name alone."""
    while value.kind == kinds.UNEXPOSED and len(value.expressions()) == 1:
        value = value.expressions()[0]
    return value.referenced.key if value.kind == kinds.NAME else None


def hidden(definition: Cursor) -> list[Cursor]:
    """The bases as the template of an instantiation writes them; none for a class whose bases libclang lists."""
    pattern = pattern_of(definition)
    return [child for child in pattern.children() if child.kind == kinds.BASE] if pattern is not None else []


def resolved(definition: Cursor, written: list[Cursor], named: dict[int, Cursor], asked: Sequence[Cursor]) -> list[Shape] | None:
    """The types of these bases. `named`: the instantiated classes whose members are named where the class is used; `asked`:
    functions of lines that clang was asked."""
    printed = printed_bases(definition.printed())
    if len(printed) != len(written):
        return None
    found: list[Shape] = []
    for base, text in zip(written, printed, strict=True):
        shape = _known(definition, base, text, named) or _answer(definition, base, text, asked)
        if shape is None or base.asks("isVirtualBase"):
            return None
        found.append(shape)
    return found if len({shape.declaration.canonical.key for shape in found}) == len(found) else None


def _known(definition: Cursor, base: Cursor, text: str, named: dict[int, Cursor]) -> Shape | None:
    return base.type if base.type.kind == kinds.T_RECORD else argument(definition, base, text) or instance(base, text, named)


def _answer(definition: Cursor, base: Cursor, text: str, asked: Sequence[Cursor]) -> Shape | None:
    """The base that a line asked for, of this class and of the template that is written."""
    templates = [child.referenced for child in base.children() if child.kind == kinds.TEMPLATE_REF]
    for function in asked if templates else ():
        shapes = [param.type.pointee for param in function.arguments()]
        classes = [shape.declaration.definition for shape in shapes if shape.declaration.definition.exists]
        if len(classes) == 2 and classes[1].canonical.key == definition.canonical.key and plain(text) in (
                plain(classes[0].type.spelling), plain(printed_name(classes[0].printed()))) and (
                primary(classes[0]).canonical.key == templates[0].canonical.key):
            return classes[0].type
    return None


def unfound(definition: Cursor, written: list[Cursor], named: dict[int, Cursor]) -> list[str]:
    """The lines, without their number, that ask for those bases that are not found."""
    printed, name = printed_bases(definition.printed()), definition.type.spelling
    if len(printed) != len(written) or not BASE.fullmatch(name):
        return []
    check = f"int is_base[__is_base_of({{}}, ::{name}) ? 1 : -1]; (void)is_base; (void)sizeof(*p);"
    return [_asking(namespaces(definition), f"{text} *p, ::{name} *q", check.format(text))
            for base, text in zip(written, printed, strict=True)
            if _known(definition, base, text, named) is None and BASE.fullmatch(text)]


def maker_line(definition: Cursor) -> str:
    """A line, without its number, that needs the default constructor of an instantiation as a class made of it does; nothing
    where the class's name is not plain."""
    name = definition.type.spelling
    inside = f"struct D : ::{name} {{ D() : ::{name}() {{}} }}; (void)sizeof(D);"
    return _asking((), f"::{name} *p", inside) if BASE.fullmatch(name) else ""


def _asking(spaces: tuple[str, ...], params: str, body: str) -> str:
    around = "".join(f"namespace {space} {{ " for space in spaces)
    return f"{around}static void {ASKED}%d({params}) {{ {body} }}{' }' * len(spaces)}"


def argument(definition: Cursor, base: Cursor, text: str) -> Shape | None:
    """The template's argument that goes by this name, for a base that is written as a name alone: a parameter of the template."""
    if not re.fullmatch(r"\w+|type-parameter-\d+-\d+", base.type.spelling):
        return None
    lib = definition.unit.lib
    count = range(max(0, lib.clang_Cursor_getNumTemplateArguments(definition.raw)))
    types = [Shape(lib.clang_Cursor_getTemplateArgumentType(definition.raw, at), definition.unit) for at in count
             if lib.clang_Cursor_getTemplateArgumentKind(definition.raw, at) == 1]
    found = {shape.declaration.canonical.key: shape for shape in types
             if shape.kind == kinds.T_RECORD and plain(shape.spelling) == plain(text)}
    return next(iter(found.values())) if len(found) == 1 else None


def not_known(name: str, place: Place) -> UnsupportedError:
    """A class is refused that may construct, copy or destroy what is not seen."""
    return UnsupportedError(f"'{name}', an instantiation of which a base or a member is not known: a class that is written out "
                            "in its place is read", place)


def is_empty(base: Cursor) -> bool:
    """Whether a base that a template writes has nothing that is stored, constructed, copied or destroyed in any instantiation."""
    templates = [child.referenced for child in base.children() if child.kind == kinds.TEMPLATE_REF]
    template = templates[0].definition if templates else None
    if template is None or template.kind != kinds.CLASS_TEMPLATE or template.canonical.key in specialised(template.unit.root):
        return False
    special = (kinds.FIELD, kinds.BASE, kinds.CONSTRUCTOR, kinds.DESTRUCTOR, kinds.FUNCTION_TEMPLATE, kinds.UNION, kinds.STRUCT)
    return not any(child.kind in special or child.spelling == "operator=" for child in template.children())


def specialised(root: Cursor) -> set[int]:
    """The class templates of which a text writes specialisations."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        for child in waiting.pop().children():
            if child.kind in (kinds.NAMESPACE, kinds.LINKAGE, kinds.UNEXPOSED_DECL):
                waiting.append(child)
            elif child.kind in (*kinds.RECORDS, kinds.PARTIAL_SPECIALISATION) and child.template.exists:
                found.add(primary(child).canonical.key)
    return found


def instance(base: Cursor, text: str, named: dict[int, Cursor]) -> Shape | None:
    """The one class of a base's template that goes by this name."""
    templates = [child.referenced for child in base.children() if child.kind == kinds.TEMPLATE_REF]
    if not templates or not set(WORD.findall(text.partition("<")[2])) <= BUILTIN:
        return None
    found = [each.type for each in named.values() if primary(each).canonical.key == templates[0].canonical.key
             and plain(text) in (plain(each.type.spelling), plain(printed_name(each.printed())))]
    return found[0] if len(found) == 1 else None


def primary(instance: Cursor) -> Cursor:
    """The template that an instantiation is of, also where a partial specialisation makes it."""
    found = instance.template
    return found.template if found.template.exists else found


def plain(text: str) -> str:
    """A type's name without what clang prints here and not there: what qualifies the names in it, the types of numbers."""
    return SUFFIX.sub("", SCOPE.sub("", text)).replace(" ", "")


def printed_bases(text: str) -> list[str]:
    """The names of the bases in a printed declaration: what stands between its colon and its brace, at commas."""
    cuts = [at for at in _outside(text) if text[at] in "{," or text[at - 1:at + 2] == " : "]
    cuts = cuts[next((nth for nth, at in enumerate(cuts) if text[at] == ":"), len(cuts)):]
    return [ACCESS.sub("", text[start + 1:end].strip()) for start, end in itertools.pairwise(cuts)]


def printed_name(text: str) -> str:
    """The name of the class in a printed declaration, with all its arguments: defaults too."""
    end = next((at for at in _outside(text) if text[at] == "{" or text[at - 1:at + 2] == " : "), 0)
    return HEAD.sub("", text[:end])


def _outside(text: str) -> Iterator[int]:
    """The places outside of brackets, up to the brace of the body."""
    depth = 0
    for at, letter in enumerate(text):
        if depth == 0:
            yield at
            if letter == "{":
                return
        depth += (letter in OPENING) - (letter in CLOSING)


def classes_named(function: Cursor) -> tuple[dict[int, Cursor], list[Cursor]]:
    """The instantiated classes whose members a function and those that it calls name, and which constructors of theirs."""
    found: dict[int, Cursor] = {}
    constructors: list[Cursor] = []
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        current = waiting.pop()
        if current.key in seen:
            continue
        seen.add(current.key)
        for target in targets(current):
            owner = target.parent
            if owner.kind in kinds.RECORDS and owner.template.exists:
                found.setdefault(owner.canonical.key, owner)
                if target.kind == kinds.CONSTRUCTOR:
                    constructors.append(target)
            if target.kind in kinds.FUNCTIONS and target.definition.exists:
                waiting.append(target.definition)
    return found, constructors


def targets(function: Cursor) -> Iterator[Cursor]:
    """What the names in a function mean."""
    waiting = [function]
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in (kinds.NAME, kinds.MEMBER, kinds.CALL, kinds.MEMBER_REF):
            target = cursor.referenced
            if target.exists:
                yield target
        waiting.extend(cursor.children())
