"""Two kernels: is the output the same?"""
