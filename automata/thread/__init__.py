"""The thread automaton and its sync-segments."""
