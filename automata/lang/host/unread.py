"""Why no launch of a kernel is known.

In: a text of the host's, and a kernel's name. Out: the place in the text that hides its sizes, and how: a launch that is not
understood, a name in its sizes that is not followed, or a text that cannot be read at all. Nothing is decided here: launches are
read by `launches`, and whoever asks knows already that none was found.
"""

from __future__ import annotations

import os

from automata.lang.arrows import may_launch
from automata.lang.foreign import is_known_header
from automata.lang.host.abroad import Reader
from automata.lang.host.declarations import Variable
from automata.lang.host.launch_forms import Form
from automata.lang.host.launches import Finder, finder_of
from automata.lang.host.opencl import OPENCL_NAME
from automata.lang.host.stated import HostLaunch
from automata.lang.host.tokens import is_name
from automata.lang.source import Text

_DEEPEST = 4
_CONDITIONS = "conditions that the compiler or the platform decides leave open what it says"


def why_unread(source: Text, kernel: str, project: str | None = None, read: Reader | None = None) -> str | None:
    """What hides the launches of a kernel in a text, with its place; None where it launches none of that name."""
    if not may_launch(source.text) or kernel not in source.text:
        return None
    if source.is_lost:
        return f"{source.path} is not read: {_CONDITIONS}"
    finder = finder_of(source, project, read)
    if finder is None or finder.is_ambiguous():
        return f"{source.path} is not read: {_CONDITIONS if finder is None else 'what stands in angles may be a comparison'}"
    for form in finder.forms():
        if not {kernel, OPENCL_NAME + kernel}.isdisjoint(finder.text[form.name[0] : form.name[1]]):
            return f"{finder.source.place(finder.tokens.starts[form.at])}: {_Why(finder, form).told()}"
    return None


class _Why:
    """Tells of one launch what hides its sizes."""

    def __init__(self, finder: Finder, form: Form) -> None:
        self.finder, self.form = finder, form
        self.program, self.text = finder.program, finder.text
        self.region = self.program.region_at(form.at)

    def told(self) -> str:
        launches = self.finder.launches(self.form)
        if not launches:
            return self._unnamed()
        launch = launches[0]
        if launch.template_args is None and any(each.has_sizes for each in launches):
            return "which instance is launched here is not known"
        for part, name, sizes in zip(self.form.config, ("grid", "block"), (launch.grid, launch.block), strict=False):
            if sizes[0] is None or (not launch.has_axes and isinstance(sizes[0], str)):
                return f"its {name} hangs on {self._hidden(*part)}"
        names = ", ".join(f"'{name}'" for name in self._leaves(launch)) or "values"
        return f"its sizes hang on {names}, of which nothing is known"

    def _unnamed(self) -> str:
        """Why nobody knows which kernel is launched."""
        name = next((self.text[at] for at in range(*self.form.name) if self.text[at] in self.program.kernels), "")
        if name and not self.program.is_one_kernel(name, self.region, len(self.form.args) or -1):
            return f"several kernels or other things are called '{name}', and which one is launched here is not known"
        if not name:
            return "the kernel that is launched here is not declared in what is read of this text"
        if self.region is not None and name in self.region.barred:
            return f"'{name}' stands in what is not understood{self._first(name)}"
        return "no run of the program comes to this launch, or what is launched is not understood"

    def _leaves(self, launch: HostLaunch) -> list[str]:
        return [name for name, _ in launch.leaves]

    def _hidden(self, begin: int, end: int, depth: int = 0) -> str:
        """What is not known in an expression."""
        for at in range(begin, end):
            name = self.text[at]
            if not is_name(name) or self.text[at - 1] in (".", "->", "::") or self.text[at + 1] == "(":
                continue
            variable = self.program.means.get(at)
            if variable is None and name in self.program.functions:
                continue
            if (said := self._why(name, variable, depth)) is not None:
                return said
        return f"'{' '.join(self.text[begin:end])}', which is not followed"

    def _why(self, name: str, variable: Variable | None, depth: int) -> str | None:
        """What hides the value of a name."""
        region = self.region
        if region is not None and region.is_clouded:
            missing = next((each for each in self.finder.source.missing if not is_known_header(each)), "")
            return f"'{name}', and its function uses names of " + (
                f"{missing}, which is not found: -I with its folder" if missing else "an enumeration, or has its body behind try")
        if (region is not None and name in region.barred) or variable is None:
            return f"'{name}', which stands in what is not understood{self._first(name)}"
        if variable.escapes:
            return f"'{name}', which may be changed by reference{self._first(name, variable)}"
        if variable.is_parameter and region is not None:
            hiding = self.finder.callers.abroad.hiding.get(region.name)
            return f"'{name}', a parameter of '{region.name}', of which not all calls are known" + (
                f": those in {os.path.relpath(hiding)} are not read" if hiding else "")
        if variable.settings:
            return f"'{name}', which is set{self._place(variable.settings[-1][0])} in a way that is not followed"
        init = variable.init[0] if variable.init else None
        if init is None or depth >= _DEEPEST:
            return f"'{name}'{self._place(variable.at)}"
        stop = self.program.tokens.statement_end(variable.at, self.program.tokens.size) - 1
        return None if self._is_number(variable) else self._hidden(variable.at + 1, stop, depth + 1)

    def _is_number(self, variable: Variable) -> bool:
        return bool(variable.init) and all(node.kind == "number" for node in variable.init)

    def _first(self, name: str, variable: Variable | None = None) -> str:
        """The first place in the function that may hide a name."""
        region = self.region
        places = [at for at in self.program.positions.get(name, []) if region is not None and region.begin <= at < region.end
                  and (variable is None or at != variable.at)]
        hidden = [at for at in places if at not in self.program.means and at not in self.program.declares]
        return self._place((hidden or places)[0]) if hidden or places else ""

    def _place(self, at: int) -> str:
        return f" (line {self.finder.source.place(self.finder.tokens.starts[at]).line})"
