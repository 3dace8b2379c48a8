"""Reads the file of gates: YAML or JSON, with the position of each mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files.reading import read_named
from validation_gen.kubernetes.manifests import Manifest, parse
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.runtime.levels import Level
from validation_gen.runtime.words import nearest
from validation_gen.webhooks.gates import Action, GateSettings

_MOST = 1 << 20  # bytes
_GATES, _OPTIONS, _LEVELS = "featureGates", "options", "levels"
_EXAMPLE = "write levels: {alpha: warn, beta: deny, standard: deny}"


def read_gates(
    file: str, diagnostics: Diagnostics, features: FeatureGates, known: Collection[str] | None = None
) -> GateSettings:
    """Reads a file, and reports its mistakes with their positions.

    Args:
        file: its path.
        diagnostics: collects the mistakes.
        features: knows the gates; none is switched.
        known: the names of all validation options; without them, any name is accepted.
    """
    try:
        content = read_named(file, _MOST)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        diagnostics.error("VG901", f"cannot read: {reason}", Span(file), "check the path")
        return GateSettings()
    found = parse(file, content, diagnostics, lambda _: True)
    if len(found) > 1:
        diagnostics.error("VG906", "gates are one document", found[1].positions.span([]), "delete the others")
    if not found or diagnostics.has_errors:
        return GateSettings()
    return _read_settings(found[0], diagnostics, features, known)


def _read_settings(
    manifest: Manifest, diagnostics: Diagnostics, features: FeatureGates, known: Collection[str] | None
) -> GateSettings:
    def wrong(message: str, path: Sequence[str], help: str) -> None:
        diagnostics.error("VG906", message, manifest.positions.span(path), help)

    def table(name: str) -> dict[str, Any]:
        value = manifest.obj.get(name)
        if value is not None and not isinstance(value, dict):
            wrong(f"{name} is not a table", [name], _EXAMPLE)
        return value if isinstance(value, dict) else {}

    def suggest(name: str, names: Iterable[str]) -> str:
        names = sorted(names)
        near = nearest(name, names)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}" if names else "there are none"

    if not isinstance(manifest.obj, dict):
        wrong("gates are a table", [], _EXAMPLE)
        return GateSettings()
    keys = (_GATES, _OPTIONS, _LEVELS)
    for name in manifest.obj:
        if name not in keys:
            wrong(f"there is no key {name}", [name], suggest(name, keys))
    switches: dict[str, dict[str, bool]] = {_GATES: {}, _OPTIONS: {}}
    for key, found in switches.items():
        for name, value in table(key).items():
            if not isinstance(value, bool):
                wrong(f"{name} is neither true nor false", [key, name], "write true or false")
            elif key == _OPTIONS and known is not None and name not in known:
                wrong(f"there is no validation option {name}", [key, name], suggest(name, known))
            else:
                found[name] = value
    for name, value in switches[_GATES].items():
        try:
            FeatureGates(features.target, {name: value})
        except ValueError as problem:
            wrong(str(problem), [_GATES, name], suggest(name, features.states))
    levels: dict[str, Action] = {}
    names = [each.value for each in Level]
    for name, given in table(_LEVELS).items():
        value = Action.OFF.value if given is False else given  # in YAML, `off` is a boolean
        if name not in names:
            wrong(f"there is no level {name}", [_LEVELS, name], suggest(name, names))
        elif value not in [each.value for each in Action]:
            wrong(f"{name} is none of deny, warn and off", [_LEVELS, name], _EXAMPLE)
        else:
            levels[name] = Action(value)
    return GateSettings(switches[_GATES], switches[_OPTIONS], levels)
