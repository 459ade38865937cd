"""Numbers that a loop of the host passes one after the other: `for (int k = 0; k < n; k++) launch<<<…>>>(x, k);`.

Input: a launch as one call of its function reaches it, and a variable that is a leaf there. Output: whether the program makes
the launch with each number of the variable that meets the facts of the launch, where it makes it at all. So a counterexample at
one of these numbers is one of the program. A whitelist:

- a `for` declares the variable, begins with a number, tests it against a number, or one that the command line gives, and raises
  it by one; nothing else sets it;
- nothing in the loop may leave it or a round of it, and the launch stands under no other condition and in no other loop there.
"""

from __future__ import annotations

from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Structure, Test
from automata.lang.host.inputs import ENDING_ROUNDS, Inputs
from automata.lang.host.looking import FAILURES, Looking, first_token
from automata.lang.host.numbers import Number
from automata.lang.host.symbolic import Symbolic
from automata.lang.host.syntax import Node

_COMPARED = frozenset({"<", "<="})


def passes_each(looking: Looking, variable: Variable, given: frozenset[str]) -> bool:
    """Whether the launch is made with each number of a variable. `given`: the texts of leaves that may be any number."""
    frame, flow = looking.launching, looking.program.flow
    if frame is None or frame.region is None or looking.home(variable.at) is not frame or frame.region.ordered_to <= frame.goal:
        return False
    loop = flow.counting(variable, frame.goal)
    test, step = loop.head if loop is not None else (None, None)
    if loop is None or test is None or step is None or not variable.numeric or variable.escapes:
        return False
    return (_is_first(variable) and _is_one_more(looking, step, variable) and _is_below(looking, test, variable, given)
            and _is_in_each(looking, loop, frame.goal))


def _is_first(variable: Variable) -> bool:
    """Whether it begins with a number that is written down."""
    init = variable.init[0] if len(variable.init) == 1 and variable.form == "=" else None
    return init is not None and init.kind == "number" and init.text.isdigit()


def _names(looking: Looking, node: Node, variable: Variable) -> bool:
    return node.kind == "name" and looking.program.means.get(node.at) is variable


def _is_one_more(looking: Looking, step: Node, variable: Variable) -> bool:
    if step.kind in ("unary", "postfix") and step.text == "++":
        return _names(looking, step.parts[0], variable)
    return (step.kind == "assign" and step.text == "+=" and _names(looking, step.parts[0], variable)
            and step.parts[1].kind == "number" and step.parts[1].text == "1")


def _is_below(looking: Looking, test: Node, variable: Variable, given: frozenset[str]) -> bool:
    """Whether a test is a fact of the launch, and compares with what does not hang on anything that is open."""
    if test.kind != "binary" or test.text not in _COMPARED or not _names(looking, test.parts[0], variable):
        return False
    choices, looking.choices = looking.choices, None
    begin = first_token(test)
    try:
        bound = looking._behind(begin, begin, lambda: looking.value(test.parts[1]))
        is_fact = bool(looking.relation(Test(test, True)))
    except FAILURES:
        return False
    finally:
        looking.choices = choices
    return is_fact and (isinstance(bound, Number) or (isinstance(bound, Symbolic) and bound.text in given))


def _is_in_each(looking: Looking, loop: Structure, goal: int) -> bool:
    """Whether each round of a loop comes to the launch."""
    text, inputs = looking.program.tokens.text, Inputs(looking)
    if any(text[at] in ENDING_ROUNDS or inputs.may_leave(at) for at in range(loop.step[1], loop.end)):
        return False
    for each in looking.program.flow.around(goal):
        if each is loop:
            return True
        if each.kind != "block" and not (each.kind == "branch" and each.test is loop.head[0]):
            return False
    return False
