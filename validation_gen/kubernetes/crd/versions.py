"""Checks the versions of a definition: their names, which one is stored, and their deprecation warnings."""

from __future__ import annotations

from collections import Counter

from validation_gen.kubernetes.crd.definition import SPEC, Definition, Version
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.schema import has_default
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.runtime import names
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

_WARNING_MAX_BYTES = 256
_NAME_HELP = "write a name such as v1beta1"


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
    if first and (messages := dnsnames.label_1035(first)):
        # The server also keeps the first name in a field that v1 does not have.
        copy = SPEC.child("version", "versions", 0, "name")
        report.invalid("VG504", copy, first, ",".join(messages), _NAME_HELP)
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
    place = Place(".storedVersions", parent=Place("status", "spec", "versions"))
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


def _check_version(version: Version, place: Place, report: Report) -> None:
    if messages := dnsnames.label_1035(version.name):
        report.invalid("VG504", place.child("name"), version.name, ",".join(messages), _NAME_HELP)
    warning = version.deprecation_warning
    if warning is None:
        return
    for message in _warning_messages(warning, version.deprecated):
        error = FieldError(ErrorType.INVALID, warning, message, json_string=True)
        help = "write a sentence, and deprecated: true" if not version.deprecated else "write a short sentence"
        report.add("VG504", place.child("deprecationWarning"), error, help)


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
