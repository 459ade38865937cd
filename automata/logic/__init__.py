"""Typed terms, polynomials, formulas and solvers. Knows no kernel."""
