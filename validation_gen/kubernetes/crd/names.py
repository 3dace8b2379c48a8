"""Checks the names, the versions and the conversion of a definition.

Names are its group, its scope, its resources, and `metadata` of the definition itself; of versions, their names, the
stored one, and deprecation warnings. Versions are converted by a webhook, or by changing only `apiVersion`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from validation_gen.kubernetes.crd.definition import SPEC, Conversion, Definition, Names, Version
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.schema import JsonObject, has_default
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.crd.stored_metadata import metadata_errors, subdomain_messages
from validation_gen.kubernetes.formats import valueformats
from validation_gen.kubernetes.formats.gourl import GoUrlError, is_request_url, parse_url
from validation_gen.runtime import names
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

_SCOPES = ("Cluster", "Namespaced")
_NAME_HELP = "write small letters, digits and dashes, and a letter first"
_KIND_HELP = "write letters and digits, and a letter first"
_MIXED_CASE = "may have mixed case, but should otherwise match: "


def check_names(definition: Definition, report: Report) -> None:
    """Checks all names except the name of the object itself."""
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
    messages = subdomain_messages(name, prefix)
    if name != f"{definition.names.plural}.{definition.group}":
        messages.append('must be spec.names.plural+"."+spec.group')
    return messages


def _check_group(group: str, report: Report) -> None:
    place = SPEC.child("group")
    help = "write a domain that is yours, such as example.com"
    if not group:
        report.required("VG503", place, help=help)
    elif messages := valueformats.subdomain(group):
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


def _check_names(given: Names, path: SchemaPath, report: Report) -> None:
    single = (("plural", given.plural, ""), ("singular", given.singular, ""))
    kinds = (("kind", given.kind, _MIXED_CASE), ("listKind", given.list_kind, _MIXED_CASE))
    for name, value, intro in (*single, *kinds):
        messages = valueformats.label_1035(value.lower() if intro else value) if value else ()
        if messages:
            help = _KIND_HELP if intro else _NAME_HELP
            report.invalid("VG503", path.child(name), value, intro + ",".join(messages), help)
    if given.kind and given.kind == given.list_kind:
        detail = "kind and listKind may not be the same"
        report.invalid("VG503", path.child("listKind"), given.list_kind, detail, f"write {given.kind}List")
    for name, values in (("shortNames", given.short_names), ("categories", given.categories)):
        for index, value in enumerate(values):
            if messages := valueformats.label_1035(value):
                report.invalid("VG503", path.child(name).index(index), value, ",".join(messages), _NAME_HELP)


METADATA = SchemaPath("metadata", "metadata")

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


_WARNING_MAX_BYTES = 256
_VERSION_HELP = "write a name such as v1beta1"


def check_versions(definition: Definition, report: Report) -> None:
    """Checks the versions together, and each of them without its schema and resources."""
    versions = definition.versions
    place = SPEC.child("versions")
    for index, version in enumerate(versions):
        if definition.shared.schema is None and version.part.schema is None:
            help = "write at least `type: object`, with x-kubernetes-preserve-unknown-fields if anything may follow"
            schema = place.index(index).child("schema").child("openAPIV3Schema")
            report.required("VG504", schema, help=help)
        _check_version(version, place.index(index), report)
    first = versions[0].name if versions else ""
    if first and (messages := valueformats.label_1035(first)):
        # The server also keeps the first name in a field that v1 does not have.
        copy = SPEC.child("version", "versions", 0, "name")
        report.invalid("VG504", copy, first, ",".join(messages), _VERSION_HELP)
    again = [name for name, count in Counter(version.name for version in versions).items() if count > 1]
    if again:
        report.invalid("VG504", place, STRUCTURE, "must contain unique version names", f"rename one of the {again[0]}")
    stored = sum(version.storage for version in versions)
    if stored != 1:
        detail = "must have exactly one version marked as storage version"
        help = "set storage: true in one version" if not stored else "leave storage: true in one version only"
        report.invalid("VG504", place, STRUCTURE, detail, help)
    _check_stored(versions, report)


def _check_stored(versions: tuple[Version, ...], report: Report) -> None:
    """Checks the stored version: other stored versions would be missing in the new object's status."""
    place = SchemaPath(".storedVersions", parent=SchemaPath("status", "spec", "versions"))
    first = next((version.name for version in versions if version.storage), None)
    if first is None:
        help = "set storage: true in one version"
        report.invalid("VG504", place, None, "must have at least one stored version", help)
    missing = {first}
    for version in versions:
        if version.storage and version.name not in missing:
            help = "leave storage: true in one version only"
            report.invalid("VG504", place, [first], f"must have the storage version {version.name}", help)
        missing.discard(version.name)


def check_preserving(definition: Definition, report: Report) -> None:
    """Checks the field that once turned off pruning for the whole object."""
    if not definition.preserve_unknown_fields:
        return
    place = SPEC.child("preserveUnknownFields")
    flag = "x-kubernetes-preserve-unknown-fields"
    detail = f"cannot set to true, set {flag} to true in spec.versions[*].schema instead"
    report.invalid("VG504", place, True, detail, "drop it")
    parts = (definition.shared, *(version.part for version in definition.versions))
    if any(part.schema is not None and has_default(part.schema) for part in parts):
        report.invalid("VG504", place, True, "must be false in order to use defaults in the schema", "drop it")
    if definition.conversion.strategy != "None":
        detail = "must be None if spec.preserveUnknownFields is true"
        strategy = SPEC.child("conversion").child("strategy")
        report.invalid("VG512", strategy, definition.conversion.strategy, detail, "drop spec.preserveUnknownFields")


def _check_version(version: Version, path: SchemaPath, report: Report) -> None:
    if messages := valueformats.label_1035(version.name):
        report.invalid("VG504", path.child("name"), version.name, ",".join(messages), _VERSION_HELP)
    warning = version.deprecation_warning
    if warning is None:
        return
    for message in _warning_messages(warning, version.deprecated):
        error = FieldError(ErrorType.INVALID, warning, message, json_string=True)
        help = "write a sentence, and deprecated: true" if not version.deprecated else "write a short sentence"
        report.add("VG504", path.child("deprecationWarning"), error, help)


def _warning_messages(text: str, deprecated: bool) -> list[str]:
    if not deprecated:
        return ["can only be set for deprecated versions"]
    messages = []
    if names.byte_count(text) > _WARNING_MAX_BYTES:
        messages.append(f"must be <= {_WARNING_MAX_BYTES} characters long")
    if not text:
        messages.append("must not be an empty string")
    for position, character in enumerate(text):
        if "\\" in go_quote(character) and character not in '"\\':
            index = names.byte_count(text[:position])
            printable = "must only contain printable UTF-8 characters"
            messages.append(f"{printable}; non-printable character found at index {index}")
            break
    return messages


_STRATEGIES = ("None", "Webhook")
#: Versions of reviews that a server of 1.22 or later can send.
REVIEWS = ("v1", "v1beta1")
_FORM = "; desired format: https://host[/path]"


def check_conversion(conversion: Conversion, report: Report) -> None:
    place = SPEC.child("conversion")
    if not conversion.strategy:
        report.required("VG512", place.child("strategy"), help="write None or Webhook")
    elif conversion.strategy not in _STRATEGIES:
        report.not_supported("VG512", place.child("strategy"), conversion.strategy, _STRATEGIES)
    client = place.child("webhookClientConfig", "webhook", "clientConfig")
    reviews = place.child("conversionReviewVersions", "webhook", "conversionReviewVersions")
    if conversion.strategy == "Webhook":
        if conversion.client is None:
            help = "write webhook.clientConfig with the service that converts"
            report.required("VG512", client, "required when strategy is set to Webhook", help)
        else:
            check_client(conversion.client, client, report)
        check_reviews(conversion.review_versions, reviews, report)
        return
    for given, where in ((conversion.client is not None, client), (bool(conversion.review_versions), reviews)):
        if given:
            detail = "should not be set when strategy is not set to Webhook"
            report.forbidden("VG512", where, detail, "drop it, or write strategy: Webhook")


def check_reviews(
    versions: Sequence[str], path: SchemaPath, report: Report, code: str = "VG512", missing: str = ""
) -> None:
    """Checks the versions of reviews that a webhook takes; `missing` is the detail of the error if there are none."""
    help = "write [v1]"
    if not versions:
        report.required(code, path, missing, help)
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            report.invalid(code, path.index(index), version, "duplicate version")
        else:
            report.invalid_each(code, path.index(index), version, valueformats.label_1035(version))
    if not set(versions) & set(REVIEWS):
        detail = f"must include at least one of {', '.join(REVIEWS)}"
        report.invalid(code, path, list(versions), detail, help)


def check_client(client: JsonObject, path: SchemaPath, report: Report, code: str = "VG512") -> None:
    """Checks the client configuration of a webhook, which is the same for conversions and admission."""
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        help = "name the service that converts, or its URL"
        report.required(code, path, "exactly one of url or service is required", help)
    elif service is None:
        _check_url(str(url), path.child("url"), report, code)
    else:
        _check_service(service, path.child("service"), report, code)


def _check_url(text: str, path: SchemaPath, report: Report, code: str) -> None:
    try:
        url = parse_url(text)
    except GoUrlError as error:
        report.required(code, path, f"url must be a valid URL: {error}{_FORM}")
        return
    if url.scheme != "https":
        report.invalid(code, path, url.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    if not url.host:
        report.invalid(code, path, url.host, f"host must be specified{_FORM}")
    if url.user is not None:
        report.invalid(code, path, url.user, "user information is not permitted in the URL")
    if url.fragment:
        report.invalid(code, path, url.fragment, "fragments are not permitted in the URL")
    if url.query:
        report.invalid(code, path, url.query, "query parameters are not permitted in the URL")


def _check_service(service: JsonObject, path: SchemaPath, report: Report, code: str) -> None:
    """Checks the service. The server confuses name and namespace when one of them is missing."""
    if not service.get("namespace"):
        report.required(code, SchemaPath(".name", "namespace", parent=path))
    if not service.get("name"):
        report.required(code, SchemaPath(".namespace", "name", parent=path))
    port = service.get("port")
    if port is not None and not 1 <= port <= 65535:
        detail = "port is not valid: must be between 1 and 65535, inclusive"
        report.invalid(code, path.child("port"), port, detail)
    _check_path(service.get("path") or "", path.child("path"), report, code)


def _check_path(path: str, at: SchemaPath, report: Report, code: str) -> None:
    if path in ("", "/"):
        return
    if path == "//":
        report.invalid(code, at, path, "segment[0] may not be empty")
        return
    if not path.startswith("/"):
        report.invalid(code, at, path, "must start with a '/'")
    for index, segment in enumerate(path[1:].removesuffix("/").split("/")):
        if not segment:
            report.invalid(code, at, path, f"segment[{index}] may not be empty")
        else:
            messages = [f"segment[{index}]: {message}" for message in valueformats.subdomain(segment)]
            report.invalid_each(code, at, path, messages)
