"""The pre-merge check: which kernels changed between two revisions, whether each is deterministic and computes what it did.

    two revisions ─▶ texts that can matter ─▶ kernels of both, as Core ─▶ pairs ─▶ `check` and `equiv` ─▶ one page

- `revision`: what git holds, read from its objects; the work tree is never touched.
- `export`: the texts of a revision in a private folder, so that every reader finds its headers there.
- `affected`: the texts that changed, and those that see them; no other is parsed.
- `reading`: the kernels of such a text, each with the digest of its Core and its launches.
- `matching`: which old kernel a new one is: by name and file, else by how alike they are.
- `asking`: the questions about one pair, asked in a process of its own (`crew`).
- `report`: the page, and the records.
"""
