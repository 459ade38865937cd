"""`spmd`, and `python -m spmd`. Nothing is loaded before the work has a process of its own."""

from spmd.supervise import supervised


def main() -> None:
    """The entry point of the `spmd` command."""
    supervised(_work)


def _work() -> None:
    from spmd.cli import app

    app(prog_name="spmd")


if __name__ == "__main__":
    main()
