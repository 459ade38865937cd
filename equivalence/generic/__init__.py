"""Equality for all sizes of kernels with loops and exchanges: one generic block, its threads as numbers where they are stated."""
