"""Kubernetes manifests: every object in YAML or JSON files, read as the Kubernetes clients read them.

YAML goes through JSON there (sigs.k8s.io/yaml): timestamps stay text, keys become strings, whole floats become
integers, and a repeated key is an error.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from validation_gen.diagnostics import Diagnostics, Span

_SUFFIXES = (".yaml", ".yml", ".json")
_LARGEST_EXACT = 2**63


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """YAML 1.1 without timestamps."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _Repeated(yaml.MarkedYAMLError):
    pass


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[str, Any]:
    loader.flatten_mapping(node)
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = _key(loader.construct_object(key_node, deep=True), key_node)
        if key in result:
            raise _Repeated(problem=f'the key "{key}" is there twice', problem_mark=key_node.start_mark)
        result[key] = loader.construct_object(value_node, deep=True)
    return result


def _key(key: Any, node: yaml.Node) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return str(key).lower()
    if key is None:
        return "null"
    if isinstance(key, int | float):
        return str(key)
    raise yaml.MarkedYAMLError(problem="a key must be a scalar", problem_mark=node.start_mark)


def _float(loader: Any, node: yaml.ScalarNode) -> float | int:
    value: float = loader.construct_yaml_float(node)
    return int(value) if math.isfinite(value) and value.is_integer() and abs(value) < _LARGEST_EXACT else value


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object and where it begins. `obj` is whatever the document holds."""

    obj: Any
    file: str
    line: int

    @property
    def name(self) -> str:
        """`metadata.name`, empty when there is none."""
        metadata = self.obj.get("metadata") if isinstance(self.obj, dict) else None
        name = metadata.get("name") if isinstance(metadata, dict) else None
        return name if isinstance(name, str) else ""

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What makes it the same object in another file: API version, kind, namespace, name."""
        obj = self.obj if isinstance(self.obj, dict) else {}
        metadata = obj.get("metadata")
        namespace = metadata.get("namespace") if isinstance(metadata, dict) else ""
        return str(obj.get("apiVersion", "")), str(obj.get("kind", "")), str(namespace or ""), self.name


def read_manifests(paths: Sequence[str], diagnostics: Diagnostics) -> list[Manifest]:
    """All objects in files, in directories below (`.yaml`, `.yml`, `.json`) and, for `-`, on standard input.

    Items of a `List` count one by one. What cannot be read is reported, and the rest is still returned.
    """
    found: list[Manifest] = []
    for argument in paths:
        if argument == "-":
            found += _parse("<stdin>", sys.stdin.buffer.read(), diagnostics)
            continue
        path = Path(argument)
        files = sorted(p for p in path.rglob("*") if p.suffix in _SUFFIXES) if path.is_dir() else [path]
        if not files:
            help = f"manifests end in {', '.join(_SUFFIXES)}"
            diagnostics.error("VG902", "the directory holds no manifests", Span(argument), help)
        for file in files:
            try:
                content = file.read_bytes()
            except OSError as error:
                diagnostics.error("VG901", f"cannot read: {error.strerror or error}", Span(file.as_posix()))
                continue
            found += _parse(file.as_posix(), content, diagnostics)
    return found


def _parse(file: str, content: bytes, diagnostics: Diagnostics) -> list[Manifest]:
    found: list[Manifest] = []
    try:
        loader = _Loader(content)
        try:
            while loader.check_node():
                node = loader.get_node()
                obj = loader.construct_document(node)
                if obj is not None:  # an empty document between two separators
                    found += _objects(Manifest(obj, file, node.start_mark.line + 1))
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        span = Span(file, mark.line + 1, mark.column + 1, mark.column + 2) if mark else Span(file)
        diagnostics.error("VG905", str(error.problem or error.context), span)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        diagnostics.error("VG905", str(error).splitlines()[0] if str(error) else "nested too deeply", Span(file))
    return found


def _objects(manifest: Manifest) -> Iterator[Manifest]:
    obj = manifest.obj
    if isinstance(obj, dict) and obj.get("kind") == "List" and isinstance(obj.get("items"), list):
        for item in obj["items"]:
            yield Manifest(item, manifest.file, manifest.line)
    else:
        yield manifest
