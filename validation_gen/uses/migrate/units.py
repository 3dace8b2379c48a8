"""Units of a trial: markers with the edits that rewrite them as tags, and markers that stay."""

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
    """Markers that are rewritten together or not at all. `lines` are those of the new tags."""

    place: Place
    raws: tuple[RawTag, ...]
    edits: tuple[Edit, ...]
    #: True if the tags constrain values, so that an object must exist that they refuse.
    judges: bool = True

    @property
    def removal(self) -> tuple[Edit, ...]:
        """Returns the edits that remove the markers."""
        return tuple(removed(raw) for raw in self.raws)

    @property
    def keywords(self) -> frozenset[str]:
        """Returns the schema keywords of the markers."""
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
    """Returns the name of a marker without its first argument."""
    name = raw.text.partition("=")[0].strip()
    return name.partition(":XValidation:")[0] + ":XValidation" if ":XValidation:" in name else name


def written(raw: RawTag, text: str) -> Edit:
    return Edit(raw.part(1, len(raw.text) + 1), raw.text, text)


def removed(raw: RawTag) -> Edit:
    return Edit(raw.span, f"+{raw.text}", "", line=True)
