"""Which launches are held against a GPU: those whose verdict says what must come out."""

from __future__ import annotations

import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

from gpu import drawn, tables
from gpu.made import Kept, NotMade, alone, pair
from gpu.modules import Texts

from automata.place import InputError
from spmd.api import comparison

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = ("--block", "--grid", "--block-b", "--grid-b")
NAMED = {"--arg": "args", "--map": "names", "--extent": "extents", "--define": "defines"}
LISTED = {"--require": "require", "--output": "outputs", "--relate": "relate"}
TIMES, RACES = 10, 40
CONTENTS = re.compile(r"spmd:.*require.*(\w\[|distinct|sorted)|__builtin_assume|__requires|__assume")
"""What a launch requires of contents, which made-up ones do not meet."""
FIRST = re.compile(r"(race-free|barriers|order-free|verdict|bounds|assertions|initialised)=(\w+)")


def collect(texts: Texts, kept: Kept, folder: Path, told: list[str], *, seed: int, launches: int) -> None:
    """All jobs; `told` hears why a launch is left out."""
    kept.jobs += drawn.jobs(texts, launches, seed)
    for name, a, b, options in _pairs():
        _try(told, f"pair {name}", lambda a=a, b=b, options=options, name=name: _pair(name, a, b, options, texts, kept, seed))
    for name, a, b in _assembly(folder):
        options = {"block": 64, "grid": 2, "args": {"n": 9}}
        _try(told, f"pair {name}", lambda a=a, b=b, name=name, options=options: _pair(name, a, b, options, texts, kept, seed))
    kernels = sorted((ROOT / "tests" / "kernels").glob("*.cu"))
    random.Random(seed).shuffle(kernels)
    races = 0
    for path in kernels:
        said = dict(FIRST.findall(path.read_text().splitlines()[0]))
        if CONTENTS.search(path.read_text()):
            continue
        if said and all(outcome == "proved" for outcome in said.values()):
            _try(told, f"again {path.stem}", lambda path=path: alone(path, texts, kept, TIMES))
        elif said.get("race-free") == "refuted" and races < RACES and said.get("barriers") != "refuted":
            races += _try(told, f"race {path.stem}", lambda path=path: alone(path, texts, kept, TIMES, "race"))
    tables.jobs(texts, kept, folder, told)


def _try(told: list[str], name: str, make: Any) -> bool:
    try:
        make()
    except (NotMade, InputError) as error:
        told.append(f"{name}: {error}")
        return False
    return True


def _pairs() -> list[tuple[str, Path, Path, dict[str, Any]]]:
    found = []
    for path in sorted((ROOT / "case_studies").glob("*/pairs.toml")):
        for told in tomllib.loads(path.read_text()).get("pair", []):
            if told.get("class") in drawn.EXACT:
                found.append((f"{path.parent.name}/{told['a']}-{told['b']}", path.parent / told["a"], path.parent / told["b"],
                              _options(told.get("args", []))))
    for path in sorted((ROOT / "tests" / "pairs").glob("*/expect.json")):
        told = json.loads(path.read_text())
        if told.get("class") in drawn.EXACT:
            sides = path.parent / "a.cu", path.parent / "b.cu"
            found.append((f"pairs/{path.parent.name}", *sides, _options(told.get("args", []))))
    return found


def _assembly(folder: Path) -> list[tuple[str, Path, Path]]:
    """What inline PTX means, and the same in C++."""
    from test_ptx import KERNEL, SAME

    found = []
    for number, (name, sides) in enumerate(SAME.items()):
        paths = [folder / f"ptx{number}-{side}.cu" for side in "ab"]
        for path, body in zip(paths, sides, strict=True):
            path.write_text("#include <cuda_fp16.h>\n" + KERNEL.format(body))
        found.append((f"ptx/{name}", paths[0], paths[1]))
    return found


def _options(args: list[str]) -> dict[str, Any]:
    """The options of `spmd equiv` that say which launch it is."""
    found: dict[str, Any] = {}
    words = iter(args)
    for word in words:
        if word in SIZES:
            found[word[2:].replace("-", "_")] = next(words)
        elif word in NAMED:
            name, _, value = next(words).partition("=")
            found.setdefault(NAMED[word], {})[name] = value
        elif word in LISTED:
            found.setdefault(LISTED[word], []).append(next(words))
    return found


def _pair(name: str, a: Path, b: Path, options: dict[str, Any], texts: Texts, kept: Kept, seed: int) -> None:
    if "relate" in options:
        raise NotMade("outputs are related, not the same")
    asked = comparison(str(a), str(b), **options)
    pair(name, [asked.a, *asked.after_a], [asked.b, *asked.after_b], asked.names, texts, kept, seed, options.get("outputs"))
