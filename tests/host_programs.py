"""Host programs that are run: a stand-in for the CUDA runtime that says which launches were made, and random programs.

`recorded` compiles a program with g++ and runs it; `is_covered` asks whether a launch that was recorded is one that was stated.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import z3
from pycparser import c_ast
from pycparser.c_parser import CParser

from automata.lang.host import HostLaunch
from automata.lang.host.numbers import limits

RUNTIME = r"""
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <cmath>
#include <algorithm>
#include <vector>
#include <cxxabi.h>
#include <dlfcn.h>
#include <string>
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
#define __global__
#define __device__
#define __host__
typedef int cudaError_t;
static inline int cudaMalloc(void *where, size_t) { *(void **)where = nullptr; return 0; }
static inline int cudaDeviceSynchronize() { return 0; }
template <class T> void spmd_say(T v) { if constexpr (std::is_integral_v<T>) printf(" %lld", (long long)v); else printf(" ?"); }
template <class... A> std::string spmd_who(void (*f)(A...)) {
  Dl_info at; if (!dladdr((void *)f, &at) || !at.dli_sname) return "?";
  std::string s = abi::__cxa_demangle(at.dli_sname, 0, 0, 0); s = s.substr(s.compare(0, 5, "void ") ? 0 : 5);
  return s.substr(0, s.find_first_of("<(")); }
struct spmd_launch {
  std::string name; int line; dim3 g, b;
  spmd_launch(std::string n, int l, dim3 grid, dim3 block, size_t = 0, int = 0) : name(n), line(l), g(grid), b(block) {}
  template <class... A> void operator()(A... a) {
    printf("%s %d %u %u %u %u %u %u :", name.c_str(), line, g.x, g.y, g.z, b.x, b.y, b.z); (spmd_say(a), ...); printf("\n"); } };
"""
LAUNCH = re.compile(r"\b(\w+)(\[[^\[\]]*\])?(<[^<>;]*>)?<<<(.*?)>>>")
KERNEL = re.compile(r"__global__ void (\w+)\(")


class Recorded(NamedTuple):
    """A launch that was made."""

    kernel: str
    line: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    args: tuple[int | None, ...]


def recorded(text: str, folder: Path, runs: tuple[tuple[str, ...], ...] = ((),)) -> list[Recorded]:
    """The launches that a program makes, with each list of arguments. What a variable points to is asked of the linker."""
    kernels = set(KERNEL.findall(text))

    def as_call(found: re.Match[str]) -> str:
        name = f'"{found[1]}"' if found[1] in kernels else f"spmd_who({found[1]}{found[2] or ''})"
        return f"spmd_launch({name}, __LINE__, {found[4]})"

    made = LAUNCH.sub(as_call, text)
    (folder / "host.cpp").write_text(f'#include "runtime.h"\n#line 1 "host.cpp"\n{made}')
    (folder / "runtime.h").write_text(RUNTIME)
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-rdynamic", "-o", folder / "host", folder / "host.cpp", "-ldl"],
                   check=True)
    found: list[Recorded] = []
    for arguments in runs:
        said = subprocess.run([folder / "host", *arguments], capture_output=True, text=True, check=False, timeout=5).stdout
        for line in said.splitlines():
            head, _, args = line.partition(":")
            name, at, *sizes = head.split()
            x, y, z, a, b, c = map(int, sizes)
            found.append(Recorded(name, int(at), (x, y, z), (a, b, c), tuple(None if arg == "?" else int(arg)
                                                                            for arg in args.split())))
    return list(dict.fromkeys(found))


def is_covered(launch: Recorded, stated: list[HostLaunch]) -> bool:
    """Whether a launch that was made is among those that are stated."""
    return any(_covers(each, launch) for each in stated if each.kernel == launch.kernel and each.place.line == launch.line)


def _covers(stated: HostLaunch, made: Recorded) -> bool:
    """Whether some values of the leaves make a stated launch the one that was made."""
    known: dict[str, z3.ArithRef | int] = {str(at): arg for at, arg in enumerate(made.args) if arg is not None}
    solver = z3.Solver()
    solver.set("timeout", 5_000)
    for number, (_, kind) in enumerate(stated.leaves):
        leaf = z3.Int(f"h{number}")
        low, high = limits(kind) if kind.bits > 8 else (-128, 255)
        solver.add(low <= leaf, leaf <= high)
        known[f"h{number}"] = leaf
    sizes = zip((*stated.grid, *stated.block), (*made.grid, *made.block), strict=True)
    equal: list[tuple[int | float | str | None, int]] = list(sizes)
    equal += [(said, arg) for said, arg in zip(stated.args, made.args, strict=True) if arg is not None]
    equal += [(said, arg) for said, arg in zip(stated.given, made.args, strict=True) if arg is not None]
    if any(isinstance(said, int) and said != value for said, value in equal):
        return False
    solver.add(*(_number(value_of(said, known)) == value for said, value in equal if isinstance(said, str)))
    tests = [*stated.facts, *(need for _, needs in stated.needs for need in needs)]
    solver.add(*(_truth(value_of(test, known)) for test in tests))
    found = solver.check()
    assert found != z3.unknown
    return bool(found == z3.sat)


TREES: dict[str, c_ast.Node] = {}
Value = int | z3.ExprRef


def value_of(text: str, known: Mapping[str, Value]) -> Value:
    """The value of a text over leaves, which are numbers or symbols of the solver."""
    if text not in TREES:
        code = re.sub(r"\{(\w+)\}", r"leaf_\1", text)
        TREES[text] = CParser().parse(f"int f(void) {{ return {code}; }}").ext[0].body.block_items[0].expr
    return _value(TREES[text], known)


def _truth(value: Value) -> z3.BoolRef:
    return value if z3.is_bool(value) else z3.BoolVal(value != 0) if isinstance(value, int) else value != 0


def _number(value: Value) -> z3.ArithRef:
    if isinstance(value, int):
        return z3.IntVal(value)
    return z3.If(value, z3.IntVal(1), z3.IntVal(0)) if z3.is_bool(value) else value


def _quotient(a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
    """What C's division gives: towards zero."""
    whole = z3.If(a >= 0, a, -a) / z3.If(b >= 0, b, -b)
    return z3.If((a >= 0) == (b >= 0), whole, -whole)


def _value(node: c_ast.Node, known: Mapping[str, Value]) -> Value:
    match node:
        case c_ast.Constant():
            return int(node.value)
        case c_ast.ID():
            return known[node.name.removeprefix("leaf_")]
        case c_ast.UnaryOp():
            value = _value(node.expr, known)
            return -_number(value) if node.op == "-" else z3.Not(_truth(value))
        case c_ast.TernaryOp():
            return z3.If(_truth(_value(node.cond, known)), _number(_value(node.iftrue, known)),
                         _number(_value(node.iffalse, known)))
        case c_ast.FuncCall():
            one, two = (_number(_value(arg, known)) for arg in node.args.exprs)
            return z3.If(one < two, one, two) if node.name.name == "min" else z3.If(one > two, one, two)
        case c_ast.BinaryOp():
            return _binary(node.op, _value(node.left, known), _value(node.right, known))
    raise AssertionError(type(node))


def _binary(sign: str, one: Value, two: Value) -> Value:
    if sign in ("&&", "||"):
        return (z3.And if sign == "&&" else z3.Or)(_truth(one), _truth(two))
    a, b = _number(one), _number(two)
    if sign in ("/", "%"):
        quotient = _quotient(a, b)
        return quotient if sign == "/" else a - quotient * b
    made: dict[str, Value] = {"+": a + b, "-": a - b, "*": a * b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b,
                              "==": a == b, "!=": a != b}
    return made[sign]


class Programs:
    """Random host programs over small numbers: functions that call each other, tests, loops, sizes filled member by member."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def text(self) -> str:
        """A program that takes two numbers."""
        choose = self.random
        lines = ["__global__ void k(float *p, int n, int m) {}", "__global__ void o(float *p, bool n, short m, size_t l) {}",
                 choose.choice(["", "static "]) + "inline int up(int a, int b) { return (a + b - 1) / b; }",
                 f"const int WIDTH = {choose.choice([8, 16, 32])};", "static int spare;",
                 "enum { SMALL = 4, LARGE = SMALL * 8 };"]
        known: list[tuple[str, int]] = []
        for number in range(choose.randrange(1, 4)):
            lines.append(self.function(f"go{number}", known))
        body = self.block(["x", "y", "cargc", "spare"], 2, known, 1)
        lines += ["int main(int argc, char **argv) {", "  float *p = nullptr; const int cargc = argc;",
                  "  int x = argc > 1 ? atoi(argv[1]) : 5;", "  int y = 3;", "  if (argc > 2) y = atoi(argv[2]);", f"{body}}}"]
        return "\n".join(lines) + "\n"

    def function(self, name: str, known: list[tuple[str, int]]) -> str:
        count = self.random.randrange(1, 4)
        kinds = [self.random.choice(["int", "int", "unsigned", "const int", "long"]) for _ in range(count)]
        kinds[0] = "int &" if self.random.random() < 0.1 else kinds[0]
        names = [f"{'c' if kind == 'const int' else 'a'}{at}" for at, kind in enumerate(kinds)]
        default = self.random.random() < 0.2
        head = ", ".join(f"{kind} {each}" for kind, each in zip(kinds, names, strict=True))
        head += " = 6" if default and "&" not in kinds[-1] else ""
        own = [*names, *self.random.choice([[], ["spare"]])]
        with_sizes = self.random.random() < 0.3
        with_number = self.random.random() < 0.3
        body = self.block([*own, *(["gg"] if with_sizes else []), *(["cB"] if with_number else [])], 2, known, 1)
        if with_sizes:
            head = f"dim3 gg, {head}"
        name_of_call = f"{name}<{self.random.choice([4, 8])}>" if with_number else name
        if with_sizes:
            name_of_call = f"{name_of_call}|"
        if all("&" not in kind for kind in kinds):
            known.append((name_of_call, count))
        before = "template <int cB> " * with_number + "static " * (self.random.random() < 0.6)
        return f"{before}void {name}(float *p, {head}) {{\n{body}}}"

    def block(self, names: list[str], depth: int, known: list[tuple[str, int]], level: int) -> str:
        """Statements; `names`: the variables that may be used."""
        own = list(names)
        lines: list[str] = []
        for _ in range(self.random.randrange(2, 6)):
            lines.append(self.statement(own, depth, known, level))
        lines.append(self.launch(own))
        return "".join("  " * level + line + "\n" for line in lines)

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def statement(self, own: list[str], depth: int, known: list[tuple[str, int]], level: int) -> str:
        what = self.random.randrange(14)
        sizes = [name for name in own if name.startswith("g")]
        if what <= 2:
            return self.declaration(own)
        if what == 3:
            return self.of_sizes(own)
        if what == 4 and sizes:
            return f"{self.random.choice(sizes)}.{self.random.choice('xyz')} = {self.size(own)};"
        if what <= 6:
            return self.change(own)
        if what <= 9 and depth:
            return self.nested(what, own, depth, known, level)
        if what == 10:
            return f"if ({self.test(own)}) return{' 1' if 'cargc' in own else ''};"
        return self.other(what, own, known)

    def other(self, what: int, own: list[str], known: list[tuple[str, int]]) -> str:
        if what <= 12 and known:
            name, count = self.random.choice(known)
            sizes = [each for each in own if each.startswith("g")]
            first = f"{self.random.choice([*sizes, f'dim3({self.size(own)})', self.size(own)])}, " if name.endswith("|") else ""
            return f"{name.removesuffix('|')}(p, {first}{', '.join(self.number(own) for _ in range(count))});"
        return self.odd_change(own) if what == 13 else self.launch(own)

    def declaration(self, own: list[str]) -> str:
        name, kind = self.fresh(), self.random.choice(["int", "int", "unsigned", "const int", "auto", "size_t"])
        name = "c" + name if kind == "const int" else name
        line = f"{kind} {name} = {self.number(own)};"
        own.append(name)
        return line

    def of_sizes(self, own: list[str]) -> str:
        name = "g" + self.fresh()
        line = self.random.choice([
            f"dim3 {name}({self.size(own)}, {self.size(own)});", f"dim3 {name}; {name}.x = {self.size(own)};",
            f"dim3 {name} = dim3({self.size(own)});"])
        own.append(name)
        return line

    def changed(self, own: list[str]) -> str:
        return self.random.choice([name for name in own if not name.startswith(("g", "i", "c"))] or ["spare"])

    def change(self, own: list[str]) -> str:
        name = self.changed(own)
        through = f"{{ int &r = {name}; r = {self.number(own)}; }}" if name in ("x", "y", "spare") else f"({name})++;"
        return self.random.choice([
            f"{name} = {self.number(own)};", f"{name} += {self.random.randrange(4)};", f"{name}++;", through,
            self.again(name, own),
            f"if ({self.test(own)}) {name} = {self.number(own)};",
            f"if ({self.test(own)}) {name} = {self.number(own)}; else {name} = {self.number(own)};"])

    def again(self, name: str, own: list[str]) -> str:
        """A change that rests on what the variable was."""
        atom, test = self.atom(own), self.test(own)
        return self.random.choice([
            f"{name} *= 2;", f"{name} /= 2;", f"{name} -= {atom} % 3;", f"{name} = ({test}) ? {name} : {self.number(own)};",
            f"{name} = ({test}) ? 16 : 8; {name} = ({test}) ? {name} : 4;", f"if ({test}) {name} += {self.number(own)};",
            f"while ({name} > {atom} && {name} > 0) {name} /= 2;",
            f"{name} = 1; while ({name} < {atom} && {name} < 20) {name} *= 2;",
            f"{name} = 16; for (int t = 0; t < ({atom}) % 4; t++) {name} /= 2;",
            f"{{ int b = 0; sscanf(\"12\", \"%d\", &b); {name} = b * 2 + {atom}; }}",
            f"for (int t = 0; t < 3; t++) {{ int b = t + {atom}; if (t == ({self.atom(own)}) % 3) {name} = b; }}"])

    def odd_change(self, own: list[str]) -> str:
        name = self.changed(own)
        made = f"f{self.fresh()}"
        cases = f"case 1: {name} = 2; break; case 5: {name} = 7; default: ;"
        return self.random.choice([
            f"auto {made} = [&]() {{ {name} = {self.number(own)}; }};",
            f"auto {made} = [&]() {{ {name} = {self.number(own)}; }}; {made}();",
            f"switch ({self.atom(own)}) {{ {cases} }}", f"static int s{made} = 0; s{made} += 2; {name} = s{made};",
            f"if ({self.test(own)}) exit(0);", f"for (int each : {{3, {self.atom(own)}}}) {name} = each;",
            f"do {{ {name} = {self.number(own)}; }} while (0);",
            f"{name} = ({self.test(own)}) ? {self.number(own)} : {self.number(own)};"])

    def nested(self, what: int, own: list[str], depth: int, known: list[tuple[str, int]], level: int) -> str:
        end = "  " * level
        if what == 7:
            one = f"if ({self.test(own)}) {{\n{self.block(own, depth - 1, known, level + 1)}{end}}}"
            other = f" else {{\n{self.block(own, depth - 1, known, level + 1)}{end}}}"
            return one + other * (self.random.random() < 0.4)
        if what == 8:
            name = "i" + self.fresh()
            most = self.random.choice(["4", "9", self.atom(own)])
            head = self.random.choice([f"int {name} = 1; {name} < {most} && {name} < 9; {name} *= 2",
                                       f"int {name} = 0; {name} < 3; {name}++", f"int {name} = 8; {name} > 1; {name} /= 2"])
            return f"for ({head}) {{\n{self.block([*own, name], depth - 1, known, level + 1)}{end}}}"
        name = self.fresh()
        body = self.block([*own, name], depth - 1, known, level + 1)
        end += f"{name}--; if ({name} > 4) break; }}"
        return f"int {name} = {self.random.randrange(2, 5)}; while ({name} > 0) {{\n{body}{end}"

    def atom(self, own: list[str]) -> str:
        name = self.random.choice(own)
        if name.startswith("g"):
            return f"{name}.{self.random.choice('xy')}"
        return name if self.random.random() < 0.7 else self.random.choice(["2", "7", "16", "WIDTH", "SMALL", "LARGE"])

    def number(self, own: list[str]) -> str:
        a, b = self.atom(own), self.atom(own)
        return self.random.choice([a, a, f"{a} + {b}", f"{a} % 7 + 1", f"up({a}, 4)", f"({self.test(own)}) ? {a} : {b}",
                                   f"(int)({a}) / 2 + 1", str(self.random.randrange(1, 30)), f"std::min<int>({a}, 9)"])

    def size(self, own: list[str]) -> str:
        a = self.atom(own)
        return self.random.choice([f"({a} + 3) / 4", f"up({a}, WIDTH)", str(self.random.randrange(1, 9)), a, f"{a} + 1",
                                   f"ceil({a} / 4.0)", "WIDTH",
                                   f"ceil((float){a} / std::max<int>({self.atom(own)}, 1))",
                                   f"(int)(1.0 * {a} / std::max<int>({self.atom(own)}, 1)) + 1",
                                    f"std::max<int>({a}, 1)"])

    def test(self, own: list[str]) -> str:
        a, b = self.atom(own), self.atom(own)
        than = b if self.random.random() < 0.3 else self.random.randrange(9)
        one = f"{a} {self.random.choice(['<', '>', '==', '<=', '!='])} {than}"
        other = f"{b} > {self.random.randrange(6)}"
        return self.random.choice([one, one, f"{one} && {other}", f"{one} || {other}", f"!({one})"])

    def launch(self, own: list[str]) -> str:
        sizes = [name for name in own if name.startswith("g")]
        grid = self.random.choice(sizes) if sizes and self.random.random() < 0.6 else self.size(own)
        block = self.random.choice(sizes) if sizes and self.random.random() < 0.3 else self.random.choice(["32", self.size(own)])
        if self.random.random() < 0.2:
            return f"o<<<{grid}, {block}>>>(p, {self.argument(own)}, {self.argument(own)}, {self.argument(own)});"
        return f"k<<<{grid}, {block}>>>(p, {self.argument(own)}, {self.argument(own)});"

    def argument(self, own: list[str]) -> str:
        return self.atom(own) if self.random.random() < 0.7 else self.number(own)
