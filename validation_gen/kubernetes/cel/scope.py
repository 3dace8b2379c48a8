"""Places of rules in a CRD's schema, and the types that rules see there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.declarations import NEWEST, Environment, functions, multiply_saturated
from validation_gen.kubernetes.cel.schemas import ROOT_NAME, Declarations, Declared, Schema, escape


@dataclass(slots=True, eq=False)
class Scope:
    """Node of a schema: the type of `self` there, and how often it can occur in an object.

    Create one for the root and descend from it, which is cheap: the types of a tree are computed once. `path` is as in
    the API server's errors. `cardinality` is None without a limit.
    """

    schema: Schema
    path: str = "spec.validation.openAPIV3Schema"
    minor: int = NEWEST  #: see `declarations`
    #: True if rules are compiled as those of a stored definition, which may use all functions of the server.
    stored: bool = False
    #: True if a schema without a parent is that of a resource.
    resource: bool = True
    cardinality: int | None = 1
    #: Nearest part of the path below which old and new values cannot be correlated, empty if there is none.
    uncorrelatable: str = ""
    parent: Scope | None = None
    step: str = ""
    #: Parsed expressions by their texts, as `program.serialize` writes them; the parser parses all others.
    expressions: Mapping[str, str] = field(default_factory=dict)
    _declarations: Declarations = field(default_factory=Declarations)
    _declared: Declared | None = None
    _name: str = ROOT_NAME
    _environments: dict[bool, Environment] = field(default_factory=dict)

    def child(self, name: str) -> Scope:
        """Returns the scope of a property of an object; KeyError if there is none."""
        from_map = self.schema.get("x-kubernetes-map-type") not in (None, "granular", "atomic")
        return self._child(self.schema["properties"][name], f".properties[{name}]", f".{name}", from_map)

    def items(self) -> Scope:
        """Returns the scope of the items of a list."""
        return self._child(self.schema["items"], ".items", "@", self.schema.get("x-kubernetes-list-type") != "map")

    def values(self) -> Scope:
        """Returns the scope of the values of a map (`additionalProperties`)."""
        return self._child(self.schema["additionalProperties"], ".additionalProperties", "@", False)

    def _child(self, schema: Schema, path: str, step: str, uncorrelatable: bool) -> Scope:
        repeated = _repetition(self.schema)
        count = None if repeated is None or self.cardinality is None else multiply_saturated(self.cardinality, repeated)
        forbidden = self.uncorrelatable or (self.path if uncorrelatable else "")
        path = self.path + path
        shared = self.expressions
        return Scope(schema, path, self.minor, self.stored, self.resource, count, forbidden, self, step, shared)

    @property
    def has_rules(self) -> bool:
        """True if this node or one above it has rules; the type is computed from the topmost such node."""
        here: Scope | None = self
        while here and not here.schema.get("x-kubernetes-validations"):
            here = here.parent
        return here is not None

    @property
    def declared(self) -> Declared | None:
        """Declaration of `self`; None where rules are not possible."""
        if self._declared is None:
            parent = self.parent
            try:
                if parent is not None and parent.has_rules and parent.declared is None:
                    return None  # the server computes the type of a part from that of the whole, and gives up
                self._declared = self._from_parent() or self._from_schema()
            except RecursionError:  # a schema of some hundred levels
                return None
        return self._declared

    def _from_parent(self) -> Declared | None:
        parent = self.parent
        if parent is None or not parent.has_rules or (declared := parent.declared) is None:
            return None
        found = _step_into(declared, self.step)
        if found is not None:
            self._declarations = parent._declarations
            self._name = parent._name + self._step_of_name()
        return found

    def _step_of_name(self) -> str:
        if self.step == "@":
            return ".@idx" if self.parent and self.parent.schema.get("type") == "array" else ".@elem"
        return f".{escape(self.step[1:])}"

    def _named_from_here(self, declared: Declared) -> tuple[types.Type, dict[str, dict[str, types.Type]]]:
        """Returns the type of `self` and all objects below it, named from the schema that has the rule."""
        name, objects = self._name, self._declarations.objects
        if name == ROOT_NAME:
            return declared.type, objects
        below = {
            types.replace_prefix(each, name, ROOT_NAME): {
                field: types.rename_objects(type, name, ROOT_NAME) for field, type in fields.items()
            }
            for each, fields in objects.items()
            if each == name or each.startswith(f"{name}.")
        }
        return types.rename_objects(declared.type, name, ROOT_NAME), below

    def _from_schema(self) -> Declared | None:
        root = (self.parent is None and self.resource) or bool(self.schema.get("x-kubernetes-embedded-resource"))
        self._declarations = Declarations()
        return self._declarations.declared(self.schema, root=root)

    def environment(self, declared: Declared, *, optional: bool) -> Environment:
        """Returns the names that a rule sees here; `optional` for rules with `optionalOldSelf`."""
        if (found := self._environments.get(optional)) is None:
            own, objects = self._named_from_here(declared)
            variables = {"self": own, "oldSelf": types.optional_type(own) if optional else own}
            found = Environment(variables, functions(self.minor, stored=self.stored), objects)
            self._environments[optional] = found
        return found


def _repetition(schema: Schema) -> int | None:
    """Returns the factor by which a schema multiplies the number of its children, None without a limit."""
    match schema.get("type"):
        case "object" if schema.get("additionalProperties") is not None:
            limit = schema.get("maxProperties")
        case "array":
            limit = schema.get("maxItems")
        case _:
            return 1
    return None if limit is None else max(limit, 0)


def _step_into(declared: Declared, step: str) -> Declared | None:
    if step == "@":
        return declared.element
    escaped = escape(step[1:])
    return (declared.fields or {}).get(escaped) if escaped is not None else None
