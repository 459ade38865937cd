"""One kernel: text to Core, thread automaton, sync-segments, machine, proofs of determinism."""
