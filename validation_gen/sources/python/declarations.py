"""Classes, enums and aliases of one module as declared types."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.sources.model import (
    META,
    Builtin,
    Const,
    Field,
    Interface,
    Named,
    Package,
    Struct,
    TypeDecl,
    TypeExpr,
    Unsupported,
    pointee,
)
from validation_gen.sources.python.annotated import Annotation
from validation_gen.sources.python.annotations import AnnotationReader
from validation_gen.sources.python.constrainttags import HANDWRITTEN, broken_defaults
from validation_gen.sources.python.defaults import Default, enum_members, read_default
from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.syntax import first_line
from validation_gen.sources.python.validators import field_constraints, handwritten_checks
from validation_gen.tags.model import CommentLine
from validation_gen.types import Json
from validation_gen.types.naming import go_name, json_name

_NO_BASES = {"builtins.object", "abc.ABC", "msgspec.Struct", "pydantic.BaseModel", "typing.Protocol"}
_PLAIN = Json()
_MOST_BASES = 20


@dataclass(slots=True)
class DeclarationReader:
    """Reads all types of a module into its package. Findings become notes of the type."""

    package: Package
    scope: ModuleScope
    module: Callable[[str], ModuleScope | None]
    diagnostics: Diagnostics
    annotations: AnnotationReader = field(init=False)
    _owner: str = ""

    def __post_init__(self) -> None:
        self.annotations = AnnotationReader(self.scope, self.module, self._note, self._declare_literal)

    def read(self) -> None:
        for name, node in self.scope.classes.items():
            self._owner = f"{self.package.path}.{name}"
            if self.scope.is_enum(node):
                self._enum(node)
            elif self.scope.is_struct(node):
                self._struct(node)
        for name in self.scope.assignments:
            value = self.scope.find_alias(name)
            if value is not None:
                self._owner = f"{self.package.path}.{name}"
                self._alias(name, value)
        for name, assignment in self.scope.assignments.items():
            self._constant(name, assignment)
        self.package.types = dict(sorted(self.package.types.items(), key=lambda item: item[1].span))

    def _note(self, diagnostic: Diagnostic) -> None:
        self.package.notes.append((self._owner, diagnostic))

    def _tell_if_tagged(self, first: int, comments: Sequence[CommentLine]) -> None:
        """Reports notes at once if a tag shows that the declaration is part of an API."""
        if any(line.text.lstrip().startswith("+k8s:") for line in comments):
            for owner, note in self.package.notes[first:]:
                with self.diagnostics.owned_by(owner):
                    self.diagnostics.add(note)
            del self.package.notes[first:]

    def _error(self, message: str, span: Span, help: str) -> None:
        self._note(Diagnostic("VG106", Severity.ERROR, message, span, help))

    # --- types ------------------------------------------------------------------------------------------------------

    def _add(self, name: str, type: TypeExpr, node: ast.stmt, tags: Sequence[CommentLine], **more: object) -> None:
        file = self.scope.file
        apart = file.second_above(first_line(node))
        self.package.types[name] = TypeDecl(
            self.package.path,
            name,
            type,
            file.word(node.lineno, name),
            closest=(*file.beside(node), *tags),
            second_closest=apart,
            apart=apart,
            docstring=(ast.get_docstring(node) or "") if isinstance(node, ast.ClassDef) else "",
            **more,  # type: ignore[arg-type]
        )

    def _alias(self, name: str, value: ast.expr) -> None:
        statement = self.scope.assignments[name]
        first_note = len(self.package.notes)
        found = self.annotations.read(value, name)
        if isinstance(found.type, Named) and found.type == Named(self.package.path, name):
            return  # a Literal that is declared under this name
        self.annotations.settle(found, name, value)
        self._add(name, found.type, statement, found.tags)
        explicit = self.package.types[name].closest
        derived = self._derive_tags(found, explicit)
        self.package.types[name] = replace(self.package.types[name], closest=(*explicit, *derived))
        if isinstance(pointee(found.type), Unsupported):
            self._tell_if_tagged(first_note, self.package.types[name].closest)
            self.package.types[name] = replace(self.package.types[name], closest=())

    def _declare_literal(self, name: str, expression: ast.expr) -> str:
        """Declares an enum for a `Literal`, named after its place."""
        assert isinstance(expression, ast.Subscript)
        items = expression.slice.elts if isinstance(expression.slice, ast.Tuple) else [expression.slice]
        span = self.scope.file.span(expression)
        statement = self.scope.assignments.get(name)
        tag = CommentLine("+k8s:enum", span, literal=False)
        if statement is not None:
            self._add(name, Builtin("string"), statement, [tag])
        else:
            self.package.types[name] = TypeDecl(self.package.path, name, Builtin("string"), span, closest=(tag,))
        for item in items:
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                type = Named(self.package.path, name)
                self.package.constants.append(Const(item.value, type, item.value, (), self.scope.file.span(item)))
        return name

    def _enum(self, node: ast.ClassDef) -> None:
        type = Named(self.package.path, node.name)
        file = self.scope.file
        problem: ast.expr | None = None
        for name, value, statement in enum_members(self.scope, node):
            if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                problem = problem or value
                continue
            self.package.constants.append(Const(name, type, value.value, file.beside(statement), file.span(value)))
        if problem is not None:
            help = 'write its members as strings (IDLE = "Idle"), or use int with Minimum(…) and Maximum(…)'
            if isinstance(problem, ast.Call) and self.scope.meaning(problem.func).name == "enum.auto":
                help = 'make it a StrEnum, or write its members as strings (IDLE = "Idle")'
            self._error(f"{node.name}: the members of an enum are strings in an API", file.span(problem), help)
        own = [*file.above(node.lineno), *file.behind(node.lineno, node.lineno)]
        tagged = any(line.text.strip().startswith("+") and line.text.rstrip().endswith("+k8s:enum") for line in own)
        tags = [] if tagged else [CommentLine("+k8s:enum", file.word(node.lineno, node.name), literal=False)]
        self._add(node.name, Builtin("string"), node, tags)

    def _constant(self, name: str, statement: ast.Assign | ast.AnnAssign) -> None:
        """Adds a constant of a type of this module (`CALM: Mood = "Calm"`): a value of that type, if it is an enum."""
        value = statement.value
        annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
        if not isinstance(annotation, ast.Name) or annotation.id not in self.package.types:
            return
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            file = self.scope.file
            type = Named(self.package.path, annotation.id)
            self.package.constants.append(Const(name, type, value.value, file.beside(statement), file.span(value)))

    def _struct(self, node: ast.ClassDef) -> None:
        fields: list[Field] = []
        parameters: list[str] = []
        for base in node.bases:
            if isinstance(base, ast.Subscript) or self.scope.meaning(base).name == "typing.Generic":
                parameters.append(self.scope.file.text(base))
                continue
            found = self._embedded(base)
            if found is not None:
                fields.append(found)
        if parameters:
            message = f"{node.name} is generic, and the types of an API are not"
            span = self.scope.file.word(node.lineno, node.name)
            self._error(message, span, "declare a class for each of its uses")
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                member = self._field(node.name, statement, statement.target.id)
                if member is not None:
                    fields.append(member)
        self._report_duplicates(node.name, fields)
        self._report_handwritten(node, fields)
        for member in fields:
            outer = self._base_with(self.scope, node, member.attribute) if member.attribute else ""
            if outer:
                message = f"`{member.attribute}` is a field of {outer}, too, whose rules will not find it there"
                help = f"give it another name, or take it out of {outer}"
                self._note(Diagnostic("VG106", Severity.WARNING, message, member.span, help))
        self._add(node.name, Struct(tuple(fields)), node, [])

    def _report_handwritten(self, node: ast.ClassDef, fields: Sequence[Field]) -> None:
        """Warns of checks in Python, except for fields whose tags name handwritten ones."""
        settled = {
            member.attribute or member.path_name
            for member in fields
            if any(tag in line.text for line in member.comments for tag in HANDWRITTEN)
        }
        for found in handwritten_checks(self.scope, node):
            if not found.fields or not settled.issuperset(found.fields):
                self._note(found.finding)

    # --- fields -----------------------------------------------------------------------------------------------------

    def _embedded(self, base: ast.expr) -> Field | None:
        """Returns a base class as an embedded struct."""
        if self.scope.meaning(base).name in _NO_BASES:
            return None
        type = self.annotations.read(base).type
        if not isinstance(type, Named):
            return None
        span = self.scope.file.span(base)
        return Field(
            type.name, type, "", inline=True, omitted=False, embedded=True, comments=(), span=span, inherited=True
        )

    def _base_with(self, scope: ModuleScope, node: ast.ClassDef, name: str, level: int = 0) -> str:
        """Returns the nearest base class in the sources that has a field of a name."""
        for base in node.bases if level < _MOST_BASES else ():
            found = scope.meaning(base)
            if not isinstance(found.node, ast.ClassDef) or found.scope is None:
                continue
            fields = (s.target for s in found.node.body if isinstance(s, ast.AnnAssign))
            if any(isinstance(target, ast.Name) and target.id == name for target in fields):
                return found.node.name
            if further := self._base_with(found.scope, found.node, name, level + 1):
                return further
        return ""

    def _field(self, owner: str, statement: ast.AnnAssign, name: str) -> Field | None:
        if name.startswith("_") or self._is_class_variable(statement.annotation):
            return None
        file = self.scope.file
        first_note = len(self.package.notes)
        enum = f"{owner}{go_name(json_name(name))}"
        found = self.annotations.read(statement.annotation, enum)
        constraints = found.constraints = [*found.constraints, *field_constraints(self.scope, statement.value)]
        default = read_default(self.scope, statement.value)
        if found.default is not None:
            default = replace(default if default.exists else found.default, name=default.name or found.default.name)
        self.annotations.settle(found, enum, statement)
        span = file.word(statement.lineno, name)
        comments = [*file.beside(statement), *found.tags]
        found.findings += broken_defaults(name, default.plain, constraints)
        comments += self._derive_tags(found, comments)
        comments += self._default_line(default, found, comments, name)
        self._tell_if_tagged(first_note, comments)
        if isinstance(pointee(found.type), Unsupported):
            comments = []  # tags of a refused type need no further finding
        naming = found.json or _PLAIN
        if found.inline:
            named = pointee(found.type)
            go = naming.go or (named.name if isinstance(named, Named) else go_name(json_name(name)))
            return Field(go, found.type, "", True, False, True, tuple(comments), span, attribute=name)
        json = naming.name or default.name or json_name(name)
        omitted = json == "-"
        is_meta = found.type in (Named(META, "ObjectMeta"), Named(META, "ListMeta")) and json == "metadata"
        own = go_name(json_name(name) if omitted else json)
        go = naming.go or (found.type.name if is_meta and isinstance(found.type, Named) else own)
        omit = naming.omit or ("omitempty" if default.exists else "")
        return Field(
            go,
            found.type,
            "" if omitted else json,
            inline=False,
            omitted=omitted,
            embedded=is_meta,
            comments=tuple(comments),
            span=span,
            omit="" if omit == "never" else omit,
            attribute=name,
        )

    def _is_class_variable(self, annotation: ast.expr) -> bool:
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if isinstance(head, ast.Constant) and isinstance(head.value, str):
            return head.value.lstrip().startswith(("ClassVar", "typing.ClassVar", "InitVar", "dataclasses.InitVar"))
        return self.scope.meaning(head).name in ("typing.ClassVar", "dataclasses.InitVar", "dataclasses.KW_ONLY")

    def _default_line(
        self, default: Default, found: Annotation, comments: list[CommentLine], name: str
    ) -> list[CommentLine]:
        """Returns the field's `+default`, unless its comments have one or it would differ from the class's default."""
        texts = [line.text.strip() for line in comments]
        if default.node is None or any(text.startswith("+default=") for text in texts):
            return []
        span = self.scope.file.span(default.node)
        if default.unknown and not isinstance(pointee(found.type), Interface | Unsupported):
            message = f"the default of `{name}` cannot be known without running the module"
            help = "write the value itself, or put +default=… into a comment"
            self._note(Diagnostic("VG106", Severity.WARNING, message, span, help))
        is_optional = any(text.startswith("+k8s:optional") for text in texts)
        if not default.value or (default.value in ("[]", "{}") and is_optional):
            return []
        return [CommentLine(f"+default={default.value}", span, literal=False)]

    def _derive_tags(self, found: Annotation, explicit: Sequence[CommentLine]) -> list[CommentLine]:
        """Returns the tags from constraints that are not also written out; reports constraints without a tag."""
        written = [line.text.strip() for line in explicit]
        for finding in found.findings:
            if not any(tag in text for tag in finding.unless for text in written):
                self._note(finding.diagnostic)
        return [line for line in found.derived if not self._is_written(line, written)]

    def _is_written(self, derived: CommentLine, written: Sequence[str]) -> bool:
        tag, _, value = derived.text.rpartition("=")
        for text in written:
            if text.rpartition("=")[0] == tag:
                if text.rpartition("=")[2].strip('`"') != value:
                    message = f"the tag is `{text}`, and the constraint says `{derived.text}`"
                    self._error(message, derived.span, "write one of them")
                return True
        return False

    def _report_duplicates(self, owner: str, fields: list[Field]) -> None:
        seen: dict[str, Field] = {}
        for member in fields:
            first = seen.setdefault(member.json, member) if member.json else member
            if first is not member:
                message = f"{owner}: two fields have the name `{member.json}` in JSON"
                self._error(message, member.span, 'rename one of them, or write Annotated[…, Json("name")]')
