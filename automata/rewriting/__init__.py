"""Core to Core: what later passes take for granted is made so here. Every pass gives well-formed Core (`lang.spec`)."""
