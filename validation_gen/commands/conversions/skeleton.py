"""Writes a first conversion between two versions of a kind: certain moves are written, likely ones proposed.

Equal fields are left out. A removed field and a new one of the same type may be a rename or a move: the similarity of
their names decides. All others are in one version only. Nothing here reads a source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from validation_gen.commands.conversions.kinds import Version, Versioned
from validation_gen.emit.text import literal
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.words import likeness

#: Minimum similarity of names for a match.
_LIKE, _LIKE_WRAPPED = 0.6, 0.85
_DEEPEST = 12
_MOST_PAIRS = 40_000
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PLAIN = re.compile(r"[A-Za-z0-9_$-]+")


@dataclass(frozen=True)
class Field:
    """A field of a version: its path, and its schema."""

    path: str
    schema: Schema

    @property
    def name(self) -> str:
        """Last part of the path."""
        return self.path.rpartition(".")[2]


@dataclass
class Differences:
    """Differences between the fields of two versions.

    Attributes:
        moved: fields that have probably moved, the first version's before the second's.
        wrapped: fields of which one has a value and the other a list of such values.
        first: fields that only the first version has, and `second` those of the second.
        changed: fields of both with other constraints, each with the difference.
        required: fields of both that are required in one version, each with that version.
        needed: required fields of one version alone.
    """

    moved: list[tuple[Field, Field]] = field(default_factory=list)
    wrapped: list[tuple[Field, Field]] = field(default_factory=list)
    first: list[Field] = field(default_factory=list)
    second: list[Field] = field(default_factory=list)
    changed: list[tuple[str, str]] = field(default_factory=list)
    required: list[tuple[str, str]] = field(default_factory=list)
    needed: list[tuple[str, str]] = field(default_factory=list)


def differences(first: Version, second: Version) -> Differences:
    """Returns the differences between the fields of two versions."""
    found = Differences()
    look = _VersionComparison((first.name, second.name), found)
    look.compare(("", ""), first.drawn, second.drawn)
    known = 0
    while True:
        _match(found)
        if len(found.moved) == known:
            break
        # A moved field may also have changed, or contain moved ones.
        for mine, its in found.moved[known:]:
            look.compare_values((mine.path, its.path), mine.schema, its.schema)
        known = len(found.moved)
    _wrap(found)
    found.moved.sort(key=lambda pair: pair[0].path)
    return found


@dataclass
class _VersionComparison:
    """Compares the fields of two versions. Paths are those in the first one and in the second."""

    names: tuple[str, str]
    found: Differences

    def compare(self, paths: tuple[str, str], one: Schema, other: Schema) -> None:
        if max(path.count(".") for path in paths) > _DEEPEST:
            return
        found = self.found
        for name in dict.fromkeys((*one.properties, *other.properties)):
            if not paths[0] and name in ("apiVersion", "kind", "metadata"):
                continue
            if not name or ("'" in name and '"' in name):
                continue  # it cannot be named by a path
            mine, its = one.properties.get(name), other.properties.get(name)
            below = _below(paths[0], name), _below(paths[1], name)
            sides = ((found.first, one, 0), (found.second, other, 1))
            if mine is None or its is None:
                alone, around, side = sides[0] if its is None else sides[1]
                alone.append(Field(below[side], around.properties[name]))
                if name in around.required:
                    found.needed.append((below[side], self.names[side]))
                continue
            for _, needs, side in sides:
                if name in needs.required and not (name in one.required and name in other.required):
                    found.required.append((below[side], self.names[side]))
            self.compare_values(below, mine, its)

    def compare_values(self, paths: tuple[str, str], one: Schema, other: Schema) -> None:
        found, (first, second) = self.found, self.names
        if _type(one) != _type(other):
            pair = Field(paths[0], one), Field(paths[1], other)
            if other.item is not None and _type(other.item) == _type(one):
                found.wrapped.append(pair)
            else:
                found.changed.append((paths[0], f"{_type(one)} in {first}, {_type(other)} in {second}"))
            return
        if one.enum != other.enum and (one.enum or other.enum):
            found.changed.append((paths[0], f"{_values(one)} in {first}, {_values(other)} in {second}"))
        if one.properties or other.properties:
            self.compare(paths, one, other)
        for mine, its in ((one.item, other.item), (one.additional, other.additional)):
            if mine is not None and its is not None:
                self.compare_values((f"{paths[0]}[*]", f"{paths[1]}[*]"), mine, its)


def _below(path: str, name: str) -> str:
    if _PLAIN.fullmatch(name):
        return f"{path}.{name}".removeprefix(".")
    quote = '"' if "'" in name else "'"
    return f"{path}[{quote}{name}{quote}]"


def _values(schema: Schema) -> str:
    return ", ".join(literal(each.value) for each in schema.enum[:8]) or "anything"


def _type(schema: Schema) -> str:
    if schema.int_or_string:
        return "integer or string"
    if schema.item is not None:
        return f"list of {_type(schema.item)}"
    if schema.additional is not None:
        return f"map of {_type(schema.additional)}"
    return schema.type or "anything"


def _match(found: Differences) -> None:
    """Finds renamed and moved fields, and removes them from the fields of one version only."""
    lists = {mine.path: its.path for mine, its in found.moved}
    alike = _pairs(
        [*found.first, *_inside(found.first)],
        [*found.second, *_inside(found.second)],
        lambda mine: (_type(mine.schema), _top(mine.path), lists.get(_find_list(mine.path), _find_list(mine.path))),
        lambda its: (_type(its.schema), _top(its.path), _find_list(its.path)),
    )
    pairs = [(score, mine, its) for mine, its in alike if (score := _score(mine, its))]
    around = {
        above for mine, its in found.moved for path in (f"1{mine.path}", f"2{its.path}") for above in _above(path)
    }
    taken: set[str] = set()
    around_taken: set[str] = set()
    for _, mine, its in sorted(pairs, key=lambda pair: (-pair[0], pair[1].path, pair[2].path)):
        both = {f"1{mine.path}", f"2{its.path}"}
        # Fields inside of a moved field may have moved, too.
        if not both.isdisjoint(around) or not both.isdisjoint(around_taken):
            continue
        if taken.isdisjoint(above for own in both for above in _above(own)):
            taken |= both
            around_taken |= {above for own in both for above in _above(own)}
            found.moved.append((mine, its))
    removed = {pair[0].path for pair in found.moved}
    come = {pair[1].path for pair in found.moved}
    found.first = [each for each in found.first if each.path not in removed]
    found.second = [each for each in found.second if each.path not in come]
    found.needed = [each for each in found.needed if each[0] not in removed | come]


def _pairs(
    first: list[Field], second: list[Field], key: Callable[[Field], object], other_key: Callable[[Field], object]
) -> list[tuple[Field, Field]]:
    """Returns all pairs of fields with equal keys; none if there would be too many pairs."""
    by_key: dict[object, list[Field]] = {}
    for its in second:
        by_key.setdefault(other_key(its), []).append(its)
    found = [(mine, by_key.get(key(mine), [])) for mine in first]
    if sum(len(others) for _, others in found) > _MOST_PAIRS:
        return []
    return [(mine, its) for mine, others in found for its in others]


def _top(path: str) -> str:
    return path.split(".", maxsplit=1)[0]


def _find_list(path: str) -> str:
    """Returns the list whose items have a field, empty if there is none."""
    return path.rpartition("[*]")[0]


def _wrap(found: Differences) -> None:
    """Finds fields that have become lists, or the reverse, and removes them from the fields of one version only."""
    removed: set[str] = set()
    come: set[str] = set()
    for mine, its in _pairs(
        found.first,
        [each for each in found.second if each.schema.item is not None],
        lambda mine: (f"list of {_type(mine.schema)}", _find_list(mine.path)),
        lambda its: (_type(its.schema), _find_list(its.path)),
    ):
        if mine.path in removed or its.path in come or likeness(mine.path, its.path) < _LIKE_WRAPPED:
            continue
        found.wrapped.append((mine, its))
        removed.add(mine.path)
        come.add(its.path)
    found.first = [each for each in found.first if each.path not in removed]
    found.second = [each for each in found.second if each.path not in come]


def _inside(fields: list[Field]) -> Iterator[Field]:
    """Yields the nested fields of one version: fields of the other version may have moved there."""
    for each in fields:
        waiting = [(each, 0)]
        while waiting:
            around, depth = waiting.pop()
            if depth < 3 and around.schema.properties:
                parts = {name: part for name, part in around.schema.properties.items() if _PLAIN.fullmatch(name)}
                inside = [Field(_below(around.path, name), part) for name, part in parts.items()]
                yield from inside
                waiting += [(one, depth + 1) for one in inside]


def _above(path: str) -> Iterator[str]:
    """Yields a path and its parents."""
    yield path
    for found in re.finditer(r"[.\[]", path):
        yield path[: found.start()]


def _score(one: Field, other: Field) -> float:
    """Returns the certainty that two fields are the same: 0 if they are not."""
    if set(one.schema.properties) != set(other.schema.properties) and _type(one.schema) == "object":
        common = set(one.schema.properties) & set(other.schema.properties)
        if len(common) * 2 < max(len(one.schema.properties), len(other.schema.properties)):
            return 0
    mine, its = _words(one.name), _words(other.name)
    whole = {*_words(one.path)}, {*_words(other.path)}
    like = likeness(one.name.lower(), other.name.lower())
    shared = len(mine & its) / max(len(mine | its), 1)
    # `batteryCapacity` is `battery.capacity`.
    covered = 1.0 if mine <= whole[1] and its <= whole[0] else 0.0
    score = max(like, shared, covered)
    if score < _LIKE:
        return 0
    # An unchanged object has probably moved as a whole.
    whole_object = 1.0 if one.schema.properties and _form(one.schema) == _form(other.schema) else 0.0
    return score + whole_object + likeness(one.path, other.path) / 10


def _form(schema: Schema) -> object:
    """Returns the structure of a schema without constraints on values."""
    parts = {name: _form(part) for name, part in sorted(schema.properties.items())}
    return _type(schema), parts, *(_form(part) for part in (schema.item, schema.additional) if part is not None)


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}


# --- text ------------------------------------------------------------------------------------------------------------


def skeleton(versioned: Versioned, first: str, second: str) -> str:
    """Returns a module with a conversion between two versions, formatted by black. It can be imported as it is."""
    import black  # noqa: PLC0415 - slow to import

    found = differences(versioned.versions[first], versioned.versions[second])
    groups = list(_moves(found, first, second))
    names = sorted({"Conversion", *(call.partition("(")[0] for _, calls in groups for call in calls)})
    name = re.sub(r"[^A-Za-z0-9]+", "_", f"{versioned.kind}_{first}_{second}").upper()
    lines = [
        f'"""The conversion of {versioned.kind} between {first} and {second}."""',
        "",
        f"from validation_gen.webhooks.conversions import {', '.join(names)}",
        "",
        f"{name} = Conversion(",
        f"{literal(first)},",
        f"{literal(second)},",
        f"kind={literal(versioned.kind)},",
        *([f"group={literal(versioned.group)},"] if versioned.group else []),
        *(["moves=["] if groups else []),
    ]
    for comments, calls in groups:
        lines += [*comments, *(f"{call}," for call in calls)]
    lines += [*_decisions(found), *(["],"] if groups else []), ")", ""]
    return black.format_str("\n".join(lines), mode=black.Mode())


def _moves(found: Differences, first: str, second: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yields comments and the calls below them: likely moves first, then those to decide."""
    if found.moved:
        comment = "# These look as if they were renamed or moved. Is it so?"
        yield [comment], [_move(mine.path, its) for mine, its in found.moved]
    if found.wrapped:
        comment = "# One version has a value, the other one a list of such. Is it the only item?"
        paths = ((mine.path, its.path) for mine, its in found.wrapped)
        yield [comment], [_call("Wrap", *dict.fromkeys(pair)) for pair in paths]
    for version, other, fields in ((first, second, found.first), (second, first, found.second)):
        if fields:
            comment = f"# {version} alone has these. Objects of {other} keep them in an annotation: convert"
            calls = [_call("FieldOnlyIn", version, each.path) for each in fields]
            yield [comment, "# what has a counterpart there."], calls


def _move(path: str, its: Field) -> str:
    is_renamed = path.rpartition(".")[0] == its.path.rpartition(".")[0]
    return _call("Rename", path, its.name) if is_renamed else _call("Move", path, its.path)


def _call(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(map(literal, arguments))})"


def _decisions(found: Differences) -> Iterator[str]:
    """Yields comments about what has to be decided."""
    if found.changed:
        yield "# These take other values. Convert them with Values, Apply or functions:"
        yield from (f"# - {path}: {what}" for path, what in found.changed)
    if found.required:
        yield "# These must be there in one version alone. Give them values with Default:"
        yield from (f"# - {path}: required in {version}" for path, version in found.required)
    if found.needed:
        yield "# These are required where they are. A Constant instead of FieldOnlyIn gives them a value:"
        yield from (f"# - {path}: required in {version}" for path, version in found.needed)
