"""Formats of strings in custom resources: predicates by name, and names of the DNS in the API server's words.

Other formats accept every text. Lengths of names in objects count bytes, but the texts call them characters.

Sources of the behaviour: `pkg/util/validation` of `k8s.io/apimachinery`, `pkg/validation/strfmt` of
`k8s.io/kube-openapi`.
"""

from __future__ import annotations

import ipaddress
import re
from calendar import monthrange
from collections.abc import Callable

from validation_gen.kubernetes.formats.gourl import is_request_url
from validation_gen.runtime import names, texts
from validation_gen.runtime.formats import ip as ip_errors
from validation_gen.runtime.goregex import compiled
from validation_gen.runtime.gotime import parse_duration
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
_is_dns_uuid = re.compile(rf"{_HEX}{{8}}-?(?:{_HEX}{{4}}-?){{3}}{_HEX}{{12}}", re.ASCII | re.IGNORECASE).fullmatch
_date_parts = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch
_time_parts = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))").fullmatch


def is_byte(text: str) -> bool:
    """Returns whether a text is Base64."""
    return _byte(text) is not None


def is_uuid(text: str) -> bool:
    return _is_dns_uuid(text) is not None


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


Format = Callable[[str], bool]


def normalize(name: str) -> str:
    """Removes dashes: `date-time` and `datetime` are one format."""
    return name.replace("-", "")


def _regex(pattern: str, flags: int = 0) -> Format:
    code = re.compile(pattern, re.ASCII | flags)
    return lambda text: code.fullmatch(text) is not None


# --- hosts and addresses ----------------------------------------------------------------------------------------------

_HOSTNAME = (
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|"
    r"([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
)


def _hostname(text: str) -> bool:
    if names.byte_count(text) > 255 or not compiled(_HOSTNAME).matches(text):
        return False
    return all(names.byte_count(part) <= 63 for part in text.split("."))


def _ip(text: str) -> bool:
    """Returns whether a text is an address in the lenient form, which allows leading zeros."""
    return ip_errors(text) is None


def _ipv6(text: str) -> bool:
    try:
        return "%" not in text and bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


def _cidr(text: str) -> bool:
    address, slash, mask = text.partition("/")
    bits = int(mask[:5]) if mask.isascii() and mask.isdigit() else -1
    return bool(slash) and _ip(address) and 0 <= bits <= (128 if ":" in address else 32)


_mac_pairs = re.compile(r"[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2})*")
_mac_dots = _regex(r"[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4})+")


_mac_digits = _regex("[0-9A-Fa-f]+")


def _mac(text: str) -> bool:
    """Accepts pairs of digits, groups of four, or, as recent releases of Go, only digits."""
    if _mac_dots(text):
        return len(text) in (14, 19, 49)
    if _mac_digits(text):
        return len(text) in (12, 16, 40)
    return _mac_pairs.fullmatch(text) is not None and len(text) in (17, 23, 59)


_CHARACTER = r"[^\x00-\x20\x7f()<>\[\]:;@\\,.\"]"
_ATOM = f"{_CHARACTER}+"
_VISIBLE = r"[^\x00-\x08\x0a-\x1f\x7f"
_QUOTED = rf'"{_VISIBLE}"\\]*(?:\\{_VISIBLE}]{_VISIBLE}"\\]*)*"'
_LOCAL = rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})"
_ADDRESS = rf"[ \t]*{_LOCAL}@[ \t]*(?:{_ATOM}(?:\.{_ATOM})*|\[(?P<literal>[^\[\]\\]*)\])"
_WORDS = rf"{_VISIBLE}()<>\[\]:;@\\,\"]*"
_PHRASE = rf"{_WORDS}(?:{_QUOTED}{_WORDS})*"
_is_address = re.compile(rf"(?:{_ADDRESS})[ \t]*").fullmatch
_is_named_address = re.compile(rf"{_PHRASE}<(?:{_ADDRESS})>[ \t]*").fullmatch


def _email(text: str) -> bool:
    """Accepts addresses as Go's `net/mail` does, except for comments and groups."""
    match = _is_address(text) or _is_named_address(text)
    return match is not None and (match["literal"] is None or _ip(match["literal"].removeprefix("IPv6:")))


# --- times ------------------------------------------------------------------------------------------------------------

# A number matches from its first digit only; otherwise long ones without a unit would be tried from each digit.
_DURATION = re.compile(r"(?<![0-9])([0-9]+)(?![0-9])[\t\n\f\r ]*([A-Za-zµ]+)")
_SECOND = 1_000_000_000
#: Nanoseconds of units. The last word of each also matches as a prefix.
_UNITS = {
    "ns nano": 1,
    "us µs micro": 1_000,
    "ms milli": 1_000_000,
    "s sec": _SECOND,
    "m min": 60 * _SECOND,
    "h hr hour": 3_600 * _SECOND,
    "d day": 86_400 * _SECOND,
    "w wk week": 7 * 86_400 * _SECOND,
}


def read_duration(text: str) -> int:
    """Returns the nanoseconds of a duration in Go's form, or as a sum of parts such as `2 days`.

    Raises:
        ValueError: the text is none.
    """
    nanoseconds = parse_duration(text)
    if nanoseconds is not None:
        return nanoseconds
    parts = [(_number(digits), _find_unit(name.lower())) for digits, name in _DURATION.findall(text)]
    known = [number * unit for number, unit in parts if unit]
    if not known:
        raise ValueError(f"unable to parse {text} as duration")
    return (sum(known) + (1 << 63)) % (1 << 64) - (1 << 63)  # Go lets it overflow


def _number(digits: str) -> int:
    stripped = digits.lstrip("0")
    if len(stripped) > 19 or int(stripped or 0) >= 1 << 63:
        raise ValueError(f'strconv.Atoi: parsing "{digits}": value out of range')
    return int(stripped or 0)


def _find_unit(name: str) -> int:
    """Returns the nanoseconds of a unit, 0 if it is unknown."""
    for words, nanoseconds in _UNITS.items():
        if name in words.split() or name.startswith(words.rpartition(" ")[2]):
            return nanoseconds
    return 0


def _duration(text: str) -> bool:
    try:
        read_duration(text)
    except ValueError:
        return False
    return True


# --- identification numbers -------------------------------------------------------------------------------------------

_is_isbn10 = _regex("[0-9]{9}[0-9X]")
_is_isbn13 = _regex("[0-9]{13}")
_is_card = _regex(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|"
    r"3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}"
)


def _isbn10(text: str) -> bool:
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not _is_isbn10(digits):
        return False
    return sum(n * (10 if digit == "X" else int(digit)) for n, digit in enumerate(digits, 1)) % 11 == 0


def _isbn13(text: str) -> bool:
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not _is_isbn13(digits):
        return False
    return sum(int(digit) * (3 if n % 2 else 1) for n, digit in enumerate(digits)) % 10 == 0


def _credit_card(text: str) -> bool:
    digits = re.sub("[^0-9]+", "", text)
    doubled = (int(digit) * (2 if n % 2 else 1) for n, digit in enumerate(reversed(digits)))
    return _is_card(digits) and sum(n % 10 + n // 10 for n in doubled) % 10 == 0


_is_ssn = _regex("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")
_BYTE = r"0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5]"


def _uuid(third: str, fourth: str) -> Format:
    return _regex(rf"{_HEX}{{8}}-?{_HEX}{{4}}-?{third}-?{fourth}-?{_HEX}{{12}}", re.IGNORECASE)


_four = f"{_HEX}{{4}}"

#: Formats by their names without dashes.
FORMATS: dict[str, Format] = {
    "bsonobjectid": _regex("[0-9A-Fa-f]{24}"),
    "byte": is_byte,
    "cidr": _cidr,
    "creditcard": _credit_card,
    "date": is_date,
    "datetime": is_datetime,
    "duration": _duration,
    "email": _email,
    "hexcolor": _regex("#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": _hostname,
    "ipv4": lambda text: "." in text and _ip(text),
    "ipv6": _ipv6,
    "isbn": lambda text: _isbn10(text) or _isbn13(text),
    "isbn10": _isbn10,
    "isbn13": _isbn13,
    "k8slongname": lambda text: not names.dns_subdomain(text),
    "k8sshortname": lambda text: not names.dns_label(text),
    "mac": _mac,
    "password": lambda text: True,
    "rgbcolor": _regex(rf"rgb\(\s*(?:{_BYTE})\s*,\s*(?:{_BYTE})\s*,\s*(?:{_BYTE})\s*\)"),
    "ssn": lambda text: len(text) == 11 and _is_ssn(text),
    "uri": is_request_url,
    "uuid": is_uuid,
    "uuid3": _uuid(f"3{_HEX}{{3}}", _four),
    "uuid4": _uuid(f"4{_HEX}{{3}}", f"[89ab]{_HEX}{{3}}"),
    "uuid5": _uuid(f"5{_HEX}{{3}}", f"[89ab]{_HEX}{{3}}"),
}


def is_known(type: str, format: str) -> bool:
    """Returns whether the server knows a format of a type; it warns of others, and does not use them."""
    if type in ("", "string"):
        return normalize(format) in FORMATS
    return format in {"integer": ("int32", "int64"), "number": ("float", "double")}.get(type, ())
