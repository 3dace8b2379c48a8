"""Runs the validators on an object, and records the result of each check."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from validation_gen.ir import Program
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, filter_enforced
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.rule import NO_RULE
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.validator import as_json
from validation_gen.uses.explain.replay.ledger import Ledger
from validation_gen.uses.explain.replay.places import Place
from validation_gen.uses.explain.replay.record import Record, Replay, Skip, Status, Why
from validation_gen.uses.explain.replay.teller import Teller
from validation_gen.uses.explain.replay.values import Values
from validation_gen.uses.explain.replay.walk import Walk


def replay(
    program: Program,
    registry: Registry,
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
    is_update = old is not None if update is None else update
    off = Level(level).hidden | set(untrusted)
    errors = registry.run(kind, obj, old, update=is_update, options=options, subresource=subresource, level=Level.ALPHA)
    try:
        op = Operation(options, update=is_update)
        return _walked(program, _Request(kind, registry.shape(kind), obj, old, op, subresource), errors, off)
    except RecursionError:
        enforced = filter_enforced(errors, off)
        told = [_of_error(error, "the object is nested too deeply to tell more") for error in enforced]
        return Replay(told, enforced)


def _walked(program: Program, request: _Request, errors: list[FieldError], off: AbstractSet[str]) -> Replay:
    """Walks all checks beside the errors of an object.

    Validators do not read all values: they skip unchanged ones, and read old ones only for some rules. If a value of
    the wrong type was never read, all values count unchanged; otherwise it is replaced by stand-ins. The errors show
    which of the two happened.
    """
    kind, shape = request.kind, request.shape
    type = _type_of(program, kind)
    enforced = filter_enforced(errors, off)
    told = [_of_error(error) for error in enforced if error.rule is NO_RULE]
    if type not in program.types or kind.subresources is None:
        return Replay(told, enforced)
    raw, raw_old = as_json(shape, request.obj), as_json(shape, request.old)
    obj, wrong = shape.mended(raw) or (raw, [])
    old, wrong_old = shape.mended(raw_old) or (raw_old, [])
    places = {"" if error.place == "<nil>" else error.place: error.detail for error in wrong}
    attempts: list[tuple[Any, Any, dict[str, str]]] = [(obj, old, places)]
    if (wrong or wrong_old) and not told:
        attempts.insert(0, (raw, raw_old, {}))
    result = Replay(told, enforced)
    for now, before, wrong_places in attempts:
        result = Replay(list(told), enforced)
        teller = Teller(Values(program, type, shape), Ledger(errors), request.op, wrong_places, off, result)
        try:
            _walk(program, type, request, teller, now, before)
        except Exception:
            if now is obj and before is old:
                raise
            continue  # the walk failed on a value of the wrong type
        if not result.surprises:
            break
    return result


def _walk(program: Program, type: str, request: _Request, teller: Teller, obj: Any, old: Any) -> None:
    plan, kind = program.types[type], request.kind
    value = teller.values.go(plan.shape, obj)
    before = None if old is None else teller.values.go(plan.shape, old)
    skip = None
    if request.subresource not in (kind.subresources or ()):
        known = ", ".join(kind.subresources or ())
        skip = Skip(Why.SUBRESOURCE, f"{kind.name} is validated for {known}, and not for {request.subresource}")
    update = request.op.update
    with teller.skipping(skip):
        Walk(teller, update, program).type(type, Place("", value, before, plan.shape, update and before is not None))
    for error in teller.ledger.rest():
        teller.replay.surprises += 1
        teller.replay.records.append(_of_error(error))


@dataclass(frozen=True, slots=True)
class _Request:
    kind: Kind
    shape: Shape
    obj: Any
    old: Any
    op: Operation
    subresource: str


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
