"""`python -m spmd` is `spmd`."""

from spmd.cli import main

main()
