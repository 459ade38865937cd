"""What a person reads: text, formulas, pictures."""
