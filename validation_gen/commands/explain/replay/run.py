"""Runs the validators on an object, and records the result of each check."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from validation_gen.commands.explain.replay.record import Record, Replay, Skip, SkipReason, Status
from validation_gen.commands.explain.replay.records import UNKNOWN, Recorder, Value
from validation_gen.commands.explain.replay.trace import TracedOperation
from validation_gen.compiler.pipeline import load_validators
from validation_gen.emit.python import Trace
from validation_gen.ir import Program, StructRef
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, filter_enforced
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.rule import NO_RULE
from validation_gen.runtime.validator import as_json


class TracedValidators:
    """The validators of a program as traced code, which is imported from memory."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.trace = Trace()
        self.registry: Registry = load_validators(program, self.trace)

    def replay(
        self,
        kind: Kind,
        obj: Any,
        old: Any = None,
        *,
        update: bool | None = None,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        level: str = DEFAULT_LEVEL,
        untrusted: Collection[str] = (),
    ) -> Replay:
        """Replays all checks of an object of a kind, or of an update. Never raises on any object.

        `level` is the level from which on rules are enforced, `untrusted` has the modules whose functions were not run.
        `update` marks an update without an old object.
        """
        operation = TracedOperation(self.trace, options, update=old is not None if update is None else update)
        off = Level(level).hidden | set(untrusted)
        errors = self.registry.run(kind, obj, old, subresource=subresource, level=Level.ALPHA, operation=operation)
        enforced = filter_enforced(errors, off)
        result = Replay([_of_error(error) for error in enforced if error.rule is NO_RULE], enforced)
        try:
            self._record(kind, obj, old, subresource, operation, errors, off, result)
        except RecursionError:
            told = [_of_error(error, "the object is nested too deeply for more") for error in enforced]
            return Replay(told, enforced)
        return result

    def _record(
        self,
        kind: Kind,
        obj: Any,
        old: Any,
        subresource: str,
        operation: TracedOperation,
        errors: list[FieldError],
        off: AbstractSet[str],
        result: Replay,
    ) -> None:
        """Records all checks. Values of the wrong type that validators have read are replaced by stand-ins."""
        type = _type_of(self.program, kind)
        if type not in self.program.types or kind.subresources is None:
            return
        shape = self.registry.shape(kind)
        obj, old = as_json(shape, obj), as_json(shape, old)
        wrong: dict[str, str] = {}
        if operation.is_mended:
            obj, places = shape.mended(obj) or (obj, [])
            old, _ = shape.mended(old) or (old, [])
            wrong = {"" if error.place == "<nil>" else error.place: error.detail for error in places}
        skip = None
        if subresource not in kind.subresources:
            known = ", ".join(kind.subresources)
            skip = Skip(SkipReason.SUBRESOURCE, f"{kind.name} is validated for {known}, and not for {subresource}")
        plan = self.program.types[type]
        is_compared = operation.update and old is not None
        recorder = Recorder(self.program, operation, result, set(map(id, errors)), wrong, off, is_compared)
        root = Value("", obj, old if is_compared else UNKNOWN, plan.shape, shape)
        root = replace(root, value={}) if obj is None and isinstance(plan.shape, StructRef) else root
        recorder.type(type, root, skip)
        told = {id(error) for record in result.records for error in record.errors}
        for error in result.errors:
            if id(error) not in told:
                result.surprises += 1
                result.records.append(_of_error(error))


def _type_of(program: Program, kind: Kind) -> str:
    """Returns the type of a kind, which may be declared in another package than its rules."""
    package = program.packages.get(kind.package)
    root = next((root.type for root in package.roots if root.kind == kind.name), "") if package else ""
    return root or f"{kind.package}.{kind.name}"


def _of_error(error: FieldError, note: str = "") -> Record:
    """Returns the record of an error without a check: of the wrong type, of the schema, or about the request."""
    place = "" if error.place == "<nil>" else error.place
    what = "(JSON type)" if error.type.value == "FieldValueTypeInvalid" else "(request)"
    if Mark.SCHEMA in error.marks:
        what = "(schema)"
    tag = error.tag or what
    return Record(place, tag, error.rule.place, "", Status.FAILED, errors=(error,), note=note)
