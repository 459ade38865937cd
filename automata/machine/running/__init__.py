"""The automaton run by every thread of a launch."""
