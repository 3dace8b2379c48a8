"""All checks of one configuration of webhooks, in the order of the API server. This module makes none itself."""

from __future__ import annotations

from typing import Any

from validation_gen.diagnostics import Diagnostic
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.objectmeta import metadata_errors
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Finding, Report
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.positions import Positions
from validation_gen.kubernetes.registration.gotypes import CONFIGURATIONS, MUTATING
from validation_gen.kubernetes.registration.webhooks import CODE, check_webhook
from validation_gen.runtime.words import nearest

GROUP = "admissionregistration.k8s.io"
VERSION = f"{GROUP}/v1"


def is_configuration(obj: Any) -> bool:
    """Whether an object says of itself that it is a configuration of webhooks, of whatever version."""
    return (
        isinstance(obj, dict)
        and isinstance(obj.get("kind"), str)
        and obj["kind"] in CONFIGURATIONS
        and isinstance(obj.get("apiVersion"), str)
        and obj["apiVersion"].split("/")[0] == GROUP
    )


def diagnostics(obj: Any, positions: Positions, *, minor: int = NEWEST) -> list[Diagnostic]:
    """What is wrong with a configuration, with places in its file."""
    return [
        Diagnostic(
            found.code,
            found.severity,
            "; ".join(line for line in found.message.split("\n") if not line.startswith(" | ")),
            positions.span(found.keys),
            found.help,
        )
        for found in check(obj, minor=minor)
    ]


def check(obj: Any, *, minor: int = NEWEST) -> list[Finding]:
    """What is wrong with an object that `is_configuration`, as when it is created.

    Conditions may use what 1.`minor` knows, the release before the server's. What does not decode hides everything
    else.
    """
    report = Report(minor)
    if not _decodes(obj, report):
        return report.findings
    for error in metadata_errors(_kept(obj.get("metadata") or {}), _name_messages):
        report.add(CODE, Place("metadata", "metadata"), error)
    known = set()
    for index, hook in enumerate([hook or {} for hook in obj.get("webhooks") or ()]):
        place = Place("webhooks", "webhooks").index(index)
        check_webhook(hook, place, report, mutating=obj["kind"] == MUTATING)
        name = hook.get("name") or ""
        if name and name in known:
            report.duplicate(CODE, place.child("name"), name)
        known.add(name)
    return report.findings


def _kept(metadata: dict[str, Any]) -> dict[str, Any]:
    """The server drops the namespace and the generation before it looks."""
    return {name: value for name, value in metadata.items() if name not in ("namespace", "generation")}


def _name_messages(name: str, prefix: bool) -> list[str]:
    """What is wrong with a name; the last dash of a `prefix` is not the last character of the name to come."""
    return list(dnsnames.subdomain(f"{name[:-1]}a" if prefix and name.endswith("-") else name))


def _decodes(obj: dict[str, Any], report: Report) -> bool:
    root = Place("")
    if obj["apiVersion"] != VERSION:
        message = f'no matches for kind "{obj["kind"]}" in version "{obj["apiVersion"]}"'
        report.refuse(CODE, root.child("apiVersion"), message, f"write {VERSION}")
        return False
    for mistake in mistakes(obj, CONFIGURATIONS[obj["kind"]], root):
        if mistake.unknown is not None:
            near = nearest(mistake.unknown, mistake.known)
            help = f"did you mean {near[0]}?" if near else "drop it: the server does"
            report.warn(CODE, mistake.place, mistake.in_words, help)
        else:
            report.refuse(CODE, mistake.place, mistake.text, "write a value of that type")
    return not report.errors
