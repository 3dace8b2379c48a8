"""Selects the packages, their root types, and the requests that they serve (tag reference 1.6 and 1.7).

Groups and versions are checked here by the rules of the API server, before they become parts of file names, of paths of
requests and of `apiVersion`. An invalid group is never corrected: it is reported, and `Program.misnamed` keeps every
emitter from writing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from validation_gen.compiler.lower.comments import TagReader
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import PackagePlan, Program
from validation_gen.runtime.names import dns_subdomain
from validation_gen.sources.model import META, Named, Package, TypeDecl, Universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import CommentLine, Tag
from validation_gen.tags.parser import extract

_MAIN = "k8s:validation-gen"
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Selectors:
    """Selection by the directives of a package.

    `every`: all exported types. `fields`: structs with a field of one of these Go names. `suffixes`: types whose name
    ends so. `implicit`: no directive, so the package is included if its types have or reach tags. `forced`: overrides
    the directives of types.
    """

    every: bool = False
    fields: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    implicit: bool = False
    forced: bool = False

    def match(self, declaration: TypeDecl, types: TypeSystem) -> bool:
        names = types.field_names(Named(declaration.package, declaration.name))
        return self.every or not names.isdisjoint(self.fields) or declaration.name.endswith(self.suffixes or ("\0",))


def selectors(package: Package, reader: TagReader, *, require_directive: bool) -> Selectors | None:
    """Returns the selectors of a package, `None` when it does not take part."""
    tags = reader.directives(package.comments, _MAIN)
    values = [tag.value or "" for tag in tags]
    diagnostics = reader.diagnostics
    if not tags:
        return None if require_directive else Selectors(fields=("TypeMeta",), implicit=True)
    if "false" in values:
        if len(values) > 1:
            shown = " ".join(f'"{v}"' for v in values)
            message = f'+{_MAIN}: cannot mix "false" with other values; got [{shown}]'
            diagnostics.error("VG104", message, tags[0].span, "keep either the opt-out or the selectors")
        return None
    fields, suffixes = [], []
    for tag, value in zip(tags, values, strict=True):
        kind, equals, name = value.partition("=")
        if value == "*":
            return Selectors(every=True)
        if not value or (equals and not name):
            _refuse(diagnostics, tag, f'found package tag "{_MAIN}" with no value')
        elif kind == "TypesWithField" and equals:
            fields.append(name)
        elif kind == "TypesWithSuffix" and equals:
            suffixes.append(name)
        elif _IDENTIFIER.fullmatch(value):
            fields.append(value)  # the spelling up to Kubernetes 1.36: the bare name of a field
        else:
            _refuse(diagnostics, tag, f'unknown value for package tag "{_MAIN}": "{value}"')
    return Selectors(fields=tuple(fields), suffixes=tuple(suffixes))


def _refuse(diagnostics: Diagnostics, tag: Tag, message: str) -> None:
    help = f"write +{_MAIN}=TypesWithField=TypeMeta, =TypesWithSuffix=Spec, =* or =false"
    diagnostics.error("VG104", message, tag.value_span or tag.span, help)


def input_package(package: Package, universe: Universe, reader: TagReader) -> Package:
    """Returns the package whose types a package validates: itself, unless a directive names another."""
    name = "k8s:validation-gen-input"
    tags = reader.directives(package.comments, name)
    if not tags:
        return package
    if len(tags) > 1:
        reader.diagnostics.error("VG104", f"+{name}: expected at most one value", tags[1].span, "keep one of them")
    path = tags[0].value or ""
    if path.startswith("."):
        message = f'+{name}: relative path "{path}" is not supported; use the full package import path'
        reader.diagnostics.error("VG104", message, tags[0].value_span or tags[0].span)
        return package
    found = universe.package(path)
    if found is None:
        message = f'+{name}: there is no package "{path}"' if path else f"+{name}: no package is named"
        help = "write the import path of the package with the types; --module IMPORT=DIR says where a module is"
        reader.diagnostics.error("VG104", message, tags[0].value_span or tags[0].span, help)
    return found or package


def comments_of_package(package: Package) -> tuple[CommentLine, ...]:
    """Returns the comments of a `doc.go`, without those of declarations in it."""
    owned = {line.span for constant in package.constants for line in constant.comments}
    for declaration in package.types.values():
        owned |= {line.span for line in declaration.closest}
        owned |= {line.span for field in declaration.fields for line in field.comments}
    return tuple(line for line in package.comments if line.span not in owned)


def wants_fixture(package: Package, reader: TagReader) -> bool:
    """Returns whether a test of the package's `+k8s:validateFalse` tags is requested."""
    tags = reader.directives(package.comments, "k8s:validation-gen-test-fixture")
    for tag in tags:
        if tag.value != "validateFalse":
            message = f"k8s:validation-gen-test-fixture must be one of [validateFalse], but got: {tag.value or ''}"
            reader.diagnostics.error("VG104", message, tag.value_span or tag.span)
    return bool(tags)


def is_root(declaration: TypeDecl, chosen: Selectors, types: TypeSystem) -> bool:
    """Returns whether requests can name the type (the order of the decisions is upstream's)."""
    if not declaration.exported or declaration.alias:
        return False
    if chosen.forced:
        return True
    for wanted in ("false", "true"):
        for block in (declaration.closest, declaration.second_closest):
            if _type_switch(block) == [wanted]:
                return wanted == "true"
    return not _embeds_list_meta(declaration) and chosen.match(declaration, types)


def report_switches(declaration: TypeDecl, diagnostics: Diagnostics) -> None:
    """Warns of a directive above a type that is neither true nor false; upstream ignores it."""
    for block in (declaration.closest, declaration.second_closest):
        directives = [raw for raw in extract(block) if raw.name == _MAIN and not raw.span.file.endswith("doc.go")]
        if directives and _type_switch(block) not in (["true"], ["false"]):
            help = f"write +{_MAIN}=true or =false, once; what chooses types of the package belongs into doc.go"
            message = f"{declaration}: this does not say whether the type is a kind, so it has no effect"
            diagnostics.warning("VG104", message, directives[-1].span, help)


def _type_switch(lines: Sequence[CommentLine]) -> list[str]:
    return [raw.text.partition("=")[2].strip() for raw in extract(lines) if raw.name == _MAIN]


def _embeds_list_meta(declaration: TypeDecl) -> bool:
    return any(f.embedded and f.type == Named(META, "ListMeta") for f in declaration.fields)


def subresources(declaration: TypeDecl, package: Package, reader: TagReader) -> tuple[str, ...]:
    """Returns the request paths for which a root is validated, sorted; `/` is the object itself.

    Kubernetes 1.35 documents the tags on the package, later releases have them on the type. The type's tags win.
    """
    own = (*declaration.second_closest, *declaration.closest)
    return _paths(own, package, reader, f'type "{declaration}"')


def package_subresources(package: Package, reader: TagReader) -> tuple[str, ...]:
    """Returns the same for types that are no roots, from the package."""
    return _paths((), package, reader, f"package {package.path}")


def _paths(own: Sequence[CommentLine], package: Package, reader: TagReader, place: str) -> tuple[str, ...]:
    is_one, more = (
        reader.directives(own, name) or reader.directives(package.comments, name)
        for name in ("k8s:isSubresource", "k8s:supportsSubresource")
    )
    if len(is_one) > 1:
        message = f'{place} contains more than one usage of "k8s:isSubresource"'
        reader.diagnostics.error("VG104", message, is_one[1].span, "a type is the body of one subresource")
    for tag in (*is_one, *more):
        if not (tag.value or "").startswith("/"):
            span: Span = tag.value_span or tag.span
            example = f'+{tag.name}="/status"'
            reader.diagnostics.error("VG104", f"+{tag.name} wants the path of a subresource", span, f"write {example}")
    main = (is_one[0].value or "/") if is_one else "/"
    return tuple(sorted({main, *(tag.value or "" for tag in more)}))


def find_group(package: Package, reader: TagReader) -> tuple[str, Span | None]:
    """Returns the API group from `+groupName=`, or from the constant `GroupName` of Go's conventions, with its span.

    It is empty for the core group.

    By convention the tag is in `doc.go`. Without one there, the head of another file may have it, as for schemas.
    """
    tags = reader.directives(package.comments, "groupName") or reader.directives(package.loose, "groupName")
    if tags:
        return (tags[-1].value or "").strip('"'), tags[-1].value_span or tags[-1].span
    constant = next((c for c in package.constants if c.name == "GroupName"), None)
    if constant is not None and isinstance(constant.value, str):
        return constant.value, constant.span
    return "", None


_API_VERSION = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")


def judge_names(program: Program, diagnostics: Diagnostics) -> None:
    """Reports groups and versions of input packages that cannot be any. The core group has no name."""
    for plan in program.packages.values():
        if not (plan.input or plan.roots):
            continue
        if plan.group and dns_subdomain(plan.group):
            program.misnamed.add(plan.path)
            diagnostics.error(
                "VG104", f'the group "{plan.group}" is no DNS name', _place(plan, "group"), _advise(plan.group)
            )
        if "version" in plan.spans and not _API_VERSION.fullmatch(plan.version):
            program.misnamed.add(plan.path)
            message = f'the version "{plan.version}" is no lower-case DNS label'
            diagnostics.error("VG524", message, _place(plan, "version"), "write a version such as v1 or v1beta1")


def _place(plan: PackagePlan, what: str) -> Span:
    return plan.spans.get(what, Span(plan.directory))


def _advise(group: str) -> str:
    """Suggests a valid group close to the given one, or an example."""
    labels = [re.sub(r"[^a-z0-9]+", "-", label).strip("-") for label in re.split(r"[./\\]", group.lower())]
    near = ".".join(filter(None, labels))
    near = near if "." in near else f"{near}.example.com"
    if dns_subdomain(near):
        near = "robots.example.com"
    return f"write small letters, digits, '-' and '.', such as +groupName={near}"
