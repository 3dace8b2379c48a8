"""Converts a schema to types: a struct for each object with known fields, named by its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Any

from validation_gen.commands.convert.defined.keywords import (
    EITHER,
    Schema,
    in_comment,
    is_description,
    markers,
    reason,
    wrap_description,
)
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import has_hidden, one_line
from validation_gen.emit.schema.values import PRESERVES, WIRE
from validation_gen.sources.model import (
    INT_OR_STRING,
    META,
    QUANTITY,
    RAW_EXTENSION,
    TIME,
    Builtin,
    Field,
    Interface,
    List,
    Map,
    Named,
    Package,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
)
from validation_gen.tags.model import CommentLine
from validation_gen.types.naming import go_name, is_json_name

STRING, BYTES = Builtin("string"), List(Builtin("uint8"))

#: Replacements for Kubernetes types that cannot have other markers.
_SPELT_OUT: dict[Named, tuple[TypeExpr, str]] = {
    TIME: (STRING, "+kubebuilder:validation:Format=date-time"),
    RAW_EXTENSION: (Interface(), "+kubebuilder:validation:Type=object"),
}
_SCALARS = {"string": "string", "boolean": "bool", "integer": "int", "number": "float64"}
#: Fields that Kubernetes declares for every object.
OF_OBJECTS = ("apiVersion", "kind", "metadata")
#: Keywords of the field that uses an object, and not of its type.
_OF_FIELDS = ("nullable", "default", "example")
#: Maximum depth of nested values. Schemas are not written deeper, either.
_DEEPEST = 60
#: Keywords that `explain` does not show, as they are in no schema.
_OF_DEFINITION = ("caBundle", "kind")
_Path = tuple[str | int, ...]


@dataclass(slots=True)
class Losses:
    """Collects the losses of one kind. `span` is the location of its name, `root` the schema to which `path` leads."""

    span: Span
    root: Any
    path: _Path
    locate: Callable[[Sequence[str | int]], Span]
    diagnostics: Diagnostics
    _paths: dict[int, _Path] = field(default_factory=dict)

    def lose(self, place: str, keyword: str, why: str, schema: Any = None) -> None:
        """Reports a keyword. Each report has its own help, so that none is dropped as a duplicate."""
        shown, place = one_line(keyword), one_line(place)
        help = f"`validation-gen explain {one_line(self.span.file)} '{place}'` shows the `{shown}` of the definition"
        if keyword in _OF_DEFINITION:
            help = f"write the `{shown}` of {place} into the definition that is made of it"
        message = f"`{shown}` of {place} cannot be converted: {why}"
        self.diagnostics.warning("VG107", message, self._span(schema, keyword), help)

    def _span(self, schema: Any, keyword: str) -> Span:
        if not self._paths:
            self._paths = {id(part): path for part, path in _parts(self.root, self.path)}
        path = self._paths.get(id(schema))
        return self.span if path is None else self.locate([*path, keyword])


@dataclass(slots=True)
class StructWriter:
    """Declares the types of one kind in a package. `taken` are the names that the package has.

    Types have descriptions in `docstrings`, or else in comments, as fields have.
    """

    package: Package
    kind: str
    taken: dict[str, int]
    losses: Losses
    docstrings: bool = True
    _depth: int = field(default=0, init=False)

    def root(self, schema: Schema, lines: Sequence[str]) -> None:
        """Writes the struct of the kind itself."""
        place = self.kind
        if not self.kind[:1].isupper() or not self.kind.isidentifier() or iskeyword(self.kind):
            self.losses.lose(place, "kind", "readers take no type of this name for a kind")
        properties = schema.get("properties") or {}
        for name in OF_OBJECTS:
            self._lose_of_object(
                f"{place}.{name}", properties.get(name) or {}, "object" if name == "metadata" else "string"
            )
        for missing in sorted(set(schema.get("required") or ()) - properties.keys() - set(OF_OBJECTS)):
            self.losses.lose(f"{place}.{missing}", "required", "the schema has no such property", schema)
        always = "metadata" in (schema.get("required") or ())
        members = [
            self._embedded("TypeMeta", "", ""),
            self._embedded("ObjectMeta", "metadata", "" if always else "omitempty"),
        ]
        self._declare(self.kind, schema, place, [*lines, *self._markers(schema, place, {"type"}, field=False)], members)

    def _lose_of_object(self, place: str, schema: Schema, type: str) -> None:
        """Reports the properties of standard members in a definition."""
        why = "Kubernetes declares it itself"
        for keyword, value in schema.items():
            if keyword == "properties":
                for name in value or ():
                    self.losses.lose(f"{place}.{name}", keyword, why, schema)
            elif keyword != "description" and value not in (None, False, type):
                self.losses.lose(place, keyword, why, schema)

    # --- structs ----------------------------------------------------------------------------------------------------

    def _declare(
        self, name: str, schema: Schema, place: str, lines: Sequence[str], members: Sequence[Field] = ()
    ) -> None:
        text = self._description(schema, place)
        comments = tuple(self._lines(lines if self.docstrings else [*map(in_comment, text), *lines]))
        docstring = "\n".join(text) if self.docstrings else ""
        declaration = TypeDecl(
            self.package.path, name, Struct(()), self.losses.span, closest=comments, docstring=docstring
        )
        self.package.types[name] = declaration  # before its children
        fields = (*members, *self._fields(name, schema, place, members))
        self.package.types[name] = replace(declaration, type=Struct(fields))

    def _fields(self, owner: str, schema: Schema, place: str, members: Sequence[Field]) -> Iterator[Field]:
        required = frozenset(schema.get("required") or ())
        known = schema.get("properties") or {}
        taken = {member.go_name for member in members}
        for json, part in known.items():
            if members and json in OF_OBJECTS:
                continue
            here = f"{place}.{json}"
            if json == "-" or not is_json_name(json):
                self.losses.lose(here, "properties", "no field can have this name", part)
                if json in required:
                    self.losses.lose(here, "required", "no field can have this name", schema)
                continue
            go, number = go_name(json), 1
            while go in taken:
                go, number = f"{_word(json)}{number + 1}", number + 1
            taken.add(go)
            yield self._field(go, json, part or {}, owner + _word(json), here, json in required)

    def _field(self, go: str, json: str, schema: Schema, name: str, place: str, required: bool) -> Field:
        type, lines = self._value(schema, name, place, field=True)
        nullable = bool(schema.get("nullable"))
        if (not required or nullable) and not isinstance(type, List | Map | Interface):
            type = Pointer(type)
        omit = "" if required else "omitempty"
        return Field(go, type, json, False, False, False, tuple(self._lines(lines)), self.losses.span, omit)

    def _embedded(self, name: str, json: str, omit: str) -> Field:
        return Field(name, Named(META, name), json, not json, False, True, (), self.losses.span, omit)

    # --- values -----------------------------------------------------------------------------------------------------

    def _value(self, schema: Schema, name: str, place: str, *, field: bool) -> tuple[TypeExpr, list[str]]:
        """Returns the type of a value, and further markers for its use."""
        self._depth += 1
        type, done = self._type(schema, name, place, field=field)
        self._depth -= 1
        if done is None:
            own = {key: schema[key] for key in _OF_FIELDS if key in schema} if field else {}
            return type, self._markers(own, place, (), field=field)
        lines = list(map(in_comment, self._description(schema, place)))
        return type, [*lines, *self._markers(schema, place, done or (), field=field)]

    def _type(self, schema: Schema, name: str, place: str, *, field: bool) -> tuple[TypeExpr, set[str] | None]:
        """Returns the type of a value and the keywords that it represents; `None` for a type of the package."""
        type = schema.get("type")
        if self._depth > _DEEPEST:
            self.losses.lose(place, "properties", f"it is more than {_DEEPEST} deep in other values", schema)
            return Interface(), set(schema) - {"description"}
        if schema.get(EITHER):
            return self._either(schema, place)
        if type == "array" and schema.get("items"):
            return List(self._element(schema["items"], name, f"{place}[*]")), {"type"}
        if type == "object":
            return self._object(schema, name, place, field=field)
        if type in _SCALARS:
            return self._scalar(schema)
        if schema.get(PRESERVES) and type is None:
            return Interface(), {PRESERVES}
        self.losses.lose(place, "type", "its values have no type that can be written", schema)
        return Interface(), set(schema) - {"description"}

    def _object(self, schema: Schema, name: str, place: str, *, field: bool) -> tuple[TypeExpr, set[str] | None]:
        others, known = schema.get("additionalProperties"), schema.get("properties") or {}
        for missing in sorted(set(schema.get("required") or ()) - known.keys()):
            self.losses.lose(f"{place}.{missing}", "required", "the schema has no such property", schema)
        if isinstance(others, dict):
            return Map(STRING, self._element(others, name, f"{place}[*]")), {"type"}
        if others is not None:
            self.losses.lose(place, "additionalProperties", "a map needs a schema of its values", schema)
        if schema.get(PRESERVES) and not known:
            return RAW_EXTENSION, {"type", PRESERVES}
        name = self._new(name)
        skipped = {"type", *(_OF_FIELDS if field else ())}
        self._declare(name, schema, place, self._markers(schema, place, skipped, field=False))
        return Named(self.package.path, name), None

    def _either(self, schema: Schema, place: str) -> tuple[TypeExpr, set[str]]:
        if schema.get("anyOf") != WIRE["intorstring"]["anyOf"]:
            self.losses.lose(place, "anyOf", "an integer or a string is always said by it, too", schema)
        if schema.get("pattern") == WIRE["quantity"]["pattern"]:
            return QUANTITY, {EITHER, "anyOf", "pattern"}
        return INT_OR_STRING, {EITHER, "anyOf"}

    @staticmethod
    def _scalar(schema: Schema) -> tuple[TypeExpr, set[str]]:
        type, format = schema["type"], schema.get("format")
        if type == "integer" and format in ("int32", "int64"):
            return Builtin(format), {"type", "format"}
        if type == "string" and format == "date-time":
            return TIME, {"type", "format"}
        if type == "string" and format == "byte" and not {"minLength", "maxLength", "pattern", "enum"} & schema.keys():
            return BYTES, {"type", "format"}
        return Builtin(_SCALARS[type]), {"type"}

    def _element(self, schema: Schema, name: str, place: str) -> TypeExpr:
        """Returns the type of list items or map values. If they have markers, it declares a new type for them."""
        type, lines = self._value(schema, name, place, field=False)
        if not lines:
            return type
        if isinstance(type, Named) and type in _SPELT_OUT:
            type, form = _SPELT_OUT[type]
            lines.append(form)
        elif isinstance(type, Named):
            for keyword in sorted(schema.keys() - {EITHER, "anyOf"}):
                self.losses.lose(place, keyword, "integers or strings inside of others cannot have constraints", schema)
            return type
        own = self._new(name)
        self.package.types[own] = TypeDecl(
            self.package.path, own, type, self.losses.span, closest=tuple(self._lines(lines))
        )
        return Named(self.package.path, own)

    # --- text -------------------------------------------------------------------------------------------------------

    def _new(self, name: str) -> str:
        """Returns a name that is new in the package."""
        found = name
        while found in self.taken:
            self.taken[name] += 1
            found = f"{name}{self.taken[name]}"
        self.taken[found] = 1
        return found

    def _lines(self, texts: Sequence[str]) -> Iterator[CommentLine]:
        return (CommentLine(text, self.losses.span) for text in texts)

    def _description(self, schema: Schema, place: str) -> list[str]:
        text = str(schema.get("description") or "")
        if has_hidden(text, keep="\t\n\r"):
            self.losses.lose(place, "description", "it holds invisible characters", schema)
        lines = list(wrap_description(text))
        kept = list(filter(is_description, lines))
        if kept != lines:
            self.losses.lose(place, "description", "a line of it begins like a tag", schema)
        return kept

    def _markers(self, schema: Schema, place: str, done: Collection[str], *, field: bool) -> list[str]:
        found: list[str] = []
        rules = [(rule.get("rule"), rule.get("fieldPath")) for rule in schema.get("x-kubernetes-validations") or ()]
        if len(set(rules)) < len(rules):
            self.losses.lose(place, "x-kubernetes-validations", "a repeated rule is written once", schema)
        for keyword, lines in markers(schema, done, field=field):
            found += lines
            if not lines:
                self.losses.lose(place, keyword, reason(keyword, schema), schema)
        return found


def _word(json: Any) -> str:
    """Returns the name of a property as a part of a type's name."""
    words = re.findall("[A-Za-z0-9]+", json)
    return "".join(word[:1].upper() + word[1:] for word in words) or "Field"


def _parts(root: Any, path: _Path) -> Iterator[tuple[Any, _Path]]:
    """Yields all objects of a schema, with the paths to them."""
    waiting = [(root, path)]
    while waiting:
        part, path = waiting.pop()
        if isinstance(part, dict):
            yield part, path
            waiting += [(inner, (*path, key)) for key, inner in part.items()]
        elif isinstance(part, list):
            waiting += [(inner, (*path, number)) for number, inner in enumerate(part)]
