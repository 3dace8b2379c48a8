"""Definitions of a kind with two versions, for tests of what proves conversions."""

from __future__ import annotations

import json
from typing import Any

STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def definition(**versions: Any) -> dict[str, Any]:
    """A definition of Robot whose versions have these fields in their spec."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "robots.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "robots", "kind": "Robot", "singular": "robot", "listKind": "RobotList"},
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": index == 0,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": _spec(fields)}}},
                }
                for index, (name, fields) in enumerate(versions.items())
            ],
        },
    }


def _spec(fields: Any) -> Any:
    return fields if "type" in fields and isinstance(fields["type"], str) else {"type": "object", "properties": fields}


def written(**versions: Any) -> str:
    """The same as a file."""
    return json.dumps(definition(**versions))
