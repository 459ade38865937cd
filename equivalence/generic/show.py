"""Forms as text, for people."""

from __future__ import annotations

from typing import Any

from automata.logic import poly as P
from automata.logic.poly import Formula, Rel
from equivalence.generic.forms import Factor, Form, Forms

MOST = 200
"""Characters of a value in a reason."""


def brief(forms: Forms, form: Form) -> str:
    """A value for a reason: its beginning, where it is long."""
    return shortened(show(forms, form))


def shortened(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST].rstrip()} … ({len(text):,} characters)"


def show(forms: Forms, form: Form, most: int = 8) -> str:
    """A form for people."""
    parts = []
    for mono, coef in list(form.terms.items())[:most]:
        text = "·".join(show_factor(forms, forms.factors[number]) + (f"^{power}" if power != 1 else "") for number, power in mono)
        parts.append(text if coef == 1 and text else f"{coef}·{text}" if text else str(coef))
    return " + ".join(parts) + (" + …" if len(form.terms) > most else "") or "0"


def show_factor(forms: Forms, factor: Factor) -> str:
    data = factor.data
    match factor.kind:
        case "size":
            return repr(data)
        case "read":
            return f"{data[0]}[{data[2]}]"
        case "scalar":
            return str(data)
        case "test":
            return f"[{show_test(data)}]"
        case "poly":
            return f"({show(forms, data)})"
        case "exp":
            return f"{data[0]}^({show(forms, Form({data[1]: 1}))})"
        case "power":
            return f"{show_factor(forms, forms.factors[data[1]]) if data[0] else data[1]}^({data[2]})"
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
        case "max" | "min":
            return f"{factor.kind}{{{'; '.join(show_range(forms, each) for each in data[1])}}}"
    return factor.kind


def show_test(formula: Formula) -> str:
    """A test for people."""
    match formula:
        case Rel(sign=sign, poly=poly):
            return f"{poly} {sign} 0"
        case P.And(args=args):
            return " and ".join(map(show_test, args)) or "always"
        case P.Or(args=args):
            return "(" + " or ".join(map(show_test, args)) + ")" if args else "never"
        case P.Not(arg=arg):
            return f"not {show_test(arg)}"
    return str(formula)


def show_range(forms: Forms, data: Any) -> str:
    if data.bound is None:
        return f"({show(forms, data.body)})"
    step = f" ≡ {data.rest} (mod {data.step})" if data.step > 1 else ""
    return f"({data.bound!r}{step} with {show_test(data.where)}: {show(forms, data.body)})"
