"""Formats of strings that both definitions and expressions know.

Source of the behaviour: `pkg/validation/strfmt` of `k8s.io/kube-openapi`.
"""

from __future__ import annotations

import re
from calendar import monthrange

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
