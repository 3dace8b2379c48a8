"""What the validators make of objects in manifests: a verdict on each, or the reason why there is none.

Nothing is read or printed here.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.build.config.findings import instead
from validation_gen.build.lower.optionnames import unknown_options
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome, Scheme, UndefinedError, UnjudgedError
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.words import counted
from validation_gen.uses.filling import Defaults
from validation_gen.uses.recognition import Defined, Recognised, recognise, refusal, tally
from validation_gen.uses.schemes import served

_SLIP = re.compile(r'(?:unknown|duplicate) field "(?P<path>.*)"', re.DOTALL)


class State(str, enum.Enum):
    """What is said of an object. Some have no rules, and those that are skipped are not looked at."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_JUDGED = "not judged"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An object and its errors, and the `warnings` that a server sends with its answer.

    One without rules fails the run as an invalid one does, unless it matters less: `severity` is `None` if it is
    allowed, and nothing is said. What is known of its kind is in `recognised`.
    """

    manifest: Manifest
    errors: Sequence[FieldError] = ()
    state: State = State.VALID
    severity: Severity | None = Severity.ERROR
    warnings: Sequence[str] = ()
    recognised: Recognised | None = None

    @property
    def fails(self) -> bool:
        return self.state is State.INVALID or (self.state is State.NOT_JUDGED and self.severity is Severity.ERROR)

    @property
    def told(self) -> bool:
        """Whether there is something to say of the object."""
        return (
            bool(self.warnings)
            or self.state is State.INVALID
            or (self.state is State.NOT_JUDGED and self.severity is not None)
        )


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for all objects of a run.

    `skipped` are kinds, with or without group and version. `missing` is how much it matters that an object has no
    rules, `None` if that is meant. That it is of a built-in kind does not matter, unless the request is `strict`:
    then all such objects fail. With `defaults` those of the types are filled in first. Objects of the kinds in
    `scheme` are judged by their definitions.
    """

    options: dict[str, bool] = field(default_factory=dict)
    subresource: str = "/"
    type: str | None = None
    skipped: frozenset[str] = frozenset()
    missing: Severity | None = Severity.ERROR
    scheme: Scheme = field(default_factory=Scheme)
    strict: bool = False
    defaults: Defaults | None = None


def kinds_of(values: Iterable[str]) -> frozenset[str]:
    """The kinds in values of `--skip`, each of which may have several with commas between them."""
    return frozenset(name.strip() for value in values for name in value.split(",") if name.strip())


def without_effect(
    manifests: Sequence[Manifest], olds: Sequence[Manifest], options: Set[str], request: Request
) -> Iterator[Diagnostic]:
    """Warnings of what a request says and nothing has: most of it is misspelt. `options` are those that rules know."""
    kinds = {(version, kind) for version, kind, _, _ in (manifest.identity for manifest in manifests) if kind}
    for name in sorted(request.skipped - {name for each in kinds for name in _names(*each)}):
        known = {f"{version}/{kind}" if "/" in name else kind for version, kind in kinds}
        message = f"no object is a {name}, so nothing is skipped for it"
        yield Diagnostic("VG904", Severity.WARNING, message, Span("--skip"), instead(name, sorted(known)))
    yield from unknown_options(request.options, options)
    identities = {_identity(manifest, request.scheme) for manifest in manifests}
    if manifests and olds and not any(_identity(old, request.scheme) in identities for old in olds):
        message = "none of the objects there is among those to check, so that nothing is an update"
        help = "an object is the same if its kind, namespace and name are, and its API version if sources have the kind"
        yield Diagnostic("VG904", Severity.WARNING, message, Span("--old"), help)


def _names(version: str, kind: str) -> tuple[str, str]:
    """What `--skip` may call a kind."""
    return kind, f"{version}/{kind}"


def judge_all(
    manifests: Iterable[Manifest], olds: Iterable[Manifest], registry: Registry, request: Request
) -> list[Verdict]:
    """The verdicts on objects, in their order. One that is among the old ones too is an update.

    There may be more objects than memory has room for, so that only those are kept of which something is to be told.
    """
    before = {_identity(old, request.scheme): old for old in olds}
    found: list[Verdict] = []
    for manifest in manifests:
        verdict = judge(manifest, before.get(_identity(manifest, request.scheme)), registry, request)
        found.append(verdict if verdict.told else replace(verdict, manifest=manifest.named()))
    return found


def _identity(manifest: Manifest, scheme: Scheme) -> tuple[str, str, str, str]:
    """What makes it the same object for a server: of kinds that definitions define, the version does not count."""
    version, name, namespace, object_name = manifest.identity
    kind = scheme.kind_of(manifest.obj) if isinstance(manifest.obj, dict) else None
    if kind is None:
        return version, name, namespace or "default", object_name
    return kind.group, name, (namespace or "default") if kind.namespaced else "", object_name


def judge(manifest: Manifest, old: Manifest | None, registry: Registry, request: Request) -> Verdict:
    """The verdict on one object; with an old one, on its update."""
    version, kind, _, _ = manifest.identity
    if kind and not request.skipped.isdisjoint(_names(version, kind)):
        return Verdict(manifest, state=State.SKIPPED)
    if isinstance(manifest.obj, dict) and request.type is None and request.scheme.kind_of(manifest.obj) is not None:
        return _judged_by_definition(manifest, old, request)
    # Who names no kind has made a mistake, whatever rules there are.
    if request.type is None and version and kind and registry.of_object(manifest.obj) is None:
        return _without_rules(manifest, served(request.scheme) | _kinds_of(registry), request)
    fill = request.defaults.filled if request.defaults is not None else _as_it_is
    errors = registry.validate(
        fill(manifest.obj),
        old and fill(old.obj),
        options=request.options,
        subresource=request.subresource,
        type=request.type,
    )
    if request.defaults is not None and request.type is None:
        slips = [f'unknown field "{path}"' for path in request.defaults.unknown(manifest.obj)]
        refused = request.defaults.refusal(manifest.obj)
        told = [*refused.errors, *map(_slip, refused.problems)] if refused is not None else []
        errors = [*told, *errors, *map(_slip, slips)]
    return Verdict(manifest, errors, State.INVALID if errors else State.VALID)


def _judged_by_definition(manifest: Manifest, old: Manifest | None, request: Request) -> Verdict:
    """The verdict of the API server on a custom object, which refuses fields that no schema has."""
    try:
        outcome = request.scheme.admit(
            manifest.obj, old.obj if old is not None else None, subresource=request.subresource.strip("/")
        )
    except UnjudgedError as problem:
        error = FieldError(ErrorType.INVALID, OMITTED, f"not judged: {problem}")
        return Verdict(manifest, [error], State.INVALID)
    except UndefinedError:
        return _without_rules(manifest, served(request.scheme), request)
    return _verdict(manifest, outcome)


def _verdict(manifest: Manifest, outcome: Outcome) -> Verdict:
    """What the server answers as a verdict."""
    # The server judges metadata twice on updates; kubectl tells of two errors that read the same only one.
    once = {str(error): error for error in [*outcome.errors, *map(_slip, outcome.problems)]}
    errors, warnings = list(once.values()), list(dict.fromkeys(outcome.warnings))
    return Verdict(manifest, errors, State.INVALID if errors else State.VALID, warnings=warnings)


def _as_it_is(obj: Any) -> Any:
    return obj


def _without_rules(manifest: Manifest, defined: Defined, request: Request) -> Verdict:
    """What is said of an object whose kind no rules are for. Its metadata may be wrong all the same."""
    recognised = recognise(*manifest.identity[:2], defined)
    built_in = recognised.built_in
    if built_in is not None and (outcome := refusal(built_in, manifest.obj)) is not None:
        return _verdict(manifest, outcome)
    missing = None if built_in is not None else request.missing
    severity = Severity.ERROR if request.strict else missing
    return Verdict(manifest, state=State.NOT_JUDGED, severity=severity, recognised=recognised)


def _kinds_of(registry: Registry) -> Defined:
    return frozenset((kind.api_version, kind.name) for kind in registry.kinds if kind.api_version)


def unjudged(verdicts: Sequence[Verdict]) -> list[str]:
    """A line for each kind that no rules are for."""
    return tally(str(verdict.recognised) for verdict in verdicts if verdict.recognised is not None)


def _slip(problem: str) -> FieldError:
    """What cannot be decoded as an error, at the field that it names."""
    match = _SLIP.fullmatch(problem)
    if match is None:
        return FieldError(ErrorType.INVALID, OMITTED, problem)
    return FieldError(ErrorType.INVALID, OMITTED, f"strict decoding error: {problem}", "", f".{match['path']}")


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many objects there are in each state: the first two always, as people look for them."""
    counts = Counter(verdict.state for verdict in verdicts)
    always = (State.VALID, State.INVALID)
    told = [f"{counts[state]} {state.value}" for state in State if counts[state] or state in always]
    return f"{counted(len(verdicts), 'object')}: {', '.join(told)}"
