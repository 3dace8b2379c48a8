"""Accepts several manifests after one option, as shells expand `-f manifests/*.yaml`."""

from __future__ import annotations

import os

_OPTIONS = ("-f", "--filename", "--old")


def named_manifests(given: list[str]) -> list[str]:
    """Returns the arguments, with the option repeated before each manifest that follows another one.

    Sources have other names than manifests, so that this is unambiguous. A directory is one of manifests where the
    sources come first.
    """
    found: list[str] = []
    option = ""
    sourced = bool(given) and not given[0].startswith("-")
    words = iter(given)
    for word in words:
        if word == "--":
            return [*found, word, *words]
        if word in _OPTIONS:
            option = word
            found += [word, *(value for value in [next(words, None)] if value is not None)]
        elif word.startswith("-"):
            option = ""
            found.append(word)
        else:
            found += [option, word] if option and (_is_manifest(word) or (sourced and _is_directory(word))) else [word]
    return found


def _is_directory(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112 - unlike Path.is_dir, it never raises


def _is_manifest(name: str) -> bool:
    from validation_gen.files.paths import is_manifest  # noqa: PLC0415 - late, so that --help stays fast

    return is_manifest(name)
