"""Answers that were found before: what is definite is kept, and never asked again while all that it rests on is the same.

    kernel, launch, options, this tool and its solvers ─▶ a key ─▶ kept? the answer as it was ─▶ else solve, and keep what is
    definite

- `key`: everything that a verdict rests on, as one digest. Headers, macros, stubs and flags are in it through Core, which is
  what the proofs see. The tool is in it by the bytes of its own files.
- `packing`: an answer as bytes, and back. Only data of ours comes back: whatever else a file holds is refused.
- `store`: a table in a file (SQLite), which several processes may use at once and any of them may leave at any moment.
- `recall`: the one door for who asks.

What is `unknown` is kept as such, unless time or memory had a part in it; a longer `--timeout` asks again.
"""
