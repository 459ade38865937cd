"""What a run leaves behind: memory, time, and the shadow that sees conflicts."""
