"""Applies definitions, and checks those that the server has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes.crd.run import KIND, VERSION, check, check_definition, locate
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome
from validation_gen.runtime.gotext import go_value
from validation_gen.uses.apply.answers import Applied, State, refuse_patch, undecodable, warn_of_missing_annotation
from validation_gen.uses.apply.merging import create, has_last_applied, make_patch, merge
from validation_gen.uses.schemes import Definitions

#: Code of definitions that are too large or too deep.
_TOO_LARGE = "VG509"


def learn(known: Definitions, old: Manifest, found: Diagnostics) -> None:
    """Adds the kind of a definition that the server has. Problems of the definition become warnings."""
    try:
        checked = check_definition(old.obj)
        for problem in locate(checked.findings, old.positions):
            lead = "the definition defines no kind here: " if problem.severity is Severity.ERROR else ""
            found.add(replace(problem, severity=Severity.WARNING, message=f"{lead}{problem.message}"))
        if not checked.errors and (twice := known.add(old, checked.definition)) is not None:
            found.add(twice)
    except RecursionError:
        place = old.positions.span(("spec",))
        found.warning(_TOO_LARGE, "the definition defines no kind here: it is nested too deeply", place, "flatten it")


def define(known: Definitions, manifest: Manifest, old: Any, level: str) -> Applied:
    """Returns the result of applying a definition. It is validated as a new one, even if there is an old one."""
    try:
        return _define(known, manifest, old, level)
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])


def _define(known: Definitions, manifest: Manifest, old: Any, level: str) -> Applied:
    if manifest.obj["apiVersion"] != VERSION:  # kubectl finds no resource for it, before anything is decoded
        problems = [finding.message for finding in check(manifest.obj)]
        return Applied(manifest, State.REFUSED, problems=problems, by_client=True)
    patch: dict[str, Any] = {} if old is None else make_patch(manifest.obj, old)
    sent = create(manifest.obj) if old is None else merge(old, patch)
    resource = "customresourcedefinitions"
    before = [] if old is None else warn_of_missing_annotation(resource, manifest.name, known=has_last_applied(old))
    checked = check_definition(sent)
    slips = [] if level == "Ignore" else checked.unknown
    if slips and level == "Strict" and patch:
        return refuse_patch(manifest, sent, go_value(patch), slips, before)
    if slips and level == "Strict" and old is None:
        version = str(sent["apiVersion"]).rpartition("/")[2]
        return Applied(manifest, State.REFUSED, Outcome(400, problems=slips), undecodable(KIND, version, slips))
    if checked.errors:
        problems = [finding.message for finding in checked.errors]
        return Applied(manifest, State.REFUSED, problems=problems, warnings=[*before, *slips])
    own = [finding for finding in checked.findings if finding.message not in checked.unknown]
    located = (_at(Diagnostic(f.code, f.severity, f.message, manifest.positions.span(f.keys))) for f in own)
    warnings = [*before, *slips, *located]
    twice = known.add(replace(manifest, obj=sent), checked.definition, update=old is not None)
    if twice is not None:
        warnings.append(_at(twice))
    state = State.CREATED if old is None else State.CONFIGURED if patch else State.UNCHANGED
    return Applied(manifest, state, warnings=warnings, sent=sent)


def _at(warning: Diagnostic) -> str:
    return f"{warning.span}: {warning.message}"
