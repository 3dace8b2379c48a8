"""Writes a package of the model as one Python module, in the form that docs/python.md describes.

black breaks the long statements of a module. Generated validators avoid that, because their bytes must not
depend on a version of black; converted sources are edited by people and black from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.commands.convert.comments import Layout, comment, find_named_types, groups, is_license, is_tag
from validation_gen.commands.convert.pyfields import FieldWriter
from validation_gen.commands.convert.pytypes import (
    DATACLASSES,
    ENUM,
    FUTURE,
    Names,
    Scope,
    find_base_classes,
    is_enum,
    is_plain,
    member_names,
    render_type,
)
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import visible
from validation_gen.emit.text import WIDTH, literal
from validation_gen.sources.model import Const, Named, Package, Struct, TypeDecl
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import CommentLine
from validation_gen.types.naming import attribute_name

_INDENT = "    "
#: Markers of packages, in any of their comments.
_OF_PACKAGES = (
    "+groupName",
    "+versionName",
    "+kubebuilder:skip",
    "+kubebuilder:validation:Optional",
    "+kubebuilder:validation:Required",
)


def python_module(package: Package, layout: Layout, types: TypeSystem, diagnostics: Diagnostics) -> str:
    """Returns the text of the module for a package."""
    enums = frozenset(name for name, declaration in package.types.items() if is_enum(declaration, package))
    names = Names(package.types)
    scope = Scope(package, layout, types, diagnostics, names, enums)
    blocks = [_declaration(declaration, scope) for declaration in _sort_types(package, scope)]
    constants = list(_constants(scope))
    head = list(_head(package))
    imports = ["\n".join(group) for group in names.import_lines()]
    parts = ["\n".join(lines) for block in blocks for lines in block]
    if constants:
        parts.append("\n".join(constants))
    head += imports
    if len(blocks[:1]) and len(blocks[0]) > 1:
        # A comment block above the first declaration would be read as a comment about the module.
        head.append(f"__all__ = [{', '.join(map(literal, names.own.values()))}]")
    if parts and not (blocks and len(blocks[0]) == 1 and _is_class(blocks[0][0])):
        head.append(parts.pop(0))  # classes get two empty lines; one separates all else from imports
    text = "\n\n\n".join(part for part in ["\n\n".join(head), *parts] if part)
    return _break_statements(f"{text}\n") if text else ""


def _is_class(lines: list[str]) -> bool:
    return any(line.startswith("class ") for line in lines)


# --- the head of the module ------------------------------------------------------------------------------------------


def _head(package: Package) -> Iterator[str]:
    """Yields the licence as a comment and the other comments of the package as the docstring, prose first."""
    blocks = groups(package.comments)
    while blocks and is_license(blocks[0]):
        yield "\n".join(comment("#", blocks.pop(0)))
    prose = [block for block in blocks if not is_tag(block[0])]
    tags = [block for block in blocks if is_tag(block[0])]
    lines = ["\n".join(map(_docstring_line, block)) for block in [*prose, *tags]]
    if elsewhere := "\n".join(_elsewhere(package)):
        lines.append(elsewhere)
    if lines:
        text = "\n\n".join(lines)
        yield f'"""{text}"""' if "\n" not in text and text[-1] != '"' else f'"""{text}\n"""'


def _docstring_line(line: CommentLine) -> str:
    return _escape(visible(line.text.removeprefix(" ").replace("\t", _INDENT)).rstrip())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _elsewhere(package: Package) -> Iterator[str]:
    """Yields the markers of the package in other files or on a constant: in Python they belong into the docstring."""
    own = {_marker_name(line) for line in package.comments}
    found = {name: line.text.strip() for line in package.loose if (name := _marker_name(line)) in _OF_PACKAGES}
    group = next((c.value for c in package.constants if c.name == "GroupName"), "")
    if isinstance(group, str) and group:
        found.setdefault("+groupName", f"+groupName={group}")
    yield from (_escape(visible(found[name])) for name in _OF_PACKAGES if name in found and name not in own)


def _marker_name(line: CommentLine) -> str:
    return line.text.strip().partition("=")[0]


# --- declarations ----------------------------------------------------------------------------------------------------


def _sort_types(package: Package, scope: Scope) -> list[TypeDecl]:
    """Returns the types in the order of the source, but dependencies of a class or an alias before it."""
    ordered: dict[str, TypeDecl] = {}

    def add(declaration: TypeDecl, above: tuple[str, ...] = ()) -> None:
        if declaration.name in ordered or declaration.name in above:
            return
        for needed in _find_needed(declaration, scope):
            if needed.package == package.path and needed.name in package.types:
                add(package.types[needed.name], (*above, declaration.name))
        ordered[declaration.name] = declaration

    for declaration in package.types.values():
        add(declaration)
    return list(ordered.values())


def _find_needed(declaration: TypeDecl, scope: Scope) -> list[Named]:
    if isinstance(declaration.type, Struct):
        return list(find_base_classes(declaration, scope)) if is_plain(declaration) else []
    wanted = declaration.alias or isinstance(declaration.type, Named)
    return list(find_named_types(declaration.type)) if wanted else []


def _declaration(declaration: TypeDecl, scope: Scope) -> list[list[str]]:
    """Returns a type as comment blocks, the last of which ends with the statement itself."""
    scope.remarks.clear()
    above = [comment("#", declaration.second_closest)] if declaration.second_closest else []
    if not is_plain(declaration):
        lines = _open(declaration, scope)
    elif isinstance(declaration.type, Struct):
        lines = _class(declaration, declaration.type, scope)
    elif declaration.name in scope.enums:
        lines = _enum(declaration, scope)
    else:
        lines = _alias(declaration, scope)
    scope.defined.add(scope.names.own[declaration.name])
    return [*above, lines]


def _open(declaration: TypeDecl, scope: Scope) -> list[str]:
    """Writes a type whose values only Go code can decode."""
    generic = bool(declaration.parameters)
    why = "it has type parameters" if generic else "its JSON form is made by methods"
    help = "declare the types that are used one by one" if generic else "write a type that has this JSON form"
    scope.refuse(render_type(Named(declaration.package, declaration.name)), why, declaration.span, help)
    return _render_assignment(declaration, scope, scope.typing("Any"))


def _alias(declaration: TypeDecl, scope: Scope) -> list[str]:
    text = scope.text(declaration.type, declaration.span)
    references = [r for r in find_named_types(declaration.type) if r.package == scope.package.path]
    if any(scope.names.own.get(r.name) not in scope.defined for r in references) or " | " in text:
        text = literal(text)  # `"X" | None` fails at run time, and X may be a text as well
    return _render_assignment(declaration, scope, text)


def _render_assignment(declaration: TypeDecl, scope: Scope, text: str) -> list[str]:
    name = scope.names.own[declaration.name]
    target = name if declaration.alias and text[0] != '"' else f"{name}: {scope.typing('TypeAlias')}"
    remarks = [f"# {remark}" for remark in scope.remarks]
    return [*comment("#", declaration.closest), *remarks, f"{target} = {text}"]


def _class(declaration: TypeDecl, struct: Struct, scope: Scope) -> list[str]:
    scope.names.imported(FUTURE, "annotations")
    bases = find_base_classes(declaration, scope)
    header = f"class {scope.names.own[declaration.name]}"
    if bases:
        header += f"({', '.join(scope.text(base, declaration.span) for base in bases)})"
    decorator = f"@{scope.names.imported(DATACLASSES, 'dataclass')}(kw_only=True)"
    lines = [*comment("#", declaration.closest), decorator, f"{header}:", *_docstring(declaration)]
    writer = FieldWriter(scope, declaration, set())
    for index, field in enumerate(struct.fields[len(bases) :]):
        *comments, statement = writer.lines(field)
        if comments and index:
            lines.append("")
        lines += [f"{_INDENT}{line}" for line in (*comments, statement)]
    return lines if len(struct.fields) > len(bases) or declaration.docstring else [*lines, f"{_INDENT}pass"]


def _docstring(declaration: TypeDecl) -> list[str]:
    """Returns the docstring of a type, followed by an empty line before the fields."""
    if not declaration.docstring:
        return []
    text = declaration.docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, *others = (visible(line.replace("\t", _INDENT)).rstrip() for line in text.split("\n"))
    lines = [f'{_INDENT}"""{first}', *(f"{_INDENT}{line}" if line else "" for line in others)]
    if others or first.endswith('"'):
        return [*lines, f'{_INDENT}"""', ""]
    return [f'{lines[0]}"""', ""]


def _enum(declaration: TypeDecl, scope: Scope) -> list[str]:
    """Writes a string type and its constants, without the tag for enums."""
    comments = [line for line in declaration.closest if line.text.strip() != "+k8s:enum"]
    header = f"class {scope.names.own[declaration.name]}(str, {scope.names.imported(ENUM, 'Enum')}):"
    lines = [*comment("#", comments), header]
    constants = [c for c in scope.package.constants if _is_member(c, declaration)]
    for index, (name, constant) in enumerate(
        zip(member_names(declaration.name, [c.name for c in constants]), constants, strict=True)
    ):
        if constant.comments and index:
            lines.append("")
        lines += [f"{_INDENT}{line}" for line in comment("#", constant.comments)]
        lines.append(f"{_INDENT}{name} = {literal(constant.value)}")
    return lines


def _is_member(constant: Const, declaration: TypeDecl) -> bool:
    return constant.type == Named(declaration.package, declaration.name) and isinstance(constant.value, str)


def _constants(scope: Scope) -> Iterator[str]:
    """Yields all other constants: validation does not need them, but programs may."""
    for constant in scope.package.constants:
        own = isinstance(constant.type, Named) and constant.type.package == scope.package.path
        if constant.value is None or (own and isinstance(constant.type, Named) and constant.type.name in scope.enums):
            continue
        name = scope.names.new(attribute_name(constant.name).upper())
        if own and isinstance(constant.type, Named) and constant.type.name in scope.names.own:
            name += f": {scope.names.own[constant.type.name]}"
        yield from comment("#", constant.comments)
        yield f"{name} = {literal(constant.value)}"


def _break_statements(text: str) -> str:
    """Breaks long statements. Without any, the text is as black leaves it already."""
    if all(len(line) <= WIDTH or line.lstrip().startswith("#") for line in text.split("\n")):
        return text
    import black  # noqa: PLC0415 - slow to import, and most modules are small

    return black.format_str(text, mode=black.Mode())
