"""Recognizes compressed data, of the kinds that some commands read."""

from __future__ import annotations

#: Number of first bytes that `packing_of` needs.
HEAD = 4
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
#: Zstandard frames without data, such as the tables of parallel compressors.
_SKIPPED = b"\x2a\x4d\x18"


def packing_of(head: bytes) -> str:
    """Returns the compression of data with this beginning: `gzip` or `Zstandard`, empty for others.

    No text begins so.
    """
    if head[:2] == _GZIP:
        return "gzip"
    if head[:4] == _ZSTANDARD or (head[1:4] == _SKIPPED and 0x50 <= head[0] <= 0x5F):
        return "Zstandard"
    return ""
