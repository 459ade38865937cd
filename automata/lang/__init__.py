"""Text to Core: the front end and the one grammar every later pass reads."""
