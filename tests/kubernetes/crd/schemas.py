"""Definitions for tests, around the schema that a test is about."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.report import Finding
from validation_gen.kubernetes.crd.run import check


def definition(schema: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A definition that is valid if its schema is."""
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema or {"type": "object"}},
    }
    names = {"kind": "Robot", "plural": "robots"}
    given = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version], **spec}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "robots.example.com"},
        "spec": given,
    }


def with_properties(**properties: Any) -> dict[str, Any]:
    return definition({"type": "object", "properties": properties})


def messages(obj: dict[str, Any]) -> list[str]:
    return [finding.message for finding in check(obj)]


def findings(obj: dict[str, Any]) -> list[Finding]:
    return check(obj)
