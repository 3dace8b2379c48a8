"""Named formats: `format.dns1123Label().validate(text)`.

Source of the behaviour: `pkg/cel/library/format.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from validation_gen.kubernetes.cel.values import ABSENT, Optional
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.formats.gourl import GoUrlError, request_url
from validation_gen.kubernetes.formats.valueformats import FORMATS
from validation_gen.runtime import names


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `pattern_size` is what expressions pay for a look at a text; two formats are one if their names are."""

    name: str
    check: Callable[[str], Iterable[str]] = field(compare=False)
    pattern_size: int = field(compare=False)


def _prefix(check: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
    """The check of a name to which something will be appended: it may end with a dash."""
    return lambda text: check(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _by_schema(name: str, message: str) -> Callable[[str], Iterable[str]]:
    return lambda text: () if FORMATS[name](text) else (message,)


def _uri(text: str) -> Iterable[str]:
    try:
        request_url(text)
    except GoUrlError as error:
        return (str(error),)
    return ()


#: The length of upstream's patterns for date-times.
_DATE_TIME = 71
FORMATS_BY_NAME: Mapping[str, Format] = {
    "dns1123Label": Format("DNS1123Label", dnsnames.label, 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", dnsnames.subdomain, 60),
    "dns1035Label": Format("DNS1035Label", dnsnames.label_1035, 30),
    "qualifiedName": Format("QualifiedName", names.label_key, 60),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", _prefix(dnsnames.label), 30),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", _prefix(dnsnames.subdomain), 60),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", _prefix(dnsnames.label_1035), 30),
    "labelValue": Format("LabelValue", names.label_value, 40),
    "uri": Format("URI", _uri, 1103),
    "uuid": Format("uuid", _by_schema("uuid", "does not match the UUID format"), 70),
    "byte": Format("byte", _by_schema("byte", "invalid base64"), 84),
    "date": Format("date", _by_schema("date", "invalid date"), _DATE_TIME),
    "datetime": Format("datetime", _by_schema("datetime", "invalid datetime"), _DATE_TIME),
}


def named(name: str) -> Optional:
    """`format.named(name)`."""
    found = FORMATS_BY_NAME.get(name)
    return ABSENT if found is None else Optional(True, found)


def validate(format: Format, text: str) -> Optional:
    """What is wrong with a text; nothing is held if nothing is."""
    messages = list(format.check(text))
    return Optional(True, messages) if messages else ABSENT
