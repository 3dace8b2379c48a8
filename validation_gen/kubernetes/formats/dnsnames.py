"""Names of the DNS in the API server's words for objects: lengths count bytes, but the texts call them characters.

Source of the behaviour: `pkg/util/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import re

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
