"""Commands that install something. Documents name what exists: this project with its extras, and what tests install."""

from __future__ import annotations

import importlib.metadata
import shlex

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "validation-gen"
_BEGINNINGS = (["pip", "install"], ["python", "-m", "pip", "install"])


def installs(command: str) -> bool:
    words = shlex.split(command)
    return any(words[: len(beginning)] == beginning for beginning in _BEGINNINGS)


def check_install(command: str) -> None:
    """Fails on what a reader could not install."""
    metadata = importlib.metadata.metadata(OURS)
    extras = set(metadata.get_all("Provides-Extra") or [])
    known = {canonicalize_name(Requirement(text).name) for text in metadata.get_all("Requires-Dist") or []}
    words = shlex.split(command)
    for word in words[words.index("install") + 1 :]:
        if word in ("-e", "--quiet", "--no-deps", "--upgrade"):
            continue
        wanted = Requirement(word.replace(".", OURS, 1) if word.startswith(".") else word)
        if wanted.name == OURS:
            assert wanted.extras <= extras, f"{command}: no such extra"
            assert word.startswith(".") or wanted.url, f"{command}: no index has it"
            released = f"@v{metadata['Version']}"
            assert not wanted.url or wanted.url.endswith(released), f"{command}: this is {released}"
        else:
            assert canonicalize_name(wanted.name) in known, f"{command}: tests do not know {wanted.name}"
