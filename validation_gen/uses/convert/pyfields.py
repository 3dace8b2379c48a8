"""One struct field as one line of a dataclass, with its comments above."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from validation_gen.emit.text import literal
from validation_gen.sources.model import META, Field, List, Map, Named, Pointer, TypeDecl
from validation_gen.types.naming import go_name, json_name
from validation_gen.uses.convert.comments import comment
from validation_gen.uses.convert.pydefaults import default
from validation_gen.uses.convert.pynames import OURS, attribute
from validation_gen.uses.convert.pytypes import Scope

#: Usually embedded with the name `metadata`, by which readers recognise them.
_METADATA = (Named(META, "ObjectMeta"), Named(META, "ListMeta"))


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
        """Reports a field whose name another one has: Python distinguishes the two where Go does not."""
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
