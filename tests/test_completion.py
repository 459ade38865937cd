"""Shells complete what there is: the script that is installed, run in a real shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

BASH = shutil.which("bash")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "spmd").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m spmd "$@"\n')
    (tmp_path / "bin" / "spmd").chmod(0o755)
    return {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}


@pytest.mark.skipif(BASH is None, reason="no bash here")
def test_bash_completes(environment: dict[str, str], tmp_path: Path) -> None:
    subprocess.run(["spmd", "--install-completion", "bash"], env=environment, check=True, capture_output=True)
    script = Path(tmp_path / ".bashrc").read_text()
    for words, wanted in (("spmd ch", "check"), ("spmd check --format js", "json jsonl"), ("spmd diff --sta", "--staged"),
                          ("spmd explain ra", "race race-free")):
        count = len(words.split()) - 1
        asked = f"{script}\nCOMP_WORDS=({words}); COMP_CWORD={count}; _spmd_completion spmd; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", asked], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == wanted, (words, done)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_of_all_shells(environment: dict[str, str], shell: str) -> None:
    done = subprocess.run(["spmd", "--show-completion", shell], env=environment, capture_output=True, text=True, check=True)
    assert "_SPMD_COMPLETE" in done.stdout and "spmd" in done.stdout
