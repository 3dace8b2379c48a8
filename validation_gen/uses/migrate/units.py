"""What can be tried: markers with the changes that make tags of them, and markers that stay."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.diagnostics import Edit, Span
from validation_gen.rules.markers.schema import PREFIX
from validation_gen.tags.parser import RawTag
from validation_gen.uses.migrate.places import Place

MUST = (f"{PREFIX}Required", "required")
MAY = (f"{PREFIX}Optional", "optional")
LISTS = ("listType", "listMapKey")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Markers that become tags together or not at all. `lines` are those in which the tags will stand."""

    place: Place
    raws: tuple[RawTag, ...]
    edits: tuple[Edit, ...]
    #: Whether the tags judge anything, so that there must be an object that they refuse.
    judges: bool = True

    @property
    def removal(self) -> tuple[Edit, ...]:
        """What takes the markers away."""
        return tuple(removed(raw) for raw in self.raws)

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords of schemas that the markers are about."""
        found = set()
        for raw in self.raws:
            if raw.text in (*MUST, *MAY):
                found |= {"required", "minLength", "minItems"}
            elif raw.name in LISTS:
                found |= {"x-kubernetes-list-type", "x-kubernetes-list-map-keys"}
            else:
                short = raw.name.rpartition(":")[2]
                found.add(f"{short[:1].lower()}{short[1:]}")
        return frozenset(found)

    @property
    def lines(self) -> frozenset[tuple[str, int]]:
        return frozenset((edit.span.file, edit.span.line) for edit in self.edits if edit.new)


@dataclass(frozen=True, slots=True)
class Kept:
    """A marker that stays."""

    name: str
    span: Span
    reason: str


def name_without_argument(raw: RawTag) -> str:
    """The name of a marker without its first argument."""
    name = raw.text.partition("=")[0].strip()
    return name.partition(":XValidation:")[0] + ":XValidation" if ":XValidation:" in name else name


def written(raw: RawTag, text: str) -> Edit:
    return Edit(raw.part(1, len(raw.text) + 1), raw.text, text)


def removed(raw: RawTag) -> Edit:
    return Edit(raw.span, f"+{raw.text}", "", line=True)
