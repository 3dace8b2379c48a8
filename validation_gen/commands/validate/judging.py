"""Validates an object: returns a verdict, or the reason why there is none. Nothing is read or printed here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.defaulting import Defaults
from validation_gen.commands.distributed.codec import LOCAL
from validation_gen.commands.kind_lookup import Defined, find_end, recognise, refusal
from validation_gen.commands.schemes import served
from validation_gen.commands.validate.verdicts import (
    FOR_KUSTOMIZE,
    NO_KIND,
    ReportOptions,
    Results,
    State,
    Verdict,
    VersionFinding,
    find_place,
)
from validation_gen.compiler.config.keys import instead
from validation_gen.compiler.lower.comments import unknown_options
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.kubernetes.builtin import NEWEST
from validation_gen.kubernetes.crd.schema_path import as_decoded
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome, Scheme, UndefinedError, UnsupportedRequestError
from validation_gen.kubernetes.objects.anykind import decoding_error
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.levels import DEFAULT_LEVEL
from validation_gen.runtime.registry import Registry


@dataclass(frozen=True, slots=True)
class Request:
    """Settings for all objects of a run.

    `skipped`: kinds, with or without group and version. `missing`: severity of an object without rules, `None` to allow
    it. Built-in kinds need no rules unless `strict`: then each object without rules fails. `level`: the lowest enforced
    level of rules. `defaults` fill in the defaults of types first; without them only the rules of the types are
    checked. `scheme`: kinds whose objects are validated by their definitions. `minor`: the target release. `removed`:
    severity of API versions that the target does not serve, `None` to accept them.
    """

    options: dict[str, bool] = field(default_factory=dict)
    subresource: str = "/"
    type: str | None = None
    skipped: frozenset[str] = frozenset()
    missing: Severity | None = Severity.ERROR
    scheme: Scheme = field(default_factory=Scheme, metadata=LOCAL)
    strict: bool = False
    level: str = DEFAULT_LEVEL
    defaults: Defaults | None = field(default=None, metadata=LOCAL)
    minor: int = NEWEST
    removed: Severity | None = Severity.ERROR


def parse_kinds(values: Iterable[str]) -> frozenset[str]:
    """Returns the kinds in values of `--skip`, each of which may have several with commas between them."""
    return frozenset(name.strip() for value in values for name in value.split(",") if name.strip())


def without_effect(results: Results, olds: bool, options: Set[str], request: Request) -> Iterator[Diagnostic]:
    """Yields warnings about parts of a request without effect: most are misspelt.

    Args:
        results: the results of all objects.
        olds: True if there are old objects.
        options: the options that rules use.
        request: settings for all objects.
    """
    kinds = {(version, kind) for version, kind in results.kinds if kind}
    for name in sorted(request.skipped - {name for each in kinds for name in _names(*each)}):
        known = {f"{version}/{kind}" if "/" in name else kind for version, kind in kinds}
        message = f"no object is a {name}, so nothing is skipped for it"
        yield Diagnostic("VG904", Severity.WARNING, message, Span("--skip"), instead(name, sorted(known)))
    yield from unknown_options(request.options, options)
    if results.objects and olds and not results.updates:
        message = "no object in --old matches an object to check; nothing was validated as an update"
        help = "an object is the same if its kind, namespace and name are, and its API version if sources have the kind"
        yield Diagnostic("VG904", Severity.WARNING, message, Span("--old"), help)


def _names(version: str, kind: str) -> tuple[str, str]:
    """Returns the names of a kind for `--skip`."""
    return kind, f"{version}/{kind}"


def identity(manifest: Manifest, scheme: Scheme) -> tuple[str, str, str, str]:
    """Returns the key of an object on a server: for kinds from definitions, the version does not count."""
    version, name, namespace, object_name = manifest.identity
    kind = scheme.find_kind(manifest.obj) if isinstance(manifest.obj, dict) else None
    if kind is None:
        return version, name, namespace or "default", object_name
    return kind.group, name, (namespace or "default") if kind.namespaced else "", object_name


def judge(
    manifest: Manifest, old: Manifest | None, registry: Registry, request: Request, wanted: ReportOptions
) -> Verdict:
    """Returns the verdict on one object; with an old one, on its update."""
    version, kind, _, _ = manifest.identity
    if kind and not request.skipped.isdisjoint(_names(version, kind)):
        return Verdict.from_manifest(manifest, wanted, State.SKIPPED)
    if isinstance(manifest.obj, dict) and request.type is None and request.scheme.find_kind(manifest.obj) is not None:
        return _validate_by_definition(manifest, old, request, wanted)
    if request.type is None and (reason := _for_others(manifest)):
        skipped = Verdict.from_manifest(manifest, wanted, State.NOT_JUDGED if request.strict else State.SKIPPED)
        return replace(skipped, reason=reason)
    if request.type is None and version and kind and registry.of_object(manifest.obj) is None:
        defined = served(request.scheme) | _find_kinds(registry)
        return _with_end(_without_rules(manifest, defined, request, wanted), manifest, request, wanted)
    fill = request.defaults.filled if request.defaults is not None else _as_it_is
    errors = registry.validate(
        fill(manifest.obj),
        old and fill(old.obj),
        options=request.options,
        subresource=request.subresource,
        type=request.type,
        level=request.level,
        raw=request.defaults is None,
    )
    return _with_end(_of_errors(manifest, wanted, errors), manifest, request, wanted)


def _with_end(verdict: Verdict, manifest: Manifest, request: Request, wanted: ReportOptions) -> Verdict:
    """Adds a finding to a verdict if the target does not serve the object's API version, or warns of it."""
    end = find_end(*manifest.identity[:2], request.minor)
    if end is None:
        return verdict
    severity = Severity.WARNING if end.is_served else request.removed
    if severity is not None:
        place = find_place(manifest, "apiVersion") if wanted.places else None
        finding = VersionFinding(end.text, end.reason, end.use, end.notes, end.is_served, severity, place)
        verdict = replace(verdict, end=finding, template=manifest.template)
    if end.is_served or verdict.state is not State.NOT_JUDGED:
        return verdict
    return replace(verdict, reason=end.reason, severity=Severity.ERROR if request.strict else None)


#: Files that kustomize reads in a directory.
_KUSTOMIZATION = re.compile(r"(?:^|/)(?:kustomization\.ya?ml|Kustomization)$")


def _for_others(manifest: Manifest) -> str:
    """Returns the reason why a document is not meant for a server, `""` for an object."""
    document = manifest.obj
    if not isinstance(document, dict) or document.get("kind") in (None, ""):
        return FOR_KUSTOMIZE if _KUSTOMIZATION.search(manifest.file) else NO_KIND
    version = document.get("apiVersion")
    is_overlay = isinstance(version, str) and version.startswith("kustomize.config.k8s.io/")
    return FOR_KUSTOMIZE if is_overlay else ""


def _of_errors(
    manifest: Manifest, wanted: ReportOptions, errors: Sequence[FieldError], warnings: Sequence[str] = ()
) -> Verdict:
    return Verdict.from_manifest(manifest, wanted, State.INVALID if errors else State.VALID, errors, warnings=warnings)


def _validate_by_definition(
    manifest: Manifest, old: Manifest | None, request: Request, wanted: ReportOptions
) -> Verdict:
    """Returns the API server's verdict on a custom object, which refuses fields that no schema has."""
    below = request.subresource.strip("/")
    _, _, namespace, name = manifest.identity
    url = (namespace or "default", name) if below and old is not None else None
    before = old.obj if old is not None else None
    try:
        outcome = request.scheme.admit(manifest.obj, before, subresource=below, url=url)
        if any(error.type is ErrorType.TYPE_INVALID for error in outcome.errors):
            # A server names the decoded types of numbers: 2^63 is not an integer.
            outcome = request.scheme.admit(as_decoded(manifest.obj), before, subresource=below, url=url)
    except UnsupportedRequestError as problem:
        error = FieldError(ErrorType.INVALID, OMITTED, f"not judged: {problem}")
        return _of_errors(manifest, wanted, [error])
    except UndefinedError:
        return _without_rules(manifest, served(request.scheme), request, wanted)
    return _of_outcome(manifest, outcome, wanted)


def _of_outcome(manifest: Manifest, outcome: Outcome, wanted: ReportOptions) -> Verdict:
    """Returns the server's answer as a verdict."""
    # The server validates metadata twice on updates; kubectl prints equal errors once.
    once = {str(error): error for error in [*outcome.errors, *map(decoding_error, outcome.problems)]}
    return _of_errors(manifest, wanted, list(once.values()), list(dict.fromkeys(outcome.warnings)))


def _as_it_is(obj: Any) -> Any:
    return obj


def _without_rules(manifest: Manifest, defined: Defined, request: Request, wanted: ReportOptions) -> Verdict:
    """Returns the verdict on an object whose kind has no rules. Its metadata may still be wrong."""
    recognised = recognise(*manifest.identity[:2], defined, request.minor)
    built_in = recognised.built_in
    if built_in is not None and (outcome := refusal(built_in, manifest.obj)) is not None:
        return _of_outcome(manifest, outcome, wanted)
    missing = None if built_in is not None else request.missing
    severity = Severity.ERROR if request.strict else missing
    return Verdict.from_manifest(manifest, wanted, State.NOT_JUDGED, severity=severity, recognised=recognised)


def _find_kinds(registry: Registry) -> Defined:
    return frozenset((kind.api_version, kind.name) for kind in registry.kinds if kind.api_version)
