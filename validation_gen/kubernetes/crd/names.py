"""Checks the names of a definition: its group, its scope, its resources, and `metadata` of the definition itself."""

from __future__ import annotations

from validation_gen.kubernetes.crd.definition import SPEC, Definition, Names
from validation_gen.kubernetes.crd.objectmeta import metadata_errors
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.formats.gourl import is_request_url

_SCOPES = ("Cluster", "Namespaced")
_NAME_HELP = "write small letters, digits and dashes, and a letter first"
_KIND_HELP = "write letters and digits, and a letter first"
_MIXED_CASE = "may have mixed case, but should otherwise match: "


def check_names(definition: Definition, report: Report) -> None:
    """Checks all names except for that of the object itself."""
    _check_group(definition.group, report)
    scope = SPEC.child("scope")
    if not definition.scope:
        report.required("VG503", scope, help="write Namespaced or Cluster")
    elif definition.scope not in _SCOPES:
        report.not_supported("VG503", scope, definition.scope, _SCOPES, "write Namespaced or Cluster")
    _check_missing(definition.names, report)
    _check_names(definition.names, SPEC.child("names"), report)


def name_messages(definition: Definition, name: str, *, prefix: bool) -> list[str]:
    """Returns the server's messages for `metadata.name`."""
    masked = f"{name[:-2]}a" if prefix and len(name) > 1 and name.endswith("-") else name
    messages = list(dnsnames.subdomain(masked))
    if name != f"{definition.names.plural}.{definition.group}":
        messages.append('must be spec.names.plural+"."+spec.group')
    return messages


def _check_group(group: str, report: Report) -> None:
    place = SPEC.child("group")
    help = "write a domain that is yours, such as example.com"
    if not group:
        report.required("VG503", place, help=help)
    elif messages := dnsnames.subdomain(group):
        report.invalid("VG503", place, group, ",".join(messages), help)
    elif "." not in group:
        report.invalid("VG503", place, group, "should be a domain with at least one dot", help)


def _check_missing(given: Names, report: Report) -> None:
    """Reports missing names.

    Singular and list kind default from the kind, so they are only missing together with it.
    """
    place = SPEC.child("names")
    for name, value, help in (
        ("plural", given.plural, "write the name of the resource in URLs, such as robots"),
        ("singular", given.singular, "it follows from kind"),
        ("kind", given.kind, "write the name of the type in manifests, such as Robot"),
        ("listKind", given.list_kind, "it follows from kind"),
    ):
        if not value:
            report.required("VG503", place.child(name), help=help)


def _check_names(given: Names, place: Place, report: Report) -> None:
    single = (("plural", given.plural, ""), ("singular", given.singular, ""))
    kinds = (("kind", given.kind, _MIXED_CASE), ("listKind", given.list_kind, _MIXED_CASE))
    for name, value, intro in (*single, *kinds):
        messages = dnsnames.label_1035(value.lower() if intro else value) if value else ()
        if messages:
            help = _KIND_HELP if intro else _NAME_HELP
            report.invalid("VG503", place.child(name), value, intro + ",".join(messages), help)
    if given.kind and given.kind == given.list_kind:
        detail = "kind and listKind may not be the same"
        report.invalid("VG503", place.child("listKind"), given.list_kind, detail, f"write {given.kind}List")
    for name, values in (("shortNames", given.short_names), ("categories", given.categories)):
        for index, value in enumerate(values):
            if messages := dnsnames.label_1035(value):
                report.invalid("VG503", place.child(name).index(index), value, ",".join(messages), _NAME_HELP)


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
