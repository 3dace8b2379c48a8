"""Calls the declarative side so that no failure escapes, and compares the errors of two sides.

Source of the behaviour: tag reference 5.3 and 5.4. Kubernetes calls a failure of a validator a panic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.mismatch.gates import BETA, TAKEOVER
from validation_gen.mismatch.matcher import ErrorMatcher, NormalizationRule
from validation_gen.mismatch.outcome import Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.levels import Level
from validation_gen.runtime.paths import nearest_above
from validation_gen.runtime.registry import Kind, Registry, refuse_copy
from validation_gen.runtime.words import nearest

_AUTHORITATIVE = "This difference should not affect system operation since hand written validation is authoritative."
_CONSIDER = (
    "Consider disabling the {} feature gate to keep data persisted in etcd consistent with prior versions of "
    "Kubernetes."
)
_EXACT = ErrorMatcher().exactly()
_UNKNOWN = frozenset({Mark.ANY_TYPE, Mark.ANY_ORIGIN, Mark.ANY_FIELD})


#: Errors with their paths, which are put together only once.
_Paths = list[tuple[FieldError, str]]


def _with_paths(errors: Sequence[FieldError]) -> _Paths:
    return [(error, error.field) for error in errors]


def _sort(error: FieldError, path: str) -> Hashable:
    """Returns a key that is equal for errors with the same counterparts, as far as they are compared at run time."""
    marks = error.marks & _UNKNOWN
    return "" if Mark.ANY_FIELD in marks else path, error.type, error.origin, marks


def _summary(value: object) -> Hashable:
    """Returns a cheap hash of a value: equal for equal values, and mostly different for others."""
    if isinstance(value, str | int | float | None):
        return value
    return len(value) if isinstance(value, dict | list | tuple) else ""


def _by_path(errors: _Paths, normalized: Callable[[str], str]) -> dict[str, _Paths]:
    """Groups errors by their paths, as they are and normalised: an object can have thousands, few of them at a path."""
    found: dict[str, _Paths] = {}
    for each in errors:
        path = each[1]
        found.setdefault(path, []).append(each)
        if (normal := normalized(path)) != path:
            found.setdefault(normal, []).append(each)
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of errors.

    Attributes:
        normalization: rules that turn paths of the declarative side into those of the handwritten one.
        short_circuit: True if a declarative error that stopped all checks below its field matches any handwritten
            error there.
        everything: True if all handwritten errors need a counterpart, and not only those that are marked as
            covered.
        one_to_many: True for the comparison of releases up to 1.35: a declarative error is the counterpart of one
            handwritten error only, and only exact duplicates of handwritten errors count once.
    """

    normalization: tuple[NormalizationRule, ...] = ()
    short_circuit: bool = False
    everything: bool = False
    one_to_many: bool = False
    matcher: ErrorMatcher = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        matcher = ErrorMatcher().by_type().by_origin().require_origin_when_invalid()
        object.__setattr__(self, "matcher", matcher.by_field_normalized(self.normalization))

    def mismatches(
        self, handwritten: Sequence[FieldError], declarative: Sequence[FieldError], *, enforced: bool = False
    ) -> list[Mismatch]:
        """Returns the errors of either side without a counterpart, the handwritten ones first.

        `enforced` is True if declarative errors can be authoritative now: it changes the advice in messages.
        """
        if not handwritten and not declarative:
            return []
        found: list[Mismatch] = []
        got = _with_paths(declarative)
        wanted = [
            (error, path)
            for error, path in self._drop_duplicates(_with_paths(handwritten))
            if self.everything or Mark.COVERED in error.marks
        ]
        hidden = self._hidden(wanted, got) if self.short_circuit else ()
        by_path = _by_path(got, self.matcher.normalized)
        ticked: set[int] = set()
        # Errors of one sort at one place have the same counterparts.
        known: dict[Hashable, bool] = {}
        for error, path in wanted:
            sort = _sort(error, path)
            is_matched = known.get(sort)
            is_first = is_matched is None
            if is_matched is None:
                near = got if Mark.ANY_FIELD in error.marks else by_path.get(path, ())
                counterparts = {id(each) for each, its in near if self.matcher.matches_at(error, path, each, its)}
                is_matched = known[sort] = bool(counterparts)
                is_first = not ticked >= counterparts
                ticked |= counterparts
            has_own = is_matched and (is_first or not self.one_to_many)
            if not has_own and not (self.short_circuit and (is_matched or path in hidden)):
                found.append(Mismatch(Side.HANDWRITTEN, error, self._message("unmatched", error, enforced)))
        extra = [error for error in declarative if id(error) not in ticked and Mark.SCHEMA not in error.marks]
        return found + [Mismatch(Side.DECLARATIVE, e, self._message("extra", e, enforced)) for e in extra]

    def _hidden(self, wanted: _Paths, got: _Paths) -> set[str]:
        """Returns the wanted paths below a field at which declarative validation stopped."""
        stops: dict[str, set[str]] = {}  # the paths that are written so, as they are or normalised
        for error, path in got:
            if error.short_circuit:
                stops.setdefault(path, set()).add("")
                if (normal := self.matcher.normalized(path)) != path:
                    stops.setdefault(normal, set()).add(path)
        above = nearest_above([path for _, path in wanted], stops)
        found = set()
        for _, path in wanted:
            parent = above.get(path)
            while parent is not None and stops[parent] == {path}:  # a path is not above itself, however it is written
                parent = above.get(parent)
            if parent is not None:
                found.add(path)
        return found

    def _drop_duplicates(self, errors: _Paths) -> _Paths:
        """Returns the errors without duplicates: handwritten code sometimes checks twice."""
        if len(errors) < 2:
            return errors
        normalized = self.matcher.normalized
        found: _Paths = []
        seen: dict[Hashable, list[FieldError]] = {}
        for error, path in errors:
            # The first of them represents all, marked as covered or not. Of errors with unknown parts, those with
            # different texts are different.
            unknown = error.marks & _UNKNOWN
            exactly = bool(unknown) or self.one_to_many
            text = (error.detail, _summary(error.bad_value)) if exactly else ()
            type = None if Mark.ANY_TYPE in unknown else error.type
            sort = type, None if Mark.ANY_ORIGIN in unknown else error.origin, unknown, text
            at = "" if Mark.ANY_FIELD in unknown else path
            near = seen.get((at, sort), ())
            if at and not exactly:
                near = (*near, *seen.get((normalized(path), sort), ()))
            alike = _EXACT.matches_at if exactly else self.matcher.matches_at
            if not any(alike(each, path, error, path) for each in near):
                found.append((error, path))
                seen.setdefault((at, sort), []).append(error)
        return found

    def _message(self, what: str, error: FieldError, enforced: bool) -> str:
        advice = _AUTHORITATIVE
        if enforced and (self.one_to_many or error.level != "alpha"):
            advice = _CONSIDER.format(TAKEOVER if self.one_to_many else BETA)
        return (
            "Unexpected difference between hand written validation and declarative validation error results, "
            f"{what} error(s) found {self.matcher.render(error)}. "
            f"This indicates an issue with declarative validation. {advice}"
        )


# --- the answer to a request ------------------------------------------------------------------------------------------


def is_of_shape(error: FieldError) -> bool:
    """Returns whether an error reports a value that does not decode.

    Kubernetes refuses such requests before any validation.
    """
    return error.type is ErrorType.TYPE_INVALID and not error.tag


def without_superseded(
    handwritten: Sequence[FieldError],
    enforced: Sequence[FieldError],
    matcher: ErrorMatcher,
    *,
    everything: bool = False,
) -> list[FieldError]:
    """Returns the handwritten errors that 1.36 reports: without covered errors that an enforced beta error replaces.

    Of several errors with the same text it keeps and examines only the first.
    """
    betas = _with_paths([error for error in enforced if error.level == "beta"])
    by_path = _by_path(betas, matcher.normalized)

    def counts(error: FieldError) -> bool:
        if Mark.COVERED not in error.marks:
            return True
        if everything or not betas:
            return not everything
        path = error.field
        near = by_path.get(path, ()) if matcher.is_by_place and Mark.ANY_FIELD not in error.marks else betas
        return not any(matcher.matches_at(error, path, each, its) for each, its in near)

    if len(handwritten) < 2:
        return [error for error in handwritten if counts(error)]
    first: dict[str, FieldError] = {}
    for error in handwritten:
        first.setdefault(str(error), error)
    return [error for error in first.values() if counts(error)]


def duplicates(errors: Sequence[FieldError]) -> list[str]:
    """Returns the texts of repeated errors, one for each repetition."""
    if len(errors) < 2:
        return []
    seen: set[str] = set()
    again: list[str] = []
    for text in map(str, errors):
        if text in seen:
            again.append(text)
        seen.add(text)
    return again


#: Declarative validation: object, old object, whether it is an update, options, subresource.
Declarative = Callable[[Any, Any, bool, Mapping[str, bool], str], Sequence[FieldError]]

#: Asks a side again: whether for an update, and with which validation options.
Ask = Callable[[bool, Mapping[str, bool]], Sequence[FieldError]]

#: Contained exceptions. Interruptions by a user or the event loop are no failures of a validator.
FAILURES = (Exception, SystemExit)


def of_registry(registry: Registry, type: str) -> tuple[Kind, Declarative]:
    """Returns a kind of a generated package, and its validator.

    Raises:
        ValueError: the package has no such type, or several.
    """
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) != 1:
        names = ", ".join(f"{kind.package}.{kind.name}" for kind in found)
        near = nearest(name, [kind.name for kind in registry.kinds])
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"{type} could be any of {names}" if found else f"there is no type {type}{hint}")
    return found[0], of_kind(registry, found[0])


def of_kind(registry: Registry, kind: Kind) -> Declarative:
    """Returns the generated validator of a kind, with errors of all levels, because comparisons need all.

    Raises:
        TypeError: the package has a copy of the runtime.
    """
    refuse_copy(registry)

    def declarative(
        obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
    ) -> Sequence[FieldError]:
        return registry.run(kind, obj, old, update=update, options=options, subresource=subresource, level=Level.ALPHA)

    return declarative


def ask(
    declarative: Declarative, obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
) -> tuple[Sequence[FieldError], BaseException | None]:
    """Returns the declarative errors, and the exception of the validator.

    After a failure a marked error describes it. Errors beside it are those of other rules.
    """
    try:
        errors = declarative(obj, old, update, options, subresource)
        for error in errors:
            if Mark.PANIC in error.marks:
                return errors, RuntimeError(error.detail)
    except FAILURES as failure:
        text = f"panic during declarative validation: {render_exception(failure)}"
        return [FieldError.internal(None, text).marked(Mark.PANIC)], failure
    return errors, None


def cache_answers(ask: Ask) -> Ask:
    """Caches the answers of a side, so that explanations of several mismatches of a request run it only once."""
    known: dict[tuple[bool, frozenset[tuple[str, bool]]], Sequence[FieldError]] = {}

    def again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        key = update, frozenset(options.items())
        if key not in known:
            known[key] = ask(update, options)
        return known[key]

    return again


def render_exception(failure: BaseException) -> str:
    """Returns the text of an exception, its class if it has none."""
    try:
        return str(failure) or type(failure).__name__
    except Exception:  # user code may make the text
        return type(failure).__name__
