"""`spmd check FOLDER`: the files with kernels below a folder, each a job of a batch, asked as a call on that file would be.

In: folders, and the question that the options make of a file. Out: jobs. A kernel belongs to the file in which it stands: one in
a header is asked about once, with its header, however many files include that. Launches are those of comments, of settings and
of the program, as for a file that is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from automata.place import InputError, Place
from spmd.asked import Question
from spmd.batch import Job
from spmd.kernel_files import kernel_files


def folder_jobs(paths: list[str], question: Callable[[str], Question], say: Callable[[str], None]) -> list[Job]:
    """A job for each file with kernels in the folders, and for each file that is named besides. `say` hears what was found.
    InputError where a folder has none."""
    files: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            files.append(path)
            continue
        found = list(kernel_files(path))
        if not found:
            raise InputError("no file here defines a kernel (hidden folders, third_party, external and vendor are passed by; a "
                             "file may be named itself)", Place(path, 0, 0))
        kernels = sum(len(file.kernels) for file in found)
        say(f"{path}: {len(found)} {'file defines' if len(found) == 1 else 'files define'} {kernels} "
            f"{'kernel' if kernels == 1 else 'kernels'}")
        files += [os.path.normpath(os.path.join(path, file.path)) for file in found]
    return [Job(number, replace(question(file), is_own=True), Path(), about={"id": file, "file": file})
            for number, file in enumerate(dict.fromkeys(files), 1)]
