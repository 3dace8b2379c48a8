"""Validation markers in comments: types that have some, and the number that validators do not check.

`markers` is not imported: most runs have none, and must stay fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from validation_gen.runtime.words import counted
from validation_gen.sources.model import Array, List, Map, Package, Pointer, Struct, TypeDecl, TypeExpr
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, extract

_MORE = " (`convert markers` makes tags of them)"
_OPENAPI, _PREFIX, _OWN = "k8s:validation:", "kubebuilder:validation:", "validation-gen:validation:"
#: Markers with the prefix that refuse nothing: they are about absence, or disable parts of a schema.
_HARMLESS = frozenset({"Optional", "Schemaless", "XPreserveUnknownFields", "XIntOrString", "Type"})
_CEL = re.compile(r"k8s:validation:(?:.*:)?cel\[\d+\]:")
#: Markers that say nothing of the schema of a kind.
_OF_RESOURCES = re.compile(
    r"\s*\+(?:kubebuilder:(?:deprecatedversion|metadata|printcolumn|resource|selectablefield|skipversion|storageversion|"
    r"subresource|unservedversion)|genclient|resourceName|validation-gen:(?!validation:))\b"
)
_BUILT_IN = ("k8s.io/api/", "k8s.io/kubernetes/")
_RULE = re.compile(r"k8s:validation:(?:.*:)?cel\[(\d+)\]:rule")


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The numbers of markers of validation, rules in CEL apart."""

    markers: int = 0
    rules: int = 0

    @property
    def counts(self) -> str:
        """Returns the numbers with their nouns, `""` if there are none."""
        counts = (self.markers, "marker"), (self.rules, "CEL rule")
        return ", ".join(counted(number, noun) for number, noun in counts if number)

    def __str__(self) -> str:
        """Returns one sentence, `""` if there are no markers."""
        counts = self.counts
        return f"{counts} and unknown fields are judged by the schema of `crd` only{_MORE}" if counts else ""


def unjudged(packages: Iterable[Package], judged: Set[str] = frozenset()) -> Unjudged:
    """Counts the validation markers on types and fields of packages. One comment line counts once.

    Those of types that are `judged`, by their ids, are excluded.
    """
    types = [declaration for package in packages for declaration in package.types.values()]
    others = {line.span for each in types if str(each) in judged for line in _lines(each)}
    lines = {line.span: line for each in types for line in _lines(each) if _counts(line)}
    found = [_kind(raw) for raw in extract([line for span, line in lines.items() if span not in others])]
    return Unjudged(found.count("marker"), found.count("rule"))


def marked_types(packages: Iterable[Package]) -> frozenset[str]:
    """Returns the types with validation markers on themselves or their fields, by their ids.

    Kinds of Kubernetes itself are no custom resources: their markers are for projects that use the types.
    """
    return frozenset(
        str(declaration)
        for package in packages
        if not package.path.startswith(_BUILT_IN)
        for declaration in package.types.values()
        if any(map(_kind, extract([line for line in _lines(declaration) if _counts(line)])))
    )


def types_at(packages: Iterable[Package]) -> dict[tuple[str, int], str]:
    """Returns the ids of types by the files and lines of their schema notes, on themselves and on their fields."""
    types = (declaration for package in packages for declaration in package.types.values())
    found = ((line, str(each)) for each in types for line in _lines(each) if not _OF_RESOURCES.match(line.text))
    return {(line.span.file, line.span.line): id for line, id in found}


def declares_api(package: Package) -> bool:
    """Tells whether a package has a kind, a tag or a marker. A package that cannot be read counts, too."""
    lines = (*package.comments, *package.loose, *package.stray, *package.misplaced)
    return (
        package.broken
        or any(raw.name.startswith("k8s:") for raw in extract(lines))
        or any(_is_kind(each) or extract([*_lines(each)]) for each in package.types.values())
    )


def _is_kind(declaration: TypeDecl) -> bool:
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    return any(member.embedded and member.go_name == "TypeMeta" for member in fields)


def _counts(line: CommentLine) -> bool:
    """Returns whether a line can hold a marker: controller-gen ignores comments between `/*` and `*/`."""
    return (
        "validation:" in line.text
        and not line.behind
        and not (line.block and (_PREFIX in line.text or _OWN in line.text))
    )


def _kind(raw: RawTag) -> str:
    """Returns `marker` or `rule` for the kind of a line; `""` if it is no validation."""
    if raw.name.startswith(_OPENAPI):
        if _CEL.match(raw.text):
            # A rule goes over several lines, one for each of its parts.
            return "rule" if _RULE.match(raw.text) else ""
        return "marker"
    if raw.name.startswith(_OWN):
        return "marker"
    if not raw.name.startswith(_PREFIX):
        return ""
    name = raw.name.removeprefix(_PREFIX).removeprefix("items:")
    if name.partition(":")[0] == "XValidation":
        return "rule"
    return "" if name in _HARMLESS else "marker"


def _lines(declaration: TypeDecl) -> Iterator[CommentLine]:
    yield from (*declaration.apart, *declaration.closest)
    yield from _of_fields(declaration.type)


def _of_fields(type: TypeExpr) -> Iterator[CommentLine]:
    match type:
        case Struct(fields=fields):
            for member in fields:
                yield from (*member.apart, *member.comments)
                yield from _of_fields(member.type)
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem) | Map(elem=elem):
            yield from _of_fields(elem)
