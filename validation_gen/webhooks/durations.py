"""Timeout of a server: the parameter `timeout` of its URL, in the form of Go's durations.

Source of the form: `ParseDuration` of Go's package `time`. Nothing here waits.
"""

from __future__ import annotations

import functools
import re
from urllib.parse import parse_qsl

from validation_gen.webhooks.reviews import ReviewError

_PART = re.compile(r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(ns|us|µs|μs|ms|s|m|h)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
#: Share of the timeout reserved for the way back, and its limit in seconds.
_SHARE, _MARGIN = 0.1, 1.0


@functools.lru_cache(maxsize=64)
def time_to_answer(query: bytes, most: float) -> float:
    """Returns the seconds until an answer must be sent.

    Args:
        query: the query of the URL, such as `timeout=10s`.
        most: the default and the limit.

    Raises:
        ReviewError: it is no duration.
    """
    if not query:
        return most
    text = dict(parse_qsl(query.decode("latin-1"), max_num_fields=100) if query.count(b"&") < 99 else ()).get("timeout")
    if not text:
        return most
    given = seconds(text)
    if given <= 0:
        return most
    return min(most, given - min(given * _SHARE, _MARGIN))


def seconds(text: str) -> float:
    """Parses a duration such as `1m30s`.

    Raises:
        ReviewError: it is none.
    """
    if text == "0":
        return 0.0
    total, end = 0.0, 0
    for found in _PART.finditer(text[:100]):
        if found.start() != end:
            break
        total += float(found[1]) * _SECONDS[found[2]]
        end = found.end()
    if not end or end != len(text):
        raise ReviewError(f"timeout is no duration such as 10s: {text!r:.60}")
    return total
