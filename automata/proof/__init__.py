"""One kernel: is it deterministic?"""
