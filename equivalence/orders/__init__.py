"""Laws of a total order: minima, maxima, choices by comparisons, and what is picked together with them."""
