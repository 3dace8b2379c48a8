"""Tags in the comments of one declaration: parses ours, and suggests corrections for misspelt and unreadable ones.

Names of validation options in a request that no rule knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from validation_gen.compiler.lower.declarations import RuleApplier
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.rules.base import Context, RuleError, Scope, Session
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue, names_in
from validation_gen.rules.releases import NEWEST
from validation_gen.rules.spelling import find_outdated, is_tag, modern
from validation_gen.runtime.words import nearest
from validation_gen.sources.model import Builtin, Const, Named, TypeDecl, TypeExpr
from validation_gen.tags.model import CommentLine, Tag, ValueType
from validation_gen.tags.parser import RawTag, TagSyntaxError, extract, parse, parse_raw, parse_rule
from validation_gen.tags.suggestions import did_you_mean, probable

#: Rules that users know from schemas and that tags lack.
_IN_SCHEMAS = {
    name: f"there is no such rule; schemas have +k8s:validation:{name}={value}, and for validators {instead}"
    for name, value, instead in (
        ("pattern", '"^[a-z]+$"', "there are +k8s:format and +k8s:customValidation"),
        ("multipleOf", "5", "there is +k8s:customValidation"),
    )
}
_QUOTING, _NUMBER, _OR_TEXT = "quote the value", "a number is decimal", "; if it is text"
#: The tag with an error in its value, at the end of the text before the value.
_TAG = re.compile(r"\+?(?P<name>k8s:\w+)(?:\([^()]*\))?=[^=(+]*")


def for_syntax(raw: RawTag, error: TagSyntaxError) -> str:
    """Returns the help for a tag that does not parse.

    A value in quotes is wrong where the rule expects a number or nothing.
    """
    if not error.help.startswith((_QUOTING, _NUMBER)):
        return error.help
    found = _TAG.fullmatch(raw.text[: error.span.column - raw.span.column - 1].rpartition("=+")[2])
    rule = catalogue().get(found["name"]) if found else None
    if rule is None or found is None:
        return error.help
    if rule.payload is None:
        return f"+{found['name']} takes no value; write +{found['name']} alone"
    if rule.payload.type is not ValueType.INT:
        return error.help
    return error.help.partition(_OR_TEXT)[0] if error.help.startswith(_NUMBER) else "write a whole number"


def for_unknown(name: str, target: str) -> str:
    """Help for a name that no tag has."""
    known = [*names_in(target), *DIRECTIVES]
    tag, _, value = name.removeprefix("k8s:").partition(":")
    if value and f"k8s:{tag}" in known:
        return f"write '=' before the value: +k8s:{tag}={value}"
    if tag in _IN_SCHEMAS:
        return _IN_SCHEMAS[tag]
    otherwise = "it has no effect: there is no such rule; validation-gen explain lists all tags"
    return did_you_mean(name, known, otherwise, prefix="+")


# Tags of other generators that share the prefix: `k8s:deepcopy-gen:interfaces`, `k8s:validation:maxLength`
# (openapi-gen) …
_OTHERS = re.compile(
    r"k8s:(?!validation-gen)(?:[a-z0-9]+-)*gen(?:-[a-z-]+)?(?::.*)?|k8s:validation:.*|k8s:conversion-fn.*|k8s:openapi-model-package|k8s:deprecated"
)


@dataclass(frozen=True, slots=True)
class TagReader:
    """Reads the tags of a comment block by the rules of a Kubernetes release, and reports mistakes in them."""

    diagnostics: Diagnostics
    target: str = NEWEST
    _known: dict[int, tuple[Sequence[CommentLine], list[RawTag]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def extract(self, lines: Sequence[CommentLine]) -> list[RawTag]:
        """Returns all tags of a block. Blocks are read repeatedly, so the result is cached."""
        kept = self._known.get(id(lines))
        if kept is None:
            # With the block itself, so that its id stays its own.
            kept = self._known[id(lines)] = lines, extract(lines)
        return kept[1]

    def rules(
        self, lines: Sequence[CommentLine], place: str, *, report: bool = True, unknown: bool = False
    ) -> tuple[Tag, ...]:
        """Returns the validation tags of a block in source order. `place` names the declaration in messages.

        With `unknown`, names that look like ours but are not are reported too.
        """
        tags = []
        for raw in self.extract(lines):
            if is_tag(raw.name):
                tag = self._parsed(raw, place, report)
                if tag is not None:
                    tags.append(tag)
        if unknown:
            self.report_unknown(lines, place)
        return tuple(tags)

    def report_unknown(self, lines: Sequence[CommentLine], place: str) -> None:
        """Warns of names that look like ours but are not."""
        for raw in self.extract(lines):
            if raw.name.startswith("k8s:") and not is_tag(raw.name) and not _is_anothers(raw.name):
                help = for_unknown(raw.name, self.target)
                if raw.name == "k8s:" != raw.text:
                    near = probable(_first_word(raw.text[4:]), names_in(self.target))
                    help = f"write the name of the tag right behind the colon: +{near}" if near else help
                span = raw.part(0, len(raw.name) + 1)
                self.diagnostics.warning("VG103", f"{place}: unknown tag +{raw.name}", span, help)

    def report_misplaced(self, lines: Sequence[CommentLine], place: str) -> None:
        """Warns of directives on a field. In `doc.go` they count at any position."""
        for raw in self.extract(lines):
            if raw.name in DIRECTIVES and not raw.span.file.endswith("doc.go"):
                message = f"{place}: +{raw.name} has no effect on a field"
                help = f"it is read in {DIRECTIVES[raw.name].places}"
                self.diagnostics.warning("VG104", message, raw.span, help)

    def _parsed(self, raw: RawTag, place: str, report: bool) -> Tag | None:
        try:
            tag = parse_rule(raw)
            if report:
                for old, rule in find_outdated(tag, self.target):
                    message = f"{place}: +{old.name} has been renamed to +{rule.name}"
                    self.diagnostics.warning("VG105", message, old.name_span, f"write +{rule.name}")
            return modern(tag, self.target)
        except TagSyntaxError as error:
            if report:
                message = f"{place}: failed to parse tag: {error.message}"
                self.diagnostics.error("VG102", message, error.span, for_syntax(raw, error))
        except RuleError as error:
            if report:
                span = error.span or raw.span
                self.diagnostics.error(error.code, f"{place}: {error.message}", span, error.help)
        return None

    def directives(self, lines: Sequence[CommentLine], name: str) -> list[Tag]:
        """Returns all values of a directive; those in string syntax are unquoted."""
        found = []
        for raw in self.extract(lines):
            if raw.name != name:
                continue
            try:
                found.append(parse(raw) if name in ("k8s:isSubresource", "k8s:supportsSubresource") else parse_raw(raw))
            except TagSyntaxError as error:
                self.diagnostics.error("VG102", f"failed to parse tag: {error.message}", error.span, error.help)
        return found


@dataclass(slots=True)
class ConstantTags:
    """Reads the tags of constants, once for each package, and applies them to report mistakes."""

    session: Session
    reader: TagReader
    demands: RuleApplier
    #: By package, the constants of each type.
    _tables: dict[str, dict[str, list[tuple[Const, tuple[Tag, ...]]]]] = field(default_factory=dict)

    def find(self, declaration: TypeDecl) -> tuple[tuple[Const, tuple[Tag, ...]], ...]:
        """Returns the constants of exactly this type in its package, each with its tags."""
        path = declaration.package
        if path not in self._tables:
            table = self._tables[path] = {}
            package = self.session.types.universe.package(path)
            for const in package.constants if package else ():
                if isinstance(const.type, Named):
                    id = self.session.types.id(const.type)
                    with self.reader.diagnostics.owned_by(id):
                        tags = self._read(const, const.type, const.type.package)
                    table.setdefault(id, []).append((const, tags))
                else:
                    self._read(const, const.type or Builtin("string"), path)
        return tuple(self._tables[path].get(str(declaration), ()))

    def _read(self, const: Const, type: TypeExpr, path: str) -> tuple[Tag, ...]:
        place = f"constant {const.name}"
        tags = self.reader.rules(const.comments, place, unknown=self.session.types.universe.is_input(path))
        self.demands.apply(Context(Scope.CONSTANT, type, place, self.session), tags, place)
        return tags


def _first_word(text: str) -> str:
    found = re.match(r"\s*\+?(?:k8s:)?(\w+)", text)
    return f"k8s:{found[1]}" if found else ""


def _is_anothers(name: str) -> bool:
    """Returns whether a name is a directive, or a tag of another generator that is no misspelt directive."""
    return name in DIRECTIVES or (_OTHERS.fullmatch(name) is not None and probable(name, DIRECTIVES) is None)


def unknown_options(named: Iterable[str], known: Set[str]) -> list[Diagnostic]:
    """Returns warnings about configured options that no rule depends on."""
    found = []
    for name in sorted(set(named) - known):
        near = nearest(name, known)
        help = f"the options here are {', '.join(sorted(known))}" if known else "no rule here depends on an option"
        if near:
            help = f"did you mean {near[0]}?"
        message = f"no rule depends on the option {name}"
        found.append(Diagnostic("VG548", Severity.WARNING, message, Span("--option"), help))
    return found
