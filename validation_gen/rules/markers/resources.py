"""Markers of a kind as a resource: names, scope, subresources, columns, versions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import PrinterColumn, ResourceNotes, Scale
from validation_gen.rules.markers.base import Argument, Marker, MarkerError, Target, Use
from validation_gen.rules.markers.values import INT, TEXT, TEXTS

_NAMESPACED = "Namespaced"
_TYPE = frozenset({Target.TYPE})
_LABEL = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")
_COLUMN_TYPES = ("string", "integer", "number", "boolean", "date")
_COLUMN_FORMATS = ("int32", "int64", "float", "double", "byte", "date", "date-time", "password")


@dataclass(slots=True)
class ResourcePlace:
    """The resource that markers of a kind describe. `said` records the position of each fact."""

    name: str
    notes: ResourceNotes
    diagnostics: Diagnostics
    said: dict[str, Span] = field(default_factory=dict)

    def once(self, use: Use, what: str, value: object, before: object) -> None:
        """Warns of a second, different value. The last value wins."""
        if what in self.said and value != before:
            message = f"{self.name}: +{use.name} says something else of {what} than line {self.said[what].line}"
            self.diagnostics.warning("VG526", message, use.span, "keep one of them; only the last one counts")
        self.said[what] = use.span


@dataclass(frozen=True, slots=True)
class ResourceMarker(Marker):
    """A marker with an effect on a resource. One that `tells` makes its type a custom resource."""

    apply: Callable[[Use, ResourcePlace], None] = field(default=lambda use, place: None)
    tells: bool = True


def _label(use: Use, name: str, text: str, item: int | None = None) -> str:
    if not _LABEL.fullmatch(text):
        lower = text.lower()
        help = f"write {lower}" if _LABEL.fullmatch(lower) else "write a-z, 0-9 and '-', with a letter at the beginning"
        raise MarkerError(f'"{text}" is no lower-case DNS label', span=use.place(name, item), help=help)
    return text


def _labels(use: Use, name: str) -> tuple[str, ...]:
    return tuple(_label(use, name, text, index) for index, text in enumerate(use.texts(name)))


def _path(use: Use, name: str, *roots: str) -> str:
    """Returns a path into the object, which must begin with a dot."""
    text = use.text(name)
    if not text.startswith("."):
        bare = text.strip("{}").lstrip("$")
        help = f"write {bare if bare.startswith('.') else f'.{bare}'}"
        raise MarkerError(f'the path "{text}" does not begin with a dot', span=use.place(name), help=help)
    if roots and not text.startswith(roots):
        allowed = " or ".join(roots)
        raise MarkerError(f'the path "{text}" is not below {allowed}', span=use.place(name))
    return text


def _resource(use: Use, place: ResourcePlace) -> None:
    notes = place.notes
    if use.text("path"):
        place.once(use, "the plural", use.text("path"), notes.plural)
        notes.plural = _label(use, "path", use.text("path"))
    if use.text("singular"):
        place.once(use, "the singular", use.text("singular"), notes.singular)
        notes.singular = _label(use, "singular", use.text("singular"))
    # As in controller-gen, each line sets these three, also to nothing.
    place.once(use, "the short names", use.texts("shortName"), notes.short_names)
    notes.short_names = _labels(use, "shortName")
    place.once(use, "the categories", use.texts("categories"), notes.categories)
    notes.categories = _labels(use, "categories")
    place.once(use, "the scope", use.text("scope") or _NAMESPACED, notes.scope or _NAMESPACED)
    notes.scope = use.text("scope")


def _status(use: Use, place: ResourcePlace) -> None:
    place.notes.status = True


def _scale(use: Use, place: ResourcePlace) -> None:
    selector = _path(use, "selectorpath", ".status.", ".spec.") if use.text("selectorpath") else ""
    scale = Scale(_path(use, "specpath", ".spec."), _path(use, "statuspath", ".status."), selector)
    place.once(use, "the scale", scale, place.notes.scale)
    place.notes.scale = scale


def _column(use: Use, place: ResourcePlace) -> None:
    priority = use.arguments.get("priority")
    number = priority.value if priority is not None else 0
    assert isinstance(number, int), "the argument is an integer"
    if not -(2**31) <= number < 2**31:
        raise MarkerError(f"{number} does not fit into 32 bits", span=use.place("priority"))
    if not use.text("name"):
        raise MarkerError("the column has no name", span=use.place("name"))
    if any(column.name == use.text("name") for column in place.notes.columns):
        message = f"{place.name}: there is a column {use.text('name')} already"
        place.diagnostics.warning("VG526", message, use.place("name"), "give it another name")
    place.notes.columns.append(
        PrinterColumn(
            use.text("name"),
            use.text("type"),
            _path(use, "JSONPath"),
            use.text("description"),
            use.text("format"),
            number,
        )
    )


def _storage(use: Use, place: ResourcePlace) -> None:
    place.notes.storage = True


def _read_unserved(use: Use, place: ResourcePlace) -> None:
    place.notes.served = False


def _skip(use: Use, place: ResourcePlace) -> None:
    place.notes.skip = True


def _read_deprecated(use: Use, place: ResourcePlace) -> None:
    place.notes.deprecated = True
    warning = use.text("warning") if "warning" in use.arguments else None
    place.once(use, "the warning", warning, place.notes.deprecation_warning)
    place.notes.deprecation_warning = warning


def _metadata(use: Use, place: ResourcePlace) -> None:
    for argument, into in (("labels", place.notes.labels), ("annotations", place.notes.annotations)):
        for index, text in enumerate(use.texts(argument)):
            key, equals, value = text.partition("=")
            if not equals or not key:
                help = f'write {argument}="{key or "key"}=value"'
                raise MarkerError(f'"{text}" is no key=value', span=use.place(argument, index), help=help)
            into[key] = value


def _selectable(use: Use, place: ResourcePlace) -> None:
    path = _path(use, "JSONPath")
    if path in place.notes.selectable:
        message = f"{place.name}: {path} is selectable already"
        place.diagnostics.warning("VG526", message, use.span, "keep one of them")
        return
    place.notes.selectable.append(path)


def _cluster(use: Use, place: ResourcePlace) -> None:
    if "the scope" not in place.said:
        place.notes.scope = "Cluster"


def _plural(use: Use, place: ResourcePlace) -> None:
    if not place.notes.plural:
        place.notes.plural = _label(use, "", use.text(""))


def resource_marker(
    name: str,
    doc: str,
    apply: Callable[[Use, ResourcePlace], None],
    *arguments: Argument,
    example: str = "",
    order: int = 10,
    tells: bool = True,
) -> ResourceMarker:
    return ResourceMarker(name, _TYPE, doc, f"+{name}{example}", arguments, order, apply, tells)


def optional_text(name: str, doc: str, *choices: str) -> Argument:
    return Argument(name, TEXT, doc, required=False, choices=choices)


MARKERS = (
    resource_marker(
        "kubebuilder:resource",
        "The names of the resource, and whether it belongs to a namespace.",
        _resource,
        optional_text("path", "the plural, by which the API server has it"),
        Argument("shortName", TEXTS, "short names for kubectl", required=False),
        Argument("categories", TEXTS, "groups of resources to which it belongs, such as `all`", required=False),
        optional_text("singular", "the singular, for kubectl"),
        optional_text("scope", "to what its objects belong", _NAMESPACED, "Cluster"),
        example=":path=robots,shortName=rb;robo,scope=Cluster",
    ),
    resource_marker("kubebuilder:subresource:status", "The status is written apart from the rest.", _status),
    resource_marker(
        "kubebuilder:subresource:scale",
        "The resource can be scaled.",
        _scale,
        Argument("specpath", TEXT, "the wanted number of replicas, below `.spec`"),
        Argument("statuspath", TEXT, "the present number of replicas, below `.status`"),
        optional_text("selectorpath", "the label selector of the replicas as a string"),
        example=":specpath=.spec.replicas,statuspath=.status.replicas",
    ),
    resource_marker(
        "kubebuilder:printcolumn",
        "A column of `kubectl get`; it can be repeated.",
        _column,
        Argument("name", TEXT, "the head of the column"),
        Argument("type", TEXT, "the type of its values", choices=_COLUMN_TYPES),
        Argument("JSONPath", TEXT, "where the values are in an object"),
        optional_text("description", "what it shows"),
        optional_text("format", "the format of its values", *_COLUMN_FORMATS),
        Argument("priority", INT, "0 if it is always shown, more if only on `-o wide`", required=False),
        example=':name="Phase",type=string,JSONPath=`.status.phase`',
    ),
    resource_marker("kubebuilder:storageversion", "Objects are stored in this version.", _storage),
    resource_marker("kubebuilder:unservedversion", "The API server does not serve this version.", _read_unserved),
    resource_marker("kubebuilder:skipversion", "This version is no part of the resource.", _skip),
    resource_marker(
        "kubebuilder:deprecatedversion",
        "Who uses this version is warned.",
        _read_deprecated,
        optional_text("warning", "the warning, if it is not the usual one"),
        example=':warning="use v1"',
    ),
    resource_marker(
        "kubebuilder:metadata",
        "Labels and annotations of the CustomResourceDefinition; it can be repeated.",
        _metadata,
        Argument("annotations", TEXTS, "annotations, each as `key=value`", required=False),
        Argument("labels", TEXTS, "labels, each as `key=value`", required=False),
        example=':labels="app=robots"',
    ),
    resource_marker(
        "kubebuilder:selectablefield",
        "A field that field selectors may use; it can be repeated.",
        _selectable,
        Argument("JSONPath", TEXT, "where the field is in an object"),
        example=":JSONPath=`.spec.model`",
    ),
    resource_marker(
        "genclient:nonNamespaced",
        "The scope is Cluster, if no other marker says it.",
        _cluster,
        order=20,
        tells=False,
    ),
    resource_marker(
        "genclient:noStatus",
        "Clients do not write the status apart. It has no effect: a status is no subresource by default.",
        lambda use, place: None,
        tells=False,
    ),
    resource_marker(
        "resourceName",
        "The plural, if no other marker says it.",
        _plural,
        Argument("", TEXT, "the plural"),
        example="=robots",
        order=20,
        tells=False,
    ),
)
