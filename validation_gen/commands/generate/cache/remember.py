"""Caches work: looks up a result, validates it, and otherwise computes and stores it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path

from validation_gen.commands.generate.cache.entry import UnusableError, decode, encode
from validation_gen.commands.generate.cache.fingerprint import fingerprint
from validation_gen.commands.generate.cache.store import load, save
from validation_gen.commands.generate.run import Generated
from validation_gen.compiler.settings import Settings
from validation_gen.sources.questions import still_holds
from validation_gen.sources.recorded import noted, retell


def remembered(
    settings: Settings, directory: Path, work: Callable[[], Generated], *, wanted: Sequence[object] = ()
) -> Generated:
    """Returns the result of `work` for these settings, from the cache if no input has changed.

    `work` must depend only on the settings, the `wanted` outputs (as JSON), the current directory, and the reads that
    `recorded` notes.
    """
    try:
        key = _key(settings, wanted)
    except OSError:  # the current directory is gone, or the program is being replaced
        return work()
    kept = load(directory, key)
    if kept is not None:
        try:
            answers, result = decode(kept)
        except UnusableError:
            pass
        else:
            if still_holds(answers):
                retell(answers)
                return result
    with noted() as notes:
        result = work()
    if notes.consistent:
        save(directory, key, encode(notes.answers, result))
    return result


def _key(settings: Settings, wanted: Sequence[object]) -> str:
    """Returns the key of a run: its configuration, directory and program, which are known before reading."""
    asked = [fingerprint(), os.getcwd(), asdict(settings), wanted]  # noqa: PTH109 - a text is wanted
    return blake2b(json.dumps(asked).encode(), digest_size=20).hexdigest()
