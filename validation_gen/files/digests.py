"""Digests by which content is known again."""

from __future__ import annotations

try:  # hashlib brings OpenSSL, which takes longer to load than most of what is digested
    from _blake2 import blake2b
except ImportError:  # such as in another Python
    from hashlib import blake2b

__all__ = ["blake2b", "digest"]


def digest(content: bytes) -> str:
    """A digest of 20 bytes, as a text."""
    return blake2b(content, digest_size=20).hexdigest()
