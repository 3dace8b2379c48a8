"""Replaces the schemas in manifests that users maintain; everything else stays unchanged, byte for byte.

Manifests are found by group, kind and version. Equal schemas are left alone, in any notation. The module never writes a
file, and reads its result again before returning it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.schema.splice import INNER, OUTER, Edit, build_edit, child, with_known_texts
from validation_gen.files import reading
from validation_gen.kubernetes.yaml import make_syntax_error, mark_at, read_documents, whole

#: Schemas by version, by group and kind.
Schemas = Mapping[tuple[str, str], Mapping[str, Mapping[str, Any]]]

_SUFFIXES = (".yaml", ".yml", ".json")
_KIND = "CustomResourceDefinition"
_API, _API_VERSION = "apiextensions.k8s.io/", "apiextensions.k8s.io/v1"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HELP = "write the schema out in place, in block style or as JSON"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A schema that was replaced, and where: `edit` counts characters in the old text."""

    group: str
    kind: str
    version: str
    edit: Edit


@dataclass(slots=True)
class Patched:
    """The text of a manifest file with new schemas. `found` are its kinds with a new schema."""

    text: str
    replaced: list[Replacement] = field(default_factory=list)
    found: set[tuple[str, str]] = field(default_factory=set)


def find_schemas(definitions: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], dict[str, Mapping[str, Any]]]:
    """Returns the schemas in CustomResourceDefinitions."""
    found: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for definition in definitions:
        spec = definition["spec"]
        versions = found.setdefault((spec["group"], spec["names"]["kind"]), {})
        versions.update({version["name"]: version[OUTER][INNER] for version in spec["versions"] if OUTER in version})
    return found


def patch_files(directory: str, schemas: Schemas, diagnostics: Diagnostics) -> dict[str, str]:
    """Returns the new texts of the manifests in a directory (not below it) that change, by path."""
    changed: dict[str, str] = {}
    found: set[tuple[str, str]] = set()
    files = _files(directory, diagnostics)
    if files is None:
        return {}
    for path in files:
        text = _read(path, diagnostics)
        result = patch_manifest(text, path.as_posix(), schemas, diagnostics)
        found |= result.found
        if result.text != text:
            changed[path.as_posix()] = result.text
    for group, kind in sorted(schemas.keys() - found):
        message = f"no manifest in this directory defines {kind} of {group}"
        diagnostics.warning("VG547", message, Span(Path(directory).as_posix()), "add a manifest for it")
    return changed


def _files(directory: str, diagnostics: Diagnostics) -> list[Path] | None:
    """Returns the manifests in a directory, `None` if it cannot be read."""
    try:
        return sorted(path for path in Path(directory).iterdir() if path.suffix in _SUFFIXES and path.is_file())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        place = Span(Path(directory).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {reason}", place, "check the path")
        return None


def _read(path: Path, diagnostics: Diagnostics) -> str:
    """Returns the text of a file; none if it cannot be one of the manifests that are wanted."""
    place = Span(path.as_posix())
    try:
        content = reading.read(path)
        return content.decode()
    except OSError as error:
        diagnostics.error("VG901", f"cannot read: {error.strerror or error}", place, "check the permissions")
    except UnicodeDecodeError:
        wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        if wide or _KIND.encode() in content:
            diagnostics.error("VG545", "the manifest is not UTF-8", place, "save it as UTF-8")
    return ""


def patch_manifest(text: str, file: str, schemas: Schemas, diagnostics: Diagnostics) -> Patched:
    """Returns the text of a manifest with its schemas replaced by the given ones.

    After an error nothing is replaced. Versions without a new schema stay unchanged and are reported, like schemas
    whose version is missing.
    """
    if _KIND not in text:
        return Patched(text)
    body = text.removeprefix("\ufeff")
    patch = _Patch(body, file, schemas, diagnostics)
    try:
        result = patch.run()
    except RecursionError:
        patch.report(make_syntax_error(mark_at(body, 0), "nested too deeply"))
        return Patched(text, found=patch.found)
    except yaml.MarkedYAMLError as error:
        patch.report(error)
        return Patched(text, found=patch.found)
    bom = text[: len(text) - len(body)]
    moved = [
        Replacement(r.group, r.kind, r.version, Edit(r.edit.start + len(bom), r.edit.end + len(bom), r.edit.text))
        for r in patch.replaced
    ]
    return Patched(bom + result, moved, patch.found)


@dataclass(slots=True)
class _Patch:
    """The work on one text."""

    text: str
    file: str
    schemas: Schemas
    diagnostics: Diagnostics
    found: set[tuple[str, str]] = field(default_factory=set)
    replaced: list[Replacement] = field(default_factory=list)
    #: The same replacements without lines of the old schema.
    anew: list[Replacement] = field(default_factory=list)
    uses: Counter[int] = field(default_factory=Counter)
    failed: bool = False

    def run(self) -> str:
        values = [document.value for document in read_documents(self.text)]
        nodes = list(yaml.compose_all(self.text, Loader=_LOADER))
        self.uses = _uses(nodes)
        for node, value in zip(nodes, values, strict=True):
            for definition in _definitions(node, value):
                self._definition(*definition)
        if self.failed:
            self.replaced = []
        if not self.replaced:
            return self.text
        # Copied lines usually keep their meaning; if they do not, nothing is copied.
        for replaced in (self.replaced, self.anew):
            self.replaced = replaced
            self.replaced.sort(key=lambda replacement: replacement.edit)
            result = self._result()
            if _reads_as(result, values):
                return result
        place = mark_at(self.text, self.replaced[0].edit.start)
        self.replaced = []
        raise make_syntax_error(place, "the schema cannot be replaced in place", _HELP)

    def _result(self) -> str:
        parts, end = [], 0
        for replacement in self.replaced:
            parts += [self.text[end : replacement.edit.start], replacement.edit.text]
            end = replacement.edit.end
        return "".join(parts) + self.text[end:]

    def report(self, error: yaml.MarkedYAMLError) -> None:
        self.failed = True
        mark = error.problem_mark or error.context_mark
        self.diagnostics.error("VG545", str(error.problem or error.context), self._span(mark), error.note or "")

    def _span(self, mark: Any, length: int = 1) -> Span:
        if mark is None:
            return Span(self.file)
        return Span(self.file, mark.line + 1, mark.column + 1, mark.column + 1 + length)

    def _definition(self, node: yaml.Node, obj: dict[str, Any], api: str) -> None:
        """Patches one CustomResourceDefinition, in the text and in `obj`."""
        spec = _mapping(obj.get("spec"))
        group, kind = spec.get("group"), _mapping(spec.get("names")).get("kind")
        if not isinstance(group, str) or not isinstance(kind, str) or (group, kind) not in self.schemas:
            return
        self.found.add((group, kind))
        try:
            if api != _API_VERSION:
                help = f"write the manifest as {_API_VERSION}, with a schema for each version"
                raise make_syntax_error(node.start_mark, f"schemas of {api} are not supported", help)
            versions = self._own(self._own(node, "spec"), "versions")
            self._refuse_shared(versions)
            if not isinstance(versions, yaml.SequenceNode):
                raise make_syntax_error(versions.start_mark, "`versions` is not a list")
            self._versions((group, kind), versions, spec["versions"])
        except yaml.MarkedYAMLError as error:
            self.report(error)

    def _versions(self, place: tuple[str, str], node: yaml.SequenceNode, values: list[Any]) -> None:
        wanted = dict(self.schemas[place])
        missing = set(wanted)
        for version, value in zip(node.value, values, strict=True):
            if not isinstance(version, yaml.MappingNode):
                raise make_syntax_error(version.start_mark, "the version is not an object")
            name_node = self._own(version, "name")
            name = value["name"]
            if not isinstance(name, str):
                raise make_syntax_error(name_node.start_mark, "`name` is not a string")
            missing.discard(name)
            if name in wanted:
                self._version(place, version, value)
            else:
                message = f"the sources have no version {name} of {place[1]}, so its schema stays as it is"
                help = "remove the version, or name the package that has it"
                self.diagnostics.warning("VG546", message, self._span(name_node.start_mark, len(name)), help)
        for name in sorted(missing):
            message = f"the manifest has no version {name} of {place[1]}, which the sources have"
            help = f"add `- name: {name}` to its versions; the schema will be filled in"
            self.diagnostics.warning("VG547", message, self._span(node.start_mark), help)

    def _version(self, place: tuple[str, str], node: yaml.MappingNode, value: dict[str, Any]) -> None:
        name = value["name"]
        outer = _mapping(value.get(OUTER))
        known = _mapping(outer.get(INNER))
        new = with_known_texts(_as_read(self.schemas[place][name]), known)
        if INNER in outer and _canonical(outer[INNER]) == _canonical(new):
            return
        if OUTER in value:
            self._refuse_shared(*_inside(self._own(node, OUTER)))
        for replaced, old in ((self.replaced, known), (self.anew, None)):
            replaced.append(Replacement(*place, name, build_edit(self.text, node, new, old)))
        value[OUTER] = {**outer, INNER: new}

    def _own(self, node: yaml.Node, name: str) -> yaml.Node:
        """Returns the value of a key in the mapping itself.

        Aliased values must not change, as they are used elsewhere, too.
        """
        self._refuse_shared(node)
        pair = child(node, name)
        if pair is None:
            brought = child(node, "<<") is not None
            problem = f"`{name}` is {'not written here but brought by `<<`' if brought else 'missing'}"
            raise make_syntax_error(node.start_mark, problem, _HELP if brought else "")
        return pair[1]

    def _refuse_shared(self, *nodes: yaml.Node) -> None:
        for node in nodes:
            if self.uses[id(node)] > 1:
                raise make_syntax_error(
                    node.start_mark, "aliases repeat this elsewhere, so it cannot be replaced", _HELP
                )


# --- nodes ------------------------------------------------------------------------------------------------------------


def _definitions(node: yaml.Node, obj: Any) -> Iterator[tuple[yaml.Node, dict[str, Any], str]]:
    """The CustomResourceDefinitions in a document, with their API version: the document itself, or items of a list."""
    kind, api = _mapping(obj).get("kind"), _mapping(obj).get("apiVersion")
    if not isinstance(kind, str) or not isinstance(api, str):
        return
    if kind == _KIND and api.startswith(_API):
        yield node, obj, api
    items = child(node, "items") if kind.endswith("List") else None
    if items and isinstance(items[1], yaml.SequenceNode):
        own = {"apiVersion": api, "kind": kind.removesuffix("List")}
        for item, value in zip(items[1].value, obj["items"], strict=True):
            if isinstance(value, dict):
                text = own | {key: value[key] for key in own if value.get(key)}
                if text["kind"] == _KIND and str(text["apiVersion"]).startswith(_API):
                    yield item, value, str(text["apiVersion"])


def _uses(nodes: list[yaml.Node]) -> Counter[int]:
    """Counts the uses of each node: aliases make it more than one."""
    uses: Counter[int] = Counter()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        uses[id(node)] += 1
        if uses[id(node)] == 1:
            waiting += _parts(node)
    return uses


def _inside(node: yaml.Node) -> Iterator[yaml.Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _parts(node)


def _parts(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


# --- values -----------------------------------------------------------------------------------------------------------


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _as_read(value: Any) -> Any:
    """Returns a value as Kubernetes reads it when it is written: whole floats become integers."""
    if isinstance(value, Mapping):
        return {key: _as_read(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_read(item) for item in value]
    return whole(value) if isinstance(value, float) else value


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _reads_as(text: str, values: list[Any]) -> bool:
    try:
        return _canonical([document.value for document in read_documents(text)]) == _canonical(values)
    except yaml.MarkedYAMLError:
        return False
