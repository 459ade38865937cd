"""The symbolic thread: one run of the automaton that stands for every thread."""
