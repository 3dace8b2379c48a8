"""The formats of `+k8s:format`: each a function from a text to the errors that the API server reports for it.

A function returns `None` for a valid text, which is the common case and allocates nothing, and otherwise a new list.

Source of the behaviour: `strfmt.go` in `k8s.io/apimachinery/pkg/api/validate`, and for `k8s-ip`, which upstream
documents but does not generate, `IsValidIPForLegacyField` in its lenient form with the parser `ParseIPSloppy` of
`k8s.io/utils/net`.

Errors on a whole value leave open whether it prints as a plain or as a named string, since only the field's type tells
(`FieldError.json_string`). Where upstream converts the value to a plain string first, or reports a part, it is fixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from validation_gen.runtime import names, texts
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.names import byte_count

Errors = list[FieldError]
Format = Callable[[str], Errors | None]


def _plain(value: str, detail: str, origin: str) -> FieldError:
    """Returns an error whose value is a plain string, whatever the field's type is."""
    return FieldError(ErrorType.INVALID, value, detail, origin, json_string=False)


def _too_long(limit: int, origin: str) -> FieldError:
    return FieldError(ErrorType.TOO_LONG, OMITTED, texts.too_long(limit), origin, json_string=False)


# --- names and labels ------------------------------------------------------------------------------------------------

_NAMES: dict[str, Callable[[str], names.Messages]] = {
    "k8s-label-key": names.label_key,
    "k8s-label-value": names.label_value,
    "k8s-long-name": names.dns_subdomain,
    "k8s-long-name-caseless": partial(names.dns_subdomain, caseless=True),
    "k8s-path-segment-name": names.path_segment,
    "k8s-prefixed-label-key": names.prefixed_label_key,
    "k8s-short-name": names.dns_label,
}


def _of_name(format: str, check: Callable[[str], names.Messages], value: str) -> Errors | None:
    """Returns the errors of a name. They contain the name with its own type."""
    messages = check(value)
    if not messages:
        return None
    return [FieldError(ErrorType.INVALID, value, message, f"format={format}") for message in messages]


# --- identifiers of resources ----------------------------------------------------------------------------------------

_is_uuid = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch


def uuid(value: str) -> Errors | None:
    if _is_uuid(value):
        return None
    return [_plain(value, "must be a lowercase UUID in 8-4-4-4-12 format", "format=k8s-uuid")]


def resource_pool_name(value: str) -> Errors | None:
    origin = "format=k8s-resource-pool-name"
    errors: Errors = []
    if byte_count(value) > names.SUBDOMAIN_MAX_BYTES:
        errors.append(_too_long(names.SUBDOMAIN_MAX_BYTES, origin))
    for index, segment in enumerate(value.split("/")):
        if segment:
            messages = names.dns_subdomain(segment)
            errors += [_plain(segment, f"segment {index}: {message}", origin) for message in messages]
        else:
            errors.append(_plain(value, f"segment {index}: must not be empty", origin))
    return errors or None


def extended_resource_name(value: str) -> Errors | None:
    origin = "format=k8s-extended-resource-name"
    errors: Errors = []
    if "/" not in value:
        detail = "a name must be a domain-prefixed path, such as 'example.com/my-prop'"
        errors.append(_plain(value, detail, origin))
    elif "kubernetes.io/" in value:
        errors.append(_plain(value, 'must not have "kubernetes.io/" domain', origin))
    if value.startswith("requests."):
        errors.append(_plain(value, 'must not have "requests." prefix', origin))
    # Quota names the resource this way, and that name has to be a label key.
    errors += [_plain(value, message, origin) for message in names.label_key(f"requests.{value}")]
    return errors or None


_C_IDENTIFIER_MAX_BYTES = 32
_DOMAIN_MAX_BYTES = 63


def resource_fully_qualified_name(value: str) -> Errors | None:
    origin = "format=k8s-resource-fully-qualified-name"
    errors: Errors = []
    parts = value.split("/")
    # More than one slash passes unchecked: https://github.com/kubernetes/kubernetes/issues/141644.
    if len(parts) == 2:
        prefix = parts[0]
        if not prefix:
            errors.append(_plain("", "prefix must not be empty", origin))
        else:
            if byte_count(prefix) > _DOMAIN_MAX_BYTES:
                errors.append(_too_long(_DOMAIN_MAX_BYTES, origin))
            errors += [_plain(prefix, f"prefix: {message}", origin) for message in names.dns_subdomain(prefix)]
    if len(parts) <= 2:
        name = parts[-1]
        if not name and len(parts) == 2:
            errors.append(_plain("", "name must not be empty", origin))
        else:
            if byte_count(name) > _C_IDENTIFIER_MAX_BYTES:
                errors.append(_too_long(_C_IDENTIFIER_MAX_BYTES, origin))
            errors += [_plain(name, message, origin) for message in names.c_identifier(name)]
    if len(parts) == 1:
        detail = "a fully qualified name must be a domain and a name separated by a slash"
        errors.append(_plain(value, detail, origin))
    return errors or None


# --- addresses -------------------------------------------------------------------------------------------------------

# Leading zeros are allowed in any number and never mean octal.
_OCTET = "0*(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_is_ipv4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}").fullmatch
_is_ipv6_group = re.compile("0*[0-9A-Fa-f]{1,4}").fullmatch


def _is_ipv6(text: str) -> bool:
    """Returns whether `text` is eight groups; `::` replaces one or more of them, and an IPv4 address at the end two."""
    head, gap, tail = text.partition("::")
    groups = head.split(":") if head or not gap else []
    if tail:
        groups += tail.split(":")
    count = len(groups)
    # An IPv4 address before `::` would not be at the end.
    if groups and "." in groups[-1] and (tail or not gap):
        if not _is_ipv4(groups.pop()):
            return False
        count += 1
    return (count < 8 if gap else count == 8) and all(map(_is_ipv6_group, groups))


def ip(value: str) -> Errors | None:
    if _is_ipv4(value) or _is_ipv6(value):
        return None
    return [_plain(value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", "format=k8s-ip")]


#: Formats by the name in the tag.
FORMATS: dict[str, Format] = {
    **{format: partial(_of_name, format, check) for format, check in _NAMES.items()},
    "k8s-extended-resource-name": extended_resource_name,
    "k8s-ip": ip,
    "k8s-resource-fully-qualified-name": resource_fully_qualified_name,
    "k8s-resource-pool-name": resource_pool_name,
    "k8s-uuid": uuid,
}

_NAME_PART = names.LABEL_MAX_BYTES

#: Patterns of texts that certainly have a format, with the longest text for which that is true: native code decides
#: these texts itself. It calls the function for all other texts, so that a pattern may omit rare texts, or be missing.
SURE: dict[str, tuple[str, int]] = {
    "k8s-ip": (r"(?:0|[1-9][0-9]?)(?:\.(?:0|[1-9][0-9]?)){3}", 15),
    # If the whole is no longer than the limit of a part, no part is.
    "k8s-label-key": (f"(?:{names.SUBDOMAIN}/)?{names.NAME}", _NAME_PART),
    "k8s-label-value": (f"(?:{names.NAME})?", _NAME_PART),
    "k8s-long-name": (names.SUBDOMAIN, names.SUBDOMAIN_MAX_BYTES),
    "k8s-long-name-caseless": (names.SUBDOMAIN.replace("a-z", "a-zA-Z"), names.SUBDOMAIN_MAX_BYTES),
    "k8s-path-segment-name": ("[A-Za-z0-9_][-A-Za-z0-9_.:]*", 253),
    "k8s-prefixed-label-key": (f"{names.SUBDOMAIN}/{names.NAME}", _NAME_PART),
    "k8s-resource-fully-qualified-name": (f"{names.SUBDOMAIN}/{names.C_IDENTIFIER}", _C_IDENTIFIER_MAX_BYTES),
    "k8s-resource-pool-name": (f"{names.SUBDOMAIN}(?:/{names.SUBDOMAIN})*", names.SUBDOMAIN_MAX_BYTES),
    "k8s-short-name": (names.LABEL, names.LABEL_MAX_BYTES),
    "k8s-uuid": ("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 36),
}
