"""All markers by name: the only module that knows them all, with those of our own.

Our own markers are for combined schemas (`allOf`, `anyOf`, `oneOf` and `not`), for the conversion of versions, and for
the kind of lists.
"""

from __future__ import annotations

import re
from functools import cache

from validation_gen.ir import Conversion
from validation_gen.rules.markers import expressions, openapi, packages, resources, schema, topology
from validation_gen.rules.markers.base import (
    TYPE_OR_FIELD,
    Argument,
    Marker,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
)
from validation_gen.rules.markers.resources import ResourcePlace, optional_text, resource_marker
from validation_gen.rules.markers.schema import parse_json
from validation_gen.rules.markers.values import INT, REST, TEXT, TEXTS

_KIND = re.compile(r"[A-Za-z](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?")


def _list_kind(use: Use, place: ResourcePlace) -> None:
    if not _KIND.fullmatch(use.text("listKind")):
        raise MarkerError(f'"{use.text("listKind")}" is not the name of a kind', span=use.place("listKind"))
    place.notes.list_kind = use.text("listKind")


def _conversion(use: Use, place: ResourcePlace) -> None:
    details = [name for name in use.arguments if name != "strategy"]
    if use.text("strategy") == "None":
        if details:
            help = "write strategy=Webhook, or leave it out"
            raise MarkerError("these settings require `strategy=Webhook`", span=use.place(details[0]), help=help)
        return
    url, service = use.text("url"), use.text("service")
    if bool(url) == bool(service):
        message = "a webhook is at a url or of a service" + (", not both" if url else ", and neither is given")
        raise MarkerError(message, code="VG523", help='write service="namespace/name" or url="https://…"')
    namespace, _, name = service.partition("/")
    if service and not (namespace and name and "/" not in name):
        help = 'write service="namespace/name"'
        raise MarkerError(f'"{service}" is not the name of a service', span=use.place("service"), help=help)
    if url and not re.match(r"https://[^/\s]", url):
        raise MarkerError(f'"{url}" is no https URL', span=use.place("url"))
    path = use.text("path")
    if path and not path.startswith("/"):
        raise MarkerError(
            f'the path "{path}" does not begin with a slash', span=use.place("path"), help=f"write /{path}"
        )
    port = use.arguments.get("port")
    number = port.value if port is not None else None
    if isinstance(number, int) and not 1 <= number <= 65535:
        raise MarkerError(f"{number} is no port", span=use.place("port"), help="it is one of 1 to 65535")
    if url and (path or number is not None):
        extra = "path" if path else "port"
        raise MarkerError(f"the {extra} is a part of the url", code="VG523", span=use.place(extra))
    found = Conversion(
        use.texts("reviewVersions") or ("v1",),
        url,
        namespace,
        name,
        path,
        number if isinstance(number, int) else None,
    )
    place.once(use, "the conversion", found, place.notes.conversion)
    place.notes.conversion = found


_CONVERSION = (
    resource_marker(
        "validation-gen:resource",
        "What kubebuilder's marker has no argument for.",
        _list_kind,
        Argument("listKind", TEXT, "the kind of lists; `<Kind>List` without it"),
        example=":listKind=RobotCollection",
    ),
    resource_marker(
        "validation-gen:conversion",
        "How objects are converted between versions; it can stand on the kind in any of them.",
        _conversion,
        Argument("strategy", TEXT, "whether a webhook does it", choices=("Webhook", "None")),
        optional_text("service", "the service of the webhook, as `namespace/name`"),
        optional_text("path", "the path below the service"),
        Argument("port", INT, "the port of the service; 443 without it", required=False),
        optional_text("url", "the webhook's address, in the place of a service"),
        Argument("reviewVersions", TEXTS, "versions of ConversionReview that it takes; v1 without it", required=False),
        example=':strategy=Webhook,service="robots/webhook",path="/convert"',
    ),
)


PREFIX = "validation-gen:validation:"
_DOCS = {
    "allOf": "Demands that a value fits all of some schemas beside its own.",
    "anyOf": "Demands that a value fits at least one of some schemas.",
    "oneOf": "Demands that a value fits one of some schemas, and no more.",
    "not": "Demands that a value does not fit a schema.",
}


def _marker(keyword: str, doc: str) -> SchemaMarker:
    name, single = f"{PREFIX}{keyword}", keyword == "not"

    def apply(use: Use, place: SchemaPlace) -> None:
        value = parse_json(use.text(""), use)
        parts = [value] if single else value
        if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
            wanted = "a schema" if single else "a list of schemas"
            raise MarkerError(f"the value is not {wanted}", span=use.place(), help=f"for example: {example}")
        place.set(keyword, value, use.name, use.span)

    example = f'+{name}={{"required":["tether"]}}' if single else f'+{name}=[{{"required":["battery"]}}]'
    return SchemaMarker(name, TYPE_OR_FIELD, doc, example, (Argument("", REST, "JSON"),), apply=apply)


MARKERS = tuple(_marker(keyword, doc) for keyword, doc in _DOCS.items())


#: Markers that other programs read: `kubebuilder:rbac`, `kubebuilder:object` and the like.
_OTHERS = re.compile(
    r"kubebuilder:(?:rbac|webhook|webhookconfiguration|object|docs-gen|scaffold|ac|storageversions|printercolumns)(?::.*)?"
)
_NAMESPACES = ("kubebuilder:validation:", "kubebuilder:subresource:", "kubebuilder:pruning:", "validation-gen:")


@cache
def catalogue() -> dict[str, tuple[Marker, ...]]:
    """Returns the markers by name. Several markers with one name have different targets."""
    found: dict[str, tuple[Marker, ...]] = {}
    for marker in (
        *schema.MARKERS,
        *expressions.GROUPS,
        *MARKERS,
        *packages.PRESENCE,
        *topology.MARKERS,
        *openapi.MARKERS,
        *resources.MARKERS,
        *_CONVERSION,
        *packages.MARKERS,
    ):
        found[marker.name] = (*found.get(marker.name, ()), marker)
    return dict(sorted(found.items()))


@cache
def find_shared_tags() -> dict[str, SchemaMarker]:
    """Returns the tags of declarative validation that also affect schemas. Their rules check their syntax."""
    return {marker.name: marker for marker in (*packages.TAGS, *topology.TAGS)}


def find(name: str, target: Target) -> Marker | None:
    """Returns the marker of this name for a type of declaration."""
    return next((marker for marker in catalogue().get(name, ()) if target in marker.targets), None)


def is_anothers(name: str) -> bool:
    """Returns whether a name is a marker of another program."""
    return _OTHERS.fullmatch(name) is not None


def is_ours(name: str) -> bool:
    """Returns whether a name can only be one of these markers, known or misspelt."""
    return name.startswith(_NAMESPACES) or (name.startswith("kubebuilder:") and name.count(":") == 1)
