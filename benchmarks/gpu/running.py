"""Jobs on a GPU, in processes that may die of them: a fault or a launch that never ends is a result, and the next job goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from gpu import drawn
from gpu.device import Bytes, Device, Fault, NoGPU, Step
from gpu.modules import Compiler, Source

SECONDS = 20
"""A job may take as long, the start of its process included."""
Job = dict[str, Any]
Result = dict[str, Any]


def work(compiler: Compiler, first: int, last: int) -> None:
    """Run jobs of a folder in turn; a line of JSON for each."""
    jobs = read(compiler.folder)[0]
    arrays = np.load(compiler.folder / "arrays.npz")
    device = Device(compiler)
    print(json.dumps({"device": device.name(), "driver": device.version()}), flush=True)
    for number in range(first, min(last, len(jobs))):
        job = jobs[number]
        print(json.dumps({"begun": number}), flush=True)
        try:
            result = drawn.run(device, job) if job["what"] == "drawn" else same_each_time(device, job, arrays)
        except Fault as fault:
            print(json.dumps({"job": number, "result": "fault", "told": str(fault)}), flush=True)
            sys.exit(9)
        print(json.dumps({"job": number, **result}, default=str), flush=True)
        if number % 50 == 49:
            device.forget()


def read(folder: Path) -> tuple[list[Job], list[Source]]:
    """The jobs of a folder, and its texts."""
    found = json.loads((folder / "jobs.json").read_text())
    return found["jobs"], [Source(**source) for source in found["texts"]]


def same_each_time(device: Device, job: Job, arrays: Any) -> Result:
    """Both sides, as often as asked, and what the machine found: all the same bits?"""
    before = {name: arrays[key] for name, key in job["before"].items()}
    as_bytes: dict[str, Bytes] = {name: cells.reshape(-1).view(np.uint8) for name, cells in before.items()}
    kinds = {name: "bf16" if name in job.get("bf16", ()) else cells.dtype.str for name, cells in before.items()}
    sides = [[Step(**step) for step in side] for side in job["sides"]]
    first = device.run(sides[0], as_bytes)
    for turn in range(1, job["times"] * len(sides)):
        other = device.run(sides[turn % len(sides)], as_bytes)
        bad = [name for name in job["outputs"] if unlike(first[name], other[name], kinds[name]).any()]
        if bad:
            return {"result": "differs", "turn": turn, "in": bad, "told": told(first[bad[0]], other[bad[0]], kinds[bad[0]])}
    for name, key in job["behind"].items():
        wanted = arrays[key].reshape(-1).view(np.uint8)
        if unlike(first[name], wanted, kinds[name]).any():
            return {"result": "unlike the machine", "in": [name], "told": told(first[name], wanted, kinds[name])}
    return {"result": "same", "runs": job["times"] * len(sides), "machine": len(job["behind"])}


def numbers(cells: Bytes, kind: str) -> np.ndarray[Any, Any]:
    """Bytes as what they stand for."""
    return (cells.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32) if kind == "bf16" else cells.view(kind)


def unlike(one: Bytes, other: Bytes, kind: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which elements differ in a bit; no numbers are all alike."""
    mine, yours = numbers(one, kind), numbers(other, kind)
    differ: np.ndarray[Any, np.dtype[np.bool_]] = mine.view(f"u{mine.itemsize}") != yours.view(f"u{mine.itemsize}")
    return differ & ~(np.isnan(mine) & np.isnan(yours)) if mine.dtype.kind == "f" else differ


def told(one: Bytes, other: Bytes, kind: str) -> list[Any]:
    """How many elements differ, and the first of them: index, here, there."""
    at = np.flatnonzero(unlike(one, other, kind))
    return [len(at), [[int(each), str(numbers(one, kind)[each]), str(numbers(other, kind)[each])] for each in at[:6]]]


def run_all(compiler: Compiler, script: Path, whats: set[str]) -> list[Result]:
    """Compile the texts of a folder, and the results of its jobs, in order. NoGPU, NoCompiler where there is none."""
    jobs, sources = read(compiler.folder)
    refused = compiler.compile(sources, os.cpu_count() or 1)
    results: list[Result] = []
    first = 0
    while first < len(jobs):
        if jobs[first]["what"] not in whats:
            first += 1
            continue
        if why := [refused[module] for module in modules_of(jobs[first]) if module in refused]:
            results.append({"job": first, "result": "not compiled", "told": why[0]})
            first += 1
            continue
        last = next((at for at in range(first, len(jobs)) if jobs[at]["what"] not in whats
                     or any(module in refused for module in modules_of(jobs[at]))), len(jobs))
        begun, done = _some(compiler, script, first, last)
        results += done
        if begun is None:
            raise NoGPU(done[-1]["told"] if done else "the process that runs jobs did not begin")
        if not done or done[-1].get("job") != begun:
            results.append({"job": begun, "result": "no end"})
        first = begun + 1
    return [{**result, "what": jobs[result["job"]]["what"], "name": jobs[result["job"]]["name"]} for result in results]


def modules_of(job: Job) -> list[str]:
    return [*job.get("modules", {}).values(), *(step["module"] for side in job.get("sides", []) for step in side)]


def _some(compiler: Compiler, script: Path, first: int, last: int) -> tuple[int | None, list[Result]]:
    """What one process came to: the job it was at when it ended, and its results."""
    command = [sys.executable, str(script), "--work", str(compiler.folder), compiler.architecture, str(first), str(last),
               *(["--contract"] if compiler.contracts else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun, done = None, list[Result]()
    assert process.stdout is not None and process.stderr is not None
    while True:
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        line = process.stdout.readline()
        timer.cancel()
        if not line:
            break
        said = json.loads(line)
        if "begun" in said:
            begun = said["begun"]
        elif "job" in said:
            done.append(said)
        elif begun is None and first == 0:
            print(f"{said['device']}, CUDA {said['driver'] // 1000}.{said['driver'] % 1000 // 10}", flush=True)
    text = process.stderr.read()
    process.wait()
    if begun is None:
        return None, [{"told": text.strip().splitlines()[-1] if text.strip() else "no word"}]
    if process.returncode not in (0, 9) and text.strip():
        done.append({"job": begun, "result": "no end", "told": text.strip()[-300:]})
    return begun, done


def summed(results: list[Result]) -> str:
    """How many of each kind came to what, and each that is not the same."""
    counts = Counter((result["what"], result["result"]) for result in results)
    lines = [f"{what:8} {result:20} {count}" for (what, result), count in sorted(counts.items())]
    lines += [json.dumps({key: value for key, value in result.items() if key != "job"}, default=str)
              for result in results if result["result"] != "same"]
    return "\n".join(lines)
