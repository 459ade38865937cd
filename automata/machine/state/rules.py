"""How accesses of different threads to one cell conflict, where nothing orders them and one writes."""

RACE, SAME, ORDER = "race", "same-value", "atomic-order"
"""At least one is not atomic, or is so in its own block only; both write, and bit-identical values; both are atomic and the
order shows in a result or in the value that stays."""

FAMILIES = {"add": 1, "sub": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}
ORDER_SHOWS = 7
"""Atomic updates of one family commute; of this one they do not, nor do those of floats or whose results are used."""
