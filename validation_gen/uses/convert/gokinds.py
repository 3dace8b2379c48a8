"""Python classes that are kinds by inheritance. Go looks at direct fields only, so they have to be named."""

from __future__ import annotations

import re

from validation_gen.sources.model import Named, Package, TypeDecl
from validation_gen.sources.typesystem import TypeSystem

_SELECTOR = re.compile(r"\s*\+k8s:validation-gen=(.*)")


def inherits_kind(declaration: TypeDecl, package: Package, types: TypeSystem) -> bool:
    """Returns whether a class has its `TypeMeta` from a base of its own, and is a kind of its package by that."""
    own = [match[1] for line in declaration.closest if (match := _SELECTOR.match(line.text))]
    chosen = [match[1].strip() for line in package.comments if (match := _SELECTOR.match(line.text))]
    if own or (chosen and not {"TypeMeta", "TypesWithField=TypeMeta"} & set(chosen)):
        return False
    named = Named(package.path, declaration.name)
    struct = types.struct(named)
    direct = {field.go_name for field in struct.fields} if struct else set()
    return "TypeMeta" not in direct and "TypeMeta" in types.field_names(named)
