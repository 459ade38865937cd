"""The house's own rules: types, style and size limits, layers, package names, start-up."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx
import pytest
from conftest import ROOT

from spmd.checked import BEHIND_DOORS, load

LINES_OF_A_FILE, LINES_OF_A_FUNCTION = 420, 42
TABLES = ("automata.lang.ptx", "spmd.recording.read")
"""What a plain check has no use for."""
STUDY = ["case_studies/array_reversal/original.cu", "case_studies/array_reversal/optimised.cu"]


@pytest.mark.parametrize("command", [["mypy"], ["ruff", "check", "."], ["lint-imports"]], ids=lambda parts: str(parts[0]))
def test_tool_is_content(command: list[str]) -> None:
    tool = Path(sys.executable).parent / command[0]
    result = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_files_stay_small() -> None:
    for package in ("spmd", "automata", "equivalence"):
        for path in (ROOT / package).rglob("*.py"):
            assert len(path.read_text().splitlines()) <= LINES_OF_A_FILE, path


@dataclass(frozen=True)
class Module:
    """A module of ours: what it imports, also inside of functions, and its functions, each with how many lines it has."""

    path: Path
    imports: list[ast.Import | ast.ImportFrom]
    functions: list[tuple[str, int]]


@cache
def modules() -> list[Module]:
    """All of ours; each is parsed once for all tests here."""
    found = []
    for path in (path for package in ("spmd", "automata", "equivalence") for path in (ROOT / package).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        found.append(Module(path, [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)],
                            [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in nodes
                             if isinstance(node, ast.FunctionDef)]))
    return found


def test_functions_stay_short() -> None:
    assert [(module.path, *each) for module in modules() for each in module.functions if each[1] > LINES_OF_A_FUNCTION] == []


NAMED = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+)`")
FILES = (".py", ".json", ".toml", ".cl", ".cu")


def test_modules_that_texts_name_are_there() -> None:
    """`room.module`, or `module.name`, in a docstring: of what was moved, the new place is named."""
    texts = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text()
             for package in ("spmd", "automata", "equivalence") for path in (ROOT / package).rglob("*.py")}
    rooms = {part for module in texts for part in module.split(".")}
    said = [(module, name) for module, text in texts.items() for name in NAMED.findall(text)
            if name.split(".")[0] in rooms and not name.endswith(FILES)]
    assert len(said) > 30
    assert [each for each in said if not _is_there(each[1], texts)] == []


def _is_there(name: str, texts: dict[str, str]) -> bool:
    owner, _, own = name.rpartition(".")
    found = re.compile(rf"\b(?:def|class) {own}\b|^\s*{own} *[:=]|self\.{own}\b", re.MULTILINE)
    return any(module.endswith(f".{name}") or module == name or ((f".{module}").endswith(f".{owner}") and found.search(text))
               for module, text in texts.items())


def test_the_wheel_holds_our_three_packages_alone(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT],
                   check=True, capture_output=True)
    wheel = next(tmp_path.glob("*.whl"))
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"spmd", "automata", "equivalence"}


def test_help_imports_no_engine() -> None:
    code = ("import sys; from spmd.cli import app; "
            "engines = ('sympy', 'pysmt', 'networkx', 'z3', 'pycparser', 'numpy', 'scipy'); "
            "print([name for name in engines if name in sys.modules])")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("args", [["check", "case_studies/array_reversal/racy.cu"], ["equiv", *STUDY], ["diff", "HEAD", "HEAD"]],
                         ids=lambda args: args[0])
def test_what_few_need_is_not_loaded(args: list[str]) -> None:
    """Symbolic algebra for texts, special functions, long floats: loaded by kernels that need them."""
    code = ("import sys; from spmd.cli import app; app(sys.argv[1:], standalone_mode=False); "
            "few = ('sympy', 'scipy', 'mpmath', 'matplotlib', 'setuptools', 'pytest', 'distributed'); "
            "print('loaded', [name for name in few if name in sys.modules])")
    said = subprocess.run([sys.executable, "-c", code, *args], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "loaded []", said


def _loaded_by_check(file: str, *flags: str) -> tuple[str, set[str]]:
    """What a check says first, and the modules that are there after it."""
    code = ("import sys; from spmd.cli import app; app(sys.argv[1:], standalone_mode=False); "
            "print('loaded', *sorted(sys.modules))")
    command = [sys.executable, "-c", code, "check", file, "--no-cache", *flags]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return said[0].split()[0], set(said[-1].split()[1:])


@pytest.mark.parametrize(("file", "front_end"), [(STUDY[0], "automata.lang.c"), ("case_studies/nbody_app/nbody.cl",
                                                                                 "automata.lang.clang.program")])
def test_a_proof_by_formulas_alone_loads_no_machine(file: str, front_end: str) -> None:
    """Nor what compares, nor what would be asked after it, nor the front end of the other language."""
    verdict, modules = _loaded_by_check(file, *(["--kernel", "forces"] if file.endswith(".cl") else []))
    assert verdict == "proved"
    assert modules & {"numpy", "automata.machine", "equivalence", front_end, *TABLES, *BEHIND_DOORS} == set()


def test_what_is_behind_doors_can_be_loaded_before() -> None:
    load()
    assert {*BEHIND_DOORS, "numpy", "automata.machine.running.run"} <= sys.modules.keys()


def test_a_finding_is_replayed_on_the_machine() -> None:
    verdict, modules = _loaded_by_check("case_studies/array_reversal/racy.cu")
    assert verdict == "refuted"
    assert {"automata.machine.running.run", "automata.proof.witness.confirm"} <= modules


def test_the_files_speak_of_the_project_alone() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".cu", ".cl") and path.is_file() and path != Path(__file__):
            assert "/work/" not in path.read_text(errors="replace"), name


def test_answers_do_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-m", "spmd.cli", "equiv", "case_studies/array_reversal/original.cu",
               "case_studies/array_reversal/mutants/divergent_barrier.cu", "--format", "jsonl"]
    said = {subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False,
                           env={**os.environ, "PYTHONHASHSEED": seed}).stdout.partition('"seconds"')[0] for seed in "12"}
    assert len(said) == 1


def test_imports_are_the_declared_dependencies() -> None:
    declared = {"cvc5", "mpmath", "networkx", "numpy", "pycparser", "pysmt", "scipy", "sympy", "typer", "z3"}
    ours = {"spmd", "automata", "equivalence"}
    known = declared | ours | set(sys.stdlib_module_names)
    for module in modules():
        extra = {"testing.py": {"pytest"}, "cluster.py": {"distributed"}}.get(module.path.name, set())
        for node in module.imports:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            tops = {name.split(".")[0] for name in names}
            assert tops <= known | extra, (module.path, tops)


def _imports(module: Module) -> Iterator[str]:
    """Our modules that a module names, also those that a function imports, and those of types alone."""
    for node in module.imports:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("spmd", "automata", "equivalence"):
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield inner if (ROOT / (inner.replace(".", "/") + ".py")).exists() else node.module


def test_no_modules_need_each_other() -> None:
    """Layers are for packages; inside of one, too, a reader finds an order in which to read."""
    needs: networkx.DiGraph[str] = networkx.DiGraph()
    for module in modules():
        name = ".".join(module.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        needs.add_edges_from((name, other) for other in _imports(module))
    assert needs.number_of_edges() > 1000
    assert [sorted(circle) for circle in networkx.strongly_connected_components(needs) if len(circle) > 1] == []


def test_pages_name_files_that_are_there() -> None:
    """What the pages for contributors point at exists."""
    named = re.compile(r"[`(]((?:spmd|automata|tests|docs|case_studies)/[\w./]*(?:\.\w+|/))[`)]")
    for page in ("CONTRIBUTING.md", "CHANGELOG.md"):
        for name in named.findall((ROOT / page).read_text()):
            assert (ROOT / name).exists() or "NAME" in name, (page, name)


def test_types_are_for_others_too() -> None:
    assert all((ROOT / package / "py.typed").exists() for package in ("spmd", "automata", "equivalence"))


def test_files_that_pages_name_are_there_and_meant_alone() -> None:
    """A reader who looks one up finds one."""
    ours = [str(path.relative_to(ROOT)) for package in ("spmd", "automata", "equivalence", "tests", "benchmarks", "case_studies")
            for path in (ROOT / package).rglob("*.py")]
    lost: list[str] = []
    for page in (ROOT / "docs" / "architecture.md", ROOT / "docs" / "all-sizes.md", ROOT / "docs" / "soundness.md"):
        for name in re.findall(r"`([\w/]+\.py)`", page.read_text()):
            found = [path for path in ours if path == name or path.endswith(f"/{name}")]
            if len(found) != 1 and name not in ours:
                lost.append(f"{page.name}: {name}: {found}")
    assert lost == []


def test_what_the_page_says_of_who_decides_is_there() -> None:
    """Each name behind a file, where the page on architecture says who decides what, is defined in our packages."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    part = page[page.index("**Who decides**"):page.index("## From text to Core")]
    paths = [path for package in ("spmd", "automata", "equivalence") for path in (ROOT / package).rglob("*.py")]
    defined = {path.stem for path in paths}
    made = re.compile(r"\b(?:def|class) (\w+)|^ *(?:self\.)?(\w+)(?:: | =|, )", re.MULTILINE)
    defined |= {one or two for path in paths for one, two in made.findall(path.read_text())}
    named = [name for name in re.findall(r"`([A-Za-z_][\w.]*)`", part) if not name.endswith(".py")]
    assert len(named) > 40
    assert [name for name in named if not set(name.split(".")) <= defined] == []
