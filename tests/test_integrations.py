"""What runs on the hosts of repositories: the steps of the action and the job, on a clone of the sample repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import sample_repository
import yaml
from conftest import ROOT
from sample_repository import git
from test_formats import SARIF, junit_is_valid

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
JOB = yaml.safe_load((ROOT / "integrations" / "gitlab.yml").read_text())["spmd"]
SAMPLE = ROOT / "tests" / "sample"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A clone of the sample repository, as a host makes it, and its commits."""
    folder = tmp_path_factory.mktemp("host")
    commits = sample_repository.build(folder / "repository")
    git(folder, "clone", "-q", f"file://{folder / 'repository'}", "clone")
    return folder / "clone", commits


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What a host gives to its steps. The command is the one under test."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "spmd").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m spmd "$@"\n')
    (tmp_path / "bin" / "spmd").chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPMD_", "GITHUB_", "CI_"))}
    return {**kept, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
            "SPMD_CACHE_DIR": str(tmp_path / "answers")}


def in_action(text: str, values: dict[str, str]) -> str:
    """A text of the action with its expressions worked out: of several in a row, the first that has a value."""
    def value(match: re.Match[str]) -> str:
        return next((values[name.strip()] for name in match[1].split("||") if values.get(name.strip())), "")
    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def run_action(clone: Path, environment: dict[str, str], temp: Path, github: dict[str, str],
               given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The steps of the action that are commands, but for the one that installs."""
    values = {**github, "runner.temp": str(temp), "runner.os": "Linux"}
    inputs = {name: in_action(given.get(name, spec["default"]), values) for name, spec in ACTION["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()}
    step, = [each for each in ACTION["runs"]["steps"] if each.get("id") == "check"]
    own = {name: in_action(text, values) for name, text in step["env"].items()}
    env = {**environment, **own, "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(temp),
           "GITHUB_STEP_SUMMARY": str(temp / "summary"), "GITHUB_OUTPUT": str(temp / "output")}
    return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=clone, env=env,
                          capture_output=True, text=True, check=False)


@pytest.mark.sliced(3)
def test_the_action_on_a_request_with_a_defect(clone: tuple[Path, list[str]], environment: dict[str, str],
                                               tmp_path: Path) -> None:
    """A dropped barrier: the request fails, and the host has an annotation, a summary, alerts and tests to show."""
    folder, commits = clone
    git(folder, "checkout", "-q", commits[2])
    done = run_action(folder, environment, tmp_path, {"github.event.pull_request.base.sha": commits[1]}, {})
    assert done.returncode == 1, done.stderr
    assert re.search(r"^::error file=src/transpose\.cu,line=\d+", done.stdout, re.M), done.stdout
    assert "transpose_tiled" in (tmp_path / "summary").read_text()
    assert (tmp_path / "output").read_text() == "status=1\nresults=spmd-results\n"
    log = json.loads((folder / "spmd-results" / "spmd.sarif").read_text())
    jsonschema.Draft4Validator(SARIF).validate(log)
    assert "race" in {result["ruleId"] for result in log["runs"][0]["results"]}
    junit_is_valid((folder / "spmd-results" / "spmd.xml").read_text())
    assert "<!doctype html>" in (folder / "spmd-results" / "spmd.html").read_text()[:20].lower()
    assert list((tmp_path / "spmd-answers").iterdir())
    shutil.rmtree(folder / "spmd-results")


@pytest.mark.sliced(3)
def test_the_action_on_a_push_that_mends_it(clone: tuple[Path, list[str]], environment: dict[str, str], tmp_path: Path) -> None:
    folder, commits = clone
    git(folder, "checkout", "-q", commits[3])
    done = run_action(folder, environment, tmp_path, {"github.event.before": commits[2]},
                      {"args": "--checks-alone --timeout 30", "results": str(tmp_path / "out")})
    assert done.returncode == 0, done.stderr
    assert "::error" not in done.stdout and (tmp_path / "out" / "spmd.md").read_text()


@pytest.mark.sliced(3)
@pytest.mark.parametrize(("base", "status", "told"), [("0" * 40, 0, ""), ("", 0, ""), ("nowhere", 2, "no revision 'nowhere'")])
def test_the_action_where_there_is_nothing_to_compare_with(clone: tuple[Path, list[str]], environment: dict[str, str],
                                                           tmp_path: Path, base: str, status: int, told: str) -> None:
    """A new branch has no commit before; the one above stands in for it."""
    folder, commits = clone
    git(folder, "checkout", "-q", commits[3])
    given = {"results": str(tmp_path / "out"), "args": "--checks-alone"}
    done = run_action(folder, environment, tmp_path, {"github.event.before": base}, given)
    assert done.returncode == status and told in done.stderr and done.stderr.count("no revision") == bool(told)


def test_inputs_are_no_commands(clone: tuple[Path, list[str]], environment: dict[str, str], tmp_path: Path) -> None:
    """Nothing that a request says, the name of a branch say, becomes part of a command."""
    assert all("${{" not in step.get("run", "") for step in ACTION["runs"]["steps"])
    folder, _ = clone
    for name in ("base", "args"):
        run_action(folder, environment, tmp_path, {}, {name: "$(touch seen)", "results": str(tmp_path / "out")})
    assert not (folder / "seen").exists()


@pytest.mark.sliced(2)
def test_the_job_of_gitlab(clone: tuple[Path, list[str]], environment: dict[str, str], tmp_path: Path) -> None:
    folder, commits = clone
    git(folder, "checkout", "-q", commits[2])
    env = {**environment, **JOB["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": commits[1], "SPMD_OUT": str(tmp_path / "out"),
           "SPMD_CACHE_DIR": str(tmp_path / "kept")}
    done = subprocess.run(["sh", "-e", "-c", "\n".join(JOB["script"])], cwd=folder, env=env, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1, done.stderr
    assert "1 refuted" in done.stdout
    junit_is_valid((tmp_path / "out" / "spmd.xml").read_text())
    assert [case.get("name") for case in ElementTree.parse(tmp_path / "out" / "spmd.xml").iter("testcase")]


def test_the_sample_uses_what_there_is() -> None:
    """The inputs and variables that the sample states exist."""
    workflow = yaml.safe_load((SAMPLE / ".github" / "workflows" / "spmd.yml").read_text())
    step, = [each for each in workflow["jobs"]["spmd"]["steps"] if "spmd@" in each["uses"]]
    assert set(step["with"]) <= set(ACTION["inputs"])
    pipeline = yaml.safe_load((SAMPLE / ".gitlab-ci.yml").read_text())
    assert set(pipeline["spmd"]["variables"]) <= set(JOB["variables"])
    assert (ROOT / pipeline["include"][0]["file"]).exists()
