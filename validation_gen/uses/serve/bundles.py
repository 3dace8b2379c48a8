"""Puts the authorities whom a server's callers trust into manifests: configurations of webhooks, and definitions.

Text changes where a `caBundle` stands or is missing, and nowhere else: comments, order and line ends stay. What comes
out is read again before it is believed. A manifest that aliases or `<<` make unclear is refused, and stays as it is.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.schema.splice import Edit, child
from validation_gen.files import reading
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.registration.run import is_configuration
from validation_gen.kubernetes.yaml import malformed, mark_at, read_documents, read_unusual

CODE = "VG563"
_NAME = "caBundle"
_HELP = "write the client's configuration out where it stands, without an alias"
_LARGEST = 16 << 20  # bytes; the definitions of a whole project have less


@dataclass(frozen=True, slots=True)
class Service:
    """The service that a manifest must name for the authorities to be its own."""

    name: str
    namespace: str


def with_bundle(files: list[str], authorities: bytes, service: Service, diagnostics: Diagnostics) -> dict[str, str]:
    """The new text of each file by its path. What cannot be changed is reported, and left out."""
    found = {}
    for file in files:
        try:
            content = reading.read_named(file, _LARGEST)
            text = content.decode()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            diagnostics.error("VG901", f"cannot read: {reason}", Span(file), "check the path and the permissions")
            continue
        body = text.removeprefix("\ufeff")
        try:
            patch = _Patch(body, base64.b64encode(authorities).decode(), service)
            found[file] = text[: len(text) - len(body)] + patch.run()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            span = Span(file) if mark is None else Span(file, mark.line + 1, mark.column + 1, mark.column + 2)
            diagnostics.error(CODE, str(error.problem or error.context), span, error.note or "")
        except RecursionError:
            diagnostics.error(CODE, "nested too deeply", Span(file), "name a manifest that a cluster would take")
    return found


@dataclass(slots=True)
class _Patch:
    """The work on one text."""

    text: str
    bundle: str
    service: Service
    edits: dict[int, Edit] = field(default_factory=dict)

    def run(self) -> str:
        documents = list(read_unusual(self.text))
        values = []
        for document in documents:
            assert document.node is not None, "YAML has nodes"
            values.append(document.value)
            for node, obj in _items(document.node, document.value):
                for client, value in _clients(node, obj):
                    self._set(client, value)
        if not self.edits:
            problem = f"nothing here asks the service {self.service.name} in {self.service.namespace}"
            help = "name it by --service and --namespace, as it stands in clientConfig.service"
            raise malformed(mark_at(self.text, 0), problem, help)
        result = self._result()
        if not _reads_as(result, values):
            first = min(edit.start for edit in self.edits.values())
            raise malformed(mark_at(self.text, first), "the bundle cannot be put where it should stand", _HELP)
        return result

    def _result(self) -> str:
        parts, end = [], 0
        for edit in sorted(self.edits.values()):
            parts += [self.text[end : edit.start], edit.text]
            end = edit.end
        return "".join(parts) + self.text[end:]

    def _set(self, client: yaml.Node, value: dict[str, Any]) -> None:
        """One client's configuration, if it is of the service. What is put into the text is put into `value`, too."""
        service = value.get("service")
        if not isinstance(service, dict):
            return
        if (service.get("name"), service.get("namespace")) != (self.service.name, self.service.namespace):
            return
        value[_NAME] = self.bundle
        if not isinstance(client, yaml.MappingNode) or child(client, "<<") is not None:
            raise malformed(client.start_mark, "`<<` brings parts of this from elsewhere", _HELP)
        start = client.start_mark.index
        pair = child(client, _NAME)
        self.edits[start] = self._added(client) if pair is None else self._replaced(client, *pair)

    def _added(self, client: yaml.MappingNode) -> Edit:
        key = client.value[0][0].start_mark
        if client.flow_style:
            return Edit(key.index, key.index, f'"{_NAME}": "{self.bundle}", ')
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return Edit(key.index, key.index, f"{_NAME}: {self.bundle}{newline}{' ' * key.column}")

    def _replaced(self, client: yaml.MappingNode, key: yaml.Node, value: yaml.Node) -> Edit:
        start, end = value.start_mark.index, value.end_mark.index
        if not key.end_mark.index <= start <= end <= client.end_mark.index:
            raise malformed(key.start_mark, f"`{_NAME}` is an alias of something elsewhere", _HELP)
        if not isinstance(value, yaml.ScalarNode):
            raise malformed(value.start_mark, f"`{_NAME}` is no text", "write a text, or leave it out")
        text = f'"{self.bundle}"' if client.flow_style else self.bundle
        if value.style in ("|", ">"):  # its end is where the next key begins
            text += self.text[len(self.text[:end].rstrip(" \t\r\n")) : end]
        elif start == end:  # nothing is written behind the colon
            text = f" {text}"
            start = end = self.text.index(":", key.end_mark.index) + 1
        return Edit(start, end, text)


def _items(node: yaml.Node, obj: Any) -> Iterator[tuple[yaml.Node, dict[str, Any]]]:
    """The configurations and definitions of a document: itself, or the items of a list."""
    if not isinstance(obj, dict):
        return
    if is_configuration(obj) or is_definition(obj):
        yield node, obj
    items = child(node, "items") if obj.get("kind") == "List" else None
    if items is not None and isinstance(items[1], yaml.SequenceNode):
        for item, value in zip(items[1].value, obj["items"], strict=True):
            if is_configuration(value) or is_definition(value):
                yield item, value


def _clients(node: yaml.Node, obj: dict[str, Any]) -> Iterator[tuple[yaml.Node, dict[str, Any]]]:
    """The configurations of clients in an object, each with its value."""
    if is_definition(obj):
        found = _below(node, obj, "spec", "conversion", "webhook", "clientConfig")
        yield from [found] if found else []
        return
    hooks = child(node, "webhooks")
    if hooks is None or not isinstance(hooks[1], yaml.SequenceNode):
        return
    for hook, value in zip(hooks[1].value, obj["webhooks"], strict=True):
        found = _below(hook, value, "clientConfig")
        yield from [found] if found else []


def _below(node: yaml.Node, value: Any, *names: str) -> tuple[yaml.Node, dict[str, Any]] | None:
    for name in names:
        pair = child(node, name)
        if pair is None or not isinstance(value, dict):
            return None
        node, value = pair[1], value.get(name)
    return (node, value) if isinstance(value, dict) else None


def _reads_as(text: str, values: list[Any]) -> bool:
    try:
        read = [document.value for document in read_documents(text)]
    except yaml.MarkedYAMLError:
        return False
    return json.dumps(read, sort_keys=True) == json.dumps(values, sort_keys=True)
