"""Formats by name (`format.named(...)`, `format.dns1123Label()` etc.), and the errors of a text that does not match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from validation_gen.kubernetes.cel.values import ABSENT, Optional
from validation_gen.kubernetes.formats import dnsnames, strfmt
from validation_gen.kubernetes.formats.gourl import GoUrlError, parse_request_url
from validation_gen.runtime import names

_Check = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format. Two are equal if their names are; `pattern_size` is the pattern length that the cost uses."""

    type_name: ClassVar[str] = "kubernetes.NamedFormat"
    name: str
    check: _Check = field(compare=False)
    pattern_size: int = field(compare=False)


def _prefix(check: _Check) -> _Check:
    """Wraps a check for a name prefix, which may end with a dash."""

    def checked(text: str) -> Sequence[str]:
        code = text.encode("utf-8", "surrogatepass")
        if len(code) > 1 and code.endswith(b"-"):
            # Upstream accepts any byte before the dash.
            text = (code[:-2] + b"a").decode("utf-8", "replace")
        return check(text)

    return checked


def _uri(text: str) -> Sequence[str]:
    try:
        parse_request_url(text)
    except GoUrlError as error:
        return [str(error)]
    return ()


def _is(kept: Callable[[str], bool], message: str) -> _Check:
    return lambda text: () if kept(text) else [message]


_UUID_SIZE = len(r"(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$")
_TIME_SIZE = len(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$")

#: By the names that expressions use. The sizes of `uri` and `byte` are upstream's estimates.
FORMATS = {
    "dns1123Label": Format("DNS1123Label", dnsnames.label, 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", dnsnames.subdomain, 60),
    "dns1035Label": Format("DNS1035Label", dnsnames.label_1035, 30),
    "qualifiedName": Format("QualifiedName", names.label_key, 60),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", _prefix(dnsnames.label), 30),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", _prefix(dnsnames.subdomain), 60),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", _prefix(dnsnames.label_1035), 30),
    "labelValue": Format("LabelValue", names.label_value, 40),
    "uri": Format("URI", _uri, 1103),
    "uuid": Format("uuid", _is(strfmt.is_uuid, "does not match the UUID format"), _UUID_SIZE),
    "byte": Format("byte", _is(strfmt.is_byte, "invalid base64"), 84),
    "date": Format("date", _is(strfmt.is_date, "invalid date"), _TIME_SIZE),
    "datetime": Format("datetime", _is(strfmt.is_datetime, "invalid datetime"), _TIME_SIZE),
}


def named(name: str) -> Optional:
    """`format.named(name)`."""
    return Optional(True, FORMATS[name]) if name in FORMATS else ABSENT


def validate(format: Format, text: str) -> Optional:
    """Returns a list of messages, or nothing for a text that has the format."""
    messages = format.check(text)
    return Optional(True, list(messages)) if messages else ABSENT
