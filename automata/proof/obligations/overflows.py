"""What is found of values that may leave their types: overflows, assumptions, and what stays open."""

from __future__ import annotations

from dataclasses import dataclass, field

from automata.logic.atom import Atom
from automata.logic.terms import Term
from automata.place import Place


@dataclass(frozen=True, slots=True)
class Overflow:
    """A signed value that can leave its type, with a model of a thread and sizes at which it does. `is_limit`: or any value that
    the proof for all sizes assumes not to wrap; not `is_plain`: it may be meant to."""

    term: Term
    place: Place
    model: dict[Atom, int]
    is_limit: bool = False
    is_plain: bool = True


@dataclass
class Wraps:
    """What was found. `assumed`: text of an assumption to the places that rest on it; `limits`: of those that are conditions on
    sizes the condition, as a requirement is written; `unclear`: what may overflow; `places`: of the terms that are assumed not to
    wrap; `is_silent`: some value of 32 bits or more is read as it wraps."""

    overflows: list[Overflow] = field(default_factory=list)
    assumed: dict[str, list[Place]] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    unclear: list[str] = field(default_factory=list)
    places: dict[Term, Place] = field(default_factory=dict)
    is_silent: bool = False
