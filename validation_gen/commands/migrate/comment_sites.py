"""Types and fields with the marker lines above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from validation_gen.rules.markers.reader import MarkerReader, find_required_members
from validation_gen.rules.markers.spelling import marker_lines
from validation_gen.sources.model import Array, Field, List, Map, Package, Pointer, Struct, TypeDecl, TypeExpr
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, extract


@dataclass(frozen=True, slots=True, eq=False)
class CommentSite:
    """A declaration whose comment can hold markers.

    `id` is that of a type, `json` is the name of a field in JSON, `""` for a type. `apart` are lines of markers that
    are too far above for tags. `required` is True for a field that the schema requires. `values` are the constants of a
    type.
    """

    name: str
    id: str
    json: str
    type: TypeExpr
    raws: tuple[RawTag, ...]
    apart: tuple[RawTag, ...] = ()
    required: bool = False
    values: frozenset[object] = field(default=frozenset())

    @property
    def is_field(self) -> bool:
        return bool(self.json)


def places(package: Package, reader: MarkerReader) -> Iterator[CommentSite]:
    """Yields the declarations of a package that have any markers, in the order of its types."""
    optional = reader.of_package(package, report=False).presence == "optional"
    constants: dict[str, set[object]] = {}
    for constant in package.constants:
        if constant.type is not None and constant.value is not None:
            constants.setdefault(str(constant.type), set()).add(constant.value)
    for declaration in package.types.values():
        raws, apart = _split_lines(declaration.closest, declaration.apart)
        values = frozenset(constants.get(str(declaration), ()))
        yield CommentSite(str(declaration), str(declaration), "", declaration.type, raws, apart, values=values)
        yield from _members(declaration, declaration.type, optional)


def _members(owner: TypeDecl, type: TypeExpr, optional: bool) -> Iterator[CommentSite]:
    match type:
        case Struct(fields=fields):
            required = find_required_members(fields, optional)
            for member in fields:
                yield _of_field(owner, member, member.json in required)
                yield from _members(owner, member.type, optional)
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem) | Map(elem=elem):
            yield from _members(owner, elem, optional)


def _of_field(owner: TypeDecl, member: Field, required: bool) -> CommentSite:
    raws, apart = _split_lines(member.comments, member.apart)
    name = member.path_name or member.go_name
    return CommentSite(f"field {owner}.{name}", "", name, member.type, raws, apart, required)


def _split_lines(
    near: Sequence[CommentLine], apart: Sequence[CommentLine]
) -> tuple[tuple[RawTag, ...], tuple[RawTag, ...]]:
    """Returns the lines where tags are allowed, and those that only controller-gen reads."""
    known = {line.span for line in near}
    further = [line for line in apart if line.span not in known]
    return _raws(near), _raws(further)


def _raws(lines: Sequence[CommentLine]) -> tuple[RawTag, ...]:
    return tuple(extract([line for line in marker_lines(lines) if line.literal and not line.block]))
