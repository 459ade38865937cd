"""Kinds of symbols that runs compute with."""
