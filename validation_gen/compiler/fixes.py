"""Fixes for findings: the intended text of a line, where it is unambiguous.

This stage reads findings and the comments around them. It never changes a file, and it never guesses: a finding whose
fix is a matter of opinion has only advice. All mistakes of a line are corrected at once, as one often hides the next.
Findings in files that the user must not change get a barrier instead.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Span
from validation_gen.rules.base import Rule
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.markers.catalogue import catalogue as marker_catalogue
from validation_gen.rules.markers.openapi import is_openapi
from validation_gen.rules.registry import catalogue, names_in
from validation_gen.rules.releases import FormerName, at_least
from validation_gen.rules.spelling import former_names, is_tag
from validation_gen.sources.model import Package, Universe, comments_of_fields
from validation_gen.tags.model import Arg, CommentLine, Tag, ValueType, quote
from validation_gen.tags.parser import RawTag, TagSyntaxError, extract, parse
from validation_gen.tags.suggestions import certain


def tags_by_line(packages: Iterable[Package]) -> dict[tuple[str, int], list[RawTag]]:
    """Returns the tags and markers of packages by file and line.

    It omits tags in a text that is only a part of a string of the source.
    """
    found: dict[tuple[str, int], dict[Span, RawTag]] = {}
    for package in packages:
        for raw in extract([line for line in _lines(package) if line.literal]):
            found.setdefault((raw.span.file, raw.span.line), {})[raw.span] = raw
    return {place: list(raws.values()) for place, raws in found.items()}


def _lines(package: Package) -> Iterator[CommentLine]:
    yield from (*package.comments, *package.loose)
    for constant in package.constants:
        yield from constant.comments
    for declaration in package.types.values():
        yield from (*declaration.closest, *declaration.second_closest, *declaration.apart)
        yield from comments_of_fields(declaration.type)


_STRAY = re.compile(r"k8s:[ \t]+(?=[^\W\d])")
_NAME = re.compile(r"[^\W\d][\w.:-]*")
_NAMED = re.compile(r"[^:]*:\s*")
_MOST_SLIPS = 10
_LEVELS = ("k8s:alpha", "k8s:beta")
#: Values that may lose their quotes.
_BARE = {ValueType.INT: re.compile(r"[+-]?(?:0|[1-9]\d{0,17})"), ValueType.BOOL: re.compile("true|false")}

#: A range of a text, which begins with the plus sign, and its replacement.
_Change = tuple[Span, str]


def correct_text(text: str, target: str) -> str | None:
    """Returns the intended text, `None` if it is ambiguous."""
    text = _STRAY.sub("k8s:", text, count=1)
    name = _NAME.match(text)
    if name is None:
        return None
    if not is_tag(name[0]):
        suggestion = certain(name[0], [*names_in(target), *DIRECTIVES])
        if suggestion is None:
            return None
        text = f"{suggestion}{text[name.end() :]}"
        if suggestion in DIRECTIVES:  # which have their own grammar
            return text
    quotes = False
    for _ in range(_MOST_SLIPS):
        try:
            tag = _parse(text)
        except TagSyntaxError as error:
            if error.mended is None:
                return None
            text, quotes = error.mended, quotes or error.help.startswith("quote the value")
        else:
            return None if quotes and _is_misfit(tag) else _correct_names(text, tag, target)
    return None


def _is_misfit(tag: Tag) -> bool:
    """Returns whether a text is the value of a tag that takes a number, or no value."""
    while tag.payload is not None:
        tag = tag.payload
    rule = catalogue().get(tag.name)
    wanted = rule.payload.type if rule and rule.payload else ValueType.NONE
    return rule is not None and tag.value_type is ValueType.STRING and wanted in (ValueType.INT, ValueType.NONE)


def levels_first(text: str) -> str | None:
    """Returns the text with its only level moved to the front."""
    try:
        tag = _parse(text)
    except TagSyntaxError:
        return None
    chain = list(_chain(tag))
    starts = [link.span.column for link in chain]
    parts = [f"+{text}"[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    places = [place for place, link in enumerate(chain) if link.name in _LEVELS]
    if len(places) != 1 or places[0] in (0, len(chain) - 1):
        return None
    return "".join([parts.pop(places[0]), *parts])[1:]


def _parse(text: str) -> Tag:
    return parse(RawTag("", text, Span("", 1, 0, len(text) + 1)))


def _chain(tag: Tag | None) -> Iterator[Tag]:
    while tag is not None:
        yield tag
        tag = tag.payload


def _correct_names(text: str, tag: Tag, target: str) -> str | None:
    """Returns the text with correct names and quotes, `None` if a name has no certain correction."""
    changes: list[_Change] = []
    for link in _chain(tag):
        name = link.name
        if not is_tag(name):
            suggestion = certain(name, names_in(target))
            if suggestion is None:
                return None
            changes.append((link.name_span, suggestion))
            name = suggestion
        if name in former_names():
            rule, former = former_names()[name]
            if not at_least(former.until, target):
                changes.append((link.name_span, rule.name))
                changes += _find_renames(link.args, former)
        else:
            changes += _of_rule(f"+{text}", link, catalogue()[name], target)
    whole = f"+{text}"
    for span, new in sorted(changes, reverse=True):
        whole = f"{whole[: span.column]}{new}{whole[span.end_column :]}"
    return whole[1:]


def _find_renames(args: tuple[Arg, ...], former: FormerName) -> Iterator[_Change]:
    for arg in args:
        if arg.name in former.args:
            yield arg.span.sub(0, len(arg.name)), former.args[arg.name]


def _of_rule(whole: str, link: Tag, rule: Rule, target: str) -> Iterator[_Change]:
    """Yields the changes of former argument names, and of wrong or missing quotes."""
    known = {spec.name: spec.type for spec in rule.args}
    if rule.exists_in(target) and rule.other_args is None:
        for former in rule.former_names:
            yield from _find_renames(tuple(arg for arg in link.args if arg.name not in known), former)
    for arg in link.args:
        if arg.name in known:
            start = arg.span.column
            if arg.name and (head := _NAMED.match(whole, start)):
                start = head.end()
            yield from _find_requotes(
                whole, Span("", 1, start, arg.span.end_column), arg.value, arg.type, known[arg.name]
            )
    if rule.payload is not None and link.value is not None and link.value_span is not None:
        yield from _find_requotes(whole, link.value_span, link.value, link.value_type, rule.payload.type)


def _find_requotes(whole: str, span: Span, value: str, given: ValueType, wanted: ValueType) -> Iterator[_Change]:
    if wanted is ValueType.STRING and given in _BARE:
        yield span, quote(whole[span.column : span.end_column])
    elif given is ValueType.STRING and wanted in _BARE and _BARE[wanted].fullmatch(value):
        yield span, value


#: Findings about the text of a tag.
_OF_TAGS = ("VG102", "VG103", "VG105", "VG202", "VG203", "VG401")
_OF_LINES = (*_OF_TAGS, "VG417", "VG521", "VG524")


def propose(universe: Universe, diagnostics: Diagnostics, target: str) -> None:
    """Adds fixes to findings. Those that have one already keep it."""
    if any(item.code in _OF_LINES or item.fix for item in diagnostics.items):
        diagnostics.amend(_Mender(universe, target).add_fix)


@dataclass(slots=True)
class _Mender:
    universe: Universe
    target: str
    _tags: dict[tuple[str, int], list[RawTag]] = field(init=False)

    def __post_init__(self) -> None:
        self._tags = tags_by_line(self.universe.packages.values())

    def add_fix(self, finding: Diagnostic) -> Diagnostic:
        fix = finding.fix or self._fix(finding)
        if fix is None:
            return finding
        return replace(finding, fix=replace(fix, barrier=self._barrier(finding.span.file)))

    def _fix(self, finding: Diagnostic) -> Fix | None:
        raw = self._raw(finding.span) if finding.code in _OF_LINES else None
        if raw is None:
            return None
        if finding.code == "VG417":
            whole = raw.span == finding.span  # otherwise a remark follows it
            return Fix("remove the repetition", (Edit(raw.span, f"+{raw.text}", "", line=True),)) if whole else None
        if finding.code == "VG521":
            name = correct_name(raw.name)
            return _rewritten(raw, None if name is None else f"{name}{raw.text[len(raw.name) :]}")
        if finding.code == "VG524":
            return _rewritten(raw, _without_single_quotes(raw, finding.span))
        return _rewritten(
            raw, levels_first(raw.text) if finding.code == "VG401" else correct_text(raw.text, self.target)
        )

    def _raw(self, span: Span) -> RawTag | None:
        """Returns the tag at the position of a finding; the position can be right after a tag whose end is missing."""
        raws = self._tags.get((span.file, span.line), [])
        return next((raw for raw in raws if raw.span.column <= span.column <= raw.span.end_column), None)

    def _barrier(self, file: str) -> str:
        """Returns the reason why a file must not be changed, `""` for none."""
        if "vendor" in file.split("/")[:-1]:
            return "it is a copy of a foreign file"
        places = {file, posixpath.dirname(file) or "."}
        owners = [package for package in self.universe.packages.values() if package.directory in places]
        if any(package.input for package in owners):
            return ""
        owner = f"package {owners[0].path}, " if owners else "a package "
        return f"it belongs to {owner}which is read and not generated for"


def _rewritten(raw: RawTag, text: str | None) -> Fix | None:
    if text is None or text == raw.text:
        return None
    # All of it, so that only text that was read can be changed.
    return Fix(f"write +{text}", (Edit(raw.part(1, len(raw.text) + 1), raw.text, text),))


def _without_single_quotes(raw: RawTag, span: Span) -> str | None:
    start, end = span.column - raw.span.column - 1, span.end_column - raw.span.column - 1
    inside = raw.text[start + 1 : end - 1]
    if start < 0 or raw.text[start : start + 1] != "'" or raw.text[end - 1 : end] != "'" or {'"', "\\"} & set(inside):
        return None
    return f'{raw.text[:start]}"{inside}"{raw.text[end:]}'


def correct_name(name: str) -> str | None:
    """Returns the intended name, with the argument that it may end with; `None` if it is ambiguous."""
    bare = name.rstrip(":")
    known = [marker for marker in marker_catalogue() if not is_openapi(marker)]
    if bare.rpartition(":")[0] in known:
        return None  # `:` in the place of `=`: with the value the marker would begin to count
    suggestion = certain(bare, known)
    if suggestion is None:
        head, _, argument = bare.rpartition(":")
        suggestion = certain(
            head, [marker for marker in known if any(form.has_names for form in marker_catalogue()[marker])]
        )
        suggestion = f"{suggestion}:{argument}" if suggestion is not None and argument else None
    return None if suggestion is None else f"{suggestion}{name[len(bare) :]}"
