"""Data as symbols: what is data, and what a domain of symbols offers."""
