"""Lanes at one location, and expressions over them."""
