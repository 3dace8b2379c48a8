"""Writes a package of the model as Go files, formatted as by gofmt: `types.go`, and `doc.go` for the package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.languages import PYTHON
from validation_gen.sources.model import (
    Array,
    Builtin,
    Const,
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
    Unsupported,
)
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.uses.convert.comments import comment, groups, is_prose, is_tag
from validation_gen.uses.convert.goimports import Imports
from validation_gen.uses.convert.gokinds import inherits_kind
from validation_gen.uses.convert.gotext import aligned, identifier, quoted
from validation_gen.uses.convert.layout import source_language
from validation_gen.uses.convert.pynames import unique

_BYTE = Builtin("uint8")


def go_files(package: Package, types: TypeSystem, diagnostics: Diagnostics) -> dict[str, str]:
    """Returns the files of a package by name. Contents that Go could not read back are reported."""
    name = identifier(package.name or package.path.rpartition("/")[2]).lower()
    files = {}
    for _, note in package.notes:
        diagnostics.add(note)
    if package.comments or not (package.types or package.constants):
        files["doc.go"] = _doc(package, name)
    if package.types or package.constants:
        files["types.go"] = _GoFile(package, types, diagnostics).text(name)
    return files


def _doc(package: Package, name: str) -> str:
    blocks = groups(package.comments)
    lines = [line for block in blocks for line in [*comment("//", block), ""]]
    if blocks and not is_tag(blocks[-1][0]) and is_prose(blocks[-1]):
        lines.pop()  # documentation shows the prose right above the clause
    return "\n".join([*lines, f"package {name}", ""])


class _GoFile:
    """The declarations of one package."""

    def __init__(self, package: Package, types: TypeSystem, diagnostics: Diagnostics) -> None:
        self._package = package
        self._types = types
        self._imports = Imports(package, types.universe)
        self._diagnostics = diagnostics
        self._taken = set(package.types)
        self._from_python = source_language(package) is PYTHON

    def text(self, name: str) -> str:
        blocks = [block for block in self._blocks() if block]
        head = [f"package {name}", *self._imports.blocks()]
        return "\n\n".join([*head, *("\n".join(block) for block in blocks)]) + "\n"

    def _blocks(self) -> Iterator[list[str]]:
        """Yields types in order, each followed by the next constants if they have that type."""
        waiting = _runs([c for c in self._package.constants if c.value is not None])
        names = list(self._package.types)
        while waiting and not self._is_own(waiting[0][0]):
            yield self._constants(waiting.pop(0))
        for index, name in enumerate(names):
            yield from self._declaration(self._package.types[name])
            later = names[index + 1 :]
            while waiting and not (self._is_own(waiting[0][0]) and _type_name(waiting[0][0]) in later):
                yield self._constants(waiting.pop(0))
        yield from (self._constants(run) for run in waiting)

    def _is_own(self, constant: Const) -> bool:
        return isinstance(constant.type, Named) and constant.type.package == self._package.path

    # --- types -------------------------------------------------------------------------------------------------------

    def _declaration(self, declaration: TypeDecl) -> Iterator[list[str]]:
        if declaration.second_closest:
            yield comment("//", declaration.second_closest)
        self._report(declaration)
        head = f"type {identifier(declaration.name)}"
        if declaration.parameters:
            head += f"[{', '.join(declaration.parameters)} any]"
        if declaration.alias:
            head += " ="
        lines = comment("//", declaration.closest)
        if inherits_kind(declaration, self._package, self._types):
            lines.append("// +k8s:validation-gen=true")  # Go looks for TypeMeta among the direct fields only
        if isinstance(declaration.type, Struct):
            yield [*lines, *self._struct(head, declaration.type)]
        else:
            yield [*lines, f"{head} {self._type(declaration.type)}"]

    def _report(self, declaration: TypeDecl) -> None:
        if declaration.custom_json:
            message = f"the methods of {declaration.name} cannot be converted, so it loses its own JSON form"
            self._diagnostics.warning("VG107", message, declaration.span, "copy them into the new package")

    def _struct(self, head: str, struct: Struct) -> list[str]:
        if not struct.fields:
            return [f"{head} struct{{}}"]
        rows: list[list[str] | str] = []
        taken: set[str] = set()
        for index, field in enumerate(struct.fields):
            comments = comment("//", field.comments)
            if comments and index:
                rows.append("")
            rows += [f"\t{line}" for line in comments]
            rows.append([f"\t{cell}" if not i else cell for i, cell in enumerate(self._field(field, taken))])
        return [f"{head} struct {{", *aligned(rows), "}"]

    def _field(self, field: Field, taken: set[str]) -> list[str]:
        """Returns the cells of a field's line: name, type, struct tag. An embedded one has no name."""
        tag = _tag(field)
        if field.embedded:
            return [self._type(field.type), tag]
        name = identifier(field.go_name)
        if not name[:1].isupper():
            name = f"X{name}"
        while name in taken:
            name += "_"
        taken.add(name)
        return [name, self._type(field.type), tag]

    def _type(self, type: TypeExpr) -> str:
        match type:
            case Builtin(name=name):
                return name
            case Named(package=package, name=name):
                return identifier(name) if package == self._package.path else self._imports.qualified(type)
            case Pointer(elem=elem):
                return f"*{self._type(elem)}"
            case List(elem=elem):
                return "[]byte" if elem == _BYTE else f"[]{self._type(elem)}"
            case Array(length=length, elem=elem):
                return f"[{length}]{self._type(elem)}"
            case Map(key=key, elem=elem):
                return f"map[{self._type(key)}]{self._type(elem)}"
            case Unsupported(kind="Python"):
                return "any"  # the reader has reported its problem
            case Unsupported(text=text):
                return text
            case Interface() | Struct():
                return "any"

    # --- constants ---------------------------------------------------------------------------------------------------

    def _constants(self, constants: list[Const]) -> list[str]:
        rows: list[list[str] | str] = []
        for constant in constants:
            rows += [f"\t{line}" for line in comment("//", constant.comments)]
            cells = [f"\t{self._constant_name(constant)}"]
            if constant.type is not None:
                cells.append(self._type(constant.type))
            rows.append([*cells, f"= {quoted(constant.value)}"])
        return ["const (", *aligned(rows), ")"]

    def _constant_name(self, constant: Const) -> str:
        """Returns the name of a constant.

        Members of a Python enum get the type as a prefix, as names must be unique.
        """
        name = identifier(constant.name)
        if self._from_python:
            words = re.findall(r"[A-Za-z0-9]+", constant.name)
            name = identifier(_type_name(constant) + "".join(word[:1].upper() + _rest(word) for word in words))
        return unique(name, self._taken)


def _rest(word: str) -> str:
    return word[1:].lower() if word.isupper() else word[1:]


def _type_name(constant: Const) -> str:
    return constant.type.name if constant.type is not None else ""


def _runs(constants: list[Const]) -> list[list[Const]]:
    """Groups consecutive constants of one type."""
    runs: list[list[Const]] = []
    for constant in constants:
        if runs and runs[-1][-1].type == constant.type:
            runs[-1].append(constant)
        else:
            runs.append([constant])
    return runs


def _tag(field: Field) -> str:
    if field.omitted:
        value = "-"
    else:
        options = ["inline"] if field.inline else []
        options += [field.omit] if field.omit else []
        name = "" if field.inline and field.json == field.go_name else field.json
        value = ",".join([name, *options]) if options or name != "-" else "-,"
    text = f"json:{quoted(value)}"
    return quoted(text) if "`" in text else f"`{text}`"
