"""Lint rules about JSON names: missing, misspelt and duplicate ones, which Go's decoder handles without a warning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, Survey, register
from validation_gen.runtime.words import likeness
from validation_gen.sources.model import Field, Pointer, Struct, TypeDecl, TypeExpr

#: The keys of a struct tag, also of one that Go cannot read (`json: "name"`).
_KEY = re.compile(r"(?P<key>[\w.-]+)\s*:\s*\"(?:[^\"\\]|\\.)*\"")
_JSON = re.compile(r'(?:^|\s)json:"(?P<name>[^",]*)')
#: Keys of others that look like it.
_OTHERS = frozenset({"bson", "jsonb", "jsonc", "json5"})


def _slip(field: Field) -> str:
    """Returns the key that is probably a misspelt `json`, `""` if there is none."""
    if not field.tag or _JSON.search(field.tag):
        return ""
    return next((key for key in _KEY.findall(field.tag) if key not in _OTHERS and _is_json(key.lower())), "")


def _is_json(key: str) -> bool:
    return sorted(key) == sorted("json") or likeness(key, "json") >= 0.85


def _is_tagged(field: Field) -> bool:
    return bool((found := _JSON.search(field.tag or "")) and found["name"])


@register
class MisspeltJSONKey(LintRule):
    """Go skips keys that it does not know, and takes its own name."""

    code = "VG422"
    name = "misspelt-json-key"
    of_untagged = True
    reason = "Go finds no key `json` in the struct tag, so JSON has the Go name, and every object misses the field."
    change = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=63
-	Name string `jsn:"name"`
+	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        field = declaration.field
        key = _slip(field) if field else ""
        if field and key:
            message = f"Go finds no json in the struct tag `{field.tag}`, so the JSON name is {field.go_name}"
            yield Finding(message, declaration.span, 'write json:"…", without blanks around the colon')


@register
class NoJSONName(LintRule):
    """It skips types of internal versions, which have no JSON names at all."""

    code = "VG423"
    name = "no-json-name"
    of_untagged = True
    reason = (
        "Without a JSON name Go takes its own, with a capital: one that no API has, and that changes with the code."
    )
    change = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// +k8s:required
-	Model string
+	Model string `json:"model"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        field = declaration.field
        if field is None or field.tag is None or field.embedded or field.omitted or _is_tagged(field) or _slip(field):
            return
        if declaration.owner.package in declaration.survey.state(_Versioned).packages:
            name = field.go_name[:1].lower() + field.go_name[1:]
            yield Finding(
                f"there is no JSON name, so it is {field.go_name}", declaration.span, f'write `json:"{name}"` behind it'
            )


class _Versioned:
    """The packages whose types have JSON names."""

    def __init__(self, survey: Survey) -> None:
        self.packages = {owner.package for owner in survey.owners() if any(map(_is_tagged, owner.fields))}


@register
class SameJSONName(LintRule):
    """Go's decoder takes the shallowest field of a name, else the only one with a tag, else none."""

    code = "VG424"
    name = "same-json-name"
    of_untagged = True
    reason = "Go decodes and encodes none of two fields that have one JSON name at the same depth, and says nothing."
    change = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// +k8s:optional
-	Title string `json:"name"`
+	Title string `json:"title"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        if declaration.field is None:
            for name, field in _find_ambiguous(declaration.survey, declaration.owner):
                message = f"the JSON name {name} is given twice at one depth, so Go decodes neither of the two fields"
                yield Finding(message, field.span, "give one of them another name")


@dataclass(frozen=True, slots=True)
class _Part:
    """The examined type, or a struct whose fields it inlines by the field `top`."""

    type: TypeExpr
    top: Field | None = None
    twice: bool = False


def _find_ambiguous(survey: Survey, owner: TypeDecl) -> Iterator[tuple[str, Field]]:
    """Yields the names that Go drops as ambiguous, each with the last field that has or embeds it.

    As Go does, it visits a type once, at the least depth; one that is embedded twice there has its names twice. Types
    embedded by that one are embedded once.
    """
    known: set[str] = set()
    visited: set[str] = set()
    level: dict[str, _Part] = {"": _Part(owner.type)}
    while level:
        named: dict[str, list[tuple[bool, Field]]] = {}
        below: dict[str, _Part] = {}
        for part in level.values():
            for field in _members(survey, part.type):
                top = part.top or field
                if field.json and field.tag is not None:
                    named.setdefault(field.json, []).extend([(_is_tagged(field), top)] * (2 if part.twice else 1))
                elif field.embedded and not field.json and not field.omitted:
                    key = str(field.type).lstrip("*")
                    if key not in visited:
                        below[key] = _Part(field.type, top, key in below)
        for name, fields in named.items():
            if name not in known and len(fields) > 1 and sum(tagged for tagged, _ in fields) != 1:
                yield name, fields[-1][1]
        known |= named.keys()
        visited |= below.keys()
        level = below


def _members(survey: Survey, type: TypeExpr) -> tuple[Field, ...]:
    type = type.elem if isinstance(type, Pointer) else type
    struct = type if isinstance(type, Struct) else survey.types.struct(type)
    return struct.fields if struct else ()
