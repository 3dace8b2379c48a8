"""One member, three names: `pod_ips` in Python, `podIPs` in JSON, `PodIPs` in Go.

Kubernetes writes acronyms in capitals behind the first word of a JSON name, and in small letters as the first word
(API conventions, "Naming conventions"). `docs/python.md` lists those that are known.
"""

from __future__ import annotations

import keyword
import re

ACRONYMS = frozenset(
    "api ca cidr cpu csi dns fqdn gid gpu http https id io ip ipc json os pid rbac sctp ssh ssl tcp tls ttl udp uid "
    "uri url uuid vm xml yaml".split()
)
#: Windows has no file of these names, whatever their case and suffix.
DEVICES = frozenset(["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))])
_WORD = re.compile(r"[A-Z]+(?:s(?=$|[A-Z0-9])|(?![a-z]))|[A-Z]?[a-z]+|[A-Z]+|[0-9]+[a-z]*")


def json_name(attribute: str) -> str:
    """Returns the name in JSON of an attribute.

    `api_version` is `apiVersion`, `pod_ips` is `podIPs`, `from_` is `from`.
    """
    first, *rest = attribute.rstrip("_").split("_") if attribute.strip("_") else [attribute]
    return first + "".join(_acronym(word) or word[:1].upper() + word[1:] for word in rest)


def go_name(json: str) -> str:
    """Returns the Go field of a JSON name by convention: `apiVersion` is `APIVersion`, `spec` is `Spec`."""
    words = _WORD.findall(json)
    first = words[0] if words else ""
    return (_acronym(first) or first[:1].upper() + first[1:]) + json[len(first) :]


def attribute_name(json: str) -> str:
    """Returns a Python attribute for a JSON name, the inverse of `json_name` wherever possible."""
    name = "_".join(word.lower() for word in _WORD.findall(json))
    if not name or name[0].isdigit():
        name = f"field_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def file_word(name: str) -> str:
    """Returns a Python identifier as a file name that every system allows: `aux` is `aux_`."""
    return f"{name}_" if name.lower() in DEVICES else name


def _acronym(word: str) -> str:
    """Returns an acronym or its plural in capitals, `""` for another word."""
    if word in ACRONYMS:
        return word.upper()
    if word.endswith("s") and word[:-1] in ACRONYMS:
        return f"{word[:-1].upper()}s"
    return ""
