"""Finds the owners of a field in the managed fields of an object.

Items of a list with keys, and of a set, are found by the elements in the managed fields, so that no schema is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from validation_gen.commands.explain.article import Prose, Rows, Section
from validation_gen.commands.explain.fields.address import AddressError, Step, either
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import one_line
from validation_gen.kubernetes.managedfields import FieldSet, FieldSetError
from validation_gen.kubernetes.managedfields.fieldset import Path, key_element, show_path, value_element
from validation_gen.kubernetes.manifests import Manifest, read_manifests

_SHOW = "kubectl prints it with -o yaml --show-managed-fields"


@dataclass(frozen=True, slots=True)
class Owner:
    """An owner of a field.

    Attributes:
        field: the owned field: the wanted one, a part of it, or the value of which it is a part.
        manager: the name of the manager.
        operation: `Apply` or `Update`.
        subresource: the subresource of its requests, empty for the object.
        version: the API version of its requests.
        time: the time of its last change, empty if it is unknown.
    """

    field: str
    manager: str
    operation: str
    subresource: str
    version: str
    time: str


@dataclass(frozen=True, slots=True)
class FieldOwners:
    """The owners of a field in an object, in the order of fields."""

    file: str
    kind: str
    name: str
    owners: tuple[Owner, ...]
    is_present: bool

    def as_dict(self) -> dict[str, Any]:
        """Converts it to data for programs."""
        return asdict(self)

    def section(self) -> Section:
        """Returns it as a part of an article."""
        heading = one_line(f'Owners in {self.file}, {self.kind} "{self.name}"')
        if not self.owners:
            text = "No manager owns it, as is so for defaults and for metadata that the server sets."
            return Section(heading, (Prose(text if self.is_present else "The object does not have it."),))
        rows = [
            (one_line(each.field), one_line(each.manager), one_line(_describe(each)), one_line(each.time))
            for each in self.owners
        ]
        return Section(heading, (Rows(("field", "manager", "operation", "time"), tuple(rows)),))


def _describe(owner: Owner) -> str:
    return f"{owner.operation} of {owner.subresource}" if owner.subresource else owner.operation


def find_owners(manifest: Manifest, steps: Sequence[Step]) -> FieldOwners:
    """Returns the owners of a field, and of its parts.

    Raises:
        AddressError: the object has no managed fields, or they cannot be read.
    """
    _, kind, _, name = manifest.identity
    metadata = manifest.obj.get("metadata")
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    if not isinstance(entries, list) or not entries:
        raise AddressError(f'{kind} "{name}" in {manifest.file} has no managedFields', _SHOW, "--filename")
    try:
        sets = [
            (entry, FieldSet.from_json(entry.get("fieldsV1") or {})) for entry in entries if isinstance(entry, dict)
        ]
    except (FieldSetError, RecursionError) as problem:
        text = f'managedFields of {kind} "{name}" in {manifest.file} cannot be read: {problem}'
        raise AddressError(text, _SHOW, "--filename") from None
    known = [fields for _, fields in sets]
    values = list(_resolve(manifest.obj, tuple(steps), (), known))
    found: dict[tuple[str, int], Owner] = {}
    for path in dict.fromkeys(path for path, _ in values):
        for index, (entry, fields) in enumerate(sets):
            for owned in _find_owned(fields, path, known):
                found.setdefault((show_path(owned), index), _to_owner(entry, owned))
    owners = sorted(found.values(), key=lambda each: (each.field, each.manager))
    is_present = any(present for _, present in values)
    return FieldOwners(manifest.file, kind, name, tuple(owners), is_present)


def read_object(file: str, kind: str, name: str, diagnostics: Diagnostics) -> Manifest | None:
    """Returns the first object of a kind in a file, with this name if there is one; None if the file cannot be read.

    Raises:
        AddressError: there is no such object.
    """
    manifests = read_manifests([file], diagnostics)
    found = [each for each in manifests if each.identity[1] == kind and name in ("", each.name)]
    if not found and manifests:
        known = [f'{each.identity[1]} "{each.name}"' for each in manifests if each.identity[1]]
        near = f"there is {either(list(dict.fromkeys(known))[:5])}" if known else "no object there has a kind"
        wanted = f'{kind} "{name}"' if name else kind
        raise AddressError(f"{file} has no {wanted}", near, "--name" if name else "--filename")
    return found[0] if found else None


def _to_owner(entry: Mapping[str, Any], path: Path) -> Owner:
    names = ("manager", "operation", "subresource", "apiVersion", "time")
    return Owner(show_path(path).removeprefix("."), *(str(entry.get(name) or "") for name in names))


def _find_owned(fields: FieldSet, path: Path, known: Sequence[FieldSet]) -> Iterator[Path]:
    """Yields the fields of a manager at a value: the value, its parts, or the value around it."""
    for length in range(1, len(path) + 1):
        above = path[:length]
        if fields.has(above) and (length == len(path) or not any(_below(each, above) for each in known)):
            yield above
    below = _below(fields, path)
    yield from ((*path, *part) for part in below.paths()) if below is not None else ()


def _below(fields: FieldSet, path: Path) -> FieldSet | None:
    """Returns the fields of a manager inside of a value, None if the manager owns the value as a whole."""
    node: FieldSet | None = fields
    for element in path:
        node = node.children.get(element) if node is not None else None
    return node


def _resolve(value: Any, steps: tuple[Step, ...], path: Path, known: Sequence[FieldSet]) -> Iterator[tuple[Path, bool]]:
    """Yields the paths of the values at the end of some steps, and whether the object has them."""
    if not steps:
        yield path, True
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, list) and not step.name:
        nodes = [node for node in (_below(each, path) for each in known) if node is not None]
        elements = {element for node in nodes for element in (*node.members, *node.children)}
        keys = {tuple(sorted(json.loads(element[2:]))) for element in elements if element.startswith("k:")}
        for index, item in enumerate(value):
            if not _is_chosen(item, index, step):
                continue
            element = _find_element(item, elements, keys)
            if element is None:  # the list is one value
                yield path, True
                return
            yield from _resolve(item, rest, (*path, element), known)
    elif isinstance(value, dict):
        names = [step.name or step.inside.strip('"')] if step.name or step.inside != "*" else list(value)
        for name in names:
            its = (*path, f"f:{name}")
            if name in value:
                yield from _resolve(value[name], rest, its, known)
            else:
                yield its, False


def _is_chosen(item: Any, index: int, step: Step) -> bool:
    if step.inside == "*":
        return True
    if not isinstance(item, dict):
        text = step.inside.removeprefix("=").strip('"')
        return text in (str(index), item if isinstance(item, str) else json.dumps(item))
    if not (terms := step.terms):
        return step.inside == str(index)
    return all(name in item and _text(item[name]) == wanted for name, wanted in terms.items())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _find_element(item: Any, elements: set[str], keys: set[tuple[str, ...]]) -> str | None:
    """Returns the element of an item in the managed fields, None if it has none."""
    if not isinstance(item, dict):
        candidates = [value_element(item)]
    else:
        candidates = [key_element({name: item[name] for name in names}) for names in keys if item.keys() >= set(names)]
    return next((element for element in candidates if element in elements), None)
