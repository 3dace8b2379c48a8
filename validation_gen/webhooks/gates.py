"""Current settings of a webhook: feature gates, validation options, and the effect of rules of each level.

They can come from a file, which is read again when it changes:

    featureGates: {DeclarativeValidationBeta: true}
    options: {Armed: false}
    levels: {alpha: warn, beta: deny, standard: deny}

Nothing here validates an object, and `gatefile` reads the file. An invalid file never changes the settings.
"""

from __future__ import annotations

import enum
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from validation_gen.diagnostics import Diagnostics
from validation_gen.mismatch.gates import BETA, FeatureGates
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, drop_repeated, filter_enforced

_log = logging.getLogger("validation_gen.webhooks")
#: Seconds between checks of a file.
_LOOKS = 1.0


class Action(str, enum.Enum):
    """Effect of an error."""

    DENY = "deny"  #: the request is refused
    WARN = "warn"  #: it is allowed, with a warning
    OFF = "off"  #: it is ignored


@dataclass(frozen=True, slots=True)
class State:
    """Settings for one request.

    Attributes:
        options: the validation options that are on or off.
        actions: the effect of errors, by `FieldError.level`.
    """

    options: Mapping[str, bool] = field(default_factory=dict)
    actions: Mapping[str, Action] = field(default_factory=lambda: _actions({}, DEFAULT_LEVEL, is_beta_on=True))

    def split_by_level(self, errors: Sequence[FieldError]) -> tuple[list[FieldError], list[FieldError]]:
        """Returns the errors that refuse a request, and those that become warnings."""
        hidden = {level for level, each in self.actions.items() if each is not Action.DENY}
        denied = drop_repeated(filter_enforced(errors, hidden))
        warns = {level for level, each in self.actions.items() if each is Action.WARN}
        return denied, [each for each in errors if each.level in warns and each.type is not ErrorType.INTERNAL]


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Settings from a file or another source."""

    gates: Mapping[str, bool] = field(default_factory=dict)
    options: Mapping[str, bool] = field(default_factory=dict)
    levels: Mapping[str, Action] = field(default_factory=dict)


class GateError(ValueError):
    """An invalid file; `diagnostics` have positions and reasons."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        super().__init__("; ".join(f"{each.span}: {each.message}" for each in diagnostics.sorted()[:3]))


class Gates:
    """The current settings. It is thread-safe.

    Args:
        file: YAML or JSON. It is checked again with requests, at most once a second.
        target: the Kubernetes release to follow.
        options: validation options that the file does not set.
        level: the lowest level of rules that refuse, without levels in the file.
        known: the names of all validation options; without them, any name is accepted.
        told: receives messages about changed settings, and about an invalid file. By default they are logged.
        clock: returns seconds.
        settings: the settings without a file.

    Attributes:
        features: the feature gates, for harnesses: they change with the file.

    Raises:
        GateError: the file is invalid.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        target: str = "1.37",
        options: Mapping[str, bool] | None = None,
        level: str = DEFAULT_LEVEL,
        known: Collection[str] | None = None,
        told: Callable[[str], None] = _log.warning,
        clock: Callable[[], float] = time.monotonic,
        settings: GateSettings | None = None,
    ) -> None:
        self._settings = settings or GateSettings()
        self.features = FeatureGates(target)
        self._file = None if file is None else os.fspath(file)
        self._given = dict(options or {})
        self._level = Level(level)
        self._options = known
        self._told = told
        self._clock = clock
        self._lock = threading.Lock()
        self._next = clock() + _LOOKS
        self._known = self._stamp()
        self._state = self._make_state(self._read())

    @property
    def state(self) -> State:
        """The settings for a request at this time."""
        if self._file is not None and self._clock() >= self._next and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return self._state

    def _look(self) -> None:
        """Reads the file again, if it has changed, and uses it if it is valid."""
        self._next = self._clock() + _LOOKS
        now = self._stamp()
        if now == self._known:
            return
        self._known = now
        if isinstance(now, tuple) and not now[-1]:  # reading a pipe may block, and all requests with it
            self._told(f"the new gates cannot be used, the old ones stay: {self._file} is no ordinary file")
            return
        try:
            self._state = self._make_state(self._read())
        except GateError as problem:
            self._told(f"the new gates cannot be used, the old ones stay: {problem}")
        else:
            self._told(f"the gates of {self._file} have changed")

    def _stamp(self) -> object:
        if self._file is None:
            return None
        try:
            found = os.stat(self._file)  # noqa: PTH116 - it follows links, by which clusters change files
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino, stat.S_ISREG(found.st_mode)

    def _read(self) -> GateSettings:
        if self._file is None:
            return self._settings
        from validation_gen.webhooks.gatefile import read_gates  # noqa: PLC0415 - it brings YAML

        diagnostics = Diagnostics()
        said = read_gates(self._file, diagnostics, self.features, self._options)
        if diagnostics.has_errors:
            raise GateError(diagnostics)
        return said

    def _make_state(self, said: GateSettings) -> State:
        self.features.replace(said.gates)
        is_on = self.features.enabled(BETA) or not self.features.has_lifecycle
        options = MappingProxyType({**self._given, **said.options})
        return State(options, MappingProxyType(_actions(said.levels, self._level, is_beta_on=is_on)))


def _actions(levels: Mapping[str, Action], lowest: Level, *, is_beta_on: bool) -> dict[str, Action]:
    """Returns the effect of errors by their level. Without its gate, no beta rule refuses anything."""
    found = {each.value: Action.OFF if each.value in lowest.hidden else Action.DENY for each in Level} | dict(levels)
    if not is_beta_on and found["beta"] is Action.DENY:
        found["beta"] = Action.OFF
    found[""] = found.pop("standard")
    return found
