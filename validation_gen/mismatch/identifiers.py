"""Identifiers of validations: the label of Kubernetes' metrics (tag reference 5.3)."""

from __future__ import annotations


def validation_identifier(kind: str, subresource: str, *, update: bool) -> str:
    """`Widget`, `/status` and an update are `widget_status_update`."""
    parts = [kind.lower() or "unknown_resource", *(part for part in subresource.split("/") if part)]
    return "_".join([*parts, "update" if update else "create"])
