"""The rules a finding can break: what each means, why it matters, an example, and the usual fix.

`spmd explain` prints these; documentation is made from the same entries.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the interface's table."""

    name: str
    property: str
    title: str
    why: str
    example: str
    fix: str


RULES: tuple[Rule, ...] = (
    Rule("race", "race-free", "Two threads meet at one cell, at least one writes, and nothing orders them",
         "The result depends on which thread comes first. Barriers order only the threads of one block, and only the "
         "memory they fence; nothing orders threads of different blocks within a launch; warps are not in lock-step.",
         "s[t] = in[t];\nout[t] = s[t + 1];      // thread t+1 may not have written yet",
         "Put a barrier between the write and the read, or let each thread use cells of its own."),
    Rule("unwaited-copy", "race-free", "A thread reaches a cell into which its own asynchronous copy may be under way",
         "A copy (`cp.async`, `__pipeline_memcpy_async`) ends when its thread has waited for the group it was committed with. "
         "Before that the cell holds the old value or the new one; of two copies, or a copy and a write, any may come last.",
         "__pipeline_memcpy_async(&s[t], &in[t], 4);\n__pipeline_commit();\nout[t] = s[t];",
         "Wait for the group first; then a barrier, if other threads read it. Count the commits in between."),
    Rule("same-value-write", "race-free", "Several threads write the same bits to one cell",
         "Harmless on today's hardware and often meant so (`found = 1`), hence benign. `--strict` counts it as a race.",
         "if (in[t] == key) *found = 1;",
         "Let one thread write, or keep it and read the note."),
    Rule("launch-limit", "", "A block of more threads than a CUDA device starts",
         "The launch fails with an error, and no thread runs. A warning: what the kernel would do is answered all the same.",
         "k<<<grid, 2048>>>(a);",
         "Launch blocks of at most 1024 threads, at most 64 of them along z."),
    Rule("barrier-divergence", "barriers", "A barrier that some threads of a block reach and others do not",
         "The block hangs, or the barrier pairs up with another one; after that no ordering holds. An early return "
         "before a barrier is the usual cause.",
         "if (i >= n) return;\n__syncthreads();",
         "Move the barrier out of the condition; guard the work, not the barrier."),
    Rule("endless-loop", "barriers", "A loop that a thread goes round for ever",
         "The kernel never ends, and whoever waits for the thread at a barrier waits in vain. Told where the thread comes to the "
         "loop twice with the same values of all that decides whether it goes on. That loops end is assumed of other loops.",
         "while (i < 4) {\n  if (stop > 4) i += 4;\n}",
         "Let each round bring the loop nearer to its end; state what its parameters have to meet."),
    Rule("uninitialised-read", "order-free", "A value is read before anything was written there",
         "Shared memory and locals start with whatever was left in them. If an output depends on it, the kernel is "
         "not deterministic.",
         "__shared__ float s[256];\nif (i < n) s[t] = in[i];\n__syncthreads();\nout[t] = s[255 - t];",
         "Write the whole tile (a neutral value where there is no data), or read only what was written."),
    Rule("out-of-bounds", "bounds", "An access outside an array of known extent",
         "It reads or destroys something else. Static arrays are always checked, pointers where an extent is given.",
         "__shared__ float s[256];\ns[threadIdx.x + 1] = 0;",
         "Guard the access, or enlarge the array."),
    Rule("index-overflow", "no-wrap", "A signed index leaves the range of its type",
         "`row * pitch` in 32 bits overflows for large images although every operand is small enough; the access goes "
         "elsewhere.",
         "int at = row * pitch + col;   // 65535 * 131072",
         "Compute the index in 64 bits, or state the largest size as a requirement."),
    Rule("lockstep-reliance", "race-free", "The code is right only if the lanes of a warp run in lock-step",
         "Since Volta lanes of a warp may run apart; a missing __syncwarp is then a race. Runs report it as a race.",
         "if (t < 32) s[t] += s[t + 16];", "Use __syncwarp() or shuffles."),
    Rule("atomic-order", "order-free", "The result depends on the order of atomic operations",
         "Float atomics round differently in each order, and a result that is used tells who came first. Proved only for one "
         "launch at a time (amplified runs); runs report it as potential.",
         "atomicAdd(&sum, x[i]);   // float", "Reduce in a fixed order, or use integers."),
    Rule("assertion", "assertions", "An assertion that can fail", "Confirmed where a run fails it; not proved by this version.",
         "assert(i < n);",
         "Add the missing guard or requirement."),
    Rule("undefined-operation", "no-wrap", "An operation that has no value",
         "A division by zero, a shift by the width or more, or a shuffle from a lane that does not take part: devices do "
         "not agree on the result. Runs report it.",
         "out[t] = 10 / (n - t);", "Guard the operation."),
    Rule("contract", "assertions", "A stated contract that does not hold", "Not read by this version.",
         "__ensures(x > 0);", "Strengthen the requirement or mend the code."),
    Rule("null-pointer", "bounds", "An access through a pointer that is null",
         "What a pointer parameter points to is taken to exist; other pointers may be null.",
         "out[i] = 0;   // out == NULL", "Guard the access."),
    Rule("const-write", "bounds", "A write to memory that is declared const",
         "The host alone writes constant memory. Where the language forbids the assignment itself the kernel is invalid.",
         "__constant__ float c[4]; c[t] = 1;", "Write to another array."),
    Rule("misaligned", "bounds", "A wide access at an address that is not a multiple of its width",
         "The device faults or reads something else. Where an array begins is assumed, or stated: --require \"aligned(p, 16)\".",
         "*(float4 *)(p + 1)", "Align the pointer."),
)


PROPERTY_OF = {rule.name: rule.property for rule in RULES}

VERDICTS: tuple[Rule, ...] = (
    Rule("unknown", "", "Neither proved nor refuted",
         "The reason says what is in the way: data that decide an address or a barrier, an arithmetic that the solver gave up, a "
         "time limit. It is not a defect, and not a proof.",
         "out[index[i]] = x[i];   // do two threads share a cell? that hangs on the data",
         "State what arrays hold (`--require \"distinct(index)\"`), state a launch, give it more time (`--timeout`), or more "
         "work where a limit was reached (`--limit`). Of a pair, ask about one output (`--output`), or make the change in "
         "steps and compare each with the one before: then one step alone is open, and a reader looks at that."),
    Rule("unsupported", "", "A construct that is not read yet", "It is refused by name and place and never skipped.",
         "asm(\"…\");", "Check the kernel without it, or put a function with the same effect in its place."),
    Rule("invalid", "", "The input cannot be read or contradicts itself",
         "A compiler would refuse it too, or the requirements leave no launch.",
         "#include \"not_there.h\"", "Mend what the message names: a missing header (`-I`), a macro (`-D`), a requirement."),
    Rule("fault", "", "spmd itself failed", "It says nothing about the kernel.", "", "Report it, with the file."),
    Rule("different", "", "Two kernels leave different values in a cell",
         "Both were run on the inputs that are shown. `--save-replay` writes programs that show it again.",
         "out[i] = a[i] * 2;      // before\nout[i] = a[i] * 2.001;  // after",
         "Look at the two lines that wrote the cell, and at the inputs that tell them apart."),
    Rule("nondeterministic", "", "One of two kernels is not deterministic",
         "What it computes hangs on the order of threads, so there is nothing to compare.",
         "out[0] = in[i];   // every thread", "Mend what `spmd check` finds in it first."),
    Rule("idle-allow", "", "An allowance in the source that allows nothing",
         "An allowance needs a reason, the name of a rule, and a finding on its line (or, above a kernel, in that kernel). One "
         "that is left over would hide the next finding there.",
         "// spmd: allow[race] each thread writes the same flag", "Give the reason, mend the name, or remove the comment."),
)
"""Verdicts as rules, for whoever lists them beside findings, and what is told of comments."""


SETTLED: tuple[Rule, ...] = (
    Rule("proved", "", "Whatever the data and the order of threads, the kernel does the same",
         "No two threads touch a cell unordered, all meet at barriers, no assertion fails, no index wraps. It holds within the "
         "scope that is printed, under the assumptions below it.", "y[i] = 2 * x[i];   // every thread has its own i",
         "Nothing to do. Read the assumptions: they are what your launch has to keep."),
    Rule("refuted", "", "A defect was found, and seen in a run",
         "The kernel was run at the sizes shown, and the two accesses met. The finding names both lines, both threads, the cell.",
         "s[t] += s[t + d];   // thread t + d may be writing s[t + d]",
         "See `spmd explain` with the name of the finding, say race."),
    Rule("equal", "", "Both kernels leave the same output, whatever the data",
         "Bit for bit (bitwise), or as real numbers (real): then results may differ in rounding alone. Within the scope printed.",
         "x * 2   // and x + x", "Nothing to do."),
)
"""Verdicts that leave nothing to act on, or whose findings do: `spmd explain` knows them too."""


def find_rule(name: str) -> Rule | None:
    """The rule of that name, also of a verdict; in any letters, and with blanks for hyphens."""
    wanted = "-".join(name.lower().split())
    return next((rule for rule in (*RULES, *VERDICTS, *SETTLED) if rule.name == wanted), None)


def rule_text(rule: Rule) -> str:
    """A rule as text."""
    example = "\n".join(f"    {line}" for line in rule.example.split("\n"))
    effect = f"refutes {rule.property}" if rule.property else "a verdict" if rule in (*VERDICTS, *SETTLED) else "a warning"
    return f"{rule.name}  ({effect})\n\n{rule.title}.\n\n{rule.why}\n\n{example}\n\nFix: {rule.fix}\n"
