"""`spmd`, and `python -m spmd`. Nothing is loaded before the work has a process of its own.

An application that is recorded belongs to the terminal and the process group that it would have had, so `spmd record` has none of
its own.
"""

import sys

from spmd.collecting import seldom
from spmd.guard import come_first
from spmd.supervise import supervised


def main() -> None:
    """The entry point of the `spmd` command."""
    come_first()
    if sys.argv[1:2] == ["record"]:
        _work()
    else:
        supervised(_work)


def _work() -> None:
    seldom()
    from spmd.cli import app

    app(prog_name="spmd")


if __name__ == "__main__":
    main()
