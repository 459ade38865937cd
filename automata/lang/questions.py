"""What the conditions of one text ask, and the answers.

Each name that is asked about is noted twice: for the reader of the answer (`given.Asks`), and of host code as a doubt where
others may define it (`foreign.Doubts`). An operand that decides alone (`condition.decisive`) is all that is asked.
"""

from __future__ import annotations

from collections.abc import Callable

from automata.lang.condition import ConditionError, decisive, evaluate
from automata.lang.foreign import UNSURE, Doubts, certain_truth, is_one_operand
from automata.lang.given import Asks
from automata.lang.macros import Expander, Macro, Token, is_spelled

_QUESTIONS = frozenset({"defined", "__has_include", "__has_include_next"})
HasHeader = Callable[[str, bool, bool], bool]
"""Whether a header is found: its name, whether it stands in quotes, whether behind the folder of the text that asks."""


class Questions:
    """`macros`: those defined so far; `doubts`: of host code."""

    def __init__(self, macros: dict[str, Macro], expander: Expander, asks: Asks, doubts: Doubts | None) -> None:
        self.macros, self.expander, self.asks, self.doubts = macros, expander, asks, doubts

    def holds(self, name: str, args: list[Token], has_header: HasHeader) -> bool:
        """Whether the condition of `#if`, `#ifdef` or `#ifndef` is met. ConditionError where it has no value."""
        if name != "if":
            if not args or not is_spelled(args[0].text):
                raise ConditionError("a name is missing")
            self._ask(args[:1])
            self.asks.ask([args[0].text])
            return self._is_defined(args[0].text) == (name == "ifdef")
        if all(is_one_operand(token.text, self.macros) for token in args):
            args = args[decisive([token.text for token in args], self._truth)]
        self._ask(args)
        tokens, used = self.expander.expand_alone(self._answered(args, has_header))
        self._ask([token for token in tokens if token.text != UNSURE])
        self.asks.ask((*used, *(token.text for token in tokens if is_spelled(token.text))), by_value=True)
        if self.doubts is not None and any(token.text == UNSURE for token in tokens):
            self.doubts.ask(used)
        return evaluate([token.text for token in self._answered(tokens, has_header) if token.text != UNSURE])

    def _truth(self, tokens: list[str]) -> bool | None:
        """Whether an operand of a condition is certainly true, or certainly false."""
        unsure, decided = (self.doubts.unsure, self.doubts.decided) if self.doubts is not None else (set(), frozenset())
        return certain_truth(tokens, self.macros, unsure, decided)

    def _ask(self, tokens: list[Token]) -> None:
        """Note what a condition asks about."""
        if self.doubts is not None:
            self.doubts.ask(token.text for token in tokens if token.text not in _QUESTIONS)

    def _is_defined(self, name: str) -> bool:
        return name in self.macros or (name in _QUESTIONS and name != "defined")

    def _answered(self, args: list[Token], has_header: HasHeader) -> list[Token]:
        """`defined` and `__has_include` replaced by 1 or 0."""
        kept: list[Token] = []
        at = 0
        while at < len(args):
            question = args[at]
            at += 1
            if question.text not in _QUESTIONS:
                kept.append(question)
                continue
            end = at + 1
            if at < len(args) and args[at].text == "(":
                at += 1
                end = next((index for index in range(at, len(args)) if args[index].text == ")"), at)
            operand = args[at:end]
            at = end + (args[at - 1].text == "(")
            if not operand:
                raise ConditionError(f"{question.text} asks about nothing")
            kept.append(Token(str(int(self._answer(question.text, operand, has_header))), question.space, question.at))
        return kept

    def _answer(self, question: str, operand: list[Token], has_header: HasHeader) -> bool:
        if question == "defined":
            self.asks.ask([operand[0].text])
            return self._is_defined(operand[0].text)
        name = "".join(token.text for token in operand)
        yes = has_header(name[1:-1], name[0] == '"', question == "__has_include_next")
        self.asks.ask([] if yes else [f"{question}({name})"])
        if self.doubts is not None and not yes:
            self.doubts.is_lost = True
        return yes
