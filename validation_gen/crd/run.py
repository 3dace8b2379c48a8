"""All checks of one definition, in the order of the API server, and what they find as diagnostics.

This is the one module that knows all checks; it makes none itself.
"""

from __future__ import annotations

from typing import Any

from validation_gen.crd.names import check_group
from validation_gen.crd.place import Place
from validation_gen.crd.report import Finding, Report
from validation_gen.diagnostics import Diagnostic
from validation_gen.positions import Positions

GROUP = "apiextensions.k8s.io"
KIND = "CustomResourceDefinition"


def is_definition(obj: Any) -> bool:
    """Whether an object says of itself that it is a CustomResourceDefinition, of whatever version."""
    return (
        isinstance(obj, dict)
        and obj.get("kind") == KIND
        and isinstance(obj.get("apiVersion"), str)
        and obj["apiVersion"].split("/")[0] == GROUP
    )


def check(obj: Any) -> list[Finding]:
    """What is wrong with a definition, as decoded from JSON."""
    report = Report()
    spec = Place("spec", "spec")
    check_group(obj.get("spec", {}).get("group", ""), spec, report)
    return report.findings


def diagnostics(obj: Any, positions: Positions) -> list[Diagnostic]:
    """What is wrong with a definition, with places in its file."""
    return [Diagnostic(f.code, f.severity, f.message, positions.span(f.keys), f.help) for f in check(obj)]
