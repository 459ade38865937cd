"""What runs say: of all data, of some, and of loops that may not end."""
