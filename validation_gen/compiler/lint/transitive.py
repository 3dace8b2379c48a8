"""Finds whether the type of a field has its own validation, so that a null would be dereferenced (tag reference 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from validation_gen.compiler.lint.chains import ITEMS, KEYS, Link, is_wrapper
from validation_gen.compiler.lint.survey import Declaration, Survey
from validation_gen.rules.registry import catalogue
from validation_gen.sources.model import Array, List, Map, Named, Pointer, TypeDecl, TypeExpr

_OPAQUE = "k8s:opaqueType"
_NO_VALIDATION = frozenset({"k8s:optional", _OPAQUE})
_OF_LISTS = ("k8s:listType", "k8s:unique")


@dataclass(frozen=True, slots=True)
class Opacity:
    """Validation that tags disable: of the type itself, of its keys, of its items."""

    type: bool = False
    keys: bool = False
    items: bool = False

    @staticmethod
    def of(links: Iterable[Link]) -> Opacity:
        places = {link.place for link in links if link.name == _OPAQUE}
        if not places:
            return _NONE  # nearly always
        return Opacity(() in places, (KEYS,) in places, (ITEMS,) in places)

    def __or__(self, other: Opacity) -> Opacity:
        if other is _NONE:
            return self
        return Opacity(self.type or other.type, self.keys or other.keys, self.items or other.items)


_NONE = Opacity()


def is_validated(links: Iterable[Link]) -> bool:
    """Returns whether tags have an effect. Tags that only inform (`listType=atomic`) count, as they do upstream."""
    return any(
        link.name in catalogue() and link.name not in _NO_VALIDATION and not is_wrapper(link.name) for link in links
    )


@dataclass(slots=True)
class Transitive:
    """Answers for the types of one program. Structs are settled together, because they may contain each other."""

    survey: Survey
    _structs: set[str] = field(default_factory=set)
    _settled: bool = False
    _busy: set[str] = field(default_factory=set)

    def validates(self, declaration: Declaration) -> bool:
        """Returns whether the type of a declaration validates its values."""
        if not self._settled:
            self._settle()
        return self._validates(declaration.type, Opacity.of(declaration.links))

    def _settle(self) -> None:
        """Finds the structs with a validated member, near or far."""
        self._settled = True
        pending = {}
        for owner in self.survey.owners():
            fields = self.survey.fields(owner)
            if any(is_validated(member.links) for member in fields):
                self._structs.add(str(owner))
            elif fields:
                pending[str(owner)] = [(member.type, Opacity.of(member.links)) for member in fields]
        changed = True
        while changed:
            changed = False
            for id, members in list(pending.items()):
                if any(self._validates(*member) for member in members):
                    del pending[id]
                    self._structs.add(id)  # at once, which spares rounds
                    changed = True

    def _validates(self, type: TypeExpr, opacity: Opacity) -> bool:
        if opacity.type:
            return False
        match type:
            case Pointer(elem=elem):
                return self._validates(elem, opacity)
            case List(elem=elem) | Array(elem=elem):
                return self._validates(elem, Opacity(opacity.items))
            case Map(key=key, elem=elem):
                return self._validates(key, Opacity(opacity.keys)) or self._validates(elem, Opacity(opacity.items))
            case Named():
                owner = self.survey.types.declaration(type)
                return owner is not None and self._declared(owner, opacity)
        return False

    def _declared(self, owner: TypeDecl, opacity: Opacity) -> bool:
        id = str(owner)
        plan = self.survey.program.types.get(id)
        if plan is None or id in self._busy or self.survey.decodes_itself(owner):
            return False
        own = self.survey.of(owner)
        opacity |= Opacity.of(own.links)
        if opacity.type:
            return False
        if plan.checks or any(own.named(*_OF_LISTS)):
            return True
        # The tags of a type further down a chain of definitions do not count: Go has only its literal.
        bottom = self.survey.bottom(owner)
        if bottom is None:
            return False
        if self.survey.fields(bottom):
            return str(bottom) in self._structs
        self._busy.add(id)
        try:
            return self._validates(bottom.type, opacity)
        finally:
            self._busy.discard(id)
