"""Numbers that functions of the library write to an address: one value behind the call, in pairs with what may change it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

TEXT = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <CL/cl.h>
{outside}
__global__ void k(int *x, int n) {{ if (blockIdx.x * 64 + threadIdx.x < n) x[blockIdx.x * 64 + threadIdx.x] = n; }}
int main(int argc, char **argv) {{
  int *x; FILE *f = fopen("n.txt", "r");
  {body}
}}
"""
BLOCKS = "int blocks = (n + 63) / 64; "
LAUNCH = "k<<<blocks, 64>>>(x, n);"
ONE_VALUE = {
    "a file": 'int n; fscanf(f, "%d", &n); ' + BLOCKS,
    "a file, tested": 'int n; if (fscanf(f, "%d", &n) != 1) exit(1); ' + BLOCKS,
    "a file, in a declaration": 'int n; int got = fscanf(f, "%d", &n); ' + BLOCKS + "if (got < 1) return 1; ",
    "a file, added up": "int n; size_t all = 0; all += fread(&n, sizeof(int), 1, f); " + BLOCKS,
    "a file, denied": 'int n; if (!scanf("%d", &n)) exit(1); ' + BLOCKS,
    "two numbers": 'int n, m; fscanf(f, "%d %d", &m, &n); ' + BLOCKS,
    "another name": 'int m, n; fscanf(f, "%d", &m); n = m; ' + BLOCKS,
    "memory of a device": "int n; cudaMemcpy(&n, x, sizeof(int), cudaMemcpyDeviceToHost); " + BLOCKS,
    "memory of a device, through a cast": "int n; cudaMemcpy((void *)&n, x, 4, cudaMemcpyDeviceToHost); " + BLOCKS,
    "memory of a device, in a loop": "int n; do { cudaMemcpy(&n, x, 4, cudaMemcpyDeviceToHost); " + BLOCKS + LAUNCH + " } "
                                     "while (n);",
    "a device": "int n; cudaGetDeviceCount(&n); " + BLOCKS,
    "a buffer that is waited for": "int n; clEnqueueReadBuffer(q, b, CL_TRUE, 0, 4, &n, 0, NULL, NULL); " + BLOCKS,
    "read from afterwards": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + "cudaMemcpyToSymbol(count, &n, 4); fwrite(&n, 4, 1, f); ",
    "a device through a library": "int n; clGetDeviceInfo(d, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(n), &n, NULL); " + BLOCKS,
    "a check around it": 'int n; check(fscanf(f, "%d", &n)); ' + BLOCKS,
}
ANY_VALUE = {
    "set behind": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + "n = other(); ",
    "read again": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + 'fscanf(f, "%d", &n); ',
    "read again perhaps": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + 'if (argc > 2) fscanf(f, "%d", &n); ',
    "read again in a loop": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + 'while (argc--) { fscanf(f, "%d", &n); } ',
    "read in a loop's test": 'int n = 3; ' + BLOCKS + 'while (fscanf(f, "%d", &n) == 1) {} ',
    "read in a loop before its launch": 'int n = 3; ' + BLOCKS + 'for (int i = 0; i < 9; i++) { ' + LAUNCH +
                                        ' fscanf(f, "%d", &n); } ',
    "read behind a test": 'int n = 3; ' + BLOCKS + 'if (argc > 1 && fscanf(f, "%d", &n)) {} ',
    "read behind a question": 'int n = 3; ' + BLOCKS + 'argc > 1 ? fscanf(f, "%d", &n) : 0; ',
    "read by a closure": 'int n = 3; ' + BLOCKS + 'auto g = [&] { fscanf(f, "%d", &n); }; g(); ',
    "its address is kept": 'int n; int *p = &n; fscanf(f, "%d", &n); ' + BLOCKS + "*p = 9; ",
    "a reference": 'int n; int &r = n; fscanf(f, "%d", &n); ' + BLOCKS + "r = 9; ",
    "through its address": 'int n; int *p = &n; ' + 'fscanf(f, "%d", &n); ' + BLOCKS + 'fscanf(f, "%d", p); ',
    "while the program goes on": "int n = 3; cudaMemcpyAsync(&n, x, 4, cudaMemcpyDeviceToHost, s); " + BLOCKS,
    "a buffer that is not waited for": "int n = 3; clEnqueueReadBuffer(q, b, CL_FALSE, 0, 4, &n, 0, NULL, NULL); " + BLOCKS,
    "a buffer, perhaps waited for": "int n = 3; clEnqueueReadBuffer(q, b, waits, 0, 4, &n, 0, NULL, NULL); " + BLOCKS,
    "a function of the file": "int n; keep(&n); " + BLOCKS + "other(); ",
    "a function of its name": 'int n; own::fscanf(f, "%d", &n); ' + BLOCKS + "other(); ",
    "a method of its name": 'int n; reader.fread(&n, 4, 1, f); ' + BLOCKS + "other(); ",
    "a variable of the file": 'fscanf(f, "%d", &all); int blocks = (all + 63) / 64; other(); int n = all; ',
    "an element": 'int n[2]; fscanf(f, "%d", &n[0]); int blocks = (n[0] + 63) / 64; other(); ',
    "written to from another place": 'int n; fscanf(f, "%d", &n); ' + BLOCKS + "cudaMemcpy(&n, x, 4, cudaMemcpyDeviceToHost); ",
    "the number of bytes": "int n; size_t m; clGetDeviceInfo(d, 1, 4, &n, &m); int blocks = (m + 63) / 64; ",
}
OUTSIDE = """int other(); void keep(int *); extern int all; void check(int); __constant__ int count; extern cl_bool waits;
extern cl_command_queue q; extern cl_mem b; extern cl_device_id d; extern cudaStream_t s;
"""
OWN = {"own::": "namespace own { int fscanf(FILE *, const char *, int *); }",
       "reader.": "struct Reader { void fread(int *, int, int, FILE *); } reader;"}


def read(folder: Path, body: str) -> list[HostLaunch]:
    path = folder / "k.cu"
    outside = OUTSIDE + "".join(text for word, text in OWN.items() if word in body)
    path.write_text(TEXT.format(outside=outside, body=body if LAUNCH in body else body + LAUNCH))
    return find_launches(preprocess(str(path), "cuda", side="host"))


@pytest.mark.parametrize("name", ONE_VALUE)
def test_sizes_are_tied_to_what_is_passed(name: str, tmp_path: Path) -> None:
    assert [launch.grid[0] for launch in read(tmp_path, ONE_VALUE[name])] == ["(({1} + 63) / 64)"]


@pytest.mark.parametrize("name", ANY_VALUE)
def test_where_it_may_change_nothing_is_tied(name: str, tmp_path: Path) -> None:
    found = read(tmp_path, ANY_VALUE[name])
    assert found and all("{1}" not in str(launch.grid[0]) for launch in found)


def test_a_function_that_the_text_declares_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    body = 'int n; fscanf(f, "%d", &n); ' + BLOCKS + "other(); " + LAUNCH
    path.write_text(TEXT.format(outside=OUTSIDE + " void fscanf(FILE *, const char *, int *);", body=body))
    (launch,) = find_launches(preprocess(str(path), "cuda", side="host"))
    assert "{1}" not in str(launch.grid[0])


KEEPER = "struct Keeper { int &kept; };"
STREAMED = {
    "the standard output": ('std::cout << "n is " << n << std::endl; other();', KEEPER, True),
    "an error in a sum": ('std::cerr << n + 1 << n; other();', KEEPER, True),
    "an operator for numbers": ('std::cout << n; other();', KEEPER + " std::ostream &operator<<(std::ostream &, int &);", False),
    "an operator for all": (
        'std::cout << n; other();', KEEPER + " template <class T> std::ostream &operator<<(std::ostream &, T &);", False),
    "a stream of its own": ('cout << n; other();', KEEPER + " struct Odd { Odd &operator<<(int &); } cout;", False),
    "a stream of the function": ('Odd cout; cout << n; other();', KEEPER + " struct Odd { Odd &operator<<(int &); };", False),
    "another stream": ('mine << n; other();', KEEPER + " extern Odd mine;", False),
    "read, not written": ('std::cin >> n; other();', KEEPER, False),
    "a header that is not found": ('std::cout << n; other();', KEEPER + '\n#include "missing.h"\n', False),
}


@pytest.mark.parametrize("name", STREAMED)
def test_a_number_that_is_printed_is_copied(name: str, tmp_path: Path) -> None:
    """The text has a class that keeps references, so that no operator of its own is trusted."""
    code, outside, is_tied = STREAMED[name]
    path = tmp_path / "k.cu"
    body = f"int n = other(); {BLOCKS} {code} {LAUNCH}"
    path.write_text("#include <iostream>\n" + TEXT.format(outside=OUTSIDE + outside, body=body))
    (launch,) = find_launches(preprocess(str(path), "cuda", side="host"))
    assert (launch.grid[0] == "(({1} + 63) / 64)") is is_tied


SCANNED = 'int n; if (sscanf(argv[1], "%d", &n) == EOF) return 1; if (n <= 0) exit(1); '
GIVEN = {
    "a word": SCANNED,
    "a word, counted": SCANNED.replace("== EOF", "!= 1"),
    "a word, counted from below": SCANNED.replace("== EOF", "< 1"),
    "a word, by itself": 'int n; sscanf(argv[1], "%d", &n); if (n <= 0) return 1; ',
    "another word": 'if (argc != 4 || strcmp(argv[2], "-n")) return 1; ' + SCANNED,
}
OPEN = {
    "two words are none": SCANNED.replace("== EOF", "== 1"),
    "more in the format": SCANNED.replace('"%d"', '"%dx"'),
    "a hexadecimal number": SCANNED.replace('"%d"', '"%x"'),
    "a few digits": SCANNED.replace('"%d"', '"%2d"'),
    "two texts": SCANNED.replace('"%d"', '"%d" "x"'),
    "a file": SCANNED.replace("sscanf(argv[1]", "fscanf(f"),
    "tested": SCANNED + "if (twice(n)) return 1; ",
    "the word is tested": 'if (strcmp(argv[1], "64")) return 1; ' + SCANNED,
    "the word is changed": "argv[1][0] = '7'; " + SCANNED,
    "set behind": SCANNED + "n = 64; ",
    "a narrower number": SCANNED.replace("int n;", "short n;"),
}


def is_refuted(run: Run, folder: Path, body: str) -> bool:
    path = folder / "k.cu"
    path.write_text(TEXT.replace("< n) x[blockIdx.x * 64 + threadIdx.x]", "< n) x[n == 70 ? 0 : blockIdx.x * 64 + threadIdx.x]")
                    .replace("= n;", "= threadIdx.x;", 1).format(outside="int twice(int);", body=body + BLOCKS + LAUNCH))
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["launch"]["block"] == [64, 1, 1]
    return bool(record["verdict"] == "refuted")


@pytest.mark.parametrize("name", GIVEN)
def test_any_number_may_be_a_word(name: str, run: Run, tmp_path: Path) -> None:
    assert is_refuted(run, tmp_path, GIVEN[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_no_caller_gives_refutes_nothing(name: str, run: Run, tmp_path: Path) -> None:
    assert not is_refuted(run, tmp_path, OPEN[name])


def test_a_word_that_is_no_number_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    """`atoi` and `sscanf` of one word are two values."""
    path = tmp_path / "k.cu"
    body = 'int m = atoi(argv[1]); int n = 96; sscanf(argv[1], "%d", &n); int blocks = (m + 63) / 64; ' + LAUNCH
    path.write_text(TEXT.format(outside="", body=body))
    (launch,) = find_launches(preprocess(str(path), "cuda", side="host"))
    assert "{1}" not in str(launch.grid[0])
