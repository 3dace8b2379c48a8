"""Conversions between the versions of a kind: declared as moves or as functions, and made without loss.

    from validation_gen.webhooks.conversions import Conversion, Converter, FieldOnlyIn, Move

    converter = Converter([
        Conversion("v1alpha1", "v1", kind="Robot", moves=[
            Move("spec.size", "spec.dimensions.size"),
            FieldOnlyIn("v1", "spec.homeDock"),
        ]),
    ])
    converter.convert(robot, "example.com/v1")

Objects are converted directly if possible, else through the hub. Values that a version cannot represent are kept in the
annotation `KEPT`, and restored unless they have been changed.

- `declared`: `Conversion`, and `converts` for functions. `moves` are the parts of a conversion, `paths` the paths of
  their fields.
- `kept`: finds and restores lost values; `annotation` stores them in between, and protects other metadata.
- `values`: copies and compares decoded JSON, and has the exceptions.

Invalid declarations raise `DeclarationError`, and objects that cannot be converted `ConversionError`.

Programs import this at run time: it needs the standard library and `validation_gen.runtime` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from validation_gen.runtime.words import nearest
from validation_gen.webhooks.conversions.annotation import KEPT, restore_identity, take_annotation, write_annotation
from validation_gen.webhooks.conversions.declared import Conversion, VersionPair, converts, find_conversions
from validation_gen.webhooks.conversions.kept import Entry, find_losses, restore
from validation_gen.webhooks.conversions.moves import (
    AnyMove,
    Apply,
    Constant,
    Default,
    FieldOnlyIn,
    Move,
    Rename,
    Split,
    Values,
    Wrap,
)
from validation_gen.webhooks.conversions.paths import FREE, Path
from validation_gen.webhooks.conversions.values import (
    ConversionError,
    DeclarationError,
    check_depth,
    copy_value,
    not_json,
)

#: Former names, kept for one release.
Only = FieldOnlyIn
Way = VersionPair

_Ways = dict[tuple[str, str], VersionPair]


@dataclass(frozen=True)
class Loss:
    """A value that one step of a conversion cannot represent.

    Attributes:
        way: the step.
        entry: the place and the value.
        declared: the field of the step's declaration that covers it, None without one.
    """

    way: VersionPair
    entry: Entry
    declared: Path | None


class Converter:
    """Converts objects of the declared kinds.

    Args:
        declared: conversions, and functions under `converts`.
        hub: the version through which others are converted that have no direct conversion: one for all kinds, or by
            kind. By default it is the one with conversions to and from all others.

    Raises:
        DeclarationError: two declare the same conversion, or versions of a kind cannot be converted into one another.
    """

    def __init__(self, declared: Iterable[object], *, hub: str | Mapping[str, str] | None = None) -> None:
        self._kinds: dict[tuple[str, str], _Ways] = {}
        for each in declared:
            conversions = find_conversions(each)
            if not conversions:
                help = "give it Conversion(…), or a function under @converts(…)"
                raise DeclarationError(f"{each!r:.80} is no conversion; {help}")
            for way in conversions:
                known = self._kinds.setdefault((way.group, way.kind), {})
                if known.setdefault((way.source, way.target), way) is not way:
                    raise DeclarationError(f"{way} is declared twice; leave one of them out")
        self._hubs = {key: _hub(key[1], conversions, hub) for key, conversions in self._kinds.items()}

    @classmethod
    def of(cls, *modules: ModuleType) -> Converter:
        """Returns the converter of modules: the one that they define, or else one of all their declarations.

        Raises:
            DeclarationError: as `Converter`, or nothing is declared there, or there are several converters.
        """
        names = ", ".join(module.__name__ for module in modules)
        found = [each for module in modules for each in _declared(module)]
        ready = {id(each): each for each in found if isinstance(each, cls)}
        if len(ready) > 1:
            raise DeclarationError(f"{names} has several converters; leave one of them")
        if ready:
            return next(iter(ready.values()))
        if not found:
            help = "declare one with Conversion(…) or @converts(…)"
            raise DeclarationError(f"{names} has no conversions; {help}")
        return cls({id(each): each for each in found}.values())

    @property
    def kinds(self) -> dict[tuple[str, str], frozenset[str]]:
        """The known versions, by group and kind. The group is empty for conversions of any group."""
        return {
            key: frozenset(version for pair in conversions for version in pair)
            for key, conversions in self._kinds.items()
        }

    def way(self, kind: str, source: str, target: str, group: str = "") -> list[VersionPair]:
        """Returns the steps from one version of a kind to another.

        Raises:
            ConversionError: there are none.
        """
        conversions = self._ways(group, kind)
        found = _steps(conversions, source, target, self._find_hub(group, kind))
        if found is None:
            versions = sorted({version for pair in conversions for version in pair})
            for version in (source, target):
                if version not in versions:
                    near = nearest(version, versions)
                    suggestion = f"did you mean {near[0]}?" if near else f"there are {', '.join(versions)}"
                    raise ConversionError(f"{kind:.80} has no version {version:.80} here; {suggestion}")
            raise ConversionError(f"there is no way of {kind} from {source} to {target}")
        return found

    def convert(self, obj: Mapping[str, Any], api_version: str) -> dict[str, Any]:
        """Returns a new object in another version, as `example.com/v1`. The given one is not changed.

        Raises:
            ConversionError: it cannot be converted. The text has the reason.
        """
        made, _ = self.traced(obj, api_version)
        return made

    def traced(self, obj: Mapping[str, Any], api_version: str) -> tuple[dict[str, Any], list[Loss]]:
        """Converts as `convert`, and also returns the losses of each step.

        Raises:
            ConversionError: it cannot be converted. The text has the reason.
        """
        group, kind, source = _read_identity(obj)
        check_depth(obj, "the object")
        if wrong := not_json(obj):
            raise ConversionError(f"the object is not JSON: {wrong}")
        wanted, _, target = api_version.rpartition("/")
        if wanted != group:
            raise ConversionError(f"the group must stay {group!r:.80}, and {api_version!r:.80} is wanted")
        made: dict[str, Any] = copy_value(dict(obj))
        losses: list[Loss] = []
        if source != target:
            for way in self.way(kind, source, target, group):
                made, more = self._step(made, way, group)
                losses += more
        return made, losses

    def _step(self, obj: dict[str, Any], pair: VersionPair, group: str) -> tuple[dict[str, Any], list[Loss]]:
        kept = take_annotation(obj)
        made = _run(pair, copy_value(obj), obj, group)
        back = self._ways(group, pair.kind).get((pair.target, pair.source))
        if restored := kept.pop(pair.target, ()):
            whole = copy_value(made)
            try:
                _restore(whole, restored)
                restore_identity(obj, whole)
                entries = _find_losses(obj, whole, pair, back, group)
                made = whole
            except ConversionError:
                # A hostile annotation must not block other objects in a list.
                entries = _find_losses(obj, made, pair, back, group)
        else:
            entries = _find_losses(obj, made, pair, back, group)
        kept.pop(pair.source, None)
        write_annotation(made, {**kept, pair.source: entries})
        return made, [Loss(pair, part, field) for entry in entries for part, field in pair.keeps.losses(entry)]

    def _ways(self, group: str, kind: str) -> _Ways:
        found = self._kinds.get((group, kind)) or self._kinds.get(("", kind))
        if found is None:
            names = sorted({name for _, name in self._kinds})
            near = nearest(kind, names)
            suggestion = f"did you mean {near[0]}?" if near else f"there are some for {', '.join(names) or 'no kind'}"
            raise ConversionError(f"there are no conversions for {kind:.80} of {group or 'no group':.80}; {suggestion}")
        return found

    def _find_hub(self, group: str, kind: str) -> str:
        return self._hubs.get((group, kind)) or self._hubs.get(("", kind), "")


def _read_identity(obj: Mapping[str, Any]) -> tuple[str, str, str]:
    """Returns the group, the kind and the version of an object."""
    if not isinstance(obj, dict):
        raise ConversionError("this is not an object")
    version, kind = obj.get("apiVersion"), obj.get("kind")
    if not isinstance(version, str) or not version or not isinstance(kind, str) or not kind:
        raise ConversionError("the object has no apiVersion or no kind")
    if not isinstance(obj.get("metadata", {}), dict):
        raise ConversionError("metadata is not an object")
    for name in FREE:
        value = obj.get("metadata", {}).get(name)
        if value is not None and not isinstance(value, dict):
            raise ConversionError(f"metadata.{name} is not an object")
    group, _, name = version.rpartition("/")
    return group, kind, name


def _run(pair: VersionPair, given: dict[str, Any], obj: dict[str, Any], group: str) -> dict[str, Any]:
    """Runs one step on an object, and restores the metadata that a conversion must not change."""
    try:
        made = pair.run(given)
    except ConversionError as problem:
        raise ConversionError(f"{pair} failed: {problem}") from problem
    except (Exception, SystemExit) as problem:
        raise ConversionError(f"{pair} failed: {type(problem).__name__}") from problem
    made = given if made is None else made
    if not isinstance(made, dict):
        raise ConversionError(f"{pair} failed: it returned {type(made).__name__}, which is not an object")
    try:
        check_depth(made, "what it returned")
        if wrong := not_json(made):
            raise ConversionError(f"its result is not JSON: {wrong}")
        restore_identity(obj, made)
    except ConversionError as problem:
        raise ConversionError(f"{pair} failed: {problem}") from problem
    version = f"{group}/{pair.target}" if group else pair.target
    rest = {name: value for name, value in made.items() if name not in ("apiVersion", "kind", "metadata")}
    return {"apiVersion": version, "kind": obj["kind"], "metadata": made["metadata"], **rest}


def _find_losses(
    obj: dict[str, Any], made: dict[str, Any], pair: VersionPair, back: VersionPair | None, group: str
) -> list[Entry]:
    """Returns the fields lost by a conversion; empty if no reverse conversion exists."""
    if back is None:
        return []
    return find_losses(_view(obj), _view(_run(back, copy_value(made), made, group)), pair.keeps)


def _view(obj: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parts of an object that conversions may change."""
    found = {name: value for name, value in obj.items() if name not in ("apiVersion", "kind", "metadata")}
    metadata = obj.get("metadata", {})
    return {**found, "metadata": {name: metadata.get(name) or {} for name in FREE}}


def _restore(made: dict[str, Any], entries: Sequence[Entry]) -> None:
    """Restores kept values, also to labels and annotations that are absent."""
    own = made["metadata"]
    missing = [name for name in FREE if own.get(name) is None]
    own.update({name: {} for name in missing})
    restore(made, entries)
    for name in missing:
        if not own[name]:
            del own[name]


def _steps(conversions: _Ways, source: str, target: str, hub: str) -> list[VersionPair] | None:
    """Returns the steps: one if there is a direct conversion, else two through the hub; None if there are none."""
    if (source, target) in conversions:
        return [conversions[source, target]]
    if hub and (source, hub) in conversions and (hub, target) in conversions:
        return [conversions[source, hub], conversions[hub, target]]
    return None


def _hub(kind: str, conversions: _Ways, named: str | Mapping[str, str] | None) -> str:
    """Returns the hub of a kind, empty if none is needed."""
    versions = sorted({version for pair in conversions for version in pair})
    hub = named.get(kind, "") if isinstance(named, Mapping) else named or ""
    if hub and hub not in versions:
        near = nearest(hub, versions)
        suggestion = f"did you mean {near[0]}?" if near else f"it has {', '.join(versions)}"
        raise DeclarationError(f"{kind} has no version {hub}, which is to be its hub; {suggestion}")
    if not hub:
        hub = next((each for each in versions if all(_has_both(conversions, each, other) for other in versions)), "")
    for source, target in _pairs(versions):
        if _steps(conversions, source, target, hub) is None:
            over = f", neither directly nor over {hub}" if hub else ""
            help = f'declare @converts("{source}", "{hub or target}", kind="{kind}"), or a Conversion'
            raise DeclarationError(f"there is no way of {kind} from {source} to {target}{over}; {help}")
    return hub


def _has_both(conversions: _Ways, one: str, other: str) -> bool:
    return one == other or ((one, other) in conversions and (other, one) in conversions)


def _pairs(versions: list[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for one in versions for other in versions if one != other)


def declares(module: ModuleType) -> bool:
    """Returns whether a module has a converter, or a declaration for one."""
    return bool(_declared(module))


def _declared(module: ModuleType) -> list[object]:
    found = [each for each in vars(module).values() if not isinstance(each, type)]
    return [each for each in found if isinstance(each, Converter) or find_conversions(each)]


__all__ = [
    "KEPT",
    "AnyMove",
    "Apply",
    "Constant",
    "Conversion",
    "ConversionError",
    "Converter",
    "DeclarationError",
    "Default",
    "FieldOnlyIn",
    "Loss",
    "Move",
    "Only",
    "Rename",
    "Split",
    "Values",
    "VersionPair",
    "Way",
    "Wrap",
    "converts",
    "declares",
]
