"""One check in generated code, with all the checks around and inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from validation_gen.emit import suspicions
from validation_gen.emit.changes import descends
from validation_gen.emit.guards import TypeWalk, is_deep
from validation_gen.emit.place import Names, Place, Sink, as_go, is_packed, path_expression, zero
from validation_gen.emit.text import WIDTH, Code, literal
from validation_gen.ir import (
    ByKeys,
    ByValue,
    CallType,
    Check,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    ItemPresence,
    ListOf,
    MapOf,
    Membership,
    MembershipKind,
    Modes,
    PointerTo,
    Scalar,
    StructRef,
    Test,
    When,
    value_shape,
)


def occurs(check: Check, update: bool) -> bool:
    """Whether a check can report anything in an operation."""
    operation = check.operation
    while not isinstance(operation, Test | Membership | Modes | CallType):
        if isinstance(operation, IfOption):
            return True  # an undefined option is an error even where the rule itself has nothing to say
        operation = operation.inner.operation
    return update or not isinstance(operation, Test) or operation.when is When.ALWAYS


@dataclass(slots=True)
class CheckEmitter:
    """Writes checks for one operation. Names of loop variables are numbered by depth."""

    names: Names
    update: bool
    code: Code = field(default_factory=Code)
    #: Whether the value is suspected already, so that no more conditions are worth their lines.
    suspected: bool = False
    #: A check of all items or values of the field, which looks at their types, too.
    looks_at_types: Check | None = None
    _depth: int = 0

    @property
    def walk(self) -> TypeWalk:
        return TypeWalk(self.names, self.code)

    def comment(self, check: Check) -> None:
        if check.tag.text:
            self.code.comment(f"{check.tag.span.file.rpartition('/')[2]}:{check.tag.span.line} {check.tag.text}")

    def check(self, check: Check, place: Place, sink: Sink) -> None:
        """One check of a value."""
        self.comment(check)
        self._operation(check, check, place, sink)

    def _operation(self, check: Check, outer: Check, place: Place, sink: Sink) -> None:
        operation = check.operation
        match operation:
            case Test():
                if operation.when is When.UPDATE and not self.update:
                    self.code.add("pass")
                    return
                conditions = [] if self.suspected else suspicions.of_test(check, place, self.names)
                self._found(f"check.{operation.name}", self._args(operation, place), outer, place, sink, conditions)
            case Membership():
                self._membership(operation, outer, place, sink)
            case Modes():
                self._modes(operation, outer, place, sink)
            case EachValue(container=ListOf()):
                self._each_item(operation, outer, place, sink, types=outer is self.looks_at_types)
            case EachValue():
                self._each_map_value(operation, outer, place, sink, types=outer is self.looks_at_types)
            case EachKey():
                self._each_key(operation, outer, place, sink)
            case InMember():
                self._in_member(operation, outer, place, sink)
            case InItem():
                self._in_item(operation, outer, place, sink)
            case IfOption():
                self._if_option(operation, outer, place, sink)
            case CallType():
                self.call(operation.type, place)

    def _args(self, test: Test, place: Place) -> list[str]:
        args = [place.value]
        if test.old:
            args.append(place.old)
        if test.known:
            args.append(place.has_old)
        for operand in test.operands:
            if isinstance(operand, ByKeys | ByValue):
                args.append(self.names.items_of(test))
                return args
            if isinstance(operand, ItemPresence):
                args.append(self.names.selector(operand.selector))
            else:
                args.append(self.names.operand(test.name, operand))
        if test.shape is not None:
            args.append(self.names.shape(test.shape))
        return [*args, "op"] if test.request else args

    def _found(
        self, function: str, args: list[str], check: Check, place: Place, sink: Sink, conditions: Sequence[str] = ()
    ) -> None:
        """A call of a check behind conditions, and what follows from its errors."""
        code, depth = self.code, self.code.depth
        call = f"found := {function}" if sink.errors else function
        whole = f"{call}({', '.join(args)})"
        quick = f"if {' and '.join(map(_bracketed, [*conditions, whole]))}:"
        if conditions and self._fits(quick):
            code.add(quick)
        else:
            if not check.short_circuit and all(self._fits(f"if {condition}:") for condition in conditions):
                for condition in conditions:
                    code.add(f"if {condition}:")
                    code.depth += 1
            code.call(f"if {call}", args, ":")
        with code.block():
            self._report("found", check, place, sink)
        code.depth = depth

    def _fits(self, line: str) -> bool:
        return self.code.depth * 4 + len(line) <= WIDTH

    def _report(self, errors: str, check: Check, place: Place, sink: Sink) -> None:
        if sink.errors:
            rule = self.names.rule(check, place.shape)
            path = path_expression(place.path)
            if place.inlined:
                report = f"{rule}.report(None, {errors}, {path})"
                self.code.call(f"{sink.errors} = under", [sink.errors, _inlined(place), report])
            else:
                self.code.call(f"{sink.errors} = {rule}.report", [sink.errors, errors, path])
        if sink.flag:
            self.code.add(f"{sink.flag} = True")

    def call(self, type: str, place: Place, *, known: bool = False) -> None:
        """All checks of a type. Null pointers to structs are left out, unless the type has checks for them.

        `known` says that the value is not null.
        """
        mode = "update" if self.update else "create"
        function = self.names.function(mode, type)
        args = [place.value, *([place.old] if self.update else []), "op"]
        nilable = (
            not known
            and isinstance(place.shape, PointerTo)
            and isinstance(place.shape.elem, StructRef)
            and not self.names.plan(type).gets_null
        )
        condition = f"{place.value} is not None" if nilable else ""
        quick = f"if {condition} and (found := {function}({', '.join(args)})):"
        depth = self.code.depth
        if condition and self._fits(quick):
            self.code.add(quick)
        else:
            if nilable:
                self.code.add(f"if {condition}:")
                self.code.depth += 1
            self.code.call(f"if found := {function}", args, ":")
        with self.code.block():
            path = path_expression(place.path)
            if place.inlined:
                inner = "found" if path == '""' else f"under(None, {path}, found)"
                self.code.call("errs = under", ["errs", _inlined(place), inner])
            elif path == '""':
                self.code.add("errs = found if errs is None else errs + found")
            else:
                self.code.call("errs = under", ["errs", path, "found"])
        self.code.depth = depth

    # --- checks around others ---------------------------------------------------------------------------------------

    def _variables(self) -> tuple[str, str, str]:
        """Fresh names for an index or key, a part and its old value."""
        self._depth += 1
        n = "" if self._depth == 1 else str(self._depth)
        return f"i{n}", f"item{n}", f"old_item{n}" if self.update else "None"

    def iterate(self, iteration: Check, place: Place) -> None:
        """The checks of all keys or values of a container, which look at types, too."""
        self.comment(iteration)
        operation = iteration.operation
        assert isinstance(operation, EachValue | EachKey)
        if isinstance(operation, EachKey):
            self._each_key(operation, iteration, place, Sink())
        elif isinstance(operation.container, ListOf):
            self._each_item(operation, iteration, place, Sink(), types=True)
        else:
            self._each_map_value(operation, iteration, place, Sink(), types=True)

    def _each_item(self, each: EachValue, outer: Check, place: Place, sink: Sink, *, types: bool = False) -> None:
        index, item, old = self._variables()
        code = self.code
        correlated = self.update and each.match is not None
        if correlated:
            assert each.match is not None
            items = self.names.items(each.match, each.elem)
            code.add(f"find{index[1:]} = {items}.finder({place.old})")
        iterator = f"it{index[1:]}"
        code.add(f"{iterator} = iter({place.value}{'' if place.sure else ' or ()'})")
        with code.block(f"for {item} in {iterator}:"):
            part = place.below("", item, old, each.elem)
            position = f"{{position({place.value}, {iterator})}}"
            part = replace(part, path=(*place.path, "[", position, "]"))
            if types and not correlated and self._alias_item(each, outer, part):
                self._depth -= 1
                return
            self._normalise(part, types)
            if correlated:
                code.add(f"{old} = find{index[1:]}({item})")
                same = "" if isinstance(each.match, ByValue) else f" and {self.same(part, each.inner)}"
                with code.block(f"if {old} is not None{same}:"):
                    code.add("continue")
                if is_packed(each.elem):
                    code.add(f"{old} = unpacked({old})")
            elif self.update:
                code.add(f"{old} = None")
            self._inside(each, outer, part, sink, types)
        self._depth -= 1

    def _alias_item(self, each: EachValue, outer: Check, part: Place) -> bool:
        """An item of a type of single values whose checks can be foreseen. Returns whether it is one."""
        call = each.inner.operation
        if self.update or not isinstance(call, CallType) or isinstance(each.elem, PointerTo):
            return False
        condition = suspicions.of_scalar(each.elem, (), call.type, part.value, self.names)
        if not condition or not self._fits(f"if {condition}:"):
            return False
        with self.code.block(f"if {condition}:"):
            self.code.add(f"{part.value} = {self.names.shape(each.elem)}.decoded({part.value})")
            self._operation(each.inner, _marked(outer, each.inner), part, Sink())
        return True

    def _inside(self, each: EachValue, outer: Check, part: Place, sink: Sink, types: bool) -> None:
        self._operation(each.inner, _marked(outer, each.inner), part, sink)
        if types and is_deep(each.elem) and not isinstance(each.inner.operation, CallType):
            self.walk.below(each.elem, part.value, self._depth + 1)

    def _normalise(self, part: Place, types: bool) -> None:
        """What Go would have for an item. Null is skipped as a nil pointer, and the zero value of everything else."""
        item, elem = part.value, part.shape
        if types:
            self.walk.guard(elem, item)
        if is_packed(elem):
            self.code.add(f"{item} = unpacked({item})")
        if isinstance(elem, PointerTo):
            with self.code.block(f"if {item} is None:"):
                self.code.add("continue")
        elif isinstance(elem, Scalar | StructRef) and not types:
            with self.code.block(f"if {item} is None:"):
                self.code.add(f"{item} = {zero(elem)}")

    def _each_map_value(self, each: EachValue, outer: Check, place: Place, sink: Sink, *, types: bool = False) -> None:
        index, item, old = self._variables()
        key = f"key{index[1:]}"
        code = self.code
        assert isinstance(each.container, MapOf)
        if self.update:
            code.add(f"known{index[1:]} = {place.old} or {{}}")
        source = place.value if place.sure else f"({place.value} or {{}})"
        with code.block(f"for {key}, {item} in {source}.items():"):
            part = place.below("", item, old, each.elem, f"{key} in known{index[1:]}")
            part = replace(part, path=(*place.path, "[", f"{{{key}}}", "]"))
            if types:
                self.walk.key(each.container, key)
            if not isinstance(each.elem, PointerTo):
                self._normalise(part, types)
            elif types:
                self.walk.guard(each.elem, item)
            if self.update:
                code.add(f"{old} = None")
                with code.block(f"if {key} in known{index[1:]}:"):
                    code.add(f"{old} = {as_go(f'known{index[1:]}[{key}]', each.elem)}")
                    with code.block(f"if {self.same(part, each.inner)}:"):
                        code.add("continue")
            if isinstance(each.elem, PointerTo):
                with code.block(f"if {item} is None:"):
                    code.add("continue")
            self._inside(each, outer, part, sink, types)
        self._depth -= 1

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
                each.inner,
                _marked(outer, each.inner),
                replace(place, value=key, old="None", shape=each.key, known=""),
                sink,
            )
        self._depth -= 1

    def _in_member(self, inside: InMember, outer: Check, place: Place, sink: Sink) -> None:
        _, item, old = self._variables()
        part = place.below(f".{inside.json}", item, old, inside.shape, f"{place.old} is not None")
        member = f".get({literal(inside.json)})"
        source = as_go(f"{place.value}{member}", inside.shape)
        self.fetch(item, source, place.value if isinstance(place.shape, PointerTo) else "")
        conditions = [f"{place.value} is not None"] if isinstance(place.shape, PointerTo) else []
        if self.update:
            self.fetch(old, as_go(f"{place.old}{member}", inside.shape), place.old)
            conditions.append(f"{place.old} is None or {self.differs(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

    def _in_item(self, inside: InItem, outer: Check, place: Place, sink: Sink) -> None:
        index, item, old = self._variables()
        selector = self.names.selector(inside.selector)
        pointers = f"pointers={isinstance(inside.elem, PointerTo)}"
        part = replace(place.below("", item, old, inside.elem), path=(*place.path, "[", f"{{{index}}}", "]"))
        self.code.add(f"{index}, {item} = {selector}.find({place.value}, {pointers})")
        conditions = [f"{item} is not None"]
        if self.update:
            self.code.add(f"_, {old} = {selector}.find({place.old}, {pointers})")
            conditions.append(f"{old} is None or not {self.same(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

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
            self.fetch("was_set", f"{membership}({place.old})", place.old)
            args.append("was_set")
        function = rule.kind.value
        if rule.kind is MembershipKind.DISCRIMINATED:
            source = f'.get({literal(rule.discriminator)}) or ""'
            self.fetch("selected", f"{place.value}{source}", place.value if isinstance(place.shape, PointerTo) else "")
            if self.update:
                self.fetch("was_selected", f"{place.old}{source}", place.old)
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
        path = f".{modes.path}" if modes.path else ""
        part = place.below(path, item, old, modes.shape, f"{place.old} is not None")
        member = f".get({literal(modes.json)})"
        selector = f".get({literal(modes.discriminator)}) or {literal(modes.zero)}"
        code.add(f"{item} = {as_go(f'{place.value}{member}', modes.shape)}")
        code.add(f"mode = {place.value}{selector}")
        if self.update:
            self.fetch(old, as_go(f"{place.old}{member}", modes.shape), place.old)
            self.fetch("was_mode", f"{place.old}{selector}", place.old)
            code.add(f"if {place.old} is None or mode != was_mode or {self.differs(part)}:")
            code.depth += 1
        for i, (mode, checks) in enumerate(modes.rules):
            with code.block(f"{'el' if i else ''}if mode == {literal(mode)}:"):
                self._in_mode(checks, outer, part, sink)
        with code.block("else:"):
            forbidden = replace(outer, level=outer.level or modes.level)
            self._found(f"check.{modes.otherwise}", [part.value], forbidden, part, sink)
        if self.update:
            code.depth -= 1
        self._depth -= 1

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
            own = replace(check, short_circuit=outer.short_circuit, level=outer.level or check.level)
            errors = "" if check.silent else sink.errors
            self.comment(check)
            if errors or check.short_circuit:
                flag = "stop_mode" if check.short_circuit else sink.flag
                self._operation(check, own, part, Sink(errors, flag))
        if stops and stops[-1] + 1 < len(active):
            code.depth -= 1
        if len(code.lines) == start:
            code.add("pass")

    # --- values -----------------------------------------------------------------------------------------------------

    def fetch(self, variable: str, source: str, guard: str) -> None:
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

    def differs(self, place: Place) -> str:
        if isinstance(value_shape(place.shape), Scalar):
            return f"{place.value} != {place.old}"
        return f"not {self.same(place)}"

    def same(self, place: Place, inner: Check | None = None) -> str:
        """The condition that a value has not changed.

        Where all that follows is a call of a type that compares its own fields, the quick question is enough.
        """
        call = inner.operation if inner is not None else None
        question = "unchanged" if isinstance(call, CallType) and descends(call.type, self.names) else "same"
        return f"{self.names.shape(place.shape)}.{question}({place.value}, {place.old})"


def _bracketed(text: str) -> str:
    """A condition in parentheses, where it needs them beside others."""
    return f"({text})" if ":=" in text or " or " in text else text


def _marked(outer: Check, inner: Check) -> Check:
    """The outer check as its errors are marked: an outer level overrides an inner one."""
    return outer if outer.level or not inner.level else replace(outer, level=inner.level)


def _inlined(place: Place) -> str:
    return f"Inlined({literal(place.inlined)})"
