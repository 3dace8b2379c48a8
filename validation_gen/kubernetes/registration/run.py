"""Runs all checks of one configuration of webhooks, in the order of the API server.

This module contains none itself.
"""

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
    """Returns whether an object has the kind of a configuration of webhooks, in any version."""
    return (
        isinstance(obj, dict)
        and isinstance(obj.get("kind"), str)
        and obj["kind"] in CONFIGURATIONS
        and isinstance(obj.get("apiVersion"), str)
        and obj["apiVersion"].split("/")[0] == GROUP
    )


def diagnostics(obj: Any, positions: Positions, *, minor: int = NEWEST) -> list[Diagnostic]:
    """Returns the errors of a configuration, with positions in its file."""
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
    """Returns the errors of an object that `is_configuration`, as when it is created.

    Conditions may use the functions of 1.`minor`, the release before the server's. Decoding errors hide all others.
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
    """Drops the namespace and the generation, as the server does before validation."""
    return {name: value for name, value in metadata.items() if name not in ("namespace", "generation")}


def _name_messages(name: str, prefix: bool) -> list[str]:
    """Returns the errors of a name; the last dash of a `prefix` is not the last character of the generated name."""
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
