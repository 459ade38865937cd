"""The typed tree to Core: inlining, desugaring, memory split into arrays; once, for every front end."""
