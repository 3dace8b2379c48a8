"""Moves: changes of fields between versions, as data for both directions, and the conversion of an object by them.

`first` and `second` are the versions of a conversion, in the order in which it names them. All moves of a conversion
read the original object, so their order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.webhooks.conversions.paths import EACH, Path, Step, get, parse_path, set_value, take
from validation_gen.webhooks.conversions.values import (
    ABSENT,
    ConversionError,
    DeclarationError,
    copy_value,
    render_value,
    same,
)

Values_ = Sequence[Any]
_NO_TEXT = "{} is {}, which is not a string, so that it cannot be split"


@dataclass(frozen=True)
class AnyMove:
    """Common base of all moves.

    Attributes:
        paths: the fields in the first and in the second version.
    """

    paths: tuple[tuple[Path, ...], tuple[Path, ...]] = field(init=False, repr=False, compare=False)

    def changed(self, values: Values_, *, forward: bool) -> Values_:
        """Returns the values in the other version, `ABSENT` for a missing value."""
        return values

    def lossy_fields(self, version: int) -> tuple[Path, ...]:
        """Returns the fields of the first version (0) or the second (1) that the other one cannot fully represent."""
        return ()

    def check(self) -> None:
        """Refuses an invalid move."""
        first, second = self.paths
        counts = {path.count for path in (*first, *second)}
        if len(counts) > 1:
            names = " and ".join(map(str, (*first, *second)))
            raise DeclarationError(f"{names} have not as many [*]; a value stays in its item, else write a function")
        for path in (*first, *second):
            if path.steps[-1] is EACH and first != second:
                raise DeclarationError(f"{path} names items, which stay where they are; name the list itself")


def _set(move: object, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(move, name, value)


def _both(move: AnyMove, first: object, second: object) -> None:
    one, other = parse_path(first), parse_path(first if second is None else second)
    _set(move, paths=((one,), (other,)))
    move.check()


@dataclass(frozen=True)
class Move(AnyMove):
    """A field in another place: `Move("spec.size", "spec.dimensions.size")`."""

    first: str
    second: str

    def __post_init__(self) -> None:
        _both(self, self.first, self.second)
        if self.first == self.second:
            raise DeclarationError(f"{self.first} does not move; leave it out: fields without a move stay")


@dataclass(frozen=True)
class Rename(AnyMove):
    """A field with another name in the same place: `Rename("spec.size", "length")`."""

    first: str
    name: str

    def __post_init__(self) -> None:
        path = parse_path(self.first)
        if not isinstance(self.name, str) or not self.name or any(char in self.name for char in ".[]"):
            help = f'write the name alone, or Move("{self.first}", "{self.name}")'
            raise DeclarationError(f"{self.name!r:.80} is not the name of a field; {help}")
        if path.steps[-1] is EACH:
            raise DeclarationError(f"{path} names items, which have no name; name a field")
        prefix = path.text[: path.text.rindex(".") + 1] if "." in path.text else ""
        _both(self, self.first, f"{prefix}{self.name}")


@dataclass(frozen=True)
class Split(AnyMove):
    """A text that is several fields: `Split("spec.image", into=("spec.repository", "spec.tag"), separator=":")`."""

    first: str
    into: Sequence[str]
    separator: str = "/"

    def __post_init__(self) -> None:
        if isinstance(self.into, str) or len(self.into) < 2:
            raise DeclarationError(f"{self.first} is split into one field; name two or more, or write a Move")
        if not self.separator:
            raise DeclarationError(f"{self.first} is split at nothing; name a separator")
        _set(self, paths=((parse_path(self.first),), tuple(map(parse_path, self.into))))
        self.check()

    def changed(self, values: Values_, *, forward: bool) -> Values_:
        for path, value in zip(self.paths[0 if forward else 1], values, strict=True):
            if not isinstance(value, str) and value is not ABSENT:
                raise ConversionError(_NO_TEXT.format(path, render_value(value)))
        if forward:
            parts = values[0].split(self.separator, len(self.into) - 1)
            return [*parts, *[ABSENT] * (len(self.into) - len(parts))]
        parts = ["" if value is ABSENT else value for value in values]
        while values[len(parts) - 1] is ABSENT:
            parts.pop()
        return [self.separator.join(parts)]

    def lossy_fields(self, version: int) -> tuple[Path, ...]:
        return self.paths[1] if version == 1 else ()


@dataclass(frozen=True)
class Values(AnyMove):
    """A field with other names of its values: `Values("spec.mode", {"On": "Enabled", "Off": "Disabled"})`.

    Other values stay unchanged. Where two values become one, `back` gives its value in the first version.
    """

    first: str
    names: Mapping[Any, Any]
    second: str | None = None
    back: Mapping[Any, Any] | None = None

    def __post_init__(self) -> None:
        _both(self, self.first, self.second)
        for value in (*self.names.values(), *(self.back or {}).values()):
            if isinstance(value, dict | list):
                help = f'write Apply("{self.first}", …), or Wrap'
                raise DeclarationError(f"{self.first}: {render_value(value)} is no single value; {help}")
        twice = [value for value in self.names.values() if list(self.names.values()).count(value) > 1]
        if twice and self.back is None:
            help = f"say with back={{{twice[0]!r}: …}} which one it is in the first version"
            raise DeclarationError(f"{self.first}: several values become {twice[0]!r:.80}; {help}")

    def changed(self, values: Values_, *, forward: bool) -> Values_:
        names = self.names if forward else {**{v: k for k, v in self.names.items()}, **(self.back or {})}
        return [next((other for name, other in names.items() if same(name, value)), value) for value in values]

    def lossy_fields(self, version: int) -> tuple[Path, ...]:
        return self.paths[version] if self.back is not None else ()


@dataclass(frozen=True)
class Wrap(AnyMove):
    """A value that is the only item of a list: `Wrap("spec.host", "spec.hosts")`. Of several, the first one counts."""

    first: str
    second: str | None = None

    def __post_init__(self) -> None:
        _both(self, self.first, self.second)

    def changed(self, values: Values_, *, forward: bool) -> Values_:
        if forward:
            return [[value] for value in values]
        return [(value or [ABSENT])[0] if isinstance(value, list) else value for value in values]

    def lossy_fields(self, version: int) -> tuple[Path, ...]:
        return self.paths[1] if version == 1 else ()


@dataclass(frozen=True)
class Apply(AnyMove):
    """A value that two functions convert: `Apply("spec.timeout", forward=seconds, back=duration)`.

    Where several values become one, it is not `exact`.
    """

    first: str
    forward: Callable[[Any], Any]
    back: Callable[[Any], Any]
    second: str | None = None
    exact: bool = True

    def __post_init__(self) -> None:
        _both(self, self.first, self.second)
        for name in ("forward", "back"):
            if not callable(getattr(self, name)):
                raise DeclarationError(f"{self.first}: {name} is no function; it takes a value and returns one")

    def changed(self, values: Values_, *, forward: bool) -> Values_:
        return [(self.forward if forward else self.back)(value) for value in values]

    def lossy_fields(self, version: int) -> tuple[Path, ...]:
        return () if self.exact else self.paths[version]


# --- fields of one version -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FieldOnlyIn(AnyMove):
    """A field that one version has: `FieldOnlyIn("v1", "spec.homeDock")`.

    Objects of the other version keep its value in an annotation. `beside`: the value is restored only if this path is
    unchanged, such as `beside="spec.drive"` for a member of a union.
    """

    version: str
    path: str
    beside: str | None = None
    where: Path = field(init=False, repr=False, compare=False)
    near: Path | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        path, near = parse_path(self.path), None if self.beside is None else parse_path(self.beside)
        if path.steps[-1] is EACH:
            raise DeclarationError(f"{path} names items; name the list itself")
        if near is not None and near.steps.count(EACH) > path.count:
            raise DeclarationError(
                f"{near} has more [*] than {path}; name the container of the field or a field beside it"
            )
        _set(self, paths=((), ()), where=path, near=near)


@dataclass(frozen=True)
class _ValueOfVersion(AnyMove):
    version: str
    path: str
    value: Any
    where: Path = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        path = parse_path(self.path)
        if path.steps[-1] is EACH:
            raise DeclarationError(f"{path} names items; name a field of them")
        _set(self, paths=((), ()), where=path)


@dataclass(frozen=True)
class Constant(_ValueOfVersion):
    """A field that one version has, with the value that objects of the other one get: `Constant("v1", "spec.n", 1)`."""


@dataclass(frozen=True)
class Default(_ValueOfVersion):
    """A field of both versions that one must have: `Default("v1", "spec.mode", "Auto")` is for objects without it."""


_Taken = tuple[AnyMove, tuple[Step, ...], list[Any]]


def apply_moves(obj: Any, moves: Sequence[AnyMove], versions: tuple[str, str], *, forward: bool) -> Any:
    """Returns a copy of an object with all moves applied, or reversed if not `forward`."""
    result = copy_value(obj)
    taken = _take(obj, result, moves, forward=forward)
    leaving, entering = versions if forward else versions[::-1]
    for move in moves:
        if isinstance(move, FieldOnlyIn | Constant) and move.version == leaving:
            for chosen in list(move.where.places(result)):
                take(result, move.where.bound(chosen))
    side = 1 if forward else 0
    # Containers come before their content.
    for move, chosen, values in sorted(taken, key=lambda each: _depth(each[0], side)):
        targets = move.paths[side]
        for path, value in zip(targets, move.changed(values, forward=forward), strict=True):
            if value is not ABSENT:
                set_value(result, path.bound(chosen), value)
    for move in moves:
        if isinstance(move, Constant | Default) and move.version == entering:
            for chosen in list(move.where.places(result)):
                place = move.where.bound(chosen)
                if get(result, place) is ABSENT:
                    set_value(result, place, copy_value(move.value))
    return result


def _take(obj: Any, result: Any, moves: Sequence[AnyMove], *, forward: bool) -> list[_Taken]:
    """Removes the moved values from the result, inner ones before their containers, and returns them."""
    side = 0 if forward else 1
    found: list[_Taken] = []
    for move in sorted(moves, key=lambda move: -_depth(move, side)):
        sources = move.paths[side]
        places = dict.fromkeys(chosen for path in sources for chosen in path.places(obj))
        for chosen in places:
            # Items keep their places: only their values change.
            values = [(get if path.steps[-1] is EACH else take)(result, path.bound(chosen)) for path in sources]
            if any(value is not ABSENT for value in values):
                found.append((move, chosen, values))
    return found


def _depth(move: AnyMove, side: int) -> int:
    return max((len(path.steps) for path in move.paths[side]), default=0)
