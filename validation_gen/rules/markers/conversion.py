"""Markers of our own that controller-gen lacks: the conversion of versions, and the kind of lists."""

from __future__ import annotations

import re

from validation_gen.ir import Conversion
from validation_gen.rules.markers.base import Argument, MarkerError, Use
from validation_gen.rules.markers.resources import ResourcePlace, optional_text, resource_marker
from validation_gen.rules.markers.values import INT, TEXT, TEXTS

_KIND = re.compile(r"[A-Za-z](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?")


def _list_kind(use: Use, place: ResourcePlace) -> None:
    if not _KIND.fullmatch(use.text("listKind")):
        raise MarkerError(f'"{use.text("listKind")}" is no name of a kind', span=use.place("listKind"))
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
        raise MarkerError(f'"{service}" is no name of a service', span=use.place("service"), help=help)
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


MARKERS = (
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
