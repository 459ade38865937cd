"""Loops by strips of rounds, and runs on numbers and symbols at once."""
