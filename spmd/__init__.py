"""spmd: is a GPU kernel deterministic, and does its optimised version compute the same output?"""

__version__ = "0.1.0"
