"""Checks `metadata` of the definition itself: its name, and the annotation that groups of Kubernetes need."""

from __future__ import annotations

from validation_gen.kubernetes.crd.definition import Definition
from validation_gen.kubernetes.crd.names import name_messages
from validation_gen.kubernetes.crd.objectmeta import metadata_errors
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.formats.gourl import is_request_url

METADATA = Place("metadata", "metadata")

_APPROVED = "api-approved.kubernetes.io"
_COMMUNITY = ("k8s.io", "kubernetes.io")
_SEE = "see https://github.com/kubernetes/enhancements/pull/1111"


def check_metadata(definition: Definition, report: Report) -> None:
    """Checks the metadata, without namespace and generation, which the server drops first."""
    kept = {name: value for name, value in definition.metadata.items() if name not in ("namespace", "generation")}
    wanted = f"{definition.names.plural}.{definition.group}"
    for error in metadata_errors(kept, lambda name, prefix: name_messages(definition, name, prefix=prefix)):
        named = error.segments[0] in (".name", ".generateName")
        report.add("VG503", METADATA, error, f"write {wanted}" if named and len(wanted) > 1 else "")
    _check_approval(definition, report)


def _check_approval(definition: Definition, report: Report) -> None:
    group = definition.group
    if not any(group == domain or group.endswith(f".{domain}") for domain in _COMMUNITY):
        return
    place = METADATA.child("annotations").key(_APPROVED)
    approval = (definition.metadata.get("annotations") or {}).get(_APPROVED) or ""
    help = "use a domain that is yours, or point to the approval of the API"
    demand = f'protected groups must have approval annotation "{_APPROVED}"'
    if not approval:
        report.required("VG503", place, f"{demand}, {_SEE}", help)
    elif not approval.startswith("unapproved") and not is_request_url(approval, with_host=True):
        detail = f'{demand} with either a URL or a reason starting with "unapproved", {_SEE}'
        report.invalid("VG503", place, approval, detail, help)
