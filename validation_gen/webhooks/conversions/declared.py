"""Declarations of conversions: as moves, or as a function.

A declaration is checked at once, so that a mistake is reported when the module is imported. There is no global
registry: a `Converter` receives its declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from validation_gen.webhooks.conversions.kept import UnrepresentableFields, parse_keys
from validation_gen.webhooks.conversions.moves import AnyMove, Constant, Default, FieldOnlyIn, apply_moves
from validation_gen.webhooks.conversions.paths import Path, parse_path
from validation_gen.webhooks.conversions.values import DeclarationError

F = TypeVar("F", bound=Callable[..., Any])
#: Takes the object of one version and returns that of the other. `None`: it has changed its argument.
Function = Callable[[Any], Any]
#: Runs after moves: takes the converted object, and the original one.
Finish = Callable[[Any, Any], Any]

_LABEL = re.compile(r"[a-z]([a-z0-9-]*[a-z0-9])?")
_MARK = "__validation_gen_conversions__"


@dataclass(frozen=True)
class VersionPair:
    """Conversion from one version of a kind to another.

    Attributes:
        kind: the kind, and `group` its group, empty for any.
        source: the version of the objects, and `target` that of the results.
        run: converts an object. It may change its argument.
        keeps: fields of the source that the target cannot represent.
    """

    kind: str
    group: str
    source: str
    target: str
    run: Function
    keeps: UnrepresentableFields = field(default_factory=UnrepresentableFields)

    def __str__(self) -> str:
        return f"the conversion of {self.kind} from {self.source} to {self.target}"


@dataclass(frozen=True)
class Conversion:
    """The conversion between two versions of a kind in both directions, as moves.

    Fields without a move stay unchanged. For other changes, `forward` completes objects of the second version, and
    `back` objects of the first. Each takes the object after the moves and the original, and changes the former or
    returns a new one.

    Args:
        first: a version, such as "v1alpha1".
        second: another one.
        kind: the kind.
        group: its group; without one, that of any group.
        moves: changes of fields.
        keeps: fields that `forward` or `back` lose, and that are to be kept.
        keys: the members that identify items of a list, by list; `name` by default.
        forward: finishes objects of the second version.
        back: finishes objects of the first version.

    Raises:
        DeclarationError: it is invalid.
    """

    first: str
    second: str
    kind: str = field(kw_only=True)
    group: str = field(default="", kw_only=True)
    moves: Sequence[AnyMove] = field(default=(), kw_only=True)
    keeps: Sequence[str] = field(default=(), kw_only=True)
    keys: Mapping[str, str | Sequence[str]] = field(default_factory=dict, kw_only=True)
    forward: Finish | None = field(default=None, kw_only=True)
    back: Finish | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_names(self.first, self.second, self.kind, self.group)
        parse_keys(self.keys)
        if not isinstance(self.keeps, list | tuple):
            raise DeclarationError(f"keeps is {self.keeps!r:.80}; write keeps=[…]")
        for path in self.keeps:
            parse_path(path)
        what = f"the conversion of {self.kind} between {self.first} and {self.second}"
        if not isinstance(self.moves, list | tuple):
            raise DeclarationError(f"{what}: moves is not a list; write moves=[…]")
        for move in self.moves:
            if not isinstance(move, AnyMove):
                help = 'write one such as Move("spec.size", "spec.length")'
                raise DeclarationError(f"{what}: {move!r:.80} is no move; {help}")
            if isinstance(move, FieldOnlyIn | Constant | Default) and move.version not in (self.first, self.second):
                raise DeclarationError(f"{what}: {move.path} has the version {move.version!r:.80}, which is neither")
        for side, version in enumerate((self.first, self.second)):
            _check_once(self.moves, side, version, what)
        for name in ("forward", "back"):
            if getattr(self, name) is not None and not callable(getattr(self, name)):
                raise DeclarationError(f"{what}: {name} is no function; it takes the new object and the old one")

    @property
    def ways(self) -> tuple[VersionPair, VersionPair]:
        """Both directions."""
        return self._way(forward=True), self._way(forward=False)

    def _way(self, *, forward: bool) -> VersionPair:
        source, target = (self.first, self.second) if forward else (self.second, self.first)
        side = 0 if forward else 1
        only: list[tuple[Path, Path | None]] = [
            (move.where, move.near if isinstance(move, FieldOnlyIn) else None)
            for move in self.moves
            if isinstance(move, FieldOnlyIn | Constant | Default)
            and (move.version == source or isinstance(move, Default))
        ]
        fields = [*only, *((path, None) for move in self.moves for path in move.lossy_fields(side))]
        fields += [(parse_path(path), None) for path in self.keeps]
        keeps = UnrepresentableFields(tuple(fields), parse_keys(self.keys))

        def run(obj: Any) -> Any:
            made = apply_moves(obj, self.moves, (self.first, self.second), forward=forward)
            finish = self.forward if forward else self.back
            changed = None if finish is None else finish(made, obj)
            return made if changed is None else changed

        return VersionPair(self.kind, self.group, source, target, run, keeps)


def converts(
    source: str,
    target: str,
    *,
    kind: str,
    group: str = "",
    keeps: Sequence[str | FieldOnlyIn] = (),
    keys: Mapping[str, str | Sequence[str]] | None = None,
) -> Callable[[F], F]:
    """Declares a function as the conversion between two versions of a kind: `@converts("v1", "v2", kind="Robot")`.

    The function takes an object, a copy that it may change, and returns that of the other version, or nothing if it has
    changed its argument. The API version is set for it.

    Args:
        source: the version of its objects.
        target: the version of its results.
        kind: the kind.
        group: its group; without one, that of any group.
        keeps: the fields of `source` that `target` cannot represent. All lost values are kept; naming a field marks the
            loss as intended.
        keys: as in `Conversion`.

    Raises:
        DeclarationError: it is invalid.
    """
    check_names(source, target, kind, group)
    fields: list[tuple[Path, Path | None]] = []
    for each in (keeps,) if isinstance(keeps, str) else keeps:
        if isinstance(each, FieldOnlyIn):
            if each.version != source:
                raise DeclarationError(f"{each.path} is declared for {each.version}, and is kept of {source}")
            fields.append((each.where, each.near))
        else:
            fields.append((parse_path(each), None))
    known = UnrepresentableFields(tuple(fields), parse_keys(dict(keys or {})))

    def register(function: F) -> F:
        if not callable(function):
            raise DeclarationError(f"converts is put above a function, and this is {function!r:.80}")
        before = getattr(function, _MARK, ())
        setattr(function, _MARK, (*before, VersionPair(kind, group, source, target, function, known)))
        return function

    return register


def find_conversions(declared: object) -> tuple[VersionPair, ...]:
    """Returns the conversions of a declaration or a function; empty if it is neither."""
    if isinstance(declared, Conversion):
        return declared.ways
    found = getattr(declared, _MARK, ()) if callable(declared) else ()
    return tuple(each for each in found if isinstance(each, VersionPair)) if isinstance(found, tuple) else ()


def check_names(source: object, target: object, kind: object, group: object) -> None:
    """Refuses invalid names of versions, kinds or groups."""
    for version in (source, target):
        if not isinstance(version, str) or not _LABEL.fullmatch(version):
            help = "the group goes into group=" if "/" in str(version) else "write one such as 'v1alpha1'"
            raise DeclarationError(f"{version!r:.80} is no version; {help}")
    if source == target:
        raise DeclarationError(f"a conversion from {source} to itself does nothing; name another version")
    if not isinstance(kind, str) or not kind.isidentifier():
        raise DeclarationError(f"{kind!r:.80} is not a kind; write one such as kind='Robot'")
    if not isinstance(group, str) or "/" in group:
        raise DeclarationError(f"{group!r:.80} is not a group; write one such as group='example.com'")


def _check_once(moves: Sequence[AnyMove], side: int, version: str, what: str) -> None:
    known: set[tuple[Any, ...]] = set()
    for move in moves:
        own = [*move.paths[side]]
        if isinstance(move, FieldOnlyIn | Constant) and move.version == version:
            own.append(move.where)
        for path in own:
            if path.steps in known:
                raise DeclarationError(f"{what}: two moves are about {path} of {version}; leave one of them out")
            known.add(path.steps)
