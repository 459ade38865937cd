"""What a repository says once, so that nobody has to type it: `spmd.toml`, or `[tool.spmd]` in `pyproject.toml`.

    default  <  file  <  comment in the source  <  command line

- `keys`: every key, its type and what it means: one table, from which reading, errors, `spmd config` and `spmd init` come.
- `read`: the file, checked against it. An unknown key is an error that names the nearest right one.
- `effective`: what holds for one kernel, and where each value came from.
- `first`: a first file, written from what a repository holds.

A launch replaces the one of a layer below, with the requirements beside it; requirements on the command line are added.
"""
