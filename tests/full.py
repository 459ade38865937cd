"""All cross-checks in full, one after the other: what the tests run a slice of.

    python tests/full.py [--quick]

- the prover against the machine: thousands of generated kernels, and every kernel of the tests;
- mutants of the kernels that are proved, against runs;
- the machine's shadow against a log of all accesses;
- random terms and random affine kernels against C's arithmetic and against enumeration;
- mutated and truncated files, with both front ends.

Takes most of a day on two cores; `--quick`, a tenth of what is random, most of an hour.
The exit status is 0 if none found a contradiction.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def commands(share: int) -> dict[str, tuple[list[str], dict[str, str]]]:
    """What to run, by name, with its environment. `share`: 1 for all, 10 for a tenth."""
    python = [sys.executable]
    return {
        "prover against machine": ([*python, "tests/test_prover_machine.py", str(2000 // share)], {}),
        "mutants": ([*python, "tests/mutation.py", "--every", str(share)], {}),
        "shadow against log": ([*python, "-m", "pytest", "-q", "-n", "2", "tests/test_shadow.py"],
                               {"SPMD_ROUNDS": str(20000 // share)}),
        "laws": ([*python, "-m", "pytest", "-q", "-n", "2", "tests/test_laws.py"], {}),
        "front end c": ([*python, "tests/fuzz/run.py", "--count", str(5000 // share), "--frontend", "c"], {}),
        "front end clang": ([*python, "tests/fuzz/run.py", "--count", str(2000 // share), "--frontend", "clang"], {}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    share = 10 if parser.parse_args().quick else 1
    failed = []
    for name, (command, more) in commands(share).items():
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **more}, capture_output=True, text=True, check=False)
        last = (done.stdout.strip().splitlines() or [""])[-1]
        print(f"{name:24}{'ok' if done.returncode == 0 else 'FAILED':8}{time.monotonic() - began:7.0f} s  {last}", flush=True)
        if done.returncode:
            failed.append(name)
            print((done.stdout + done.stderr)[-3000:], flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
