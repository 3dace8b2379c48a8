"""All files of a webhook by path: the base at the top, and components below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.emit.templates import render_template
from validation_gen.emit.webhooks import configurations, workload
from validation_gen.emit.webhooks.certificates import cert_manager
from validation_gen.emit.webhooks.conversion import conversions
from validation_gen.emit.webhooks.kinds import Resource
from validation_gen.emit.webhooks.kustomize import base
from validation_gen.emit.webhooks.settings import WebhookSettings


def manifests(resources: list[Resource], settings: WebhookSettings, types: list[str]) -> dict[str, dict[str, Any]]:
    """Returns the objects by path, for at least one resource. `types` are the paths that the server reads."""
    found = workload.objects(settings, types)
    asked = {"validatingwebhookconfiguration.yaml": configurations.validating(resources, settings)}
    defaults = configurations.mutating(resources, settings)
    if defaults is not None:
        asked["mutatingwebhookconfiguration.yaml"] = defaults
    found |= asked
    found["kustomization.yaml"] = base(list(found))
    known = list(asked.values())
    below = {"cert-manager": cert_manager(known, resources, settings)}
    converted = [resource for resource in resources if resource.is_converted]
    if converted:
        below["conversion"] = conversions(converted, settings)
    for directory, files in below.items():
        found |= {f"{directory}/{name}": obj for name, obj in files.items()}
    return found


def as_files(
    objects: Mapping[str, dict[str, Any]], settings: WebhookSettings, types: list[str], copied: list[str]
) -> dict[str, str]:
    """The text of the objects, and the file that an image is built from, into which files and directories go."""
    found = {path: as_yaml(obj) for path, obj in objects.items()}
    found["Dockerfile"] = render_template(
        "webhooks/Dockerfile.j2",
        command=workload.command(settings, types),
        directory=workload.TYPES,
        port=settings.port,
        copied=copied,
        user=workload.USER,
    )
    return found
