"""Names of the DNS in the API server's words, and the formats that both definitions and expressions know.

Lengths of names in objects count bytes, but the texts call them characters.

Sources of the behaviour: `pkg/util/validation` of `k8s.io/apimachinery`, `pkg/validation/strfmt` of
`k8s.io/kube-openapi`.
"""

from __future__ import annotations

import re
from calendar import monthrange

from validation_gen.runtime import names, texts
from validation_gen.runtime.names import LABEL_MAX_BYTES, SUBDOMAIN_MAX_BYTES, Messages, byte_count

_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_is_label_1035 = re.compile(_LABEL_1035.replace("(", "(?:")).fullmatch
_NOT_A_LABEL_1035 = texts.unmatched(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character",
    _LABEL_1035,
    "my-name",
    "abc-123",
)
#: Texts of today's functions about lengths, and those of this module.
_OLDER = {
    texts.name_too_long(limit): texts.name_too_long(limit, "characters")
    for limit in (LABEL_MAX_BYTES, SUBDOMAIN_MAX_BYTES)
}


def label_1035(text: str) -> Messages:
    """Returns the errors of a label that begins with a letter (RFC 1035)."""
    messages: Messages = ()
    if byte_count(text) > LABEL_MAX_BYTES:
        messages = (texts.name_too_long(LABEL_MAX_BYTES, "characters"),)
    return messages if _is_label_1035(text) else (*messages, _NOT_A_LABEL_1035)


def label(text: str) -> Messages:
    """Returns the errors of a label (RFC 1123)."""
    return _older(names.dns_label(text))


def subdomain(text: str) -> Messages:
    """Returns the errors of labels with dots in between."""
    return _older(names.dns_subdomain(text))


def _older(messages: Messages) -> Messages:
    return tuple(_OLDER.get(message, message) for message in messages)


_HEX = "[0-9a-f]"

_byte = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})").fullmatch
_uuid = re.compile(rf"{_HEX}{{8}}-?(?:{_HEX}{{4}}-?){{3}}{_HEX}{{12}}", re.ASCII | re.IGNORECASE).fullmatch
_date_parts = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch
_time_parts = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))").fullmatch


def is_byte(text: str) -> bool:
    """Returns whether a text is Base64."""
    return _byte(text) is not None


def is_uuid(text: str) -> bool:
    return _uuid(text) is not None


def is_date(text: str) -> bool:
    match = _date_parts(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]


def is_datetime(text: str) -> bool:
    parts = text.lower().split("t")
    match = _time_parts(parts[1]) if len(parts) > 1 and is_date(parts[0]) else None
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"
