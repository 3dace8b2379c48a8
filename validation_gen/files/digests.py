"""Digests that identify content."""

from __future__ import annotations

try:  # hashlib loads OpenSSL, which takes longer than most digests
    from _blake2 import blake2b
except ImportError:  # such as in another Python
    from hashlib import blake2b

__all__ = ["blake2b", "digest"]


def digest(content: bytes) -> str:
    """Returns a digest of 20 bytes, as a text."""
    return blake2b(content, digest_size=20).hexdigest()
