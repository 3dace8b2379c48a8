"""Selects the types to check, and reads the comments that suppress findings: `+k8s:validation-gen-nolint`, and our own.

Our own comment is a separate line, `validation-gen:ignore VG411 the flag is a one-way switch`, in the comment above its
declaration, or after the declaration on the same line. It may name several codes, separated by commas. The checked
types are those of the input that are in the program, except suppressed ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby

from validation_gen.compiler.lint.survey import Declaration, Survey
from validation_gen.diagnostics import CODES, Diagnostic, Edit, Fix, Severity, Span
from validation_gen.sources.model import Named, Struct, TypeDecl, TypeExpr, inner_types
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, extract
from validation_gen.tags.suggestions import certain, probable

#: Prefix of the codes of changes, which `validation-gen breaking` finds.
OF_CHANGES = "VG7"
_NOLINT = "k8s:validation-gen-nolint"
_CODE = r"(?:[Vv][Gg]\d\w*)"
_LINE = re.compile(
    rf"\s*(?P<all>validation-gen:ignore\b\s*(?P<codes>{_CODE}(?:(?:\s*,\s*|\s+){_CODE})*|\w[\w-]*|)\W*(?P<reason>.*?))\s*",
    re.DOTALL,
)


def nolints(lines: Sequence[CommentLine]) -> list[RawTag]:
    """Returns the tags of a comment that turn off all rules."""
    return [raw for raw in extract(lines) if raw.name == _NOLINT]


def get_reason(nolint: RawTag) -> str:
    """Returns the text after the name of the tag, which is for people."""
    return re.sub(r"^\W+", "", nolint.text[len(nolint.name) :])


@dataclass(frozen=True, slots=True)
class Suppression:
    """A line that suppresses rules on one declaration. `code` is one of its `codes`, `line` the whole text."""

    code: str
    codes: tuple[str, ...]
    reason: str
    line: str
    span: Span
    at: Span

    @property
    def removal(self) -> Edit:
        return Edit(self.span, self.line, "", line=True)

    def rewritten(self, codes: Sequence[str]) -> Edit:
        """Returns the line with other codes."""
        start, end = self._codes
        return Edit(self.span, self.line, f"{self.line[:start]}{', '.join(codes)}{self.line[end:]}")

    @property
    def _codes(self) -> tuple[int, int]:
        match = _LINE.fullmatch(self.line)
        assert match is not None, "it has been found by this pattern"
        return match.span("codes")


def suppressions(lines: Sequence[CommentLine]) -> Iterator[Suppression]:
    """Yields a suppression for each code of each line; its code is empty if the line names none."""
    for line in lines:
        if match := _LINE.fullmatch(line.text):
            span = line.span.sub(*match.span("all"))
            words = list(re.finditer(r"[\w-]+", match["codes"]))
            codes = tuple(word[0] for word in words)
            for code, word in zip(codes, words, strict=True):
                start, end = (match.start("codes") + offset for offset in word.span())
                yield Suppression(code, codes, match["reason"], match["all"], span, line.span.sub(start, end))
            if not codes:
                yield Suppression("", (), match["reason"], match["all"], span, span)


@dataclass(slots=True)
class SuppressionSet:
    """All suppressions of a run, and which of them were needed. Fields declared together (`A, B string`) share them.

    `rules` has the names of the rules by their codes.
    """

    rules: Mapping[str, str]
    _all: dict[Span, tuple[Suppression, str]] = field(default_factory=dict)
    _used: set[Span] = field(default_factory=set)
    _unsure: set[Span] = field(default_factory=set)

    def covers(self, declaration: Declaration, *, sure: bool = True) -> dict[str, Suppression]:
        """Returns the suppressions of a declaration by code.

        They are not `sure` where errors may keep the rules from finding the suppressed problem.
        """
        found = {}
        for suppression in suppressions(_comments(declaration)):
            self._all.setdefault(suppression.at, (suppression, declaration.place))
            if not sure:
                self._unsure.add(suppression.at)
            found[suppression.code] = suppression
        return found

    def use(self, suppression: Suppression) -> None:
        self._used.add(suppression.at)

    def take_lost(self, lines: Sequence[CommentLine]) -> Iterator[Diagnostic]:
        """Reports the suppressions on some lines that belong to no declaration."""
        spans = {suppression.span for suppression, _ in self._all.values()}
        for suppression in suppressions(lines):
            if suppression.span not in spans and not suppression.code.startswith(OF_CHANGES):
                spans.add(suppression.span)
                message = "unused suppression: lint rules check no declaration here"
                help = "put it into the comment right above the type or field, or remove the line"
                yield _finding("VG499", message, suppression.span, help, Fix("remove the line", (suppression.removal,)))

    def report(self) -> Iterator[Diagnostic]:
        """Yields findings about suppressions without a reason, and about those without an effect."""
        # Suppressions of changes belong to another command, which also reports unused ones.
        own = [pair for pair in self._all.values() if not pair[0].code.startswith(OF_CHANGES)]
        for _, group in groupby(sorted(own, key=lambda pair: pair[0].at), key=lambda pair: pair[0].span):
            line = list(group)
            idle = [suppression for suppression, _ in line if self._is_idle(suppression)]
            for suppression, place in line:
                if suppression.code not in self.rules:
                    yield self._unknown(suppression, place)
                elif suppression in idle:
                    yield self._idle(suppression, place, [i.code for i in idle])
            suppression, place = line[0]
            if not suppression.reason and any(s.at in self._used for s, _ in line):
                codes = " and ".join(suppression.codes)
                message = f"{place}: {codes} is ignored without a reason, which later readers need"
                yield _finding("VG498", message, suppression.span, f"write the reason behind {suppression.codes[-1]}")

    def _is_idle(self, suppression: Suppression) -> bool:
        return suppression.code in self.rules and suppression.at not in self._used | self._unsure

    def _idle(self, suppression: Suppression, place: str, idle: list[str]) -> Diagnostic:
        code = suppression.code
        message = f"{place}: there is nothing here for which {code} would have to be ignored"
        rest = [known for known in suppression.codes if known not in idle]
        if not rest:
            fix = Fix("remove the line", (suppression.removal,))
            return _finding("VG499", message, suppression.span, "remove the line", fix)
        fix = Fix(f"remove {code}", (suppression.rewritten(rest),))
        return _finding("VG499", message, suppression.at, f"remove {code} from the line", fix)

    def _unknown(self, suppression: Suppression, place: str) -> Diagnostic:
        code = suppression.code
        by_name = {name: code for code, name in self.rules.items()}
        if code.upper() in CODES and code.upper() not in self.rules:
            message = f"{place}: {code.upper()} cannot be ignored, as only findings of lint rules can"
            help = "fix what it is about, and remove the line; validation-gen explain lists the rules"
            return _finding("VG499", message, suppression.at, help)
        sure = certain(code, self.rules) or by_name.get(certain(code, by_name) or "")
        near = sure or probable(code, self.rules) or by_name.get(probable(code, by_name) or "")
        if near and (sure or re.fullmatch(_CODE, code) or "-" in code):
            message = f"{place}: {code} is the code of no lint rule, so nothing is ignored here"
            codes = [near if known == code else known for known in suppression.codes]
            fix = Fix(f"write {near}", (suppression.rewritten(codes),)) if sure else None
            return _finding("VG499", message, suppression.at, f"did you mean {near} ({self.rules[near]})?", fix)
        named = f"{code} is the code of no lint rule" if re.fullmatch(_CODE, code) else "no lint rule is named"
        help = "write the code of the finding and a reason: validation-gen:ignore VG411 a one-way switch"
        return _finding("VG499", f"{place}: {named}, so nothing is ignored here", suppression.span, help)


def _comments(declaration: Declaration) -> list[CommentLine]:
    """Returns the comment above a declaration, and the one after it on the same line.

    It omits comments after other code, which belong to that code.
    """
    own = [line for line in declaration.comments if not line.behind]
    package = declaration.survey.types.universe.packages.get(declaration.owner.package)
    place = (declaration.span.file, declaration.span.line)
    known = {line.span for line in own}
    pragmas = package.pragmas if package is not None else ()
    return own + [p for p in pragmas if (p.span.file, p.span.line) == place and p.span not in known]


def _finding(code: str, message: str, span: Span, help: str, fix: Fix | None = None) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, help, fix=fix)


def mentions(survey: Survey) -> dict[str, set[str]]:
    """Maps each type to those that it mentions, by their ids: the edges for `participants`."""
    owners = {str(owner): owner for owner in survey.owners()}
    return {id: _find_mentioned(survey, owner) & owners.keys() for id, owner in owners.items()}


def participants(
    survey: Survey, without: Set[Span] = frozenset(), edges: Mapping[str, set[str]] | None = None
) -> list[TypeDecl]:
    """Returns the types to check, each once, in the order of their ids: roots, and types reachable from them.

    In a package without roots, which declares types for other packages, all types are checked; elsewhere, types that no
    root reaches are never validated. As upstream, the tag `nolint` on a type also hides the types that are only
    reachable through it. In a `doc.go` it hides the types of the package, and of another package for which it
    generates. `without`: locations of tags to ignore. `edges`: the result of `mentions`, for repeated calls.
    """
    owners = {str(owner): owner for owner in survey.owners()}
    edges = mentions(survey) if edges is None else edges
    hiding = {id for id, owner in owners.items() if _says_nolint(owner.closest, without)}
    packages = _Packages.from_survey(survey, without)
    shared = {id for id, owner in owners.items() if owner.package in packages.rootless}
    tops = (shared - _reachable(hiding, edges, set())) | packages.roots
    seen = _reachable(tops - hiding, edges, hiding)
    return [
        owner
        for id, owner in sorted(owners.items())
        if id in seen and owner.package in packages.wanted and not survey.decodes_itself(owner)
    ]


@dataclass(frozen=True, slots=True)
class _Packages:
    """`wanted`: the packages to check. `rootless`: the wanted packages without roots. `roots`: the ids of all roots."""

    wanted: frozenset[str]
    rootless: frozenset[str]
    roots: frozenset[str]

    @staticmethod
    def from_survey(survey: Survey, without: Set[Span]) -> _Packages:
        wanted, silent, rooted, roots = set(), set(), set(), set()
        for package in survey.types.universe.inputs:
            plan = survey.program.packages.get(package.path)
            ids = {root.type for root in plan.roots} if plan else set()
            sources = {survey.program.types[id].package for id in ids}
            rooted |= sources
            if _says_nolint(package.comments, without):
                silent |= sources | {package.path}
            else:
                wanted |= sources | {package.path}
                roots |= ids
        wanted -= silent
        return _Packages(frozenset(wanted), frozenset(wanted - rooted), frozenset(roots))


def _says_nolint(lines: Sequence[CommentLine], without: Set[Span]) -> bool:
    return any(raw.span not in without for raw in nolints(lines))


def _find_mentioned(survey: Survey, owner: TypeDecl) -> set[str]:
    return {survey.types.id(named) for named in _names(survey.types.resolve(owner.type))}


def _names(type: TypeExpr) -> Iterator[Named]:
    if isinstance(type, Named):
        yield type
    members = (member.type for member in type.fields) if isinstance(type, Struct) else inner_types(type)
    for inner in members:
        yield from _names(inner)


def _reachable(start: Iterable[str], edges: Mapping[str, set[str]], closed: set[str]) -> set[str]:
    """Returns the types reachable from some types without going through closed ones."""
    seen = set(start)
    todo = list(seen)
    while todo:
        new = edges[todo.pop()] - seen - closed
        seen |= new
        todo += new
    return seen
