"""Feature gates: which side is authoritative, changeable at any moment.

Source of the behaviour: tag reference 5.1; `k8s.io/component-base/featuregate` for texts and for what `AllAlpha` and
`AllBeta` do.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

VALIDATION = "DeclarativeValidation"
TAKEOVER = "DeclarativeValidationTakeover"
BETA = "DeclarativeValidationBeta"

_log = logging.getLogger("validation_gen.mismatch")
_TRUE = frozenset("1 t T TRUE true True".split())
_FALSE = frozenset("0 f F FALSE false False".split())


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate in one release: its default, and whether it can be changed."""

    default: bool
    stage: str
    locked: bool = False


#: The gates by release. Releases from the first one of an entry on have it, up to the next entry.
_GATES: dict[tuple[int, int], Mapping[str, Gate]] = {
    (1, 33): {VALIDATION: Gate(True, "BETA"), TAKEOVER: Gate(False, "BETA")},
    (1, 36): {
        VALIDATION: Gate(True, "GA", locked=True),
        TAKEOVER: Gate(False, "DEPRECATED"),
        BETA: Gate(True, "BETA"),
    },
    (1, 37): {
        VALIDATION: Gate(True, "GA", locked=True),
        TAKEOVER: Gate(False, "DEPRECATED", locked=True),
        BETA: Gate(True, "BETA"),
    },
}
_GROUPS = {"AllAlpha": "ALPHA", "AllBeta": "BETA"}


def release(target: str) -> tuple[int, int]:
    """Returns a release such as `1.36` as numbers.

    Raises:
        ValueError: the text is no release, or one before declarative validation.
    """
    parts = target.removeprefix("v").split(".")
    if len(parts) == 2 and all(part.isdecimal() for part in parts):
        found = (int(parts[0]), int(parts[1]))
        if found >= min(_GATES):
            return found
    raise ValueError(f"{target!r} is no Kubernetes release with declarative validation, such as 1.36")


class FeatureGates:
    """The gates of one release. Any thread may read and change them; a change applies to every later request.

    Gates without a setting have the default of the release. `AllAlpha` and `AllBeta` set all gates of that stage
    without their own setting. `target` is the Kubernetes release to agree with.

    Raises:
        ValueError: the release or a gate is unknown, or a gate is locked.
    """

    def __init__(self, target: str = "1.37", settings: Mapping[str, bool] | None = None) -> None:
        self.target = target
        self.release = release(target)
        self._known = _GATES[max(first for first in _GATES if first <= self.release)]
        self._set: dict[str, bool] = {}
        self._lock = threading.Lock()
        self._enabled: Mapping[str, bool] = {}
        self.update(settings or {})

    @classmethod
    def parse(cls, text: str, target: str = "1.37") -> FeatureGates:
        """Parses gates of a command line: `A=true,B=false`."""
        return cls(target, parse_gates(text))

    @classmethod
    def from_environment(cls, target: str = "1.37", environment: Mapping[str, str] | None = None) -> FeatureGates:
        """Reads gates from variables named `KUBE_FEATURE_` and the gate, as Kubernetes' clients do.

        An invalid variable is logged and ignored: variables are often set for many programs at once.
        """
        variables = os.environ if environment is None else environment
        found = cls(target)
        for name in (*found._known, *_GROUPS):
            text = variables.get(f"KUBE_FEATURE_{name}")
            if text is not None:
                try:
                    found.set(name, _state(name, text))
                except ValueError as error:
                    _log.error("Could not set a feature gate from the environment: %s", error)
        return found

    @property
    def has_lifecycle(self) -> bool:
        """True if each rule is alpha, beta or standard (since 1.36) instead of all taking over at once."""
        return self.release >= (1, 36)

    @property
    def states(self) -> Mapping[str, bool]:
        """Snapshot of all gates of the release. Later changes do not affect it."""
        return self._enabled

    def enabled(self, name: str) -> bool:
        """Returns whether a gate is on. A gate that the release does not have is off."""
        return self._enabled.get(name, False)

    def set(self, name: str, enabled: bool) -> None:
        """Switches a gate.

        Raises:
            ValueError: it is unknown or locked.
        """
        self.update({name: enabled})

    def update(self, settings: Mapping[str, bool]) -> None:
        """Switches several gates at once: no request sees only some of them switched.

        Raises:
            ValueError: one of them is unknown or locked. Then none is switched.
        """
        self._change(settings, keep=True)

    def replace(self, settings: Mapping[str, bool]) -> None:
        """Switches several gates at once, and all others back to the default of the release.

        Raises:
            ValueError: as `update`.
        """
        self._change(settings, keep=False)

    def _change(self, settings: Mapping[str, bool], *, keep: bool) -> None:
        for name, enabled in settings.items():
            gate = self._known.get(name)
            if gate is None and name not in _GROUPS:
                raise ValueError(
                    f"unrecognized feature gate: {name}; {self.target} has {', '.join(sorted(self._known))}"
                )
            if gate is not None and gate.locked and enabled is not gate.default:
                state = "true" if gate.default else "false"
                wanted = "true" if enabled else "false"
                raise ValueError(f"cannot set feature gate {name} to {wanted}, feature is locked to {state}")
        with self._lock:
            self._set = {**(self._set if keep else {}), **settings}
            self._enabled = MappingProxyType({name: self._state(name, gate) for name, gate in self._known.items()})

    def _state(self, name: str, gate: Gate) -> bool:
        if name in self._set:
            return self._set[name]
        if not gate.locked:
            for group, stage in _GROUPS.items():
                if stage == gate.stage and group in self._set:
                    return self._set[group]
        return gate.default

    def __repr__(self) -> str:
        states = ",".join(f"{name}={'true' if on else 'false'}" for name, on in sorted(self._enabled.items()))
        return f"FeatureGates({self.target!r}: {states})"


def parse_gates(text: str) -> dict[str, bool]:
    """Returns the gates in `A=true,B=false`, in Go's spellings of true and false.

    Raises:
        ValueError: a part is malformed.
    """
    found = {}
    for part in text.split(","):
        if not part:
            continue  # as in Kubernetes, a comma too many does not matter
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals:
            raise ValueError(f"missing bool value for {name}")
        found[name] = _state(name, value)
    return found


def _state(name: str, text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ValueError(f"invalid value of {name}={text}: write true or false")
