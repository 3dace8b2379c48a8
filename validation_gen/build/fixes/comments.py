"""The comment lines of a run by location, to find the text of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validation_gen.diagnostics import Span
from validation_gen.sources.model import Array, List, Map, Package, Pointer, Struct, TypeExpr
from validation_gen.tags.comments import CommentLine
from validation_gen.tags.parser import RawTag, extract


def tags_by_line(packages: Iterable[Package]) -> dict[tuple[str, int], list[RawTag]]:
    """The tags and markers of packages by file and line. What is no text of its own in the source is left out."""
    found: dict[tuple[str, int], dict[Span, RawTag]] = {}
    for package in packages:
        for raw in extract([line for line in _lines(package) if line.literal]):
            found.setdefault((raw.span.file, raw.span.line), {})[raw.span] = raw
    return {place: list(raws.values()) for place, raws in found.items()}


def _lines(package: Package) -> Iterator[CommentLine]:
    yield from (*package.comments, *package.loose)
    for constant in package.constants:
        yield from constant.comments
    for declaration in package.types.values():
        yield from (*declaration.closest, *declaration.second_closest, *declaration.apart)
        yield from _of_fields(declaration.type)


def _of_fields(type: TypeExpr) -> Iterator[CommentLine]:
    match type:
        case Struct(fields=fields):
            for member in fields:
                yield from (*member.comments, *member.apart)
                yield from _of_fields(member.type)
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem):
            yield from _of_fields(elem)
        case Map(key=key, elem=elem):
            yield from _of_fields(key)
            yield from _of_fields(elem)
