"""Strategic merge patches, for kinds whose schemas have patch strategies and merge keys.

    patched = merge_strategic(obj, patch, schema)

A schema is one of OpenAPI with all references expanded: `x-kubernetes-patch-strategy` and
`x-kubernetes-patch-merge-key` tell how a list is merged, `x-go-type` is the name of a struct in errors.

Source of the behaviour: `pkg/util/strategicpatch/patch.go` and `third_party/forked/golang/json/fields.go` of
`k8s.io/apimachinery`. Where it panics, there is an error here.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from validation_gen.kubernetes.cel.data import go_type
from validation_gen.runtime.gotext import go_quote, go_value

_DIRECTIVE, _RETAIN = "$patch", "$retainKeys"
_DELETE_ITEMS, _ORDER = "$deleteFromPrimitiveList", "$setElementOrder"
_MAP_TYPE = "map[string]interface {}"
#: Schemas of maps and of values without a schema.
_MAP: Mapping[str, Any] = {"type": "object", "additionalProperties": {}}

Schema = Mapping[str, Any]

_STRINGS = {"type": "object", "additionalProperties": {"type": "string"}}
#: `ObjectMeta`.
METADATA: Schema = {
    "x-go-type": "ObjectMeta",
    "properties": {
        **dict.fromkeys(("annotations", "labels"), _STRINGS),
        "finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-patch-strategy": "merge"},
        "ownerReferences": {
            "type": "array",
            "items": {"x-go-type": "OwnerReference", "properties": {}},
            "x-kubernetes-patch-strategy": "merge",
            "x-kubernetes-patch-merge-key": "uid",
        },
        "managedFields": {"type": "array", "items": {"x-go-type": "ManagedFieldsEntry", "properties": {}}},
    },
}


class StrategicMergeError(Exception):
    """A patch does not apply; the text is the server's.

    Attributes:
        code: the HTTP status that the server answers.
    """

    def __init__(self, text: str, code: int = 500) -> None:
        super().__init__(text)
        self.code = code


def merge_strategic(obj: Mapping[str, Any], patch: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Returns an object after a patch, of which directives are removed on the way.

    Raises:
        StrategicMergeError: the patch does not apply.
    """
    try:
        return _merge_map(copy.deepcopy(dict(obj)), patch, schema)
    except RecursionError:
        raise StrategicMergeError("exceeded max depth", 400) from None


# --- types ------------------------------------------------------------------------------------------------------------


def _go_type(value: Any) -> str:
    return "%!s(<nil>)" if value is None else go_type(value)


def _wrong_type(wanted: str, value: Any) -> StrategicMergeError:
    return StrategicMergeError(f"expected a {wanted}, but received a {_go_type(value)}")


def _key(value: Any) -> tuple[str, Any]:
    """Returns a key that is the same for equal scalars, and unique for maps and lists, which Go does not compare."""
    return _go_type(value), id(value) if isinstance(value, (dict, list)) else value


def _item_type(*lists: list[Any]) -> str:
    """Returns the Go type of all items.

    Raises:
        StrategicMergeError: they have several, or none, or are lists.
    """
    found = ""
    for items in lists:
        for item in items:
            own = _go_type(item)
            if not found:
                found = own
                if isinstance(item, list):
                    raise StrategicMergeError("lists of lists are not supported", 422)
            if own != found or item is None:
                raise StrategicMergeError(f"list element types are not identical: {go_value(list(lists))}")
    if not found:
        raise StrategicMergeError("no elements in any of the given slices")
    return found


# --- schemas ----------------------------------------------------------------------------------------------------------


def _find(schema: Schema, name: str) -> tuple[Schema, str, str]:
    """Returns the schema of a field, its strategy and its merge key.

    Raises:
        StrategicMergeError: there is no such field.
    """
    fields = schema.get("properties")
    if fields is None:
        if "x-go-type" not in schema:
            raise StrategicMergeError(
                f"merging an object in json but data type is not struct, instead is: {_kind(schema)}"
            )
        fields = {}
    found = fields.get(name)
    if found is None:
        found = next((each for own, each in fields.items() if own.casefold() == name.casefold()), None)
    if found is None:
        struct = schema.get("x-go-type", "")
        raise StrategicMergeError(f"unable to find api field in struct {struct} for the json field {go_quote(name)}")
    return found, _strategy(found), str(found.get("x-kubernetes-patch-merge-key") or "")


def _strategy(schema: Schema) -> str:
    """Returns the strategy of a field, without `retainKeys`, which clients handle.

    Raises:
        StrategicMergeError: there are several.
    """
    all_of = (schema.get("x-kubernetes-patch-strategy") or "").split(",")
    left = [each for each in all_of if each and each != "retainKeys"]
    if len(left) > 1:
        raise StrategicMergeError(f"unexpected patch strategy: {go_value(all_of)}")
    return left[0] if left else ""


def _find_list(schema: Schema, name: str) -> tuple[Schema, str, str]:
    """Returns the schema of a list's items, its strategy and its merge key.

    Raises:
        StrategicMergeError: there is no such field, or it is no list.
    """
    found, strategy, merge_key = _find(schema, name)
    if found.get("type") != "array":
        raise StrategicMergeError(f"expected slice or array type, but got: {_kind(schema)}")
    items = found.get("items") or _MAP
    if items.get("type") == "array":
        raise StrategicMergeError("unexpected slice of slice")
    return items, strategy, merge_key


def _kind(schema: Schema) -> str:
    """Returns the kind of Go type that a schema has."""
    if "properties" in schema or "x-go-type" in schema:
        return "struct"
    return {"object": "map", "array": "slice", "boolean": "bool", "integer": "int64", "number": "float64"}.get(
        schema.get("type") or "object", "string"
    )


# --- maps -------------------------------------------------------------------------------------------------------------


def _merge_map(original: dict[str, Any], patch: dict[str, Any], schema: Schema) -> dict[str, Any]:
    if _DIRECTIVE in patch:
        return _replace(patch)
    _retain(original, patch)
    _merge_ordered_lists(original, patch, schema)
    for name, value in list(patch.items()):
        deletes = name.startswith(_DELETE_ITEMS)
        if deletes:
            name = _find_target(name, _DELETE_ITEMS)  # noqa: PLW2901 - the directive is about another field
        if value is None:
            original.pop(name, None)
        elif name not in original or type(original[name]) is not type(value):
            if not deletes:
                _drop_nulls(value)
                _set(original, name, value)
        elif isinstance(value, dict):
            below, strategy, _ = _find(schema, name)
            original[name] = value if strategy == "replace" else _merge_map(original[name], value, below)
        elif isinstance(value, list):
            below, strategy, merge_key = _find_list(schema, name)
            if strategy == "merge" or deletes:
                original[name] = _merge_list(original[name], value, below, merge_key, deletes)
            else:
                original[name] = value
        else:
            original[name] = value
    return original


def _replace(patch: dict[str, Any]) -> dict[str, Any]:
    directive = patch[_DIRECTIVE]
    if directive == "replace":
        del patch[_DIRECTIVE]
        return patch
    if directive == "delete":
        return {}
    raise _unknown_directive(directive, patch)


def _unknown_directive(directive: Any, patch: dict[str, Any]) -> StrategicMergeError:
    return StrategicMergeError(f"unknown patch type: {_show_text(directive)} in map: {go_value(patch)}")


def _show_text(value: Any) -> str:
    """Returns a value as Go prints it with `%s`."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{' '.join(map(_show_text, value))}]"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{name}:{_show_text(item)}' for name, item in sorted(value.items()))}]"
    return "%!s(<nil>)" if value is None else f"%!s({_go_type(value)}={go_value(value)})"


def _retain(original: dict[str, Any], patch: dict[str, Any]) -> None:
    """Drops the fields that a directive does not retain."""
    if _RETAIN not in patch:
        return
    names = patch.pop(_RETAIN)
    wrong = StrategicMergeError("invalid patch format of retainKeys", 400)
    if not isinstance(names, list):
        raise wrong
    kept = {_key(name) for name in names}
    for name, value in patch.items():
        if value is not None and not name.startswith((_DELETE_ITEMS, _ORDER)) and _key(name) not in kept:
            raise wrong
    for name in list(original):
        if _key(name) not in kept:
            del original[name]


def _set(original: dict[str, Any], name: str, value: Any) -> None:
    kept, found = _without_directives(value)
    if kept:
        original[name] = found
    else:
        original.pop(name, None)


def _without_directives(value: Any) -> tuple[bool, Any]:
    """Returns whether a new value stays, and the value without objects that have directives."""
    if isinstance(value, dict):
        if _DIRECTIVE in value:
            return False, None
        pairs = ((name, _without_directives(item)) for name, item in value.items())
        return True, {name: found for name, (kept, found) in pairs if kept}
    if isinstance(value, list):
        return True, [found for kept, found in map(_without_directives, value) if kept]
    return True, value


def _drop_nulls(value: Any) -> None:
    if isinstance(value, dict):
        for name in [name for name, item in value.items() if item is None]:
            del value[name]
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            _drop_nulls(item)


def _find_target(name: str, directive: str) -> str:
    """Returns the field to which a directive belongs.

    Raises:
        StrategicMergeError: it names none.
    """
    own, slash, found = name.partition("/")
    if own != directive or not slash:
        what = "primitive list" if directive == _DELETE_ITEMS else "setElementOrder list"
        raise StrategicMergeError(f"invalid patch format of {what}", 400)
    return found


# --- lists ------------------------------------------------------------------------------------------------------------


def _merge_ordered_lists(original: dict[str, Any], patch: dict[str, Any], schema: Schema) -> None:
    """Merges the lists whose order a patch gives."""
    for directive in [name for name in patch if name.startswith(_ORDER)]:
        order = patch.pop(directive)
        if not isinstance(order, list):
            raise _wrong_type("[]interface {}", order)
        name = _find_target(directive, _ORDER)
        for each in (original, patch):
            if name in each and not isinstance(each[name], list):
                raise _wrong_type("[]interface {}", each[name])
        below, strategy, merge_key = _find_list(schema, name)
        mine, its = original.get(name), patch.get(name)
        _check_order(its or [], order, merge_key)
        if mine is None and its is None:
            continue
        if mine is None:
            merged = _without_directives(its)[1]
        elif its is None:
            merged = mine
        elif strategy == "merge":
            merged = _merge_list(mine, its, below, merge_key, False)
        else:
            merged = its
        for item in merged if merge_key else ():
            _key_value(item, merge_key)
        _item_type(mine or [], its or [])
        original[name] = _in_order(merged, order, mine or [], merge_key)
        patch.pop(name, None)


def _check_order(items: list[Any], order: list[Any], merge_key: str) -> None:
    """Checks that the items of a patch are in its order."""
    if not order or not items:
        return
    left = _split_deleted(items)[0] if merge_key else items
    i = j = 0
    while i < len(left) and j < len(order):
        if isinstance(left[i], dict) and _DIRECTIVE in left[i]:
            i += 1
            continue
        i += _is_same_item(left[i], order[j], merge_key)
        j += 1
    if i < len(left):
        shown = f"The order in patch list:\n{go_value(items)}\n doesn't match {_ORDER} list:\n{go_value(order)}\n"
        raise StrategicMergeError(shown)


def _is_same_item(one: Any, other: Any, merge_key: str) -> bool:
    if not merge_key:
        return _key(one) == _key(other)
    return _key(_key_value(one, merge_key)) == _key(_key_value(other, merge_key))


def _key_value(item: Any, merge_key: str) -> Any:
    """Returns the value of an item's merge key.

    Raises:
        StrategicMergeError: it has none.
    """
    if not isinstance(item, dict):
        raise _wrong_type(_MAP_TYPE, item)
    if merge_key not in item:
        raise StrategicMergeError(f"map: {go_value(item)} does not contain declared merge key: {merge_key}")
    return item[merge_key]


def _split_deleted(items: list[Any]) -> tuple[list[Any], list[Any]]:
    left: list[Any] = []
    deleted: list[Any] = []
    for item in items:
        if not isinstance(item, dict):
            raise _wrong_type(_MAP_TYPE, item)
        (deleted if item.get(_DIRECTIVE) == "delete" else left).append(item)
    return left, deleted


def _merge_list(original: list[Any], patch: list[Any], schema: Schema, merge_key: str, deletes: bool) -> list[Any]:
    if not original and not patch:
        return original
    kind = _item_type(original, patch)
    if kind != _MAP_TYPE:
        if deletes:
            gone = {_key(item) for item in patch}
            return [item for item in original if _key(item) not in gone]
        merged = list({_key(item): item for item in [*original, *patch]}.values())
    else:
        if not merge_key:
            raise StrategicMergeError(f"cannot merge lists without merge key for {_kind(schema)}")
        size = len(original)
        kept, patch = _apply_directives(original, patch, merge_key)
        merged = _merge_items(kept, patch, schema, merge_key)
        if kept is not original:
            # New items take the memory of deleted ones, which an order that a patch gives looks at.
            original[:] = merged[:size]
        original = kept
    return _in_order(merged, patch, original, merge_key)


def _apply_directives(original: list[Any], patch: list[Any], merge_key: str) -> tuple[list[Any], list[Any]]:
    """Returns both lists once the directives among the items have been followed."""
    left: list[Any] = []
    gone: set[Any] = set()
    replaces = False
    for item in patch:
        directive = item.get(_DIRECTIVE) if isinstance(item, dict) else None
        if not isinstance(item, dict) or _DIRECTIVE not in item:
            left.append(item)
        elif directive == "delete":
            gone.add(_key(_key_value(item, merge_key)))
        elif directive == "replace":
            replaces = True
        elif directive == "merge":
            raise StrategicMergeError("merging lists cannot yet be specified in the patch")
        else:
            raise _unknown_directive(directive, item)
    if replaces:
        return left, []
    kept = (
        [item for item in original if merge_key not in item or _key(item[merge_key]) not in gone] if gone else original
    )
    return kept, left


def _merge_items(original: list[Any], patch: list[Any], schema: Schema, merge_key: str) -> list[Any]:
    found = list(original)
    places: dict[Any, int] = {}
    for index, item in enumerate(found):
        if merge_key in item:
            places.setdefault(_key(item[merge_key]), index)
    for item in patch:
        own = _key(_key_value(item, merge_key))
        if own in places:
            found[places[own]] = _merge_map(found[places[own]], item, schema)
        else:
            places[own] = len(found)
            found.append(item)
    return found


def _in_order(merged: list[Any], order: list[Any], server: list[Any], merge_key: str) -> list[Any]:
    """Returns items in the order of a patch, with the others where the server has them."""
    wanted, known = _places(order, merge_key), _places(server, merge_key)
    items = [(item, _key(_key_value(item, merge_key) if merge_key else item)) for item in merged]
    patched = _sort([each for each in items if each[1] in wanted], wanted)
    others = _sort([each for each in items if each[1] not in wanted], known)
    found: list[Any] = []
    i = j = 0
    while i < len(others) or j < len(patched):
        first = others[i] if i < len(others) else None
        second = patched[j] if j < len(patched) else None
        before = first is not None and (
            second is None or (first[1] in known and known.get(second[1], -1) > known[first[1]])
        )
        if before and first is not None:
            found.append(first[0])
            i += 1
        elif second is not None:
            found.append(second[0])
            j += 1
    return found


def _sort(items: list[tuple[Any, Any]], places: dict[Any, int]) -> list[tuple[Any, Any]]:
    """Sorts items by their places; one without a place goes before all others, as Go's sort has it."""
    if all(name in places for _, name in items):
        return sorted(items, key=lambda item: places[item[1]])
    found: list[tuple[Any, Any]] = []
    for item in items[:_MOST_INSERTED]:
        at = len(found)
        while at and places.get(item[1], -1) < places.get(found[at - 1][1], len(places)):
            at -= 1
        found.insert(at, item)
    return found + items[_MOST_INSERTED:]


#: Items that Go's sort inserts one by one; those after them are rarely without a place.
_MOST_INSERTED = 20


def _places(items: list[Any], merge_key: str) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for index, item in enumerate(items):
        found.setdefault(_key(_key_value(item, merge_key) if merge_key else item), index)
    return found
