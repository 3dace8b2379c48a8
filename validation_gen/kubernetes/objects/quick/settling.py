"""Normalized copies of certainly valid objects: no unknown fields and nulls, defaults filled in, each value validated.

The functions do at once what `pruning`, `defaulting`, `embedded`, `values` and `listtypes` do one after the other, for
objects in which none of these finds anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.cel.compiled import TOO_LARGE, DoubtError, UnsupportedError, Writer
from validation_gen.kubernetes.crd.place import as_written
from validation_gen.kubernetes.crd.pruning import META_FIELDS
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import combination_holds, judge
from validation_gen.kubernetes.objects.quick.keywords import (
    describes_parts,
    has_combinations,
    has_numbers,
    is_judged,
    is_key,
    is_plain_int_or_string,
    is_scalar,
)
from validation_gen.kubernetes.objects.quick.scalars import doubts
from validation_gen.runtime.native import accept

Settle = Callable[[Any], Any]
#: Number of objects of a schema after which native code gets a table. Building it takes as long as many objects.
_PATIENCE = 32


class Settler:
    """Functions for whole objects of one schema, except for their `metadata`.

    Args:
        schema: the schema of the objects.
        apart: the name of a field, such as `status`, that validated objects do not have.
        native: whether native code is tried first, if it is available.

    Raises:
        UnsupportedError: the root of the schema has a keyword without a fast form.
    """

    def __init__(self, schema: Schema, apart: str = "", *, native: bool = True) -> None:
        self._writer = Writer()
        self._known: dict[int, str] = {}
        self._apart = apart
        if schema.embedded_resource or schema.type not in ("object", "") or schema.additional_properties is not None:
            raise UnsupportedError("a root that is no plain object")
        if any(is_judged(schema.properties.get(name)) for name in ("apiVersion", "kind")):
            raise UnsupportedError("rules for the type of an object")
        if has_combinations(schema) or schema.max_properties is not None:
            # They would be checked on an object with its metadata and its status in their final form.
            raise UnsupportedError("demands on an object as a whole")
        metadata = schema.properties.get("metadata")
        self._metadata = metadata if metadata is not None and is_judged(metadata) else None
        self._has_numbers = has_numbers(schema)
        self._schema = schema
        self._copy: Settle = self._object(schema, root=True)
        self._left = _PATIENCE if native and accept is not None else 0
        self._ready: Settle | None = None
        part = schema.properties.get(apart) if apart else None
        self.part: Settle = _doubtful if part is None else self._writer.names[self._function(part)]
        self.default = part.default if part is not None else None

    def settled(self, obj: Any) -> Any:
        """Returns a copy of an object with its defaults, which may share parts with it.

        Raises:
            DoubtError: something may be wrong with it.
        """
        if self._left:
            self._count()
        found = None if self._ready is None else self._ready(obj)
        return self._copy(obj) if found is None else found

    def _count(self) -> None:
        """Builds the table after some objects: for a few, it does not pay off."""
        self._left = left = max(self._left - 1, 0)
        if not left and self._ready is None:
            from validation_gen.kubernetes.objects.quick.tables import ready_of  # noqa: PLC0415 - for native code only

            self._ready = ready_of(self._schema, self._apart)

    def check_metadata(self, metadata: dict[str, Any]) -> None:
        """Validates `metadata` by the schema.

        Raises:
            DoubtError: something is wrong.
        """
        if self._metadata is not None and judge(self._metadata, metadata):
            raise DoubtError

    def stored(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Returns a normalized object as a client reads it, which shares nothing with the sent object."""
        if self._has_numbers:
            found: dict[str, Any] = as_written(obj)
            return found
        return obj if accept is None else accept.copied(obj)

    # --- functions ----------------------------------------------------------------------------------------------------

    def _function(self, schema: Schema) -> str:
        """Returns the name of the function for the values of a schema. It is compiled at its first call."""
        name = self._known.get(id(schema))
        if name is None:
            name = self._known[id(schema)] = self._writer.fresh("s")
            self._writer.names[name] = _Late(self, schema, name)
        return name

    def made(self, schema: Schema, name: str) -> Settle:
        """Returns the function of a schema, and compiles it unless another thread has done it."""
        with self._writer.lock:
            if isinstance(self._writer.names[name], _Late):
                self._make(schema, name)
        settle: Settle = self._writer.names[name]
        return settle

    def _make(self, schema: Schema, name: str) -> None:
        try:
            if schema.type == "array":
                self._list(schema, name)
            elif schema.type == "object":
                self._object(schema, name)
            elif schema.preserves and not schema.type:
                self._anything(schema, name)
            else:
                self._scalar(schema, name)
        except (UnsupportedError, *TOO_LARGE):
            self._writer.lines.clear()
            self._writer.names[name] = _doubtful

    def _scalar(self, schema: Schema, name: str) -> None:
        writer = self._writer
        with writer.block(f"def {name}(v):"):
            writer.line(f"if {doubts(writer, schema, 'v')}: raise DOUBT")
            self._combinations(schema, "v")
            writer.line("return v")
        writer.defined(name, "settle")

    def _anything(self, schema: Schema, name: str) -> None:
        """Defines the function for data without a schema."""
        if describes_parts(schema):
            raise UnsupportedError("more than that it may be anything")
        self._writer.names[name] = _copied_part

    def _combinations(self, schema: Schema, text: str) -> None:
        if not has_combinations(schema) or is_plain_int_or_string(schema):
            return

        def fails(value: Any) -> bool:
            return not combination_holds(schema, value)

        self._writer.line(f"if {self._writer.constant(fails)}({text}): raise DOUBT")

    # --- lists --------------------------------------------------------------------------------------------------------

    def _list(self, schema: Schema, name: str) -> None:
        item, writer = schema.item, self._writer
        if item is None or schema.preserves or schema.unique_items or schema.enum or schema.format:
            raise UnsupportedError("a list of anything")
        with writer.block(f"def {name}(v):"):
            writer.line("if v.__class__ is not list: raise DOUBT")
            if schema.min_items:
                writer.line(f"if len(v) < {schema.min_items}: raise DOUBT")
            if schema.max_items is not None:
                writer.line(f"if len(v) > {schema.max_items}: raise DOUBT")
            if is_scalar(item):
                writer.line("out = v.copy()")
                with writer.block("for x in v:"):
                    writer.line(f"if {doubts(writer, item, 'x')}: raise DOUBT")
                    self._combinations(item, "x")
            else:
                writer.line(f"out = [{self._function(item)}(x) for x in v]")
            self._kind_of_list(schema, item)
            self._combinations(schema, "out")
            writer.line("return out")
        writer.defined(name, "settle")

    def _kind_of_list(self, schema: Schema, item: Schema) -> None:
        """Emits the uniqueness check for set and map lists."""
        if schema.list_type == "set":
            if not is_key(item):
                raise UnsupportedError("a set of no scalars")
            self._writer.line("if len(set(out)) < len(out): raise DOUBT")
        elif schema.list_type == "map":
            keys = [self._writer.text(key) for key in schema.list_map_keys]
            parts = [item.properties.get(key) for key in schema.list_map_keys]
            if not keys or any(part is None or not is_key(part) for part in parts):
                raise UnsupportedError("keys that are no scalars")
            got = ", ".join(f"x.get({key})" for key in keys)
            self._writer.line(
                f"if len({{{got if len(keys) == 1 else f'({got})'} for x in out}}) < len(out): raise DOUBT"
            )

    # --- objects ------------------------------------------------------------------------------------------------------

    def _object(self, schema: Schema, name: str = "root", *, root: bool = False) -> Settle:
        writer = self._writer
        if schema.embedded_resource or schema.enum or schema.format:
            raise UnsupportedError("objects within objects")
        with writer.block(f"def {name}(v):"):
            writer.line("if v.__class__ is not dict: raise DOUBT")
            if schema.additional_properties is not None:
                self._map(schema)
            else:
                self._fields(schema, root=root)
            if schema.min_properties:
                writer.line(f"if len(out) < {schema.min_properties}: raise DOUBT")
            if schema.max_properties is not None:
                writer.line(f"if len(out) > {schema.max_properties}: raise DOUBT")
            self._combinations(schema, "out")
            writer.line("return out")
        settle: Settle = writer.defined(name, "settle")
        return settle

    def _map(self, schema: Schema) -> None:
        part = schema.additional
        if part is None or schema.properties or schema.preserves or part.default is not None:
            raise UnsupportedError("a map of anything")
        writer = self._writer
        if is_scalar(part):
            with writer.block("for x in v.values():"):
                writer.line(f"if {doubts(writer, part, 'x')}: raise DOUBT")
                self._combinations(part, "x")
            writer.line("out = v.copy()")
        else:
            writer.line(f"out = {{k: {self._function(part)}(x) for k, x in v.items()}}")
        for name in schema.required:
            writer.line(f"if {writer.text(name)} not in out: raise DOUBT")

    def _fields(self, schema: Schema, *, root: bool) -> None:
        writer = self._writer
        left = (*META_FIELDS, *filter(None, (self._apart,))) if root else ()
        own = {name: part for name, part in schema.properties.items() if name not in left}
        others = [name for name in schema.required if name not in own]
        writer.line("out = v.copy()")
        writer.line("n = 0")
        if root:
            writer.line("for k in META:")
            writer.names["META"] = META_FIELDS
            writer.line("    if k in v: n += 1")
        for name, part in own.items():
            self._field(name, part, required=name in schema.required)
        for name in others:
            writer.line(f"if {writer.text(name)} not in out: raise DOUBT")
        if not schema.preserves:
            writer.line("if n < len(v): raise DOUBT")
            return
        known = writer.constant(frozenset((*own, *left)))
        with writer.block("if n < len(v):"), writer.block("for k, x in v.items():"):
            writer.line(f"if k not in {known}: out[k] = {writer.constant(_copied)}(x)")
            writer.line("elif x is None: raise DOUBT")

    def _field(self, name: str, part: Schema, *, required: bool) -> None:
        writer, key = self._writer, self._writer.text(name)
        writer.line(f"x = v.get({key})")
        with writer.block("if x is not None:"):
            writer.line("n += 1")
            if is_scalar(part):
                writer.line(f"if {doubts(writer, part, 'x')}: raise DOUBT")
                self._combinations(part, "x")
            else:
                writer.line(f"out[{key}] = {self._function(part)}(x)")
        if part.default is not None:
            default = writer.constant(part.default.value)
            writer.line(f"else: out[{key}] = {self._function(part)}({default})")
        elif required:
            writer.line("else: raise DOUBT")


class _Late:
    """A function that is compiled at its first call. Objects use only a small part of large schemas."""

    __slots__ = ("_name", "_schema", "_settler")

    def __init__(self, settler: Settler, schema: Schema, name: str) -> None:
        self._settler = settler
        self._schema = schema
        self._name = name

    def __call__(self, value: Any) -> Any:
        return self._settler.made(self._schema, self._name)(value)


def _doubtful(_: Any) -> Any:
    raise DoubtError


def _copied_part(value: Any) -> Any:
    """Returns a copy of data with an empty schema; raises for a null, which may be dropped or not."""
    if value is None:
        raise DoubtError
    return _copied(value)


def _copied(value: Any) -> Any:
    """Returns a copy of data without a schema; raises for floats, which may be stored in another form."""
    kind = value.__class__
    if kind is dict:
        return {key: _copied(item) for key, item in value.items()}
    if kind is list:
        return [_copied(item) for item in value]
    if kind is float or (kind is int and not -(1 << 63) <= value < 1 << 63):
        raise DoubtError
    return value
