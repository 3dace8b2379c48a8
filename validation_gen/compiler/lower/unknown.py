"""Findings about unresolved types, findings that only follow from others, and unchecked markers.

What follows from an unresolved type, or from a slip in another line of the same comment, becomes a note of that
finding. The markers of types that validators do not check are counted without `markers`: most runs have none, and must
stay fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import BUNDLED, UNREACHED, Diagnostic, Diagnostics, Severity, Span
from validation_gen.ir import TypePlan
from validation_gen.runtime.words import counted, nearest
from validation_gen.sources.model import Named, Package, TypeDecl, TypeExpr, Universe, comments_of_fields
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, extract

_CODE = "VG301"
_PARAMETERS = ("has parameters", "write the type without parameters")
# Codes about tags or markers that do not fit their type, which is unknowable for an unresolved one.
_FOLLOWING = ("VG204", "VG205", "VG525", "VG526")


@dataclass(frozen=True, slots=True)
class _Mention:
    """A use of an unresolved type in a type, and the resulting loss in the output."""

    owner: str
    place: str
    loss: str
    span: Span
    embedded: bool = False

    @property
    def package(self) -> str:
        return self.owner.rpartition(".")[0]


@dataclass(slots=True)
class UnknownTypes:
    """Collects types that cannot be found with the places that mention them, and reports each once."""

    universe: Universe
    #: The types by the fields that have them, as findings name these.
    places: dict[str, str] = field(default_factory=dict)
    #: The types by the ids of structs and the JSON names of their fields, `""` for embedded ones.
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    _mentions: dict[str, list[_Mention]] = field(default_factory=dict)
    _types: dict[str, TypeExpr] = field(default_factory=dict)

    def add_value(self, type: Named, plan: TypePlan, place: str, name: str, span: Span) -> None:
        """Records a field of an unresolved type, whose value can then be anything."""
        self.places[place] = self.lost[plan.id, name] = str(type)
        self._add(type, _Mention(plan.id, place, "any value is accepted for it", span))

    def add_embedded(self, type: TypeExpr, plan: TypePlan, name: str, span: Span, *, ruled: bool) -> None:
        """Records an embedded type: its fields are inlined, so no rule can check all of them."""
        self.lost[plan.id, ""] = str(type)
        loss = f"its fields are not known and the schema of {plan.name} keeps unknown fields"
        if ruled:
            loss += f"; no rule counts for {name} itself"
        self._add(type, _Mention(plan.id, plan.id, loss, span, embedded=True))

    def _add(self, type: TypeExpr, mention: _Mention) -> None:
        self._types[str(type)] = type
        self._mentions.setdefault(str(type), []).append(mention)

    def report(self, is_reached: Callable[[str], bool], is_input: Callable[[str], bool]) -> Iterator[Diagnostic]:
        """Yields a warning for each type that a reached type mentions, and information for others in the input."""
        for id, mentions in self._mentions.items():
            reached = [mention for mention in mentions if is_reached(mention.owner)]
            if reached:
                yield self._finding(self._types[id], reached)
            elif idle := [mention for mention in mentions if is_input(mention.package)]:
                finding = self._finding(self._types[id], idle)
                yield replace(finding, severity=Severity.INFO, notes=(*finding.notes, (UNREACHED, None)))

    def _finding(self, type: TypeExpr, mentions: Sequence[_Mention]) -> Diagnostic:
        first, *others = mentions
        why, help = self._reason(type) if isinstance(type, Named) else _PARAMETERS
        kind = "the embedded type" if first.embedded else "type"
        message = f"{first.place}: {kind} {type} {why}, so {first.loss}"
        notes = tuple((f"{other.place}: {other.loss}", other.span) for other in others if other.embedded)
        help = help if help.endswith("?") else f"{help}, or add +k8s:opaqueType if that is meant"
        return Diagnostic("VG301", Severity.WARNING, message, first.span, help, notes)

    def _reason(self, type: Named) -> tuple[str, str]:
        """Returns the reason why a type is unresolved, and the remedy."""
        package = self.universe.package(type.package)
        if package is None:
            return "cannot be found", self.universe.locate(type.package)
        near = nearest(type.name, [name for name in package.types if name != type.name])
        if near:
            return "is not declared in its package", f"did you mean {near[0]}?"
        if package.input or package.module in {each.module for each in self.universe.inputs}:
            return "is not declared in its package", "declare it there, or import the package that does"
        if package.directory.startswith(BUNDLED):
            return "is not among the types that come with validation-gen", self.universe.locate(type.package)
        return "is not declared in its package", f"take another version of the module with {type.package}"


def merge_type_followups(diagnostics: Diagnostics, places: dict[str, str]) -> None:
    """Converts findings about tags and markers of fields with unresolved types to notes."""
    for finding in [item for item in diagnostics.items if item.code in _FOLLOWING]:
        place, _, text = finding.message.partition(": ")
        type = places.get(place) or places.get(place.partition(" (")[0])
        if type and add_notes(diagnostics, type, [(f"this does not count: {text}", finding.span)]):
            diagnostics.withdraw(finding)


def add_notes(diagnostics: Diagnostics, type: str, texts: Iterable[tuple[str, Span | None]]) -> bool:
    """Adds consequences to the finding about an unresolved type. Returns False if there is none."""
    for index, item in enumerate(diagnostics.items):
        if item.code == _CODE and f"type {type} " in item.message:
            short = "/".join(type.split("/")[-2:])
            reasons = ((f"because {short} was not found, {text}", span) for text, span in texts)
            notes = dict.fromkeys((*item.notes, *reasons))
            diagnostics.items[index] = replace(item, notes=tuple(notes))
            return True
    return False


def dedupe_unknown_types(diagnostics: Diagnostics, *, refused: bool) -> None:
    """Merges the findings of several passes about a type into one. If `refused`, it is an error.

    The output has fewer constraints than the sources where a type is unresolved.
    """
    kept: dict[tuple[str, Span], int] = {}
    items: list[Diagnostic] = []
    for item in diagnostics.items:
        known = kept.get((item.message, item.span)) if item.code == _CODE else None
        if known is not None:
            notes = dict.fromkeys((*items[known].notes, *item.notes))
            items[known] = replace(items[known], notes=tuple(notes))
            continue
        if item.code == _CODE:
            kept[item.message, item.span] = len(items)
        items.append(_as_error(item) if refused and item.code == _CODE else item)
    diagnostics.items[:] = items


def _as_error(item: Diagnostic) -> Diagnostic:
    if item.severity is not Severity.WARNING:
        return item
    return replace(item, severity=Severity.ERROR, help=f"{item.help}; --allow-unresolved accepts weaker output")


@dataclass(frozen=True, slots=True)
class _Consequence:
    """An error with this code and text, caused by a mistake with one of these codes about `meant`."""

    code: str
    text: str
    meant: str
    slips: tuple[str, ...]

    def explains(self, slip: Diagnostic, finding: Diagnostic) -> bool:
        place = finding.message.partition(": ")[0]
        about = slip.message + slip.help
        return slip.code in self.slips and slip.message.startswith(f"{place}: ") and self.meant in about


_CONSEQUENCES = (
    _Consequence("VG205", "without listMapKey", "listMapKey", ("VG102", "VG103", "VG203")),
    _Consequence("VG526", "without +listMapKey", "listMapKey", ("VG520", "VG521", "VG525")),
    _Consequence("VG526", "+listMapKey: the list is not a map", "listType", ("VG520", "VG521", "VG523", "VG524")),
)


def merge_followups(diagnostics: Diagnostics) -> None:
    """Converts the consequence of a mistake to a note of the mistake, which becomes the error."""
    for consequence in _CONSEQUENCES:
        for finding in [d for d in diagnostics.items if d.code == consequence.code and consequence.text in d.message]:
            slip = next((d for d in diagnostics.items if consequence.explains(d, finding)), None)
            if slip is not None:
                notes = (*slip.notes, (finding.message.partition(": ")[2], finding.span))
                diagnostics.items.remove(finding)
                diagnostics.items[diagnostics.items.index(slip)] = replace(slip, severity=Severity.ERROR, notes=notes)


_MORE = " (`convert markers` makes tags of them)"
_OPENAPI, _PREFIX, _OWN = "k8s:validation:", "kubebuilder:validation:", "validation-gen:validation:"
#: Markers with the prefix that refuse nothing: they are about absence, or disable parts of a schema.
_HARMLESS = frozenset({"Optional", "Schemaless", "XPreserveUnknownFields", "XIntOrString", "Type"})
_CEL = re.compile(r"k8s:validation:(?:.*:)?cel\[\d+\]:")
#: Markers without an effect on the schema of a kind.
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


def count_unchecked(packages: Iterable[Package], judged: Set[str] = frozenset()) -> Unjudged:
    """Counts the validation markers on types and fields of packages. One comment line counts once.

    Those of types that are `judged`, by their ids, are excluded.
    """
    types = [declaration for package in packages for declaration in package.types.values()]
    others = {line.span for each in types if str(each) in judged for line in _lines(each)}
    lines = {line.span: line for each in types for line in _lines(each) if _counts(line)}
    found = [_kind(raw) for raw in extract([line for span, line in lines.items() if span not in others])]
    return Unjudged(found.count("marker"), found.count("rule"))


def find_marked_types(packages: Iterable[Package]) -> frozenset[str]:
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
    return any(member.embedded and member.go_name == "TypeMeta" for member in declaration.fields)


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
    yield from comments_of_fields(declaration.type)
