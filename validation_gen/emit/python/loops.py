"""Loops in generated code: over the items of lists, and the values and keys of maps."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from validation_gen.emit.python import quickconditions
from validation_gen.emit.python.calls import CallEmitter, set_level
from validation_gen.emit.python.value_ref import FailureTarget, ValueRef, as_go, is_deep, is_packed, zero
from validation_gen.ir import (
    ByValue,
    CallType,
    Check,
    EachKey,
    EachValue,
    ListOf,
    MapOf,
    PointerTo,
    Predicate,
    Scalar,
    StructRef,
)


@dataclass(slots=True)
class LoopEmitter(CallEmitter):
    """Writes loops around checks."""

    @abstractmethod
    def operation(self, check: Check, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        """Writes one check of a value; its errors get the marks of the surrounding check."""

    def iterate(self, iteration: Check, ref: ValueRef) -> None:
        """Writes the checks of all keys or values of a container, including those of types."""
        self.comment(iteration)
        operation = iteration.operation
        assert isinstance(operation, EachValue | EachKey)
        if isinstance(operation, EachKey):
            self.each_key(operation, iteration, ref, FailureTarget())
        elif isinstance(operation.container, ListOf):
            self.each_item(operation, iteration, ref, FailureTarget(), types=True)
        else:
            self.each_map_value(operation, iteration, ref, FailureTarget(), types=True)

    def each_item(
        self, each: EachValue, outer: Check, ref: ValueRef, sink: FailureTarget, *, types: bool = False
    ) -> None:
        index, item, old = self.variables()
        code = self.code
        correlated = self.update and each.match is not None
        if correlated:
            assert each.match is not None
            items = self.names.items(each.match, each.elem)
            code.call(f"find{index[1:]} = {items}.finder", [ref.old])
        items = f"{ref.value}{'' if ref.sure else ' or ()'}"
        if types:  # this is a list of Python's own, of which an iterator tells the position when there is an error
            iterator = f"it{index[1:]}"
            code.add(f"{iterator} = iter({items})")
            head, position = f"for {item} in {iterator}:", f"position({ref.value}, {iterator})"
        else:
            head, position = f"for {index}, {item} in enumerate({items}):", index
        with code.block(head):
            part = ref.below("", item, old, each.elem)
            part = replace(part, path=(*ref.path, "[", f"{{{position}}}", "]"))
            if types and self._foreseen(each, outer, part, sink):
                self._depth -= 1
                return
            self._normalise(part, types)
            if correlated:
                code.add(f"{old} = find{index[1:]}({item})")
                unchanged = [f"{old} is not None"]
                if not isinstance(each.match, ByValue):
                    unchanged.append(self.same(part, each.inner))
                self._skip_if(unchanged)
                if is_packed(each.elem):
                    code.add(f"{old} = unpacked({old})")
            elif self.update:
                code.add(f"{old} = None")
            self._inside(each, outer, part, sink, types)
        self._depth -= 1

    def _foreseen(self, each: EachValue, outer: Check, part: ValueRef, sink: FailureTarget) -> bool:
        """Writes the checks of a scalar in a new object behind a condition that is true for invalid values.

        Returns False, and writes nothing, if there is no such condition.
        """
        inner = each.inner.operation
        if self.update or isinstance(each.elem, PointerTo) or self.suspected or self.names.trace is not None:
            return False
        if isinstance(inner, CallType):
            condition = quickconditions.of_scalar(each.elem, (), inner.type, part.value, self.names)
        elif isinstance(inner, Predicate):
            condition = quickconditions.of_scalar(each.elem, (each.inner,), "", part.value, self.names)
        else:
            return False
        if not condition or not self.fits(f"if {condition}:"):
            return False
        with self.code.block(f"if {condition}:"):
            self.code.call(f"{part.value} = {self.names.shape(each.elem)}.decoded", [part.value])
            self.suspected = True
            self.operation(each.inner, set_level(outer, each.inner), part, sink)
            self.suspected = False
        return True

    def _skip_if(self, conditions: list[str]) -> None:
        """Goes on with the next item where all conditions hold."""
        together = f"if {' and '.join(conditions)}:"
        opened = [together] if self.fits(together) else [f"if {condition}:" for condition in conditions]
        for line in opened:
            self.code.condition(line[len("if ") : -1])
            self.code.depth += 1
        self.code.add("continue")
        self.code.depth -= len(opened)

    def _inside(self, each: EachValue, outer: Check, part: ValueRef, sink: FailureTarget, types: bool) -> None:
        self.operation(each.inner, set_level(outer, each.inner), part, sink)
        if types and is_deep(each.elem) and not isinstance(each.inner.operation, CallType):
            self.walk.below(each.elem, part.value, self._depth + 1)

    def _normalise(self, part: ValueRef, types: bool) -> None:
        """Converts an item as Go does. Null pointers are skipped, and other nulls become the zero value."""
        item, elem = part.value, part.shape
        if types:
            self.walk.guard(elem, item, present=True)
        if is_packed(elem):
            self.code.add(f"{item} = unpacked({item})")
        if isinstance(elem, PointerTo):
            with self.code.block(f"if {item} is None:"):
                self.code.add("continue")
        elif isinstance(elem, Scalar | StructRef) and not types:
            with self.code.block(f"if {item} is None:"):
                self.code.add(f"{item} = {zero(elem)}")

    def each_map_value(
        self, each: EachValue, outer: Check, ref: ValueRef, sink: FailureTarget, *, types: bool = False
    ) -> None:
        index, item, old = self.variables()
        key = f"key{index[1:]}"
        code = self.code
        assert isinstance(each.container, MapOf)
        if self.update:
            code.add(f"known{index[1:]} = {ref.old} or {{}}")
        source = ref.value if ref.sure else f"({ref.value} or {{}})"
        with code.block(f"for {key}, {item} in {source}.items():"):
            part = ref.below("", item, old, each.elem, f"{key} in known{index[1:]}")
            part = replace(part, path=(*ref.path, "[", f"{{{key}}}", "]"))
            if types:
                self.walk.key(each.container, key)
                if self._foreseen(each, outer, part, sink):
                    self._depth -= 1
                    return
            if not isinstance(each.elem, PointerTo):
                self._normalise(part, types)
            elif types:
                self.walk.guard(each.elem, item)
            if self.update:
                code.add(f"{old} = None")
                with code.block(f"if {key} in known{index[1:]}:"):
                    code.add(f"{old} = {as_go(f'known{index[1:]}[{key}]', each.elem)}")
                    code.condition(self.same(part, each.inner))
                    with code.block():
                        code.add("continue")
            if isinstance(each.elem, PointerTo):
                with code.block(f"if {item} is None:"):
                    code.add("continue")
            self._inside(each, outer, part, sink, types)
        self._depth -= 1

    def each_key(self, each: EachKey, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        index, _, _ = self.variables()
        key = f"key{index[1:]}"
        with self.code.block(f"for {key} in {ref.value} or ():"):
            if self.update:
                with self.code.block(f"if {key} in ({ref.old} or ()):"):
                    self.code.add("continue")
            if each.key != Scalar("string", named=isinstance(each.key, Scalar) and each.key.named):
                self.code.add(f"{key} = int({key})")
            self.operation(
                each.inner,
                set_level(outer, each.inner),
                replace(ref, value=key, old="None", shape=each.key, known=""),
                sink,
            )
        self._depth -= 1
