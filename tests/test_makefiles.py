"""What a Makefile says of a file's macros: what is taken is what GNU make gives to the compiler.

Where make is there, it is asked itself: `make -n`.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from automata.lang.makefiles import flags_of_make

OWN = "k.o: k.cu\n\tnvcc $(CFLAGS) -c k.cu -o k.o\n"
PLAIN = "k.o: k.cu\n\tnvcc -c k.cu -o k.o\n"
TAKEN = {
    "of a variable": "CFLAGS=-DN=1\n" + OWN,
    "through another": "V=1\nCFLAGS=-DN=$(V)\n" + OWN,
    "of a rule for all": "%.o: %.cu\n\tnvcc -DN=1 -c $< -o $@\nk.o: k.cu\n",
    "of a rule for a suffix": ".SUFFIXES: .c .cu\nCFLAGS=-DN=1\n"
                          ".cpp.o:\n\tg++ -DN=2 -c $*.cpp\n.cu.o:\n\tnvcc $(CFLAGS) -c $*.cu\n",
    "added": "CFLAGS=-O3\nCFLAGS += -DN=1\n" + OWN,
    "beside another file's value": "CFLAGS=-DN=1\n" + OWN + "m.o: m.cpp\n\tg++ -DN=2 -c m.cpp -o m.o\n",
    "in quotes": 'CFLAGS="-DN=1"\n' + OWN,
}
HELD = {
    "another recipe": PLAIN + "m.o: m.cu\n\tnvcc -DN=1 -c m.cu -o m.o\n",
    "a variable of another recipe": "FLAGS=-DN=1\n" + PLAIN + "m.o: m.cu\n\tnvcc $(FLAGS) -c m.cu -o m.o\n",
    "a variable of another language": "CXXFLAGS=-DN=1\n" + PLAIN + "m.o: m.cpp\n\tg++ $(CXXFLAGS) -c m.cpp -o m.o\n",
    "a rule for another language": "%.o: %.cpp\n\tg++ -DN=1 -c $< -o $@\n%.o: %.cu\n\tnvcc -c $< -o $@\nk.o: k.cu\n",
    "a suffix of another language": ".SUFFIXES: .cu\n.cpp.o:\n\tg++ -DN=1 -c $<\n.cu.o:\n\tnvcc -c $<\n",
    "one target's own": "CFLAGS=-O3\ndebug: CFLAGS += -DN=1\ndebug: k.o\n" + OWN,
    "taken away": "CFLAGS=-DN=1 -UN\n" + OWN,
    "another value": "CFLAGS=-DN=1\nifeq ($(X),)\nCFLAGS += -DN=2\nendif\n" + OWN,
    "set anew": "CFLAGS=-DN=1\nifeq ($(X),)\nCFLAGS = -O3\nendif\n" + OWN,
    "overridden": "CFLAGS=-DN=1\noverride CFLAGS = -O3\n" + OWN,
    "undefined": "CFLAGS=-DN=1\nundefine CFLAGS\n" + OWN,
    "replaced": "CFLAGS=-DN=1\nk.o: k.cu\n\tnvcc $(subst -DN=1,-DN=2,$(CFLAGS)) -c k.cu -o k.o\n",
    "filtered": "CFLAGS=-DN=1\nk.o: k.cu\n\tnvcc $(filter-out -DN=1,$(CFLAGS)) -c k.cu -o k.o\n",
    "set in a file that is included": "CFLAGS=-DN=1\ninclude other.mk\n" + OWN,
}


def told(folder: Path, text: str) -> dict[str, str]:
    for name, written in {"Makefile": text, "k.cu": "", "m.cu": "", "m.cpp": "", "other.mk": "CFLAGS=-DN=2\n"}.items():
        (folder / name).write_text(written)
    found = flags_of_make(str(folder / "k.cu"), str(folder))
    return found.defines if found is not None else {}


def given(folder: Path) -> str | None:
    """What make gives N on the command line that compiles the file."""
    lines = subprocess.run(["make", "-n", "-C", folder, "k.o"], capture_output=True, text=True, check=True).stdout.splitlines()
    value = None
    for word in (word for line in lines if "nvcc" in line and "k.cu" in line for word in shlex.split(line)):
        value = word.removeprefix("-DN=") if word.startswith("-DN=") else None if word == "-UN" else value
    return value


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_taken(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, text) == {"N": "1"}
    assert shutil.which("make") is None or given(tmp_path) == "1"


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_what_another_line_may_change_is_not_taken(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, text) == {}
    assert shutil.which("make") is None or given(tmp_path) != "1"
