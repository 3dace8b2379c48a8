"""Writes a package of the model as Go files, formatted as by gofmt: `types.go`, and `doc.go` for the package.

Python classes that are kinds by inheritance get the fields by which Go knows a kind: Go looks at direct fields only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from validation_gen.commands.convert.comments import comment, groups, is_prose, is_tag, source_language
from validation_gen.commands.convert.pytypes import unique
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import replace_invisible
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
    Universe,
    Unsupported,
)
from validation_gen.sources.typesystem import TypeSystem

KEYWORDS = frozenset(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var".split()
)


def quote(value: str | int | float | bool | None) -> str:
    """Returns a constant value as a literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    text = "".join(c if c.isprintable() else _escape(c) for c in text.replace("\\/", "/"))
    return replace_invisible(text, _escape)  # Python regards variation selectors as printable


def _escape(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:  # a surrogate is invalid in Go
        return "\ufffd"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def identifier(name: str) -> str:
    """Returns the name without characters that Go does not allow: `x-y` becomes `xY`."""
    first, *rest = re.split(r"\W+", name)
    text = first + "".join(word[:1].upper() + word[1:] for word in rest)
    if not text or text[0].isdigit():
        return f"X{text}"
    return f"{text}_" if text in KEYWORDS else text


def align(rows: Sequence[list[str] | str]) -> list[str]:
    """Returns lines with aligned cells, as the tabwriter of gofmt does it.

    A column spans neighbouring lines that have it, each cell followed by at least one blank; the last cell of a line is
    in no column. Lines that are no lists have no cells, and end all columns.
    """
    cells = [[row] if isinstance(row, str) else list(row) for row in rows]
    column = 0
    while any(len(line) > column + 1 for line in cells):
        start = 0
        while start < len(cells):
            end = start
            while end < len(cells) and len(cells[end]) > column + 1:
                end += 1
            width = max((len(line[column]) for line in cells[start:end]), default=0)
            for line in cells[start:end]:
                line[column] = line[column].ljust(width + 1)
            start = max(end, start + 1)
        column += 1
    return ["".join(line).rstrip() for line in cells]


_VERSION = re.compile(r"v[0-9]+(?:(?:alpha|beta)[0-9]+)?")


class Imports:
    """Import declarations, created on demand."""

    def __init__(self, package: Package, universe: Universe) -> None:
        self._universe = universe
        self._taken = {*package.types, *(c.name for c in package.constants), *KEYWORDS}
        self._names: dict[str, tuple[str, bool]] = {}

    def qualified(self, type: Named) -> str:
        """Returns the name of a type of another package, and imports that."""
        if type.package not in self._names:
            self._names[type.package] = self._name(type.package)
        return f"{self._names[type.package][0]}.{identifier(type.name)}"

    def _name(self, path: str) -> tuple[str, bool]:
        """Returns a name for a package, and whether the import must have it: `metav1`, as `v1` would be unclear."""
        package = self._universe.package(path)
        *parents, last = path.split("/")
        real = package.name if package else ""
        wanted = re.sub(r"\W", "", f"{parents[-1]}{last}" if parents and _VERSION.fullmatch(last) else real or last)
        wanted = f"x{wanted}" if not wanted.isidentifier() else wanted
        name = unique(wanted.lower(), self._taken)
        return name, not name == last == real

    def blocks(self) -> list[str]:
        """Returns the import declaration, if there is any: the standard library first, the rest after an empty line."""
        lines = {path: f"{name} {quote(path)}" if said else quote(path) for path, (name, said) in self._names.items()}
        standard = [lines[path] for path in sorted(lines) if "." not in path.partition("/")[0]]
        others = [lines[path] for path in sorted(lines) if "." in path.partition("/")[0]]
        if len(lines) == 1:
            return [f"import {line}" for line in lines.values()]
        inner = "\n\n".join("\n".join(f"\t{line}" for line in group) for group in (standard, others) if group)
        return [f"import (\n{inner}\n)"] if lines else []


_SELECTOR = re.compile(r"\s*\+k8s:validation-gen=(.*)")


def inherits_kind(declaration: TypeDecl, package: Package, types: TypeSystem) -> bool:
    """Returns whether a class is a kind of its package because it inherits `TypeMeta` from a base class."""
    own = [match[1] for line in declaration.closest if (match := _SELECTOR.match(line.text))]
    chosen = [match[1].strip() for line in package.comments if (match := _SELECTOR.match(line.text))]
    if own or (chosen and not {"TypeMeta", "TypesWithField=TypeMeta"} & set(chosen)):
        return False
    named = Named(package.path, declaration.name)
    struct = types.struct(named)
    direct = {field.go_name for field in struct.fields} if struct else set()
    return "TypeMeta" not in direct and "TypeMeta" in types.field_names(named)


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
        return [f"{head} struct {{", *align(rows), "}"]

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
            rows.append([*cells, f"= {quote(constant.value)}"])
        return ["const (", *align(rows), ")"]

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
    text = f"json:{quote(value)}"
    return quote(text) if "`" in text else f"`{text}`"
