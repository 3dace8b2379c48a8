"""Reads markers in the comments of declarations, and reports their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import attrgetter

from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.ir import UNCHANGED, ListOf, ResourceNotes, SchemaNotes, Shape, StructRef, value_shape
from validation_gen.rules.markers import packages
from validation_gen.rules.markers.base import (
    TEXT,
    Marker,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
    Value,
    json_types,
)
from validation_gen.rules.markers.catalogue import catalogue, find, find_shared_tags
from validation_gen.rules.markers.keywords import report_contradictions
from validation_gen.rules.markers.openapi import is_openapi, read_openapi
from validation_gen.rules.markers.packages import PackageMarker, PackageNotes
from validation_gen.rules.markers.parser import parse, parse_name
from validation_gen.rules.markers.resources import ResourceMarker, ResourcePlace
from validation_gen.rules.markers.spelling import (
    documentation,
    find_slip,
    is_for_all,
    marker_lines,
    own_lines,
    report_ignored_word,
    report_quotes,
    report_slips,
    suggestion,
)
from validation_gen.rules.markers.topology import report_missing_keys
from validation_gen.sources.model import META, Const, Field, Named, Package, TypeDecl
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, TagSyntaxError, extract
from validation_gen.tags.parser import parse as parse_tag

#: Keywords whose false value has no effect.
_SWITCHES = ("exclusiveMaximum", "exclusiveMinimum", "uniqueItems")


@dataclass(slots=True)
class MarkerReader:
    """Reads the markers of declarations and reports their errors.

    `declared` finds the declaration of a type by its id, for the JSON form that its markers declare.
    """

    diagnostics: Diagnostics
    declared: Callable[[str], TypeDecl | None] = lambda name: None
    _forms: dict[str, frozenset[str]] = field(default_factory=dict)

    # --- entry points -----------------------------------------------------------------------------------------------

    def of_type(
        self,
        declaration: TypeDecl,
        shape: Shape,
        *,
        report: bool = True,
        optional: bool = False,
        constants: Iterable[Const] = (),
    ) -> SchemaNotes:
        """Returns the notes on a type's schema from its comments. `shape` is that of its values.

        Fields without a marker are `optional`, or else required when they are always written. `constants` are those of
        the package.
        """
        place = SchemaPlace(
            name=str(declaration),
            shape=shape,
            notes=SchemaNotes(doc=documentation(own_lines(declaration.closest)) or declaration.docstring),
            diagnostics=self.diagnostics if report else Diagnostics(),
            types=json_types(shape),
            members=_members(declaration),
            required=find_required_members(declaration.fields, optional),
        )
        # Above the doc comment there can also be markers of the package.
        apart = [raw for raw in extract(marker_lines(declaration.apart)) if not _is_of_package(raw)]
        self._report_blocks((*declaration.apart, *declaration.closest), place.name, place.diagnostics)
        report_slips((*declaration.apart, *declaration.closest), place.name, place.diagnostics)
        named = Named(declaration.package, declaration.name)
        self._borrow(declaration.closest, Target.TYPE, place, (each.value for each in constants if each.type == named))
        return self._read_schema([*apart, *extract(marker_lines(declaration.closest))], Target.TYPE, place)

    def of_field(self, member: Field, shape: Shape, owner: str = "", *, report: bool = True) -> SchemaNotes:
        """Returns the notes on a field's schema from its comments.

        `shape` is that of its values, `owner` the id of its type.
        """
        lines = own_lines(member.comments)
        name = member.path_name or member.go_name
        place = SchemaPlace(
            name=f"field {owner}.{name}" if owner else f"field {name}",
            shape=shape,
            notes=SchemaNotes(doc=documentation(lines)),
            diagnostics=self.diagnostics if report else Diagnostics(),
            types=self._types(shape),
            item_members=self._item_members(shape),
        )
        self._report_blocks((*member.apart, *lines), place.name, place.diagnostics)
        report_slips((*member.apart, *lines), place.name, place.diagnostics)
        self._borrow(lines, Target.FIELD, place)
        return self._read_schema(extract(marker_lines((*member.apart, *lines))), Target.FIELD, place)

    def of_package(self, package: Package, *, report: bool = True) -> PackageNotes:
        """Returns the notes on a package from the comments anywhere in its files."""
        diagnostics = self.diagnostics if report else Diagnostics()
        name = f"package {package.path}"
        notes = PackageNotes()
        for marker, use in self._uses(extract(marker_lines(_of_package(package))), Target.PACKAGE, name, diagnostics):
            if isinstance(marker, PackageMarker):
                marker.apply(use, notes)
        taken = {line.span for declaration in package.types.values() for line in declaration.apart}
        loose = [line for line in package.loose if line.span not in taken]
        for raw in extract(loose):
            known = _find_marker_name(raw)
            if known and find(known, Target.PACKAGE) is None:
                _report_misplaced(raw, known, name, diagnostics)
        for line in package.misplaced:
            for raw in extract([line]):
                known = _find_marker_name(raw)
                if known:
                    _report_misplaced(raw, known, name, diagnostics, behind=line.behind)
        report_slips(loose, name, diagnostics)
        return notes

    def report_alias(self, alias: TypeDecl) -> None:
        """Warns of markers above an alias of a type: they have no effect on the type."""
        for raw in extract(marker_lines((*alias.apart, *alias.closest))):
            known = _find_marker_name(raw)
            if known and not _is_of_package(raw):
                message = f"{alias} is only another name for {alias.type}, so +{known} has no effect here"
                self.diagnostics.warning("VG522", message, raw.part(0, len(known) + 1), "put it on the type itself")

    def resource(self, declaration: TypeDecl, *, report: bool = True) -> ResourceNotes:
        """Returns the notes on a type as a resource from its comments."""
        diagnostics = self.diagnostics if report else Diagnostics()
        place = ResourcePlace(str(declaration), ResourceNotes(), diagnostics)
        raws = extract(marker_lines((*declaration.apart, *declaration.closest)))
        place.notes.told = not _is_list(declaration) and any(_makes_root(raw) for raw in raws)
        for marker, use in self._uses(raws, Target.TYPE, place.name, diagnostics, kind=ResourceMarker):
            assert isinstance(marker, ResourceMarker)
            with _report_errors(place.name, use, diagnostics):
                marker.apply(use, place)
            if marker.tells:
                place.notes.told = True
                if place.notes.span is None or marker.name == "kubebuilder:resource":
                    place.notes.span = use.span
        return place.notes

    # --- lines ------------------------------------------------------------------------------------------------------

    def _read_schema(self, raws: list[RawTag], target: Target, place: SchemaPlace) -> SchemaNotes:
        found = self._uses(raws, target, place.name, place.diagnostics, kind=SchemaMarker)
        found += [shared for raw in raws if (shared := _read_shared(raw, target)) is not None]
        for marker, use in sorted(found, key=lambda pair: (pair[0].order, pair[1].span)):
            assert isinstance(marker, SchemaMarker)
            with _report_errors(place.name, use, place.diagnostics, silent=marker.name in find_shared_tags()):
                marker.apply(use, place)
        read_openapi(raws, place, lambda error, name, span: _report(error, place.name, name, span, place.diagnostics))
        self.report_names(raws, target, place.name, place.diagnostics)
        report_contradictions(place)
        _drop_denials(place)
        report_missing_keys(place)
        return place.notes

    def _borrow(
        self, lines: Sequence[CommentLine], target: Target, place: SchemaPlace, values: Iterable[object] = ()
    ) -> None:
        """Records controller-gen 0.21's reading of tags in borrowed lines. `values` are the constants of a type."""
        raws = extract([replace(line, borrowed=False) for line in own_lines(lines) if line.borrowed])
        if not raws:
            return
        notes = SchemaNotes()
        quiet = SchemaPlace(place.name, place.shape, notes, Diagnostics(), place.types, item_members=place.item_members)
        self._read_schema(raws, target, quiet)
        spans = {raw.text: raw.span for raw in raws}
        texts = sorted({value for value in values if isinstance(value, str)})
        if "k8s:enum" in spans and place.types == TEXT and texts:
            notes.keywords["enum"] = texts
        if "k8s:immutable" in spans and target is Target.FIELD:
            notes.validations.append(replace(UNCHANGED, span=spans["k8s:immutable"]))
        place.notes.borrowed = notes

    def _uses(
        self, raws: list[RawTag], target: Target, name: str, diagnostics: Diagnostics, kind: type[Marker] = Marker
    ) -> list[tuple[Marker, Use]]:
        """Returns the markers of one kind among some lines, in the order of application."""
        found = []
        for raw in raws:
            marker = find(parse_name(raw, lambda known: find(known, target) is not None), target)
            if marker is not None and isinstance(marker, kind) and not is_openapi(raw.name):
                try:
                    use = parse(raw, marker)
                    report_quotes(use, name, diagnostics)
                    report_ignored_word(raw, marker, name, diagnostics)
                    found.append((marker, use))
                except MarkerError as error:
                    shown = raw.text if error.code == "VG521" else marker.name
                    _report(error, name, shown, raw.span, diagnostics)
        return sorted(found, key=lambda pair: pair[0].order)

    def report_names(self, raws: list[RawTag], target: Target, name: str, diagnostics: Diagnostics) -> None:
        """Warns of misplaced and unknown markers."""
        for raw in raws:
            if is_openapi(raw.name) or parse_name(raw, lambda known: find(known, target) is not None):
                continue
            known = parse_name(raw, lambda known: known in catalogue())
            if known:
                places = " and ".join(t.value for t in Target for m in catalogue()[known] if t in m.targets)
                message = f"{name}: +{known} has no effect on {target.value}"
                span = raw.part(0, len(known) + 1)
                diagnostics.warning("VG522", message, span, f"it can stand on {places}")
                continue
            near = suggestion(raw.name, target)
            if near is not None and find_slip(f"+{raw.text}") is None:  # slips are reported with the whole line
                help = f"did you mean +{near}?" if near else "it has no effect"
                unknown = raw.name.rstrip(":")
                span = raw.part(0, len(unknown) + 1)
                diagnostics.warning("VG521", f"{name}: unknown marker +{unknown}", span, help)

    def _report_blocks(self, lines: Sequence[CommentLine], name: str, diagnostics: Diagnostics) -> None:
        """Warns of markers between `/*` and `*/`."""
        for raw in extract([line for line in own_lines(lines) if line.block]):
            known = parse_name(raw, lambda known: known in catalogue())
            if known and not is_for_all(raw.name):
                message = f"{name}: +{known} has no effect in a block comment"
                span = raw.part(0, len(known) + 1)
                diagnostics.warning("VG522", message, span, "put it behind `//`, in a line of its own")

    def _types(self, shape: Shape) -> frozenset[str]:
        """Returns the JSON types of a field's values, which the declaration of their type can change."""
        inner = value_shape(shape)
        declaration = self.declared(inner.type) if inner.type else None
        if declaration is None:
            return json_types(shape)
        if inner.type not in self._forms:
            place = SchemaPlace("", inner, SchemaNotes(), Diagnostics(), json_types(inner))
            self._read_schema(extract(marker_lines((*declaration.apart, *declaration.closest))), Target.TYPE, place)
            self._forms[inner.type] = place.types
        return self._forms[inner.type]

    def _item_members(self, shape: Shape) -> frozenset[str]:
        """Returns the JSON names of the fields of a list's items; empty if they are unknown."""
        outer = value_shape(shape)
        inner = value_shape(outer.elem) if isinstance(outer, ListOf) else None
        declaration = self.declared(inner.id) if isinstance(inner, StructRef) else None
        return _members(declaration) if declaration is not None else frozenset()


def _of_package(package: Package) -> list[CommentLine]:
    seen = {line.span for line in package.loose}
    return [*package.loose, *(line for line in package.comments if line.span not in seen)]


def _find_marker_name(raw: RawTag) -> str:
    """Returns the name of the marker in a line, for any target; `""` for other lines."""
    known = parse_name(raw, lambda known: known in catalogue() and not is_openapi(known))
    return known if raw.text in (known, f"{known}:") or "=" in raw.text else ""


def _report_misplaced(raw: RawTag, known: str, name: str, diagnostics: Diagnostics, *, behind: bool = False) -> None:
    message = f"{name}: +{known} belongs to no declaration, so it has no effect"
    help = "put it right above the type or the field, into its comment"
    if behind:
        message = f"{name}: +{known} has no effect behind other code on its line"
        help = "put it into a line of its own above the type or the field"
    if all(marker.targets == {Target.PACKAGE} for marker in catalogue()[known]):
        help = "put it above the package clause"
    diagnostics.warning("VG522", message, raw.part(0, len(known) + 1), help)


def _is_of_package(raw: RawTag) -> bool:
    return find(parse_name(raw, lambda known: find(known, Target.PACKAGE) is not None), Target.PACKAGE) is not None


def _read_shared(raw: RawTag, target: Target) -> tuple[Marker, Use] | None:
    """Returns a tag of declarative validation as a marker; `None` if it is not well-formed."""
    marker = find_shared_tags().get(raw.name)
    if marker is None or target not in marker.targets:
        return None
    try:
        tag = parse_tag(raw)
    except TagSyntaxError:
        return None
    value = {"": Value(tag.value, tag.value_span or tag.span)} if tag.value is not None else {}
    return (marker, Use(raw.name, value, tag.span, tag.name_span)) if bool(value) == bool(marker.arguments) else None


def _makes_root(raw: RawTag) -> bool:
    name, _, value = raw.text.partition("=")
    return name.rstrip(":") == "kubebuilder:object:root" and value.strip() == "true"


def _is_list(declaration: TypeDecl) -> bool:
    return any(member.type == Named(META, "ListMeta") for member in declaration.fields)


def _members(declaration: TypeDecl) -> frozenset[str]:
    """Returns the JSON names of a struct's fields.

    Empty if embedded structs have further ones or no field has a tag.
    """
    fields = declaration.fields
    if any(member.inline or member.embedded for member in fields):
        return frozenset()
    if all(member.tag is not None and "json:" not in member.tag for member in fields):
        return frozenset()  # a type of an internal version, whose JSON names are those of others
    return frozenset(member.json for member in fields if member.json)


def find_required_members(fields: Iterable[Field], optional: bool) -> frozenset[str]:
    """Returns the JSON names of required fields: by their markers, or because they are always written."""
    found = set()
    for member in fields:
        names = {raw.text for raw in extract(marker_lines((*member.apart, *member.comments)))}
        said = min(
            (m for m in (*packages.PRESENCE, *packages.TAGS) if m.name in names), key=attrgetter("order"), default=None
        )
        if said.doc == packages.MUST if said is not None else not (optional or member.omit or not member.path_name):
            found.add(member.json)
    return frozenset(found)


def _drop_denials(place: SchemaPlace) -> None:
    """Removes keywords that are false, which have no effect: a field cannot undo a keyword of its type."""
    for keyword in _SWITCHES:
        if place.notes.keywords.get(keyword) is False:
            del place.notes.keywords[keyword]
    for inner in place.inner:
        _drop_denials(inner)


@contextmanager
def _report_errors(place: str, use: Use, diagnostics: Diagnostics, *, silent: bool = False) -> Iterator[None]:
    try:
        yield
    except MarkerError as error:
        if not silent:
            _report(error, place, use.name, use.span, diagnostics)


def _report(error: MarkerError, place: str, name: str, span: Span, diagnostics: Diagnostics) -> None:
    unknown = error.code == "VG521"
    message = f"{place}: unknown marker +{name}" if unknown else f"{place}: +{name}: {error.message}"
    diagnostics.add(Diagnostic(error.code, error.severity, message, error.span or span, error.help))
