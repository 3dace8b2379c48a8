"""One struct field as one line of a dataclass, with its comments above, and with the value that is absent in JSON."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass

from validation_gen.commands.convert.comments import META_NAMES, comment
from validation_gen.commands.convert.pytypes import (
    BYTE,
    DATACLASSES,
    META,
    OURS,
    Scope,
    attribute,
    find_base_classes,
    is_enum,
    meta_value,
)
from validation_gen.emit.text import literal
from validation_gen.sources import model
from validation_gen.sources.model import (
    Builtin,
    Field,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
)
from validation_gen.types import meta
from validation_gen.types.naming import go_name, json_name

_ZEROS = {"string": '""', "bool": "False", "float32": "0.0", "float64": "0.0"}


def default(field: Field, scope: Scope) -> str | None:
    """Returns the Python default that means `omitempty` and nothing else, `None` if there is none.

    An empty list would also be read as `+default`, except beside `+k8s:optional`, where it means an absent list. In all
    other fields the default is `None`, as Go does not distinguish an absent list from an empty one.
    """
    if not field.omit:
        return None
    zero = _zero(field.type, scope)
    if zero is None or not zero.endswith(("=list)", "=dict)")):
        return zero
    if any(line.text.strip() == "+k8s:optional" for line in field.comments):
        return zero
    return "None" if isinstance(field.type, List | Map) or scope.is_alias(field.type) else None


def _zero(type: TypeExpr, scope: Scope) -> str | None:
    """Returns the empty value of a type, `None` if it has none. Lists, maps and objects are made by a factory."""
    if isinstance(type, Named) and (name := META_NAMES.get((type.package, type.name))):
        return _zero_of_meta(getattr(meta, name), scope.names.imported(META, name, "Meta"), scope)
    if _is_enum(type, scope):
        return None
    if declaration := scope.find_class(type):
        if not _can_be_empty(type, scope):
            return None
        text = scope.text(type, declaration.span)
        later = text in scope.names.own.values() and text not in scope.defined
        return _factory(f"lambda: {text}()" if later else text, scope)
    match scope.types.underlying(type):
        case Builtin(name=name):
            return _ZEROS.get(name, "0" if "int" in name else None)
        case List(elem=elem):
            return 'b""' if elem == BYTE else _factory("list", scope)
        case Map(key=key) if scope.is_key(key):
            return _factory("dict", scope)
        case Interface() | Pointer(elem=Builtin() | Named() | Interface()):
            return "None"
    return None


def _factory(maker: str, scope: Scope) -> str:
    return f"{scope.names.imported(DATACLASSES, 'field')}(default_factory={maker})"


def _zero_of_meta(value: object, name: str, scope: Scope) -> str | None:
    if dataclasses.is_dataclass(value):
        return _factory(name, scope) if _all_have_defaults(value) else None
    if value is typing.Any:
        return "None"
    origin = typing.get_origin(value) or value
    if origin in (list, dict) and isinstance(origin, type):
        return _factory(origin.__name__, scope)
    return '""' if value is str else None


def _is_enum(type: TypeExpr, scope: Scope) -> bool:
    declaration = scope.types.declaration(type)
    package = scope.types.universe.package(declaration.package) if declaration else None
    return declaration is not None and package is not None and is_enum(declaration, package)


def _can_be_empty(type: TypeExpr, scope: Scope) -> bool:
    """Returns whether all fields of a class have defaults, so that it can be made without arguments."""
    declaration = scope.types.declaration(type)
    if declaration is None or not isinstance(declaration.type, Struct):
        return False
    if META_NAMES.get((declaration.package, declaration.name)):
        return _all_have_defaults(meta_value(declaration))
    known, key = scope.can_be_empty, Named(declaration.package, declaration.name)
    if key not in known:
        known[key] = False  # for a recursive type, which no Go program has
        bases = find_base_classes(declaration, scope)
        known[key] = all(
            _can_be_empty(f.type, scope) if index < len(bases) else default(f, scope) is not None
            for index, f in enumerate(declaration.type.fields)
        )
    return known[key]


def _all_have_defaults(value: object) -> bool:
    missing = dataclasses.MISSING
    return dataclasses.is_dataclass(value) and all(
        f.default is not missing or f.default_factory is not missing for f in dataclasses.fields(value)
    )


#: Usually embedded with the name `metadata`, by which readers recognise them.
_METADATA = (Named(model.META, "ObjectMeta"), Named(model.META, "ListMeta"))


@dataclass(slots=True)
class FieldWriter:
    """Writes the fields of one class. `attributes` are those that it has already."""

    scope: Scope
    owner: TypeDecl
    attributes: set[str]
    _go_names: set[str] = dataclasses.field(default_factory=set)
    _json_names: set[str] = dataclasses.field(default_factory=set)

    def lines(self, field: Field) -> list[str]:
        """Returns comments and the annotated attribute."""
        scope = self.scope
        scope.remarks.clear()
        self._tell_of_doubles(field)
        annotation = scope.text(field.type, field.span)
        value = default(field, scope)
        if value == "None" and isinstance(scope.types.underlying(field.type), List | Map):
            annotation = f"{annotation} | None"
        name = attribute(field.json or field.go_name, scope.names.own.values(), self.attributes)
        annotation = self._annotated(annotation, self._extras(field, name, value is not None))
        statement = f"{name}: {annotation}" + (f" = {value}" if value is not None else "")
        return [*comment("#", field.comments), *(f"# {remark}" for remark in scope.remarks), statement]

    def _tell_of_doubles(self, field: Field) -> None:
        """Reports a field with the Go name or JSON name of another one, which Python allows and Go does not."""
        what, json = f"{self.owner.name}.{field.go_name}", "" if field.omitted else field.json
        if field.go_name in self._go_names:
            help = "give one of them another name, or remove it"
            self.scope.tell(what, "it is declared twice, which Go does not compile", field.span, help)
        elif json and json in self._json_names:
            why = f"another field has its JSON name `{json}`, and Go decodes neither"
            self.scope.tell(what, why, field.span, "give one of them another JSON name")
        self._go_names.add(field.go_name)
        self._json_names.add(json)

    def _extras(self, field: Field, name: str, has_default: bool) -> list[str]:
        extras = [self.scope.names.imported(OURS, "Inline", "Go")] if field.inline else []
        args = []
        if field.omitted:
            args.append('"-"')
        elif field.json and field.json != json_name(name):
            args.append(literal(field.json))
        if not self._has_go_name(field, name):
            args.append(f"go={literal(field.go_name)}")
        if field.omit and (not has_default or field.omit != "omitempty"):
            args.append(f"omit={literal(field.omit)}")
        if args:
            extras.append(f"{self.scope.names.imported(OURS, 'Json', 'Go')}({', '.join(args)})")
        return extras

    def _has_go_name(self, field: Field, name: str) -> bool:
        """Returns whether readers find the Go name by themselves."""
        if field.embedded and field.json == "metadata" and field.type in _METADATA:
            return True
        if field.inline and field.embedded and not field.json:
            inner = field.type.elem if isinstance(field.type, Pointer) else field.type
            return isinstance(inner, Named) and inner.name == field.go_name
        return not field.omitted and go_name(field.json) == field.go_name

    def _annotated(self, annotation: str, extras: list[str]) -> str:
        if not extras:
            return annotation
        name = self.scope.typing("Annotated")
        if annotation.startswith(f"{name}[") and annotation.endswith("]"):
            return f"{annotation[:-1]}, {', '.join(extras)}]"
        return f"{name}[{annotation}, {', '.join(extras)}]"
