"""Representations: which one a client accepts, reading of bodies, and writing of responses.

Sources of the behaviour: `pkg/endpoints/handlers/negotiation` and `pkg/endpoints/handlers/responsewriters` of
`k8s.io/apiserver`, and `pkg/runtime/serializer` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from validation_gen.apiserver.errors import ApiError

JSON, YAML, PROTOBUF, CBOR = (
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/cbor",
)
#: Media types that a server of custom kinds reads and writes.
SERVED = (JSON, YAML)
#: Other forms of objects and lists that a client may ask for, by their kind.
TRANSFORMS = {
    "Table": ("v1", "v1beta1"),
    "PartialObjectMetadata": ("v1", "v1beta1"),
    "PartialObjectMetadataList": ("v1", "v1beta1"),
}


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type that a client accepts, with the form of objects that it asks for.

    Attributes:
        type: `application/json` or `application/yaml`.
        pretty: whether to indent.
        kind: `Table`, `PartialObjectMetadata`, `PartialObjectMetadataList`, or empty for the object itself.
        version: the version of that kind.
        stream: whether the client named `;stream=watch`.
    """

    type: str = JSON
    pretty: bool = False
    kind: str = ""
    version: str = ""
    stream: bool = False


def parse_accept(header: str) -> list[tuple[str, dict[str, str]]]:
    """Returns the accepted media types with their parameters, the preferred ones first."""
    found = []
    for index, part in enumerate(header.split(",")):
        name, *rest = (each.strip() for each in part.split(";"))
        if not name or name.count("/") != 1:
            continue
        parameters = dict(each.partition("=")[::2] for each in rest if each)
        try:
            quality = float(parameters.pop("q", 1))
        except ValueError:
            quality = 1.0
        main, sub = name.split("/")
        specific = (main != "*", sub != "*", len(parameters))
        found.append((-quality, tuple(-int(each) for each in specific), index, name, parameters))
    found.sort(key=lambda each: each[:3])
    return [(name, parameters) for *_, name, parameters in found]


def negotiate(header: str | None, *, pretty: bool = False, transforms: bool = True) -> MediaType:
    """Returns the representation of a response."""
    for name, parameters in parse_accept(header or "*/*"):
        for served in SERVED:
            if not _matches(name, served):
                continue
            kind, version, group = (parameters.get(key, "") for key in ("as", "v", "g"))
            if kind and not (transforms and group == "meta.k8s.io" and version in TRANSFORMS.get(kind, ())):
                break
            stream = parameters.get("stream") == "watch"
            is_pretty = pretty or parameters.get("pretty") in ("1", "true")
            return MediaType(served, is_pretty, kind, version, stream)
    message = f"only the following media types are accepted: {', '.join((*SERVED, PROTOBUF))}"
    raise ApiError(406, "NotAcceptable", message)


def _matches(name: str, served: str) -> bool:
    main, sub = name.split("/")
    return main in ("*", served.split("/", maxsplit=1)[0]) and sub in ("*", served.split("/")[1])


def find_accepted(header: str | None, *served: str) -> str:
    """Returns the media type among some that a client prefers, empty if it accepts none."""
    for name, _ in parse_accept(header or "*/*"):
        for each in served:
            if _matches(name, each):
                return each
    return ""


def make_unsupported_media_type(supported: Sequence[str]) -> ApiError:
    """Returns 415."""
    message = f"the body of the request was in an unknown format - accepted media types include: {', '.join(supported)}"
    return ApiError(415, "UnsupportedMediaType", message)


def input_type(header: str | None, *, protobuf: bool = False) -> str:
    """Returns the media type of a body: JSON without a header. `protobuf`: whether it may be that, too."""
    name = (header or JSON).partition(";")[0].strip().lower()
    if name in SERVED or (protobuf and name == PROTOBUF):
        return name
    raise make_unsupported_media_type((*SERVED, PROTOBUF))


class _Dumper(yaml.SafeDumper):
    """Writes YAML as sigs.k8s.io/yaml does."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Quotes a text that YAML would read as another type."""
    style = None
    resolve: Callable[..., str] = dumper.resolve
    if resolve(yaml.ScalarNode, text, (True, False)) != "tag:yaml.org,2002:str" or text in ("y", "n", "Y", "N"):
        style = '"'
    elif "\n" in text:
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def encode(obj: Any, media: MediaType) -> bytes:
    """Returns an object in a representation."""
    if media.type == YAML:
        text: str = yaml.dump(
            obj, Dumper=_Dumper, default_flow_style=False, sort_keys=True, allow_unicode=True, width=80
        )
        return text.encode()
    return encode_json(obj, pretty=media.pretty)


def encode_json(obj: Any, *, pretty: bool = False) -> bytes:
    """Returns an object as JSON, with a line break at the end."""
    if pretty:
        return json.dumps(obj, indent=2, ensure_ascii=False).encode("utf-8", "replace")
    return json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


# --- warnings ---------------------------------------------------------------------------------------------------------

#: Characters of all warnings, and of each one if all are too long.
_MOST_WARNINGS, _LONGEST_WARNING = 4096, 256
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def write_warnings(texts: Iterable[str]) -> list[bytes]:
    """Returns the values of `Warning` headers, each text once. If all are too long, they are cut, and the last dropped.

    Source of the behaviour: `pkg/endpoints/filters/warning.go` of `k8s.io/apiserver`.
    """
    known: list[str] = []
    found: list[str] = []
    written, cuts = 0, False
    for text in dict.fromkeys(filter(None, texts)):
        if cuts and written >= _MOST_WARNINGS:
            break
        known.append(text)
        shown = text[:_LONGEST_WARNING] if cuts else text
        if _CONTROL.search(shown):
            continue
        if not cuts and written + len(shown) > _MOST_WARNINGS:
            cuts = True
            cut = (each[:_LONGEST_WARNING] for each in known)
            found = [each for each in cut if not _CONTROL.search(each)]
            written = sum(map(len, found))
        else:
            found.append(shown)
            written += len(shown)
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in found)
    return [f'299 - "{text}"'.encode("utf-8", "replace") for text in quoted]
