"""Markers in the comments of declarations: which line is one, what it says, what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.ir import ResourceNotes, SchemaNotes, Shape, StructRef, value_shape
from validation_gen.markers.base import Marker, MarkerError, SchemaMarker, SchemaPlace, Target, Use, Value
from validation_gen.markers.catalogue import catalogue, find, shared_tags
from validation_gen.markers.documentation import documentation
from validation_gen.markers.fit import json_types
from validation_gen.markers.keywords import report_contradictions
from validation_gen.markers.openapi import is_openapi, read_openapi
from validation_gen.markers.packages import PackageMarker, PackageNotes
from validation_gen.markers.parser import name_of, parse
from validation_gen.markers.resources import ResourceMarker, ResourcePlace
from validation_gen.markers.spelling import suggestion
from validation_gen.markers.topology import infer_list_type
from validation_gen.model import CommentLine, Field, Named, Package, Struct, TypeDecl
from validation_gen.tags.parser import RawTag, TagSyntaxError, extract
from validation_gen.tags.parser import parse as parse_tag

_META = "k8s.io/apimachinery/pkg/apis/meta/v1"


@dataclass(slots=True)
class MarkerReader:
    """Reads the markers of declarations and reports what is wrong with them.

    `declared` finds the declaration of a struct by its id, so that what it says of its JSON type is known where it is
    used.
    """

    diagnostics: Diagnostics
    declared: Callable[[str], TypeDecl | None] = lambda struct: None

    # --- entry points -----------------------------------------------------------------------------------------------

    def of_type(self, declaration: TypeDecl, shape: Shape, *, report: bool = True) -> SchemaNotes:
        """What the comments of a type say of its schema. `shape` is that of its values."""
        place = SchemaPlace(
            name=str(declaration),
            shape=shape,
            notes=SchemaNotes(doc=documentation(_own(declaration.closest))),
            diagnostics=self.diagnostics if report else Diagnostics(),
            types=json_types(shape),
            members=_members(declaration),
        )
        # Above the doc comment there can be markers of the package, too.
        apart = [raw for raw in extract(_own(declaration.second_closest)) if not _is_of_package(raw)]
        return self._read_schema([*apart, *extract(_own(declaration.closest))], Target.TYPE, place)

    def of_field(self, member: Field, shape: Shape, owner: str = "", *, report: bool = True) -> SchemaNotes:
        """What the comments of a field say of its schema. `shape` is that of its values, `owner` the id of its type."""
        lines = _own(member.comments)
        name = member.path_name or member.go_name
        place = SchemaPlace(
            name=f"field {owner}.{name}" if owner else f"field {name}",
            shape=shape,
            notes=SchemaNotes(doc=documentation(lines)),
            diagnostics=self.diagnostics if report else Diagnostics(),
            types=self._types(shape),
        )
        return self._read_schema(extract(lines), Target.FIELD, place)

    def of_package(self, package: Package, *, report: bool = True) -> PackageNotes:
        """What the comments of a package say of it, wherever they stand in its files."""
        diagnostics = self.diagnostics if report else Diagnostics()
        name = f"package {package.path}"
        notes = PackageNotes()
        for marker, use in self._uses(extract(_of_package(package)), Target.PACKAGE, name, diagnostics):
            if isinstance(marker, PackageMarker):
                marker.apply(use, notes)
        return notes

    def resource(self, declaration: TypeDecl, *, report: bool = True) -> ResourceNotes:
        """What the comments of a type say of it as a resource."""
        diagnostics = self.diagnostics if report else Diagnostics()
        place = ResourcePlace(str(declaration), ResourceNotes(), diagnostics)
        raws = extract((*_own(declaration.second_closest), *_own(declaration.closest)))
        place.notes.told = not _is_list(declaration) and any(_makes_root(raw) for raw in raws)
        for marker, use in self._uses(raws, Target.TYPE, place.name, diagnostics, kind=ResourceMarker):
            assert isinstance(marker, ResourceMarker)
            with _reported(place.name, use, diagnostics):
                marker.apply(use, place)
            if marker.tells:
                place.notes.told = True
                if place.notes.span is None or marker.name == "kubebuilder:resource":
                    place.notes.span = use.span
        return place.notes

    # --- lines ------------------------------------------------------------------------------------------------------

    def _read_schema(self, raws: list[RawTag], target: Target, place: SchemaPlace) -> SchemaNotes:
        found = self._uses(raws, target, place.name, place.diagnostics, kind=SchemaMarker)
        found += [shared for raw in raws if (shared := _shared(raw, target)) is not None]
        for marker, use in sorted(found, key=lambda pair: (pair[0].order, pair[1].span)):
            assert isinstance(marker, SchemaMarker)
            with _reported(place.name, use, place.diagnostics, silent=marker.name in shared_tags()):
                marker.apply(use, place)
        read_openapi(raws, place, lambda error, name, span: _report(error, place.name, name, span, place.diagnostics))
        self._report_names(raws, target, place.name, place.diagnostics)
        report_contradictions(place)
        infer_list_type(place)
        return place.notes

    def _uses(
        self, raws: list[RawTag], target: Target, name: str, diagnostics: Diagnostics, kind: type[Marker] = Marker
    ) -> list[tuple[Marker, Use]]:
        """The markers of one kind among some lines, in the order in which they count."""
        found = []
        for raw in raws:
            marker = find(name_of(raw, lambda known: find(known, target) is not None), target)
            if marker is not None and isinstance(marker, kind) and not is_openapi(raw.name):
                try:
                    found.append((marker, parse(raw, marker)))
                except MarkerError as error:
                    _report(error, name, marker.name, raw.span, diagnostics)
        return sorted(found, key=lambda pair: pair[0].order)

    def _report_names(self, raws: list[RawTag], target: Target, name: str, diagnostics: Diagnostics) -> None:
        """Warns of markers that stand in the wrong place, or whose names are not known."""
        for raw in raws:
            if is_openapi(raw.name) or name_of(raw, lambda known: find(known, target) is not None):
                continue
            known = name_of(raw, lambda known: known in catalogue())
            if known:
                places = " and ".join(t.value for t in Target for m in catalogue()[known] if t in m.targets)
                message = f"{name}: +{known} has no effect on {target.value}"
                span = raw.part(0, len(known) + 1)
                diagnostics.warning("VG522", message, span, f"it can stand on {places}")
                continue
            near = suggestion(raw.name, target)
            if near is not None:
                help = f"did you mean +{near}?" if near else "it has no effect"
                span = raw.part(0, len(raw.name) + 1)
                diagnostics.warning("VG521", f"{name}: unknown marker +{raw.name}", span, help)

    def _types(self, shape: Shape) -> frozenset[str]:
        """The JSON types of a field's values. A struct can say that it has another one."""
        inner = value_shape(shape)
        declaration = self.declared(inner.id) if isinstance(inner, StructRef) else None
        if declaration is not None:
            quiet = MarkerReader(Diagnostics()).of_type(declaration, inner)
            if isinstance(type := quiet.keywords.get("type"), str):
                return frozenset({type})
        return json_types(shape)


def _own(lines: Sequence[CommentLine]) -> list[CommentLine]:
    """A comment without lines that stand behind other code: those belong to it."""
    return [line for line in lines if not line.behind]


def _of_package(package: Package) -> list[CommentLine]:
    seen = {line.span for line in package.loose}
    return [*package.loose, *(line for line in package.comments if line.span not in seen)]


def _is_of_package(raw: RawTag) -> bool:
    return find(name_of(raw, lambda known: find(known, Target.PACKAGE) is not None), Target.PACKAGE) is not None


def _shared(raw: RawTag, target: Target) -> tuple[Marker, Use] | None:
    """What a tag of declarative validation says of the schema; nothing, if it is not well-formed."""
    marker = shared_tags().get(raw.name)
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
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    return any(member.type == Named(_META, "ListMeta") for member in fields)


def _members(declaration: TypeDecl) -> frozenset[str]:
    """The JSON names of a struct's fields; none, where embedded structs have further ones."""
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    if any(member.inline or member.embedded for member in fields):
        return frozenset()
    return frozenset(member.json for member in fields if member.json)


@contextmanager
def _reported(place: str, use: Use, diagnostics: Diagnostics, *, silent: bool = False) -> Iterator[None]:
    try:
        yield
    except MarkerError as error:
        if not silent:
            _report(error, place, use.name, use.span, diagnostics)


def _report(error: MarkerError, place: str, name: str, span: Span, diagnostics: Diagnostics) -> None:
    unknown = error.code == "VG521"
    message = f"{place}: unknown marker +{name}" if unknown else f"{place}: +{name}: {error.message}"
    diagnostics.add(Diagnostic(error.code, error.severity, message, error.span or span, error.help))
