"""Kinds that Python classes are by inheritance. Go knows direct fields only, so they have to be named."""

from __future__ import annotations

import re

from validation_gen.model import Named, Package, Struct, TypeDecl, Universe

_MOST_BASES = 20  # a class can inherit from itself by mistake
_SELECTOR = re.compile(r"\s*\+k8s:validation-gen=(.*)")


def inherits_kind(declaration: TypeDecl, package: Package, universe: Universe) -> bool:
    """Whether a class has its `TypeMeta` from a base of its own, and that makes it a kind of its package."""
    own = [match[1] for line in declaration.closest if (match := _SELECTOR.match(line.text))]
    chosen = [match[1].strip() for line in package.comments if (match := _SELECTOR.match(line.text))]
    if own or (chosen and not {"TypeMeta", "TypesWithField=TypeMeta"} & set(chosen)):
        return False
    bases = _bases(declaration)
    return "TypeMeta" not in {base.name for base in bases} and any(_has_type_meta(base, universe) for base in bases)


def _has_type_meta(type: Named, universe: Universe, level: int = 0) -> bool:
    declaration = universe.find(type)
    if declaration is None or level > _MOST_BASES:
        return False
    bases = _bases(declaration)
    return any(base.name == "TypeMeta" or _has_type_meta(base, universe, level + 1) for base in bases)


def _bases(declaration: TypeDecl) -> list[Named]:
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    return [field.type for field in fields if field.embedded and field.inline and isinstance(field.type, Named)]
