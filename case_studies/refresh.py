"""Put the tool's own output into the case studies' pages.

    python case_studies/refresh.py [--check] [--no-mutants] [STUDY …]

In a README, a text block after `<!-- output: spmd … -->` is replaced by what that command prints when run in
the README's folder; a table after `<!-- mutants of FILE -->` by the verdicts on `mutants/`; tables after `<!-- steps -->` and
`<!-- slips -->` by what the study's pairs.toml says, which the tests hold it to; a text block after `<!-- slip: NAME -->` by
what the tool says of that slip. With --check nothing is written; the exit status is 1 if a page is not up to date. --no-mutants
leaves the tables of verdicts alone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from typer.testing import CliRunner

from spmd.asked import PairAnswer, PairQuestion, Question, Source
from spmd.cli import app
from spmd.pair_pipeline import run_equiv

HERE = Path(__file__).resolve().parent
OUTPUT = re.compile(r"(<!-- output: spmd (.*?) -->\n```text\n).*?(```\n)", re.DOTALL)
STEPS, SLIPS = (re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL) for name in ("steps", "slips"))
SLIP = re.compile(r"(<!-- slip: (\S+) -->\n```text\n).*?(```\n)", re.DOTALL)
MUTANTS = re.compile(r"(<!-- mutants of (\S+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def output(command: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(app, command.split())
    return result.stdout.rstrip() + "\n"


def mutants(original: str) -> str:
    """A table of what was changed and what the tool says of it."""
    rows = ["| mutant | what was changed | verdict | shown by |", "| --- | --- | --- | --- |"]
    for path in sorted(Path("mutants").glob("*.cu")):
        change = path.read_text().splitlines()[0].removeprefix("// mutant: ")
        answer = run_equiv(PairQuestion(Question(Source(original)), Question(Source(str(path)))))
        rows.append(f"| {path.stem} | {change} | {answer.report.verdict.value} | {shown(answer)} |")
    return "\n".join(rows)


def shown(answer: PairAnswer) -> str:
    """The counterexample or the finding, in a few words."""
    found = answer.report.counterexample
    if found is not None:
        sizes = ", ".join(f"{name} = {value}" for name, value in found.sizes.items() if not name.startswith("b."))
        return f"{found.array}[{found.cell}] is {found.a!r} against {found.b!r} {f'at {sizes}' if sizes else 'as launched'}"
    return (answer.report.reason or "").partition(": ")[2]


def steps() -> str:
    """A table of the study's pairs, with what each step does."""
    rows = ["| step | what it does | against | equal as, at its launch | for all sizes |", "| --- | --- | --- | --- | --- |"]
    for pair in tomllib.loads(Path("pairs.toml").read_text()).get("pair", []):
        answer = pair.get("class") or f"{pair['verdict']}{': ' + pair['why'] if 'why' in pair else ''}"
        why = f": {pair['all_why']}" if "all_why" in pair else ""
        beyond = pair.get("all", "no size is open") + why if "class" in pair else ""
        rows.append(f"| {pair['b']} | {said(pair['b'])} | {pair['a']} | {answer} | {beyond} |")
    return "\n".join(rows)


def said(name: str) -> str:
    """What the comment under a kernel's launch says."""
    lines = Path(name).read_text().splitlines()
    return next(line.removeprefix("// ") for line in lines if line.startswith("//") and not line.startswith("// spmd:"))


def slips() -> str:
    """A table of the slips that must be found."""
    rows = ["| in | slip | |", "| --- | --- | --- |"]
    for slip in tomllib.loads(Path("pairs.toml").read_text()).get("mutant", []):
        rows.append(f"| {slip['of']} | {slip['what']} | {'not decided: ' + slip['unknown'] if 'unknown' in slip else 'found'} |")
    return "\n".join(rows)


def slip(name: str) -> str:
    """What the tool says of one slip, up to what it assumes."""
    found = next(each for each in tomllib.loads(Path("pairs.toml").read_text())["mutant"] if each["name"] == name)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for path in Path().glob("*.cu"):
            shutil.copy(path, folder)
        os.chdir(folder)
        of = Path(found["of"])
        of.write_text(of.read_text().replace(found["find"], found["put"]))
        said = output(" ".join(["equiv", found["against"], found["of"], "--timeout 600", *found.get("args", [])]))
        os.chdir(here)
    return said.partition("  assuming:\n")[0]


def refreshed(page: Path, with_mutants: bool) -> str:
    """The page with its blocks filled in."""
    os.chdir(page.parent)
    text = OUTPUT.sub(lambda found: found.group(1) + output(found.group(2)) + found.group(3), page.read_text())
    text = SLIP.sub(lambda found: found.group(1) + slip(found.group(2)) + found.group(3), text)
    for pattern, table in ((STEPS, steps), (SLIPS, slips)):
        text = pattern.sub(lambda found, table=table: f"{found.group(1)}\n{table()}\n{found.group(2)}", text)
    if not with_mutants:
        return text
    return MUTANTS.sub(lambda found: found.group(1) + "\n" + mutants(found.group(2)) + "\n" + found.group(3), text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-mutants", action="store_true")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help="folders of case_studies (default: all)")
    arguments = parser.parse_args()
    check = arguments.check
    stale = []
    for page in sorted(HERE.glob("*/README.md")):
        if arguments.studies and page.parent.name not in arguments.studies:
            continue
        text = refreshed(page, not arguments.no_mutants)
        if text != page.read_text():
            stale.append(page)
            if not check:
                page.write_text(text)
    for page in stale:
        print(f"{page.relative_to(HERE)} {'is not up to date' if check else 'refreshed'}")
    sys.exit(bool(stale and check))


if __name__ == "__main__":
    main()
