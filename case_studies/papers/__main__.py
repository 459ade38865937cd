"""Make the pages of this folder anew.

    python -m case_studies.papers                       # their names
    python -m case_studies.papers hotpar2010 volta      # ask everything again, then write these pages
    python -m case_studies.papers --render              # write all pages from what was measured last

Run it at the top of the repository. Progress goes to stderr. A row that does not answer as cases.toml states ends the program
with status 1, and the page is not written. Pictures need matplotlib (`pip install -e '.[pictures]'`); else they stay as they are.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from case_studies.papers.asked import HERE, read_answers, tell, write_answers

PAGES = ("hotpar2010", "test_amplification", "gpuverify", "faial", "kernel_interceptor", "volta")


def there() -> list[str]:
    """The pages that exist."""
    return [name for name in PAGES if (HERE / "pages" / f"{name}.py").exists()]


def module(name: str) -> Any:
    """The program of a page: `measure()` asks, `render(answers)` writes, `draw(answers)` makes pictures."""
    return import_module(f"case_studies.papers.pages.{name}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m case_studies.papers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(there()))
    parser.add_argument("--render", action="store_true", help="ask nothing: write the pages from answers.json")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in there()]:
        parser.error(f"no page {', '.join(unknown)}; there are {', '.join(there())}")
    if not given.names and not given.render:
        print("\n".join(there()))
    for name in given.names or (there() if given.render else []):
        program = module(name)
        answers = read_answers(name) if given.render else program.measure()
        if not given.render:
            write_answers(name, answers)
        program.draw(answers)
        target = HERE / name / "README.md"
        target.write_text(program.render(answers), encoding="utf-8")
        tell(f"written: {target.relative_to(HERE.parent.parent)}")


if __name__ == "__main__":
    main()
