"""Forms and integers as text, for people: in the terms of the two kernels, so that a proof can be checked by hand.

`x / n` is rounded down and `x % n` is what it leaves. `a.thread.0`, `a.thread.1` are the digits of a's thread (`threads_told`),
`a.blockIdx.x` is its block, `a.round@9` the number, from 0, of a round of its loop at line 9, and k1, k2 are bound by the sum or
maximum around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from automata.logic import poly as P
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly, Rel
from equivalence.generic.form import Factor, Form
from equivalence.generic.forms import Forms

MOST = 200
"""Characters of a value in a reason."""
MOST_SHOWN = 8_000
"""Characters of a form: where forms stand in each other many times, their text grows without bound."""
CUT = " …"


def brief(forms: Forms, form: Form) -> str:
    """A value for a reason: its beginning, where it is long."""
    return shortened(show(forms, form))


def shortened(text: str) -> str:
    if len(text) <= MOST:
        return text
    return text[:MOST].rstrip() + CUT + ("" if text.endswith(CUT) else f" ({len(text):,} characters)")


Floors = Mapping[Atom, tuple[Poly, Poly]]
"""What quotients are of."""


def show_atom(floors: Floors, each: Atom) -> str:
    """An integer as people call it."""
    if each in floors:
        value, size = floors[each]
        return f"({_bracketed(floors, value)} / {_bracketed(floors, size)})"
    whose = each.whose.thread or each.whose.block
    text = f"{whose}.{each.text}" if whose and not each.text.startswith(f"{whose}.") else each.text
    return f"({text})" if set(text) & set("/% ") and not text.startswith("(") else text


def _bracketed(floors: Floors, value: Poly) -> str:
    text = show_poly(floors, value)
    return f"({text})" if len(value.terms) > 1 else text


def show_poly(floors: Floors, value: Poly) -> str:
    """A polynomial over integers, its products first."""
    parts = []
    for mono, coef in sorted(value.terms.items(), key=lambda item: (-len(item[0]), sorted(map(repr, item[0])))):
        body = "*".join(sorted(show_atom(floors, each) for each in mono))
        number = "" if abs(coef) == 1 and mono else str(abs(coef))
        parts.append(("-" if coef < 0 else "+", number + ("*" if number and body else "") + body))
    text = " ".join(f"{sign} {body}" for sign, body in parts) or "+ 0"
    return text[2:] if text.startswith("+ ") else "-" + text[2:]


def threads_told(name: str, digits: Sequence[int]) -> str:
    """How the digits of a side's thread make its number, and how many values each has."""
    step, parts, spans = 1, [], []
    for at, extent in enumerate(digits):
        if extent > 1:
            parts.append(f"{step}*{name}.thread.{at}" if step > 1 else f"{name}.thread.{at}")
            spans.append(f"{name}.thread.{at} < {extent}")
        step *= extent
    return f"{name}'s thread is {' + '.join(parts) or '0'}" + (f" with {', '.join(spans)}" if spans else "")


def show(forms: Forms, form: Form, most: int = 8) -> str:
    """A form for people: each form is written once, and its text is cut where it is long."""
    known = forms.shown.get((form, most))
    if known is None:
        text = _form_told(forms, form, most)
        known = forms.shown[form, most] = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + CUT
    return known


def _form_told(forms: Forms, form: Form, most: int) -> str:
    parts = []
    for mono, coef in list(form.terms.items())[:most]:
        text = "·".join(show_factor(forms, forms.factors[number]) + (f"^{_exponent(power)}" if power != 1 else "")
                        for number, power in mono)
        parts.append(text if coef == 1 and text else f"{coef}·{text}" if text else str(coef))
    return " + ".join(parts) + (" + …" if len(form.terms) > most else "") or "0"


def _exponent(power: Any) -> str:
    return str(power) if str(power).isdigit() else f"({power})"


def show_factor(forms: Forms, factor: Factor) -> str:
    data = factor.data
    match factor.kind:
        case "size":
            return show_atom(_floors(forms), data)
        case "read":
            return f"{data[0]}[{show_poly(_floors(forms), data[2])}]"
        case "scalar":
            return str(data)
        case "test":
            return f"[{show_test(_floors(forms), data)}]"
        case "poly":
            return f"({show(forms, data)})"
        case "exp":
            return f"{data[0]}^({show(forms, Form({data[1]: 1}))})"
        case "power":
            return f"{show_factor(forms, forms.factors[data[1]]) if data[0] else data[1]}^({show_poly(_floors(forms), data[2])})"
        case "sum":
            return f"Σ{show_range(forms, data)}"
    return show_function(forms, factor)


def show_function(forms: Forms, factor: Factor) -> str:
    data = factor.data
    match factor.kind:
        case "truth":
            return f"[{f' {data[0]} '.join(show(forms, arg) for arg in data[2])}]"
        case "call":
            return f"{data[0]}({', '.join(show(forms, arg) for arg in data[1])})"
        case "xor":
            return f"⊕{{{show(forms, data[1])}}}"
        case "bits":
            return f"({show(forms, data[1])})"
        case "rest":
            return f"(({show(forms, data[1])}) % {data[0]})"
        case "max" | "min":
            return f"{factor.kind}{{{'; '.join(show_range(forms, each) for each in data[1])}}}"
        case "place":
            kind, order, _ = data[0]
            return f"{order} place of {kind}{{{'; '.join(show_range(forms, each) for each in data[1])}}}"
        case "pair":
            return " at ".join(show(forms, each) for each in data[1])
    return factor.kind


def show_test(floors: Floors, formula: Formula) -> str:
    """A test for people: nothing is taken off on either side."""
    match formula:
        case Rel(sign=sign, poly=poly):
            left, right = (Poly({mono: abs(coef) for mono, coef in poly.terms.items() if (coef > 0) is is_left})
                           for is_left in (True, False))
            if sign == "<=" and left.terms.get(()) == 1:
                return f"{show_poly(floors, left.plus(-1))} < {show_poly(floors, right)}"
            return f"{show_poly(floors, left)} {sign} {show_poly(floors, right)}"
        case P.And(args=args):
            return " and ".join(show_test(floors, arg) for arg in args) or "always"
        case P.Or(args=args):
            return "(" + " or ".join(show_test(floors, arg) for arg in args) + ")" if args else "never"
        case P.Not(arg=arg):
            return f"not {show_test(floors, arg)}"
    return str(formula)


def show_range(forms: Forms, data: Any) -> str:
    if data.bound is None:
        return f"({show(forms, data.body)})"
    step = f" ≡ {data.rest} (mod {data.step})" if data.step > 1 else ""
    return f"({data.bound!r}{step} with {show_test(_floors(forms), data.where)}: {show(forms, data.body)})"


def _floors(forms: Forms) -> Floors:
    return forms.integers.encoder.floors
