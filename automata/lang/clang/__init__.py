"""CUDA C++ (and OpenCL C) through libclang: text to the typed tree."""
