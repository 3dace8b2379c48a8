"""The body of a validator: one pass over a type's checks in order, once for create and once for update.

Generated functions take a value (`obj`), on update the old one (`old`, `None` when there is none), and the request
(`op`). They return the errors below that value with paths relative to it. Paths are spelled out only where an error
is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from validation_gen.emit.text import WIDTH, Code, literal
from validation_gen.ir import (
    ByKeys,
    ByValue,
    CallType,
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    IfOption,
    InItem,
    InMember,
    ItemPresence,
    ListOf,
    Match,
    Membership,
    MembershipKind,
    Modes,
    PointerTo,
    Scalar,
    Selector,
    Shape,
    StructRef,
    Test,
    TypePlan,
    When,
    cohorts,
    value_shape,
)

Path = tuple[str, ...]  # literal text, or a variable in braces

_NEGATED = {"unset": "{value}", "unset_pointer": "{value} is not None"}


class Names(Protocol):
    """What a function body asks of the module around it."""

    def rule(self, check: Check, shape: Shape) -> str:
        """The constant of a check's rule."""

    def shape(self, shape: Shape) -> str:
        """An expression for a shape."""

    def items(self, match: Match, elem: Shape) -> str:
        """The constant for the identity of list items."""

    def selector(self, selector: Selector) -> str:
        """The constant for an item selector."""

    def membership(self, union: Membership, shape: Shape) -> str:
        """The constant that tells which members of a union are set."""

    def operand(self, check: str, value: object) -> str:
        """An operand of a check, as a literal or a constant."""

    def function(self, mode: str, type: str) -> str:
        """The validator of a type."""

    def struct_names(self, shape: Shape) -> str:
        """The constant with the JSON names of a struct."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value in generated code: its variable, that of its old value (`None` if there is none), its path and shape."""

    value: str
    old: str
    path: Path
    shape: Shape
    inlined: str = ""  # the type name of the inlined struct in which the path begins

    def below(self, element: str, value: str, old: str, shape: Shape) -> Place:
        return Place(value, old, (*self.path, element), shape, self.inlined)


def path_expression(path: Path) -> str:
    """A string literal, or an f-string when the path has variables."""
    if any(p.startswith("{") for p in path):
        text = "".join(p if p.startswith("{") else p.replace("{", "{{").replace("}", "}}") for p in path)
        quoted = literal(text)
        return f"f{quoted}"
    return literal("".join(path))


def occurs(check: Check, update: bool) -> bool:
    """Whether a check can report anything in an operation."""
    operation = check.operation
    while not isinstance(operation, Test | Membership | Modes | CallType):
        if isinstance(operation, IfOption):
            return True  # an undefined option is an error even where the rule itself has nothing to say
        operation = operation.inner.operation
    return update or not isinstance(operation, Test) or operation.when is When.ALWAYS


@dataclass(frozen=True, slots=True)
class Sink:
    """What happens when a check fails: its errors go to the list `errors`, the variable `flag` becomes true."""

    errors: str = "errs"
    flag: str = ""


_REPORT = Sink()
_STOP = Sink(flag="stop")
_SILENT_STOP = Sink(errors="", flag="stop")


@dataclass(slots=True)
class FunctionEmitter:
    """Writes the function of one type for one operation."""

    names: Names
    update: bool
    code: Code = field(default_factory=Code)
    _loops: int = 0

    def function(self, plan: TypePlan) -> list[str]:
        mode = "update" if self.update else "create"
        old = "old: Any, " if self.update else ""
        code = self.code
        code.call(f"def {mode}_{plan.name}", [f"obj: Any, {old}op: Operation"], " -> list[FieldError]:")
        with code.block():
            code.add("errs: list[FieldError] = []")
            place = Place("obj", "old" if self.update else "None", (), plan.shape)
            self._checks(plan.checks, place, lambda: self._inside(plan, place), leave="return errs")
            code.add("return errs")
        return code.lines

    def _inside(self, plan: TypePlan, place: Place) -> None:
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self._check(iteration, place, _REPORT)
        if not plan.opaque:
            for member in plan.fields:
                self._field(member)

    # --- fields -----------------------------------------------------------------------------------------------------

    def _field(self, member: FieldPlan) -> None:
        checks = [c for c in member.checks if occurs(c, self.update)]
        if not (checks or member.type or member.keys or member.values):
            return
        code = self.code
        code.add()
        code.add(f"# {member.json or member.go_name}")
        element = f".{member.path}" if member.path else ""
        place = Place("v", "was" if self.update else "None", (element,), member.shape, member.inlined)
        self._fetch("v", self._source(member, "obj"), "")
        if self.update:
            self._fetch("was", self._source(member, "old"), "old")
            with code.block(f"if old is None or {self._differs(place)}:"):
                self._value(member, checks, place)
        else:
            self._value(member, checks, place)

    def _value(self, member: FieldPlan, checks: list[Check], place: Place) -> None:
        def rest() -> None:
            if member.type:
                self._call(member.type, place)
            for iteration in (member.keys, member.values):
                if iteration is not None:
                    self._check(iteration, place, _REPORT)

        self._checks(checks, place, rest)

    def _source(self, member: FieldPlan, obj: str) -> str:
        """An expression for a field's value in its object."""
        if member.json:
            return f"{obj}.get({literal(member.json)}){_or_zero(member.shape)}"
        if not member.inlined or not isinstance(value_shape(member.shape), StructRef):
            return _zero(member.shape)
        view = f"without({obj}, {literal(member.hidden)})" if member.hidden else obj
        if isinstance(member.shape, PointerTo):
            return f"inlined({view}, {self.names.struct_names(member.shape)})"
        return view

    def _fetch(self, variable: str, source: str, guard: str) -> None:
        """`variable = source`, or `None` when there is no guarding object."""
        if not guard or source in ("old", "None"):
            self.code.add(f"{variable} = {source}")
            return
        line = f"{variable} = None if {guard} is None else {source}"
        if self.code.depth * 4 + len(line) <= WIDTH:
            self.code.add(line)
            return
        self.code.add(f"{variable} = None")
        with self.code.block(f"if {guard} is not None:"):
            self.code.add(f"{variable} = {source}")

    def _differs(self, place: Place) -> str:
        if isinstance(value_shape(place.shape), Scalar):
            return f"{place.value} != {place.old}"
        return f"not {self._same(place)}"

    def _same(self, place: Place) -> str:
        return f"{self.names.shape(place.shape)}.same({place.value}, {place.old})"

    # --- lists of checks --------------------------------------------------------------------------------------------

    def _checks(self, checks: list[Check], place: Place, rest: Callable[[], None], leave: str = "") -> None:
        """All checks of a value by cohorts, then the rest. A stop in the default cohort skips the rest, or leaves."""
        groups = list(cohorts([c for c in checks if occurs(c, self.update)]))
        default = groups.pop(0) if groups and not groups[0][0].cohort else []

        def after() -> None:
            for group in groups:
                self._cohort(group, place, lambda: None)
            rest()

        self._cohort(default, place, after, leave)

    def _cohort(self, checks: list[Check], place: Place, after: Callable[[], None], leave: str = "") -> None:
        stopping = [c for c in checks if c.short_circuit]

        def others() -> None:
            for check in checks:
                if not check.short_circuit and not check.silent:
                    self._check(check, place, _REPORT)
            after()

        if not stopping:
            others()
        elif len(stopping) == 1 and not leave:
            self._stop_or(stopping[0], place, others)
        else:
            self._stop_after(stopping, place, others, leave)

    def _stop_or(self, check: Check, place: Place, others: Callable[[], None]) -> None:
        """One stopping check, everything else in its other branch."""
        test = check.operation
        if isinstance(test, Test) and test.name in _NEGATED:
            self._comment(check)
            with self.code.block(f"if {_NEGATED[test.name].format(value=place.value)}:"):
                self._nonempty(others)
        elif isinstance(test, Test):
            self._check(check, place, _REPORT)
            self._otherwise(others)
        else:
            self._stop_after([check], place, others, "")

    def _stop_after(self, stopping: list[Check], place: Place, others: Callable[[], None], leave: str) -> None:
        """Several stopping checks: all of them run before the stop is decided."""
        self.code.add("stop = False")
        for check in stopping:
            self._check(check, place, _SILENT_STOP if check.silent else _STOP)
        if leave:
            with self.code.block("if stop:"):
                self.code.add(leave)
            others()
        else:
            self._otherwise(others, "if not stop:")

    def _otherwise(self, body: Callable[[], None], opening: str = "else:") -> None:
        """The body as a block of its own, and nothing at all when it is empty."""
        start = len(self.code.lines)
        with self.code.block(opening):
            body()
        if all(not line.strip() or line.strip().startswith("#") for line in self.code.lines[start + 1 :]):
            del self.code.lines[start:]

    def _nonempty(self, body: Callable[[], None]) -> None:
        """A block must not be empty."""
        count = len(self.code.lines)
        body()
        if not any(line.strip() and not line.strip().startswith("#") for line in self.code.lines[count:]):
            self.code.add("pass")

    # --- one check --------------------------------------------------------------------------------------------------

    def _comment(self, check: Check) -> None:
        if check.tag.text:
            self.code.add(f"# {check.tag.span.file.rpartition('/')[2]}:{check.tag.span.line} {check.tag.text}")

    def _check(self, check: Check, place: Place, sink: Sink) -> None:
        """One check of a value."""
        self._comment(check)
        self._operation(check, check, place, sink)

    def _operation(self, check: Check, outer: Check, place: Place, sink: Sink) -> None:
        operation = check.operation
        match operation:
            case Test():
                if operation.when is When.UPDATE and not self.update:
                    self.code.add("pass")
                    return
                self._found(f"check.{operation.name}", self._args(operation, place), outer, place, sink)
            case Membership():
                self._membership(operation, outer, place, sink)
            case Modes():
                self._modes(operation, outer, place, sink)
            case EachValue(container=ListOf()):
                self._each_item(operation, outer, place, sink)
            case EachValue():
                self._each_map_value(operation, outer, place, sink)
            case EachKey():
                self._each_key(operation, outer, place, sink)
            case InMember():
                self._in_member(operation, outer, place, sink)
            case InItem():
                self._in_item(operation, outer, place, sink)
            case IfOption():
                self._if_option(operation, outer, place, sink)
            case CallType():
                self._call(operation.type, place)

    def _args(self, test: Test, place: Place) -> list[str]:
        args = [place.value]
        if test.old:
            args.append(place.old)
        for operand in test.operands:
            if isinstance(operand, ByKeys | ByValue):
                assert test.shape is not None
                args.append(self.names.items(operand, test.shape))
                return args
            if isinstance(operand, ItemPresence):
                args.append(self.names.selector(operand.selector))
            else:
                args.append(self.names.operand(test.name, operand))
        if test.shape is not None:
            args.append(self.names.shape(test.shape))
        return [*args, "op"] if test.request else args

    def _found(self, function: str, args: list[str], check: Check, place: Place, sink: Sink) -> None:
        """A call of a check, and what follows from its errors."""
        self.code.call(f"if found := {function}" if sink.errors else f"if {function}", args, ":")
        with self.code.block():
            self._report("found", check, place, sink)

    def _report(self, errors: str, check: Check, place: Place, sink: Sink) -> None:
        if sink.errors:
            rule = self.names.rule(check, place.shape)
            path = path_expression(place.path)
            if place.inlined:
                report = f"{rule}.report({errors}, {path})"
                self.code.call(f"{sink.errors} += under", [_inlined(place), report])
            else:
                self.code.call(f"{sink.errors} += {rule}.report", [errors, path])
        if sink.flag:
            self.code.add(f"{sink.flag} = True")

    def _call(self, type: str, place: Place) -> None:
        """All checks of a type; a null pointer to a struct has nothing to check."""
        mode = "update" if self.update else "create"
        args = [place.value, *([place.old] if self.update else []), "op"]
        call = f"{self.names.function(mode, type)}({', '.join(args)})"
        path = path_expression(place.path)
        nilable = isinstance(place.shape, PointerTo) and isinstance(place.shape.elem, StructRef)
        if nilable:
            self.code.add(f"if {place.value} is not None:")
            self.code.depth += 1
        if path != '""':
            call = f"under({path}, {call})"
        if place.inlined:
            call = f"under({_inlined(place)}, {call})"
        head, _, rest = call.partition("(")
        if head == "under":
            first, _, second = rest[:-1].partition(", ")
            self.code.call("errs += under", [first, second])
        else:
            self.code.add(f"errs += {call}")
        if nilable:
            self.code.depth -= 1

    # --- checks around others ---------------------------------------------------------------------------------------

    def _variables(self) -> tuple[str, str, str]:
        """Fresh names for an index or key, a part and its old value."""
        self._loops += 1
        n = "" if self._loops == 1 else str(self._loops)
        return f"i{n}", f"item{n}", f"old_item{n}" if self.update else "None"

    def _each_item(self, each: EachValue, outer: Check, place: Place, sink: Sink) -> None:
        index, item, old = self._variables()
        code = self.code
        correlated = self.update and each.match is not None
        if correlated:
            assert each.match is not None
            items = self.names.items(each.match, each.elem)
            code.add(f"find{index[1:]} = {items}.finder({place.old})")
        with code.block(f"for {index}, {item} in enumerate({place.value} or ()):"):
            part = place.below(f"[{{{index}}}]", item, old, each.elem)
            part = replace(part, path=(*place.path, "[", f"{{{index}}}", "]"))
            self._normalise(item, each.elem)
            if correlated:
                code.add(f"{old} = find{index[1:]}({item})")
                same = "" if isinstance(each.match, ByValue) else f" and {self._same(part)}"
                with code.block(f"if {old} is not None{same}:"):
                    code.add("continue")
            elif self.update:
                code.add(f"{old} = None")
            self._operation(each.inner, _marked(outer, each.inner), part, sink)
        self._loops -= 1

    def _normalise(self, item: str, elem: Shape) -> None:
        """Null items: skipped as nil pointers, the zero value of everything else."""
        if isinstance(elem, PointerTo):
            with self.code.block(f"if {item} is None:"):
                self.code.add("continue")
        elif isinstance(elem, Scalar | StructRef):
            with self.code.block(f"if {item} is None:"):
                self.code.add(f"{item} = {_zero(elem)}")

    def _each_map_value(self, each: EachValue, outer: Check, place: Place, sink: Sink) -> None:
        index, item, old = self._variables()
        key = f"key{index[1:]}"
        code = self.code
        if self.update:
            code.add(f"known{index[1:]} = {place.old} or {{}}")
        with code.block(f"for {key}, {item} in ({place.value} or {{}}).items():"):
            part = replace(place.below("", item, old, each.elem), path=(*place.path, "[", f"{{{key}}}", "]"))
            if isinstance(each.elem, Scalar | StructRef):
                with code.block(f"if {item} is None:"):
                    code.add(f"{item} = {_zero(each.elem)}")
            if self.update:
                code.add(f"{old} = None")
                with code.block(f"if {key} in known{index[1:]}:"):
                    code.add(f"{old} = known{index[1:]}[{key}]{_or_zero(each.elem)}")
                    with code.block(f"if {self._same(part)}:"):
                        code.add("continue")
            if isinstance(each.elem, PointerTo):
                with code.block(f"if {item} is None:"):
                    code.add("continue")
            self._operation(each.inner, _marked(outer, each.inner), part, sink)
        self._loops -= 1

    def _each_key(self, each: EachKey, outer: Check, place: Place, sink: Sink) -> None:
        index, _, _ = self._variables()
        key = f"key{index[1:]}"
        with self.code.block(f"for {key} in {place.value} or ():"):
            if self.update:
                with self.code.block(f"if {key} in ({place.old} or ()):"):
                    self.code.add("continue")
            if each.key != Scalar("string", named=isinstance(each.key, Scalar) and each.key.named):
                self.code.add(f"{key} = int({key})")
            self._operation(
                each.inner, _marked(outer, each.inner), replace(place, value=key, old="None", shape=each.key), sink
            )
        self._loops -= 1

    def _in_member(self, inside: InMember, outer: Check, place: Place, sink: Sink) -> None:
        _, item, old = self._variables()
        part = place.below(f".{inside.json}", item, old, inside.shape)
        source = f".get({literal(inside.json)}){_or_zero(inside.shape)}"
        self._fetch(item, f"{place.value}{source}", place.value if isinstance(place.shape, PointerTo) else "")
        conditions = [f"{place.value} is not None"] if isinstance(place.shape, PointerTo) else []
        if self.update:
            self._fetch(old, f"{place.old}{source}", place.old)
            conditions.append(f"{place.old} is None or {self._differs(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._loops -= 1

    def _in_item(self, inside: InItem, outer: Check, place: Place, sink: Sink) -> None:
        index, item, old = self._variables()
        selector = self.names.selector(inside.selector)
        pointers = f"pointers={isinstance(inside.elem, PointerTo)}"
        part = replace(place.below("", item, old, inside.elem), path=(*place.path, "[", f"{{{index}}}", "]"))
        self.code.add(f"{index}, {item} = {selector}.find({place.value}, {pointers})")
        conditions = [f"{item} is not None"]
        if self.update:
            self.code.add(f"_, {old} = {selector}.find({place.old}, {pointers})")
            conditions.append(f"{old} is None or not {self._same(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._loops -= 1

    def _if_option(self, conditional: IfOption, outer: Check, place: Place, sink: Sink) -> None:
        code = self.code
        if conditional.lenient:
            with code.block(f"if {'' if conditional.enabled else 'not '}op.option({literal(conditional.option)}):"):
                self._operation(conditional.inner, _marked(outer, conditional.inner), place, sink)
            return
        code.add(f"option = op.option({literal(conditional.option)})")
        with code.block("if option is None:"):
            self._report(f"check.undefined_option({literal(conditional.option)})", outer, place, sink)
        with code.block("elif option:" if conditional.enabled else "elif not option:"):
            self._operation(conditional.inner, _marked(outer, conditional.inner), place, sink)

    def _guarded(self, conditions: list[str], inner: Check, outer: Check, part: Place, sink: Sink) -> None:
        """The inner check behind all conditions."""
        for condition in conditions:
            self.code.add(f"if {condition}:")
            self.code.depth += 1
        self._operation(inner, _marked(outer, inner), part, sink)
        self.code.depth -= len(conditions)

    def _membership(self, rule: Membership, outer: Check, place: Place, sink: Sink) -> None:
        code = self.code
        membership = self.names.membership(rule, place.shape)
        code.add(f"is_set = {membership}({place.value})")
        args = ["is_set"]
        if self.update:
            self._fetch("was_set", f"{membership}({place.old})", place.old)
            args.append("was_set")
        function = rule.kind.value
        if rule.kind is MembershipKind.DISCRIMINATED:
            source = f'.get({literal(rule.discriminator)}) or ""'
            code.add(f"selected = {place.value}{source}")
            if self.update:
                self._fetch("was_selected", f"{place.old}{source}", place.old)
                args.append("was_selected")
            members = tuple((p.name, p.discriminator_value) for p in rule.participants)
            names = [f"({literal(rule.discriminator)}, selected)", self.names.operand(function, members)]
        else:
            names = [self.names.operand(function, tuple(p.name for p in rule.participants))]
        self._found(f"check.{function}", [*names, *args], outer, place, sink)

    def _modes(self, modes: Modes, outer: Check, place: Place, sink: Sink) -> None:
        """The checks of the mode that the discriminator names, on the member that depends on it."""
        code = self.code
        _, item, old = self._variables()
        part = place.below(f".{modes.path}" if modes.path else "", item, old, modes.shape)
        source = f".get({literal(modes.json)}){_or_zero(modes.shape)}"
        selector = f".get({literal(modes.discriminator)}) or {literal(modes.zero)}"
        code.add(f"{item} = {place.value}{source}")
        code.add(f"mode = {place.value}{selector}")
        if self.update:
            self._fetch(old, f"{place.old}{source}", place.old)
            self._fetch("was_mode", f"{place.old}{selector}", place.old)
            code.add(f"if {place.old} is None or mode != was_mode or {self._differs(part)}:")
            code.depth += 1
        for i, (mode, checks) in enumerate(modes.rules):
            with code.block(f"{'el' if i else ''}if mode == {literal(mode)}:"):
                self._in_mode(checks, outer, part, sink)
        with code.block("else:"):
            forbidden = replace(outer, level=modes.level)
            self._found(f"check.{modes.otherwise}", [part.value], forbidden, part, sink)
        if self.update:
            code.depth -= 1
        self._loops -= 1

    def _in_mode(self, checks: tuple[Check, ...], outer: Check, part: Place, sink: Sink) -> None:
        """Checks in order; those behind the last stopping one are skipped when any of these has failed."""
        code = self.code
        active = [c for c in checks if occurs(c, self.update)]
        stops = [i for i, c in enumerate(active) if c.short_circuit]
        start = len(code.lines)
        if stops:
            code.add("stop_mode = False")
        for i, check in enumerate(active):
            if stops and i == stops[-1] + 1:
                code.add("if not stop_mode:")
                code.depth += 1
            # The outer check stands for the whole group, so each error is marked by the tag that gave it.
            own = replace(check, short_circuit=outer.short_circuit, level=check.level or outer.level)
            errors = "" if check.silent else sink.errors
            self._comment(check)
            if errors or check.short_circuit:
                flag = "stop_mode" if check.short_circuit else sink.flag
                self._operation(check, own, part, Sink(errors, flag))
        if stops and stops[-1] + 1 < len(active):
            code.depth -= 1
        if len(code.lines) == start:
            code.add("pass")


def _marked(outer: Check, inner: Check) -> Check:
    """The outer check as its errors are marked: an outer level overrides an inner one."""
    return outer if outer.level or not inner.level else replace(outer, level=inner.level)


def _inlined(place: Place) -> str:
    return f"Inlined({literal(place.inlined)})"


def _zero(shape: Shape) -> str:
    if isinstance(shape, Scalar):
        return literal(shape.zero)
    return "{}" if isinstance(shape, StructRef) else "None"


def _or_zero(shape: Shape) -> str:
    return f" or {_zero(shape)}" if isinstance(shape, Scalar | StructRef) else ""
