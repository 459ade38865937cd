"""One question about one kernel at one launch: its symbols, their ranges, what is required of them.

Input: a Core kernel and a launch. Output: a `Context` that every proof of that kernel shares. Sizes
that the launch fixes become constants; the rest stay symbols within the launch limits of the platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from automata.budget import UNLIMITED, Budget
from automata.lang import core, traverse
from automata.lang.brackets import fewest
from automata.lang.contents import is_on_contents, read_contents
from automata.lang.core import AXES, Expr, Kernel, Quantity
from automata.lang.launch import Launch, read_requirement, read_size
from automata.lang.show import show_expr
from automata.lang.spaces import WARP
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder, Mode, View
from automata.logic.atoms import Ties
from automata.logic.bits import powers_of_two
from automata.logic.ladder import CANDIDATE, Limits, Query, decide
from automata.logic.poly import Formula, Poly
from automata.logic.smt import Answer, Unknown, Unsat, until
from automata.logic.terms import Owner, Symbol, Term
from automata.passes import passing
from automata.place import TIME_IS_UP, InputError, UndecidedError
from automata.proof.known.contents import Facts
from automata.proof.known.launch_limits import MAX_BLOCK, MAX_GRID, MAX_THREADS, beyond_limits, check_limit
from automata.proof.known.launching import below_the_sign, computed, evaluate, pinned_by, sizes_as_text, sizes_required
from automata.scalar import I64, U32, U64, Scalar
from automata.thread.segments import Epoch

FIRST, SECOND = "1", "2"
SAME_BLOCK = "b"
ONE = View(FIRST, SAME_BLOCK)
"""Of whatever thread: that of proofs about one alone."""

PART, HURRIED_PART = 0.05, 0.3
"""Of the work that is left, what one query may take on one rung: so a hard one leaves enough to all others. In a first look,
which has little, a query that is cut short is asked again later, at the price of asking it twice."""
TIERS: tuple[tuple[int, int, int | None], ...] = ((4, 4, 1), (40, 40, 1), (1100, 1100, 0), (40, 40, None), (1100, 1100, None))
"""Of sizes and of parameters at most, and of parameters at least."""


@dataclass
class Context:
    """A kernel at a launch.

    `values`: a term for each parameter and coordinate. `required`: terms assumed true. `symbols`: the
    free launch symbols (sizes and integer parameters). `limits`: time limits of a query. `source`: the kernel before
    anything was decided of it. `is_single`: one thread is looked at, only because nobody has stated a launch. `facts`: what is
    required of the contents of arrays, if anything. `ties`, `flat`: what queries of any of its encoders have made (`Atoms`).
    """

    kernel: Kernel
    launch: Launch
    values: dict[str, Term]
    ranges: dict[Symbol, tuple[Term, Term]]
    required: list[Term]
    assumptions: list[str]
    modes: dict[Term, Mode] = field(default_factory=dict)
    fitting: dict[Term, Term] = field(default_factory=dict)
    assumed: dict[Term, list[Term]] = field(default_factory=dict)
    converted: set[Term] = field(default_factory=set)
    limits: Limits = field(default_factory=Limits)
    statements: list[str] = field(default_factory=list)
    prefix: str = ""
    budget: Budget = UNLIMITED
    is_single: bool = False
    facts: Facts | None = None
    source: Kernel = field(init=False)
    ties: Ties = field(default_factory=dict)
    flat: dict[Formula, Formula] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.source = self.kernel

    def encoder(self, *, commutative: bool = False) -> Encoder:
        """A fresh encoder with what is decided about wrap-around so far."""
        return Encoder(ranges=self.ranges, powers=powers_of_two(self.required, self.ranges), modes=dict(self.modes),
                       fitting=dict(self.fitting), assumed=self.assumed, converted=frozenset(self.converted), flat=self.flat,
                       commutative=commutative, saturates=self.kernel.dialect == "cuda", further=self.facts, ties=self.ties)

    def proving_encoder(self) -> Encoder:
        """A fresh encoder for queries that all carry the requirements, which may use what follows from those."""
        encoder = self.encoder()
        encoder.proves = lambda formula: isinstance(self.ask([P.neg(formula)], encoder, model=False), Unsat)
        encoder.bound_products(encoder.truth(term, ANY) for term in self.required)
        return encoder

    def requirements(self, encoder: Encoder) -> list[Formula]:
        return [encoder.truth(term, ANY) for term in self.required]

    def ask(self, formulas: list[Formula], encoder: Encoder, *, model: bool = True, readable: bool = True,
            limits: Limits | None = None, required: list[Formula] | None = None) -> Answer:
        """Decide formulas together with the requirements, or with others in their place; Unknown once the budget has passed.
        `readable`: a model of small sizes is looked for."""
        if self.is_late():
            return Unknown(TIME_IS_UP)
        until(self.budget)
        goal = [*formulas, *(self.requirements(encoder) if required is None else required)]
        tiers = small_tiers(self.symbols(), encoder) if model and readable else []
        haste = self.budget.haste
        part = PART if haste is None else HURRIED_PART
        answer = decide(Query(goal, encoder, tiers), (limits or self.limits).within(self.budget.most(part)), model=model)
        if haste is not None and isinstance(answer, Unknown) and answer.reason != CANDIDATE:
            haste.is_felt = True
        return answer

    @contextmanager
    def sharing(self, part: float) -> Iterator[None]:
        """What is done in here may take a part of the work that is left."""
        kept, self.budget = self.budget, self.budget.share(part)
        try:
            yield
        finally:
            self.budget = kept

    def is_late(self) -> bool:
        """Whether the budget has passed."""
        is_spent = self.budget.is_spent
        if is_spent and self.budget.haste is not None:
            self.budget.haste.is_felt = True
        return is_spent

    def symbols(self) -> list[Term]:
        """The launch's free integer symbols."""
        return [term for term in self.values.values() if term.op == "sym" and term.roles == T.Role.NONE
                and term.type.is_int]

    def range_of(self, symbol: Term) -> tuple[Term, Term]:
        """The low and the high end (inclusive) of a symbol."""
        return self.ranges[T.symbol_of(symbol)]

    def free(self) -> frozenset[str]:
        """The float parameters without a value: data."""
        return frozenset(param.name for param in self.kernel.params
                         if param.type.is_float and T.constant_value(self.values[param.name]) is None)

    def size(self, quantity: Quantity, axis: str) -> Term:
        return self.values[f"{quantity.value}.{axis}"]

    def coordinates(self, quantity: Quantity) -> list[Term]:
        """The coordinates of a thread or block that can differ from 0."""
        terms = [self.values[f"{quantity.value}.{axis}"] for axis in AXES]
        return [term for term in terms if term.op == "sym"]


def distinct(terms: list[Term], encoder: Encoder, left: View, right: View) -> Formula:
    """Some coordinate differs between two views."""
    return P.neg(P.conj(P.eq(encoder.number(term, left), encoder.number(term, right)) for term in terms))


def lane(context: Context) -> tuple[Term, Term]:
    """The warp of a thread in its block, and its lane: threads are numbered with x running fastest."""
    x, y, z = (context.values[f"{Quantity.THREAD.value}.{axis}"] for axis in AXES)
    wide, high = (context.size(Quantity.BLOCK_DIM, axis) for axis in "xy")
    number = T.binary("+", x, T.binary("*", wide, T.binary("+", y, T.binary("*", high, z))))
    size = T.const(WARP, number.type)
    return T.binary("/", number, size), T.binary("%", number, size)


def threads_of_a_block(context: Context) -> Term:
    """How many threads a block has."""
    wide, high, deep = (context.size(Quantity.BLOCK_DIM, axis) for axis in AXES)
    return T.binary("*", T.binary("*", wide, high), deep)


def same_rounds(encoder: Encoder, one: Epoch, two: Epoch, left: View, right: View) -> Formula:
    """Two epochs that the same barrier began: it did so in the same rounds."""
    return P.conj(P.eq(encoder.index(first, left), encoder.index(second, right))
                  for first, second in zip(one.rounds, two.rounds, strict=True))


def same_warp(context: Context, encoder: Encoder, left: View, right: View) -> Formula:
    """Two threads of one block are lanes of one warp."""
    warp, _ = lane(context)
    return P.eq(encoder.number(warp, left), encoder.number(warp, right))


def small_tiers(symbols: list[Term], encoder: Encoder) -> list[Formula]:
    """Bounds on all sizes and parameters that make a model readable: parameters above zero first, as people's are, below last."""
    tiers = []
    for dims, scalars, least in TIERS if any(not T.size_of(term) for term in symbols) else TIERS[:3]:
        parts = []
        for term in symbols:
            value = encoder.number(term, ANY)
            bound = dims if T.size_of(term) else scalars
            parts += [P.le(value, Poly.number(bound)), P.le(Poly.number(-bound if least is None else least), value)]
        tiers.append(P.conj(parts))
    return tiers if symbols else []


@passing("prepare")
def prepare(kernel: Kernel, launch: Launch, *, prefix: str = "", sizes: frozenset[str] = frozenset()) -> Context:
    """The context of a kernel at a launch; InputError when the launch or a requirement makes no sense.

    `prefix` keeps the sizes of the second kernel of a pair apart; `sizes` are read besides the kernel's own.
    """
    names = {param.name for param in kernel.params}
    arrays = {array.name for array in kernel.arrays}
    for name in launch.args:
        if name not in names:
            known, kind = ", ".join(sorted(names)) or "none", "an array" if name in arrays else "not a scalar parameter"
            raise InputError(f"argument '{name}' is {kind} of kernel '{kernel.name}' (its scalars: {known})")
    context = Context(kernel, launch, {}, {}, [], [], prefix=prefix)
    pinned = pinned_by(kernel, launch)
    pinned = {**pinned, **computed(kernel, launch, pinned)}
    read = sizes_read(kernel) | sizes | sizes_required(kernel, launch)
    _sizes(context, U32 if kernel.dialect == "cuda" else U64, read, pinned)
    _params(context, pinned)
    context.statements += launch.requires
    on_sizes = [text for text in launch.requires if not is_on_contents(text)]
    context.required += [evaluate(read_requirement(text, kernel), context.values) for text in on_sizes]
    context.required += (below := below_the_sign(kernel, launch, context.values)).values()
    context.assumptions += below
    contents = [part for text in launch.requires if is_on_contents(text) for part in read_contents(text, kernel)]
    context.facts = Facts(contents, context.values) if contents else None
    for test in kernel.requires:
        try:
            context.required.append(evaluate(test, context.values))
        except InputError as error:
            raise UndecidedError("a __requires that reads memory", test.place) from error
        context.statements.append(show_expr(test))
    _state_expressions(context)
    return context


def range_facts(context: Context, encoder: Encoder) -> list[Formula]:
    """What the launch limits and types say of every free size and parameter."""
    return [fact for term in context.symbols()
            for fact in encoder.closure(P.eq(encoder.number(term, ANY), Poly.number(0)))]


def flatten(dims: tuple[int | None, ...], index: Iterable[Poly]) -> Poly:
    """Row-major element number of an index; a dimension of unknown extent is the only one."""
    result = Poly({})
    for part, extent in zip(index, dims, strict=True):
        result = result.scale(extent if extent is not None else 0) + part
    return result


def check_satisfiable(context: Context) -> None:
    """InputError when no launch meets the requirements."""
    encoder = context.encoder()
    answer = context.ask(range_facts(context, encoder), encoder, model=False) if context.required else None
    if isinstance(answer, Unsat):
        stated = ", ".join(context.statements) or "the sizes"
        raise InputError(f"no launch meets the requirements: {stated} contradict each other or the launch")
    if context.facts is not None and isinstance(context.ask(context.facts.of_neighbours(encoder), encoder, model=False), Unsat):
        raise InputError(f"no contents of arrays meet the requirements: {', '.join(context.statements)} contradict each other")


def _sizes(context: Context, kind: Scalar, used: set[str], pinned: Mapping[str, int]) -> None:
    """Coordinates and sizes: constants where the launch or a requirement fixes them, else symbols with ranges."""
    unread = []
    for axis, position in zip(AXES, range(3), strict=True):
        for size, stated, limit, coordinate in (
                (Quantity.BLOCK_DIM, context.launch.block, MAX_BLOCK, Quantity.THREAD),
                (Quantity.GRID_DIM, context.launch.grid, MAX_GRID, Quantity.BLOCK)):
            name = f"{size.value}.{axis}"
            given = stated[position] if stated is not None else None
            if not isinstance(given, int) and 0 < pinned.get(name, 0) <= limit[axis]:
                given = pinned[name]
            if isinstance(given, int):
                check_limit(context.kernel, size, axis, given, limit[axis])
                value = T.const(given, kind)
            elif given is None and name not in used:
                value = T.const(1, kind)
                unread.append(name)
            else:
                value = T.symbol(context.prefix + name, kind, Owner.LAUNCH,
                                 "block" if size is Quantity.BLOCK_DIM else "grid", name)
                context.ranges[T.symbol_of(value)] = (T.const(1, kind), T.const(limit[axis], kind))
            context.values[name] = value
            owner = Owner.THREAD if coordinate is Quantity.THREAD else Owner.BLOCK
            _coordinate(context, f"{coordinate.value}.{axis}", value, owner, kind)
    if context.kernel.dialect == "opencl":
        context.assumptions.append(f"the global work offset is {', '.join(map(str, context.launch.offset)) or 0}")
    context.is_single = not context.launch.is_stated and len(unread) == 2 * len(AXES)
    if context.is_single:
        context.assumptions.append("there is one thread alone: no launch is stated, and the kernel reads no thread or block "
                                   "index, so its sizes are taken to be 1 (for more state them, as in --block 256 --grid 4)")
    elif unread:
        widths = {f"{size.value}.x" for size in (Quantity.BLOCK_DIM, Quantity.GRID_DIM)}
        more = " (for more state them: --block, --grid)" if widths & set(unread) else ""
        context.assumptions.append(f"sizes the kernel never reads are 1: {', '.join(unread)}{more}")
    _limits(context)


def _coordinate(context: Context, name: str, size: Term, owner: Owner, kind: Scalar) -> None:
    if size is T.const(1, kind):
        context.values[name] = T.const(0, kind)
        return
    context.values[name] = value = T.symbol(context.prefix + name, kind, owner, own=name)
    last = T.binary("-", size, T.const(1, kind))
    context.ranges[T.symbol_of(value)] = (T.const(0, kind), last)
    context.modes[last] = Mode.PLAIN


def _limits(context: Context) -> None:
    """Threads of a block: at most 1024, as a requirement when two of its sizes are free."""
    sizes = [context.size(Quantity.BLOCK_DIM, axis) for axis in AXES]
    free = [size for size in sizes if size.op == "sym"]
    if free or any(context.size(Quantity.GRID_DIM, axis).op == "sym" for axis in AXES):
        context.assumptions.append("launch limits: blockDim.x*blockDim.y*blockDim.z <= 1024, blockDim.z <= 64, "
                                   "gridDim.x < 2^31, gridDim.y and gridDim.z < 65536")
    if beyond_limits(context.kernel, context.launch):
        return
    product = T.const(1, I64)
    for size in sizes:
        product = T.binary("*", product, T.cast(size, I64))
    bound = T.binary("<=", product, T.const(MAX_THREADS, I64))
    if bound is not T.TRUE and (len(free) > 1 or (free and product.op == "*")):
        context.required.append(bound)


def _params(context: Context, pinned: Mapping[str, int]) -> None:
    for param in context.kernel.params:
        given = context.launch.args.get(param.name)
        if not isinstance(given, int | float) and param.type.is_int and param.name in pinned and param.type.holds(
                pinned[param.name]):
            given = pinned[param.name]
        if isinstance(given, int | float) and (param.type.is_float or isinstance(given, int)):
            if param.type.is_int and not param.type.holds(int(given)):
                raise InputError(f"argument {param.name} = {given} does not fit {param.type}")
            exact = param.type.round(float(given)) if param.type.is_float else given
            context.values[param.name] = T.const(exact, param.type)
            continue
        if isinstance(given, float):
            raise InputError(f"argument {param.name} = {given}: the parameter is of type {param.type}")
        context.values[param.name] = value = T.symbol(param.name, param.type, Owner.LAUNCH)
        if param.type.is_int:
            context.ranges[T.symbol_of(value)] = (T.const(param.type.low, param.type), T.const(param.type.high, param.type))


def _state_expressions(context: Context) -> None:
    """Sizes and arguments given as expressions become requirements: name == expression."""
    stated = sizes_as_text(context.launch)
    stated += [(name, value) for name, value in context.launch.args.items() if isinstance(value, str)]
    for name, text in stated:
        context.required.append(_is_given(context, name, text))
        if text != context.prefix + name:
            context.statements.append(fewest(f"{name} == {text}"))


def _is_given(context: Context, name: str, text: str) -> Term:
    """That a size or argument is the value of an expression."""
    value = evaluate(read_size(text, context.kernel, name), context.values)
    return T.binary("==", T.cast(context.values[name], I64), value)


def unlaunched(contexts: Sequence[Context], encoder: Encoder) -> list[str]:
    """The conditions under which there is a launch at all, as far as the requirements do not say so: each size that is
    given as an expression is 1 at least."""
    sizes = [(context, name, text) for context in contexts for name, text in sizes_as_text(context.launch)]
    given = {_is_given(*size) for size in sizes}
    required = [encoder.truth(term, ANY) for context in contexts for term in context.required if term not in given]
    found: dict[str, None] = {}
    for context, name, text in sizes:
        value = encoder.number(evaluate(read_size(text, context.kernel, name), context.values), ANY)
        query = Query([P.le(value, Poly.number(0)), *required], encoder)
        if not isinstance(decide(query, context.limits, model=False), Unsat):
            found[f"{text} >= 1"] = None
    return list(found)


def sizes_read(kernel: Kernel) -> set[str]:
    """The sizes of blocks and of the grid along every axis that a kernel reads anything of; of blocks along y and z where it
    reads threads, for blocks of one row are launched in grids of many, where a row is a picture or a batch. What a function of
    our own header reads (the rank of a thread in its block, say) is of one of the two alone."""
    found: set[str] = set()
    for expr in expressions(kernel):
        if isinstance(expr, core.Special):
            own = Quantity.BLOCK_DIM if expr.quantity in (Quantity.THREAD, Quantity.BLOCK_DIM) else Quantity.GRID_DIM
            is_row = own is Quantity.GRID_DIM and expr.axis != AXES[0]
            sizes = (own,) if expr.place.model or is_row else (Quantity.BLOCK_DIM, Quantity.GRID_DIM)
            found |= {f"{size.value}.{expr.axis}" for size in sizes}
    return found


def expressions(kernel: Kernel) -> Iterator[Expr]:
    """Every expression of a lowered or unlowered kernel, sub-expressions included."""
    stack: list[Expr] = list(kernel.requires)
    for stmt in traverse.walk(kernel.body):
        stack.extend(traverse.expressions(stmt))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(traverse.children(node))


def known_numbers(context: Context) -> dict[str, int]:
    """Sizes and integer arguments that the launch fixes, by name, for unrolling."""
    found = {}
    for name, term in context.values.items():
        value = T.constant_value(term)
        if value is not None and term.type.is_int:
            found[name] = int(value)
    return found
